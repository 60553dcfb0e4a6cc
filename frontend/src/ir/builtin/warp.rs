//! Warp collectives.

use super::super::Ty;
use super::signature::Operand::{Is, PointerTo, T};
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
    /// `int __all_sync(unsigned mask, int)`: whether it is not 0 for any lane: PTX ISA "vote.sync"
    All,
    /// `int __any_sync(unsigned mask, int)`: whether it is not 0 for some lane
    Any,
    /// `int __uni_sync(unsigned mask, int)`: whether it is 0 for all lanes or for none
    Uniform,
    /// `unsigned __ballot_sync(unsigned mask, int)`: the lanes for which it is not 0
    Ballot,
    /// `unsigned __activemask()`: the lanes that are there: PTX ISA "activemask"
    ActiveMask,
    /// `unsigned __match_any_sync(unsigned mask, T)`: the lanes that have the same bits: PTX ISA "match.sync"
    MatchAny,
    /// `unsigned __match_all_sync(unsigned mask, T, int *)`: the mask if all lanes have the same bits, else 0, and whether
    /// they have
    MatchAll,
    /// `T __reduce_add_sync(unsigned mask, T)`: the sum over the lanes: PTX ISA "redux.sync"
    ReduceAdd,
    /// `T __reduce_min_sync(unsigned mask, T)`: the least
    ReduceMin,
    /// `T __reduce_max_sync(unsigned mask, T)`: the greatest
    ReduceMax,
    /// `unsigned __reduce_and_sync(unsigned mask, unsigned)`: bitwise and
    ReduceAnd,
    /// `unsigned __reduce_or_sync(unsigned mask, unsigned)`: bitwise or
    ReduceOr,
    /// `unsigned __reduce_xor_sync(unsigned mask, unsigned)`: bitwise exclusive or
    ReduceXor,
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
            WarpOp::All | WarpOp::Any | WarpOp::Uniform => {
                Signature::fixed(Is(Ty::INT), &[Is(Ty::UINT), Is(Ty::INT)])
            }
            WarpOp::Ballot => Signature::fixed(Is(Ty::UINT), &[Is(Ty::UINT), Is(Ty::INT)]),
            WarpOp::ActiveMask => Signature::fixed(Is(Ty::UINT), &[]),
            WarpOp::MatchAny => Signature::of(Class::Number, Is(Ty::UINT), &[Is(Ty::UINT), T]),
            WarpOp::MatchAll => {
                Signature::of(Class::Number, Is(Ty::UINT), &[Is(Ty::UINT), T, PointerTo(Ty::INT)])
            }
            WarpOp::ReduceAdd
            | WarpOp::ReduceMin
            | WarpOp::ReduceMax
            | WarpOp::ReduceAnd
            | WarpOp::ReduceOr
            | WarpOp::ReduceXor => Signature::of(Class::Word, T, &[Is(Ty::UINT), T]),
        }
    }
}
