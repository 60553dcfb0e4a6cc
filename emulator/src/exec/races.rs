//! Races: accesses of two threads to the same place, one of them a write, and nothing that orders them.
//!
//! Of each word, or byte where bytes are accessed, the last write is known and two of the last reads, with the time,
//! which goes on wherever something is ordered. What orders two accesses:
//!
//! - a barrier of the block, also one that is not for all its threads: all before it is taken to come before all behind it;
//! - `bar.warp.sync` within a warp, in the same way; shuffles and votes do not order memory;
//! - a fence and a write that is `.volatile`, `.relaxed` or atomic, or such a write with `.release`, and a read of that
//!   place of such a kind, by which all that any thread did before the write comes before what the reader does next.
//!
//! So some races are not found, and none is found where there is none. Two accesses that are both atomic, volatile or
//! relaxed are no race, and neither are writes of the same value.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::access::in_memory;
use super::block::Shared;
use super::device::LaunchContext;
use super::fault::{FaultKind, Race, Space, Thread, Touch};
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::Generic;
use crate::memory::host::{HostMemory, HostOutOfMemory, Reserved};
use crate::program::code::{Memory, Order, Semantics};

/// What is known of a launch.
pub(super) struct GridRaces {
    time: AtomicU64,
    global: Mutex<History>,
}

/// What is known of a block.
pub(super) struct BlockRaces {
    clocks: RefCell<Clocks>,
}

/// Until when the accesses of others come before what threads do next.
struct Clocks {
    /// Of the block, for all its threads.
    block: u64,
    /// Of a warp, for each.
    warps: Vec<u64>,
    /// Of all blocks, for each thread.
    threads: Vec<u64>,
    /// Which threads of each warp have executed a fence behind their last write.
    fenced: Vec<u32>,
}

/// The last accesses to a piece of memory.
pub(super) struct History {
    pages: HashMap<u64, Page>,
    /// When those places were last written so that readers come behind what was before.
    releases: HashMap<u64, u64>,
    /// What of the host's memory all of that takes.
    reserved: Reserved,
}

/// The accesses to some words, or to their bytes.
struct Page {
    are_bytes: bool,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    writer: Option<Record>,
    readers: [Option<Record>; 2],
}

/// An access.
#[derive(Clone, Copy)]
struct Record {
    time: u64,
    /// The position of the block.
    block: u64,
    /// The number of the thread in its block.
    thread: u32,
    touch: Touch,
    is_strong: bool,
    /// The function and the instruction.
    code: u32,
    pc: u32,
}

/// An access that is to be looked at.
pub(super) struct Watched<'a> {
    pub(super) memory: Memory,
    pub(super) addresses: &'a Lanes,
    pub(super) n_bytes: u64,
    pub(super) touch: Touch,
    pub(super) order: Order,
    /// The threads that write what was there before.
    pub(super) unchanged: u32,
}

/// How many bytes a page has.
const PAGE_SIZE: u64 = 256;

/// How many bytes a word has.
const WORD_SIZE: u64 = 4;

/// About how much a release takes of the host's memory, in bytes.
const RELEASE_SIZE: u64 = 32;

impl GridRaces {
    pub(super) fn new(host: &Arc<HostMemory>) -> Self {
        GridRaces { time: AtomicU64::default(), global: Mutex::new(History::new(host)) }
    }

    fn now(&self) -> u64 {
        self.time.load(Ordering::Relaxed)
    }

