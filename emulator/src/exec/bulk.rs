//! Asynchronous copies of many bytes (PTX ISA "cp.async.bulk", "Async proxy").
//!
//! A copy is checked when a thread issues it, so that errors are reported there. Then it is deferred: a copy
//! that completes on an mbarrier object, until a thread waits on the object; a copy in a group, until its
//! thread waits for the group, or for the group's reads. So a thread that reads the target too early sees the
//! old bytes, and one that writes the source too early corrupts the copy; both are races. Copies that no
//! thread waits for are done when the warp ends.

use super::access::{Access, in_memory};
use super::block::Shared;
use super::claims::Claim;
use super::device::LaunchContext;
use super::fault::{Fault, FaultKind, Touch, Usage};
use super::races::Asked;
use super::step::{Step, StepError};
use super::warp::{DivergentPath, Warp};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::memory::{BLOCK_WINDOW, Generic};
use crate::program::code::{
    Address, BulkCopy, Completion, MbarrierAction, Memory, Order, Scope, Semantics, Source, Update,
};

/// The alignment of bulk copies, and the unit of their sizes, in bytes.
const BULK: u64 = 16;

/// The memory order of the completion on an mbarrier object. The waiting thread need not see what the issuing
/// thread did before.
const COMPLETION_ORDER: Order =
    Order { semantics: Semantics::Relaxed, scope: Scope::Cluster, is_volatile: false };

/// An issued copy that is not complete.
pub(super) struct Transfer {
    pub(super) asked: Asked,
    pub(super) from: Memory,
    pub(super) to: Memory,
    pub(super) pieces: Vec<Piece>,
    pub(super) reduction: Option<Reduction>,
    pub(super) notification: Notification,
    /// The values read for each piece, once they are read.
    pub(super) values: Option<Vec<Value>>,
}

/// Who is notified when a copy completes.
#[derive(Clone, Copy)]
pub(super) enum Notification {
    /// The mbarrier object at an address in `.shared`, of this many bytes.
    Mbarrier { address: u64, n_bytes: u64 },
    /// The thread, through the group of this number.
    Group { lane: usize, number: u64 },
}

/// How an element of the target combines with the copied one.
#[derive(Clone)]
pub(super) struct Reduction {
    pub(super) width: Width,
    pub(super) update: Update,
}

/// A piece of a copy, as large as one access can be.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) source: PieceSource,
    pub(super) to: u64,
    pub(super) n_bytes: u64,
}

/// The source of a piece.
#[derive(Clone, Copy)]
pub(super) enum PieceSource {
    At(u64),
    /// A repeated bit pattern.
    Bits(u64),
}

/// The two words of a piece, each with a mask of its undefined bits.
type Value = [(u64, u64); 2];

/// The bulk copies of a warp.
#[derive(Default)]
pub(super) struct BulkCopies {
    /// The copies in groups, in issue order.
    pending: Vec<Transfer>,
    /// The number of groups that each thread has committed.
    n_groups: [u64; WARP_SIZE],
}

/// The unit of bulk stores' sizes, in bytes, and the largest size (PTX ISA "st.bulk").
const STORED: Width = Width::B8;
const MOST_STORED: u64 = 16 << 20;

impl Warp {
    /// `st.bulk`: writes zeros to shared memory at once.
    pub(super) fn bulk_store(
        &mut self,
        step: &Step<'_>,
        to: &Address,
        n_bytes: Source,
    ) -> Result<(), StepError> {
        self.require_address(step, to)?;
        self.require_defined(step, n_bytes, Usage::Address)?;
        let (targets, sizes) = (self.addresses(step, to), self.value(step, n_bytes));
        for lane in step.lanes() {
            let (address, n_bytes) = (targets[lane], sizes[lane]);
            let is_shared = matches!(in_memory(to.memory, address), Generic::Shared(_));
            if !is_shared || !n_bytes.is_multiple_of(STORED.bytes()) || n_bytes > MOST_STORED {
                let kind = FaultKind::BadBulkStore { address, n_bytes };
                return Err(StepError { kind, lane: Some(lane) });
            }
            for at in (0..n_bytes).step_by(STORED.bytes() as usize) {
                let address = address.wrapping_add(at);
                self.store_one(step, to.memory, lane, address, STORED, 0)?;
                let n_bytes = STORED.bytes();
                let access = Access { memory: to.memory, n_bytes, is_store: true, claim: Claim::Write };
                let alone = Step { mask: 1 << lane, ..*step };
                self.watch(&alone, &access.watched(&[address; WARP_SIZE], Touch::Write, Order::WEAK))?;
            }
        }
        Ok(())
    }

