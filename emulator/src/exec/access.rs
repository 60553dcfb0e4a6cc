//! Loads and stores, and the memory that an access goes to.
//!
//! Neighboring threads that access the same piece of memory share one lookup.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::claims::{Claim, Table};
use super::device::LaunchContext;
use super::fault::{FaultKind, Space, Touch, Usage};
use super::local::striped;
use super::pointees::strayed_in_shared;
use super::races::{ALL_CHANGED, Watched};
use super::stack::STACK_START;
use super::step::{Step, StepError, lanes_of};
use super::undefined::{Cause, Hole, Origin};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::{Bytes, Width};
use crate::memory::error::{AccessError, Extent, Nearest, Strayed};
use crate::memory::global::Allocation;
use crate::memory::{Generic, WINDOW_SIZE};
use crate::program::code::{Address, Extension, Memory, Order, Register, Source};

/// The allocations of the last accesses: the next instruction mostly accesses the same ones.
#[derive(Default)]
pub(super) struct Recent {
    allocations: [Option<Known>; N_RECENT],
    /// The index of the entry to replace next.
    oldest: usize,
}

/// An allocation, and the claims on its words where blocks run at the same time.
struct Known {
    allocation: Arc<Allocation>,
    claims: Option<Arc<Table>>,
}

/// The number of remembered allocations.
const N_RECENT: usize = 4;

impl Recent {
    /// The index of the remembered allocation that holds the access; remembers it if it is new.
    fn position(&mut self, cx: &LaunchContext<'_>, address: u64, n_bytes: u64) -> Result<usize, AccessError> {
        let holds = |known: &Option<Known>| {
            known.as_ref().is_some_and(|known| known.allocation.place(address, n_bytes).is_some())
        };
        if let Some(idx) = self.allocations.iter().position(holds) {
            return Ok(idx);
        }
        let idx = self.oldest;
        let allocation = cx.global.find(address, n_bytes)?;
        let claims =
            cx.parallel.as_ref().map(|parallel| parallel.claims.table(&allocation, cx.global.host()));
        // Without an allocation of their own, blocks do not run at the same time.
        let claims = claims.transpose().map_err(AccessError::NoRoom)?;
        self.allocations[idx] = Some(Known { allocation, claims });
        self.oldest = (idx + 1) % N_RECENT;
        Ok(idx)
    }
}

impl Recent {
    /// The memory of a load that begins in a variable and extends past its end, for the loading thread.
    fn overhang(&mut self, cx: &LaunchContext<'_>, access: Access, address: u64) -> Option<Target<'_>> {
        let idx = self.position(cx, address, 1).ok()?;
        let Known { allocation, claims } = self.allocations[idx].as_ref()?;
        let (bytes, own, at) = allocation.overhang(address, access.n_bytes)?;
        Some(Target {
            bytes,
            written: cx.checks.uninitialized.then_some(own),
            claims: claims.as_ref(),
            start: address.wrapping_sub(at),
            len: bytes.len() as u64,
            n_barred: 0,
            may_write: false,
            is_striped: false,
            is_own: true,
        })
    }
}

/// The piece of memory that contains an address.
struct Target<'a> {
    bytes: &'a Bytes,
    /// Which bytes have been written, if the launch records it.
    written: Option<&'a Bytes>,
    /// The claims on its words, where blocks run at the same time.
    claims: Option<&'a Arc<Table>>,
    /// The address of its first byte, in the address space of the instruction.
    start: u64,
    /// The size in bytes; for striped memory, the size per thread.
    len: u64,
    /// The number of bytes at its start that the instruction must not access.
    n_barred: u64,
    may_write: bool,
    /// Whether each thread has its own copy.
    is_striped: bool,
    /// Whether it belongs to the thread: the same addresses of other threads are different memory.
    is_own: bool,
}

impl Target<'_> {
    /// Whether `n_bytes` at offset `at` are within the piece.
    fn holds(&self, at: u64, n_bytes: u64) -> bool {
        at >= self.n_barred && at.checked_add(n_bytes).is_some_and(|end| end <= self.len)
    }
}

