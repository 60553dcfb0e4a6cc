//! Detects threads that loop without progress.
//!
//! While memory is watched (`watch`), each backward branch compares the threads' registers and their own
//! memory with those at an earlier backward branch. If they are the same, and nothing that other threads see
//! has changed in between, the threads go through the same states until something changes: they are stuck.
//! The state for comparison is taken anew after 1, 2, 4, … branches, so that loops of any length are found
//! (Brent's algorithm).
//!
//! Whatever is not tracked in detail counts as a change. So a thread that is reported as stuck is stuck; one
//! that is stuck in an unusual way runs into the step limit instead.

use std::cell::Cell;
use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::access::{Access, in_memory};
use super::claims::Claim;
use super::local::striped;
use super::stack::STACK_START;
use super::step::{Step, lanes_of};
use super::warp::{Next, Warp};
use super::watch::{Word, Writer};
use crate::compute::Lanes;
use crate::memory::Generic;
use crate::memory::bytes::Width;
use crate::program::code::{Address, Callee, MbarrierAction, Memory, Op, Source};

/// The maximum depth of calls that is tracked.
const MAX_DEPTH: usize = 64;

/// The maximum number of words of their own memory that threads may change in a loop.
const MAX_LOGGED: usize = 1 << 12;

/// The loops that the threads of a warp are in.
#[derive(Default)]
pub(super) struct Spins {
    /// Anchors of disjoint groups of threads.
    anchors: Vec<Anchor>,
    /// The window of observation that they belong to (`Watch::n_windows`).
    window: u64,
}

/// The state of threads at a backward branch.
struct Anchor {
    mask: u32,
    head: u32,
    /// The frame, and its callers.
    frames: Vec<FrameState>,
    /// The former content of their own memory's changed words, by lane and word.
    log: BTreeMap<(usize, u64), u64>,
    n_changes: u64,
    /// Whether they have reached the same state again.
    is_stuck: bool,
    /// What they have read since that others may write.
    read: Option<Read>,
    /// The number of backward branches since, and its maximum.
    n_branches: u64,
    limit: u64,
}

struct FrameState {
    code: usize,
    base: u64,
    /// The return address.
    back: u32,
    registers: Vec<Lanes>,
}

/// A read by threads that wait.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) code: usize,
    pub(super) pc: u32,
    pub(super) memory: Memory,
    pub(super) addresses: Lanes,
    pub(super) width: Width,
    /// Whether it sees what others write.
    is_strong: bool,
}

fn are_same(old: &Lanes, new: &Lanes, mask: u32) -> bool {
    old == new || lanes_of(mask).all(|lane| old[lane] == new[lane])
}

impl Warp {
    /// Whether threads are stuck, and nothing has changed since; if so, the value that they read, if any.
    pub(super) fn stuck(&self, mask: u32, window: u64, n_changes: u64) -> Option<Option<Read>> {
        let anchor = self.spins.anchors.iter().find(|anchor| anchor.mask == mask)?;
        let is_stuck = self.spins.window == window && anchor.is_stuck && anchor.n_changes == n_changes;
        is_stuck.then_some(anchor.read)
    }

