//! Loads and stores.

use std::sync::Arc;

use smallvec::SmallVec;

use super::block::Shared;
use super::device::LaunchContext;
use super::fault::FaultKind;
use super::step::{StepError, lanes_of};
use super::warp::{Split, Warp};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::{Bytes, Width};
use crate::memory::error::AccessError;
use crate::memory::global::{Allocation, Global};
use crate::memory::{Generic, generic};
use crate::program::code::{Address, Code, Extension, Memory, Register, Source, Update};

/// The allocations that the last accesses were in: neighbours mostly access the same, and so does the next
/// instruction.
#[derive(Default)]
pub(super) struct Recent {
    allocations: [Option<Arc<Allocation>>; N_RECENT],
    /// Which of them goes when another one comes.
    oldest: usize,
}

/// How many allocations are remembered.
const N_RECENT: usize = 4;

impl Recent {
    /// Accesses global memory.
    fn access<T>(
        &mut self,
        global: &Global,
        address: u64,
        width: Width,
        access: impl FnOnce(&Bytes, u64) -> T,
    ) -> Result<T, AccessError> {
        for allocation in self.allocations.iter().flatten() {
            if let Some(place) = allocation.place(address, width.bytes()) {
                let (bytes, at) = place?;
                return Ok(access(bytes, at));
            }
        }
        let allocation = global.find(address, width.bytes())?;
        let place = allocation.place(address, width.bytes()).ok_or(AccessError::OutOfBounds(None))?;
        let (bytes, at) = place?;
        let result = access(bytes, at);
        self.allocations[self.oldest] = Some(allocation);
        self.oldest = (self.oldest + 1) % N_RECENT;
        Ok(result)
    }
}

