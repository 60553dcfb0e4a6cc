//! Operators: arithmetic, comparison, logic, comma.

use super::Operand;
use crate::ast::{self, ExprId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    BinaryOp, CompareOp, Conversion, Expr, ExprData, IntTy, LogicalOp, PlaceData, Scalar, Ty, TyKind,
    UnaryOp, View,
};
use crate::sema::Expressions;
use crate::sema::call::overload::OperatorUse;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::warn::{Comparison, Dropped, Operation};
use crate::source::Span;

/// What a binary operator of the syntax is.
pub(in crate::sema) enum Operator {
    Arith(BinaryOp),
    Compare(CompareOp),
    Logical(LogicalOp),
    Comma,
}

pub(super) fn classify(op: ast::BinaryOp) -> Operator {
    match op {
        ast::BinaryOp::Mul => Operator::Arith(BinaryOp::Mul),
        ast::BinaryOp::Div => Operator::Arith(BinaryOp::Div),
        ast::BinaryOp::Rem => Operator::Arith(BinaryOp::Rem),
        ast::BinaryOp::Add => Operator::Arith(BinaryOp::Add),
        ast::BinaryOp::Sub => Operator::Arith(BinaryOp::Sub),
        ast::BinaryOp::Shl => Operator::Arith(BinaryOp::Shl),
        ast::BinaryOp::Shr => Operator::Arith(BinaryOp::Shr),
        ast::BinaryOp::BitAnd => Operator::Arith(BinaryOp::And),
        ast::BinaryOp::BitXor => Operator::Arith(BinaryOp::Xor),
        ast::BinaryOp::BitOr => Operator::Arith(BinaryOp::Or),
        ast::BinaryOp::Lt => Operator::Compare(CompareOp::Lt),
        ast::BinaryOp::Gt => Operator::Compare(CompareOp::Gt),
        ast::BinaryOp::Le => Operator::Compare(CompareOp::Le),
        ast::BinaryOp::Ge => Operator::Compare(CompareOp::Ge),
        ast::BinaryOp::Eq => Operator::Compare(CompareOp::Eq),
        ast::BinaryOp::Ne => Operator::Compare(CompareOp::Ne),
        ast::BinaryOp::LogAnd => Operator::Logical(LogicalOp::And),
        ast::BinaryOp::LogOr => Operator::Logical(LogicalOp::Or),
        ast::BinaryOp::Comma => Operator::Comma,
    }
}

/// What to do about an operator on a built-in vector type.
const NO_VECTOR_OPERATORS: &str =
    "built-in vector types have no operators: write the operation for each component, or a function";

/// Whether the operator takes floating operands.
fn is_for_floats(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => true,
        BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => false,
    }
}

