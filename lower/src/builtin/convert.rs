//! Conversions with an explicit rounding mode, and reinterpretation of bits.

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{ConvertOp, Expr, ExprNode, Ty};

use super::float::suffix;
use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_convert_op(
        &mut self,
        op: ConvertOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if op == ConvertOp::FromWords {
            let [high, low] = self.lower_scalars(args)?;
            self.exprs.debug.locate(node.span);
            return self.code.call_intrinsic("llvm.nvvm.lohi.i2d", &[], &[low.into(), high.into()]);
        }
        let [value] = self.lower_scalars(args)?;
        let &[arg] = args else { return Err(Bug::from("a conversion of other than one value")) };
        let from = self.exprs.body.exprs[arg].ty;
        self.exprs.debug.locate(node.span);
        self.code.numbers().convert_op(op, value, from, node.ty)
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// The conversion of this value.
    pub(super) fn convert_op(
        &self,
        op: ConvertOp,
        value: BasicValueEnum<'ctx>,
        from: Ty,
        to: Ty,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let name = match op {
            ConvertOp::FloatToInt(rounding) => {
                let letters = (self.float_letter(value), self.int_letters(to));
                format!("{}2{}.{}{}", letters.0, letters.1, suffix(rounding), self.ftz(value))
            }
            ConvertOp::IntToFloat(rounding) => {
                let letter = if self.cx.scalar_ty(to) == self.cx.tys.f32.into() { 'f' } else { 'd' };
                format!("{}2{letter}.{}", self.int_letters(from), suffix(rounding))
            }
            ConvertOp::DoubleToFloat(rounding) => {
                format!("d2f.{}{}", suffix(rounding), if self.cx.options.ftz { ".ftz" } else { "" })
            }
            ConvertOp::HighWord => "d2i.hi".to_owned(),
            ConvertOp::LowWord => "d2i.lo".to_owned(),
            ConvertOp::Bits | ConvertOp::FromWords => {
                return Ok(self.code.builder.build_bit_cast(value, self.cx.scalar_ty(to), "")?);
            }
        };
        self.code.call_intrinsic(&format!("llvm.nvvm.{name}"), &[], &[value.into()])
    }

    /// The infix for an integer type in the names of LLVM's intrinsics.
    pub(super) fn int_letters(&self, ty: Ty) -> &'static str {
        let is_wide = self.cx.scalar_ty(ty) == self.cx.tys.i64.into();
        match (is_wide, self.cx.is_signed(ty)) {
            (false, true) => "i",
            (false, false) => "ui",
            (true, true) => "ll",
            (true, false) => "ull",
        }
    }
}
