//! Static assertions in the generated header that the including compiler lays types out as weftc does.

use std::collections::BTreeSet;
use std::fmt::Write;

use weft_frontend::ir::{IntTy, Record, TypeTable};
use weft_frontend::layout::{self, RecordLayout};

use super::types::{Unnamed, unnamed};

/// The assertions.
pub(super) struct Assertions<'a> {
    types: &'a TypeTable,
    /// The sizes of types whose size depends on the host: by name.
    sizes: BTreeSet<(&'static str, u64)>,
    text: String,
}

impl<'a> Assertions<'a> {
    pub(super) fn new(types: &'a TypeTable) -> Self {
        Assertions { types, sizes: BTreeSet::new(), text: String::new() }
    }

    /// The text of all assertions.
    pub(super) fn finish(self) -> String {
        let size = |(name, size): &(&str, u64)| format!("WEFT_STATIC_ASSERT(sizeof({name}) == {size});\n");
        self.sizes.iter().map(size).collect::<String>() + &self.text
    }

    /// Adds an assertion for pointers.
    pub(super) fn pointer(&mut self) {
        self.sizes.insert(("void *", self.types.model().pointer_size()));
    }

    /// Adds an assertion for an integer type.
    pub(super) fn integer(&mut self, int: IntTy) {
        if matches!(int, IntTy::Long | IntTy::ULong | IntTy::Long32 | IntTy::ULong32 | IntTy::WChar) {
            self.sizes.insert((int.spelling(), layout::int_layout(int).size));
        }
    }

    /// Adds an assertion for an enum.
    pub(super) fn enumeration(&mut self, name: &str, underlying: IntTy) {
        self.sized(name, layout::int_layout(underlying).size);
    }

    /// Adds an assertion for a type that CUDA's headers define.
    pub(super) fn builtin(&mut self, record: Record) {
        let types = self.types;
        if let (Some(tag), Ok(layout)) = (&types.records[record].tag, layout::record_layout(types, record)) {
            self.sized(tag, layout.layout.size);
            self.aligned(tag, layout.layout.align);
        }
    }

    /// Adds assertions for a struct or union.
    pub(super) fn record(&mut self, name: &str, record: Record) {
        let Ok(layout) = layout::record_layout(self.types, record) else { return };
        self.sized(name, layout.layout.size);
        self.aligned(name, layout.layout.align);
        self.members(name, record, &layout, 0);
    }

    /// Adds assertions for the members of a struct, including those of unnamed members; `start` is the
    /// struct's offset.
    fn members(&mut self, name: &str, record: Record, layout: &RecordLayout, start: u64) {
        let types = self.types;
        let fields = types.records[record].fields.as_deref().unwrap_or_default();
        for (field, place) in fields.iter().zip(&layout.fields) {
            let offset = start + place.offset;
            match (&field.name, unnamed(types, field.ty)) {
                (Some(member), _) if place.bits.is_none() => {
                    let _ =
                        writeln!(self.text, "WEFT_STATIC_ASSERT(offsetof({name}, {member}) == {offset});");
                }
                (None, Some(Unnamed::Record(inner))) => {
                    if let Ok(layout) = layout::record_layout(types, inner) {
                        self.members(name, inner, &layout, offset);
                    }
                }
                _ => {}
            }
        }
    }

    fn sized(&mut self, name: &str, size: u64) {
        let _ = writeln!(self.text, "WEFT_STATIC_ASSERT(sizeof({name}) == {size});");
    }

    fn aligned(&mut self, name: &str, align: u32) {
        let _ = writeln!(self.text, "WEFT_STATIC_ASSERT(WEFT_ALIGNOF({name}) == {align});");
    }
}
