//! Member functions (C++17 12.2.1, 12.2.2). One is a function whose first parameter is `this`; static ones have none.
//!
//! A body is checked where the outermost class around it is complete, in the scope of its class.

use std::collections::BTreeMap;

use super::Declaration;
use super::deduced_result::placeholder;
use super::function::inline_hint;
use super::function_body::Definition;
use super::special::{Origin, origin_of};
use crate::ast::{
    ChunkKind, DeclSpecs, Declarator, FunctionChunk, FunctionDef, Method, MethodDefinition, MethodId, Name,
    Special, Storage,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    self, Func, FuncTy, Function, FunctionKind, Instance, LinkName, Linkage, Local, MethodKind, Quals,
    Record, RefKind, Ty, TyKind,
};
use crate::sema::Declarations;
use crate::sema::call::overload::Overloads;
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::types::{Declared, Param};
use crate::source::Span;

/// A member function whose body and default arguments are checked where its class is complete.
pub(in crate::sema) struct WaitingMethod {
    id: MethodId,
    func: Func,
    /// In whose scope they are checked.
    class: Record,
    params: Vec<Param>,
}

impl WaitingMethod {
    pub(super) fn new(id: MethodId, func: Func, class: Record, params: Vec<Param>) -> Self {
        WaitingMethod { id, func, class, params }
    }
}

impl<'a> Declarations<'a> {
    /// Declares a member function of the class whose members are being read. `names` are those of the data members before it.
    pub(in crate::sema) fn declare_method(
        &mut self,
        id: MethodId,
        names: &BTreeMap<String, Span>,
    ) -> Result<(), Reported> {
        let unit = self.unit;
        let method = &unit.methods[id];
        let (specs, declarator) = (&method.specs, &method.declarator);
        let (Some(name), Some(class)) = (declarator.name, self.scopes.class()) else {
            let message = "a member function of an unnamed struct or union is not supported";
            return Err(self.error(Code::UnsupportedMember, declarator.span, message));
        };
        let spelling = self.spelling(name.symbol);
        if specs.special.is_none() && self.module.types.class_name(class) == Some(spelling) {
            let message = "constructor cannot have a return type";
            return Err(self.error(Code::InvalidSpecifiers, name.span, message));
        }
        if let (None, Some(&span)) = (specs.special, names.get(spelling)) {
            let message = format!("duplicate member `{spelling}`");
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(span, "previously declared here");
            return Err(self.sink.error(diagnostic));
        }
        let (func, params) = self.declare_function_of(class, method, name, None)?;
        match specs.special {
            Some(special) => self.bind_special(special, class, func, method)?,
            None => self.bind_named(name, func, method)?,
        }
        let is_of_instance = self.is_of_instance(class);
        if is_of_instance {
            self.module.functions[func].is_referenced = false;
        }
        let is_defined = method.definition == MethodDefinition::Body;
        if is_of_instance || is_defined || params.iter().any(|param| param.default.is_some()) {
            self.known.declarations.waiting_methods.push(WaitingMethod::new(id, func, class, params));
        }
        Ok(())
    }

    /// The function that a member template of the class makes, which is not bound to a name.
    pub(in crate::sema) fn declare_method_instance(
        &mut self,
        class: Record,
        id: MethodId,
        instance: Instance,
    ) -> Result<(Func, Vec<Param>), Reported> {
        let method = &self.unit.methods[id];
        let Some(name) = method.declarator.name else { return Err(self.poisoned()) };
        let (func, params) = self.declare_function_of(class, method, name, Some(instance))?;
        let is_lambda = self.module.types.records[class].lambda.is_some();
        let facts = self.known.func_facts.entry(func).or_default();
        facts.origin = origin_of(method.definition);
        facts.is_explicit = method.specs.explicit.is_some();
        facts.is_constexpr |= is_lambda;
        self.module.functions[func].is_referenced = false;
        Ok((func, params))
    }

