//! Conversions between numbers (PTX ISA "cvt").

use super::Operation;
use super::float::exact::{Rounding, Value};
use super::float::{Bf16, F16, Float, Modifiers};
use super::lane::Lane;
use super::{one, two};

/// An integer type.
trait Int: Lane {
    fn get(self) -> i128;
    /// The nearest value of the type.
    fn clamped(value: i128) -> Self;
    /// The low bits.
    fn truncated(value: i128) -> Self;
}

macro_rules! ints {
    ($($ty:ty)*) => {
        $(impl Int for $ty {
            fn get(self) -> i128 {
                i128::from(self)
            }

            fn clamped(value: i128) -> Self {
                value.clamp(i128::from(<$ty>::MIN), i128::from(<$ty>::MAX)) as $ty
            }

            fn truncated(value: i128) -> Self {
                value as $ty
            }
        })*
    };
}

ints!(u8 i8 u16 i16 u32 i32 u64 i64);

/// Calls a macro with the type that a word names, integer or floating.
macro_rules! with_type {
    ($name:expr, $ints:ident, $floats:ident) => {
        match $name {
            "u8" => $ints!(u8),
            "s8" => $ints!(i8),
            "u16" => $ints!(u16),
            "s16" => $ints!(i16),
            "u32" => $ints!(u32),
            "s32" => $ints!(i32),
            "u64" => $ints!(u64),
            "s64" => $ints!(i64),
            "f16" => $floats!(F16),
            "bf16" => $floats!(Bf16),
            "f32" => $floats!(f32),
            "f64" => $floats!(f64),
            _ => None,
        }
    };
}

/// See [`super::operation`]. Operands and results of less than the width of their registers are taken from the low
/// bits, and extended by their sign.
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    if opcode != "cvt" {
        return None;
    }
    let (from, modifiers) = modifiers.split_last()?;
    let (is_integral, rest) = integral(modifiers);
    let modifiers = Modifiers::read(&rest)?;
    let (flushes, saturates) = (modifiers.flushes, modifiers.saturates);
    let rounding = modifiers.rounding.or(is_integral);
    match (modifiers.ty, *from) {
        ("f16x2", "f32") => return Some(packed::<F16>(modifiers)),
        ("bf16x2", "f32") => return Some(packed::<Bf16>(modifiers)),
        _ => {}
    }
    macro_rules! to_int {
        ($to:ty) => {{
            macro_rules! from_int {
                ($from:ty) => {
                    Some(one(move |a: $from| {
                        let value = a.get();
                        if saturates { <$to as Int>::clamped(value) } else { <$to as Int>::truncated(value) }
                    }))
                };
            }
            macro_rules! from_float {
                ($from:ty) => {
                    is_integral.map(|rounding| {
                        one(move |a: $from| {
                            float_to_int::<$from, $to>(if flushes { a.flushed() } else { a }, rounding)
                        })
                    })
                };
            }
            with_type!(*from, from_int, from_float)
        }};
    }
    macro_rules! to_float {
        ($to:ty) => {{
            macro_rules! from_int {
                ($from:ty) => {
                    Some(one(move |a: $from| {
                        finished(
                            <$to>::rounded(Value::integer(a.get()), rounding.unwrap_or(Rounding::Nearest)),
                            flushes,
                            saturates,
                        )
                    }))
                };
            }
            macro_rules! from_float {
                ($from:ty) => {
                    Some(one(move |a: $from| {
                        let a = if flushes { a.flushed() } else { a };
                        let value = match is_integral {
                            Some(rounding) => integral_value(a.value(), rounding),
                            None => a.value(),
                        };
                        finished(
                            <$to>::rounded(value, rounding.unwrap_or(Rounding::Nearest)),
                            flushes,
                            saturates,
                        )
                    }))
                };
            }
            with_type!(*from, from_int, from_float)
        }};
    }
    with_type!(modifiers.ty, to_int, to_float)
}

/// Two values in one register, the first in the upper half.
fn packed<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let rounding = modifiers.rounding.unwrap_or(Rounding::Nearest);
    let (is_relu, saturates) = (modifiers.is_relu, modifiers.saturates);
    two(move |high: f32, low: f32| {
        let part = |value: f32| {
            let value = finished(F::rounded(value.value(), rounding), false, saturates);
            (if is_relu { value.rectified() } else { value }).to_bits() as u32
        };
        part(high) << 16 | part(low)
    })
}

/// The rounding to an integer, and the other modifiers.
fn integral<'m>(modifiers: &[&'m str]) -> (Option<Rounding>, Vec<&'m str>) {
    let mode = |word: &str| {
        Some(match word {
            "rni" => Rounding::Nearest,
            "rzi" => Rounding::Zero,
            "rmi" => Rounding::Down,
            "rpi" => Rounding::Up,
            _ => return None,
        })
    };
    let found = modifiers.iter().find_map(|word| mode(word));
    (found, modifiers.iter().copied().filter(|word| mode(word).is_none()).collect())
}

/// The nearest integer of the type. Of what is no number, zero; of 64 bits and for `f64`, the sign bit alone, as GPUs have it.
fn float_to_int<F: Float, I: Int>(value: F, rounding: Rounding) -> I {
    match value.value() {
        Value::Nan => I::clamped(0),
        Value::Infinity(true) => I::clamped(i128::MIN),
        Value::Infinity(false) => I::clamped(i128::MAX),
        finite => I::clamped(finite.to_integer(rounding).map_or(0, |(integer, _)| integer)),
    }
}

/// The value as an integer, with the sign that it had.
fn integral_value(value: Value, rounding: Rounding) -> Value {
    match (value, value.to_integer(rounding)) {
        (Value::Finite { sign, exponent, .. }, Some((integer, _))) if exponent < 0 => {
            Value::Finite { sign, mantissa: integer.unsigned_abs(), exponent: 0, rest: false }
        }
        _ => value,
    }
}

fn finished<F: Float>(value: F, flushes: bool, saturates: bool) -> F {
    let value = if flushes { value.flushed() } else { value };
    if saturates { value.saturated() } else { value }
}
