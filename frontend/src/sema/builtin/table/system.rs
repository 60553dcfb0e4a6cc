//! What device code asks of the driver (CUDA C++ Programming Guide "Assertion", "Dynamic Global Memory Allocation and
//! Operations"). `printf`, which takes arguments of any types, is in `generic`.

use super::functions;
use crate::ir::Builtin::System;
use crate::ir::SystemOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "__assert_fail": VOID(const_ptr(CHAR), const_ptr(CHAR), UINT, const_ptr(CHAR)) => System(AssertFail);
    "__nv_aligned_device_malloc": VOID_PTR(SIZE, SIZE) => System(AlignedMalloc);
}
