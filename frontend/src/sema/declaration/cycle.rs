//! Variables whose initial values lead back to themselves.
//!
//! In PTX a variable's initial value can hold the addresses of variables before it, so two variables that
//! point to each other have no order. nvcc rejects them, too.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::diag::{Code, Diagnostic};
use crate::ir::{ConstInit, Global};
use crate::sema::Declarations;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Visit {
    #[default]
    Not,
    /// It is on the path that is being followed.
    Begun,
    Done,
}

impl Declarations<'_> {
    pub(in crate::sema) fn check_circular_initializers(&mut self) {
        let mut visits: SecondaryMap<Global, Visit> = SecondaryMap::new();
        let mut cycles = BTreeSet::new();
        for start in self.module.globals.keys() {
            if visits[start] != Visit::Not {
                continue;
            }
            visits[start] = Visit::Begun;
            // The path from `start`, each with the targets that are still to be followed.
            let mut path = vec![(start, self.pointed_to(start))];
            while let Some((global, targets)) = path.last_mut() {
                let global = *global;
                let Some(target) = targets.pop() else {
                    visits[global] = Visit::Done;
                    path.pop();
                    continue;
                };
                match visits[target] {
                    Visit::Not => {
                        visits[target] = Visit::Begun;
                        path.push((target, self.pointed_to(target)));
                    }
                    Visit::Begun => {
                        cycles.insert((target, global));
                    }
                    Visit::Done => {}
                }
            }
        }
        for (first, last) in cycles {
            self.report_circular(first, last);
        }
    }

    /// The variables whose addresses are in the initial value.
    fn pointed_to(&self, global: Global) -> Vec<Global> {
        self.module.globals[global].init.as_ref().map_or_else(Vec::new, ConstInit::globals)
    }

    fn report_circular(&mut self, first: Global, last: Global) {
        let globals = &self.module.globals;
        let name = |global: Global| globals[global].name.clone().unwrap_or_default();
        let message = format!("initial value of `{}` depends on its own address", name(first));
        let mut diagnostic = Diagnostic::new(Code::CircularInitializer, globals[first].span, message);
        if last != first {
            let label = format!("`{}` holds the address of `{}`", name(last), name(first));
            diagnostic = diagnostic.with_label(globals[last].span, label);
        }
        let note = "in PTX, an initial value can only contain addresses of earlier variables";
        self.sink.error(diagnostic.with_note(note).with_help("assign one of the addresses in a kernel"));
    }
}
