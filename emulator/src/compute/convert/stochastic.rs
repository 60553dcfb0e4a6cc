//! Conversions that round by random bits (PTX ISA "cvt", `.rs`).
//!
//! To what a magnitude has below the last bit of the format, random bits are added, which begin with the highest of
//! those; what is carried out rounds it up. So it is rounded up the more often the nearer the number above is.
//!
//! PTX ISA does not say which bits of the operand go to which value; this is what has been measured on GPUs. Each of two
//! values has a half of them: all 16 bits for `.bf16x2`, the lower 13 for `.f16x2`. Of four values, each two share 16
//! bits, of which the first has the lowest as its highest. These are halves of the operand, but for `.e2m1x4`, where they
//! are every other byte of it. The formats of six bits are taken to be as those of eight.

use std::sync::Arc;

use super::super::float::exact::Rounding;
use super::super::float::{Bf16, F16, Float, Modifiers};
use super::super::lane::Lane;
use super::super::{Compute, Operation, three};
use super::packed::clamped;
use super::small::{E2M1, E2M3, E3M2, E4M3, E5M2, Small};
use crate::ptx::syntax::Type;

/// Bits that are added to what is cut off.
#[derive(Clone, Copy)]
pub(super) struct Random {
    bits: u32,
    /// How many they are.
    width: u32,
}

impl Random {
    /// Whether a magnitude, which is at least the lower one of two neighbours, becomes the upper one.
    pub(super) fn is_up(self, magnitude: f64, low: f64, high: f64) -> bool {
        let part = (magnitude - low) / (high - low);
        let one = f64::from(self.width).exp2();
        part * one + f64::from(self.bits) >= one
    }
}

/// See [`super::operation`]; the modifiers are those behind `.rs`.
pub(super) fn operation(modifiers: &[&str], from: &str) -> Option<Operation> {
    let modifiers = Modifiers::read(modifiers)?;
    let to = modifiers.ty;
    let modifiers = Modifiers { ty: "", ..modifiers };
    let Modifiers { rounding, flushes, saturates, is_relu, is_finite, .. } = modifiers;
    if from != "f32" || rounding.is_some() || flushes || saturates || modifiers.is_arithmetic() {
        return None;
    }
    let small = match to {
        "f16x2" => return Some(pair::<F16>(13, modifiers)),
        "bf16x2" => return Some(pair::<Bf16>(16, modifiers)),
        "e4m3x4" => E4M3,
        "e5m2x4" => E5M2,
        "e2m3x4" => E2M3,
        "e3m2x4" => E3M2,
        "e2m1x4" => E2M1,
        _ => return None,
    };
    is_finite.then(|| four(small, is_relu))
}

/// Two values, the first in the upper half.
fn pair<F: Float>(width: u32, modifiers: Modifiers<'static>) -> Operation {
    let part = move |value: f32, bits: u32| {
        let random = Random { bits: bits & ((1 << width) - 1), width };
        rounded::<F>(value.into(), random, modifiers)
    };
    three(move |high: f32, low: f32, random: u32| part(high, random >> 16) << 16 | part(low, random))
}

/// The bits of a value in a type of registers.
fn rounded<F: Float>(value: f64, random: Random, modifiers: Modifiers<'_>) -> u32 {
    let number = |bits: u64| f64::rounded(F::of_bits(bits).value(), Rounding::Nearest);
    let mut bits = F::FORMAT.round(value.abs().value(), Rounding::Zero);
    if value.is_finite() {
        let low = number(bits);
        // Above the greatest number is as much room as below it.
        let high = number(bits + 1);
        let high = if high.is_finite() { high } else { low + (low - number(bits - 1)) };
        bits += u64::from(random.is_up(value.abs(), low, high));
    }
    let sign_bit = u64::from(value.is_sign_negative()) << (F::FORMAT.fraction + F::FORMAT.exponent);
    clamped(F::FORMAT, if value.is_nan() { bits } else { bits | sign_bit }, modifiers)
}

/// Four values in a word, or in half of one, the first in the highest bits.
fn four(format: Small, is_relu: bool) -> Operation {
    let is_small = format == E2M1;
    let part = move |value: f64, bits: u16| {
        if is_relu && value.is_sign_negative() && !value.is_nan() {
            return 0;
        }
        let random = Random { bits: bits.into(), width: 16 };
        u32::from(format.rounded(value, |low, high, _| random.is_up(value.abs(), low, high)))
    };
    let compute: Compute = Arc::new(move |operands, results| {
        for (lane, result) in results[0].iter_mut().enumerate() {
            let [first, second, third, fourth] = (operands[4][lane] as u32).to_le_bytes();
            let (upper, lower) = if is_small {
                ([second, fourth], [first, third])
            } else {
                ([third, fourth], [first, second])
            };
            let (upper, lower) = (u16::from_le_bytes(upper), u16::from_le_bytes(lower));
            let shares = [upper.reverse_bits(), upper, lower.reverse_bits(), lower];
            let width = if is_small { 4 } else { 8 };
            let parts = operands
                .iter()
                .zip(shares)
                .map(|(operand, share)| part(f32::from_bits(operand[lane] as u32).into(), share));
            *result = parts.fold(0, |whole, part| whole << width | part).to_bits();
        }
    });
    let result = if is_small { Type::B16 } else { Type::B32 };
    let operands = vec![Type::F32, Type::F32, Type::F32, Type::F32, Type::B32];
    Operation { compute, results: vec![result], operands }
}
