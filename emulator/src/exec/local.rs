//! The local memory of a warp's threads: their stacks of frames.
//!
//! It is interleaved in units of eight bytes, as on a GPU: threads that run together mostly access the same
//! offset in their frames.

use std::sync::Arc;

use super::kept::KeptValues;
use super::step::lanes_of;
use crate::compute::WARP_SIZE;
use crate::memory::bytes::{Bytes, Width};
use crate::memory::host::{HostMemory, HostOutOfMemory, Reserved};

/// The maximum local memory per thread, in bytes (PTX ISA "State Spaces").
pub(super) const LOCAL_SIZE: u64 = 512 << 10;

/// The unit of interleaving, in bytes.
const STRIPE: u64 = 8;

/// The local memory of a warp: the same size for each thread.
pub(super) struct Local {
    pub(super) bytes: Bytes,
    /// Which bytes have been written, with 0xFF for each, if the launch records it.
    pub(super) written: Option<Bytes>,
    /// The size per thread, in bytes.
    pub(super) size: u64,
    /// The origins of undefined values in it.
    pub(super) kept: KeptValues,
    /// Reserves the host memory of the bytes.
    reserved: Reserved,
}

impl Local {
    /// Empty memory; `knows_written` records which bytes are written.
    pub(super) fn new(knows_written: bool, host: &Arc<HostMemory>) -> Self {
        let written = knows_written.then(|| Bytes::zeroed(0));
        let reserved = Reserved::none(host);
        Local { bytes: Bytes::zeroed(0), written, size: 0, kept: KeptValues::default(), reserved }
    }

    /// Grows the memory to contain an address.
    ///
    /// # Errors
    ///
    /// If the host has too little memory.
    pub(super) fn grow(&mut self, end: u64) -> Result<(), HostOutOfMemory> {
        if self.size < end {
            // Doubling: recursion grows it over and over.
            let size = end.next_multiple_of(STRIPE).max(2 * self.size).min(LOCAL_SIZE);
            for bytes in [Some(&mut self.bytes), self.written.as_mut()].into_iter().flatten() {
                let n_more = (size - self.size) * WARP_SIZE as u64;
                self.reserved.grow(n_more)?;
                let grown = bytes.try_grown(size * WARP_SIZE as u64);
                *bytes = grown.ok_or_else(|| self.reserved.refused(n_more))?;
            }
            self.size = size;
        }
        Ok(())
    }

    /// Makes a range of the threads' memory uninitialized.
    pub(super) fn forget(&mut self, mask: u32, start: u64, end: u64) {
        if let Some(written) = &self.written {
            let is_for_all = mask == u32::MAX && (start | end).is_multiple_of(STRIPE);
            if is_for_all {
                written.fill(striped(start, 0), (end - start) * WARP_SIZE as u64, 0);
            }
            for lane in lanes_of(if is_for_all { 0 } else { mask }) {
                for at in (start..end).step_by(STRIPE as usize) {
                    written.fill(striped(at, lane), STRIPE.min(end - at), 0);
                }
            }
        }
        self.kept.forget(lanes_of(mask), start, end);
    }

    /// Copies within the memory of one thread.
    pub(super) fn copy(&mut self, lane: usize, from: u64, to: u64, len: u64) {
        let is_aligned = |width: &Width| (from | to | len) & (width.bytes() - 1) == 0;
        let width = [Width::B8, Width::B4].into_iter().find(is_aligned).unwrap_or(Width::B1);
        for bytes in [Some(&self.bytes), self.written.as_ref()].into_iter().flatten() {
            for at in (0..len).step_by(width.bytes() as usize) {
                let value = bytes.load(striped(from + at, lane), width);
                bytes.store(striped(to + at, lane), width, value);
            }
        }
        self.kept.copy(lane, from, to, len);
    }
}

/// The index of a thread's byte in the interleaved memory.
pub(super) fn striped(at: u64, lane: usize) -> u64 {
    at / STRIPE * STRIPE * WARP_SIZE as u64 + lane as u64 * STRIPE + at % STRIPE
}
