//! Sums and products of halves that are added to numbers of single precision (PTX ISA "Mixed Precision Floating-Point Instructions").

use super::exact::Rounding;
use super::{Bf16, F16, Finish, Float};
use crate::compute::{Operation, three, two};

/// `add`, `sub` and `fma` with `.f32.f16` or `.f32.bf16`: halves become `.f32`, which all of them are exactly.
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    let (words, half) = match modifiers {
        [words @ .., "f32", half] => (words, *half),
        _ => return None,
    };
    let (mut rounding, mut saturates) = (None, false);
    for word in words {
        match *word {
            "sat" => saturates = true,
            word if rounding.is_none() => rounding = Some(Rounding::named(word)?),
            _ => return None,
        }
    }
    if rounding == Some(Rounding::NearestAway) || rounding.is_none() && opcode == "fma" {
        return None;
    }
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    let finish = Finish { rounding, flushes: false, saturates, is_relu: false };
    match half {
        "f16" => of::<F16>(opcode, finish),
        "bf16" => of::<Bf16>(opcode, finish),
        _ => None,
    }
}

fn of<H: Float>(opcode: &str, finish: Finish) -> Option<Operation> {
    let mode = finish.rounding;
    match opcode {
        "add" => Some(two(move |a: H, c: f32| finish.round::<f32>(a.value().plus(c.value(), mode)))),
        "sub" => Some(two(move |a: H, c: f32| finish.round::<f32>(a.value().plus((-c).value(), mode)))),
        "fma" => Some(three(move |a: H, b: H, c: f32| {
            finish.round::<f32>(a.value().times(b.value()).plus(c.value(), mode))
        })),
        _ => None,
    }
}
