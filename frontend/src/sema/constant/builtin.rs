//! GNU C's built-in functions that are constants where their operands are (GNU C "Other Builtins"). CUDA's own are none, as with nvcc.

use super::value::Datum;
use super::{Eval, Evaluator, Frame};
use crate::ir::{Builtin, Expr, HintOp, IntegerOp};
use crate::source::Span;

impl<'c> Evaluator<'c, '_> {
    pub(super) fn builtin(
        &mut self,
        frame: &mut Frame<'c>,
        builtin: &Builtin,
        args: &[Expr],
        span: Span,
    ) -> Eval<Datum> {
        match (builtin, args) {
            (Builtin::Hint(HintOp::Expect), &[value, expected]) => {
                let value = self.value(frame, value)?;
                self.value(frame, expected)?;
                Ok(value)
            }
            (Builtin::Hint(HintOp::Assume), &[cond]) => match self.truth(frame, cond)? {
                true => Ok(Datum::Nothing),
                false => self.stop(span, "assumes what is false"),
            },
            (Builtin::Integer(IntegerOp::LeadingZeros), &[operand]) => {
                // CUDA's `__clz` takes a signed number.
                let ty = frame.nodes.exprs[operand].ty;
                let int = self.cx.module.types.int_ty(ty).filter(|int| !int.is_signed());
                match (int, self.value(frame, operand)?) {
                    (Some(int), Datum::Int(value)) if value > 0 => {
                        let n_significant = i128::BITS - value.leading_zeros();
                        Ok(Datum::Int(i128::from(int.bits()) - i128::from(n_significant)))
                    }
                    _ => self.no_builtin(span),
                }
            }
            _ => self.no_builtin(span),
        }
    }

    fn no_builtin(&self, span: Span) -> Eval<Datum> {
        self.stop(span, "calls a built-in function that is not `constexpr`")
    }
}
