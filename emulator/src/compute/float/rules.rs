//! Which modifiers go with which instruction and type, as ptxas takes them.

use super::exact::Rounding;
use super::modifiers::Modifiers;

/// Whether there is such an instruction.
pub(super) fn is_supported(opcode: &str, modifiers: &Modifiers<'_>) -> bool {
    let Modifiers { ty, rounding, flushes, saturates, is_relu, is_finite, .. } = *modifiers;
    let (is_half, is_upper) = (matches!(ty, "f16" | "f16x2"), matches!(ty, "bf16" | "bf16x2"));
    let is_of_angle = matches!(opcode, "sin" | "cos");
    if modifiers.is_in_turns && !(is_of_angle && flushes && modifiers.is_approximate && !modifiers.is_full) {
        return false;
    }
    let is_approximate = modifiers.is_approximate || modifiers.is_full;
    let is_extreme = matches!(opcode, "min" | "max");
    if is_finite || rounding == Some(Rounding::NearestAway) {
        return false;
    }
    if (modifiers.gives_nan || modifiers.is_xorsign) && !(is_extreme && ty != "f64") {
        return false;
    }
    if is_approximate {
        return rounding.is_none() && !saturates && !is_relu && is_approximation(opcode, modifiers);
    }
    let is_rounded = match opcode {
        "add" | "sub" | "mul" => true,
        "fma" | "mad" | "div" | "rcp" | "sqrt" => rounding.is_some(),
        _ => rounding.is_none(),
    };
    // Halves are rounded to nearest alone, but for products of upper halves that are added.
    let is_nearest = matches!(rounding, None | Some(Rounding::Nearest));
    let rounding_fits = is_rounded && (is_nearest || !(is_half || is_upper) || (opcode == "fma" && is_upper));
    let has_type = match opcode {
        "add" | "sub" | "mul" | "fma" => true,
        "mad" | "div" | "rcp" | "sqrt" | "copysign" => matches!(ty, "f32" | "f64"),
        "neg" | "abs" | "min" | "max" => ty != "f32x2",
        _ => false,
    };
    let may_flush = opcode != "copysign" && (is_half || matches!(ty, "f32" | "f32x2"));
    let may_saturate =
        matches!(opcode, "add" | "sub" | "mul" | "fma" | "mad") && (is_half || ty == "f32") && !is_relu;
    let may_be_relu = opcode == "fma" && (is_half || is_upper);
    rounding_fits
        && has_type
        && (may_flush || !flushes)
        && (may_saturate || !saturates)
        && (may_be_relu || !is_relu)
}

fn is_approximation(opcode: &str, modifiers: &Modifiers<'_>) -> bool {
    let is_full = modifiers.is_full && !modifiers.is_approximate;
    match (opcode, modifiers.ty) {
        ("div", "f32") => true,
        _ if is_full => false,
        ("rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2", "f32") => true,
        ("tanh", "f32" | "f16" | "f16x2" | "bf16" | "bf16x2") => !modifiers.flushes,
        ("ex2", "f16" | "f16x2") => !modifiers.flushes,
        ("ex2", "bf16" | "bf16x2") => modifiers.flushes,
        ("rcp", "f64") => modifiers.flushes,
        ("rsqrt", "f64") => true,
        _ => false,
    }
}
