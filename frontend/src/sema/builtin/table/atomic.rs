//! CUDA C++ Programming Guide "Atomic Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::AtomicOp;
use crate::ir::Builtin::Atomic;

functions! {
    "atomicAdd":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT), DOUBLE(ptr(DOUBLE), DOUBLE) => Atomic(AtomicOp::AtomicAdd);
}
