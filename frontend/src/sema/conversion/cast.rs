//! Explicit conversions (C++17 8.2.3, 8.2.9 to 8.2.11, 8.4), compound literals.

use cranelift_entity::packed_option::ReservedValue;
use thin_vec::ThinVec;

use super::Target;
use super::construct::Form;
use crate::ast::{ExprId, ExprKind, InitId, NamedCast, TypeName};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    Conversion, Expr, ExprData, Init, InitData, IntTy, Local, LocalData, Place, PlaceData, Quals, Scalar, Ty,
    TyKind, View,
};
use crate::sema::Conversions;
use crate::sema::call::overload::ClassValues;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::source::Span;

impl Conversions<'_> {
    /// `(type)operand`.
    pub(in crate::sema) fn check_cast(
        &mut self,
        name: &TypeName,
        operand: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.types().resolve_type_name(name);
        if let Ok(to) = ty
            && self.module.types.reference(to).is_some()
        {
            return self.cast_reference(None, operand, to, span);
        }
        let value = self.check_cast_operand(operand, ty)?;
        let result = self.cast(value, ty?, span)?;
        Ok(Operand::Value(self.null_of_literal(operand, result)))
    }

    /// The result of a cast of `operand`: where the operand is a literal and the result an integer zero, it stays
    /// a null pointer constant. C++17 7.11p1 has only literals; nvcc also takes `(int)0` and `(long)'\0'`.
    fn null_of_literal(&mut self, operand: ExprId, result: Expr) -> Expr {
        let (ty, span) = (self.ty_of(result), self.span_of(result));
        let is_int = matches!(self.module.types.kind(ty), TyKind::Int(int) if *int != IntTy::Bool);
        if !is_int
            || !self.is_literal(operand)
            || !matches!(self.constants().eval(result, Mode::Optional), Ok(Value::Int(0)))
        {
            return result;
        }
        let null = self.expr(ExprData::int(0), ty, span);
        self.arena.zero_literals.add(null, ());
        null
    }

    /// Whether the expression is a literal of a number or character, in parentheses and behind casts or not.
    fn is_literal(&self, expr: ExprId) -> bool {
        match self.unit.exprs[expr].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Bool(_) => true,
            ExprKind::Ident(symbol) => {
                let entity = self.names_ref().lookup(symbol).map(|binding| binding.entity);
                matches!(entity, Some(Entity::Enumerator(..)))
            }
            ExprKind::Paren(inner)
            | ExprKind::Cast { operand: inner, .. }
            | ExprKind::NamedCast { operand: inner, .. } => self.is_literal(inner),
            _ => false,
        }
    }

    /// The operand's value; of a cast to `void`, what is left of it.
    fn check_cast_operand(&mut self, operand: ExprId, ty: Result<Ty, Reported>) -> Result<Expr, Reported> {
        match ty {
            Ok(ty) if self.canonical(ty) == Ty::VOID => {
                let operand = self.expressions().check_expr(operand)?;
                self.expressions().discard(operand)
            }
            Ok(ty) => self.calls().check_wanted(operand, ty),
            Err(_) => self.expressions().check_rvalue(operand),
        }
    }

    /// What a C-style cast may do.
    pub(in crate::sema) fn cast(&mut self, expr: Expr, to: Ty, span: Span) -> Result<Expr, Reported> {
        let to = self.module.types.unqualified(to);
        let from = self.ty_of(expr);
        if self.canonical(to) == Ty::VOID {
            return Ok(self.expressions().discarded(expr));
        }
        // What an instance of a class template converts to is known once it is complete.
        if [from, to].iter().any(|&ty| self.module.types.record(ty).is_some()) {
            self.complete_classes(expr, to);
        }
        let types = &self.module.types;
        let result = match (types.kind(from).clone(), types.kind(to).clone()) {
            (TyKind::Error, _) | (_, TyKind::Error) => return Err(self.poisoned()),
            (
                TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_),
                TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_),
            ) => self.numeric(expr, to),
            (_, TyKind::Pointer(_)) if self.is_null_constant(expr) => self.null_of(expr, to),
            (TyKind::Pointer(f), TyKind::Pointer(t)) if self.are_of_one_class(f, t) => {
                self.cast_within_class(expr, (f, t), to)?
            }
            (TyKind::Pointer(_), TyKind::Pointer(_)) => {
                self.warnings().warn_pointer_cast(expr, to, span);
                self.as_pointer(expr, to)
            }
            (TyKind::Pointer(_), TyKind::Int(_)) if self.canonical(to) == Ty::BOOL => self.truth(expr)?,
            (TyKind::Pointer(_), TyKind::Int(int)) => {
                if int.bits() < self.module.types.model().address_bits() {
                    let (from, to) = (self.show(from), self.show(to));
                    let message = format!("cast from pointer {from} to smaller type {to} loses information");
                    self.sink.emit(Diagnostic::new(Code::PointerToSmallInteger, span, message));
                }
                self.expressions().conversion(Conversion::PtrToInt, expr, to)
            }
            (TyKind::Int(_) | TyKind::Enum(_), TyKind::Pointer(_)) => {
                self.expressions().conversion(Conversion::IntToPtr, expr, to)
            }
            (TyKind::Nullptr, TyKind::Int(int)) if int.bits() == types.model().address_bits() => {
                let at = self.span_of(expr);
                self.expr(ExprData::int(0), to, at)
            }
            (TyKind::Record(a), TyKind::Record(b)) if a == b => {
                let value = self.own_value(expr)?;
                let init = self.init_of_value(value, span);
                self.value_of_init(init, to, span)
            }
            (TyKind::Record(_), TyKind::Record(_))
                if self.types_ref().derivation(from, to).is_some()
                    && self.constructed_class(to).is_none() =>
            {
                return self.convert(expr, to, Target::Initialize);
            }
            (TyKind::Opaque(a), TyKind::Opaque(b)) if a == b => expr,
            _ if self.builtins_ref().converts_by_dim3(from, to) => {
                return self.builtins().convert_by_dim3(expr, to);
            }
            _ if self.builtins_ref().converts_by_half(from, to) => {
                return self.builtins().convert_by_half(expr, to, Target::Initialize);
            }
            (TyKind::Record(_), TyKind::Record(_))
                if let Some(value) = self.builtins().cast_between_halves(expr, to) =>
            {
                return Ok(value);
            }
            _ if self.builtins_ref().casts_by_class(from, to) => {
                return self.builtins().cast_by_class(expr, to, span);
            }
            (TyKind::Record(_), _) if self.conversion_function(expr, to, Form::Direct).is_some() => {
                self.convert_by_class(expr, to, Form::Direct)?
            }
            (_, TyKind::Record(_)) if self.constructed_class(to).is_some() => {
                return self.convert_by_class(expr, to, Form::Direct);
            }
            _ => return Err(self.invalid_cast("cast", from, to, span)),
        };
        // A cast's value has the cast's type name and place.
        Ok(self.recast(result, to, span))
    }

    fn recast(&mut self, expr: Expr, to: Ty, span: Span) -> Expr {
        match self.arena.exprs[expr].data {
            ExprData::Convert(..) | ExprData::Null => {
                let node = &mut self.arena.exprs[expr];
                node.ty = to;
                node.span = span;
                expr
            }
            // The value of a bit-field promotes by its width, that of a cast by its type (C++17 7.6p5).
            _ if self.bit_field_of(expr).is_some() => {
                let is_bool = self.canonical(to) == Ty::BOOL;
                let conversion = if is_bool { Conversion::ToBool } else { Conversion::IntToInt };
                self.expr(ExprData::Convert(conversion, expr), to, span)
            }
            // The same type: a literal zero stops being one that pointers take.
            ExprData::Int(value) => self.expr(ExprData::Int(value), to, span),
            ExprData::WideInt(ref value) => {
                let value = value.clone();
                self.expr(ExprData::WideInt(value), to, span)
            }
            _ => expr,
        }
    }

    /// Reports that one of the classes is derived from the other where that may not be known.
    pub(super) fn require_relation(&mut self, from: Ty, to: Ty, span: Span) -> Result<(), Reported> {
        self.names().require_base_access(from, to, span)?;
        self.names().require_base_access(to, from, span)
    }

    /// Whether one of the classes is derived from the other.
    fn are_of_one_class(&self, from: Ty, to: Ty) -> bool {
        let types = self.types_ref();
        types.derivation(from, to).is_some() || types.derivation(to, from).is_some()
    }

    /// A cast of a pointer to a class to one to a base of it, or back (C++17 8.2.9p11).
    fn cast_within_class(&mut self, expr: Expr, (from, to): (Ty, Ty), ty: Ty) -> Result<Expr, Reported> {
        if let Some(path) = self.types_ref().derivation(from, to) {
            return self.types().pointer_to_base(expr, &path, ty);
        }
        let class = self.module.types.record(to);
        let path = self.types_ref().derivation(to, from);
        let offset = class.zip(path).map(|(class, path)| self.types_ref().offset_of_base(class, &path));
        self.types().pointer_from_base(expr, offset.unwrap_or(0), ty)
    }

    pub(super) fn invalid_cast(&mut self, cast: &str, from: Ty, to: Ty, span: Span) -> Reported {
        let (from, to) = (self.show(from), self.show(to));
        self.error(Code::InvalidCast, span, format!("{cast} from {from} to {to} is not allowed"))
    }

    /// `static_cast`, `reinterpret_cast` and `const_cast`: each may do a part of what a cast may.
    pub(in crate::sema) fn check_named_cast(
        &mut self,
        cast: NamedCast,
        name: &TypeName,
        operand: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.types().resolve_type_name(name);
        if let Ok(to) = ty
            && self.module.types.reference(to).is_some()
        {
            return self.cast_reference(Some(cast), operand, to, span);
        }
        let value = self.check_cast_operand(operand, ty)?;
        let to = ty?;
        let from = self.ty_of(value);
        let word = cast.word();
        let allowed = match cast {
            NamedCast::Static => self.static_cast_allowed(value, from, to),
            NamedCast::Reinterpret => self.reinterpret_cast_allowed(from, to),
            // C++17 8.2.11p3: pointers to objects.
            NamedCast::Const => {
                let types = &self.module.types;
                let to_object = types.pointee(to).is_some_and(|pointee| types.func(pointee).is_none());
                to_object && self.differs_in_qualifiers(from, to)
            }
        };
        if !allowed {
            return Err(self.invalid_cast(word, from, to, span));
        }
        if let (NamedCast::Static, Some(f), Some(t)) =
            (cast, self.module.types.pointee(from), self.module.types.pointee(to))
        {
            self.require_relation(f, t, span)?;
        }
        if cast != NamedCast::Const && self.casts_away_const(from, to) {
            return Err(self.lost_qualifiers_in_cast(word, from, to, span));
        }
        if let (NamedCast::Static, Some(f), Some(t)) =
            (cast, self.module.types.pointee(from), self.module.types.pointee(to))
            && self.is_function_to_void(f, t)
        {
            self.warn_function_to_void(value, from, to);
        }
        let result = self.cast(value, to, span)?;
        Ok(Operand::Value(self.null_of_literal(operand, result)))
    }

    pub(super) fn lost_qualifiers_in_cast(&mut self, word: &str, from: Ty, to: Ty, span: Span) -> Reported {
        let (from, to) = (self.show(from), self.show(to));
        let message = format!("{word} from {from} to {to} casts away qualifiers");
        self.error(Code::InvalidCast, span, message)
    }

    // C++17 8.2.9
    fn static_cast_allowed(&self, value: Expr, from: Ty, to: Ty) -> bool {
        let types = &self.module.types;
        match (types.pointee(from), types.pointee(to)) {
            (Some(f), Some(t)) => {
                let is_void = |ty| matches!(types.kind(ty), TyKind::Void);
                let is_func = |ty| types.func(ty).is_some();
                let has_void = is_void(f) || is_void(t);
                has_void && !is_func(f) && !is_func(t)
                    || self.differs_in_qualifiers(from, to)
                    || self.is_string_of_bytes(value, t)
                    || self.are_of_one_class(f, t)
                    || self.is_function_to_void(f, t)
            }
            (None, Some(_)) => self.is_null_constant(value),
            (Some(_), None) => matches!(self.canonical(to), Ty::BOOL | Ty::VOID),
            (None, None) => true,
        }
    }

    // C++17 8.2.10
    fn reinterpret_cast_allowed(&self, from: Ty, to: Ty) -> bool {
        let types = &self.module.types;
        let is_int = |ty| types.int_ty(ty).is_some();
        match (types.pointee(from), types.pointee(to)) {
            (Some(_), Some(_)) => true,
            (Some(_), None) => is_int(to) && self.canonical(to) != Ty::BOOL,
            (None, Some(_)) => is_int(from),
            (None, None) => self.canonical(from) == self.canonical(to),
        }
    }

    /// The pointers are to the same type but for qualifiers, at any depth.
    pub(super) fn differs_in_qualifiers(&self, from: Ty, to: Ty) -> bool {
        let types = &self.module.types;
        match (types.pointee(from), types.pointee(to)) {
            (Some(from), Some(to)) => self.differs_in_qualifiers(from, to),
            (None, None) => types.kind(from) == types.kind(to),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub(super) fn casts_away_const(&self, from: Ty, to: Ty) -> bool {
        let types = &self.module.types;
        match (types.pointee(from), types.pointee(to)) {
            (Some(f), Some(t)) => {
                let lost = types.quals(f) - types.quals(t) - Quals::RESTRICT;
                !lost.is_empty() || self.casts_away_const(f, t)
            }
            (Some(_) | None, _) => false,
        }
    }

    /// `type(args)`: a cast where there is one argument, a zero where there is none.
    pub(in crate::sema) fn check_functional_cast(
        &mut self,
        name: &TypeName,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.calls().type_made_of(name, ClassValues::Args(args));
        if let Ok(ty) = ty {
            self.templates().complete(ty, name.span);
        }
        if let (Ok(to), &[arg]) = (ty, args)
            && self.module.types.reference(to).is_some()
        {
            return self.cast_reference(None, arg, to, span);
        }
        if let Ok(ty) = ty
            && self.constructed_class(ty).is_some()
        {
            let ty = self.module.types.unqualified(ty);
            let init = self.construct_from_exprs(ty, args, span)?;
            return Ok(match self.arena.inits[init].data {
                InitData::Expr(value) => Operand::Value(value),
                _ => Operand::Member(self.literal_place(init, ty, span)),
            });
        }
        let values: Vec<_> = args.iter().map(|&arg| self.check_cast_operand(arg, ty)).collect();
        let ty = ty?;
        let ty = self.module.types.unqualified(ty);
        let values: Vec<Expr> = values.into_iter().collect::<Result<_, _>>()?;
        self.made_of(values, ty, args, span).map(Operand::Value)
    }

    /// The value of the type that `type(args)` makes of the arguments' values.
    fn made_of(&mut self, values: Vec<Expr>, ty: Ty, args: &[ExprId], span: Span) -> Result<Expr, Reported> {
        match values[..] {
            [value] => {
                let result = self.cast(value, ty, span)?;
                Ok(self.null_of_literal(args[0], result))
            }
            _ if self.module.types.record(ty).is_some_and(|record| self.builtins_ref().is_dim3(record)) => {
                self.builtins().dim3_of(values, ty, span)
            }
            [] if let Some(half) = self.module.types.half_ty(ty) => Ok(self.builtins().half_zero(half, span)),
            [_, ..] if self.module.types.half_ty(ty).is_some() => {
                self.builtins().half_pair(&values, ty, span)
            }
            [_, ..] if self.builtins_ref().is_class(ty) => self.builtins().construct_class(&values, ty, span),
            [] if self.module.types.record(ty).is_some() => self.empty_record(ty, span),
            [] => {
                let zero = self.zero_value(ty, span)?;
                if matches!(self.module.types.kind(ty), TyKind::Int(int) if *int != IntTy::Bool) {
                    self.arena.zero_literals.add(zero, ());
                }
                Ok(zero)
            }
            [..] => {
                let shown = self.show(ty);
                let message = format!("constructor call of type {shown} is not supported");
                let diagnostic = Diagnostic::new(Code::UnsupportedInitializer, span, message);
                Err(self.cx.sink.error(match self.builtins_ref().vector_of(ty) {
                    Some(vector) => diagnostic.with_help(format!("write `{}(…)`", vector.maker)),
                    None => diagnostic,
                }))
            }
        }
    }

    /// `T()` of a struct or union: every member is zero, or what its constructor makes of it
    /// (C++17 11.6p8).
    pub(super) fn empty_record(&mut self, ty: Ty, span: Span) -> Result<Expr, Reported> {
        self.types().require_complete(ty, span)?;
        let record = self.module.types.record(ty).expect("invariant: called for records alone");
        self.names().require_device_default(ty, span)?;
        if let Some((what, member, declared)) = self.expressions_ref().fixed_member(record) {
            let message = format!("{} has no default constructor", self.show(ty));
            let mut diagnostic = Diagnostic::new(Code::UninitializedConst, span, message)
                .with_label(declared, format!("`{member}`, which is {what}, needs a value"));
            if what == "const" {
                diagnostic = diagnostic.with_help("use braces, which initialize it to zero");
            }
            return Err(self.sink.error(diagnostic));
        }
        let mut members = ThinVec::new();
        self.default_members(ty, &mut members, span)?;
        let init = self.init(InitData::Record(members), span);
        let place = self.literal_place(init, ty, span);
        self.expressions().rvalue(Operand::Member(place))
    }

    /// The value that zero-initialization gives (C++17 11.6p6).
    pub(super) fn zero_value(&mut self, ty: Ty, span: Span) -> Result<Expr, Reported> {
        let data = match self.module.types.view(ty) {
            View::Scalar(Scalar::Int(_) | Scalar::Enum(_)) => ExprData::int(0),
            View::Scalar(Scalar::Float(_)) => ExprData::Float(0.0),
            View::Scalar(Scalar::Pointer(_) | Scalar::Nullptr) => ExprData::Null,
            View::Error => return Err(self.poisoned()),
            View::Scalar(Scalar::Opaque(_) | Scalar::Reference(..))
            | View::Void
            | View::Array(..)
            | View::Func(_)
            | View::Record(_) => {
                let shown = self.show(ty);
                let message = format!("constructor call of type {shown} is not supported");
                return Err(self.error(Code::UnsupportedInitializer, span, message));
            }
        };
        Ok(self.expr(data, ty, span))
    }

    /// `(type){ … }`, `type{ … }`: of a number or a pointer, a value.
    pub(in crate::sema) fn check_compound_literal(
        &mut self,
        name: &TypeName,
        init: InitId,
        is_object: bool,
        span: Span,
    ) -> Result<Operand, Reported> {
        let (init, ty) = self.literal_value(name, init, is_object)?;
        // What is initialized by one value is that value.
        if let InitData::Expr(value) = self.arena.inits[init].data {
            let ty = self.module.types.unqualified(ty);
            if self.module.types.record(ty).is_none() {
                return Ok(Operand::Value(self.recast(value, ty, span)));
            }
        }
        Ok(Operand::Member(self.literal_place(init, ty, span)))
    }

    /// `(type){ … }` of a number or a pointer as an object, where its address is taken.
    pub(in crate::sema) fn literal_object(&mut self, expr: ExprId) -> Result<Option<Operand>, Reported> {
        let unit = self.unit;
        let mut literal = expr;
        while let ExprKind::Paren(inner) = unit.exprs[literal].kind {
            literal = inner;
        }
        let ExprKind::CompoundLiteral { ty, init, is_object: true } = unit.exprs[literal].kind else {
            return Ok(None);
        };
        if self.func.is_none() {
            return Ok(None);
        }
        let span = unit.exprs[expr].span;
        let (init, ty) = self.literal_value(&unit.type_names[ty], init, true)?;
        Ok(Some(Operand::Place(self.literal_place(init, ty, span))))
    }

    /// The initializer of `(type){ … }`, or else of `type{ … }`.
    fn literal_value(
        &mut self,
        name: &TypeName,
        init: InitId,
        is_object: bool,
    ) -> Result<(Init, Ty), Reported> {
        let ty = match self.calls().deduced_class(&name.specs.ty, ClassValues::Init(Some(init))) {
            Some(deduced) => deduced?.0,
            None => self.types().resolve_new_type_name(name)?,
        };
        let span = self.unit.inits[init].span;
        self.expressions().refuse_long_doubles_in(ty, span)?;
        self.check_init(ty, init, if is_object { Target::Initialize } else { Target::Braces })
    }

    /// An object without a name that is initialized each time.
    pub(in crate::sema) fn literal_place(&mut self, init: Init, ty: Ty, span: Span) -> Place {
        self.note_temporary(ty);
        let local = self.unnamed_local(ty, span);
        self.place(PlaceData::CompoundLiteral(local, init), ty, span)
    }

    /// A local variable of the compiler's own. Outside of functions there is none to hold: there only
    /// the value that it gets counts, and what refers to it is dropped.
    pub(in crate::sema) fn unnamed_local(&mut self, ty: Ty, span: Span) -> Local {
        match &mut self.func {
            Some(func) => func.locals.push(LocalData::unnamed(ty, false, span)),
            None => Local::reserved_value(),
        }
    }

    /// A braced list as a value of the type.
    pub(in crate::sema) fn check_braced(
        &mut self,
        ty: Ty,
        init: InitId,
        target: Target,
    ) -> Result<Expr, Reported> {
        let span = self.unit.inits[init].span;
        let (init, ty) = self.check_init(ty, init, target)?;
        let unqualified = self.module.types.unqualified(ty);
        match self.arena.inits[init].data {
            InitData::Expr(value) => Ok(value),
            _ => {
                let place = self.literal_place(init, unqualified, span);
                Ok(self.expr(ExprData::Load(place), unqualified, span))
            }
        }
    }

    /// An expression or, where one may stand, a braced list, as a value of the type.
    pub(in crate::sema) fn check_converted(
        &mut self,
        id: ExprId,
        to: Ty,
        target: Target,
    ) -> Result<Expr, Reported> {
        if self.module.types.reference(to).is_some() {
            return self.bind_expr(id, to, target);
        }
        if let ExprKind::Braced(init) = self.unit.exprs[id].kind {
            let to = self.module.types.unqualified(to);
            return self.check_braced(to, init, target);
        }
        let value = self.calls().check_wanted(id, to)?;
        self.convert(value, to, target)
    }
}
