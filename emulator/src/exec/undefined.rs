//! Undefined values: read from uninitialized memory, taken from a lane that does not take part in a shuffle,
//! or the result of a division by zero.
//!
//! Each register has a mask of its undefined bits; mostly no register has any, and then nothing is done here.
//! Reading, copying and storing undefined values is allowed, since compilers copy padding and unset members,
//! and so is computing with them. Which bits of a result are undefined is found by trying: the instruction is
//! executed with several values for the undefined bits, and the bits of the result that vary are undefined.
//! So no defined bit is taken for undefined; a comparison that almost all values fail is taken for defined.
//!
//! A fault is a use that depends on such a value: a condition, a branch target, an address, an atomic
//! operation, and a result: a value written to global memory that was computed or is a copy of a whole word.
//! Parts of words may be padding, and so may words of a struct (`padding`). Moving bits within bytes is a
//! computation: compilers move padding byte by byte.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::fault::{self, Absence, FaultKind, Piece, Space, Thread, Undefined, Usage};
use super::kept::Kept;
use super::order::mixed;
use super::padding::{Word, may_be_padding};
use super::step::{Step, StepError, lanes_of};
use super::warp::Warp;
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::Generic;
use crate::memory::bytes::Width;
use crate::program::code::{Code, Register, Source, Unwritten};

/// The undefined bits of a frame's registers.
#[derive(Default)]
pub(super) struct Shadow {
    entries: BTreeMap<u32, Box<Entry>>,
}

/// The undefined bits of a register.
#[derive(Clone)]
struct Entry {
    bits: Lanes,
    origins: [Origin; WARP_SIZE],
    /// The lanes in which it is a loaded value, moved by whole bytes at most.
    copies: u32,
}

/// The origin of an undefined value.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) cause: Cause,
    /// The index of the thread in its block.
    pub(super) thread: u32,
    /// The function and the instruction.
    pub(super) code: usize,
    pub(super) pc: u32,
}

/// Why a value is undefined.
#[derive(Clone, Copy)]
pub(super) enum Cause {
    /// It was read from uninitialized memory.
    Unwritten { space: Space, address: u64, n_bytes: u64 },
    /// A shuffle took it from a lane that does not take part.
    Shuffle { from: u32, absence: Absence },
    /// An integer was divided by zero.
    Division { is_remainder: bool },
}

impl Origin {
    /// The lane of the thread in its warp.
    pub(super) fn lane(&self) -> usize {
        self.thread as usize % WARP_SIZE
    }

    /// Equal for copies of the same value, and different for other values.
    fn identity(&self) -> u64 {
        let of_cause = match self.cause {
            Cause::Unwritten { address, .. } => address,
            Cause::Shuffle { from, .. } => u64::from(self.pc) << 32 | u64::from(from),
            Cause::Division { .. } => u64::from(self.pc) << 32,
        };
        of_cause ^ u64::from(self.thread) << 46
    }
}

/// Undefined bits of a loaded value, and their origin.
pub(super) struct Hole {
    pub(super) idx: usize,
    pub(super) bits: u64,
    pub(super) origin: Origin,
}

/// The number of values to try for undefined bits.
const N_PROBES: u64 = 6;

/// The number of the first of the values to try for copies: the same in each byte, and together different for
/// each bit of a byte. So a result that varies with them consists of bits that kept their position in the
/// byte.
const FIRST_PATTERN: u64 = N_PROBES;

const PATTERNS: [u64; 3] = [0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0];

impl Shadow {
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The undefined bits of a register in the threads of a mask, if any.
    fn of(&self, source: Source, mask: u32) -> Option<&Entry> {
        let Source::Register(register) = source else { return None };
        let entry = self.entries.get(&register.0)?;
        lanes_of(mask).any(|lane| entry.bits[lane] != 0).then_some(&**entry)
    }

    /// The undefined bits of a thread's register.
    pub(super) fn bits(&self, register: Register, lane: usize) -> u64 {
        self.entries.get(&register.0).map_or(0, |entry| entry.bits[lane])
    }

    /// Marks registers of threads as defined.
    pub(super) fn define(&mut self, register: Register, mask: u32) {
        if let Some(entry) = self.entries.get_mut(&register.0) {
            for lane in lanes_of(mask) {
                entry.bits[lane] = 0;
            }
            if entry.bits == [0; WARP_SIZE] {
                self.entries.remove(&register.0);
            }
        }
    }

