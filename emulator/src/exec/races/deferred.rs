//! Weak reads that are not recorded yet.
//!
//! Between two barriers of the block, most kernels only read their shared memory. While that is so, nothing
//! can race, and reads are only listed here. At the next barrier they are dropped; if there is a write before
//! that, they are recorded first.

use super::row::Row;
use crate::compute::{Lanes, WARP_SIZE};

/// The maximum number of listed reads.
const MAX_READS: usize = 1024;

/// Memory that only the threads of one block access.
#[derive(Default)]
pub(super) struct Deferred {
    reads: Vec<Read>,
    /// The time of the last access that was not a weak read.
    changed_at: u32,
}

/// A read by threads of a warp.
pub(super) struct Read {
    /// Without units.
    pub(super) row: Row,
    pub(super) mask: u32,
    n_bytes: u8,
    places: [u32; WARP_SIZE],
}

impl Read {
    pub(super) fn n_bytes(&self) -> u64 {
        u64::from(self.n_bytes)
    }

    pub(super) fn places(&self) -> Lanes {
        self.places.map(u64::from)
    }
}

impl Deferred {
    /// Drops the reads before the time at which all threads met.
    pub(super) fn forget(&mut self, all_met: u32) {
        if self.reads.last().is_some_and(|read| read.row.time <= all_met) {
            self.reads.clear();
        }
    }

    /// Notes an access that is not a weak read.
    pub(super) fn change(&mut self, time: u32) {
        self.changed_at = time;
    }

    /// Whether a read may be deferred.
    pub(super) fn has_room(&self, all_met: u32) -> bool {
        self.changed_at <= all_met && self.reads.len() < MAX_READS
    }

    /// Defers a read; returns by how much that grows the host memory in use. Offsets in shared memory have 32
    /// bits.
    pub(super) fn push(&mut self, row: Row, mask: u32, n_bytes: u64, places: &Lanes) -> u64 {
        let before = self.reads.capacity();
        self.reads.push(Read { row, mask, n_bytes: n_bytes as u8, places: places.map(|place| place as u32) });
        ((self.reads.capacity() - before) * size_of::<Read>()) as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reads.is_empty()
    }

    /// Takes the reads, to be recorded.
    pub(super) fn take(&mut self) -> Vec<Read> {
        std::mem::take(&mut self.reads)
    }

    /// Reuses the allocation of taken reads.
    pub(super) fn reuse(&mut self, mut reads: Vec<Read>) {
        reads.clear();
        self.reads = reads;
    }
}
