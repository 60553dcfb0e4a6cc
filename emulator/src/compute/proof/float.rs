//! Floating-point arithmetic by LLVM's soft floating point; roots by squares; approximations by the host's functions, to the
//! nearest.

use std::f64::consts::TAU;

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::Reference;

/// The bits of the fraction and of the exponent.
fn format(ty: &str) -> Option<(u32, u32)> {
    Some(match ty {
        "f16" => (10, 5),
        "bf16" => (7, 8),
        "f32" => (23, 8),
        "f64" => (52, 11),
        _ => return None,
    })
}

fn sign_bit(ty: &str) -> u64 {
    format(ty).map_or(0, |(fraction, exponent)| 1 << (fraction + exponent))
}

/// What PTX gives for a NaN: all ones but the sign.
fn nan(ty: &str) -> u64 {
    sign_bit(ty) - 1
}

/// A zero of the same sign instead of a subnormal number.
pub(super) fn flushed(bits: u64, ty: &str) -> u64 {
    let Some((fraction, exponent)) = format(ty) else { return bits };
    if bits >> fraction & ((1 << exponent) - 1) == 0 { bits & sign_bit(ty) } else { bits }
}

fn is_nan(bits: u64, ty: &str) -> bool {
    exact_value(bits, ty, false).is_nan()
}