    /// `cp.async.bulk` and `cp.reduce.async.bulk`
    pub(super) fn bulk_copy(&mut self, step: &Step<'_>, copy: &BulkCopy) -> Result<(), StepError> {
        let BulkCopy { to, from, n_bytes, completion, blocks, byte_mask, reduction } = copy;
        self.require_address(step, to)?;
        self.require_address(step, from)?;
        for &operand in [Some(n_bytes), blocks.as_ref(), byte_mask.as_ref()].into_iter().flatten() {
            self.require_defined(step, operand, Usage::Address)?;
        }
        let sizes = self.value(step, *n_bytes);
        if let Some(lane) = step.lanes().find(|&lane| !sizes[lane].is_multiple_of(BULK)) {
            let kind = FaultKind::BadBulkCopy(sizes[lane]);
            return Err(StepError { kind, lane: Some(lane) });
        }
        let (targets, sources) = (self.addresses(step, to), self.addresses(step, from));
        let masks = byte_mask.map(|mask| self.value(step, mask));
        let reduction = reduction
            .as_ref()
            .map(|reduction| Reduction { width: reduction.width, update: reduction.update.clone() });
        for lane in step.lanes() {
            let size = sizes[lane];
            self.require_range(step, lane, from.memory, sources[lane], size, false)?;
            let source = absolute(step.shared, from.memory, sources[lane]);
            let element = reduction.as_ref().map_or(BULK, |reduction| reduction.width.bytes());
            let ranks = self.ranks(step, lane, *blocks);
            for rank in ranks {
                let target = of_rank(step.shared, to.memory, targets[lane], rank);
                self.require_range(step, lane, to.memory, target, size, true)?;
                let target = absolute(step.shared, to.memory, target);
                let piece = |at: u64, n_bytes: u64| Piece {
                    source: PieceSource::At(source + at),
                    to: target + at,
                    n_bytes,
                };
                let pieces = match &masks {
                    Some(masks) => {
                        let is_copied = |at: &u64| masks[lane] >> (at % BULK) & 1 != 0;
                        (0..size).filter(is_copied).map(|at| piece(at, 1)).collect()
                    }
                    None => (0..size).step_by(element as usize).map(|at| piece(at, element)).collect(),
                };
                self.ask_for_bulk(
                    step,
                    lane,
                    completion,
                    rank,
                    size,
                    Transfer {
                        asked: self.ask(step, lane),
                        from: from.memory,
                        to: to.memory,
                        pieces,
                        reduction: reduction.clone(),
                        notification: Notification::Group { lane, number: 0 },
                        values: None,
                    },
                )?;
            }
        }
        Ok(())
    }

    /// The ranks of the blocks that receive a copy; a single `None` if the address specifies the block.
    pub(super) fn ranks(&self, step: &Step<'_>, lane: usize, blocks: Option<Source>) -> Vec<Option<u64>> {
        match blocks {
            None => vec![None],
            Some(blocks) => {
                let mask = self.value(step, blocks)[lane];
                (0..16).filter(|rank| mask >> rank & 1 != 0).map(Some).collect()
            }
        }
    }

    /// Defers a copy until a thread waits for it.
    pub(super) fn ask_for_bulk(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        completion: &Completion,
        rank: Option<u64>,
        n_bytes: u64,
        mut transfer: Transfer,
    ) -> Result<(), StepError> {
        match completion {
            Completion::Group => {
                let number = self.bulk_copies.n_groups[lane];
                transfer.notification = Notification::Group { lane, number };
                self.bulk_copies.pending.push(transfer);
            }
            Completion::Mbarrier(mbarrier) => {
                let alone = Step { mask: 1 << lane, ..*step };
                let at = self.addresses(step, mbarrier)[lane];
                let at = of_rank(step.shared, mbarrier.memory, at, rank);
                // Report an address without an mbarrier object now, not when the copy completes.
                let place = Address { base: None, offset: at as i64, ..*mbarrier };
                self.require_address(step, mbarrier)?;
                self.on_mbarrier(&alone, &place, MbarrierAction::Look, [0; WARP_SIZE], Order::WEAK)?;
                let address = absolute(step.shared, mbarrier.memory, at);
                transfer.notification = Notification::Mbarrier { address, n_bytes };
                let (rank, _) = step.shared.place(address);
                if let Some(memory) = step.shared.cluster.get(rank) {
                    memory.transfers.borrow_mut().push(transfer);
                }
            }
        }
        Ok(())
    }

