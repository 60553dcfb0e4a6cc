//! A warp: threads that run together where they take the same path.
//!
//! Threads at the same position in the same call are a [`DivergentPath`]. Where they branch differently, a
//! path splits in two; the one that is further back runs first, and where it reaches the other, they merge.
//! So threads reconverge after an `if` or a loop, without control-flow analysis. A path that loops lets the
//! others run now and then (`turns`).

use std::collections::BTreeMap;

use super::access::Recent;
use super::block::Shared;
use super::bulk::BulkCopies;
use super::cluster::AtCluster;
use super::copy::Copies;
use super::device::LaunchContext;
use super::fault::{Fault, FaultKind, Group, Thread, Waits};
use super::local::{LOCAL_SIZE, Local};
use super::spin::Spins;
use super::stack::Stack;
use super::step::Step;
use super::turns::{Lead, Turns};
use super::undefined::Shadow;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::host::Reserved;
use crate::program::code::{BarrierReduction, Register};

/// The number of instructions that a warp executes before others get a turn.
pub(super) const TIME_SLICE: u64 = 10_000;

/// The maximum depth of calls.
const MAX_DEPTH: u32 = 100_000;

/// The alignment of frames.
const FRAME_ALIGN: u64 = 16;

/// The maximum number of results of an instruction.
pub(super) const N_SCRATCH: usize = 8;

/// Threads at the same position in the same call.
#[derive(Clone, Copy, Debug)]
pub(super) struct DivergentPath {
    pub(super) frame: usize,
    pub(super) pc: u32,
    /// Its threads.
    pub(super) mask: u32,
    /// The event that it waits for.
    pub(super) waits: Option<Wait>,
    /// Its position in the queue: the path with the smallest stamp runs first (`turns`).
    pub(super) stamp: u64,
}

/// The event that threads wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// A barrier of the block, with its thread count if it has one.
    Barrier {
        number: u32,
        n_threads: Option<u32>,
        /// Whether it is for whole warps.
        is_for_warps: bool,
        /// The reduction that the barrier computes.
        votes: Option<Votes>,
    },
    /// Others of the warp at the same instruction: the mask of all.
    Members(u32),
    /// The next turn of the warp.
    Turn,
    /// All threads of the cluster.
    Cluster,
}

/// The input of threads to a barrier's reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Votes {
    pub(super) reduction: BarrierReduction,
    /// The lanes whose predicate is true.
    pub(super) holding: u32,
    pub(super) result: Option<Register>,
}

/// A call of a function by some of the threads.
pub(super) struct Frame {
    /// The index of the function.
    pub(super) code: usize,
    pub(super) registers: Vec<Lanes>,
    /// The undefined bits of the registers.
    pub(super) shadow: Shadow,
    /// The frame and the return address of the caller.
    pub(super) caller: Option<(usize, u32)>,
    /// The start of its local memory.
    pub(super) base: u64,
    pub(super) end: u64,
    pub(super) depth: u32,
    /// The number of paths in it, and of calls from it.
    n_users: u32,
}

/// A warp of a block.
pub(super) struct Warp {
    pub(super) paths: Vec<DivergentPath>,
    pub(super) frames: Vec<Frame>,
    /// The unused entries of `frames`.
    free: Vec<usize>,
    pub(super) local: Local,
    /// The `alloca` stacks: of all threads, or empty.
    pub(super) stacks: Vec<Stack>,
    pub(super) recent: Recent,
    pub(super) copies: Copies,
    pub(super) bulk_copies: BulkCopies,
    /// The loops that its threads are in, while memory is watched.
    pub(super) spins: Spins,
    /// Its time slices.
    pub(super) turns: Turns,
    /// The state of its threads at the cluster barrier.
    pub(super) at_cluster: AtCluster,
    pub(super) specials: Specials,
    /// The threads that have ended, by function and instruction.
    pub(super) ended: BTreeMap<(usize, u32), u32>,
    /// Results that are not in registers yet.
    pub(super) scratch: Vec<Lanes>,
    /// Reserves the host memory of the frames.
    reserved: Reserved,
    /// The number of instructions that its threads have executed.
    pub(super) n_executed: u64,
    /// The same, counting an instruction once for all threads that execute it together.
    n_steps: u64,
}