/// One thread's position in a piece of memory; accesses are at distances from it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    target: &'a Target<'a>,
    at: u64,
    pub(super) lane: usize,
}

impl Place<'_> {
    fn at(&self, distance: u64) -> u64 {
        let at = self.at + distance;
        if self.target.is_striped { striped(at, self.lane) } else { at }
    }

    pub(super) fn load(&self, distance: u64, width: Width) -> u64 {
        self.target.bytes.load(self.at(distance), width)
    }

    /// Writes a value that may have undefined bits.
    pub(super) fn store(&self, distance: u64, width: Width, value: u64, undefined: u64) {
        let at = self.at(distance);
        self.target.bytes.store(at, width, value);
        if let Some(written) = self.target.written {
            written.store(at, width, !undefined);
        }
    }

    /// The bits of a value that were never written, if any.
    pub(super) fn hole(&self, distance: u64, width: Width) -> Option<u64> {
        let bits = !self.target.written?.load(self.at(distance), width) & width.mask();
        (bits != 0).then_some(bits)
    }

    /// Which bytes a store of the value would change: one bit for each, beginning at the position.
    #[inline]
    pub(super) fn changes(&self, distance: u64, width: Width, value: u64) -> u64 {
        let mut bits = (self.load(distance, width) ^ value) & width.mask();
        bits |= bits >> 4;
        bits |= bits >> 2;
        bits |= bits >> 1;
        // The lowest bit of each byte is set if the byte differs; the product gathers these bits in the
        // highest byte.
        let bytes = (bits & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bytes << distance
    }

    pub(super) fn update(&self, distance: u64, width: Width, make: impl Fn(u64) -> u64) -> u64 {
        let at = self.at(distance);
        let old = self.target.bytes.update(at, width, make);
        if let Some(written) = self.target.written {
            written.store(at, width, u64::MAX);
        }
        old
    }
}

/// An access as the instruction specifies it.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) memory: Memory,
    /// The size in bytes.
    pub(super) n_bytes: u64,
    pub(super) is_store: bool,
    pub(super) claim: Claim,
}

impl Access {
    fn is_aligned(self, address: u64) -> bool {
        debug_assert!(self.n_bytes.is_power_of_two(), "widths and numbers of values are");
        address & (self.n_bytes - 1) == 0
    }

    /// The access as the race check sees it; one value unless the caller sets more.
    pub(super) fn watched(self, addresses: &Lanes, touch: Touch, order: Order) -> Watched<'_> {
        let Access { memory, n_bytes, .. } = self;
        let changed = ALL_CHANGED;
        Watched { memory, addresses, n_bytes, width: n_bytes, touch, order, changed, has_result: true }
    }

    #[cold]
    #[inline(never)]
    fn fault(self, error: AccessError, lane: usize, address: u64) -> StepError {
        let Access { memory, n_bytes, is_store, .. } = self;
        let space = space_name(memory, address);
        let kind = FaultKind::Access { error, space, is_store, address, n_bytes };
        StepError { kind, lane: Some(lane) }
    }
}

impl Warp {
    pub(super) fn load(
        &mut self,
        step: &Step<'_>,
        address: &Address,
        width: Width,
        extension: Extension,
        results: &[Option<Register>],
        order: Order,
    ) -> Result<(), StepError> {
        let n_bytes = width.bytes() * results.len() as u64;
        let access = Access { memory: address.memory, n_bytes, is_store: false, claim: Claim::Read };
        let addresses = self.addresses(step, address);
        self.require_address(step, address)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut holes = Vec::new();
        let outcome = self.access_valid(step, access, &addresses, |place| {
            let lane = place.lane;
            for (idx, scratch) in scratch[..results.len()].iter_mut().enumerate() {
                let distance = idx as u64 * width.bytes();
                scratch[lane] = place.load(distance, width);
                if let Some(bits) = place.hole(distance, width) {
                    let address = addresses[lane].wrapping_add(distance);
                    let origin = origin(step, access, lane, address, width);
                    holes.push(Hole { idx, bits, origin });
                }
            }
        });
        if let Ok(valid) = outcome
            && valid != step.mask
        {
            let left_out = lanes_of(step.mask & !valid);
            left_out.for_each(|lane| scratch.iter_mut().for_each(|scratch| scratch[lane] = 0));
        }
        if !holes.is_empty() || self.is_shadowed(step) {
            self.load_undefined(step, results, &holes, |bits| extended(bits, extension));
        }
        let registers = &mut self.frames[step.path.frame].registers;
        for (result, loaded) in results.iter().zip(&scratch) {
            let Some(register) = result else { continue };
            let register = &mut registers[register.0 as usize];
            for lane in step.lanes() {
                register[lane] = extended(loaded[lane], extension);
            }
        }
        self.scratch = scratch;
        let valid = outcome?;
        let watched = access.watched(&addresses, Touch::Read, order);
        self.watch_valid(step, valid, &Watched { width: width.bytes(), ..watched })
    }

