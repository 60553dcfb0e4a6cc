//! Symbols that several inputs define.
//!
//! nvlink refuses two definitions of which neither is weak, and takes any others without looking at what they are. Parts of
//! archives are left to it: which of them are linked, it decides.

use std::collections::BTreeMap;

use super::compare::{Difference, difference, shown};
use crate::error::Message;
use weft_objects::interface::{Interface, Symbol};

/// What is wrong about symbols that are defined more than once.
pub fn duplicates(inputs: &[Interface]) -> Vec<Message> {
    let mut wrong = Vec::new();
    // By the name, each with the GPU whose code it is.
    let mut known: BTreeMap<&str, Vec<(Option<u32>, &Symbol)>> = BTreeMap::new();
    let linked = inputs.iter().filter(|input| !input.is_member);
    let symbols =
        linked.flat_map(|input| input.symbols.iter().map(|(name, symbol)| (name, input.gpu, symbol)));
    for (name, gpu, symbol) in symbols.filter(|(_, _, symbol)| symbol.is_defined) {
        let others = known.entry(name).or_default();
        let links = |other: Option<u32>| other.is_none() || gpu.is_none() || other == gpu;
        let Some((_, first)) = others.iter_mut().find(|&&mut (other, _)| links(other)) else {
            others.push((gpu, symbol));
            continue;
        };
        if !first.is_weak && !symbol.is_weak {
            wrong.push(twice(name, first, symbol));
        } else if let Some(difference) = difference(&first.item, &symbol.item) {
            wrong.push(otherwise(name, first, symbol, &difference));
        }
        // What the others give way to.
        if first.is_weak {
            *first = symbol;
        }
    }
    wrong
}

fn twice(name: &str, first: &Symbol, second: &Symbol) -> Message {
    let (shown, symbol) = shown(name);
    Message::new(format!("redefinition of `{shown}`"))
        .note(format!("defined in {}{symbol}", first.place))
        .note(format!("and in {}", second.place))
        .help("define it in one file and declare it in the other, or make it `static`")
}

/// One of two gives way to the other.
fn otherwise(name: &str, first: &Symbol, second: &Symbol, difference: &Difference) -> Message {
    let Difference { what, used: here, defined: there } = difference;
    let (shown, symbol) = shown(name);
    Message::new(format!(
        "conflicting definitions of `{shown}`: {what} {here} here, but {there} in the other"
    ))
    .note(format!("defined in {}{symbol}", first.place))
    .note(format!("and in {}", second.place))
}