impl Expressions<'_> {
    /// `+ - ~ !` (C++17 8.3.1p7 to p10).
    pub(super) fn unary_arith(
        &mut self,
        op: ast::UnaryOp,
        op_span: Span,
        operand: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        if let Some(value) = self.builtins().half_unary(op, operand, span) {
            return Ok(value);
        }
        self.warnings().warn_negated_bool(op, op_span, operand);
        let ty = self.ty_of(operand);
        let types = &self.module.types;
        let (is_int, is_float) = (types.operand_int_ty(ty).is_some(), types.float_ty(ty).is_some());
        let op = match op {
            // What is behind a sign is no literal, so that `+0` is no null pointer constant (C++17 7.11p1).
            ast::UnaryOp::Plus if self.conversions_ref().is_null_constant(operand) && is_int => {
                let ty = self.ty_of(operand);
                return Ok(self.expr(ExprData::int(0), ty, span));
            }
            ast::UnaryOp::Plus if is_int || is_float => return Ok(self.conversions().promote(operand)),
            ast::UnaryOp::Plus if types.pointee(ty).is_some() => return Ok(operand),
            ast::UnaryOp::Neg if is_int || is_float => UnaryOp::Neg,
            ast::UnaryOp::BitNot if is_int => UnaryOp::BitNot,
            ast::UnaryOp::Not => {
                let value = self.conversions().truth(operand)?;
                return Ok(self.expr(ExprData::Not(value), Ty::BOOL, span));
            }
            ast::UnaryOp::Plus
            | ast::UnaryOp::Neg
            | ast::UnaryOp::BitNot
            | ast::UnaryOp::Deref
            | ast::UnaryOp::AddrOf
            | ast::UnaryOp::PreInc
            | ast::UnaryOp::PreDec
            | ast::UnaryOp::PostInc
            | ast::UnaryOp::PostDec => {
                let message = format!("invalid argument type {} to unary expression", self.show(ty));
                let diagnostic = Diagnostic::new(Code::InvalidOperands, op_span, message);
                return Err(self.cx.sink.error(match self.builtins_ref().vector_of(ty) {
                    Some(_) => diagnostic.with_help(NO_VECTOR_OPERATORS),
                    None => diagnostic,
                }));
            }
        };
        let operand = self.conversions().promote(operand);
        let ty = self.ty_of(operand);
        let ty = self.canonical(ty);
        Ok(self.expr(ExprData::Unary(op, operand), ty, span))
    }

    /// A binary operator, which may be a function of the program.
    pub(super) fn check_binary(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        if !self.known.has_operators {
            return self.check_binary_value(op, op_span, lhs, rhs, span).map(Operand::Value);
        }
        let (left, right) = (self.check_expr(lhs), self.check_expr(rhs));
        let (left, right) = (left?, right?);
        let used = OperatorUse::binary(op, op_span, span);
        let args = [self.calls().object_arg(left)?, self.calls().object_arg(right)?];
        if let Some(result) = self.calls().overloaded_operator(used, &args)? {
            return Ok(result);
        }
        let (left, right) = (self.rvalue(left), self.rvalue(right));
        self.builtin_binary(op, op_span, (lhs, rhs), (left?, right?), span).map(Operand::Value)
    }

    /// A comparison, which may be a function of the program, of operands that have been checked.
    pub(in crate::sema) fn comparison_of_operands(
        &mut self,
        op: ast::BinaryOp,
        (left, right): (Operand, Operand),
        span: Span,
    ) -> Result<Operand, Reported> {
        if self.known.has_operators {
            let args = [self.calls().object_arg(left)?, self.calls().object_arg(right)?];
            let used = OperatorUse::binary(op, span, span);
            if let Some(result) = self.calls().overloaded_operator(used, &args)? {
                return Ok(result);
            }
        }
        let Operator::Compare(op) = classify(op) else { return Err(self.poisoned()) };
        let (left, right) = (self.rvalue(left)?, self.rvalue(right)?);
        let left = self.conversions().operand_value(left)?;
        let right = self.conversions().operand_value(right)?;
        self.comparison(op, span, left, right, span).map(Operand::Value)
    }

    /// The value of a binary operator: but for that of a comma, there is no more to it.
    pub(super) fn check_binary_value(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Result<Expr, Reported> {
        if op == ast::BinaryOp::Comma {
            let operand = self.check_comma(lhs, rhs, span)?;
            return self.rvalue(operand);
        }
        let (left, right) = (self.check_rvalue(lhs), self.check_rvalue(rhs));
        self.builtin_binary(op, op_span, (lhs, rhs), (left?, right?), span)
    }

    /// The value of the built-in operator.
    fn builtin_binary(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        syntax: (ExprId, ExprId),
        operands: (Expr, Expr),
        span: Span,
    ) -> Result<Expr, Reported> {
        let ((lhs, rhs), (left, right)) = (syntax, operands);
        let (left, right) = match classify(op) {
            Operator::Logical(_) | Operator::Comma => (left, right),
            Operator::Arith(_) | Operator::Compare(_) => {
                (self.conversions().operand_value(left)?, self.conversions().operand_value(right)?)
            }
        };
        match classify(op) {
            Operator::Arith(op) => {
                let value = self.arithmetic(op, op_span, left, right, span)?;
                self.warnings().warn_operation(Operation {
                    op,
                    op_span,
                    syntax: (lhs, rhs),
                    operands: (left, right),
                });
                if op == BinaryOp::And {
                    self.warnings().warn_not_operand(lhs, left, right, "bitwise operator");
                }
                Ok(value)
            }
            Operator::Compare(op) => self.compared(op, op_span, syntax, (left, right), span),
            Operator::Logical(op) => self.logical(op, op_span, syntax, operands, span),
            Operator::Comma => unreachable!("invariant: a comma has no value of its own"),
        }
    }

    /// `lhs < rhs` and its like, as they are written.
    #[inline(never)]
    fn compared(
        &mut self,
        op: CompareOp,
        op_span: Span,
        syntax: (ExprId, ExprId),
        operands: (Expr, Expr),
        span: Span,
    ) -> Result<Expr, Reported> {
        let value = self.comparison(op, op_span, operands.0, operands.1, span)?;
        self.warnings().warn_comparison(Comparison { op, op_span, syntax, operands });
        Ok(value)
    }

    /// `lhs && rhs` and `lhs || rhs`
    #[inline(never)]
    fn logical(
        &mut self,
        op: LogicalOp,
        op_span: Span,
        (lhs, rhs): (ExprId, ExprId),
        (left, right): (Expr, Expr),
        span: Span,
    ) -> Result<Expr, Reported> {
        let (left, right) =
            (self.conversions().condition_of(lhs, left), self.conversions().condition_of(rhs, right));
        let (left, right) = (left?, right?);
        self.warnings().warn_overlap(op, op_span, (lhs, left), (rhs, right));
        self.warnings().warn_constant_operand(op, op_span, (lhs, rhs), (left, right));
        Ok(self.expr(ExprData::Logical(op, left, right), Ty::BOOL, span))
    }

    // C++17 8.19
    pub(super) fn check_comma(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Result<Operand, Reported> {
        let (lhs, rhs) = (self.check_discarded(lhs, Dropped::BeforeComma), self.check_expr(rhs));
        self.comma(lhs?, rhs?, span)
    }

    pub(in crate::sema) fn comma(
        &mut self,
        first: Expr,
        second: Operand,
        span: Span,
    ) -> Result<Operand, Reported> {
        let place = match second {
            Operand::Place(place) => place,
            Operand::Assigned(expr, ty) => {
                let at = self.span_of(expr);
                self.place(PlaceData::Assigned(expr), ty, at)
            }
            Operand::Value(_)
            | Operand::Member(_)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_)
            | Operand::Builtin(..)
            | Operand::Const(..)
            | Operand::Special(..) => {
                let value = self.rvalue(second)?;
                let ty = self.ty_of(value);
                return Ok(Operand::Value(self.expr(ExprData::Comma(first, value), ty, span)));
            }
        };
        let ty = self.place_ty(place);
        Ok(Operand::Place(self.place(PlaceData::Comma(first, place), ty, span)))
    }

    /// An arithmetic operator on two values (C++17 8.6 to 8.8, 8.11 to 8.13).
    #[inline]
    pub(in crate::sema) fn arithmetic(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.ty_of(lhs);
        if self.conversions_ref().are_alike(lhs, rhs) && (ty == Ty::INT || is_for_floats(op)) {
            return Ok(self.operation(op, op_span, (lhs, rhs), ty, span));
        }
        self.arithmetic_of_any(op, op_span, lhs, rhs, span)
    }

    /// The same of operands that may be of different types.
    #[inline(never)]
    fn arithmetic_of_any(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let are_numbers = self.is_number(lhs) && self.is_number(rhs);
        if !are_numbers && let Some(result) = self.class_or_pointer_arithmetic(op, op_span, lhs, rhs, span) {
            return result;
        }
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, op_span, lhs, rhs, span),
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let is_int = |expr| self.module.types.operand_int_ty(self.ty_of(expr)).is_some();
                if !is_int(lhs) || !is_int(rhs) {
                    return Err(self.invalid_operands(lhs, rhs, op_span));
                }
                self.common_arithmetic(op, op_span, lhs, rhs, span)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                self.common_arithmetic(op, op_span, lhs, rhs, span)
            }
        }
    }

    /// The operator on operands of which one is no number; none if it is for numbers all the same.
    fn class_or_pointer_arithmetic(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Option<Result<Expr, Reported>> {
        if let Some(result) = self.builtins().half_arithmetic(op, op_span, (lhs, rhs), span) {
            return Some(result);
        }
        let types = &self.module.types;
        let pointer = |expr| types.pointee(self.ty_of(expr)).is_some();
        match (op, pointer(lhs), pointer(rhs)) {
            (BinaryOp::Add, true, false) => Some(self.pointer_offset(lhs, rhs, false, op_span, span)),
            // nvcc counts bytes of `void` behind the pointer alone.
            (BinaryOp::Add, false, true) if self.is_void_pointer(rhs) => {
                let message = "arithmetic on a pointer to `void` as the right operand";
                let diagnostic = Diagnostic::new(Code::InvalidOperands, op_span, message)
                    .with_help("cast the pointer to `char *` first");
                Some(Err(self.sink.error(diagnostic)))
            }
            (BinaryOp::Add, false, true) => Some(self.pointer_offset(rhs, lhs, false, op_span, span)),
            (BinaryOp::Sub, true, false) => Some(self.pointer_offset(lhs, rhs, true, op_span, span)),
            (BinaryOp::Sub, true, true) => Some(self.pointer_difference(lhs, rhs, op_span, span)),
            (
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::Shr,
                _,
                _,
            ) => None,
        }
    }

    fn common_arithmetic(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let Some((lhs, rhs, ty)) = self.conversions().usual_arithmetic(lhs, rhs) else {
            return Err(self.invalid_operands(lhs, rhs, op_span));
        };
        Ok(self.operation(op, op_span, (lhs, rhs), ty, span))
    }

    /// The operator on operands that have been promoted and, but for a shift, brought to one type.
    #[inline]
    fn operation(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (lhs, rhs): (Expr, Expr),
        ty: Ty,
        span: Span,
    ) -> Expr {
        if !matches!(ty, Ty::FLOAT | Ty::DOUBLE) {
            match op {
                BinaryOp::Div | BinaryOp::Rem => self.warn_division_by_zero(op, rhs),
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                    self.warnings().warn_overflow(op, op_span, lhs, rhs)
                }
                BinaryOp::Shl | BinaryOp::Shr => self.warn_shift_count(ty, rhs),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {}
            }
        }
        let value = self.expr(ExprData::Binary(op, lhs, rhs), ty, span);
        if ty == Ty::LONGDOUBLE { self.folded_long_double(value, ty, span) } else { value }
    }

    #[inline(never)]
    fn warn_division_by_zero(&mut self, op: BinaryOp, rhs: Expr) {
        if self.constants().eval(rhs, Mode::Optional).ok() != Some(Value::Int(0)) {
            return;
        }
        let what = if op == BinaryOp::Div { "division" } else { "remainder" };
        let message = format!("{what} by zero is undefined");
        self.cx.sink.emit(Diagnostic::new(Code::DivisionByZero, self.span_of(rhs), message));
    }

    // C++17 8.8
    fn shift(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let is_int = |expr| self.module.types.operand_int_ty(self.ty_of(expr)).is_some();
        if !is_int(lhs) || !is_int(rhs) {
            return Err(self.invalid_operands(lhs, rhs, op_span));
        }
        let (lhs, rhs) = (self.conversions().promote(lhs), self.conversions().promote(rhs));
        let ty = self.canonical(self.ty_of(lhs));
        Ok(self.operation(op, op_span, (lhs, rhs), ty, span))
    }

    #[inline(never)]
    fn warn_shift_count(&mut self, ty: Ty, rhs: Expr) {
        let bits = self.module.types.int_ty(ty).map_or(0, IntTy::bits);
        if let Ok(Value::Int(count)) = self.constants().eval(rhs, Mode::Optional)
            && (count < 0 || count >= i128::from(bits))
        {
            let message = if count < 0 {
                "shift count is negative".to_owned()
            } else {
                format!("shift count {count} >= width of type ({bits} bits)")
            };
            self.cx.sink.emit(Diagnostic::new(Code::ShiftCount, self.span_of(rhs), message));
        }
    }

    /// The pointed-to type, if one can step from object to object of it.
    fn require_stepping(&mut self, ptr: Expr, op_span: Span) -> Result<Ty, Reported> {
        let Some(pointee) = self.module.types.pointee(self.ty_of(ptr)) else { return Err(self.poisoned()) };
        let what = match self.module.types.view(pointee) {
            View::Void => "`void`",
            View::Func(_) => "a function",
            View::Scalar(Scalar::Opaque(_)) => "a texture or surface",
            View::Scalar(_) | View::Error | View::Array(..) | View::Record(_) => {
                self.types().require_complete(pointee, op_span)?;
                self.refuse_long_double_steps(pointee, op_span)?;
                return Ok(pointee);
            }
        };
        Err(self.error(Code::InvalidOperands, op_span, format!("arithmetic on a pointer to {what}")))
    }

    // C++17 8.7p4
    fn pointer_offset(
        &mut self,
        ptr: Expr,
        index: Expr,
        subtract: bool,
        op_span: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        if self.module.types.operand_int_ty(self.ty_of(index)).is_none() {
            let (lhs, rhs) =
                if self.span_of(ptr) <= self.span_of(index) { (ptr, index) } else { (index, ptr) };
            return Err(self.invalid_operands(lhs, rhs, op_span));
        }
        let ty = self.ty_of(ptr);
        let steps = match self.byte_steps(ptr, op_span) {
            Some(bytes) => bytes,
            None => {
                self.require_stepping(ptr, op_span)?;
                ptr
            }
        };
        let index = self.index_value(index);
        let steps_ty = self.ty_of(steps);
        let moved = self.expr(ExprData::PtrOffset { ptr: steps, index, subtract }, steps_ty, span);
        if steps == ptr {
            return Ok(moved);
        }
        Ok(self.expr(ExprData::Convert(Conversion::PtrToPtr, moved), ty, span))
    }

    fn is_void_pointer(&self, expr: Expr) -> bool {
        let types = &self.module.types;
        types.pointee(self.ty_of(expr)).is_some_and(|pointee| *types.kind(pointee) == TyKind::Void)
    }

    /// A `void` pointer as one to bytes, which GNU C and nvcc step over in arithmetic (GNU C "Arithmetic on
    /// `void`- and Function-Pointers").
    fn byte_steps(&mut self, ptr: Expr, op_span: Span) -> Option<Expr> {
        let ty = self.ty_of(ptr);
        let types = &mut self.module.types;
        let pointee = types.pointee(ty).filter(|&ty| *types.kind(ty) == TyKind::Void)?;
        let quals = types.quals(pointee);
        let byte = types.with_quals(Ty::CHAR, quals);
        let bytes = types.pointer_to(byte);
        let message = "arithmetic on a pointer to `void` is a GNU extension; it counts bytes";
        let diagnostic = Diagnostic::new(Code::PointerArith, op_span, message)
            .with_help("cast the pointer to `char *` first");
        self.sink.emit(diagnostic);
        let span = self.span_of(ptr);
        Some(self.expr(ExprData::Convert(Conversion::PtrToPtr, ptr), bytes, span))
    }

    // C++17 8.7p5
    fn pointer_difference(
        &mut self,
        lhs: Expr,
        rhs: Expr,
        op_span: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        let (left, right) = (self.require_stepping(lhs, op_span)?, self.require_stepping(rhs, op_span)?);
        if !self.same_unqualified(left, right) {
            let (left, right) = (self.show(self.ty_of(lhs)), self.show(self.ty_of(rhs)));
            let message = format!("{left} and {right} are not pointers to the same type");
            return Err(self.operand_error(message, lhs, rhs, op_span));
        }
        Ok(self.cx.expr(ExprData::PtrDiff(lhs, rhs), self.module.types.model().ptrdiff_ty(), span))
    }

    fn invalid_operands(&mut self, lhs: Expr, rhs: Expr, op_span: Span) -> Reported {
        let (left, right) = (self.show(self.ty_of(lhs)), self.show(self.ty_of(rhs)));
        let message = format!("invalid operands to binary expression ({left} and {right})");
        self.operand_error(message, lhs, rhs, op_span)
    }

    fn operand_error(&mut self, message: String, lhs: Expr, rhs: Expr, op_span: Span) -> Reported {
        let diagnostic = Diagnostic::new(Code::InvalidOperands, op_span, message)
            .with_label(self.span_of(lhs), self.show(self.ty_of(lhs)))
            .with_label(self.span_of(rhs), self.show(self.ty_of(rhs)));
        let is_vector = |expr| self.builtins_ref().vector_of(self.ty_of(expr)).is_some();
        self.cx.sink.error(if is_vector(lhs) || is_vector(rhs) {
            diagnostic.with_help(NO_VECTOR_OPERATORS)
        } else {
            diagnostic
        })
    }

    // C++17 8.9, 8.10
    /// Values of one `enum class`, which can be compared, as integers (C++17 8.9p6); others as they are.
    fn scoped_as_integers(&mut self, lhs: Expr, rhs: Expr) -> (Expr, Expr) {
        let ty = self.ty_of(lhs);
        match self.module.types.int_ty(ty) {
            Some(int) if self.module.types.is_scoped_enum(ty) && self.same(ty, self.ty_of(rhs)) => {
                let int = Ty::int(int);
                (self.conversions().numeric(lhs, int), self.conversions().numeric(rhs, int))
            }
            _ => (lhs, rhs),
        }
    }

    pub(in crate::sema) fn comparison(
        &mut self,
        op: CompareOp,
        op_span: Span,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let (lhs, rhs) = self.scoped_as_integers(lhs, rhs);
        if let Some((lhs, rhs, _)) = self.conversions().usual_arithmetic(lhs, rhs) {
            let value = self.expr(ExprData::Compare(op, lhs, rhs), Ty::BOOL, span);
            return Ok(match self.ty_of(lhs) {
                Ty::LONGDOUBLE => self.folded_long_double(value, Ty::BOOL, span),
                _ => value,
            });
        }
        if let Some(result) = self.builtins().half_comparison(op, op_span, (lhs, rhs), span) {
            return result;
        }
        let (left, right) = (self.ty_of(lhs), self.ty_of(rhs));
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let pointers =
            (self.module.types.pointee(left).is_some(), self.module.types.pointee(right).is_some());
        let common = match pointers {
            (true, true) => match self.conversions().composite_pointer(left, right) {
                Some(common) => common,
                None if is_equality
                    && let Some(common) = self.conversions().compared_with_void(lhs, rhs, op_span) =>
                {
                    common
                }
                None => {
                    let (left, right) = (self.show(left), self.show(right));
                    let message = format!("comparison of distinct pointer types ({left} and {right})");
                    return Err(self.operand_error(message, lhs, rhs, op_span));
                }
            },
            (true, false) if self.conversions_ref().is_null_constant(rhs) => left,
            (false, true) if self.conversions_ref().is_null_constant(lhs) => right,
            (true, false) | (false, true) => {
                let is_int = |ty| self.module.types.int_ty(ty).is_some();
                if is_int(left) || is_int(right) {
                    let (left, right) = (self.show(left), self.show(right));
                    let message = format!("comparison between pointer and integer ({left} and {right})");
                    return Err(self.operand_error(message, lhs, rhs, op_span));
                }
                return Err(self.invalid_operands(lhs, rhs, op_span));
            }
            // Both are `nullptr`, or one is and the other a `0` (C++17 8.10p3).
            (false, false)
                if is_equality
                    && self.conversions_ref().is_null_constant(lhs)
                    && self.conversions_ref().is_null_constant(rhs) =>
            {
                self.module.types.pointer_to(Ty::VOID)
            }
            (false, false) => return Err(self.invalid_operands(lhs, rhs, op_span)),
        };
        if !is_equality && pointers != (true, true) {
            let shown = self.show(common);
            let message = format!("ordered comparison of {shown} with a null pointer");
            let diagnostic = Diagnostic::new(Code::OrderedNullComparison, op_span, message)
                .with_note("addresses are compared as unsigned numbers, so the null pointer is the smallest");
            self.sink.emit(diagnostic);
        }
        let (lhs, rhs) =
            (self.conversions().as_composite(lhs, common)?, self.conversions().as_composite(rhs, common)?);
        Ok(self.expr(ExprData::Compare(op, lhs, rhs), Ty::BOOL, span))
    }

    /// A value thrown away.
    pub(in crate::sema) fn discarded(&mut self, expr: Expr) -> Expr {
        if self.canonical(self.ty_of(expr)) == Ty::VOID {
            return expr;
        }
        self.conversion(Conversion::ToVoid, expr, Ty::VOID)
    }
}
