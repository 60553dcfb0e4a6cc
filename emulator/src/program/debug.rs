//! Variables in local memory, from the debug information in PTX (`.section .debug_info`, DWARF).
//!
//! A compiler puts all local variables of a function into one array, the depot (`__local_depot0`). Which bytes of it belong to which
//! variable only the debug information says: a location there is the depot and an offset. It is read only where the code is
//! not optimized, since an optimizer forms addresses that point outside the variable that they are used for: `weftc -G` and
//! `nvcc -G` never optimize.
//!
//! The sections are text. They are turned into the bytes that they stand for, with symbols as numbers that lead back to
//! the symbols, and read by gimli. Whatever cannot be read is left out: the variables only improve checks and messages.

mod section;
mod unit;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use gimli::{DebugAbbrev, DebugInfo, DebugStr};

use self::section::{Assembled, Slice};
use self::unit::Unit;
use crate::memory::layout::Layout;
use crate::ptx::syntax::Module;

/// A variable in a depot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Local {
    pub(super) name: String,
    /// Where it begins in the depot.
    pub(super) offset: u64,
    pub(super) layout: Layout,
}

impl Local {
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.layout.size())
    }
}

/// The local variables of a module by the name of their depot, in the order of their offsets.
pub(super) type Locals<'t> = HashMap<&'t str, Vec<Local>>;

/// Producers whose code is not optimized when there is full debug information: `DW_AT_producer` begins so.
const PRODUCERS: [&[u8]; 2] = [b"weftc ", b"lgenfe: EDG"];

/// The local variables that a module's debug information describes.
pub(super) fn locals<'t>(module: &Module<'t>) -> Locals<'t> {
    let mut locals = Locals::new();
    if !module.targets.contains(&"debug") {
        return locals;
    }
    let sections = Assembled::new(module);
    // What was read before a fault stays.
    let _ = read(&sections, &mut locals);
    for variables in locals.values_mut() {
        variables.sort_by_key(|variable| variable.offset);
        variables.dedup();
        if variables.windows(2).any(|two| two[0].end() > two[1].offset) {
            // Variables that share memory: no address tells which is meant.
            variables.clear();
        }
    }
    locals.retain(|_, variables| !variables.is_empty());
    locals
}

fn read<'t>(sections: &Assembled<'t>, locals: &mut Locals<'t>) -> gimli::Result<()> {
    let info = DebugInfo::from(sections.section("debug_info"));
    let abbreviations = DebugAbbrev::from(sections.section("debug_abbrev"));
    let strings = DebugStr::from(sections.section("debug_str"));
    let mut headers = info.units();
    while let Some(header) = headers.next()? {
        let abbreviations = header.abbreviations(&abbreviations)?;
        read_unit(sections, &Unit { header, abbreviations, strings }, locals)?;
    }
    Ok(())
}

fn read_unit<'t>(sections: &Assembled<'t>, unit: &Unit<'_>, locals: &mut Locals<'t>) -> gimli::Result<()> {
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        match entry.tag() {
            gimli::DW_TAG_compile_unit => {
                let producer = unit.text(entry, gimli::DW_AT_producer);
                let optimizes =
                    |name: Slice<'_>| !PRODUCERS.iter().any(|known| name.slice().starts_with(known));
                if producer.is_none_or(optimizes) {
                    return Ok(());
                }
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                let place = entry.attr_value(gimli::DW_AT_location);
                let place = place.and_then(|place| unit.place(&place, sections));
                let (name, layout) = (unit.text(entry, gimli::DW_AT_name), unit.layout_of(entry));
                if let (Some(name), Some((depot, offset)), Some(layout)) = (name, place, layout) {
                    let name = name.to_string_lossy().into_owned();
                    locals.entry(depot).or_default().push(Local { name, offset, layout });
                }
            }
            _ => {}
        }
    }
    Ok(())
}
