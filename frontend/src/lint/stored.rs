//! Variables that get values which nothing reads.

use std::collections::BTreeSet;

use super::Lints;
use crate::ast::{ExprId, ExprKind};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, Expr, ExprData, Local, PlaceData, Quals, StmtData};
use crate::token::Symbol;

impl Lints<'_> {
    pub(super) fn stored(&mut self) {
        if !self.sink.is_on(Code::UnusedButSetVariable) && !self.sink.is_on(Code::UnusedButSetParameter) {
            return;
        }
        let sized = self.unevaluated_names();
        let module = self.module;
        for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
            self.stored_in(body, &sized);
        }
    }

    fn stored_in(&mut self, body: &Body, sized: &BTreeSet<Symbol>) {
        let dropped = dropped(body);
        let (mut set, mut read) = (BTreeSet::new(), BTreeSet::new());
        let mut stored_places = BTreeSet::new();
        for (expr, node) in &body.exprs {
            let (ExprData::Assign { place, .. } | ExprData::Modify { place, .. }) = node.data else {
                continue;
            };
            if let PlaceData::Local(local) = body.places[place].data
                && dropped.contains(&expr)
            {
                set.insert(local);
                stored_places.insert(place);
            }
        }
        for (place, node) in &body.places {
            if let PlaceData::Local(local) = node.data
                && !stored_places.contains(&place)
            {
                read.insert(local);
            }
        }
        for local in set.difference(&read) {
            self.report_stored(body, *local, sized);
        }
    }

    fn report_stored(&mut self, body: &Body, local: Local, sized: &BTreeSet<Symbol>) {
        let data = &body.locals[local];
        let Some(name) = &data.name else { return };
        let is_volatile = self.module.types.quals(data.ty).contains(Quals::VOLATILE);
        if is_volatile || sized.iter().any(|&symbol| self.interner.spelling(symbol) == name) {
            return;
        }
        let (code, what) = if data.is_param {
            (Code::UnusedButSetParameter, "parameter")
        } else {
            (Code::UnusedButSetVariable, "variable")
        };
        self.warn(Diagnostic::new(code, data.span, format!("{what} `{name}` set but not used")));
    }

    /// The names in operands of `sizeof` and the like, of which the typed program knows nothing.
    fn unevaluated_names(&self) -> BTreeSet<Symbol> {
        let mut names = BTreeSet::new();
        for node in self.unit.exprs.values() {
            if let ExprKind::SizeofExpr(operand) | ExprKind::AlignofExpr(operand) = node.kind {
                let span = self.unit.exprs[operand].span;
                let inside = |id: &ExprId| {
                    let at = self.unit.exprs[*id].span;
                    span.lo <= at.lo && at.hi <= span.hi
                };
                for id in self.unit.exprs.keys().filter(inside) {
                    if let ExprKind::Ident(symbol) = self.unit.exprs[id].kind {
                        names.insert(symbol);
                    }
                }
            }
        }
        names
    }
}

/// The expressions whose values are dropped.
fn dropped(body: &Body) -> BTreeSet<Expr> {
    let mut dropped = BTreeSet::new();
    for node in body.stmts.values() {
        match node.data {
            StmtData::Expr(expr) | StmtData::For { step: Some(expr), .. } => {
                drop_value(body, expr, &mut dropped)
            }
            _ => {}
        }
    }
    for node in body.exprs.values() {
        if let ExprData::Comma(first, _) = node.data {
            drop_value(body, first, &mut dropped);
        }
    }
    dropped
}

fn drop_value(body: &Body, expr: Expr, dropped: &mut BTreeSet<Expr>) {
    dropped.insert(expr);
    match body.exprs[expr].data {
        ExprData::Convert(_, inner) => drop_value(body, inner, dropped),
        ExprData::Comma(_, second) => drop_value(body, second, dropped),
        ExprData::Conditional { then, otherwise, .. } => {
            drop_value(body, then, dropped);
            drop_value(body, otherwise, dropped);
        }
        _ => {}
    }
}
