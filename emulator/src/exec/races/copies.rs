//! Bulk copies, and the mbarrier objects that they complete on (PTX ISA "Async proxy", "mbarrier").
//!
//! A bulk copy accesses memory like a separate thread. It is ordered after what precedes the instruction that
//! issues it, and before what waits for the event that completes it. The copies that complete on the same
//! event form a channel, whose time advances with each of them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use super::actor::{Acting, Before};
use super::clock::{Actor, Clock, Key, join};
use super::history::{History, LINE_SIZE};
use super::pattern::Pattern;
use super::row::{Kind, Mapping, Reach, Row};
use super::table::Recent;
use super::{ALL_CHANGED, Watched, no_room, report};
use crate::compute::{Lanes, WARP_SIZE};
use crate::exec::access::in_memory;
use crate::exec::block::Shared;
use crate::exec::bulk::{Notification, Transfer};
use crate::exec::device::LaunchContext;
use crate::exec::fault::{FaultKind, Race, RaceAccess, Space, Thread, Touch, Unordered};
use crate::exec::step::{Step, StepError};
use crate::exec::warp::Warp;
use crate::memory::Generic;
use crate::program::Program;
use crate::program::code::{MbarrierAction, Memory, Op, Order, Scope, Semantics};

/// The thread that issued a copy, and what preceded that.
#[derive(Clone)]
pub(in crate::exec) struct Asked {
    /// The position of the block.
    block: u64,
    /// The index of the thread in its block.
    thread: u32,
    /// The function and the instruction.
    pub(in crate::exec) code: u32,
    pub(in crate::exec) pc: u32,
    clock: Arc<Clock>,
    /// The number of the first access after a thread's last `fence.proxy.async`.
    proxied: u64,
}

/// The event that completes a copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// An mbarrier object in the shared memory of a block.
    Mbarrier(u64, u64),
    /// The end of the wait of a thread, by block and index there, for the reads of its groups.
    GroupHasRead(u64, u32),
    /// The end of the wait for their writes.
    GroupHasWritten(u64, u32),
}

/// The events, with their times.
#[derive(Default)]
pub(super) struct Channels {
    numbers: BTreeMap<Event, u32>,
    times: Vec<u32>,
}

impl Channels {
    fn of(&mut self, event: Event) -> Actor {
        let next = self.times.len() as u32;
        let number = *self.numbers.entry(event).or_insert(next);
        if number == next {
            self.times.push(0);
        }
        Actor::channel(number)
    }

    /// The time of a copy that completes on the event.
    fn time(&mut self, event: Event) -> u32 {
        self.of(event);
        self.numbers.get(&event).map_or(1, |&number| self.times[number as usize] + 1)
    }

    /// Advances the event's time when it happens: copies until then precede. `None` if there were no copies.
    fn tick(&mut self, event: Event) -> Option<(Key, u32)> {
        let number = *self.numbers.get(&event)?;
        let time = &mut self.times[number as usize];
        *time = time.saturating_add(1);
        Some((Key::channel(Actor::channel(number)), *time))
    }
}

/// Whether a program contains bulk copies.
pub(super) fn has_bulk_copies(program: &Program) -> bool {
    let is_copy = |op: &Op| matches!(op, Op::BulkCopy(_) | Op::BulkStore { .. } | Op::TensorCopy(_));
    program.codes.iter().flat_map(|code| &code.instructions).any(|instruction| is_copy(&instruction.op))
}

/// A thread executes `fence.proxy.async`.
pub(in crate::exec) fn fence_proxy(cx: &LaunchContext<'_>) {
    if let Some(grid) = &cx.races {
        grid.proxied.store(grid.next(), std::sync::atomic::Ordering::Relaxed);
    }
}

impl Asked {
    /// The issuing thread, and where.
    pub(in crate::exec) fn thread(&self, cx: &LaunchContext<'_>) -> Thread {
        report::thread_at(cx, self.block, self.thread, self.code as usize, self.pc)
    }
}

/// The block whose shared memory contains an address, and the offset there.
fn in_shared(shared: &Shared, memory: Memory, address: u64) -> Option<(usize, u64)> {
    match in_memory(memory, address) {
        Generic::Shared(at) => Some(shared.place(at)),
        Generic::Param(_) | Generic::Const(_) | Generic::Local(_) | Generic::Global(_) => None,
    }
}

/// The event of an mbarrier object.
fn mbarrier(shared: &Shared, (rank, at): (usize, u64)) -> Event {
    Event::Mbarrier(shared.position - shared.rank as u64 + rank as u64, at)
}

impl Transfer {
    fn event(&self, shared: &Shared, touch: Touch) -> Event {
        match self.notification {
            Notification::Mbarrier { address, .. } => mbarrier(shared, shared.place(address)),
            Notification::Group { .. } if touch == Touch::Read => {
                Event::GroupHasRead(self.asked.block, self.asked.thread)
            }
            Notification::Group { .. } => Event::GroupHasWritten(self.asked.block, self.asked.thread),
        }
    }
}

