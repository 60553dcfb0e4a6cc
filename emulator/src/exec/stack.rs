//! Memory on the stack whose size is known where it is asked for (PTX ISA "alloca", "stacksave", "stackrestore").
//!
//! It lies apart from the frames, a piece for each call of `alloca` by each thread, with gaps between them, and no address
//! is given out twice: what is accessed beyond its end, or after its end, is found. The stack pointer is the address of
//! the last piece that is there.

use std::collections::VecDeque;
use std::sync::Arc;

use super::fault::{FaultKind, Usage};
use super::local::LOCAL_SIZE;
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::WINDOW_SIZE;
use crate::memory::bytes::Bytes;
use crate::memory::error::{AccessError, Extent, Freed};
use crate::memory::host::{HostMemory, Reserved};
use crate::program::code::{Register, Source};

/// Where in local memory the pieces lie: after all frames.
pub(super) const STACK_START: u64 = 1 << 24;

/// How many bytes are left free between two pieces.
const GAP: u64 = 64;

/// What pieces are aligned to at least.
const ALIGN: u64 = 16;

/// How many pieces that are gone are remembered.
const N_GONE: usize = 64;

/// The pieces of a thread.
pub(super) struct Stack {
    /// Those that are there, in the order of their addresses, which is that of the calls they belong to.
    pieces: Vec<Piece>,
    /// How many bytes they have.
    in_use: u64,
    /// Those that are gone.
    gone: VecDeque<(Extent, &'static str)>,
    /// Where the next one may begin.
    next: u64,
}

/// What one `alloca` gave one thread.
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) bytes: Bytes,
    /// Which bytes have been written, all ones for each, if that is to be known.
    pub(super) written: Option<Bytes>,
    /// How deep the call is that it belongs to.
    depth: u32,
    /// What of the host's memory it takes.
    _reserved: Reserved,
}

impl Default for Stack {
    fn default() -> Self {
        Stack { pieces: Vec::new(), in_use: 0, gone: VecDeque::new(), next: STACK_START + ALIGN }
    }
}

impl Stack {
    /// A piece for a call that is so deep, if there is as much left beside the frames, which end there.
    fn allocate(
        &mut self,
        size: u64,
        align: u64,
        (depth, frames_end): (u32, u64),
        knows_written: bool,
        host: &Arc<HostMemory>,
    ) -> Result<u64, FaultKind> {
        let in_use = frames_end + self.in_use;
        let start = self.next.next_multiple_of(align.max(ALIGN));
        if size > LOCAL_SIZE - in_use.min(LOCAL_SIZE) || start + size + GAP > WINDOW_SIZE {
            return Err(FaultKind::AllocaTooLarge(size));
        }
        let n_bytes = if knows_written { 2 * size } else { size } + size_of::<Piece>() as u64;
        let no_room = |error| FaultKind::OutOfMemory { purpose: "`alloca`", error };
        let reserved = Reserved::new(host, n_bytes).map_err(no_room)?;
        let bytes = || Bytes::zeroed(size as usize);
        let written = knows_written.then(bytes);
        self.pieces.push(Piece { start, bytes: bytes(), written, depth, _reserved: reserved });
        self.in_use += size;
        self.next = start + size + GAP;
        Ok(start)
    }

    /// The stack pointer where a call began that is so deep.
    fn entry(&self, depth: u32) -> u64 {
        let n_outer = self.n_outer(depth);
        n_outer.checked_sub(1).map_or(STACK_START, |idx| self.pieces[idx].start)
    }

    /// How many pieces belong to calls that are less deep.
    fn n_outer(&self, depth: u32) -> usize {
        self.pieces.partition_point(|piece| piece.depth < depth)
    }

    /// The piece that begins at an address.
    fn at(&self, start: u64) -> Option<usize> {
        self.pieces.binary_search_by_key(&start, |piece| piece.start).ok()
    }

    fn pointer(&self) -> u64 {
        self.pieces.last().map_or(STACK_START, |piece| piece.start)
    }

    /// Whether the stack pointer of a call may become this again.
    fn may_restore(&self, pointer: u64, depth: u32) -> bool {
        let is_own = |idx: usize| self.pieces[idx].depth == depth;
        pointer == self.entry(depth) || self.at(pointer).is_some_and(is_own)
    }

