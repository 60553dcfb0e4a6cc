//! Arithmetic that PTX has instructions for.

use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use weft_frontend::ir::{Builtin, Expr, ExprNode};

use crate::Bug;
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_math(
        &mut self,
        builtin: Builtin,
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
        let name = match builtin {
            Builtin::Min if is_float => "llvm.minnum",
            Builtin::Min if signed => "llvm.smin",
            Builtin::Min => "llvm.umin",
            Builtin::Max if is_float => "llvm.maxnum",
            Builtin::Max if signed => "llvm.smax",
            Builtin::Max => "llvm.umax",
            Builtin::Abs if is_float => "llvm.fabs",
            Builtin::Abs => {
                // The least value's absolute is itself, as PTX ISA "abs" has it.
                values.push(self.cx.tys.i1.const_zero().into());
                "llvm.abs"
            }
            Builtin::Fma => "llvm.fma",
            Builtin::Sqrt => "llvm.sqrt",
            Builtin::Rsqrt => return self.lower_rsqrt(ty == self.cx.tys.f32.into(), &values),
            Builtin::Floor => "llvm.floor",
            Builtin::Ceil => "llvm.ceil",
            Builtin::Trunc => "llvm.trunc",
            Builtin::SyncThreads
            | Builtin::SyncWarp
            | Builtin::AtomicAdd
            | Builtin::ShflIdx
            | Builtin::ShflUp
            | Builtin::ShflDown
            | Builtin::ShflXor => return Err(Bug::from("a built-in function that is no arithmetic")),
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