/// The value, which a `f64` holds exactly.
pub(super) fn exact_value(bits: u64, ty: &str, flushes: bool) -> f64 {
    let bits = if flushes { flushed(bits, ty) } else { bits };
    let Some((fraction, exponent)) = format(ty) else { return f64::NAN };
    if ty == "f64" {
        return f64::from_bits(bits);
    }
    let (field, rest) = (bits >> fraction & ((1 << exponent) - 1), bits & ((1 << fraction) - 1));
    let bias = (1_i32 << (exponent - 1)) - 1;
    let unit = |power: i32| f64::from(power).exp2();
    let magnitude = match field {
        0 => rest as f64 * unit(1 - bias - fraction as i32),
        _ if field == (1 << exponent) - 1 => {
            if rest == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        _ => (rest + (1 << fraction)) as f64 * unit(field as i32 - bias - fraction as i32),
    };
    if bits & sign_bit(ty) != 0 { -magnitude } else { magnitude }
}

/// A value in a type, rounded.
pub(super) fn rounded(value: f64, ty: &str, round: Round) -> u64 {
    let value = Double::from_bits(value.to_bits().into());
    fn to<R: Float>(value: Double, round: Round) -> u64
    where
        Double: FloatConvert<R>,
    {
        let converted: R = value.convert_r(round, &mut false).value;
        converted.to_bits() as u64
    }
    match ty {
        _ if value.is_nan() => nan(ty),
        "f16" => to::<Half>(value, round),
        "bf16" => to::<BFloat>(value, round),
        "f32" => to::<Single>(value, round),
        _ => value.to_bits() as u64,
    }
}

pub(super) fn rounding(words: &[&str]) -> Round {
    let round = |word: &&str| {
        Some(match *word {
            "rn" => Round::NearestTiesToEven,
            "rz" => Round::TowardZero,
            "rm" => Round::TowardNegative,
            "rp" => Round::TowardPositive,
            _ => return None,
        })
    };
    words.iter().find_map(round).unwrap_or(Round::NearestTiesToEven)
}

/// `.sat`: from 0 to 1, and 0 of a NaN.
pub(super) fn saturated(bits: u64, ty: &str) -> u64 {
    let value = exact_value(bits, ty, false);
    let one = rounded(1.0, ty, Round::NearestTiesToEven);
    if value.is_nan() || value <= 0.0 {
        0
    } else if value > 1.0 {
        one
    } else {
        bits
    }
}

/// None of other instructions.
pub(super) fn reference(form: &[&str]) -> Option<Reference> {
    let [opcode, words @ .., ty] = form else { return None };
    if let Some(single) = ty.strip_suffix("x2") {
        let form: Vec<&str> = [*opcode].into_iter().chain(words.iter().copied()).chain([single]).collect();
        let part = reference(&form)?;
        let width = if single == "f32" { 32 } else { 16 };
        return Some(Box::new(move |values| {
            let of = |shift: u32| {
                part(&values.iter().map(|value| value >> shift & ((1 << width) - 1)).collect::<Vec<_>>())[0]
            };
            vec![of(width) << width | of(0)]
        }));
    }
    format(ty)?;
    let (opcode, ty) = ((*opcode).to_owned(), (*ty).to_owned());
    let has = |word: &str| words.contains(&word);
    let (flushes, saturates, is_relu) = (has("ftz"), has("sat"), has("relu"));
    let (gives_nan, takes_signs) = (has("NaN"), has("xorsign"));
    let (is_approximate, is_in_turns) = (has("approx") || has("full"), has("2pi"));
    let round = rounding(words);
    Some(Box::new(move |v| {
        let v: Vec<u64> = v.iter().map(|&bits| if flushes { flushed(bits, &ty) } else { bits }).collect();
        let result = match &opcode[..] {
            "neg" => return vec![v[0] ^ sign_bit(&ty)],
            "abs" => return vec![v[0] & !sign_bit(&ty)],
            "copysign" => return vec![v[1] & !sign_bit(&ty) | v[0] & sign_bit(&ty)],
            "min" | "max" => extreme(opcode == "min", v[0], v[1], &ty, gives_nan, takes_signs),
            "rsqrt" if ty == "f64" && !flushes => reciprocal_root(v[0]),
            "sin" | "cos" if is_in_turns => {
                let turns = exact_value(v[0], &ty, false);
                rounded(of_turns(turns, opcode == "sin"), &ty, Round::NearestTiesToEven)
            }
            _ if is_approximate => approximation(&opcode, v[0], v[1], &ty),
            "sqrt" => root(v[0], &ty, round),
            _ => arithmetic(&opcode, &v, &ty, round),
        };
        let result = if is_nan(result, &ty) { nan(&ty) } else { result };
        let result = if flushes { flushed(result, &ty) } else { result };
        let result = if saturates { saturated(result, &ty) } else { result };
        let is_negative = result & sign_bit(&ty) != 0;
        vec![if is_relu && is_negative { 0 } else { result }]
    }))
}

fn arithmetic(opcode: &str, v: &[u64], ty: &str, round: Round) -> u64 {
    fn of<R: Float>(opcode: &str, v: &[u64], round: Round) -> u64 {
        let [a, b, c] = [v[0], v[1], v[2]].map(|bits| R::from_bits(bits.into()));
        let result = match opcode {
            "add" => a.add_r(b, round),
            "sub" => a.sub_r(b, round),
            "mul" => a.mul_r(b, round),
            "fma" | "mad" => a.mul_add_r(b, c, round),
            "div" => a.div_r(b, round),
            "rcp" => R::from_u128(1).value.div_r(a, round),
            other => panic!("{other}"),
        };
        result.value.to_bits() as u64
    }
    match ty {
        "f16" => of::<Half>(opcode, v, round),
        "bf16" => of::<BFloat>(opcode, v, round),
        "f32" => of::<Single>(opcode, v, round),
        _ => of::<Double>(opcode, v, round),
    }
}

/// The other one where one is a NaN, but with `.NaN`. A negative zero is less than the other.
fn extreme(is_least: bool, a: u64, b: u64, ty: &str, gives_nan: bool, takes_signs: bool) -> u64 {
    let sign = if takes_signs { (a ^ b) & sign_bit(ty) } else { 0 };
    let (a, b) = if takes_signs { (a & !sign_bit(ty), b & !sign_bit(ty)) } else { (a, b) };
    // In the order of the bits, from the least number to the greatest.
    let order =
        |bits: u64| if bits & sign_bit(ty) != 0 { -((bits ^ sign_bit(ty)) as i128) - 1 } else { bits.into() };
    let result = match (is_nan(a, ty), is_nan(b, ty)) {
        (true, true) => nan(ty),
        (true, false) | (false, true) if gives_nan => nan(ty),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if (order(a) < order(b)) == is_least {
                a
            } else {
                b
            }
        }
    };
    result | sign
}

