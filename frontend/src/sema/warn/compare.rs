//! Comparisons that mix signs or enums, or that have one result whatever the values are.

use super::range::int_range;
use crate::ast::{self, ExprId, ExprKind, UnaryOp};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{CompareOp, Expr, ExprData, IntTy, LogicalOp, PlaceData, Ty, TyKind};
use crate::sema::Warnings;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::expression::integer_rank::common_int;
use crate::source::Span;

/// A comparison: what was written, and the operands before their conversion to a common type.
#[derive(Clone, Copy)]
pub(in crate::sema) struct Comparison {
    pub(in crate::sema) op: CompareOp,
    pub(in crate::sema) op_span: Span,
    pub(in crate::sema) syntax: (ExprId, ExprId),
    pub(in crate::sema) operands: (Expr, Expr),
}

impl Warnings<'_> {
    /// Looks at a comparison that is right.
    pub(in crate::sema) fn warn_comparison(&mut self, comparison: Comparison) {
        let (lhs, rhs) = comparison.operands;
        self.warn_not_operand(comparison.syntax.0, lhs, rhs, "comparison");
        if self.warn_self_comparison(comparison) {
            return;
        }
        let types = &self.module.types;
        if let (TyKind::Enum(left), TyKind::Enum(right)) =
            (types.kind(self.ty_of(lhs)), types.kind(self.ty_of(rhs)))
            && left != right
        {
            let (left, right) = (self.show(self.ty_of(lhs)), self.show(self.ty_of(rhs)));
            let message = format!("comparison of different enumeration types ({left} and {right})");
            return self.warn(Diagnostic::new(Code::EnumCompare, comparison.op_span, message));
        }
        if types.int_ty(self.ty_of(lhs)).is_some() && types.int_ty(self.ty_of(rhs)).is_some() {
            let _is_known = self.warn_constant_comparison(comparison, lhs, rhs, comparison.op)
                || self.warn_constant_comparison(comparison, rhs, lhs, mirrored(comparison.op))
                || self.warn_masked(comparison)
                || self.warn_signs(comparison);
            return;
        }
        let types = &self.module.types;
        if types.float_ty(self.ty_of(lhs)).is_some() || types.float_ty(self.ty_of(rhs)).is_some() {
            return self.warn_float_equality(comparison);
        }
        self.warn_pointers(comparison);
    }

    /// `!a == b`, and with `what` naming the operator.
    pub(in crate::sema) fn warn_not_operand(&mut self, lhs_id: ExprId, lhs: Expr, rhs: Expr, what: &str) {
        let node = &self.unit.exprs[lhs_id];
        let ExprKind::Unary { op: UnaryOp::Not, op_span, operand } = node.kind else { return };
        let is_bool = |cx: &Self, expr| cx.canonical(cx.ty_of(expr)) == Ty::BOOL;
        // Of a truth value, `!` gives what a comparison can be meant for.
        let of_bool = match self.arena.exprs[lhs].data {
            ExprData::Not(inner) => !matches!(self.arena.exprs[inner].data, ExprData::Convert(..)),
            _ => true,
        };
        if is_bool(self, rhs) || of_bool {
            return;
        }
        let whole = self.unit.exprs[operand].span;
        let message = format!("logical not is only applied to the left hand side of this {what}");
        let fix = Fix::parentheses(
            "add parentheses around left hand side expression to silence this warning",
            node.span,
        );
        let diagnostic = Diagnostic::new(Code::LogicalNotParentheses, op_span, message)
            .with_label(whole, "applied only to this")
            .with_fix(fix);
        self.warn(diagnostic);
    }

    fn warn_self_comparison(&mut self, comparison: Comparison) -> bool {
        let (lhs, rhs) = comparison.operands;
        let is_float = self.module.types.float_ty(self.ty_of(lhs)).is_some();
        let is_constant = |id: ExprId| matches!(self.unit.exprs[self.peeled(id)].kind, ExprKind::Int(_));
        let (left, right) = comparison.syntax;
        // A NaN differs from itself.
        if is_float
            || self.is_volatile_read(lhs)
            || self.is_volatile_read(rhs)
            || is_constant(left)
            || !self.is_same(left, right)
        {
            return false;
        }
        let truth = compare(comparison.op, 0, 0);
        let message = format!("self-comparison always evaluates to {truth}");
        self.warn(Diagnostic::new(Code::TautologicalCompare, comparison.op_span, message));
        true
    }

    /// A comparison with a constant that the other operand's type decides.
    fn warn_constant_comparison(
        &mut self,
        comparison: Comparison,
        value: Expr,
        constant: Expr,
        op: CompareOp,
    ) -> bool {
        if self.arena.exprs[value].data.as_int().is_some() {
            return false;
        }
        let (ty, constant_ty) = (self.ty_of(value), self.ty_of(constant));
        let Ok(Value::Int(constant)) = self.constants().eval(constant, Mode::Optional) else { return false };
        // The shorter way to what most comparisons are: of an `int` with one that is not the least or the greatest.
        let is_inner = i128::from(i32::MIN) < constant && constant < i128::from(i32::MAX);
        if is_inner && (ty, constant_ty) == (Ty::INT, Ty::INT) && !self.is_bit_field_read(value) {
            return false;
        }
        let types = &self.module.types;
        let Some(int) = types.int_ty(self.ty_of(value)) else { return false };
        // An enum holds what its program puts there.
        if matches!(types.kind(self.ty_of(value)), TyKind::Enum(_)) {
            return false;
        }
        let Some(common) = self.common_type(comparison) else { return false };
        let Some((min, max)) = self.type_range(value, int) else { return false };
        if min < 0 && !common.is_signed() {
            return false;
        }
        let constant = common.wrap(constant);
        let results = [compare(op, min, constant), compare(op, max, constant)];
        let is_known = match op {
            CompareOp::Eq | CompareOp::Ne => constant < min || constant > max,
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => results[0] == results[1],
        };
        if !is_known {
            return false;
        }
        let truth = results[0];
        let is_outside = constant < min || constant > max;
        let code = match (is_outside, int) {
            (true, _) => Code::TautologicalConstantOutOfRangeCompare,
            (false, IntTy::Bool) => Code::TautologicalConstantCompare,
            (false, _) if !int.is_signed() && constant == 0 => Code::TautologicalUnsignedZeroCompare,
            (false, _) => Code::TautologicalTypeLimitCompare,
        };
        let ty = self.show(self.ty_of(value));
        let message = format!(
            "result of comparison of constant {constant} with expression of type {ty} is always {truth}"
        );
        self.warn(Diagnostic::new(code, comparison.op_span, message));
        true
    }

    /// The type in which two integers are compared.
    fn common_type(&self, comparison: Comparison) -> Option<IntTy> {
        let (lhs, rhs) = comparison.operands;
        Some(common_int(self.conversions_ref().promoted_int(lhs)?, self.conversions_ref().promoted_int(rhs)?))
    }

    /// The values of the type, or of the bit-field.
    fn type_range(&self, value: Expr, int: IntTy) -> Option<(i128, i128)> {
        if self.is_bit_field_read(value) { self.range(value) } else { int_range(int) }
    }

    fn is_bit_field_read(&self, value: Expr) -> bool {
        matches!(self.arena.exprs[value].data, ExprData::Load(place) if self.expressions_ref().bit_field_width(place).is_some())
    }

    /// `(x & 8) == 4`
    fn warn_masked(&mut self, comparison: Comparison) -> bool {
        use crate::ir::BinaryOp;
        let (lhs, rhs) = comparison.operands;
        if !matches!(comparison.op, CompareOp::Eq | CompareOp::Ne) {
            return false;
        }
        let Ok(Value::Int(constant)) = self.constants().eval(rhs, Mode::Optional) else { return false };
        let ExprData::Binary(op, a, b) = self.arena.exprs[lhs].data else { return false };
        let mask = [b, a].into_iter().find_map(|side| match self.constants().eval(side, Mode::Optional) {
            Ok(Value::Int(mask)) => Some(mask),
            Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => None,
        });
        let Some(mask) = mask else { return false };
        let can_be = match op {
            BinaryOp::And => mask & constant == constant,
            BinaryOp::Or => mask | constant == constant,
            _ => true,
        };
        if can_be {
            return false;
        }
        let truth = comparison.op == CompareOp::Ne;
        let message = format!("bitwise comparison always evaluates to {truth}");
        self.warn(Diagnostic::new(Code::TautologicalBitwiseCompare, comparison.op_span, message));
        true
    }

    /// A signed operand that is converted to unsigned, where it may be negative.
    fn warn_signs(&mut self, comparison: Comparison) -> bool {
        if !self.sink.is_on(Code::SignCompare) {
            return false;
        }
        let (lhs, rhs) = comparison.operands;
        let Some(common) = self.common_type(comparison) else { return false };
        let constant = |expr| match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) => Some(value),
            Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => None,
        };
        let constants = (constant(lhs), constant(rhs));
        if common.is_signed() || constants.0.is_some() && constants.1.is_some() {
            return false;
        }
        let range = |expr, value: Option<i128>| value.map(|v| (v, v)).or_else(|| self.range(expr));
        let (Some(left_range), Some(right_range)) = (range(lhs, constants.0), range(rhs, constants.1)) else {
            return false;
        };
        if left_range.0 >= 0 && right_range.0 >= 0 {
            return false;
        }
        // Both negative: converted alike.
        let unsigned = if left_range.0 >= 0 { left_range } else { right_range };
        let Some((_, max)) = int_range(common) else { return false };
        let signed_max = max / 2;
        let is_equality = matches!(comparison.op, CompareOp::Eq | CompareOp::Ne);
        if unsigned.0 < 0 || is_equality && unsigned.1 <= signed_max {
            return false;
        }
        let (left, right) = (self.show(self.ty_of(lhs)), self.show(self.ty_of(rhs)));
        let message = format!("comparison of integers of different signs: {left} and {right}");
        let diagnostic = Diagnostic::new(Code::SignCompare, comparison.op_span, message)
            .with_label(self.span_of(lhs), left)
            .with_label(self.span_of(rhs), right);
        self.warn(diagnostic);
        true
    }

    fn warn_float_equality(&mut self, comparison: Comparison) {
        if matches!(comparison.op, CompareOp::Eq | CompareOp::Ne) && self.sink.is_on(Code::FloatEqual) {
            let (lhs, rhs) = comparison.operands;
            // A constant that has few digits is meant exactly.
            let is_exact = |expr| match self.constants().eval(expr, Mode::Optional) {
                Ok(Value::Float(value)) => f64::from(value as f32) == value,
                Ok(Value::Int(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => false,
            };
            if is_exact(lhs) || is_exact(rhs) {
                return;
            }
            let message = "comparing floating point with `==` or `!=` is unsafe";
            self.warn(Diagnostic::new(Code::FloatEqual, comparison.op_span, message));
        }
    }

    fn warn_pointers(&mut self, comparison: Comparison) {
        let (lhs, rhs) = comparison.operands;
        if self.is_string(lhs) || self.is_string(rhs) {
            let message = "result of comparison against a string literal is unspecified";
            let diagnostic = Diagnostic::new(Code::StringCompare, comparison.op_span, message)
                .with_note("this compares addresses, and equal literals may share one");
            return self.warn(diagnostic);
        }
        for (value, other) in [(lhs, rhs), (rhs, lhs)] {
            let Some(name) = self.address_of_what(value) else { continue };
            if !self.conversions_ref().is_null_constant(other) {
                continue;
            }
            let truth = comparison.op == CompareOp::Ne;
            let how = if truth { "not equal to" } else { "equal to" };
            let message = format!("comparison of {name} {how} a null pointer is always {truth}");
            return self.warn(Diagnostic::new(Code::TautologicalPointerCompare, comparison.op_span, message));
        }
    }

    fn is_string(&self, expr: Expr) -> bool {
        let ExprData::ArrayDecay(place) = self.arena.exprs[expr].data else { return false };
        let PlaceData::Global(global) = self.arena.places[place].data else { return false };
        self.module.globals[global].name.is_none()
    }

    /// What it is the address of, where that cannot be null.
    pub(super) fn address_of_what(&self, expr: Expr) -> Option<String> {
        let (what, place) = match self.arena.exprs[expr].data {
            ExprData::AddrOf(place) => ("address of", place),
            ExprData::ArrayDecay(place) => ("array", place),
            ExprData::FuncAddr(func) => {
                return Some(format!("address of function `{}`", self.module.functions[func].name));
            }
            _ => return None,
        };
        let is_member = matches!(self.arena.places[place].data, PlaceData::Field(..))
            && matches!(self.arena.exprs[expr].data, ExprData::AddrOf(_));
        (is_member || self.is_variable(place)).then(|| match self.arena.places[place].data {
            PlaceData::Local(local) => {
                let name = self.func.as_ref().and_then(|func| func.locals[local].name.clone());
                format!("{what} `{}`", name.unwrap_or_default())
            }
            PlaceData::Global(global) => {
                format!("{what} `{}`", self.module.globals[global].name.as_deref().unwrap_or("\"…\""))
            }
            _ => format!("{what} a member"),
        })
    }

    /// `x > 3 && x < 2`, `x != 3 || x != 4`
    pub(in crate::sema) fn warn_overlap(
        &mut self,
        op: LogicalOp,
        op_span: Span,
        lhs: (ExprId, Expr),
        rhs: (ExprId, Expr),
    ) {
        if !self.sink.is_on(Code::TautologicalOverlapCompare) {
            return;
        }
        let (Some((left, left_op, a)), Some((right, right_op, b))) =
            (self.bound(lhs.0, lhs.1), self.bound(rhs.0, rhs.1))
        else {
            return;
        };
        if !self.is_same(left, right) {
            return;
        }
        let around =
            [a.saturating_sub(1), a, a.saturating_add(1), b.saturating_sub(1), b, b.saturating_add(1)];
        let mut results = around.iter().map(|&x| {
            let (l, r) = (compare(left_op, x, a), compare(right_op, x, b));
            if op == LogicalOp::And { l && r } else { l || r }
        });
        let (what, truth) = match op {
            LogicalOp::And if results.all(|result| !result) => ("non-overlapping", false),
            LogicalOp::Or if results.all(|result| result) => ("overlapping", true),
            LogicalOp::And | LogicalOp::Or => return,
        };
        let message = format!("{what} comparisons always evaluate to {truth}");
        self.warn(Diagnostic::new(Code::TautologicalOverlapCompare, op_span, message));
    }

    /// The comparison of something with an integer constant.
    fn bound(&self, id: ExprId, value: Expr) -> Option<(ExprId, CompareOp, i128)> {
        let ExprKind::Binary { lhs, rhs, .. } = self.unit.exprs[self.peeled(id)].kind else { return None };
        // What a macro stands for may be another number elsewhere.
        if [lhs, rhs].iter().any(|&side| !self.unit.exprs[self.peeled(side)].span.is_written()) {
            return None;
        }
        let ExprData::Compare(op, left, right) = self.arena.exprs[value].data else { return None };
        let constant = |expr| match self.constants().eval(expr, Mode::Optional) {
            Ok(Value::Int(value)) => Some(value),
            Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => None,
        };
        match (constant(left), constant(right)) {
            (None, Some(bound)) => Some((lhs, op, bound)),
            (Some(bound), None) => Some((rhs, mirrored(op), bound)),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

fn compare(op: CompareOp, a: i128, b: i128) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

/// The operator with its operands in the other order.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq | CompareOp::Ne => op,
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
    }
}

/// Whether the operator's result is a truth value.
pub(super) fn is_truth(op: ast::BinaryOp) -> bool {
    match op {
        ast::BinaryOp::Lt
        | ast::BinaryOp::Gt
        | ast::BinaryOp::Le
        | ast::BinaryOp::Ge
        | ast::BinaryOp::Eq
        | ast::BinaryOp::Ne
        | ast::BinaryOp::LogAnd
        | ast::BinaryOp::LogOr => true,
        ast::BinaryOp::Mul
        | ast::BinaryOp::Div
        | ast::BinaryOp::Rem
        | ast::BinaryOp::Add
        | ast::BinaryOp::Sub
        | ast::BinaryOp::Shl
        | ast::BinaryOp::Shr
        | ast::BinaryOp::BitAnd
        | ast::BinaryOp::BitXor
        | ast::BinaryOp::BitOr
        | ast::BinaryOp::Comma => false,
    }
}
