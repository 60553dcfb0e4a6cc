//! The bytes of a record that are read and written for a bit-field.
//!
//! A run of adjacent bit-fields is one memory location (C++17 4.4p3): the accessed word may contain others of
//! the run and padding, but no byte of another member, which another thread may be writing.

use weft_frontend::ir::Field;
use weft_frontend::layout::{BitField, FieldLayout, RecordLayout};

/// The word that is accessed for a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The offset of the word in the record, in bytes.
    pub(crate) offset: u64,
    /// The size of the word in bits, a multiple of 8.
    pub(crate) n_bits: u32,
    /// The number of bits below the field.
    pub(crate) shift: u32,
    /// The width of the field in bits.
    pub(crate) width: u32,
}

/// A part of a word that one instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The offset in the word, in bytes.
    pub(crate) offset: u64,
    /// The size in bits, which is that of a PTX integer.
    pub(crate) n_bits: u32,
}

impl Access {
    /// The accesses, from the lowest bits up, for a word with this alignment: the whole word if there is an
    /// integer of its size, otherwise the widest pieces that the alignment allows.
    ///
    /// LLVM could access a three-byte word as `i24`, but would then create variables and parameters of that
    /// type, which it writes as `.u24`, an array of them without gaps, and an `i72` as `.b128`, which
    /// requires PTX 8.3 (PTX ISA "Fundamental Types").
    pub(crate) fn pieces(&self, align: u32) -> Vec<Piece> {
        if self.n_bits.is_power_of_two() {
            return vec![Piece { offset: 0, n_bits: self.n_bits }];
        }
        let (n_bytes, mut offset, mut pieces) = (self.n_bits / 8, 0, Vec::new());
        for size in [16, 8, 4, 2, 1].into_iter().filter(|&size| size <= align) {
            while n_bytes - offset >= size {
                pieces.push(Piece { offset: offset.into(), n_bits: size * 8 });
                offset += size;
            }
        }
        pieces
    }
}

/// A byte range.
type Bytes = std::ops::Range<u64>;

/// The access for the bit-field with this index and these bits.
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
        word.end <= layout.own_size
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(n_bytes: u32, align: u32) -> Vec<(u64, u32)> {
        let word = Access { offset: 0, n_bits: n_bytes * 8, shift: 0, width: 1 };
        word.pieces(align).into_iter().map(|piece| (piece.offset, piece.n_bits)).collect()
    }

    #[test]
    fn odd_word_sizes_use_ptx_integers() {
        assert_eq!(pieces(3, 4), [(0, 16), (2, 8)]);
        assert_eq!(pieces(7, 8), [(0, 32), (4, 16), (6, 8)]);
        assert_eq!(pieces(9, 16), [(0, 64), (8, 8)]);
        assert_eq!(pieces(17, 16), [(0, 128), (16, 8)]);
    }

    #[test]
    fn pieces_are_no_wider_than_the_alignment() {
        assert_eq!(pieces(3, 1), [(0, 8), (1, 8), (2, 8)]);
        assert_eq!(pieces(5, 2), [(0, 16), (2, 16), (4, 8)]);
    }

    #[test]
    fn integer_words_are_accessed_whole_at_any_alignment() {
        assert_eq!(pieces(4, 1), [(0, 32)]);
        assert_eq!(pieces(16, 16), [(0, 128)]);
    }
}
