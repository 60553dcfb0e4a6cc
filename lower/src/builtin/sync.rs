//! Barriers and fences.

use inkwell::IntPredicate;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Expr, ExprNode, SyncOp};

use crate::Bug;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_sync(
        &mut self,
        op: SyncOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let name = match op {
            SyncOp::SyncThreadsCount => return self.lower_barrier_vote("popc", args, node).map(Some),
            SyncOp::SyncThreadsAnd => return self.lower_barrier_vote("and", args, node).map(Some),
            SyncOp::SyncThreadsOr => return self.lower_barrier_vote("or", args, node).map(Some),
            SyncOp::SyncThreads => "barrier.cta.sync.aligned.all",
            SyncOp::SyncWarp => "bar.warp.sync",
            SyncOp::Barrier => "barrier.cta.sync.all",
            SyncOp::BarrierCount => "barrier.cta.sync.count",
            SyncOp::FenceBlock => "membar.cta",
            SyncOp::FenceDevice => "membar.gl",
            SyncOp::FenceSystem => "membar.sys",
        };
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?.into());
        }
        if op == SyncOp::SyncThreads {
            values.push(self.cx.tys.i32.const_zero().into());
        }
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic_for_effect(&format!("llvm.nvvm.{name}"), &values)?;
        Ok(None)
    }

    /// A barrier of the block that counts or combines its threads' operands.
    fn lower_barrier_vote(
        &mut self,
        how: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [vote] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let zero = vote.get_type().const_zero();
        let is_set = self.code.builder.build_int_compare(IntPredicate::NE, vote, zero, "")?;
        let barrier = self.cx.tys.i32.const_zero();
        let name = format!("llvm.nvvm.barrier.cta.red.{how}.aligned.all");
        let result = self.code.call_intrinsic(&name, &[], &[barrier.into(), is_set.into()])?;
        self.truth(result.into_int_value(), node)
    }
}