    /// A member function of the class, and its parameters with `this`.
    fn declare_function_of(
        &mut self,
        class: Record,
        method: &Method,
        name: Name,
        instance: Option<Instance>,
    ) -> Result<(Func, Vec<Param>), Reported> {
        let (specs, declarator) = (&method.specs, &method.declarator);
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        let is_static = matches!(specs.storage, Some((Storage::Static, _)));
        let (ty, noexcept, params) = self.method_ty(class, specs, declarator, is_static)?;
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        let kind = Self::method_kind(specs.special);
        let method_of =
            ir::Method { class, is_static, ref_qualifier: ref_qualifier(declarator), kind, inherits: None };
        self.check_method(&decl, &params)?;
        // A static function that is only declared, without a word of the device: it is called where nothing is evaluated.
        let is_unevaluated = instance.is_some()
            && is_static
            && method.definition == MethodDefinition::Elsewhere
            && attrs.device.is_none()
            && !self.dialect.device_by_default;
        let function_kind = match origin_of(method.definition) {
            _ if is_unevaluated => FunctionKind::Device,
            Origin::Provided => self.function_kind(&decl, None)?,
            // It is nobody's function.
            Origin::Defaulted | Origin::Deleted(_) => FunctionKind::Device,
        };
        let is_defined = method.definition == MethodDefinition::Body;
        let is_inline = is_defined || specs.constexpr.is_some() || specs.inline.is_some();
        let mut function = self.new_method(&decl, method_of, function_kind, is_inline);
        if let Some(instance) = instance {
            let is_internal = function.linkage == Linkage::Internal
                || self.templates_ref().has_internal_arg(&instance.args);
            // That of a lambda in a function, too, in nvcc.
            let is_lambda = self.module.types.records[class].lambda.is_some();
            function.linkage = if is_internal && !is_lambda { Linkage::Internal } else { Linkage::Inline };
            function.instance = Some(Box::new(instance));
        }
        let func = self.module.functions.push(function);
        let facts = self.known.func_facts.entry(func).or_default();
        facts.noexcept = noexcept;
        facts.is_unevaluated = is_unevaluated;
        facts.access = method.access;
        facts.is_constexpr = specs.constexpr.is_some();
        facts.param_spans = params.iter().map(|param| param.span).collect();
        // Of an instance of a template, once the body is needed.
        let is_kept = method.text.is_some();
        facts.defined = (is_defined && !is_kept).then_some(name.span);
        if let Some(placeholder) = placeholder(specs, declarator) {
            self.note_placeholder(func, placeholder);
        }
        self.calls().declare_default_args(func, &params)?;
        if let Some(special) = specs.special {
            self.check_special(special, class, &decl, &params)?;
        }
        Ok((func, params))
    }

    /// A member function without its body.
    pub(super) fn new_method(
        &self,
        decl: &Declaration<'_>,
        method: ir::Method,
        kind: FunctionKind,
        is_inline: bool,
    ) -> Function {
        Function {
            name: self.spelling(decl.name.symbol).to_owned(),
            namespace: self.scopes.namespace(),
            link_name: LinkName::Cxx,
            linkage: self.linkage_of_method(method.class, is_inline),
            kind,
            ty: decl.ty,
            inline: inline_hint(decl),
            instance: None,
            method: Some(method),
            body: None,
            is_referenced: true,
            span: decl.name.span,
        }
    }

    pub(super) fn linkage_of_method(&self, class: Record, is_inline: bool) -> Linkage {
        let namespace = self.module.types.records[class].namespace;
        if self.is_in_function(class)
            || self.names_ref().is_within_unnamed(namespace)
            || self.has_internal_instance(class)
        {
            return Linkage::Internal;
        }
        // C++17 17.7.1
        if is_inline || self.is_of_instance(class) { Linkage::Inline } else { Linkage::External }
    }

    /// Whether the class is an instance with arguments of this object alone.
    fn has_internal_instance(&self, class: Record) -> bool {
        self.templates_ref().classes_outwards(class).any(|class| {
            let instance = self.module.types.class_instance(class);
            instance.is_some_and(|instance| self.templates_ref().has_internal_arg(&instance.args))
        })
    }

