//! Operations on mbarrier objects, which are in shared memory (PTX ISA "mbarrier").
//!
//! The threads of a warp operate one after the other. A test that fails does not block its threads, but ends
//! their turn.

use super::access::{Access, in_memory};
use super::claims::Claim;
use super::fault::{FaultKind, Touch, Usage};
use super::races::Watched;
use super::step::{Step, StepError};
use super::warp::{Next, Warp};
use crate::compute::mbarrier::{self, Arrival, Misuse};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::Generic;
use crate::memory::bytes::Width;
use crate::program::code::{Address, Mbarrier, MbarrierAction, Order, Scope, Semantics};

impl Warp {
    pub(super) fn mbarrier(&mut self, step: &Step<'_>, object: &Mbarrier) -> Result<Next, StepError> {
        let Mbarrier { address, action, operands, result, order } = object;
        for &operand in operands {
            self.require_defined(step, operand, Usage::Synchronization)?;
        }
        let operand = operands.first().map_or([0; WARP_SIZE], |&operand| self.value(step, operand));
        let given = self.on_mbarrier(step, address, *action, operand, *order)?;
        if let Some(register) = *result {
            let frame = &mut self.frames[step.path.frame];
            for lane in step.lanes() {
                frame.registers[register.0 as usize][lane] = given[lane];
            }
            frame.shadow.define(register, step.mask);
        }
        let is_incomplete =
            matches!(action, MbarrierAction::Wait { .. }) && step.lanes().any(|lane| given[lane] == 0);
        Ok(if is_incomplete { Next::Sleep } else { Next::Step })
    }

    /// The same for one step; returns the results of the threads.
    pub(super) fn on_mbarrier(
        &mut self,
        step: &Step<'_>,
        address: &Address,
        action: MbarrierAction,
        operand: Lanes,
        order: Order,
    ) -> Result<Lanes, StepError> {
        self.require_address(step, address)?;
        let addresses = self.addresses(step, address);
        let is_shared =
            |lane: &usize| matches!(in_memory(address.memory, addresses[*lane]), Generic::Shared(_));
        if let Some(lane) = step.lanes().find(|lane| !is_shared(lane)) {
            return Err(misused(Misuse::NotShared, addresses[lane], lane));
        }
        if matches!(action, MbarrierAction::Wait { .. }) {
            self.finish_transfers_to(step, address, &addresses)?;
        }
        let touch = match action {
            MbarrierAction::Init | MbarrierAction::Invalidate => Touch::Write,
            MbarrierAction::Wait { .. } | MbarrierAction::Look => Touch::Read,
            _ => Touch::Atomic,
        };
        let access = Access {
            memory: address.memory,
            n_bytes: Width::B8.bytes(),
            is_store: touch != Touch::Read,
            claim: if touch == Touch::Read { Claim::Read } else { Claim::Write },
        };
        let (mut given, mut fault) = ([0; WARP_SIZE], None);
        let (mut flips, mut over) = (0, 0);
        self.access(step, access, &addresses, |place| {
            if fault.is_some() {
                return;
            }
            let word = place.load(0, Width::B8);
            match outcome(action, word, operand[place.lane]) {
                Ok((new, value)) => {
                    given[place.lane] = value;
                    let is_other_phase = mbarrier::parity(word) != mbarrier::parity(new);
                    flips |= u32::from(is_other_phase && touch == Touch::Atomic) << place.lane;
                    over |= u32::from(value != 0) << place.lane;
                    if action == MbarrierAction::Invalidate {
                        // The memory is uninitialized again.
                        place.store(0, Width::B8, new, u64::MAX);
                    } else if touch != Touch::Read {
                        place.store(0, Width::B8, new, 0);
                    }
                }
                Err(misuse) => fault = Some((misuse, place.lane)),
            }
        })?;
        if let Some((misuse, lane)) = fault {
            return Err(misused(misuse, addresses[lane], lane));
        }
        if action != MbarrierAction::Look {
            let strong = Order { semantics: Semantics::Relaxed, scope: Scope::Cluster, is_volatile: false };
            let kind = if touch == Touch::Write { order } else { strong };
            self.order_mbarrier(step, (address.memory, &addresses), action, order, (flips, over));
            let watched = access.watched(&addresses, touch, kind);
            self.watch(step, &Watched { has_result: false, ..watched })?;
        }
        Ok(given)
    }
}

/// The object's new value, and the thread's result.
fn outcome(action: MbarrierAction, word: u64, operand: u64) -> Result<(u64, u64), Misuse> {
    let bytes = operand as u32 as i64;
    let arrival = Arrival { count: 1, ..Arrival::default() };
    Ok(match action {
        MbarrierAction::Init => (mbarrier::initialized(operand)?, 0),
        MbarrierAction::Invalidate => {
            mbarrier::require(word)?;
            (0, 0)
        }
        MbarrierAction::Look => {
            mbarrier::require(word)?;
            (word, 0)
        }
        MbarrierAction::ExpectTx => (mbarrier::transacted(word, bytes)?, 0),
        MbarrierAction::CompleteTx => (mbarrier::transacted(word, -bytes)?, 0),
        MbarrierAction::Arrive { drops, is_incomplete } => {
            let arrival = Arrival { count: operand, drops, is_incomplete, ..arrival };
            (mbarrier::arrived(word, arrival)?, word)
        }
        MbarrierAction::ArriveExtended => (mbarrier::arrived(mbarrier::extended(word)?, arrival)?, word),
        MbarrierAction::ArriveExpectTx { drops } => {
            (mbarrier::arrived(word, Arrival { drops, tx: bytes, ..arrival })?, word)
        }
        MbarrierAction::Wait { is_of_parity } => {
            let is_odd = if is_of_parity { operand & 1 != 0 } else { mbarrier::parity(operand) };
            (word, u64::from(mbarrier::is_over(word, is_odd)?))
        }
    })
}

fn misused(misuse: Misuse, address: u64, lane: usize) -> StepError {
    StepError { kind: FaultKind::Mbarrier { misuse, address }, lane: Some(lane) }
}
