//! Declarations: typedefs, and what those of functions and variables share.
//!
//! - [`function`]: declarations of functions; [`function_body`]: their bodies; [`instance`]: those of templates; [`deduced_result`]: results of type `auto`;
//!   [`constexpr_function`]: `constexpr` functions; [`method`]: member functions; [`friend`]: friends; [`call_operator`]: those of lambdas
//! - [`beside`]: names that are taken without being found
//! - [`qualified_declarator`]: members of namespaces that are declared from outside
//! - [`variable`]: declarations of variables; [`static_member`]: constants that are members; [`anonymous_union`]: unions without a name in blocks; [`cycle`]: variables that lead back to themselves
//! - [`structured_binding`]: names for the elements of a variable; [`tuple_binding`]: those that `get` gives

mod anonymous_union;
mod beside;
mod call_operator;
mod constexpr_function;
mod cycle;
pub(super) mod deduced_result;
mod friend;
pub(super) mod function;
mod function_body;
mod host_overload;
pub(super) mod implicit;
mod inherited;
mod instance;
mod member_inits;
pub(super) mod method;
mod named_const;
mod no_value;
mod qualified_declarator;
pub(super) mod special;
mod static_member;
mod structured_binding;
mod tuple_binding;
mod variable;

use thin_vec::ThinVec;

use self::deduced_result::placeholder;
use super::Declarations;
use super::name::advice::Advised;
use super::name::scope::{Binding, Entity, HostEntity};
use super::types::qualifier::Attrs;
use super::types::trailing::trailing_result;
use super::types::{Declared, Param, SpecifierContext};
use crate::ast::{
    Decl, DeclKind, DeclSpecs, Declarator, ExprKind, InitDeclarator, InitId, Name, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Global;
use crate::ir::Namespace;
use crate::ir::{LinkName, Stmt, Ty, TyKind, TypedefData};
use crate::layout;
use crate::ptx_name;
use crate::source::Span;
use crate::token::Symbol;
use hashbrown::HashMap;
use hashbrown::HashSet;

/// What is remembered of declarations.
#[derive(Default)]
pub(super) struct DeclarationFacts {
    /// The variables with linkage by name, local `extern` declarations of them included.
    globals_by_name: HashMap<(Namespace, Symbol), Global>,
    /// The variables whose definition has been seen.
    defined_globals: HashSet<Global>,
    /// The member functions whose bodies are checked where no class is open any more.
    waiting_methods: Vec<method::WaitingMethod>,
    /// The default member initializers that are still to be checked.
    pub(in crate::sema) waiting_values: Vec<(crate::ir::Record, u32)>,
    /// What a lambda is as a pointer to a function, by its class.
    invokers: HashMap<crate::ir::Record, crate::ir::Func>,
    /// What the variables of a function mean in the values that one of its classes has for members.
    pub(in crate::sema) enclosing_locals: HashMap<crate::ir::Record, Vec<(Symbol, Binding)>>,
}

/// A declarator with all that stands before it.
pub(super) struct Declaration<'d> {
    pub(super) specs: &'d DeclSpecs,
    pub(super) declarator: &'d Declarator,
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) attrs: &'d Attrs,
    pub(super) noexcept: bool,
}

impl<'a> Declarations<'a> {
    /// A declaration at file scope.
    pub(super) fn check_file_decl(&mut self, decl: &'a Decl) {
        match &decl.kind {
            DeclKind::Declarators { specs, declarators }
                if self.dialect.host_code.is_skipped()
                    && self
                        .names_ref()
                        .says_nothing_of_device(specs, declarators.iter().map(|d| &d.declarator)) =>
            {
                self.names().try_host_declarators(specs, declarators, decl.span);
            }
            DeclKind::Declarators { specs, declarators } => {
                self.check_declarators(specs, declarators, decl.span, None);
            }
            DeclKind::Host(host) => self.names().declare_skipped(host, decl.span),
            DeclKind::Function(def)
                if self.names_ref().is_constexpr_host_function(&def.specs, def.declarator.name) =>
            {
                self.names().try_host_function(def, decl.span);
            }
            DeclKind::Function(def) if self.is_overload_of_host(&def.specs, &def.declarator) => {
                self.names().check_host_definition(def.declarator.span);
            }
            DeclKind::Function(def) => {
                // What is wrong is reported; other declarations do not depend on it.
                let _reported = self.check_function(def);
            }
            DeclKind::StaticAssert { cond, message } => {
                self.types().check_shared_assert(*cond, *message);
            }
            DeclKind::Template(template) => {
                if self.templates().declare_template(template).is_err() {
                    self.calls().note_broken(template.name);
                    if self.scopes.get_here(template.name.symbol).is_none() {
                        self.scopes.bind(template.name.symbol, Entity::Poison, template.name.span);
                    }
                }
            }
            // What is wrong is reported.
            DeclKind::Specialization(decl) => {
                let _reported = self.templates().check_specialization(decl);
            }
            DeclKind::Instantiation(decl) => {
                let _reported = self.templates().check_instantiation(decl);
            }
            DeclKind::Namespace(namespace) => self.names().check_namespace_decl(namespace, decl.span),
            // There are none at file scope.
            DeclKind::Binding(_) | DeclKind::Empty | DeclKind::Error => {}
        }
        self.names().report_needed_host_code(decl.span);
    }

