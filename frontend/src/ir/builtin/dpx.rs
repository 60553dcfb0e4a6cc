//! Minima and maxima for dynamic programming (CUDA Math API "SIMD Intrinsics", functions `__vi…`).
//!
//! Operands and result are words, of one signed or unsigned number or of two of 16 bits.

use super::super::Ty;
use super::signature::Operand::{PointerTo, T};
use super::{Class, Sign, Signature};

/// Which extreme is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extreme {
    /// The greatest.
    Max,
    /// The least.
    Min,
}

/// What is in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Numbers {
    /// One number of 32 bits.
    One(Sign),
    /// Two numbers of 16 bits.
    Two(Sign),
}

/// The operation on each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DpxOp {
    /// `__vimax_s32_relu(a, b)`: the extreme of both, but not below 0
    OfTwoRelu,
    /// `__vimax3_s32(a, b, c)`
    OfThree,
    /// `__vimax3_s32_relu(a, b, c)`: not below 0
    OfThreeRelu,
    /// `__viaddmax_s32(a, b, c)`: the extreme of `a + b`, which wraps around, and `c`
    OfSum,
    /// `__viaddmax_s32_relu(a, b, c)`: not below 0
    OfSumRelu,
    /// `__vibmax_s32(a, b, bool *pred)`: the extreme of both; whether it is `a` goes to `pred`, of two
    /// numbers to one for the upper and one for the lower
    WithPredicate,
}

impl DpxOp {
    pub(super) fn signature(self, numbers: Numbers) -> Signature {
        const PREDICATE: super::Operand = PointerTo(Ty::BOOL);
        match (self, numbers) {
            (DpxOp::OfTwoRelu, _) => Signature::of(Class::Word, T, &[T, T]),
            (DpxOp::OfThree | DpxOp::OfThreeRelu | DpxOp::OfSum | DpxOp::OfSumRelu, _) => {
                Signature::of(Class::Word, T, &[T, T, T])
            }
            (DpxOp::WithPredicate, Numbers::One(_)) => Signature::of(Class::Word, T, &[T, T, PREDICATE]),
            (DpxOp::WithPredicate, Numbers::Two(_)) => {
                Signature::of(Class::Word, T, &[T, T, PREDICATE, PREDICATE])
            }
        }
    }

    /// Whether it writes nothing.
    pub(super) fn is_pure(self) -> bool {
        match self {
            DpxOp::OfTwoRelu | DpxOp::OfThree | DpxOp::OfThreeRelu | DpxOp::OfSum | DpxOp::OfSumRelu => true,
            DpxOp::WithPredicate => false,
        }
    }
}
