//! Stack allocations of dynamic size (PTX ISA "alloca", "stacksave", "stackrestore").
//!
//! They are separate from the frames, one piece for each thread and call of `alloca`, with gaps between them,
//! and no address is reused: so accesses out of bounds and after the lifetime are found. The stack pointer is
//! the address of the last live piece.

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

/// The start of the pieces in local memory: after all frames.
pub(super) const STACK_START: u64 = 1 << 24;

/// The gap between two pieces in bytes.
const GAP: u64 = 64;

/// The minimum alignment of pieces in bytes.
const ALIGN: u64 = 16;

/// The number of dead pieces that are remembered.
const N_GONE: usize = 64;

/// The pieces of a thread.
pub(super) struct Stack {
    /// The live pieces, in the order of their addresses, which is that of their calls.
    pieces: Vec<Piece>,
    /// Their total size in bytes.
    in_use: u64,
    /// The last dead pieces.
    gone: VecDeque<(Extent, &'static str)>,
    /// The earliest start of the next one.
    next: u64,
}

/// The allocation of one `alloca` in one thread.
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) bytes: Bytes,
    /// Which bytes have been written, with 0xFF for each, if the launch records it.
    pub(super) written: Option<Bytes>,
    /// The depth of its call.
    depth: u32,
    /// Reserves its host memory.
    _reserved: Reserved,
}

impl Default for Stack {
    fn default() -> Self {
        Stack { pieces: Vec::new(), in_use: 0, gone: VecDeque::new(), next: STACK_START + ALIGN }
    }
}

impl Stack {
    /// Allocates a piece for a call at this depth, if local memory has enough left besides the frames, which
    /// end at `frames_end`.
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

    /// The stack pointer at the start of a call at this depth.
    fn entry(&self, depth: u32) -> u64 {
        let n_outer = self.n_outer(depth);
        n_outer.checked_sub(1).map_or(STACK_START, |idx| self.pieces[idx].start)
    }

    /// The number of pieces that belong to outer calls.
    fn n_outer(&self, depth: u32) -> usize {
        self.pieces.partition_point(|piece| piece.depth < depth)
    }

    /// The index of the piece that begins at an address.
    fn at(&self, start: u64) -> Option<usize> {
        self.pieces.binary_search_by_key(&start, |piece| piece.start).ok()
    }

    fn pointer(&self) -> u64 {
        self.pieces.last().map_or(STACK_START, |piece| piece.start)
    }

    /// Whether a call may set the stack pointer to this value.
    fn may_restore(&self, pointer: u64, depth: u32) -> bool {
        let is_own = |idx: usize| self.pieces[idx].depth == depth;
        pointer == self.entry(depth) || self.at(pointer).is_some_and(is_own)
    }

    /// Ends the life of all but the first pieces.
    fn keep(&mut self, n_pieces: usize, by: &'static str) {
        for piece in self.pieces.drain(n_pieces..) {
            self.in_use -= piece.bytes.len() as u64;
            self.gone.push_back((piece.extent(), by));
        }
        let n_forgotten = self.gone.len().saturating_sub(N_GONE);
        self.gone.drain(..n_forgotten);
        // Reuse addresses once half of the window is used up.
        if self.pieces.is_empty() && self.next > WINDOW_SIZE / 2 {
            *self = Stack::default();
        }
    }

    /// The piece that contains an access.
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

    /// Frees the pieces of a call that ends.
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

    /// Writes values to a register.
    fn give(&mut self, step: &Step<'_>, result: Option<Register>, values: &Lanes) {
        let Some(register) = result else { return };
        let frame = &mut self.frames[step.path.frame];
        for lane in step.lanes() {
            frame.registers[register.0 as usize][lane] = values[lane];
        }
        frame.shadow.define(register, step.mask);
    }
}
