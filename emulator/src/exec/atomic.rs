//! Atomic operations on memory.
//!
//! The threads of a warp operate one after the other, and each sees the results of those before it.

use smallvec::SmallVec;

use super::access::{Access, origin};
use super::claims::Claim;
use super::fault::{Touch, Usage};
use super::races::Watched;
use super::step::{Step, StepError};
use super::undefined::{Hole, Origin};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::program::code::{Atomic, AtomicVector, AtomicWide, Register, Source, Update};

impl Warp {
    pub(super) fn atomic(&mut self, step: &Step<'_>, atomic: &Atomic) -> Result<(), StepError> {
        let Atomic { address, width, update, operands, result, reduction, replaces, order } = atomic;
        let (width, result) = (*width, *result);
        let claim = reduction.map_or(Claim::Write, Claim::Reduce);
        let access = Access { memory: address.memory, n_bytes: width.bytes(), is_store: true, claim };
        let addresses = self.addresses(step, address);
        for &operand in operands {
            self.require_defined(step, operand, Usage::Atomic)?;
        }
        let operands: SmallVec<[Lanes; 2]> =
            operands.iter().map(|&operand| self.value(step, operand)).collect();
        self.require_address(step, address)?;
        let mut old = [0; WARP_SIZE];
        let mut holes = Vec::new();
        let valid = self.access_valid(step, access, &addresses, |place| {
            let lane = place.lane;
            let values = values_of(&operands, lane);
            if let Some(bits) = place.hole(0, width) {
                let origin = origin(step, access, lane, addresses[lane], width);
                holes.push((Hole { idx: 0, bits, origin }, update(0, &values) == update(u64::MAX, &values)));
            }
            old[lane] = place.update(0, width, |old| update(old, &values));
        })?;
        // Locks need their owner even while nothing is watched.
        let is_noted = *replaces || step.shared.watch.is_on();
        let changed = if is_noted { changed(&old, &operands, width, *replaces, update) & valid } else { 0 };
        if changed != 0 {
            self.note_changes(step, address.memory, &addresses, changed);
        }
        // An exchange discards the old value; every other operation computes with it.
        let mut replaced = Vec::new();
        for (hole, is_replaced) in holes {
            match is_replaced {
                true => replaced.push(hole),
                false => self.report_atomic(step, hole.origin)?,
            }
        }
        if !replaced.is_empty() || self.is_shadowed(step) {
            self.load_undefined(step, &[result], &replaced, |bits| bits);
        }
        if let Some(result) = result {
            let register = &mut self.frames[step.path.frame].registers[result.0 as usize];
            for lane in step.lanes() {
                register[lane] = old[lane];
            }
        }
        let watched = access.watched(&addresses, Touch::Atomic, *order);
        self.watch_valid(step, valid, &Watched { has_result: result.is_some(), ..watched })
    }

    /// The same for vectors. Each element is a separate atomic operation.
    #[cold]
    pub(super) fn atomic_vector(&mut self, step: &Step<'_>, atomic: &AtomicVector) -> Result<(), StepError> {
        let AtomicVector { address, width, update, operands, results, order } = atomic;
        let width = *width;
        let n_bytes = width.bytes() * operands.len() as u64;
        let access = Access { memory: address.memory, n_bytes, is_store: true, claim: Claim::Write };
        let addresses = self.addresses(step, address);
        for &operand in operands {
            self.require_defined(step, operand, Usage::Atomic)?;
        }
        self.require_address(step, address)?;
        let operands: SmallVec<[Lanes; 4]> =
            operands.iter().map(|&operand| self.value(step, operand)).collect();
        let mut old = vec![[0; WARP_SIZE]; operands.len()];
        let mut holes = SmallVec::<[Origin; 4]>::new();
        let valid = self.access_valid(step, access, &addresses, |place| {
            let lane = place.lane;
            for (idx, (old, operand)) in old.iter_mut().zip(&operands).enumerate() {
                let distance = idx as u64 * width.bytes();
                if place.hole(distance, width).is_some() {
                    let address = addresses[lane].wrapping_add(distance);
                    holes.push(origin(step, access, lane, address, width));
                }
                old[lane] = place.update(distance, width, |old| update(old, &[operand[lane]]));
            }
        })?;
        // Every vector operation computes the new value from the old one.
        holes.into_iter().try_for_each(|hole| self.report_atomic(step, hole))?;
        if self.is_shadowed(step) {
            self.load_undefined(step, results, &[], |bits| bits);
        }
        for (result, old) in results.iter().zip(&old) {
            let Some(register) = result else { continue };
            let register = &mut self.frames[step.path.frame].registers[register.0 as usize];
            for lane in step.lanes() {
                register[lane] = old[lane];
            }
        }
        let watched = access.watched(&addresses, Touch::Atomic, *order);
        let has_result = results.iter().any(Option::is_some);
        self.watch_valid(step, valid, &Watched { width: width.bytes(), has_result, ..watched })
    }

