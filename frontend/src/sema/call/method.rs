//! Calls of member functions (C++17 8.2.2p1, 16.3.1.1). To overload resolution the object is the first argument, for a parameter that is a
//! reference to the class; the function takes its address.

use super::overload::{Arg, Args, Overloads};
use crate::ast::{ExprId, ExprKind, Name, TemplateArgsId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, Func, Method, MethodKind, PlaceData, Quals, Record, RefKind, Ty};
use crate::sema::Calls;
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::Category;
use crate::sema::declaration::implicit::Manner;
use crate::sema::declaration::special::Origin;
use crate::sema::expression::Operand;
use crate::sema::expression::qualified_member::ScopedObject;
use crate::sema::name::scope::Entity;
use crate::source::Span;
use crate::token::Punct;

/// A member of an object that is called.
struct MemberCallee {
    base: Operand,
    arrow: bool,
    name: Name,
    /// The functions that the name means, if it does.
    methods: Option<Overloads>,
    op_span: Span,
    span: Span,
}

impl Calls<'_> {
    /// A call whose callee names a member of an object: `object.f(…)`. None: no class has a member function of the name.
    pub(super) fn check_member_call(
        &mut self,
        mut callee: ExprId,
        args: &[ExprId],
        span: Span,
    ) -> Option<Result<Operand, Reported>> {
        while let ExprKind::Paren(inner) = self.unit.exprs[callee].kind {
            callee = inner;
        }
        let (member, written) = match self.unit.exprs[callee].kind {
            ExprKind::TemplateId { name, args } => (name, Some(args)),
            _ => (callee, None),
        };
        match self.unit.exprs[member].kind {
            ExprKind::ScopedMember { base, arrow, member } => {
                Some(self.check_call_of_scoped((base, arrow, member), written, args, span))
            }
            ExprKind::Member { base, arrow, name }
                if written.is_some() || self.known.names.of_methods.contains(&name.symbol) =>
            {
                Some(self.check_call_of_member((base, arrow, name), written, args, span))
            }
            _ => None,
        }
    }

    /// `object.Base::f(…)`
    fn check_call_of_scoped(
        &mut self,
        (base, arrow, member): (ExprId, bool, ExprId),
        written: Option<TemplateArgsId>,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        let base_span = self.unit.exprs[base].span;
        let ScopedObject { object, class, name } = self.expressions().scoped_object(base, arrow, member)?;
        let callee = MemberCallee {
            base: object,
            arrow: false,
            name,
            methods: self.methods_named(class, name),
            op_span: Span::new(base_span.hi, name.span.lo),
            span: base_span.to(name.span),
        };
        self.check_call_for_object(callee, written, args, span)
    }

    fn check_call_of_member(
        &mut self,
        (base, arrow, name): (ExprId, bool, Name),
        written: Option<TemplateArgsId>,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        let op_span = Span::new(self.unit.exprs[base].span.hi, name.span.lo);
        let callee_span = self.unit.exprs[base].span.to(name.span);
        let base = self.expressions().check_expr(base)?;
        let base = if arrow { Operand::Value(self.expressions().arrow_pointer(base)?) } else { base };
        let base_ty = self.expressions().operand_ty(base)?;
        let object_ty = if arrow { self.module.types.pointee(base_ty) } else { Some(base_ty) };
        let class = object_ty.and_then(|ty| self.module.types.record(ty));
        let methods = class.and_then(|class| self.methods_named(class, name));
        if let (Some(class), Some(_)) = (class, &methods) {
            self.types().require_one_base(class, name)?;
            self.names().require_access(class, name)?;
        }
        let callee = MemberCallee { base, arrow, name, methods, op_span, span: callee_span };
        self.check_call_for_object(callee, written, args, span)
    }

    fn check_call_for_object(
        &mut self,
        callee: MemberCallee,
        written: Option<TemplateArgsId>,
        args: &[ExprId],
        span: Span,
    ) -> Result<Operand, Reported> {
        let MemberCallee { base, arrow, name, methods, op_span, span: callee_span } = callee;
        let base_ty = self.expressions().operand_ty(base)?;
        let object_ty = if arrow { self.module.types.pointee(base_ty) } else { Some(base_ty) };
        if let Some(written) = written {
            self.templates().check_written(written)?;
            if methods.as_ref().is_none_or(|methods| methods.templates.is_empty()) {
                let message = format!("`{}` before `<` is not a template", self.spelling(name.symbol));
                return Err(self.error(Code::NoMatchingFunction, name.span, message));
            }
        }
        let Some(methods) = methods else {
            let member = self.expressions().member_of_operand(base, arrow, op_span, name, callee_span)?;
            let args = self.check_args(args, self.takes_references(member))?;
            return self.check_call_of(member, callee_span, args, span);
        };
        let object = match (base, arrow, object_ty) {
            (Operand::Value(pointer), true, Some(ty)) => {
                let at = self.span_of(pointer);
                Operand::Place(self.place(PlaceData::Deref(pointer), ty, at))
            }
            _ => base,
        };
        let args = self.check_args(args, true)?;
        let methods = match written {
            Some(_) => Overloads {
                templates: methods.templates,
                naming: methods.naming,
                written,
                ..Overloads::default()
            },
            None => methods,
        };
        self.call_method(&methods, Some(object), name.span, &args, span)
    }

    /// The member functions of the name that a class has.
    pub(in crate::sema) fn methods_named(&mut self, class: Record, name: Name) -> Option<Overloads> {
        let ty = self.module.types.record_ty(class);
        self.templates().complete(ty, name.span);
        let binding = self.types_ref().class_member(class, name.symbol)?;
        match binding.entity {
            Entity::Func(func) => Some(Overloads::of(func)),
            Entity::Overloads(id) => Some(self.overloads_of(id)),
            _ => None,
        }
    }

    /// Whether a function has an object that it is called for.
    pub(in crate::sema) fn takes_object(&self, func: Func) -> bool {
        self.module.functions[func].method.is_some_and(|method| !method.is_static)
    }

    /// A call of one of the member functions, for an object if there is one.
    pub(in crate::sema) fn call_method(
        &mut self,
        methods: &Overloads,
        object: Option<Operand>,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        let mut all = Args::new();
        if let Some(object) = object {
            all.push(self.object_arg(object)?);
        }
        all.extend_from_slice(args);
        let has_object = object.is_some();
        if let Some(func) = methods.sole() {
            self.module.functions[func].is_referenced = true;
            return self.call_chosen_method(func, has_object, name_span, &all, span);
        }
        for &arg in args {
            self.check_listed_items(arg)?;
        }
        let (viable, ignored) = self.viable_methods(methods, has_object, &all);
        match self.best(&viable) {
            Some(best) => {
                let func = viable[best].candidate;
                self.use_overload(func, name_span);
                self.call_chosen_method(func, has_object, name_span, &all, span)
            }
            None => Err(self.no_method(methods, has_object, name_span, &all, (&viable, &ignored))),
        }
    }

    /// The call of a member function that is chosen. The first argument is the object, if there is one.
    fn call_chosen_method(
        &mut self,
        func: Func,
        has_object: bool,
        name_span: Span,
        args: &[Arg],
        span: Span,
    ) -> Result<Operand, Reported> {
        if self.takes_object(func) && !has_object {
            let message = format!(
                "call to non-static member function `{}` without an object argument",
                self.module.functions[func].name
            );
            return Err(self.error(Code::InvalidMemberAccess, name_span, message));
        }
        if self.takes_object(func) || !has_object {
            return self.call_func(func, name_span, args, span);
        }
        // An object of a static one is evaluated, and that is all (C++17 12.2.3p1).
        let result = self.call_func(func, name_span, &args[1..], span)?;
        match args[0] {
            Arg::Value(value) => {
                let object = self.expressions().discard(Operand::Value(value))?;
                self.expressions().comma(object, result, span)
            }
            Arg::Object(Operand::Place(place), _)
                if !matches!(
                    self.arena.places[place].data,
                    PlaceData::Local(_) | PlaceData::Global(_) | PlaceData::Deref(_)
                ) =>
            {
                let object = self.expressions().discard(Operand::Place(place))?;
                self.expressions().comma(object, result, span)
            }
            Arg::Object(..) | Arg::Braced(..) | Arg::Overloaded(_) => Ok(result),
        }
    }

    /// The address of the object that a member function is called for.
    pub(in crate::sema) fn object_address(&mut self, func: Func, object: Arg) -> Result<Expr, Reported> {
        let operand = match object {
            Arg::Value(value) => Operand::Value(value),
            Arg::Object(operand, _) => operand,
            Arg::Braced(..) | Arg::Overloaded(_) => return Err(self.poisoned()),
        };
        let from = self.expressions().operand_ty(operand)?;
        let Some(to) = self.object_param(func, object) else { return Err(self.poisoned()) };
        let span = self.expressions_ref().operand_span(operand);
        let category = self.conversions_ref().category(operand);
        let Some((referred, kind)) = self.module.types.reference(to) else { return Err(self.poisoned()) };
        if (self.same_unqualified(from, referred) || self.types_ref().derivation(from, referred).is_some())
            && self.conversions().binding(from, category, referred, kind).is_err()
        {
            let name = self.module.functions[func].name.clone();
            let lost = self.module.types.quals(from) - self.module.types.quals(referred);
            let from = self.show(from);
            let why = match kind {
                _ if lost.contains(Quals::CONST) => "the function is not marked `const`",
                _ if lost.contains(Quals::VOLATILE) => "the function is not marked `volatile`",
                RefKind::Lvalue => "the function, marked `&`, takes no rvalues",
                RefKind::Rvalue => "the function, marked `&&`, takes no lvalues",
            };
            let message = format!("`this` argument to member function `{name}` has type {from}, but {why}");
            let diagnostic = Diagnostic::new(Code::InvalidConversion, span, message)
                .with_label(self.module.functions[func].span, format!("`{name}` declared here"));
            return Err(self.sink.error(diagnostic));
        }
        if self.types_ref().derivation(from, referred).is_some() {
            // That a base has the function is no secret where the function is known: a `using` declaration may say so.
            return self.conversions().bind_directly(operand, from, referred, span);
        }
        self.conversions().bind(operand, to, Target::Argument(None))
    }

    /// The type that the parameter for the object has to overload resolution (C++17 16.3.1p4, p5).
    pub(in crate::sema) fn object_param(&mut self, func: Func, object: Arg) -> Option<Ty> {
        let function = &self.module.functions[func];
        let Method { ref_qualifier, is_static: false, .. } = function.method? else { return None };
        let this = self.module.types.func(function.ty)?.params.first().copied()?;
        let class = self.module.types.pointee(this)?;
        let kind = match (ref_qualifier, object) {
            (Some(kind), _) => kind,
            (None, Arg::Object(operand, _))
                if self.conversions_ref().category(operand) == Category::Lvalue =>
            {
                RefKind::Lvalue
            }
            (None, _) => RefKind::Rvalue,
        };
        Some(self.module.types.reference_to(class, kind))
    }

    /// The object that a member function has which a member function of the class calls without one.
    pub(super) fn implicit_object(&mut self, methods: &Overloads, span: Span) -> Option<Operand> {
        let takes_object = methods.funcs.iter().any(|&func| self.takes_object(func))
            || methods.templates.iter().any(|&template| self.templates_ref().has_object(template));
        if !takes_object {
            return None;
        }
        let class = self.class_of_methods(methods)?;
        let own = self.expressions_ref().own_method()?;
        if own.class != class && self.types_ref().path_to_base(own.class, class).is_none() {
            return None;
        }
        let pointer = self.expressions().this_pointer(span)?;
        let ty = self.module.types.pointee(self.ty_of(pointer))?;
        Some(Operand::Place(self.place(PlaceData::Deref(pointer), ty, span)))
    }

    /// The assignment operators of a class: those of its bases are hidden (C++17 15.8.2p8). Those that copy bytes are not among them.
    pub(in crate::sema) fn assignments(&mut self, class: Record) -> Overloads {
        let Some(symbol) = Punct::Eq.operator_name() else { return Overloads::default() };
        let mut funcs = Overloads::default();
        if self.known.names.of_methods.contains(&symbol) {
            match self.known.class_names.get(&(class, symbol)).map(|binding| binding.entity) {
                Some(Entity::Func(func)) => funcs.funcs.push(func),
                Some(Entity::Overloads(id)) => funcs = self.overloads_of(id),
                _ => {}
            }
        }
        if !self.manners_of_class(class).assigns_bytes()
            && let Some(specials) = self.known.specials.get(&class)
        {
            let all = specials.assignments.iter().chain(&specials.implicit_assignments);
            let unnamed: Vec<Func> = all.copied().filter(|func| !funcs.funcs.contains(func)).collect();
            funcs.funcs.extend(unnamed);
        }
        funcs
    }

    /// Whether an assignment of the value to the object is a call of one of the functions, and not the assignment that every class has
    /// (C++17 15.8.2p2).
    pub(in crate::sema) fn takes_assigned(&mut self, methods: &Overloads, object: Operand, arg: Arg) -> bool {
        let (Ok(ty), Arg::Value(value) | Arg::Object(_, value)) =
            (self.expressions().operand_ty(object), arg)
        else {
            return true;
        };
        let from = self.ty_of(value);
        if !self.same_unqualified(ty, from) {
            let Ok(object) = self.object_arg(object) else { return true };
            // A value may become an object of the class, which is assigned then.
            return !self.manners_of(ty).assigns_bytes()
                || !self.viable_methods(methods, true, &[object, arg]).0.is_empty();
        }
        let takes_class = methods.funcs.iter().any(|&func| {
            let function_ty = self.module.functions[func].ty;
            let param = self.module.types.func(function_ty).and_then(|ty| ty.params.get(1).copied());
            param.is_some_and(|param| {
                let param = self.conversions_ref().unreferenced(param);
                self.same_unqualified(param, ty)
            })
        });
        takes_class || self.assigns_by_template(methods, object, arg)
    }

    /// Whether a template fits an object of the class better than the assignment of bytes does (C++17 16.3.3):
    /// `template <class T> S &operator=(T &&)` for an object that is not const.
    fn assigns_by_template(&mut self, methods: &Overloads, object: Operand, arg: Arg) -> bool {
        if methods.templates.is_empty() {
            return false;
        }
        let (Ok(ty), Ok(object)) = (self.expressions().operand_ty(object), self.object_arg(object)) else {
            return false;
        };
        let Some(class) = self.module.types.record(ty) else { return false };
        let plain = self.conversions().copy_sequences(class, arg);
        let viable = self.viable_methods(methods, true, &[object, arg]).0;
        viable.iter().any(|viable| plain.iter().all(|&plain| self.is_better(viable.sequences[1], plain)))
    }

    /// An assignment that is a call of one of the operators of a class: the value is evaluated first (C++17 8.18p1).
    pub(in crate::sema) fn call_assignment(
        &mut self,
        methods: &Overloads,
        object: Operand,
        op_span: Span,
        value: Arg,
        span: Span,
    ) -> Result<Operand, Reported> {
        let result = self.call_method(methods, Some(object), op_span, &[value], span)?;
        self.evaluate_from_last(result);
        Ok(result)
    }

    /// Reports the use of a function that its class deletes (C++17 11.4.3p2).
    pub(in crate::sema) fn require_not_deleted(&mut self, func: Func, span: Span) -> Result<(), Reported> {
        let origin = self.known.func_facts.get(&func).map(|facts| facts.origin);
        let function = &self.module.functions[func];
        let (declared, name) = (function.span, function.name.clone());
        if let Some(class) = function.method.map(|method| method.class)
            && matches!(origin, Some(Origin::Deleted(_) | Origin::Defaulted))
            && let Some(deed) = self.deed(func)
            && self.manners_of_class(class)[deed] == Manner::Deleted
        {
            let is_written = origin == Some(Origin::Defaulted);
            let specials = self.known.specials.get(&class);
            let is_implicit = specials.is_some_and(|specials| {
                specials.implicit_copies.contains(&func) || specials.implicit_assignments.contains(&func)
            });
            if is_written || is_implicit {
                let ty = self.module.types.record_ty(class);
                let message = format!("call to implicitly-deleted {} of {}", deed.function(), self.show(ty));
                let why = self.declarations_ref().why_deleted(class, deed);
                let diagnostic = Diagnostic::new(Code::DeletedFunction, span, message);
                let (at, why) = why.unwrap_or((declared, "declared here".to_owned()));
                return Err(self.sink.error(diagnostic.with_label(at, why)));
            }
        }
        let Some(Origin::Deleted(_)) = origin else { return Ok(()) };
        let message = match function.method {
            Some(method) if method.kind == MethodKind::Constructor => {
                let ty = self.module.types.record_ty(method.class);
                format!("call to deleted constructor of {}", self.show(ty))
            }
            _ => format!("call to deleted member function `{name}`"),
        };
        let diagnostic = Diagnostic::new(Code::DeletedFunction, span, message)
            .with_label(declared, "explicitly marked deleted here");
        Err(self.sink.error(diagnostic))
    }

    /// Whether these are member functions.
    pub(super) fn are_methods(&self, overloads: &Overloads) -> bool {
        self.class_of_methods(overloads).is_some()
    }

    /// The class whose members the functions and templates are.
    fn class_of_methods(&self, overloads: &Overloads) -> Option<Record> {
        if overloads.naming.is_some() {
            return overloads.naming;
        }
        match (overloads.funcs.first(), overloads.templates.first()) {
            (Some(&func), _) => self.module.functions[func].method.map(|method| method.class),
            (None, Some(&template)) => self.templates_ref().class_of_template(template),
            (None, None) => None,
        }
    }

    /// The operators of the class that the first operand has.
    pub(in crate::sema) fn member_operators(&mut self, ty: Ty, name: Name) -> Option<Overloads> {
        self.module.types.record(ty).and_then(|class| self.methods_named(class, name))
    }
}