    pub(super) fn store(
        &mut self,
        step: &Step<'_>,
        address: &Address,
        width: Width,
        values: &[Source],
        order: Order,
    ) -> Result<(), StepError> {
        let addresses = self.addresses(step, address);
        self.require_address(step, address)?;
        self.store_at(step, address.memory, &addresses, width, values, order)
    }

    /// Like [`Self::store`], with the addresses already computed.
    pub(super) fn store_at(
        &mut self,
        step: &Step<'_>,
        memory: Memory,
        addresses: &Lanes,
        width: Width,
        values: &[Source],
        order: Order,
    ) -> Result<(), StepError> {
        let n_bytes = width.bytes() * values.len() as u64;
        let access = Access { memory, n_bytes, is_store: true, claim: Claim::Write };
        let mut undefined = SmallVec::new();
        if self.is_shadowed(step) {
            let global = |lane: usize| in_global(access.memory, addresses[lane]);
            for (idx, &value) in values.iter().enumerate() {
                self.require_result(step, (idx, value), width, global)?;
                self.keep_undefined(step, value, width, |lane| {
                    in_memory(access.memory, addresses[lane].wrapping_add(idx as u64 * width.bytes()))
                });
            }
            undefined = self.undefined_bits(step, values);
        }
        let values: SmallVec<[Lanes; 1]> = values.iter().map(|&value| self.value(step, value)).collect();
        let (watches, mut changed) = (step.cx.races.is_some(), [0; WARP_SIZE]);
        let valid = self.access_valid(step, access, addresses, |place| {
            let lane = place.lane;
            for (idx, value) in values.iter().enumerate() {
                if watches {
                    changed[lane] |= place.changes(idx as u64 * width.bytes(), width, value[lane]);
                }
                let undefined = undefined.get(idx).map_or(0, |bits: &Lanes| bits[lane]);
                place.store(idx as u64 * width.bytes(), width, value[lane], undefined);
            }
        })?;
        let watched = access.watched(addresses, Touch::Write, order);
        self.watch_valid(step, valid, &Watched { width: width.bytes(), changed: &changed, ..watched })
    }

    pub(super) fn load_one(
        &mut self,
        step: &Step<'_>,
        memory: Memory,
        lane: usize,
        address: u64,
        width: Width,
    ) -> Result<u64, StepError> {
        let access = Access { memory, n_bytes: width.bytes(), is_store: false, claim: Claim::Read };
        let mut value = 0;
        let alone = Step { mask: 1 << lane, ..*step };
        self.access(&alone, access, &[address; WARP_SIZE], |place| value = place.load(0, width))?;
        Ok(value)
    }

    pub(super) fn store_one(
        &mut self,
        step: &Step<'_>,
        memory: Memory,
        lane: usize,
        address: u64,
        width: Width,
        value: u64,
    ) -> Result<(), StepError> {
        let access = Access { memory, n_bytes: width.bytes(), is_store: true, claim: Claim::Write };
        let alone = Step { mask: 1 << lane, ..*step };
        self.access(&alone, access, &[address; WARP_SIZE], |place| place.store(0, width, value, 0))
    }

