//! Two integers, each limited to a narrow type, as parts of one word (PTX ISA "cvt.pack").

use super::super::{Operation, three, two};

/// What follows `cvt.pack`: `.sat.convertType.s32`, and `.b32` where the third operand fills the upper bits.
pub(super) fn operation(modifiers: &[&str]) -> Option<Operation> {
    let (to, has_rest) = match modifiers {
        // ptxas takes it twice.
        ["sat", rest @ ..] if rest.first() == Some(&"sat") => return operation(rest),
        ["sat", to @ ("u16" | "s16"), "s32"] => (to, false),
        ["sat", to @ ("u2" | "s2" | "u4" | "s4" | "u8" | "s8"), "s32", "b32"] => (to, true),
        _ => return None,
    };
    let width: u32 = to[1..].parse().ok()?;
    let (least, greatest) =
        if to.starts_with('s') { (-1 << (width - 1), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    // The first operand is the upper one.
    let pair = move |a: i32, b: i32| {
        let part = |value: i32| value.clamp(least, greatest) as u32 & (u32::MAX >> (32 - width));
        part(a) << width | part(b)
    };
    Some(match has_rest {
        false => two(pair),
        true => three(move |a, b, c: u32| c << (2 * width) | pair(a, b)),
    })
}
