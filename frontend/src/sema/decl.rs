//! Declarations: functions, typedefs, and what the checks of variables ([`super::variable`]) share
//! with them.

use thin_vec::ThinVec;

use super::Cx;
use super::advice::Advised;
use super::builtin::Beside;
use super::builtin::FunctionId;
use super::default_arg::DefaultArg;
use super::qualifier::Attrs;
use super::scope::{Binding, Entity, HostEntity};
use super::stmt::FuncCx;
use super::ty::{Declared, Param, Standing};
use crate::ast::{
    Decl, DeclKind, DeclSpecs, Declarator, ExprKind, FunctionDef, InitDeclarator, Name, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::{
    Func, FuncTy, Function, FunctionKind, InlineHint, LaunchBounds, LinkName, Linkage, LocalData, Stmt,
    StmtData, Ty, TyKind, TypedefData,
};
use crate::layout;
use crate::limits::MAX_VALUE_BYTES;
use crate::ptx_name;
use crate::source::Span;

/// What is remembered of a function beside the module.
#[derive(Default)]
pub(super) struct FuncFacts {
    /// Where the parameters were declared, last.
    pub(super) param_spans: Vec<Span>,
    /// By the parameter.
    pub(super) defaults: Vec<Option<DefaultArg>>,
    /// No exception leaves it, by the first declaration.
    noexcept: bool,
    /// It declares a built-in function again.
    is_builtin: bool,
    defined: Option<Span>,
    used: Option<Span>,
}

/// A declarator with all that stands before it.
pub(super) struct Declaration<'d> {
    pub(super) specs: &'d DeclSpecs,
    pub(super) declarator: &'d Declarator,
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) attrs: Attrs,
    pub(super) noexcept: bool,
}

impl<'a> Cx<'a> {
    /// A declaration at file scope.
    pub(super) fn check_file_decl(&mut self, decl: &'a Decl) {
        match &decl.kind {
            DeclKind::Declarators { specs, declarators } => {
                self.check_declarators(specs, declarators, decl.span, None);
            }
            DeclKind::Function(def) => {
                // What is wrong is reported; other declarations do not depend on it.
                let _reported = self.check_function(def);
            }
            DeclKind::StaticAssert { cond, message } => self.check_static_assert(*cond, *message),
            DeclKind::Empty | DeclKind::Error => {}
        }
    }

    /// A declaration in a block.
    pub(super) fn check_local_decl(&mut self, decl: &'a Decl, list: &mut ThinVec<Stmt>) {
        match &decl.kind {
            DeclKind::Declarators { specs, declarators } => {
                self.check_declarators(specs, declarators, decl.span, Some(list));
            }
            DeclKind::Function(def) => {
                let declarator = &def.declarator;
                let span = declarator.name.map_or(declarator.span, |n| n.span);
                let message = "a function cannot be defined within another";
                self.error(Code::UnsupportedExtension, span, message);
            }
            DeclKind::StaticAssert { cond, message } => self.check_static_assert(*cond, *message),
            DeclKind::Empty | DeclKind::Error => {}
        }
    }

    /// `specifiers declarator, …;`, at file scope or, with the list of statements, in a block.
    fn check_declarators(
        &mut self,
        specs: &'a DeclSpecs,
        declarators: &'a [InitDeclarator],
        span: Span,
        mut block: Option<&mut ThinVec<Stmt>>,
    ) {
        self.check_register(specs);
        let standing = if declarators.is_empty() { Standing::Alone } else { Standing::WithDeclarators };
        // Of `auto` each declarator has its own, and all have the same.
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        let deduces = matches!(specs.ty, TypeSpec::Auto) && !is_typedef && !declarators.is_empty();
        let base = if deduces { None } else { Some(self.resolve_specs(specs, standing)) };
        let mut deduced = None;
        if declarators.is_empty() {
            self.check_tag_only(specs, span);
            return;
        }
        let attrs = self.collect_attrs(&specs.attrs, &[]);
        for init_declarator in declarators {
            let declarator = &init_declarator.declarator;
            let Some(name) = declarator.name else { continue };
            if self.is_refused_here(name) {
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
                continue;
            }
            let base = match base {
                Some(base) => base,
                None => self.deduce_auto(specs, init_declarator, name, &mut deduced),
            };
            let declared = base.and_then(|base| self.declared_ty(base, declarator));
            let Ok(declared) = declared else {
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
                continue;
            };
            let attrs = self.extend_attrs(attrs, &declarator.attrs);
            let Declared { ty, params, noexcept } = declared;
            let decl = Declaration { specs, declarator, name, ty, attrs, noexcept };
            let result = self.check_init_declarator(&decl, init_declarator, params, block.as_deref_mut());
            if result.is_err() && self.scopes.get_here(name.symbol).is_none() {
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
            }
        }
    }