/// The root whose square is nearest, or next below or above.
fn root(bits: u64, ty: &str, round: Round) -> u64 {
    let value = exact_value(bits, ty, false);
    if value.is_nan() || value <= 0.0 || value.is_infinite() {
        return if value < 0.0 { nan(ty) } else { rounded(value.sqrt(), ty, round) };
    }
    // Squares of small numbers must not vanish.
    let (value, scale) =
        if value < 1e-200 { (value * 2_f64.powi(400), 2_f64.powi(-200)) } else { (value, 1.0) };
    let nearest = match ty {
        "f32" => f64::from(value.sqrt() as f32),
        _ => value.sqrt(),
    };
    let next = |by: i64| match ty {
        "f32" => f64::from(f32::from_bits(((nearest as f32).to_bits() as i64 + by) as u32)),
        _ => f64::from_bits((nearest.to_bits() as i64 + by) as u64),
    };
    let excess = nearest.mul_add(nearest, -value);
    let root = match round {
        Round::TowardZero | Round::TowardNegative if excess > 0.0 => next(-1),
        Round::TowardPositive if excess < 0.0 => next(1),
        _ => nearest,
    };
    rounded(root * scale, ty, round)
}

/// The `double` nearest to the reciprocal of the root, by Newton's method in twice its digits.
fn reciprocal_root(bits: u64) -> u64 {
    let value = f64::from_bits(bits);
    let estimate = 1.0 / value.sqrt();
    if !estimate.is_normal() {
        return estimate.to_bits();
    }
    let wide = |value: f64| -> Quad { Double::from_bits(value.to_bits().into()).convert(&mut false).value };
    let (half, mut root) = (wide(0.5), wide(estimate));
    for _ in 0..2 {
        let square = ((wide(value) * root).value * root).value;
        let error = (wide(1.0) - square).value;
        root = (root + ((half * root).value * error).value).value;
    }
    let nearest: Double = root.convert(&mut false).value;
    nearest.to_bits() as u64
}

/// The sine or cosine of an angle in turns, by eighths of a turn.
fn of_turns(turns: f64, is_sine: bool) -> f64 {
    let within = turns.abs() % 1.0;
    let eighth = (8.0 * within).floor();
    let behind = within - eighth / 8.0;
    let (sine_behind, cosine_behind) = (|| (TAU * behind).sin(), || (TAU * behind).cos());
    let (sine_before, cosine_before) = (|| (TAU * (0.125 - behind)).sin(), || (TAU * (0.125 - behind)).cos());
    let magnitude = match (eighth as u32 % 4, is_sine) {
        (0, true) | (2, false) => sine_behind(),
        (1, true) | (3, false) => cosine_before(),
        (2, true) | (0, false) => cosine_behind(),
        _ => sine_before(),
    };
    let is_negative =
        if is_sine { (eighth >= 4.0) != turns.is_sign_negative() } else { (2.0..6.0).contains(&eighth) };
    match magnitude {
        _ if within.is_nan() => f64::NAN,
        // At half turns.
        0.0 if is_sine => 0_f64.copysign(turns),
        0.0 => 0.0,
        _ if is_negative => -magnitude,
        _ => magnitude,
    }
}

fn approximation(opcode: &str, a: u64, b: u64, ty: &str) -> u64 {
    let (x, y) = (exact_value(a, ty, false), exact_value(b, ty, false));
    let value = match opcode {
        "div" => x / y,
        "rcp" => 1.0 / x,
        "sqrt" => x.sqrt(),
        "rsqrt" => 1.0 / x.sqrt(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "lg2" => x.log2(),
        "ex2" => x.exp2(),
        "tanh" => x.tanh(),
        other => panic!("{other}"),
    };
    // Of `.ftz.f64`, the upper half alone, and nothing below the least normal number.
    match ty {
        "f64" if value.is_nan() => nan(ty),
        "f64" => flushed(value.to_bits() & !0xFFFF_FFFF, ty),
        _ => rounded(value, ty, Round::NearestTiesToEven),
    }
}
