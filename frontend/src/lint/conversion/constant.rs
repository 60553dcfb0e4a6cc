//! The values of expressions of literals, for the checks of conversions.

use std::collections::BTreeMap;

use crate::ir::{
    Body, CompareOp, Conversion, Expr, ExprData, IntTy, Local, LogicalOp, PlaceData, TyKind, TypeTable,
    UnaryOp,
};

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// Of an integer, `bool` or enum type.
    Int(i128),
    /// Of a floating type.
    Float(f64),
}

/// The value of an expression that has no effect and reads no variable,
/// but for those whose values are `known`.
pub(super) fn constant(
    types: &TypeTable,
    body: &Body,
    known: &BTreeMap<Local, Constant>,
    expr: Expr,
) -> Option<Constant> {
    let node = &body.exprs[expr];
    let of = |expr| constant(types, body, known, expr);
    match node.data {
        ExprData::Int(value) => Some(Constant::Int(value.into())),
        ExprData::WideInt(ref value) => Some(Constant::Int(**value)),
        ExprData::Float(value) => Some(Constant::Float(value)),
        ExprData::Convert(conversion, inner) => {
            let from = types.int_ty(body.exprs[inner].ty);
            converted(conversion, from, types.int_ty(node.ty), is_float(types, body, expr), of(inner)?)
        }
        ExprData::Unary(op, inner) => match (op, of(inner)?) {
            (_, Constant::Int(value)) => {
                types.int_ty(node.ty).map(|int| Constant::Int(int.unary(op, value).value))
            }
            (UnaryOp::Neg, Constant::Float(value)) => Some(Constant::Float(-value)),
            (UnaryOp::BitNot, Constant::Float(_)) => None,
        },
        ExprData::Binary(op, lhs, rhs) => match (of(lhs)?, of(rhs)?) {
            (Constant::Int(a), Constant::Int(b)) => {
                let computed = types.int_ty(node.ty)?.binary(op, a, b).ok()?;
                Some(Constant::Int(computed.value))
            }
            (Constant::Float(a), Constant::Float(b)) => {
                use crate::ir::BinaryOp;
                let value = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Rem
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::Shr => return None,
                };
                Some(Constant::Float(if is_float(types, body, expr) {
                    f64::from(value as f32)
                } else {
                    value
                }))
            }
            (Constant::Int(_), Constant::Float(_)) | (Constant::Float(_), Constant::Int(_)) => None,
        },
        ExprData::Compare(op, lhs, rhs) => {
            let holds = match (of(lhs)?, of(rhs)?) {
                (Constant::Int(a), Constant::Int(b)) => types.int_ty(body.exprs[lhs].ty)?.compare(op, a, b),
                (Constant::Float(a), Constant::Float(b)) => match op {
                    CompareOp::Eq => a == b,
                    CompareOp::Ne => a != b,
                    CompareOp::Lt => a < b,
                    CompareOp::Le => a <= b,
                    CompareOp::Gt => a > b,
                    CompareOp::Ge => a >= b,
                },
                (Constant::Int(_), Constant::Float(_)) | (Constant::Float(_), Constant::Int(_)) => {
                    return None;
                }
            };
            Some(Constant::Int(i128::from(holds)))
        }
        ExprData::Not(inner) => truth(of(inner)?).map(|truth| Constant::Int(i128::from(!truth))),
        ExprData::Logical(op, lhs, rhs) => {
            let left = truth(of(lhs)?)?;
            let decides = op == LogicalOp::Or;
            let value = if left == decides { left } else { truth(of(rhs)?)? };
            Some(Constant::Int(i128::from(value)))
        }
        ExprData::Conditional { cond, then, otherwise } => {
            of(if truth(of(cond)?)? { then } else { otherwise })
        }
        ExprData::Load(place) => match body.places[place].data {
            PlaceData::Local(local) => known.get(&local).copied(),
            _ => None,
        },
        ExprData::Null
        | ExprData::AddrOf(_)
        | ExprData::ArrayDecay(_)
        | ExprData::FuncAddr(_)
        | ExprData::SpecialReg(_)
        | ExprData::PtrOffset { .. }
        | ExprData::PtrDiff(..)
        | ExprData::Assign { .. }
        | ExprData::Modify { .. }
        | ExprData::Bound
        | ExprData::Call { .. }
        | ExprData::CallIndirect { .. }
        | ExprData::Builtin(..)
        | ExprData::Comma(..)
        | ExprData::Block(..)
        | ExprData::Record(_)
        | ExprData::VaList(..) => None,
    }
}

fn is_float(types: &TypeTable, body: &Body, expr: Expr) -> bool {
    matches!(types.kind(body.exprs[expr].ty), TyKind::Float(crate::ir::FloatTy::Float))
}

fn truth(value: Constant) -> Option<bool> {
    match value {
        Constant::Int(value) => Some(value != 0),
        Constant::Float(_) => None,
    }
}

fn converted(
    conversion: Conversion,
    from: Option<IntTy>,
    to: Option<IntTy>,
    to_float: bool,
    value: Constant,
) -> Option<Constant> {
    use crate::ir::integer::Exact;
    let rounded = |value: f64| Constant::Float(if to_float { f64::from(value as f32) } else { value });
    match (conversion, value) {
        (Conversion::IntToInt, Constant::Int(value)) => to.map(|to| Constant::Int(to.wrap(value))),
        (Conversion::IntToFloat, Constant::Int(value)) => {
            from.map(|from| rounded(Exact::of(from, value).to_f64()))
        }
        (Conversion::FloatToFloat, Constant::Float(value)) => Some(rounded(value)),
        (Conversion::FloatToInt, Constant::Float(value)) => {
            let exact = Exact::truncated(value)?;
            to.filter(|&to| exact.fits(to)).map(|to| Constant::Int(exact.wrapped(to)))
        }
        (Conversion::ToBool, Constant::Int(value)) => Some(Constant::Int(i128::from(value != 0))),
        (Conversion::ToBool, Constant::Float(value)) => Some(Constant::Int(i128::from(value != 0.0))),
        (
            Conversion::IntToInt
            | Conversion::IntToFloat
            | Conversion::FloatToInt
            | Conversion::FloatToFloat
            | Conversion::PtrToBool
            | Conversion::PtrToPtr
            | Conversion::IntToPtr
            | Conversion::PtrToInt
            | Conversion::HandleToInt
            | Conversion::ToVoid,
            _,
        ) => None,
    }
}
