//! Races: two accesses of two threads to the same bytes, one of them a write, that nothing orders (PTX ISA "Memory
//! Consistency Model", "Conflict and Data-races").
//!
//! Each access is looked at when it is made. It races with one before if that does not come before it in causality order
//! and the two are not morally strong: both atomic, volatile or relaxed, of the same bytes, with scopes that include the
//! other thread. So what is found are the races of the execution that ran, whichever side ran first; which accesses are
//! made, and what they read, depends on the order in which blocks and warps go on.
//!
//! - `clock`: vector clocks, in which a time may be that of a whole block or warp
//! - `sync`: what orders threads: barriers, for the threads that take part, and fences
//! - `release`: what orders them by memory: release patterns that acquire patterns observe
//! - `row`: what a warp did to a line of memory; `line`: the accesses to a line that later ones may race with;
//!   `history`: all lines of a space
//! - `actor`: who makes an access, and what it races with
//! - `pattern`: the accesses of a warp as rows
//! - `copies`: bulk copies, which access memory as threads of their own would
//! - `report`: why nothing orders two accesses
//!
//! Limits: accesses to local memory are not looked at, nor those of the host. A time that is an event of a block has 32
//! bits.

mod actor;
mod clock;
mod copies;
mod history;
mod line;
mod pattern;
mod release;
mod report;
mod row;
mod sync;

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub(super) use copies::Asked;
pub(super) use history::History;

use self::actor::{Acting, Before, Found, Shape};
use self::clock::Actor;
use self::copies::Channels;
pub(super) use self::copies::fence_proxy;
use self::pattern::{Arrangement, Pattern};
use self::release::{Accessor, forget};
use self::row::{Kind, Mapping, Row, bits};
use self::sync::BlockSync;
use super::access::in_memory;
use super::block::Shared;
use super::fault::{FaultKind, Space, Touch};
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::host::{HostMemory, HostOutOfMemory};
use crate::memory::{BLOCK_WINDOW, Generic};
use crate::program::Program;
use crate::program::code::{Fence, Memory, Order};

/// What is known of a launch.
pub(super) struct GridRaces {
    shape: Shape,
    /// How many accesses there were.
    seq: AtomicU64,
    /// The number of the access before which a thread last executed `fence.proxy.async`.
    proxied: AtomicU64,
    /// The number of the first instruction of each function, in the program.
    first_instructions: Vec<u32>,
    global: Mutex<Global>,
}

/// What is known of global memory, and of copies.
struct Global {
    history: History,
    channels: Channels,
}

/// What is known of a block.
pub(super) struct BlockRaces {
    sync: RefCell<BlockSync>,
}

/// An access that is to be looked at.
pub(super) struct Watched<'a> {
    pub(super) memory: Memory,
    pub(super) addresses: &'a Lanes,
    pub(super) n_bytes: u64,
    /// The size of each of the values, in bytes.
    pub(super) width: u64,
    pub(super) touch: Touch,
    pub(super) order: Order,
    /// Of a write: which bytes of what each thread writes were other ones before, a bit for each.
    pub(super) changed: &'a Lanes,
    /// What is read goes somewhere.
    pub(super) has_result: bool,
}

/// All bytes may have been other ones.
pub(super) const ALL_CHANGED: &Lanes = &[u64::MAX; WARP_SIZE];

impl GridRaces {
    pub(super) fn new(program: &Program, n_threads: u32, cluster_size: u64, host: &Arc<HostMemory>) -> Self {
        let first = program.codes.iter().scan(0, |next, code| {
            let first = *next;
            *next += code.instructions.len() as u32;
            Some(first)
        });
        let global = Global { history: History::new(host), channels: Channels::default() };
        GridRaces {
            shape: Shape { n_warps: n_threads.div_ceil(WARP_SIZE as u32).max(1), cluster_size },
            seq: AtomicU64::default(),
            proxied: AtomicU64::default(),
            first_instructions: first.collect(),
            global: Mutex::new(global),
        }
    }

    /// The number of an access. Blocks go on in turns, on one core.
    fn next(&self) -> u64 {
        let seq = self.seq.load(Ordering::Relaxed) + 1;
        self.seq.store(seq, Ordering::Relaxed);
        seq
    }

    fn instruction(&self, code: usize, pc: u32) -> u32 {
        self.first_instructions.get(code).map_or(pc, |first| first + pc)
    }
}

