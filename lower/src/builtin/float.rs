//! Floating-point arithmetic with an explicit rounding mode.
//!
//! It is never contracted: the intrinsics never are, and LLVM's own operations are built without the flag
//! that allows it.

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::builtin::Rounding;
use weft_frontend::ir::{Expr, ExprNode, FloatOp};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_float(
        &mut self,
        op: FloatOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        self.exprs.debug.locate(node.span);
        self.code.numbers().float_op(op, &values)
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// The operation on these values.
    pub(super) fn float_op(
        &self,
        op: FloatOp,
        values: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let first = *values.first().ok_or("arithmetic without operands")?;
        let (name, rounding) = match op {
            FloatOp::Add(rounding) => ("add", rounding),
            FloatOp::Sub(rounding) => return self.rounded_sub(rounding, values),
            FloatOp::Mul(rounding) => ("mul", rounding),
            FloatOp::FusedMulAdd(rounding) | FloatOp::FusedMulAddIeee(rounding) => ("fma", rounding),
            FloatOp::Div(rounding) => ("div", rounding),
            FloatOp::Reciprocal(rounding) => ("rcp", rounding),
            FloatOp::SquareRoot(rounding) => ("sqrt", rounding),
            FloatOp::Saturate => {
                let name = format!("llvm.nvvm.saturate{}.{}", self.ftz(first), self.float_letter(first));
                return self.code.call_intrinsic(&name, &[], &[first.into()]);
            }
        };
        let ftz = if let FloatOp::FusedMulAddIeee(_) = op { "" } else { self.ftz(first) };
        let name = format!("llvm.nvvm.{name}.{}{ftz}.{}", suffix(rounding), self.float_letter(first));
        let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
        self.code.call_intrinsic(&name, &[], &values)
    }

    /// A difference. LLVM has one only for rounding to nearest.
    fn rounded_sub(
        &self,
        rounding: Rounding,
        values: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[left, right] = values else { return Err(Bug::from("a difference of other than two values")) };
        if rounding == Rounding::Nearest {
            let difference =
                self.code.builder.build_float_sub(left.into_float_value(), right.into_float_value(), "")?;
            return Ok(difference.into());
        }
        let width = if left.get_type() == self.cx.tys.f32.into() { 32 } else { 64 };
        let text = format!("sub.{}{}.f{width} $0, $1, $2;", suffix(rounding), self.ftz(left));
        self.code.asm_value(&text, left.get_type(), &[left.into(), right.into()])
    }

    /// The modifier of `float` instructions that flush denormals to zero.
    pub(super) fn ftz(&self, value: BasicValueEnum<'ctx>) -> &'static str {
        if self.cx.options.ftz && value.get_type() == self.cx.tys.f32.into() { ".ftz" } else { "" }
    }

    /// The infix for a floating-point type in the names of LLVM's intrinsics.
    pub(super) fn float_letter(&self, value: BasicValueEnum<'ctx>) -> char {
        if value.get_type() == self.cx.tys.f32.into() { 'f' } else { 'd' }
    }
}

/// PTX's name of the rounding (PTX ISA "Rounding Modifiers").
pub(super) fn suffix(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Nearest => "rn",
        Rounding::Zero => "rz",
        Rounding::Up => "rp",
        Rounding::Down => "rm",
    }
}
