//! Notices when nothing can go on any more, although threads execute instructions: they wait in loops (`spin`).
//!
//! What runs is divided into rounds: in each, all resident clusters have had their turns. Memory is watched only in some
//! rounds, so that what never waits hardly pays: the first after some hundred thousand instructions of each warp, and then
//! ever further apart. A round in which every thread waits, or goes through the same states again while nothing in memory
//! changes, is stuck. After a second one of the same kind no thread can do anything else.
//!
//! **Invariant.** Nothing here depends on cores, time or addresses on the host.

use std::cell::{Cell, RefCell};

use super::block::Shared;
use crate::memory::Generic;
use crate::program::code::Memory;

/// The first round that is watched, a power of two.
const FIRST: u64 = 4;

/// How many rounds are watched in a row, at least.
const MIN_WATCHED: u64 = 4;

/// Of how many rounds one is watched, later on.
const SHARE: u64 = 16;

/// What clusters that run on the same core share.
pub(super) struct Watch {
    /// How many rounds there have been since a cluster ended.
    round: Cell<u64>,
    is_on: Cell<bool>,
    /// How often memory has been watched: what was noted before the last time means nothing any more.
    n_windows: Cell<u64>,
    /// How often something has changed while memory was watched.
    n_changes: Cell<u64>,
    /// The changes when the last round was stuck.
    stuck_at: Cell<Option<u64>>,
    writers: RefCell<Writers>,
}

/// A place in memory that several threads see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// In global memory 0, else the place of the block whose shared memory it is, from 1.
    block: u64,
    address: u64,
}

/// Who has changed a word.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    /// The place of the block in the order in which blocks begin.
    pub(super) position: u64,
    /// Its number in the block.
    pub(super) thread: u32,
    /// The instruction.
    pub(super) code: u32,
    pub(super) pc: u32,
}

/// The last writers of some words: of two whose places in the table are the same, the later one is kept.
#[derive(Default)]
struct Writers(Vec<Option<(Word, Writer)>>);

/// How many writers are kept, a power of two.
const N_WRITERS: usize = 1024;

impl Writers {
    fn place(word: Word) -> usize {
        let mixed = (word.address ^ word.block << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize % N_WRITERS
    }
}

impl Word {
    /// The place of an address, if other threads see it.
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

    /// Something has changed that threads may wait for.
    pub(super) fn change(&self) {
        self.n_changes.set(self.n_changes.get() + 1);
    }

    /// A thread has changed a word.
    pub(super) fn record(&self, word: Word, writer: Writer) {
        let mut writers = self.writers.borrow_mut();
        if writers.0.is_empty() {
            writers.0.resize(N_WRITERS, None);
        }
        writers.0[Writers::place(word)] = Some((word, writer));
    }

    /// Who has changed a word, if that is known.
    pub(super) fn writer(&self, word: Word) -> Option<Writer> {
        let writers = self.writers.borrow();
        let (of, writer) = writers.0.get(Writers::place(word)).copied().flatten()?;
        (of == word).then_some(writer)
    }

    /// A cluster has ended: something goes on.
    pub(super) fn restart(&self) {
        self.round.set(0);
        self.is_on.set(false);
        self.stuck_at.set(None);
    }

    /// A round has ended; whether it and the one before were stuck. `is_stuck` says whether this one was.
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
