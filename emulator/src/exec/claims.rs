//! Which blocks access which words of global memory, while blocks run at the same time.
//!
//! Blocks that run at the same time must come to what they would come to one after the other. So each word is
//! claimed: by the block that writes it, by the one or the many that read it, or by an operation whose order does not
//! matter and whose outcome nobody sees, as those of histograms. Where two claims do not agree the attempt is given up,
//! and all that was written is put back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::global::Allocation;

/// In bytes, of a word that is claimed.
const WORD: u64 = 4;

/// In place of a reader: there are many.
const MANY: u32 = u32::MAX;

/// In place of a writer: many, all with the same operation, whose number is subtracted.
const REDUCED: u32 = u32::MAX - 1;

/// How many blocks can be told apart.
pub(super) const MAX_BLOCKS: u64 = u32::MAX as u64 / 2;

/// How a block accesses a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Read,
    Write,
    /// An operation of this number, of which only the outcome of all together is seen.
    Reduce(u8),
}

/// The claims of all blocks of a launch.
#[derive(Default)]
pub(super) struct Claims {
    tables: Mutex<HashMap<u64, Arc<Table>>>,
    is_given_up: AtomicBool,
}

/// The claims on an allocation: for each word, the reader in the high half, the writer in the low half; zero is nobody.
pub(super) struct Table {
    allocation: Arc<Allocation>,
    words: Box<[AtomicU64]>,
}

/// A word as it was before it was written first.
pub(super) struct Undo {
    table: Arc<Table>,
    word: u64,
    bytes: u32,
    written: Option<u32>,
}

impl Claims {
    /// The claims on an allocation.
    pub(super) fn table(&self, allocation: &Arc<Allocation>) -> Arc<Table> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            let len = allocation.bytes().map_or(0, |bytes| bytes.len() as u64);
            let words = bytemuck::zeroed_slice_box(len.div_ceil(WORD) as usize);
            Arc::new(Table { allocation: allocation.clone(), words })
        };
        tables.entry(allocation.start()).or_insert_with(new).clone()
    }

    /// Two claims did not agree.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }
}

impl Table {
    /// A block is going to access a range; whether it may. Words that it writes first are noted.
    pub(super) fn claim(
        self: &Arc<Self>,
        claim: Claim,
        block: u32,
        at: u64,
        n_bytes: u64,
        undo: &mut Vec<Undo>,
    ) -> bool {
        (at / WORD..=(at + n_bytes - 1) / WORD).all(|word| self.claim_word(claim, block, word, undo))
    }

    fn claim_word(self: &Arc<Self>, claim: Claim, block: u32, word: u64, undo: &mut Vec<Undo>) -> bool {
        let Some(state) = self.words.get(word as usize) else { return false };
        let mut old = state.load(Ordering::Relaxed);
        loop {
            let Some(new) = claimed(claim, block, old) else { return false };
            if new == old {
                return true;
            }
            // As long as nobody has claimed it for writing, it is as it was.
            let before = (new as u32 != old as u32).then(|| Undo::new(self, word));
            match state.compare_exchange_weak(old, new, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    undo.extend(before);
                    return true;
                }
                Err(found) => old = found,
            }
        }
    }
}

/// The claims on a word with one more; none if they do not agree.
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

impl Undo {
    fn new(table: &Arc<Table>, word: u64) -> Self {
        let load = |bytes: &crate::memory::bytes::Bytes| bytes.word(word);
        let bytes = table.allocation.bytes().map_or(0, load);
        Undo { table: table.clone(), word, bytes, written: table.allocation.written().map(load) }
    }

    /// Puts the word back.
    pub(super) fn put_back(&self) {
        let allocation = &self.table.allocation;
        if let Some(bytes) = allocation.bytes() {
            bytes.set_word(self.word, self.bytes);
        }
        if let (Some(bytes), Some(written)) = (allocation.written(), self.written) {
            bytes.set_word(self.word, written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::bytes::Width;
    use crate::memory::global::Global;

    /// Claims on one word, the last of which may not agree with those before.
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
    fn what_was_written_is_put_back() {
        let global = Global::new(1000);
        let start = global.allocate_unwritten(7, 1).expect("there is room");
        global.write(start, &[1, 2, 3]).expect("it is there");
        let (claims, mut undo) = (Claims::default(), Vec::new());
        let table = claims.table(&global.find(start, 7).expect("it is there"));
        assert!(table.claim(Claim::Write, 1, 2, 5, &mut undo));
        global.write(start + 2, &[9; 5]).expect("it is there");
        assert!(!table.claim(Claim::Read, 2, 6, 1, &mut undo));
        undo.iter().rev().for_each(Undo::put_back);
        let mut bytes = [0; 7];
        global.read(start, &mut bytes).expect("it is there");
        assert_eq!(bytes, [1, 2, 3, 0, 0, 0, 0]);
        let allocation = global.find(start, 7).expect("it is there");
        assert_eq!(allocation.written().map(|written| written.load(0, Width::B4)), Some(0x00FF_FFFF));
    }
}
