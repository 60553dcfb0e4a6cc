//! Data races: unordered accesses of two threads to the same bytes, at least one of them a write (PTX ISA
//! "Memory Consistency Model", "Conflict and Data-races").
//!
//! Each access is checked when it is made. It races with an earlier one if that does not precede it in
//! causality order and the two are not morally strong: both atomic, volatile or relaxed, of the same bytes,
//! with scopes that include the other thread. So the check finds the races of this execution, whichever
//! access comes first; which accesses are made, and what they read, depends on the order in which blocks and
//! warps run.
//!
//! - `clock`: vector clocks, in which a time may be that of a whole block or warp
//! - `sync`: what orders threads: barriers, for the threads that take part, and fences
//! - `release`: what orders them through memory: release patterns that acquire patterns observe
//! - `row`: one warp's access to a line of memory; `line`: the accesses to a line that later ones may race
//!   with; `history`: all lines of a state space
//! - `actor`: the maker of an access, and what it races with
//! - `pattern`: the accesses of a warp as rows; `table`: the lanes of patterns that are not arithmetic
//!   sequences
//! - `look`: checks and records the accesses of one warp instruction
//! - `deferred`: reads of shared memory that need not be recorded yet
//! - `copies`: bulk copies, which access memory like separate threads
//! - `report`: why two accesses are unordered
//!
//! Limits: accesses to local memory and by the host are not checked. A time that is an event of a block has
//! 32 bits.

mod actor;
mod clock;
mod copies;
mod deferred;
mod history;
mod line;
mod look;
mod pattern;
#[cfg(test)]
mod random;
#[cfg(test)]
mod reference;
mod release;
mod report;
mod row;
mod sync;
mod table;

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub(super) use copies::Asked;
pub(super) use history::History;

use self::actor::Shape;
use self::copies::Channels;
pub(super) use self::copies::fence_proxy;
use self::look::Look;
use self::row::bits;
use self::sync::BlockSync;
use self::table::Recent;
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

/// The race check's state of a launch.
pub(super) struct GridRaces {
    shape: Shape,
    /// Whether other blocks of the cluster, or copies, access shared memory.
    is_shared_by_others: bool,
    /// The number of accesses so far.
    seq: AtomicU64,
    /// The number of the first access after the last `fence.proxy.async`.
    proxied: AtomicU64,
    /// The program-wide index of the first instruction of each function.
    first_instructions: Vec<u32>,
    global: Mutex<Global>,
}

/// The state for global memory and for copies.
struct Global {
    history: History,
    channels: Channels,
}

/// The race check's state of a block.
pub(super) struct BlockRaces {
    sync: RefCell<BlockSync>,
    tables: RefCell<Recent>,
}

/// An access to check.
pub(super) struct Watched<'a> {
    pub(super) memory: Memory,
    pub(super) addresses: &'a Lanes,
    pub(super) n_bytes: u64,
    /// The size of each value, in bytes.
    pub(super) width: u64,
    pub(super) touch: Touch,
    pub(super) order: Order,
    /// For a write: which bytes of each thread's access changed, one bit each.
    pub(super) changed: &'a Lanes,
    /// Whether the read value goes to a register.
    pub(super) has_result: bool,
}

/// All bytes may have changed.
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
            is_shared_by_others: cluster_size > 1 || copies::has_bulk_copies(program),
            shape: Shape { n_warps: n_threads.div_ceil(WARP_SIZE as u32).max(1), cluster_size },
            seq: AtomicU64::default(),
            proxied: AtomicU64::default(),
            first_instructions: first.collect(),
            global: Mutex::new(global),
        }
    }

    /// The number of the next access. Blocks take turns on one core.
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
        BlockRaces { sync: RefCell::new(BlockSync::new(position, n_threads)), tables: RefCell::default() }
    }
}

/// Orders threads of a block that meet at a barrier: the masks of those that wait, by warp.
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

/// Orders the threads of a cluster that have all arrived at its barrier: those that wait there continue.
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
    /// The index of the warp in its block.
    fn idx(&self) -> usize {
        self.specials.warp[0] as usize
    }

    fn with_sync(&self, step: &Step<'_>, change: impl FnOnce(&mut BlockSync, usize)) {
        if let Some(block) = &step.shared.races {
            change(&mut block.sync.borrow_mut(), self.idx());
        }
    }

    /// Orders threads of the warp that synchronize.
    pub(super) fn order_warp(&self, step: &Step<'_>, mask: u32) {
        self.with_sync(step, |sync, warp| sync.meet_in_warp(warp, mask));
    }

    /// Records threads that arrive at a barrier of the block without waiting.
    pub(super) fn order_arrival(&self, step: &Step<'_>, number: u32) {
        self.with_sync(step, |sync, warp| sync.arrive(number, warp, step.mask));
    }

    /// Records threads that arrive at the cluster barrier.
    pub(super) fn order_cluster_arrival(&self, step: &Step<'_>) {
        self.with_sync(step, |sync, warp| sync.arrive_at_cluster(warp, step.mask));
    }

    /// Orders threads that find the cluster barrier complete.
    pub(super) fn order_cluster_wait(&self, step: &Step<'_>) {
        self.with_sync(step, |sync, warp| sync.leave_cluster(warp, step.mask));
    }

    /// Orders threads that execute a fence.
    pub(super) fn fence(&self, step: &Step<'_>, fence: Fence) {
        self.with_sync(step, |sync, warp| sync.fence(warp, step.mask, fence));
    }

    /// Checks an access that some of the threads have made.
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

    /// Checks an access.
    pub(super) fn watch(&self, step: &Step<'_>, watched: &Watched<'_>) -> Result<(), StepError> {
        match (&step.cx.races, &step.shared.races) {
            (Some(grid), Some(block)) => {
                if self.copies.are_pending() {
                    self.watch_pending(step, watched)?;
                }
                self.watch_in(step, watched, grid, block)
            }
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
            let look = Look {
                shape: grid.shape,
                checks: &step.cx.checks,
                block: step.shared.position,
                warp: self.idx(),
                instruction: grid.instruction(step.code_number, step.path.pc),
                seq,
                mask,
                watched,
                places,
                is_own: space == Space::Shared && !grid.is_shared_by_others,
                tables: &block.tables,
            };
            let found = match (space, shared.as_deref_mut()) {
                (Space::Global, _) => look.at(&mut lock().history, sync).map_err(no_room)?,
                (Space::Shared, Some(history)) => look.at(history, sync).map_err(no_room)?,
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

/// The lanes that access the same memory as the first of `left`. If the offsets there differ from the
/// addresses, they go into `own`.
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

fn no_room(error: HostOutOfMemory) -> FaultKind {
    FaultKind::OutOfMemory { purpose: "the check of races", error }
}
