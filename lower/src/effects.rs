//! Whether evaluating one expression can change the value of another.

use weft_frontend::ir::{Body, Expr, ExprData, Place, PlaceData};

/// Whether the expression has no side effects.
pub(crate) fn is_pure(body: &Body, expr: Expr) -> bool {
    match &body.exprs[expr].data {
        ExprData::Int(_)
        | ExprData::WideInt(_)
        | ExprData::Float(_)
        | ExprData::Null
        | ExprData::FuncAddr(_)
        | ExprData::SpecialReg(_)
        | ExprData::Bound => true,
        ExprData::Load(place) | ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
            is_pure_place(body, *place)
        }
        ExprData::Unary(_, operand) | ExprData::Not(operand) | ExprData::Convert(_, operand) => {
            is_pure(body, *operand)
        }
        ExprData::Binary(_, left, right)
        | ExprData::Compare(_, left, right)
        | ExprData::Logical(_, left, right)
        | ExprData::PtrDiff(left, right)
        | ExprData::PtrOffset { ptr: left, index: right, .. }
        | ExprData::Comma(left, right) => is_pure(body, *left) && is_pure(body, *right),
        ExprData::Conditional { cond, then, otherwise } => {
            is_pure(body, *cond) && is_pure(body, *then) && is_pure(body, *otherwise)
        }
        ExprData::Record(members) => members.iter().all(|&member| is_pure(body, member)),
        ExprData::Builtin(builtin, args) => builtin.is_pure() && args.iter().all(|&arg| is_pure(body, arg)),
        ExprData::Assign { .. }
        | ExprData::Modify { .. }
        | ExprData::Call { .. }
        | ExprData::CallIndirect { .. }
        | ExprData::Block(..)
        | ExprData::VaList(..) => false,
    }
}

/// Whether evaluating the place has no side effects.
pub(crate) fn is_pure_place(body: &Body, place: Place) -> bool {
    match body.places[place].data {
        PlaceData::Local(_) | PlaceData::Global(_) => true,
        PlaceData::Deref(pointer) => is_pure(body, pointer),
        PlaceData::Field(base, _) => is_pure_place(body, base),
        PlaceData::Temporary(value) => is_pure(body, value),
        PlaceData::Conditional(cond, choice) => {
            let mut chosen = body.choices[choice].into_iter();
            is_pure(body, cond) && chosen.all(|place| is_pure_place(body, place))
        }
        PlaceData::Comma(effect, place) => is_pure(body, effect) && is_pure_place(body, place),
        PlaceData::Assigned(_) | PlaceData::CompoundLiteral(..) => false,
    }
}
