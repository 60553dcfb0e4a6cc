//! Arithmetic and conversions whose rounding mode is an argument: for a constant, the operation in this mode;
//! otherwise all four, with a selection.

use inkwell::IntPredicate;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::builtin::Rounding;
use weft_frontend::ir::{ConvertOp, Expr, ExprNode, FloatOp, RoundedOp, Ty};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_rounded(
        &mut self,
        op: RoundedOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (Some(&first), Some((&mode, operands))) = (args.first(), args.split_last()) else {
            return Err(Bug::from("an operation that rounds without operands"));
        };
        let from = self.exprs.body.exprs[first].ty;
        let mut values = Vec::with_capacity(operands.len());
        for &operand in operands {
            values.push(self.exprs.lower_scalar(operand)?);
        }
        let mode = self.exprs.lower_scalar(mode)?.into_int_value();
        self.exprs.debug.locate(node.span);
        if let Some(constant) = mode.get_zero_extended_constant() {
            let known = usize::try_from(constant).ok().and_then(|idx| Rounding::ALL.get(idx).copied());
            return self.code.numbers().rounded(op, known.unwrap_or(op.otherwise()), &values, from, node.ty);
        }
        let mut result = self.code.numbers().rounded(op, op.otherwise(), &values, from, node.ty)?;
        if op == RoundedOp::Widened {
            return Ok(result);
        }
        for (number, rounding) in (0_u64..).zip(Rounding::ALL) {
            if rounding != op.otherwise() {
                let value = self.code.numbers().rounded(op, rounding, &values, from, node.ty)?;
                let number = mode.get_type().const_int(number, false);
                let is_asked_for = self.code.builder.build_int_compare(IntPredicate::EQ, mode, number, "")?;
                result = self.code.builder.build_select(is_asked_for, value, result, "")?;
            }
        }
        Ok(result)
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    fn rounded(
        &mut self,
        op: RoundedOp,
        rounding: Rounding,
        values: &[BasicValueEnum<'ctx>],
        from: Ty,
        to: Ty,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[value, ..] = values else { return Err(Bug::from("an operation without operands")) };
        match op {
            RoundedOp::AddRounded => self.float_op(FloatOp::Add(rounding), values),
            RoundedOp::SubRounded => self.float_op(FloatOp::Sub(rounding), values),
            RoundedOp::MulRounded => self.float_op(FloatOp::Mul(rounding), values),
            RoundedOp::FusedMulAddRounded => self.float_op(FloatOp::FusedMulAdd(rounding), values),
            RoundedOp::FloatToIntRounded => self.convert_op(ConvertOp::FloatToInt(rounding), value, from, to),
            RoundedOp::IntToFloatRounded => self.convert_op(ConvertOp::IntToFloat(rounding), value, from, to),
            RoundedOp::Widened if value.is_float_value() => {
                Ok(self.code.builder.build_float_ext(value.into_float_value(), self.cx.tys.f64, "")?.into())
            }
            RoundedOp::Widened => self.convert_op(ConvertOp::IntToFloat(rounding), value, from, to),
        }
    }
}
