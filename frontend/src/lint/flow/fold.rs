//! Constant conditions, such as `while (1)`.

use crate::ir::{BinaryOp, Body, CompareOp, Conversion, Expr, ExprData, LogicalOp};

/// The truth of a condition that has always the same.
pub(super) fn truth(body: &Body, cond: Expr) -> Option<bool> {
    value(body, cond).map(|value| value != 0)
}

/// The value of an integer expression of literals.
pub(in crate::lint) fn value(body: &Body, expr: Expr) -> Option<i128> {
    let node = &body.exprs[expr];
    match node.data {
        ExprData::Int(value) => Some(value.into()),
        ExprData::WideInt(ref value) => Some(**value),
        ExprData::Convert(Conversion::ToBool, inner) => {
            value(body, inner).map(|value| i128::from(value != 0))
        }
        // Only values that are certainly in the range of the type.
        ExprData::Convert(Conversion::IntToInt, inner) => {
            value(body, inner).filter(|value| (0..=127).contains(value))
        }
        ExprData::Not(inner) => value(body, inner).map(|value| i128::from(value == 0)),
        ExprData::Compare(op, lhs, rhs) => {
            let (lhs, rhs) = (value(body, lhs)?, value(body, rhs)?);
            let holds = match op {
                CompareOp::Eq => lhs == rhs,
                CompareOp::Ne => lhs != rhs,
                CompareOp::Lt => lhs < rhs,
                CompareOp::Le => lhs <= rhs,
                CompareOp::Gt => lhs > rhs,
                CompareOp::Ge => lhs >= rhs,
            };
            Some(i128::from(holds))
        }
        ExprData::Logical(op, lhs, rhs) => {
            let decides = matches!(op, LogicalOp::Or);
            match (value(body, lhs).map(|v| v != 0), value(body, rhs).map(|v| v != 0)) {
                (Some(lhs), _) if lhs == decides => Some(i128::from(decides)),
                (Some(_), Some(rhs)) => Some(i128::from(rhs)),
                (Some(_) | None, _) => None,
            }
        }
        ExprData::Binary(BinaryOp::Add, lhs, rhs) => {
            let sum = value(body, lhs)?.checked_add(value(body, rhs)?)?;
            (0..=i128::from(i32::MAX)).contains(&sum).then_some(sum)
        }
        _ => None,
    }
}
