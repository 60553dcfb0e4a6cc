//! What instructions compute: from the values of their operands to those of their results, for all lanes of a warp
//! at once, whether they are active or not.
//!
//! In: an opcode with its modifiers. Out: an [`Operation`], which knows the types of its operands. Nothing here knows
//! registers, memory or threads, so that each operation is tested by itself.
//!
//! - [`lane`]: values of the types, as they lie in a register
//! - `integer`: integer arithmetic, logic and shifts
//! - [`float`]: floating-point arithmetic
//! - `bits`: bits and bytes of words
//! - `carry`: numbers in several registers
//! - `matrix`: products of matrices, which the threads of a warp hold together
//! - [`mbarrier`]: the words of mbarrier objects
//! - `compare`: comparison and selection
//! - `convert`: conversions
//! - `video`: arithmetic on selected bytes and halves of words

pub mod float;
pub mod lane;
pub mod mbarrier;

pub(crate) mod carry;
pub mod matrix;
pub(crate) mod video;

mod bits;
mod compare;
mod convert;
mod integer;

#[cfg(test)]
mod proof;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use crate::memory::{Generic, Windows};
use crate::ptx::syntax::Type;
use lane::Lane;

/// How many threads a warp has.
pub const WARP_SIZE: usize = 32;

/// One value for each thread of a warp, as it lies in a register: its bits, zeros above.
pub type Lanes = [u64; WARP_SIZE];

/// Computes the results from the operands.
pub type Compute = Arc<dyn Fn(&[&Lanes], &mut [Lanes]) + Send + Sync>;

/// What an instruction computes.
#[derive(Clone)]
pub struct Operation {
    /// How.
    pub compute: Compute,
    /// The types of the results.
    pub results: Vec<Type>,
    /// The types of the operands.
    pub operands: Vec<Type>,
}

/// The operation of an instruction that only computes; none where there is no such instruction.
pub fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    integer::operation(opcode, modifiers)
        .or_else(|| bits::operation(opcode, modifiers))
        .or_else(|| compare::operation(opcode, modifiers))
        .or_else(|| convert::operation(opcode, modifiers))
        .or_else(|| float::operation(opcode, modifiers))
}

/// Each value as it is.
pub(crate) fn copied() -> Compute {
    Arc::new(|operands, results| {
        for (result, operand) in results.iter_mut().zip(operands) {
            *result = **operand;
        }
    })
}

/// The value with its sign in the bits up to a width, from that of its own.
pub(crate) fn sign_extended(from: u32, to: u32) -> Compute {
    let mask = u64::MAX >> (64 - to);
    Arc::new(move |operands, results| {
        for lane in 0..WARP_SIZE {
            let wide = (operands[0][lane] << (64 - from)) as i64 >> (64 - from);
            results[0][lane] = wide as u64 & mask;
        }
    })
}

/// The address with something added.
pub(crate) fn moved(by: u64, windows: &'static Windows) -> Compute {
    Arc::new(move |operands, results| {
        for lane in 0..WARP_SIZE {
            results[0][lane] = windows.cut(operands[0][lane].wrapping_add(by));
        }
    })
}

/// Whether an address is in a window of a size; for none, whether it is in none.
pub(crate) fn in_window(window: Option<(u64, u64)>, windows: &'static Windows) -> Operation {
    let holds = move |address: u64| match window {
        Some((window, size)) => address & !(size - 1) == window,
        None => matches!(windows.find(address), Generic::Global(_)),
    };
    if windows.address_bits == 32 { one(move |address: u32| holds(address.into())) } else { one(holds) }
}

/// One value of several, the first in the low bits.
pub(crate) fn packed(part_width: u32) -> Compute {
    let mask = u64::MAX >> (64 - part_width);
    Arc::new(move |operands, results| {
        for lane in 0..WARP_SIZE {
            let parts = operands.iter().rev();
            results[0][lane] = parts.fold(0, |whole, part| whole << part_width | part[lane] & mask);
        }
    })
}

/// The parts of a value, that in the low bits first.
pub(crate) fn unpacked(part_width: u32) -> Compute {
    let mask = u64::MAX >> (64 - part_width);
    Arc::new(move |operands, results| {
        for (idx, result) in results.iter_mut().enumerate() {
            for lane in 0..WARP_SIZE {
                result[lane] = operands[0][lane] >> (idx as u32 * part_width) & mask;
            }
        }
    })
}

