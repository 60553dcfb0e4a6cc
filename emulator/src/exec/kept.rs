//! The origins of undefined values that threads have stored in local and shared memory.
//!
//! Memory itself records which of its bits are undefined. So an entry that has been overwritten with a
//! defined value may remain here: no one looks it up.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::undefined::Origin;

/// The maximum size of a value in bytes.
const MAX_BYTES: u64 = 8;

/// An undefined value in memory.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) origin: Origin,
    /// Whether it is a loaded value, possibly moved, rather than a computed one.
    pub(super) is_copy: bool,
}

/// The undefined values of a memory, by lane (0 for memory that all lanes share) and address.
#[derive(Default)]
pub(super) struct KeptValues {
    values: BTreeMap<(usize, u64), Piece>,
}

/// A value with its size in bytes.
#[derive(Clone, Copy)]
struct Piece {
    n_bytes: u64,
    kept: Kept,
}

impl KeptValues {
    /// Records a stored value.
    pub(super) fn keep(&mut self, lane: usize, at: u64, n_bytes: u64, kept: Kept) {
        let before = (lane, at.saturating_sub(MAX_BYTES - 1))..(lane, at + n_bytes);
        let overwritten =
            self.values.range(before).filter(|&(&(_, start), piece)| start + piece.n_bytes > at);
        let overwritten: SmallVec<[_; 4]> = overwritten.map(|(&key, _)| key).collect();
        for key in overwritten {
            self.values.remove(&key);
        }
        self.values.insert((lane, at), Piece { n_bytes, kept });
    }

    /// The stored value that the undefined bits of a word come from; `None` if no thread has stored them.
    pub(super) fn find(&self, lane: usize, at: u64, bits: u64) -> Option<Kept> {
        if self.values.is_empty() {
            return None;
        }
        let is_undefined = |byte: u64| bits >> (8 * byte) & 0xFF != 0;
        let near = (lane, at.saturating_sub(MAX_BYTES - 1))..(lane, at + MAX_BYTES);
        let found = self.values.range(near).find(|&(&(_, start), piece)| {
            (0..MAX_BYTES)
                .any(|byte| is_undefined(byte) && (start..start + piece.n_bytes).contains(&(at + byte)))
        });
        found.map(|(_, piece)| piece.kept)
    }

    /// Forgets the values in a range of the lanes' memory.
    pub(super) fn forget(&mut self, lanes: impl Iterator<Item = usize>, start: u64, end: u64) {
        if self.values.is_empty() || start >= end {
            return;
        }
        for lane in lanes {
            let gone: SmallVec<[_; 8]> =
                self.values.range((lane, start)..(lane, end)).map(|(&key, _)| key).collect();
            for key in gone {
                self.values.remove(&key);
            }
        }
    }

    /// Copies the values of a range to another address.
    pub(super) fn copy(&mut self, lane: usize, from: u64, to: u64, len: u64) {
        if self.values.is_empty() || len == 0 {
            return;
        }
        let copies = self.values.range((lane, from)..(lane, from + len));
        let copies: SmallVec<[_; 8]> =
            copies.map(|(&(_, at), &piece)| ((lane, at - from + to), piece)).collect();
        self.values.extend(copies);
    }
}
