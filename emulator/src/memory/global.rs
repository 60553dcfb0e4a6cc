//! Global memory: allocations, and which of them contains an address.
//!
//! There is a gap between two allocations, so that an access out of bounds is found.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::GLOBAL_START;
use super::bytes::{Bytes, Width};
use super::error::{AccessError, Extent, Freed};
use super::host::{HostMemory, HostOutOfMemory, Reserved};

/// The minimum alignment of allocations, like that of `cudaMalloc`.
const ALIGN: u64 = 256;

/// The minimum gap after each allocation, in bytes.
const GAP: u64 = 256;

/// The maximum size of a load, in bytes.
const MAX_LOAD: u64 = 32;

/// All allocations, by address. Threads may allocate and free while others run.
#[derive(Debug)]
pub struct Global {
    allocations: RwLock<BTreeMap<u64, Arc<Allocation>>>,
    budget: Mutex<Budget>,
    host: Arc<HostMemory>,
}

#[derive(Debug)]
struct Budget {
    /// The address of the next allocation: addresses are not reused.
    next: u64,
    /// The number of bytes that can still be allocated.
    left: u64,
}

/// An allocation.
#[derive(Debug)]
pub struct Allocation {
    start: u64,
    /// The size in bytes.
    len: u64,
    /// For a variable, including what an aligned load that begins in it may read after its end.
    bytes: Bytes,
    /// For a variable, which bytes are its own; set once something after its end has been read.
    own: OnceLock<Bytes>,
    /// Which bytes have been written, with 0xFF for each; `None` if all are initialized from the start.
    written: Option<Bytes>,
    /// Its name in messages.
    name: Option<String>,
    /// Whether a thread has allocated it.
    is_heap: bool,
    is_freed: AtomicBool,
    /// What freed it, in words.
    freed_by: Option<String>,
    /// Reserves its host memory.
    _reserved: Reserved,
}

/// There is too little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfMemory {
    /// The device has too little.
    Device {
        /// The requested size in bytes.
        wanted: u64,
        /// What is left, in bytes.
        left: u64,
    },
    /// The host has too little.
    Host(HostOutOfMemory),
}

/// The initial state of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// All zeros.
    Zeros,
    /// Uninitialized.
    Nothing,
    /// Uninitialized, and allocated by a thread.
    Heap,
}

impl Allocation {
    /// The address of its first byte.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The size in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the size is zero.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The content, and for a variable some bytes after it; `None` if it was freed.
    pub fn bytes(&self) -> Option<&Bytes> {
        (!self.is_freed.load(Ordering::Relaxed)).then_some(&self.bytes)
    }

    /// Which bytes have been written, with 0xFF for each; `None` if all are initialized from the start.
    pub fn written(&self) -> Option<&Bytes> {
        self.written.as_ref()
    }

    /// Its name in messages.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The offset of an access in it; `None` if the access is elsewhere.
    ///
    /// # Errors
    ///
    /// If it was freed.
    pub fn place(&self, address: u64, n_bytes: u64) -> Option<Result<(&Bytes, u64), AccessError>> {
        let at = address.checked_sub(self.start)?;
        at.checked_add(n_bytes).filter(|&end| end <= self.len)?;
        match self.bytes() {
            Some(bytes) => Some(Ok((bytes, at))),
            None => Some(Err(self.freed(address))),
        }
    }

    /// The memory of a load that begins in a variable and extends past its end: the bytes, which of them are
    /// the variable's, and the load's offset. Hardware reads them if the load is aligned to its size, and
    /// compilers depend on it: nvcc reads a packed struct of seven bytes with an eight-byte load. The bytes
    /// after the end are undefined.
    pub fn overhang(&self, address: u64, n_bytes: u64) -> Option<(&Bytes, &Bytes, u64)> {
        let at = address.checked_sub(self.start).filter(|&at| at < self.len)?;
        if !address.is_multiple_of(n_bytes) || !self.bytes()?.holds(at, n_bytes) {
            return None;
        }
        let own = self.own.get_or_init(|| {
            let own = Bytes::zeroed(self.bytes.len());
            own.fill(0, self.len, 0xFF);
            own
        });
        Some((&self.bytes, own, at))
    }

    pub(crate) fn extent(&self) -> Extent {
        let name = self.name.as_ref().map(|name| format!("`{name}`"));
        Extent { start: self.start, len: self.len, name }
    }

