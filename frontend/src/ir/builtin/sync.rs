//! Barriers and fences (CUDA C++ Programming Guide "Synchronization Functions", "Memory Fence
//! Functions").

use super::super::Ty;
use super::signature::Operand::{Is, T};
use super::{Class, Signature};

/// A barrier or fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncOp {
    /// `void __syncthreads()`: PTX ISA "bar"
    SyncThreads,
    /// `int __syncthreads_count(int or bool)`: the number of threads whose operand is not 0: PTX ISA "bar.red.popc"
    SyncThreadsCount,
    /// `T __syncthreads_and(T)`: whether all operands are not 0: PTX ISA "bar.red.and"
    SyncThreadsAnd,
    /// `T __syncthreads_or(T)`: whether some operand is not 0: PTX ISA "bar.red.or"
    SyncThreadsOr,
    /// `void __syncwarp(unsigned mask)`: PTX ISA "bar.warp.sync"
    SyncWarp,
    /// `void __barrier_sync(unsigned barrier)`: PTX ISA "barrier.sync"
    Barrier,
    /// `void __barrier_sync_count(unsigned barrier, unsigned threads)`: PTX ISA "barrier.sync"
    BarrierCount,
    /// `void __threadfence_block()`: PTX ISA "membar.cta"
    FenceBlock,
    /// `void __threadfence()`: PTX ISA "membar.gl"
    FenceDevice,
    /// `void __threadfence_system()`: PTX ISA "membar.sys"
    FenceSystem,
}

impl SyncOp {
    pub(super) fn signature(self) -> Signature {
        const VOID: super::Operand = Is(Ty::VOID);
        match self {
            SyncOp::SyncThreads | SyncOp::FenceBlock | SyncOp::FenceDevice | SyncOp::FenceSystem => {
                Signature::fixed(VOID, &[])
            }
            SyncOp::SyncThreadsCount => Signature::fixed(Is(Ty::INT), &[super::Operand::Any(Class::Truth)]),
            SyncOp::SyncThreadsAnd | SyncOp::SyncThreadsOr => Signature::of(Class::Truth, T, &[T]),
            SyncOp::SyncWarp | SyncOp::Barrier => Signature::fixed(VOID, &[Is(Ty::UINT)]),
            SyncOp::BarrierCount => Signature::fixed(VOID, &[Is(Ty::UINT), Is(Ty::UINT)]),
        }
    }
}