    /// Reports an address that depends on an uninitialized value.
    pub(super) fn require_address(&mut self, step: &Step<'_>, address: &Address) -> Result<(), StepError> {
        match address.base {
            Some(base) if self.is_shadowed(step) => self.require_defined(step, base, Usage::Address),
            _ => Ok(()),
        }
    }

    /// The address that each thread accesses.
    pub(super) fn addresses(&self, step: &Step<'_>, address: &Address) -> Lanes {
        let offset = address.offset as u64;
        match address.base {
            None if address.memory == Memory::Frame => {
                [self.frames[step.path.frame].base.wrapping_add(offset); WARP_SIZE]
            }
            None => [offset; WARP_SIZE],
            // Addresses in these state spaces have 32 bits, whatever the register's width: the sum wraps.
            Some(base)
                if !matches!(address.memory, Memory::Generic | Memory::NarrowGeneric | Memory::Global) =>
            {
                self.value(step, base).map(|base| match u32::try_from(base) {
                    Ok(base) => u64::from(base.wrapping_add(offset as u32)),
                    Err(_) => base.wrapping_add(offset),
                })
            }
            Some(base) => self.value(step, base).map(|base| base.wrapping_add(offset)),
        }
    }

    /// Calls a function with the position of each thread of the step, in thread order.
    pub(super) fn access(
        &mut self,
        step: &Step<'_>,
        access: Access,
        addresses: &Lanes,
        at_place: impl FnMut(Place<'_>),
    ) -> Result<(), StepError> {
        self.access_each(step, access, addresses, Err, at_place).map(drop)
    }

    /// Like [`Self::access`], but if the launch continues after faults, leaves out the threads whose access
    /// is invalid. Returns the mask of the others.
    pub(super) fn access_valid(
        &mut self,
        step: &Step<'_>,
        access: Access,
        addresses: &Lanes,
        at_place: impl FnMut(Place<'_>),
    ) -> Result<u32, StepError> {
        self.access_each(step, access, addresses, |error| step.survive(error), at_place)
    }

    /// The same, where `report` decides whether an invalid access stops the step or only leaves out its
    /// thread.
    pub(super) fn access_each(
        &mut self,
        step: &Step<'_>,
        access: Access,
        addresses: &Lanes,
        leave_out: impl Fn(StepError) -> Result<(), StepError>,
        mut at_place: impl FnMut(Place<'_>),
    ) -> Result<u32, StepError> {
        let (mut left, mut valid) = (step.mask, step.mask);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let fault = |error, lane: usize| access.fault(error, lane, addresses[lane]);
            let target = match self.target(step.cx, step, access, lane, addresses[lane]) {
                Ok(target) if access.is_store && !target.may_write => Err(AccessError::ReadOnly),
                target => target,
            };
            let target = match target {
                Ok(target) => target,
                Err(error) => {
                    leave_out(fault(error, lane))?;
                    valid &= !(1 << lane);
                    left &= left - 1;
                    continue;
                }
            };
            let mut served = if target.is_own { 1 << lane } else { left };
            while served != 0 {
                let lane = served.trailing_zeros() as usize;
                let at = addresses[lane].wrapping_sub(target.start);
                if !target.holds(at, access.n_bytes) {
                    break;
                }
                if !access.is_aligned(addresses[lane]) {
                    leave_out(fault(AccessError::Misaligned, lane))?;
                    valid &= !(1 << lane);
                    served &= served - 1;
                    left &= left - 1;
                    continue;
                }
                if let Some(claims) = target.claims {
                    let block = step.shared.position as u32 + 1;
                    if !claims.claim(access.claim, block, at, access.n_bytes)
                        && let Some(parallel) = &step.cx.parallel
                    {
                        parallel.claims.give_up();
                    }
                }
                at_place(Place { target: &target, at, lane });
                served &= served - 1;
                left &= left - 1;
            }
        }
        Ok(valid)
    }

    /// The memory that contains a thread's address.
    fn target<'a>(
        &'a mut self,
        cx: &'a LaunchContext<'_>,
        step: &Step<'a>,
        access: Access,
        lane: usize,
        address: u64,
    ) -> Result<Target<'a>, AccessError> {
        if !access.is_aligned(address) {
            return Err(AccessError::Misaligned);
        }
        let piece = |bytes: &'a Bytes, written, at: u64| Target {
            bytes,
            written,
            claims: None,
            start: address.wrapping_sub(at),
            len: bytes.len() as u64,
            n_barred: 0,
            may_write: true,
            is_striped: false,
            is_own: false,
        };
        let (target, name) = match in_memory(access.memory, address) {
            Generic::Param(at) => {
                let target = Target { may_write: false, ..piece(cx.params, None, at) };
                (target, "the memory of the kernel's parameters")
            }
            Generic::Const(at) => {
                let target = Target { may_write: false, ..piece(cx.constants, None, at) };
                (target, "constant memory")
            }
            Generic::Shared(in_window) => {
                let shared = step.shared;
                let (rank, at) = shared.place(in_window);
                match shared.cluster.get(rank) {
                    Some(memory) => {
                        memory.require_live(address, at)?;
                        let target = piece(&memory.bytes, memory.written.as_ref(), at);
                        match cx.pointees.shared(step).filter(|_| rank == shared.rank) {
                            Some(variable) => {
                                let addresses = variable.start..variable.start + variable.size;
                                return within(target, addresses, access, at)
                                    .ok_or_else(|| strayed_in_shared(cx, variable, at));
                            }
                            None => (target, "the block's shared memory"),
                        }
                    }
                    // No block of the cluster has this rank.
                    None => {
                        if let Some(variable) = cx.pointees.shared(step) {
                            return Err(strayed_in_shared(cx, variable, in_window));
                        }
                        let at = address & (WINDOW_SIZE - 1);
                        (piece(&shared.own().bytes, None, at), "the block's shared memory")
                    }
                }
            }
            Generic::Local(at) if at >= STACK_START && !self.stacks.is_empty() => {
                let found = self.stacks[lane].find(at, access.n_bytes)?;
                let target = piece(&found.bytes, found.written.as_ref(), at - found.start);
                return Ok(Target { is_own: true, ..target });
            }
            Generic::Local(at) => {
                let local = &self.local;
                let target = piece(&local.bytes, local.written.as_ref(), at);
                let target = Target { len: local.size, is_striped: true, ..target };
                match cx.pointees.local(step, self.frames[step.path.frame].base) {
                    Some(variable) => {
                        return within(target, variable.addresses(), access, at)
                            .ok_or_else(|| variable.strayed(at, address.wrapping_sub(at)));
                    }
                    None => (target, "the thread's local memory"),
                }
            }
            Generic::Global(_) => {
                let through = cx.pointees.start(step);
                let stray = |error| strayed(cx, through, address, error);
                let idx = match self.recent.position(cx, address, access.n_bytes) {
                    Err(error) if access.claim == Claim::Read => {
                        return self.recent.overhang(cx, access, address).ok_or_else(|| stray(error));
                    }
                    position => position.map_err(stray)?,
                };
                let known = self.recent.allocations[idx].as_ref();
                let Known { allocation, claims } = known.ok_or(AccessError::OutOfBounds(None))?;
                let place = allocation.place(address, access.n_bytes);
                let (bytes, at) = place.ok_or(AccessError::OutOfBounds(None))??;
                if through.is_some_and(|start| start != allocation.start()) {
                    let nearest = Nearest { piece: allocation.extent(), offset: at, element: None };
                    return Err(stray(AccessError::OutOfBounds(Some(Box::new(nearest)))));
                }
                let written = allocation.written().filter(|_| cx.checks.uninitialized);
                let len = allocation.len();
                return Ok(Target { len, claims: claims.as_ref(), ..piece(bytes, written, at) });
            }
        };
        if target.holds(address.wrapping_sub(target.start), access.n_bytes) {
            return Ok(target);
        }
        let extent = Extent { start: target.start, len: target.len, name: Some(name.to_owned()) };
        Err(AccessError::outside(extent, address))
    }
}