    /// A declaration in a block.
    pub(super) fn check_local_decl(&mut self, decl: &'a Decl, list: &mut ThinVec<Stmt>) {
        match &decl.kind {
            DeclKind::Declarators { specs, declarators } => {
                self.check_declarators(specs, declarators, decl.span, Some(list));
            }
            DeclKind::Binding(binding) => self.check_structured_binding(binding, list),
            DeclKind::Function(def) => {
                let declarator = &def.declarator;
                let span = declarator.name.map_or(declarator.span, |n| n.span);
                let message = "function definition is not allowed here";
                self.error(Code::UnsupportedExtension, span, message);
            }
            DeclKind::StaticAssert { cond, message } => {
                self.types().check_static_assert(*cond, *message);
            }
            DeclKind::Namespace(namespace) => self.names().check_namespace_decl(namespace, decl.span),
            DeclKind::Host(_)
            | DeclKind::Template(_)
            | DeclKind::Specialization(_)
            | DeclKind::Instantiation(_)
            | DeclKind::Empty
            | DeclKind::Error => {}
        }
    }

    /// `specifiers declarator, …;`, at file scope or, with the list of statements, in a block.
    pub(super) fn check_declarators(
        &mut self,
        specs: &'a DeclSpecs,
        declarators: &'a [InitDeclarator],
        span: Span,
        mut block: Option<&mut ThinVec<Stmt>>,
    ) {
        let base = self.declared_base(specs, declarators);
        if declarators.is_empty() {
            match (&specs.ty, base, block) {
                (TypeSpec::Record(spec), Some(Ok(ty)), Some(list)) if spec.is_union && spec.tag.is_none() => {
                    self.declare_anonymous_union(specs, ty, span, list);
                }
                _ => self.check_tag_only(specs, span),
            }
            return;
        }
        let mut shared = Attrs::default();
        self.types().add_attrs(&mut shared, &specs.attrs);
        let mut deduced = None;
        for declared in declarators {
            self.check_declarator(specs, declared, base, &mut deduced, &shared, block.as_deref_mut());
        }
    }

    /// The type before the declarators, which may be defined here; none if each declarator deduces its own.
    pub(super) fn declared_base(
        &mut self,
        specs: &'a DeclSpecs,
        declarators: &[InitDeclarator],
    ) -> Option<Result<Ty, Reported>> {
        self.types().check_register(specs);
        let context =
            if declarators.is_empty() { SpecifierContext::Alone } else { SpecifierContext::WithDeclarators };
        // Of `auto` each declarator has its own, and all have the same.
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        let deduces = specs.ty.is_placeholder()
            && !declarators.is_empty()
            && (!is_typedef
                || declarators.iter().all(|declared| trailing_result(&declared.declarator).is_some()));
        let is_class = |cx: &mut Self| {
            let is_plain = |declared: &InitDeclarator| declared.declarator.chunks.is_empty();
            !declarators.is_empty()
                && !is_typedef
                && declarators.iter().all(is_plain)
                && cx.templates().class_without_args(&specs.ty).is_some()
        };
        if deduces || is_class(self) { None } else { Some(self.types().resolve_specs(specs, context)) }
    }

