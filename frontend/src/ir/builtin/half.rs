//! Half precision: what `cuda_fp16.h` and `cuda_bf16.h` declare.

use super::super::{CompareOp, Ty};
use super::signature::Operand::{Integer, Is, Lane, Short, Struct, T};
use super::{Class, Operand, Rounding, Signature};

/// An operation on numbers of half precision. T is one of the half-precision types; in what is for
/// pairs, the lane is the type of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HalfOp {
    /// `T f(float)`, of one number
    FromFloat(Rounding),
    /// `T f(double)`, rounded to nearest, of one number
    FromDouble,
    /// `float f(T)`, of one number: exact
    ToFloat,
    /// `T f(integer)`, of one number
    FromInt(Rounding),
    /// `integer f(T)`, of one number; saturated, and of NaN what PTX ISA "cvt" gives
    ToInt(Rounding),
    /// `T f(short)` or of `unsigned short`: the number with these bits
    FromBits,
    /// `short f(T)` or `unsigned short`: the bits of the number
    ToBits,
    /// `T f(float, float)`: a pair
    FromFloats,
    /// `T f(float2)`: a pair
    FromFloat2,
    /// `float2 f(T)`: of a pair
    ToFloat2,
    /// `T f(float)`: a pair of twice the same
    FromFloatTwice,
    /// `float f(T)`: of one number of a pair
    LaneToFloat {
        /// Of the one in the upper bits.
        high: bool,
    },
    /// `T f(lane, lane)`: a pair
    Pair,
    /// `T f(lane)`: a pair of twice the same
    Both,
    /// `lane f(T)`: the number in the lower bits
    Low,
    /// `lane f(T)`: the number in the upper bits
    High,
    /// `T f(T)`: a pair of numbers of a pair
    Select(Choice),
    /// `T f(T, T)`: a pair of the lower numbers, or of the upper ones
    Merge {
        /// The upper ones.
        high: bool,
    },
    /// `T f(T, T)`
    Arith(HalfArith, Mode),
    /// `T f(T, T)`, rounded to nearest
    Div,
    /// `T f(T, T, T)`: rounded once
    Fma(FmaMode),
    /// `T f(T)`
    Unary(HalfUnary),
    /// `T f(T)`: a mathematical function
    Function(HalfFn),
    /// `T f(T, T, T)`: `a * b + c` of complex numbers, a pair each
    ComplexFma,
    /// `T f(T, T)`: the greater number. A NaN is ignored, or is the result.
    Max {
        /// NaN is the result.
        nan: bool,
    },
    /// `T f(T, T)`: the lesser number, likewise
    Min {
        /// NaN is the result.
        nan: bool,
    },
    /// `bool f(T, T)`: whether it holds for all numbers; of NaN it is `unordered`
    Compare {
        /// Of each number.
        op: CompareOp,
        /// Whether it holds of NaN.
        unordered: bool,
    },
    /// `T f(T, T)`: for each number of a pair 1 where it holds, else 0
    CompareLanes {
        /// Of each number.
        op: CompareOp,
        /// Whether it holds of NaN.
        unordered: bool,
    },
    /// `unsigned f(T, T)`: for each number of a pair 0xffff where it holds, else 0
    CompareMask {
        /// Of each number.
        op: CompareOp,
        /// Whether it holds of NaN.
        unordered: bool,
    },
    /// `bool f(T)`, of one number
    IsNan,
    /// `T f(T)`: for each number of a pair 1 where it is NaN, else 0
    IsNanLanes,
    /// `int f(T)`: -1 or 1 of an infinity, else 0; of one number
    IsInf,
}

/// Which numbers of a pair make another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// The lower one twice.
    Low,
    /// The upper one twice.
    High,
    /// The upper one, then the lower one.
    Swap,
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HalfArith {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
}

/// How a sum or product may be transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// It may be fused with another operation, if the program allows it and the GPU has the instruction.
    Fusible,
    /// It is rounded separately.
    Separate,
    /// It is rounded separately and clamped to [0, 1]; NaN becomes 0.
    Saturated,
}

/// What is applied to `a * b + c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FmaMode {
    /// Nothing.
    Plain,
    /// It is clamped to [0, 1]; NaN becomes 0.
    Saturated,
    /// Negative values become 0; NaN stays.
    Relu,
}

