//! The placement of bit-fields: the position of the first bit, and from that the storage unit.
//!
//! PTX Interop 1.3 and the Itanium C++ ABI 2.4 agree for bit-fields that are no wider than their
//! type. Sema splits a wider one into such a bit-field and padding.

use super::{BitField, FieldLayout, Layout, field_align};
use crate::ir::Field;

/// The bit at which a bit-field of declared type `unit` goes, if all bits below `start` are taken.
pub(super) fn position(start: u128, unit: Layout, field: &Field, width: u32) -> u128 {
    let unit_bits = u128::from(unit.size) * 8;
    let start = field.align.map_or(start, |align| start.next_multiple_of(u128::from(align) * 8));
    let align_bits = u128::from(field_align(unit, field)) * 8;
    // A zero-length bit-field closes the unit; another one never crosses a unit's boundary, unless it is
    // packed.
    let crosses = field.pack.is_none() && start % align_bits + u128::from(width) > unit_bits;
    if width == 0 || crosses { start.next_multiple_of(align_bits) } else { start }
}

/// The bit-field at bit `at` of its record as a part of its storage unit.
pub(super) fn in_unit(at: u128, unit: Layout, field: &Field, width: u32) -> FieldLayout {
    let unit_size = if field.pack.is_some() { 1 } else { unit.size as u32 };
    let unit_bits = u128::from(unit_size) * 8;
    let unit_idx = at / unit_bits;
    FieldLayout {
        offset: (unit_idx * u128::from(unit_size)) as u64,
        bits: Some(BitField { unit_size, bit_offset: (at % unit_bits) as u32, width }),
    }
}
