//! Integer promotions, conversion ranks and common types (C++17 7.6, 7.15, 8p11).

use crate::ir::IntTy;

/// The type of a value of the type after the integer promotions.
pub(in crate::sema) fn promoted(int: IntTy) -> IntTy {
    match int {
        IntTy::Bool
        | IntTy::Char
        | IntTy::SChar
        | IntTy::UChar
        | IntTy::Short
        | IntTy::UShort
        | IntTy::Int => IntTy::Int,
        // C++17 7.6p2: the first type that holds their values.
        IntTy::WChar | IntTy::Char16 => IntTy::Int,
        IntTy::Char32 => IntTy::UInt,
        IntTy::UInt
        | IntTy::Long
        | IntTy::ULong
        | IntTy::Long32
        | IntTy::ULong32
        | IntTy::LongLong
        | IntTy::ULongLong
        | IntTy::Int128
        | IntTy::UInt128 => int,
    }
}

/// The common type of two promoted integers (C++17 8p11.5).
pub(in crate::sema) fn common_int(a: IntTy, b: IntTy) -> IntTy {
    if a == b {
        return a;
    }
    if a.is_signed() == b.is_signed() {
        return if rank(b) > rank(a) { b } else { a };
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    if rank(unsigned) >= rank(signed) {
        unsigned
    } else if signed.bits() > unsigned.bits() {
        signed
    } else {
        to_unsigned(signed)
    }
}

/// Conversion rank (C++17 7.15).
fn rank(int: IntTy) -> u32 {
    match int {
        IntTy::Bool => 0,
        IntTy::Char | IntTy::SChar | IntTy::UChar => 1,
        IntTy::Short | IntTy::UShort | IntTy::Char16 => 2,
        IntTy::Int | IntTy::UInt | IntTy::WChar | IntTy::Char32 => 3,
        IntTy::Long | IntTy::ULong | IntTy::Long32 | IntTy::ULong32 => 4,
        IntTy::LongLong | IntTy::ULongLong => 5,
        IntTy::Int128 | IntTy::UInt128 => 6,
    }
}

pub(in crate::sema) fn to_unsigned(int: IntTy) -> IntTy {
    match int {
        IntTy::Bool => IntTy::Bool,
        IntTy::Char | IntTy::SChar | IntTy::UChar => IntTy::UChar,
        IntTy::Short | IntTy::UShort | IntTy::Char16 => IntTy::UShort,
        IntTy::Int | IntTy::UInt | IntTy::WChar | IntTy::Char32 => IntTy::UInt,
        IntTy::Long | IntTy::ULong => IntTy::ULong,
        IntTy::Long32 | IntTy::ULong32 => IntTy::ULong32,
        IntTy::LongLong | IntTy::ULongLong => IntTy::ULongLong,
        IntTy::Int128 | IntTy::UInt128 => IntTy::UInt128,
    }
}

pub(in crate::sema) fn to_signed(int: IntTy) -> IntTy {
    match int {
        IntTy::Bool => IntTy::Bool,
        IntTy::Char | IntTy::SChar | IntTy::UChar => IntTy::SChar,
        IntTy::Short | IntTy::UShort | IntTy::Char16 => IntTy::Short,
        IntTy::Int | IntTy::UInt | IntTy::WChar | IntTy::Char32 => IntTy::Int,
        IntTy::Long | IntTy::ULong => IntTy::Long,
        IntTy::Long32 | IntTy::ULong32 => IntTy::Long32,
        IntTy::LongLong | IntTy::ULongLong => IntTy::LongLong,
        IntTy::Int128 | IntTy::UInt128 => IntTy::Int128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_follow_rank_and_width() {
        assert_eq!(common_int(IntTy::Int, IntTy::UInt), IntTy::UInt);
        assert_eq!(common_int(IntTy::UInt, IntTy::Long), IntTy::Long);
        assert_eq!(common_int(IntTy::UInt, IntTy::Long32), IntTy::ULong32);
        assert_eq!(common_int(IntTy::Int, IntTy::ULong32), IntTy::ULong32);
        assert_eq!(common_int(IntTy::ULong32, IntTy::LongLong), IntTy::LongLong);
        assert_eq!(common_int(IntTy::ULong, IntTy::LongLong), IntTy::ULongLong);
        assert_eq!(common_int(IntTy::Long, IntTy::LongLong), IntTy::LongLong);
        assert_eq!(common_int(IntTy::LongLong, IntTy::UInt), IntTy::LongLong);
        assert_eq!(common_int(IntTy::ULongLong, IntTy::Int128), IntTy::Int128);
    }
}
