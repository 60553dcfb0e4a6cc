//! Arithmetic and conversions whose rounding mode is an argument (`device_double_functions.h`).

use super::super::Ty;
use super::signature::Operand::{Any, Is};
use super::{Class, Rounding, Signature};

/// An operation whose last operand is a [`Rounding`]'s number, which need not be a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundedOp {
    /// `double dadd(double, double, cudaRoundMode)`
    AddRounded,
    /// `double dsub(double, double, cudaRoundMode)`
    SubRounded,
    /// `double dmul(double, double, cudaRoundMode)`
    MulRounded,
    /// `double fma(double, double, double, cudaRoundMode)`
    FusedMulAddRounded,
    /// `int double2int(double, cudaRoundMode)`
    FloatToIntRounded,
    /// `double ll2double(long long, cudaRoundMode)`
    IntToFloatRounded,
    /// `double float2double(float, cudaRoundMode)`: every value is one of the result's, so that nothing is rounded.
    Widened,
}

impl Rounding {
    /// All of them, each at the place of its number: that of the enumerator of `cudaRoundMode`.
    pub const ALL: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down];
}

impl RoundedOp {
    /// What a number means that is no enumerator's.
    pub fn otherwise(self) -> Rounding {
        match self {
            RoundedOp::FloatToIntRounded => Rounding::Zero,
            RoundedOp::AddRounded
            | RoundedOp::SubRounded
            | RoundedOp::MulRounded
            | RoundedOp::FusedMulAddRounded
            | RoundedOp::IntToFloatRounded
            | RoundedOp::Widened => Rounding::Nearest,
        }
    }

    pub(super) fn signature(self) -> Signature {
        const DOUBLE: super::Operand = Is(Ty::DOUBLE);
        const MODE: super::Operand = Is(Ty::UINT);
        match self {
            RoundedOp::AddRounded | RoundedOp::SubRounded | RoundedOp::MulRounded => {
                Signature::fixed(DOUBLE, &[DOUBLE, DOUBLE, MODE])
            }
            RoundedOp::FusedMulAddRounded => Signature::fixed(DOUBLE, &[DOUBLE, DOUBLE, DOUBLE, MODE]),
            RoundedOp::FloatToIntRounded => Signature::fixed(Any(Class::Int), &[DOUBLE, MODE]),
            RoundedOp::IntToFloatRounded => Signature::fixed(DOUBLE, &[Any(Class::Int), MODE]),
            RoundedOp::Widened => Signature::fixed(DOUBLE, &[Any(Class::Number), MODE]),
        }
    }
}
