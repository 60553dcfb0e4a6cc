//! Executes one instruction for the threads of a path.

use smallvec::SmallVec;

use super::block::Shared;
use super::device::LaunchContext;
use super::fault::{FaultKind, Usage};
use super::races;
use super::undefined::Cause;
use super::warp::{DivergentPath, Next, Votes, Wait, Warp};
use crate::compute::{Compute, Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::program::code::{Axis, BarrierVotes, Code, Guard, Instruction, Op, Register, Source, Special};

/// An error, and the thread of the warp that made it, if known.
pub(super) struct StepError {
    pub(super) kind: FaultKind,
    pub(super) lane: Option<usize>,
}

impl From<FaultKind> for StepError {
    fn from(kind: FaultKind) -> Self {
        StepError { kind, lane: None }
    }
}

/// An instruction for the threads of a path.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) cx: &'a LaunchContext<'a>,
    pub(super) shared: &'a Shared,
    pub(super) code: &'a Code,
    /// The index of the function.
    pub(super) code_number: usize,
    pub(super) instruction: &'a Instruction,
    /// The index in the block of the warp's first thread.
    pub(super) first_thread: u32,
    /// The index of the path in the warp.
    pub(super) idx: usize,
    pub(super) path: DivergentPath,
    /// The threads of the path that execute the instruction.
    pub(super) mask: u32,
}

impl Step<'_> {
    /// The threads that execute it.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.mask)
    }

    /// The first of them.
    pub(super) fn first_lane(&self) -> usize {
        self.mask.trailing_zeros() as usize
    }
}

/// The maximum number of operands.
const N_OPERANDS: usize = 8;

/// The lanes of a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP_SIZE).filter(move |lane| mask >> lane & 1 != 0)
}

impl Warp {
    /// Executes an instruction.
    pub(super) fn step(&mut self, step: Step<'_>) -> Result<Next, StepError> {
        let Step { path, instruction, .. } = step;
        let mask = match instruction.guard {
            None => path.mask,
            Some(guard) => self.guarded(path, guard),
        };
        if let Some(guard) = instruction.guard
            && self.is_shadowed(&step)
        {
            self.require_defined(&step, Source::Register(guard.predicate), Usage::Condition)?;
        }
        if mask == 0 {
            return Ok(Next::Step);
        }
        let step = &Step { mask, ..step };
        self.n_executed += u64::from(mask.count_ones());
        let first_lane = step.first_lane();
        self.execute(step).map_err(|error| StepError { lane: error.lane.or(Some(first_lane)), ..error })
    }

