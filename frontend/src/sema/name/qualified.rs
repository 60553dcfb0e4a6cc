//! Qualified names, whose scope is a namespace, struct, union or enum (C++17 6.4.3), and what device code can use of `std`.

use thin_vec::thin_vec;

use super::scope::{Binding, Entity};
use crate::ast::{Declarator, ExprId, Limit, Name, StdFunction, TypeName, TypeNameId, TypeSpec};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::{
    CompareOp, DependentTy, Exact, Expr, ExprData, FloatTy, InitData, IntTy, Namespace, PlaceData, Record,
    Scalar, StmtData, Ty, TyKind, View,
};
use crate::sema::Names;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::sema::expression::Operand;
use crate::source::Span;

/// Namespaces of libraries that come with CUDA.
const LIBRARIES: [&str; 7] = ["cooperative_groups", "cub", "cuda", "experimental", "nv", "nvcuda", "thrust"];

/// Whether a namespace of the name is one of a library's.
pub(super) fn is_of_library(name: &str) -> bool {
    LIBRARIES.contains(&name)
}

/// What may be before `::`.
pub(in crate::sema) enum Outer {
    Type(Ty),
    Namespace(Namespace),
}

impl Names<'_> {
    /// `scope::name` in an expression.
    pub(in crate::sema) fn check_scoped(
        &mut self,
        scope: &TypeName,
        name: Name,
        span: Span,
    ) -> Result<Operand, Reported> {
        let whole = Name { symbol: name.symbol, span };
        let namespace = match self.scope_of(&scope.specs.ty)? {
            Outer::Namespace(namespace) => namespace,
            Outer::Type(ty) => {
                if let Some(member) = self.expressions().unevaluated_member(ty, name, span) {
                    return member;
                }
                if let Some(member) = self.expressions().member_of_own_base(ty, name, span) {
                    return member;
                }
                let binding = self.name_in(ty, name)?;
                return self.expressions().entity_operand(binding, whole);
            }
        };
        if let Some(binding) = self.lookup_member(namespace, name.symbol) {
            self.names().advise_use(binding, whole);
            let binding = match binding.entity {
                Entity::Several => {
                    let found = self.scopes.members_of(namespace, name.symbol);
                    self.several_of(&found, name)?
                }
                _ => binding,
            };
            return self.expressions().entity_operand(binding, whole);
        }
        if namespace == Namespace::GLOBAL {
            if let Some(function) = self.builtins().builtin_named(name.symbol) {
                return Ok(Operand::Builtin(function, span));
            }
            if let Some(func) = self.system_function(name.symbol, span) {
                return Ok(Operand::Func(func, span));
            }
        }
        Err(self.no_member_of_namespace(namespace, name, "member"))
    }

    /// The type or namespace before `::`.
    pub(in crate::sema) fn scope_of(&mut self, spec: &TypeSpec) -> Result<Outer, Reported> {
        let (binding, name) = match spec {
            TypeSpec::Global => return Ok(Outer::Namespace(Namespace::GLOBAL)),
            TypeSpec::Named(name) => match self.lookup_scope(name.symbol) {
                Some(binding) => (binding, *name),
                None => return Err(self.undeclared_scope(*name)),
            },
            TypeSpec::Element(element) => {
                let ty = self.templates().element_ty(element.0, element.1)?;
                return Ok(Outer::Type(ty));
            }
            TypeSpec::Instance(instance) => {
                let ty = self.templates().instance_ty(&instance.0, instance.1)?;
                return Ok(Outer::Type(ty));
            }
            TypeSpec::Nested(nested) => {
                let (outer, name) = (&nested.0, nested.1);
                match self.scope_of(outer)? {
                    Outer::Type(ty) => (self.name_in(ty, name)?, name),
                    Outer::Namespace(namespace) => match self.lookup_member(namespace, name.symbol) {
                        Some(binding) => (binding, name),
                        None => return Err(self.no_member_of_namespace(namespace, name, "member")),
                    },
                }
            }
            TypeSpec::Decltype(operand) => {
                let ty = self.expressions().decltype(*operand)?;
                let ty = self.conversions_ref().unreferenced(ty);
                self.require_scope_ty(ty, self.unit.exprs[*operand].span)?;
                return Ok(Outer::Type(ty));
            }
            _ => return Err(self.poisoned()),
        };
        match binding.entity {
            Entity::Namespace(namespace) => Ok(Outer::Namespace(namespace)),
            Entity::Typedef(Ty::ERROR) | Entity::Poison => Err(self.poisoned()),
            Entity::Typedef(ty) => {
                if let TypeSpec::Named(name) = spec {
                    self.types().named_ty(*name)?;
                }
                Ok(Outer::Type(ty))
            }
            Entity::Host(host) => Err(self.host_entity_used(host, name, binding.span)),
            Entity::Several => Err(self.ambiguous(name)),
            _ => {
                let message =
                    format!("`{}` is not a class, namespace, or enumeration", self.spelling(name.symbol));
                let mut diagnostic = Diagnostic::new(Code::UndeclaredIdentifier, name.span, message);
                if let Some(span) = binding.span {
                    diagnostic = diagnostic.with_label(span, "declared here");
                }
                Err(self.sink.error(diagnostic))
            }
        }
    }

    /// Refuses what `decltype` before `::` may not be.
    fn require_scope_ty(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let is_scope = matches!(
            self.module.types.view(ty),
            View::Record(_) | View::Scalar(Scalar::Enum(_) | Scalar::Opaque(_))
        );
        if is_scope || self.module.types.is_dependent(ty) {
            return Ok(());
        }
        let message = format!("{} is not a class, namespace, or enumeration", self.show(ty));
        Err(self.error(Code::UndeclaredIdentifier, span, message))
    }

    /// The error of a name before `::` that nothing declares.
    pub(super) fn undeclared_scope(&mut self, name: Name) -> Reported {
        let spelling = self.spelling(name.symbol);
        if !is_of_library(spelling) {
            return self.undeclared(name, "identifier");
        }
        self.silence(name);
        let message = format!("namespace `{spelling}` of CUDA's libraries is not supported");
        self.error(Code::UnsupportedNamespace, name.span, message)
    }

    /// The error of a name that a namespace lacks.
    pub(super) fn no_member_of_namespace(
        &mut self,
        namespace: Namespace,
        name: Name,
        what: &str,
    ) -> Reported {
        let spelling = self.spelling(name.symbol);
        let place = match namespace {
            Namespace::GLOBAL => "the global namespace".to_owned(),
            _ => format!("namespace `{}`", self.module.types.namespace_name(namespace)),
        };
        if self.is_refused(name.symbol) {
            return self.poisoned();
        }
        let message = format!("no {what} named `{spelling}` in {place}");
        let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
        if self.sink.shows_more()
            && let Some((candidate, span)) = self.similar_member(namespace, spelling)
        {
            let title = format!("did you mean `{candidate}`?");
            diagnostic = diagnostic.with_fix(Fix::new(title, name.span, candidate));
            if let Some(span) = span {
                diagnostic = diagnostic.with_label(span, format!("`{candidate}` declared here"));
            }
        }
        self.silence_member(namespace, name);
        self.sink.error(diagnostic)
    }

    /// What `scope::name` means.
    pub(in crate::sema) fn member_named(
        &mut self,
        scope: &TypeSpec,
        name: Name,
    ) -> Result<Option<Binding>, Reported> {
        match self.scope_of(scope)? {
            Outer::Type(ty) => self.name_in(ty, name).map(Some),
            Outer::Namespace(namespace) => match self.lookup_member(namespace, name.symbol) {
                Some(binding) => Ok(Some(binding)),
                None => Err(self.no_member_of_namespace(namespace, name, "template")),
            },
        }
    }

    /// `outer::name` as a type.
    pub(in crate::sema) fn nested_ty(&mut self, outer: &TypeSpec, name: Name) -> Result<Ty, Reported> {
        let (binding, namespace) = match self.scope_of(outer)? {
            Outer::Type(ty) if self.module.types.dependent(ty).is_some() => {
                let member = DependentTy::Member(self.canonical(ty), self.spelling(name.symbol).to_owned());
                return Ok(self.module.types.dependent_ty(member));
            }
            Outer::Type(ty) => (Some(self.name_in(ty, name)?), None),
            Outer::Namespace(namespace) => (self.lookup_member(namespace, name.symbol), Some(namespace)),
        };
        match (binding.map(|binding| binding.entity), namespace) {
            (Some(Entity::Typedef(Ty::ERROR) | Entity::Poison), _) => Err(self.poisoned()),
            (Some(Entity::Typedef(ty)), _) => {
                self.types().warn_named_ty(ty, name, binding.and_then(|binding| binding.span));
                Ok(ty)
            }
            (Some(Entity::Host(host)), _) => {
                Err(self.host_entity_used(host, name, binding.and_then(|binding| binding.span)))
            }
            (Some(Entity::Several), Some(namespace)) => {
                let found = self.scopes.members_of(namespace, name.symbol);
                Err(self.ambiguous_among(&found, name))
            }
            (_, Some(namespace)) => Err(self.no_member_of_namespace(namespace, name, "type")),
            (_, None) => Err(self.undeclared(name, "type")),
        }
    }

    /// What a name means in a struct, union or enum.
    pub(super) fn name_in(&mut self, ty: Ty, name: Name) -> Result<Binding, Reported> {
        let spelling = self.spelling(name.symbol);
        self.templates().complete(ty, name.span);
        let found = match *self.module.types.kind(ty) {
            TyKind::Error => return Err(self.poisoned()),
            TyKind::Record(record) => {
                let known = self.types_ref().class_member(record, name.symbol);
                let known = known.or_else(|| self.scopes.member_of_open(record, name.symbol));
                known.or_else(|| self.injected_name(record, name))
            }
            TyKind::Enum(enum_) => {
                let list = self.module.types.enums[enum_].enumerators.as_deref().unwrap_or_default();
                let idx = list.iter().position(|(known, _)| known == spelling);
                let ty = self.module.types.unqualified(ty);
                idx.map(|idx| Binding { entity: Entity::Enumerator(ty, idx as u32), span: None })
            }
            _ => {
                let shown = self.show(ty);
                let message = format!("{shown} is not a struct, union or enum");
                return Err(self.error(Code::InvalidMemberAccess, name.span, message));
            }
        };
        let Some(found) = found else {
            let record = self.module.types.record(ty);
            let is_broken = |&record: &Record| {
                self.known.broken_records.contains(&record)
                    && self.module.types.class_instance(record).is_some()
            };
            if record.as_ref().is_some_and(is_broken) {
                return Err(self.poisoned());
            }
            let (spelling, shown) = (spelling.to_owned(), self.show(ty));
            let message = format!("no member named `{spelling}` in {shown}");
            return Err(self.error(Code::NoMember, name.span, message));
        };
        if let Some(record) = self.module.types.record(ty) {
            self.require_access(record, name)?;
        }
        Ok(found)
    }

    /// The name of a base class, which is one of its own members (C++17 12p2).
    fn injected_name(&mut self, class: Record, name: Name) -> Option<Binding> {
        let bases = self.types_ref().bases_of(class);
        bases.into_iter().find_map(|(_, base)| {
            if self.module.types.class_name(base) == Some(self.spelling(name.symbol)) {
                let ty = self.module.types.record_ty(base);
                return Some(Binding { entity: Entity::Typedef(ty), span: None });
            }
            self.injected_name(base, name)
        })
    }

    /// The constant of a `case` in a `switch` over an `enum class`.
    pub(in crate::sema) fn scoped_constant(&mut self, value: ExprId, ty: Ty) -> Result<Exact, Reported> {
        let constant = self.in_scratch(|cx| {
            let value = cx.expressions().check_rvalue(value)?;
            let value = cx.conversions().convert(value, ty, Target::Initialize)?;
            Ok(cx.constants().eval(value, Mode::Optional))
        });
        match constant? {
            Ok(Value::Int(constant)) => Ok(Exact::from(constant)),
            Ok(_) | Err(_) => {
                let span = self.unit.exprs[value].span;
                Err(self.error(Code::NotConstant, span, "case value is not a constant"))
            }
        }
    }

    /// `std::min(a, b)` and `std::max(a, b)` (C++17 28.7.7), of numbers and pointers, whose result is used as a value.
    pub(in crate::sema) fn check_std_call(
        &mut self,
        function: StdFunction,
        ty: Option<TypeNameId>,
        args: &[ExprId],
        span: Span,
    ) -> Result<Expr, Reported> {
        self.require_relaxed_constexpr(function.name(), span)?;
        let &[left, right] = args else {
            let message = format!("`{}` takes 2 arguments, {} given", function.name(), args.len());
            return Err(self.error(Code::ArgumentCount, span, message));
        };
        let (left, right) = (self.expressions().check_rvalue(left), self.expressions().check_rvalue(right));
        let (mut left, mut right) = (left?, right?);
        if let Some(ty) = ty {
            let unit = self.unit;
            let ty = self.types().resolve_type_name(&unit.type_names[ty])?;
            (left, right) = (
                self.conversions().convert(left, ty, Target::Initialize)?,
                self.conversions().convert(right, ty, Target::Initialize)?,
            );
        }
        let ty = self.ty_of(left);
        let is_plain = self.is_number(left) || self.module.types.pointee(ty).is_some();
        if !is_plain || !self.same(ty, self.ty_of(right)) {
            let (left_shown, right_shown) = (self.show(ty), self.show(self.ty_of(right)));
            let message = format!(
                "no matching function for call to `{}` ({left_shown} and {right_shown})",
                function.name()
            );
            let mut diagnostic = Diagnostic::new(Code::NoMatchingBuiltin, span, message)
                .with_note("both arguments must have one type, a number or a pointer");
            if is_plain {
                diagnostic = diagnostic.with_help(format!("write the type: `{}<T>(…)`", function.name()));
            }
            return Err(self.sink.error(diagnostic));
        }
        let constants = [left, right].map(|value| match self.constants().eval(value, Mode::Required) {
            Ok(value @ (Value::Int(_) | Value::Float(_) | Value::Extended(_))) => Some(value),
            Ok(Value::Addr(..)) | Err(_) => None,
        });
        if let [Some(first), Some(second)] = constants {
            let (first_at, second_at) = (self.span_of(left), self.span_of(right));
            let again = (
                self.expressions().value_expr(first, ty, first_at),
                self.expressions().value_expr(second, ty, second_at),
            );
            return self.choose_std(function, [left, again.0], [right, again.1], span);
        }
        if self.func.is_none() {
            return Err(self.error(Code::NotConstant, span, "the value is not a constant"));
        }
        let mut declared = thin_vec![];
        let [left, right] = [left, right].map(|value| {
            let at = self.span_of(value);
            let local = self.conversions().unnamed_local(ty, at);
            let init = self.init(InitData::Expr(value), at);
            declared.push(self.statements().stmt(StmtData::Local(local, Some(init)), at));
            [(); 2].map(|()| {
                let place = self.place(PlaceData::Local(local), ty, at);
                self.expr(ExprData::Load(place), ty, at)
            })
        });
        let chosen = self.choose_std(function, left, right, span)?;
        Ok(self.expr(ExprData::Block(declared, chosen.into()), ty, span))
    }

    /// The smaller or larger of two values, each given twice; the first if neither is.
    fn choose_std(
        &mut self,
        function: StdFunction,
        left: [Expr; 2],
        right: [Expr; 2],
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.ty_of(left[0]);
        let cond = match function {
            StdFunction::Min => {
                self.expressions().comparison(CompareOp::Lt, span, right[0], left[0], span)?
            }
            StdFunction::Max => {
                self.expressions().comparison(CompareOp::Lt, span, left[0], right[0], span)?
            }
            // They are no choice.
            StdFunction::Move | StdFunction::Forward => return Err(self.poisoned()),
        };
        Ok(self.expr(ExprData::Conditional { cond, then: right[1], otherwise: left[1] }, ty, span))
    }

    /// Reports a `constexpr` function of the host in device code, without the option that allows it: in constant expressions,
    /// too, as with nvcc.
    pub(in crate::sema) fn require_relaxed_constexpr(
        &mut self,
        name: &str,
        span: Span,
    ) -> Result<(), Reported> {
        if self.dialect.relaxed_constexpr || self.func.is_none() {
            return Ok(());
        }
        let message = format!("`{name}` is a `constexpr` host function, which device code cannot call");
        let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, span, message)
            .with_help("`--expt-relaxed-constexpr` allows it");
        Err(self.sink.error(diagnostic))
    }

    /// `std::numeric_limits<type>::limit` (C++17 21.3.4).
    pub(in crate::sema) fn check_numeric_limit(
        &mut self,
        name: &TypeName,
        limit: Limit,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.types().resolve_type_name(name)?;
        let ty = self.module.types.unqualified(ty);
        let ty = self.canonical(ty);
        if limit.is_function() {
            self.require_relaxed_constexpr(&format!("std::numeric_limits::{}", limit.name()), span)?;
        }
        let (value, ty) = match *self.module.types.kind(ty) {
            TyKind::Int(int) => integer_limit(int, limit, ty),
            TyKind::Float(float @ (FloatTy::Float | FloatTy::Double)) => float_limit(float, limit, ty),
            _ => {
                let shown = self.show(ty);
                let message = format!("`std::numeric_limits` of {shown} is not supported");
                return Err(self.error(Code::UnsupportedTemplate, span, message));
            }
        };
        Ok(self.expressions().value_expr(value, ty, span))
    }

    /// Goes to the namespace whose member a qualified declarator declares.
    pub(in crate::sema) fn enter_declarator_scope(
        &mut self,
        declarator: &Declarator,
    ) -> Result<(), Reported> {
        let (Some(scope), Some(name)) = (&declarator.scope, declarator.name) else { return Ok(()) };
        let Outer::Namespace(outer) = self.scope_of(scope)? else {
            let message = "qualified names are not supported here";
            return Err(self.error(Code::UnsupportedNamespace, name.span, message));
        };
        let found = match self.lookup_member(outer, name.symbol) {
            Some(Binding { entity: Entity::Poison, .. }) => return Err(self.poisoned()),
            Some(binding) => self.namespace_of_entity(binding.entity).unwrap_or(outer),
            None => return Err(self.no_member_of_namespace(outer, name, "member")),
        };
        self.require_member_of(outer, found, name, Code::NoMember)?;
        self.scopes.go_to_namespace(found);
        Ok(())
    }

    /// Reports a declaration from outside of what is no member of the namespace itself, or not of one within the current one.
    pub(super) fn require_member_of(
        &mut self,
        outer: Namespace,
        found: Namespace,
        name: Name,
        code: Code,
    ) -> Result<(), Reported> {
        if !self.scopes.is_of_inline_set(outer, found) {
            let message = format!(
                "`{}` is not a member of namespace `{}` itself",
                self.spelling(name.symbol),
                self.module.types.namespace_name(outer)
            );
            return Err(self.error(code, name.span, message));
        }
        if !self.scopes.is_around(self.scopes.namespace(), found) {
            let message = format!("cannot define or redeclare `{}` here", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(code, name.span, message)
                .with_note("its namespace is not within the current one");
            return Err(self.sink.error(diagnostic));
        }
        Ok(())
    }

    /// The namespace that functions and variables are members of.
    fn namespace_of_entity(&self, entity: Entity) -> Option<Namespace> {
        match entity {
            Entity::Func(func) => Some(self.module.functions[func].namespace),
            Entity::Global(global) => Some(self.module.globals[global].namespace),
            Entity::Overloads(id) => {
                let overloads = &self.known.overloads[id];
                let func = overloads.funcs.first().map(|&func| self.module.functions[func].namespace);
                func.or_else(|| {
                    let &template = overloads.templates.first()?;
                    Some(self.known.templates.templates[template].namespace)
                })
            }
            _ => None,
        }
    }
}

