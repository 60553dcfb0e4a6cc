//! Assignments (C++17 8.18), and increments (C++17 8.2.6, 8.3.2).

use super::Operand;
use super::arith::{Operator, classify};
use crate::ast::{self, ExprId, InitId, InitKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    BinaryOp, Binding, Change, Expr, ExprData, IntTy, Place, PlaceData, Quals, Record, Scalar, Ty, View,
    Yields,
};
use crate::sema::Expressions;
use crate::sema::call::overload::{Arg, OperatorUse};
use crate::sema::conversion::Target;
use crate::source::Span;

impl Expressions<'_> {
    /// `lhs = rhs` and `lhs op= rhs` (C++17 8.18): see [`Operand::Assigned`].
    pub(super) fn check_assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        if let (None, ast::ExprKind::Braced(init)) = (op, &self.unit.exprs[rhs].kind) {
            return self.check_braced_assign(op_span, lhs, (*init, rhs), span);
        }
        if let Some(op) = op
            && self.known.has_operators
        {
            let (target, value) = (self.check_expr(lhs), self.calls().check_object_arg(rhs));
            let (target, value) = (target?, value?);
            let used = OperatorUse::assignment(op, op_span, span);
            let args = [self.calls().object_arg(target)?, value];
            if let Some(result) = self.calls().overloaded_operator(used, &args)? {
                return Ok(result);
            }
            let value = self.calls().typed_arg(value)?;
            return self.assign_to(Some(op), op_span, target, value, (lhs, rhs), span);
        }
        let target = self.check_expr(lhs);
        if op.is_none()
            && let Ok(object) = target
            && let Some(class) = self.assigned_class(object, op_span)?
        {
            let value = self.calls().check_object_arg(rhs)?;
            let methods = self.calls().assignments(class);
            if self.calls().takes_assigned(&methods, object, value) {
                return self.calls().call_assignment(&methods, object, op_span, value, span);
            }
            let value = self.unread(value)?;
            return self.assign_to(op, op_span, object, value, (lhs, rhs), span);
        }
        let value = match target {
            Ok(target) if op.is_none() && self.calls().overloads_behind(rhs).is_some() => {
                let to = self.operand_ty(target)?;
                self.calls().check_wanted(rhs, to)
            }
            _ => self.check_rvalue(rhs),
        };
        self.assign_to(op, op_span, target?, value?, (lhs, rhs), span)
    }

    /// The class of what is assigned to, if it has a say in how that is done, or in how a value is read.
    fn assigned_class(&mut self, object: Operand, op_span: Span) -> Result<Option<Record>, Reported> {
        let ty = self.operand_ty(object)?;
        if ty.is_plain_number() {
            return Ok(None);
        }
        // The operators of a class template's instance are known once it is complete.
        self.templates().complete(ty, op_span);
        let Some(class) = self.module.types.record(ty) else { return Ok(None) };
        let has_say =
            !self.manners_of_class(class).copies_bytes() || !self.calls().assignments(class).is_empty();
        Ok(has_say.then_some(class))
    }

    /// The value of an argument, where its bytes are all that is wanted of it.
    fn unread(&mut self, arg: Arg) -> Result<Expr, Reported> {
        match arg {
            Arg::Object(Operand::Place(place) | Operand::Member(place), value)
                if !self.manners_of(self.place_ty(place)).copies_bytes() =>
            {
                Ok(value)
            }
            _ => self.calls().typed_arg(arg),
        }
    }

    /// Assigns to the member or base of an object what another has there, for its effect.
    pub(in crate::sema) fn assign_whole(
        &mut self,
        place: Place,
        from: Operand,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.place_ty(place);
        let ty = self.module.types.unqualified(ty);
        let value = self.calls().object_arg(from)?;
        let class = self.module.types.record(ty);
        if let Some(class) = class.filter(|&class| !self.manners_of_class(class).assigns_bytes()) {
            let methods = self.calls().assignments(class);
            let object = Some(Operand::Place(place));
            let assigned = self.calls().call_method(&methods, object, span, &[value], span)?;
            return self.discard(assigned);
        }
        let value = match class {
            Some(_) => self.unread(value)?,
            None => self.rvalue(from)?,
        };
        Ok(self.expr(ExprData::Assign { place, value }, ty, span))
    }

    /// The built-in assignment of a value to what the left operand designates.
    fn assign_to(
        &mut self,
        op: Option<ast::BinaryOp>,
        op_span: Span,
        target: Operand,
        value: Expr,
        (lhs, rhs): (ExprId, ExprId),
        span: Span,
    ) -> Result<Operand, Reported> {
        let place = match target {
            // Records are classes to C++, whose assignment takes an rvalue too (C++17 15.8.2).
            Operand::Value(object)
                if op.is_none() && self.module.types.record(self.ty_of(object)).is_some() =>
            {
                let (ty, at) = (self.ty_of(object), self.span_of(object));
                let object = self.conversions().own_value(object)?;
                self.place(PlaceData::Temporary(object), ty, at)
            }
            _ => self.modifiable(target, op_span)?,
        };
        if matches!(op, None | Some(ast::BinaryOp::BitAnd | ast::BinaryOp::BitOr)) {
            self.warnings().warn_self_assign(lhs, rhs, op_span, place);
        }
        let object_ty = self.place_ty(place);
        let ty = self.module.types.unqualified(object_ty);
        let is_plain = ty.is_plain_number();
        let is_record = !is_plain && self.module.types.record(ty).is_some();
        if is_record && self.module.types.quals(object_ty).contains(Quals::VOLATILE) {
            let at = self.arena.places[place].span;
            return Err(self.volatile_copy(object_ty, at));
        }
        let Some(op) = op else {
            let value = self.conversions().convert(value, ty, Target::Assign)?;
            self.warnings().warn_bit_field_change(value, place);
            let assign = self.expr(ExprData::Assign { place, value }, ty, span);
            return Ok(Operand::Assigned(assign, object_ty));
        };
        let value = if is_record { value } else { self.conversions().operand_value(value)? };
        let Operator::Arith(op) = classify(op) else {
            unreachable!("invariant: only arithmetic operators combine with assignment")
        };
        let lhs_span = self.unit.exprs[lhs].span;
        // An operator of a class takes what converts to it.
        let converts = !is_plain
            && self.module.types.half_ty(ty).is_some()
            && self.builtins_ref().converts_by_half(self.ty_of(value), ty);
        let value = if converts { self.conversions().convert(value, ty, Target::Initialize)? } else { value };
        let value_ty = self.ty_of(value);
        let value_span = self.span_of(value);
        let bound = self.expr(ExprData::Bound, value_ty, value_span);
        self.copy_facts(value, bound);
        let rhs = Some(Binding { value, bound });
        let modify = self.modify(place, lhs_span, rhs, op, op_span, bound, Yields::New, span)?;
        Ok(Operand::Assigned(modify, object_ty))
    }

    /// `lhs = { … }` (C++17 8.18p9)
    fn check_braced_assign(
        &mut self,
        op_span: Span,
        lhs: ExprId,
        (init, rhs): (InitId, ExprId),
        span: Span,
    ) -> Result<Operand, Reported> {
        let target = self.check_expr(lhs)?;
        let ty = self.operand_ty(target)?;
        self.templates().complete(ty, op_span);
        if let Some(class) = self.module.types.record(ty) {
            let methods = self.calls().assignments(class);
            let is_call = match &self.unit.inits[init].kind {
                _ if !self.manners_of_class(class).assigns_bytes() => true,
                InitKind::List(items) => items.len() == 1 && !methods.is_empty(),
                InitKind::Expr(_) | InitKind::Parens(_) => false,
            };
            if is_call {
                return self.calls().call_assignment(&methods, target, op_span, Arg::Braced(init, rhs), span);
            }
        }
        let place = self.modifiable(target, op_span)?;
        let object_ty = self.place_ty(place);
        let ty = self.module.types.unqualified(object_ty);
        let value = self.conversions().check_braced(ty, init, Target::Assign)?;
        let assign = self.expr(ExprData::Assign { place, value }, ty, span);
        Ok(Operand::Assigned(assign, object_ty))
    }

    /// What is known of a value is known of the name it is bound to.
    fn copy_facts(&mut self, value: Expr, bound: Expr) {
        self.arena.bindings.add(bound, value);
        if self.arena.zero_literals.contains(value) {
            self.arena.zero_literals.add(bound, ());
        }
    }

    /// `place = old op operand`, with everything evaluated once.
    #[expect(clippy::too_many_arguments, reason = "the parts of one node")]
    fn modify(
        &mut self,
        place: Place,
        place_span: Span,
        rhs: Option<Binding>,
        op: BinaryOp,
        op_span: Span,
        operand: Expr,
        yields: Yields,
        span: Span,
    ) -> Result<Expr, Reported> {
        let object_ty = self.place_ty(place);
        let ty = self.module.types.unqualified(object_ty);
        let old = self.expr(ExprData::Bound, ty, place_span);
        let is_local = matches!(self.arena.places[place].data, PlaceData::Local(_));
        let promoted = if is_local { old } else { self.bit_field_operand(place, old) };
        let new = self.arithmetic(op, op_span, promoted, operand, span)?;
        let new = self.conversions().convert(new, ty, Target::Assign)?;
        let change = Change { rhs, old, new }.into();
        Ok(self.expr(ExprData::Modify { place, change, yields }, ty, span))
    }

    /// The old value of a bit-field promotes by its width (C++17 7.6p5), which the name bound to it
    /// does not show.
    fn bit_field_operand(&mut self, place: Place, old: Expr) -> Expr {
        let ty = self.ty_of(old);
        let Some(int) = self.module.types.int_ty(ty) else { return old };
        match self.conversions_ref().promotion_width(place) {
            Some(width) if width < 32 || width == 32 && int.is_signed() => {
                self.conversions().numeric(old, Ty::INT)
            }
            Some(32) => self.conversions().numeric(old, Ty::UINT),
            Some(_) | None => old,
        }
    }

    /// `++` and `--` (C++17 8.2.6, 8.3.2).
    pub(super) fn check_increment(
        &mut self,
        op: ast::UnaryOp,
        op_span: Span,
        operand: Operand,
        span: Span,
    ) -> Result<Operand, Reported> {
        let place = self.modifiable(operand, op_span)?;
        let (arith, yields) = match op {
            ast::UnaryOp::PreInc => (BinaryOp::Add, Yields::New),
            ast::UnaryOp::PreDec => (BinaryOp::Sub, Yields::New),
            ast::UnaryOp::PostInc => (BinaryOp::Add, Yields::Old),
            ast::UnaryOp::PostDec => (BinaryOp::Sub, Yields::Old),
            ast::UnaryOp::Plus
            | ast::UnaryOp::Neg
            | ast::UnaryOp::BitNot
            | ast::UnaryOp::Not
            | ast::UnaryOp::Deref
            | ast::UnaryOp::AddrOf => unreachable!("invariant: called for increments and decrements alone"),
        };
        let object_ty = self.place_ty(place);
        self.require_countable(object_ty, arith, op_span)?;
        let one = match self.module.types.half_ty(object_ty) {
            Some(half) => self.builtins().half_one(half, op_span),
            None => self.expr(ExprData::int(1), Ty::INT, op_span),
        };
        let place_span = self.arena.places[place].span;
        let modify = self.modify(place, place_span, None, arith, op_span, one, yields, span)?;
        Ok(match yields {
            Yields::New => Operand::Assigned(modify, object_ty),
            Yields::Old => Operand::Value(modify),
        })
    }

    fn require_countable(&mut self, ty: Ty, op: BinaryOp, op_span: Span) -> Result<(), Reported> {
        let what = if op == BinaryOp::Add { "increment" } else { "decrement" };
        match self.module.types.view(ty) {
            // nvcc takes what C++14 still had: the sum is true.
            View::Scalar(Scalar::Int(IntTy::Bool)) if op == BinaryOp::Add => {
                let message = "ISO C++17 does not allow incrementing expression of type `bool`";
                let diagnostic = Diagnostic::new(Code::IncrementOfBool, op_span, message)
                    .with_note("C++17 removed it")
                    .with_help("assign `true`");
                self.sink.emit(diagnostic);
                Ok(())
            }
            View::Scalar(Scalar::Int(IntTy::Bool)) => {
                let message = format!("cannot {what} expression of type `bool`");
                let diagnostic = Diagnostic::new(Code::InvalidOperands, op_span, message)
                    .with_note("C++ does not allow `--` on `bool`");
                Err(self.sink.error(diagnostic))
            }
            // Unlike `p + 1`: nvcc takes that alone.
            View::Scalar(Scalar::Pointer(to)) if self.module.types.view(to) == View::Void => {
                Err(self.error(Code::InvalidOperands, op_span, "arithmetic on a pointer to `void`"))
            }
            View::Scalar(Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer(_)) => Ok(()),
            View::Record(_) if self.module.types.half_ty(ty).is_some() => Ok(()),
            _ => {
                let ty = self.show(ty);
                let message = format!("cannot {what} a value of type {ty}");
                Err(self.error(Code::InvalidOperands, op_span, message))
            }
        }
    }
}