/// An access out of bounds, or in another object than the one at `through` that its address derives from.
#[cold]
fn strayed(cx: &LaunchContext<'_>, through: Option<u64>, address: u64, error: AccessError) -> AccessError {
    let through = through.and_then(|start| cx.global.find(start, 1).ok());
    match (through, error) {
        (Some(through), AccessError::OutOfBounds(Some(place))) if place.piece.start != through.start() => {
            let (before, past) =
                (through.start().checked_sub(address), place.offset.checked_sub(place.piece.len));
            if let (Some(before), Some(past)) = (before, past)
                && before <= past
            {
                let place = Nearest { piece: through.extent(), offset: before.wrapping_neg(), element: None };
                return AccessError::OutOfBounds(Some(Box::new(place)));
            }
            AccessError::Strayed(Box::new(Strayed { through: through.extent(), place: *place }))
        }
        // Before the first allocation.
        (Some(through), AccessError::OutOfBounds(None)) if address < through.start() => {
            let offset = address.wrapping_sub(through.start());
            let place = Nearest { piece: through.extent(), offset, element: None };
            AccessError::OutOfBounds(Some(Box::new(place)))
        }
        (Some(_), error) => error,
        (None, error) => or_before_next(cx, address, error),
    }
}

/// An access out of bounds whose address may derive from any object: reported as before the next allocation
/// if that is nearer than the end of the previous one.
fn or_before_next(cx: &LaunchContext<'_>, address: u64, error: AccessError) -> AccessError {
    let past = match &error {
        AccessError::OutOfBounds(Some(nearest)) => nearest.offset.checked_sub(nearest.piece.len),
        AccessError::OutOfBounds(None) => Some(u64::MAX),
        AccessError::Misaligned
        | AccessError::Strayed(_)
        | AccessError::Freed(_)
        | AccessError::ReadOnly
        | AccessError::NoRoom(_) => None,
    };
    match (past, cx.global.just_after(address)) {
        (Some(past), Some(next)) if next.start - address < past => AccessError::outside(next, address),
        _ => error,
    }
}

