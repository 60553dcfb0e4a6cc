//! CUDA C++ Programming Guide "Time Function", "Nanosleep Function", "Trap function", "Breakpoint
//! Function", "Profiler Counter Function"; GNU C "Other Builtins".

use super::functions;
use crate::ir::Builtin::Thread;
use crate::ir::ThreadOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "clock": LONG() => Thread(Clock);
    "clock64": LONGLONG() => Thread(Clock);
    "__pm0": UINT() => Thread(PerformanceCounter(0));
    "__pm1": UINT() => Thread(PerformanceCounter(1));
    "__pm2": UINT() => Thread(PerformanceCounter(2));
    "__pm3": UINT() => Thread(PerformanceCounter(3));
    "__nanosleep": VOID(UINT) => Thread(Sleep);
    "__trap": VOID() => Thread(Trap);
    "__brkpt": VOID() => Thread(Breakpoint);
    "__prof_trigger": VOID(INT) => Thread(ProfilerTrigger);
    "alloca": VOID_PTR(SIZE) => Thread(Alloca);
    "__builtin_alloca": VOID_PTR(SIZE) => Thread(Alloca);
    "__builtin_unreachable": VOID() => Thread(Unreachable);
}
