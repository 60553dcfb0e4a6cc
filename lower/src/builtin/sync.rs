//! Barriers.

use weft_frontend::ir::{Expr, ExprNode, SyncOp};

use crate::Bug;
use crate::function::FnCx;

impl FnCx<'_, '_, '_> {
    pub(super) fn lower_sync(&mut self, op: SyncOp, args: &[Expr], node: &ExprNode) -> Result<(), Bug> {
        match op {
            SyncOp::SyncThreads => {
                self.locate(node.span);
                let barrier = self.cx.tys.i32.const_zero();
                self.call_intrinsic_for_effect("llvm.nvvm.barrier.cta.sync.aligned.all", &[barrier.into()])
            }
            SyncOp::SyncWarp => {
                let [mask] = self.lower_scalars(args)?;
                self.locate(node.span);
                self.call_intrinsic_for_effect("llvm.nvvm.bar.warp.sync", &[mask.into()])
            }
        }
    }
}
