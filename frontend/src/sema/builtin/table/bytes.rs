//! C17 7.24, as far as CUDA's headers declare it for device code.

use super::functions;
use crate::ir::Builtin::Bytes;
use crate::ir::BytesOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "memcpy": VOID_PTR(VOID_PTR, const_ptr(VOID), SIZE) => Bytes(CopyBytes);
    "memset": VOID_PTR(VOID_PTR, INT, SIZE) => Bytes(SetBytes);
    "__builtin_memcpy": VOID_PTR(VOID_PTR, const_ptr(VOID), SIZE) => Bytes(CopyBytes);
    "__builtin_memset": VOID_PTR(VOID_PTR, INT, SIZE) => Bytes(SetBytes);
}