fn integer_limit(int: IntTy, limit: Limit, ty: Ty) -> (Value, Ty) {
    let (min, max) = Exact::range(int);
    let value_bits = i128::from(if int == IntTy::Bool { 1 } else { int.bits() - u32::from(int.is_signed()) });
    let number = |value: i128| (Value::Int(value), Ty::INT);
    let truth = |is: bool| (Value::Int(i128::from(is)), Ty::BOOL);
    match limit {
        Limit::Min | Limit::Lowest => (Value::Int(min.wrapped(int)), ty),
        Limit::Max => (Value::Int(max.wrapped(int)), ty),
        Limit::Epsilon | Limit::RoundError | Limit::Infinity | Limit::QuietNan | Limit::DenormMin => {
            (Value::Int(0), ty)
        }
        Limit::IsSpecialized | Limit::IsInteger | Limit::IsExact | Limit::IsBounded => truth(true),
        Limit::IsSigned => truth(int.is_signed()),
        Limit::HasInfinity | Limit::HasQuietNan | Limit::IsIec559 => truth(false),
        Limit::Digits => number(value_bits),
        // 643 / 2136 approximates log10(2) from below.
        Limit::Digits10 => number(value_bits * 643 / 2136),
        Limit::MaxDigits10
        | Limit::MinExponent
        | Limit::MinExponent10
        | Limit::MaxExponent
        | Limit::MaxExponent10 => number(0),
        Limit::Radix => number(2),
    }
}

