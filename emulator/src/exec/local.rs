//! The local memory of a warp's threads: their frames, one upon the other.

use crate::compute::WARP_SIZE;
use crate::memory::bytes::Width;
use crate::memory::error::AccessError;

/// How much local memory a thread has at most, in bytes (PTX ISA "State Spaces").
pub(super) const LOCAL_SIZE: u64 = 512 << 10;

/// One piece of memory for each thread.
pub(super) struct Local {
    threads: [Vec<u8>; WARP_SIZE],
}

impl Local {
    pub(super) fn new() -> Self {
        Local { threads: std::array::from_fn(|_| Vec::new()) }
    }

    /// Makes room up to an address.
    pub(super) fn grow(&mut self, end: u64) {
        for thread in &mut self.threads {
            if (thread.len() as u64) < end {
                thread.resize(end as usize, 0);
            }
        }
    }

    pub(super) fn load(&self, lane: usize, at: u64, width: Width) -> Result<u64, AccessError> {
        let place = self.threads[lane].get(range(at, width)?).ok_or(AccessError::OutOfBounds(None))?;
        let mut bytes = [0; 8];
        bytes[..place.len()].copy_from_slice(place);
        Ok(u64::from_le_bytes(bytes))
    }

    pub(super) fn store(
        &mut self,
        lane: usize,
        at: u64,
        width: Width,
        value: u64,
    ) -> Result<(), AccessError> {
        let place = self.threads[lane].get_mut(range(at, width)?).ok_or(AccessError::OutOfBounds(None))?;
        place.copy_from_slice(&value.to_le_bytes()[..place.len()]);
        Ok(())
    }

    /// Copies within the memory of one thread.
    pub(super) fn copy(&mut self, lane: usize, from: u64, to: u64, len: u64) {
        let (from, to, len) = (from as usize, to as usize, len as usize);
        self.threads[lane].copy_within(from..from + len, to);
    }
}

fn range(at: u64, width: Width) -> Result<std::ops::Range<usize>, AccessError> {
    if !at.is_multiple_of(width.bytes()) {
        return Err(AccessError::Misaligned);
    }
    let end = at.checked_add(width.bytes()).ok_or(AccessError::OutOfBounds(None))?;
    Ok(at as usize..end as usize)
}
