//! Conversions of two values at a time, and to formats that only these instructions know (PTX ISA "cvt").
//!
//! Two values are in one register, the first of two operands in the upper half.

use super::super::float::exact::{Format, Rounding, Value};
use super::super::float::{Bf16, F16, Float, Modifiers};
use super::super::{Operation, one, two};
use super::small::{self, E2M1, E2M3, E3M2, E4M3, E5M2, Small, UE5M3};

/// `.tf32`: a `.f32` with ten bits of the fraction.
const TF32: Format = Format { fraction: 10, exponent: 8 };

/// How many bits of a `.f32` a `.tf32` has not.
const TF32_SHIFT: u32 = 13;

/// See [`super::operation`]; none of conversions of single values between the types that registers have. What is scaled has a factor
/// for each value after the operands: the exponent of a power of two.
pub(super) fn operation(modifiers: Modifiers<'_>, is_scaled: bool, from: &str) -> Option<Operation> {
    // The name of the type is not needed for long.
    let to = modifiers.ty;
    let modifiers = Modifiers { ty: "", ..modifiers };
    let Modifiers { rounding, flushes, saturates, is_relu, is_finite, .. } = modifiers;
    if flushes || saturates || modifiers.is_arithmetic() || is_scaled && to != "bf16x2" {
        return None;
    }
    let (is_nearest, is_zero) = (rounding == Some(Rounding::Nearest), rounding == Some(Rounding::Zero));
    let (is_near_or_zero, is_up) = (is_nearest || is_zero, rounding == Some(Rounding::Up));
    Some(match (to, from) {
        (to, _) if small(to).is_some() && is_near_or_zero && is_finite => {
            let format = small(to)?;
            let part = move |value: f64| match is_relu && value.is_sign_negative() && !value.is_nan() {
                true => 0,
                false if is_nearest => format.nearest(value),
                false => format.truncated(value),
            };
            to_small(format == E2M1, from, part)?
        }
        ("ue5m3x2", _) if (is_near_or_zero || is_up) && !is_relu => {
            let rounding = rounding?;
            to_small(false, from, move |value| small::magnitude(value, rounding, is_finite))?
        }
        ("f16x2", "ue5m3x2") if is_nearest && !is_finite && !is_relu => from_small::<F16>(UE5M3, modifiers),
        ("bf16x2", "ue5m3x2") if is_nearest && !is_relu && is_scaled => scaled(UE5M3, modifiers),
        ("bf16x2", "ue5m3x2") if is_nearest && !is_relu => from_small::<Bf16>(UE5M3, modifiers),
        ("f16x2", _) if small(from).is_some() && is_nearest && !is_finite => {
            from_small::<F16>(small(from)?, modifiers)
        }
        ("bf16x2", _) if small(from).is_some() && is_nearest && is_scaled => scaled(small(from)?, modifiers),
        ("bf16x2", _) if small(from).is_some() && is_nearest => from_small::<Bf16>(small(from)?, modifiers),
        ("bf16x2", "s2f6x2") if is_nearest && is_scaled => {
            two(move |a: u16, factors: u16| scaled_pair(a.to_le_bytes().map(fixed_value), factors, modifiers))
        }
        ("bf16x2", "s2f6x2") if is_nearest => one(move |a: u16| {
            let [low, high] = a.to_le_bytes().map(|bits| rounded::<Bf16>(fixed_value(bits), modifiers));
            high << 16 | low
        }),
        _ if is_scaled => return None,
        ("f16", "f32") if is_near_or_zero => one(move |a: f32| rounded::<F16>(a.into(), modifiers) as u16),
        ("bf16", "f32") if is_near_or_zero => one(move |a: f32| rounded::<Bf16>(a.into(), modifiers) as u16),
        ("f16x2", "f32") if is_near_or_zero => pair::<F16>(modifiers),
        ("bf16x2", "f32") if is_near_or_zero => pair::<Bf16>(modifiers),
        ("tf32", "f32") if is_near_or_zero || (rounding == Some(Rounding::NearestAway) && !is_relu) => {
            one(move |a: f32| finished(TF32, a.value(), modifiers) << TF32_SHIFT)
        }
        ("ue8m0x2", "f32") if !is_relu && (is_up || is_zero) => two(move |high: f32, low: f32| {
            u16::from_le_bytes([low, high].map(|value| small::exponent(value, is_up, is_finite)))
        }),
        ("ue8m0x2", "bf16x2") if !is_relu && (is_up || is_zero) => one(move |a: u32| {
            let parts = [a << 16, a & 0xFFFF_0000].map(f32::from_bits);
            u16::from_le_bytes(parts.map(|value| small::exponent(value, is_up, is_finite)))
        }),
        ("bf16x2", "ue8m0x2") if !is_relu && !is_finite && is_nearest => one(move |a: u16| {
            let [low, high] =
                a.to_le_bytes().map(|bits| rounded::<Bf16>(small::power(bits).into(), modifiers));
            high << 16 | low
        }),
        _ => return None,
    })
}