    fn freed(&self, address: u64) -> AccessError {
        let by = self.freed_by.clone().unwrap_or_else(|| "another thread".to_owned());
        let offset = address.wrapping_sub(self.start);
        AccessError::Freed(Box::new(Freed { piece: self.extent(), offset, by }))
    }
}

impl Global {
    /// Empty memory with a limit in bytes, taken from a host.
    pub fn new(limit: u64, host: Arc<HostMemory>) -> Self {
        Self::at(GLOBAL_START, limit, host)
    }

    /// The same, from a start address.
    pub fn at(start: u64, limit: u64, host: Arc<HostMemory>) -> Self {
        let budget = Mutex::new(Budget { next: start, left: limit });
        Global { allocations: RwLock::default(), budget, host }
    }

    /// The host's memory.
    pub fn host(&self) -> &Arc<HostMemory> {
        &self.host
    }

    /// Allocates zeros, and returns the address.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn allocate(&self, len: u64, align: u64) -> Result<u64, OutOfMemory> {
        self.allocate_with(len, align, Written::Zeros, None)
    }

    /// Allocates uninitialized memory, like `cudaMalloc`, and returns the address. Reading it before it is
    /// written gives zero, but the result must not depend on that.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn allocate_unwritten(&self, len: u64, align: u64) -> Result<u64, OutOfMemory> {
        self.allocate_with(len, align, Written::Nothing, None)
    }

    /// Allocates uninitialized memory for a thread that calls `malloc`, and returns the address.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn allocate_heap(&self, len: u64, align: u64) -> Result<u64, OutOfMemory> {
        self.allocate_with(len, align, Written::Heap, None)
    }

    /// Allocates memory with a name for messages: zeros, or uninitialized.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn allocate_named(&self, len: u64, name: &str, is_written: bool) -> Result<u64, OutOfMemory> {
        let written = if is_written { Written::Zeros } else { Written::Nothing };
        self.allocate_with(len, 1, written, Some(name))
    }

    fn allocate_with(
        &self,
        len: u64,
        align: u64,
        written: Written,
        name: Option<&str>,
    ) -> Result<u64, OutOfMemory> {
        {
            let mut budget = locked(&self.budget);
            let left = budget.left;
            budget.left = left.checked_sub(len).ok_or(OutOfMemory::Device { wanted: len, left })?;
        }
        let (made, is_heap) = (self.make(len, written), written == Written::Heap);
        let mut budget = locked(&self.budget);
        let (bytes, written, reserved) = made.map_err(|error| {
            budget.left += len;
            OutOfMemory::Host(error)
        })?;
        let start = budget.next.next_multiple_of(align.max(ALIGN));
        budget.next = start + len + GAP;
        drop(budget);
        self.insert(Allocation {
            start,
            len,
            bytes,
            own: OnceLock::new(),
            written,
            name: name.map(str::to_owned),
            is_heap,
            is_freed: AtomicBool::new(false),
            freed_by: None,
            _reserved: reserved,
        });
        Ok(start)
    }

    /// The bytes of an allocation, the record of its written bytes if there is one, and the reservation of
    /// both.
    fn make(&self, len: u64, written: Written) -> Result<(Bytes, Option<Bytes>, Reserved), HostOutOfMemory> {
        let is_watched = written != Written::Zeros;
        let n_bytes = if is_watched { len.saturating_mul(2) } else { len };
        let reserved = Reserved::new(&self.host, n_bytes)?;
        let zeros = || Bytes::try_zeroed(len).ok_or_else(|| reserved.refused(n_bytes));
        let written = is_watched.then(zeros).transpose()?;
        let bytes = zeros()?;
        Ok((bytes, written, reserved))
    }

    /// Places a variable at an address after all that are in use.
    ///
    /// # Errors
    ///
    /// If the host has too little memory.
    pub(crate) fn place(
        &self,
        address: u64,
        size: u64,
        image: &[u8],
        name: &str,
    ) -> Result<(), HostOutOfMemory> {
        let (bytes, _, mut reserved) =
            self.make(size.checked_next_multiple_of(MAX_LOAD).unwrap_or(u64::MAX), Written::Zeros)?;
        // The bytes that can be read past its end take as much again.
        reserved.grow(bytes.len() as u64)?;
        bytes.write(0, image);
        let mut budget = locked(&self.budget);
        budget.next = budget.next.max(address + size + GAP);
        self.insert(Allocation {
            start: address,
            len: size,
            bytes,
            own: OnceLock::new(),
            written: None,
            name: Some(name.to_owned()),
            is_heap: false,
            is_freed: AtomicBool::new(false),
            freed_by: None,
            _reserved: reserved,
        });
        Ok(())
    }

    fn insert(&self, allocation: Allocation) {
        let mut allocations = self.allocations.write().unwrap_or_else(PoisonError::into_inner);
        allocations.insert(allocation.start, Arc::new(allocation));
    }

    /// Frees an allocation: later accesses to it are errors.
    ///
    /// # Errors
    ///
    /// If none begins there, or it has been freed.
    pub fn free(&self, address: u64) -> Result<(), AccessError> {
        self.free_by(address, "the host")
    }

    /// Frees an allocation, with a description of what freed it, for messages.
    ///
    /// # Errors
    ///
    /// If none begins there, or it has been freed.
    pub fn free_by(&self, address: u64, by: &str) -> Result<(), AccessError> {
        let found = self.before(address).filter(|allocation| allocation.start == address);
        let Some(allocation) = found else { return Err(self.error_at(address)) };
        if allocation.is_freed.swap(true, Ordering::Relaxed) {
            return Err(allocation.freed(address));
        }
        let len = allocation.len;
        locked(&self.budget).left += len;
        // The memory is released with its last reference; its extent is remembered.
        self.insert(Allocation {
            start: address,
            len,
            bytes: Bytes::freed(len as usize),
            own: OnceLock::new(),
            written: None,
            name: allocation.name.clone(),
            is_heap: allocation.is_heap,
            is_freed: AtomicBool::new(true),
            freed_by: Some(by.to_owned()),
            _reserved: Reserved::none(&self.host),
        });
        Ok(())
    }

    /// The allocation that contains an access.
    ///
    /// # Errors
    ///
    /// If there is none, or it was freed.
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
    ///
    /// If the access is misaligned, or not within an allocation.
    pub fn load(&self, address: u64, width: Width) -> Result<u64, AccessError> {
        self.with(address, width.bytes(), width, |bytes, at| bytes.load(at, width))
    }

    /// Writes a value.
    ///
    /// # Errors
    ///
    /// If the access is misaligned, or not within an allocation.
    pub fn store(&self, address: u64, width: Width, value: u64) -> Result<(), AccessError> {
        self.with(address, width.bytes(), width, |bytes, at| bytes.store(at, width, value))?;
        let allocation = self.find(address, width.bytes())?;
        if let Some(written) = allocation.written() {
            written.store(address - allocation.start, width, u64::MAX);
        }
        Ok(())
    }

    /// Copies bytes out.
    ///
    /// # Errors
    ///
    /// If they are not within one allocation.
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), AccessError> {
        self.with(address, out.len() as u64, Width::B1, |bytes, at| bytes.read(at, out))
    }

    /// Copies bytes in.
    ///
    /// # Errors
    ///
    /// If they are not within one allocation.
    pub fn write(&self, address: u64, data: &[u8]) -> Result<(), AccessError> {
        self.with(address, data.len() as u64, Width::B1, |bytes, at| bytes.write(at, data))?;
        let allocation = self.find(address, data.len() as u64)?;
        if let Some(written) = allocation.written() {
            written.fill(address - allocation.start, data.len() as u64, 0xFF);
        }
        Ok(())
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

    /// The name of the variable that contains an address, and the offset there.
    pub(crate) fn name_at(&self, address: u64) -> Option<(String, u64)> {
        let allocation = self.find(address, 1).ok()?;
        Some((allocation.name.clone()?, address - allocation.start))
    }

    /// Whether a thread has allocated the memory at an address: its content alone is not a result.
    pub(crate) fn is_heap(&self, address: u64) -> bool {
        self.find(address, 1).is_ok_and(|allocation| allocation.is_heap)
    }

    /// The last allocation that begins at or before an address.
    fn before(&self, address: u64) -> Option<Arc<Allocation>> {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        allocations.range(..=address).next_back().map(|(_, allocation)| allocation.clone())
    }

    /// The next allocation after an address, if it is so near that the program may have meant it.
    pub(crate) fn just_after(&self, address: u64) -> Option<Extent> {
        let allocations = self.allocations.read().unwrap_or_else(PoisonError::into_inner);
        let (start, allocation) = allocations.range(address..).next()?;
        (start - address <= GAP).then(|| allocation.extent())
    }

    fn error_at(&self, address: u64) -> AccessError {
        match self.before(address) {
            None => AccessError::OutOfBounds(None),
            Some(nearest) => AccessError::outside(nearest.extent(), address),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Global {
        Global::new(1000, Arc::new(HostMemory::limited(10_000)))
    }

    fn outside(start: u64, len: u64, address: u64) -> AccessError {
        AccessError::outside(Extent { start, len, name: None }, address)
    }

    #[test]
    fn accesses_are_within_one_allocation() {
        let global = small();
        let first = global.allocate(10, 1).expect("there is room");
        let second = global.allocate(8, 1024).expect("there is room");
        assert!(second.is_multiple_of(1024) && second >= first + 10 + GAP);
        assert_eq!(global.store(first + 8, Width::B2, 7), Ok(()));
        assert_eq!(global.load(first + 8, Width::B2), Ok(7));
        assert_eq!(global.load(first + 8, Width::B4), Err(outside(first, 10, first + 8)));
        assert_eq!(global.load(first + 1, Width::B2), Err(AccessError::Misaligned));
        assert_eq!(global.load(16, Width::B1), Err(AccessError::OutOfBounds(None)));
    }

    #[test]
    fn errors_say_how_far_an_address_is_from_an_allocation() {
        let global = small();
        let start = global.allocate(10, 1).expect("there is room");
        for (address, expected) in [
            (start - 1, "no memory is allocated at or before the address"),
            (start + 8, "at byte 8 of the allocation (10 bytes at 0x7f0000000000) and extends past its end"),
            (start + 12, "2 bytes past the end of the allocation (10 bytes at 0x7f0000000000)"),
        ] {
            let message = global.read(address, &mut [0; 4]).expect_err("it is not within").to_string();
            assert!(message.ends_with(expected), "{message}");
        }
        global.place(start + 512, 2, &[1, 2], "counts").expect("the host has room");
        let message = global.load(start + 514, Width::B2).expect_err("it is behind").to_string();
        assert!(message.ends_with("just past the end of `counts` (2 bytes at 0x7f0000000200)"), "{message}");
    }

    #[test]
    fn tracks_written_bytes() {
        let global = small();
        let start = global.allocate_unwritten(16, 1).expect("there is room");
        global.write(start + 1, &[1, 2]).expect("it is there");
        global.store(start + 8, Width::B4, 3).expect("it is there");
        let allocation = global.find(start, 16).expect("it is there");
        let written = allocation.written().expect("it is known");
        assert_eq!([written.load(0, Width::B8), written.load(8, Width::B8)], [0x00FF_FF00, 0xFFFF_FFFF]);
    }

    #[test]
    fn the_host_may_have_less_than_the_device() {
        let host = Arc::new(HostMemory::limited(1000));
        let global = Global::new(u64::MAX, host.clone());
        let less = |wanted, left| Err(OutOfMemory::Host(HostOutOfMemory { wanted, left }));
        assert_eq!(global.allocate(2000, 1), less(2000, 1000));
        // Recording the written bytes takes as much again.
        assert_eq!(global.allocate_unwritten(600, 1), less(1200, 1000));
        let address = global.allocate_unwritten(400, 1).expect("there is room");
        assert_eq!(global.allocate(600, 1), less(600, 200));
        global.free(address).expect("it is there");
        assert_eq!(host.left(), 1000);
        assert_eq!(global.allocate(1 << 60, 1), less(1 << 60, 1000));
        let unlimited = Global::new(u64::MAX, Arc::new(HostMemory::limited(u64::MAX)));
        assert!(matches!(unlimited.allocate(1 << 60, 1), Err(OutOfMemory::Host(_))), "the host refuses it");
    }

    #[test]
    fn freed_memory_is_inaccessible() {
        let global = small();
        let address = global.allocate(900, 1).expect("there is room");
        assert_eq!(global.allocate(200, 1), Err(OutOfMemory::Device { wanted: 200, left: 100 }));
        assert_eq!(global.free(address), Ok(()));
        let message = global.load(address + 8, Width::B4).expect_err("it was freed").to_string();
        let expected = "byte 8 of the allocation (900 bytes at 0x7f0000000000), freed by the host";
        assert_eq!(message, expected);
        assert!(matches!(global.free(address), Err(AccessError::Freed(_))));
        let again = global.allocate(900, 1).expect("there is room again");
        assert_ne!(again, address);
        assert_eq!(global.free(again + 8), Err(outside(again, 900, again + 8)));
    }
}