    /// Requires a range to be in bounds and aligned.
    pub(super) fn require_range(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        memory: Memory,
        start: u64,
        n_bytes: u64,
        is_store: bool,
    ) -> Result<(), StepError> {
        let alone = Step { mask: 1 << lane, ..*step };
        let claim = if is_store { Claim::Write } else { Claim::Read };
        let access = Access { memory, n_bytes: BULK, is_store, claim };
        for at in (0..n_bytes).step_by(BULK as usize) {
            self.access(&alone, access, &[start.wrapping_add(at); WARP_SIZE], |_| {})?;
        }
        Ok(())
    }

    /// `cp.async.bulk.commit_group`
    pub(super) fn bulk_commit(&mut self, step: &Step<'_>) {
        step.lanes().for_each(|lane| self.bulk_copies.n_groups[lane] += 1);
    }

    /// `cp.async.bulk.wait_group`
    pub(super) fn bulk_wait(
        &mut self,
        step: &Step<'_>,
        n_left: u64,
        is_for_reads: bool,
    ) -> Result<(), StepError> {
        let n_groups = self.bulk_copies.n_groups;
        let is_waited_for = |transfer: &Transfer| match transfer.notification {
            Notification::Group { lane, number } => {
                step.mask >> lane & 1 != 0 && number < n_groups[lane].saturating_sub(n_left)
            }
            Notification::Mbarrier { .. } => false,
        };
        let (mut done, mut left) = (Vec::new(), Vec::new());
        for mut transfer in std::mem::take(&mut self.bulk_copies.pending) {
            match is_waited_for(&transfer) {
                true if is_for_reads => {
                    self.read_transfer(step.cx, step.shared, &mut transfer)?;
                    left.push(transfer);
                }
                true => done.push(transfer),
                false => left.push(transfer),
            }
        }
        self.bulk_copies.pending = left;
        for transfer in done {
            self.finish_transfer(step.cx, step.shared, transfer)?;
        }
        self.order_group_wait(step, is_for_reads);
        Ok(())
    }

    /// Completes the copies that notify the mbarrier object at which threads wait.
    pub(super) fn finish_transfers_to(
        &mut self,
        step: &Step<'_>,
        mbarrier: &Address,
        addresses: &Lanes,
    ) -> Result<(), StepError> {
        for lane in step.lanes() {
            if !matches!(in_memory(mbarrier.memory, addresses[lane]), Generic::Shared(_)) {
                continue;
            }
            let address = absolute(step.shared, mbarrier.memory, addresses[lane]);
            let (rank, _) = step.shared.place(address);
            let Some(memory) = step.shared.cluster.get(rank) else { continue };
            if memory.transfers.borrow().is_empty() {
                continue;
            }
            let notifies_object = |transfer: &Transfer| matches!(transfer.notification, Notification::Mbarrier { address: at, .. } if at == address);
            let all = std::mem::take(&mut *memory.transfers.borrow_mut());
            let (done, left): (Vec<_>, Vec<_>) = all.into_iter().partition(notifies_object);
            *memory.transfers.borrow_mut() = left;
            for transfer in done {
                step.shared.watch.change();
                let alone = Step { mask: 1 << lane, ..*step };
                let (notification, asked) = (transfer.notification, transfer.asked.clone());
                self.finish_transfer(step.cx, step.shared, transfer)?;
                if let Notification::Mbarrier { address, n_bytes } = notification {
                    self.order_completion(step, &asked, address);
                    let sizes = [n_bytes; WARP_SIZE];
                    let place = Address { base: None, offset: addresses[lane] as i64, ..*mbarrier };
                    self.on_mbarrier(&alone, &place, MbarrierAction::CompleteTx, sizes, COMPLETION_ORDER)?;
                }
            }
        }
        Ok(())
    }

    /// Whether copies in groups are incomplete.
    pub(super) fn has_groups(&self) -> bool {
        !self.bulk_copies.pending.is_empty()
    }

    /// Completes the copies of the warp's threads: they have ended, or nothing else makes progress.
    pub(super) fn finish_groups(&mut self, cx: &LaunchContext<'_>, shared: &Shared) -> Result<(), Fault> {
        for transfer in std::mem::take(&mut self.bulk_copies.pending) {
            let thread = transfer.asked.thread(cx);
            self.finish_transfer(cx, shared, transfer).map_err(|kind| match kind {
                FaultKind::Copy { kind, .. } => Fault::by(*kind, thread),
                kind => Fault::by(kind, thread),
            })?;
        }
        Ok(())
    }