    /// One of the declarators after the type `base`, with the type that earlier ones have deduced and the attributes of all.
    pub(super) fn check_declarator(
        &mut self,
        specs: &'a DeclSpecs,
        init_declarator: &'a InitDeclarator,
        base: Option<Result<Ty, Reported>>,
        deduced: &mut Option<Ty>,
        shared: &Attrs,
        block: Option<&mut ThinVec<Stmt>>,
    ) {
        let declarator = &init_declarator.declarator;
        let Some(name) = declarator.name else { return };
        if declarator.scope.is_some() {
            self.check_qualified_declarator(specs, init_declarator, base, shared);
            return;
        }
        if self.names_ref().is_refused_here(name) {
            self.calls().note_broken(name);
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
            return;
        }
        let is_deduced = placeholder(specs, declarator).is_some();
        let base = match base {
            _ if trailing_result(declarator).is_some() => {
                self.types().check_trailing(specs, declarator).map(|()| Ty::VOID)
            }
            Some(base) => base,
            None if is_deduced => Ok(Ty::VOID),
            None => self.expressions().deduce_auto(specs, declarator, init_declarator.init, name, deduced),
        };
        self.types().refuse_type_of_result(specs, declarator);
        let declared = base.and_then(|base| match is_deduced {
            true => self.types().declared_deducing(declarator),
            false => self.types().declared_ty(base, declarator),
        });
        let Ok(declared) = declared else {
            self.calls().note_broken(name);
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
            return;
        };
        let Declared { ty, params, noexcept } = declared;
        let own;
        let attrs = if declarator.attrs.is_empty() {
            shared
        } else {
            own = self.types().extend_attrs(shared, &declarator.attrs);
            &own
        };
        let decl = Declaration { specs, declarator, name, ty, attrs, noexcept };
        let result = self.check_init_declarator(&decl, init_declarator, params, block);
        if result.is_err() && self.scopes.get_here(name.symbol).is_none() {
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
        }
    }

    /// Apart from the loop over declarators, of which there is one mostly.
    #[inline(never)]
    fn check_init_declarator(
        &mut self,
        decl: &Declaration<'_>,
        init_declarator: &'a InitDeclarator,
        params: Option<Vec<Param>>,
        block: Option<&mut ThinVec<Stmt>>,
    ) -> Result<(), Reported> {
        if let Some((Storage::Typedef, _)) = decl.specs.storage {
            self.calls().refuse_default_args(params.as_deref().unwrap_or_default());
            return self.declare_typedef(decl, init_declarator.init);
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
            let params = params.unwrap_or_default();
            return match placeholder(decl.specs, decl.declarator) {
                Some(placeholder) => self.declare_deduced(decl, params, placeholder),
                None => self.declare_function(decl, params),
            }
            .map(|_| ());
        }
        if decl.name.symbol.operator().is_some() {
            let message = format!("`{}` must be declared as a function", self.spelling(decl.name.symbol));
            return Err(self.error(Code::InvalidOperator, decl.name.span, message));
        }
        match block {
            Some(list) => self.declare_local(decl, init_declarator.init, list),
            None => self.declare_file_variable(decl, init_declarator.init),
        }
    }

