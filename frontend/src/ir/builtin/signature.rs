//! The types of a built-in function's operands and result, as patterns that `verify` matches.
//!
//! An operation may accept several types: its signature then uses T, which each use chooses
//! within a [`Class`].

use std::ops::RangeInclusive;

use super::super::{FloatTy, HalfTy, IntTy, Record, Scalar, Ty, TyKind, TypeTable, View};
use crate::layout;

/// The types of operands and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The types that T can be.
    pub class: Class,
    /// The result.
    pub ret: Operand,
    /// The operands, in order.
    pub params: &'static [Operand],
    /// More operands follow, of scalar types that the default argument promotions leave unchanged.
    pub is_variadic: bool,
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// None at all.
    None,
    /// `int`, `bool`
    Truth,
    /// `int`, `unsigned int`
    Word,
    /// Integers of 32 and 64 bits.
    Int,
    /// Unsigned integers of 16, 32 and 64 bits.
    Unsigned,
    /// `float`, `double`
    Float,
    /// Integers of 32 and 64 bits, `float`, `double`.
    Number,
    /// The same, and the half-precision types.
    Shuffled,
    /// The same, and `float2` and `float4`.
    Summed,
    /// Integers of 32, 64 and 128 bits, `float`, `double`, and structs of 16 bytes at multiples of 16.
    Exchanged,
    /// Integers of 16 bits and more, and structs of 16 bytes at multiples of 16.
    Compared,
    /// 32 bits: `int`, `unsigned int`, and structs of that size such as `char4`.
    Packed,
    /// Atomic types: integers, `float`, `double`, pointers.
    Atomic,
    /// A half-precision type.
    Half,
    /// A half-precision type of one number.
    HalfNumber,
    /// A half-precision type of two numbers.
    HalfPair,
    /// Types that one access reads or writes: integers except `bool`, `float`, `double`, and built-in vectors of
    /// them.
    Access,
    /// Types of texels: integers of up to 32 bits, `float`, and built-in vectors of one, two or four of them.
    Texel,
    /// Types of surface elements: integers, `float`, and built-in vectors of up to 16 bytes of them.
    SurfaceElement,
}

/// The type of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// This type.
    Is(Ty),
    /// `size_t`
    Size,
    /// `ptrdiff_t`
    Difference,
    /// T.
    T,
    /// Any type of the class, whatever T is.
    Any(Class),
    /// A pointer to this type, whatever its qualifiers.
    PointerTo(Ty),
    /// A pointer to T, whatever its qualifiers.
    PointerToT,
    /// A pointer to an object of 1, 2, 4, 8 or 16 bytes.
    PointerToObject,
    /// The type of one number of T, a half-precision type.
    Lane,
    /// The built-in struct of this name.
    Struct(&'static str),
    /// An integer type but `bool`.
    Integer,
    /// A pointer to one.
    PointerToInteger,
    /// `short`, `unsigned short`
    Short,
    /// An `int` or `unsigned int` constant from the one value to the other.
    Constant(u32, u32),
    /// The same, a multiple of 8 from 8 on.
    Eights(u32),
}

impl Operand {
    /// The values of a constant: from the one to the other, by steps.
    pub fn constants(self) -> Option<(RangeInclusive<u32>, u32)> {
        match self {
            Operand::Constant(min, max) => Some((min..=max, 1)),
            Operand::Eights(max) => Some((8..=max, 8)),
            _ => None,
        }
    }
}

impl Signature {
    /// The signature of an operation of fixed types.
    pub const fn fixed(ret: Operand, params: &'static [Operand]) -> Signature {
        Signature { class: Class::None, ret, params, is_variadic: false }
    }

    /// The signature of an operation that is for the types of a class.
    pub const fn of(class: Class, ret: Operand, params: &'static [Operand]) -> Signature {
        Signature { class, ret, params, is_variadic: false }
    }

    /// The signature of an operation of fixed types with more operands after them.
    pub const fn variadic(ret: Operand, params: &'static [Operand]) -> Signature {
        Signature { class: Class::None, ret, params, is_variadic: true }
    }

