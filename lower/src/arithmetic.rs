//! Operators on numbers that are in LLVM's values.

use inkwell::values::{BasicValue, BasicValueEnum, FastMathFlags, FloatValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_frontend::ir::{BinaryOp, CompareOp, Ty, UnaryOp};

use crate::Bug;
use crate::code::Code;
use crate::context::Cx;

/// Arithmetic and conversions; it changes nothing but the code.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'f, 'a, 'ctx> {
    pub(crate) cx: &'f Cx<'a, 'ctx>,
    pub(crate) code: &'f Code<'f, 'a, 'ctx>,
}

impl<'a, 'ctx> Code<'_, 'a, 'ctx> {
    /// Arithmetic and conversions.
    pub(crate) fn numbers(&self) -> Numbers<'_, 'a, 'ctx> {
        Numbers { cx: self.cx, code: self }
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// `op operand`, of the type.
    pub(crate) fn unary(
        &self,
        op: UnaryOp,
        operand: BasicValueEnum<'ctx>,
        ty: Ty,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.code.builder;
        Ok(match (op, operand) {
            (UnaryOp::Neg, BasicValueEnum::FloatValue(float)) => {
                self.contract(b.build_float_neg(float, "")?.into())?
            }
            (UnaryOp::Neg, operand) if self.cx.is_signed(ty) => {
                b.build_int_nsw_sub(self.cx.const_int(ty, 0), operand.into_int_value(), "")?.into()
            }
            (UnaryOp::Neg, operand) => b.build_int_neg(operand.into_int_value(), "")?.into(),
            (UnaryOp::BitNot, operand) => b.build_not(operand.into_int_value(), "")?.into(),
        })
    }

    /// `left op right`, both of the result's type, but for the count of a shift.
    pub(crate) fn binary(
        &self,
        op: BinaryOp,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
        signed: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match (left, right) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                let b = &self.code.builder;
                let value = match op {
                    BinaryOp::Add => b.build_float_add(left, right, "")?,
                    BinaryOp::Sub => b.build_float_sub(left, right, "")?,
                    BinaryOp::Mul => b.build_float_mul(left, right, "")?,
                    BinaryOp::Div => return self.quotient(left, right),
                    BinaryOp::Rem
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::Shr => return Err(Bug::from("an integer operator on floating operands")),
                };
                self.contract(value.into())
            }
            (left, right) => self.int_binary(op, left, right, signed),
        }
    }

    /// `left op right`, both of one type.
    pub(crate) fn compare(
        &self,
        op: CompareOp,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
        signed: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.code.builder;
        Ok(match left {
            BasicValueEnum::FloatValue(left) => {
                b.build_float_compare(float_predicate(op), left, right.into_float_value(), "")?
            }
            BasicValueEnum::PointerValue(left) => {
                b.build_int_compare(int_predicate(op, false), left, right.into_pointer_value(), "")?
            }
            left => b.build_int_compare(
                int_predicate(op, signed),
                left.into_int_value(),
                right.into_int_value(),
                "",
            )?,
        }
        .into())
    }

    /// A quotient; for `float`, as precise as the options require.
    pub(crate) fn quotient(
        &self,
        dividend: FloatValue<'ctx>,
        divisor: FloatValue<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let options = self.cx.options;
        let is_single = dividend.get_type() == self.cx.tys.f32;
        let is_reciprocal = dividend.get_constant().is_some_and(|(dividend, _)| dividend == 1.0);
        if is_single && !options.prec_div && !options.fast_math && !is_reciprocal {
            let ftz = if options.ftz { ".ftz" } else { "" };
            return self.code.call_intrinsic(
                &format!("llvm.nvvm.div.full{ftz}"),
                &[],
                &[dividend.into(), divisor.into()],
            );
        }
        let quotient = self.contract(self.code.builder.build_float_div(dividend, divisor, "")?.into())?;
        self.approximate(quotient, is_single && !options.prec_div)
    }

    /// Permits an approximate result, if the options do.
    pub(crate) fn approximate(
        &self,
        value: BasicValueEnum<'ctx>,
        may_be: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if may_be && let Some(instruction) = value.as_instruction_value() {
            instruction.set_fast_math_flags(FastMathFlags::ApproxFunc)?;
        }
        Ok(value)
    }

    // Signed overflow is undefined (C++17 8p4), and nvcc exploits that.
    fn int_binary(
        &self,
        op: BinaryOp,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
        signed: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.code.builder;
        let (l, r) = (left.into_int_value(), right.into_int_value());
        Ok(match (op, signed) {
            (BinaryOp::Add, true) => b.build_int_nsw_add(l, r, "")?,
            (BinaryOp::Add, false) => b.build_int_add(l, r, "")?,
            (BinaryOp::Sub, true) => b.build_int_nsw_sub(l, r, "")?,
            (BinaryOp::Sub, false) => b.build_int_sub(l, r, "")?,
            (BinaryOp::Mul, true) => b.build_int_nsw_mul(l, r, "")?,
            (BinaryOp::Mul, false) => b.build_int_mul(l, r, "")?,
            (BinaryOp::Div, true) => b.build_int_signed_div(l, r, "")?,
            (BinaryOp::Div, false) => b.build_int_unsigned_div(l, r, "")?,
            (BinaryOp::Rem, true) => b.build_int_signed_rem(l, r, "")?,
            (BinaryOp::Rem, false) => b.build_int_unsigned_rem(l, r, "")?,
            (BinaryOp::And, _) => b.build_and(l, r, "")?,
            (BinaryOp::Or, _) => b.build_or(l, r, "")?,
            (BinaryOp::Xor, _) => b.build_xor(l, r, "")?,
            // The shift count has a separate type; a count out of range is undefined.
            (BinaryOp::Shl, _) => {
                let r = b.build_int_cast_sign_flag(r, l.get_type(), false, "")?;
                b.build_left_shift(l, r, "")?
            }
            (BinaryOp::Shr, signed) => {
                let r = b.build_int_cast_sign_flag(r, l.get_type(), false, "")?;
                b.build_right_shift(l, r, signed, "")?
            }
        }
        .into())
    }

    /// Permits contraction of the operation, if the options do.
    pub(crate) fn contract(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        if self.cx.options.fmad
            && let Some(instruction) = value.as_instruction_value()
            && instruction.can_use_fast_math_flags()
        {
            instruction.set_fast_math_flags(FastMathFlags::AllowContract)?;
        }
        Ok(value)
    }
}

fn float_predicate(op: CompareOp) -> FloatPredicate {
    match op {
        CompareOp::Eq => FloatPredicate::OEQ,
        CompareOp::Ne => FloatPredicate::UNE,
        CompareOp::Lt => FloatPredicate::OLT,
        CompareOp::Le => FloatPredicate::OLE,
        CompareOp::Gt => FloatPredicate::OGT,
        CompareOp::Ge => FloatPredicate::OGE,
    }
}

fn int_predicate(op: CompareOp, signed: bool) -> IntPredicate {
    match (op, signed) {
        (CompareOp::Eq, _) => IntPredicate::EQ,
        (CompareOp::Ne, _) => IntPredicate::NE,
        (CompareOp::Lt, true) => IntPredicate::SLT,
        (CompareOp::Lt, false) => IntPredicate::ULT,
        (CompareOp::Le, true) => IntPredicate::SLE,
        (CompareOp::Le, false) => IntPredicate::ULE,
        (CompareOp::Gt, true) => IntPredicate::SGT,
        (CompareOp::Gt, false) => IntPredicate::UGT,
        (CompareOp::Ge, true) => IntPredicate::SGE,
        (CompareOp::Ge, false) => IntPredicate::UGE,
    }
}
