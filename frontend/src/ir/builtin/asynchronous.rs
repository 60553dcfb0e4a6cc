//! Barriers in shared memory with separate arrival and wait, and copies that run asynchronously to the code that starts them
//! (CUDA C++ Programming Guide "Asynchronous Barrier", "Asynchronous Data Copies"). The functions of CUDA's headers are C, over
//! these.

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Constant, Is, PointerTo};

/// The origin of a copy function, which determines the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CopyForm {
    /// Those of `cuda_pipeline_primitives.h`: 16 bytes do not stay in the cache of the multiprocessor, `.cg`.
    Pipeline,
    /// Those that nvcc has by itself: all stay there, `.ca`; how many bytes are read is left out where it is all of them.
    Plain,
}

/// An operation on a barrier in shared memory, or of an asynchronous copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AsyncOp {
    /// `void(void *, unsigned count)`: PTX ISA "mbarrier.init"
    BarrierInit,
    /// `void(void *)`: PTX ISA "mbarrier.inval"
    BarrierInvalidate,
    /// `unsigned long long(void *)`: the state before: PTX ISA "mbarrier.arrive"
    BarrierArrive,
    /// `unsigned long long(void *)`: likewise, and no more is expected of this thread: PTX ISA "mbarrier.arrive_drop"
    BarrierArriveDrop,
    /// `int(void *, unsigned long long state)`: whether its phase is over: PTX ISA "mbarrier.test_wait"
    BarrierTestWait,
    /// `int(void *, unsigned parity)`: PTX ISA "mbarrier.test_wait.parity"
    BarrierTestWaitParity,
    /// `int(void *, unsigned long long state, unsigned nanoseconds)`: after a while: PTX ISA "mbarrier.try_wait"
    BarrierTryWait,
    /// `int(void *, unsigned parity, unsigned nanoseconds)`: PTX ISA "mbarrier.try_wait.parity"
    BarrierTryWaitParity,
    /// `unsigned(unsigned long long state)`: PTX ISA "mbarrier.pending_count"
    BarrierPendingCount,
    /// `void(void *shared, const void *global, unsigned n)`: 4, 8 or 16 bytes, of which the first n are read and the others are zero:
    /// PTX ISA "cp.async"
    CopyAsync(u8, CopyForm),
    /// `void()`: PTX ISA "cp.async.commit_group"
    CommitCopies,
    /// `void(int)`: until no more groups are pending than the constant says: PTX ISA "cp.async.wait_group"
    WaitForCopies,
    /// `void(void *)`: the copies arrive at the barrier: PTX ISA "cp.async.mbarrier.arrive"
    CopiesArrive,
}

impl AsyncOp {
    pub(super) fn signature(self) -> Signature {
        const VOID: super::Operand = Is(Ty::VOID);
        const UINT: super::Operand = Is(Ty::UINT);
        const STATE: super::Operand = Is(Ty::ULONGLONG);
        const ADDRESS: super::Operand = PointerTo(Ty::VOID);
        match self {
            AsyncOp::BarrierInit => Signature::fixed(VOID, &[ADDRESS, UINT]),
            AsyncOp::BarrierInvalidate | AsyncOp::CopiesArrive => Signature::fixed(VOID, &[ADDRESS]),
            AsyncOp::BarrierArrive | AsyncOp::BarrierArriveDrop => Signature::fixed(STATE, &[ADDRESS]),
            AsyncOp::BarrierTestWait => Signature::fixed(Is(Ty::INT), &[ADDRESS, STATE]),
            AsyncOp::BarrierTestWaitParity => Signature::fixed(Is(Ty::INT), &[ADDRESS, UINT]),
            AsyncOp::BarrierTryWait => Signature::fixed(Is(Ty::INT), &[ADDRESS, STATE, UINT]),
            AsyncOp::BarrierTryWaitParity => Signature::fixed(Is(Ty::INT), &[ADDRESS, UINT, UINT]),
            AsyncOp::BarrierPendingCount => Signature::fixed(UINT, &[STATE]),
            AsyncOp::CopyAsync(..) => Signature::fixed(VOID, &[ADDRESS, ADDRESS, UINT]),
            AsyncOp::CommitCopies => Signature::fixed(VOID, &[]),
            AsyncOp::WaitForCopies => Signature::fixed(VOID, &[Constant(0, 8)]),
        }
    }
}