    /// All that was before comes before the time that this gives.
    fn tick(&self) -> u64 {
        self.time.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl BlockRaces {
    pub(super) fn new(n_threads: u32) -> Self {
        let n_warps = n_threads.div_ceil(WARP_SIZE as u32) as usize;
        let clocks = Clocks {
            block: 0,
            warps: vec![0; n_warps],
            threads: vec![0; n_warps * WARP_SIZE],
            fenced: vec![0; n_warps],
        };
        BlockRaces { clocks: RefCell::new(clocks) }
    }
}

/// Threads of a block have come together at a barrier.
pub(super) fn order_block(cx: &LaunchContext<'_>, shared: &Shared) {
    if let (Some(grid), Some(block)) = (&cx.races, &shared.races) {
        let clocks = &mut *block.clocks.borrow_mut();
        clocks.block = grid.tick();
        let seen = clocks.threads.iter().copied().max().unwrap_or(0);
        clocks.threads.fill(seen);
    }
}

/// All threads of a cluster have come together.
pub(super) fn order_cluster<'a>(cx: &LaunchContext<'_>, blocks: impl Iterator<Item = &'a Shared>) {
    let Some(grid) = &cx.races else { return };
    let now = grid.tick();
    for block in blocks.filter_map(|shared| shared.races.as_ref()) {
        block.clocks.borrow_mut().threads.fill(now);
    }
}

impl Clocks {
    /// Whether an access comes before what a thread does next.
    fn orders(&self, before: &Record, block: u64, thread: u32) -> bool {
        let warp = |thread: u32| thread as usize / WARP_SIZE;
        before.time < self.threads[thread as usize]
            || before.block == block
                && (before.thread == thread
                    || before.time < self.block
                    || warp(before.thread) == warp(thread) && before.time < self.warps[warp(thread)])
    }
}

impl Warp {
    fn first_thread(&self) -> u32 {
        self.specials.warp[0] as u32 * WARP_SIZE as u32
    }

    /// Threads of the warp have come together.
    pub(super) fn order_warp(&self, step: &Step<'_>) {
        if let (Some(grid), Some(block)) = (&step.cx.races, &step.shared.races) {
            let clocks = &mut *block.clocks.borrow_mut();
            let first = self.first_thread() as usize;
            clocks.warps[first / WARP_SIZE] = grid.tick();
            let threads = &mut clocks.threads[first..first + WARP_SIZE];
            let seen = threads.iter().copied().max().unwrap_or(0);
            threads.fill(seen);
        }
    }

    /// Threads execute a fence.
    pub(super) fn fence(&self, step: &Step<'_>, semantics: Semantics) {
        if let Some(block) = &step.shared.races
            && semantics.is_release()
        {
            block.clocks.borrow_mut().fenced[self.first_thread() as usize / WARP_SIZE] |= step.mask;
        }
    }

    /// Looks at an access that has been made.
    pub(super) fn watch(&self, step: &Step<'_>, watched: &Watched<'_>) -> Result<(), StepError> {
        let (Some(grid), Some(block)) = (&step.cx.races, &step.shared.races) else { return Ok(()) };
        let mut global = grid.global.lock().unwrap_or_else(PoisonError::into_inner);
        let clocks = &mut *block.clocks.borrow_mut();
        let first = self.first_thread();
        for lane in step.lanes() {
            let mut shared;
            let (history, space, address) = match in_memory(watched.memory, watched.addresses[lane]) {
                Generic::Shared(at) => {
                    let (rank, at) = step.shared.place(at);
                    let memory = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref());
                    let Some(memory) = memory else { continue };
                    shared = memory.borrow_mut();
                    (&mut *shared, Space::Shared, at)
                }
                Generic::Global(at) => (&mut *global, Space::Global, at),
                Generic::Param(_) | Generic::Const(_) | Generic::Local(_) => continue,
            };
            let error = |kind| StepError { kind, lane: Some(lane) };
            let thread = first + lane as u32;
            let fenced = &mut clocks.fenced[first as usize / WARP_SIZE];
            let is_fenced = *fenced >> lane & 1 != 0 || watched.order.semantics.is_release();
            if watched.order.is_strong() {
                if watched.touch != Touch::Write
                    && let Some(&released) = history.releases.get(&address)
                {
                    let seen = &mut clocks.threads[thread as usize];
                    *seen = released.max(*seen);
                }
                if watched.touch != Touch::Read && is_fenced {
                    history.release(address, grid.tick()).map_err(error)?;
                }
            } else if watched.touch != Touch::Read {
                *fenced &= !(1 << lane);
            }
            let record = Record {
                time: grid.now(),
                block: step.shared.position,
                thread,
                touch: watched.touch,
                is_strong: watched.order.is_strong(),
                code: step.code_number as u32,
                pc: step.split.pc,
            };
            let is_unchanged = watched.unchanged >> lane & 1 != 0;
            let found = history.access(address, watched.n_bytes, record, is_unchanged, clocks);
            let found = found.map_err(error)?;
            if let Some(other) = found {
                let race = Race {
                    piece: self.piece(step, space, address, watched.n_bytes),
                    touch: watched.touch,
                    other: thread_of(step.cx, &other),
                    other_touch: other.touch,
                };
                return Err(error(FaultKind::Race(Box::new(race))));
            }
        }
        Ok(())
    }
}

