//! System calls, which the CUDA driver implements (PTX Interop 3). `malloc` and `free` are plain functions of those names.

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Is, PointerTo, Size};

/// A system call that has another name in PTX than in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SystemOp {
    /// `int printf(const char *format, ...)`: `vprintf`, with the arguments after the format in a buffer.
    Printf,
    /// `void __assert_fail(const char *message, const char *file, unsigned line, const char *function)`:
    /// `__assertfail`, which does not return.
    AssertFail,
    /// `void *__nv_aligned_device_malloc(size_t size, size_t align)`: `__cuda_syscall_aligned_malloc`
    AlignedMalloc,
}

impl SystemOp {
    pub(super) fn signature(self) -> Signature {
        const TEXT: super::Operand = PointerTo(Ty::CHAR);
        match self {
            SystemOp::Printf => Signature::variadic(Is(Ty::INT), &[TEXT]),
            SystemOp::AssertFail => Signature::fixed(Is(Ty::VOID), &[TEXT, TEXT, Is(Ty::UINT), TEXT]),
            SystemOp::AlignedMalloc => Signature::fixed(PointerTo(Ty::VOID), &[Size, Size]),
        }
    }
}