    /// Whether a class is that of a block.
    fn is_in_function(&self, class: Record) -> bool {
        let outermost = self.names_ref().classes_around(class).first().copied();
        outermost.is_some_and(|class| self.module.types.records[class].owner.is_some())
    }

    /// What is no member function's, and what an operator has to be.
    fn check_method(&mut self, decl: &Declaration<'_>, params: &[Param]) -> Result<(), Reported> {
        self.refuse_object_attrs(decl.attrs);
        self.refuse_grid_constant_params(params);
        if let Some(span) = decl.attrs.global {
            let message = "a `__global__` function cannot be a member function";
            return Err(self.error(Code::InvalidKernel, span, message));
        }
        self.require_device_copies(decl)?;
        self.types().check_promises(decl.specs, decl.declarator, decl.ty)?;
        if let Some(punct) = decl.name.symbol.operator() {
            self.calls().check_operator(punct, decl, params, true)?;
        }
        Ok(())
    }

    /// The type of a member function with `this`, whether no exception leaves it, and its parameters.
    pub(super) fn method_ty(
        &mut self,
        class: Record,
        specs: &DeclSpecs,
        declarator: &Declarator,
        is_static: bool,
    ) -> Result<(Ty, bool, Vec<Param>), Reported> {
        let declared = match placeholder(specs, declarator) {
            Some(_) => self.types().declared_deducing(declarator)?,
            None => {
                let base = self.types().base_of(specs, declarator)?;
                self.types().declared_ty(base, declarator)?
            }
        };
        let noexcept = declared.noexcept;
        let (ty, params) = self.with_object(class, declarator, is_static, declared)?;
        Ok((ty, noexcept, params))
    }

    /// The type of a function of the class, and its parameters, with `this` unless it is static.
    pub(in crate::sema) fn with_object(
        &mut self,
        class: Record,
        declarator: &Declarator,
        is_static: bool,
        declared: Declared,
    ) -> Result<(Ty, Vec<Param>), Reported> {
        let Declared { ty, params, .. } = declared;
        let (Some(mut params), Some(chunk)) = (params, function_chunk(declarator)) else {
            return Err(self.poisoned());
        };
        if is_static {
            let qualifier = chunk.quals.const_.span().or(chunk.quals.volatile.span());
            if let Some(span) = qualifier.or(chunk.ref_qualifier.map(|(_, span)| span)) {
                let message = "static member function cannot have a qualifier";
                return Err(self.error(Code::InvalidSpecifiers, span, message));
            }
            return Ok((ty, params));
        }
        let mut quals = Quals::empty();
        quals.set(Quals::CONST, chunk.quals.const_.is_some());
        quals.set(Quals::VOLATILE, chunk.quals.volatile.is_some());
        let object = self.module.types.record_ty(class);
        let object = self.module.types.with_quals(object, quals);
        let this = self.module.types.pointer_to(object);
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        let constant = self.module.types.with_quals(this, Quals::CONST);
        params.insert(0, Param::this(constant, span));
        let Some(mut func) = self.module.types.func(ty).cloned() else { return Err(self.poisoned()) };
        func.params.insert(0, this);
        Ok((self.module.types.intern(TyKind::Func(func), Quals::empty()), params))
    }

    /// Gives a member function its name in the class, if it is not one that every class has.
    fn bind_named(&mut self, name: Name, func: Func, method: &Method) -> Result<(), Reported> {
        let origin = origin_of(method.definition);
        self.known.func_facts.entry(func).or_default().origin = origin;
        let is_assignment = self.deed(func).is_some();
        if is_assignment && let Some(class) = self.scopes.class() {
            self.known.specials.entry(class).or_default().assignments.push(func);
        }
        if origin == Origin::Defaulted {
            if is_assignment {
                return Ok(());
            }
            let message = "only special member functions can be defaulted";
            return Err(self.error(Code::InvalidSpecifiers, name.span, message));
        }
        self.bind_method(name, func)
    }

