//! Which blocks access which words of global memory, while blocks run at the same time.
//!
//! Concurrent blocks must compute the same result as blocks that run one after the other. So each word is
//! claimed: by the block that writes it, by one or several readers, or by an atomic operation that commutes
//! and whose result is unused, as in a histogram. If two claims conflict, the attempt is abandoned, and all
//! writes are rolled back.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::memory::bytes::Bytes;
use crate::memory::global::Allocation;
use crate::memory::host::{HostMemory, HostOutOfMemory, Reserved};

/// The size of a claimed word, in bytes.
const WORD: u64 = 4;

/// The size of a saved page, in bytes.
const PAGE: u64 = 4096;

/// Several readers.
const MANY: u32 = u32::MAX;

/// Several writers, all with the same commutative operation; its number is subtracted.
const REDUCED: u32 = u32::MAX - 1;

/// The number of blocks that the claims can distinguish.
pub(super) const MAX_BLOCKS: u64 = u32::MAX as u64 / 2;

/// How a block accesses a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Read,
    Write,
    /// A commutative operation of this number, whose result is unused.
    Reduce(u8),
}

/// The claims of all blocks of a launch.
#[derive(Default)]
pub(super) struct Claims {
    tables: Mutex<HashMap<u64, Arc<Table>>>,
    is_given_up: AtomicBool,
}

/// The claims on an allocation.
pub(super) struct Table {
    allocation: Arc<Allocation>,
    /// For each word, the reader in the high half and the writer in the low half; zero for neither.
    words: Box<[AtomicU64]>,
    /// The written pages, as they were before.
    pages: Box<[OnceLock<Saved>]>,
    /// Reserves the host memory that the table can grow to.
    _reserved: Reserved,
}

/// The former content of a page, and which of its bytes had been written if that is recorded.
struct Saved {
    bytes: Vec<u8>,
    written: Option<Vec<u8>>,
}

impl Claims {
    /// The claims on an allocation.
    ///
    /// # Errors
    ///
    /// If the host has too little memory for them.
    pub(super) fn table(
        &self,
        allocation: &Arc<Allocation>,
        host: &Arc<HostMemory>,
    ) -> Result<Arc<Table>, HostOutOfMemory> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match tables.entry(allocation.start()) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(Arc::new(Table::new(allocation, host)?)).clone(),
        })
    }

    /// Rolls back all writes.
    pub(super) fn put_back(&self) {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.values().for_each(|table| table.put_back());
    }

    /// Records that two claims conflict.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        // Whoever sees a later write also sees the attempt abandoned; see `is_surely_kept`.
        fence(Ordering::SeqCst);
    }

    /// Whether all claims on what was read until now agree.
    pub(super) fn is_surely_kept(&self) -> bool {
        fence(Ordering::SeqCst);
        !self.is_given_up()
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }
}

impl Table {
    fn new(allocation: &Arc<Allocation>, host: &Arc<HostMemory>) -> Result<Self, HostOutOfMemory> {
        let len = allocation.bytes().map_or(0, |bytes| bytes.len() as u64);
        let (n_words, n_pages) = (len.div_ceil(WORD), len.div_ceil(PAGE));
        let n_saved = if allocation.written().is_some() { 2 * len } else { len };
        let n_bytes = n_words * size_of::<AtomicU64>() as u64 + n_pages * size_of::<OnceLock<Saved>>() as u64;
        let reserved = Reserved::new(host, n_bytes + n_saved)?;
        let words = bytemuck::try_zeroed_slice_box(n_words as usize);
        let words = words.map_err(|()| reserved.refused(n_bytes))?;
        let pages = (0..n_pages).map(|_| OnceLock::new()).collect();
        Ok(Table { allocation: allocation.clone(), words, pages, _reserved: reserved })
    }

    /// Claims a range for a block that is about to access it; returns whether the claims agree.
    pub(super) fn claim(&self, claim: Claim, block: u32, at: u64, n_bytes: u64) -> bool {
        let (first, last) = (at / WORD, (at + n_bytes - 1) / WORD);
        if claim != Claim::Read {
            for page in first * WORD / PAGE..=last * WORD / PAGE {
                self.save(page);
            }
        }
        (first..=last).all(|word| self.claim_word(claim, block, word))
    }

