//! Integer arithmetic and bits.

use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue};
use weft_frontend::ir::{Expr, ExprNode, IntegerOp};

use crate::Bug;
use crate::builtin::Builtins;
use crate::types::Shape;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_integer(
        &mut self,
        op: IntegerOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match op {
            IntegerOp::PopCount => self.lower_bit_count("llvm.ctpop", None, args, node),
            IntegerOp::LeadingZeros => {
                // For zero the result is the width (PTX ISA "clz").
                let of_zero = self.cx.tys.i1.const_zero();
                self.lower_bit_count("llvm.ctlz", Some(of_zero), args, node)
            }
            IntegerOp::FindFirstSet => self.lower_find_first_set(args, node),
            IntegerOp::FindNthSet => {
                let [mask, base, n] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                self.code.call_intrinsic("llvm.nvvm.fns", &[], &[mask.into(), base.into(), n.into()])
            }
            IntegerOp::ReverseBits => self.lower_overloaded("llvm.bitreverse", args, node),
            IntegerOp::SwapBytes => self.lower_overloaded("llvm.bswap", args, node),
            IntegerOp::PermuteBytes => self.lower_permute_bytes(args, node),
            IntegerOp::FunnelLeft => self.lower_funnel("llvm.fshl", args, node),
            IntegerOp::FunnelRight => self.lower_funnel("llvm.fshr", args, node),
            IntegerOp::FunnelLeftClamp => self.lower_funnel("llvm.nvvm.fshl.clamp", args, node),
            IntegerOp::FunnelRightClamp => self.lower_funnel("llvm.nvvm.fshr.clamp", args, node),
            IntegerOp::Mul24 => self.lower_mul24(args, node),
            IntegerOp::MulHigh => self.lower_typed("mulhi", args, node),
            IntegerOp::SumAbsDiff => self.lower_typed("sad", args, node),
            IntegerOp::Mean => self.lower_mean(args, node),
            IntegerOp::MeanUp => self.lower_mean_up(args, node),
            IntegerOp::Dp4a => self.lower_dot_product("idp4a", None, args, node),
            IntegerOp::Dp2aLow => self.lower_dot_product("idp2a", Some(false), args, node),
            IntegerOp::Dp2aHigh => self.lower_dot_product("idp2a", Some(true), args, node),
        }
    }

    /// An LLVM intrinsic overloaded on the result's type.
    fn lower_overloaded(
        &mut self,
        name: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [value] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic(name, &[value.get_type()], &[value.into()])
    }

    /// An intrinsic with a name for each type of its first operand.
    fn lower_typed(
        &mut self,
        name: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[first, ..] = args else { return Err(Bug::from("an intrinsic without operands")) };
        let letters = self.code.numbers().int_letters(self.exprs.body.exprs[first].ty);
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?.into());
        }
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic(&format!("llvm.nvvm.{name}.{letters}"), &[], &values)
    }

    /// A bit count, which LLVM returns in the operand's type.
    fn lower_bit_count(
        &mut self,
        name: &str,
        flag: Option<IntValue<'ctx>>,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [value] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let mut values: Vec<BasicMetadataValueEnum<'ctx>> = vec![value.into()];
        if let Some(flag) = flag {
            values.push(flag.into());
        }
        let count = self.code.call_intrinsic(name, &[value.get_type().into()], &values)?.into_int_value();
        Ok(self.code.builder.build_int_cast(count, self.cx.tys.i32, "")?.into())
    }

    /// Like nvcc: for a word by the highest bit of its reverse, which is -1 if there is none; for two words
    /// by the leading zeros of the lowest set bit.
    fn lower_find_first_set(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [value] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let (b, i32) = (&self.code.builder, self.cx.tys.i32);
        let ty = value.get_type();
        if ty == i32 {
            let reverse = self.code.call_intrinsic("llvm.bitreverse", &[ty.into()], &[value.into()])?;
            let shift_amount = self.cx.tys.i1.const_all_ones();
            let name = "llvm.nvvm.flo.u";
            let distance =
                self.code.call_intrinsic(name, &[ty.into()], &[reverse.into(), shift_amount.into()])?;
            return Ok(b.build_int_add(distance.into_int_value(), i32.const_int(1, false), "")?.into());
        }
        let lowest = b.build_and(value, b.build_int_neg(value, "")?, "")?;
        let of_zero = self.cx.tys.i1.const_zero();
        let zeros = self.code.call_intrinsic("llvm.ctlz", &[ty.into()], &[lowest.into(), of_zero.into()])?;
        let zeros = b.build_int_truncate(zeros.into_int_value(), i32, "")?;
        Ok(b.build_int_sub(i32.const_int(64, false), zeros, "")?.into())
    }

    /// CUDA's selector lacks the bits of PTX's sign replication.
    fn lower_permute_bytes(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [low, high, selector] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let selector = self.code.builder.build_and(selector, self.cx.tys.i32.const_int(0x7777, false), "")?;
        self.code.call_intrinsic("llvm.nvvm.prmt", &[], &[low.into(), high.into(), selector.into()])
    }

    /// In CUDA the lower word comes first, in LLVM the upper one.
    fn lower_funnel(
        &mut self,
        name: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [low, high, count] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic(name, &[self.cx.tys.i32.into()], &[high.into(), low.into(), count.into()])
    }

    fn lower_mul24(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let factors: [IntValue<'ctx>; 2] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let (b, i32) = (&self.code.builder, self.cx.tys.i32);
        let is_signed = self.cx.is_signed(node.ty);
        let cut = |factor| -> Result<_, Bug> {
            if !is_signed {
                return Ok(b.build_and(factor, i32.const_int(0xff_ffff, false), "")?);
            }
            let n_bits = i32.const_int(8, false);
            let shifted = b.build_left_shift(factor, n_bits, "")?;
            Ok(b.build_right_shift(shifted, n_bits, true, "")?)
        };
        Ok(b.build_int_mul(cut(factors[0])?, cut(factors[1])?, "")?.into())
    }

    /// The common bits, plus half of the differing bits.
    fn lower_mean(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [left, right] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let b = &self.code.builder;
        let half = self.half_of_difference(left, right, node)?;
        Ok(b.build_int_add(b.build_and(left, right, "")?, half, "")?.into())
    }

    /// All bits, minus half of the differing bits.
    fn lower_mean_up(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [left, right] = self.lower_ints(args)?;
        self.exprs.debug.locate(node.span);
        let b = &self.code.builder;
        let half = self.half_of_difference(left, right, node)?;
        Ok(b.build_int_sub(b.build_or(left, right, "")?, half, "")?.into())
    }

    fn half_of_difference(
        &self,
        left: IntValue<'ctx>,
        right: IntValue<'ctx>,
        node: &ExprNode,
    ) -> Result<IntValue<'ctx>, Bug> {
        let b = &self.code.builder;
        let difference = b.build_xor(left, right, "")?;
        let one = left.get_type().const_int(1, false);
        Ok(b.build_right_shift(difference, one, self.cx.is_signed(node.ty), "")?)
    }

    fn lower_dot_product(
        &mut self,
        name: &str,
        upper_bytes: Option<bool>,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[left, right, sum] = args else { return Err(Bug::from("a dot product of other than three")) };
        let left = self.lower_packed(left)?;
        let right = self.lower_packed(right)?;
        let sum = self.exprs.lower_scalar(sum)?;
        self.exprs.debug.locate(node.span);
        let mut values = vec![left.into(), right.into()];
        if let Some(upper) = upper_bytes {
            values.push(self.cx.tys.i1.const_int(upper.into(), false).into());
        }
        values.push(sum.into());
        let sign = if self.cx.is_signed(node.ty) { 's' } else { 'u' };
        self.code.call_intrinsic(&format!("llvm.nvvm.{name}.{sign}.{sign}"), &[], &values)
    }

    /// A word, or a vector as the word that it occupies in memory.
    fn lower_packed(&mut self, arg: Expr) -> Result<BasicValueEnum<'ctx>, Bug> {
        let node = &self.exprs.body.exprs[arg];
        if self.cx.shape(node.ty) != Shape::Record {
            return self.exprs.lower_scalar(arg);
        }
        let address = self.exprs.lower_record(arg)?;
        self.code.memory().load_part(address, self.cx.tys.i32.into())
    }
}
