//! Symbols that an input uses and no input defines, while one defines another symbol of the same name: an
//! overload for other types, or the same function as C++ and as C.
//!
//! An undefined symbol may come from a library, so it is not an error here: nvlink decides. If there is
//! another symbol of the same name, the two declarations differ. Uses in archives are ignored: their members
//! may not be linked.

use std::collections::{BTreeMap, BTreeSet};

use weft_run::kernel::{signature, source_name};

use super::difference::Definitions;
use crate::error::Message;
use weft_objects::interface::Interface;

/// The number of other definitions that a message lists.
const N_SHOWN: usize = 4;

/// A message for each such symbol.
pub(super) fn undefined(inputs: &[Interface], definitions: &Definitions<'_>) -> Vec<Message> {
    let mut namesakes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for &symbol in definitions.keys() {
        namesakes.entry(source_name(symbol)).or_default().push(symbol);
    }
    let mut seen = BTreeSet::new();
    let linked = inputs.iter().filter(|input| !input.is_member);
    let uses = linked.flat_map(|input| input.symbols.iter()).filter(|(_, symbol)| !symbol.is_defined);
    let mut messages = Vec::new();
    for (name, used) in uses.filter(|(name, _)| !definitions.contains_key(name.as_str())) {
        let Some(others) = namesakes.get(&source_name(name)).filter(|_| seen.insert(name)) else { continue };
        let mut message = Message::new(format!("undefined reference to `{}`", signature(name)))
            .note(format!("used in {}, as `{name}`", used.place));
        for other in others.iter().take(N_SHOWN) {
            let places = definitions.get(other).into_iter().flat_map(BTreeMap::values);
            let place = places.map(|symbol| symbol.place.as_str()).next().unwrap_or_default();
            message = message.note(format!("`{}` is defined in {place}, as `{other}`", signature(other)));
        }
        messages.push(message.help("declare it in a header that both files include"));
    }
    messages
}