    /// The undefined registers at the start of a function: those that nothing writes.
    pub(super) fn at_beginning(code: &Code, number: usize, first_thread: u32, mask: u32) -> Self {
        let mut shadow = Shadow::default();
        for (idx, unwritten) in code.unwritten.iter().enumerate() {
            let Unwritten { register, n_bytes, reader, .. } = *unwritten;
            let address = (number as u64) << 32 | idx as u64;
            let bits = u64::MAX >> (64 - 8 * n_bytes);
            for lane in lanes_of(mask) {
                let cause = Cause::Unwritten { space: Space::Register, address, n_bytes };
                let thread = first_thread + lane as u32;
                let origin = Origin { cause, thread, code: number, pc: reader };
                shadow.undefine(register, lane, bits, origin, true);
            }
        }
        shadow
    }

    fn undefine(&mut self, register: Register, lane: usize, bits: u64, origin: Origin, is_copy: bool) {
        let new = || Box::new(Entry { bits: [0; WARP_SIZE], origins: [origin; WARP_SIZE], copies: 0 });
        let entry = self.entries.entry(register.0).or_insert_with(new);
        entry.bits[lane] = bits;
        entry.origins[lane] = origin;
        entry.copies = entry.copies & !(1 << lane) | u32::from(is_copy) << lane;
    }
}

impl Entry {
    /// Whether it is a loaded value in a lane.
    fn is_copy(&self, lane: usize) -> bool {
        self.copies >> lane & 1 != 0
    }
}

impl Step<'_> {
    /// The origin of an undefined result of the step in a lane.
    pub(super) fn origin(&self, cause: Cause, lane: usize) -> Origin {
        let thread = self.first_thread + lane as u32;
        Origin { cause, thread, code: self.code_number, pc: self.path.pc }
    }
}

impl Warp {
    /// Whether any register of the frame has undefined bits.
    pub(super) fn is_shadowed(&self, step: &Step<'_>) -> bool {
        !self.frames[step.path.frame].shadow.is_empty()
    }

    /// Marks the undefined bits of registers that have been loaded.
    pub(super) fn load_undefined(
        &mut self,
        step: &Step<'_>,
        results: &[Option<Register>],
        holes: &[Hole],
        extend: impl Fn(u64) -> u64,
    ) {
        let shadow = &mut self.frames[step.path.frame].shadow;
        for register in results.iter().flatten() {
            shadow.define(*register, step.mask);
        }
        for hole in holes {
            let Some(register) = results[hole.idx] else { continue };
            let lane = hole.origin.lane();
            let kept = match hole.origin.cause {
                Cause::Unwritten { space: Space::Local, address, .. } => {
                    self.local.kept.find(lane, address, hole.bits)
                }
                Cause::Unwritten { space: Space::Shared, address, .. } => {
                    let (rank, at) = step.shared.place(address);
                    let memory = step.shared.cluster.get(rank).filter(|_| rank == step.shared.rank);
                    memory.and_then(|memory| memory.kept.borrow().find(0, at, hole.bits))
                }
                Cause::Unwritten { space: Space::Global | Space::Register, .. }
                | Cause::Shuffle { .. }
                | Cause::Division { .. } => None,
            };
            let kept = kept.unwrap_or(Kept { origin: hole.origin, is_copy: true });
            shadow.undefine(register, lane, extend(hole.bits), kept.origin, kept.is_copy);
        }
    }

    /// Marks a thread's register as wholly undefined, and not a copy.
    pub(super) fn make_undefined(
        &mut self,
        step: &Step<'_>,
        register: Register,
        width: Width,
        lane: usize,
        cause: Cause,
    ) {
        let origin = step.origin(cause, lane);
        self.frames[step.path.frame].shadow.undefine(register, lane, width.mask(), origin, false);
    }

    /// The undefined bits of values.
    pub(super) fn undefined_bits(&self, step: &Step<'_>, sources: &[Source]) -> SmallVec<[Lanes; 1]> {
        let shadow = &self.frames[step.path.frame].shadow;
        let bits = |&source| shadow.of(source, step.mask).map_or([0; WARP_SIZE], |entry| entry.bits);
        sources.iter().map(bits).collect()
    }

