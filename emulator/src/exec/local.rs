//! The local memory of a warp's threads: their frames, one upon the other.

use std::collections::BTreeMap;

use super::step::lanes_of;
use super::undefined::Origin;
use crate::compute::WARP_SIZE;
use crate::memory::bytes::Bytes;

/// How much local memory a thread has at most, in bytes (PTX ISA "State Spaces").
pub(super) const LOCAL_SIZE: u64 = 512 << 10;

/// One piece of memory for each thread.
pub(super) struct Local {
    threads: [Bytes; WARP_SIZE],
    /// Which bytes have been written, all ones for each, if that is to be known.
    written: Option<[Bytes; WARP_SIZE]>,
    /// Where undefined values come from that threads keep: by the thread and the address.
    kept: BTreeMap<(usize, u64), Kept>,
}

/// An undefined value that is kept in memory.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) origin: Origin,
    pub(super) is_copy: bool,
}

impl Local {
    /// No memory yet; it can be known which bytes have been written.
    pub(super) fn new(knows_written: bool) -> Self {
        let none = || std::array::from_fn(|_| Bytes::zeroed(0));
        Local { threads: none(), written: knows_written.then(none), kept: BTreeMap::new() }
    }

    /// The memory of a thread.
    pub(super) fn of(&self, lane: usize) -> &Bytes {
        &self.threads[lane]
    }

    /// Which bytes of the memory of a thread have been written.
    pub(super) fn written_of(&self, lane: usize) -> Option<&Bytes> {
        self.written.as_ref().map(|written| &written[lane])
    }

    /// Makes room up to an address.
    pub(super) fn grow(&mut self, end: u64) {
        for thread in self.threads.iter_mut().chain(self.written.iter_mut().flatten()) {
            if (thread.len() as u64) < end {
                // Recursion grows it again and again.
                thread.grow((end as usize).max(2 * thread.len()).min(LOCAL_SIZE as usize));
            }
        }
    }

    /// What threads have in a range is no longer theirs.
    pub(super) fn forget(&mut self, mask: u32, start: u64, end: u64) {
        for written in self.written.iter().flat_map(|written| lanes_of(mask).map(|lane| &written[lane])) {
            written.fill(start, end - start, 0);
        }
        if !self.kept.is_empty() {
            self.kept.retain(|&(lane, at), _| mask >> lane & 1 == 0 || !(start..end).contains(&at));
        }
    }

    /// A thread keeps an undefined value.
    pub(super) fn keep(&mut self, lane: usize, at: u64, kept: Kept) {
        self.kept.insert((lane, at), kept);
    }

    /// The undefined value that a thread keeps at an address, if it was put there as a whole.
    pub(super) fn kept_at(&self, lane: usize, at: u64) -> Option<Kept> {
        self.kept.get(&(lane, at)).copied()
    }

    /// Copies within the memory of one thread.
    pub(super) fn copy(&mut self, lane: usize, from: u64, to: u64, len: u64) {
        self.threads[lane].copy_within(from, to, len);
        if let Some(written) = &self.written {
            written[lane].copy_within(from, to, len);
        }
        if !self.kept.is_empty() {
            let range = (lane, from)..(lane, from + len);
            let copies: Vec<_> =
                self.kept.range(range).map(|(&(lane, at), &kept)| ((lane, at - from + to), kept)).collect();
            self.kept.extend(copies);
        }
    }
}
