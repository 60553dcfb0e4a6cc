//! What the debug information of a module says of variables and types.

use gimli::{
    Abbreviations, AttributeValue, DebugStr, DebuggingInformationEntry, DwAt, EntriesCursor, Operation,
    UnitHeader, UnitOffset,
};

use super::section::{Assembled, Slice};
use crate::memory::layout::Layout;

/// How many types may refer to each other before a layout is given up.
const MAX_TYPES: u32 = 64;

type Entry<'b> = DebuggingInformationEntry<Slice<'b>>;

type Value<'b> = AttributeValue<Slice<'b>>;

/// The debug information of a module.
pub(super) struct Unit<'b> {
    pub(super) header: UnitHeader<Slice<'b>>,
    pub(super) abbreviations: Abbreviations,
    pub(super) strings: DebugStr<Slice<'b>>,
}

impl<'b> Unit<'b> {
    /// All entries, each before what is in it.
    pub(super) fn entries(&self) -> EntriesCursor<'_, Slice<'b>> {
        self.header.entries(&self.abbreviations)
    }

    /// An attribute that is text.
    pub(super) fn text(&self, entry: &Entry<'b>, name: DwAt) -> Option<Slice<'b>> {
        entry.attr_value(name)?.string_value(&self.strings)
    }

    /// A symbol and an offset, if a location is nothing else.
    pub(super) fn place<'t>(&self, place: &Value<'b>, sections: &Assembled<'t>) -> Option<(&'t str, u64)> {
        let mut operations = place.exprloc_value()?.operations(self.header.encoding());
        let Operation::Address { address } = operations.next().ok()?? else { return None };
        let (symbol, mut offset) = sections.symbol(address)?;
        while let Some(operation) = operations.next().ok()? {
            let Operation::PlusConstant { value } = operation else { return None };
            offset = offset.checked_add(value)?;
        }
        Some((symbol, offset))
    }

    /// What the variable of an entry is made of.
    pub(super) fn layout_of(&self, entry: &Entry<'b>) -> Option<Layout> {
        self.layout(&entry.attr_value(gimli::DW_AT_type)?, MAX_TYPES)
    }

    fn layout(&self, ty: &Value<'b>, n_left: u32) -> Option<Layout> {
        let AttributeValue::UnitRef(offset) = ty else { return None };
        let n_left = n_left.checked_sub(1)?;
        let entry = self.header.entry(&self.abbreviations, *offset).ok()?;
        let size = entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value());
        let inner = || self.layout(&entry.attr_value(gimli::DW_AT_type)?, n_left);
        match entry.tag() {
            gimli::DW_TAG_structure_type => Some(Layout::Struct(size?, self.members(*offset, n_left)?)),
            gimli::DW_TAG_array_type => {
                let lengths = self.lengths(*offset)?;
                lengths.into_iter().rev().try_fold(inner()?, |element, length| {
                    element.size().checked_mul(length)?;
                    Some(Layout::Array(Box::new(element), length))
                })
            }
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type => inner(),
            gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => {
                let width = u64::from(self.header.encoding().address_size);
                Some(Layout::Number(size.unwrap_or(width)))
            }
            _ => size.map(Layout::Number),
        }
    }

    /// The entries in another one.
    fn children(&self, of: UnitOffset) -> Option<Vec<Entry<'b>>> {
        let mut tree = self.header.entries_tree(&self.abbreviations, Some(of)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut entries = Vec::new();
        while let Some(child) = children.next().ok()? {
            entries.push(child.entry().clone());
        }
        Some(entries)
    }

    /// The members of a struct: names, offsets, and what they are.
    fn members(&self, of: UnitOffset, n_left: u32) -> Option<Vec<(String, u64, Layout)>> {
        let mut members = Vec::new();
        for entry in self.children(of)? {
            let attribute = |name| entry.attr_value(name);
            let is_bit_field = attribute(gimli::DW_AT_bit_size).is_some();
            let name = self.text(&entry, gimli::DW_AT_name);
            let offset = attribute(gimli::DW_AT_data_member_location).and_then(|place| self.offset(&place));
            if let (Some(name), Some(offset), false) = (name, offset, is_bit_field) {
                let member = self.layout(&attribute(gimli::DW_AT_type)?, n_left)?;
                members.push((name.to_string_lossy().into_owned(), offset, member));
            }
        }
        Some(members)
    }

    /// The offset of a member: a number, or in DWARF 2 an expression that adds one.
    fn offset(&self, place: &Value<'b>) -> Option<u64> {
        if let Some(offset) = place.udata_value() {
            return Some(offset);
        }
        match place.exprloc_value()?.operations(self.header.encoding()).next().ok()?? {
            Operation::PlusConstant { value } => Some(value),
            _ => None,
        }
    }

    /// How many elements an array has, in each dimension.
    fn lengths(&self, array: UnitOffset) -> Option<Vec<u64>> {
        let entries = self.children(array)?;
        let ranges = entries.iter().filter(|entry| entry.tag() == gimli::DW_TAG_subrange_type);
        let length = |entry: &Entry<'b>| {
            let number = |name| entry.attr_value(name)?.udata_value();
            let of_bound = || number(gimli::DW_AT_upper_bound)?.checked_add(1);
            number(gimli::DW_AT_count).or_else(of_bound)
        };
        ranges.map(length).collect()
    }
}
