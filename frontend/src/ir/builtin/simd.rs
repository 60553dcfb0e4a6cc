//! SIMD operations on two halves or four bytes of a word (CUDA Math API "SIMD Intrinsics").
//!
//! Operands and result are `unsigned int`s; each lane is computed separately, and wraps around
//! unless specified otherwise.

use super::super::{CompareOp, Ty};
use super::Signature;
use super::signature::Operand::Is;

/// How a word is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lanes {
    /// Two of 16 bits: `…2`
    Halves,
    /// Four of 8 bits: `…4`
    Bytes,
}

/// How a lane is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// As two's complement.
    Signed,
    /// As a natural number.
    Unsigned,
}

/// An operation on each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdOp {
    /// `__vabs2(a)`: the absolute value; of the least number itself
    LaneAbs,
    /// `__vabsss2(a)`: the absolute value; of the least number the greatest
    LaneAbsSat,
    /// `__vneg2(a)`
    LaneNeg,
    /// `__vnegss2(a)`: of the least number the greatest
    LaneNegSat,
    /// `__vadd2(a, b)`
    LaneAdd,
    /// `__vaddss2(a, b)`: the nearest number of the lane
    LaneAddSat(Sign),
    /// `__vsub2(a, b)`
    LaneSub,
    /// `__vsubss2(a, b)`: the nearest number of the lane
    LaneSubSat(Sign),
    /// `__vhaddu2(a, b)`: the mean, rounded down
    LaneMean,
    /// `__vavgu2(a, b)`: the mean, rounded up; `__vavgs2(a, b)`: rounded away from zero
    LaneMeanRounded(Sign),
    /// `__vmaxs2(a, b)`
    LaneMax(Sign),
    /// `__vmins2(a, b)`
    LaneMin(Sign),
    /// `__vabsdiffs2(a, b)`: the absolute value of the difference
    LaneAbsDiff(Sign),
    /// `__vsads2(a, b)`: the sum of all lanes' absolute differences
    LaneSumAbsDiff(Sign),
    /// `__vcmpges2(a, b)`: all bits of the lane, or none
    LaneCompare(CompareOp, Sign),
    /// `__vsetges2(a, b)`: 1 or 0
    LaneSet(CompareOp, Sign),
}

impl SimdOp {
    pub(super) fn signature(self) -> Signature {
        const UINT: super::Operand = Is(Ty::UINT);
        match self {
            SimdOp::LaneAbs | SimdOp::LaneAbsSat | SimdOp::LaneNeg | SimdOp::LaneNegSat => {
                Signature::fixed(UINT, &[UINT])
            }
            SimdOp::LaneAdd
            | SimdOp::LaneAddSat(_)
            | SimdOp::LaneSub
            | SimdOp::LaneSubSat(_)
            | SimdOp::LaneMean
            | SimdOp::LaneMeanRounded(_)
            | SimdOp::LaneMax(_)
            | SimdOp::LaneMin(_)
            | SimdOp::LaneAbsDiff(_)
            | SimdOp::LaneSumAbsDiff(_)
            | SimdOp::LaneCompare(..)
            | SimdOp::LaneSet(..) => Signature::fixed(UINT, &[UINT, UINT]),
        }
    }
}
