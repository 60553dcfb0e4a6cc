//! Missing parentheses: operators whose precedence is often mistaken, an
//! assignment instead of a comparison.
//!
//! Looks only at the AST. Parentheses express intent, so an expression within
//! them never causes a warning.

use super::Syntax;
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtKind, UnaryOp};
use crate::diag::{Code, Diagnostic, Fix};
use crate::source::Span;

/// Operators that people regard as having the same precedence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Additive,
    Shift,
    Relation,
    Equality,
    Bitwise,
    And,
    Or,
    Other,
}

impl Syntax<'_> {
    pub(super) fn parentheses(&mut self) {
        let codes = [
            Code::Parentheses,
            Code::ParenthesesEquality,
            Code::ShiftOpParentheses,
            Code::BitwiseOpParentheses,
            Code::LogicalOpParentheses,
        ];
        if !codes.iter().any(|&code| self.sink.is_on(code)) {
            return;
        }
        let unit = self.unit;
        for &expr in &unit.unparenthesised[self.nodes.unparenthesised.clone()] {
            match unit.exprs[expr].kind {
                ExprKind::Binary { op, op_span, lhs, rhs } => {
                    self.operand(op, op_span, lhs);
                    self.operand(op, op_span, rhs);
                    self.chained(op, op_span, lhs);
                }
                ExprKind::Conditional { cond, .. } => {
                    self.condition(cond);
                }
                ExprKind::Unary { op: UnaryOp::Not, operand, .. } => self.condition(operand),
                _ => {}
            }
        }
        for node in unit.stmts.range(&self.nodes.stmts) {
            match &node.kind {
                StmtKind::If { cond, .. }
                | StmtKind::While { cond, .. }
                | StmtKind::For { cond: Some(cond), .. } => {
                    self.condition(cond.expr);
                    self.parenthesized_equality(cond.expr);
                }
                StmtKind::DoWhile { cond, .. } => {
                    self.condition(*cond);
                    self.parenthesized_equality(*cond);
                }
                _ => {}
            }
        }
    }

    /// An operand that is itself an operation.
    fn operand(&mut self, op: BinaryOp, op_span: Span, operand: ExprId) {
        let node = &self.unit.exprs[operand];
        let ExprKind::Binary { op: inner, op_span: inner_span, .. } = node.kind else { return };
        let code = match (family(op), family(inner)) {
            (Family::Bitwise, Family::Relation | Family::Equality) => Code::Parentheses,
            (Family::Shift, Family::Additive) => Code::ShiftOpParentheses,
            (Family::Bitwise, Family::Bitwise) if op != inner => Code::BitwiseOpParentheses,
            (Family::Or, Family::And) => Code::LogicalOpParentheses,
            _ => return,
        };
        let span = node.span;
        let (outer_text, inner_text) = (spelling(op), spelling(inner));
        let message = if matches!(code, Code::Parentheses | Code::ShiftOpParentheses) {
            format!(
                "`{outer_text}` has lower precedence than `{inner_text}`; `{inner_text}` will be evaluated first"
            )
        } else {
            format!("`{inner_text}` within `{outer_text}`")
        };
        // `assert(x && "why")` and `x || y && "why"` are intended.
        if code == Code::LogicalOpParentheses && self.has_string_operand(operand) {
            return;
        }
        let at = if matches!(family(op), Family::Shift) || code == Code::Parentheses {
            op_span
        } else {
            inner_span
        };
        let title = format!("place parentheses around the `{inner_text}` expression to silence this warning");
        let diagnostic = Diagnostic::new(code, at, message)
            .with_label(span, "evaluated first")
            .with_fix(Fix::parentheses(title, span));
        self.warn(diagnostic);
    }

    fn has_string_operand(&self, expr: ExprId) -> bool {
        let ExprKind::Binary { lhs, rhs, .. } = self.unit.exprs[expr].kind else { return false };
        [lhs, rhs].into_iter().any(|side| matches!(self.unit.exprs[side].kind, ExprKind::Str(_)))
    }

    /// `a < b < c`
    fn chained(&mut self, op: BinaryOp, op_span: Span, lhs: ExprId) {
        let node = &self.unit.exprs[lhs];
        let ExprKind::Binary { op: inner, .. } = node.kind else { return };
        if family(op) != Family::Relation || family(inner) != Family::Relation {
            return;
        }
        let message = "chained comparisons like `X <= Y <= Z` do not have their mathematical meaning";
        let diagnostic = Diagnostic::new(Code::Parentheses, op_span, message)
            .with_label(node.span, "this is 0 or 1")
            .with_help("use `&&` to combine two comparisons");
        self.warn(diagnostic);
    }

    /// A condition.
    fn condition(&mut self, cond: ExprId) {
        let unit = self.unit;
        let node = &unit.exprs[cond];
        match node.kind {
            ExprKind::Assign { op, op_span, .. } => {
                let message = "using the result of an assignment as a condition without parentheses";
                let mut diagnostic = Diagnostic::new(Code::Parentheses, op_span, message);
                if op.is_none() {
                    diagnostic =
                        diagnostic.with_help("use `==` to turn this assignment into an equality comparison");
                }
                let title = "place parentheses around the assignment to silence this warning";
                self.warn(diagnostic.with_fix(Fix::parentheses(title, node.span)));
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, rhs, .. } => {
                // `a && b = c` is `(a && b) = c`: an assignment here is in parentheses.
                self.condition(lhs);
                self.condition(rhs);
            }
            _ => {}
        }
    }

    /// `if ((a == b))`
    fn parenthesized_equality(&mut self, cond: ExprId) {
        let exprs = &self.unit.exprs;
        let ExprKind::Paren(mut inner) = exprs[cond].kind else { return };
        while let ExprKind::Paren(deeper) = exprs[inner].kind {
            inner = deeper;
        }
        let ExprKind::Binary { op: BinaryOp::Eq, op_span, lhs, .. } = exprs[inner].kind else { return };
        if !self.may_be_assigned(lhs) {
            return;
        }
        let (whole, at) = (exprs[cond].span, exprs[inner].span);
        // Those of the statement itself are not part of the condition.
        let message = "equality comparison with extraneous parentheses";
        let (open, close) = (Span::new(whole.lo, at.lo), Span::new(at.hi, whole.hi));
        let fix = Fix::new(
            "remove the extra parentheses, or use `=` to turn this equality comparison into an assignment",
            open,
            "",
        )
        .and(close, "");
        self.warn(Diagnostic::new(Code::ParenthesesEquality, op_span, message).with_fix(fix));
    }

    /// Whether `=` could follow the operand, so that parentheses would show that it is not intended.
    fn may_be_assigned(&self, operand: ExprId) -> bool {
        match self.unit.exprs[operand].kind {
            ExprKind::Paren(inner) => self.may_be_assigned(inner),
            ExprKind::Ident(_)
            | ExprKind::Element { .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { op: UnaryOp::Deref, .. } => true,
            _ => false,
        }
    }
}

fn family(op: BinaryOp) -> Family {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Family::Additive,
        BinaryOp::Shl | BinaryOp::Shr => Family::Shift,
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => Family::Relation,
        BinaryOp::Eq | BinaryOp::Ne => Family::Equality,
        BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => Family::Bitwise,
        BinaryOp::LogAnd => Family::And,
        BinaryOp::LogOr => Family::Or,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Comma => Family::Other,
    }
}

fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
        BinaryOp::Comma => ",",
    }
}
