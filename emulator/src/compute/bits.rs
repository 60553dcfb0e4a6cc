//! Instructions on the bits and bytes of words, and sums of their products (PTX ISA "lop3", "prmt", "bmsk", "szext",
//! "fns", "dp4a", "dp2a").

use std::sync::Arc;

use super::lane::Lane;
use super::{Operation, WARP_SIZE, three, two};

/// See [`super::operation`].
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    Some(match (opcode, modifiers) {
        ("lop3", ["b32"]) => looked_up(),
        ("lop3", [combine @ ("and" | "or"), "b32"]) => looked_up_and_combined(*combine == "and"),
        ("prmt", ["b32"]) => three(|a, b, selector: u32| {
            permuted(a, b, std::array::from_fn(|byte| selector >> (4 * byte) & 0xF))
        }),
        ("prmt", ["b32", mode]) => by_mode(mode)?,
        ("bmsk", [mode @ ("clamp" | "wrap"), "b32"]) => bit_mask(*mode == "wrap"),
        ("szext", [mode @ ("clamp" | "wrap"), ty @ ("u32" | "s32")]) => {
            let (wraps, is_signed) = (*mode == "wrap", *ty == "s32");
            two(move |a: u32, width: u32| extended(a, if wraps { width & 31 } else { width }, is_signed))
        }
        ("fns", ["b32"]) => three(|mask: u32, base: u32, offset: i32| nth_set(mask, base, offset)),
        ("dp4a", [a, b]) => {
            let (a, b) = (is_signed(a)?, is_signed(b)?);
            three(move |x: u32, y: u32, sum: u32| {
                (0..4)
                    .fold(sum, |sum, at| sum.wrapping_add(byte(x, at, a).wrapping_mul(byte(y, at, b)) as u32))
            })
        }
        ("dp2a", [half @ ("lo" | "hi"), a, b]) => {
            let (a, b, first) = (is_signed(a)?, is_signed(b)?, if *half == "lo" { 0 } else { 2 });
            three(move |x: u32, y: u32, sum: u32| {
                (0..2).fold(sum, |sum, at| {
                    let word = half_word(x, at, a).wrapping_mul(byte(y, first + at, b));
                    sum.wrapping_add(word as u32)
                })
            })
        }
        _ => return None,
    })
}

fn is_signed(ty: &str) -> Option<bool> {
    match ty {
        "s32" => Some(true),
        "u32" => Some(false),
        _ => None,
    }
}

fn byte(word: u32, at: u32, is_signed: bool) -> i32 {
    let byte = (word >> (8 * at)) as u8;
    if is_signed { i32::from(byte as i8) } else { i32::from(byte) }
}

fn half_word(word: u32, at: u32, is_signed: bool) -> i32 {
    let half = (word >> (16 * at)) as u16;
    if is_signed { i32::from(half as i16) } else { i32::from(half) }
}

/// The table has a bit for each combination of the three bits at a place.
fn looked_up() -> Operation {
    let mut operation = three(|_: u32, _: u32, _: u32| 0_u32);
    operation.operands.push(u32::TYPE);
    operation.compute = Arc::new(|operands, results| {
        for lane in 0..WARP_SIZE {
            let (a, b, c) = (operands[0][lane], operands[1][lane], operands[2][lane]);
            let table = operands[3][lane];
            let minterms = (0..8).filter(|index| table >> index & 1 != 0).map(|index| {
                let pick = |value: u64, bit: u64| if index >> bit & 1 != 0 { value } else { !value };
                pick(a, 2) & pick(b, 1) & pick(c, 0)
            });
            results[0][lane] = minterms.fold(0, |all, minterm| all | minterm) & u64::from(u32::MAX);
        }
    });
    operation
}

/// The same, and whether there is any bit, combined with a predicate.
fn looked_up_and_combined(is_and: bool) -> Operation {
    let mut operation = looked_up();
    let look_up = operation.compute;
    operation.compute = Arc::new(move |operands, results| {
        look_up(operands, results);
        for lane in 0..WARP_SIZE {
            let (any, other) = (results[0][lane] != 0, operands[4][lane] != 0);
            results[1][lane] = u64::from(if is_and { any && other } else { any || other });
        }
    });
    operation.operands.push(bool::TYPE);
    operation.results.push(bool::TYPE);
    operation
}

/// Bytes of `b:a` by number; with the highest bit of the number, the sign of the byte in all its bits.
fn permuted(a: u32, b: u32, numbers: [u32; 4]) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    let bytes = numbers.map(|number| {
        let byte = (both >> (8 * (number & 7))) as u8;
        if number & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
    });
    u32::from_le_bytes(bytes)
}

/// The modes of `prmt` take the low two bits of the selector.
fn by_mode(mode: &str) -> Option<Operation> {
    let numbers: fn(u32) -> [u32; 4] = match mode {
        "f4e" => |at| [at, at + 1, at + 2, at + 3],
        "b4e" => |at| [at, (at + 7) & 7, (at + 6) & 7, (at + 5) & 7],
        "rc8" => |at| [at; 4],
        "ecl" => |at| [at, at.max(1), at.max(2), 3],
        "ecr" => |at| [0, at.min(1), at.min(2), at],
        "rc16" => |at| [at % 2 * 2, at % 2 * 2 + 1, at % 2 * 2, at % 2 * 2 + 1],
        _ => return None,
    };
    Some(three(move |a, b, selector: u32| permuted(a, b, numbers(selector & 3))))
}

fn bit_mask(wraps: bool) -> Operation {
    two(move |position: u32, width: u32| {
        let (position, width) =
            if wraps { (position & 31, width & 31) } else { (position.min(32), width.min(32)) };
        let ones = (1_u64 << width) - 1;
        (ones << position) as u32
    })
}

fn extended(value: u32, width: u32, is_signed: bool) -> u32 {
    match width {
        0 => 0,
        32.. => value,
        _ if is_signed => ((value << (32 - width)) as i32 >> (32 - width)) as u32,
        _ => value & ((1 << width) - 1),
    }
}

/// The place of the set bit that is so many further than the base; all ones for none (PTX ISA "fns").
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    if base > 31 {
        return u32::MAX;
    }
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let is_up = offset > 0;
    let mut left = offset.unsigned_abs();
    let mut at = Some(base);
    while let Some(place) = at {
        if mask >> place & 1 != 0 {
            left -= 1;
            if left == 0 {
                return place;
            }
        }
        at = if is_up { Some(place + 1).filter(|&place| place < 32) } else { place.checked_sub(1) };
    }
    u32::MAX
}
