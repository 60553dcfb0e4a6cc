//! Sparse matrices: which elements of A there are (PTX ISA "Sparse matrix storage").
//!
//! Of each four units of a row two are there, and four bits of metadata say which: the lower two bits for the first that the
//! registers hold, the upper two for the second. A unit is an element, but two of four bits, and half a one of `.tf32`. Which
//! thread has which bits is that of the figures of the PTX ISA, and what ptxas makes of metadata in any order for GPUs that want them
//! in order.

use super::fragment::{Element, Fragment};
use crate::compute::Lanes;

/// How the elements of A that are present are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sparse {
    /// The first index is less than the second: `.sp::ordered_metadata`.
    pub(crate) is_ordered: bool,
    /// Which threads of each four have the metadata: the sparsity selector.
    pub(crate) selector: usize,
}

/// How many units of a row share four bits.
const UNITS: usize = 4;

impl Sparse {
    /// How many selectors there are for A, whose elements are packed.
    pub(crate) fn n_selectors(a: &Fragment) -> usize {
        4 / n_threads(a)
    }

    /// Where each packed element of A is in its row, row by row.
    pub(crate) fn places(self, a: &Fragment, metadata: &Lanes) -> Vec<usize> {
        let (rows, packed) = a.size();
        let n_per_chunk = packed / n_chunks(a);
        let place = |row: usize, at: usize| {
            let (chunk, idx) = (at / n_per_chunk, at % n_per_chunk);
            let indices = self.indices(a, metadata, row, chunk);
            let unit = |second: bool| usize::from(if second { indices >> 2 } else { indices & 3 });
            let within = match n_per_chunk {
                // Both halves of the one element.
                1 => unit(false) / 2,
                2 => unit(idx == 1),
                _ => 2 * unit(idx >= 2) + idx % 2,
            };
            2 * n_per_chunk * chunk + within
        };
        (0..rows * packed).map(|at| place(at / packed, at % packed)).collect()
    }

    /// The thread whose metadata has indices that have no meaning.
    pub(crate) fn wrong_lane(self, a: &Fragment, metadata: &Lanes) -> Option<usize> {
        let (rows, _) = a.size();
        let is_wrong = |row: usize, chunk: usize| {
            let indices = self.indices(a, metadata, row, chunk);
            let (first, second) = (indices & 3, indices >> 2);
            match a.element {
                Element::Tf32 => !matches!(indices, 0b0100 | 0b1110),
                _ if self.is_ordered => first >= second,
                _ => first == second,
            }
        };
        let all = (0..rows).flat_map(|row| (0..n_chunks(a)).map(move |chunk| (row, chunk)));
        all.filter(|&(row, chunk)| is_wrong(row, chunk)).map(|(row, chunk)| self.home(a, row, chunk).0).min()
    }

    /// The four bits of a chunk of a row.
    fn indices(self, a: &Fragment, metadata: &Lanes, row: usize, chunk: usize) -> u8 {
        let (lane, shift) = self.home(a, row, chunk);
        (metadata[lane] >> shift & 0xF) as u8
    }

    /// The thread that has the bits of a chunk of a row, and where.
    fn home(self, a: &Fragment, row: usize, chunk: usize) -> (usize, usize) {
        let first = row % 8 * 4 + self.selector * n_threads(a);
        match a.element.n_bits() {
            // A half of the word for each of two rows.
            16.. => (first + chunk / 4, row / 8 * 16 + chunk % 4 * UNITS),
            // A word for each row.
            _ => (first + row / 8 + chunk / 8 * 2, chunk % 8 * UNITS),
        }
    }
}

/// How many times four bits a row has.
fn n_chunks(a: &Fragment) -> usize {
    let (_, packed) = a.size();
    match a.element.n_bits() {
        32 => packed,
        4 => packed / 4,
        _ => packed / 2,
    }
}

/// How many threads of each four have metadata: it takes four bits for each chunk of two rows.
fn n_threads(a: &Fragment) -> usize {
    2 * n_chunks(a) * UNITS / 32
}
