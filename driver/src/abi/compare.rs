//! Compares what two inputs say about one symbol.

use weft_frontend::diag::render::Format;

use super::difference::{Definitions, Difference, difference, lacks_alignment, shown};
use super::duplicate::duplicates;
use super::undefined::undefined;
use crate::emit::report;
use crate::error::{Error, Message};
use weft_objects::interface::{Interface, Item, Symbol, Unknown};

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
