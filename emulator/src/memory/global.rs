//! Global memory: allocations, and which of them an address is in.
//!
//! Between two allocations lie addresses that are in none, so that a step beyond the end is noticed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::bytes::{Bytes, Width};
use super::{AccessError, GLOBAL_START};

/// What each allocation is aligned to at least, as `cudaMalloc` has it.
const ALIGN: u64 = 256;

/// How many bytes are left free behind each allocation, at least.
const GAP: u64 = 256;

/// All allocations, by their addresses. Threads may allocate and free while others run.
#[derive(Debug)]
pub struct Global {
    allocations: RwLock<BTreeMap<u64, Arc<Allocation>>>,
    budget: Mutex<Budget>,
}

#[derive(Debug)]
struct Budget {
    /// Where the next allocation goes: no address is given out twice.
    next: u64,
    /// How many bytes may still be allocated.
    left: u64,
}

/// Memory that was allocated at once.
#[derive(Debug)]
pub struct Allocation {
    start: u64,
    bytes: Bytes,
    is_freed: AtomicBool,
}

/// There is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How much was asked for, in bytes.
    pub wanted: u64,
    /// How much is left.
    pub left: u64,
}

impl Allocation {
    fn new(start: u64, len: u64) -> Arc<Self> {
        let bytes = Bytes::zeroed(len as usize);
        Arc::new(Allocation { start, bytes, is_freed: AtomicBool::new(false) })
    }

    /// Where an access is in it; none if it is elsewhere.
    ///
    /// # Errors
    /// When it was freed.
    pub fn place(&self, address: u64, n_bytes: u64) -> Option<Result<(&Bytes, u64), AccessError>> {
        let at = address.checked_sub(self.start).filter(|&at| self.bytes.holds(at, n_bytes))?;
        if self.is_freed.load(Ordering::Relaxed) {
            return Some(Err(AccessError::Freed));
        }
        Some(Ok((&self.bytes, at)))
    }
}

impl Global {
    /// No allocation yet, and so many bytes at most.
    pub fn new(limit: u64) -> Self {
        let budget = Mutex::new(Budget { next: GLOBAL_START, left: limit });
        Global { allocations: RwLock::default(), budget }
    }

    /// Makes an allocation of zeros, and gives its address.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn allocate(&self, len: u64, align: u64) -> Result<u64, OutOfMemory> {
        let address = {
            let mut budget = locked(&self.budget);
            let left = budget.left;
            budget.left = left.checked_sub(len).ok_or(OutOfMemory { wanted: len, left })?;
            let address = budget.next.next_multiple_of(align.max(ALIGN));
            budget.next = address + len + GAP;
            address
        };
        self.insert(Allocation::new(address, len));
        Ok(address)
    }

    /// Puts something at an address behind all that are in use.
    pub(crate) fn place(&self, address: u64, image: &[u8]) {
        let allocation = Allocation::new(address, image.len() as u64);
        allocation.bytes.write(0, image);
        let mut budget = locked(&self.budget);
        budget.next = budget.next.max(address + image.len() as u64 + GAP);
        self.insert(allocation);
    }

    fn insert(&self, allocation: Arc<Allocation>) {
        let mut allocations = self.allocations.write().unwrap_or_else(PoisonError::into_inner);
        allocations.insert(allocation.start, allocation);
    }

    /// Frees an allocation: accesses to it are errors from here on.
    ///
    /// # Errors
    /// When none begins there, or it has been freed.
    pub fn free(&self, address: u64) -> Result<(), AccessError> {
        let found = self.before(address).filter(|allocation| allocation.start == address);
        let Some(allocation) = found else { return Err(self.error_at(address)) };
        if allocation.is_freed.swap(true, Ordering::Relaxed) {
            return Err(AccessError::Freed);
        }
        locked(&self.budget).left += allocation.bytes.len() as u64;
        // The memory goes once nobody looks at it; that something was there is remembered.
        let len = allocation.bytes.len();
        let grave = Allocation { start: address, bytes: Bytes::grave(len), is_freed: AtomicBool::new(true) };
        self.insert(Arc::new(grave));
        Ok(())
    }

    /// The allocation that an access is in.
    ///
    /// # Errors
    /// When it is not within one, or that was freed.
    pub fn find(&self, address: u64, n_bytes: u64) -> Result<Arc<Allocation>, AccessError> {
        let found = self.before(address);
        match found.as_ref().and_then(|allocation| allocation.place(address, n_bytes)) {
            Some(Ok(_)) => found.ok_or(AccessError::OutOfBounds(None)),
            Some(Err(error)) => Err(error),
            None => Err(self.error_at(address)),
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// When the access is misaligned, or not within an allocation.
    pub fn load(&self, address: u64, width: Width) -> Result<u64, AccessError> {
        self.with(address, width.bytes(), width, |bytes, at| bytes.load(at, width))
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When the access is misaligned, or not within an allocation.
    pub fn store(&self, address: u64, width: Width, value: u64) -> Result<(), AccessError> {
        self.with(address, width.bytes(), width, |bytes, at| bytes.store(at, width, value))
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// When they are not within one allocation.
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), AccessError> {
        self.with(address, out.len() as u64, Width::B1, |bytes, at| bytes.read(at, out))
    }

    /// Copies bytes in.
    ///
    /// # Errors
    /// When they are not within one allocation.
    pub fn write(&self, address: u64, data: &[u8]) -> Result<(), AccessError> {
        self.with(address, data.len() as u64, Width::B1, |bytes, at| bytes.write(at, data))
    }

    fn with<T>(
        &self,
        address: u64,
        n_bytes: u64,
        align: Width,
        access: impl FnOnce(&Bytes, u64) -> T,
    ) -> Result<T, AccessError> {
        if !address.is_multiple_of(align.bytes()) {
            return Err(AccessError::Misaligned);
        }
        let allocation = self.find(address, n_bytes)?;
        let place = allocation.place(address, n_bytes).ok_or_else(|| self.error_at(address))?;
        let (bytes, at) = place?;
        Ok(access(bytes, at))
    }

    /// The last allocation that does not begin behind an address.
    fn before(&self, address: u64) -> Option<Arc<Allocation>> {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        allocations.range(..=address).next_back().map(|(_, allocation)| allocation.clone())
    }

    fn error_at(&self, address: u64) -> AccessError {
        let nearest = self.before(address);
        AccessError::OutOfBounds(nearest.map(|allocation| (allocation.start, allocation.bytes.len() as u64)))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_within_one_allocation() {
        let global = Global::new(1000);
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
        let global = Global::new(1000);
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
