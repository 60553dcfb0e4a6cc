//! Orders variables: each comes after those whose addresses its initial value contains.
//!
//! PTX requires this order. LLVM's PTX writer sorts variables in any other order, and emits those that one
//! initial value refers to by their addresses in the compiler's memory. Sorted variables keep their order, so
//! the output is deterministic.

use cranelift_entity::SecondaryMap;
use weft_frontend::ir::{ConstInit, Global, Module};

use crate::Bug;

/// The state of a variable.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Visit {
    #[default]
    Not,
    /// Visiting the variables that its value refers to.
    Begun,
    Done,
}

/// All variables, in source order where their values permit it.
///
/// # Errors
///
/// If a value refers back to its own variable, which the frontend rejects.
pub(crate) fn of_globals(module: &Module) -> Result<Vec<Global>, Bug> {
    let mut order = Vec::with_capacity(module.globals.len());
    let mut visits: SecondaryMap<Global, Visit> = SecondaryMap::new();
    for first in module.globals.keys() {
        // An explicit stack, since chains of variables can be long.
        let mut path = vec![first];
        while let Some(&global) = path.last() {
            if visits[global] != Visit::Not {
                path.pop();
                if visits[global] == Visit::Begun {
                    visits[global] = Visit::Done;
                    order.push(global);
                }
                continue;
            }
            visits[global] = Visit::Begun;
            let init = module.globals[global].init.as_ref();
            for target in init.map_or_else(Vec::new, ConstInit::globals).into_iter().rev() {
                match visits[target] {
                    Visit::Not => path.push(target),
                    Visit::Begun => {
                        return Err(Bug::from("the initial value of a variable depends on its own address"));
                    }
                    Visit::Done => {}
                }
            }
        }
    }
    Ok(order)
}
