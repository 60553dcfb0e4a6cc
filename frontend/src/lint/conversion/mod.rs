//! Implicit conversions that may change a value, and those that cost more than they seem to.
//!
//! The warnings and their names match clang for C++: a conversion counts as a whole, from the
//! expression as it is written to the type that it ends up with; the arms of `?:` go to where the whole goes;
//! a comparison of different signs has its own warning. Warnings about constants that change are in
//! `sema/warn`, and are on by default.
//!
//! - [`constant`]: the values of expressions of literals
//! - [`range`]: how many bits a value takes

mod constant;
mod range;

use std::collections::BTreeMap;

use self::constant::{Constant, constant};
use self::range::Range;
use super::Lints;
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::integer::Exact;
use crate::ir::{
    BinaryOp, Body, Expr, ExprData, FloatTy, Init, InitData, IntTy, Local, Module, Place, PlaceData, Quals,
    StmtData, Ty, TyKind, TypeTable, UnaryOp,
};

/// The warnings of this check.
const CODES: &[Code] = &[
    Code::DoublePromotion,
    Code::FloatConversion,
    Code::FloatOverflowConversion,
    Code::FloatZeroConversion,
    Code::ImplicitFloatConversion,
    Code::ImplicitIntConversion,
    Code::ImplicitIntConversionOnNegation,
    Code::ImplicitIntFloatConversion,
    Code::Shorten64To32,
    Code::SignConversion,
];

impl<'a> Lints<'a> {
    pub(super) fn conversions(&mut self, body: &'a Body) {
        if self.is_any_on(CODES) {
            let known = known(self.module, body);
            Conversions { lints: self, body, bound: BTreeMap::new(), known }.body();
        }
    }
}

/// The values of the variables of integer type that keep their initial value, where it is constant. A variable is known after its
/// declaration, so that one which its own value names is not.
fn known(module: &Module, body: &Body) -> BTreeMap<Local, Constant> {
    let types = &module.types;
    let is_fixed = |ty| {
        let quals = types.quals(ty);
        quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE) && types.int_ty(ty).is_some()
    };
    let mut known = BTreeMap::new();
    for node in body.stmts.values() {
        if let StmtData::Local(local, Some(init)) = node.data
            && is_fixed(body.locals[local].ty)
            && let InitData::Expr(expr) = body.inits[init].data
            && let Some(value) = constant(types, body, &known, expr)
        {
            known.insert(local, value);
        }
    }
    known
}

/// The conversions of one body.
struct Conversions<'l, 'a> {
    lints: &'l mut Lints<'a>,
    body: &'a Body,
    /// The right operands of compound assignments.
    bound: BTreeMap<Expr, Expr>,
    /// The values of constant variables.
    known: BTreeMap<Local, Constant>,
}

