//! Declarations of functions: where they run, and how they pass their parameters.

use super::Declaration;
use super::deduced_result::placeholder;
use crate::ast::{Access, Name, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    Func, FuncTy, Function, FunctionKind, InlineHint, LaunchBounds, LinkName, Linkage, Namespace, RefKind,
    Ty, TyKind,
};
use crate::layout;
use crate::limits::MAX_VALUE_BYTES;
use crate::sema::builtin::{Beside, FunctionId};
use crate::sema::call::default_arg::DefaultArg;
use crate::sema::name::advice::Advised;
use crate::sema::name::library_function;
use crate::sema::name::library_function::Redeclared;
use crate::sema::name::scope::{Binding, Entity, HostEntity};
use crate::sema::types::Param;
use crate::sema::types::qualifier::Attrs;
use crate::sema::{Declarations, Evaluation};
use crate::source::Span;
use crate::token::Symbol;

/// What is remembered of a function beside the module.
#[derive(Default)]
pub(in crate::sema) struct FuncFacts {
    /// Where the parameters were declared, last.
    pub(in crate::sema) param_spans: Vec<Span>,
    /// Who may name it, if it is a member function.
    pub(in crate::sema) access: Access,
    /// By the parameter.
    pub(in crate::sema) defaults: Vec<Option<DefaultArg>>,
    /// No exception leaves it, by the first declaration.
    pub(super) noexcept: bool,
    /// Nothing in the program declares it.
    pub(super) is_predeclared: bool,
    /// It declares a built-in function again.
    pub(in crate::sema) is_builtin: bool,
    /// The strictest alignment that a declaration asks for: what `__alignof__` gives, and nothing else.
    pub(in crate::sema) align: Option<u32>,
    pub(in crate::sema) defined: Option<Span>,
    /// It is declared `constexpr`.
    pub(in crate::sema) is_constexpr: bool,
    /// It is `constexpr`, and the host's: constant expressions outside of functions may call it.
    pub(in crate::sema) is_constexpr_of_host: bool,
    /// What is written for its result where its body says what that is: `auto *`.
    pub(in crate::sema) placeholder: Option<String>,
    /// No body has said it yet.
    pub(in crate::sema) is_undeduced: bool,
    /// No body will: a mistake in it was reported.
    pub(super) is_undeducible: bool,
    /// It is the host's, and known for `decltype` and `sizeof` alone.
    pub(in crate::sema) is_unevaluated: bool,
    /// It is an instance of a template whose body is needed.
    pub(in crate::sema) is_needed: bool,
    /// A mistake in its body was reported.
    pub(in crate::sema) is_broken: bool,
    /// How its class declares it.
    pub(in crate::sema) origin: super::special::Origin,
    /// `explicit`, of a constructor or a conversion function.
    pub(in crate::sema) is_explicit: bool,
    /// A constructor without parameters that does nothing.
    pub(in crate::sema) is_empty: bool,
    used: Option<Span>,
}

impl FuncFacts {
    /// Notes what is known of a function that CUDA's headers declare.
    pub(in crate::sema) fn predeclare(&mut self) {
        self.noexcept = true;
        self.is_predeclared = true;
    }
}

impl<'a> Declarations<'a> {
    /// Declares a function, or declares it again.
    pub(super) fn declare_function(
        &mut self,
        decl: &Declaration<'_>,
        params: Vec<Param>,
    ) -> Result<Func, Reported> {
        self.declare_function_as(decl, params, true)
    }

