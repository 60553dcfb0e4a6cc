//! Symbols that several inputs define.
//!
//! nvlink rejects two strong definitions, but accepts others without comparing them. Archive members are
//! ignored: nvlink decides which of them are linked.

use std::collections::BTreeMap;

use super::difference::{Difference, difference, shown};
use crate::error::Message;
use weft_objects::interface::{Interface, Symbol};

/// Reports symbols with several definitions.
pub fn duplicates(inputs: &[Interface]) -> Vec<Message> {
    let mut wrong = Vec::new();
    // By name, each with its GPU.
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
        // The definition that replaces the others.
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

/// One of two definitions replaces the other.
fn otherwise(name: &str, first: &Symbol, second: &Symbol, difference: &Difference) -> Message {
    let Difference { what, used: here, defined: there } = difference;
    let (shown, symbol) = shown(name);
    Message::new(format!(
        "conflicting definitions of `{shown}`: {what} {here} here, but {there} in the other"
    ))
    .note(format!("defined in {}{symbol}", first.place))
    .note(format!("and in {}", second.place))
}
