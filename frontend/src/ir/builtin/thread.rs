//! Operations of one thread: clocks, sleep, traps, stack memory (CUDA C++ Programming
//! Guide "Time Function", "Nanosleep Function", "Trap function", "Breakpoint Function", "Profiler Counter
//! Function").

use super::super::Ty;
use super::Class;
use super::Signature;
use super::signature::Operand::{Any, Constant, Is, PointerTo, Size};

/// An operation of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreadOp {
    /// `long clock()`, `long long clock64()`: PTX ISA "%clock64"
    Clock,
    /// `unsigned __pm0()` … `__pm3()`: PTX ISA "%pm0"
    PerformanceCounter(u8),
    /// `void __nanosleep(unsigned)`: PTX ISA "nanosleep"
    Sleep,
    /// `void __trap()`: PTX ISA "trap"
    Trap,
    /// `void __brkpt()`: PTX ISA "brkpt"
    Breakpoint,
    /// `void __prof_trigger(int counter)`: PTX ISA "pmevent"
    ProfilerTrigger,
    /// `void __builtin_unreachable()`: control does not get here
    Unreachable,
    /// `void *__builtin_alloca(unsigned long size)`: bytes of local memory that live as long as the function
    /// runs, at a multiple of 16: PTX ISA "alloca"
    Alloca,
}

impl ThreadOp {
    pub(super) fn signature(self) -> Signature {
        const VOID: super::Operand = Is(Ty::VOID);
        match self {
            ThreadOp::Clock => Signature::fixed(Any(Class::Int), &[]),
            ThreadOp::PerformanceCounter(_) => Signature::fixed(Is(Ty::UINT), &[]),
            ThreadOp::Sleep => Signature::fixed(VOID, &[Is(Ty::UINT)]),
            ThreadOp::Trap | ThreadOp::Breakpoint | ThreadOp::Unreachable => Signature::fixed(VOID, &[]),
            ThreadOp::Alloca => Signature::fixed(PointerTo(Ty::VOID), &[Size]),
            ThreadOp::ProfilerTrigger => Signature::fixed(VOID, &[Constant(0, 15)]),
        }
    }
}