    /// Executes an instruction for the threads whose guard is true.
    fn execute(&mut self, step: &Step<'_>) -> Result<Next, StepError> {
        let Step { idx, path, instruction, mask, .. } = *step;
        match &instruction.op {
            Op::Compute { compute, operands, results } => {
                if self.is_shadowed(step) {
                    self.follow(step, operands, results, |operands, results| compute(operands, results));
                }
                self.compute(step, compute, operands, results);
                Ok(Next::Step)
            }
            Op::Divide { compute, operands, width, result, is_remainder } => {
                if self.is_shadowed(step) {
                    self.follow(step, operands, &[*result], |operands, results| compute(operands, results));
                }
                // The result may overwrite the divisor's register.
                let zeros = self.zero_divisors(step, operands[1], *width);
                self.compute(step, compute, operands, &[*result]);
                if let Some(register) = *result {
                    for lane in lanes_of(zeros) {
                        let cause = Cause::Division { is_remainder: *is_remainder };
                        self.make_undefined(step, register, *width, lane, cause);
                    }
                }
                Ok(Next::Step)
            }
            Op::Load { address, width, extension, results, order } => {
                self.load(step, address, *width, *extension, results, *order)?;
                Ok(Next::Step)
            }
            Op::Store { address, width, values, order } => {
                self.store(step, address, *width, values, *order)?;
                Ok(Next::Step)
            }
            Op::Atomic(atomic) => {
                self.atomic(step, atomic)?;
                Ok(Next::Step)
            }
            Op::AtomicVector(atomic) => {
                self.atomic_vector(step, atomic)?;
                Ok(Next::Step)
            }
            Op::AtomicWide(atomic) => {
                self.atomic_wide(step, atomic)?;
                Ok(Next::Step)
            }
            Op::CopyAsync(copy) => {
                self.copy_async(step, copy)?;
                Ok(Next::Step)
            }
            Op::CopyCommit => {
                self.copy_commit(step);
                Ok(Next::Step)
            }
            Op::CopyWait { n_left } => {
                self.copy_wait(step, *n_left)?;
                Ok(Next::Step)
            }
            Op::CopyArrive { address, is_counted } => {
                self.copy_arrive(step, address, *is_counted)?;
                Ok(Next::Step)
            }
            Op::BulkCopy(copy) => {
                self.bulk_copy(step, copy)?;
                Ok(Next::Step)
            }
            Op::BulkStore { to, n_bytes } => {
                self.bulk_store(step, to, *n_bytes)?;
                Ok(Next::Step)
            }
            Op::TensorCopy(copy) => {
                self.tensor_copy(step, copy)?;
                Ok(Next::Step)
            }
            Op::MapCopy { to, from } => {
                self.copy_map(step, to, from)?;
                Ok(Next::Step)
            }
            Op::BulkCommit => {
                self.bulk_commit(step);
                Ok(Next::Step)
            }
            Op::BulkWait { n_left, is_for_reads } => {
                self.bulk_wait(step, *n_left, *is_for_reads)?;
                Ok(Next::Step)
            }
            Op::ProxyFence => {
                races::fence_proxy(step.cx);
                Ok(Next::Step)
            }
            Op::MatrixCompute(matrix) => self.matrix_compute(step, matrix),
            Op::MatrixRows(matrix) => self.matrix_rows(step, matrix),
            Op::MatrixFragment(matrix) => self.matrix_fragment(step, matrix),
            Op::Mbarrier(object) => self.mbarrier(step, object),
            Op::Texture(read) => {
                self.read_texture(step, read)?;
                Ok(Next::Step)
            }
            Op::Surface(access) => {
                self.access_surface(step, access)?;
                Ok(Next::Step)
            }
            Op::ObjectQuery(query) => {
                self.query_object(step, query)?;
                Ok(Next::Step)
            }
            Op::WarpCollective { operation, operands, members, results } => {
                self.together(step, *operation, operands, *members, results)
            }
            Op::Branch { target, cost } => {
                self.part(idx, mask, *target);
                self.pass(idx, path, mask);
                if *cost > 0 && self.paths.len() > 1 {
                    self.charge(path.frame, *target, mask, *cost);
                }
                Ok(Next::Reschedule)
            }
            Op::BranchIndexed { index, targets, cost } => {
                self.require_defined(step, *index, Usage::Target)?;
                let index = self.value(step, *index);
                for lane in lanes_of(mask) {
                    let target = usize::try_from(index[lane]).ok().and_then(|at| targets.get(at));
                    let Some(&target) = target else {
                        return Err(StepError { kind: FaultKind::BadBranch(index[lane]), lane: Some(lane) });
                    };
                    self.part(idx, 1 << lane, target);
                }
                self.pass(idx, path, mask);
                if *cost > 0 && self.paths.len() > 1 {
                    self.charge(path.frame, path.pc, mask, *cost);
                }
                Ok(Next::Reschedule)
            }
            Op::Call { callee, args, returns } => self.call(step, callee, args, returns),
            Op::Return => {
                self.return_from(step.cx, idx, mask);
                Ok(Next::Reschedule)
            }
            Op::Exit => {
                self.exit(idx, mask);
                Ok(Next::Reschedule)
            }
            Op::Trap => Err(step.cx.trap().into()),
            Op::Breakpoint => Err(FaultKind::Breakpoint.into()),
            Op::Barrier { number, n_threads, is_for_warps, votes } => {
                let predicate = votes.map(|votes| votes.predicate);
                for source in [Some(*number), *n_threads, predicate].into_iter().flatten() {
                    self.require_defined(step, source, Usage::Synchronization)?;
                }
                let lane = step.first_lane();
                let number = self.value(step, *number)[lane] as u32;
                let n_threads = n_threads.map(|n_threads| self.value(step, n_threads)[lane] as u32);
                let votes = votes.map(|BarrierVotes { reduction, predicate, result }| Votes {
                    reduction,
                    holding: holding(&self.value(step, predicate)),
                    result,
                });
                self.part(idx, mask, path.pc + 1);
                if let Some(waiting) = self.paths.last_mut() {
                    waiting.waits =
                        Some(Wait::Barrier { number, n_threads, is_for_warps: *is_for_warps, votes });
                }
                self.pass(idx, path, mask);
                Ok(Next::Reschedule)
            }
            Op::Arrive { number, n_threads } => {
                for source in [*number, *n_threads] {
                    self.require_defined(step, source, Usage::Synchronization)?;
                }
                let lane = step.first_lane();
                let number = self.value(step, *number)[lane];
                let n_threads = self.value(step, *n_threads)[lane] as u32;
                if let Some(arrivals) = step.shared.arrivals.borrow_mut().get_mut(number as usize) {
                    arrivals.n_arrived += mask.count_ones();
                    arrivals.n_threads = n_threads;
                }
                self.order_arrival(step, number as u32);
                Ok(Next::Step)
            }
            Op::ClusterArrive { is_release } => {
                self.cluster_arrive(step, *is_release)?;
                Ok(Next::Step)
            }
            Op::ClusterWait => self.cluster_wait(step),
            Op::Counter { shift, mask: kept, result } => {
                let value = self.n_executed >> shift & kept;
                if let Some(register) = *result {
                    let frame = &mut self.frames[path.frame];
                    for lane in lanes_of(mask) {
                        frame.registers[register.0 as usize][lane] = value;
                    }
                    frame.shadow.define(register, mask);
                }
                Ok(Next::Step)
            }
            Op::Alloca { size, align, result } => {
                self.alloca(step, *size, *align, *result)?;
                Ok(Next::Step)
            }
            Op::StackSave { result } => {
                self.save_stack(step, *result);
                Ok(Next::Step)
            }
            Op::StackRestore { pointer } => {
                self.restore_stack(step, *pointer)?;
                Ok(Next::Step)
            }
            Op::Fence(fence) => {
                self.fence(step, *fence);
                Ok(Next::Step)
            }
            Op::Sleep => Ok(Next::Sleep),
            Op::Nothing => Ok(Next::Step),
        }
    }

