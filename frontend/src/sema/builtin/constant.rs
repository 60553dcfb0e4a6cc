//! GNU C's functions that are constants: `__builtin_inff()`, `__builtin_nanf("")` and their like, which the
//! macros of `<math.h>` are made of (GNU C "Other Builtins").
//!
//! They have no operation: a call is a literal, and a constant expression.

use crate::ast::{ExprId, LitPrefix, StrLit};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Ty};
use crate::sema::Builtins;
use crate::source::Span;

/// What a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// Infinity.
    Infinity(Ty),
    /// A quiet NaN, whose argument is its significand.
    Nan(Ty),
    /// A signalling NaN, likewise.
    SignallingNan(Ty),
}

/// The constant behind the name.
pub(super) fn named(name: &str) -> Option<Constant> {
    match name.strip_prefix("__builtin_")? {
        "inff" | "huge_valf" => Some(Constant::Infinity(Ty::FLOAT)),
        "inf" | "huge_val" => Some(Constant::Infinity(Ty::DOUBLE)),
        "nanf" => Some(Constant::Nan(Ty::FLOAT)),
        "nan" => Some(Constant::Nan(Ty::DOUBLE)),
        "nansf" => Some(Constant::SignallingNan(Ty::FLOAT)),
        "nans" => Some(Constant::SignallingNan(Ty::DOUBLE)),
        _ => None,
    }
}

impl Builtins<'_> {
    /// A call of one of them.
    pub(super) fn check_constant_call(
        &mut self,
        constant: Constant,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Result<Expr, Reported> {
        let (value, ty, n_params) = match constant {
            Constant::Infinity(ty) => (Some(f64::INFINITY), ty, 0),
            Constant::Nan(ty) => (self.nan_argument(args).map(|bits| nan(ty, bits)), ty, 1),
            Constant::SignallingNan(ty) => {
                (self.nan_argument(args).map(|bits| signalling_nan(ty, bits)), ty, 1)
            }
        };
        if args.len() != n_params {
            return Err(self.other_argument_count(name, n_params, args, span));
        }
        let Some(value) = value else {
            let at = args.first().map_or(span, |&arg| self.unit.exprs[arg].span);
            let message =
                format!("argument of `{name}` must be a string literal that is empty or contains an integer");
            return Err(self.sink.error(Diagnostic::new(Code::NotConstant, at, message)));
        };
        Ok(self.expr(ExprData::Float(value), ty, span))
    }

    /// The significand that the argument spells; none where it is no such string literal.
    fn nan_argument(&self, args: &[ExprId]) -> Option<u64> {
        significand(self.expressions_ref().string_behind(*args.first()?)?)
    }
}

/// The integer that a NaN's argument spells, as `strtoull` reads it (C17 7.22.1.4); 0 if it is empty.
fn significand(literal: &StrLit) -> Option<u64> {
    if !matches!(literal.prefix, LitPrefix::None | LitPrefix::U8) {
        return None;
    }
    let text: String = literal.units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
    match text.as_bytes() {
        [] => Some(0),
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&text[2..], 16).ok(),
        [b'0', _, ..] => u64::from_str_radix(&text[1..], 8).ok(),
        [b'0'..=b'9', ..] => text.parse().ok(),
        [..] => None,
    }
}

/// The quiet NaN of the type with the lowest bits of its significand, in the form that rounds to it.
fn nan(ty: Ty, bits: u64) -> f64 {
    if ty == Ty::FLOAT {
        f64::from(f32::from_bits(0x7fc0_0000 | bits as u32 & 0x003f_ffff))
    } else {
        f64::from_bits(0x7ff8_0000_0000_0000 | bits & 0x0007_ffff_ffff_ffff)
    }
}

/// The NaN whose significand the bits are; where they are zero, that of a signalling one. A `float`'s is in the form
/// that [`FloatTy`](crate::ir::FloatTy) narrows without a change of bits.
fn signalling_nan(ty: Ty, bits: u64) -> f64 {
    if ty == Ty::FLOAT {
        let bits = bits & 0x007f_ffff;
        let bits = if bits == 0 { 0x0020_0000 } else { bits };
        f64::from_bits(0x7ff0_0000_0000_0000 | bits << 29)
    } else {
        let bits = bits & 0x000f_ffff_ffff_ffff;
        f64::from_bits(0x7ff0_0000_0000_0000 | if bits == 0 { 0x0004_0000_0000_0000 } else { bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn significands_are_read_in_three_bases() {
        let read = |text: &str| {
            significand(&StrLit {
                units: text.chars().map(u32::from).collect(),
                prefix: LitPrefix::None,
                pieces: Vec::new(),
            })
        };
        assert_eq!(
            [read(""), read("0"), read("12"), read("0x1F"), read("017")],
            [0, 0, 12, 31, 15].map(Some)
        );
        assert_eq!([read("x"), read("12x"), read("0x"), read("-1"), read("é")], [None; 5]);
    }

    #[test]
    fn nans_keep_their_bits_through_rounding() {
        assert_eq!((nan(Ty::FLOAT, 5) as f32).to_bits(), 0x7fc0_0005);
        assert_eq!(nan(Ty::DOUBLE, 0x12).to_bits(), 0x7ff8_0000_0000_0012);
        assert_eq!(signalling_nan(Ty::FLOAT, 5).to_bits(), 0x7ff0_0000_a000_0000);
        assert_eq!(signalling_nan(Ty::DOUBLE, 0).to_bits(), 0x7ff4_0000_0000_0000);
    }
}
