//! Which undefined words that are copied to global memory may be padding.
//!
//! Compilers copy a struct word by word, including its padding and unset members. Such a word is stored
//! beside others of the same struct: from the same base to the same base, at the same offset. A single value
//! that is copied alone is not padding.

use super::step::Step;
use super::undefined::Shadow;
use crate::compute::WARP_SIZE;
use crate::memory::bytes::Width;
use crate::program::code::{Address, Code, Memory, Op, Register, Source};

/// The number of instructions before and after a store that may belong to the same copy of a struct.
const REACH: usize = 64;

/// The maximum distance between neighboring words of a struct, in bytes.
const NEAR: i64 = 16;

/// The maximum number of additions to trace a base through.
const MAX_SUMS: usize = 4;

/// An operand to try an instruction with: of 31 bits, so that a 32-bit sum does not wrap.
const SAMPLE: u64 = 0x2545_F491;

/// The address of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Named {
    memory: Memory,
    base: Option<Source>,
    offset: i64,
}

/// A register that is loaded from one address and stored to another.
struct Move {
    register: Register,
    width: Width,
    from: Named,
    to: Named,
}

/// The word that a step stores.
pub(super) struct Word<'a> {
    /// The undefined bits of the registers.
    pub(super) shadow: &'a Shadow,
    pub(super) lane: usize,
    /// The index of the stored value.
    pub(super) idx: usize,
    /// Its source address, if padding may only be the 4 bytes before an 8-byte boundary.
    pub(super) strict_address: Option<u64>,
}

/// Whether the word may be padding: whether some other word of the same copy is defined, at least in part.
pub(super) fn may_be_padding(step: &Step<'_>, word: &Word<'_>) -> bool {
    let (code, pc) = (step.code, step.path.pc as usize);
    let Some(own) = moves(code, pc).find(|(idx, _)| *idx == word.idx).map(|(_, own)| own) else {
        return false;
    };
    let is_near = |delta: i64| match word.strict_address {
        None => delta != 0 && delta.abs() <= NEAR,
        Some(address) => delta == -4 && own.width == Width::B4 && address % 8 == 4,
    };
    let around = pc.saturating_sub(REACH)..(pc + REACH).min(code.instructions.len());
    around.flat_map(|pc| moves(code, pc)).any(|(_, other)| {
        let delta = other.to.offset.wrapping_sub(own.to.offset);
        let is_same =
            |own: Named, other: Named| Named { offset: own.offset.wrapping_add(delta), ..own } == other;
        is_near(delta)
            && is_same(own.to, other.to)
            && is_same(own.from, other.from)
            && word.shadow.bits(other.register, word.lane) & other.width.mask() != other.width.mask()
    })
}

/// The values that an instruction stores and that were loaded shortly before, with their indices.
fn moves(code: &Code, pc: usize) -> impl Iterator<Item = (usize, Move)> + '_ {
    let (address, width, values) = match &code.instructions[pc].op {
        Op::Store { address, width, values, .. } => (Some(address), *width, &values[..]),
        _ => (None, Width::B1, &[][..]),
    };
    values.iter().enumerate().filter_map(move |(idx, value)| {
        let (address, Source::Register(register)) = (address?, *value) else { return None };
        let to = named(code, pc, address, idx as u64 * width.bytes());
        Some((idx, Move { register, width, from: loaded(code, pc, register)?, to }))
    })
}

/// The address that a register was loaded from before an instruction.
fn loaded(code: &Code, pc: usize, register: Register) -> Option<Named> {
    let (pc, op) = writer(code, pc, register)?;
    let Op::Load { address, width, results, .. } = op else { return None };
    let idx = results.iter().position(|&result| result == Some(register))?;
    Some(named(code, pc, address, idx as u64 * width.bytes()))
}

/// The instruction that wrote a register shortly before another one.
fn writer(code: &Code, pc: usize, register: Register) -> Option<(usize, &Op)> {
    let before = (pc.saturating_sub(REACH)..pc).rev().map(|pc| (pc, &code.instructions[pc].op));
    before.into_iter().find(|(_, op)| op.results().contains(&register))
}

/// The address at a distance from the operand of an instruction. A base that is the sum of a register and a
/// constant is replaced by these.
fn named(code: &Code, pc: usize, address: &Address, distance: u64) -> Named {
    let Address { memory, mut base, offset } = *address;
    let (mut offset, mut pc) = (offset.wrapping_add(distance as i64), pc);
    for _ in 0..MAX_SUMS {
        let Some(Source::Register(register)) = base else { break };
        let Some((at, (addend, number))) =
            writer(code, pc, register).and_then(|(at, op)| Some((at, sum(code, op)?)))
        else {
            break;
        };
        (base, offset, pc) = (Some(addend), offset.wrapping_add(number as i64), at);
    }
    Named { memory, base, offset }
}

/// The register and the constant that an instruction adds, if it is an addition; found by trying it out.
fn sum(code: &Code, op: &Op) -> Option<(Source, u64)> {
    let Op::Compute { compute, operands, results } = op else { return None };
    let (&[addend @ Source::Register(_), Source::Constant(number)], 1) = (&operands[..], results.len())
    else {
        return None;
    };
    let number = &code.constants[number as usize];
    let with = |addend: u64| {
        let mut results = [[0; WARP_SIZE]];
        compute(&[&[addend; WARP_SIZE], number], &mut results);
        results[0][0]
    };
    let (zero, other) = (with(0), with(SAMPLE));
    (other == zero.wrapping_add(SAMPLE)).then_some((addend, zero))
}