    /// Whether the types are those of one use. Values of constants are not looked at.
    pub fn admits(&self, types: &TypeTable, ret: Ty, mut args: impl ExactSizeIterator<Item = Ty>) -> bool {
        let mut chosen = None;
        (args.len() == self.params.len() || self.is_variadic && args.len() > self.params.len())
            && self.ret.admits(types, self.class, ret, &mut chosen)
            && (self.params.iter().zip(args.by_ref()))
                .all(|(param, arg)| param.admits(types, self.class, arg, &mut chosen))
            && args.all(|arg| is_promoted(types, arg))
    }
}

impl Operand {
    /// Whether the type is this operand's, where T is what was chosen before, or is chosen here.
    fn admits(self, types: &TypeTable, class: Class, ty: Ty, chosen: &mut Option<Ty>) -> bool {
        let mut choose = |ty: Ty| {
            // The kind is the type without its qualifiers.
            types.kind(*chosen.get_or_insert(ty)) == types.kind(ty) && class.has(types, ty)
        };
        match self {
            Operand::Is(known) => types.canonical(ty) == known,
            Operand::Size => types.canonical(ty) == types.model().size_ty(),
            Operand::Difference => types.canonical(ty) == types.model().ptrdiff_ty(),
            Operand::T => choose(ty),
            Operand::Any(class) => class.has(types, ty),
            Operand::PointerTo(known) => {
                types.pointee(ty).is_some_and(|pointee| types.kind(pointee) == types.kind(known))
            }
            Operand::PointerToT => types.pointee(ty).is_some_and(choose),
            Operand::PointerToObject => types.pointee(ty).is_some_and(|object| {
                layout::size_of(types, object).is_ok_and(|size| matches!(size, 1 | 2 | 4 | 8 | 16))
            }),
            // It may come before what chooses T: then the format alone is checked.
            Operand::Lane => types.half_ty(ty).is_some_and(|lane| {
                !lane.is_pair() && chosen.is_none_or(|t| types.half_ty(t) == Some(lane.pair()))
            }),
            Operand::Struct(name) => types.record(ty).is_some_and(|record| {
                let data = &types.records[record];
                data.is_builtin && data.tag.as_deref() == Some(name)
            }),
            Operand::Integer => is_integer(types, ty),
            Operand::PointerToInteger => types.pointee(ty).is_some_and(|pointee| is_integer(types, pointee)),
            Operand::Short => matches!(types.kind(ty), TyKind::Int(IntTy::Short | IntTy::UShort)),
            Operand::Constant(..) | Operand::Eights(_) => matches!(types.canonical(ty), Ty::INT | Ty::UINT),
        }
    }
}

/// Whether the default argument promotions leave the type, a scalar of up to 64 bits, as it is (C++17 8.2.2p9).
fn is_promoted(types: &TypeTable, ty: Ty) -> bool {
    match *types.kind(ty) {
        TyKind::Int(int) => (4..=8).contains(&layout::int_layout(int).size),
        TyKind::Float(float) => float != FloatTy::Float,
        TyKind::Pointer(_) => true,
        _ => false,
    }
}

/// Whether the type is an integer type of 8 to 64 bits.
fn is_integer(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Int(int) if *int != IntTy::Bool)
}

impl Class {
    /// Whether the type is one of the set.
    pub(crate) fn has(self, types: &TypeTable, ty: Ty) -> bool {
        match types.view(ty) {
            View::Scalar(Scalar::Int(int)) => self.has_int(int),
            View::Scalar(Scalar::Float(float)) => self.has_float(float),
            View::Record(record) => match self {
                Class::Packed => matches!(layout::size_of(types, ty), Ok(4)),
                Class::Access => types.records[record].is_builtin,
                Class::Texel | Class::SurfaceElement => self.has_vector(types, record),
                Class::Summed => {
                    let tag = types.records[record].tag.as_deref();
                    let is_vector =
                        types.records[record].is_builtin && matches!(tag, Some("float2" | "float4"));
                    is_vector || types.half_ty(ty).is_some()
                }
                Class::Exchanged | Class::Compared => {
                    layout::layout_of(types, ty).is_ok_and(|layout| layout.size == 16 && layout.align >= 16)
                }
                Class::Half | Class::Shuffled => types.half_ty(ty).is_some(),
                Class::HalfNumber => types.half_ty(ty).is_some_and(|half| !half.is_pair()),
                Class::HalfPair => types.half_ty(ty).is_some_and(HalfTy::is_pair),
                Class::None
                | Class::Truth
                | Class::Word
                | Class::Int
                | Class::Unsigned
                | Class::Float
                | Class::Atomic
                | Class::Number => false,
            },
            View::Scalar(Scalar::Pointer(_)) => self == Class::Atomic,
            View::Scalar(Scalar::Enum(_) | Scalar::Nullptr | Scalar::Opaque(_) | Scalar::Reference(..)) => {
                false
            }
            View::Error | View::Void | View::Array(..) | View::Func(_) => false,
        }
    }

