//! Values of expressions.

use super::const_eval::Value;
use super::value::{Datum, Pointer, Step};
use super::{Eval, Evaluator, Frame};
use crate::ir::{Conversion, Expr, ExprData, LogicalOp, PlaceData};
use crate::source::Span;

impl<'c> Evaluator<'c, '_> {
    /// The value of the expression.
    pub(super) fn value(&mut self, frame: &mut Frame<'c>, expr: Expr) -> Eval<Datum> {
        let node = &frame.nodes.exprs[expr];
        match node.data {
            ExprData::Int(value) => return Ok(Datum::Int(value.into())),
            ExprData::Load(place) if let PlaceData::Local(_) = frame.nodes.places[place].data => {
                self.work(1, node.span)?;
                return self.load(frame, place);
            }
            _ => {}
        }
        let span = node.span;
        self.work(1, span)?;
        self.nested(span, |evaluator| evaluator.value_of(frame, expr))
    }

    fn value_of(&mut self, frame: &mut Frame<'c>, expr: Expr) -> Eval<Datum> {
        let nodes = frame.nodes;
        let node = &nodes.exprs[expr];
        let span = node.span;
        match node.data {
            ExprData::Int(value) => Ok(Datum::Int(value.into())),
            ExprData::WideInt(ref value) => Ok(Datum::Int(**value)),
            ExprData::Float(_) if self.cx.expressions_ref().is_long_double(node.ty) => {
                self.long_double(frame, expr, span)
            }
            ExprData::Float(value) => Ok(Datum::Float(value)),
            ExprData::Null => Ok(Datum::null()),
            ExprData::Load(place) => self.load(frame, place),
            ExprData::AddrOf(place) => {
                let address = self.place(frame, place)?;
                Ok(Datum::Pointer(Box::new(Pointer::Object(address))))
            }
            ExprData::ArrayDecay(place) => {
                let address = self.place(frame, place)?.part(Step::Index(0));
                Ok(Datum::Pointer(Box::new(Pointer::Object(address))))
            }
            ExprData::FuncAddr(func) => Ok(Datum::Pointer(Box::new(Pointer::Func(func)))),
            ExprData::SpecialReg(_) => self.stop(span, "reads a built-in variable"),
            ExprData::Unary(op, operand) => {
                let operand = self.value(frame, operand)?;
                self.unary(op, &operand, node.ty, span)
            }
            ExprData::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (self.value(frame, lhs)?, self.value(frame, rhs)?);
                self.binary(op, &lhs, &rhs, node.ty, span)
            }
            ExprData::Compare(op, lhs, rhs) => {
                let ty = nodes.exprs[lhs].ty;
                let (lhs, rhs) = (self.value(frame, lhs)?, self.value(frame, rhs)?);
                self.compare(op, &lhs, &rhs, ty, span)
            }
            ExprData::Not(operand) => Ok(truth_datum(!self.truth(frame, operand)?)),
            ExprData::Logical(op, lhs, rhs) => {
                let decided = op == LogicalOp::Or;
                let value = self.truth(frame, lhs)?;
                Ok(truth_datum(if value == decided { value } else { self.truth(frame, rhs)? }))
            }
            ExprData::PtrOffset { ptr, index, subtract } => {
                let (pointer, index) = (self.pointer(frame, ptr)?, self.value(frame, index)?);
                self.moved(&pointer, &index, subtract, span)
            }
            ExprData::PtrDiff(lhs, rhs) => {
                let (lhs, rhs) = (self.pointer(frame, lhs)?, self.pointer(frame, rhs)?);
                self.distance(&lhs, &rhs, span)
            }
            ExprData::Convert(Conversion::ToVoid, operand) => {
                self.discarded(frame, operand)?;
                Ok(Datum::Nothing)
            }
            ExprData::Convert(conversion, operand) => {
                let from = nodes.exprs[operand].ty;
                if self.cx.expressions_ref().is_long_double(from) {
                    return self.long_double(frame, expr, span);
                }
                let operand = self.value(frame, operand)?;
                self.converted(conversion, operand, from, node.ty, span)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let taken = if self.truth(frame, cond)? { then } else { otherwise };
                self.value(frame, taken)
            }
            ExprData::Assign { .. } | ExprData::Modify { .. } => Ok(self.assign(frame, expr)?.1),
            ExprData::Bound => match frame.bound.iter().rev().find(|(bound, _)| *bound == expr) {
                Some((_, value)) => Ok(value.clone()),
                None => self.stop(span, "reads an object"),
            },
            ExprData::Comma(first, second) => {
                self.discarded(frame, first)?;
                self.value(frame, second)
            }
            ExprData::Call { callee, ref args, from_last } => {
                self.call(frame, callee, (args, from_last), span)
            }
            ExprData::CallIndirect { callee, ref args } => {
                let pointer = self.pointer(frame, callee)?;
                match pointer {
                    Pointer::Func(callee) => self.call(frame, callee, (args, false), span),
                    Pointer::Null | Pointer::Object(_) => self.stop(span, "calls a null pointer"),
                }
            }
            ExprData::Builtin(ref builtin, ref args) => self.builtin(frame, builtin, args, span),
            ExprData::Block(ref list, value) => self.statements(frame, list, value.expand(), span),
            ExprData::VaList(..) => self.stop(span, "reads a variadic argument"),
            // Functions that make vectors are not `constexpr`.
            ExprData::Record(_) if !self.cx.builtins_ref().is_dim3_ty(node.ty) => {
                self.stop(span, "calls a function that is not `constexpr`")
            }
            ExprData::Record(ref fields) => {
                let fields = fields.iter().map(|&field| self.value(frame, field));
                fields.collect::<Eval<_>>().map(Datum::Record)
            }
        }
    }

    /// A `long double`, which only the expression that is not in a function may have: as elsewhere.
    fn long_double(&mut self, frame: &Frame<'c>, expr: Expr, span: Span) -> Eval<Datum> {
        if !frame.is_root {
            return self.stop(span, "`long double` is not evaluated in functions");
        }
        match self.cx.constants().eval(expr, self.mode).map_err(Box::new)? {
            Value::Int(value) => Ok(Datum::Int(value)),
            Value::Float(value) => Ok(Datum::Float(value)),
            Value::Extended(_) | Value::Addr(..) => {
                self.stop(span, "`long double` is not evaluated in functions")
            }
        }
    }

    /// The value of a `bool`.
    pub(super) fn truth(&mut self, frame: &mut Frame<'c>, expr: Expr) -> Eval<bool> {
        match self.value(frame, expr)? {
            Datum::Int(value) => Ok(value != 0),
            _ => self.stop(frame.nodes.exprs[expr].span, "the condition is not a constant"),
        }
    }

    /// The value of a pointer.
    pub(super) fn pointer(&mut self, frame: &mut Frame<'c>, expr: Expr) -> Eval<Pointer> {
        match self.value(frame, expr)? {
            Datum::Pointer(pointer) => Ok(*pointer),
            _ => self.stop(frame.nodes.exprs[expr].span, "the pointer is not a constant"),
        }
    }

    /// Evaluates what is not used: an object that is named is not read (C++17 8p12).
    pub(super) fn discarded(&mut self, frame: &mut Frame<'c>, expr: Expr) -> Eval<()> {
        match frame.nodes.exprs[expr].data {
            ExprData::Load(place) => self.place(frame, place).map(drop),
            _ => self.value(frame, expr).map(drop),
        }
    }
}

/// A `bool`.
pub(super) fn truth_datum(value: bool) -> Datum {
    Datum::Int(value.into())
}
