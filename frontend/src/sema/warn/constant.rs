//! Constants that change in a conversion, and sums of constants that do not fit.

use super::super::Cx;
use super::super::const_eval::{Mode, Value};
use super::super::convert::to_unsigned;
use crate::diag::{Code, Diagnostic};
use crate::ir::integer::Exact;
use crate::ir::{BinaryOp, Expr, ExprData, IntTy, Ty, UnaryOp};
use crate::source::Span;

impl Cx<'_> {
    /// Warns where a constant does not survive its implicit conversion, as clang and nvcc do.
    pub(in super::super) fn warn_constant_change(&mut self, expr: Expr, to: Ty) {
        let Some(int) = self.module.types.int_ty(to) else { return };
        let from = self.ty_of(expr);
        let (code, before, after) = match self.eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) => {
                let Some(from_int) = self.module.types.int_ty(from) else { return };
                let (before, after) = (Exact::of(from_int, value), Exact::of(int, int.wrap(value)));
                if int == IntTy::Bool || before == after || is_meant(from_int, before, int) {
                    return;
                }
                (Code::ConstantConversion, before.to_string(), after.to_string())
            }
            Ok(Value::Float(value)) => {
                let after = match float_as(int, value) {
                    Some(after) => after,
                    None => return,
                };
                let code = if self.is_float_literal(expr) {
                    Code::LiteralConversion
                } else {
                    Code::ConstantConversion
                };
                (code, format!("{value:?}"), after)
            }
            Ok(Value::Addr(..)) | Err(_) => return,
        };
        let (from, to) = (self.show(from), self.show(to));
        let message =
            format!("implicit conversion from {from} to {to} changes value from {before} to {after}");
        self.warn(Diagnostic::new(code, self.span_of(expr), message));
    }

    fn is_float_literal(&self, expr: Expr) -> bool {
        match self.arena.exprs[expr].data {
            ExprData::Float(_) => true,
            ExprData::Unary(UnaryOp::Neg, inner) => self.is_float_literal(inner),
            _ => false,
        }
    }

    /// Warns where constants give a value that their signed type does not have.
    pub(in super::super) fn warn_overflow(&mut self, op: BinaryOp, op_span: Span, lhs: Expr, rhs: Expr) {
        // A constant expression that overflows is none, and reported as such.
        if self.is_in_scratch {
            return;
        }
        let ty = self.ty_of(lhs);
        let Some(int) = self.module.types.int_ty(ty).filter(|int| int.is_signed()) else { return };
        // The right operand is the short one in long chains.
        let (Ok(Value::Int(b)), true) =
            (self.eval(rhs, Mode::Optional), self.sink.is_on(Code::IntegerOverflow))
        else {
            return;
        };
        let Ok(Value::Int(a)) = self.eval(lhs, Mode::Optional) else { return };
        let Ok(computed) = int.binary(op, a, b) else { return };
        if computed.overflows {
            let result = Exact::of(int, computed.value);
            let ty = self.show(ty);
            let message = format!("overflow in expression; result is {result} with type {ty}");
            self.warn(Diagnostic::new(Code::IntegerOverflow, op_span, message));
        }
    }
}

/// Whether a constant that changes was written for its bits: a mask of the same width, `-1` for all
/// ones, an unsigned pattern for a signed object.
fn is_meant(from: IntTy, value: Exact, to: IntTy) -> bool {
    let is_negative = value.fits(from) && !value.fits(unsigned_of(from));
    if from.bits() == to.bits() {
        return true;
    }
    match (is_negative, to.is_signed()) {
        (true, true) => false,
        // `unsigned char c = -1`
        (true, false) => value.fits(signed_of(to)),
        (false, true) => !from.is_signed() && value.fits(unsigned_of(to)),
        (false, false) => false,
    }
}

fn unsigned_of(int: IntTy) -> IntTy {
    to_unsigned(int)
}

fn signed_of(int: IntTy) -> IntTy {
    super::super::convert::to_signed(int)
}

/// What becomes of a floating constant, where that is another value.
fn float_as(int: IntTy, value: f64) -> Option<String> {
    if int == IntTy::Bool {
        // Zero and one are what people write for truth values.
        return (value != 0.0 && value != 1.0 && !value.is_nan()).then(|| "true".to_owned());
    }
    match Exact::truncated(value) {
        Some(exact) if exact.fits(int) => (value.fract() != 0.0).then(|| exact.to_string()),
        Some(_) | None => Some("an undefined one".to_owned()),
    }
}
