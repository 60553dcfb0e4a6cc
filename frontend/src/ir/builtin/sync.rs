//! Barriers.

use super::super::Ty;
use super::Signature;
use super::signature::Operand::Is;

/// A barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncOp {
    /// `void __syncthreads()`: PTX ISA "bar"
    SyncThreads,
    /// `void __syncwarp(unsigned mask)`: PTX ISA "bar.warp.sync"
    SyncWarp,
}

impl SyncOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            SyncOp::SyncThreads => Signature::fixed(Is(Ty::VOID), &[]),
            SyncOp::SyncWarp => Signature::fixed(Is(Ty::VOID), &[Is(Ty::UINT)]),
        }
    }
}