    /// Whether a set of numbers has a built-in vector of one, two or four of them.
    fn has_vector(self, types: &TypeTable, record: Record) -> bool {
        let data = &types.records[record];
        let fields = data.fields.as_deref().unwrap_or_default();
        // The vectors that CUDA has once more, with another alignment, have it in their names.
        let is_vector = data.is_builtin
            && data.half.is_none()
            && data.tag.as_deref().is_some_and(|tag| !tag.contains('_'))
            && matches!(fields.len(), 1 | 2 | 4);
        let elem = fields.first().filter(|_| is_vector).map(|field| field.ty);
        elem.is_some_and(|elem| {
            let size = layout::size_of(types, elem).unwrap_or(0);
            self.has(types, elem) && size * fields.len() as u64 <= 16
        })
    }

    fn has_int(self, int: IntTy) -> bool {
        let n_bytes = match int {
            IntTy::Bool => return matches!(self, Class::Truth | Class::Atomic),
            IntTy::Int128 | IntTy::UInt128 => {
                return matches!(self, Class::Atomic | Class::Exchanged | Class::Compared);
            }
            IntTy::WChar | IntTy::Char16 | IntTy::Char32 => {
                return self == Class::Atomic;
            }
            IntTy::Char
            | IntTy::SChar
            | IntTy::UChar
            | IntTy::Short
            | IntTy::UShort
            | IntTy::Int
            | IntTy::UInt
            | IntTy::Long
            | IntTy::ULong
            | IntTy::Long32
            | IntTy::ULong32
            | IntTy::LongLong
            | IntTy::ULongLong => layout::int_layout(int).size,
        };
        match self {
            Class::None | Class::Float | Class::Half | Class::HalfNumber | Class::HalfPair => false,
            Class::Truth => int == IntTy::Int,
            Class::Word | Class::Packed => n_bytes == 4,
            Class::Int | Class::Number | Class::Shuffled | Class::Summed | Class::Exchanged => n_bytes >= 4,
            Class::Unsigned => n_bytes >= 2 && !int.is_signed(),
            Class::Compared => n_bytes >= 2,
            Class::Access | Class::Atomic => true,
            Class::Texel => n_bytes <= 4,
            Class::SurfaceElement => {
                !matches!(int, IntTy::Long | IntTy::ULong | IntTy::Long32 | IntTy::ULong32)
            }
        }
    }

    fn has_float(self, float: FloatTy) -> bool {
        match float {
            FloatTy::Float if matches!(self, Class::Texel | Class::SurfaceElement) => true,
            FloatTy::LongDouble => false,
            FloatTy::Float | FloatTy::Double => {
                matches!(
                    self,
                    Class::Float
                        | Class::Number
                        | Class::Shuffled
                        | Class::Summed
                        | Class::Exchanged
                        | Class::Access
                        | Class::Atomic
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builtin, SystemOp};
    use super::*;

    #[test]
    fn promotes_variadic_arguments() {
        let mut types = TypeTable::new();
        let text = types.pointer_to(Ty::CHAR);
        let signature = Builtin::System(SystemOp::Printf).signature();
        let admits = |ret, args: &[Ty]| signature.admits(&types, ret, args.iter().copied());
        assert!(
            admits(Ty::INT, &[text]) && admits(Ty::INT, &[text, Ty::INT, Ty::DOUBLE, text, Ty::ULONGLONG])
        );
        assert!(!admits(Ty::INT, &[]) && !admits(Ty::UINT, &[text]) && !admits(Ty::INT, &[Ty::INT]));
        for other in [Ty::CHAR, Ty::BOOL, Ty::FLOAT, Ty::VOID, Ty::INT128] {
            assert!(!admits(Ty::INT, &[text, Ty::INT, other]), "{}", types.display(other));
        }
    }
}
