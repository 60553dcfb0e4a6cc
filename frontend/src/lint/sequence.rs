//! Unsequenced modifications of a variable within an expression (C++17 4.6p17).
//!
//! Since C++17 the right side of an assignment, a subscripted array and the left side of a shift come
//! first; the operands of arithmetic and comparisons are unsequenced, and so are the effects in
//! them.

use std::collections::BTreeMap;

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{BinaryOp, Body, Expr, ExprData, Local, Place, PlaceData};
use crate::source::Span;

/// The effects of an expression on variables.
#[derive(Default)]
struct Effects {
    reads: BTreeMap<Local, Span>,
    writes: BTreeMap<Local, Span>,
}

impl Lints<'_> {
    pub(super) fn sequence(&mut self, body: &Body) {
        if !self.sink.is_on(Code::Unsequenced) || !changes_within_expressions(body) {
            return;
        }
        for node in body.exprs.values() {
            let (lhs, rhs) = match node.data {
                ExprData::Binary(BinaryOp::Shl | BinaryOp::Shr, ..) => continue,
                ExprData::Binary(_, lhs, rhs)
                | ExprData::Compare(_, lhs, rhs)
                | ExprData::PtrDiff(lhs, rhs) => (lhs, rhs),
                _ => continue,
            };
            if is_leaf(body, lhs) && is_leaf(body, rhs) {
                continue;
            }
            self.operands(body, lhs, rhs);
        }
    }

    fn operands(&mut self, body: &Body, lhs: Expr, rhs: Expr) {
        let (mut left, mut right) = (Effects::default(), Effects::default());
        left.expr(body, lhs);
        right.expr(body, rhs);
        for (one, other) in [(&left, &right), (&right, &left)] {
            for (&local, &span) in &one.writes {
                let (what, at) = match (other.writes.get(&local), other.reads.get(&local)) {
                    (Some(&at), _) => ("multiple unsequenced modifications to", at),
                    (None, Some(&at)) => ("unsequenced modification and access to", at),
                    (None, None) => continue,
                };
                let name = body.locals[local].name.as_deref().unwrap_or_default();
                let diagnostic = Diagnostic::new(Code::Unsequenced, span, format!("{what} `{name}`"))
                    .with_label(at, "unsequenced with this");
                return self.warn(diagnostic);
            }
        }
    }
}

/// Whether there are more changes of variables than statements that are one, and steps of loops: most bodies have
/// no other.
fn changes_within_expressions(body: &Body) -> bool {
    let is_change = |data: &ExprData| matches!(data, ExprData::Assign { .. } | ExprData::Modify { .. });
    let n_changes = body.exprs.values().filter(|node| is_change(&node.data)).count();
    let statements = body.stmts.values().filter(|node| {
        let expr = node.data.dropped();
        expr.is_some_and(|expr| is_change(&body.exprs[expr].data))
    });
    n_changes > statements.count()
}

fn is_leaf(body: &Body, expr: Expr) -> bool {
    match body.exprs[expr].data {
        ExprData::Int(_)
        | ExprData::WideInt(_)
        | ExprData::Float(_)
        | ExprData::Null
        | ExprData::SpecialReg(_)
        | ExprData::Bound => true,
        ExprData::Load(place) => !matches!(body.places[place].data, PlaceData::Deref(_)),
        ExprData::Convert(_, inner) => is_leaf(body, inner),
        _ => false,
    }
}

impl Effects {
    fn expr(&mut self, body: &Body, expr: Expr) {
        let node = &body.exprs[expr];
        match &node.data {
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Bound
            // Its statements have an order of their own.
            | ExprData::Block(..) => {}
            ExprData::Load(place) => self.read(body, *place),
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => self.place(body, *place),
            ExprData::Unary(_, inner) | ExprData::Not(inner) | ExprData::Convert(_, inner) => {
                self.expr(body, *inner)
            }
            ExprData::Binary(_, lhs, rhs)
            | ExprData::Compare(_, lhs, rhs)
            | ExprData::Logical(_, lhs, rhs)
            | ExprData::PtrDiff(lhs, rhs)
            | ExprData::Comma(lhs, rhs)
            | ExprData::PtrOffset { ptr: lhs, index: rhs, .. } => {
                self.expr(body, *lhs);
                self.expr(body, *rhs);
            }
            ExprData::Conditional { cond, then, otherwise } => {
                [cond, then, otherwise].into_iter().for_each(|&expr| self.expr(body, expr));
            }
            ExprData::Assign { place, value } => {
                self.expr(body, *value);
                self.write(body, *place, node.span);
            }
            ExprData::Modify { place, change, .. } => {
                if let Some(rhs) = change.rhs {
                    self.expr(body, rhs.value);
                }
                self.write(body, *place, node.span);
            }
            ExprData::Call { args, .. }
            | ExprData::CallIndirect { args, .. }
            | ExprData::Builtin(_, args)
            | ExprData::VaList(_, args)
            | ExprData::Record(args) => {
                args.iter().for_each(|&arg| self.expr(body, arg));
            }
        }
    }

    fn read(&mut self, body: &Body, place: Place) {
        match body.places[place].data {
            PlaceData::Local(local) => {
                self.reads.entry(local).or_insert(body.places[place].span);
            }
            _ => self.place(body, place),
        }
    }

    fn write(&mut self, body: &Body, place: Place, span: Span) {
        match body.places[place].data {
            PlaceData::Local(local) => {
                self.writes.entry(local).or_insert(span);
            }
            _ => self.place(body, place),
        }
    }

    /// The expressions evaluated for a place.
    fn place(&mut self, body: &Body, place: Place) {
        match body.places[place].data {
            PlaceData::Local(_) | PlaceData::Global(_) | PlaceData::CompoundLiteral(..) => {}
            PlaceData::Deref(expr) | PlaceData::Temporary(expr) | PlaceData::Assigned(expr) => {
                self.expr(body, expr)
            }
            PlaceData::Field(outer, _) => self.place(body, outer),
            PlaceData::Conditional(cond, choice) => {
                self.expr(body, cond);
                body.choices[choice].into_iter().for_each(|place| self.place(body, place));
            }
            PlaceData::Comma(first, place) => {
                self.expr(body, first);
                self.place(body, place);
            }
        }
    }
}
