//! The types of a built-in function's operands and result, as patterns that `verify` matches.
//!
//! An operation may be for several types: its signature then speaks of T, which each use chooses
//! within a [`Class`].

use super::super::{FloatTy, IntTy, Ty, TyKind, TypeTable};

/// The types of operands and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What T can be.
    pub class: Class,
    /// The result.
    pub ret: Operand,
    /// The operands, in order.
    pub params: &'static [Operand],
}

/// What T can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// There is no T.
    None,
    /// `float`, `double`
    Float,
    /// Integers of 32 and 64 bits, `float`, `double`.
    Number,
    /// A half-precision type.
    Half,
    /// A half-precision type of one number.
    HalfNumber,
    /// A half-precision type of two numbers.
    HalfPair,
}

/// The type of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// This type.
    Is(Ty),
    /// T.
    T,
    /// A pointer to T, whatever its qualifiers.
    PointerToT,
    /// The type of one number of T, a half-precision type.
    Lane,
    /// `float2`
    Float2,
    /// An integer type of 8 to 64 bits.
    Integer,
    /// `short`, `unsigned short`
    Short,
}

impl Signature {
    /// The signature of an operation of fixed types.
    pub const fn fixed(ret: Operand, params: &'static [Operand]) -> Signature {
        Signature { class: Class::None, ret, params }
    }

    /// The signature of an operation that is for the types of a class.
    pub const fn of(class: Class, ret: Operand, params: &'static [Operand]) -> Signature {
        Signature { class, ret, params }
    }

    /// Whether the types are those of one use.
    pub fn admits(&self, types: &TypeTable, ret: Ty, args: impl ExactSizeIterator<Item = Ty>) -> bool {
        let mut chosen = None;
        args.len() == self.params.len()
            && self.ret.admits(types, self.class, ret, &mut chosen)
            && args.zip(self.params).all(|(arg, param)| param.admits(types, self.class, arg, &mut chosen))
    }
}

impl Operand {
    /// Whether the type is this operand's, where T is what was chosen before, or is chosen here.
    fn admits(self, types: &TypeTable, class: Class, ty: Ty, chosen: &mut Option<Ty>) -> bool {
        let mut choose = |ty: Ty| {
            // The kind is the type without its qualifiers.
            let kind = types.kind(ty);
            types.kind(*chosen.get_or_insert(ty)) == kind && class.has(types, ty)
        };
        match self {
            Operand::Is(known) => types.canonical(ty) == known,
            Operand::T => choose(ty),
            Operand::PointerToT => types.pointee(ty).is_some_and(choose),
            // It may come before what chooses T: then the format alone is checked.
            Operand::Lane => types.half_ty(ty).is_some_and(|lane| {
                !lane.is_pair() && chosen.is_none_or(|t| types.half_ty(t) == Some(lane.pair()))
            }),
            Operand::Float2 => types.record(ty).is_some_and(|record| {
                let data = &types.records[record];
                data.is_builtin && data.tag.as_deref() == Some("float2")
            }),
            Operand::Integer => match types.kind(ty) {
                TyKind::Int(int) => *int != IntTy::Bool && crate::layout::int_layout(*int).size <= 8,
                _ => false,
            },
            Operand::Short => matches!(types.kind(ty), TyKind::Int(IntTy::Short | IntTy::UShort)),
        }
    }
}

impl Class {
    /// Whether T can be the type.
    fn has(self, types: &TypeTable, ty: Ty) -> bool {
        let kind = types.kind(ty);
        match self {
            Class::None => false,
            Class::Float => matches!(kind, TyKind::Float(FloatTy::Float | FloatTy::Double)),
            Class::Number => Class::Float.has(types, ty) || is_wide_int(kind),
            Class::Half => types.half_ty(ty).is_some(),
            Class::HalfNumber => types.half_ty(ty).is_some_and(|half| !half.is_pair()),
            Class::HalfPair => types.half_ty(ty).is_some_and(|half| half.is_pair()),
        }
    }
}

/// An integer type of 32 or 64 bits.
fn is_wide_int(kind: &TyKind) -> bool {
    match kind {
        TyKind::Int(int) => match int {
            IntTy::Int | IntTy::UInt | IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong => {
                true
            }
            IntTy::Bool
            | IntTy::Char
            | IntTy::SChar
            | IntTy::UChar
            | IntTy::Short
            | IntTy::UShort
            | IntTy::Int128
            | IntTy::UInt128
            | IntTy::WChar
            | IntTy::Char16
            | IntTy::Char32 => false,
        },
        _ => false,
    }
}
