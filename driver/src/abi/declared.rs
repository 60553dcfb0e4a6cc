//! The declarations of functions and variables, from the typed program.

use std::collections::HashMap;

use weft_frontend::ir::{
    ExprData, Func, FunctionKind, Global, Module, PlaceData, Scalar, Space, Ty, TypeTable,
};
use weft_frontend::layout::size_of;
use weft_frontend::source::{SourceMap, Span};
use weft_lower::abi::mangle::Symbols;
use weft_lower::abi::unit::UnitName;
use weft_objects::interface::{Interface, Item, Kind, Number};

/// A declared function or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its PTX name.
    pub symbol: String,
    /// Its source name.
    pub name: String,
    /// The span of its name.
    pub span: Span,
    /// The span of its first use, if it is defined elsewhere.
    pub first_use: Option<Span>,
    /// Its size in constant memory, for a variable there.
    pub constant: u64,
    /// The maximum number of threads per block, if it is a kernel that specifies it.
    pub max_threads: Option<u64>,
    /// The minimum number of blocks per multiprocessor, if it is a kernel that specifies it.
    pub min_blocks: Option<u64>,
    /// The file, line and column of its name.
    pub place: String,
    /// The type of the result; for a variable, its own type.
    pub result: String,
    /// The kind of that number, if it is one.
    pub result_number: Option<Number>,
    /// Its parameters: `struct Point p`, and the kind of number, if it is one; empty for a variable.
    pub parameters: Vec<(String, Option<Number>)>,
}

/// The interface of a source, by its PTX and its declarations.
///
/// # Errors
///
/// Like [`Interface::of_ptx`].
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
            // Variable arguments have no declaration, and a result in memory is an additional parameter.
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

/// The functions and file-scope variables that a program declares or defines.
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
    match types.scalar(ty)? {
        Scalar::Int(_) | Scalar::Enum(_) => Some(Number::Integer),
        Scalar::Float(_) => Some(Number::Floating),
        Scalar::Pointer(_) | Scalar::Reference(..) | Scalar::Nullptr | Scalar::Opaque(_) => None,
    }
}

/// The first uses of functions and variables.
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
