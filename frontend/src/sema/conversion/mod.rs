//! Implicit conversions: promotions, the usual arithmetic conversions, and those of assignment,
//! initialization, arguments and `return` (C++17 7).
//!
//! - [`cast`]: explicit conversions; [`reference`]: what references bind to
//! - [`construct`]: objects of classes; [`class_conversion`]: conversions that a class defines; [`initializer_list`]: `std::initializer_list`
//! - [`pointer`]: between pointers, and the type that two of them have in common
//! - [`init`]: initializers of objects; [`designator`]: designators in their lists; [`static_init`]: those that are constants

mod cast;
mod class_conversion;
pub(super) mod construct;
mod copy;
mod designator;
mod init;
pub(in crate::sema) mod initializer_list;
mod pointer;
pub(super) mod reference;
mod static_init;

use std::mem;

use self::construct::Form;

use super::Conversions;
use super::constant::const_eval::{Mode, Value, int_to_float};
use super::expression::integer_rank::{common_int, promoted};
use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::{
    Conversion, Exact, Expr, ExprData, FloatTy, IntTy, Place, PlaceData, Quals, Scalar, Ty, TyKind, View,
};
use crate::source::Span;

/// What is remembered of initial values.
#[derive(Default)]
pub(super) struct ConversionFacts {
    /// How many elements ranges of designators have initialized.
    n_ranged: u64,
    /// A conversion by a class is looked for: none follows it.
    is_converting: bool,
}

impl ConversionFacts {
    /// Says whether a conversion by a class is looked for, and what was said before.
    pub(super) fn set_converting(&mut self, is_converting: bool) -> bool {
        mem::replace(&mut self.is_converting, is_converting)
    }
}

/// Where a value goes to, for the wording of messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A variable, member or element.
    Initialize,
    /// What `type{…}` makes.
    Braces,
    Assign,
    /// An argument, with the parameter's declaration if it is known.
    Argument(Option<Span>),
    Return,
}

/// How two pointed-to types go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Qualification {
    Converts,
    /// Only qualifiers would be lost.
    Discards,
    Differs,
}