/// The values of special registers; the masks in the order eq, le, lt, ge, gt.
pub(super) struct Specials {
    pub(super) tid: [Lanes; 3],
    pub(super) lane: Lanes,
    pub(super) warp: Lanes,
    pub(super) masks: [Lanes; 5],
}

/// Why a warp stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Its turn is over.
    Running,
    /// All of its threads have ended, or wait.
    Waiting,
}

/// The effect of an instruction on the path that executes it.
pub(super) enum Next {
    /// The path continues after the instruction.
    Step,
    /// The path continues after the instruction, once others have had their turn.
    Sleep,
    /// The set of paths has changed.
    Reschedule,
}

impl Warp {
    pub(super) fn new(cx: &LaunchContext<'_>, first_thread: u32) -> Result<Self, Fault> {
        let n_threads = (cx.n_threads() - first_thread).min(WARP_SIZE as u32);
        let mut warp = Warp {
            paths: Vec::new(),
            frames: Vec::new(),
            free: Vec::new(),
            local: Local::new(cx.checks.uninitialized, cx.global.host()),
            stacks: Vec::new(),
            recent: Recent::default(),
            copies: Copies::default(),
            bulk_copies: BulkCopies::default(),
            spins: Spins::default(),
            turns: Turns::new(),
            at_cluster: AtCluster::default(),
            specials: Specials::new(cx, u64::from(first_thread)),
            ended: BTreeMap::new(),
            scratch: vec![[0; WARP_SIZE]; N_SCRATCH],
            reserved: Reserved::none(cx.global.host()),
            n_executed: 0,
            n_steps: 0,
        };
        let mask = u32::MAX >> (32 - n_threads);
        let frame = warp.push_frame(cx, cx.kernel, None, mask, 0)?;
        warp.paths.push(DivergentPath { frame, pc: 0, mask, waits: None, stamp: 0 });
        Ok(warp)
    }

    /// Pushes a frame for a call by threads of one path, above that of the caller, with extra bytes besides
    /// those that the function needs.
    pub(super) fn push_frame(
        &mut self,
        cx: &LaunchContext<'_>,
        number: usize,
        caller: Option<(usize, u32)>,
        mask: u32,
        n_more: u64,
    ) -> Result<usize, FaultKind> {
        let code = &cx.program.codes[number];
        let (base, depth) = caller.map_or((cx.program.local_size, 0), |(frame, _)| {
            (self.frames[frame].end, self.frames[frame].depth + 1)
        });
        let end = base + code.frame_size + n_more.next_multiple_of(FRAME_ALIGN);
        if end > LOCAL_SIZE || depth > MAX_DEPTH {
            return Err(FaultKind::StackOverflow);
        }
        let no_room = |error| FaultKind::OutOfMemory { purpose: "local memory and registers", error };
        self.local.grow(end).map_err(no_room)?;
        self.local.forget(mask, base, end);
        let shadow = match cx.checks.uninitialized && !code.unwritten.is_empty() {
            true => Shadow::at_beginning(code, number, self.specials.first_thread(), mask),
            false => Shadow::default(),
        };
        let frame =
            Frame { code: number, registers: Vec::new(), shadow, caller, base, end, depth, n_users: 1 };
        let idx = match self.free.pop() {
            Some(idx) => {
                let registers = std::mem::take(&mut self.frames[idx].registers);
                self.frames[idx] = Frame { registers, ..frame };
                idx
            }
            None => {
                self.reserved.grow(size_of::<Frame>() as u64).map_err(no_room)?;
                self.frames.push(frame);
                self.frames.len() - 1
            }
        };
        let registers = &mut self.frames[idx].registers;
        registers.clear();
        let n_more = (code.n_registers as usize).saturating_sub(registers.capacity());
        self.reserved.grow((n_more * size_of::<Lanes>()) as u64).map_err(no_room)?;
        registers.reserve_exact(code.n_registers as usize);
        registers.resize(code.n_registers as usize, [0; WARP_SIZE]);
        Ok(idx)
    }

    /// Adds a user: a path in the frame, or a call from it.
    pub(super) fn use_frame(&mut self, frame: usize) {
        self.frames[frame].n_users += 1;
    }

