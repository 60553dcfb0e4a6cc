//! Atomic memory operations.

use inkwell::AtomicRMWBinOp;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{AtomicOp, Expr, ExprNode};

use crate::Bug;
use crate::atomic::{Scope, build_atomic_rmw};
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_atomic(
        &mut self,
        op: AtomicOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match op {
            AtomicOp::AtomicAdd => self.lower_atomic_add(args, node),
        }
    }

    fn lower_atomic_add(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[ptr, value] = args else { return Err(Bug::from("an atomic addition of other than two")) };
        let ptr = self.lower_pointer(ptr)?;
        let value = self.lower_scalar(value)?;
        self.locate(node.span);
        let op = if value.is_float_value() { AtomicRMWBinOp::FAdd } else { AtomicRMWBinOp::Add };
        build_atomic_rmw(self.cx, &self.builder, op, ptr, value, Scope::Device)
    }
}
