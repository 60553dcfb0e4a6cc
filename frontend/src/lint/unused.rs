//! Unused variables, parameters, functions and labels.

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, Function, InlineHint, Linkage, UnusedKind, UnusedName};

impl Lints<'_> {
    pub(super) fn unused_names(&mut self) {
        let module = self.module;
        for name in &module.unused {
            self.unused_name(name);
        }
    }

    pub(super) fn unused(&mut self, body: &Body) {
        if self.is_any_on(&[Code::UnusedParameter, Code::UnusedVariable]) {
            self.unused_locals(body);
        }
        if self.sink.is_on(Code::UnusedLabel) {
            self.unused_labels(body);
        }
    }

    fn unused_name(&mut self, unused: &UnusedName) {
        let UnusedName { name, kind, span } = unused;
        let (code, what) = match kind {
            UnusedKind::Typedef => (Code::UnusedLocalTypedef, "typedef"),
            UnusedKind::Variable { is_local: true, .. } => (Code::UnusedVariable, "variable"),
            // Declarations in a header are for all files that include it.
            UnusedKind::Variable { .. } if !self.sources.is_in_program(*span) => return,
            UnusedKind::Variable { is_const: true, .. } => (Code::UnusedConstVariable, "variable"),
            UnusedKind::Variable { is_const: false, .. } => (Code::UnusedVariable, "variable"),
        };
        self.warn(Diagnostic::new(code, *span, format!("unused {what} `{name}`")));
    }

    pub(super) fn unused_function(&mut self, function: &Function) {
        if !self.sink.is_on(Code::UnusedFunction) {
            return;
        }
        let is_for_all = matches!(function.inline, InlineHint::Inline | InlineHint::Always)
            && !self.sources.is_in_program(function.span);
        if is_for_all {
            return;
        }
        if function.linkage == Linkage::Internal && !function.is_referenced && function.body.is_some() {
            let message = format!("unused function `{}`", function.name);
            self.warn(Diagnostic::new(Code::UnusedFunction, function.span, message));
        }
    }

    fn unused_locals(&mut self, body: &Body) {
        for local in body.locals.values().filter(|local| !local.is_referenced) {
            let Some(name) = &local.name else { continue };
            let (code, what) = if local.is_param {
                (Code::UnusedParameter, "parameter")
            } else {
                (Code::UnusedVariable, "variable")
            };
            self.warn(Diagnostic::new(code, local.span, format!("unused {what} `{name}`")));
        }
    }

    fn unused_labels(&mut self, body: &Body) {
        for label in body.labels.values().filter(|label| !label.is_used) {
            self.warn(Diagnostic::new(
                Code::UnusedLabel,
                label.span,
                format!("unused label `{}`", label.name),
            ));
        }
    }
}