impl BlockRaces {
    pub(super) fn new(position: u64, n_threads: u32) -> Self {
        BlockRaces { sync: RefCell::new(BlockSync::new(position, n_threads)) }
    }
}

/// Threads of a block have come together at a barrier: the masks of those that wait, by their warps.
pub(super) fn order_block(shared: &Shared, number: u32, waiting: impl Iterator<Item = (usize, u32)>) {
    let Some(block) = &shared.races else { return };
    let mut threads: Vec<(usize, u32)> = Vec::new();
    for (warp, mask) in waiting {
        match threads.last_mut() {
            Some((last, all)) if *last == warp => *all |= mask,
            _ => threads.push((warp, mask)),
        }
    }
    block.sync.borrow_mut().meet_at_barrier(number, &threads);
}

/// All threads of a cluster have arrived at its barrier: those that wait there, by their warps, go on.
pub(super) fn order_cluster<'a>(blocks: impl Iterator<Item = (&'a Shared, Vec<(usize, u32)>)>) {
    let mut arrived = Arc::default();
    let blocks: Vec<_> =
        blocks.filter_map(|(shared, waiting)| Some((shared.races.as_ref()?, waiting))).collect();
    for (block, _) in &blocks {
        clock::join(&mut arrived, &block.sync.borrow_mut().take_cluster_arrivals());
    }
    for (block, waiting) in blocks {
        let sync = &mut *block.sync.borrow_mut();
        sync.open_cluster(&arrived);
        waiting.into_iter().for_each(|(warp, mask)| sync.leave_cluster(warp, mask));
    }
}

impl Warp {
    /// The number of the warp in its block.
    fn idx(&self) -> usize {
        self.specials.warp[0] as usize
    }

    fn with_sync(&self, step: &Step<'_>, change: impl FnOnce(&mut BlockSync, usize)) {
        if let Some(block) = &step.shared.races {
            change(&mut block.sync.borrow_mut(), self.idx());
        }
    }

    /// Threads of the warp have come together.
    pub(super) fn order_warp(&self, step: &Step<'_>, mask: u32) {
        self.with_sync(step, |sync, warp| sync.meet_in_warp(warp, mask));
    }

    /// Threads have come to a barrier of the block, and go on.
    pub(super) fn order_arrival(&self, step: &Step<'_>, number: u32) {
        self.with_sync(step, |sync, warp| sync.arrive(number, warp, step.mask));
    }

    /// The same of the barrier of the cluster.
    pub(super) fn order_cluster_arrival(&self, step: &Step<'_>) {
        self.with_sync(step, |sync, warp| sync.arrive_at_cluster(warp, step.mask));
    }

    /// Threads find that all of the cluster have arrived.
    pub(super) fn order_cluster_wait(&self, step: &Step<'_>) {
        self.with_sync(step, |sync, warp| sync.leave_cluster(warp, step.mask));
    }

    /// Threads execute a fence.
    pub(super) fn fence(&self, step: &Step<'_>, fence: Fence) {
        self.with_sync(step, |sync, warp| sync.fence(warp, step.mask, fence));
    }

    /// Looks at an access that some of the threads have made.
    pub(super) fn watch_valid(
        &self,
        step: &Step<'_>,
        mask: u32,
        watched: &Watched<'_>,
    ) -> Result<(), StepError> {
        if mask == step.mask {
            self.watch(step, watched)
        } else {
            self.watch(&Step { mask, ..*step }, watched)
        }
    }

    /// Looks at an access that has been made.
    pub(super) fn watch(&self, step: &Step<'_>, watched: &Watched<'_>) -> Result<(), StepError> {
        match (&step.cx.races, &step.shared.races) {
            (Some(grid), Some(block)) => self.watch_in(step, watched, grid, block),
            _ => Ok(()),
        }
    }

