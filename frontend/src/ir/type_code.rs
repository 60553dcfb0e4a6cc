//! How the Itanium C++ ABI writes the types that the language has by itself: in symbols, and where functions are known by their types.

use super::{FloatTy, IntTy, TyKind};

impl TyKind {
    /// The `<builtin-type>` of the Itanium C++ ABI (5.1.5.2); none of other types.
    pub fn itanium_code(&self) -> Option<&'static str> {
        Some(match self {
            TyKind::Void => "v",
            TyKind::Int(int) => match int {
                IntTy::Bool => "b",
                IntTy::Char => "c",
                IntTy::SChar => "a",
                IntTy::UChar => "h",
                IntTy::Short => "s",
                IntTy::UShort => "t",
                IntTy::Int => "i",
                IntTy::UInt => "j",
                IntTy::Long | IntTy::Long32 => "l",
                IntTy::ULong | IntTy::ULong32 => "m",
                IntTy::LongLong => "x",
                IntTy::ULongLong => "y",
                IntTy::Int128 => "n",
                IntTy::UInt128 => "o",
                IntTy::WChar => "w",
                IntTy::Char16 => "Ds",
                IntTy::Char32 => "Di",
            },
            TyKind::Float(FloatTy::Float) => "f",
            TyKind::Float(FloatTy::Double) => "d",
            TyKind::Float(FloatTy::LongDouble) => "e",
            TyKind::Nullptr => "Dn",
            _ => return None,
        })
    }
}
