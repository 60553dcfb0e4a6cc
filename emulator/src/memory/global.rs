//! Global memory: allocations, and which of them an address is in.
//!
//! Between two allocations lie addresses that are in none, so that a step beyond the end is noticed.

use std::collections::BTreeMap;

use super::bytes::{Bytes, Width};
use super::{AccessError, GLOBAL_START};

/// What each allocation is aligned to at least, as `cudaMalloc` has it.
const ALIGN: u64 = 256;

/// How many bytes are left free behind each allocation, at least.
const GAP: u64 = 256;

/// All allocations, by their addresses.
#[derive(Debug)]
pub struct Global {
    allocations: BTreeMap<u64, Allocation>,
    /// Where the next one goes: no address is given out twice.
    next: u64,
    /// How many bytes are allocated.
    n_bytes: u64,
    /// How many may be.
    limit: u64,
}

#[derive(Debug)]
struct Allocation {
    bytes: Bytes,
    is_freed: bool,
}

/// There is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How much was asked for, in bytes.
    pub wanted: u64,
    /// How much is left.
    pub left: u64,
}

impl Global {
    /// No allocation yet, and so many bytes at most.
    pub fn new(limit: u64) -> Self {
        Global { allocations: BTreeMap::new(), next: GLOBAL_START, n_bytes: 0, limit }
    }

    /// Makes an allocation of zeros, and gives its address.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn allocate(&mut self, len: u64, align: u64) -> Result<u64, OutOfMemory> {
        let left = self.limit - self.n_bytes;
        if len > left {
            return Err(OutOfMemory { wanted: len, left });
        }
        let address = self.next.next_multiple_of(align.max(ALIGN));
        self.next = address + len + GAP;
        self.n_bytes += len;
        let bytes = Bytes::zeroed(len as usize);
        self.allocations.insert(address, Allocation { bytes, is_freed: false });
        Ok(address)
    }

    /// Puts something at an address behind all that are in use.
    pub(crate) fn place(&mut self, address: u64, image: &[u8]) {
        debug_assert!(address >= self.next || self.allocations.is_empty());
        let bytes = Bytes::zeroed(image.len());
        bytes.write(0, image);
        self.next = address + image.len() as u64 + GAP;
        self.allocations.insert(address, Allocation { bytes, is_freed: false });
    }

    /// Frees an allocation: accesses to it are errors from here on.
    ///
    /// # Errors
    /// When none begins there, or it has been freed.
    pub fn free(&mut self, address: u64) -> Result<(), AccessError> {
        let Some(allocation) = self.allocations.get_mut(&address) else {
            return Err(self.error_at(address));
        };
        if allocation.is_freed {
            return Err(AccessError::Freed);
        }
        self.n_bytes -= allocation.bytes.len() as u64;
        *allocation = Allocation { bytes: Bytes::zeroed(0), is_freed: true };
        Ok(())
    }

    /// The memory that an access is in, where it begins, and where in it.
    ///
    /// # Errors
    /// When the access is not within an allocation.
    pub fn find(&self, address: u64, n_bytes: u64) -> Result<(&Bytes, u64), AccessError> {
        match self.allocations.range(..=address).next_back() {
            Some((&start, allocation)) if allocation.bytes.holds(address - start, n_bytes) => {
                Ok((&allocation.bytes, start))
            }
            Some((&start, allocation)) if allocation.is_freed && address == start => Err(AccessError::Freed),
            _ => Err(self.error_at(address)),
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// When the access is misaligned, or not within an allocation.
    pub fn load(&self, address: u64, width: Width) -> Result<u64, AccessError> {
        if !address.is_multiple_of(width.bytes()) {
            return Err(AccessError::Misaligned);
        }
        let (bytes, start) = self.find(address, width.bytes())?;
        Ok(bytes.load(address - start, width))
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When the access is misaligned, or not within an allocation.
    pub fn store(&self, address: u64, width: Width, value: u64) -> Result<(), AccessError> {
        if !address.is_multiple_of(width.bytes()) {
            return Err(AccessError::Misaligned);
        }
        let (bytes, start) = self.find(address, width.bytes())?;
        bytes.store(address - start, width, value);
        Ok(())
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// When they are not within one allocation.
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), AccessError> {
        let (bytes, start) = self.find(address, out.len() as u64)?;
        bytes.read(address - start, out);
        Ok(())
    }

    /// Copies bytes in.
    ///
    /// # Errors
    /// When they are not within one allocation.
    pub fn write(&self, address: u64, data: &[u8]) -> Result<(), AccessError> {
        let (bytes, start) = self.find(address, data.len() as u64)?;
        bytes.write(address - start, data);
        Ok(())
    }

    fn error_at(&self, address: u64) -> AccessError {
        let before = self.allocations.range(..=address).next_back();
        let nearest = before.map(|(&start, allocation)| (start, allocation.bytes.len() as u64));
        AccessError::OutOfBounds(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_within_one_allocation() {
        let mut global = Global::new(1000);
        let first = global.allocate(10, 1).expect("there is room");
        let second = global.allocate(8, 1024).expect("there is room");
        assert!(second.is_multiple_of(1024) && second >= first + 10 + GAP);
        assert_eq!(global.store(first + 8, Width::B2, 7), Ok(()));
        assert_eq!(global.load(first + 8, Width::B2), Ok(7));
        assert_eq!(global.load(first + 8, Width::B4), Err(AccessError::OutOfBounds(Some((first, 10)))));
        assert_eq!(global.load(first + 1, Width::B2), Err(AccessError::Misaligned));
        assert_eq!(global.load(16, Width::B1), Err(AccessError::OutOfBounds(None)));
    }

    #[test]
    fn what_is_freed_is_gone() {
        let mut global = Global::new(1000);
        let address = global.allocate(900, 1).expect("there is room");
        assert_eq!(global.allocate(200, 1), Err(OutOfMemory { wanted: 200, left: 100 }));
        assert_eq!(global.free(address), Ok(()));
        assert_eq!(global.load(address, Width::B4), Err(AccessError::Freed));
        assert_eq!(global.free(address), Err(AccessError::Freed));
        let again = global.allocate(900, 1).expect("there is room again");
        assert_ne!(again, address);
        assert_eq!(global.free(again + 8), Err(AccessError::OutOfBounds(Some((again, 900)))));
    }
}