    /// Reads the source of a copy, unless that is done.
    fn read_transfer(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        transfer: &mut Transfer,
    ) -> Result<(), FaultKind> {
        if transfer.values.is_some() {
            return Ok(());
        }
        let Transfer { ref asked, from, ref pieces, .. } = *transfer;
        let step = asked.step(cx, shared);
        let mut values = vec![[(0, 0); 2]; pieces.len()];
        for (piece, value) in pieces.iter().zip(&mut values) {
            let address = match piece.source {
                PieceSource::At(address) => address,
                PieceSource::Bits(bits) => {
                    *value = [(bits, 0); 2];
                    continue;
                }
            };
            let read = Access { memory: from, n_bytes: piece.n_bytes, is_store: false, claim: Claim::Read };
            let width = Width::of_bytes(piece.n_bytes.min(8)).unwrap_or(Width::B8);
            let n_words = piece.n_bytes.div_ceil(8) as usize;
            self.access(&step, read, &[address; WARP_SIZE], |place| {
                for (idx, word) in value.iter_mut().enumerate().take(n_words) {
                    let distance = 8 * idx as u64;
                    *word = (place.load(distance, width), place.hole(distance, width).unwrap_or(0));
                }
            })
            .map_err(|error| by_copy(error.kind, cx, asked))?;
            self.watch_copy(&step, transfer, address, piece.n_bytes, Touch::Read)
                .map_err(|kind| by_copy(kind, cx, asked))?;
        }
        transfer.values = Some(values);
        Ok(())
    }

    /// Completes a copy.
    fn finish_transfer(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        mut transfer: Transfer,
    ) -> Result<(), FaultKind> {
        self.read_transfer(cx, shared, &mut transfer)?;
        let asked = transfer.asked.clone();
        let step = asked.step(cx, shared);
        let values = transfer.values.take().unwrap_or_default();
        for (piece, value) in transfer.pieces.iter().zip(values) {
            let written =
                Access { memory: transfer.to, n_bytes: piece.n_bytes, is_store: true, claim: Claim::Write };
            let width = Width::of_bytes(piece.n_bytes.min(8)).unwrap_or(Width::B8);
            let n_words = piece.n_bytes.div_ceil(8) as usize;
            let to = [piece.to; WARP_SIZE];
            self.access(&step, written, &to, |place| {
                for (idx, (word, undefined)) in value.iter().enumerate().take(n_words) {
                    let distance = 8 * idx as u64;
                    match &transfer.reduction {
                        Some(reduction) => {
                            place.update(distance, reduction.width, |old| (reduction.update)(old, &[*word]));
                        }
                        None => place.store(distance, width, *word, *undefined),
                    }
                }
            })
            .map_err(|error| by_copy(error.kind, cx, &asked))?;
            let touch = if transfer.reduction.is_some() { Touch::Atomic } else { Touch::Write };
            self.watch_copy(&step, &transfer, piece.to, piece.n_bytes, touch)
                .map_err(|kind| by_copy(kind, cx, &asked))?;
        }
        Ok(())
    }
}

/// A fault of a copy, attributed to the thread that waits for it.
fn by_copy(kind: FaultKind, cx: &LaunchContext<'_>, asked: &Asked) -> FaultKind {
    FaultKind::Copy { kind: Box::new(kind), asked_by: Box::new(asked.thread(cx)) }
}

/// An address that means the same in all blocks of the cluster.
pub(super) fn absolute(shared: &Shared, memory: Memory, address: u64) -> u64 {
    match in_memory(memory, address) {
        Generic::Shared(at) => {
            let (rank, at) = shared.place(at);
            (rank as u64 + 1) * BLOCK_WINDOW + at
        }
        _ => address,
    }
}

/// The same address in the shared memory of another block, if a rank is given.
pub(super) fn of_rank(shared: &Shared, memory: Memory, address: u64, rank: Option<u64>) -> u64 {
    match (rank, in_memory(memory, address)) {
        (Some(rank), Generic::Shared(at)) => (rank + 1) * BLOCK_WINDOW + shared.place(at).1,
        _ => address,
    }
}

impl Asked {
    /// The issuing instruction, as if the first thread of a warp executed it.
    fn step<'a>(&self, cx: &'a LaunchContext<'a>, shared: &'a Shared) -> Step<'a> {
        let code_number = self.code as usize;
        let code = &cx.program.codes[code_number];
        let instruction = &code.instructions[self.pc as usize];
        let path = DivergentPath { frame: 0, pc: self.pc, mask: 1, waits: None, stamp: 0 };
        Step { cx, shared, code, code_number, instruction, first_thread: 0, idx: 0, path, mask: 1 }
    }
}
