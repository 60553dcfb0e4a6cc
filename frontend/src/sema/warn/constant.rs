//! Constants that change in a conversion, and sums of constants that do not fit.

use crate::diag::{Code, Diagnostic};
use crate::ir::integer::Exact;
use crate::ir::{BinaryOp, Expr, ExprData, FloatTy, IntTy, Place, Ty, UnaryOp};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::expression::integer_rank::{to_signed, to_unsigned};
use crate::sema::{Evaluation, Warnings};
use crate::source::Span;

impl Warnings<'_> {
    /// Warns where a constant does not survive its implicit conversion, as clang and nvcc do.
    pub(in crate::sema) fn warn_constant_change(&mut self, expr: Expr, to: Ty) {
        if let ExprData::Conditional { then, otherwise, .. } = self.arena.exprs[expr].data {
            for arm in [then, otherwise] {
                let arm = self.before_conversion(arm);
                self.warn_constant_change(arm, to);
            }
            return;
        }
        if self.func.is_none() {
            self.warn_initial_conversion(expr, to);
        }
        let Some(int) = self.module.types.int_ty(to) else { return self.warn_int_to_float(expr, to) };
        let from = self.ty_of(expr);
        let (code, before, after) = match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) => {
                let Some(from_int) = self.module.types.int_ty(from) else { return };
                let (before, after) = (Exact::of(from_int, value), Exact::of(int, int.wrap(value)));
                let is_pattern = self.arena.bit_patterns.contains(&expr)
                    && int.is_signed()
                    && before.fits(unsigned_of(int));
                if is_pattern || int == IntTy::Bool || before == after || is_meant(from_int, before, int) {
                    return;
                }
                (Code::ConstantConversion, before.to_string(), after.to_string())
            }
            Ok(Value::Float(value)) => {
                let after = match float_as(int, value) {
                    Some(after) => after,
                    None => return,
                };
                // What is computed is another warning's.
                if !self.is_float_literal(expr) {
                    return;
                }
                (Code::LiteralConversion, format!("{value:?}"), after)
            }
            Ok(Value::Extended(_) | Value::Addr(..)) | Err(_) => return,
        };
        let (from, to) = (self.show(from), self.show(to));
        let message =
            format!("implicit conversion from {from} to {to} changes value from {before} to {after}");
        self.warn(Diagnostic::new(code, self.span_of(expr), message));
    }

    /// The value as it was before it was converted by itself.
    fn before_conversion(&self, mut expr: Expr) -> Expr {
        while let ExprData::Convert(_, inner) = self.arena.exprs[expr].data
            && self.span_of(inner) == self.span_of(expr)
        {
            expr = inner;
        }
        expr
    }

    /// What [`crate::lint`] says of conversions in functions, of the values of variables at file scope, which are
    /// only their bits in the typed program.
    fn warn_initial_conversion(&mut self, expr: Expr, to: Ty) {
        let (code, message) = match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Float(value)) if self.sink.is_on(Code::ImplicitFloatConversion) => {
                let is_float = self.module.types.float_ty(to) == Some(FloatTy::Float);
                if !is_float || f64::from(value as f32) == value || value.is_nan() {
                    return;
                }
                (Code::ImplicitFloatConversion, "implicit conversion loses floating-point precision")
            }
            Ok(Value::Int(value)) if self.sink.is_on(Code::SignConversion) => {
                let ints = self.module.types.int_ty(self.ty_of(expr)).zip(self.module.types.int_ty(to));
                let Some((from, to)) = ints else { return };
                let is_changed = Exact::of(from, value) < Exact::ZERO && !to.is_signed();
                if !is_changed || to == IntTy::Bool {
                    return;
                }
                (Code::SignConversion, "implicit conversion changes signedness")
            }
            Ok(Value::Int(_) | Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => return,
        };
        let (from, to) = (self.show(self.ty_of(expr)), self.show(to));
        self.warn(Diagnostic::new(code, self.span_of(expr), format!("{message}: {from} to {to}")));
    }

    /// Warns where a bit-field does not hold the constant that is stored into it.
    pub(in crate::sema) fn warn_bit_field_change(&mut self, value: Expr, place: Place) {
        let Some(width) = self.expressions_ref().bit_field_width(place) else { return };
        let written = self.before_conversion(value);
        let (Some(from), Some(field)) =
            (self.module.types.int_ty(self.ty_of(written)), self.module.types.int_ty(self.place_ty(place)))
        else {
            return;
        };
        let Ok(Value::Int(constant)) = self.constants().eval(written, Mode::Optional) else { return };
        let before = Exact::of(from, constant);
        let is_unary = matches!(self.arena.exprs[written].data, ExprData::Unary(..));
        // `~0` and `-1` are for their bits.
        let n_bits = if is_unary && before < Exact::ZERO { significant_bits(constant) } else { from.bits() };
        if field == IntTy::Bool || width == 0 || n_bits <= width {
            return;
        }
        let above = 128 - width;
        let after = Exact::from(match field.is_signed() {
            true => constant << above >> above,
            false => ((constant as u128) << above >> above) as i128,
        });
        if before == after {
            return;
        }
        let code = if width == 1 && before == Exact::from(1) {
            Code::SingleBitBitfieldConstantConversion
        } else {
            Code::BitfieldConstantConversion
        };
        let from = self.show(self.ty_of(written));
        let message = format!(
            "implicit truncation from {from} to a bit-field of {width} bits changes value from {before} to {after}"
        );
        self.warn(Diagnostic::new(code, self.span_of(written), message));
    }

    /// Warns where an integer constant is not the same as a floating value.
    pub(in crate::sema) fn warn_int_to_float(&mut self, expr: Expr, to: Ty) {
        let Some(float) = self.module.types.float_ty(to) else { return };
        let from = self.ty_of(expr);
        let Some(int) = self.module.types.int_ty(from) else { return };
        let Ok(Value::Int(value)) = self.constants().eval(expr, Mode::Optional) else { return };
        let exact = Exact::of(int, value);
        let rounded = match float {
            FloatTy::Float => f64::from(exact.to_f32()),
            FloatTy::Double => exact.to_f64(),
            // It holds all of 64 bits, as far as constants go.
            FloatTy::LongDouble => return,
        };
        if Exact::truncated(rounded) != Some(exact) {
            let (from, to) = (self.show(from), self.show(to));
            let message =
                format!("implicit conversion from {from} to {to} changes value from {exact} to {rounded}");
            let code = Code::ImplicitConstIntFloatConversion;
            self.warn(Diagnostic::new(code, self.span_of(expr), message));
        }
    }

    fn is_float_literal(&self, expr: Expr) -> bool {
        match self.arena.exprs[expr].data {
            ExprData::Float(_) => true,
            ExprData::Unary(UnaryOp::Neg, inner) => self.is_float_literal(inner),
            _ => false,
        }
    }

    /// Warns where constants give a value that their signed type does not have.
    #[inline(never)]
    pub(in crate::sema) fn warn_overflow(&mut self, op: BinaryOp, op_span: Span, lhs: Expr, rhs: Expr) {
        // A constant expression that overflows is none, and reported as such.
        if matches!(self.evaluation, Evaluation::NotInProgram | Evaluation::Unevaluated) {
            return;
        }
        let ty = self.ty_of(lhs);
        let Some(int) = self.module.types.int_ty(ty).filter(|int| int.is_signed()) else { return };
        // The right operand is the short one in long chains.
        let (Ok(Value::Int(b)), true) =
            (self.constants().eval(rhs, Mode::Optional), self.sink.is_on(Code::IntegerOverflow))
        else {
            return;
        };
        let Ok(Value::Int(a)) = self.constants().eval(lhs, Mode::Optional) else { return };
        let Ok(computed) = int.binary(op, a, b) else { return };
        if computed.overflows {
            let result = Exact::of(int, computed.value);
            let ty = self.show(ty);
            let message = format!("overflow in expression; result is {result} with type {ty}");
            self.warn(Diagnostic::new(Code::IntegerOverflow, op_span, message));
        }
    }
}

/// How many bits a negative value takes, its sign included.
fn significant_bits(value: i128) -> u32 {
    129 - value.leading_ones()
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
    to_signed(int)
}

/// What becomes of a floating constant, where that is another value.
fn float_as(int: IntTy, value: f64) -> Option<String> {
    if int == IntTy::Bool {
        // Zero and one are what people write for truth values.
        return (value != 0.0 && value != 1.0 && !value.is_nan()).then(|| "true".to_owned());
    }
    match Exact::truncated(value) {
        Some(exact) if exact.fits(int) => (value.fract() != 0.0).then(|| exact.to_string()),
        Some(_) | None => Some("an undefined value".to_owned()),
    }
}