impl History {
    pub(super) fn new(host: &Arc<HostMemory>) -> Self {
        let reserved = Reserved::none(host);
        History { pages: HashMap::new(), releases: HashMap::new(), reserved }
    }

    /// A place is written so that readers come behind what was before.
    fn release(&mut self, address: u64, time: u64) -> Result<(), FaultKind> {
        if self.releases.insert(address, time).is_none() {
            self.reserved.grow(RELEASE_SIZE).map_err(no_room)?;
        }
        Ok(())
    }

    /// Notes an access, and gives one before that it races with.
    fn access(
        &mut self,
        address: u64,
        n_bytes: u64,
        record: Record,
        is_unchanged: bool,
        clocks: &Clocks,
    ) -> Result<Option<Record>, FaultKind> {
        let needs_bytes = !(address | n_bytes).is_multiple_of(WORD_SIZE);
        // What is accessed at once is aligned, and so within a page.
        let page = match self.pages.entry(address / PAGE_SIZE) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let n_cells = (PAGE_SIZE / WORD_SIZE) as usize;
                self.reserved.grow(size_of_cells(n_cells)).map_err(no_room)?;
                place.insert(Page { are_bytes: false, cells: vec![Cell::default(); n_cells] })
            }
        };
        if needs_bytes && !page.are_bytes {
            let n_more = page.cells.len() * (WORD_SIZE as usize - 1);
            self.reserved.grow(size_of_cells(n_more)).map_err(no_room)?;
            page.are_bytes = true;
            page.cells = page.cells.iter().flat_map(|cell| [*cell; WORD_SIZE as usize]).collect();
        }
        let size = if page.are_bytes { 1 } else { WORD_SIZE };
        let first = (address % PAGE_SIZE / size) as usize;
        let cells = page.cells.iter_mut().skip(first).take((n_bytes / size) as usize);
        let mut found = None;
        for cell in cells {
            found = found.or(cell.access(record, is_unchanged, clocks));
        }
        Ok(found)
    }
}

impl Cell {
    fn access(&mut self, record: Record, is_unchanged: bool, clocks: &Clocks) -> Option<Record> {
        let is_ordered = |before: &Record| clocks.orders(before, record.block, record.thread);
        let races = |before: &Record| !(is_ordered(before) || before.is_strong && record.is_strong);
        let writer = self.writer.filter(|writer| races(writer) && !is_unchanged);
        if record.touch == Touch::Read {
            // One that comes before this one need not be known any more.
            let is_free = |reader: &Option<Record>| reader.as_ref().is_none_or(is_ordered);
            let slot = self.readers.iter().position(is_free).unwrap_or(1);
            self.readers[slot] = Some(record);
            return writer;
        }
        let reader = self.readers.iter().flatten().find(|reader| races(reader)).copied();
        *self = Cell {
            writer: Some(record),
            readers: self.readers.map(|reader| reader.filter(|r| !is_ordered(r))),
        };
        writer.or(reader)
    }
}

fn size_of_cells(n_cells: usize) -> u64 {
    (n_cells * size_of::<Cell>()) as u64
}

fn no_room(error: HostOutOfMemory) -> FaultKind {
    FaultKind::OutOfMemory { purpose: "the check of races", error }
}

/// The thread that made an access.
fn thread_of(cx: &LaunchContext<'_>, record: &Record) -> Thread {
    let [x, y, _] = cx.block_size;
    let number = record.thread;
    let code = &cx.program.codes[record.code as usize];
    let instruction = &code.instructions[record.pc as usize];
    Thread::new(
        cx.program,
        code,
        instruction,
        cx.order.block_at(record.block),
        [number % x, number / x % y, number / (x * y)],
    )
}
