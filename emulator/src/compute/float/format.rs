//! The floating-point types.

use std::cmp::Ordering;

use super::exact::{self, Format, Rounding, Value};
use crate::compute::lane::Lane;
use crate::ptx::syntax::Type;

/// A value of a floating-point type.
pub(in crate::compute) trait Float: Lane {
    const FORMAT: Format;

    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }

    fn value(self) -> Value {
        Self::FORMAT.value(self.to_bits())
    }

    fn rounded(value: Value, rounding: Rounding) -> Self {
        Self::of_bits(Self::FORMAT.round(value, rounding))
    }

    fn nan() -> Self {
        Self::of_bits(Self::FORMAT.nan())
    }

    fn flushed(self) -> Self {
        Self::of_bits(Self::FORMAT.flushed(self.to_bits()))
    }

    fn is_nan(self) -> bool {
        self.value() == Value::Nan
    }

    fn is_negative(self) -> bool {
        self.to_bits() >> (Self::FORMAT.fraction + Self::FORMAT.exponent) != 0
    }

    fn negated(self) -> Self {
        Self::of_bits(self.to_bits() ^ 1 << (Self::FORMAT.fraction + Self::FORMAT.exponent))
    }

    fn without_sign(self) -> Self {
        if self.is_negative() { self.negated() } else { self }
    }

    /// None where one is a NaN.
    fn order(self, other: Self) -> Option<Ordering> {
        self.value().compare(other.value())
    }

    fn is_less(self, other: Self) -> bool {
        self.order(other) == Some(Ordering::Less)
    }

    /// From 0 to 1; 0 of a NaN.
    fn saturated(self) -> Self {
        let one = Self::rounded(Value::integer(1), Rounding::Nearest);
        match self.value() {
            Value::Nan => Self::of_bits(0),
            _ if self.is_negative() => Self::of_bits(0),
            _ if one.is_less(self) => one,
            _ => self,
        }
    }

    /// Zero of what is negative.
    fn rectified(self) -> Self {
        if self.is_nan() {
            Self::nan()
        } else if self.is_negative() {
            Self::of_bits(0)
        } else {
            self
        }
    }

    /// What the host's arithmetic gives, to nearest; none where it has no such type.
    fn host_sum(self, _other: Self) -> Option<Self> {
        None
    }

    fn host_product(self, _other: Self) -> Option<Self> {
        None
    }

    fn host_fused(self, _factor: Self, _addend: Self) -> Option<Self> {
        None
    }

    fn host_quotient(self, _other: Self) -> Option<Self> {
        None
    }

    fn host_sqrt(self) -> Option<Self> {
        None
    }
}

macro_rules! host_float {
    ($ty:ty, $format:expr) => {
        impl Float for $ty {
            const FORMAT: Format = $format;

            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }

            fn flushed(self) -> Self {
                if self.is_subnormal() { <$ty>::copysign(0.0, self) } else { self }
            }

            fn order(self, other: Self) -> Option<Ordering> {
                self.partial_cmp(&other)
            }

            fn host_sum(self, other: Self) -> Option<Self> {
                Some(canonical(self + other))
            }

            fn host_product(self, other: Self) -> Option<Self> {
                Some(canonical(self * other))
            }

            fn host_fused(self, factor: Self, addend: Self) -> Option<Self> {
                Some(canonical(self.mul_add(factor, addend)))
            }

            fn host_quotient(self, other: Self) -> Option<Self> {
                Some(canonical(self / other))
            }

            fn host_sqrt(self) -> Option<Self> {
                Some(canonical(self.sqrt()))
            }
        }
    };
}

host_float!(f32, exact::F32);
host_float!(f64, exact::F64);

/// The host's NaNs have other bits. They are looked for in the bits: LLVM takes one NaN for as good as another, and leaves
/// out the exchange of one for another of what has been computed.
pub(super) fn canonical<F: Float>(value: F) -> F {
    if F::FORMAT.is_nan(value.to_bits()) { F::nan() } else { value }
}

/// A `.f16`, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compute) struct F16(u16);

/// A `.bf16`, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compute) struct Bf16(u16);

macro_rules! small_float {
    ($ty:ident, $name:ident, $format:expr) => {
        impl Lane for $ty {
            const TYPE: Type = Type::$name;

            fn from_bits(bits: u64) -> Self {
                $ty(bits as u16)
            }

            fn to_bits(self) -> u64 {
                u64::from(self.0)
            }
        }

        impl Float for $ty {
            const FORMAT: Format = $format;
        }
    };
}

small_float!(F16, F16, exact::F16);
small_float!(Bf16, Bf16, exact::BF16);
