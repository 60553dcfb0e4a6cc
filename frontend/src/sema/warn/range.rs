//! The values that an expression can have.

use crate::ir::{BinaryOp, Conversion, Expr, ExprData, IntTy};
use crate::sema::Warnings;

/// The least and the greatest value of a type of up to 64 bits.
pub(super) fn int_range(int: IntTy) -> Option<(i128, i128)> {
    let bits = int.bits();
    match int {
        IntTy::Bool => Some((0, 1)),
        _ if bits > 64 => None,
        _ if int.is_signed() => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        _ => Some((0, (1 << bits) - 1)),
    }
}

impl Warnings<'_> {
    /// The least and greatest value that an integer expression can have, as far as its form and its type
    /// tell. Never too narrow.
    pub(super) fn range(&self, expr: Expr) -> Option<(i128, i128)> {
        let node = &self.arena.exprs[expr];
        let of_type = match node.data {
            ExprData::Load(place) => match self.expressions_ref().bit_field_width(place) {
                Some(width) => self.module.types.int_ty(node.ty).map(|int| {
                    let width = width.clamp(1, 64);
                    if int.is_signed() {
                        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
                    } else {
                        (0, (1 << width) - 1)
                    }
                }),
                None => self.module.types.int_ty(node.ty).and_then(int_range),
            },
            _ => self.module.types.int_ty(node.ty).and_then(int_range),
        }?;
        let narrow = self.range_by_form(&node.data);
        match narrow {
            Some((min, max)) if min >= of_type.0 && max <= of_type.1 => Some((min, max)),
            Some(_) | None => Some(of_type),
        }
    }

    fn range_by_form(&self, data: &ExprData) -> Option<(i128, i128)> {
        if let Some(value) = data.as_int() {
            return Some((value, value));
        }
        match *data {
            ExprData::Convert(Conversion::IntToInt, from) => self.range(from),
            ExprData::Convert(Conversion::ToBool | Conversion::PtrToBool, _)
            | ExprData::Compare(..)
            | ExprData::Not(_)
            | ExprData::Logical(..) => Some((0, 1)),
            ExprData::Conditional { then, otherwise, .. } => {
                let ((a, b), (c, d)) = (self.range(then)?, self.range(otherwise)?);
                Some((a.min(c), b.max(d)))
            }
            ExprData::Comma(_, second) => self.range(second),
            ExprData::Assign { value, .. } => self.range(value),
            ExprData::Binary(op, lhs, rhs) => self.range_of_binary(op, self.range(lhs)?, self.range(rhs)?),
            _ => None,
        }
    }

    fn range_of_binary(&self, op: BinaryOp, lhs: (i128, i128), rhs: (i128, i128)) -> Option<(i128, i128)> {
        let is_positive = |range: (i128, i128)| range.0 >= 0;
        match op {
            BinaryOp::And if is_positive(lhs) && is_positive(rhs) => Some((0, lhs.1.min(rhs.1))),
            BinaryOp::And if is_positive(lhs) => Some((0, lhs.1)),
            BinaryOp::And if is_positive(rhs) => Some((0, rhs.1)),
            BinaryOp::Rem if is_positive(lhs) && rhs.0 > 0 => Some((0, lhs.1.min(rhs.1 - 1))),
            BinaryOp::Div if is_positive(lhs) && rhs.0 > 0 => Some((0, lhs.1 / rhs.0)),
            BinaryOp::Shr if is_positive(lhs) && (0..64).contains(&rhs.0) => Some((0, lhs.1 >> rhs.0)),
            BinaryOp::Add if is_positive(lhs) && is_positive(rhs) => Some((lhs.0 + rhs.0, lhs.1 + rhs.1)),
            BinaryOp::Mul if is_positive(lhs) && is_positive(rhs) => {
                Some((lhs.0.checked_mul(rhs.0)?, lhs.1.checked_mul(rhs.1)?))
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::Shr => None,
        }
    }
}
