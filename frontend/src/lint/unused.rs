//! Variables, parameters, functions and labels that nothing uses.

use super::Lints;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Body, Function, Linkage};

impl Lints<'_> {
    pub(super) fn unused(&mut self) {
        let module = self.module;
        for function in module.functions.values() {
            self.unused_function(function);
            let Some(body) = &function.body else { continue };
            self.unused_locals(body);
            self.unused_labels(body);
        }
    }

    fn unused_function(&mut self, function: &Function) {
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
