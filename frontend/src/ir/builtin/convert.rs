//! Conversions with an explicit rounding mode, and reinterpretation of bits (CUDA Math API "Type Casting
//! Intrinsics").

use super::super::Ty;
use super::signature::Operand::{Any, Is};
use super::{Class, Rounding, Signature};

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConvertOp {
    /// `int __float2int_rn(float)`: what the integer cannot hold becomes its nearest value: PTX ISA "cvt.rni"
    FloatToInt(Rounding),
    /// `float __int2float_rn(int)`: PTX ISA "cvt.rn"
    IntToFloat(Rounding),
    /// `float __double2float_rn(double)`: PTX ISA "cvt.rn"
    DoubleToFloat(Rounding),
    /// `int __float_as_int(float)`: the same bits
    Bits,
    /// `int __double2hiint(double)`: the upper 32 bits
    HighWord,
    /// `int __double2loint(double)`: the lower 32 bits
    LowWord,
    /// `double __hiloint2double(int high, int low)`
    FromWords,
}

impl ConvertOp {
    pub(super) fn signature(self) -> Signature {
        const ANY_INT: super::Operand = Any(Class::Int);
        const ANY_FLOAT: super::Operand = Any(Class::Float);
        const INT: super::Operand = Is(Ty::INT);
        const DOUBLE: super::Operand = Is(Ty::DOUBLE);
        match self {
            ConvertOp::FloatToInt(_) => Signature::fixed(ANY_INT, &[ANY_FLOAT]),
            ConvertOp::IntToFloat(_) => Signature::fixed(ANY_FLOAT, &[ANY_INT]),
            ConvertOp::DoubleToFloat(_) => Signature::fixed(Is(Ty::FLOAT), &[DOUBLE]),
            ConvertOp::Bits => Signature::fixed(Any(Class::Number), &[Any(Class::Number)]),
            ConvertOp::HighWord | ConvertOp::LowWord => Signature::fixed(INT, &[DOUBLE]),
            ConvertOp::FromWords => Signature::fixed(DOUBLE, &[INT, INT]),
        }
    }
}
