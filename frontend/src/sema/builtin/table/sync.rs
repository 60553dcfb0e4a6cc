//! CUDA C++ Programming Guide "Synchronization Functions", "Memory Fence Functions".

use super::functions;
use crate::ir::Builtin::Sync;
use crate::ir::SyncOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "__syncthreads": VOID() => Sync(SyncThreads);
    "__syncthreads_count": INT(INT) => Sync(SyncThreadsCount);
    "__syncthreads_and": INT(INT) => Sync(SyncThreadsAnd);
    "__syncthreads_or": INT(INT) => Sync(SyncThreadsOr);
    "syncthreads_count": INT(BOOL) => Sync(SyncThreadsCount);
    "syncthreads_and": BOOL(BOOL) => Sync(SyncThreadsAnd);
    "syncthreads_or": BOOL(BOOL) => Sync(SyncThreadsOr);
    "__syncwarp": VOID(UINT) default 0xffff_ffff => Sync(SyncWarp);
    "__barrier_sync": VOID(UINT) => Sync(Barrier);
    "__barrier_sync_count": VOID(UINT, UINT) => Sync(BarrierCount);
    "__threadfence_block": VOID() => Sync(FenceBlock);
    "__threadfence": VOID() => Sync(FenceDevice);
    "__threadfence_system": VOID() => Sync(FenceSystem);
}
