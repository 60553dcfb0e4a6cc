//! Compares what two inputs say about one symbol.

use std::collections::BTreeMap;

use weft_frontend::diag::render::Format;
use weft_run::kernel::source_name;

use super::duplicate::duplicates;
use super::undefined::undefined;
use crate::emit::report;
use crate::error::{Error, Message};
use weft_objects::interface::{Interface, Item, Kind, Number, Passed, Prototype, Symbol, Unknown};

/// The definitions of each symbol, by GPU.
pub(super) type Definitions<'a> = BTreeMap<&'a str, BTreeMap<Option<u32>, &'a Symbol>>;

/// The result of comparing inputs.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The number of uses that were compared with a definition.
    pub n_compared: usize,
    /// The mismatches.
    pub mismatches: Vec<Message>,
    /// Inputs that cannot be read.
    pub damaged: Vec<Message>,
    /// Symbols that no input defines, although one defines another symbol of the same name.
    pub undefined: Vec<Message>,
    /// What could not be compared, and why.
    pub not_compared: Vec<String>,
}

impl Comparison {
    /// Reports all mismatches except the last, which is the returned error.
    ///
    /// # Errors
    ///
    /// If there are mismatches.
    pub fn report(self, format: Format) -> Result<(), Error> {
        let all = [self.damaged, self.mismatches, self.undefined];
        let mut errors = all.into_iter().flatten().map(Message::user);
        let Some(last) = errors.next_back() else { return Ok(()) };
        errors.for_each(|error| report::error(&error, format));
        Err(last)
    }
}

/// Compares each use of a symbol with its definition.
pub fn compare(inputs: &[Interface]) -> Comparison {
    let mut comparison = Comparison::default();
    for unknown in inputs.iter().filter_map(|input| input.unknown.as_ref()) {
        match unknown {
            Unknown::NotCompared(why) => comparison.not_compared.push(why.clone()),
            Unknown::Damaged(why) => comparison.damaged.push(Message::new(why)),
        }
    }
    // By name and GPU: an object may have code for several.
    let mut definitions = Definitions::new();
    for input in inputs {
        for (name, symbol) in input.symbols.iter().filter(|(_, symbol)| symbol.is_defined) {
            definitions.entry(name).or_default().entry(input.gpu).or_insert(symbol);
        }
    }
    for input in inputs {
        let used = input.symbols.iter().filter(|(_, symbol)| !symbol.is_defined);
        let pairs = used.flat_map(|(name, used)| {
            let defined = definitions.get(name.as_str()).into_iter().flatten();
            let links = |gpu: Option<u32>| gpu.is_none() || input.gpu.is_none() || gpu == input.gpu;
            defined.filter(move |&(&gpu, _)| links(gpu)).map(move |(_, &defined)| (name, used, defined))
        });
        for (name, used, defined) in pairs {
            if used.item == Item::Unknown || defined.item == Item::Unknown {
                let silent = if used.item == Item::Unknown { used } else { defined };
                comparison.not_compared.push(format!("`{name}`: `{}` does not describe it", silent.place));
                continue;
            }
            comparison.n_compared += 1;
            if let Some(difference) = difference(&used.item, &defined.item) {
                comparison.mismatches.push(mismatch(name, used, defined, difference));
            } else if lacks_alignment(&used.item) || lacks_alignment(&defined.item) {
                let silent = if lacks_alignment(&used.item) { used } else { defined };
                let what = format!("the alignments of `{name}`: `{}` does not contain them", silent.place);
                comparison.not_compared.push(what);
            }
        }
    }
    comparison.mismatches.extend(duplicates(inputs));
    comparison.undefined = undefined(inputs, &definitions);
    comparison
}

/// A difference between two declarations.
pub(super) struct Difference {
    /// The part that differs, as the beginning of a phrase: "parameter 2 is".
    pub(super) what: String,
    pub(super) used: String,
    pub(super) defined: String,
}

fn mismatch(name: &str, used: &Symbol, defined: &Symbol, difference: Difference) -> Message {
    let Difference { what, used: here, defined: there } = difference;
    let (shown, symbol) = shown(name);
    Message::new(format!(
        "`{shown}`: declaration does not match its definition: {what} {here} here, but {there} in \
         the definition"
    ))
    .note(format!("used in {}{symbol}", used.place))
    .note(format!("defined in {}", defined.place))
    .help("declare it in a header that both files include")
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
fn lacks_alignment(item: &Item) -> bool {
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
