//! Operators of the half-precision types: the headers' functions under another spelling, `a + b` for
//! `__hadd(a, b)`.
//!
//! Where an operand is a number of another type, the operator of the class and that of the language go
//! equally well, and nvcc calls it ambiguous: so does this. An assignment is not ambiguous: `h += 1`
//! converts.

use crate::ast;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::builtin::half::{HalfArith, HalfUnary, Mode};
use crate::ir::{BinaryOp, CompareOp, Expr, HalfOp, Ty};
use crate::sema::Builtins;
use crate::source::Span;

impl Builtins<'_> {
    /// An operator between two values of which one has a half-precision type; none if neither has.
    pub(in crate::sema) fn half_arithmetic(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (lhs, rhs): (Expr, Expr),
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        let op = match op {
            BinaryOp::Add => Some(HalfOp::Arith(HalfArith::Add, Mode::Fusible)),
            BinaryOp::Sub => Some(HalfOp::Arith(HalfArith::Sub, Mode::Fusible)),
            BinaryOp::Mul => Some(HalfOp::Arith(HalfArith::Mul, Mode::Fusible)),
            BinaryOp::Div => Some(HalfOp::Div),
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                None
            }
        };
        let ty = self.ty_of(lhs);
        self.half_binary(op, op_span, (lhs, rhs), ty, span)
    }

    /// The same of a comparison. Of pairs it holds if it holds for both numbers; `!=` holds of NaN.
    pub(in crate::sema) fn half_comparison(
        &mut self,
        op: CompareOp,
        op_span: Span,
        operands: (Expr, Expr),
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        let unordered = op == CompareOp::Ne;
        self.half_binary(Some(HalfOp::Compare { op, unordered }), op_span, operands, Ty::BOOL, span)
    }

    fn half_binary(
        &mut self,
        op: Option<HalfOp>,
        op_span: Span,
        (lhs, rhs): (Expr, Expr),
        ty: Ty,
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        let (left, right) = (self.half_of(lhs), self.half_of(rhs));
        if left.is_none() && right.is_none() {
            return None;
        }
        let ty = self.module.types.unqualified(ty);
        Some(match op {
            Some(op) if left == right => Ok(self.half_builtin(op, vec![lhs, rhs], ty, span)),
            Some(_) | None => Err(self.half_operands(op_span, lhs, rhs)),
        })
    }

    fn half_operands(&mut self, op_span: Span, lhs: Expr, rhs: Expr) -> Reported {
        let (left, right) = (self.show(self.ty_of(lhs)), self.show(self.ty_of(rhs)));
        let other = if self.half_of(lhs).is_some() { rhs } else { lhs };
        let half = self.half_of(lhs).or(self.half_of(rhs)).filter(|half| !half.is_pair());
        let is_number = self.has_constructor(self.ty_of(other));
        let is_ambiguous = half.is_some() && is_number;
        let message = if is_ambiguous {
            format!("use of overloaded operator is ambiguous (with operand types {left} and {right})")
        } else {
            format!("invalid operands to binary expression ({left} and {right})")
        };
        let diagnostic = Diagnostic::new(Code::InvalidOperands, op_span, message)
            .with_label(self.span_of(lhs), left)
            .with_label(self.span_of(rhs), right);
        self.sink.error(if is_ambiguous {
            diagnostic.with_help("cast one operand to the type of the other: `(float)` or `(half)`")
        } else {
            diagnostic
        })
    }

    /// `+`, `-` of a half-precision number; none if it is another operator or type.
    pub(in crate::sema) fn half_unary(
        &mut self,
        op: ast::UnaryOp,
        operand: Expr,
        span: Span,
    ) -> Option<Expr> {
        self.half_of(operand)?;
        let ty = self.ty_of(operand);
        match op {
            ast::UnaryOp::Plus => Some(operand),
            ast::UnaryOp::Neg => {
                Some(self.half_builtin(HalfOp::Unary(HalfUnary::Neg), vec![operand], ty, span))
            }
            ast::UnaryOp::BitNot
            | ast::UnaryOp::Not
            | ast::UnaryOp::Deref
            | ast::UnaryOp::AddrOf
            | ast::UnaryOp::PreInc
            | ast::UnaryOp::PreDec
            | ast::UnaryOp::PostInc
            | ast::UnaryOp::PostDec => None,
        }
    }
}
