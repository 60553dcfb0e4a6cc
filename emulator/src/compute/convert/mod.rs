//! Conversions between numbers (PTX ISA "cvt").
//!
//! - `pack`: two integers into parts of a word
//! - `packed`: of two values at a time, and to formats that only these instructions know
//! - `small`: floating-point formats of eight bits and less
//! - `stochastic`: of several values, rounded by random bits

mod pack;
mod packed;
mod small;
mod stochastic;

#[cfg(test)]
mod tests;

use super::Operation;
use super::float::exact::{Rounding, Value};
use super::float::{Bf16, F16, Float, Modifiers};
use super::lane::Lane;
use super::one;
use crate::ptx::syntax::Type;

/// An integer type.
trait Int: Lane {
    fn get(self) -> i128;
    /// The nearest value of the type.
    fn clamped(value: i128) -> Self;
    /// The low bits.
    fn truncated(value: i128) -> Self;
    /// What becomes of a NaN of double precision.
    fn of_nan() -> Self;
}

macro_rules! ints {
    ($($ty:ty)*) => {
        $(impl Int for $ty {
            fn get(self) -> i128 {
                i128::from(self)
            }

            fn of_nan() -> Self {
                if <$ty>::BITS < 32 { 0 } else { 1 << (<$ty>::BITS - 1) }
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

/// The last operand has a factor for each of two values.
const SCALED: &str = "scaled::n2::ue8m0";

/// See [`super::operation`]. Operands and results of less than the width of their registers are taken from the low
/// bits, and extended by their sign.
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    if opcode != "cvt" {
        return None;
    }
    if let ["pack", rest @ ..] = modifiers {
        return pack::operation(rest);
    }
    let (from, modifiers) = modifiers.split_last()?;
    if let ["rs", rest @ ..] = modifiers {
        return stochastic::operation(rest, from);
    }
    let (is_integral, mut rest) = integral(modifiers);
    // It comes right before the type of the result; other orders are `program::modifiers`'s matter.
    let scaled_at = rest.len().checked_sub(2).filter(|&idx| rest[idx] == SCALED);
    if let Some(idx) = scaled_at {
        rest.remove(idx);
    }
    let is_scaled = scaled_at.is_some();
    let modifiers = Modifiers::read(&rest)?;
    if let (Some(from), Some(to)) = (Kind::named(from), Kind::named(modifiers.ty))
        && !modifiers.is_relu
        && !modifiers.is_finite
        && !is_scaled
    {
        if !is_supported(from, to, is_integral.is_some(), modifiers) {
            return None;
        }
    } else {
        return if is_integral.is_none() { packed::operation(modifiers, is_scaled, from) } else { None };
    }
    let (flushes, saturates) = (modifiers.flushes, modifiers.saturates);
    let rounding = modifiers.rounding;
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
                        one(move |a: $from| float_to_int::<$from, $to>(flushed_single(a, flushes), rounding))
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
                        let a = flushed_single(a, flushes);
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

/// What decides about the modifiers that a conversion has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// So many bits, with a sign or without one.
    Int(u32, bool),
    F16,
    Bf16,
    F32,
    F64,
}

impl Kind {
    fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "u8" => Kind::Int(8, false),
            "s8" => Kind::Int(8, true),
            "u16" => Kind::Int(16, false),
            "s16" => Kind::Int(16, true),
            "u32" => Kind::Int(32, false),
            "s32" => Kind::Int(32, true),
            "u64" => Kind::Int(64, false),
            "s64" => Kind::Int(64, true),
            "f16" => Kind::F16,
            "bf16" => Kind::Bf16,
            "f32" => Kind::F32,
            "f64" => Kind::F64,
            _ => return None,
        })
    }
}

/// Whether a conversion has these modifiers, as ptxas takes them.
fn is_supported(from: Kind, to: Kind, is_integral: bool, modifiers: Modifiers<'_>) -> bool {
    let is_rounded = matches!(
        modifiers.rounding,
        Some(Rounding::Nearest | Rounding::Zero | Rounding::Down | Rounding::Up)
    );
    if modifiers.rounding.is_some() && !is_rounded || is_rounded && is_integral || modifiers.is_arithmetic() {
        return false;
    }
    let has_upper_half = from == Kind::Bf16 || to == Kind::Bf16;
    let may_flush = from == Kind::F32 || to == Kind::F32;
    let may_saturate = match (from, to) {
        // What lies within the range needs none.
        (Kind::Int(from, is_signed), Kind::Int(to, false)) => is_signed || from > to,
        (Kind::Int(from, is_signed), Kind::Int(to, true)) => from > to || (from == to && !is_signed),
        _ => !has_upper_half,
    };
    let rounding_fits = match (from, to) {
        (Kind::Int(..), Kind::Int(..)) => !is_rounded && !is_integral,
        // A `.bf16` comes of integers of 16 bits and more. Where one becomes 8 bits, ptxas wants a register of 8 bits.
        (Kind::Int(8, _), Kind::Bf16) => false,
        (Kind::Int(..), _) => is_rounded,
        (_, Kind::Int(..)) => is_integral,
        (Kind::F16, Kind::F32 | Kind::F64) | (Kind::F32, Kind::F64) => !is_rounded && !is_integral,
        (Kind::Bf16, Kind::F16 | Kind::F32 | Kind::F64) | (Kind::F16, Kind::Bf16) => !is_integral,
        _ if from == to => !is_rounded,
        _ => is_rounded,
    };
    rounding_fits && (may_flush || !modifiers.flushes) && (may_saturate || !modifiers.saturates)
}

/// The rounding to an integer, and the other modifiers: a second rounding is among them, and one too many.
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
    let mut rest = modifiers.to_vec();
    let found = modifiers.iter().position(|word| mode(word).is_some());
    (found.and_then(|idx| mode(rest.remove(idx))), rest)
}

/// The nearest integer of the type; of a NaN, zero (PTX ISA "cvt"), but of one in double precision the highest bit alone, as
/// measured on an H200 (docs/internals/gpu-results.md).
fn float_to_int<F: Float, I: Int>(value: F, rounding: Rounding) -> I {
    match value.value() {
        Value::Nan if F::TYPE == Type::F64 => I::of_nan(),
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

/// `.ftz` is about numbers of `.f32` alone.
fn flushed_single<F: Float>(value: F, flushes: bool) -> F {
    if flushes && F::TYPE == Type::F32 { value.flushed() } else { value }
}

fn finished<F: Float>(value: F, flushes: bool, saturates: bool) -> F {
    let value = flushed_single(value, flushes);
    if saturates { value.saturated() } else { value }
}
