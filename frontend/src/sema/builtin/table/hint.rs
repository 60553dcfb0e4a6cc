//! CUDA C++ Programming Guide "Compiler Optimization Hint Functions", "L2 Cache Access"; what CUDA's C++ library calls.

use super::functions;
use crate::ir::AsyncOp::CopyAsync;
use crate::ir::Builtin::{Async, Hint};
use crate::ir::HintOp::*;
use crate::ir::builtin::CopyForm;
use crate::sema::builtin::ty::*;

functions! {
    "__builtin_expect": LONG(LONG, LONG) => Hint(Expect);
    "__builtin_assume": VOID(BOOL) => Hint(Assume);
    "__builtin_assume_aligned": VOID_PTR(const_ptr(VOID), SIZE, PTRDIFF) default 0 => Hint(AssumeAligned);
    "__nv_memcpy_async_shared_global_4": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(4, CopyForm::Plain));
    "__nv_memcpy_async_shared_global_8": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(8, CopyForm::Plain));
    "__nv_memcpy_async_shared_global_16": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(16, CopyForm::Plain));
    "__nv_associate_access_property": VOID_PTR(const_ptr(VOID), ULONGLONG) => Hint(AccessProperty);
}
