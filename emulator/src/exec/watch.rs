//! Detects that nothing makes progress although threads execute instructions: they wait in loops (`spin`).
//!
//! Execution is divided into rounds, in each of which all resident clusters get their turns. Memory is
//! watched only in some rounds, so that kernels that never wait hardly pay: first after some hundred thousand
//! instructions of each warp, and then at growing intervals. A round in which every thread waits, or goes
//! through the same states again while nothing in memory changes, is stuck. After two stuck rounds with the
//! same state, no thread can ever do anything else.
//!
//! **Invariant.** The result does not depend on cores, time or host addresses.

use std::cell::{Cell, RefCell};

use super::block::Shared;
use crate::memory::Generic;
use crate::program::code::Memory;

/// The first watched round, a power of two.
const FIRST: u64 = 4;

/// The minimum number of consecutive watched rounds.
const MIN_WATCHED: u64 = 4;

/// Later, one in this many rounds is watched.
const SHARE: u64 = 16;

/// The state that clusters on the same core share.
pub(super) struct Watch {
    /// The number of rounds since a cluster ended.
    round: Cell<u64>,
    is_on: Cell<bool>,
    /// How often watching has started: records from before the last time are invalid.
    n_windows: Cell<u64>,
    /// How often something has changed while memory was watched.
    n_changes: Cell<u64>,
    /// The number of changes when the last round was stuck.
    stuck_at: Cell<Option<u64>>,
    writers: RefCell<Writers>,
}

/// A location in memory that several threads see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// 0 in global memory; in shared memory, the index of the block, from 1.
    block: u64,
    address: u64,
}

/// The thread that has changed a word.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    /// The position of the block in launch order.
    pub(super) position: u64,
    /// Its index in the block.
    pub(super) thread: u32,
    /// The instruction.
    pub(super) code: u32,
    pub(super) pc: u32,
}

/// The last writers of some words: of two that share a slot of the table, the later one is kept.
#[derive(Default)]
struct Writers(Vec<Option<(Word, Writer)>>);

/// The number of slots, a power of two.
const N_WRITERS: usize = 1024;

impl Writers {
    fn place(word: Word) -> usize {
        let mixed = (word.address ^ word.block << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize % N_WRITERS
    }
}

impl Word {
    /// The location of an address, if other threads see it.
    pub(super) fn of(shared: &Shared, memory: Memory, address: u64) -> Option<Word> {
        match memory.find(address) {
            Generic::Global(address) => Some(Word { block: 0, address }),
            Generic::Shared(at) => {
                let (rank, address) = shared.place(at);
                Some(Word { block: 1 + shared.position - shared.rank as u64 + rank as u64, address })
            }
            Generic::Local(_) | Generic::Param(_) | Generic::Const(_) => None,
        }
    }
}

impl Watch {
    pub(super) fn new() -> Self {
        Watch {
            round: Cell::new(0),
            is_on: Cell::new(false),
            n_windows: Cell::new(0),
            n_changes: Cell::new(0),
            stuck_at: Cell::new(None),
            writers: RefCell::default(),
        }
    }

    /// Whether memory is watched.
    pub(super) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    pub(super) fn n_windows(&self) -> u64 {
        self.n_windows.get()
    }

    pub(super) fn n_changes(&self) -> u64 {
        self.n_changes.get()
    }

    /// Records a change that threads may wait for.
    pub(super) fn change(&self) {
        self.n_changes.set(self.n_changes.get() + 1);
    }

    /// Records the thread that has changed a word.
    pub(super) fn record(&self, word: Word, writer: Writer) {
        let mut writers = self.writers.borrow_mut();
        if writers.0.is_empty() {
            writers.0.resize(N_WRITERS, None);
        }
        writers.0[Writers::place(word)] = Some((word, writer));
    }

    /// The thread that has changed a word, if known.
    pub(super) fn writer(&self, word: Word) -> Option<Writer> {
        let writers = self.writers.borrow();
        let (of, writer) = writers.0.get(Writers::place(word)).copied().flatten()?;
        (of == word).then_some(writer)
    }

    /// Restarts when a cluster has ended: there is progress.
    pub(super) fn restart(&self) {
        self.round.set(0);
        self.is_on.set(false);
        self.stuck_at.set(None);
    }

    /// Ends a round; returns whether it and the one before were stuck. `is_stuck` computes whether this one
    /// was.
    pub(super) fn end_round(&self, is_stuck: impl FnOnce() -> bool) -> bool {
        let mut is_over = false;
        if self.is_on.get() {
            let now = is_stuck().then_some(self.n_changes.get());
            is_over = now.is_some() && now == self.stuck_at.get();
            self.stuck_at.set(now);
        }
        let round = self.round.get() + 1;
        self.round.set(round);
        let is_on = is_watched(round);
        if is_on && !self.is_on.get() {
            self.n_windows.set(self.n_windows.get() + 1);
            self.stuck_at.set(None);
        }
        self.is_on.set(is_on);
        is_over
    }
}

/// Whether memory is watched in a round.
fn is_watched(round: u64) -> bool {
    let Some(power) = round.checked_ilog2().map(|log| 1 << log) else { return false };
    power >= FIRST && round - power < MIN_WATCHED.max(power / SHARE)
}
