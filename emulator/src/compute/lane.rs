//! Values of PTX's types, as they lie in a register of 64 bits: the bits of the value, zeros above.

use crate::ptx::syntax::Type;

/// A value of one thread.
pub trait Lane: Copy + Send + Sync + 'static {
    /// Its type.
    const TYPE: Type;

    /// What the low bits of a register stand for.
    fn from_bits(bits: u64) -> Self;

    /// Its bits, zeros above.
    fn to_bits(self) -> u64;
}

macro_rules! unsigned {
    ($($ty:ty: $name:ident)*) => {
        $(impl Lane for $ty {
            const TYPE: Type = Type::$name;

            fn from_bits(bits: u64) -> Self {
                bits as $ty
            }

            fn to_bits(self) -> u64 {
                u64::from(self)
            }
        })*
    };
}

macro_rules! signed {
    ($($ty:ty: $name:ident as $unsigned:ty)*) => {
        $(impl Lane for $ty {
            const TYPE: Type = Type::$name;

            fn from_bits(bits: u64) -> Self {
                bits as $ty
            }

            fn to_bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        })*
    };
}

unsigned!(u8: U8 u16: U16 u32: U32 u64: U64);
signed!(i8: S8 as u8 i16: S16 as u16 i32: S32 as u32 i64: S64 as u64);

impl Lane for bool {
    const TYPE: Type = Type::Pred;

    fn from_bits(bits: u64) -> Self {
        bits & 1 != 0
    }

    fn to_bits(self) -> u64 {
        u64::from(self)
    }
}

impl Lane for f32 {
    const TYPE: Type = Type::F32;

    fn from_bits(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }

    fn to_bits(self) -> u64 {
        u64::from(f32::to_bits(self))
    }
}

impl Lane for f64 {
    const TYPE: Type = Type::F64;

    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }

    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }
}
