//! Arithmetic with PTX instructions.

use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_frontend::ir::{Expr, ExprNode, MathOp};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_math(
        &mut self,
        op: MathOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut values: Vec<BasicMetadataValueEnum<'ctx>> = Vec::with_capacity(args.len() + 1);
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?.into());
        }
        self.exprs.debug.locate(node.span);
        if let Some(truth) = self.code.numbers().lower_class(op, &values)? {
            return self.truth(truth, node);
        }
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
                // The absolute value of the minimum is the minimum (PTX ISA "abs").
                values.push(self.cx.tys.i1.const_zero().into());
                "llvm.abs"
            }
            MathOp::CopySign => "llvm.copysign",
            MathOp::Fma => "llvm.fma",
            MathOp::Sqrt => "llvm.sqrt",
            MathOp::Rsqrt => return self.code.numbers().lower_rsqrt(ty == self.cx.tys.f32.into(), &values),
            MathOp::Floor => "llvm.floor",
            MathOp::Ceil => "llvm.ceil",
            MathOp::Trunc => "llvm.trunc",
            MathOp::Rint => "llvm.rint",
            MathOp::Divide => return self.code.numbers().lower_divide(&values),
            MathOp::IsNan | MathOp::IsInf | MathOp::IsFinite | MathOp::SignBit => {
                return Err(Bug::from("a predicate without a result"));
            }
        };
        let is_single = ty == self.cx.tys.f32.into();
        if op == MathOp::Abs && is_single && self.cx.options.ftz {
            return self.code.call_intrinsic("llvm.nvvm.fabs.ftz", &[ty], &values);
        }
        let is_inexact_root = op == MathOp::Sqrt && is_single && !self.cx.options.prec_sqrt;
        // LLVM fuses a reciprocal with an approximate root into one instruction; nvcc does so only if both
        // may be approximate.
        if is_inexact_root && (!self.cx.options.fast_math || self.cx.options.prec_div) {
            let ftz = if self.cx.options.ftz { ".ftz" } else { "" };
            return self.code.call_intrinsic(&format!("llvm.nvvm.sqrt.approx{ftz}.f"), &[], &values);
        }
        let value = self.code.numbers().contract(self.code.call_intrinsic(name, &[ty], &values)?)?;
        self.code.numbers().approximate(value, is_inexact_root)
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// The operand's floating-point class; `None` for other operations.
    fn lower_class(
        &self,
        op: MathOp,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<Option<IntValue<'ctx>>, Bug> {
        let is_absolute = |predicate| {
            let number = args.first().ok_or("a missing operand")?.into_float_value();
            let ty = number.get_type();
            let absolute = self.code.call_intrinsic("llvm.fabs", &[ty.into()], args)?.into_float_value();
            let infinity = ty.const_float(f64::INFINITY);
            Ok::<_, Bug>(self.code.builder.build_float_compare(predicate, absolute, infinity, "")?)
        };
        Ok(Some(match op {
            MathOp::IsNan => is_absolute(FloatPredicate::UNO)?,
            MathOp::IsInf => is_absolute(FloatPredicate::OEQ)?,
            MathOp::IsFinite => is_absolute(FloatPredicate::OLT)?,
            MathOp::SignBit => {
                let number = args.first().ok_or("a missing operand")?.into_float_value();
                let bits_ty =
                    if number.get_type() == self.cx.tys.f32 { self.cx.tys.i32 } else { self.cx.tys.i64 };
                let bits = self.code.builder.build_bit_cast(number, bits_ty, "")?.into_int_value();
                self.code.builder.build_int_compare(IntPredicate::SLT, bits, bits_ty.const_zero(), "")?
            }
            MathOp::Min
            | MathOp::Max
            | MathOp::Abs
            | MathOp::CopySign
            | MathOp::Fma
            | MathOp::Sqrt
            | MathOp::Rsqrt
            | MathOp::Floor
            | MathOp::Ceil
            | MathOp::Trunc
            | MathOp::Rint
            | MathOp::Divide => return Ok(None),
        }))
    }

    fn lower_divide(&self, args: &[BasicMetadataValueEnum<'ctx>]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[dividend, divisor] = args else {
            return Err(Bug::from("a quotient without two operands"));
        };
        let (dividend, divisor) = (dividend.into_float_value(), divisor.into_float_value());
        self.quotient(dividend, divisor)
    }

    fn lower_rsqrt(
        &self,
        is_single: bool,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if is_single {
            let ftz = if self.cx.options.ftz { ".ftz" } else { "" };
            return self.code.call_intrinsic(&format!("llvm.nvvm.rsqrt.approx{ftz}.f"), &[], args);
        }
        let root = self.code.call_intrinsic("llvm.sqrt", &[self.cx.tys.f64.into()], args)?.into_float_value();
        Ok(self.code.builder.build_float_div(self.cx.tys.f64.const_float(1.0), root, "")?.into())
    }
}