    /// Gives a member function its name in the class, beside others that have it.
    fn bind_method(&mut self, name: Name, func: Func) -> Result<(), Reported> {
        let here = self.scopes.get_here(name.symbol);
        let entity = match here.map(|binding| binding.entity) {
            None => Entity::Func(func),
            Some(Entity::Func(other)) => {
                self.refuse_same_method(name.span, other, func)?;
                let funcs = [other, func].into_iter().collect();
                Entity::Overloads(self.known.overloads.push(Overloads { funcs, ..Overloads::default() }))
            }
            Some(Entity::Overloads(id)) => {
                for other in self.known.overloads[id].funcs.clone() {
                    self.refuse_same_method(name.span, other, func)?;
                }
                self.known.overloads[id].add(func);
                Entity::Overloads(id)
            }
            Some(_) => {
                let binding = here.unwrap_or(Binding { entity: Entity::Poison, span: None });
                return Err(self.names().redefinition(name, binding));
            }
        };
        self.known.names.of_methods.insert(name.symbol);
        self.scopes.bind(name.symbol, entity, name.span);
        Ok(())
    }

    /// Reports a member function that its class declares twice (C++17 16.1p2).
    pub(super) fn refuse_same_method(&mut self, span: Span, a: Func, b: Func) -> Result<(), Reported> {
        let own_params = |func: Func| {
            let function = &self.module.functions[func];
            let types = &self.module.types;
            let n_skipped = usize::from(function.method.is_some_and(|method| !method.is_static));
            let params = types.func(types.canonical(function.ty)).map(|ty| ty.params[n_skipped..].to_vec());
            (params, n_skipped)
        };
        let (first, second) = (own_params(a), own_params(b));
        let is_same = self.same_params(self.module.functions[a].ty, self.module.functions[b].ty);
        let references = [a, b].map(|func| self.module.functions[func].method?.ref_qualifier);
        let results = [a, b].map(|func| {
            let method = self.module.functions[func].method?;
            let ty = self.module.types.func(self.module.functions[func].ty)?;
            (method.kind == MethodKind::Conversion).then(|| self.canonical(ty.ret))
        });
        let differ =
            results[0] != results[1] || matches!(references, [Some(first), Some(second)] if first != second);
        if first.0 != second.0 || first.1 == second.1 && (!is_same || differ) {
            return Ok(());
        }
        let message = format!("class member `{}` cannot be redeclared", self.module.functions[b].name);
        let diagnostic = Diagnostic::new(Code::Redefinition, span, message)
            .with_label(self.module.functions[a].span, "previously declared here");
        Err(self.sink.error(diagnostic))
    }

    /// Whether the class is an instance of a template, or within one: not an explicit specialization, whose members are ordinary ones.
    pub(in crate::sema) fn is_of_instance(&self, class: Record) -> bool {
        let templates = self.templates_ref();
        templates.classes_outwards(class).any(|class| templates.is_made_instance(class))
    }

    /// Sets the member functions aside whose classes are still being read.
    pub(in crate::sema) fn take_waiting_methods(&mut self) -> Vec<WaitingMethod> {
        std::mem::take(&mut self.known.declarations.waiting_methods)
    }

    /// Lets them wait again.
    pub(in crate::sema) fn put_back_waiting_methods(&mut self, waiting: Vec<WaitingMethod>) {
        self.known.declarations.waiting_methods = waiting;
    }

    /// Keeps the member functions of an instance until something uses them. Those of an explicit specialization are defined.
    pub(in crate::sema) fn keep_waiting_methods(&mut self, instance: Record) {
        if !self.templates_ref().is_made_instance(instance) {
            return self.define_waiting_methods();
        }
        for WaitingMethod { id, func, params, .. } in self.take_waiting_methods() {
            self.templates().keep_method(instance, id, func, params);
        }
    }

    /// The body of a member function of an instance of a template.
    pub(in crate::sema) fn define_instance_method(
        &mut self,
        func: Func,
        method: &'a Method,
        def: &'a FunctionDef,
        params: Vec<Param>,
    ) -> Result<(), Reported> {
        let FunctionDef { inits, body, .. } = def;
        let definition =
            Definition { specs: &method.specs, declarator: &method.declarator, inits, body: *body };
        self.define_method(func, definition, params)
    }

