//! Properties of a decoded body as a whole: registers that nothing writes, and atomic operations whose results are unused.

use std::collections::{BTreeMap, HashSet};

use crate::program::code::{Instruction, Op, Register, Source, Unwritten};
use crate::program::operand::InstructionDecoder;

/// The registers that are read, but never written.
pub(super) fn find_unwritten(
    instructions: &[Instruction],
    open_param: Option<Register>,
    names: &InstructionDecoder<'_, '_>,
) -> Vec<Unwritten> {
    let votes = instructions.iter().filter_map(|instruction| match &instruction.op {
        Op::Barrier { votes: Some(votes), .. } => votes.result,
        _ => None,
    });
    let results = instructions.iter().flat_map(|instruction| instruction.op.results());
    let written: HashSet<u32> = results.chain(votes).chain(open_param).map(|register| register.0).collect();
    let mut unwritten = BTreeMap::new();
    for (reader, instruction) in instructions.iter().enumerate() {
        let guard = instruction.guard.map(|guard| Source::Register(guard.predicate));
        for source in instruction.op.sources().into_iter().chain(guard) {
            if let Source::Register(register) = source
                && !written.contains(&register.0)
                && let Some((name, n_bytes)) = names.name_of(register)
            {
                let new = || Unwritten { register, name, n_bytes, reader: reader as u32 };
                unwritten.entry(register.0).or_insert_with(new);
            }
        }
    }
    unwritten.into_values().collect()
}

/// Makes atomic operations whose results are used no longer reductions.
pub(super) fn find_reductions(instructions: &mut [Instruction]) {
    let guards = instructions.iter().filter_map(|instruction| instruction.guard).map(|guard| guard.predicate);
    let sources = instructions.iter().flat_map(|instruction| instruction.op.sources());
    let registers = sources.filter_map(|source| match source {
        Source::Register(register) => Some(register),
        Source::Constant(_) | Source::Special(_) | Source::Frame(_) => None,
    });
    let used: HashSet<u32> = guards.chain(registers).map(|register| register.0).collect();
    for instruction in instructions {
        if let Op::Atomic(atomic) = &mut instruction.op
            && atomic.result.is_some_and(|result| used.contains(&result.0))
        {
            atomic.reduction = None;
        }
    }
}
