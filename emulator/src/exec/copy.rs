//! Asynchronous copies of few bytes (PTX ISA "Asynchronous copy operations").
//!
//! `cp.async` reads its source at once; the bytes are written when the thread waits for the copy, or when it
//! completes on an mbarrier object. So a thread that reads the target too early sees the old bytes. Bulk
//! copies are in `bulk`.

use super::access::{Access, in_memory};
use super::claims::Claim;
use super::fault::{FaultKind, Touch, Usage};
use super::races::Watched;
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::Generic;
use crate::memory::bytes::Width;
use crate::program::code::{Address, CopyAsync, CopySource, MbarrierAction, Memory, Order, Scope, Semantics};

/// The copies that threads of a warp have issued.
#[derive(Default)]
pub(super) struct Copies {
    /// In issue order.
    pending: Vec<Copy>,
    /// The number of groups that each thread has committed.
    n_groups: [u64; WARP_SIZE],
}

/// A copy that has not been written.
#[derive(Clone, Copy)]
struct Copy {
    lane: usize,
    /// The group's number in its thread.
    group: u64,
    /// The function and the instruction.
    code: u32,
    pc: u32,
    to: u64,
    n_bytes: u64,
    /// The bytes, each with a mask of its undefined bits.
    bytes: [(u8, u8); 16],
}

impl Copies {
    /// Whether any copy has not been written.
    pub(super) fn are_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The function and instruction of the pending `cp.async` of a thread to these bytes of shared memory.
    pub(super) fn pending_at(&self, lane: usize, address: u64, n_bytes: u64) -> Option<(u32, u32)> {
        let overlaps = |copy: &&Copy| {
            let Generic::Shared(to) = in_memory(Memory::Shared, copy.to) else { return false };
            copy.lane == lane && to < address + n_bytes && address < to + copy.n_bytes
        };
        self.pending.iter().find(overlaps).map(|copy| (copy.code, copy.pc))
    }
}

impl Warp {
    /// `cp.async`: reads the source.
    pub(super) fn copy_async(&mut self, step: &Step<'_>, copy: &CopyAsync) -> Result<(), StepError> {
        let CopyAsync { to, from, n_bytes, source } = copy;
        let n_bytes = *n_bytes;
        self.require_address(step, to)?;
        self.require_address(step, from)?;
        let sizes: Lanes = match *source {
            CopySource::All => [n_bytes; WARP_SIZE],
            CopySource::Bytes(size) => {
                self.require_defined(step, size, Usage::Address)?;
                self.value(step, size)
            }
            CopySource::Unless(predicate) => {
                self.require_defined(step, predicate, Usage::Condition)?;
                self.value(step, predicate).map(|ignores| if ignores == 0 { n_bytes } else { 0 })
            }
        };
        if let Some(lane) = step.lanes().find(|&lane| sizes[lane] > n_bytes) {
            let kind = FaultKind::BadCopy { n_bytes, of_source: sizes[lane] };
            return Err(StepError { kind, lane: Some(lane) });
        }
        let (to_addresses, from_addresses) = (self.addresses(step, to), self.addresses(step, from));
        let written = Access { memory: to.memory, n_bytes, is_store: true, claim: Claim::Write };
        // The target must be valid now.
        let valid = self.access_valid(step, written, &to_addresses, |_| {})?;
        let step = &Step { mask: valid, ..*step };
        if step.cx.races.is_some() && self.copies.are_pending() {
            // Only a wait orders two copies of a thread.
            self.watch_pending(step, &written.watched(&to_addresses, Touch::Write, Order::WEAK))?;
        }
        let reading = Step {
            mask: step.lanes().filter(|&lane| sizes[lane] > 0).fold(0, |m, lane| m | 1 << lane),
            ..*step
        };
        let read = Access { memory: from.memory, n_bytes, is_store: false, claim: Claim::Read };
        let mut bytes = [[(0, 0); 16]; WARP_SIZE];
        let valid = self.access_valid(&reading, read, &from_addresses, |place| {
            for (at, byte) in bytes[place.lane].iter_mut().enumerate().take(sizes[place.lane] as usize) {
                let undefined = place.hole(at as u64, Width::B1).unwrap_or(0);
                *byte = (place.load(at as u64, Width::B1) as u8, undefined as u8);
            }
        })?;
        self.watch_valid(&reading, valid, &read.watched(&from_addresses, Touch::Read, Order::WEAK))?;
        for lane in step.lanes() {
            let group = self.copies.n_groups[lane];
            let (code, pc) = (step.code_number as u32, step.path.pc);
            let copy = Copy { lane, group, code, pc, to: to_addresses[lane], n_bytes, bytes: bytes[lane] };
            self.copies.pending.push(copy);
        }
        Ok(())
    }

    /// `cp.async.commit_group`
    pub(super) fn copy_commit(&mut self, step: &Step<'_>) {
        step.lanes().for_each(|lane| self.copies.n_groups[lane] += 1);
    }

    /// Writes a thread's pending copies except those of its last `n_left` groups; with `None` all, also those
    /// in no group.
    pub(super) fn copy_wait(&mut self, step: &Step<'_>, n_left: Option<u64>) -> Result<(), StepError> {
        let Copies { pending, n_groups } = &mut self.copies;
        let is_done = |copy: &Copy| {
            let end = n_left.map_or(u64::MAX, |n| n_groups[copy.lane].saturating_sub(n));
            step.mask >> copy.lane & 1 != 0 && copy.group < end
        };
        let (done, left): (Vec<_>, Vec<_>) = pending.drain(..).partition(is_done);
        *pending = left;
        for copy in done {
            let alone = Step { mask: 1 << copy.lane, ..*step };
            let addresses = [copy.to; WARP_SIZE];
            let access =
                Access { memory: Memory::Shared, n_bytes: copy.n_bytes, is_store: true, claim: Claim::Write };
            let mut changed = [0; WARP_SIZE];
            self.access(&alone, access, &addresses, |place| {
                for (at, (byte, undefined)) in copy.bytes.iter().enumerate().take(copy.n_bytes as usize) {
                    changed[copy.lane] |= place.changes(at as u64, Width::B1, u64::from(*byte));
                    place.store(at as u64, Width::B1, u64::from(*byte), u64::from(*undefined));
                }
            })?;
            let watched = access.watched(&addresses, Touch::Write, Order::WEAK);
            self.watch(&alone, &Watched { changed: &changed, ..watched })?;
        }
        Ok(())
    }

    /// `cp.async.mbarrier.arrive`: arrives when the copies issued until now are complete. Unless the arrival
    /// is among the expected ones, the pending count grows by one until then, so that the two cancel out.
    pub(super) fn copy_arrive(
        &mut self,
        step: &Step<'_>,
        address: &Address,
        is_counted: bool,
    ) -> Result<(), StepError> {
        self.copy_wait(step, None)?;
        let action = if is_counted {
            MbarrierAction::Arrive { drops: false, is_incomplete: false }
        } else {
            MbarrierAction::ArriveExtended
        };
        self.on_mbarrier(step, address, action, [1; WARP_SIZE], COMPLETION_ORDER).map(drop)
    }
}

/// A thread that waits on the object sees the copies that complete on it.
const COMPLETION_ORDER: Order =
    Order { semantics: Semantics::Release, scope: Scope::Cluster, is_volatile: false };