    /// Removes a user. A frame without users is free, and no longer uses its caller's.
    pub(super) fn release_frame(&mut self, mut frame: usize) {
        loop {
            self.frames[frame].n_users -= 1;
            if self.frames[frame].n_users > 0 {
                return;
            }
            self.free.push(frame);
            let Some((caller, _)) = self.frames[frame].caller else { return };
            frame = caller;
        }
    }

    /// Whether all threads have ended.
    pub(super) fn is_done(&self) -> bool {
        self.paths.is_empty()
    }

    /// The number of threads that have not ended.
    pub(super) fn n_live(&self) -> u32 {
        self.paths.iter().map(|path| path.mask.count_ones()).sum()
    }

    /// Runs until all threads have ended or wait, or for a number of instructions.
    pub(super) fn run(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        time_slice: u64,
    ) -> Result<Progress, Fault> {
        for path in &mut self.paths {
            path.waits = path.waits.filter(|&wait| wait != Wait::Turn);
        }
        let limit = cx.step_limit.unwrap_or(u64::MAX);
        let budget = (limit - self.n_steps).min(time_slice);
        if budget == 0 {
            let groups = self.groups(cx, shared);
            return Err(FaultKind::TooManySteps { limit, groups }.into());
        }
        cx.global.host().check().map_err(|error| FaultKind::OutOfMemory { purpose: "the run", error })?;
        let mut left = budget;
        let progress = match (cx.is_observed, shared.watch.is_on()) {
            (false, false) => self.run_for::<false, false>(cx, shared, &mut left),
            (false, true) => self.run_for::<false, true>(cx, shared, &mut left),
            (true, false) => self.run_for::<true, false>(cx, shared, &mut left),
            (true, true) => self.run_for::<true, true>(cx, shared, &mut left),
        };
        self.n_steps += budget - left;
        if self.is_done() && progress.is_ok() {
            self.finish_groups(cx, shared)?;
        }
        progress
    }

    /// The same for at most `n_steps` instructions. Launches that are neither observed nor watched do not pay
    /// for it.
    fn run_for<const IS_OBSERVED: bool, const IS_WATCHED: bool>(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        left: &mut u64,
    ) -> Result<Progress, Fault> {
        let first_thread = self.specials.first_thread();
        loop {
            self.merge();
            self.let_meet();
            if let [path] = &mut self.paths[..] {
                self.turns.restart(path);
            }
            let Some(idx) = self.next_split() else {
                let sleeps = self.paths.iter().any(|path| path.waits == Some(Wait::Turn));
                return Ok(if sleeps { Progress::Running } else { Progress::Waiting });
            };
            let meeting = self.meeting(idx);
            let lead = self.lead(idx);
            let (begin, floor) = (*left, Lead::floor(lead, *left));
            loop {
                let path = self.paths[idx];
                let code_number = self.frames[path.frame].code;
                let code = &cx.program.codes[code_number];
                let instruction = &code.instructions[path.pc as usize];
                let mask = path.mask;
                let step = Step { cx, shared, code, code_number, instruction, first_thread, idx, path, mask };
                let observation = IS_OBSERVED.then(|| self.observe(&step));
                if IS_WATCHED {
                    self.watch_before(&step);
                }
                let next = self.step(step);
                if let Some(observation) = observation {
                    self.observed(&step, *observation, &next);
                }
                let next = next.map_err(|error| {
                    let thread = self.thread(&step, error.lane.unwrap_or(step.first_lane()));
                    Fault::by(error.kind, thread)
                })?;
                if IS_WATCHED {
                    self.watch_after(&step, &next);
                }
                *left -= 1;
                let is_to_pause = match next {
                    Next::Step => {
                        self.paths[idx].pc += 1;
                        self.paths[idx].pc >= meeting
                    }
                    Next::Sleep => {
                        self.paths[idx].pc += 1;
                        self.paths[idx].waits = Some(Wait::Turn);
                        true
                    }
                    Next::Reschedule => true,
                };
                if is_to_pause || *left == floor {
                    break;
                }
            }
            if let Some(lead) = lead {
                self.use_lead(lead, begin - *left);
            }
            if *left == 0 {
                return Ok(Progress::Running);
            }
        }
    }

