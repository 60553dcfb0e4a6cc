//! Integer arithmetic that reports overflow.

use std::num::NonZero;

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};
use weft_frontend::ir::{Expr, ExprNode, OverflowOp, Quals, Ty};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;
use crate::place::Address;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// Computes in the narrowest type that holds all operands and the result, except for a 128-bit product.
    pub(super) fn lower_overflow(
        &mut self,
        op: OverflowOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let types = &self.cx.ir.types;
        let [a_ty, b_ty, to_ty] = match *args {
            [a, b, to] => [a, b, to].map(|arg| self.exprs.body.exprs[arg].ty),
            _ => return Err(Bug::from("arithmetic with another number of operands")),
        };
        let pointee = types.pointee(to_ty).ok_or("a result without a destination")?;
        let volatile = types.quals(pointee).contains(Quals::VOLATILE);
        let tys = [a_ty, b_ty, pointee];
        let is_signed = tys.iter().any(|&ty| self.cx.is_signed(ty));
        let bits = |ty| {
            let bits = self.cx.scalar_ty(ty).into_int_type().get_bit_width();
            bits + u32::from(is_signed && !self.cx.is_signed(ty))
        };
        let n_bits =
            tys.into_iter().filter_map(|ty| NonZero::new(bits(ty))).max().ok_or("integers without bits")?;
        let wide = self.cx.llvm.custom_width_int_type(n_bits)?;
        let [a, b, to] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        let widened = |value: BasicValueEnum<'ctx>, ty| {
            let value = value.into_int_value();
            if self.cx.is_signed(ty) {
                self.code.builder.build_int_s_extend_or_bit_cast(value, wide, "")
            } else {
                self.code.builder.build_int_z_extend_or_bit_cast(value, wide, "")
            }
        };
        let (a, b) = (widened(a, a_ty)?, widened(b, b_ty)?);
        let align = self.cx.layout(pointee).align;
        let address = |to: BasicValueEnum<'ctx>| Address { ptr: to.into_pointer_value(), align, volatile };
        if op == OverflowOp::MulOverflow && self.cx.scalar_ty(pointee).into_int_type().get_bit_width() == 128
        {
            let (product, overflows) = self.code.numbers().wide_product([(a, a_ty), (b, b_ty)], pointee)?;
            self.code.memory().store_part(address(to), product.into())?;
            return self.truth(overflows, node);
        }
        let name = match (op, is_signed) {
            (OverflowOp::AddOverflow, true) => "llvm.sadd.with.overflow",
            (OverflowOp::AddOverflow, false) => "llvm.uadd.with.overflow",
            (OverflowOp::SubOverflow, true) => "llvm.ssub.with.overflow",
            (OverflowOp::SubOverflow, false) => "llvm.usub.with.overflow",
            (OverflowOp::MulOverflow, true) => "llvm.smul.with.overflow",
            (OverflowOp::MulOverflow, false) => "llvm.umul.with.overflow",
        };
        let both = self.code.call_intrinsic(name, &[wide.into()], &[a.into(), b.into()])?.into_struct_value();
        let exact = self.code.builder.build_extract_value(both, 0, "")?.into_int_value();
        let mut overflows = self.code.builder.build_extract_value(both, 1, "")?.into_int_value();
        let result_ty = self.cx.scalar_ty(pointee).into_int_type();
        let result = self.code.builder.build_int_truncate_or_bit_cast(exact, result_ty, "")?;
        if result_ty.get_bit_width() < wide.get_bit_width() {
            let again = widened(result.into(), pointee)?;
            let differs = self.code.builder.build_int_compare(IntPredicate::NE, again, exact, "")?;
            overflows = self.code.builder.build_or(overflows, differs, "")?;
        }
        self.code.memory().store_part(address(to), result.into())?;
        self.truth(overflows, node)
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// The product of factors of up to 64 bits, which fits in 128 bits, and whether a 128-bit result type
    /// cannot represent it because of its sign.
    fn wide_product(
        &self,
        factors: [(IntValue<'ctx>, Ty); 2],
        result_ty: Ty,
    ) -> Result<(IntValue<'ctx>, IntValue<'ctx>), Bug> {
        let i128 = self.cx.llvm.i128_type();
        let [a, b] =
            factors.map(|(value, _)| self.code.builder.build_int_truncate_or_bit_cast(value, i128, ""));
        let product = self.code.builder.build_int_mul(a?, b?, "")?;
        let is_signed = factors.iter().any(|&(_, ty)| self.cx.is_signed(ty));
        let overflows = if is_signed == self.cx.is_signed(result_ty) {
            self.cx.llvm.bool_type().const_zero()
        } else {
            self.code.builder.build_int_compare(IntPredicate::SLT, product, i128.const_zero(), "")?
        };
        Ok((product, overflows))
    }
}
