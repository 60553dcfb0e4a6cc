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
//! A bulk copy accesses memory as a thread of its own would: what comes before it is what came before who asked for it, and
//! what comes behind it, what comes behind the wait for it.
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
use super::bulk::{Told, Transfer};
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
    /// When a thread last executed `fence.proxy.async`.
    proxied: AtomicU64,
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
    /// A bulk copy made it.
    is_copy: bool,
    /// Nothing of what orders the thread orders it: an mbarrier object tells of it.
    is_apart: bool,
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

/// Who asked for a copy, and what came before that.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    /// The position of the block.
    block: u64,
    /// The number of the thread in its block.
    thread: u32,
    /// The function and the instruction.
    pub(super) code: u32,
    pub(super) pc: u32,
    time: u64,
    /// Until when accesses of the block, of the warp and of all others come before.
    of_block: u64,
    of_warp: u64,
    of_all: u64,
    /// When a thread last executed `fence.proxy.async`.
    proxied: u64,
}

impl Asked {
    /// The thread that asked, and where.
    pub(super) fn thread(&self, cx: &LaunchContext<'_>) -> Thread {
        thread_at(cx, self.block, self.thread, self.code, self.pc)
    }

    fn orders(&self, before: &Record) -> bool {
        let warp = |thread: u32| thread as usize / WARP_SIZE;
        before.time < self.of_all
            || !before.is_apart
                && before.block == self.block
                && (before.thread == self.thread && before.time < self.time
                    || before.time < self.of_block
                    || warp(before.thread) == warp(self.thread) && before.time < self.of_warp)
    }
}

/// A thread executes `fence.proxy.async`.
pub(super) fn fence_proxy(cx: &LaunchContext<'_>) {
    if let Some(grid) = &cx.races {
        grid.proxied.store(grid.tick(), Ordering::Relaxed);
    }
}

/// How many bytes a page has.
const PAGE_SIZE: u64 = 256;

/// How many bytes a word has.
const WORD_SIZE: u64 = 4;

/// About how much a release takes of the host's memory, in bytes.
const RELEASE_SIZE: u64 = 32;

impl GridRaces {
    pub(super) fn new(host: &Arc<HostMemory>) -> Self {
        GridRaces {
            time: AtomicU64::default(),
            proxied: AtomicU64::default(),
            global: Mutex::new(History::new(host)),
        }
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
            || !before.is_apart
                && before.block == block
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

    /// A thread asks for a copy.
    pub(super) fn ask(&self, step: &Step<'_>, lane: usize) -> Asked {
        let thread = self.first_thread() + lane as u32;
        let mut asked = Asked {
            block: step.shared.position,
            thread,
            code: step.code_number as u32,
            pc: step.split.pc,
            time: 0,
            of_block: 0,
            of_warp: 0,
            of_all: 0,
            proxied: 0,
        };
        if let (Some(grid), Some(block)) = (&step.cx.races, &step.shared.races) {
            let clocks = block.clocks.borrow();
            asked.time = grid.tick();
            asked.of_block = clocks.block;
            asked.of_warp = clocks.warps[thread as usize / WARP_SIZE];
            asked.of_all = clocks.threads[thread as usize];
            asked.proxied = grid.proxied.load(Ordering::Relaxed);
        }
        asked
    }

    /// Looks at an access that a copy has made.
    pub(super) fn watch_copy(
        &self,
        step: &Step<'_>,
        transfer: &Transfer,
        address: u64,
        n_bytes: u64,
        touch: Touch,
    ) -> Result<(), FaultKind> {
        let Some(grid) = &step.cx.races else { return Ok(()) };
        let asked = &transfer.asked;
        let memory = if touch == Touch::Read { transfer.from } else { transfer.to };
        let mut global = grid.global.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shared;
        let (history, space, address) = match in_memory(memory, address) {
            Generic::Shared(at) => {
                let (rank, at) = step.shared.place(at);
                let memory = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref());
                let Some(memory) = memory else { return Ok(()) };
                shared = memory.borrow_mut();
                (&mut *shared, Space::Shared, at)
            }
            Generic::Global(at) => (&mut *global, Space::Global, at),
            Generic::Param(_) | Generic::Const(_) | Generic::Local(_) => return Ok(()),
        };
        let record = Record {
            time: grid.now(),
            block: asked.block,
            thread: asked.thread,
            touch,
            is_strong: touch == Touch::Atomic,
            is_copy: true,
            is_apart: matches!(transfer.told, Told::Mbarrier { .. }),
            code: asked.code,
            pc: asked.pc,
        };
        if touch == Touch::Read
            && let Some(writer) = history.unfenced_writer(address, n_bytes, asked.proxied)
            && asked.orders(&writer)
        {
            let piece = self.piece(step, space, address, n_bytes);
            let writer = Box::new(thread_of(step.cx, &writer));
            return Err(FaultKind::NoProxyFence { piece, writer });
        }
        match history.access(address, n_bytes, record, false, &|before| asked.orders(before))? {
            None => Ok(()),
            Some(other) => Err(FaultKind::Race(Box::new(Race {
                piece: self.piece(step, space, address, n_bytes),
                touch,
                other: thread_of(step.cx, &other),
                other_touch: other.touch,
            }))),
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
                is_copy: false,
                is_apart: false,
                code: step.code_number as u32,
                pc: step.split.pc,
            };
            let is_unchanged = watched.unchanged >> lane & 1 != 0;
            let is_ordered = |before: &Record| clocks.orders(before, record.block, record.thread);
            let found = history.access(address, watched.n_bytes, record, is_unchanged, &is_ordered);
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
        is_ordered: &dyn Fn(&Record) -> bool,
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
            found = found.or(cell.access(record, is_unchanged, is_ordered));
        }
        Ok(found)
    }
}

impl Cell {
    fn access(
        &mut self,
        record: Record,
        is_unchanged: bool,
        is_ordered: &dyn Fn(&Record) -> bool,
    ) -> Option<Record> {
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

impl History {
    /// A thread that has written there since a time.
    fn unfenced_writer(&self, address: u64, n_bytes: u64, since: u64) -> Option<Record> {
        let page = self.pages.get(&(address / PAGE_SIZE))?;
        let size = if page.are_bytes { 1 } else { WORD_SIZE };
        let first = (address % PAGE_SIZE / size) as usize;
        let cells = page.cells.iter().skip(first).take(n_bytes.div_ceil(size) as usize);
        let mut writers = cells.filter_map(|cell| cell.writer);
        writers.find(|writer| !writer.is_copy && writer.time >= since)
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
    thread_at(cx, record.block, record.thread, record.code, record.pc)
}

fn thread_at(cx: &LaunchContext<'_>, block: u64, number: u32, code: u32, pc: u32) -> Thread {
    let [x, y, _] = cx.block_size;
    let code = &cx.program.codes[code as usize];
    let instruction = &code.instructions[pc as usize];
    Thread::new(
        cx.program,
        code,
        instruction,
        cx.order.block_at(block),
        [number % x, number / x % y, number / (x * y)],
    )
}
