//! Arithmetic that PTX has instructions for.

use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use weft_frontend::ir::{Expr, ExprNode, MathOp};

use crate::Bug;
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_math(
        &mut self,
        op: MathOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut values: Vec<BasicMetadataValueEnum<'ctx>> = Vec::with_capacity(args.len() + 1);
        for &arg in args {
            values.push(self.lower_scalar(arg)?.into());
        }
        self.locate(node.span);
        let ty = self.cx.scalar_ty(node.ty);
        let is_float = ty.is_float_type();
        let signed = self.cx.is_signed(node.ty);
        let name = match op {
            MathOp::Min if is_float => "llvm.minnum",
            MathOp::Min if signed => "llvm.smin",
            MathOp::Min => "llvm.umin",
            MathOp::Max if is_float => "llvm.maxnum",
            MathOp::Max if signed => "llvm.smax",
            MathOp::Max => "llvm.umax",
            MathOp::Abs if is_float => "llvm.fabs",
            MathOp::Abs => {
                // The least value's absolute is itself, as PTX ISA "abs" has it.
                values.push(self.cx.tys.i1.const_zero().into());
                "llvm.abs"
            }
            MathOp::Fma => "llvm.fma",
            MathOp::Sqrt => "llvm.sqrt",
            MathOp::Rsqrt => return self.lower_rsqrt(ty == self.cx.tys.f32.into(), &values),
            MathOp::Floor => "llvm.floor",
            MathOp::Ceil => "llvm.ceil",
            MathOp::Trunc => "llvm.trunc",
        };
        let value = self.call_intrinsic(name, &[ty], &values)?;
        self.contract(value)
    }

    fn lower_rsqrt(
        &self,
        is_single: bool,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if is_single {
            return self.call_intrinsic("llvm.nvvm.rsqrt.approx.f", &[], args);
        }
        let root = self.call_intrinsic("llvm.sqrt", &[self.cx.tys.f64.into()], args)?.into_float_value();
        Ok(self.builder.build_float_div(self.cx.tys.f64.const_float(1.0), root, "")?.into())
    }
}