    /// The same of one whose name becomes visible, or of a friend's, which stays what it is.
    pub(super) fn declare_function_as(
        &mut self,
        decl: &Declaration<'_>,
        params: Vec<Param>,
        is_visible: bool,
    ) -> Result<Func, Reported> {
        self.refuse_object_attrs(decl.attrs);
        self.refuse_weak_static(decl);
        self.types().check_promises(decl.specs, decl.declarator, decl.ty)?;
        if decl.attrs.global.is_none() {
            self.refuse_grid_constant_params(&params);
            self.require_device_copies(decl)?;
        }
        let name = decl.name;
        if let Some(punct) = name.symbol.operator() {
            self.calls().check_operator(punct, decl, &params, false)?;
        }
        let spelling = self.spelling(name.symbol);
        let builtin = self.builtins_ref().find_declarable(spelling).filter(|_| self.scopes.is_global());
        let overload = builtin.map(FunctionId::function).zip(self.module.types.func(decl.ty));
        let beside = match overload.map(|(function, ty)| (function, ty.clone())) {
            Some((function, ty)) => {
                Some(self.builtins().beside_builtin(function, &ty, decl.noexcept, name.span)?)
            }
            None => None,
        };
        if beside == Some(Beside::Same) {
            return self.declare_builtin_again(decl, params);
        }
        if let Some(previous) = self.scopes.get_here(name.symbol)
            && !matches!(
                previous.entity,
                Entity::Func(_) | Entity::Overloads(_) | Entity::Host(HostEntity::Function)
            )
        {
            return Err(self.names().redefinition(name, previous));
        }
        self.refuse_beside_variable_of_block(name)?;
        if self.scopes.is_global() {
            self.names().system_function(name.symbol, name.span);
        }
        let is_c = self.has_c_linkage(decl, beside.is_some())?;
        let known = self.declared_before(name.symbol, decl.ty);
        if known.is_none() {
            self.require_declared_member(decl)?;
        }
        if known.is_none() && is_c {
            self.refuse_second_of_c(name)?;
        }
        self.names().refuse_beside_used(name, decl.ty)?;
        let kind = self.function_kind(decl, known)?;
        if spelling == "main" && self.scopes.is_global() {
            let message = "`main` cannot be marked `__device__` or `__global__`";
            return Err(self.error(Code::InvalidAttribute, name.span, message));
        }
        let function = Function {
            name: spelling.to_owned(),
            namespace: self.scopes.namespace(),
            link_name: self.link_name(decl, is_c),
            linkage: self.function_linkage(decl),
            kind,
            ty: decl.ty,
            inline: inline_hint(decl),
            instance: None,
            method: None,
            body: None,
            is_referenced: decl.attrs.is_maybe_unused,
            span: name.span,
        };
        let func = match known {
            Some(func) => {
                self.merge_function(func, function, decl)?;
                func
            }
            None => {
                let func = self.module.functions.push(function);
                let facts = self.known.func_facts.entry(func).or_default();
                facts.noexcept = decl.noexcept;
                facts.is_constexpr = decl.specs.constexpr.is_some();
                let key = (self.scopes.namespace(), name.symbol);
                if self.scopes.has_namespaces() {
                    self.known.names_of_namespaces.insert(name.symbol);
                }
                self.known.funcs_by_name.entry(key).or_default().push(func);
                func
            }
        };
        self.names().advise(Advised::Func(func), decl.attrs);
        let facts = self.known.func_facts.entry(func).or_default();
        facts.is_predeclared = false;
        facts.align = facts.align.max(decl.attrs.align.map(|(align, _)| align));
        facts.param_spans = params.iter().map(|p| p.span).collect();
        // C++17 6.3.2p1: the name is not known in its own default arguments before.
        self.calls().declare_default_args(func, &params)?;
        if is_visible {
            self.names().bind_overload(name, func, builtin);
        }
        Ok(func)
    }

    /// The functions of the name in the current namespace.
    pub(super) fn funcs_named(&self, symbol: Symbol) -> &[Func] {
        let key = (self.scopes.namespace(), symbol);
        self.known.funcs_by_name.get(&key).map_or(&[], |funcs| funcs)
    }

    /// The function that a declaration declares again: the one with the same parameters (C++17 16.1).
    pub(super) fn declared_before(&self, symbol: Symbol, ty: Ty) -> Option<Func> {
        let is_same = |&func: &Func| self.same_params(self.module.functions[func].ty, ty);
        self.funcs_named(symbol).iter().copied().find(is_same)
    }

    /// C++17 10.5p6: at most one function of a name has C language linkage.
    fn refuse_second_of_c(&mut self, name: Name) -> Result<(), Reported> {
        let is_c = |&func: &Func| {
            matches!(self.module.functions[func].link_name, LinkName::C | LinkName::Asm { is_c: true, .. })
        };
        let Some(first) = self.funcs_named(name.symbol).iter().copied().find(is_c) else { return Ok(()) };
        let message = format!("conflicting types for `{}`", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::ConflictingTypes, name.span, message);
        Err(self.cx.sink.error(match self.is_predeclared(first) {
            true => diagnostic.with_note("CUDA's headers declare it with C linkage"),
            false => diagnostic
                .with_label(self.module.functions[first].span, "previously declared here")
                .with_note("only one function of a name can have C linkage"),
        }))
    }

