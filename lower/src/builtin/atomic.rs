//! Atomic memory operations.

use inkwell::AtomicRMWBinOp;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Atomic, AtomicOp, Expr, ExprNode};

use crate::Bug;
use crate::atomic::{build_atomic_rmw, build_compare_exchange};
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_atomic(
        &mut self,
        Atomic { op, scope }: Atomic,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[ptr, ref values @ ..] = args else { return Err(Bug::from("an atomic operation on nothing")) };
        let ptr = self.lower_pointer(ptr)?;
        if op == AtomicOp::CompareExchange {
            let values = self.lower_scalars::<2>(values)?;
            self.locate(node.span);
            return build_compare_exchange(self.cx, &self.builder, ptr, values, scope);
        }
        let [value] = self.lower_scalars::<1>(values)?;
        self.locate(node.span);
        let is_signed = self.cx.is_signed(node.ty);
        let op = match op {
            AtomicOp::Add if value.is_float_value() => AtomicRMWBinOp::FAdd,
            AtomicOp::Add => AtomicRMWBinOp::Add,
            AtomicOp::Sub => AtomicRMWBinOp::Sub,
            AtomicOp::Exchange => AtomicRMWBinOp::Xchg,
            AtomicOp::Min if is_signed => AtomicRMWBinOp::Min,
            AtomicOp::Min => AtomicRMWBinOp::UMin,
            AtomicOp::Max if is_signed => AtomicRMWBinOp::Max,
            AtomicOp::Max => AtomicRMWBinOp::UMax,
            AtomicOp::Inc => AtomicRMWBinOp::UIncWrap,
            AtomicOp::Dec => AtomicRMWBinOp::UDecWrap,
            AtomicOp::And => AtomicRMWBinOp::And,
            AtomicOp::Or => AtomicRMWBinOp::Or,
            AtomicOp::Xor => AtomicRMWBinOp::Xor,
            AtomicOp::CompareExchange => return Err(Bug::from("a comparison as a read-modify-write")),
        };
        Ok(build_atomic_rmw(self.cx, &self.builder, op, ptr, value, scope))
    }
}
