//! Functions that take what has no one type (GNU C "Other Builtins", "Integer Overflow Builtins").

use super::constant;
use super::ordered;
use super::table::Function;
use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Builtin, Expr, ExprData, IntTy, OverflowOp, Quals, Ty, TyKind};
use crate::layout;
use crate::predeclared::named_texture_op;
use crate::sema::Builtins;
use crate::sema::call::variadic;
use crate::sema::constant::const_eval::Mode;
use crate::source::Span;

impl Builtins<'_> {
    /// A call of a function that is checked by itself, without a list of overloads; none if it is no such
    /// function.
    pub(in crate::sema) fn check_generic_call(
        &mut self,
        function: &Function,
        name_span: Span,
        args: &[ExprId],
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        if !function.overloads.is_empty() {
            return None;
        }
        let name = function.name;
        if let Some(constant) = constant::named(name) {
            return Some(self.check_constant_call(constant, name, args, span));
        }
        if let Some(op) = variadic::named(name) {
            return Some(self.calls().check_va_list_call(op, name, args, name_span, span));
        }
        if let Some(function) = ordered::named(name) {
            return Some(self.check_ordered_call(function, name, args, span));
        }
        if let Some(op) = named_texture_op(name) {
            let values = self.check_texture_args(op, None, args);
            return Some(
                values.and_then(|values| self.check_texture_call(op, name_span, None, &values, span)),
            );
        }
        let op = match name {
            "__nv_tex_surf_handler" => return Some(self.check_texture_handler(args, name_span, span)),
            "printf" => return Some(self.check_printf(args, name_span, span)),
            "__builtin_constant_p" => return Some(self.check_constant_p(args, span)),
            "__builtin_add_overflow" => OverflowOp::AddOverflow,
            "__builtin_sub_overflow" => OverflowOp::SubOverflow,
            "__builtin_mul_overflow" => OverflowOp::MulOverflow,
            _ => return None,
        };
        Some(self.check_overflow_call(op, name, args, span))
    }

    /// `__builtin_constant_p(x)`: whether the compiler knows the value, which is not evaluated.
    fn check_constant_p(&mut self, args: &[ExprId], span: Span) -> Result<Expr, Reported> {
        let &[arg] = args else {
            return Err(self.other_argument_count("__builtin_constant_p", 1, args, span));
        };
        let is_literal = self.expressions_ref().string_behind(arg).is_some();
        let value = self.expressions().check_rvalue(arg)?;
        let types = &self.module.types;
        let is_number =
            matches!(types.kind(self.ty_of(value)), TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_));
        let is_known = is_literal || is_number && self.constants().eval(value, Mode::Optional).is_ok();
        Ok(self.expr(ExprData::int(is_known), Ty::INT, span))
    }

    fn check_overflow_call(
        &mut self,
        op: OverflowOp,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Result<Expr, Reported> {
        let values = self.check_rvalues(args)?;
        let &[a, b, result] = &values[..] else { return Err(self.other_argument_count(name, 3, args, span)) };
        let a = self.overflow_operand(a, op, name)?;
        let b = self.overflow_operand(b, op, name)?;
        let types = &self.module.types;
        let to = self.ty_of(result);
        let pointee = types.pointee(to).filter(|&pointee| !types.quals(pointee).contains(Quals::CONST));
        let is_integer = |ty| matches!(types.kind(ty), TyKind::Int(int) if *int != IntTy::Bool);
        if !pointee.is_some_and(is_integer) {
            let to = self.show(to);
            let message =
                format!("result argument of `{name}` must be a pointer to a non-const integer, not {to}");
            return Err(self.cx.error(Code::NoMatchingBuiltin, self.span_of(result), message));
        }
        Ok(self.expr(ExprData::Builtin(Builtin::Overflow(op), [a, b, result].into()), Ty::BOOL, span))
    }

    /// All of them, also where there are mistakes.
    pub(super) fn check_rvalues(&mut self, args: &[ExprId]) -> Result<Vec<Expr>, Reported> {
        let values: Vec<_> = args.iter().map(|&arg| self.expressions().check_rvalue(arg)).collect();
        values.into_iter().collect()
    }

    /// An operand, of an integer type that is neither an enum nor `bool`.
    fn overflow_operand(&mut self, value: Expr, op: OverflowOp, name: &str) -> Result<Expr, Reported> {
        let ty = self.ty_of(value);
        match *self.module.types.kind(ty) {
            TyKind::Int(int) if is_operand(int, op) => Ok(value),
            TyKind::Int(IntTy::Bool) | TyKind::Enum(_) => Ok(self.conversions().promote(value)),
            TyKind::Error => Err(self.poisoned()),
            _ => {
                let ty = self.show(ty);
                let widest = if op == OverflowOp::MulOverflow { " of up to 64 bits" } else { "" };
                let message = format!("operand of `{name}` must be an integer{widest}, not {ty}");
                Err(self.cx.error(Code::NoMatchingBuiltin, self.span_of(value), message))
            }
        }
    }

    /// The error of a call with another number of arguments.
    pub(in crate::sema) fn other_argument_count(
        &mut self,
        name: &str,
        n_wanted: usize,
        args: &[ExprId],
        span: Span,
    ) -> Reported {
        let few_or_many = if args.len() < n_wanted { "few" } else { "many" };
        let message =
            format!("too {few_or_many} arguments to `{name}`, expected {n_wanted}, have {}", args.len());
        self.sink.error(Diagnostic::new(Code::ArgumentCount, span, message))
    }
}

/// nvcc crashes where a factor has more than 64 bits.
fn is_operand(int: IntTy, op: OverflowOp) -> bool {
    int != IntTy::Bool && (op != OverflowOp::MulOverflow || layout::int_layout(int).size <= 8)
}