    /// The threads of a path whose guard is true.
    pub(super) fn guarded(&self, path: DivergentPath, guard: Guard) -> u32 {
        let predicate = &self.frames[path.frame].registers[guard.predicate.0 as usize];
        let holds = holding(predicate);
        path.mask & if guard.is_negated { !holds } else { holds }
    }

    /// Moves threads to a new path of their own, the last one.
    pub(super) fn part(&mut self, idx: usize, mask: u32, pc: u32) {
        let path = self.paths[idx];
        if path.mask == mask {
            self.paths.remove(idx);
        } else {
            self.paths[idx].mask &= !mask;
            self.use_frame(path.frame);
        }
        self.paths.push(DivergentPath { pc, mask, ..path });
    }

    /// Advances what is left of a path after others parted from it.
    pub(super) fn pass(&mut self, idx: usize, path: DivergentPath, parted: u32) {
        if path.mask != parted {
            self.paths[idx].pc += 1;
        }
    }

    /// Ends threads.
    pub(super) fn exit(&mut self, idx: usize, mask: u32) {
        let path = self.paths[idx];
        *self.ended.entry((self.frames[path.frame].code, path.pc)).or_default() |= mask;
        self.end(idx, mask);
    }

    /// Removes threads from a path.
    pub(super) fn end(&mut self, idx: usize, mask: u32) {
        let path = &mut self.paths[idx];
        path.mask &= !mask;
        if path.mask == 0 {
            let frame = path.frame;
            self.paths.remove(idx);
            self.release_frame(frame);
        } else {
            path.pc += 1;
        }
    }

