//! Operators on values: arithmetic, comparisons, conversions, and what moves pointers.

use super::const_eval;
use super::const_eval::{Mode, NotConstant, Value};
use super::expr::truth_datum;
use super::value::{Address, Datum, Pointer, Root, Step};
use super::{Eval, Evaluator};
use crate::ir::{BinaryOp, CompareOp, Conversion, Ty, TyKind, UnaryOp};
use crate::source::Span;

const NO_NUMBER: &str = "the operands are not constants";
const OTHER_OBJECTS: &str = "compares pointers to different objects";

impl Evaluator<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Datum, ty: Ty, span: Span) -> Eval<Datum> {
        let Some(operand) = number(operand) else { return self.stop(span, NO_NUMBER) };
        let value = self.cx.constants().unary_value(op, operand, ty, Mode::Required);
        self.datum_of(value.map_err(|why| NotConstant::new(span, why))?, ty, span)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: &Datum,
        rhs: &Datum,
        ty: Ty,
        span: Span,
    ) -> Eval<Datum> {
        let (Some(lhs), Some(rhs)) = (number(lhs), number(rhs)) else { return self.stop(span, NO_NUMBER) };
        let value = self.cx.constants().binary_value(op, lhs, rhs, ty, Mode::Required);
        self.datum_of(value.map_err(|why| NotConstant::new(span, why))?, ty, span)
    }

    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        lhs: &Datum,
        rhs: &Datum,
        ty: Ty,
        span: Span,
    ) -> Eval<Datum> {
        if let (Datum::Pointer(lhs), Datum::Pointer(rhs)) = (lhs, rhs) {
            return self.compare_pointers(op, lhs, rhs, span);
        }
        let (Some(lhs), Some(rhs)) = (number(lhs), number(rhs)) else { return self.stop(span, NO_NUMBER) };
        match const_eval::compare(op, self.cx.module.types.int_ty(ty), lhs, rhs) {
            Some(holds) => Ok(truth_datum(holds)),
            None => self.stop(span, NO_NUMBER),
        }
    }

    // C++17 8.9, 8.10
    fn compare_pointers(&self, op: CompareOp, lhs: &Pointer, rhs: &Pointer, span: Span) -> Eval<Datum> {
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if let (Pointer::Object(lhs), Pointer::Object(rhs)) = (lhs, rhs)
            && let Some((a, b)) = same_array(lhs, rhs)
        {
            return Ok(truth_datum(match op {
                CompareOp::Eq => a == b,
                CompareOp::Ne => a != b,
                CompareOp::Lt => a < b,
                CompareOp::Le => a <= b,
                CompareOp::Gt => a > b,
                CompareOp::Ge => a >= b,
            }));
        }
        if !is_equality {
            return self.stop(span, OTHER_OBJECTS);
        }
        let is_equal = match (lhs, rhs) {
            (Pointer::Object(lhs), Pointer::Object(rhs)) => {
                let is_own = |address: &Address| matches!(address.root, Root::Slot(_));
                let are_told_apart = is_own(lhs) || is_own(rhs);
                if !are_told_apart
                    || self.require_object(lhs, span).is_err()
                    || self.require_object(rhs, span).is_err()
                {
                    return self.stop(span, OTHER_OBJECTS);
                }
                false
            }
            (Pointer::Func(_), Pointer::Func(_)) | (Pointer::Null, Pointer::Null) => lhs == rhs,
            (Pointer::Null | Pointer::Func(_) | Pointer::Object(_), _) => false,
        };
        Ok(truth_datum(is_equal == (op == CompareOp::Eq)))
    }

    /// A pointer some elements on, within its array or at its end (C++17 8.7p4).
    pub(super) fn moved(
        &mut self,
        pointer: &Pointer,
        index: &Datum,
        subtract: bool,
        span: Span,
    ) -> Eval<Datum> {
        let &Datum::Int(index) = index else { return self.stop(span, "the index is not a constant") };
        let distance = if subtract { index.checked_neg() } else { Some(index) };
        let Some(distance) = distance else { return self.stop(span, "the pointer leaves its object") };
        let address = match pointer {
            _ if distance == 0 => return Ok(Datum::Pointer(Box::new(pointer.clone()))),
            Pointer::Object(address) => address,
            Pointer::Null => return self.stop(span, "arithmetic on a null pointer"),
            Pointer::Func(_) => return self.stop(span, "arithmetic on a pointer to a function"),
        };
        let mut moved = address.clone();
        match (self.array_len(address, span)?, moved.path.last_mut()) {
            (Some(len), Some(Step::Index(idx))) => {
                let at = distance.checked_add(i128::from(*idx));
                match at.and_then(|at| u64::try_from(at).ok()).filter(|&at| at <= len) {
                    Some(at) => *idx = at,
                    None => {
                        let at = at.map_or("an element".to_owned(), |at| format!("element {at}"));
                        let why = format!("cannot refer to {at} of an array of {len} elements");
                        return self.stop_with(span, why);
                    }
                }
            }
            _ => match (address.is_past, distance) {
                (false, 1) => moved.is_past = true,
                (true, -1) => moved.is_past = false,
                (false | true, _) => return self.stop(span, "the pointer leaves its object"),
            },
        }
        Ok(Datum::Pointer(Box::new(Pointer::Object(moved))))
    }

    /// How many elements lie between two pointers into one array.
    pub(super) fn distance(&self, lhs: &Pointer, rhs: &Pointer, span: Span) -> Eval<Datum> {
        match (lhs, rhs) {
            (Pointer::Object(lhs), Pointer::Object(rhs)) if let Some((a, b)) = same_array(lhs, rhs) => {
                Ok(Datum::Int(i128::from(a) - i128::from(b)))
            }
            (Pointer::Null, Pointer::Null) => Ok(Datum::Int(0)),
            _ => self.stop(span, "subtracts pointers to different objects"),
        }
    }

    pub(super) fn converted(
        &mut self,
        conversion: Conversion,
        value: Datum,
        from: Ty,
        to: Ty,
        span: Span,
    ) -> Eval<Datum> {
        if self.cx.expressions_ref().is_long_double(to) {
            return self.stop(span, "`long double` is not evaluated in functions");
        }
        match (conversion, &value) {
            (Conversion::PtrToBool, Datum::Pointer(pointer)) => {
                Ok(truth_datum(!matches!(**pointer, Pointer::Null)))
            }
            (Conversion::PtrToPtr, Datum::Pointer(pointer)) => {
                if matches!(**pointer, Pointer::Null) || self.keeps_object(from, to) {
                    return Ok(value);
                }
                self.stop(span, "conversion to a pointer to another type")
            }
            (_, Datum::Int(_) | Datum::Float(_)) if let Some(value) = number(&value) => {
                match self.cx.constants().converted_value(conversion, value, from, to) {
                    Some(value @ (Value::Int(_) | Value::Float(_))) => self.datum_of(value, to, span),
                    Some(Value::Extended(_) | Value::Addr(..)) | None => {
                        self.stop(span, "conversion is not a constant expression")
                    }
                }
            }
            _ => self.stop(span, "conversion is not a constant expression"),
        }
    }

    /// Whether a pointer of the one type may be one of the other: qualifiers do not matter, and `void` takes all.
    fn keeps_object(&self, from: Ty, to: Ty) -> bool {
        let types = &self.cx.module.types;
        let (Some(from), Some(to)) = (types.pointee(from), types.pointee(to)) else { return false };
        match (types.kind(from), types.kind(to)) {
            (_, TyKind::Void) => true,
            (TyKind::Pointer(_), TyKind::Pointer(_)) => self.keeps_object(from, to),
            (TyKind::Array(from, n), TyKind::Array(to, m)) => {
                n == m && types.kind(types.canonical(*from)) == types.kind(types.canonical(*to))
            }
            (from, to) => from == to,
        }
    }
}

/// The number, if it is one.
fn number(datum: &Datum) -> Option<Value> {
    match *datum {
        Datum::Int(value) => Some(Value::Int(value)),
        Datum::Float(value) => Some(Value::Float(value)),
        Datum::Nothing | Datum::Pointer(_) | Datum::Array(_) | Datum::Record(_) | Datum::Union(..) => None,
    }
}

/// The positions of two elements of one array, ends included; of an object that is no element, of itself and its end.
fn same_array(lhs: &Address, rhs: &Address) -> Option<(u64, u64)> {
    if lhs.root != rhs.root {
        return None;
    }
    match (lhs.path.split_last(), rhs.path.split_last()) {
        (Some((&Step::Index(a), lhs)), Some((&Step::Index(b), rhs))) if lhs == rhs => Some((a, b)),
        _ if lhs.path == rhs.path => Some((lhs.is_past.into(), rhs.is_past.into())),
        _ => None,
    }
}
