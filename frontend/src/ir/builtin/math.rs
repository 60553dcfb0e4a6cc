//! Arithmetic on numbers of several types.

use super::super::Ty;
use super::signature::Operand::{Any, Is, T};
use super::{Class, Signature};

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MathOp {
    /// `T min(T, T)`, T integer (signed or unsigned by the type) or floating (IEEE minNum)
    Min,
    /// `T max(T, T)`
    Max,
    /// `T abs(T)`, T signed integer or floating
    Abs,
    /// `T copysign(T, T)`, floating: the first with the sign of the second
    CopySign,
    /// `int isnan(T)` or `bool isnan(T)`, floating
    IsNan,
    /// `int isinf(T)`, floating
    IsInf,
    /// `int isfinite(T)`, floating
    IsFinite,
    /// `int signbit(T)`, floating: whether the sign is that of negative numbers, of zeros and NaNs too
    SignBit,
    /// `T fma(T, T, T)`, floating, rounded once
    Fma,
    /// `T sqrt(T)`, floating, correctly rounded
    Sqrt,
    /// `float rsqrtf(float)`: PTX ISA "rsqrt.approx"; double: `rsqrt.approx` refined is not here
    Rsqrt,
    /// `T floor(T)`, floating
    Floor,
    /// `T ceil(T)`, floating
    Ceil,
    /// `T trunc(T)`, floating
    Trunc,
    /// `T rint(T)`, floating: to the nearest, of two as near ones the even one
    Rint,
    /// `T fdivide(T, T)`, floating
    Divide,
}

impl MathOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            MathOp::Min | MathOp::Max => Signature::of(Class::Number, T, &[T, T]),
            MathOp::Abs => Signature::of(Class::Number, T, &[T]),
            MathOp::Fma => Signature::of(Class::Float, T, &[T, T, T]),
            MathOp::CopySign | MathOp::Divide => Signature::of(Class::Float, T, &[T, T]),
            MathOp::IsNan | MathOp::IsInf | MathOp::IsFinite | MathOp::SignBit => {
                Signature::of(Class::Float, Any(Class::Truth), &[T])
            }
            MathOp::Sqrt | MathOp::Floor | MathOp::Ceil | MathOp::Trunc | MathOp::Rint => {
                Signature::of(Class::Float, T, &[T])
            }
            MathOp::Rsqrt => Signature::fixed(Is(Ty::FLOAT), &[Is(Ty::FLOAT)]),
        }
    }
}