    fn watch_in(
        &self,
        step: &Step<'_>,
        watched: &Watched<'_>,
        grid: &GridRaces,
        block: &BlockRaces,
    ) -> Result<(), StepError> {
        let seq = grid.next();
        let lock = || grid.global.lock().unwrap_or_else(PoisonError::into_inner);
        let sync = &mut *block.sync.borrow_mut();
        let mut left = step.mask;
        while left != 0 {
            let mut own = None;
            let (space, rank, mask) = places(step.shared, watched, left, &mut own);
            let places = own.as_ref().unwrap_or(watched.addresses);
            left &= !mask;
            let Some(space) = space else { continue };
            let memory = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref());
            let mut shared = memory.filter(|_| space == Space::Shared).map(RefCell::borrow_mut);
            let look = Look { warp: self, step, watched, grid, seq, mask, places };
            let found = match (space, shared.as_deref_mut()) {
                (Space::Global, _) => look.at(&mut lock().history, sync)?,
                (Space::Shared, Some(history)) => look.at(history, sync)?,
                (Space::Shared, None) | (Space::Local | Space::Register, _) => continue,
            };
            if let Some(found) = found {
                let lane = found.by as usize;
                let piece = self.piece(step, space, places[lane], watched.n_bytes);
                let kind = look.kind();
                let global = lock();
                let spaces = [Some(&global.history), shared.as_deref()];
                let place = (step.shared.position, self.idx());
                let why = report::why(grid, sync, place, kind, &found, spaces);
                let kind = report::race(step.cx, grid, piece, kind, &found, why);
                step.survive(StepError { kind, lane: Some(lane) })?;
            }
        }
        Ok(())
    }
}

/// The first of some threads, with those that access the same memory: which. Where they access it goes into `own`, if these are
/// not the addresses themselves.
fn places(
    shared: &Shared,
    watched: &Watched<'_>,
    left: u32,
    own: &mut Option<Lanes>,
) -> (Option<Space>, usize, u32) {
    let are_near = || watched.addresses.iter().all(|&address| address < BLOCK_WINDOW);
    match watched.memory {
        Memory::Global => return (Some(Space::Global), 0, left),
        Memory::Shared if are_near() => return (Some(Space::Shared), shared.rank, left),
        _ => {}
    }
    let place = |lane: u32| match in_memory(watched.memory, watched.addresses[lane as usize]) {
        Generic::Shared(at) => {
            let (rank, at) = shared.place(at);
            (Some(Space::Shared), rank, at)
        }
        Generic::Global(at) => (Some(Space::Global), 0, at),
        Generic::Param(_) | Generic::Const(_) | Generic::Local(_) => (None, 0, 0),
    };
    let (space, rank, _) = place(left.trailing_zeros());
    let (mut mask, mut places) = (0, [0; WARP_SIZE]);
    for lane in bits(left) {
        let (other, of, at) = place(lane);
        if (other, of) == (space, rank) {
            mask |= 1 << lane;
            places[lane as usize] = at;
        }
    }
    *own = Some(places);
    (space, rank, mask)
}

/// A look at what threads of a warp did in one memory.
struct Look<'a> {
    warp: &'a Warp,
    step: &'a Step<'a>,
    watched: &'a Watched<'a>,
    grid: &'a GridRaces,
    seq: u64,
    mask: u32,
    places: &'a Lanes,
}

