//! The local memory of a warp's threads: their frames, one upon the other.

use crate::compute::WARP_SIZE;
use crate::memory::bytes::Bytes;

/// How much local memory a thread has at most, in bytes (PTX ISA "State Spaces").
pub(super) const LOCAL_SIZE: u64 = 512 << 10;

/// One piece of memory for each thread.
pub(super) struct Local {
    threads: [Bytes; WARP_SIZE],
}

impl Local {
    pub(super) fn new() -> Self {
        Local { threads: std::array::from_fn(|_| Bytes::zeroed(0)) }
    }

    /// The memory of a thread.
    pub(super) fn of(&self, lane: usize) -> &Bytes {
        &self.threads[lane]
    }

    /// Makes room up to an address.
    pub(super) fn grow(&mut self, end: u64) {
        for thread in &mut self.threads {
            if (thread.len() as u64) < end {
                // Recursion grows it again and again.
                thread.grow((end as usize).max(2 * thread.len()).min(LOCAL_SIZE as usize));
            }
        }
    }

    /// Copies within the memory of one thread.
    pub(super) fn copy(&mut self, lane: usize, from: u64, to: u64, len: u64) {
        self.threads[lane].copy_within(from, to, len);
    }
}