    /// `struct S { … };` and the like.
    pub(super) fn check_tag_only(&mut self, specs: &DeclSpecs, span: Span) {
        let declares = match &specs.ty {
            TypeSpec::Record(spec) => spec.tag.is_some(),
            TypeSpec::Enum(_) => true,
            TypeSpec::Error => return,
            TypeSpec::Builtin(_)
            | TypeSpec::Named(_)
            | TypeSpec::Element(_)
            | TypeSpec::Nested(_)
            | TypeSpec::Instance(_)
            | TypeSpec::Global
            | TypeSpec::Auto
            | TypeSpec::DecltypeAuto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_) => false,
        };
        // C++17 12.3.1p3
        if let TypeSpec::Record(spec) = &specs.ty
            && spec.is_union
            && spec.tag.is_none()
            && self.scopes.is_file_scope()
        {
            if !matches!(specs.storage, Some((Storage::Static, _))) {
                let message = "anonymous unions at file scope must be declared `static`";
                let diagnostic = Diagnostic::new(Code::InvalidSpecifiers, span, message)
                    .with_help("give it a tag, or declare a variable of this type");
                self.sink.error(diagnostic);
                return;
            }
            if self.tries_host_code {
                // Its members are variables of the host.
                return;
            }
        }
        if !declares {
            let message = "declaration does not declare anything";
            self.sink.emit(Diagnostic::new(Code::EmptyDeclaration, span, message));
        }
    }

    // C++17 10.1.3
    pub(super) fn declare_typedef(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
    ) -> Result<(), Reported> {
        self.types().refuse_attrs(decl.attrs, "a typedef");
        self.types().refuse_packed(decl.attrs, "a typedef");
        self.types().refuse_alignas(decl.attrs, "a typedef");
        if decl.noexcept {
            let message = "`noexcept` in a typedef is not supported";
            return Err(self.error(Code::UnsupportedException, decl.declarator.span, message));
        }
        if let Some(init) = init {
            let span = self.unit.inits[init].span;
            return Err(self.error(Code::InvalidInitializer, span, "typedef cannot have an initializer"));
        }
        let name = decl.name;
        if let Some(previous) = self.scopes.get_here(name.symbol) {
            let Entity::Typedef(ty) = previous.entity else {
                return Err(self.names().redefinition(name, previous));
            };
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
        // C++17 10.1.3p3
        if let Some((tag, span)) = self.scopes.tag_here(name.symbol)
            && !self.same(tag, decl.ty)
        {
            return Err(self.names().redefinition(name, Binding { entity: Entity::Typedef(tag), span }));
        }
        if self.scopes.is_file_scope() && self.scopes.class().is_none() {
            self.refuse_builtin_name(name, "a typedef")?;
        }
        let spelling = self.spelling(name.symbol).to_owned();
        let ty = decl.ty;
        self.name_for_linkage(ty, &spelling);
        let align = self.typedef_align(decl);
        let namespace = self.scopes.namespace();
        let data = TypedefData { name: spelling, namespace, ty, align, is_builtin: false, span: name.span };
        let (_, ty) = self.module.types.add_typedef(data);
        self.scopes.bind(name.symbol, Entity::Typedef(ty), name.span);
        self.names().advise(Advised::At(name.span), decl.attrs);
        let is_watched = !self.scopes.is_file_scope() && !decl.attrs.is_maybe_unused;
        if is_watched && self.sink.is_on(Code::UnusedLocalTypedef) {
            self.cx.known.local_typedefs.push((self.spelling(name.symbol).to_owned(), name.span));
        }
        Ok(())
    }

    /// The alignment that a typedef gives its objects. One below that of its type is refused: by it nvcc lays out
    /// arrays in structs in two ways at once.
    fn typedef_align(&mut self, decl: &Declaration<'_>) -> Option<u32> {
        let (align, span) = decl.attrs.align?;
        let natural = layout::align_of(&self.module.types, decl.ty);
        if natural.is_ok_and(|natural| align < natural) {
            let message = "a typedef alignment smaller than that of its type is not supported";
            let diagnostic = Diagnostic::new(Code::UnsupportedAttribute, span, message);
            self.sink.error(diagnostic.with_help("use a packed struct"));
            return None;
        }
        Some(align)
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
        // What is qualified is another type.
        if !types.written_quals(ty).is_empty() {
            return;
        }
        let slot = match *types.written(ty) {
            TyKind::Record(record) => {
                let data = &mut types.records[record];
                data.tag.is_none().then_some(&mut data.typedef_name)
            }
            TyKind::Enum(enum_) => {
                let data = &mut types.enums[enum_];
                data.tag.is_none().then_some(&mut data.typedef_name)
            }
            _ => None,
        };
        if let Some(slot) = slot {
            slot.get_or_insert_with(|| name.to_owned());
        }
    }

    /// The symbol's name as the declaration wants it.
    pub(super) fn link_name(&mut self, decl: &Declaration<'_>, is_c: bool) -> LinkName {
        if let Some((expr, span)) = decl.declarator.asm_label {
            if let ExprKind::Str(literal) = self.unit.exprs[expr].kind {
                let literal = &self.unit.strings[literal];
                let symbol: String = literal.units.iter().filter_map(|&u| char::from_u32(u)).collect();
                if !ptx_name::is_refused(&symbol) {
                    return LinkName::Asm { symbol, is_c };
                }
            }
            self.error(
                Code::InvalidAsmLabel,
                span,
                "symbol is not a valid PTX identifier, or PTX reserves it",
            );
        } else if self.keeps_name(decl, is_c)
            && ptx_name::is_refused(self.spelling(decl.name.symbol))
            // Of letters beyond ASCII the parser has told.
            && self.spelling(decl.name.symbol).is_ascii()
        {
            let message = format!("`{}` cannot be used as a PTX symbol", self.spelling(decl.name.symbol));
            let diagnostic = Diagnostic::new(Code::ReservedSymbol, decl.name.span, message)
                .with_note("PTX or the calling convention reserves this name")
                .with_help("rename it, or set its symbol: `__asm__(\"symbol\")` after the declarator");
            self.sink.error(diagnostic);
        }
        if is_c { LinkName::C } else { LinkName::Cxx }
    }

    /// Whether the symbol is the name itself, and seen by others: that of a C function, or of a variable
    /// with linkage.
    fn keeps_name(&self, decl: &Declaration<'_>, is_c: bool) -> bool {
        let storage = decl.specs.storage.map(|(storage, _)| storage);
        let is_func = self.module.types.func(decl.ty).is_some();
        let has_linkage = self.scopes.is_file_scope() || storage == Some(Storage::Extern);
        let is_plain = is_c || !is_func && self.scopes.is_global();
        storage != Some(Storage::Static) && has_linkage && is_plain
    }
}
