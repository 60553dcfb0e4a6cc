//! What the lanes of a warp do together.

use super::super::Ty;
use super::signature::Operand::{Is, T};
use super::{Class, Signature};

/// An operation of the lanes of a warp that a mask names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarpOp {
    /// `T __shfl_sync(unsigned mask, T, int lane, int width)`, T of 32 or 64 bits or of half precision, among each `width`
    /// lanes: PTX ISA "shfl.sync"
    ShflIdx,
    /// `T __shfl_up_sync(unsigned mask, T, unsigned delta, int width)`, likewise
    ShflUp,
    /// `T __shfl_down_sync(unsigned mask, T, unsigned delta, int width)`, likewise
    ShflDown,
    /// `T __shfl_xor_sync(unsigned mask, T, int lane_mask, int width)`, likewise
    ShflXor,
}

impl WarpOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            WarpOp::ShflUp | WarpOp::ShflDown => {
                Signature::of(Class::Shuffled, T, &[Is(Ty::UINT), T, Is(Ty::UINT), Is(Ty::INT)])
            }
            WarpOp::ShflIdx | WarpOp::ShflXor => {
                Signature::of(Class::Shuffled, T, &[Is(Ty::UINT), T, Is(Ty::INT), Is(Ty::INT)])
            }
        }
    }
}
