//! Warnings that need an operator as it was written and the types of its operands.
//!
//! What `sema` decides is not touched: each function here looks and may warn, and is called where the
//! operands are at hand. What needs the flow of control, or the text alone, is in [`crate::lint`].
//!
//! - [`compare`]: comparisons that mix signs or enums, or have one result
//! - [`condition`]: conditions that are no question
//! - [`constant`]: constants that change, or do not fit
//! - [`discard`]: values that nothing uses
//! - [`format`]: formats of `printf` and their arguments
//! - [`range`]: the values that an expression can have, from its form and type
//! - [`suspect`]: operators that are probably meant otherwise

mod compare;
mod condition;
mod constant;
mod discard;
mod format;
mod range;
mod suspect;

pub(super) use compare::Comparison;
pub(super) use discard::Dropped;
pub(super) use format::{Formats, Printed};
pub(super) use suspect::Operation;

use super::Warnings;
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, ExprData, Place, PlaceData, Quals};

impl Warnings<'_> {
    /// Takes a warning about a program that is right.
    fn warn(&mut self, diagnostic: Diagnostic) {
        self.sink.emit(diagnostic);
    }

    /// The expression without parentheses around it.
    pub(super) fn peeled(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.unit.exprs[expr].kind {
            expr = inner;
        }
        expr
    }

    /// Whether two expressions are written alike and have the same value each time: no calls, no effects.
    fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        let exprs = &self.unit.exprs;
        let (a, b) = (self.peeled(a), self.peeled(b));
        match (&exprs[a].kind, &exprs[b].kind) {
            (ExprKind::Ident(a), ExprKind::Ident(b)) => a == b,
            (ExprKind::Int(a), ExprKind::Int(b)) => a.value == b.value,
            (
                ExprKind::Member { base: a, arrow: a_arrow, name: a_name },
                ExprKind::Member { base: b, arrow: b_arrow, name: b_name },
            ) => a_arrow == b_arrow && a_name.symbol == b_name.symbol && self.is_same(*a, *b),
            (ExprKind::Index { base: a, index: a_index }, ExprKind::Index { base: b, index: b_index }) => {
                self.is_same(*a, *b) && self.is_same(*a_index, *b_index)
            }
            (
                ExprKind::Unary { op: UnaryOp::Deref, operand: a, .. },
                ExprKind::Unary { op: UnaryOp::Deref, operand: b, .. },
            ) => self.is_same(*a, *b),
            _ => false,
        }
    }

    /// Whether the value is read from memory that may change by itself.
    fn is_volatile_read(&self, expr: Expr) -> bool {
        match self.arena.exprs[expr].data {
            ExprData::Load(place) => self.module.types.quals(self.place_ty(place)).contains(Quals::VOLATILE),
            _ => false,
        }
    }

    /// The variable itself, without a pointer followed on the way to it.
    fn is_variable(&self, place: Place) -> bool {
        match self.arena.places[place].data {
            PlaceData::Local(_) | PlaceData::Global(_) => true,
            PlaceData::Field(outer, _) => self.is_variable(outer),
            PlaceData::Deref(_)
            | PlaceData::Temporary(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::Assigned(_)
            | PlaceData::CompoundLiteral(..) => false,
        }
    }

    /// `x = x`
    pub(super) fn warn_self_assign(
        &mut self,
        lhs: ExprId,
        rhs: ExprId,
        op_span: crate::source::Span,
        place: Place,
    ) {
        let exprs = &self.unit.exprs;
        if !matches!(exprs[rhs].kind, ExprKind::Ident(_)) {
            return;
        }
        let is_name = matches!(exprs[self.peeled(lhs)].kind, ExprKind::Ident(_));
        let is_volatile = self.module.types.quals(self.place_ty(place)).contains(Quals::VOLATILE);
        // `x = (x)` says that it is meant.
        if !is_name || is_volatile || !self.is_same(lhs, rhs) {
            return;
        }
        let ty = self.show(self.place_ty(place));
        let message = format!("explicitly assigning value of variable of type {ty} to itself");
        self.warn(Diagnostic::new(Code::SelfAssign, op_span, message));
    }

    /// `a[c]` with a `char`, which may be negative.
    pub(super) fn warn_char_subscript(&mut self, index: Expr) {
        if self.canonical(self.ty_of(index)) != crate::ir::Ty::CHAR
            || self.arena.exprs[index].data.as_int().is_some()
        {
            return;
        }
        let message = "array subscript is of type `char`, which can be negative";
        let diagnostic = Diagnostic::new(Code::CharSubscripts, self.span_of(index), message)
            .with_help("cast it to `unsigned char`");
        self.warn(diagnostic);
    }
}
