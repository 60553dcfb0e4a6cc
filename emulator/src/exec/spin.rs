//! Threads that loop and get nowhere.
//!
//! While memory is watched (`watch`), each branch backward compares the registers of the threads with those that they had
//! at an earlier one. If they are the same, and so is the threads' own memory, and nothing that others see has changed
//! in between, the threads go through the same states until something changes: they are stuck. The state that is compared
//! with is taken anew after 1, 2, 4, … branches, so that loops of any length are found (Brent's algorithm).
//!
//! Whatever is not followed here in detail counts as a change. So a thread that is called stuck is stuck, and one that is
//! stuck in an unusual way only comes to the step limit.

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

/// How deep in calls threads are followed.
const MAX_DEPTH: usize = 64;

/// How many words of their own memory threads may change in a loop.
const MAX_LOGGED: usize = 1 << 12;

/// What is known of the loops that the threads of a warp are in.
#[derive(Default)]
pub(super) struct Spins {
    /// Of groups without common threads.
    anchors: Vec<Anchor>,
    /// When they were noted (`Watch::n_windows`).
    window: u64,
}

/// The state of threads at a branch backward.
struct Anchor {
    mask: u32,
    head: u32,
    /// The frame, and those that called it.
    frames: Vec<FrameState>,
    /// What words of their own memory held, before they changed them since: by the lane and the word.
    log: BTreeMap<(usize, u64), u64>,
    n_changes: u64,
    /// They have come to the same state again.
    is_stuck: bool,
    /// What they have read since of what others may write.
    read: Option<Read>,
    /// How many branches backward there have been since, and how many there may be.
    n_branches: u64,
    limit: u64,
}

struct FrameState {
    code: usize,
    base: u64,
    /// Where the caller goes on.
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
    /// It sees what others write.
    is_strong: bool,
}

fn are_same(old: &Lanes, new: &Lanes, mask: u32) -> bool {
    old == new || lanes_of(mask).all(|lane| old[lane] == new[lane])
}

impl Warp {
    /// Whether threads are stuck, and nothing has changed since; what they wait for, if they read anything.
    pub(super) fn stuck(&self, mask: u32, window: u64, n_changes: u64) -> Option<Option<Read>> {
        let anchor = self.spins.anchors.iter().find(|anchor| anchor.mask == mask)?;
        let is_stuck = self.spins.window == window && anchor.is_stuck && anchor.n_changes == n_changes;
        is_stuck.then_some(anchor.read)
    }

    /// Notes what an instruction is about to do.
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
            // What it changes is noted where it is done.
            Op::Atomic(atomic) => self.note_read(step, &atomic.address, atomic.width, true),
            Op::Mbarrier(object) => match object.action {
                MbarrierAction::Wait { .. } => self.note_read(step, &object.address, Width::B8, true),
                MbarrierAction::Look => {}
                _ => watch.change(),
            },
            // Arguments come from registers and memory, and go back there.
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

    /// Looks at where the threads are after an instruction.
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
            // A thread that begins to wait, or ends, may be what others wait for.
            Op::Branch { .. } | Op::BranchIndexed { .. } | Op::Call { .. } => {}
            Op::Return if self.frames[step.path.frame].caller.is_some() => {}
            _ => step.shared.watch.change(),
        }
    }

    /// Threads have branched backward: they are the last path.
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

    /// The frames of a call and of those that led to it, unless there are too many.
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

    /// Notes what a store is about to change. What is wrong with it, the store itself says.
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

    /// Keeps what a thread's own memory held.
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

    /// Threads have changed what is at their addresses.
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
