//! The conditional operator, and GNU C's without its middle.

use thin_vec::thin_vec;

use super::Operand;
use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, InitData, Place, PlaceData, Quals, StmtData, Ty};
use crate::sema::Expressions;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::source::Span;

impl Expressions<'_> {
    /// `cond ? then : otherwise` (C++17 8.16).
    pub(super) fn check_conditional(
        &mut self,
        cond: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        self.warnings().warn_conditional_operator(cond);
        let Some(then) = then else { return self.check_short_conditional(cond, otherwise, span) };
        let cond = self.conversions().check_condition(cond);
        let (then, otherwise) = (self.check_expr(then), self.check_expr(otherwise));
        let (cond, then, otherwise) = (cond?, then?, otherwise?);
        if let (Some(then), Some(otherwise)) = (self.as_place(then), self.as_place(otherwise))
            && let Some([then, otherwise]) = self.places_of_one_type(then, otherwise)
        {
            let ty = self.place_ty(then);
            let choice = self.arena.choices.push([then, otherwise]);
            return Ok(Operand::Place(self.place(PlaceData::Conditional(cond, choice), ty, span)));
        }
        let operands = [then, otherwise];
        let (then, otherwise) = (self.rvalue(then)?, self.rvalue(otherwise)?);
        let [then, otherwise] = self.values_of_one_type(operands, [then, otherwise], span)?;
        let (then, otherwise, ty) = self.conditional_values(then, otherwise, span)?;
        let is_null = self.chooses_null(cond, then, otherwise);
        let chosen = self.expr(ExprData::Conditional { cond, then, otherwise }, ty, span);
        if self.module.types.record(ty).is_some() {
            let mut quals = Quals::empty();
            for operand in operands {
                let ty = self.operand_ty(operand)?;
                quals |= self.module.types.quals(ty);
            }
            self.note_quals(chosen, quals);
        }
        if is_null {
            let null = self.expr(ExprData::int(0), ty, span);
            self.arena.zero_literals.add(null, ());
            return Ok(Operand::Value(null));
        }
        Ok(Operand::Value(chosen))
    }

    /// Two places of the same type, or one that a reference to the type of the other may be to (C++17 8.16p4.1): of the same class with
    /// fewer qualifiers, or of a derived one.
    fn places_of_one_type(&mut self, then: Place, otherwise: Place) -> Option<[Place; 2]> {
        let (left, right) = (self.place_ty(then), self.place_ty(otherwise));
        if self.same(left, right) {
            return Some([then, otherwise]);
        }
        self.module.types.record(left)?;
        if let Some(otherwise) = self.place_as(otherwise, left) {
            return Some([then, otherwise]);
        }
        self.place_as(then, right).map(|then| [then, otherwise])
    }

    /// The object as one of the type of another, if that is its class with as many qualifiers or a base of it.
    fn place_as(&mut self, place: Place, to: Ty) -> Option<Place> {
        let from = self.place_ty(place);
        if !self.module.types.quals(to).contains(self.module.types.quals(from)) {
            return None;
        }
        let part = if self.same_unqualified(from, to) {
            place
        } else {
            let path = self.types_ref().derivation(from, to)?;
            let span = self.arena.places[place].span;
            self.types().part_of_base(place, &path, span)
        };
        Some(self.qualified_place(part, to))
    }

    /// Values of which one is of a class and is converted to the type of the other, or the other to its, if just one of them can be
    /// (C++17 8.16p4.3). Otherwise class values are the operands of built-in operators (8.16p6).
    fn values_of_one_type(
        &mut self,
        operands: [Operand; 2],
        values: [Expr; 2],
        span: Span,
    ) -> Result<[Expr; 2], Reported> {
        let types = values.map(|value| self.ty_of(value));
        let has_class = types.iter().any(|&ty| self.module.types.record(ty).is_some());
        if !has_class || self.known.specials.is_empty() || self.same(types[0], types[1]) {
            return Ok(values);
        }
        let [then, otherwise] = values;
        let is_then_made = self.is_convertible_to_other(operands[0], then, operands[1], types[1])?;
        let is_otherwise_made =
            self.is_convertible_to_other(operands[1], otherwise, operands[0], types[0])?;
        match (is_then_made, is_otherwise_made) {
            (true, true) => {
                let [left, right] = types.map(|ty| self.show(ty));
                let message = format!(
                    "conditional expression is ambiguous: {left} can be converted to {right}, and the other way round"
                );
                let diagnostic = Diagnostic::new(Code::InvalidOperands, span, message)
                    .with_label(self.span_of(then), left)
                    .with_label(self.span_of(otherwise), right);
                Err(self.sink.error(diagnostic))
            }
            (true, false) => Ok([self.conversions().convert(then, types[1], Target::Initialize)?, otherwise]),
            (false, true) => Ok([then, self.conversions().convert(otherwise, types[0], Target::Initialize)?]),
            (false, false) => {
                let then = self.conversions().operand_value(then)?;
                Ok([then, self.conversions().operand_value(otherwise)?])
            }
        }
    }

    fn is_convertible_to_other(
        &mut self,
        operand: Operand,
        value: Expr,
        other: Operand,
        to: Ty,
    ) -> Result<bool, Reported> {
        let from = self.ty_of(value);
        if self.types_ref().derivation(from, to).is_some() {
            let [from, to] = [self.operand_ty(operand)?, self.operand_ty(other)?];
            return Ok(self.module.types.quals(to).contains(self.module.types.quals(from)));
        }
        if self.types_ref().derivation(to, from).is_some() {
            return Ok(false);
        }
        Ok(self.conversions().class_conversion(value, to).is_some())
    }

    fn qualified_place(&mut self, place: Place, ty: Ty) -> Place {
        let span = self.arena.places[place].span;
        let address = self.conversions().address_as(place, ty, span);
        self.place(PlaceData::Deref(address), ty, span)
    }

    /// Whether constants choose between integer constants, and the one chosen is a literal zero: to nvcc, that is a null
    /// pointer constant too.
    fn chooses_null(&self, cond: Expr, then: Expr, otherwise: Expr) -> bool {
        let is_literal = |value: Expr| matches!(self.arena.exprs[value].data, ExprData::Int(_));
        let chosen = match self.arena.exprs[cond].data {
            // Mostly it is no constant.
            _ if !is_literal(then) || !is_literal(otherwise) => return false,
            _ => match self.constants().eval(cond, Mode::Optional) {
                Ok(Value::Int(0)) => otherwise,
                Ok(Value::Int(_)) => then,
                Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => return false,
            },
        };
        self.arena.zero_literals.contains(chosen)
    }

    /// `value ?: otherwise`: the value, which is evaluated once, where it is true (GNU C "Conditionals
    /// with Omitted Operands").
    fn check_short_conditional(
        &mut self,
        value: ExprId,
        otherwise: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let (value, otherwise) = (self.check_rvalue(value), self.check_rvalue(otherwise));
        let (value, otherwise) = (value?, otherwise?);
        let (ty, at) = (self.ty_of(value), self.span_of(value));
        let constant = match self.constants().eval(value, Mode::Optional) {
            Ok(constant @ (Value::Int(_) | Value::Float(_) | Value::Extended(_))) => Some(constant),
            Ok(Value::Addr(..)) | Err(_) => None,
        };
        let (tested, then, named) = match (constant, &self.func) {
            (Some(constant), _) => (self.value_expr(constant, ty, at), value, None),
            // No function: it is dropped once its value is known, and may be shared.
            (None, None) => (value, value, None),
            (None, Some(_)) => {
                let local = self.conversions().unnamed_local(ty, at);
                let init = self.init(InitData::Expr(value), at);
                let declared = self.statements().stmt(StmtData::Local(local, Some(init)), at);
                let [tested, then] = [(); 2].map(|()| {
                    let place = self.place(PlaceData::Local(local), ty, at);
                    self.expr(ExprData::Load(place), ty, at)
                });
                self.arena.bindings.add(then, value);
                (tested, then, Some(declared))
            }
        };
        let cond = self.conversions().truth(tested)?;
        let (then, otherwise, ty) = self.conditional_values(then, otherwise, span)?;
        let chosen = self.expr(ExprData::Conditional { cond, then, otherwise }, ty, span);
        Ok(Operand::Value(match named {
            Some(named) => self.expr(ExprData::Block(thin_vec![named], chosen.into()), ty, span),
            None => chosen,
        }))
    }

    fn as_place(&mut self, operand: Operand) -> Option<Place> {
        match operand {
            Operand::Place(place) => Some(place),
            Operand::Assigned(expr, ty) => {
                let span = self.span_of(expr);
                Some(self.place(PlaceData::Assigned(expr), ty, span))
            }
            Operand::Value(_)
            | Operand::Member(_)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..)
            | Operand::Const(..)
            | Operand::Special(..) => None,
        }
    }

    fn conditional_values(
        &mut self,
        then: Expr,
        otherwise: Expr,
        span: Span,
    ) -> Result<(Expr, Expr, Ty), Reported> {
        let (left, right) = (self.ty_of(then), self.ty_of(otherwise));
        if self.same(left, right) {
            return Ok((then, otherwise, left));
        }
        if let Some(common) = self.conversions().usual_arithmetic(then, otherwise) {
            return Ok(common);
        }
        let types = &self.module.types;
        let common = match (types.pointee(left).is_some(), types.pointee(right).is_some()) {
            (true, true) => self.conversions().composite_pointer(left, right),
            (true, false) if self.conversions_ref().is_null_constant(otherwise) => Some(left),
            (false, true) if self.conversions_ref().is_null_constant(then) => Some(right),
            (true, false) | (false, true) | (false, false) => None,
        };
        let Some(common) = common else {
            let (left_shown, right_shown) = (self.show(left), self.show(right));
            let message = format!("incompatible operand types ({left_shown} and {right_shown})");
            let diagnostic = Diagnostic::new(Code::InvalidOperands, span, message)
                .with_label(self.span_of(then), left_shown)
                .with_label(self.span_of(otherwise), right_shown);
            return Err(self.sink.error(diagnostic));
        };
        Ok((
            self.conversions().as_composite(then, common)?,
            self.conversions().as_composite(otherwise, common)?,
            common,
        ))
    }
}