/// Restricts the memory of an access to one variable; `None` if the access goes elsewhere. As in global
/// memory, an aligned load that begins in the variable may extend past its end.
fn within(target: Target<'_>, variable: Range<u64>, access: Access, at: u64) -> Option<Target<'_>> {
    let end = if access.is_store { variable.end } else { variable.end.next_multiple_of(access.n_bytes) };
    let target = Target { n_barred: variable.start, len: target.len.min(end), ..target };
    target.holds(at, access.n_bytes).then_some(target)
}

/// The origin of a loaded value.
pub(super) fn origin(step: &Step<'_>, access: Access, lane: usize, address: u64, width: Width) -> Origin {
    let (space, address) = match in_memory(access.memory, address) {
        Generic::Shared(at) => (Space::Shared, at),
        Generic::Local(at) => (Space::Local, at),
        Generic::Param(at) | Generic::Const(at) | Generic::Global(at) => (Space::Global, at),
    };
    let cause = Cause::Unwritten { space, address, n_bytes: width.bytes() };
    step.origin(cause, lane)
}

/// The state space of an address, as messages name it.
pub(super) fn space_name(memory: Memory, address: u64) -> &'static str {
    match in_memory(memory, address) {
        Generic::Global(_) => "global",
        Generic::Shared(_) => "shared",
        Generic::Local(_) => "local",
        Generic::Const(_) => "constant",
        Generic::Param(_) => "parameter",
    }
}

/// The memory that an address is in, and the offset there.
pub(super) fn in_memory(memory: Memory, at: u64) -> Generic {
    memory.find(at)
}

/// The global address, if the address is in global memory.
pub(super) fn in_global(memory: Memory, at: u64) -> Option<u64> {
    match in_memory(memory, at) {
        Generic::Global(at) => Some(at),
        Generic::Param(_) | Generic::Const(_) | Generic::Shared(_) | Generic::Local(_) => None,
    }
}

fn extended(value: u64, extension: Extension) -> u64 {
    match extension {
        Extension::Zero => value,
        Extension::Sign { from, to } => {
            let wide = (value << (64 - from)) as i64 >> (64 - from);
            wide as u64 & (u64::MAX >> (64 - to))
        }
    }
}
