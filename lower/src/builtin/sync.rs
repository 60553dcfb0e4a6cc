//! What threads do together: barriers, shuffles, atomics.

use inkwell::AtomicRMWBinOp;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Expr, ExprNode};

use crate::Bug;
use crate::atomic::{Scope, build_atomic_rmw};
use crate::function::FnCx;

/// The clamp of a shuffle over whole warps (PTX ISA "shfl.sync").
const WHOLE_WARP: u64 = 0x1f;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_sync_threads(&self, node: &ExprNode) -> Result<(), Bug> {
        self.locate(node.span);
        let barrier = self.cx.tys.i32.const_zero();
        self.call_intrinsic_for_effect("llvm.nvvm.barrier.cta.sync.aligned.all", &[barrier.into()])
    }

    pub(super) fn lower_sync_warp(&mut self, args: &[Expr], node: &ExprNode) -> Result<(), Bug> {
        let [mask] = self.lower_scalars(args)?;
        self.locate(node.span);
        self.call_intrinsic_for_effect("llvm.nvvm.bar.warp.sync", &[mask.into()])
    }

    pub(super) fn lower_shuffle(
        &mut self,
        mode: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [mask, value, lane] = self.lower_scalars(args)?;
        self.locate(node.span);
        let ty = if value.is_float_value() { "f32" } else { "i32" };
        let clamp = self.cx.tys.i32.const_int(WHOLE_WARP, false);
        let name = format!("llvm.nvvm.shfl.sync.{mode}.{ty}");
        self.call_intrinsic(&name, &[], &[mask.into(), value.into(), lane.into(), clamp.into()])
    }

    pub(super) fn lower_atomic_add(
        &mut self,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[ptr, value] = args else { return Err(Bug::from("an atomic addition of other than two")) };
        let ptr = self.lower_pointer(ptr)?;
        let value = self.lower_scalar(value)?;
        self.locate(node.span);
        let op = if value.is_float_value() { AtomicRMWBinOp::FAdd } else { AtomicRMWBinOp::Add };
        build_atomic_rmw(self.cx, &self.builder, op, ptr, value, Scope::Device)
    }
}