impl Warp {
    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn load(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        split: Split,
        mask: u32,
        code: &Code,
        address: &Address,
        width: Width,
        extension: Extension,
        results: &[Option<Register>],
    ) -> Result<(), StepError> {
        let n_bytes = width.bytes() * results.len() as u64;
        let addresses = self.addresses(cx, shared, split, code, address);
        for lane in lanes_of(mask) {
            let fail = |error| StepError {
                kind: FaultKind::Access { error, is_store: false, address: addresses[lane], n_bytes },
                lane: Some(lane),
            };
            if !addresses[lane].is_multiple_of(n_bytes) {
                return Err(fail(AccessError::Misaligned));
            }
            for idx in 0..results.len() {
                let at = addresses[lane].wrapping_add(idx as u64 * width.bytes());
                let value = self.load_one(cx, shared, address.memory, lane, at, width);
                self.scratch[idx][lane] = extended(value.map_err(fail)?, extension);
            }
        }
        let frame = &mut self.frames[split.frame];
        for (result, loaded) in results.iter().zip(&self.scratch) {
            let Some(register) = result else { continue };
            let register = &mut frame.registers[register.0 as usize];
            for lane in lanes_of(mask) {
                register[lane] = loaded[lane];
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn store(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        split: Split,
        mask: u32,
        code: &Code,
        address: &Address,
        width: Width,
        values: &[Source],
    ) -> Result<(), StepError> {
        let n_bytes = width.bytes() * values.len() as u64;
        let addresses = self.addresses(cx, shared, split, code, address);
        let values: SmallVec<[Lanes; 1]> =
            values.iter().map(|&value| self.value(cx, shared, split, code, value)).collect();
        for lane in lanes_of(mask) {
            let fail = |error| StepError {
                kind: FaultKind::Access { error, is_store: true, address: addresses[lane], n_bytes },
                lane: Some(lane),
            };
            if !addresses[lane].is_multiple_of(n_bytes) {
                return Err(fail(AccessError::Misaligned));
            }
            for (idx, value) in values.iter().enumerate() {
                let at = addresses[lane].wrapping_add(idx as u64 * width.bytes());
                self.store_one(cx, shared, address.memory, lane, at, width, value[lane]).map_err(fail)?;
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    pub(super) fn atomic(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        split: Split,
        mask: u32,
        code: &Code,
        address: &Address,
        width: Width,
        update: &Update,
        operands: &[Source],
        result: Option<Register>,
    ) -> Result<(), StepError> {
        let addresses = self.addresses(cx, shared, split, code, address);
        let operands: SmallVec<[Lanes; 2]> =
            operands.iter().map(|&operand| self.value(cx, shared, split, code, operand)).collect();
        for lane in lanes_of(mask) {
            let at = addresses[lane];
            let fail = |error| StepError {
                kind: FaultKind::Access { error, is_store: true, address: at, n_bytes: width.bytes() },
                lane: Some(lane),
            };
            if !at.is_multiple_of(width.bytes()) {
                return Err(fail(AccessError::Misaligned));
            }
            let values: SmallVec<[u64; 2]> = operands.iter().map(|operand| operand[lane]).collect();
            let make = |old| update(old, &values);
            let old = match in_memory(address.memory, at) {
                Generic::Param(_) | Generic::Const(_) => return Err(fail(AccessError::ReadOnly)),
                Generic::Shared(at) if shared.bytes.holds(at, width.bytes()) => {
                    shared.bytes.update(at, width, make)
                }
                Generic::Shared(_) => return Err(fail(AccessError::OutOfBounds(None))),
                Generic::Local(at) => {
                    let old = self.local.load(lane, at, width).map_err(fail)?;
                    self.local.store(lane, at, width, make(old)).map_err(fail)?;
                    old
                }
                Generic::Global(at) => {
                    let update = |bytes: &Bytes, at| bytes.update(at, width, make);
                    self.recent.access(cx.global, at, width, update).map_err(fail)?
                }
            };
            if let Some(result) = result {
                self.frames[split.frame].registers[result.0 as usize][lane] = old;
            }
        }
        Ok(())
    }

    fn addresses(
        &self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        split: Split,
        code: &Code,
        address: &Address,
    ) -> Lanes {
        let frame = &self.frames[split.frame];
        let offset = address.offset as u64;
        match address.base {
            None if address.memory == Memory::Frame => [frame.base.wrapping_add(offset); WARP_SIZE],
            None => [offset; WARP_SIZE],
            Some(base) => self.value(cx, shared, split, code, base).map(|base| base.wrapping_add(offset)),
        }
    }

    /// Reads one value for one thread.
    pub(super) fn load_one(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        memory: Memory,
        lane: usize,
        at: u64,
        width: Width,
    ) -> Result<u64, AccessError> {
        match in_memory(memory, at) {
            Generic::Param(at) => load_from(cx.params, at, width),
            Generic::Const(at) => load_from(&cx.program.constants, at, width),
            Generic::Shared(at) => load_from(&shared.bytes, at, width),
            Generic::Local(at) => self.local.load(lane, at, width),
            Generic::Global(at) => {
                self.recent.access(cx.global, at, width, |bytes, at| bytes.load(at, width))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one access")]
    fn store_one(
        &mut self,
        cx: &LaunchContext<'_>,
        shared: &Shared,
        memory: Memory,
        lane: usize,
        at: u64,
        width: Width,
        value: u64,
    ) -> Result<(), AccessError> {
        match in_memory(memory, at) {
            Generic::Param(_) | Generic::Const(_) => Err(AccessError::ReadOnly),
            Generic::Shared(at) => {
                if !shared.bytes.holds(at, width.bytes()) {
                    return Err(AccessError::OutOfBounds(None));
                }
                shared.bytes.store(at, width, value);
                Ok(())
            }
            Generic::Local(at) => self.local.store(lane, at, width, value),
            Generic::Global(at) => {
                self.recent.access(cx.global, at, width, |bytes, at| bytes.store(at, width, value))
            }
        }
    }
}

fn in_memory(memory: Memory, at: u64) -> Generic {
    match memory {
        Memory::Generic => generic(at),
        Memory::Global => Generic::Global(at),
        Memory::Shared => Generic::Shared(at),
        Memory::Const => Generic::Const(at),
        Memory::Local | Memory::Frame => Generic::Local(at),
        Memory::Param => Generic::Param(at),
    }
}

fn load_from(bytes: &Bytes, at: u64, width: Width) -> Result<u64, AccessError> {
    if bytes.holds(at, width.bytes()) {
        Ok(bytes.load(at, width))
    } else {
        Err(AccessError::OutOfBounds(None))
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
