//! Kernel parameters: their types by PTX and, if known, by the source.

use std::fmt;

use weft_emulator::ptx::syntax::{Type, Variable};

use crate::element::ElementType;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source.
    pub name: Option<String>,
    /// Its type.
    pub ty: ParameterType,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A number.
    Number(ElementType),
    /// An integer of this size in bytes; PTX distinguishes neither signed integers nor pointers from unsigned
    /// integers.
    Word(usize),
    /// A pointer to elements, whose type may be known.
    Pointer {
        /// Its size in bytes: 8, or 4 with 32-bit addresses.
        size: usize,
        /// Their type.
        element: Option<ElementType>,
        /// Whether the kernel does not write there.
        is_const: bool,
    },
    /// A struct or an array.
    Struct {
        /// Its size in bytes.
        size: usize,
        /// The offsets and types of its members; empty if only its size is known.
        members: Vec<(usize, ParameterType)>,
    },
}

impl Parameter {
    /// A parameter by its PTX declaration.
    pub fn of_ptx(variable: &Variable<'_>) -> Self {
        let n_elements = variable.dims.iter().map(|dim| dim.unwrap_or(0)).product::<u64>();
        let ty = if variable.dims.is_empty() {
            of_fundamental(variable.ty)
        } else {
            let element = of_fundamental(variable.ty).size() as u64;
            let size = n_elements.saturating_mul(element).min(1 << 32) as usize;
            ParameterType::Struct { size, members: Vec::new() }
        };
        let ty = if variable.ptr.is_some() {
            ParameterType::Pointer { size: ty.size(), element: None, is_const: false }
        } else {
            ty
        };
        Parameter { name: None, ty }
    }
}

pub(crate) fn of_fundamental(ty: Type) -> ParameterType {
    match ty {
        Type::F16 => ParameterType::Number(ElementType::F16),
        Type::Bf16 => ParameterType::Number(ElementType::Bf16),
        Type::F32 => ParameterType::Number(ElementType::F32),
        Type::F64 => ParameterType::Number(ElementType::F64),
        Type::S8 | Type::U8 | Type::B8 | Type::Pred => ParameterType::Word(1),
        Type::S16 | Type::U16 | Type::B16 => ParameterType::Word(2),
        Type::S32 | Type::U32 | Type::B32 | Type::F16x2 | Type::Bf16x2 => ParameterType::Word(4),
        Type::S64 | Type::U64 | Type::B64 | Type::F32x2 | Type::Texref | Type::Samplerref | Type::Surfref => {
            ParameterType::Word(8)
        }
        Type::B128 => ParameterType::Struct { size: 16, members: Vec::new() },
    }
}

impl ParameterType {
    /// Its size in bytes.
    pub fn size(&self) -> usize {
        match self {
            ParameterType::Number(ty) => ty.size(),
            ParameterType::Word(size)
            | ParameterType::Struct { size, .. }
            | ParameterType::Pointer { size, .. } => *size,
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterType::Number(ty) => ty.fmt(f),
            ParameterType::Word(size) => write!(f, "an integer of {} bits", 8 * size),
            ParameterType::Pointer { element: Some(element), .. } => write!(f, "a pointer to {element}"),
            ParameterType::Pointer { element: None, .. } => f.write_str("a pointer"),
            ParameterType::Struct { size, .. } => write!(f, "a struct of {size} bytes"),
        }
    }
}
