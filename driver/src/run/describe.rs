//! Describes the parameters of kernels, and variables, by name and type, from the typed program.

use weft_emulator::exec::names::Layout;
use weft_frontend::ir::{FloatTy, FunctionKind, HalfTy, IntTy, Module, Quals, Record, Space, Ty, TyKind};
use weft_frontend::layout::{int_layout, record_layout, size_of};
use weft_lower::abi::mangle::{Symbols, function_symbol};
use weft_run::ElementType;
use weft_run::parameter::{Parameter, ParameterType};
use weft_run::variable::{Variable, VariableSpace};

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its PTX name.
    pub symbol: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The layout of what the parameters point to.
    pub pointees: Vec<Option<Layout>>,
}

/// The maximum number of members and elements of a struct that are described.
const MAX_MEMBERS: u64 = 1024;

/// The kernels that a program defines.
pub fn kernels(module: &Module) -> Vec<Kernel> {
    let defined = module.functions.iter().filter_map(|(func, function)| {
        let body = function.body.as_ref()?;
        if !matches!(function.kind, FunctionKind::Kernel(_)) {
            return None;
        }
        let parameters = body.params.iter().map(|&param| {
            let local = &body.locals[param];
            Parameter { name: local.name.as_deref().map(str::to_owned), ty: parameter_type(module, local.ty) }
        });
        let pointees = body.params.iter().map(|&param| match *module.types.kind(body.locals[param].ty) {
            TyKind::Pointer(target) | TyKind::Reference(target, _) => layout(module, target),
            _ => None,
        });
        Some(Kernel {
            symbol: function_symbol(module, func),
            parameters: parameters.collect(),
            pointees: pointees.collect(),
        })
    });
    defined.collect()
}

/// The variables that a program defines, including those in functions.
pub fn variables(module: &Module) -> Vec<Variable> {
    let symbols = Symbols::of(module);
    let defined = module.globals.iter().filter(|(_, data)| !data.is_extern && data.name.is_some());
    let described = defined.map(|(global, data)| {
        let space = match data.space {
            Space::Global => VariableSpace::Global,
            Space::Constant => VariableSpace::Constant,
            Space::Shared => VariableSpace::Shared,
        };
        let (mut ty, mut shape) = (data.ty, Vec::new());
        while let TyKind::Array(elem, Some(len)) = *module.types.kind(ty) {
            shape.push(usize::try_from(len).unwrap_or(usize::MAX));
            ty = elem;
        }
        Variable {
            symbol: symbols.globals[global].clone(),
            space,
            ty: parameter_type(module, ty),
            shape,
            layout: layout(module, data.ty),
        }
    });
    described.collect()
}

/// The layout of a type; `None` if it is incomplete.
fn layout(module: &Module, ty: Ty) -> Option<Layout> {
    match *module.types.kind(ty) {
        TyKind::Array(elem, Some(len)) => Some(Layout::Array(Box::new(layout(module, elem)?), len)),
        TyKind::Record(record) => {
            let size = size_of(&module.types, ty).ok()?;
            let data = &module.types.records[record];
            let members = match (&data.fields, record_layout(&module.types, record)) {
                (Some(fields), Ok(places)) if !data.is_union && data.half.is_none() => fields
                    .iter()
                    .zip(&places.fields)
                    .filter_map(|(field, place)| {
                        let name = field.name.as_deref().filter(|_| field.bit_width.is_none())?;
                        Some((name.to_owned(), place.offset, layout(module, field.ty)?))
                    })
                    .collect(),
                _ => Vec::new(),
            };
            Some(Layout::Struct(size, members))
        }
        _ => size_of(&module.types, ty).ok().map(Layout::Number),
    }
}

fn parameter_type(module: &Module, ty: Ty) -> ParameterType {
    let types = &module.types;
    if let TyKind::Pointer(pointee) | TyKind::Reference(pointee, _) = *types.kind(ty) {
        return ParameterType::Pointer {
            size: types.model().pointer_size() as usize,
            element: element_of(module, pointee),
            is_const: types.quals(pointee).contains(Quals::CONST),
        };
    }
    if let Some(number) = number(module, ty) {
        return ParameterType::Number(number);
    }
    let size = size_of(types, ty).unwrap_or(0) as usize;
    let members = match *types.kind(ty) {
        TyKind::Record(record) => members(module, record),
        TyKind::Array(elem, Some(len)) if len <= MAX_MEMBERS => elements(module, elem, len),
        _ => Vec::new(),
    };
    ParameterType::Struct { size, members }
}

/// The members with their offsets; empty if some of them are not whole bytes.
fn members(module: &Module, record: Record) -> Vec<(usize, ParameterType)> {
    let data = &module.types.records[record];
    let (Some(fields), Ok(layout)) = (&data.fields, record_layout(&module.types, record)) else {
        return Vec::new();
    };
    if data.is_union || data.half.is_some() || fields.iter().any(|field| field.bit_width.is_some()) {
        return Vec::new();
    }
    let members = fields.iter().zip(&layout.fields);
    members.map(|(field, place)| (place.offset as usize, parameter_type(module, field.ty))).collect()
}

fn elements(module: &Module, elem: Ty, len: u64) -> Vec<(usize, ParameterType)> {
    let Ok(size) = size_of(&module.types, elem) else { return Vec::new() };
    let ty = parameter_type(module, elem);
    (0..len).map(|idx| ((idx * size) as usize, ty.clone())).collect()
}

/// The element type of a buffer at a pointer, if its numbers have one type: `f32` for `float4`.
fn element_of(module: &Module, pointee: Ty) -> Option<ElementType> {
    if let Some(number) = number(module, pointee) {
        return Some(number);
    }
    match *module.types.kind(pointee) {
        TyKind::Array(elem, _) => element_of(module, elem),
        TyKind::Record(record) => {
            let data = &module.types.records[record];
            if let Some(half) = data.half {
                return Some(half_type(half));
            }
            let fields = data.fields.as_ref().filter(|_| !data.is_union)?;
            let mut all = fields
                .iter()
                .map(|field| if field.bit_width.is_some() { None } else { element_of(module, field.ty) });
            let first = all.next()??;
            all.all(|other| other == Some(first)).then_some(first)
        }
        _ => None,
    }
}

fn number(module: &Module, ty: Ty) -> Option<ElementType> {
    match *module.types.kind(ty) {
        TyKind::Int(int) => integer(int),
        TyKind::Enum(enum_) => integer(module.types.enums[enum_].underlying),
        TyKind::Float(FloatTy::Float) => Some(ElementType::F32),
        TyKind::Float(FloatTy::Double) => Some(ElementType::F64),
        TyKind::Record(record) => {
            module.types.records[record].half.filter(|half| !half.is_pair()).map(half_type)
        }
        _ => None,
    }
}

fn half_type(half: HalfTy) -> ElementType {
    match half.lane() {
        HalfTy::Bfloat | HalfTy::Bfloat2 => ElementType::Bf16,
        HalfTy::Half | HalfTy::Half2 => ElementType::F16,
    }
}

fn integer(int: IntTy) -> Option<ElementType> {
    Some(match (int_layout(int).size, int.is_signed()) {
        (1, true) => ElementType::I8,
        (1, false) => ElementType::U8,
        (2, true) => ElementType::I16,
        (2, false) => ElementType::U16,
        (4, true) => ElementType::I32,
        (4, false) => ElementType::U32,
        (8, true) => ElementType::I64,
        (8, false) => ElementType::U64,
        _ => return None,
    })
}
