//! The number of bits of an integer expression, computed as in clang, so that both compilers warn of the
//! same conversions.

use super::Conversions;
use super::constant::Constant;
use crate::ir::integer::Exact;
use crate::ir::{BinaryOp, Conversion, Expr, ExprData, IntTy, Place, PlaceData, Ty, TyKind, UnaryOp};

/// The values of so many bits; of those that may be negative, one bit is the sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) width: u32,
    pub(super) is_positive: bool,
}

impl Range {
    const BOOL: Range = Range { width: 1, is_positive: true };

    /// All values of a type.
    pub(super) fn of_int(int: IntTy) -> Range {
        match int {
            IntTy::Bool => Range::BOOL,
            _ => Range { width: int.bits(), is_positive: !int.is_signed() },
        }
    }

    fn of_value(value: Exact, int: IntTy) -> Range {
        let bits = (1..128).find(|&bits| {
            let limit = Exact::from(1_i128 << (bits - 1));
            let is_small = value < limit;
            if value < Exact::ZERO { value >= Exact::from(-(1_i128 << (bits - 1))) } else { is_small }
        });
        let width = bits.unwrap_or(int.bits());
        // The first power of two above a positive value has one bit more than the value.
        if value < Exact::ZERO {
            Range { width, is_positive: false }
        } else {
            Range { width: width - 1, is_positive: true }
        }
    }

    fn value_bits(self) -> u32 {
        if self.is_positive { self.width } else { self.width - 1 }
    }

    fn join(self, other: Range) -> Range {
        let is_positive = self.is_positive && other.is_positive;
        let width = self.value_bits().max(other.value_bits()) + u32::from(!is_positive);
        Range { width, is_positive }
    }

    fn and(self, other: Range) -> Range {
        let mut range = Range { width: self.width.max(other.width), is_positive: false };
        for side in [self, other].into_iter().filter(|side| side.is_positive) {
            range = Range { width: range.width.min(side.width), is_positive: true };
        }
        range
    }

    fn rem(self, other: Range) -> Range {
        let width = self.value_bits().min(other.value_bits()) + u32::from(!self.is_positive);
        Range { width, is_positive: self.is_positive }
    }
}

impl Conversions<'_, '_> {
    /// The values that an expression of integer or enum type can have.
    pub(super) fn range(&self, expr: Expr, max_width: u32) -> Option<Range> {
        let node = &self.body.exprs[expr];
        let int = self.types().int_ty(node.ty)?;
        if let Some(Constant::Int(value)) = self.constant(expr) {
            return Some(Range::of_value(Exact::of(int, value), int));
        }
        let of_type = self.type_range(node.ty)?;
        let range = match node.data {
            ExprData::Convert(Conversion::IntToInt, inner) if self.is_implicit(expr, inner) => {
                let sub = self.range(inner, max_width.min(of_type.width))?;
                if sub.width >= of_type.width {
                    of_type
                } else {
                    Range { width: sub.width, is_positive: sub.is_positive || of_type.is_positive }
                }
            }
            ExprData::Conditional { then, otherwise, .. } => {
                self.range(then, max_width)?.join(self.range(otherwise, max_width)?)
            }
            ExprData::Compare(..) | ExprData::Not(_) | ExprData::Logical(..) => Range::BOOL,
            ExprData::Assign { value, .. } => self.range(value, max_width)?,
            ExprData::Comma(_, second) => self.range(second, max_width)?,
            ExprData::Binary(op, lhs, rhs) => self.binary_range(node.ty, op, (lhs, rhs), max_width)?,
            ExprData::Unary(op, inner) => {
                let sub = self.range(inner, max_width)?;
                match op {
                    _ if !int.is_signed() => sub,
                    UnaryOp::Neg => Range { width: (sub.width + 1).min(max_width), is_positive: false },
                    UnaryOp::BitNot => {
                        let width = (sub.width + u32::from(sub.is_positive)).min(max_width);
                        Range { width, is_positive: false }
                    }
                }
            }
            ExprData::Load(place) => self.place_range(place)?,
            ExprData::Bound => match self.bound.get(&expr) {
                Some(&value) => self.range(value, max_width)?,
                None => of_type,
            },
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::AddrOf(_)
            | ExprData::ArrayDecay(_)
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::PtrOffset { .. }
            | ExprData::PtrDiff(..)
            | ExprData::Convert(..)
            | ExprData::Modify { .. }
            | ExprData::Call { .. }
            | ExprData::CallIndirect { .. }
            | ExprData::Builtin(..)
            | ExprData::Block(..)
            | ExprData::Record(_)
            | ExprData::VaList(..) => of_type,
        };
        Some(range)
    }

