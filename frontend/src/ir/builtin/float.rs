//! Floating-point arithmetic with an explicit rounding mode (CUDA Math API "Single Precision Intrinsics",
//! "Double Precision Intrinsics"): never fused with other operations.

use super::signature::Operand::T;
use super::{Class, Signature};

/// How a result is rounded to a number of the type (IEEE 754-2008 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// To the nearest, of two as near the even one: `_rn`
    Nearest,
    /// Towards zero: `_rz`
    Zero,
    /// Towards positive infinity: `_ru`
    Up,
    /// Towards negative infinity: `_rd`
    Down,
}

/// An operation on `float`s or `double`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatOp {
    /// `T __fadd_rn(T, T)`: PTX ISA "add"
    Add(Rounding),
    /// `T __fsub_rn(T, T)`: PTX ISA "sub"
    Sub(Rounding),
    /// `T __fmul_rn(T, T)`: PTX ISA "mul"
    Mul(Rounding),
    /// `T __fmaf_rn(T, T, T)`: PTX ISA "fma"
    FusedMulAdd(Rounding),
    /// `float __fmaf_ieee_rn(float, float, float)`: the same, whatever counts as zero
    FusedMulAddIeee(Rounding),
    /// `T __fdiv_rn(T, T)`: PTX ISA "div"
    Div(Rounding),
    /// `T __frcp_rn(T)`: PTX ISA "rcp"
    Reciprocal(Rounding),
    /// `T __fsqrt_rn(T)`: PTX ISA "sqrt"
    SquareRoot(Rounding),
    /// `float __saturatef(float)`: to the next number between 0 and 1, of a NaN 0: PTX ISA "cvt.sat"
    Saturate,
}

impl FloatOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            FloatOp::Add(_) | FloatOp::Sub(_) | FloatOp::Mul(_) | FloatOp::Div(_) => {
                Signature::of(Class::Float, T, &[T, T])
            }
            FloatOp::FusedMulAdd(_) | FloatOp::FusedMulAddIeee(_) => {
                Signature::of(Class::Float, T, &[T, T, T])
            }
            FloatOp::Reciprocal(_) | FloatOp::SquareRoot(_) | FloatOp::Saturate => {
                Signature::of(Class::Float, T, &[T])
            }
        }
    }
}