    /// Merges paths at the same position.
    fn merge(&mut self) {
        let mut idx = 1;
        while idx < self.paths.len() {
            let path = self.paths[idx];
            let same = self.paths[..idx]
                .iter()
                .position(|other| (other.frame, other.pc, other.waits) == (path.frame, path.pc, path.waits));
            match same {
                Some(same) => {
                    self.paths[same].mask |= path.mask;
                    self.paths[same].stamp = self.paths[same].stamp.max(path.stamp);
                    self.paths.remove(idx);
                    self.release_frame(path.frame);
                }
                None => idx += 1,
            }
        }
    }

    /// Releases threads whose awaited members have all arrived.
    fn let_meet(&mut self) {
        let live = self.paths.iter().fold(0, |live, path| live | path.mask);
        for path in &mut self.paths {
            if let Some(Wait::Members(members)) = path.waits
                && members & live & !path.mask == 0
            {
                path.waits = None;
            }
        }
    }

    /// The position where the path meets another one of its frame.
    fn meeting(&self, idx: usize) -> u32 {
        let path = &self.paths[idx];
        let ahead = self.paths.iter().filter(|other| other.frame == path.frame && other.pc > path.pc);
        ahead.map(|other| other.pc).min().unwrap_or(u32::MAX)
    }

    /// A thread at an instruction.
    pub(super) fn thread(&self, step: &Step<'_>, lane: usize) -> Thread {
        let Step { cx, shared, code, instruction, .. } = *step;
        let thread = self.specials.tid.map(|axis| axis[lane] as u32);
        Thread::new(cx.program, code, instruction, shared.ctaid, thread)
    }

    /// The positions of the threads.
    pub(super) fn groups(&self, cx: &LaunchContext<'_>, shared: &Shared) -> Vec<Group> {
        self.paths.iter().map(|path| self.group(cx, shared, path)).collect()
    }

    /// The position of a path's threads. Those that wait at a barrier are past its instruction.
    pub(super) fn group(&self, cx: &LaunchContext<'_>, shared: &Shared, path: &DivergentPath) -> Group {
        let waits = path.waits.and_then(|wait| match wait {
            Wait::Barrier { number, n_threads, .. } => Some(Waits::Barrier { number, n_threads }),
            Wait::Members(members) => Some(Waits::Members(members)),
            Wait::Turn => None,
            Wait::Cluster => Some(Waits::Cluster),
        });
        let pc = match path.waits {
            Some(Wait::Barrier { .. } | Wait::Cluster) => path.pc - 1,
            _ => path.pc,
        };
        let code = &cx.program.codes[self.frames[path.frame].code];
        let instruction = &code.instructions[pc as usize];
        let tid = self.tid(path.mask.trailing_zeros() as usize);
        let first = Thread::new(cx.program, code, instruction, shared.ctaid, tid);
        Group { first, n_threads: path.mask.count_ones(), waits }
    }
}

impl Specials {
    /// The index in the block of the warp's first thread.
    pub(super) fn first_thread(&self) -> u32 {
        (self.warp[0] * WARP_SIZE as u64) as u32
    }

    fn new(cx: &LaunchContext<'_>, first_thread: u64) -> Self {
        let [x, y, _] = cx.block_size.map(u64::from);
        let lanes = |f: &dyn Fn(u64) -> u64| -> Lanes { std::array::from_fn(|lane| f(lane as u64)) };
        let thread = |lane: u64| first_thread + lane;
        let all = u64::from(u32::MAX);
        Specials {
            tid: [
                lanes(&|lane| thread(lane) % x),
                lanes(&|lane| thread(lane) / x % y),
                lanes(&|lane| thread(lane) / (x * y)),
            ],
            lane: lanes(&|lane| lane),
            warp: [first_thread / WARP_SIZE as u64; WARP_SIZE],
            masks: [
                lanes(&|lane| 1 << lane),
                lanes(&|lane| (2 << lane) - 1),
                lanes(&|lane| (1 << lane) - 1),
                lanes(&|lane| all & !((1 << lane) - 1)),
                lanes(&|lane| all & !((2 << lane) - 1)),
            ],
        }
    }
}
