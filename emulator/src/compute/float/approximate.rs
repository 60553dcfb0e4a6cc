//! Approximate instructions (PTX ISA "Floating-Point Instructions"): the nearest value is within any error.

use std::f64::consts::TAU;

use super::super::{Operation, one, paired, two};
use super::exact::Rounding;
use super::format::{Bf16, F16, Float, canonical};
use super::modifiers::Modifiers;

/// See [`super::operation`]. Only `.f32` has all of them; `.f64` has `rcp` and `rsqrt` that flush and give few digits, and `rsqrt`
/// that does not, and gives them all.
pub(super) fn operation(opcode: &str, modifiers: &Modifiers<'_>) -> Option<Operation> {
    let flushes = modifiers.flushes;
    let single = move |f: fn(f64) -> f64| {
        one(move |a: f32| {
            let a = if flushes { a.flushed() } else { a };
            let result = f(f64::from(a)) as f32;
            let result = canonical(result);
            if flushes { result.flushed() } else { result }
        })
    };
    let quotient = move || {
        two(move |a: f32, b: f32| {
            let (a, b) = if flushes { (a.flushed(), b.flushed()) } else { (a, b) };
            let result = a / b;
            let result = canonical(result);
            if flushes { result.flushed() } else { result }
        })
    };
    Some(match (opcode, modifiers.ty) {
        ("div", "f32") => quotient(),
        _ if modifiers.is_full => return None,
        ("rcp", "f32") => single(|a| 1.0 / a),
        ("sqrt", "f32") => single(f64::sqrt),
        ("rsqrt", "f32") => single(|a| 1.0 / a.sqrt()),
        ("sin", "f32") if modifiers.is_in_turns => single(sine_of_turns),
        ("cos", "f32") if modifiers.is_in_turns => single(cosine_of_turns),
        ("sin", "f32") => single(f64::sin),
        ("cos", "f32") => single(f64::cos),
        ("lg2", "f32") => single(f64::log2),
        ("ex2", "f32") => single(f64::exp2),
        ("tanh", "f32") => single(f64::tanh),
        ("ex2", "f16" | "f16x2" | "bf16" | "bf16x2") => halves(modifiers.ty, flushes, f64::exp2)?,
        ("tanh", "f16" | "f16x2" | "bf16" | "bf16x2") => halves(modifiers.ty, flushes, f64::tanh)?,
        ("rcp", "f64") if flushes => one(|a: f64| rough(1.0 / a.flushed())),
        ("rsqrt", "f64") if flushes => one(|a: f64| rough(1.0 / a.flushed().sqrt())),
        ("rsqrt", "f64") => one(reciprocal_root),
        _ => return None,
    })
}

/// The sine of an angle in turns: of half turns it is zero, with the sign of the angle (IEEE 754 "sinPi").
fn sine_of_turns(a: f64) -> f64 {
    let within = a - a.round();
    let near = if within.abs() > 0.25 { 0.5_f64.copysign(within) - within } else { within };
    if near == 0.0 { near.copysign(a) } else { (TAU * near).sin() }
}

/// The cosine of an angle in turns.
fn cosine_of_turns(a: f64) -> f64 {
    (TAU * (0.25 - (a - a.round()).abs())).sin()
}

/// The nearest value in half precision, of one or of a pair.
fn halves(ty: &str, flushes: bool, f: fn(f64) -> f64) -> Option<Operation> {
    fn of<F: Float>(flushes: bool, f: fn(f64) -> f64) -> Operation {
        one(move |a: F| {
            let a = if flushes { a.flushed() } else { a };
            let wide: f64 = Float::rounded(a.value(), Rounding::Nearest);
            let result = F::rounded(f(wide).value(), Rounding::Nearest);
            if flushes { result.flushed() } else { result }
        })
    }
    Some(match ty {
        "f16" => of::<F16>(flushes, f),
        "f16x2" => paired(of::<F16>(flushes, f), 16),
        "bf16" => of::<Bf16>(flushes, f),
        "bf16x2" => paired(of::<Bf16>(flushes, f), 16),
        _ => return None,
    })
}

/// The reciprocal of the square root, to the last digit or nearly so: `rsqrt.approx.f64` is software, and CUDA's `rsqrt` is
/// this instruction alone, of which the guide says 1 ulp (CUDA C++ Programming Guide, "Mathematical Functions").
fn reciprocal_root(a: f64) -> f64 {
    let root = 1.0 / a.sqrt();
    if !root.is_normal() {
        return canonical(root);
    }
    // A step of Newton's method, its residual in twice the digits.
    let product = a * root;
    let rest = a.mul_add(root, -product);
    let residual = (-product).mul_add(root, 1.0) - rest * root;
    (0.5 * root).mul_add(residual, root)
}

/// The upper half of the bits: what `rcp.approx.ftz.f64` gives.
fn rough(value: f64) -> f64 {
    if f64::FORMAT.is_nan(value.to_bits()) {
        return f64::nan();
    }
    f64::from_bits(value.to_bits() & !0xFFFF_FFFF).flushed()
}
