//! Undefined values that threads have stored in local and shared memory: where they come from.
//!
//! Memory itself knows which of its bits are undefined. So what is overwritten with defined values may stay here: no one asks
//! for it.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::undefined::Origin;

/// How many bytes a value has at most.
const MAX_BYTES: u64 = 8;

/// An undefined value in memory.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) origin: Origin,
    /// It is what was read, moved at most.
    pub(super) is_copy: bool,
}

/// The undefined values of a memory, by the lane whose memory it is (0 where all share it) and the address.
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
    /// A value is stored.
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

    /// The value that the undefined bits of a word at an address are of; none if no one has stored them.
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

    /// What is in a range of the memory of lanes is gone.
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

    /// A range is copied to another place.
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