    fn claim_word(&self, claim: Claim, block: u32, word: u64) -> bool {
        let Some(state) = self.words.get(word as usize) else { return false };
        let mut old = state.load(Ordering::Relaxed);
        loop {
            let Some(new) = claimed(claim, block, old) else { return false };
            if new == old {
                return true;
            }
            match state.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(found) => old = found,
            }
        }
    }

    /// Saves a page before its first write; concurrent writers wait until it is saved.
    fn save(&self, page: u64) {
        let Some(place) = self.pages.get(page as usize) else { return };
        place.get_or_init(|| {
            let copy = |bytes: &Bytes| {
                let mut copy = vec![0; (bytes.len() as u64 - page * PAGE).min(PAGE) as usize];
                bytes.read(page * PAGE, &mut copy);
                copy
            };
            let bytes = self.allocation.bytes().map_or_else(Vec::new, copy);
            Saved { bytes, written: self.allocation.written().map(copy) }
        });
    }

    fn put_back(&self) {
        for (page, saved) in self.pages.iter().enumerate() {
            let Some(saved) = saved.get() else { continue };
            let at = page as u64 * PAGE;
            if let Some(bytes) = self.allocation.bytes() {
                bytes.write(at, &saved.bytes);
            }
            if let (Some(bytes), Some(written)) = (self.allocation.written(), &saved.written) {
                bytes.write(at, written);
            }
        }
    }
}

/// The claims on a word with one more; `None` if they conflict.
fn claimed(claim: Claim, block: u32, state: u64) -> Option<u64> {
    let (mut reader, mut writer) = ((state >> 32) as u32, state as u32);
    let is_own = |claimant: u32| claimant == 0 || claimant == block;
    match claim {
        Claim::Read if !is_own(writer) => return None,
        Claim::Read => reader = if is_own(reader) { block } else { MANY },
        Claim::Write if !is_own(writer) || !is_own(reader) => return None,
        Claim::Write => writer = block,
        Claim::Reduce(number) => {
            let reduced = REDUCED - u32::from(number);
            if !is_own(reader) || writer != 0 && writer != reduced {
                return None;
            }
            writer = reduced;
        }
    }
    Some(u64::from(reader) << 32 | u64::from(writer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::bytes::Width;
    use crate::memory::global::Global;

    /// The claims on one word; the last one may conflict with those before.
    fn agrees(claims: &[(Claim, u32)]) -> bool {
        let state = claims.iter().try_fold(0, |state, &(claim, block)| claimed(claim, block, state));
        state.is_some()
    }

    #[test]
    fn blocks_agree_where_the_order_does_not_matter() {
        use Claim::{Read, Reduce, Write};
        for claims in [
            &[(Read, 1), (Read, 2), (Read, 3), (Read, 1)][..],
            &[(Write, 1), (Read, 1), (Write, 1)],
            &[(Read, 1), (Write, 1)],
            &[(Reduce(3), 1), (Reduce(3), 2)],
        ] {
            assert!(agrees(claims), "{claims:?}");
        }
        for claims in [
            &[(Write, 1), (Read, 2)][..],
            &[(Read, 1), (Write, 2)],
            &[(Read, 1), (Read, 2), (Write, 1)],
            &[(Write, 1), (Write, 2)],
            &[(Reduce(3), 1), (Reduce(4), 2)],
            &[(Reduce(3), 1), (Read, 1)],
            &[(Reduce(3), 1), (Write, 2)],
            &[(Read, 1), (Reduce(3), 2)],
        ] {
            assert!(agrees(&claims[..claims.len() - 1]), "{claims:?}");
            assert!(!agrees(claims), "{claims:?}");
        }
    }

    #[test]
    fn restores_written_memory() {
        let host = Arc::new(HostMemory::limited(10_000));
        let global = Global::new(1000, host.clone());
        let start = global.allocate_unwritten(7, 1).expect("there is room");
        global.write(start, &[1, 2, 3]).expect("it is there");
        let claims = Claims::default();
        let allocation = global.find(start, 7).expect("it is there");
        assert!(claims.table(&allocation, &Arc::new(HostMemory::limited(20))).is_err(), "there is no room");
        let table = claims.table(&global.find(start, 7).expect("it is there"), &host).expect("there is room");
        assert!(table.claim(Claim::Write, 1, 2, 5));
        global.write(start + 2, &[9; 5]).expect("it is there");
        assert!(!table.claim(Claim::Read, 2, 6, 1));
        claims.put_back();
        let mut bytes = [0; 7];
        global.read(start, &mut bytes).expect("it is there");
        assert_eq!(bytes, [1, 2, 3, 0, 0, 0, 0]);
        let allocation = global.find(start, 7).expect("it is there");
        assert_eq!(allocation.written().map(|written| written.load(0, Width::B4)), Some(0x00FF_FFFF));
    }
}