fn float_limit(float: FloatTy, limit: Limit, ty: Ty) -> (Value, Ty) {
    let is_float = float == FloatTy::Float;
    let value =
        |single: f32, double: f64| (Value::Float(if is_float { f64::from(single) } else { double }), ty);
    let number = |single: i128, double: i128| (Value::Int(if is_float { single } else { double }), Ty::INT);
    let truth = |is: bool| (Value::Int(i128::from(is)), Ty::BOOL);
    match limit {
        Limit::Min => value(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        Limit::Max => value(f32::MAX, f64::MAX),
        Limit::Lowest => value(f32::MIN, f64::MIN),
        Limit::Epsilon => value(f32::EPSILON, f64::EPSILON),
        Limit::RoundError => value(0.5, 0.5),
        Limit::Infinity => value(f32::INFINITY, f64::INFINITY),
        Limit::QuietNan => value(f32::NAN, f64::NAN),
        Limit::DenormMin => value(f32::from_bits(1), f64::from_bits(1)),
        Limit::IsSpecialized
        | Limit::IsSigned
        | Limit::HasInfinity
        | Limit::HasQuietNan
        | Limit::IsIec559
        | Limit::IsBounded => truth(true),
        Limit::IsInteger | Limit::IsExact => truth(false),
        Limit::Digits => number(24, 53),
        Limit::Digits10 => number(6, 15),
        Limit::MaxDigits10 => number(9, 17),
        Limit::Radix => number(2, 2),
        Limit::MinExponent => number(-125, -1021),
        Limit::MinExponent10 => number(-37, -307),
        Limit::MaxExponent => number(128, 1024),
        Limit::MaxExponent10 => number(38, 308),
    }
}
