//! Floating-point arithmetic (PTX ISA "Floating-Point Instructions", "Half Precision Floating-Point Instructions").
//!
//! To nearest, `f32` and `f64` are the host's own arithmetic. All else is computed exactly and then rounded.
//! NaNs that arise are PTX's canonical ones. Approximate instructions give the nearest value, which is within the
//! error that PTX states for them.
//!
//! - [`exact`]: exact results and their rounding
//! - [`modifiers`]: what follows the opcode
//! - `mixed`: halves with numbers of single precision
//! - `rules`: which modifiers go with which instruction and type
//! - [`format`](mod@format): the types

pub mod exact;

mod approximate;
mod format;
mod mixed;
mod modifiers;
mod rules;

#[cfg(test)]
mod tests;

use exact::{Rounding, Value};
pub(super) use format::{Bf16, F16, Float};
pub(super) use modifiers::Modifiers;

use super::{Operation, one, paired, three, two};

/// Calls a generic function with the type of the modifiers; of a pair, for both halves.
macro_rules! by_format {
    ($modifiers:expr, $function:ident $args:tt) => {
        match $modifiers.ty {
            "f16" => Some($function::<F16> $args),
            "bf16" => Some($function::<Bf16> $args),
            "f32" => Some($function::<f32> $args),
            "f64" => Some($function::<f64> $args),
            "f16x2" => Some(paired($function::<F16> $args, 16)),
            "bf16x2" => Some(paired($function::<Bf16> $args, 16)),
            "f32x2" => Some(paired($function::<f32> $args, 32)),
            _ => None,
        }
    };
}

/// See [`super::operation`].
pub(super) fn operation(opcode: &str, modifiers: &[&str]) -> Option<Operation> {
    if let Some(operation) = mixed::operation(opcode, modifiers) {
        return Some(operation);
    }
    let modifiers = Modifiers::read(modifiers)?;
    if !rules::is_supported(opcode, &modifiers) {
        return None;
    }
    if modifiers.is_approximate || modifiers.is_full {
        return approximate::operation(opcode, &modifiers);
    }
    match opcode {
        "add" => by_format!(modifiers, sum(modifiers, false)),
        "sub" => by_format!(modifiers, sum(modifiers, true)),
        "mul" => by_format!(modifiers, product(modifiers)),
        "fma" | "mad" => {
            modifiers.rounding?;
            by_format!(modifiers, fused(modifiers))
        }
        "div" => {
            modifiers.rounding?;
            by_format!(modifiers, quotient(modifiers))
        }
        "rcp" => {
            modifiers.rounding?;
            by_format!(modifiers, reciprocal(modifiers))
        }
        "sqrt" => {
            modifiers.rounding?;
            by_format!(modifiers, root(modifiers))
        }
        "neg" => by_format!(modifiers, negated(modifiers)),
        "abs" => by_format!(modifiers, absolute(modifiers)),
        "min" => by_format!(modifiers, extreme(modifiers, true)),
        "max" => by_format!(modifiers, extreme(modifiers, false)),
        "copysign" => by_format!(modifiers, sign_copied()),
        _ => None,
    }
}

/// What a result becomes before it is given.
#[derive(Clone, Copy)]
struct Finish {
    rounding: Rounding,
    flushes: bool,
    saturates: bool,
    is_relu: bool,
}

impl Finish {
    fn of(modifiers: Modifiers<'_>) -> Finish {
        Finish {
            rounding: modifiers.rounding.unwrap_or(Rounding::Nearest),
            flushes: modifiers.flushes,
            saturates: modifiers.saturates,
            is_relu: modifiers.is_relu,
        }
    }

    fn take<F: Float>(self, value: F) -> F {
        if self.flushes { value.flushed() } else { value }
    }

    fn give<F: Float>(self, value: F) -> F {
        let value = if self.flushes { value.flushed() } else { value };
        let value = if self.saturates { value.saturated() } else { value };
        if self.is_relu { value.rectified() } else { value }
    }

    fn round<F: Float>(self, value: Value) -> F {
        self.give(F::rounded(value, self.rounding))
    }
}

fn sum<F: Float>(modifiers: Modifiers<'_>, is_difference: bool) -> Operation {
    let finish = Finish::of(modifiers);
    two(move |a: F, b: F| {
        let (a, b) = (finish.take(a), finish.take(b));
        let b = if is_difference { b.negated() } else { b };
        match a.host_sum(b).filter(|_| finish.rounding == Rounding::Nearest) {
            Some(sum) => finish.give(sum),
            None => finish.round(a.value().plus(b.value(), finish.rounding)),
        }
    })
}

fn product<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    two(move |a: F, b: F| {
        let (a, b) = (finish.take(a), finish.take(b));
        match a.host_product(b).filter(|_| finish.rounding == Rounding::Nearest) {
            Some(product) => finish.give(product),
            None => finish.round(a.value().times(b.value())),
        }
    })
}

fn fused<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    three(move |a: F, b: F, c: F| {
        let (a, b, c) = (finish.take(a), finish.take(b), finish.take(c));
        match a.host_fused(b, c).filter(|_| finish.rounding == Rounding::Nearest) {
            Some(fused) => finish.give(fused),
            None => finish.round(a.value().times(b.value()).plus(c.value(), finish.rounding)),
        }
    })
}

fn quotient<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    two(move |a: F, b: F| {
        let (a, b) = (finish.take(a), finish.take(b));
        match a.host_quotient(b).filter(|_| finish.rounding == Rounding::Nearest) {
            Some(quotient) => finish.give(quotient),
            None => finish.round(a.value().over(b.value())),
        }
    })
}

fn reciprocal<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    one(move |a: F| finish.round::<F>(Value::integer(1).over(finish.take(a).value())))
}

fn root<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    one(move |a: F| {
        let a = finish.take(a);
        match a.host_sqrt().filter(|_| finish.rounding == Rounding::Nearest) {
            Some(root) => finish.give(root),
            None => finish.round(a.value().sqrt()),
        }
    })
}

fn negated<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    one(move |a: F| finish.take(a).negated())
}

fn absolute<F: Float>(modifiers: Modifiers<'_>) -> Operation {
    let finish = Finish::of(modifiers);
    one(move |a: F| finish.take(a).without_sign())
}

fn sign_copied<F: Float>() -> Operation {
    two(|sign: F, magnitude: F| {
        let magnitude = magnitude.without_sign();
        if sign.is_negative() { magnitude.negated() } else { magnitude }
    })
}

/// The other operand where one is a NaN, but with `.NaN`; `-0` is below `+0` (PTX ISA "min").
fn extreme<F: Float>(modifiers: Modifiers<'_>, is_least: bool) -> Operation {
    let finish = Finish::of(modifiers);
    let (gives_nan, has_sign) = (modifiers.gives_nan, modifiers.is_xorsign);
    two(move |a: F, b: F| {
        let (a, b) = (finish.take(a), finish.take(b));
        let is_negative = has_sign && a.is_negative() != b.is_negative();
        let (a, b) = if has_sign { (a.without_sign(), b.without_sign()) } else { (a, b) };
        let result = match (a.is_nan(), b.is_nan()) {
            (true, true) => F::nan(),
            (true, false) | (false, true) if gives_nan => F::nan(),
            (true, false) => b,
            (false, true) => a,
            (false, false) => {
                let is_first_less = a.is_less(b) || (!b.is_less(a) && a.is_negative());
                if is_first_less == is_least { a } else { b }
            }
        };
        // A NaN has no sign.
        let result = if is_negative && !result.is_nan() { result.negated() } else { result };
        finish.give(result)
    })
}