    /// Whether the declaration of a function says that it is the host's, by saying nothing.
    pub(in crate::sema) fn is_of_host(&self, decl: &Declaration<'_>) -> bool {
        let attrs = decl.attrs;
        let is_known = self.funcs_named(decl.name.symbol).iter().any(|&func| !self.is_predeclared(func));
        attrs.global.is_none() && attrs.device.is_none() && !is_known && !self.dialect.device_by_default
    }

    /// Remembers what is only declared, and lies on the host: headers that the host's code shares have it. That
    /// device code uses it is the mistake.
    pub(super) fn declare_host(&mut self, decl: &Declaration<'_>, host: HostEntity) -> Result<(), Reported> {
        let name = decl.name;
        if self.is_name_of_device(name.symbol) {
            return Ok(());
        }
        match self.scopes.get_here(name.symbol) {
            Some(Binding { entity: Entity::Host(previous), .. }) if previous == host => Ok(()),
            // `extern const int n;` after its definition.
            Some(Binding { entity: Entity::Const(_), .. }) if host == HostEntity::Variable => Ok(()),
            Some(previous) => Err(self.names().redefinition(name, previous)),
            None => {
                self.scopes.bind(name.symbol, Entity::Host(host), name.span);
                Ok(())
            }
        }
    }

    /// Whether device code calls a built-in function by the name.
    pub(in crate::sema) fn is_name_of_device(&self, symbol: Symbol) -> bool {
        let spelling = self.spelling(symbol);
        if !self.scopes.is_global() {
            return false;
        }
        self.builtins_ref().find_builtin(spelling).is_some()
            || crate::sema::name::known_function::is_known(spelling)
            || crate::sema::name::system_function::is_named(spelling)
    }

    /// Whether a function has C language linkage: that of the declaration, or of the host's function that it declares again.
    fn has_c_linkage(&mut self, decl: &Declaration<'_>, is_beside_builtin: bool) -> Result<bool, Reported> {
        let name = self.spelling(decl.name.symbol);
        let is_extern_c = decl.specs.extern_c.is_some();
        let func = self.module.types.func(decl.ty);
        let redeclared = func
            .filter(|_| self.scopes.is_global() || is_extern_c)
            .and_then(|func| library_function::redeclared(&self.module.types, name, func));
        let of_host = || format!("conflicting types for host function `{name}`");
        let (mistake, help) = match redeclared {
            Some(Redeclared::OtherResult(ret)) => {
                (format!("{}, which returns `{ret}`", of_host()), "rename it")
            }
            Some(_) if decl.attrs.global.is_some() => {
                (format!("{}, which cannot be a kernel", of_host()), "rename it")
            }
            Some(Redeclared::C) => return Ok(true),
            // C++17 10.5p6: one function of a name has C language linkage, and that is the library's.
            Some(Redeclared::Cxx) | None => {
                // The runtime library's functions are declared so by their header.
                let is_known = crate::sema::name::known_function::is_known(name) && !name.starts_with("cuda");
                let whose = match () {
                    () if !is_extern_c || self.function_linkage(decl) == Linkage::Internal => {
                        return Ok(is_extern_c);
                    }
                    () if is_beside_builtin || is_known => "CUDA",
                    () if library_function::is_named(name) => "the host",
                    () => return Ok(true),
                };
                let mistake = format!("`{name}` with C linkage is already declared by {whose}");
                (mistake, "remove `extern \"C\"`, or rename it")
            }
        };
        let diagnostic = Diagnostic::new(Code::ConflictingTypes, decl.name.span, mistake).with_help(help);
        Err(self.sink.error(diagnostic))
    }

