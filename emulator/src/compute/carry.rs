//! Sums and differences of numbers in several registers (PTX ISA "Extended-Precision Integer Arithmetic
//! Instructions"): the carry goes from instruction to instruction by a register that no name has.
//!
//! A difference is the sum with the complement and one, and its carry is that of this sum: set where nothing is
//! borrowed. PTX calls it "borrow-out" and says no more, since `sub.cc` and `subc` among themselves give the same either
//! way; but nvcc's own division of `__int128` reads it with `addc`, and so counts on this.

use std::sync::Arc;

use super::lane::Lane;
use super::{Operation, WARP_SIZE, two};

/// The operation, whether it takes the carry as its last operand and whether it gives one as its last result.
pub(crate) struct Carrying {
    pub(crate) operation: Operation,
    pub(crate) takes: bool,
    pub(crate) gives: bool,
}

/// See [`super::operation`]; none of instructions that have nothing to do with the carry.
pub(crate) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Carrying> {
    let (ty, modifiers) = modifiers.split_last()?;
    let (gives, modifiers) = match modifiers {
        [rest @ .., "cc"] => (true, rest),
        ["cc", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (kind, takes) = match opcode {
        "add" | "sub" | "mad" if gives => (opcode, false),
        "addc" | "subc" | "madc" => (&opcode[..3], true),
        _ => return None,
    };
    let width = match *ty {
        "u32" | "s32" => 32,
        "u64" | "s64" => 64,
        _ => return None,
    };
    let is_signed = ty.starts_with('s');
    let product: Option<bool> = match (kind, modifiers) {
        ("mad", ["lo"]) => Some(false),
        ("mad", ["hi"]) => Some(true),
        ("add" | "sub", []) => None,
        _ => return None,
    };
    let is_difference = kind == "sub";
    let mut operation = if width == 32 { two(u32::wrapping_add) } else { two(u64::wrapping_add) };
    if product.is_some() {
        operation.operands.push(operation.operands[0]);
    }
    let n_operands = operation.operands.len();
    if takes {
        operation.operands.push(bool::TYPE);
    }
    if gives {
        operation.results.push(bool::TYPE);
    }
    operation.compute = Arc::new(move |operands, results| {
        let mask = u64::MAX >> (64 - width);
        for lane in 0..WARP_SIZE {
            let (a, b) = match product {
                None => (operands[0][lane], operands[1][lane]),
                Some(is_high) => {
                    let product = multiplied(operands[0][lane], operands[1][lane], width, is_signed);
                    let part = if is_high { product >> width } else { product } as u64;
                    (part & mask, operands[2][lane])
                }
            };
            let carry = if takes { operands[n_operands][lane] != 0 } else { is_difference };
            let b = if is_difference { !b & mask } else { b };
            let sum = u128::from(a) + u128::from(b) + u128::from(carry);
            results[0][lane] = sum as u64 & mask;
            if gives {
                results[1][lane] = u64::from(sum >> width & 1 != 0);
            }
        }
    });
    Some(Carrying { operation, takes, gives })
}

fn multiplied(a: u64, b: u64, width: u32, is_signed: bool) -> u128 {
    if is_signed {
        let wide = |value: u64| i128::from((value << (64 - width)) as i64 >> (64 - width));
        (wide(a) * wide(b)) as u128
    } else {
        u128::from(a) * u128::from(b)
    }
}