impl Look<'_> {
    fn kind(&self) -> Kind {
        let Watched { touch, order, width, .. } = *self.watched;
        let is_plain = order.is_volatile && self.step.cx.checks.volatile_races;
        let order = if is_plain { Order { is_volatile: true, ..Order::WEAK } } else { order };
        Kind { touch, order, width: width as u8 }
    }

    /// A row of no units.
    fn row(&self, sync: &BlockSync) -> Row {
        let Step { shared, code_number, split, .. } = *self.step;
        let number = shared.position * u64::from(self.grid.shape.n_warps) + self.warp.idx() as u64;
        Row {
            seq: self.seq,
            time: sync.time(),
            actor: Actor::warp(number),
            instruction: self.grid.instruction(code_number, split.pc),
            units: 0,
            mapping: Mapping::Same(0),
            kind: self.kind(),
        }
    }

    fn acting<'b>(&'b self, before: Before<'b>) -> Acting<'b> {
        let position = self.step.shared.position;
        let clock = match before {
            Before::Warp(warp) => warp.common_clock(),
            Before::Copy(clock) => Some(clock),
        };
        Acting {
            shape: self.grid.shape,
            before,
            own_block: (position, clock.map_or(0, |clock| clock.block_time(position))),
            addresses: self.places,
            changed: self.watched.changed,
            unit: (0, 1),
            n_grown: 0,
        }
    }

    fn error(&self, error: HostOutOfMemory) -> StepError {
        no_room(error).into()
    }

    /// Notes what was done, and gives what it races with.
    fn at(&self, history: &mut History, sync: &mut BlockSync) -> Result<Option<Found>, StepError> {
        let kind = self.kind();
        let warp = &sync.warps[self.warp.idx()];
        if kind.order.is_strong() && (warp.fenced.is_some() || kind.order.semantics.is_release())
            || kind.order.is_strong() && self.has_releases(history)?
        {
            return self.one_by_one(history, sync);
        }
        let (row, n_bytes) = (self.row(sync), self.watched.n_bytes);
        let mut acting = self.acting(Before::Warp(warp));
        let mut found = None;
        let pattern = Pattern::of(self.mask, self.places, n_bytes);
        pattern
            .rows(row, |start, row, is_bytes| {
                let line = history.line(start)?;
                if row.kind.writes() && !line.releases.is_empty() && !row.kind.order.is_strong() {
                    for lane in bits(self.mask) {
                        forget(&mut line.releases, self.places[lane as usize], n_bytes, None);
                    }
                }
                let other = match is_bytes {
                    true => line.access_bytes(row, start, &mut acting),
                    false => line.access_words(row, start, &mut acting),
                };
                found = Found::worse(found.take(), other);
                Ok(())
            })
            .map_err(|error| self.error(error))?;
        if row.kind.writes() && !row.kind.order.is_strong() {
            found = Found::worse(found, self.within(&pattern, row));
        }
        let n_grown = acting.n_grown;
        history.grow(n_grown).map_err(|error| self.error(error))?;
        Ok(found.filter(|found| !found.is_same_value || self.step.cx.checks.same_value_races))
    }

    /// Threads of the warp that write the same place by one instruction: the second of them, if they write other values.
    fn within(&self, pattern: &Pattern<'_>, row: Row) -> Option<Found> {
        if pattern.arrangement != Arrangement::Same || self.mask.is_power_of_two() {
            return None;
        }
        let first = self.mask.trailing_zeros();
        let others = || bits(self.mask & (self.mask - 1));
        let changes = others().find(|&lane| self.watched.changed[lane as usize] != 0);
        let by = changes.or_else(|| others().next())?;
        let is_same_value = row.kind.touch == Touch::Write && changes.is_none();
        Some(Found { row, lane: first, by, is_same_value })
    }

    /// Something was released where threads access memory.
    fn has_releases(&self, history: &mut History) -> Result<bool, StepError> {
        for lane in bits(self.mask) {
            let line = history.line(self.places[lane as usize]).map_err(|error| self.error(error))?;
            if !line.releases.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same of accesses that may acquire or release something, a thread at a time.
    fn one_by_one(&self, history: &mut History, sync: &mut BlockSync) -> Result<Option<Found>, StepError> {
        let (kind, idx, mut worst) = (self.kind(), self.warp.idx(), None);
        let n_values = self.watched.n_bytes / self.watched.width.max(1);
        for lane in bits(self.mask) {
            let place = self.places[lane as usize];
            let accessor = |value: u64| Accessor {
                shape: self.grid.shape,
                block: self.step.shared.position,
                warp: idx,
                lane,
                address: place + value * self.watched.width,
                kind,
                has_result: self.watched.has_result,
            };
            let line = history.line(place).map_err(|error| self.error(error))?;
            if kind.touch != Touch::Write && !line.releases.is_empty() {
                (0..n_values).for_each(|n| accessor(n).read(&mut line.releases, &mut sync.warps[idx]));
            }
            let row = self.row(sync);
            let mut acting = self.acting(Before::Warp(&sync.warps[idx]));
            let mut found = None;
            Pattern::of(1 << lane, self.places, self.watched.n_bytes)
                .rows(row, |start, row, is_bytes| {
                    found = match is_bytes {
                        true => line.access_bytes(row, start, &mut acting),
                        false => line.access_words(row, start, &mut acting),
                    };
                    Ok(())
                })
                .map_err(|error| self.error(error))?;
            let n_grown = acting.n_grown;
            if kind.writes() {
                (0..n_values).for_each(|n| accessor(n).write(&mut line.releases, sync));
            }
            history.grow(n_grown).map_err(|error| self.error(error))?;
            worst = Found::worse(worst, found);
        }
        Ok(worst.filter(|found| !found.is_same_value || self.step.cx.checks.same_value_races))
    }
}

fn no_room(error: HostOutOfMemory) -> FaultKind {
    FaultKind::OutOfMemory { purpose: "the check of races", error }
}
