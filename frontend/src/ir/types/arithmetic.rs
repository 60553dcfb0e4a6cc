//! The types of numbers: integers, floating types and CUDA's half-precision ones.

/// The integer types (C17 6.2.5, C++17 6.9.1): the standard and the extended ones, those of characters,
/// and `bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntTy {
    /// `bool`: 8 bits of which one counts
    Bool,
    /// `char`: signed, and a type of its own
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long` of 64 bits
    Long,
    /// `unsigned long` of 64 bits
    ULong,
    /// `long` of 32 bits, a type of its own beside `int`: see [`DataModel`]
    Long32,
    /// `unsigned long` of 32 bits
    ULong32,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`, GNU's
    Int128,
    /// `unsigned __int128`
    UInt128,
    /// `wchar_t`: signed
    WChar,
    /// `char16_t`
    Char16,
    /// `char32_t`
    Char32,
}

impl IntTy {
    /// Every integer type in the order of declaration.
    pub const ALL: [IntTy; 19] = [
        IntTy::Bool,
        IntTy::Char,
        IntTy::SChar,
        IntTy::UChar,
        IntTy::Short,
        IntTy::UShort,
        IntTy::Int,
        IntTy::UInt,
        IntTy::Long,
        IntTy::ULong,
        IntTy::Long32,
        IntTy::ULong32,
        IntTy::LongLong,
        IntTy::ULongLong,
        IntTy::Int128,
        IntTy::UInt128,
        IntTy::WChar,
        IntTy::Char16,
        IntTy::Char32,
    ];

    /// How C spells it.
    pub fn spelling(self) -> &'static str {
        match self {
            IntTy::Bool => "bool",
            IntTy::Char => "char",
            IntTy::SChar => "signed char",
            IntTy::UChar => "unsigned char",
            IntTy::Short => "short",
            IntTy::UShort => "unsigned short",
            IntTy::Int => "int",
            IntTy::UInt => "unsigned int",
            IntTy::Long | IntTy::Long32 => "long",
            IntTy::ULong | IntTy::ULong32 => "unsigned long",
            IntTy::LongLong => "long long",
            IntTy::ULongLong => "unsigned long long",
            IntTy::Int128 => "__int128",
            IntTy::UInt128 => "unsigned __int128",
            IntTy::WChar => "wchar_t",
            IntTy::Char16 => "char16_t",
            IntTy::Char32 => "char32_t",
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        match self {
            IntTy::Char
            | IntTy::SChar
            | IntTy::Short
            | IntTy::Int
            | IntTy::Long
            | IntTy::Long32
            | IntTy::LongLong
            | IntTy::Int128
            | IntTy::WChar => true,
            IntTy::Bool
            | IntTy::UChar
            | IntTy::UShort
            | IntTy::UInt
            | IntTy::ULong
            | IntTy::ULong32
            | IntTy::ULongLong
            | IntTy::UInt128
            | IntTy::Char16
            | IntTy::Char32 => false,
        }
    }

    /// Whether string literals are arrays of it, or can initialize them (C++17 11.6.2).
    pub fn is_character(self) -> bool {
        match self {
            IntTy::Char | IntTy::SChar | IntTy::UChar | IntTy::WChar | IntTy::Char16 | IntTy::Char32 => true,
            IntTy::Bool
            | IntTy::Short
            | IntTy::UShort
            | IntTy::Int
            | IntTy::UInt
            | IntTy::Long
            | IntTy::ULong
            | IntTy::Long32
            | IntTy::ULong32
            | IntTy::LongLong
            | IntTy::ULongLong
            | IntTy::Int128
            | IntTy::UInt128 => false,
        }
    }
}

/// The floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatTy {
    /// `float`: IEEE binary32
    Float,
    /// `double`: IEEE binary64
    Double,
    /// `long double`: as large as the host's, but device code computes and stores it as a `double`
    LongDouble,
}

/// The half-precision types: structs of CUDA's that the compiler knows (`cuda_fp16.h`, `cuda_bf16.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HalfTy {
    /// `__half`: IEEE binary16
    Half,
    /// `__half2`: two of them, the first in the lower bits
    Half2,
    /// `__nv_bfloat16`: the upper half of a `float`
    Bfloat,
    /// `__nv_bfloat162`: two of them
    Bfloat2,
}

impl HalfTy {
    /// Whether it is two numbers.
    pub fn is_pair(self) -> bool {
        self != self.lane()
    }

    /// The type of one number.
    pub fn lane(self) -> HalfTy {
        match self {
            HalfTy::Half | HalfTy::Half2 => HalfTy::Half,
            HalfTy::Bfloat | HalfTy::Bfloat2 => HalfTy::Bfloat,
        }
    }

    /// The type of two numbers.
    pub fn pair(self) -> HalfTy {
        match self {
            HalfTy::Half | HalfTy::Half2 => HalfTy::Half2,
            HalfTy::Bfloat | HalfTy::Bfloat2 => HalfTy::Bfloat2,
        }
    }
}