    /// Declares a built-in function again: calls go on to mean the built-in one. A body is checked, and
    /// belongs to a function that nothing can name.
    fn declare_builtin_again(
        &mut self,
        decl: &Declaration<'_>,
        params: Vec<Param>,
    ) -> Result<Func, Reported> {
        let again = self.known.builtins_again.get(&decl.name.symbol).into_iter().flatten().copied();
        if let Some(func) = again.into_iter().find(|&func| self.same(self.module.functions[func].ty, decl.ty))
        {
            return Ok(func);
        }
        let kind = self.function_kind(decl, None)?;
        let func = self.cx.module.functions.push(Function {
            name: self.spelling(decl.name.symbol).to_owned(),
            namespace: Namespace::GLOBAL,
            link_name: LinkName::Cxx,
            linkage: Linkage::Internal,
            kind,
            ty: decl.ty,
            inline: inline_hint(decl),
            instance: None,
            method: None,
            body: None,
            is_referenced: true,
            span: decl.name.span,
        });
        let facts = self.known.func_facts.entry(func).or_default();
        facts.is_builtin = true;
        facts.param_spans = params.iter().map(|p| p.span).collect();
        self.known.builtins_again.entry(decl.name.symbol).or_default().push(func);
        Ok(func)
    }

    /// Reports attributes that functions do not have.
    pub(super) fn refuse_object_attrs(&mut self, attrs: &Attrs) {
        self.types().refuse_variable_attrs(attrs, "a function");
        self.types().refuse_packed(attrs, "a function");
        self.types().refuse_alignas(attrs, "a function");
        self.types().refuse_grid_constant(attrs, "a function");
    }

    /// Reports `weak` on what no other object sees.
    pub(super) fn refuse_weak_static(&mut self, decl: &Declaration<'_>) {
        if let (Some(span), Some((Storage::Static, _))) = (decl.attrs.weak, decl.specs.storage) {
            self.error(Code::InvalidAttribute, span, "weak declaration cannot have internal linkage");
        }
    }

    /// The parameters and the result of a function of the device are copied; those of a kernel by the host.
    pub(super) fn require_device_copies(&mut self, decl: &Declaration<'_>) -> Result<(), Reported> {
        let Some(FuncTy { ret, params, .. }) = self.module.types.func(decl.ty).cloned() else {
            return Ok(());
        };
        params.iter().chain([&ret]).try_for_each(|&ty| self.names().require_device_copy(ty, decl.name.span))
    }

    /// Reports `__grid_constant__` on the parameters of what is no kernel.
    pub(super) fn refuse_grid_constant_params(&mut self, params: &[Param]) {
        for param in params.iter().filter(|param| param.is_grid_constant) {
            let message =
                "`__grid_constant__` attribute only applies to parameters of `__global__` functions";
            self.error(Code::InvalidAttribute, param.span, message);
        }
    }

