//! CUDA C++ Programming Guide "Compiler Optimization Hint Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::Builtin::Hint;
use crate::ir::HintOp::*;

functions! {
    "__builtin_expect": LONG(LONG, LONG) => Hint(Expect);
    "__builtin_assume": VOID(BOOL) => Hint(Assume);
    "__builtin_assume_aligned": VOID_PTR(const_ptr(VOID), SIZE, PTRDIFF) default 0 => Hint(AssumeAligned);
}