/// Arithmetic on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HalfUnary {
    /// `-a`
    Neg,
    /// `|a|`
    Abs,
    /// The integer below.
    Floor,
    /// The integer above.
    Ceil,
    /// The integer towards zero.
    Trunc,
    /// The nearest integer, of two the even one.
    Rint,
    /// The square root, by PTX ISA "sqrt.approx" in float.
    Sqrt,
    /// The reciprocal of the square root, by PTX ISA "rsqrt.approx".
    Rsqrt,
    /// The reciprocal, by PTX ISA "rcp.approx".
    Rcp,
}

/// A mathematical function, as exact as the type allows or nearly so (CUDA Math API "Half Math Functions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HalfFn {
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The natural exponential function.
    Exp,
    /// The power of 2.
    Exp2,
    /// The power of 10.
    Exp10,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// The hyperbolic tangent.
    Tanh,
    /// The same by PTX ISA "tanh.approx", where the GPU has it.
    TanhApprox,
}

impl HalfFn {
    /// Its name in CUDA: `hsin`, or `h2sin` for pairs.
    pub fn name(self, is_pair: bool) -> String {
        let stem = match self {
            HalfFn::Sin => "sin",
            HalfFn::Cos => "cos",
            HalfFn::Exp => "exp",
            HalfFn::Exp2 => "exp2",
            HalfFn::Exp10 => "exp10",
            HalfFn::Log => "log",
            HalfFn::Log2 => "log2",
            HalfFn::Log10 => "log10",
            HalfFn::Tanh => "tanh",
            HalfFn::TanhApprox => "tanh_approx",
        };
        format!("{}{stem}", if is_pair { "h2" } else { "h" })
    }
}

impl HalfOp {
    pub(super) fn signature(self) -> Signature {
        const LANES: &[Operand] = &[T, T];
        match self {
            HalfOp::FromFloat(_) => Signature::of(Class::HalfNumber, T, &[Is(Ty::FLOAT)]),
            HalfOp::FromDouble => Signature::of(Class::HalfNumber, T, &[Is(Ty::DOUBLE)]),
            HalfOp::ToFloat => Signature::of(Class::HalfNumber, Is(Ty::FLOAT), &[T]),
            HalfOp::FromInt(_) => Signature::of(Class::HalfNumber, T, &[Integer]),
            HalfOp::ToInt(_) => Signature::of(Class::HalfNumber, Integer, &[T]),
            HalfOp::FromBits => Signature::of(Class::HalfNumber, T, &[Short]),
            HalfOp::ToBits => Signature::of(Class::HalfNumber, Short, &[T]),
            HalfOp::FromFloats => Signature::of(Class::HalfPair, T, &[Is(Ty::FLOAT), Is(Ty::FLOAT)]),
            HalfOp::FromFloatTwice => Signature::of(Class::HalfPair, T, &[Is(Ty::FLOAT)]),
            HalfOp::LaneToFloat { .. } => Signature::of(Class::HalfPair, Is(Ty::FLOAT), &[T]),
            HalfOp::FromFloat2 => Signature::of(Class::HalfPair, T, &[Struct("float2")]),
            HalfOp::ToFloat2 => Signature::of(Class::HalfPair, Struct("float2"), &[T]),
            HalfOp::Pair => Signature::of(Class::HalfPair, T, &[Lane, Lane]),
            HalfOp::Both => Signature::of(Class::HalfPair, T, &[Lane]),
            HalfOp::Low | HalfOp::High => Signature::of(Class::HalfPair, Lane, &[T]),
            HalfOp::Select(_) | HalfOp::IsNanLanes => Signature::of(Class::HalfPair, T, &[T]),
            HalfOp::Merge { .. } | HalfOp::CompareLanes { .. } => Signature::of(Class::HalfPair, T, LANES),
            HalfOp::Arith(..) | HalfOp::Div | HalfOp::Max { .. } | HalfOp::Min { .. } => {
                Signature::of(Class::Half, T, LANES)
            }
            HalfOp::Fma(_) => Signature::of(Class::Half, T, &[T, T, T]),
            HalfOp::ComplexFma => Signature::of(Class::HalfPair, T, &[T, T, T]),
            HalfOp::Unary(_) | HalfOp::Function(_) => Signature::of(Class::Half, T, &[T]),
            HalfOp::Compare { .. } => Signature::of(Class::Half, Is(Ty::BOOL), LANES),
            HalfOp::CompareMask { .. } => Signature::of(Class::HalfPair, Is(Ty::UINT), LANES),
            HalfOp::IsNan => Signature::of(Class::HalfNumber, Is(Ty::BOOL), &[T]),
            HalfOp::IsInf => Signature::of(Class::HalfNumber, Is(Ty::INT), &[T]),
        }
    }
}
