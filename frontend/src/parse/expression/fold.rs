//! Folds, and `sizeof...` (C++17 8.1.6, 8.3.3p5).

use super::{assign_op, binary_op};
use crate::ast::{BinaryOp, BuiltinTy, ExprId, ExprKind, FoldOp, IntLength, IntLit, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::parse::height::Bounded;
use crate::parse::name::scope::PackLen;
use crate::parse::template::expansion::{Expanded, Pattern};
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Punct, TokenKind};

/// A fold as it is written.
struct Fold {
    op: FoldOp,
    punct: Punct,
    op_span: Span,
    is_right: bool,
    init: Option<ExprId>,
    ellipsis: Span,
    /// The whole, parentheses included.
    span: Span,
}

impl Expressions<'_> {
    /// `fold = "(" cast operator "..." ")" | "(" "..." operator cast ")" | "(" cast operator "..." operator cast ")"`, of which the
    /// parenthesis has been read.
    pub(super) fn fold(&mut self, open: Span) -> Parsed<ExprId> {
        let read = |p: &mut crate::parse::Parser<'_>| p.expressions().nested(Expressions::cast);
        if let Some(ellipsis) = self.eat(Punct::Ellipsis) {
            let (op, punct, op_span) = self.fold_op()?;
            let pattern = self.fold_operand()?;
            let elements = self.parser.elements(pattern, ellipsis, read)?;
            let close = self.fold_end(open)?;
            let fold =
                Fold { op, punct, op_span, is_right: false, init: None, ellipsis, span: open.to(close) };
            return self.folded(&fold, elements);
        }
        let first = self.fold_operand()?;
        let (op, punct, op_span) = self.fold_op()?;
        let Some(ellipsis) = self.eat(Punct::Ellipsis) else { return Err(self.bad_operand(op_span)) };
        if self.is(Punct::RParen) {
            let elements = self.parser.elements(first, ellipsis, read)?;
            let close = self.fold_end(open)?;
            let fold =
                Fold { op, punct, op_span, is_right: true, init: None, ellipsis, span: open.to(close) };
            return self.folded(&fold, elements);
        }
        let (other, _, other_span) = self.fold_op()?;
        if other != op {
            let message = "operators in fold expression must be the same";
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, other_span, message)
                .with_label(op_span, "first operator is here");
            return Err(self.sink.error(diagnostic));
        }
        let second = self.fold_operand()?;
        if first.has_packs() && second.has_packs() {
            let message = "binary fold expression has unexpanded parameter packs in both operands";
            return Err(self.sink.error(Diagnostic::new(Code::InvalidTemplate, ellipsis, message)));
        }
        let is_right = first.has_packs();
        let (pack, init) = if is_right { (first, second) } else { (second, first) };
        let after = self.pos;
        let init = self.parser.without_expansion(init, read)?;
        self.parser.go_to(after);
        let elements = self.parser.elements(pack, ellipsis, read)?;
        let close = self.fold_end(open)?;
        let fold = Fold { op, punct, op_span, is_right, init: Some(init), ellipsis, span: open.to(close) };
        self.folded(&fold, elements)
    }

    fn fold_operand(&mut self) -> Parsed<Pattern<ExprId>> {
        self.parser.pattern(|p| p.expressions().nested(Expressions::cast))
    }

    fn fold_op(&mut self) -> Parsed<(FoldOp, Punct, Span)> {
        if let TokenKind::Punct(punct) = self.kind() {
            let op = match (punct, binary_op(punct)) {
                (Punct::Comma, _) => Some(FoldOp::Binary(BinaryOp::Comma)),
                (_, Some((op, _))) => Some(FoldOp::Binary(op)),
                (_, None) => assign_op(punct).map(FoldOp::Assign),
            };
            if let Some(op) = op {
                return Ok((op, punct, self.bump().span));
            }
        }
        let message = format!("expected a foldable binary operator, found {}", self.describe());
        Err(self.parser.error(Diagnostic::new(Code::ExpectedExpression, self.span(), message)))
    }

    /// The `)` of a fold.
    fn fold_end(&mut self, open: Span) -> Parsed<Span> {
        let is_operator = matches!(self.kind(), TokenKind::Punct(punct) if binary_op(punct).is_some());
        if is_operator {
            return Err(self.bad_operand(self.span()));
        }
        self.expect_close(Punct::RParen, open)
    }

    /// Reports an operator within an operand.
    fn bad_operand(&mut self, op: Span) -> Reported {
        let message = "expression not permitted as operand of fold expression";
        let diagnostic = Diagnostic::new(Code::InvalidTemplate, op, message)
            .with_help("put parentheses around the operand");
        self.sink.error(diagnostic)
    }

    /// The operators that take the place of a fold.
    fn folded(&mut self, fold: &Fold, elements: Expanded<ExprId>) -> Parsed<ExprId> {
        let &Fold { op, is_right, init, span, .. } = fold;
        let elements = match elements {
            Expanded::Elements(elements) => elements,
            Expanded::Pattern(pack) => {
                return self.push_expr(ExprKind::Fold { op, is_right, pack, init: init.into() }, span);
            }
        };
        let mut operands = elements;
        match (init, is_right) {
            (Some(init), true) => operands.push(init),
            (Some(init), false) => operands.insert(0, init),
            (None, _) => {}
        }
        if is_right {
            operands.reverse();
        }
        let mut operands = operands.into_iter();
        let Some(mut value) = operands.next() else { return self.empty_fold(fold) };
        for operand in operands {
            let (lhs, rhs) = if is_right { (operand, value) } else { (value, operand) };
            let kind = match op {
                FoldOp::Binary(op) => ExprKind::Binary { op, op_span: fold.op_span, lhs, rhs },
                FoldOp::Assign(op) => ExprKind::Assign { op, op_span: fold.op_span, lhs, rhs },
            };
            value = self.push_expr(kind, span)?;
        }
        self.push_expr(ExprKind::Paren(value), span)
    }

    /// The value of a fold without operands (C++17 17.5.3p9).
    fn empty_fold(&mut self, fold: &Fold) -> Parsed<ExprId> {
        let kind = match fold.op {
            FoldOp::Binary(BinaryOp::LogAnd) => ExprKind::Bool(true),
            FoldOp::Binary(BinaryOp::LogOr) => ExprKind::Bool(false),
            FoldOp::Binary(BinaryOp::Comma) => {
                let ty = self.types_ref().type_name_of(TypeSpec::Builtin(BuiltinTy::Void), fold.span);
                let ty = self.unit.type_names.push(ty);
                let zero = IntLit { value: 0, is_decimal: true, is_unsigned: false, length: IntLength::None };
                let operand = self.push_expr(ExprKind::Int(zero), fold.span)?;
                ExprKind::Cast { ty, operand }
            }
            FoldOp::Binary(_) | FoldOp::Assign(_) => {
                let message = format!(
                    "unary fold expression has empty expansion for operator `{}` with no fallback value",
                    fold.punct.spelling()
                );
                let diagnostic = Diagnostic::new(Code::InvalidTemplate, fold.ellipsis, message)
                    .with_help("add an operand for the start: `(0 + ... + a)`");
                return Err(self.sink.error(diagnostic));
            }
        };
        self.push_expr(kind, fold.span)
    }

    /// `"sizeof" "..." "(" identifier ")"`, of which the keyword has been read.
    pub(super) fn sizeof_pack(&mut self, start: Span) -> Parsed<ExprId> {
        if !self.pack_facts.is_possible {
            let message = "`sizeof...` outside of a template";
            return Err(self.parser.refuse(Code::InvalidTemplate, start, message));
        }
        self.bump();
        let open = self.expect(Punct::LParen)?;
        let name = self.expect_ident("the name of a parameter pack")?;
        let Some(len) = self.scopes.pack_len(name.symbol) else { return Err(self.parser.not_a_pack(name)) };
        let len = match len {
            PackLen::Known(len) => Some(len),
            PackLen::Open => None,
        };
        self.expect_close(Punct::RParen, open)?;
        self.parser.push_expr(ExprKind::SizeofPack { pack: name.symbol, len }, self.span_from(start))
    }
}
