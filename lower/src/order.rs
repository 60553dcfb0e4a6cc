//! The order of variables: each comes after those whose addresses its initial value contains.
//!
//! PTX requires that order. Given any other, LLVM's PTX writer sorts the variables, and emits those that one initial value refers to in
//! the order of their addresses in the compiler's memory. This order needs no sorting, so the text does not depend on memory.

use cranelift_entity::SecondaryMap;
use weft_frontend::ir::{ConstInit, Global, Module};

use crate::Bug;

/// The state of a variable.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Visit {
    #[default]
    Not,
    /// It waits for the variables that its value refers to.
    Begun,
    Done,
}

/// All variables, in the order of the source where their values allow it.
///
/// # Errors
/// When a value leads back to its own variable, which the frontend rejects.
pub(crate) fn of_globals(module: &Module) -> Result<Vec<Global>, Bug> {
    let mut order = Vec::with_capacity(module.globals.len());
    let mut visits: SecondaryMap<Global, Visit> = SecondaryMap::new();
    for first in module.globals.keys() {
        // A stack, since chains of variables can be long: the last variable comes first.
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
