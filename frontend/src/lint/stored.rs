//! Variables that are assigned but never read.

use std::collections::BTreeSet;

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, Expr, ExprData, Function, Local, PlaceData, Quals};

impl Lints<'_> {
    pub(super) fn stored(&mut self, function: &Function, body: &Body) {
        if !self.is_any_on(&[Code::UnusedButSetVariable, Code::UnusedButSetParameter]) {
            return;
        }
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
            self.report_stored(function, body, *local);
        }
    }

    fn report_stored(&mut self, function: &Function, body: &Body, local: Local) {
        let data = &body.locals[local];
        let Some(name) = &data.name else { return };
        let is_volatile = self.module.types.quals(data.ty).contains(Quals::VOLATILE);
        if is_volatile || self.is_unevaluated(name, function, body) {
            return;
        }
        let (code, what) = if data.is_param {
            (Code::UnusedButSetParameter, "parameter")
        } else {
            (Code::UnusedButSetVariable, "variable")
        };
        self.warn(Diagnostic::new(code, data.span, format!("{what} `{name}` set but not used")));
    }
}

/// The expressions whose values are dropped.
fn dropped(body: &Body) -> BTreeSet<Expr> {
    let mut dropped = BTreeSet::new();
    for node in body.stmts.values() {
        if let Some(expr) = node.data.dropped() {
            drop_value(body, expr, &mut dropped);
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