    fn binary_range(&self, ty: Ty, op: BinaryOp, (lhs, rhs): (Expr, Expr), max_width: u32) -> Option<Range> {
        let of_type = self.type_range(ty)?;
        let width = self.types().int_ty(ty)?.bits();
        let combine = match op {
            BinaryOp::And => Range::and,
            BinaryOp::Rem => Range::rem,
            // As clang has it: that a sum or product takes more bits is not held against it.
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Or | BinaryOp::Xor => Range::join,
            // `1 << n` is for its bits.
            BinaryOp::Shl => {
                let is_one = self.constant(lhs) == Some(Constant::Int(1));
                return Some(Range { is_positive: of_type.is_positive || is_one, ..of_type });
            }
            BinaryOp::Shr => {
                let range = self.range(lhs, max_width)?;
                return Some(match self.constant(rhs) {
                    Some(Constant::Int(count)) if count >= 0 => range_shifted(range, count),
                    Some(_) | None => range,
                });
            }
            BinaryOp::Div => {
                let range = self.range(lhs, width)?;
                return Some(match self.constant(rhs) {
                    Some(Constant::Int(divisor)) if divisor > 0 => {
                        let range = range_shifted(range, i128::from(divisor.ilog2()));
                        Range { width: range.width.min(max_width), ..range }
                    }
                    Some(_) | None => {
                        let is_positive = range.is_positive && self.range(rhs, width)?.is_positive;
                        Range { is_positive, ..range }
                    }
                });
            }
        };
        let range = combine(self.range(lhs, width)?, self.range(rhs, width)?);
        let is_positive = range.is_positive || of_type.is_positive;
        Some(Range { width: range.width.min(max_width), is_positive })
    }

    /// The values of a type; of an enum without a type of its own, those that hold its enumerators.
    pub(super) fn type_range(&self, ty: Ty) -> Option<Range> {
        let types = self.types();
        if let TyKind::Enum(enum_) = *types.kind(ty)
            && !types.enums[enum_].is_fixed
        {
            let data = &types.enums[enum_];
            let values =
                data.enumerators.iter().flatten().map(|(_, value)| Exact::of(data.underlying, *value));
            return values.map(|value| Range::of_value(value, data.underlying)).reduce(Range::join);
        }
        types.int_ty(ty).map(Range::of_int)
    }

    fn place_range(&self, place: Place) -> Option<Range> {
        let ty = self.body.places[place].ty;
        match self.bit_width(place) {
            Some(width) => {
                let is_positive = !self.types().int_ty(ty)?.is_signed();
                Some(Range { width, is_positive })
            }
            None => self.type_range(ty),
        }
    }

    /// The width of the bit-field that the place is.
    pub(super) fn bit_width(&self, place: Place) -> Option<u32> {
        let PlaceData::Field(outer, idx) = self.body.places[place].data else { return None };
        let types = self.types();
        let record = types.record(self.body.places[outer].ty)?;
        types.records[record].fields.as_ref()?.get(idx as usize)?.bit_width
    }
}

fn range_shifted(range: Range, count: i128) -> Range {
    let least = u32::from(!range.is_positive);
    let width = match u32::try_from(count) {
        Ok(count) if count < range.width => range.width - count,
        Ok(_) | Err(_) => least,
    };
    Range { width, ..range }
}
