//! What the source says of its functions and variables, from the typed program.

use std::collections::HashMap;

use weft_frontend::ir::{
    ExprData, Func, FunctionKind, Global, Module, PlaceData, Space, Ty, TyKind, TypeTable,
};
use weft_frontend::layout::size_of;
use weft_frontend::source::{SourceMap, Span};
use weft_lower::abi::mangle::Symbols;
use weft_lower::abi::unit::UnitName;
use weft_objects::interface::{Interface, Item, Kind, Number};

/// A function or a variable as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// What it is called in PTX.
    pub symbol: String,
    /// What the source calls it.
    pub name: String,
    /// Its name's place.
    pub span: Span,
    /// The first place where it is used, if it is defined elsewhere.
    pub first_use: Option<Span>,
    /// Bytes of constant memory that it has, if it is a variable there.
    pub constant: u64,
    /// Threads of a block at most, if it is a kernel that says so.
    pub max_threads: Option<u64>,
    /// Blocks of a multiprocessor at least, likewise.
    pub min_blocks: Option<u64>,
    /// The file, line and column of its name.
    pub place: String,
    /// The type of its result; of a variable, its own.
    pub result: String,
    /// What sort of number that is, if it is one.
    pub result_number: Option<Number>,
    /// Its parameters: `struct Point p`, and what sort of number it is, if it is one; of a variable, none.
    pub parameters: Vec<(String, Option<Number>)>,
}

/// What a source says of its symbols, by the PTX that is made of it and what is declared there.
///
/// # Errors
/// As [`Interface::of_ptx`].
pub fn interface(name: &str, ptx: &str, declared: &[Declared]) -> Result<Interface, String> {
    let mut interface = Interface::of_ptx(&format!("PTX of {name}"), ptx)?;
    name.clone_into(&mut interface.name);
    for Declared { symbol, place, result, result_number, parameters, .. } in declared {
        let Some(known) = interface.symbols.get_mut(symbol) else { continue };
        known.place.clone_from(place);
        if let Item::Function(prototype) = &mut known.item {
            for passed in &mut prototype.results {
                passed.source = Some(result.clone());
                passed.number = *result_number;
            }
            // What is passed behind `...` has no declaration, and a result in memory is a parameter without one.
            let n_hidden = prototype.parameters.len().saturating_sub(parameters.len());
            let n_open = prototype.parameters.iter().filter(|passed| passed.kind == Kind::Open).count();
            let first = n_hidden.saturating_sub(n_open);
            for (passed, (declared, number)) in prototype.parameters.iter_mut().skip(first).zip(parameters) {
                passed.source = Some(declared.clone());
                passed.number = *number;
            }
        }
    }
    Ok(interface)
}

/// The functions and the variables of file scope that a program declares or defines.
pub fn symbols(module: &Module, sources: &SourceMap, unit: Option<&UnitName>) -> Vec<Declared> {
    let (types, symbols) = (&module.types, Symbols::in_unit(module, unit));
    let uses = Uses::of(module);
    let place = |span: Span| {
        let location = sources.location(span);
        format!("{}:{}:{}", location.file, location.line, location.column)
    };
    let variables = module.globals.iter().filter(|(_, data)| data.name.is_some() && data.owner.is_none());
    let variables = variables.map(|(global, data)| Declared {
        symbol: symbols.globals[global].clone(),
        name: data.name.clone().unwrap_or_default(),
        span: data.span,
        first_use: uses.globals.get(&global).copied().filter(|_| data.is_extern),
        constant: match data.space {
            Space::Constant => size_of(types, data.ty).unwrap_or(0),
            Space::Global | Space::Shared => 0,
        },
        max_threads: None,
        min_blocks: None,
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
            name: function.name.clone(),
            span: function.span,
            first_use: uses.functions.get(&func).copied().filter(|_| function.body.is_none()),
            constant: 0,
            max_threads: match &function.kind {
                FunctionKind::Kernel(bounds) => {
                    let block = bounds.block.map(|dims| dims.into_iter().map(u64::from).product());
                    bounds.max_threads.map(u64::from).or(block)
                }
                FunctionKind::Device => None,
            },
            min_blocks: match &function.kind {
                FunctionKind::Kernel(bounds) => bounds.min_blocks.map(u64::from),
                FunctionKind::Device => None,
            },
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
        | TyKind::Opaque(_)
        | TyKind::Pointer(_)
        | TyKind::Array(..)
        | TyKind::Func(_)
        | TyKind::Record(_)
        | TyKind::Typedef(_) => None,
    }
}

/// Where functions and variables are named first.
#[derive(Default)]
struct Uses {
    functions: HashMap<Func, Span>,
    globals: HashMap<Global, Span>,
}

impl Uses {
    fn of(module: &Module) -> Self {
        let mut uses = Uses::default();
        for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
            for node in body.exprs.values() {
                if let ExprData::Call { callee: func, .. } | ExprData::FuncAddr(func) = node.data {
                    uses.functions.entry(func).or_insert(node.span);
                }
            }
            for node in body.places.values() {
                if let PlaceData::Global(global) = node.data {
                    uses.globals.entry(global).or_insert(node.span);
                }
            }
        }
        uses
    }
}
