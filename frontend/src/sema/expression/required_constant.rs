//! Expressions that must be constants, and what is said where one is not.

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Exact, Expr};
use crate::sema::Expressions;
use crate::sema::constant::const_eval::{Mode, NotConstant, Value, Why};
use crate::source::Span;

impl Expressions<'_> {
    /// The value of an expression that must be an integer constant: the length of an array, a case
    /// label. `what` names it: "array bound".
    pub(in crate::sema) fn require_int(&mut self, expr: Expr, what: &str) -> Result<Exact, Reported> {
        let evaluated = self.constants().eval(expr, Mode::Required);
        self.require_int_value(expr, evaluated, what)
    }

    /// The same of an expression with what its evaluation gave.
    pub(in crate::sema) fn require_int_value(
        &mut self,
        expr: Expr,
        evaluated: Result<Value, NotConstant>,
        what: &str,
    ) -> Result<Exact, Reported> {
        let ty = self.ty_of(expr);
        let span = self.span_of(expr);
        let Some(int) = self.module.types.operand_int_ty(ty) else {
            let ty = self.show(ty);
            let message = format!("{what} must have integer type, not {ty}");
            return Err(self.error(Code::NotConstant, span, message));
        };
        match evaluated {
            Ok(Value::Int(value)) => Ok(Exact::of(int, value)),
            Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) => {
                Err(self.error(Code::NotConstant, span, format!("{what} is not an integer constant")))
            }
            Err(not) => {
                let message = format!("{what} is not an integer constant expression");
                Err(self.not_constant(Diagnostic::new(Code::NotConstant, span, message), &not))
            }
        }
    }

    /// Reports that something is no constant, with the reason.
    pub(in crate::sema) fn not_constant(&mut self, diagnostic: Diagnostic, not: &NotConstant) -> Reported {
        if matches!(not.why, Why::Reported) {
            return self.poisoned();
        }
        let explained = self.constants().explained(diagnostic, not);
        if let Why::Func(func) = not.why {
            self.declarations().forget_use(func);
        }
        self.sink.error(explained)
    }

    /// The same of the initial value of a variable; `what` names it.
    pub(in crate::sema) fn dynamic_initializer(
        &mut self,
        what: &str,
        expr: Option<Expr>,
        span: Span,
        not: &NotConstant,
    ) -> Reported {
        let message = format!("initializer of {what} is not a constant");
        let diagnostic = Diagnostic::new(Code::DynamicInitializer, span, message)
            .with_note("variables in device memory are initialized before any code runs");
        let diagnostic = match expr.is_some_and(|expr| self.arena.made_records.contains(&expr)) {
            true => diagnostic.with_help("use braces: `= { … }`"),
            false => diagnostic,
        };
        self.not_constant(diagnostic, not)
    }
}