    /// Records the origins of undefined values that threads store. Global memory does not record origins.
    pub(super) fn keep_undefined(
        &mut self,
        step: &Step<'_>,
        source: Source,
        width: Width,
        place: impl Fn(usize) -> Generic,
    ) {
        let shadow = &self.frames[step.path.frame].shadow;
        let Some(entry) = shadow.of(source, step.mask) else { return };
        for lane in step.lanes().filter(|&lane| entry.bits[lane] & width.mask() != 0) {
            let kept = Kept { origin: entry.origins[lane], is_copy: entry.is_copy(lane) };
            match place(lane) {
                Generic::Local(at) => self.local.kept.keep(lane, at, width.bytes(), kept),
                Generic::Shared(at) => {
                    let (rank, at) = step.shared.place(at);
                    if rank == step.shared.rank {
                        step.shared.own().kept.borrow_mut().keep(0, at, width.bytes(), kept);
                    }
                }
                Generic::Param(_) | Generic::Const(_) | Generic::Global(_) => {}
            }
        }
    }

    /// Tracks undefined bits through an instruction that is about to be executed.
    pub(super) fn follow(
        &mut self,
        step: &Step<'_>,
        operands: &[Source],
        results: &[Option<Register>],
        evaluate: impl Fn(&[&Lanes], &mut [Lanes]),
    ) {
        let shadow = &self.frames[step.path.frame].shadow;
        let entries: SmallVec<[Option<Entry>; 3]> =
            operands.iter().map(|&operand| shadow.of(operand, step.mask).cloned()).collect();
        if entries.iter().all(Option::is_none) {
            let shadow = &mut self.frames[step.path.frame].shadow;
            results.iter().flatten().for_each(|&register| shadow.define(register, step.mask));
            return;
        }
        let values: SmallVec<[Lanes; 3]> =
            operands.iter().map(|&operand| self.value(step, operand)).collect();
        let outcome = |number: u64| {
            let tried: SmallVec<[Lanes; 3]> =
                (0..values.len()).map(|idx| probe(number, idx, &values, &entries)).collect();
            let tried: SmallVec<[&Lanes; 3]> = tried.iter().collect();
            let mut outcome = vec![[0; WARP_SIZE]; results.len()];
            evaluate(&tried, &mut outcome);
            outcome
        };
        let outcomes: Vec<Vec<Lanes>> = (0..N_PROBES).map(outcome).collect();
        let may_copy = entries.iter().flatten().any(|entry| entry.copies & step.mask != 0);
        let numbers = if may_copy { 0..PATTERNS.len() as u64 } else { 0..0 };
        let patterns: Vec<Vec<Lanes>> = numbers.map(|number| outcome(FIRST_PATTERN + number)).collect();
        let shadow = &mut self.frames[step.path.frame].shadow;
        for (idx, register) in results.iter().enumerate() {
            let Some(register) = *register else { continue };
            shadow.define(register, step.mask);
            for lane in step.lanes() {
                let zeros = outcomes[0][idx][lane];
                let bits = outcomes.iter().fold(0, |bits, outcome| bits | (outcome[idx][lane] ^ zeros));
                if bits == 0 {
                    continue;
                }
                let is_copy = patterns
                    .iter()
                    .zip(PATTERNS)
                    .all(|(outcome, pattern)| (outcome[idx][lane] ^ pattern) & bits == 0);
                let (origin, was_copy) = origin(&entries, lane);
                shadow.undefine(register, lane, bits, origin, is_copy && was_copy);
            }
        }
    }

    /// Reports the use of an undefined value by one of the threads.
    pub(super) fn require_defined(
        &mut self,
        step: &Step<'_>,
        source: Source,
        usage: Usage,
    ) -> Result<(), StepError> {
        let Some(entry) = self.frames[step.path.frame].shadow.of(source, step.mask) else { return Ok(()) };
        let wrong = step.lanes().filter(|&lane| entry.bits[lane] != 0);
        let wrong = wrong.fold(0, |mask, lane| mask | 1 << lane);
        self.report_undefined(step, source, wrong, usage)
    }

    /// Reports uses of a register's undefined bits in some threads. Then marks them as defined, so that they
    /// are reported once.
    fn report_undefined(
        &mut self,
        step: &Step<'_>,
        source: Source,
        mask: u32,
        usage: Usage,
    ) -> Result<(), StepError> {
        let shadow = &self.frames[step.path.frame].shadow;
        let (Source::Register(register), Some(entry)) = (source, shadow.of(source, mask)) else {
            return Ok(());
        };
        for lane in lanes_of(mask) {
            step.survive(self.undefined(step, entry.origins[lane], usage, lane))?;
        }
        self.frames[step.path.frame].shadow.define(register, mask);
        Ok(())
    }