    /// A 128-bit exchange. Nothing comes between its halves: blocks that access the same words run in turns.
    pub(super) fn atomic_wide(&mut self, step: &Step<'_>, atomic: &AtomicWide) -> Result<(), StepError> {
        let AtomicWide { address, expected, new, result, order } = atomic;
        let access = Access { memory: address.memory, n_bytes: 16, is_store: true, claim: Claim::Write };
        let addresses = self.addresses(step, address);
        for register in expected.iter().chain([new]).flatten() {
            self.require_defined(step, Source::Register(*register), Usage::Atomic)?;
        }
        self.require_address(step, address)?;
        let halves = |registers: &[Register; 2]| {
            registers.map(|register| self.value(step, Source::Register(register)))
        };
        let (expected, new) = (expected.as_ref().map(halves), halves(new));
        let mut old = [[0; WARP_SIZE]; 2];
        let mut holes = Vec::new();
        let valid = self.access_valid(step, access, &addresses, |place| {
            let lane = place.lane;
            for (idx, old) in old.iter_mut().enumerate() {
                let distance = 8 * idx as u64;
                old[lane] = place.load(distance, Width::B8);
                if let Some(bits) = place.hole(distance, Width::B8) {
                    let address = addresses[lane].wrapping_add(distance);
                    holes.push(Hole { idx, bits, origin: origin(step, access, lane, address, Width::B8) });
                }
            }
            let is_same = |expected: &[Lanes; 2]| (0..2).all(|idx| expected[idx][lane] == old[idx][lane]);
            if expected.as_ref().is_none_or(is_same) {
                for (idx, new) in new.iter().enumerate() {
                    place.store(8 * idx as u64, Width::B8, new[lane], 0);
                }
            }
        })?;
        // An exchange discards the old value; a compare-and-swap uses it.
        if expected.is_some() {
            holes.drain(..).try_for_each(|hole| self.report_atomic(step, hole.origin))?;
        }
        if let Some(registers) = result {
            if !holes.is_empty() || self.is_shadowed(step) {
                self.load_undefined(step, &registers.map(Some), &holes, |bits| bits);
            }
            for (register, old) in registers.iter().zip(&old) {
                let register = &mut self.frames[step.path.frame].registers[register.0 as usize];
                for lane in step.lanes() {
                    register[lane] = old[lane];
                }
            }
        }
        // Like 128-bit loads and stores: two halves.
        let watched = access.watched(&addresses, Touch::Atomic, *order);
        self.watch_valid(
            step,
            valid,
            &Watched { width: Width::B8.bytes(), has_result: result.is_some(), ..watched },
        )
    }

    /// Reports an atomic operation on an uninitialized value.
    fn report_atomic(&self, step: &Step<'_>, origin: Origin) -> Result<(), StepError> {
        step.survive(self.undefined(step, origin, Usage::Atomic, origin.lane()))
    }
}

/// The operands of one lane. Iterating costs as much as the operation itself, and there are rarely more than
/// two.
fn values_of(operands: &[Lanes], lane: usize) -> SmallVec<[u64; 2]> {
    match operands {
        [value] => SmallVec::from_buf_and_len([value[lane], 0], 1),
        [first, second] => SmallVec::from_buf([first[lane], second[lane]]),
        _ => operands.iter().map(|operand| operand[lane]).collect(),
    }
}

/// The threads whose operation changed the old value.
fn changed(old: &Lanes, operands: &[Lanes], width: Width, replaces: bool, update: &Update) -> u32 {
    let differ = |a: u64, b: u64| (a ^ b) & width.mask() != 0;
    match operands {
        [new] if replaces => lanes_where(|lane| differ(old[lane], new[lane])),
        [expected, new] if replaces => {
            lanes_where(|lane| !differ(old[lane], expected[lane]) && differ(expected[lane], new[lane]))
        }
        _ => lanes_where(|lane| {
            let values = values_of(operands, lane);
            differ(old[lane], update(old[lane], &values))
        }),
    }
}

/// The lanes for which `holds` is true, as a mask.
fn lanes_where(holds: impl Fn(usize) -> bool) -> u32 {
    (0..WARP_SIZE).fold(0, |mask, lane| mask | u32::from(holds(lane)) << lane)
}
