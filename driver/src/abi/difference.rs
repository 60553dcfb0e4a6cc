//! How two declarations of one symbol differ.

use std::collections::BTreeMap;

use weft_objects::interface::{Item, Kind, Number, Passed, Prototype, Symbol};
use weft_run::kernel::source_name;

/// The definitions of each symbol, by GPU.
pub(super) type Definitions<'a> = BTreeMap<&'a str, BTreeMap<Option<u32>, &'a Symbol>>;

/// A difference between two declarations.
pub(super) struct Difference {
    /// The part that differs, as the beginning of a phrase: "parameter 2 is".
    pub(super) what: String,
    pub(super) used: String,
    pub(super) defined: String,
}

/// The source name, and the symbol if it differs.
pub(super) fn shown(name: &str) -> (String, String) {
    let shown = source_name(name);
    let symbol = if shown == name { String::new() } else { format!(", as `{name}`") };
    (shown, symbol)
}

pub(super) fn difference(used: &Item, defined: &Item) -> Option<Difference> {
    match (used, defined) {
        (Item::Function(used), Item::Function(defined)) => functions(used, defined),
        (
            Item::Variable { space, size, align },
            Item::Variable { space: space_there, size: size_there, align: align_there },
        ) => {
            if space != space_there {
                return Some(plain("it is", format!("in `.{space}`"), format!("in `.{space_there}`")));
            }
            if let (Some(here), Some(there)) = (size, size_there)
                && here != there
            {
                return Some(plain("it has", format!("{here} bytes"), format!("{there} bytes")));
            }
            // A user may depend on more alignment than the definition guarantees.
            match (align, align_there) {
                (Some(here), Some(there)) if here > there => {
                    Some(plain("it is aligned to", format!("{here} bytes"), format!("{there} bytes")))
                }
                _ => None,
            }
        }
        (Item::Kernel, Item::Kernel) => None,
        _ => Some(plain("it is", name_of(used).to_owned(), name_of(defined).to_owned())),
    }
}

fn functions(used: &Prototype, defined: &Prototype) -> Option<Difference> {
    let (here, there) = (used.parameters.len(), defined.parameters.len());
    if here != there {
        let shown = |n: usize| format!("{n} parameter{}", if n == 1 { "" } else { "s" });
        return Some(plain("it has", shown(here), shown(there)));
    }
    let pairs = used.parameters.iter().zip(&defined.parameters).enumerate();
    let parameters = pairs.map(|(idx, pair)| (format!("parameter {} is", idx + 1), pair));
    if used.results.len() != defined.results.len() {
        let shown = |n: usize| if n == 0 { "nothing".to_owned() } else { "a value".to_owned() };
        return Some(plain("the result is", shown(used.results.len()), shown(defined.results.len())));
    }
    let results = used.results.iter().zip(&defined.results).map(|pair| ("the result is".to_owned(), pair));
    parameters.chain(results).find_map(|(what, (here, there))| {
        let is_same_align = here.align.is_none() || there.align.is_none() || here.align == there.align;
        let is_same_number = here.number.is_none() || there.number.is_none() || here.number == there.number;
        let agree = here.kind == there.kind && (is_same_align || here.kind == Kind::Open);
        if here.kind == there.kind && !is_same_number {
            return Some(Difference { what, used: as_number(here), defined: as_number(there) });
        }
        (!agree).then(|| Difference { what, used: here.to_string(), defined: there.to_string() })
    })
}

/// The kind of value passed, for sizes that do not determine it.
fn as_number(passed: &Passed) -> String {
    let number = match passed.number {
        Some(Number::Integer) => "an integer",
        Some(Number::Floating) => "a floating-point number",
        None => "a value",
    };
    let source = passed.source.as_ref().map(|source| format!("`{source}`, "));
    format!("{}{number}", source.unwrap_or_default())
}

/// Whether this is a struct whose alignment is unknown.
pub(super) fn lacks_alignment(item: &Item) -> bool {
    let Item::Function(Prototype { results, parameters }) = item else { return false };
    let lacks = |passed: &Passed| matches!(passed.kind, Kind::Bytes(_)) && passed.align.is_none();
    results.iter().chain(parameters).any(lacks)
}

fn plain(what: &str, used: String, defined: String) -> Difference {
    Difference { what: what.to_owned(), used, defined }
}

fn name_of(item: &Item) -> &'static str {
    match item {
        Item::Function(_) => "a function",
        Item::Kernel => "a kernel",
        Item::Variable { .. } => "a variable",
        Item::Unknown => "something",
    }
}