    /// The body of a function that a member template makes, of its definition outside of the class.
    pub(in crate::sema) fn define_method_instance(
        &mut self,
        func: Func,
        class: Record,
        def: &'a FunctionDef,
    ) -> Result<(), Reported> {
        let is_static = self.module.functions[func].method.is_some_and(|method| method.is_static);
        let (_, _, params) = self.method_ty(class, &def.specs, &def.declarator, is_static)?;
        self.define_method(func, def.into(), params)?;
        self.define_for_base(func);
        Ok(())
    }

    /// The member function that a definition outside of the class is of.
    pub(in crate::sema) fn method_declared_by(
        &mut self,
        class: Record,
        def: &'a FunctionDef,
        name: Name,
    ) -> Result<Func, Reported> {
        self.declared_method(class, &def.specs, &def.declarator, name).map(|(func, _)| func)
    }

    /// Checks the bodies of the member functions of classes that are complete.
    pub(in crate::sema) fn define_waiting_methods(&mut self) {
        let values = std::mem::take(&mut self.known.declarations.waiting_values);
        let waiting = std::mem::take(&mut self.known.declarations.waiting_methods);
        if values.is_empty() && waiting.is_empty() {
            return;
        }
        let locals = self.names().enclosing_locals();
        if !locals.is_empty() {
            let enclosing = &mut self.known.declarations.enclosing_locals;
            enclosing.extend(values.iter().map(|&(class, _)| (class, locals.clone())));
        }
        self.apart(|cx| {
            cx.scopes.push();
            for (symbol, binding) in locals {
                cx.scopes.bind(symbol, binding.entity, binding.span.unwrap_or_default());
            }
            for (class, idx) in values {
                cx.apart(|cx| cx.conversions().check_member_value(class, idx));
            }
            for WaitingMethod { id, func, class, params } in waiting {
                let unit = cx.unit;
                let method = &unit.methods[id];
                cx.within_class(class, |cx| {
                    cx.calls().check_default_args_of_method(&params);
                    let Some(body) = method.body else { return };
                    let definition = Definition {
                        specs: &method.specs,
                        declarator: &method.declarator,
                        inits: &method.inits,
                        body,
                    };
                    // What is wrong is reported.
                    let defined = cx.declarations().define_method(func, definition, params);
                    if defined.is_ok() {
                        cx.declarations().define_for_base(func);
                    }
                });
            }
            cx.scopes.pop();
        });
    }

    /// The body of a member function, in the scope of its class.
    fn define_method(
        &mut self,
        func: Func,
        definition: Definition<'a>,
        params: Vec<Param>,
    ) -> Result<(), Reported> {
        let Some(name) = definition.declarator.name else { return Err(self.poisoned()) };
        let Some(&FuncTy { ret, .. }) = self.module.types.func(self.module.functions[func].ty) else {
            return Err(self.poisoned());
        };
        self.check_body_of(func, ret, params, definition, name)
    }

    /// The definition of a member function outside of its class: `int S::f() { … }`.
    pub(super) fn check_method_outside(
        &mut self,
        class: Record,
        def: &'a FunctionDef,
        name: Name,
    ) -> Result<(), Reported> {
        self.within_class(class, |cx| cx.declarations().define_outside(class, def, name))
    }

