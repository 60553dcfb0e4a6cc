//! Values that nothing uses, of expressions without another effect.

use crate::ast::{self, ExprId, ExprKind, UnaryOp};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, ExprData, PlaceData, Quals};
use crate::sema::Warnings;
use crate::source::Span;

/// Where a value is dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::sema) enum Dropped {
    /// A statement, or a part of a `for`.
    Statement,
    /// Before a comma.
    BeforeComma,
}

impl Warnings<'_> {
    /// Looks at an expression whose value is dropped; `value` is what is left of it.
    pub(in crate::sema) fn warn_discarded(&mut self, id: ExprId, value: Expr, dropped: Dropped) {
        if self.has_volatile_read(value) {
            return;
        }
        if self.known.has_operators && self.is_made_by_call(value) {
            return self.names().warn_dropped_call(value);
        }
        let Some((code, span)) = self.useless(id) else {
            if self.is_call(id) {
                self.names().warn_dropped_call(value);
            }
            return;
        };
        let message = match (dropped, code) {
            (Dropped::BeforeComma, _) => "left operand of comma operator has no effect".to_owned(),
            (Dropped::Statement, Code::UnusedComparison) => {
                let is_eq = matches!(
                    self.unit.exprs[self.peeled(id)].kind,
                    ExprKind::Binary { op: ast::BinaryOp::Eq, .. }
                );
                let diagnostic = Diagnostic::new(code, span, "comparison result unused");
                let diagnostic = if is_eq { diagnostic.with_help("use `=` to assign") } else { diagnostic };
                return self.warn(diagnostic);
            }
            (Dropped::Statement, _) => "expression result unused".to_owned(),
        };
        let code = if dropped == Dropped::BeforeComma { Code::UnusedValue } else { code };
        self.warn(Diagnostic::new(code, span, message));
    }

    /// Whether a call gives the value, or a reference to it: an operator may be one.
    fn is_made_by_call(&self, value: Expr) -> bool {
        match self.arena.exprs[value].data {
            ExprData::Call { .. } => true,
            ExprData::Load(place) | ExprData::AddrOf(place) => match self.arena.places[place].data {
                PlaceData::Deref(pointer) => matches!(self.arena.exprs[pointer].data, ExprData::Call { .. }),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_call(&self, id: ExprId) -> bool {
        match self.unit.exprs[id].kind {
            ExprKind::Call { .. } => true,
            ExprKind::Paren(inner) => self.is_call(inner),
            ExprKind::Binary { op: ast::BinaryOp::Comma, rhs, .. } => self.is_call(rhs),
            _ => false,
        }
    }

    /// The part of the expression that has a value and no effect, and the place at which it shows.
    fn useless(&self, id: ExprId) -> Option<(Code, Span)> {
        let node = &self.unit.exprs[id];
        let value = Some((Code::UnusedValue, node.span));
        match &node.kind {
            ExprKind::Paren(inner) => self.useless(*inner),
            ExprKind::Binary { op, op_span, lhs, rhs } => match op {
                ast::BinaryOp::Comma => self.useless(*rhs),
                ast::BinaryOp::LogAnd | ast::BinaryOp::LogOr => {
                    self.useless(*lhs).and(self.useless(*rhs)).map(|_| (Code::UnusedValue, *op_span))
                }
                ast::BinaryOp::Lt
                | ast::BinaryOp::Gt
                | ast::BinaryOp::Le
                | ast::BinaryOp::Ge
                | ast::BinaryOp::Eq
                | ast::BinaryOp::Ne => Some((Code::UnusedComparison, *op_span)),
                ast::BinaryOp::Mul
                | ast::BinaryOp::Div
                | ast::BinaryOp::Rem
                | ast::BinaryOp::Add
                | ast::BinaryOp::Sub
                | ast::BinaryOp::Shl
                | ast::BinaryOp::Shr
                | ast::BinaryOp::BitAnd
                | ast::BinaryOp::BitXor
                | ast::BinaryOp::BitOr => Some((Code::UnusedValue, *op_span)),
            },
            ExprKind::Unary { op, op_span, .. } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => None,
                UnaryOp::Plus
                | UnaryOp::Neg
                | UnaryOp::BitNot
                | UnaryOp::Not
                | UnaryOp::Deref
                | UnaryOp::AddrOf => Some((Code::UnusedValue, *op_span)),
            },
            ExprKind::Conditional { then, otherwise, .. } => {
                then.and_then(|then| self.useless(then)).or_else(|| self.useless(*otherwise))
            }
            ExprKind::Member { name, .. } => Some((Code::UnusedValue, name.span)),
            ExprKind::ScopedMember { member, .. } => Some((Code::UnusedValue, self.unit.exprs[*member].span)),
            ExprKind::Cast { ty, .. }
            | ExprKind::NamedCast { ty, .. }
            | ExprKind::FunctionalCast { ty, .. } => {
                let ty = &self.unit.type_names[*ty];
                let is_void = matches!(ty.specs.ty, ast::TypeSpec::Builtin(ast::BuiltinTy::Void))
                    && ty.declarator.chunks.is_empty();
                if is_void { None } else { value }
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::This
            | ExprKind::Ident(_)
            | ExprKind::Element { .. }
            | ExprKind::SizeofPack { .. }
            | ExprKind::Index { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Offsetof { .. }
            | ExprKind::TypeTrait { .. } => value,
            ExprKind::VaArg { .. }
            | ExprKind::Braced(_)
            | ExprKind::Expansion(_)
            | ExprKind::Fold { .. }
            | ExprKind::Statements(_)
            | ExprKind::Lambda(_)
            | ExprKind::New(_)
            | ExprKind::Delete { .. }
            | ExprKind::Destroy { .. }
            | ExprKind::ConversionCall { .. }
            | ExprKind::RangeElement
            | ExprKind::Assign { .. }
            | ExprKind::Call { .. }
            | ExprKind::TemplateId { .. }
            | ExprKind::Scoped { .. }
            | ExprKind::StdFunction { .. }
            | ExprKind::NumericLimit { .. }
            | ExprKind::Error => None,
        }
    }

    /// A volatile object is read for the sake of reading it, and an object with a destructor is made for the sake of that.
    fn has_volatile_read(&self, value: Expr) -> bool {
        match self.arena.exprs[value].data {
            ExprData::Load(place) | ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                let ty = self.place_ty(place);
                self.module.types.quals(ty).contains(Quals::VOLATILE)
                    || match self.arena.places[place].data {
                        PlaceData::Temporary(_) => true,
                        PlaceData::CompoundLiteral(..) => self.manners_of(ty).is_destroyed(),
                        _ => false,
                    }
            }
            ExprData::Convert(_, inner) => self.has_volatile_read(inner),
            _ => false,
        }
    }
}
