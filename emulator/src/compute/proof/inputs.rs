//! With which operands a form is tried: all values of 16 bits where there is one such operand, edges with all where there
//! are two, all pairs of small numbers, and edges and random numbers of the other widths.

use super::super::tests::Random;
use crate::program::layout::size_of;
use crate::ptx::syntax::Type;

/// How many operands an instruction has at most.
pub(super) const MAX_OPERANDS: usize = 5;

type Operands = [u64; MAX_OPERANDS];

/// Edges of integers and of floating-point formats, of which each width takes the low bits or the high ones.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    3,
    5,
    31,
    32,
    33,
    63,
    64,
    100,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x3C00,
    0x3C01,
    0x7BFF,
    0x7C00,
    0x3F80,
    0x7F7F,
    0x7F80,
    0x4000,
    0x8001,
    0x3F80_0000,
    0x7F7F_FFFF,
    0x7F80_0000,
    0x7FC0_0000,
    0x0080_0000,
    0x007F_FFFF,
    0x4F00_0000,
    0x4B80_0001,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x3FF0_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0x7FF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x41E0_0000_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_FFFF_FFFF,
    0xC3E0_0000_0000_0000,
    0x3FE0_0000_0000_0000,
];

/// Edges that are tried with all values of 16 bits.
const FEW_EDGES: &[u64] = &[0, 0x7FFF, 0x8000, 0xFFFF];

/// How many operands are tried at random.
const N_RANDOM: usize = 600;

fn width(ty: Type) -> u32 {
    if ty == Type::Pred { 1 } else { 8 * size_of(ty) as u32 }
}

fn any(random: &mut Random, ty: Type) -> u64 {
    let mask = u64::MAX >> (64 - width(ty));
    let number = random.next();
    match number % 8 {
        // Near an edge; an edge in each half.
        0 => EDGES[number as usize / 8 % EDGES.len()].wrapping_add(random.next() % 3) & mask,
        1 => {
            let half = |at: u64| EDGES[at as usize % EDGES.len()] & 0xFFFF;
            (half(number / 8) << 16 | half(number / 512)) & mask
        }
        2 => (random.next() % 40) & mask,
        3 => !(random.next() % 40) & mask,
        // Few bits set, so that there are ties.
        4 => random.next() & random.next() & random.next() & mask,
        _ => random.next() & mask,
    }
}

/// Gives the operands to try, a part at a time.
pub(super) fn each(form: &[&str], types: &[Type], random: &mut Random, mut run: impl FnMut(&[Operands])) {
    let with = |values: &[u64], random: &mut Random| -> Operands {
        std::array::from_fn(|idx| match (values.get(idx), types.get(idx)) {
            (Some(&value), Some(&ty)) => value & u64::MAX >> (64 - width(ty)),
            (None, Some(&ty)) => any(random, ty),
            _ => 0,
        })
    };
    let is_short = |idx: usize| types.get(idx).is_some_and(|&ty| width(ty) == 16);
    // Of forms that differ only in what is done with the outcome, one is tried with everything.
    let is_plain = !form.iter().any(|word| matches!(*word, "and" | "or" | "xor" | "ftz" | "set" | "sat"))
        || matches!(form[0], "and" | "or" | "xor");
    match (is_short(0), is_short(1)) {
        (true, false) if types.len() == 1 || is_plain => {
            run(&(0..=0xFFFF).map(|a| with(&[a], random)).collect::<Vec<_>>());
        }
        (true, true) if is_plain => {
            let is_float = matches!(types[0], Type::F16 | Type::Bf16);
            let edges = if is_float { &FEW_EDGES[..1] } else { FEW_EDGES };
            for &edge in edges {
                run(&(0..=0xFFFF).map(|a| with(&[a, edge], random)).collect::<Vec<_>>());
                run(&(0..=0xFFFF).map(|b| with(&[edge, b], random)).collect::<Vec<_>>());
            }
            // Small numbers, with a sign.
            if !is_float {
                for a in 0..=255_u8 {
                    let wide = |value: u8| value as i8 as u64;
                    run(&(0..=255).map(|b| with(&[wide(a), wide(b)], random)).collect::<Vec<_>>());
                }
            }
        }
        _ => {}
    }
    let edges = EDGES.iter().flat_map(|&a| {
        let others: &[u64] = if types.len() > 1 { EDGES } else { &[0] };
        others.iter().map(move |&b| [a, b])
    });
    run(&edges.map(|pair| with(&pair, random)).collect::<Vec<_>>());
    run(&(0..N_RANDOM).map(|_| with(&[], random)).collect::<Vec<_>>());
}
