//! Conversions between the types that registers have: integers through 128 bits, fractions through `f64`, which holds all
//! other formats, and rounding by LLVM's soft floating point.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};

use super::Reference;
use super::float::{exact_value, flushed, rounded, rounding, saturated};
use super::integer::{int_type, number};

/// None of other instructions.
pub(super) fn reference(form: &[&str]) -> Option<Reference> {
    if let ["cvt", "pack", "sat", to, rest @ ..] = form {
        return Some(packed(to, rest.len() == 2));
    }
    let ["cvt", words @ .., to, from] = form else { return None };
    let (to, from) = ((*to).to_owned(), (*from).to_owned());
    let (flushes, saturates) = (words.contains(&"ftz"), words.contains(&"sat"));
    let round = rounding(words);
    let integral =
        words.iter().find(|word| word.len() == 3 && word.starts_with('r')).map(|word| word.as_bytes()[1]);
    let whole = move |value: f64| match integral {
        Some(b'n') => value.round_ties_even(),
        Some(b'z') => value.trunc(),
        Some(b'm') => value.floor(),
        Some(b'p') => value.ceil(),
        _ => value,
    };
    Some(match (int_type(&to), int_type(&from)) {
        (Some((width, is_signed)), Some(from)) => Box::new(move |v| {
            let value = number(v[0], from);
            vec![low(if saturates { clamped(value, width, is_signed) } else { value }, width)]
        }),
        (Some((width, is_signed)), None) => Box::new(move |v| {
            // A NaN of double precision becomes the highest bit alone (measured on an H200), another NaN zero, what is too large the
            // nearest there is.
            let value = whole(exact_value(v[0], &from, flushes && from == "f32"));
            let is_highest_bit = value.is_nan() && from == "f64" && width >= 32;
            vec![if is_highest_bit {
                1 << (width - 1)
            } else {
                low(clamped(value as i128, width, is_signed), width)
            }]
        }),
        (None, Some(from)) => Box::new(move |v| {
            let value = number(v[0], from);
            let bits = match &to[..] {
                "f16" => Half::from_i128_r(value, round).value.to_bits(),
                "bf16" => BFloat::from_i128_r(value, round).value.to_bits(),
                "f32" => Single::from_i128_r(value, round).value.to_bits(),
                _ => Double::from_i128_r(value, round).value.to_bits(),
            } as u64;
            vec![if saturates { saturated(bits, &to) } else { bits }]
        }),
        (None, None) => Box::new(move |v| {
            // `.ftz` is about numbers of `.f32` alone.
            let value = whole(exact_value(v[0], &from, flushes && from == "f32"));
            let bits = rounded(value, &to, round);
            let bits = if flushes && to == "f32" { flushed(bits, &to) } else { bits };
            vec![if saturates { saturated(bits, &to) } else { bits }]
        }),
    })
}

/// `cvt.pack`, bit by bit: those of the second operand, of the first, and of the third.
fn packed(to: &str, has_rest: bool) -> Reference {
    let width: u32 = to[1..].parse().expect("the width of a type");
    let is_signed = to.starts_with('s');
    Box::new(move |v| {
        let part = |bits: u64| low(clamped(number(bits, (32, true)), width, is_signed), width);
        let (a, b) = (part(v[0]), part(v[1]));
        let bit = |at: u32| match at {
            _ if at < width => b >> at & 1,
            _ if at < 2 * width => a >> (at - width) & 1,
            _ if has_rest => v[2] >> (at - 2 * width) & 1,
            _ => 0,
        };
        vec![(0..32).map(|at| bit(at) << at).sum()]
    })
}

fn low(value: i128, width: u32) -> u64 {
    (value & ((1_i128 << width) - 1)) as u64
}

fn clamped(value: i128, width: u32, is_signed: bool) -> i128 {
    let limit = 1_i128 << (width - u32::from(is_signed));
    value.clamp(if is_signed { -limit } else { 0 }, limit - 1)
}