    /// Where the function runs (CUDA C++ Programming Guide "Function Execution Space Specifiers").
    pub(super) fn function_kind(
        &mut self,
        decl: &Declaration<'_>,
        known: Option<Func>,
    ) -> Result<FunctionKind, Reported> {
        let attrs = decl.attrs;
        let name = decl.name;
        if attrs.global.is_none() {
            for (span, qualifier) in attrs.launch.qualifiers() {
                if let Some(span) = span {
                    let message = format!("`{qualifier}` attribute only applies to `__global__` functions");
                    self.error(Code::InvalidAttribute, span, message);
                }
            }
        }
        if attrs.global.is_some() {
            if let Some(span) = attrs.device.or(attrs.host) {
                let message = "`__global__` and `__device__` or `__host__` attributes are not compatible";
                return Err(self.error(Code::InvalidAttribute, span, message));
            }
            self.check_kernel_ty(decl)?;
            return Ok(FunctionKind::Kernel(attrs.launch.bounds));
        }
        if attrs.device.is_some() {
            return Ok(FunctionKind::Device);
        }
        let is_allowed = self.dialect.relaxed_constexpr && decl.specs.constexpr.is_some();
        if (self.dialect.device_by_default || is_allowed) && attrs.host.is_none() {
            return Ok(FunctionKind::Device);
        }
        // Redeclared without its specifier, it stays what it was; nvcc warns and does the same.
        if let Some(known) = known
            && self.module.functions[known].kind == FunctionKind::Device
        {
            return Ok(FunctionKind::Device);
        }
        let spelling = self.spelling(name.symbol);
        let message = format!("host function `{spelling}` is not supported");
        let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, name.span, message);
        if attrs.host.is_none() {
            self.known.refused_functions.insert(name.symbol, (name.span, decl.specs.ty_span.start()));
        }
        Err(self.sink.error(diagnostic.with_help("add `__device__` or `__global__`")))
    }

    fn check_kernel_ty(&mut self, decl: &Declaration<'_>) -> Result<(), Reported> {
        let Some(FuncTy { ret, variadic, params, .. }) = self.module.types.func(decl.ty).cloned() else {
            return Err(self.poisoned());
        };
        if !matches!(self.module.types.kind(ret), TyKind::Void) {
            let ret = self.show(ret);
            let message = format!("kernel function must have `void` return type, not {ret}");
            return Err(self.error(Code::InvalidKernel, decl.specs.ty_span, message));
        }
        if variadic {
            return Err(self.error(
                Code::InvalidKernel,
                decl.name.span,
                "kernel function cannot be variadic",
            ));
        }
        if let Some(span) = decl.specs.constexpr.span() {
            return Err(self.error(Code::InvalidKernel, span, "kernel function cannot be `constexpr`"));
        }
        if decl.noexcept {
            return Err(self.error(
                Code::InvalidKernel,
                decl.name.span,
                "kernel function cannot be `noexcept`",
            ));
        }
        // nvcc refuses it as well: a list is in the memory of the thread that made it.
        if let Some(tag) = self.known.va_list_tag
            && params
                .iter()
                .any(|&param| self.module.types.pointee(param).is_some_and(|to| self.same(to, tag)))
        {
            let message = "kernel function cannot have a parameter of type `va_list`";
            return Err(self.error(Code::InvalidKernel, decl.name.span, message));
        }
        if params.iter().any(|&param| self.expressions_ref().is_long_double(param)) {
            return Err(self
                .expressions()
                .refuse_long_double_of_host(decl.name.span, "a kernel's parameter"));
        }
        let is_rvalue =
            |&param: &Ty| matches!(self.module.types.reference(param), Some((_, RefKind::Rvalue)));
        if params.iter().any(is_rvalue) {
            let message = "kernel function cannot have a parameter of rvalue reference type";
            return Err(self.error(Code::InvalidKernel, decl.name.span, message));
        }
        let size = self.size_of_params(&params);
        if size > MAX_VALUE_BYTES {
            let message = format!("kernel parameters take {size} bytes; the maximum is {MAX_VALUE_BYTES}");
            return Err(self.error(Code::InvalidKernel, decl.name.span, message));
        }
        Ok(())
    }

    /// How many bytes the parameters take one behind the other; nothing where a type is incomplete.
    fn size_of_params(&self, params: &[Ty]) -> u64 {
        params.iter().fold(0, |size, &param| match layout::layout_of(&self.module.types, param) {
            Ok(layout) => size.next_multiple_of(u64::from(layout.align)).saturating_add(layout.size),
            Err(_) => size,
        })
    }

    /// Brings what a later declaration says into the function.
    pub(super) fn merge_function(
        &mut self,
        func: Func,
        new: Function,
        decl: &Declaration<'_>,
    ) -> Result<(), Reported> {
        let old = &self.module.functions[func];
        let (old_ty, old_span, old_kind) = (old.ty, old.span, old.kind.clone());
        let (is_predeclared, is_defined) = (self.is_predeclared(func), self.is_defined(func));
        let conflict = |cx: &mut Self, code, message: String| {
            let diagnostic = Diagnostic::new(code, decl.name.span, message);
            Err(cx.sink.error(if is_predeclared {
                diagnostic.with_note("CUDA's headers declare it")
            } else {
                diagnostic.with_label(old_span, "previously declared here")
            }))
        };
        let name = new.name.clone();
        if !self.same(old_ty, new.ty) {
            let message =
                format!("functions that differ only in their return type cannot be overloaded: `{name}`");
            return conflict(self, Code::ConflictingTypes, message);
        }
        // C++17 18.4p3
        if self.known.func_facts.get(&func).is_some_and(|facts| facts.noexcept != decl.noexcept) {
            let message = format!("exception specification of `{name}` does not match previous declaration");
            return conflict(self, Code::ConflictingTypes, message);
        }
        if self.known.func_facts.get(&func).is_some_and(|facts| facts.placeholder.is_some())
            && placeholder(decl.specs, decl.declarator).is_none()
        {
            let message = format!("`{name}` with a deduced return type is declared again");
            return conflict(self, Code::ConflictingTypes, message);
        }
        let was_constexpr = self.known.func_facts.get(&func).is_some_and(|facts| facts.is_constexpr);
        if !is_predeclared && was_constexpr != decl.specs.constexpr.is_some() {
            let message = match was_constexpr {
                true => format!("non-constexpr declaration of `{name}` follows constexpr declaration"),
                false => format!("constexpr declaration of `{name}` follows non-constexpr declaration"),
            };
            return conflict(self, Code::ConflictingTypes, message);
        }
        match (&old_kind, &new.kind) {
            (FunctionKind::Kernel(_), FunctionKind::Kernel(_))
            | (FunctionKind::Device, FunctionKind::Device) => {}
            (FunctionKind::Kernel(_), FunctionKind::Device)
            | (FunctionKind::Device, FunctionKind::Kernel(_)) => {
                let message = format!("`{name}` is declared both `__global__` and `__device__`");
                return conflict(self, Code::ConflictingTypes, message);
            }
        }
        let old = &mut self.module.functions[func];
        match (old.linkage, new.linkage) {
            (Linkage::External | Linkage::Inline | Linkage::Weak, Linkage::Internal) => {
                let message = format!("static declaration of `{name}` follows non-static declaration");
                return conflict(self, Code::ConflictingTypes, message);
            }
            (Linkage::External, Linkage::Inline) => old.linkage = Linkage::Inline,
            (Linkage::External | Linkage::Inline, Linkage::Weak) => old.linkage = Linkage::Weak,
            (Linkage::Internal | Linkage::Inline | Linkage::Weak, _)
            | (Linkage::External, Linkage::External) => {}
        }
        match (&mut old.link_name, new.link_name) {
            (
                LinkName::Cxx | LinkName::Asm { is_c: false, .. },
                LinkName::C | LinkName::Asm { is_c: true, .. },
            ) => {
                let message = format!("declaration of `{name}` has a different language linkage");
                return conflict(self, Code::ConflictingTypes, message);
            }
            (LinkName::Asm { symbol: old, .. }, LinkName::Asm { symbol: new, .. }) if *old != new => {
                let message = format!("conflicting asm label for `{name}`; the previous one is `{old}`");
                return conflict(self, Code::ConflictingTypes, message);
            }
            (old @ (LinkName::Cxx | LinkName::C), LinkName::Asm { symbol, .. }) => {
                *old = LinkName::Asm { symbol, is_c: *old == LinkName::C };
            }
            (LinkName::Cxx | LinkName::C | LinkName::Asm { .. }, _) => {}
        }
        if let FunctionKind::Kernel(bounds) = new.kind
            && bounds != LaunchBounds::default()
        {
            old.kind = FunctionKind::Kernel(bounds);
        }
        if new.inline != InlineHint::Auto {
            old.inline = new.inline;
        }
        // The types are the same; by which typedef names they were written, the definition decides.
        if !is_defined {
            old.ty = new.ty;
        }
        old.is_referenced |= new.is_referenced;
        if is_predeclared {
            old.span = new.span;
        }
        Ok(())
    }

    /// Whether the program has defined the function so far.
    pub(in crate::sema) fn is_defined(&self, func: Func) -> bool {
        self.known.func_facts.get(&func).is_some_and(|facts| facts.defined.is_some())
    }

    /// Whether nothing in the program declares the function.
    pub(in crate::sema) fn is_predeclared(&self, func: Func) -> bool {
        self.known.func_facts.get(&func).is_some_and(|facts| facts.is_predeclared)
    }

    pub(in crate::sema) fn same_params(&self, a: Ty, b: Ty) -> bool {
        let types = &self.module.types;
        let (Some(a), Some(b)) = (types.func(types.canonical(a)), types.func(types.canonical(b))) else {
            return false;
        };
        a.params == b.params && a.variadic == b.variadic
    }

    /// Notes that the function is called or its address taken, where that is evaluated.
    pub(in crate::sema) fn mark_used(&mut self, func: Func, span: Span) {
        if self.evaluation == Evaluation::Unevaluated {
            return;
        }
        self.known.func_facts.entry(func).or_default().used.get_or_insert(span);
        self.refuse_function_of_std(func, span);
        let function = &self.module.functions[func];
        if function.instance.is_some() || function.method.is_some() {
            self.templates().need_body(func, span);
        }
    }

    /// Forgets a use of a function that was reported, since it is not defined yet.
    pub(in crate::sema) fn forget_use(&mut self, func: Func) {
        if let Some(facts) = self.known.func_facts.get_mut(&func).filter(|facts| facts.is_constexpr) {
            facts.used = None;
        }
    }

    /// A function that only this object can define must be defined if it is used; one that is
    /// neither is no part of the program.
    pub(in crate::sema) fn check_internal_functions_defined(&mut self) {
        let undefined: Vec<(Func, Linkage)> = self
            .module
            .functions
            .iter()
            .filter(|(_, function)| function.body.is_none())
            .map(|(func, function)| (func, function.linkage))
            .collect();
        for (func, linkage) in undefined {
            let word = match linkage {
                Linkage::External | Linkage::Weak => continue,
                _ if self.module.functions[func].method.is_some() => "member",
                Linkage::Internal => "static",
                Linkage::Inline => "inline",
            };
            let used = self.known.func_facts.get(&func).and_then(|facts| facts.used);
            let is_broken = self.known.func_facts.get(&func).is_some_and(|facts| facts.defined.is_some());
            self.module.functions[func].linkage = Linkage::External;
            if let (Some(used), false) = (used, is_broken) {
                let function = &self.module.functions[func];
                let message = format!("{word} function `{}` is used but not defined", function.name);
                let diagnostic = Diagnostic::new(Code::UndefinedFunction, function.span, message)
                    .with_label(used, "used here");
                self.sink.error(diagnostic);
            }
        }
    }

    /// What is used of functions that others define has complete types at the end of the text: their registers depend on it. The
    /// language asks for as much of calls alone.
    pub(in crate::sema) fn check_used_functions_complete(&mut self) {
        let is_declared = |func: Func| self.module.functions[func].body.is_none();
        let used = self.known.func_facts.iter().filter(|(func, _)| is_declared(**func));
        let mut used: Vec<(Func, Span)> =
            used.filter_map(|(&func, facts)| Some((func, facts.used?))).collect();
        used.sort_unstable_by_key(|(func, _)| *func);
        for (func, span) in used {
            let Some(ty) = self.module.types.func(self.module.functions[func].ty) else { continue };
            let is_incomplete =
                |ty: &Ty| *ty != Ty::VOID && layout::layout_of(&self.module.types, *ty).is_err();
            let incomplete = ty.params.iter().copied().chain([ty.ret]).find(is_incomplete);
            if let Some(incomplete) = incomplete {
                let _: Result<(), Reported> = self.types().require_complete(incomplete, span);
            }
        }
    }

    pub(super) fn function_linkage(&self, decl: &Declaration<'_>) -> Linkage {
        let is_inline =
            decl.specs.inline.is_some() || decl.specs.constexpr.is_some() || decl.attrs.forceinline.is_some();
        match decl.specs.storage {
            Some((Storage::Static, _)) => Linkage::Internal,
            Some(_) | None if self.names_ref().is_in_unnamed_namespace() => Linkage::Internal,
            Some(_) | None if decl.attrs.weak.is_some() => Linkage::Weak,
            Some((Storage::Extern | Storage::Register | Storage::Typedef, _)) | None if is_inline => {
                Linkage::Inline
            }
            Some((Storage::Extern | Storage::Register | Storage::Typedef, _)) | None => Linkage::External,
        }
    }
}

pub(super) fn inline_hint(decl: &Declaration<'_>) -> InlineHint {
    if decl.attrs.noinline.is_some() {
        InlineHint::Never
    } else if decl.attrs.forceinline.is_some() {
        InlineHint::Always
    } else if decl.specs.inline.is_some() || decl.specs.constexpr.is_some() {
        InlineHint::Inline
    } else {
        InlineHint::Auto
    }
}
