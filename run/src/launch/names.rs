//! The names of functions, buffers and variables in messages: those of the source, and elements by type.

use weft_emulator::exec::names::{Layout, Names};
use weft_emulator::ptx::syntax::Module;

use super::variables::{last_name, shared_in};
use super::{Launch, Placed};
use crate::kernel::source_name;
use crate::variable::Variable;

impl Launch {
    /// The names for a launch of the kernel with this symbol.
    pub(super) fn names(&self, trees: &[Module<'_>], kernel: &str, placed: &Placed) -> Names {
        let mut names = Names::default();
        for tree in trees {
            for function in &tree.functions {
                names.add_function(function.name, source_name(function.name));
                for symbol in shared_in(function) {
                    let layout = self.variables.get(&symbol).and_then(|known| known.layout.clone());
                    names.add_object(&symbol, last_name(&symbol), layout);
                }
            }
            for declared in &tree.variables {
                let known = self.variables.get(declared.name).cloned();
                let layout =
                    known.or_else(|| Variable::of_ptx(declared)).and_then(|variable| variable.layout);
                names.add_object(declared.name, last_name(declared.name), layout);
            }
        }
        let pointees = self.pointees.get(kernel).map_or(&[][..], Vec::as_slice);
        for buffer in &placed.buffers {
            let pointee = buffer.place.parse().ok().and_then(|place: usize| pointees.get(place)?.clone());
            let element = pointee.unwrap_or(Layout::Number(buffer.before.ty().size() as u64));
            let name = buffer.shown.clone();
            names.add_object(&name, &name, Some(Layout::Array(Box::new(element), u64::MAX)));
        }
        names
    }
}