    /// Records what an instruction is about to do.
    #[cold]
    pub(super) fn watch_before(&mut self, step: &Step<'_>) {
        let watch = &step.shared.watch;
        if self.spins.window != watch.n_windows() {
            self.spins = Spins { anchors: Vec::new(), window: watch.n_windows() };
        }
        let path = step.path;
        let mask = step.instruction.guard.map_or(path.mask, |guard| self.guarded(path, guard));
        if mask == 0 {
            return;
        }
        let step = &Step { mask, ..*step };
        match &step.instruction.op {
            Op::Load { address, width, order, .. } => {
                self.note_read(step, address, *width, order.is_strong());
            }
            Op::Store { address, width, values, .. } => self.note_store(step, address, *width, values),
            // `note_changes` records what it changes.
            Op::Atomic(atomic) => self.note_read(step, &atomic.address, atomic.width, true),
            Op::Mbarrier(object) => match object.action {
                MbarrierAction::Wait { .. } => self.note_read(step, &object.address, Width::B8, true),
                MbarrierAction::Look => {}
                _ => watch.change(),
            },
            // Arguments come from registers and memory, and return there.
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. }
            | Op::Compute { .. }
            | Op::Divide { .. }
            | Op::Texture(_)
            | Op::ObjectQuery(_)
            | Op::MatrixCompute(_)
            | Op::WarpCollective { .. }
            | Op::Branch { .. }
            | Op::BranchIndexed { .. }
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Breakpoint
            | Op::Barrier { .. }
            | Op::ClusterWait
            | Op::Fence(_)
            | Op::ProxyFence
            | Op::Sleep
            | Op::Nothing => {}
            Op::Call { callee: Callee::System(_), .. }
            | Op::AtomicVector(_)
            | Op::AtomicWide(_)
            | Op::Surface(_)
            | Op::CopyAsync(_)
            | Op::CopyCommit
            | Op::CopyWait { .. }
            | Op::CopyArrive { .. }
            | Op::BulkCopy(_)
            | Op::BulkStore { .. }
            | Op::TensorCopy(_)
            | Op::MapCopy { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. }
            | Op::MatrixRows(_)
            | Op::MatrixFragment(_)
            | Op::Arrive { .. }
            | Op::ClusterArrive { .. }
            | Op::Counter { .. }
            | Op::Alloca { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. } => watch.change(),
        }
    }

    /// Checks the position of the threads after an instruction.
    #[cold]
    pub(super) fn watch_after(&mut self, step: &Step<'_>, next: &Next) {
        if !matches!(next, Next::Reschedule) {
            return;
        }
        match &step.instruction.op {
            Op::Branch { target, cost } if *cost > 0 => self.note_branch(step, *target),
            Op::BranchIndexed { cost, .. } if *cost > 0 => {
                let first = self.paths.last().map_or(0, |path| path.pc);
                self.note_branch(step, first);
            }
            // A thread that begins to wait, or ends, may be the event that others wait for.
            Op::Branch { .. } | Op::BranchIndexed { .. } | Op::Call { .. } => {}
            Op::Return if self.frames[step.path.frame].caller.is_some() => {}
            _ => step.shared.watch.change(),
        }
    }

    /// Checks threads that have branched backward: they are the last path.
    fn note_branch(&mut self, step: &Step<'_>, head: u32) {
        let Some(path) = self.paths.last().copied() else { return };
        if path.pc != head || path.frame != step.path.frame || path.mask & !step.path.mask != 0 {
            return;
        }
        let n_changes = step.shared.watch.n_changes();
        self.spins.anchors.retain(|anchor| anchor.mask & path.mask == 0 || anchor.mask == path.mask);
        let idx = self.spins.anchors.iter().position(|anchor| anchor.mask == path.mask);
        let limit = match idx {
            None => 1,
            Some(idx) => {
                let anchor = &self.spins.anchors[idx];
                if anchor.is_stuck && anchor.n_changes == n_changes {
                    return;
                }
                let is_same = anchor.head == head
                    && anchor.n_changes == n_changes
                    && self.has_same_frames(anchor, path.frame)
                    && self.has_same_memory(anchor);
                let anchor = &mut self.spins.anchors[idx];
                anchor.is_stuck = is_same;
                anchor.n_branches += 1;
                if is_same || anchor.n_branches < anchor.limit {
                    return;
                }
                let limit = anchor.limit.saturating_mul(2);
                self.spins.anchors.swap_remove(idx);
                limit
            }
        };
        let Some(frames) = self.frame_states(path.frame) else { return };
        self.spins.anchors.push(Anchor {
            mask: path.mask,
            head,
            frames,
            log: BTreeMap::new(),
            n_changes,
            is_stuck: false,
            read: None,
            n_branches: 0,
            limit,
        });
    }

    /// The frames of a call and its callers, unless there are too many.
    fn frame_states(&self, frame: usize) -> Option<Vec<FrameState>> {
        let mut states = Vec::new();
        let mut next = Some((frame, 0));
        while let Some((idx, back)) = next {
            if states.len() == MAX_DEPTH {
                return None;
            }
            let frame = &self.frames[idx];
            let registers = frame.registers.clone();
            states.push(FrameState { code: frame.code, base: frame.base, back, registers });
            next = frame.caller;
        }
        Some(states)
    }

    /// Whether threads are in the same calls as at an anchor, with the same registers.
    fn has_same_frames(&self, anchor: &Anchor, frame: usize) -> bool {
        let mut next = Some((frame, 0));
        for old in &anchor.frames {
            let Some((idx, back)) = next else { return false };
            let new = &self.frames[idx];
            let mut registers = old.registers.iter().zip(&new.registers);
            if (old.code, old.base, old.back) != (new.code, new.base, back)
                || !registers.all(|(old, new)| are_same(old, new, anchor.mask))
            {
                return false;
            }
            next = new.caller;
        }
        next.is_none()
    }

    /// Whether the threads' own memory is as it was at an anchor.
    fn has_same_memory(&self, anchor: &Anchor) -> bool {
        let is_same = |(&(lane, at), &old): (&(usize, u64), &u64)| self.own_word(lane, at) == old;
        anchor.log.len() < MAX_LOGGED && anchor.log.iter().all(is_same)
    }

    /// The word of a thread's own memory at an address, which is a multiple of 8.
    fn own_word(&self, lane: usize, at: u64) -> u64 {
        self.local.bytes.load(striped(at, lane), Width::B8)
    }

    fn note_read(&mut self, step: &Step<'_>, address: &Address, width: Width, is_strong: bool) {
        let addresses = self.addresses(step, address);
        let lane = step.first_lane();
        if Word::of(step.shared, address.memory, addresses[lane]).is_none() {
            return;
        }
        let (code, pc, memory) = (step.code_number, step.path.pc, address.memory);
        let anchor = self.spins.anchors.iter_mut().find(|anchor| anchor.mask >> lane & 1 != 0);
        if let Some(anchor) =
            anchor.filter(|anchor| is_strong || anchor.read.is_none_or(|read| !read.is_strong))
        {
            anchor.read = Some(Read { code, pc, memory, addresses, width, is_strong });
        }
    }

    /// Records what a store is about to change. The store itself reports its errors.
    fn note_store(&mut self, step: &Step<'_>, address: &Address, width: Width, values: &[Source]) {
        let addresses = self.addresses(step, address);
        let values: SmallVec<[Lanes; 4]> = values.iter().map(|&value| self.value(step, value)).collect();
        let n_bytes = width.bytes() * values.len() as u64;
        let access = Access { memory: address.memory, n_bytes, is_store: true, claim: Claim::Write };
        let changed = Cell::new(0);
        let outcome = self.access_each(
            step,
            access,
            &addresses,
            |_| Ok(()),
            |place| {
                let is_same = |(idx, value): (usize, &Lanes)| {
                    let distance = idx as u64 * width.bytes();
                    place.load(distance, width) == value[place.lane] & width.mask()
                        && place.hole(distance, width).is_none()
                };
                if !values.iter().enumerate().all(is_same) {
                    changed.set(changed.get() | 1 << place.lane);
                }
            },
        );
        if outcome.is_err() {
            return;
        }
        let is_own = |lane: &usize| matches!(in_memory(address.memory, addresses[*lane]), Generic::Local(at) if at < STACK_START);
        let own = lanes_of(changed.get()).filter(is_own).fold(0, |mask, lane| mask | 1 << lane);
        for lane in lanes_of(own) {
            if let Generic::Local(at) = in_memory(address.memory, addresses[lane]) {
                self.log(lane, at, n_bytes);
            }
        }
        if changed.get() != own {
            self.note_changes(step, address.memory, &addresses, changed.get() & !own);
        }
    }

    /// Records the former content of a thread's own memory.
    fn log(&mut self, lane: usize, at: u64, n_bytes: u64) {
        let Some(idx) = self.spins.anchors.iter().position(|anchor| anchor.mask >> lane & 1 != 0) else {
            return;
        };
        for word in (at / 8 * 8..at + n_bytes).step_by(8) {
            let held = self.own_word(lane, word);
            let log = &mut self.spins.anchors[idx].log;
            if log.len() < MAX_LOGGED {
                log.entry((lane, word)).or_insert(held);
            }
        }
    }

    /// Records that threads have changed memory at their addresses.
    pub(super) fn note_changes(&self, step: &Step<'_>, memory: Memory, addresses: &Lanes, changed: u32) {
        let watch = &step.shared.watch;
        watch.change();
        let mut left = changed;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let Some(word) = Word::of(step.shared, memory, addresses[lane as usize]) else { continue };
            let (position, thread) = (step.shared.position, step.first_thread + lane);
            let (code, pc) = (step.code_number as u32, step.path.pc);
            watch.record(word, Writer { position, thread, code, pc });
        }
    }

    /// `%tid` of a thread.
    pub(super) fn tid(&self, lane: usize) -> [u32; 3] {
        self.specials.tid.map(|axis| axis[lane] as u32)
    }
}
