//! Whether evaluating one expression can change the value of another.

use weft_frontend::ir::{Expr, ExprData, Place, PlaceData};

use crate::function::FnCx;

impl FnCx<'_, '_, '_> {
    /// Whether the expression has no side effects.
    pub(crate) fn is_pure(&self, expr: Expr) -> bool {
        match &self.body.exprs[expr].data {
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Bound => true,
            ExprData::Load(place) | ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                self.is_pure_place(*place)
            }
            ExprData::Unary(_, operand) | ExprData::Not(operand) | ExprData::Convert(_, operand) => {
                self.is_pure(*operand)
            }
            ExprData::Binary(_, left, right)
            | ExprData::Compare(_, left, right)
            | ExprData::Logical(_, left, right)
            | ExprData::PtrDiff(left, right)
            | ExprData::PtrOffset { ptr: left, index: right, .. }
            | ExprData::Comma(left, right) => self.is_pure(*left) && self.is_pure(*right),
            ExprData::Conditional { cond, then, otherwise } => {
                self.is_pure(*cond) && self.is_pure(*then) && self.is_pure(*otherwise)
            }
            ExprData::Record(members) => members.iter().all(|&member| self.is_pure(member)),
            ExprData::Builtin(builtin, args) => {
                builtin.is_pure() && args.iter().all(|&arg| self.is_pure(arg))
            }
            ExprData::Assign { .. }
            | ExprData::Modify { .. }
            | ExprData::Call { .. }
            | ExprData::CallIndirect { .. }
            | ExprData::Block(..)
            | ExprData::VaList(..) => false,
        }
    }

    /// Whether evaluating the place has no side effects.
    pub(crate) fn is_pure_place(&self, place: Place) -> bool {
        match self.body.places[place].data {
            PlaceData::Local(_) | PlaceData::Global(_) => true,
            PlaceData::Deref(pointer) => self.is_pure(pointer),
            PlaceData::Field(base, _) => self.is_pure_place(base),
            PlaceData::Temporary(value) => self.is_pure(value),
            PlaceData::Conditional(cond, choice) => {
                let mut chosen = self.body.choices[choice].into_iter();
                self.is_pure(cond) && chosen.all(|place| self.is_pure_place(place))
            }
            PlaceData::Comma(effect, place) => self.is_pure(effect) && self.is_pure_place(place),
            PlaceData::Assigned(_) | PlaceData::CompoundLiteral(..) => false,
        }
    }
}