    /// Reports an undefined value that goes to global memory, by its index among the stored values: a
    /// computed value, or a copy of a whole word that is not padding. A copy to memory of `malloc` stays
    /// undefined there, and is not a result.
    pub(super) fn require_result(
        &mut self,
        step: &Step<'_>,
        (idx, source): (usize, Source),
        width: Width,
        global: impl Fn(usize) -> Option<u64>,
    ) -> Result<(), StepError> {
        let shadow = &self.frames[step.path.frame].shadow;
        let Some(entry) = shadow.of(source, step.mask) else { return Ok(()) };
        let is_wrong_copy = |lane: usize, to: u64| {
            let strict_address = match entry.origins[lane].cause {
                Cause::Unwritten { space: Space::Register, .. } => return false,
                Cause::Unwritten { space: Space::Shared | Space::Global, address, .. } => Some(address),
                Cause::Unwritten { space: Space::Local, .. } => None,
                Cause::Shuffle { .. } | Cause::Division { .. } => return true,
            };
            !step.cx.global.is_heap(to) && !may_be_padding(step, &Word { shadow, lane, idx, strict_address })
        };
        let is_wrong = |lane: usize, to: u64| match entry.bits[lane] & width.mask() {
            0 => false,
            bits if entry.is_copy(lane) => {
                bits == width.mask() && width.bytes() >= 4 && is_wrong_copy(lane, to)
            }
            _ => true,
        };
        let wrong = step.lanes().filter(|&lane| global(lane).is_some_and(|to| is_wrong(lane, to)));
        let wrong = wrong.fold(0, |mask, lane| mask | 1 << lane);
        self.report_undefined(step, source, wrong, Usage::Result)
    }

    /// The error of a use of an undefined value.
    pub(super) fn undefined(&self, step: &Step<'_>, origin: Origin, usage: Usage, lane: usize) -> StepError {
        let cause = match origin.cause {
            Cause::Unwritten { space, address, n_bytes } => {
                fault::Cause::Unwritten(self.piece(step, space, address, n_bytes))
            }
            Cause::Shuffle { from, absence } => fault::Cause::Shuffle { from, absence },
            Cause::Division { is_remainder } => fault::Cause::Division { is_remainder },
        };
        let code = &step.cx.program.codes[origin.code];
        let instruction = &code.instructions[origin.pc as usize];
        let [x, y, _] = step.cx.block_size;
        let thread = [origin.thread % x, origin.thread / x % y, origin.thread / (x * y)];
        let by = Thread::new(step.cx.program, code, instruction, step.shared.ctaid, thread);
        StepError { kind: FaultKind::Undefined(Box::new(Undefined { cause, by, usage })), lane: Some(lane) }
    }

    /// A piece of memory, and the variable that contains it.
    pub(super) fn piece(&self, step: &Step<'_>, space: Space, address: u64, n_bytes: u64) -> Piece {
        let variable = match space {
            Space::Shared => step.cx.program.shared_variable(address),
            Space::Global => step.cx.global.name_at(address),
            Space::Local => None,
            Space::Register => {
                // The function, and the index of the register among those that nothing writes.
                let code = step.cx.program.codes.get((address >> 32) as usize);
                let unwritten = code.and_then(|code| code.unwritten.get(address as u32 as usize));
                unwritten.map(|unwritten| (unwritten.name.clone(), 0))
            }
        };
        Piece { space, address, n_bytes, variable }
    }
}

/// An operand with other values for its undefined bits: zeros, ones, those of the next operand, which it may
/// be compared with, and arbitrary ones, equal for copies of the same value; then the patterns.
fn probe(number: u64, idx: usize, values: &[Lanes], entries: &[Option<Entry>]) -> Lanes {
    let Some(entry) = &entries[idx] else { return values[idx] };
    std::array::from_fn(|lane| {
        let pattern = match number {
            0 => 0,
            1 => u64::MAX,
            2 => values[(idx + 1) % values.len()][lane],
            FIRST_PATTERN.. => PATTERNS[(number - FIRST_PATTERN) as usize],
            _ => mixed(entry.origins[lane].identity() ^ number << 56),
        };
        values[idx][lane] & !entry.bits[lane] | pattern & entry.bits[lane]
    })
}

/// The origin of a thread's result: from its own operands, or else from those of another thread.
fn origin(entries: &[Option<Entry>], lane: usize) -> (Origin, bool) {
    let entries = || entries.iter().flatten();
    let of_lane = |lane: usize| entries().find(move |entry| entry.bits[lane] != 0).map(|entry| (entry, lane));
    let found = of_lane(lane).or_else(|| (0..WARP_SIZE).find_map(of_lane));
    let (entry, lane) = found.expect("invariant: what is undefined comes from something undefined");
    (entry.origins[lane], entries().all(|entry| entry.bits[lane] == 0 || entry.is_copy(lane)))
}