/// Two values from each two parts of them, the first in the low bits.
pub(crate) fn joined_pairs(part_width: u32) -> Compute {
    Arc::new(move |operands, results| {
        for (result, parts) in results.iter_mut().zip(operands.chunks(2)) {
            for lane in 0..WARP_SIZE {
                result[lane] = parts.iter().rev().fold(0, |whole, part| whole << part_width | part[lane]);
            }
        }
    })
}

/// Two parts of each value, that in the low bits first.
pub(crate) fn divided_pairs(part_width: u32) -> Compute {
    let mask = u64::MAX >> (64 - part_width);
    Arc::new(move |operands, results| {
        for (parts, operand) in results.chunks_mut(2).zip(operands) {
            for (idx, part) in parts.iter_mut().enumerate() {
                *part = operand.map(|whole| whole >> (idx as u32 * part_width) & mask);
            }
        }
    })
}

/// An operation on one operand.
fn one<A: Lane, R: Lane>(f: impl Fn(A) -> R + Send + Sync + 'static) -> Operation {
    let compute: Compute = Arc::new(move |operands, results| {
        let (a, result) = (operands[0], &mut results[0]);
        for lane in 0..WARP_SIZE {
            result[lane] = f(A::from_bits(a[lane])).to_bits();
        }
    });
    Operation { compute, results: vec![R::TYPE], operands: vec![A::TYPE] }
}

/// An operation on two operands.
fn two<A: Lane, B: Lane, R: Lane>(f: impl Fn(A, B) -> R + Send + Sync + 'static) -> Operation {
    let compute: Compute = Arc::new(move |operands, results| {
        let (a, b, result) = (operands[0], operands[1], &mut results[0]);
        for lane in 0..WARP_SIZE {
            result[lane] = f(A::from_bits(a[lane]), B::from_bits(b[lane])).to_bits();
        }
    });
    Operation { compute, results: vec![R::TYPE], operands: vec![A::TYPE, B::TYPE] }
}

/// An operation on three operands.
fn three<A: Lane, B: Lane, C: Lane, R: Lane>(f: impl Fn(A, B, C) -> R + Send + Sync + 'static) -> Operation {
    let compute: Compute = Arc::new(move |operands, results| {
        let (a, b, c, result) = (operands[0], operands[1], operands[2], &mut results[0]);
        for lane in 0..WARP_SIZE {
            result[lane] = f(A::from_bits(a[lane]), B::from_bits(b[lane]), C::from_bits(c[lane])).to_bits();
        }
    });
    Operation { compute, results: vec![R::TYPE], operands: vec![A::TYPE, B::TYPE, C::TYPE] }
}

/// An operation on two operands, for three: that of the first two, and the third.
pub(crate) fn of_three(operation: Operation) -> Operation {
    let of_two = operation.compute;
    let compute: Compute = Arc::new(move |operands, results| {
        let mut first = [[0; WARP_SIZE]];
        of_two(&operands[..2], &mut first);
        of_two(&[&first[0], operands[2]], results);
    });
    Operation { compute, operands: vec![operation.operands[0]; 3], ..operation }
}

/// The operation for each of the two parts of a register.
fn paired(operation: Operation, part_width: u32) -> Operation {
    in_parts(operation, part_width, 2 * part_width)
}

/// The operation for each part of a register of 32 or 64 bits.
fn in_parts(operation: Operation, part_width: u32, width: u32) -> Operation {
    let ty = if width == 32 { Type::B32 } else { Type::B64 };
    let n_operands = operation.operands.len();
    let mask = u64::MAX >> (64 - part_width);
    let part = operation.compute;
    let compute: Compute = Arc::new(move |operands, results| {
        let mut whole = [0; WARP_SIZE];
        for shift in (0..width).step_by(part_width as usize) {
            let mut parts = [[0; WARP_SIZE]; 3];
            for (part, operand) in parts.iter_mut().zip(operands) {
                for lane in 0..WARP_SIZE {
                    part[lane] = operand[lane] >> shift & mask;
                }
            }
            let mut result = [[0; WARP_SIZE]];
            part(&[&parts[0], &parts[1], &parts[2]][..n_operands], &mut result);
            for lane in 0..WARP_SIZE {
                whole[lane] |= result[0][lane] << shift;
            }
        }
        results[0] = whole;
    });
    Operation { compute, results: vec![ty], operands: vec![ty; n_operands] }
}
