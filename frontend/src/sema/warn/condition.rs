//! Conditions that are no question: an address that is never null, a shift where a comparison is meant.

use super::compare::is_truth;
use crate::ast::{self, ExprId, ExprKind, UnaryOp};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{Expr, Ty};
use crate::sema::Warnings;

impl Warnings<'_> {
    /// Looks at an expression that stands for a truth value; `value` is what it gives before that.
    pub(in crate::sema) fn warn_condition(&mut self, id: ExprId, value: Expr) {
        let id = self.peeled(id);
        // In an instance, another argument may be null.
        if self.horizon.is_none()
            && let Some(what) = self.address_of_what(value)
        {
            let message = format!("{what} will always evaluate to `true`");
            return self.warn(Diagnostic::new(Code::PointerBoolConversion, self.span_of(value), message));
        }
        let ExprKind::Binary { op: ast::BinaryOp::Shl, op_span, .. } = self.unit.exprs[id].kind else {
            return;
        };
        if self.module.types.int_ty(self.ty_of(value)).is_some_and(|int| int.is_signed()) {
            let message = "converting the result of `<<` to a boolean; did you mean a comparison?";
            let diagnostic = Diagnostic::new(Code::IntInBoolContext, op_span, message)
                .with_help("compare the result with 0, or use `<`");
            self.warn(diagnostic);
        }
    }

    /// `a + flag ? x : y`: the sum is the condition, and looks as if `flag` alone were meant to be.
    pub(in crate::sema) fn warn_conditional_operator(&mut self, cond: ExprId) {
        let node = &self.unit.exprs[cond];
        let ExprKind::Binary { op, op_span, rhs, .. } = node.kind else { return };
        let (code, text) = match op {
            ast::BinaryOp::Add => (Code::Parentheses, "+"),
            ast::BinaryOp::Sub => (Code::Parentheses, "-"),
            ast::BinaryOp::Mul => (Code::Parentheses, "*"),
            ast::BinaryOp::Div => (Code::Parentheses, "/"),
            ast::BinaryOp::Rem => (Code::Parentheses, "%"),
            ast::BinaryOp::Shl => (Code::Parentheses, "<<"),
            ast::BinaryOp::Shr => (Code::Parentheses, ">>"),
            ast::BinaryOp::BitAnd => (Code::BitwiseConditionalParentheses, "&"),
            ast::BinaryOp::BitXor => (Code::BitwiseConditionalParentheses, "^"),
            ast::BinaryOp::BitOr => (Code::BitwiseConditionalParentheses, "|"),
            ast::BinaryOp::Lt
            | ast::BinaryOp::Gt
            | ast::BinaryOp::Le
            | ast::BinaryOp::Ge
            | ast::BinaryOp::Eq
            | ast::BinaryOp::Ne
            | ast::BinaryOp::LogAnd
            | ast::BinaryOp::LogOr
            | ast::BinaryOp::Comma => return,
        };
        if !self.sink.is_on(code) || !self.looks_boolean(rhs) {
            return;
        }
        let message =
            format!("operator `?:` has lower precedence than `{text}`; `{text}` will be evaluated first");
        let title = format!("place parentheses around the `{text}` expression to silence this warning");
        let diagnostic = Diagnostic::new(code, op_span, message).with_fix(Fix::parentheses(title, node.span));
        self.warn(diagnostic);
    }

    fn looks_boolean(&mut self, id: ExprId) -> bool {
        let id = self.peeled(id);
        match self.unit.exprs[id].kind {
            ExprKind::Binary { op, .. } => is_truth(op),
            ExprKind::Unary { op: UnaryOp::Not, .. } => true,
            ExprKind::Ident(symbol) => match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
                Some(crate::sema::name::scope::Entity::Local(local)) => {
                    let ty = self.func.as_ref().map(|func| func.locals[local].ty);
                    ty.is_some_and(|ty| {
                        let ty = self.module.types.unqualified(ty);
                        self.canonical(ty) == Ty::BOOL
                    })
                }
                _ => false,
            },
            _ => false,
        }
    }
}
