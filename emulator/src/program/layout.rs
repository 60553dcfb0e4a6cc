//! Sizes of types and variables, in bytes.

use crate::ptx::syntax::{Type, Variable};

/// The size of a value; of a predicate, none that memory has.
pub fn size_of(ty: Type) -> u64 {
    match ty {
        Type::S8 | Type::U8 | Type::B8 | Type::Pred => 1,
        Type::S16 | Type::U16 | Type::B16 | Type::F16 | Type::Bf16 => 2,
        Type::S32 | Type::U32 | Type::B32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => 4,
        Type::S64
        | Type::U64
        | Type::B64
        | Type::F64
        | Type::F32x2
        | Type::Texref
        | Type::Samplerref
        | Type::Surfref => 8,
        Type::B128 => 16,
    }
}

/// Whether a wider register gets copies of the sign.
pub(crate) fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::S8 | Type::S16 | Type::S32 | Type::S64)
}

/// How many bytes a variable may have, and all of a space together.
pub(crate) const MAX_VARIABLES: u64 = 1 << 32;

/// The size of a variable, unless it is too large. An open first dimension counts as what its initializer has.
pub fn size_of_variable(variable: &Variable<'_>) -> Option<u64> {
    let element = size_of(variable.ty) * u64::from(variable.vector);
    let size = variable.dims.iter().try_fold(element, |size, dim| size.checked_mul(dim.unwrap_or(0)));
    size.filter(|&size| size <= MAX_VARIABLES)
}

/// What a variable is aligned to.
pub fn align_of_variable(variable: &Variable<'_>) -> u64 {
    let natural = size_of(variable.ty) * u64::from(variable.vector);
    variable.align.unwrap_or(1).max(natural)
}