impl Conversions<'_> {
    /// Integer promotions (C++17 7.6); other types stay.
    pub(super) fn promote(&mut self, expr: Expr) -> Expr {
        if self.ty_of(expr) == Ty::INT {
            return expr;
        }
        let Some(promoted) = self.promoted_int(expr) else { return expr };
        self.numeric(expr, Ty::int(promoted))
    }

    /// The type that an integer or enum value has after its promotion.
    pub(super) fn promoted_int(&self, expr: Expr) -> Option<IntTy> {
        let ty = self.ty_of(expr);
        if let TyKind::Enum(enum_) = *self.module.types.kind(ty) {
            let data = &self.module.types.enums[enum_];
            if data.is_scoped {
                return None;
            }
            if data.is_fixed {
                return Some(promoted(data.underlying));
            }
            // C++17 7.6p3
            let (min, max) = self.types_ref().enum_range(enum_);
            let model = self.module.types.model();
            // An enum of 64 bits is one of `long` where `long` has them.
            let candidates = [IntTy::Int, IntTy::UInt, model.int64(), model.uint64()];
            let holds = |int: &IntTy| min.fits(*int) && max.fits(*int);
            return Some(candidates.into_iter().find(holds).unwrap_or(model.int64()));
        }
        let int = self.module.types.int_ty(ty)?;
        match self.bit_field_of(expr) {
            // C++17 7.6p5
            Some(width) if width < 32 || width == 32 && int.is_signed() => Some(IntTy::Int),
            Some(32) => Some(IntTy::UInt),
            Some(_) | None => Some(promoted(int)),
        }
    }

    /// The width of the bit-field that the value was read from or written to, if it promotes by that: behind a comma
    /// too, by the name that it is bound to, and as what `++` found (to nvcc; not to clang).
    pub(super) fn bit_field_of(&self, expr: Expr) -> Option<u32> {
        if let Some(&value) = self.arena.bindings.get(expr) {
            return self.bit_field_of(value);
        }
        match self.arena.exprs[expr].data {
            ExprData::Load(place) | ExprData::Assign { place, .. } | ExprData::Modify { place, .. } => {
                self.promotion_width(place)
            }
            ExprData::Comma(_, second) => self.bit_field_of(second),
            _ => None,
        }
    }

    /// The width by which values of the place promote. A choice between bit-fields is a bit-field too, but nvcc and
    /// clang do not know of which width, so that its values promote by their type.
    pub(super) fn promotion_width(&self, place: Place) -> Option<u32> {
        match self.arena.places[place].data {
            PlaceData::Conditional(..) => None,
            PlaceData::Comma(_, place) => self.promotion_width(place),
            PlaceData::Assigned(assign) => self.bit_field_of(assign),
            PlaceData::Local(_)
            | PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Field(..)
            | PlaceData::Temporary(_)
            | PlaceData::CompoundLiteral(..) => self.expressions_ref().bit_field_width(place),
        }
    }

    /// The common type of the operands of an arithmetic operator (C++17 8p11), if both are
    /// arithmetic, and the operands in it.
    pub(super) fn usual_arithmetic(&mut self, lhs: Expr, rhs: Expr) -> Option<(Expr, Expr, Ty)> {
        let (left, right) = (self.ty_of(lhs), self.ty_of(rhs));
        if self.are_alike(lhs, rhs) {
            return Some((lhs, rhs, left));
        }
        if !self.is_number(lhs) || !self.is_number(rhs) {
            return None;
        }
        let types = &self.module.types;
        let (left, right) = (types.float_ty(left), types.float_ty(right));
        let ty = match left.max(right) {
            Some(float) => {
                let ty = Ty::float(float);
                for operand in [lhs, rhs] {
                    if self.arena.exprs[operand].data.as_int().is_some_and(|value| value > 1 << 24) {
                        self.warnings().warn_int_to_float(operand, ty);
                    }
                }
                ty
            }
            None => Ty::int(common_int(self.promoted_int(lhs)?, self.promoted_int(rhs)?)),
        };
        let (lhs, rhs) = (self.numeric(lhs, ty), self.numeric(rhs, ty));
        Some((lhs, rhs, ty))
    }

    /// Whether the operands are of one type, that of which most are: one that stays as it is, bit-fields included.
    pub(super) fn are_alike(&self, lhs: Expr, rhs: Expr) -> bool {
        let ty = self.ty_of(lhs);
        ty == self.ty_of(rhs) && matches!(ty, Ty::INT | Ty::FLOAT | Ty::DOUBLE)
    }

    /// Converts between arithmetic and enum types, without a word about it.
    pub(super) fn numeric(&mut self, expr: Expr, to: Ty) -> Expr {
        let from = self.ty_of(expr);
        if self.same(from, to) {
            return expr;
        }
        let types = &self.module.types;
        let to_int = types.int_ty(to);
        let conversion = match (types.int_ty(from).is_some(), to_int) {
            (_, Some(IntTy::Bool)) if matches!(types.kind(to), TyKind::Int(_)) => Conversion::ToBool,
            (true, Some(_)) => Conversion::IntToInt,
            (true, None) => Conversion::IntToFloat,
            (false, Some(_)) => Conversion::FloatToInt,
            (false, None) => Conversion::FloatToFloat,
        };
        self.expressions().conversion(conversion, expr, to)
    }

    /// A condition: contextually converted to `bool` (C++17 7p4).
    pub(super) fn check_condition(&mut self, id: ExprId) -> Result<Expr, Reported> {
        let value = self.expressions().check_rvalue(id)?;
        self.condition_of(id, value)
    }

    /// The same of a value that has been checked.
    pub(super) fn condition_of(&mut self, id: ExprId, value: Expr) -> Result<Expr, Reported> {
        let truth = self.truth(value)?;
        self.warnings().warn_condition(id, value);
        Ok(truth)
    }

    pub(super) fn truth(&mut self, expr: Expr) -> Result<Expr, Reported> {
        let ty = self.ty_of(expr);
        if ty == Ty::BOOL {
            return Ok(expr);
        }
        if self.module.types.record(ty).is_some()
            && let Some(func) = self.conversion_function(expr, Ty::BOOL, Form::Direct)
        {
            let span = self.span_of(expr);
            let made = self.call_conversion(expr, func, span)?;
            return self.truth(made);
        }
        match self.module.types.view(ty) {
            View::Scalar(Scalar::Enum(enum_)) if self.module.types.enums[enum_].is_scoped => {
                let (shown, span) = (self.show(ty), self.span_of(expr));
                let message = format!("value of type {shown} is not contextually convertible to `bool`");
                Err(self.error(Code::InvalidCondition, span, message))
            }
            View::Scalar(Scalar::Int(_) | Scalar::Float(_) | Scalar::Enum(_)) => {
                Ok(self.numeric(expr, Ty::BOOL))
            }
            View::Record(_) if self.builtins_ref().converts_by_half(ty, Ty::BOOL) => {
                self.builtins().convert_by_half(expr, Ty::BOOL, Target::Initialize)
            }
            View::Record(_) if self.builtins_ref().casts_by_class(ty, Ty::BOOL) => {
                let span = self.span_of(expr);
                self.builtins().cast_by_class(expr, Ty::BOOL, span)
            }
            View::Scalar(Scalar::Pointer(_)) => {
                Ok(self.expressions().conversion(Conversion::PtrToBool, expr, Ty::BOOL))
            }
            View::Scalar(Scalar::Nullptr) => {
                let span = self.span_of(expr);
                let value = self.expr(ExprData::int(0), Ty::BOOL, span);
                Ok(self.in_place_of(expr, value))
            }
            View::Error => Err(self.poisoned()),
            View::Scalar(Scalar::Opaque(_) | Scalar::Reference(..))
            | View::Void
            | View::Array(..)
            | View::Func(_)
            | View::Record(_) => {
                let (ty, span) = (self.show(ty), self.span_of(expr));
                let message = format!("value of type {ty} is not contextually convertible to `bool`");
                Err(self.error(Code::InvalidCondition, span, message))
            }
        }
    }

    /// Whether the expression is a null pointer constant (C++17 7.11p1).
    pub(super) fn is_null_constant(&self, expr: Expr) -> bool {
        self.arena.zero_literals.contains(expr) || self.canonical(self.ty_of(expr)) == Ty::NULLPTR
    }

    /// The null pointer of a type, in the place of a null pointer constant. What has the type of
    /// `nullptr` without being a literal, such as `(f(), nullptr)`, is still evaluated.
    pub(super) fn null_of(&mut self, expr: Expr, ty: Ty) -> Expr {
        let span = self.span_of(expr);
        let null = self.expr(ExprData::Null, ty, span);
        self.in_place_of(expr, null)
    }

    /// The constant that an expression is known to have, after the expression's effects.
    fn in_place_of(&mut self, expr: Expr, constant: Expr) -> Expr {
        if matches!(self.arena.exprs[expr].data, ExprData::Null | ExprData::Int(_) | ExprData::WideInt(_)) {
            return constant;
        }
        let (ty, span) = (self.ty_of(constant), self.span_of(expr));
        let effect = self.expressions().discarded(expr);
        self.expr(ExprData::Comma(effect, constant), ty, span)
    }

    /// An implicit conversion to the type of what the value goes to.
    #[inline]
    pub(super) fn convert(&mut self, expr: Expr, to: Ty, target: Target) -> Result<Expr, Reported> {
        if self.ty_of(expr) == to && to.is_plain_number() {
            Ok(expr)
        } else {
            self.converted(expr, to, target)
        }
    }

    /// The same of a value that may be of another type.
    #[inline(never)]
    fn converted(&mut self, expr: Expr, to: Ty, target: Target) -> Result<Expr, Reported> {
        let to = self.module.types.unqualified(to);
        let from = self.ty_of(expr);
        if self.same(from, to) && self.canonical(to) != Ty::NULLPTR {
            return if matches!(target, Target::Assign) { Ok(expr) } else { self.own_value(expr) };
        }
        if self.arena.listed.contains(expr) {
            let outer = mem::replace(&mut self.refuses_narrowing, true);
            let checked = self.check_narrowing(expr, to);
            self.refuses_narrowing = outer;
            checked?;
        }
        let types = &self.module.types;
        match (types.kind(from).clone(), types.kind(to).clone()) {
            (TyKind::Error, _) | (_, TyKind::Error) => Err(self.poisoned()),
            (TyKind::Enum(enum_), _) if types.enums[enum_].is_scoped => {
                Err(self.cannot_convert(expr, to, target))
            }
            (TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_), TyKind::Int(_) | TyKind::Float(_)) => {
                self.warnings().warn_constant_change(expr, to);
                Ok(self.numeric(expr, to))
            }
            (TyKind::Pointer(_), TyKind::Int(IntTy::Bool)) => {
                Ok(self.expressions().conversion(Conversion::PtrToBool, expr, to))
            }
            (_, TyKind::Pointer(_)) if self.is_null_constant(expr) => Ok(self.null_of(expr, to)),
            (TyKind::Pointer(from_pointee), TyKind::Pointer(to_pointee))
                if let Some(path) = self.base_path(from_pointee, to_pointee) =>
            {
                let at = self.span_of(expr);
                self.names().require_base_access(from_pointee, to_pointee, at)?;
                self.types().pointer_to_base(expr, &path, to)
            }
            (TyKind::Pointer(from_pointee), TyKind::Pointer(to_pointee)) => {
                match self.pointer_conversion(from_pointee, to_pointee) {
                    Qualification::Converts => {
                        Ok(self.expressions().conversion(Conversion::PtrToPtr, expr, to))
                    }
                    Qualification::Discards if self.is_writable_string(expr, to_pointee) => {
                        let message = "conversion from string literal to `char *` discards const";
                        let diagnostic = Diagnostic::new(Code::WritableString, self.span_of(expr), message)
                            .with_help("declare the pointer as `const char *`");
                        self.sink.emit(diagnostic);
                        Ok(self.expressions().conversion(Conversion::PtrToPtr, expr, to))
                    }
                    Qualification::Discards => Err(self.discards_qualifiers(expr, to, target)),
                    Qualification::Differs if self.is_string_of_bytes(expr, to_pointee) => {
                        Ok(self.expressions().conversion(Conversion::PtrToPtr, expr, to))
                    }
                    Qualification::Differs if self.is_function_to_void(from_pointee, to_pointee) => {
                        self.warn_function_to_void(expr, from, to);
                        Ok(self.expressions().conversion(Conversion::PtrToPtr, expr, to))
                    }
                    Qualification::Differs => Err(self.cannot_convert(expr, to, target)),
                }
            }
            _ if self.builtins_ref().converts_by_dim3(from, to) => self.builtins().convert_by_dim3(expr, to),
            _ if self.builtins_ref().converts_by_half(from, to) => {
                self.builtins().convert_by_half(expr, to, target)
            }
            (TyKind::Record(_), TyKind::Record(_))
                if let Some(path) = self.types_ref().derivation(from, to) =>
            {
                if !matches!(target, Target::Assign) && !self.is_copied_as_base(expr, to, Form::Copy)? {
                    return self.convert_by_class(expr, to, Form::Copy);
                }
                let at = self.span_of(expr);
                self.names().require_base_access(from, to, at)?;
                Ok(self.value_of_base(expr, &path, to))
            }
            (TyKind::Record(_), _) | (_, TyKind::Record(_)) if self.has_class_conversion(expr, to) => {
                self.convert_by_class(expr, to, Form::Copy)
            }
            _ => Err(self.cannot_convert(expr, to, target)),
        }
    }

    /// A string literal for a `char *`: C has it, C++03 7.5 had it, nvcc takes it still.
    pub(super) fn is_writable_string(&self, expr: Expr, to_pointee: Ty) -> bool {
        self.is_plain_string(expr) && self.canonical(to_pointee) == Ty::CHAR
    }

    /// A string literal for a `const unsigned char *` or a `const signed char *`, as nvcc takes it.
    pub(super) fn is_string_of_bytes(&self, expr: Expr, to_pointee: Ty) -> bool {
        self.is_plain_string(expr)
            && self.module.types.quals(to_pointee).contains(Quals::CONST)
            && matches!(self.module.types.kind(to_pointee), TyKind::Int(IntTy::SChar | IntTy::UChar))
    }

    /// Whether the value is the address of a string literal of `char`, as it is written.
    fn is_plain_string(&self, expr: Expr) -> bool {
        let ExprData::ArrayDecay(place) = self.arena.exprs[expr].data else { return false };
        let PlaceData::Global(global) = self.arena.places[place].data else { return false };
        let pointee = self.module.types.pointee(self.ty_of(expr));
        self.module.globals[global].name.is_none()
            && !self.arena.function_names.contains(&place)
            && pointee
                .is_some_and(|pointee| matches!(self.module.types.kind(pointee), TyKind::Int(IntTy::Char)))
    }

    /// A function's address for a pointer to `void`, which nvcc takes as GNU C does.
    pub(super) fn is_function_to_void(&self, from_pointee: Ty, to_pointee: Ty) -> bool {
        let types = &self.module.types;
        types.func(from_pointee).is_some() && matches!(types.kind(to_pointee), TyKind::Void)
    }

    pub(super) fn warn_function_to_void(&mut self, expr: Expr, from: Ty, to: Ty) {
        let (from, shown) = (self.show(from), self.show(to));
        let message = format!("conversion from pointer to function {from} to {shown}");
        let to = self.module.types.display(to).to_string();
        let diagnostic = Diagnostic::new(Code::FunctionToVoidPointer, self.span_of(expr), message)
            .with_fix(self.cast_fix(expr, &to));
        self.sink.emit(diagnostic);
    }

    /// The common type of a comparison of a pointer to a function with a `void *`: GNU C's, with a warning.
    pub(super) fn compared_with_void(&mut self, lhs: Expr, rhs: Expr, op_span: Span) -> Option<Ty> {
        let (left, right) = (self.ty_of(lhs), self.ty_of(rhs));
        let (l, r) = (self.module.types.pointee(left)?, self.module.types.pointee(right)?);
        let common = match (self.is_function_to_void(l, r), self.is_function_to_void(r, l)) {
            (true, _) => right,
            (_, true) => left,
            (false, false) => return None,
        };
        let (left, right) = (self.show(left), self.show(right));
        let message = format!("comparison of a pointer to a function with a `void *` ({left} and {right})");
        self.sink.emit(Diagnostic::new(Code::FunctionToVoidPointer, op_span, message));
        Some(common)
    }

    fn cannot_convert(&mut self, expr: Expr, to: Ty, target: Target) -> Reported {
        let from = self.ty_of(expr);
        let lambda =
            self.module.types.record(from).and_then(|record| self.module.types.records[record].lambda);
        let is_generic = lambda.is_some_and(|lambda| lambda.call.is_none());
        if is_generic && self.module.types.pointee(to).is_some_and(|to| self.module.types.func(to).is_some())
        {
            let message = "the conversion of a generic lambda to a pointer to a function is not supported";
            let span = self.span_of(expr);
            return self.error(Code::UnsupportedLambda, span, message);
        }
        let (shown_from, shown_to) = (self.show(from), self.show(to));
        let message = match target {
            Target::Initialize | Target::Braces => {
                format!("cannot initialize an object of type {shown_to} with a value of type {shown_from}")
            }
            Target::Assign => format!("assigning to {shown_to} from incompatible type {shown_from}"),
            Target::Argument(_) => {
                format!("passing {shown_from} to parameter of incompatible type {shown_to}")
            }
            Target::Return => {
                format!(
                    "cannot return a value of type {shown_from} from a function with return type {shown_to}"
                )
            }
        };
        let mut diagnostic = Diagnostic::new(Code::InvalidConversion, self.span_of(expr), message);
        if let Target::Argument(Some(span)) = target {
            diagnostic = diagnostic.with_label(span, "parameter declared here");
        }
        let types = &self.module.types;
        let castable = match (types.kind(from), types.kind(to)) {
            (TyKind::Pointer(p), TyKind::Pointer(_)) => {
                if matches!(types.kind(*p), TyKind::Void) {
                    diagnostic = diagnostic
                        .with_note("C++ does not implicitly convert `void *` to other pointer types");
                }
                true
            }
            (TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_), TyKind::Enum(_)) => true,
            _ if self.builtins_ref().casts_by_class(from, to) => {
                diagnostic = diagnostic.with_note("its constructors and conversion functions are explicit");
                true
            }
            _ => false,
        };
        if castable {
            let to = self.module.types.display(to);
            diagnostic = diagnostic.with_fix(self.cast_fix(expr, &to.to_string()));
        }
        self.sink.error(diagnostic)
    }

    /// A cast to the type before an expression.
    fn cast_fix(&self, expr: Expr, to: &str) -> Fix {
        let span = self.span_of(expr);
        let title = format!("cast it: `({to})`");
        let is_loose = match self.arena.exprs[expr].data {
            // They bind less tightly than a cast.
            ExprData::Load(place) | ExprData::ArrayDecay(place) => matches!(
                self.arena.places[place].data,
                PlaceData::Assigned(_) | PlaceData::Conditional(..) | PlaceData::Comma(..)
            ),
            ExprData::Binary(..)
            | ExprData::Compare(..)
            | ExprData::Logical(..)
            | ExprData::PtrOffset { .. }
            | ExprData::PtrDiff(..)
            | ExprData::Conditional { .. }
            | ExprData::Assign { .. }
            | ExprData::Modify { .. }
            | ExprData::Comma(..)
            | ExprData::Convert(..) => true,
            _ => false,
        };
        match is_loose {
            true => Fix::new(title, span.start(), format!("({to})(")).and(span.end(), ")"),
            false => Fix::new(title, span.start(), format!("({to})")),
        }
    }

    fn discards_qualifiers(&mut self, expr: Expr, to: Ty, target: Target) -> Reported {
        let (from, to) = (self.show(self.ty_of(expr)), self.show(to));
        let message = match target {
            Target::Initialize | Target::Braces => {
                format!("initializing {to} with an expression of type {from} discards qualifiers")
            }
            Target::Assign => format!("assigning to {to} from {from} discards qualifiers"),
            Target::Argument(_) => format!("passing {from} to parameter of type {to} discards qualifiers"),
            Target::Return => {
                format!("returning {from} from a function with return type {to} discards qualifiers")
            }
        };
        let mut diagnostic = Diagnostic::new(Code::DiscardedQualifiers, self.span_of(expr), message);
        if let Target::Argument(Some(span)) = target {
            diagnostic = diagnostic.with_label(span, "parameter declared here");
        }
        self.sink.error(diagnostic)
    }

    /// Warns of a narrowing conversion within braces. C++17 11.6.4p7 forbids it; nvcc takes it with a
    /// warning, as GNU C does, and so does every program that was written in C. A constant that does not survive is an error, as with
    /// nvcc, where the braces are no initializer of a variable.
    pub(super) fn check_narrowing(&mut self, expr: Expr, to: Ty) -> Result<(), Reported> {
        let from = self.ty_of(expr);
        let types = &self.module.types;
        let value = self.constants().eval(expr, Mode::Optional).ok();
        let narrows = match (types.kind(from), types.kind(to)) {
            (TyKind::Float(_), TyKind::Int(_)) => true,
            (TyKind::Float(FloatTy::Double), TyKind::Float(FloatTy::Float)) => match value {
                Some(Value::Float(value)) => value.is_finite() && (value as f32).is_infinite(),
                Some(Value::Int(_) | Value::Extended(_) | Value::Addr(..)) | None => true,
            },
            (TyKind::Float(FloatTy::LongDouble), &TyKind::Float(to @ (FloatTy::Float | FloatTy::Double))) => {
                match value {
                    Some(Value::Extended(value)) => to == FloatTy::Float && value.to_f32().is_infinite(),
                    Some(Value::Int(_) | Value::Float(_) | Value::Addr(..)) | None => true,
                }
            }
            (TyKind::Int(_) | TyKind::Enum(_), &TyKind::Float(float)) => match value {
                Some(Value::Int(value)) => {
                    let exact = types.int_ty(from).map(|from| Exact::of(from, value));
                    exact.is_some_and(|e| Exact::truncated(int_to_float(float, e)) != Some(e))
                }
                Some(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | None => true,
            },
            (TyKind::Int(_) | TyKind::Enum(_), &TyKind::Int(int)) => match value {
                Some(Value::Int(value)) => {
                    types.int_ty(from).is_some_and(|from| !Exact::of(from, value).fits(int))
                }
                Some(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | None => {
                    let from = types.int_ty(from).map(Exact::range);
                    from.is_some_and(|(min, max)| !min.fits(int) || !max.fits(int))
                }
            },
            (TyKind::Pointer(_), TyKind::Int(IntTy::Bool)) => true,
            _ => false,
        };
        if !narrows {
            return Ok(());
        }
        let to_ty = to;
        let (from, to) = (self.show(from), self.module.types.display(to).to_string());
        let what = if value.is_some() { "constant expression" } else { "non-constant expression" };
        let message = format!("{what} of type {from} is narrowed to type `{to}` in braces");
        // To nvcc, a `double` that is no `float`'s is none of these, nor is a number that becomes a `bool`.
        let types = &self.module.types;
        let is_taken = matches!(
            (types.kind(self.ty_of(expr)), types.kind(to_ty)),
            (TyKind::Float(_), TyKind::Float(_))
                | (TyKind::Int(_) | TyKind::Enum(_), TyKind::Int(IntTy::Bool))
        );
        let is_pointer = matches!(types.kind(self.ty_of(expr)), TyKind::Pointer(_));
        let is_refused = (value.is_some() && !is_taken || is_pointer) && self.refuses_narrowing;
        self.n_narrowed += usize::from(value.is_none() || !is_taken);
        let code = if is_refused { Code::NarrowingConstant } else { Code::Narrowing };
        let diagnostic =
            Diagnostic::new(code, self.span_of(expr), message).with_fix(self.cast_fix(expr, &to));
        if is_refused {
            return Err(self.sink.error(diagnostic));
        }
        self.sink.emit(diagnostic);
        Ok(())
    }
}