fn small(name: &str) -> Option<Small> {
    Some(match name {
        "e4m3x2" => E4M3,
        "e5m2x2" => E5M2,
        "e2m3x2" => E2M3,
        "e3m2x2" => E3M2,
        "e2m1x2" => E2M1,
        _ => return None,
    })
}

/// Two values, each made by a function; of four bits both are in one byte.
fn to_small(
    is_half: bool,
    from: &str,
    part: impl Fn(f64) -> u8 + Copy + Send + Sync + 'static,
) -> Option<Operation> {
    fn halves<F: Float>(word: u32) -> [f64; 2] {
        let half = |bits: u32| f64::rounded(F::from_bits(bits.into()).value(), Rounding::Nearest);
        [half(word & 0xFFFF), half(word >> 16)]
    }
    if is_half {
        let both = move |[low, high]: [f64; 2]| part(high) << 4 | part(low);
        return Some(match from {
            "f32" => two(move |high: f32, low: f32| both([low.into(), high.into()])),
            "f16x2" => one(move |a: u32| both(halves::<F16>(a))),
            "bf16x2" => one(move |a: u32| both(halves::<Bf16>(a))),
            _ => return None,
        });
    }
    let both = move |parts: [f64; 2]| u16::from_le_bytes(parts.map(part));
    Some(match from {
        "f32" => two(move |high: f32, low: f32| both([low.into(), high.into()])),
        "f16x2" => one(move |a: u32| both(halves::<F16>(a))),
        "bf16x2" => one(move |a: u32| both(halves::<Bf16>(a))),
        _ => return None,
    })
}

fn from_small<F: Float>(format: Small, modifiers: Modifiers<'static>) -> Operation {
    let both = move |low: u8, high: u8| {
        let [low, high] = [low, high].map(|bits| rounded::<F>(format.value(bits), modifiers));
        high << 16 | low
    };
    if format == E2M1 {
        one(move |a: u8| both(a & 0xF, a >> 4))
    } else {
        one(move |a: u16| both(a as u8, (a >> 8) as u8))
    }
}

/// The same, each value by its factor: what that makes is rounded.
fn scaled(format: Small, modifiers: Modifiers<'static>) -> Operation {
    let values = move |parts: [u8; 2]| parts.map(|bits| format.value(bits));
    if format == E2M1 {
        two(move |a: u8, factors: u16| scaled_pair(values([a & 0xF, a >> 4]), factors, modifiers))
    } else {
        two(move |a: u16, factors: u16| scaled_pair(values(a.to_le_bytes()), factors, modifiers))
    }
}

/// Two numbers, that in the lower half first, by their factors.
fn scaled_pair(values: [f64; 2], factors: u16, modifiers: Modifiers<'_>) -> u32 {
    let factors = factors.to_le_bytes().map(|bits| f64::from(small::power(bits)));
    let [low, high] = [values[0] * factors[0], values[1] * factors[1]];
    rounded::<Bf16>(high, modifiers) << 16 | rounded::<Bf16>(low, modifiers)
}

/// `.s2f6`: a two's complement number of 64ths.
fn fixed_value(bits: u8) -> f64 {
    f64::from(i8::from_le_bytes([bits])) / 64.0
}

fn pair<F: Float>(modifiers: Modifiers<'static>) -> Operation {
    two(move |high: f32, low: f32| {
        rounded::<F>(high.into(), modifiers) << 16 | rounded::<F>(low.into(), modifiers)
    })
}

/// The bits of a value in a type of registers.
fn rounded<F: Float>(value: f64, modifiers: Modifiers<'_>) -> u32 {
    finished(F::FORMAT, value.value(), modifiers)
}

/// The bits of a value in a format: not below zero with `.relu`, and finite with `.satfinite`.
fn finished(format: Format, value: Value, modifiers: Modifiers<'_>) -> u32 {
    clamped(format, format.round(value, modifiers.rounding.unwrap_or(Rounding::Nearest)), modifiers)
}

/// The same of bits that are rounded.
pub(super) fn clamped(format: Format, bits: u64, modifiers: Modifiers<'_>) -> u32 {
    let sign_bit = 1 << (format.fraction + format.exponent);
    let magnitude = bits & (sign_bit - 1);
    let infinity = ((1 << format.exponent) - 1) << format.fraction;
    let bits = if magnitude == infinity && modifiers.is_finite { bits - 1 } else { bits };
    if modifiers.is_relu && bits & sign_bit != 0 { 0 } else { bits as u32 }
}