impl<'a> Conversions<'_, 'a> {
    fn types(&self) -> &'a TypeTable {
        &self.lints.module.types
    }

    fn constant(&self, expr: Expr) -> Option<Constant> {
        constant(self.types(), self.body, &self.known, expr)
    }

    /// Whether a conversion was not written: a cast has a place of its own.
    fn is_implicit(&self, expr: Expr, inner: Expr) -> bool {
        self.body.exprs[expr].span == self.body.exprs[inner].span
    }

    /// The expression as written, without its conversions.
    fn written(&self, mut expr: Expr) -> Expr {
        while let ExprData::Convert(_, inner) = self.body.exprs[expr].data
            && self.is_implicit(expr, inner)
        {
            expr = inner;
        }
        expr
    }

    fn body(&mut self) {
        for node in self.body.stmts.values() {
            match node.data {
                StmtData::Expr(expr)
                | StmtData::If { cond: expr, .. }
                | StmtData::While { cond: expr, .. }
                | StmtData::DoWhile { cond: expr, .. }
                | StmtData::Return(Some(expr)) => self.expr(expr, false),
                StmtData::Switch { ref head, .. } => self.expr(head.value, false),
                StmtData::For(ref head, _) => {
                    [head.cond, head.step].into_iter().flatten().for_each(|expr| self.expr(expr, false));
                }
                StmtData::Local(_, Some(init)) | StmtData::Init(_, init) => self.init(init, false),
                StmtData::Asm(ref asm) => asm.inputs.iter().for_each(|input| self.expr(input.value, false)),
                StmtData::Local(_, None)
                | StmtData::Static(_)
                | StmtData::Block(_)
                | StmtData::Case(..)
                | StmtData::Default(_)
                | StmtData::Label(..)
                | StmtData::Goto(_)
                | StmtData::Break
                | StmtData::Continue
                | StmtData::Return(None)
                | StmtData::Empty => {}
            }
        }
    }

    fn init(&mut self, init: Init, in_list: bool) {
        match &self.body.inits[init].data {
            InitData::Expr(expr) => self.expr(*expr, in_list),
            InitData::Array(elements) => elements.iter().for_each(|&(_, init)| self.init(init, true)),
            InitData::Record(fields) | InitData::Partial(fields) => {
                fields.iter().for_each(|&(_, init)| self.init(init, true));
            }
            InitData::Each(elem) => self.init(*elem, true),
            InitData::Construct(_, args) => args.iter().for_each(|&arg| self.expr(arg, false)),
            InitData::Bytes(_) => {}
        }
    }

    /// Checks an expression, the conversion of its value, and its operands.
    fn expr(&mut self, expr: Expr, in_list: bool) {
        let (ty, inner) = (self.body.exprs[expr].ty, self.written(expr));
        if let ExprData::Conditional { cond, then, otherwise } = self.body.exprs[inner].data {
            self.expr(cond, false);
            return self.arms([then, otherwise], ty, in_list);
        }
        self.check(inner, ty, in_list);
        self.parts(inner);
    }

    /// The arms of `?:` are converted to the type of the whole.
    fn arms(&mut self, arms: [Expr; 2], ty: Ty, in_list: bool) {
        for arm in arms {
            let arm = self.written(arm);
            if let ExprData::Conditional { cond, then, otherwise } = self.body.exprs[arm].data {
                self.expr(cond, false);
                self.arms([then, otherwise], ty, in_list);
            } else {
                self.check(arm, ty, in_list);
                self.parts(arm);
            }
        }
    }

    /// Checks the operands of an expression.
    fn parts(&mut self, expr: Expr) {
        let body = self.body;
        match &body.exprs[expr].data {
            ExprData::Load(place) | ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                self.place(*place)
            }
            ExprData::Unary(_, inner) | ExprData::Not(inner) | ExprData::Convert(_, inner) => {
                self.expr(*inner, false);
            }
            ExprData::Binary(BinaryOp::Shl | BinaryOp::Shr, lhs, rhs)
            | ExprData::Logical(_, lhs, rhs)
            | ExprData::PtrDiff(lhs, rhs)
            | ExprData::Comma(lhs, rhs) => {
                self.expr(*lhs, false);
                self.expr(*rhs, false);
            }
            ExprData::Binary(_, lhs, rhs) => self.operands(*lhs, *rhs),
            ExprData::Compare(_, lhs, rhs) => {
                if self.is_of_different_signs(*lhs, *rhs) {
                    let (lhs, rhs) = (self.written(*lhs), self.written(*rhs));
                    self.parts(lhs);
                    self.parts(rhs);
                } else {
                    self.operands(*lhs, *rhs);
                }
            }
            // A subscript has any integer type.
            ExprData::PtrOffset { ptr, index, .. } => {
                self.expr(*ptr, false);
                let index = self.written(*index);
                self.expr(index, false);
            }
            ExprData::Conditional { cond, then, otherwise } => {
                self.expr(*cond, false);
                self.arms([*then, *otherwise], body.exprs[expr].ty, false);
            }
            ExprData::Assign { place, value } => {
                self.place(*place);
                self.expr(*value, false);
            }
            ExprData::Modify { place, change, .. } => {
                self.place(*place);
                if let Some(rhs) = change.rhs {
                    self.expr(rhs.value, false);
                    self.bound.insert(rhs.bound, rhs.value);
                    self.modification(change.new, rhs.value, rhs.bound, *place);
                }
            }
            ExprData::CallIndirect { callee, args } => {
                self.expr(*callee, false);
                args.iter().for_each(|&arg| self.expr(arg, false));
            }
            ExprData::Call { args, .. } | ExprData::Builtin(_, args) | ExprData::VaList(_, args) => {
                args.iter().for_each(|&arg| self.expr(arg, false));
            }
            ExprData::Record(fields) => fields.iter().for_each(|&field| self.expr(field, false)),
            // Its statements are statements of the body.
            ExprData::Block(_, value) => {
                if let Some(value) = value.expand() {
                    self.expr(value, false);
                }
            }
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Bound => {}
        }
    }

    fn place(&mut self, place: Place) {
        match self.body.places[place].data {
            PlaceData::Local(_) | PlaceData::Global(_) => {}
            PlaceData::Deref(expr) | PlaceData::Temporary(expr) | PlaceData::Assigned(expr) => {
                self.expr(expr, false);
            }
            PlaceData::Field(outer, _) => self.place(outer),
            PlaceData::Conditional(cond, choice) => {
                self.expr(cond, false);
                self.body.choices[choice].into_iter().for_each(|place| self.place(place));
            }
            PlaceData::Comma(first, second) => {
                self.expr(first, false);
                self.place(second);
            }
            PlaceData::CompoundLiteral(_, init) => self.init(init, false),
        }
    }

    /// Operands that were brought to a common type.
    fn operands(&mut self, lhs: Expr, rhs: Expr) {
        for (operand, other) in [(lhs, rhs), (rhs, lhs)] {
            let widens = self.is_promoted(operand) && self.sink().is_on(Code::DoublePromotion);
            match self.single_precision(other).filter(|_| widens) {
                Some(fix) => {
                    let inner = self.written(operand);
                    self.promotion(inner, self.body.exprs[operand].ty, Some(fix));
                    self.parts(inner);
                }
                None => self.expr(operand, false),
            }
        }
    }

    fn sink(&self) -> &crate::diag::Sink {
        self.lints.sink
    }

    fn float_ty(&self, expr: Expr) -> Option<FloatTy> {
        self.types().float_ty(self.body.exprs[expr].ty)
    }

    fn is_promoted(&self, expr: Expr) -> bool {
        let inner = self.written(expr);
        let is_conditional = matches!(self.body.exprs[inner].data, ExprData::Conditional { .. });
        !is_conditional && self.float_ty(inner).zip(self.float_ty(expr)).is_some_and(|(from, to)| from < to)
    }

    /// The fix that makes a `float` of a `double` constant without a suffix.
    fn single_precision(&self, expr: Expr) -> Option<Fix> {
        let node = &self.body.exprs[expr];
        let ExprData::Float(_) = node.data else { return None };
        let is_decimal = node.span.is_written()
            && self.lints.sources.text(node.span).bytes().all(|b| b.is_ascii_digit() || b == b'.');
        is_decimal.then(|| {
            Fix::new("with the suffix `f`, the constant and the result are `float`", node.span.end(), "f")
        })
    }

    /// A comparison of a signed operand with an unsigned one, as unsigned.
    fn is_of_different_signs(&self, lhs: Expr, rhs: Expr) -> bool {
        let int = |expr| self.types().int_ty(self.body.exprs[expr].ty);
        let is_constant = |expr| self.constant(expr).is_some();
        let Some(common) = int(lhs) else { return false };
        if common.is_signed() || is_constant(lhs) && is_constant(rhs) {
            return false;
        }
        [lhs, rhs].into_iter().any(|side| int(self.written(side)).is_some_and(IntTy::is_signed))
    }

    /// `place op= value`: the right operand is converted to the operator's type, the result to the type of the place.
    fn modification(&mut self, new: Expr, value: Expr, bound: Expr, place: Place) {
        let body = self.body;
        let mut result = new;
        while let ExprData::Convert(_, inner) = body.exprs[result].data {
            result = inner;
        }
        let ExprData::Binary(_, lhs, rhs) = body.exprs[result].data else { return };
        let inner = self.written(value);
        for operand in [lhs, rhs] {
            if self.written(operand) == bound && body.exprs[operand].ty != body.exprs[value].ty {
                let fix = self.is_promoted(operand).then_some(None);
                match fix {
                    Some(fix) => self.promotion(inner, body.exprs[operand].ty, fix),
                    None => self.check(inner, body.exprs[operand].ty, false),
                }
            }
        }
        let types = self.types();
        let place_ty = body.places[place].ty;
        let Some(computed) = self.float_ty(result) else { return };
        if types.int_ty(place_ty).is_some() {
            self.turns_into_integer(value, body.exprs[rhs].ty, place_ty);
        } else if types.float_ty(place_ty).is_some_and(|stored| stored < computed) {
            let (from, to) = (types.describe(body.exprs[result].ty), types.describe(place_ty));
            let message = format!(
                "implicit conversion when assigning computation result loses floating-point precision: {from} to {to}"
            );
            let mut diagnostic = self.diagnostic(Code::ImplicitFloatConversion, value, message);
            if let Some(fix) = self.single_precision(value) {
                diagnostic = diagnostic.with_fix(fix);
            }
            self.lints.warn(diagnostic);
        }
    }

    /// Looks at a conversion; `expr` is as it was written.
    fn check(&mut self, expr: Expr, to: Ty, in_list: bool) {
        let (types, from) = (self.types(), self.body.exprs[expr].ty);
        if types.canonical(from) == types.canonical(to) {
            return;
        }
        match (types.float_ty(from), types.float_ty(to)) {
            (Some(source), Some(target)) if source < target => self.promotion(expr, to, None),
            (Some(_), Some(_)) => self.precision(expr, to),
            (Some(_), None) => self.float_to_int(expr, to),
            (None, Some(target)) => self.int_to_float(expr, to, target, in_list),
            (None, None) => self.int_to_int(expr, to),
        }
    }

    fn promotion(&mut self, expr: Expr, to: Ty, fix: Option<Fix>) {
        let message = "implicit conversion increases floating-point precision";
        let mut diagnostic = self.between(Code::DoublePromotion, expr, to, message);
        if let Some(fix) = fix {
            diagnostic = diagnostic.with_fix(fix);
        }
        self.lints.warn(diagnostic);
    }

    /// A `double` that becomes a `float`.
    fn precision(&mut self, expr: Expr, to: Ty) {
        let changes = match self.constant(expr) {
            Some(Constant::Float(value)) => f64::from(value as f32) != value && !value.is_nan(),
            Some(Constant::Int(_)) | None => true,
        };
        if changes {
            let message = "implicit conversion loses floating-point precision";
            let mut diagnostic = self.between(Code::ImplicitFloatConversion, expr, to, message);
            if let Some(fix) = self.single_precision(expr) {
                diagnostic = diagnostic.with_fix(fix);
            }
            self.lints.warn(diagnostic);
        }
    }

    fn float_to_int(&mut self, expr: Expr, to: Ty) {
        let Some(int) = self.types().int_ty(to) else { return };
        let from = self.body.exprs[expr].ty;
        let Some(Constant::Float(value)) = self.constant(expr) else {
            return self.turns_into_integer(expr, from, to);
        };
        // Of a literal that changes, `sema` warns.
        if self.is_literal(expr) {
            return;
        }
        let whole = Exact::truncated(value).filter(|whole| whole.fits(int) || int == IntTy::Bool);
        let (code, after) = match whole {
            _ if int == IntTy::Bool => return self.turns_into_integer(expr, from, to),
            Some(whole) if whole == Exact::ZERO && value != 0.0 => {
                (Code::FloatZeroConversion, "0".to_owned())
            }
            Some(whole) => {
                let (min, max) = Exact::range(int);
                let is_limit = whole == max || int.is_signed() && whole == min;
                if value.fract() == 0.0 || !is_limit {
                    return self.turns_into_integer(expr, from, to);
                }
                (Code::FloatOverflowConversion, whole.to_string())
            }
            None => (Code::FloatOverflowConversion, "an undefined value".to_owned()),
        };
        let (from, to) = (self.types().describe(from), self.types().describe(to));
        let message =
            format!("implicit conversion from {from} to {to} changes value from {value:?} to {after}");
        self.warn(code, expr, message);
    }

    fn is_literal(&self, expr: Expr) -> bool {
        match self.body.exprs[expr].data {
            ExprData::Float(_) => true,
            ExprData::Unary(UnaryOp::Neg, inner) => {
                matches!(self.body.exprs[inner].data, ExprData::Float(_))
            }
            _ => false,
        }
    }

    fn turns_into_integer(&mut self, expr: Expr, from: Ty, to: Ty) {
        let (from, to) = (self.types().describe(from), self.types().describe(to));
        let message = format!("implicit conversion turns floating-point number into integer: {from} to {to}");
        self.warn(Code::FloatConversion, expr, message);
    }

    fn int_to_float(&mut self, expr: Expr, to: Ty, target: FloatTy, in_list: bool) {
        // Narrowing in a list is a separate error, and `sema` warns of constants.
        if in_list || self.constant(expr).is_some() {
            return;
        }
        let precision = match target {
            FloatTy::Float => 24,
            FloatTy::Double | FloatTy::LongDouble => 53,
        };
        if self.range(expr, 128).is_some_and(|range| range.width > precision) {
            let (from, to) = (self.types().describe(self.body.exprs[expr].ty), self.types().describe(to));
            let message = format!("implicit conversion from {from} to {to} may lose precision");
            self.warn(Code::ImplicitIntFloatConversion, expr, message);
        }
    }

    fn int_to_int(&mut self, expr: Expr, to: Ty) {
        let (types, from) = (self.types(), self.body.exprs[expr].ty);
        let (Some(source), Some(target)) = (types.int_ty(from), types.int_ty(to)) else { return };
        if target == IntTy::Bool {
            return;
        }
        let Some(likely) = self.range(expr, 128) else { return };
        let (of_source, of_target) = (Range::of_int(source), Range::of_int(target));
        let is_negation = matches!(self.body.exprs[expr].data, ExprData::Unary(UnaryOp::Neg, _));
        if likely.width > of_target.width {
            // Of a constant that changes, `sema` warns.
            if self.constant(expr).is_some() {
                return;
            }
            if is_negation {
                let message = "implicit conversion loses integer precision on negation";
                let diagnostic = self.between(Code::ImplicitIntConversionOnNegation, expr, to, message);
                return self.lints.warn(diagnostic);
            }
            let code = if of_target.width == 32 && source.bits() == 64 {
                Code::Shorten64To32
            } else {
                Code::ImplicitIntConversion
            };
            let diagnostic = self.between(code, expr, to, "implicit conversion loses integer precision");
            return self.lints.warn(diagnostic);
        }
        if of_target.width > of_source.width && is_negation && of_source.is_positive {
            let (code, message) = if of_target.is_positive {
                (Code::ImplicitIntConversion, "higher order bits are zeroes after implicit conversion")
            } else {
                (Code::SignConversion, "the resulting value is always non-negative after implicit conversion")
            };
            let diagnostic = self.between(code, expr, to, message);
            return self.lints.warn(diagnostic);
        }
        let changes_sign = of_target.is_positive && !likely.is_positive
            || !of_target.is_positive && likely.is_positive && likely.width == of_target.width;
        let is_enum = matches!(types.kind(from), TyKind::Enum(_));
        if changes_sign && (is_enum || source.is_signed() != target.is_signed()) {
            let diagnostic =
                self.between(Code::SignConversion, expr, to, "implicit conversion changes signedness");
            self.lints.warn(diagnostic);
        }
    }

    /// A message that ends in the two types.
    fn between(&self, code: Code, expr: Expr, to: Ty, message: &str) -> Diagnostic {
        let (from, to) = (self.types().describe(self.body.exprs[expr].ty), self.types().describe(to));
        self.diagnostic(code, expr, format!("{message}: {from} to {to}"))
    }

    fn diagnostic(&self, code: Code, expr: Expr, message: String) -> Diagnostic {
        Diagnostic::new(code, self.body.exprs[expr].span, message)
    }

    fn warn(&mut self, code: Code, expr: Expr, message: String) {
        let diagnostic = self.diagnostic(code, expr, message);
        self.lints.warn(diagnostic);
    }
}