    /// The same in the scope of the class.
    pub(in crate::sema) fn define_outside(
        &mut self,
        class: Record,
        def: &'a FunctionDef,
        name: Name,
    ) -> Result<(), Reported> {
        let (func, params) = self.declared_method(class, &def.specs, &def.declarator, name)?;
        if let Some(previous) = self.known.func_facts.entry(func).or_default().defined.replace(name.span) {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        self.module.functions[func].span = name.span;
        self.define_method(func, def.into(), params)?;
        self.define_for_base(func);
        Ok(())
    }

    /// The member function that a definition outside of the class defines.
    fn declared_method(
        &mut self,
        class: Record,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
        name: Name,
    ) -> Result<(Func, Vec<Param>), Reported> {
        if let Some((Storage::Static, span)) = specs.storage {
            let message = "`static` can only be specified inside the class definition";
            return Err(self.error(Code::InvalidSpecifiers, span, message));
        }
        let entity = self.known.class_names.get(&(class, name.symbol)).map(|binding| binding.entity);
        let kind = Self::method_kind(specs.special);
        let specials = self.known.specials.get(&class);
        let candidates = match entity {
            _ if let Some(special) = specs.special => match (special, specials) {
                (_, None) => Vec::new(),
                (Special::Constructor, Some(specials)) => specials.constructors.to_vec(),
                (Special::Conversion, Some(specials)) => specials.conversions.to_vec(),
                (Special::Destructor, Some(specials)) => specials.destructor.into_iter().collect(),
            },
            Some(Entity::Func(func)) => vec![func],
            Some(Entity::Overloads(id)) => self.known.overloads[id].funcs.to_vec(),
            Some(Entity::Poison) => return Err(self.poisoned()),
            _ => Vec::new(),
        };
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        for is_static in [false, true] {
            let is_kind = |func: &&Func| {
                self.module.functions[**func].method.is_some_and(|method| method.is_static == is_static)
            };
            let of_kind: Vec<Func> = candidates.iter().filter(is_kind).copied().collect();
            if of_kind.is_empty() {
                continue;
            }
            let (ty, noexcept, params) = self.method_ty(class, specs, declarator, is_static)?;
            let ref_qualifier = ref_qualifier(declarator);
            let method = ir::Method { class, is_static, ref_qualifier, kind, inherits: None };
            let is_same = |func: &Func| {
                let function = &self.module.functions[*func];
                function.method == Some(method) && self.same_params(function.ty, ty)
            };
            let Some(func) = of_kind.into_iter().find(is_same) else { continue };
            let mut decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
            self.check_method(&decl, &params)?;
            if params.iter().any(|param| param.default.is_some()) {
                self.calls().declare_default_args(func, &params)?;
            }
            let deduces = self.known.func_facts.get(&func).is_some_and(|facts| facts.placeholder.is_some());
            if !deduces && !self.same(self.module.functions[func].ty, ty) {
                let message = "out-of-line definition differs from the declaration in the return type";
                let diagnostic = Diagnostic::new(Code::ConflictingTypes, name.span, message)
                    .with_label(self.module.functions[func].span, "previously declared here");
                return Err(self.sink.error(diagnostic));
            }
            // What its body says of its result is not known yet.
            decl.ty = self.module.functions[func].ty;
            let kind = self.function_kind(&decl, Some(func))?;
            let is_inline = specs.constexpr.is_some() || specs.inline.is_some();
            let function = self.new_method(&decl, method, kind, is_inline);
            self.merge_function(func, function, &decl)?;
            let facts = self.known.func_facts.entry(func).or_default();
            facts.param_spans = params.iter().map(|param| param.span).collect();
            return Ok((func, params));
        }
        let class_ty = self.module.types.record_ty(class);
        let shown = self.show(class_ty);
        let spelling = self.spelling(name.symbol);
        let message =
            format!("out-of-line definition of `{spelling}` does not match any declaration in {shown}");
        let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
        for func in candidates {
            diagnostic = diagnostic.with_label(self.module.functions[func].span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    /// The variable that is `this` in a member function whose parameters are declared.
    pub(in crate::sema) fn this_param(&self, func: Func) -> Option<Local> {
        let method = self.module.functions.get(func)?.method?;
        let cx = self.func.as_ref()?;
        if method.is_static { None } else { cx.params.first().copied() }
    }
}

/// The parameters of the function that a declarator declares, and what follows them.
pub(super) fn function_chunk(declarator: &Declarator) -> Option<&FunctionChunk> {
    match &declarator.chunks.first()?.kind {
        ChunkKind::Function(chunk) => Some(chunk),
        ChunkKind::Pointer(_) | ChunkKind::Array(_) | ChunkKind::Reference(..) => None,
    }
}

/// `&` or `&&` after the parameters.
pub(in crate::sema) fn ref_qualifier(declarator: &Declarator) -> Option<RefKind> {
    function_chunk(declarator)?.ref_qualifier.map(|(kind, _)| kind)
}
