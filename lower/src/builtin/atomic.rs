//! Atomic memory operations.

use inkwell::AtomicRMWBinOp;
use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::{Atomic, AtomicOp, Expr, ExprNode, Scope};

use crate::Bug;
use crate::atomic::instruction::{self, Instruction};
use crate::atomic::{build_atomic_rmw, build_compare_exchange};
use crate::builtin::Builtins;
use crate::types::Shape;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_atomic(
        &mut self,
        Atomic { op, scope }: Atomic,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[ptr, ref values @ ..] = args else {
            return Err(Bug::from("an atomic operation without an operand"));
        };
        let ptr = self.exprs.lower_pointer(ptr)?;
        if matches!(op, AtomicOp::Exchange | AtomicOp::CompareExchange) && self.cx.layout(node.ty).size == 16
        {
            return self.lower_quad_exchange(scope, ptr, values, node);
        }
        if op == AtomicOp::CompareExchange {
            let values = self.lower_scalars::<2>(values)?;
            self.exprs.debug.locate(node.span);
            return build_compare_exchange(self.cx, &self.code.builder, ptr, values, scope);
        }
        if let (Some(half), &[value]) = (self.cx.ir.types.half_ty(node.ty), values) {
            return self.lower_half_sum(half, ptr, value, node);
        }
        if let (Shape::Record, &[value]) = (self.cx.shape(node.ty), values) {
            return self.lower_vector_sum(scope, ptr, value, node);
        }
        let [value] = self.lower_scalars::<1>(values)?;
        self.exprs.debug.locate(node.span);
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
        Ok(build_atomic_rmw(self.cx, &self.code.builder, op, ptr, value, scope))
    }

    /// A 128-bit exchange, with a comparison if there are two values: LLVM supports it only for integers, and
    /// without a scope.
    fn lower_quad_exchange(
        &mut self,
        scope: Scope,
        ptr: PointerValue<'ctx>,
        values: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let bits = self.cx.llvm.i128_type();
        let mut operands: Vec<BasicValueEnum<'ctx>> = Vec::with_capacity(values.len());
        for &value in values {
            operands.push(if self.cx.shape(node.ty) == Shape::Record {
                let from = self.exprs.lower_record(value)?;
                self.code.memory().load_part(from, bits.into())?
            } else {
                self.exprs.lower_scalar(value)?
            });
        }
        self.exprs.debug.locate(node.span);
        let scope = match scope {
            Scope::Block => ".cta",
            Scope::Cluster => ".cluster",
            Scope::Device => ".gpu",
            Scope::System => ".sys",
        };
        let op = if operands.len() == 2 { "cas" } else { "exch" };
        let instruction = Instruction { head: format!("atom.relaxed{scope}"), tail: format!("{op}.b128") };
        let old =
            instruction::build(self.cx, &self.code.builder, &instruction, ptr, &operands, Some(bits.into()))?;
        old.ok_or_else(|| Bug::from("an atomic operation without a result"))
    }

    /// The sums of two or four numbers, each of which is a separate atomic operation (PTX ISA "atom").
    fn lower_vector_sum(
        &mut self,
        scope: Scope,
        ptr: PointerValue<'ctx>,
        value: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let from = self.exprs.lower_record(value)?;
        self.exprs.debug.locate(node.span);
        let n_bytes = self.cx.layout(node.ty).size;
        let mut numbers = Vec::new();
        for offset in (0..n_bytes).step_by(4) {
            let at = self.code.memory().byte_offset(from, offset)?;
            numbers.push(self.code.memory().load_part(at, self.cx.tys.f32.into())?);
        }
        let scope = match scope {
            Scope::Block => ".cta",
            Scope::Cluster => ".cluster",
            Scope::Device => "",
            Scope::System => ".sys",
        };
        let vector =
            Instruction { head: format!("atom{scope}"), tail: format!("add.v{}.f32", numbers.len()) };
        let ret = self.cx.llvm.struct_type(&vec![self.cx.tys.f32.into(); numbers.len()], false);
        let old = instruction::build(self.cx, &self.code.builder, &vector, ptr, &numbers, Some(ret.into()))?;
        old.ok_or_else(|| Bug::from("an atomic sum without a result"))
    }
}
