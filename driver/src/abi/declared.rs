//! What the source says of its functions and variables, from the typed program.

use weft_frontend::ir::{Module, Ty, TyKind, TypeTable};
use weft_frontend::source::{SourceMap, Span};
use weft_lower::abi::mangle::Symbols;

use super::interface::Number;

/// A function or a variable as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// What it is called in PTX.
    pub symbol: String,
    /// The file, line and column of its name.
    pub place: String,
    /// The type of its result; of a variable, its own.
    pub result: String,
    /// What sort of number that is, if it is one.
    pub result_number: Option<Number>,
    /// Its parameters: `struct Point p`, and what sort of number it is, if it is one; of a variable, none.
    pub parameters: Vec<(String, Option<Number>)>,
}

/// The functions and the variables of file scope that a program declares or defines.
pub fn symbols(module: &Module, sources: &SourceMap) -> Vec<Declared> {
    let (types, symbols) = (&module.types, Symbols::of(module));
    let place = |span: Span| {
        let location = sources.location(span);
        format!("{}:{}:{}", location.file, location.line, location.column)
    };
    let variables = module.globals.iter().filter(|(_, data)| data.name.is_some() && data.owner.is_none());
    let variables = variables.map(|(global, data)| Declared {
        symbol: symbols.globals[global].clone(),
        place: place(data.span),
        result: types.display(data.ty),
        result_number: number(types, data.ty),
        parameters: Vec::new(),
    });
    let functions = module.functions.iter().filter_map(|(func, function)| {
        let signature = types.func(function.ty)?;
        let name = |idx: usize| {
            let body = function.body.as_ref()?;
            body.locals[*body.params.get(idx)?].name.as_deref()
        };
        let parameters = signature.params.iter().enumerate();
        Some(Declared {
            symbol: symbols.functions[func].clone(),
            place: place(function.span),
            result: types.display(signature.ret),
            result_number: number(types, signature.ret),
            parameters: parameters
                .map(|(idx, &ty)| {
                    (types.display_declared(ty, name(idx).unwrap_or_default()), number(types, ty))
                })
                .collect(),
        })
    });
    variables.chain(functions).collect()
}

fn number(types: &TypeTable, ty: Ty) -> Option<Number> {
    match types.kind(ty) {
        TyKind::Int(_) | TyKind::Enum(_) => Some(Number::Integer),
        TyKind::Float(_) => Some(Number::Floating),
        TyKind::Error
        | TyKind::Void
        | TyKind::Nullptr
        | TyKind::Pointer(_)
        | TyKind::Array(..)
        | TyKind::Func(_)
        | TyKind::Record(_)
        | TyKind::Typedef(_) => None,
    }
}
