//! From the text of debug sections to bytes.

use std::collections::HashMap;

use gimli::{EndianSlice, LittleEndian};

use crate::ptx::syntax::Module;

/// Bytes of a section.
pub(super) type Slice<'b> = EndianSlice<'b, LittleEndian>;

/// The debug sections as bytes.
pub(super) struct Assembled<'t> {
    sections: HashMap<&'t str, Vec<u8>>,
    /// Each use of what is not a place in a section. Its value is its number here from 1 on, in the upper half.
    symbols: Vec<&'t str>,
}

/// How far a symbol's number is from the bottom of its value.
const SYMBOL_SHIFT: u32 = 32;

impl<'t> Assembled<'t> {
    pub(super) fn new(module: &Module<'t>) -> Self {
        let mut labels = HashMap::new();
        for &(name, text) in &module.sections {
            let mut at = 0;
            for item in items(text) {
                match item {
                    Item::Label(label) => _ = labels.insert(label, at),
                    Item::Value(_, n_bytes) => at += n_bytes as u64,
                }
            }
            labels.insert(name, 0);
        }
        let mut assembled = Assembled { sections: HashMap::new(), symbols: Vec::new() };
        for &(name, text) in &module.sections {
            let mut bytes = Vec::new();
            for item in items(text) {
                if let Item::Value(value, n_bytes) = item {
                    let value = assembled.value(value, &labels);
                    bytes.extend_from_slice(&value.to_le_bytes()[..n_bytes]);
                }
            }
            assembled.sections.entry(name).or_insert(bytes);
        }
        assembled
    }

    /// The bytes of a section; empty if the module lacks it.
    pub(super) fn section(&self, name: &str) -> Slice<'_> {
        EndianSlice::new(self.sections.get(name).map_or(&[], Vec::as_slice), LittleEndian)
    }

    /// The symbol that a value stands for, and what was added to it.
    pub(super) fn symbol(&self, value: u64) -> Option<(&'t str, u64)> {
        let number = (value >> SYMBOL_SHIFT).checked_sub(1)?;
        let symbol = self.symbols.get(number as usize)?;
        Some((symbol, value & (u64::MAX >> SYMBOL_SHIFT)))
    }

    /// `7`, `label`, `.debug_abbrev`, `symbol+4`, `label-label`.
    fn value(&mut self, text: &'t str, labels: &HashMap<&'t str, u64>) -> u64 {
        let after_sign = text.get(1..).unwrap_or_default();
        let end = after_sign.find(['+', '-']).map_or(text.len(), |at| at + 1);
        let (first, rest) = text.split_at(end);
        let first = first.trim();
        let value = match (first.parse::<i128>(), labels.get(first.trim_start_matches('.'))) {
            (Ok(number), _) => number as u64,
            (Err(_), Some(&at)) => at,
            (Err(_), None) => {
                self.symbols.push(first);
                (self.symbols.len() as u64) << SYMBOL_SHIFT
            }
        };
        match rest.split_at_checked(1) {
            Some(("+", rest)) => value.wrapping_add(self.value(rest.trim(), labels)),
            Some((_, rest)) => value.wrapping_sub(self.value(rest.trim(), labels)),
            None => value,
        }
    }
}

/// What stands in a section.
#[derive(Debug, PartialEq)]
enum Item<'t> {
    Label(&'t str),
    /// Its text, and how many bytes it has.
    Value(&'t str, usize),
}

/// `label: .b8 1,2 .b32 label .b64 symbol+4`, with comments.
fn items(text: &str) -> impl Iterator<Item = Item<'_>> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    code.flat_map(|line| {
        let mut items = Vec::new();
        let mut rest = line.trim();
        while let Some((label, after)) = rest.split_once(':') {
            items.push(Item::Label(label.trim()));
            rest = after.trim_start();
        }
        // Several directives may share a line.
        for directive in rest.split(".b").skip(1) {
            let Some((bits, values)) = directive.split_once(char::is_whitespace) else { continue };
            let Ok(bits @ (8 | 16 | 32 | 64)) = bits.parse::<usize>() else { continue };
            items.extend(values.split(',').map(|value| Item::Value(value.trim(), bits / 8)));
        }
        items
    })
}
