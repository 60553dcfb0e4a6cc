//! Warp collectives (PTX ISA "shfl.sync", "vote.sync", "match.sync", "redux.sync").

use smallvec::SmallVec;

use super::fault::{Absence, FaultKind, Usage};
use super::step::{Step, StepError, lanes_of};
use super::undefined::Cause;
use super::warp::{Next, Wait, Warp};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::program::code::{Reduce, ReduceFloat, Register, Shuffle, Source, Vote, WarpCollective};

impl Warp {
    /// Waits for the other members, or executes the operation.
    pub(super) fn together(
        &mut self,
        step: &Step<'_>,
        operation: WarpCollective,
        operands: &[Source],
        members: Option<Source>,
        results: &[Option<Register>],
    ) -> Result<Next, StepError> {
        let Step { idx, path, mask, .. } = *step;
        let groups = match members {
            None => SmallVec::from_slice(&[Members { named: mask, here: mask }]),
            Some(members) => {
                self.require_defined(step, members, Usage::Synchronization)?;
                groups(&self.value(step, members), mask)?
            }
        };
        let live = self.paths.iter().fold(0, |live, path| live | path.mask);
        if let Some(group) = groups.iter().find(|group| group.named & live & !path.mask != 0) {
            self.paths[idx].waits = Some(Wait::Members(group.named));
            // They will execute the instruction again.
            self.n_executed -= u64::from(mask.count_ones());
            return Ok(Next::Reschedule);
        }
        if operation == WarpCollective::Meet {
            groups.iter().for_each(|group| self.order_warp(step, group.here));
        }
        if self.is_shadowed(step) {
            self.follow(step, operands, results, |operands, results| {
                let operands: SmallVec<[Lanes; 3]> = operands.iter().map(|&&operand| operand).collect();
                let computed = compute_all(operation, &operands, &groups, mask);
                results.iter_mut().zip(computed).for_each(|(result, computed)| *result = computed);
            });
        }
        let operands: SmallVec<[Lanes; 3]> =
            operands.iter().map(|&operand| self.value(step, operand)).collect();
        let computed = compute_all(operation, &operands, &groups, mask);
        let registers = &mut self.frames[path.frame].registers;
        for (result, computed) in results.iter().zip(&computed) {
            let Some(register) = result else { continue };
            for lane in lanes_of(mask) {
                registers[register.0 as usize][lane] = computed[lane];
            }
        }
        if let (WarpCollective::Shuffle(mode), [_, distances, bounds], Some(Some(result))) =
            (operation, &operands[..], results.first())
            && step.cx.checks.uninitialized
            && mask != u32::MAX
        {
            for group in &groups {
                self.find_absent_sources(step, mode, [distances, bounds], *group, live, *result);
            }
        }
        Ok(Next::Step)
    }

    /// A shuffle from a lane that does not take part gives an undefined value (PTX ISA "shfl.sync"): the lane
    /// has ended, is not in the mask, or does not execute the instruction. The mask may name lanes that have
    /// ended.
    fn find_absent_sources(
        &mut self,
        step: &Step<'_>,
        mode: Shuffle,
        [distances, bounds]: [&Lanes; 2],
        Members { named, here }: Members,
        live: u32,
        result: Register,
    ) {
        let n_threads = step.cx.n_threads() - step.first_thread;
        for lane in lanes_of(here) {
            let from = shuffle_source(mode, lane, distances[lane], bounds[lane]).unwrap_or(lane) as u32;
            if here >> from & 1 != 0 {
                continue;
            }
            let absence = if from >= n_threads {
                Absence::NoThread
            } else if live >> from & 1 == 0 {
                Absence::Ended
            } else if named >> from & 1 == 0 {
                Absence::NotInMask
            } else {
                Absence::Elsewhere
            };
            self.make_undefined(step, result, Width::B4, lane, Cause::Shuffle { from, absence });
        }
    }
}

/// Threads that give the same member mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Members {
    /// The mask that they give.
    named: u32,
    /// Those of them that have arrived.
    here: u32,
}

/// The arrived threads, grouped by the masks that they give. Each thread must be in its own mask, and all
/// members must give the same one (PTX ISA "shfl.sync", "vote.sync"; CUDA C++ Programming Guide "Warp Shuffle
/// Functions").
fn groups(masks: &Lanes, here: u32) -> Result<SmallVec<[Members; 2]>, StepError> {
    let mut groups = SmallVec::new();
    let mut left = here;
    while left != 0 {
        let named = masks[left.trailing_zeros() as usize] as u32;
        let same = lanes_of(left).filter(|&lane| masks[lane] as u32 == named);
        let group = same.fold(0, |group, lane| group | 1 << lane);
        let fault = |is_other, lanes: u32| StepError {
            kind: FaultKind::Members { mask: named, is_other },
            lane: Some(lanes.trailing_zeros() as usize),
        };
        if group & !named != 0 {
            return Err(fault(false, group & !named));
        }
        if named & here & !group != 0 {
            return Err(fault(true, named & here & !group));
        }
        groups.push(Members { named, here: group });
        left &= !group;
    }
    Ok(groups)
}

/// The two results of all groups.
fn compute_all(operation: WarpCollective, operands: &[Lanes], groups: &[Members], active: u32) -> [Lanes; 2] {
    let mut results = [[0; WARP_SIZE]; 2];
    for &Members { here, .. } in groups {
        let computed = compute(operation, operands, here, active);
        for (result, computed) in results.iter_mut().zip(&computed) {
            lanes_of(here).for_each(|lane| result[lane] = computed[lane]);
        }
    }
    results
}