    fn compute(
        &mut self,
        step: &Step<'_>,
        compute: &Compute,
        operands: &[Source],
        results: &[Option<Register>],
    ) {
        let Step { path, mask, code, .. } = *step;
        let mut scratch = std::mem::take(&mut self.scratch);
        let frame = &self.frames[path.frame];
        let made: SmallVec<[Lanes; 1]> = operands
            .iter()
            .filter_map(|operand| match operand {
                Source::Frame(offset) => Some([frame.base + u64::from(*offset); WARP_SIZE]),
                Source::Register(_) | Source::Constant(_) | Source::Special(_) => None,
            })
            .collect();
        let mut made = made.iter();
        let mut values: [&Lanes; N_OPERANDS] = [&self.specials.lane; N_OPERANDS];
        for (value, &operand) in values.iter_mut().zip(operands) {
            *value = match operand {
                Source::Register(register) => &frame.registers[register.0 as usize],
                Source::Constant(number) => &code.constants[number as usize],
                Source::Special(special) => self.special(step, special),
                Source::Frame(_) => made.next().expect("invariant: one was made for each"),
            };
        }
        compute(&values[..operands.len()], &mut scratch[..results.len()]);
        let frame = &mut self.frames[path.frame];
        for (result, computed) in results.iter().zip(&scratch) {
            let Some(register) = result else { continue };
            let register = &mut frame.registers[register.0 as usize];
            if mask == u32::MAX {
                *register = *computed;
            } else {
                for lane in 0..WARP_SIZE {
                    register[lane] = if mask >> lane & 1 != 0 { computed[lane] } else { register[lane] };
                }
            }
        }
        self.scratch = scratch;
    }

    /// The threads that divide by zero, if uninitialized values are checked.
    fn zero_divisors(&self, step: &Step<'_>, divisor: Source, width: Width) -> u32 {
        let watches = step.cx.checks.uninitialized;
        if !watches
            || matches!(divisor, Source::Constant(number) if step.code.constants[number as usize][0] != 0)
        {
            return 0;
        }
        let divisors = self.value(step, divisor);
        step.lanes().filter(|&lane| divisors[lane] & width.mask() == 0).fold(0, |mask, lane| mask | 1 << lane)
    }

    /// The values of a source operand.
    pub(super) fn value(&self, step: &Step<'_>, source: Source) -> Lanes {
        let frame = &self.frames[step.path.frame];
        match source {
            Source::Register(register) => frame.registers[register.0 as usize],
            Source::Constant(number) => step.code.constants[number as usize],
            Source::Special(special) => *self.special(step, special),
            Source::Frame(offset) => [frame.base + u64::from(offset); WARP_SIZE],
        }
    }

    /// PTX ISA "Special Registers"
    fn special<'a>(&'a self, step: &Step<'a>, special: Special) -> &'a Lanes {
        let (cx, shared) = (step.cx, step.shared);
        let axis = |axis| match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        match special {
            Special::Tid(of) => &self.specials.tid[axis(of)],
            Special::Ntid(of) => &cx.specials.ntid[axis(of)],
            Special::Ctaid(of) => &shared.ctaid_lanes[axis(of)],
            Special::Nctaid(of) => &cx.specials.nctaid[axis(of)],
            Special::ClusterId(of) => &shared.clusterid[axis(of)],
            Special::NClusterId(of) => &cx.specials.nclusterid[axis(of)],
            Special::ClusterCtaid(of) => &shared.cluster_ctaid[axis(of)],
            Special::ClusterNctaid(of) => &cx.specials.cluster_nctaid[axis(of)],
            Special::ClusterRank => &shared.rank_lanes,
            Special::ClusterSize => &cx.specials.cluster_size,
            Special::IsExplicitCluster => &cx.specials.is_explicit_cluster,
            Special::LaneId => &self.specials.lane,
            Special::WarpId => &self.specials.warp,
            Special::NWarpId => &cx.specials.nwarpid,
            Special::LaneMaskEq => &self.specials.masks[0],
            Special::LaneMaskLe => &self.specials.masks[1],
            Special::LaneMaskLt => &self.specials.masks[2],
            Special::LaneMaskGe => &self.specials.masks[3],
            Special::LaneMaskGt => &self.specials.masks[4],
            Special::DynamicSharedSize => &cx.specials.dynamic_shared,
            Special::TotalSharedSize => &cx.specials.total_shared,
            Special::SmId => &[0; WARP_SIZE],
            Special::NSmId | Special::GridId => &[1; WARP_SIZE],
            Special::GridWorkspaceLow => &cx.specials.grid_workspace[0],
            Special::GridWorkspaceHigh => &cx.specials.grid_workspace[1],
        }
    }
}

/// The mask of the threads whose predicate is true.
fn holding(predicate: &Lanes) -> u32 {
    (0..WARP_SIZE).fold(0, |mask, lane| mask | (predicate[lane] as u32 & 1) << lane)
}