impl Warp {
    /// Records the thread that issues a copy.
    pub(in crate::exec) fn ask(&self, step: &Step<'_>, lane: usize) -> Asked {
        let mut asked = Asked {
            block: step.shared.position,
            thread: (self.idx() * WARP_SIZE + lane) as u32,
            code: step.code_number as u32,
            pc: step.path.pc,
            clock: Arc::default(),
            proxied: 0,
        };
        if let Some(grid) = &step.cx.races {
            asked.proxied = grid.proxied.load(std::sync::atomic::Ordering::Relaxed);
        }
        self.with_sync(step, |sync, warp| asked.clock = sync.released(warp, 1 << lane));
        asked
    }

    /// Checks an access of a copy.
    pub(in crate::exec) fn watch_copy(
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
        let event = transfer.event(step.shared, touch);
        let (actor, time) = (global.channels.of(event), global.channels.time(event));
        let mut shared;
        let (history, space, address) = match in_memory(memory, address) {
            Generic::Shared(at) => {
                let (rank, at) = step.shared.place(at);
                let memory = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref());
                let Some(memory) = memory else { return Ok(()) };
                shared = memory.borrow_mut();
                (&mut *shared, Space::Shared, at)
            }
            Generic::Global(at) => (&mut global.history, Space::Global, at),
            Generic::Param(_) | Generic::Const(_) | Generic::Local(_) => return Ok(()),
        };
        let (warp, lane) = (asked.thread / WARP_SIZE as u32, asked.thread % WARP_SIZE as u32);
        let asker = (asked.block * u64::from(grid.shape.n_warps)) as u32 + warp;
        let order = match touch {
            Touch::Atomic => {
                Order { semantics: Semantics::Relaxed, scope: Scope::Device, is_volatile: false }
            }
            Touch::Read | Touch::Write => Order::WEAK,
        };
        let row = Row {
            seq: grid.next(),
            time,
            actor,
            instruction: grid.instruction(asked.code as usize, asked.pc),
            units: 0,
            mapping: Mapping::Copied(asker * WARP_SIZE as u32 + lane),
            kind: Kind { touch, order, width: n_bytes as u8 },
        };
        let places: Lanes = [address; WARP_SIZE];
        let pattern = Pattern::of(1 << lane, &places, n_bytes);
        if touch == Touch::Read
            && let Some(writer) = unfenced_writer(history, address, n_bytes, asked.proxied)?
        {
            let lane = writer.lanes(writer.units.trailing_zeros()).trailing_zeros();
            if asked.clock.covers(writer.actor, lane, writer.time, grid.shape.n_warps) {
                let piece = self.piece(step, space, address, n_bytes);
                let writer = Box::new(report::thread_of(step.cx, grid, &writer, lane));
                return Err(FaultKind::NoProxyFence { piece, writer });
            }
        }
        let mut acting = Acting {
            shape: grid.shape,
            before: Before::Copy(&asked.clock),
            own_block: (u64::MAX, 0),
            forgotten: 0,
            addresses: &places,
            changed: ALL_CHANGED,
            unit: (0, 1),
            n_grown: 0,
        };
        let mut found = None;
        let outcome = pattern.rows(&row, &mut Recent::default(), |start, row, is_bytes| {
            found = history.line(start)?.access(row, start, is_bytes, &mut acting);
            Ok(())
        });
        outcome.and_then(|()| history.grow(acting.n_grown)).map_err(no_room)?;
        match found {
            None => Ok(()),
            Some(found) => {
                let piece = self.piece(step, space, address, n_bytes);
                Err(report::race_of_copy(step.cx, grid, piece, row.kind, &found))
            }
        }
    }

    /// Checks accesses of threads against their own pending `cp.async`, which may write at any time until
    /// they wait for it.
    #[cold]
    pub(in crate::exec) fn watch_pending(
        &self,
        step: &Step<'_>,
        watched: &Watched<'_>,
    ) -> Result<(), StepError> {
        for lane in step.lanes() {
            let Generic::Shared(at) = in_memory(watched.memory, watched.addresses[lane]) else { continue };
            let Some((code, pc)) = self.copies.pending_at(lane, at, watched.n_bytes) else { continue };
            let thread = (self.idx() * WARP_SIZE + lane) as u32;
            let kind = FaultKind::Race(Box::new(Race {
                piece: self.piece(step, Space::Shared, at, watched.n_bytes),
                access: RaceAccess { touch: watched.touch, order: None },
                other: report::thread_at(step.cx, step.shared.position, thread, code as usize, pc),
                other_access: RaceAccess { touch: Touch::Write, order: None },
                is_same_value: false,
                why: Unordered::Copy,
            }));
            step.survive(StepError { kind, lane: Some(lane) })?;
        }
        Ok(())
    }

    /// Orders threads that have waited for their groups of copies.
    pub(in crate::exec) fn order_group_wait(&self, step: &Step<'_>, is_for_reads: bool) {
        let (Some(grid), Some(block)) = (&step.cx.races, &step.shared.races) else { return };
        let mut global = grid.global.lock().unwrap_or_else(PoisonError::into_inner);
        let sync = &mut *block.sync.borrow_mut();
        for lane in step.lanes() {
            let (block, thread) = (step.shared.position, (self.idx() * WARP_SIZE + lane) as u32);
            let events = [Event::GroupHasRead(block, thread), Event::GroupHasWritten(block, thread)];
            for event in events.into_iter().take(if is_for_reads { 1 } else { 2 }) {
                if let Some((key, time)) = global.channels.tick(event) {
                    let mut clock = Clock::default();
                    clock.raise(key, time);
                    sync.warps[self.idx()].acquire(lane as u32, &Arc::new(clock));
                }
            }
        }
    }

    /// Orders a completed copy before the waits on its mbarrier object.
    pub(in crate::exec) fn order_completion(&self, step: &Step<'_>, asked: &Asked, address: u64) {
        let Some(grid) = &step.cx.races else { return };
        let (rank, at) = step.shared.place(address);
        let mut global = grid.global.lock().unwrap_or_else(PoisonError::into_inner);
        let completed = global.channels.tick(mbarrier(step.shared, (rank, at)));
        let mut clock = Arc::clone(&asked.clock);
        if let Some((key, time)) = completed {
            Arc::make_mut(&mut clock).raise(key, time);
        }
        if let Some(history) = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref()) {
            join(&mut history.borrow_mut().mbarriers.entry(at).or_default().arrived, &clock);
        }
    }

    /// Orders threads by their operations on mbarrier objects; `flips` are the lanes that completed a phase,
    /// `over` those that found one complete. Their scope is taken to be the cluster: that is the purpose of
    /// the objects.
    pub(in crate::exec) fn order_mbarrier(
        &self,
        step: &Step<'_>,
        (memory, addresses): (Memory, &Lanes),
        action: MbarrierAction,
        order: Order,
        (flips, over): (u32, u32),
    ) {
        let Some(block) = &step.shared.races else { return };
        let sync = &mut *block.sync.borrow_mut();
        let warp = self.idx();
        for lane in step.lanes() {
            let Some((rank, at)) = in_shared(step.shared, memory, addresses[lane]) else { continue };
            let history = step.shared.cluster.get(rank).and_then(|memory| memory.history.as_ref());
            let Some(history) = history else { continue };
            let objects = &mut history.borrow_mut().mbarriers;
            let object = objects.entry(at).or_default();
            match action {
                MbarrierAction::Init | MbarrierAction::Invalidate => *object = Default::default(),
                // The thread that executes `st.async` reports its bytes.
                MbarrierAction::CompleteTx if !order.semantics.is_release() => {}
                MbarrierAction::Arrive { .. }
                | MbarrierAction::ArriveExtended
                | MbarrierAction::ArriveExpectTx { .. }
                | MbarrierAction::CompleteTx => {
                    if order.semantics.is_release() {
                        join(&mut object.arrived, &sync.released(warp, 1 << lane));
                    } else {
                        sync.fences(warp, lane as u32)
                            .iter()
                            .for_each(|clock| join(&mut object.arrived, clock));
                    }
                }
                MbarrierAction::Wait { .. } if over >> lane & 1 != 0 => {
                    let completed = Arc::clone(&object.completed);
                    if order.semantics.is_acquire() {
                        sync.warps[warp].acquire(lane as u32, &completed);
                    } else {
                        join(
                            &mut sync.warps[warp].seen(lane as u32).pending[Reach::Block as usize],
                            &completed,
                        );
                    }
                }
                MbarrierAction::Wait { .. } | MbarrierAction::Look | MbarrierAction::ExpectTx => {}
            }
            if flips >> lane & 1 != 0 {
                let arrived = std::mem::take(&mut object.arrived);
                join(&mut object.completed, &arrived);
            }
        }
    }
}

/// A thread that has written to a piece since the access of that number.
fn unfenced_writer(
    history: &mut History,
    address: u64,
    n_bytes: u64,
    since: u64,
) -> Result<Option<Row>, FaultKind> {
    let line = history.line(address).map_err(no_room)?;
    let first = (address % LINE_SIZE / 4) as u32;
    let n_words = (address % 4 + n_bytes).div_ceil(4);
    let words = (((1_u64 << n_words) - 1) as u32) << first;
    Ok(line.written_since(words, since))
}