/// The two results of one group.
fn compute(operation: WarpCollective, operands: &[Lanes], members: u32, active: u32) -> [Lanes; 2] {
    let all = |value: u64| [value; WARP_SIZE];
    let first = operands.first().copied().unwrap_or([0; WARP_SIZE]);
    let holding = |holds: &dyn Fn(usize) -> bool| {
        lanes_of(members).filter(|&lane| holds(lane)).fold(0_u32, |mask, lane| mask | 1 << lane)
    };
    match operation {
        WarpCollective::Shuffle(mode) => shuffle(mode, operands),
        WarpCollective::Vote(vote) => {
            let true_ones = holding(&|lane| first[lane] != 0);
            let outcome = match vote {
                Vote::All => u32::from(true_ones == members),
                Vote::Any => u32::from(true_ones != 0),
                Vote::Uniform => u32::from(true_ones == members || true_ones == 0),
                Vote::Ballot => true_ones,
            };
            [all(u64::from(outcome)), all(0)]
        }
        WarpCollective::MatchAny { .. } => {
            let same = |lane: usize| u64::from(holding(&|other| first[other] == first[lane]));
            [std::array::from_fn(same), all(0)]
        }
        WarpCollective::MatchAll { .. } => {
            let value = first[members.trailing_zeros() as usize % WARP_SIZE];
            let is_same = holding(&|lane| first[lane] == value) == members;
            [all(if is_same { u64::from(members) } else { 0 }), all(u64::from(is_same))]
        }
        WarpCollective::Reduce(reduce) => {
            let values = lanes_of(members).map(|lane| first[lane] as u32);
            [all(u64::from(reduced(reduce, values))), all(0)]
        }
        WarpCollective::ReduceFloat(reduce) => {
            let values = lanes_of(members).map(|lane| f32::from_bits(first[lane] as u32));
            [all(u64::from(reduced_float(reduce, values))), all(0)]
        }
        WarpCollective::ActiveMask => [all(u64::from(active)), all(0)],
        WarpCollective::Elect => {
            let leader = members.trailing_zeros() as usize;
            [all(leader as u64), std::array::from_fn(|lane| u64::from(lane == leader))]
        }
        WarpCollective::Meet => [all(0), all(0)],
    }
}

/// PTX ISA "shfl.sync"
fn shuffle(mode: Shuffle, operands: &[Lanes]) -> [Lanes; 2] {
    let [values, distances, bounds] = operands else { return [[0; WARP_SIZE]; 2] };
    let mut results = [[0; WARP_SIZE]; 2];
    for lane in 0..WARP_SIZE {
        let source = shuffle_source(mode, lane, distances[lane], bounds[lane]);
        results[0][lane] = values[source.unwrap_or(lane)];
        results[1][lane] = u64::from(source.is_some());
    }
    results
}

/// The source lane of a shuffle; `None` if it is out of bounds, and the lane keeps its own value (PTX ISA
/// "shfl.sync"). The last operand holds the bound, and above it the segment mask.
fn shuffle_source(mode: Shuffle, lane: usize, distance: u64, bound: u64) -> Option<usize> {
    let distance = (distance & 31) as i32;
    let (clamp, segment) = ((bound & 31) as i32, (bound >> 8 & 31) as i32);
    let own = lane as i32;
    let max = (own & segment) | (clamp & !segment);
    let (source, is_valid) = match mode {
        Shuffle::Up => (own - distance, own - distance >= max),
        Shuffle::Down => (own + distance, own + distance <= max),
        Shuffle::Butterfly => (own ^ distance, own ^ distance <= max),
        Shuffle::Index => {
            let source = (own & segment) | (distance & !segment);
            (source, source <= max)
        }
    };
    is_valid.then_some((source & 31) as usize)
}

fn reduced(reduce: Reduce, values: impl Iterator<Item = u32>) -> u32 {
    let by = |f: fn(u32, u32) -> u32| f;
    let combine = match reduce {
        Reduce::Add => by(u32::wrapping_add),
        Reduce::MinSigned => by(|a, b| (a as i32).min(b as i32) as u32),
        Reduce::MinUnsigned => by(u32::min),
        Reduce::MaxSigned => by(|a, b| (a as i32).max(b as i32) as u32),
        Reduce::MaxUnsigned => by(u32::max),
        Reduce::And => by(|a, b| a & b),
        Reduce::Or => by(|a, b| a | b),
        Reduce::Xor => by(|a, b| a ^ b),
    };
    values.reduce(combine).unwrap_or(0)
}

/// The bits of the minimum or maximum; negative zero is less than positive zero.
fn reduced_float(reduce: ReduceFloat, values: impl Iterator<Item = f32>) -> u32 {
    let ReduceFloat { is_max, is_abs, gives_nan } = reduce;
    let (mut found, mut has_nan) = (None::<f32>, false);
    for value in values.map(|value| if is_abs { value.abs() } else { value }) {
        has_nan |= value.is_nan();
        let is_better = found.is_none_or(|found| {
            let order = value.total_cmp(&found);
            if is_max { order.is_gt() } else { order.is_lt() }
        });
        if !value.is_nan() && is_better {
            found = Some(value);
        }
    }
    match found {
        Some(found) if !(has_nan && gives_nan) => found.to_bits(),
        _ => CANONICAL_NAN,
    }
}

/// The NaN that PTX instructions return in `.f32`.
const CANONICAL_NAN: u32 = 0x7FFF_FFFF;