    /// The pieces after the first ones go.
    fn keep(&mut self, n_pieces: usize, by: &'static str) {
        for piece in self.pieces.drain(n_pieces..) {
            self.in_use -= piece.bytes.len() as u64;
            self.gone.push_back((piece.extent(), by));
        }
        let n_forgotten = self.gone.len().saturating_sub(N_GONE);
        self.gone.drain(..n_forgotten);
        // After so many pieces the addresses begin anew.
        if self.pieces.is_empty() && self.next > WINDOW_SIZE / 2 {
            *self = Stack::default();
        }
    }

    /// The piece that an access is in.
    pub(super) fn find(&self, at: u64, n_bytes: u64) -> Result<&Piece, AccessError> {
        let n_before = self.pieces.partition_point(|piece| piece.start <= at);
        let nearest = n_before.checked_sub(1).map(|idx| &self.pieces[idx]);
        if let Some(piece) = nearest
            && piece.bytes.holds(at - piece.start, n_bytes)
        {
            return Ok(piece);
        }
        let gone =
            self.gone.iter().rfind(|(extent, _)| (extent.start..extent.start + extent.len).contains(&at));
        match (gone, nearest) {
            (Some((extent, by)), _) => {
                let (piece, by) = (extent.clone(), (*by).to_owned());
                Err(AccessError::Freed(Box::new(Freed { offset: at - piece.start, piece, by })))
            }
            (None, Some(piece)) => Err(AccessError::outside(piece.extent(), at)),
            (None, None) => Err(AccessError::OutOfBounds(None)),
        }
    }
}

impl Piece {
    fn extent(&self) -> Extent {
        let name = Some("the memory of an `alloca`".to_owned());
        Extent { start: self.start, len: self.bytes.len() as u64, name }
    }
}

impl Warp {
    pub(super) fn alloca(
        &mut self,
        step: &Step<'_>,
        size: Source,
        align: u64,
        result: Option<Register>,
    ) -> Result<(), StepError> {
        self.require_defined(step, size, Usage::Address)?;
        let sizes = self.value(step, size);
        let frame = &self.frames[step.path.frame];
        let (call, knows_written) = ((frame.depth, frame.end), step.cx.checks.uninitialized);
        let mut addresses: Lanes = [0; WARP_SIZE];
        for lane in step.lanes() {
            let stack = self.stack(lane);
            let start = stack.allocate(sizes[lane], align, call, knows_written, step.cx.global.host());
            addresses[lane] = start.map_err(|kind| StepError { kind, lane: Some(lane) })?;
        }
        self.give(step, result, &addresses);
        Ok(())
    }

    pub(super) fn save_stack(&mut self, step: &Step<'_>, result: Option<Register>) {
        let mut pointers: Lanes = [0; WARP_SIZE];
        for lane in step.lanes() {
            pointers[lane] = self.stack(lane).pointer();
        }
        self.give(step, result, &pointers);
    }

    pub(super) fn restore_stack(&mut self, step: &Step<'_>, pointer: Source) -> Result<(), StepError> {
        self.require_defined(step, pointer, Usage::Address)?;
        let pointers = self.value(step, pointer);
        let depth = self.frames[step.path.frame].depth;
        for lane in step.lanes() {
            let (stack, pointer) = (self.stack(lane), pointers[lane]);
            if !stack.may_restore(pointer, depth) {
                return Err(StepError { kind: FaultKind::BadStack(pointer), lane: Some(lane) });
            }
            let n_pieces = stack.at(pointer).map_or(0, |idx| idx + 1);
            stack.keep(n_pieces, "`stackrestore`");
        }
        Ok(())
    }

    /// What threads have got in a call that ends goes.
    pub(super) fn leave_stack(&mut self, lanes: impl Iterator<Item = usize>, depth: u32) {
        if self.stacks.is_empty() {
            return;
        }
        for lane in lanes {
            let stack = &mut self.stacks[lane];
            let n_pieces = stack.n_outer(depth);
            stack.keep(n_pieces, "the return of its function");
        }
    }

    /// The stack of a thread. Most warps have none.
    fn stack(&mut self, lane: usize) -> &mut Stack {
        if self.stacks.is_empty() {
            self.stacks.resize_with(WARP_SIZE, Stack::default);
        }
        &mut self.stacks[lane]
    }

    /// Puts values into a register.
    fn give(&mut self, step: &Step<'_>, result: Option<Register>, values: &Lanes) {
        let Some(register) = result else { return };
        let frame = &mut self.frames[step.path.frame];
        for lane in step.lanes() {
            frame.registers[register.0 as usize][lane] = values[lane];
        }
        frame.shadow.define(register, step.mask);
    }
}