    fn check_init_declarator(
        &mut self,
        decl: &Declaration<'a>,
        init_declarator: &'a InitDeclarator,
        params: Option<Vec<Param>>,
        block: Option<&mut ThinVec<Stmt>>,
    ) -> Result<(), Reported> {
        if let Some((Storage::Typedef, _)) = decl.specs.storage {
            self.refuse_default_args(params.as_deref().unwrap_or_default());
            return self.declare_typedef(decl, init_declarator);
        }
        if self.module.types.func(decl.ty).is_some() {
            if let Some(init) = init_declarator.init {
                let span = self.unit.inits[init].span;
                let message = "function cannot have an initializer";
                return Err(self.error(Code::InvalidInitializer, span, message));
            }
            if self.is_of_host(decl) {
                return self.declare_host(decl, HostEntity::Function);
            }
            return self.declare_function(decl, params.unwrap_or_default()).map(|_| ());
        }
        match block {
            Some(list) => self.declare_local(decl, init_declarator.init, list),
            None => self.declare_file_variable(decl, init_declarator.init),
        }
    }

    /// `struct S { … };` and the like.
    fn check_tag_only(&mut self, specs: &DeclSpecs, span: Span) {
        let declares = match &specs.ty {
            TypeSpec::Record(spec) => spec.tag.is_some(),
            TypeSpec::Enum(_) => true,
            TypeSpec::Error => return,
            TypeSpec::Builtin(_)
            | TypeSpec::Named(_)
            | TypeSpec::Auto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_) => false,
        };
        if !declares {
            self.error(Code::EmptyDeclaration, span, "declaration does not declare anything");
        }
    }

    // C++17 10.1.3
    fn declare_typedef(
        &mut self,
        decl: &Declaration<'a>,
        init_declarator: &InitDeclarator,
    ) -> Result<(), Reported> {
        self.refuse_attrs(&decl.attrs, "a typedef");
        self.refuse_packed(&decl.attrs, "a typedef");
        self.refuse_alignas(&decl.attrs, "a typedef");
        if decl.noexcept {
            let message = "`noexcept` in a typedef is not supported";
            return Err(self.error(Code::UnsupportedException, decl.declarator.span, message));
        }
        if let Some(init) = init_declarator.init {
            let span = self.unit.inits[init].span;
            return Err(self.error(Code::InvalidInitializer, span, "typedef cannot have an initializer"));
        }
        let name = decl.name;
        if let Some(previous) = self.scopes.get_here(name.symbol) {
            let Entity::Typedef(ty) = previous.entity else { return Err(self.redefinition(name, previous)) };
            if self.same(ty, decl.ty) {
                return Ok(());
            }
            let (new, old) = (self.show(decl.ty), self.show(self.typedef_target(ty)));
            let message = format!("typedef redefinition with different types ({new} vs {old})");
            let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
            if let Some(span) = previous.span {
                diagnostic = diagnostic.with_label(span, "previously declared here");
            }
            return Err(self.sink.error(diagnostic));
        }
        if self.scopes.is_file_scope() {
            self.refuse_builtin_name(name, "a typedef")?;
        }
        let spelling = self.spelling(name.symbol).to_owned();
        let ty = match decl.attrs.mode {
            Some(mode) => self.ty_of_mode(decl.ty, mode)?,
            None => decl.ty,
        };
        self.name_for_linkage(ty, &spelling);
        let align = self.typedef_align(decl);
        let data = TypedefData { name: spelling, ty, align, span: name.span };
        let (_, ty) = self.module.types.add_typedef(data);
        self.scopes.bind(name.symbol, Entity::Typedef(ty), name.span);
        self.advise(Advised::At(name.span), &decl.attrs);
        let is_watched = !self.scopes.is_file_scope() && !decl.attrs.is_maybe_unused;
        if is_watched && self.sink.is_on(Code::UnusedLocalTypedef) {
            self.local_typedefs.push((self.spelling(name.symbol).to_owned(), name.span));
        }
        Ok(())
    }

    /// The alignment that a typedef gives its objects. Of a struct that is refused: by it the struct would
    /// pass in another way to functions, though the type is the same. So is a lower one than the type's,
    /// by which nvcc lays out arrays in structs in two ways at once.
    fn typedef_align(&mut self, decl: &Declaration<'a>) -> Option<u32> {
        let (align, span) = decl.attrs.align?;
        let (message, help) = if self.module.types.record(decl.ty).is_some() {
            let message = "an alignment on a typedef name of a struct is not supported";
            (message, "put it on the struct: `struct __align__(n) S { … }`")
        } else if layout::align_of(&self.module.types, decl.ty).is_ok_and(|natural| align < natural) {
            let message = "an alignment on a typedef name below that of its type is not supported";
            (message, "use a packed struct")
        } else {
            return Some(align);
        };
        self.sink.error(Diagnostic::new(Code::UnsupportedAttribute, span, message).with_help(help));
        None
    }

    /// What a typedef's name stands for.
    fn typedef_target(&self, ty: Ty) -> Ty {
        match *self.module.types.written(ty) {
            TyKind::Typedef(typedef) => self.module.types.typedefs[typedef].ty,
            _ => ty,
        }
    }

    /// The first typedef name of an unnamed struct or enum names it (C++17 10.1.3p9).
    fn name_for_linkage(&mut self, ty: Ty, name: &str) {
        let types = &mut self.module.types;
        let slot = match *types.written(ty) {
            TyKind::Record(record) => {
                let data = &mut types.records[record];
                data.tag.is_none().then_some(&mut data.typedef_name)
            }
            TyKind::Enum(enum_) => {
                let data = &mut types.enums[enum_];
                data.tag.is_none().then_some(&mut data.typedef_name)
            }
            TyKind::Error
            | TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Nullptr
            | TyKind::Pointer(_)
            | TyKind::Array(..)
            | TyKind::Func(_)
            | TyKind::Typedef(_) => None,
        };
        if let Some(slot) = slot {
            slot.get_or_insert_with(|| name.to_owned());
        }
    }

    /// The symbol's name as the declaration wants it.
    pub(super) fn link_name(&mut self, decl: &Declaration<'a>) -> LinkName {
        if let Some((expr, span)) = decl.declarator.asm_label {
            if let ExprKind::Str(literal) = &self.unit.exprs[expr].kind {
                let symbol: String = literal.units.iter().filter_map(|&u| char::from_u32(u)).collect();
                if !ptx_name::is_refused(&symbol) {
                    return LinkName::Asm(symbol);
                }
            }
            self.error(Code::InvalidAsmLabel, span, "symbol is not an identifier that PTX leaves free");
        } else if self.keeps_name(decl)
            && ptx_name::is_refused(self.spelling(decl.name.symbol))
            // Of letters beyond ASCII the parser has told.
            && self.spelling(decl.name.symbol).is_ascii()
        {
            let message = format!("`{}` cannot be a symbol in PTX", self.spelling(decl.name.symbol));
            let diagnostic = Diagnostic::new(Code::ReservedSymbol, decl.name.span, message)
                .with_note("the calling sequence or PTX itself has another meaning for it")
                .with_help("rename it, or name its symbol: `__asm__(\"symbol\")` behind the declarator");
            self.sink.error(diagnostic);
        }
        if decl.specs.extern_c.is_some() { LinkName::C } else { LinkName::Cxx }
    }

    /// Whether the symbol is the name itself, and seen by others: that of a C function, or of a variable
    /// with linkage.
    fn keeps_name(&self, decl: &Declaration<'a>) -> bool {
        let storage = decl.specs.storage.map(|(storage, _)| storage);
        let is_func = self.module.types.func(decl.ty).is_some();
        let has_linkage = self.scopes.is_file_scope() || storage == Some(Storage::Extern);
        storage != Some(Storage::Static) && has_linkage && (!is_func || decl.specs.extern_c.is_some())
    }

    /// Declares a function, or declares it again.
    fn declare_function(&mut self, decl: &Declaration<'a>, params: Vec<Param>) -> Result<Func, Reported> {
        self.refuse_variable_attrs(&decl.attrs, "a function");
        self.refuse_packed(&decl.attrs, "a function");
        self.refuse_mode(&decl.attrs, "a function");
        self.refuse_alignas(&decl.attrs, "a function");
        self.refuse_grid_constant(&decl.attrs, "a function");
        self.refuse_weak_static(decl);
        if decl.attrs.global.is_none() {
            self.refuse_grid_constant_params(&params);
        }
        let name = decl.name;
        let spelling = self.spelling(name.symbol);
        let builtin = self.find_builtin(spelling).map(FunctionId::function);
        let beside = match (builtin, self.module.types.func(decl.ty).cloned()) {
            (Some(function), Some(ty)) => Some(self.beside_builtin(function, ty.ret, &ty.params, name.span)?),
            (None, _) | (_, None) => None,
        };
        if beside == Some(Beside::Same) {
            return self.declare_builtin_again(decl, params);
        }
        if let Some(previous) = self.scopes.get_here(name.symbol)
            && !matches!(previous.entity, Entity::Func(_) | Entity::Host(HostEntity::Function))
        {
            return Err(self.redefinition(name, previous));
        }
        let known = self.funcs_by_name.get(&name.symbol).copied();
        let kind = self.function_kind(decl, known)?;
        if spelling == "main" {
            let message = "`main` is the host's and cannot be marked `__device__` or `__global__`";
            return Err(self.error(Code::InvalidAttribute, name.span, message));
        }
        let function = Function {
            name: spelling.to_owned(),
            link_name: self.link_name(decl),
            linkage: function_linkage(decl),
            kind,
            ty: decl.ty,
            inline: inline_hint(decl),
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
                self.func_facts.entry(func).or_default().noexcept = decl.noexcept;
                self.funcs_by_name.insert(name.symbol, func);
                func
            }
        };
        if let Some(function) = builtin {
            self.overloaded_builtins.insert(func, function);
        }
        self.advise(Advised::Func(func), &decl.attrs);
        let facts = self.func_facts.entry(func).or_default();
        facts.param_spans = params.iter().map(|p| p.span).collect();
        // C++17 6.3.2p1: the name is not known in its own default arguments before.
        self.declare_default_args(func, &params)?;
        self.scopes.bind(name.symbol, Entity::Func(func), name.span);
        Ok(func)
    }

    /// Whether the declaration of a function says that it is the host's, by saying nothing.
    fn is_of_host(&self, decl: &Declaration<'a>) -> bool {
        let known = self.funcs_by_name.get(&decl.name.symbol);
        let attrs = &decl.attrs;
        attrs.global.is_none() && attrs.device.is_none() && known.is_none() && !self.dialect.device_by_default
    }

    /// Remembers what is only declared, and lies on the host: headers that the host's code shares have it. That
    /// device code uses it is the mistake.
    pub(super) fn declare_host(&mut self, decl: &Declaration<'a>, host: HostEntity) -> Result<(), Reported> {
        let name = decl.name;
        let spelling = self.spelling(name.symbol);
        // What device code calls by the name is the built-in function.
        if self.find_builtin(spelling).is_some() || super::known_function::is_known(spelling) {
            return Ok(());
        }
        match self.scopes.get_here(name.symbol) {
            Some(Binding { entity: Entity::Host(previous), .. }) if previous == host => Ok(()),
            Some(previous) => Err(self.redefinition(name, previous)),
            None => {
                self.scopes.bind(name.symbol, Entity::Host(host), name.span);
                Ok(())
            }
        }
    }

    /// Declares a built-in function again: calls go on to mean the built-in one. A body is checked, and
    /// belongs to a function that nothing can name.
    fn declare_builtin_again(
        &mut self,
        decl: &Declaration<'a>,
        params: Vec<Param>,
    ) -> Result<Func, Reported> {
        let kind = self.function_kind(decl, None)?;
        let func = self.module.functions.push(Function {
            name: self.spelling(decl.name.symbol).to_owned(),
            link_name: LinkName::Cxx,
            linkage: Linkage::Internal,
            kind,
            ty: decl.ty,
            inline: inline_hint(decl),
            body: None,
            is_referenced: true,
            span: decl.name.span,
        });
        let facts = self.func_facts.entry(func).or_default();
        facts.is_builtin = true;
        facts.param_spans = params.iter().map(|p| p.span).collect();
        Ok(func)
    }

    /// Reports `weak` on what no other object sees.
    pub(super) fn refuse_weak_static(&mut self, decl: &Declaration<'a>) {
        if let (Some(span), Some((Storage::Static, _))) = (decl.attrs.weak, decl.specs.storage) {
            self.error(Code::InvalidAttribute, span, "`weak` contradicts `static`");
        }
    }

    /// Reports `__grid_constant__` on the parameters of what is no kernel.
    fn refuse_grid_constant_params(&mut self, params: &[Param]) {
        for param in params.iter().filter(|param| param.is_grid_constant) {
            let message = "`__grid_constant__` applies to parameters of `__global__` functions alone";
            self.error(Code::InvalidAttribute, param.span, message);
        }
    }

    /// Where the function runs (CUDA C++ Programming Guide "Function Execution Space Specifiers").
    fn function_kind(
        &mut self,
        decl: &Declaration<'a>,
        known: Option<Func>,
    ) -> Result<FunctionKind, Reported> {
        let attrs = &decl.attrs;
        let name = decl.name;
        if attrs.global.is_none() {
            for (span, qualifier) in attrs.launch.qualifiers() {
                if let Some(span) = span {
                    let message = format!("`{qualifier}` applies to `__global__` functions alone");
                    self.error(Code::InvalidAttribute, span, message);
                }
            }
        }
        if attrs.global.is_some() {
            if let Some(span) = attrs.device.or(attrs.host) {
                let message = "`__global__` does not combine with `__device__` or `__host__`";
                return Err(self.error(Code::InvalidAttribute, span, message));
            }
            self.check_kernel_ty(decl)?;
            return Ok(FunctionKind::Kernel(attrs.launch.bounds));
        }
        if attrs.device.is_some() {
            return Ok(FunctionKind::Device);
        }
        if self.dialect.device_by_default && attrs.host.is_none() {
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
        let caller = if attrs.host.is_none() { self.device_caller(name.symbol) } else { None };
        Err(self.sink.error(match caller {
            Some(caller) => {
                let title = "add `__device__`: device code calls it";
                let fix = Fix::new(title, decl.specs.ty_span.start(), "__device__ ");
                diagnostic.with_label(caller, "used by device code here").with_fix(fix)
            }
            None => diagnostic.with_help("add `__device__` or `__global__`"),
        }))
    }

    fn check_kernel_ty(&mut self, decl: &Declaration<'a>) -> Result<(), Reported> {
        let Some(FuncTy { ret, variadic, params, .. }) = self.module.types.func(decl.ty).cloned() else {
            return Err(self.poisoned());
        };
        if !matches!(self.module.types.kind(ret), TyKind::Void) {
            let ret = self.show(ret);
            let message = format!("kernel must return `void`, not {ret}");
            return Err(self.error(Code::InvalidKernel, decl.specs.ty_span, message));
        }
        if variadic {
            return Err(self.error(Code::InvalidKernel, decl.name.span, "kernel cannot be variadic"));
        }
        if decl.noexcept {
            return Err(self.error(Code::InvalidKernel, decl.name.span, "kernel cannot be `noexcept`"));
        }
        let size = self.size_of_params(&params);
        if size > MAX_VALUE_BYTES {
            let message =
                format!("the kernel's parameters take {size} bytes, and at most {MAX_VALUE_BYTES} can be");
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
    fn merge_function(&mut self, func: Func, new: Function, decl: &Declaration<'a>) -> Result<(), Reported> {
        let old = &self.module.functions[func];
        let (old_ty, old_span, old_kind) = (old.ty, old.span, old.kind.clone());
        let conflict = |cx: &mut Self, code, message: String| {
            let diagnostic = Diagnostic::new(code, decl.name.span, message)
                .with_label(old_span, "previously declared here");
            Err(cx.sink.error(diagnostic))
        };
        let name = new.name.clone();
        if !self.same(old_ty, new.ty) {
            if self.same_params(old_ty, new.ty) {
                let message = format!("conflicting types for `{name}`: only the return type differs");
                return conflict(self, Code::ConflictingTypes, message);
            }
            let message = format!("overloading `{name}` is not supported");
            return conflict(self, Code::UnsupportedOverloading, message);
        }
        // C++17 18.4p3
        if self.func_facts.get(&func).is_some_and(|facts| facts.noexcept != decl.noexcept) {
            let message = format!("only one of the declarations of `{name}` is `noexcept`");
            return conflict(self, Code::ConflictingTypes, message);
        }
        match (&old_kind, &new.kind) {
            (FunctionKind::Kernel(_), FunctionKind::Kernel(_))
            | (FunctionKind::Device, FunctionKind::Device) => {}
            (FunctionKind::Kernel(_), FunctionKind::Device)
            | (FunctionKind::Device, FunctionKind::Kernel(_)) => {
                let message =
                    format!("`{name}` is `__global__` in one declaration and `__device__` in another");
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
        match (&old.link_name, new.link_name) {
            (LinkName::Cxx, LinkName::C) => {
                let message = format!("declaration of `{name}` has a different language linkage");
                return conflict(self, Code::ConflictingTypes, message);
            }
            (LinkName::Cxx | LinkName::C, LinkName::Asm(symbol)) => old.link_name = LinkName::Asm(symbol),
            (LinkName::Cxx | LinkName::C | LinkName::Asm(_), _) => {}
        }
        if let FunctionKind::Kernel(bounds) = new.kind
            && bounds != LaunchBounds::default()
        {
            old.kind = FunctionKind::Kernel(bounds);
        }
        if new.inline != InlineHint::Auto {
            old.inline = new.inline;
        }
        old.is_referenced |= new.is_referenced;
        Ok(())
    }

    fn same_params(&self, a: Ty, b: Ty) -> bool {
        let types = &self.module.types;
        let (Some(a), Some(b)) = (types.func(types.canonical(a)), types.func(types.canonical(b))) else {
            return false;
        };
        a.params == b.params && a.variadic == b.variadic
    }

    /// A function with its body.
    fn check_function(&mut self, def: &'a FunctionDef) -> Result<(), Reported> {
        let FunctionDef { specs, declarator, .. } = def;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        if self.is_refused_here(name) {
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
            return Err(self.poisoned());
        }
        let result = self.declare_definition(specs, declarator, name);
        let (func, params) = match result {
            Ok(found) => found,
            Err(reported) => {
                if self.scopes.get_here(name.symbol).is_none() {
                    self.scopes.bind(name.symbol, Entity::Poison, name.span);
                }
                return Err(reported);
            }
        };
        let Some(FuncTy { ret, .. }) = self.module.types.func(self.module.functions[func].ty).cloned() else {
            return Err(self.poisoned());
        };
        self.check_body_of(func, ret, params, def, name)
    }

    fn declare_definition(
        &mut self,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
        name: Name,
    ) -> Result<(Func, Vec<Param>), Reported> {
        self.check_register(specs);
        let attrs = self.collect_attrs(&specs.attrs, &declarator.attrs);
        let base = self.resolve_specs(specs, Standing::WithDeclarators)?;
        let declared = self.declared_ty(base, declarator)?;
        // The parser has refused a `typedef` of a function definition.
        if let Some((Storage::Typedef, _)) = specs.storage {
            return Err(self.poisoned());
        }
        let Some(params) = declared.params else {
            let message = "a function's definition must spell its parameters";
            return Err(self.error(Code::InvalidType, name.span, message));
        };
        let noexcept = declared.noexcept;
        let decl = Declaration { specs, declarator, name, ty: declared.ty, attrs, noexcept };
        let func = self.declare_function(&decl, params.clone())?;
        let facts = self.func_facts.entry(func).or_default();
        if let Some(previous) = facts.defined.replace(name.span) {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        if self.func_facts.get(&func).is_some_and(|facts| facts.is_builtin) {
            let message = format!(
                "`{}` is a built-in function, whose definition here has no effect",
                self.spelling(name.symbol)
            );
            let diagnostic = Diagnostic::new(Code::IgnoredDefinition, name.span, message)
                .with_help("give the function another name");
            self.sink.emit(diagnostic);
        }
        self.module.functions[func].span = name.span;
        self.module.functions[func].ty = decl.ty;
        Ok((func, params))
    }

    fn check_body_of(
        &mut self,
        func: Func,
        ret: Ty,
        params: Vec<Param>,
        def: &'a FunctionDef,
        name: Name,
    ) -> Result<(), Reported> {
        let body = def.body;
        self.require_return_ty(ret, name.span)?;
        let n_left_out = self.sink.n_errors() + self.n_poisoned.get();
        self.func = Some(FuncCx::new(func, ret));
        self.expect_body(&def.nodes);
        self.scopes.push();
        for param in params {
            self.declare_param(param);
        }
        let list = self.check_list(body);
        let span = self.unit.stmts[body].span;
        let root = self.stmt(StmtData::Block(list), span);
        self.check_gotos();
        self.scopes.pop();
        let end = Span::new(span.hi.saturating_sub(1), span.hi);
        // Statements with errors in them are missing, so that the flow is not known.
        let is_whole = self.sink.n_errors() + self.n_poisoned.get() == n_left_out;
        let is_void = matches!(self.module.types.kind(ret), TyKind::Void);
        if is_whole && !self.is_damaged && !is_void && self.falls_through(root) {
            let name = &self.module.functions[func].name;
            let message = format!("control can reach the end of non-void function `{name}`");
            self.sink.emit(Diagnostic::new(Code::MissingReturn, end, message));
        }
        if let Some(func_cx) = self.func.take() {
            let body = self.take_body(func_cx, root, end);
            self.module.functions[func].body = Some(body);
        }
        Ok(())
    }

    fn declare_param(&mut self, param: Param) {
        // An incomplete type is reported; the parameter stays, so that the others keep their place.
        let complete = self.require_value_ty(param.ty, param.span);
        let name = param.name.map(|n| self.spelling(n.symbol).to_owned());
        let data = LocalData {
            name,
            ty: param.ty,
            align: None,
            is_param: true,
            is_grid_constant: param.is_grid_constant,
            is_referenced: param.is_maybe_unused,
            span: param.span,
        };
        let func = self.func_cx();
        let local = func.locals.push(data);
        func.params.push(local);
        let Some(name) = param.name else { return };
        let entity = if complete.is_ok() { Entity::Local(local) } else { Entity::Poison };
        self.warn_shadow(name);
        // A second parameter of the name is reported there.
        let _reported = self.declare(name, entity);
    }

    /// Notes that the function is called or its address taken where that is evaluated.
    pub(super) fn mark_used(&mut self, func: Func, span: Span) {
        self.func_facts.entry(func).or_default().used.get_or_insert(span);
    }

    /// A function that only this object can define must be defined if it is used; one that is
    /// neither is no part of the program.
    pub(super) fn check_internal_functions_defined(&mut self) {
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
                Linkage::Internal => "static",
                Linkage::Inline => "inline",
            };
            let used = self.func_facts.get(&func).and_then(|facts| facts.used);
            let is_broken = self.func_facts.get(&func).is_some_and(|facts| facts.defined.is_some());
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
}

fn function_linkage(decl: &Declaration<'_>) -> Linkage {
    let is_inline =
        decl.specs.inline.is_some() || decl.specs.constexpr.is_some() || decl.attrs.forceinline.is_some();
    match decl.specs.storage {
        Some((Storage::Static, _)) => Linkage::Internal,
        Some(_) | None if decl.attrs.weak.is_some() => Linkage::Weak,
        Some((Storage::Extern | Storage::Register | Storage::Typedef, _)) | None if is_inline => {
            Linkage::Inline
        }
        Some((Storage::Extern | Storage::Register | Storage::Typedef, _)) | None => Linkage::External,
    }
}

fn inline_hint(decl: &Declaration<'_>) -> InlineHint {
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
