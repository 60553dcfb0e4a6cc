//! Which bytes of a record are read and written for a bit-field.
//!
//! A run of bit-fields next to each other is one memory location (C++17 4.4p3): the word that is
//! accessed may hold others of the run and padding, but no byte of another member, which another
//! thread may be writing.

use weft_frontend::ir::Field;
use weft_frontend::layout::{BitField, FieldLayout, RecordLayout};

/// The word that is accessed for a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// Bytes from the beginning of the record to the word.
    pub(crate) offset: u64,
    /// Bits of the word, whole bytes.
    pub(crate) n_bits: u32,
    /// Bits of the word below the field.
    pub(crate) shift: u32,
    /// Bits of the field.
    pub(crate) width: u32,
}

/// Bytes from the first to one past the last.
type Bytes = std::ops::Range<u64>;

/// The access for the bit-field with this index, whose bits are `bits`.
pub(crate) fn access(
    layout: &RecordLayout,
    fields: &[Field],
    sizes: impl Fn(usize) -> u64,
    field_idx: usize,
    is_union: bool,
) -> Option<Access> {
    let FieldLayout { offset, bits: Some(BitField { unit_size, bit_offset, width }) } =
        layout.fields[field_idx]
    else {
        return None;
    };
    let first_bit = offset * 8 + u64::from(bit_offset);
    let bytes = first_bit / 8..(first_bit + u64::from(width)).div_ceil(8).max(first_bit / 8 + 1);
    let run = run_of(fields, field_idx);
    let foreign: Vec<Bytes> = (0..fields.len())
        .filter(|idx| !is_union && !run.contains(idx))
        .map(|idx| member_bytes(&layout.fields[idx], sizes(idx)))
        .collect();
    let is_free = |word: &Bytes| {
        word.end <= layout.layout.size
            && foreign.iter().all(|bytes| bytes.end <= word.start || word.end <= bytes.start)
    };
    let word = [u64::from(unit_size), 1, 2, 4, 8]
        .into_iter()
        .map(|size| bytes.start / size * size..bytes.start / size * size + size)
        .find(|word| word.end >= bytes.end && is_free(word))
        .unwrap_or(bytes);
    Some(Access {
        offset: word.start,
        n_bits: (word.end - word.start) as u32 * 8,
        shift: (first_bit - word.start * 8) as u32,
        width,
    })
}

/// The run of bit-fields that the one with this index belongs to; a zero width ends a run.
fn run_of(fields: &[Field], field_idx: usize) -> std::ops::Range<usize> {
    let is_in_run = |field: &Field| field.bit_width.is_some_and(|width| width > 0);
    let before = fields[..field_idx].iter().rev().take_while(|field| is_in_run(field)).count();
    let behind = fields[field_idx..].iter().take_while(|field| is_in_run(field)).count();
    field_idx - before..field_idx + behind
}

fn member_bytes(layout: &FieldLayout, size: u64) -> Bytes {
    match layout.bits {
        None => layout.offset..layout.offset + size,
        Some(BitField { bit_offset, width, .. }) => {
            let first_bit = layout.offset * 8 + u64::from(bit_offset);
            first_bit / 8..(first_bit + u64::from(width)).div_ceil(8)
        }
    }
}
