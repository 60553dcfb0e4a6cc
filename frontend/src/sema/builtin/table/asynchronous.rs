//! What the functions of `cuda_awbarrier_primitives.h` and `cuda_pipeline_primitives.h`, as they ship, are made of: no program has a
//! use for these names, which are Weft's own.

use super::functions;
use crate::ir::AsyncOp::*;
use crate::ir::Builtin::Async;
use crate::ir::builtin::CopyForm::*;
use crate::sema::builtin::ty::*;

functions! {
    "__weft_mbarrier_init": VOID(VOID_PTR, UINT) => Async(BarrierInit);
    "__weft_mbarrier_inval": VOID(VOID_PTR) => Async(BarrierInvalidate);
    "__weft_mbarrier_arrive": ULONGLONG(VOID_PTR) => Async(BarrierArrive);
    "__weft_mbarrier_arrive_drop": ULONGLONG(VOID_PTR) => Async(BarrierArriveDrop);
    "__weft_mbarrier_test_wait": INT(VOID_PTR, ULONGLONG) => Async(BarrierTestWait);
    "__weft_mbarrier_test_wait_parity": INT(VOID_PTR, UINT) => Async(BarrierTestWaitParity);
    "__weft_mbarrier_try_wait": INT(VOID_PTR, ULONGLONG, UINT) => Async(BarrierTryWait);
    "__weft_mbarrier_try_wait_parity": INT(VOID_PTR, UINT, UINT) => Async(BarrierTryWaitParity);
    "__weft_mbarrier_pending_count": UINT(ULONGLONG) => Async(BarrierPendingCount);
    "__weft_cp_async_4": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(4, Pipeline));
    "__weft_cp_async_8": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(8, Pipeline));
    "__weft_cp_async_16": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(CopyAsync(16, Pipeline));
    "__weft_cp_async_commit": VOID() => Async(CommitCopies);
    "__weft_cp_async_wait": VOID(INT) => Async(WaitForCopies);
    "__weft_cp_async_arrive": VOID(VOID_PTR) => Async(CopiesArrive);
}
