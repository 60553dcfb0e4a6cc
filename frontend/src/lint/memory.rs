//! Out-of-bounds accesses, and addresses that outlive their variable.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::Lints;
use super::flow::fold::value;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, Conversion, Expr, ExprData, Place, PlaceData, StmtData, TyKind};

impl Lints<'_> {
    pub(super) fn memory(&mut self, body: &Body) {
        if self.sink.is_on(Code::ArrayBounds) {
            self.bounds(body);
        }
        if self.sink.is_on(Code::ReturnStackAddress) {
            self.returned_addresses(body);
        }
    }

    /// Subscripts that are constants.
    fn bounds(&mut self, body: &Body) {
        // Found out where an index asks for it.
        let addressed = OnceCell::new();
        for (place, node) in &body.places {
            let PlaceData::Deref(pointer) = node.data else { continue };
            let ExprData::PtrOffset { ptr, index, subtract } = body.exprs[pointer].data else { continue };
            let ExprData::ArrayDecay(array) = body.exprs[ptr].data else { continue };
            let types = &self.module.types;
            let TyKind::Array(_, Some(len)) = *types.kind(types.canonical(body.places[array].ty)) else {
                continue;
            };
            let Some(at) =
                value(body, index).and_then(|at| if subtract { at.checked_neg() } else { Some(at) })
            else {
                continue;
            };
            // An array of length zero is one of any length.
            if (0..i128::from(len)).contains(&at) || len == 0 || self.is_trailing(body, array) {
                continue;
            }
            // The address past the last element may be taken.
            let is_end = at == i128::from(len);
            if is_end && addressed.get_or_init(|| addressed_places(body)).contains(&place) {
                continue;
            }
            let ty = types.describe(body.places[array].ty);
            let message = if at < 0 {
                format!("array index {at} is before the beginning of the array")
            } else {
                format!("array index {at} is past the end of the array (that has type {ty})")
            };
            let mut diagnostic = Diagnostic::new(Code::ArrayBounds, body.exprs[index].span, message);
            if let Some((name, span)) = self.declaration(body, array) {
                diagnostic = diagnostic.with_label(span, format!("array `{name}` declared here"));
            }
            self.warn(diagnostic);
        }
    }

    /// The last member of a struct accessed through a pointer: it may have more elements than declared.
    fn is_trailing(&self, body: &Body, array: Place) -> bool {
        let PlaceData::Field(outer, idx) = body.places[array].data else { return false };
        let types = &self.module.types;
        let fields =
            types.record(body.places[outer].ty).and_then(|record| types.records[record].fields.as_ref());
        let is_last = fields.is_some_and(|fields| idx as usize + 1 == fields.len());
        is_last && matches!(body.places[outer].data, PlaceData::Deref(_))
    }

    fn declaration(&self, body: &Body, place: Place) -> Option<(String, crate::source::Span)> {
        match body.places[place].data {
            PlaceData::Local(local) => {
                let data = &body.locals[local];
                Some((data.name.as_deref()?.to_owned(), data.span))
            }
            PlaceData::Global(global) => {
                let data = &self.module.globals[global];
                Some((data.name.clone()?, data.span))
            }
            PlaceData::Deref(_)
            | PlaceData::Field(..)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => None,
        }
    }

    fn returned_addresses(&mut self, body: &Body) {
        for node in body.stmts.values() {
            let StmtData::Return(Some(returned)) = node.data else { continue };
            let Some(place) = pointed_to(body, returned) else { continue };
            let Some((name, span)) = self.declaration(body, place) else { continue };
            let PlaceData::Local(local) = body.places[place].data else { continue };
            let what = if body.locals[local].is_param { "parameter" } else { "local variable" };
            let message = format!("address of stack memory associated with {what} `{name}` returned");
            let diagnostic = Diagnostic::new(Code::ReturnStackAddress, body.exprs[returned].span, message)
                .with_label(span, format!("`{name}` declared here"))
                .with_note("the variable does not exist after the function returns");
            self.warn(diagnostic);
        }
    }
}

fn addressed_places(body: &Body) -> BTreeSet<Place> {
    let addressed = body.exprs.values().filter_map(|node| match node.data {
        ExprData::AddrOf(place) => Some(place),
        _ => None,
    });
    addressed.collect()
}

/// The variable into which a pointer points for certain.
fn pointed_to(body: &Body, pointer: Expr) -> Option<Place> {
    match body.exprs[pointer].data {
        ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => root(body, place),
        ExprData::Convert(Conversion::PtrToPtr, inner) => pointed_to(body, inner),
        ExprData::PtrOffset { ptr, .. } => pointed_to(body, ptr),
        ExprData::Comma(_, second) => pointed_to(body, second),
        ExprData::Conditional { then, otherwise, .. } => {
            pointed_to(body, then).or_else(|| pointed_to(body, otherwise))
        }
        _ => None,
    }
}

fn root(body: &Body, place: Place) -> Option<Place> {
    match body.places[place].data {
        PlaceData::Local(_) => Some(place),
        PlaceData::Field(outer, _) => root(body, outer),
        PlaceData::Deref(pointer) => pointed_to(body, pointer),
        PlaceData::Global(_)
        | PlaceData::Temporary(_)
        | PlaceData::Assigned(_)
        | PlaceData::Conditional(..)
        | PlaceData::Comma(..)
        | PlaceData::CompoundLiteral(..) => None,
    }
}
