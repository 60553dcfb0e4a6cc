//! `long double` in device code, like nvcc.
//!
//! Its size and alignment are the host's, 16 bytes, but device code computes with `double` and stores 8 bytes. nvcc
//! evaluates constant expressions in the host's 64 bits of precision and rounds what is left of them. Where its layouts
//! contradict each other, there is an error: it steps over 8 bytes in arrays and structs and over 16 in constant
//! expressions, and passes the host's bits of a kernel's argument as if they were a `double`. So there are arrays and
//! structs with it as types, which have the host's size, but no objects of them.

use crate::diag::{Code, Diagnostic, Reported};
use crate::extended::Extended;
use crate::ir::{BinaryOp, Exact, Expr, FloatTy, IntTy, Ty, TyKind, TypeTable};
use crate::layout::DataModel;
use crate::sema::Expressions;
use crate::sema::constant::const_eval::{Mode, NotConstant, Value, Why};
use crate::source::Span;

/// Why a constant has no value.
pub(in crate::sema) const TOO_FAR: &str =
    "value is outside the range of `double`, which device code uses for `long double`";

impl Expressions<'_> {
    /// The type that the keywords name.
    pub(in crate::sema) fn long_double(&mut self, span: Span) -> Result<Ty, Reported> {
        match self.module.types.model() {
            DataModel::Lp64 => Ok(Ty::LONGDOUBLE),
            DataModel::Ilp32 => {
                let message = "type `long double` is not supported with `-m32`";
                Err(self.error(Code::UnsupportedLongDouble, span, message))
            }
        }
    }

    pub(in crate::sema) fn is_long_double(&self, ty: Ty) -> bool {
        !ty.is_plain_number() && self.module.types.float_ty(ty) == Some(FloatTy::LongDouble)
    }

    pub(in crate::sema) fn warn_long_double(&mut self, span: Span) {
        let message = "`long double` is treated as `double` in device code";
        self.sink.emit(Diagnostic::new(Code::LongDoubleAsDouble, span, message));
    }

    pub(super) fn far_long_double(&mut self, span: Span) -> Reported {
        let message = "`long double` constant is outside the range of `double`";
        let note = "device code treats `long double` as `double`";
        self.sink.error(Diagnostic::new(Code::UnsupportedLongDouble, span, message).with_note(note))
    }

    /// Refuses objects of an array, struct or union that holds a `long double`; the type itself and its size are the host's.
    pub(in crate::sema) fn refuse_long_doubles_in(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if ty.is_plain_number() {
            return Ok(());
        }
        let mut elem = ty;
        while let TyKind::Array(inner, _) = *self.module.types.kind(elem) {
            elem = inner;
        }
        let holds_it = match self.module.types.record(elem) {
            Some(record) => self.known.record_facts.get(&record).is_some_and(|facts| facts.holds_long_double),
            None => elem != ty && self.is_long_double(elem),
        };
        if !holds_it {
            return Ok(());
        }
        let ty = self.show(ty);
        let message = format!("object of type {ty}, which contains a `long double`, is not supported");
        let diagnostic = Diagnostic::new(Code::UnsupportedLongDouble, span, message)
            .with_note("a `long double` takes 16 bytes on the host and 8 in nvcc's device code, so the layouts differ")
            .with_help("use `double`");
        Err(self.sink.error(diagnostic))
    }

    /// Refuses arithmetic on pointers to the type.
    pub(super) fn refuse_long_double_steps(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        self.refuse_long_doubles_in(ty, span)?;
        if !self.is_long_double(ty) {
            return Ok(());
        }
        let message = "arithmetic on a pointer to `long double` is not supported";
        let diagnostic = Diagnostic::new(Code::UnsupportedLongDouble, span, message)
            .with_note("an element has 16 bytes on the host and 8 bytes in nvcc's device code")
            .with_help("use `double`");
        Err(self.sink.error(diagnostic))
    }

    /// Refuses what the host writes.
    pub(in crate::sema) fn refuse_long_double_of_host(&mut self, span: Span, what: &str) -> Reported {
        let message = format!("{what} of type `long double` is not supported");
        let diagnostic = Diagnostic::new(Code::UnsupportedLongDouble, span, message)
            .with_note("the host writes an 80-bit number, which device code would read as a `double`")
            .with_help("use `double`");
        self.sink.error(diagnostic)
    }

    /// The expression, or its value where it is a constant: with the precision of the host, which is lost at run time.
    pub(super) fn folded_long_double(&mut self, expr: Expr, ty: Ty, span: Span) -> Expr {
        match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) => self.value_expr(Value::Int(value), ty, span),
            Ok(value @ (Value::Float(_) | Value::Extended(_))) => self.value_expr(value, ty, span),
            Err(NotConstant { why: Why::Text(TOO_FAR), span, .. }) => {
                self.far_long_double(span);
                expr
            }
            Ok(Value::Addr(..)) | Err(_) => expr,
        }
    }
}

/// The operator on two constants; none if `double` has no value near the result.
pub(in crate::sema) fn operation(op: BinaryOp, a: Extended, b: Extended) -> Option<Extended> {
    let value = match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.add(b.neg()),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div(b),
        BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => None,
    };
    value.filter(|value| value.nearest.is_finite())
}

/// A constant from or to `long double`.
pub(in crate::sema) fn converted(types: &TypeTable, value: Value, from: Ty, to: Ty) -> Option<Value> {
    let (to_int, to_float) = (types.int_ty(to), types.float_ty(to));
    match value {
        Value::Int(value) => Extended::of_int(Exact::of(types.int_ty(from)?, value)).map(Value::Extended),
        Value::Float(value) => value.is_finite().then(|| Value::Extended(value.into())),
        Value::Extended(value) => match (to_int, to_float) {
            (Some(IntTy::Bool), _) if matches!(types.kind(to), TyKind::Int(_)) => {
                Some(Value::Int(i128::from(value.nearest != 0.0)))
            }
            (Some(int), _) => {
                let exact = value.truncated().filter(|exact| exact.fits(int))?;
                Some(Value::Int(exact.wrapped(int)))
            }
            (None, Some(FloatTy::Float)) => Some(Value::Float(value.to_f32().into())),
            (None, Some(FloatTy::Double)) => Some(Value::Float(value.nearest)),
            (None, Some(FloatTy::LongDouble)) => Some(Value::Extended(value)),
            (None, None) => None,
        },
        Value::Addr(..) => None,
    }
}
