//! CUDA C++ Programming Guide "Synchronization Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::Builtin::Sync;
use crate::ir::SyncOp;

functions! {
    "__syncthreads": VOID() => Sync(SyncOp::SyncThreads);
    "__syncwarp": VOID(UINT) default 0xffff_ffff => Sync(SyncOp::SyncWarp);
}
