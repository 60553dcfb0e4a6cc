//! Operators that are probably meant otherwise: `&&` for `&`, `^` for a power, a size divided by the wrong one.

use crate::ast::{self, ExprId, ExprKind};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{BinaryOp, Expr, ExprData, IntTy, LogicalOp, PlaceData, Ty, TyKind};
use crate::layout;
use crate::sema::Warnings;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::source::Span;

/// A binary operator: what was written, and the operands before their conversion.
#[derive(Clone, Copy)]
pub(in crate::sema) struct Operation {
    pub(in crate::sema) op: BinaryOp,
    pub(in crate::sema) op_span: Span,
    pub(in crate::sema) syntax: (ExprId, ExprId),
    pub(in crate::sema) operands: (Expr, Expr),
}

impl Warnings<'_> {
    /// Looks at an arithmetic operation that is right.
    #[inline]
    pub(in crate::sema) fn warn_operation(&mut self, operation: Operation) {
        match operation.op {
            BinaryOp::Add => self.warn_string_plus_int(operation),
            BinaryOp::Div => self.warn_sizes_divided(operation),
            BinaryOp::Xor => self.warn_power(operation),
            BinaryOp::And | BinaryOp::Or => self.warn_bitwise_truths(operation),
            BinaryOp::Shl => self.warn_shift_result(operation),
            BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Rem | BinaryOp::Shr => {}
        }
    }

    /// `"text" + n`
    fn warn_string_plus_int(&mut self, Operation { op_span, operands: (lhs, rhs), .. }: Operation) {
        for (string, index) in [(lhs, rhs), (rhs, lhs)] {
            let ExprData::ArrayDecay(place) = self.arena.exprs[string].data else { continue };
            let PlaceData::Global(global) = self.arena.places[place].data else { continue };
            let data = &self.module.globals[global];
            let TyKind::Array(_, Some(len)) = *self.module.types.kind(data.ty) else { continue };
            if data.name.is_some() || self.module.types.int_ty(self.ty_of(index)).is_none() {
                continue;
            }
            let is_within = matches!(self.constants().eval(index, Mode::Optional), Ok(Value::Int(at)) if (0..=i128::from(len)).contains(&at));
            if !is_within {
                let ty = self.show(self.ty_of(index));
                let message = format!("adding {ty} to a string does not append to the string");
                let diagnostic = Diagnostic::new(Code::StringPlusInt, op_span, message)
                    .with_help("use array indexing to silence this warning: `&\"…\"[n]`");
                return self.warn(diagnostic);
            }
        }
    }

    /// `sizeof(pointer) / sizeof(*pointer)`
    fn warn_sizes_divided(&mut self, Operation { op_span, syntax, .. }: Operation) {
        let exprs = &self.unit.exprs;
        let (lhs, rhs) = (self.peeled(syntax.0), self.peeled(syntax.1));
        let ExprKind::SizeofExpr(sized) = exprs[lhs].kind else { return };
        let unit = match &exprs[rhs].kind {
            ExprKind::SizeofExpr(unit) => self.type_aside(*unit),
            ExprKind::SizeofType(name) => {
                let unit = self.unit;
                self.quietly(|cx| cx.types().resolve_type_name(&unit.type_names[*name])).ok()
            }
            _ => return,
        };
        let (Some(whole), Some(unit)) = (self.type_aside(sized), unit) else { return };
        let kind = self.module.types.kind(whole).clone();
        let (code, message) = match kind {
            TyKind::Pointer(pointee) if self.same_unqualified(pointee, unit) => {
                let (pointer, pointee) = (self.show(whole), self.show(pointee));
                let message = format!(
                    "`sizeof` gives the size of the pointer {pointer}, not of an array; divided by the size of {pointee}, it is not the number of elements"
                );
                (Code::SizeofPointerDiv, message)
            }
            TyKind::Array(elem, _) => {
                let size = |ty| layout::layout_of(&self.module.types, ty).ok().map(|layout| layout.size);
                let is_nested = matches!(self.module.types.kind(elem), TyKind::Array(..));
                if is_nested || self.canonical(elem) == Ty::CHAR || size(elem) == size(unit) {
                    return;
                }
                let (elem, unit) = (self.show(elem), self.show(unit));
                let message = format!(
                    "expression does not compute the number of elements in this array; element type is {elem}, not {unit}"
                );
                (Code::SizeofArrayDiv, message)
            }
            _ => return,
        };
        self.warn(Diagnostic::new(code, op_span, message));
    }

    /// The type of an expression that was checked elsewhere.
    fn type_aside(&mut self, id: ExprId) -> Option<Ty> {
        let id = self.peeled(id);
        self.quietly(|cx| {
            cx.in_scratch(|cx| {
                let operand = cx.expressions().check_expr(id)?;
                cx.expressions().operand_ty(operand)
            })
        })
        .ok()
    }

    /// `2 ^ 8`
    fn warn_power(&mut self, Operation { op_span, syntax, .. }: Operation) {
        let ExprKind::Int(base) = self.unit.exprs[syntax.0].kind else { return };
        let ExprKind::Int(exponent) = self.unit.exprs[syntax.1].kind else { return };
        let is_plain = op_span.is_written() && base.is_decimal && exponent.is_decimal;
        if !is_plain || !matches!(base.value, 2 | 10) || exponent.value > 64 {
            return;
        }
        let (base, exponent) = (base.value, exponent.value);
        let result = base ^ exponent;
        let message = format!("result of `{base} ^ {exponent}` is {result}; `^` is XOR, not exponentiation");
        let mut diagnostic = Diagnostic::new(Code::XorUsedAsPow, op_span, message);
        let span = self.unit.exprs[syntax.0].span.to(self.unit.exprs[syntax.1].span);
        if base == 2 && exponent < 31 {
            let power = format!("1 << {exponent}");
            diagnostic = diagnostic.with_fix(Fix::new(format!("use `{power}`"), span, format!("({power})")));
        }
        self.warn(diagnostic);
    }

    /// `f() & g()` of truth values.
    fn warn_bitwise_truths(&mut self, Operation { op, op_span, operands: (lhs, rhs), .. }: Operation) {
        let is_bool = |cx: &Self, expr| cx.canonical(cx.ty_of(expr)) == Ty::BOOL;
        if !is_bool(self, lhs) || !is_bool(self, rhs) || !self.has_call(lhs) || !self.has_call(rhs) {
            return;
        }
        let (bitwise, logical) = if op == BinaryOp::And { ("&", "&&") } else { ("|", "||") };
        let message = format!("use of bitwise `{bitwise}` with boolean operands");
        let title = format!("`{logical}` evaluates the right operand only if needed");
        let diagnostic = Diagnostic::new(Code::BitwiseInsteadOfLogical, op_span, message)
            .with_fix(Fix::new(title, op_span, logical));
        self.warn(diagnostic);
    }

    fn has_call(&self, expr: Expr) -> bool {
        match self.arena.exprs[expr].data {
            ExprData::Call { .. }
            | ExprData::CallIndirect { .. }
            | ExprData::Assign { .. }
            | ExprData::Modify { .. } => true,
            ExprData::Convert(_, inner) | ExprData::Not(inner) => self.has_call(inner),
            ExprData::Compare(_, lhs, rhs) | ExprData::Logical(_, lhs, rhs) => {
                self.has_call(lhs) || self.has_call(rhs)
            }
            _ => false,
        }
    }

    /// `5 << 31`
    fn warn_shift_result(&mut self, Operation { op_span, operands: (lhs, rhs), .. }: Operation) {
        let Some(int) = self.conversions_ref().promoted_int(lhs).filter(|int| int.is_signed()) else {
            return;
        };
        let Ok(Value::Int(left)) = self.constants().eval(lhs, Mode::Optional) else { return };
        // `~0 << n` is how masks are made.
        let Ok(Value::Int(count)) = self.constants().eval(rhs, Mode::Optional) else { return };
        if left < 0 {
            let message = "shifting a negative signed value is undefined";
            return self.warn(Diagnostic::new(Code::ShiftNegativeValue, op_span, message));
        }
        let (width, n_bits) = (i128::from(int.bits()), i128::from(129 - left.leading_zeros()));
        if !(0..width).contains(&count) || left == 0 || n_bits + count <= width {
            return;
        }
        let n_needed = n_bits + count;
        let ty = int.spelling();
        let (code, message) = if n_needed - 1 == width {
            (Code::ShiftSignOverflow, format!("signed shift result sets the sign bit of the type `{ty}`"))
        } else {
            let message = format!(
                "signed shift result requires {n_needed} bits to represent, but `{ty}` only has {width}"
            );
            (Code::ShiftOverflow, message)
        };
        self.warn(Diagnostic::new(code, op_span, message));
    }

    /// `flags && 4`
    pub(in crate::sema) fn warn_constant_operand(
        &mut self,
        op: LogicalOp,
        op_span: Span,
        syntax: (ExprId, ExprId),
        conditions: (Expr, Expr),
    ) {
        let tested = |expr: Expr| match self.arena.exprs[expr].data {
            ExprData::Convert(_, inner) => inner,
            _ => expr,
        };
        let is_number = |expr| match self.module.types.int_ty(self.ty_of(expr)) {
            Some(IntTy::Bool) | None => false,
            Some(_) => true,
        };
        let (lhs, rhs) = (tested(conditions.0), tested(conditions.1));
        if !op_span.is_written() || !is_number(lhs) || !is_number(rhs) {
            return;
        }
        let Ok(Value::Int(value)) = self.constants().eval(rhs, Mode::Optional) else { return };
        let constant = syntax.1;
        // A macro that is 0 or 1 is a truth value.
        if matches!(value, 0 | 1) && !self.unit.exprs[constant].span.is_written() {
            return;
        }
        let (logical, bitwise) = if op == LogicalOp::And { ("&&", "&") } else { ("||", "|") };
        let at = self.unit.exprs[constant].span;
        let message = format!("use of logical `{logical}` with constant operand");
        let diagnostic = Diagnostic::new(Code::ConstantLogicalOperand, op_span, message)
            .with_label(at, "a constant")
            .with_fix(Fix::new(format!("use `{bitwise}` for a bitwise operation"), op_span, bitwise));
        self.warn(diagnostic);
    }

    /// `~flag`
    pub(in crate::sema) fn warn_negated_bool(&mut self, op: ast::UnaryOp, op_span: Span, operand: Expr) {
        if op == ast::UnaryOp::BitNot && self.canonical(self.ty_of(operand)) == Ty::BOOL {
            let message = "bitwise negation of a boolean expression always evaluates to `true`";
            let diagnostic = Diagnostic::new(Code::BoolOperation, op_span, message).with_fix(Fix::new(
                "did you mean logical negation (`!`)?",
                op_span,
                "!",
            ));
            self.warn(diagnostic);
        }
    }

    /// A cast of pointers that loses qualifiers, or asks for a stricter alignment.
    pub(in crate::sema) fn warn_pointer_cast(&mut self, value: Expr, to: Ty, span: Span) {
        if !self.sink.is_on(Code::CastQual) && !self.sink.is_on(Code::CastAlign) {
            return;
        }
        let from = self.ty_of(value);
        let types = &self.module.types;
        let (Some(source), Some(target)) = (types.pointee(from), types.pointee(to)) else { return };
        let lost = types.quals(source) - types.quals(target) - crate::ir::Quals::RESTRICT;
        let align = |ty| layout::align_of(types, ty).ok();
        let is_stricter = match (align(source), align(target)) {
            (Some(before), Some(after)) if !matches!(types.kind(source), TyKind::Void) => {
                Some((before, after))
            }
            (Some(_) | None, _) => None,
        };
        let (from, to) = (self.show(from), self.show(to));
        if !lost.is_empty() {
            let word = if lost.contains(crate::ir::Quals::CONST) { "const" } else { "volatile" };
            let message = format!("cast from {from} to {to} drops `{word}` qualifier");
            self.warn(Diagnostic::new(Code::CastQual, span, message));
        }
        if let Some((before, after)) = is_stricter
            && after > before
        {
            let message =
                format!("cast from {from} to {to} increases required alignment from {before} to {after}");
            self.warn(Diagnostic::new(Code::CastAlign, span, message));
        }
    }
}
