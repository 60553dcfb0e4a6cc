//! Host code at file scope that the parser skipped, or read as C because device code may need it.

use std::mem;

use super::scope::{Entity, HostEntity};
use crate::HostCode;
use crate::ast::{
    Arity, AttrKind, DeclSpecs, Declarator, FunctionDef, HostDecl, HostKind, HostMembers, InitDeclarator,
    Member, MethodDefinition, Name, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Fix, Mark, Reported};
use crate::ir::{Namespace, Ty, TyKind};
use crate::parse::host::is_device_attribute;
use crate::sema::Names;
use crate::sema::declaration::Declaration;
use crate::sema::types::qualifier::Attrs;
use crate::source::Span;
use crate::token::Symbol;

/// What is known of an item of the host that was skipped.
#[derive(Clone, Debug)]
pub(in crate::sema) struct HostItem {
    pub(in crate::sema) span: Span,
    /// It is a `constexpr` function.
    pub(in crate::sema) is_constexpr: bool,
    /// Why device code cannot use it, if it is not the execution space alone.
    pub(in crate::sema) why: Option<Box<Diagnostic>>,
}

/// A function of the host that is defined. The types of its parameters are not known.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct HostFunction {
    pub(in crate::sema) span: Span,
    arity: Arity,
}

impl HostFunction {
    /// Whether it takes so many arguments.
    pub(in crate::sema) fn takes(&self, n_args: usize) -> bool {
        (self.arity.least..=self.arity.most).contains(&n_args)
    }
}

/// Whether a mistake in a declaration is one even if the declaration is the host's, and may use what only C++ has.
fn is_wrong_for_the_host(code: Code) -> bool {
    matches!(
        code,
        Code::Redefinition
            | Code::TagMismatch
            | Code::InvalidAlignment
            | Code::InvalidArrayLength
            | Code::InvalidBitField
            | Code::InvalidEnum
            | Code::InvalidSpecifiers
            | Code::InvalidAttribute
            | Code::InvalidType
            | Code::InvalidDefaultArgument
            | Code::NestingTooDeep
    )
}

impl<'a> Names<'a> {
    /// Whether a declaration has no attribute that makes it the device's.
    pub(in crate::sema) fn says_nothing_of_device<'b>(
        &self,
        specs: &'b DeclSpecs,
        declarators: impl IntoIterator<Item = &'b Declarator>,
    ) -> bool {
        let of_declarators = declarators.into_iter().flat_map(|declarator| &declarator.attrs);
        let is_of_device = |kind: &AttrKind| match kind {
            AttrKind::Device
            | AttrKind::Global
            | AttrKind::Shared
            | AttrKind::Constant
            | AttrKind::Managed => true,
            // What CUDA's own macros are made of.
            AttrKind::Gnu { name, .. } => is_device_attribute(self.spelling(name.symbol)),
            _ => false,
        };
        !specs.attrs.iter().chain(of_declarators).any(|attr| is_of_device(&attr.kind))
    }

    /// A declaration of the host that device code may use, if it is one of C: otherwise its names are the host's.
    pub(in crate::sema) fn try_host_declarators(
        &mut self,
        specs: &'a DeclSpecs,
        declarators: &'a [InitDeclarator],
        span: Span,
    ) {
        let tried_before = mem::replace(&mut self.tries_host_code, true);
        let mark = self.sink.mark();
        let base = self.declarations().declared_base(specs, declarators);
        if declarators.is_empty() {
            self.declarations().check_tag_only(specs, span);
        }
        let is_type_wrong = self.sink.n_errors_since(mark) > 0 || self.needs_host_code.get();
        let (mut shared, mut deduced) = (Attrs::default(), None);
        self.types().add_attrs(&mut shared, &specs.attrs);
        let mut n_of_host = 0;
        // The type of a variable that device code cannot use may be one that it can use.
        for declared in declarators {
            if self.declarations().is_overload_of_host(specs, &declared.declarator) {
                continue;
            }
            let mark = if is_type_wrong { mark } else { self.sink.mark() };
            self.declarations().check_declarator(specs, declared, base, &mut deduced, &shared, None);
            if !is_type_wrong && let Some(item) = self.take_host_error(mark, span) {
                self.bind_host_declarator(specs, declared, &item);
                n_of_host += 1;
            }
        }
        declarators.iter().for_each(|declared| self.note_host_variable(base, declared));
        let is_all_of_host = n_of_host > 0 && n_of_host == declarators.len();
        if is_all_of_host && self.sink.n_errors_since(mark) == 0 && !specs.ty.is_definition() {
            // Warnings about the type do not matter for the host's variables.
            self.sink.rewind(mark);
        }
        let is_of_device = is_type_wrong && self.has_wrong_device_method(&specs.ty, mark);
        if is_type_wrong
            && !is_of_device
            && let Some(item) = self.take_host_error(mark, span)
        {
            self.bind_defined_type(specs, &item);
            declarators.iter().for_each(|declared| self.bind_host_declarator(specs, declared, &item));
        }
        self.tries_host_code = tried_before;
    }

    /// Whether the type has member functions of the device, and what is wrong with it is no lack of Weft's.
    fn has_wrong_device_method(&self, ty: &TypeSpec, mark: Mark) -> bool {
        let TypeSpec::Record(record) = ty else { return false };
        let is_of_device = |member: &Member| match member {
            Member::Data(_)
            | Member::Template(_)
            | Member::FriendTemplate(_)
            | Member::Using(..)
            | Member::Assertion(_) => false,
            Member::Method(id) => matches!(
                self.unit.methods[*id].definition,
                MethodDefinition::Elsewhere | MethodDefinition::Body
            ),
        };
        let first = self.sink.first_error_since(mark);
        record.members.iter().flatten().any(is_of_device)
            && first.is_some_and(|error| !error.code.name().starts_with("unsupported"))
    }

    /// What is known of a declaration of the host that has a mistake, which is dropped; none if there is no mistake, or if it is one
    /// for the host, too.
    fn take_host_error(&mut self, mark: Mark, span: Span) -> Option<HostItem> {
        let needs_other = self.needs_host_code.take();
        if self.sink.first_error_since(mark).is_some_and(|error| is_wrong_for_the_host(error.code)) {
            return None;
        }
        let error = self.sink.take_first_error_since(mark);
        if error.is_none() && !needs_other {
            return None;
        }
        let why = error.clone().map(Box::new);
        self.host_errors.extend(error);
        Some(HostItem { span, is_constexpr: false, why })
    }

    /// Remembers the type of a variable of the host, for launches with it as an argument.
    fn note_host_variable(&mut self, base: Option<Result<Ty, Reported>>, declared: &InitDeclarator) {
        let (Some(Ok(base)), Some(name)) = (base, declared.declarator.name) else { return };
        let here = self.scopes.get_here(name.symbol).map(|here| here.entity);
        if here != Some(Entity::Host(HostEntity::Variable)) {
            return;
        }
        let mark = self.sink.mark();
        let ty = self.types().declared_ty(base, &declared.declarator);
        self.sink.rewind(mark);
        if let Ok(ty) = ty {
            self.known.names.host_variables.insert(name.span, ty.ty);
        }
    }

    fn bind_host_declarator(&mut self, specs: &DeclSpecs, declared: &InitDeclarator, item: &HostItem) {
        let Some(name) = declared.declarator.name else { return };
        if !matches!(specs.storage, Some((Storage::Typedef | Storage::Extern | Storage::Static, _))) {
            self.check_host_definition(name.span);
        }
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        self.bind_host(name, if is_typedef { HostEntity::Type } else { HostEntity::Variable }, item);
    }

    /// Reports the first definition of the host in a file of which a host linker needs all.
    pub(in crate::sema) fn check_host_definition(&mut self, span: Span) {
        if self.dialect.host_code != HostCode::SkipDeclarations || self.known.names.has_host_definition {
            return;
        }
        self.known.names.has_host_definition = true;
        let message = "host code is not compiled, and an output for a host linker would lack it";
        let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, span, message);
        self.sink.error(diagnostic.with_help(
            "put the host code in a separate file for nvcc, or make device code alone: `--ptx`, `--cubin`, `--fatbin`",
        ));
    }

    /// Whether a function is the host's, and constants may need it if it is one of C; with the option, device code, too.
    pub(in crate::sema) fn is_constexpr_host_function(&self, specs: &DeclSpecs, name: Option<Name>) -> bool {
        // Declared again without its specifier, it stays what it was.
        let is_known = || {
            name.is_some_and(|name| {
                self.known.funcs_by_name.contains_key(&(self.scopes.namespace(), name.symbol))
            })
        };
        specs.constexpr.is_some()
            && self.dialect.host_code.is_skipped()
            && !self.dialect.device_by_default
            && self.says_nothing_of_device(specs, [])
            && !is_known()
    }

    /// Whether the declaration is that of such a function, which device code cannot call.
    pub(in crate::sema) fn is_constant_of_host(&self, decl: &Declaration<'_>) -> bool {
        self.tries_host_code
            && !self.dialect.relaxed_constexpr
            && self.is_constexpr_host_function(decl.specs, Some(decl.name))
    }

    /// A `constexpr` function of the host, if it is one of C: otherwise its name is the host's.
    pub(in crate::sema) fn try_host_function(&mut self, def: &'a FunctionDef, span: Span) {
        let tried_before = mem::replace(&mut self.tries_host_code, true);
        let mark = self.sink.mark();
        let _reported = self.declarations().check_function(def);
        self.tries_host_code = tried_before;
        let error = self.sink.take_first_error_since(mark);
        if !self.dialect.relaxed_constexpr {
            return self.bind_host_constexpr(def, span, mark, error);
        }
        let Some(error) = error else { return };
        let item = HostItem { span, is_constexpr: false, why: Some(Box::new(error.clone())) };
        self.host_errors.push(error);
        self.needs_host_code.set(false);
        if let Some(name) = def.declarator.name {
            self.bind_host(name, HostEntity::Function, &item);
        }
    }

    /// What device code that names the function finds; constants outside of functions find the function. Warnings about it are
    /// dropped.
    fn bind_host_constexpr(&mut self, def: &FunctionDef, span: Span, mark: Mark, error: Option<Diagnostic>) {
        self.sink.rewind(mark);
        self.needs_host_code.set(false);
        let Some(name) = def.declarator.name else { return };
        let why = error.map(Box::new);
        if why.is_some() {
            self.known.host_constexprs.remove(&name.span);
        }
        let is_taken = self
            .scopes
            .get_here(name.symbol)
            .is_some_and(|binding| !matches!(binding.entity, Entity::Host(_) | Entity::Poison));
        if !is_taken && !self.declarations_ref().is_name_of_device(name.symbol) {
            self.bind_host(name, HostEntity::Function, &HostItem { span, is_constexpr: true, why });
        }
    }

    /// A struct or enum that the host's declaration defines with a mistake is the host's, with its enumerators: a part would be
    /// wrong.
    fn bind_defined_type(&mut self, specs: &DeclSpecs, item: &HostItem) {
        let tag = match &specs.ty {
            TypeSpec::Record(record) if record.members.is_some() && record.scope.is_none() => record.tag,
            TypeSpec::Enum(enumeration) => {
                for enumerator in enumeration.enumerators.iter().flatten() {
                    self.bind_host(enumerator.name, HostEntity::Variable, item);
                }
                enumeration.tag.filter(|_| enumeration.enumerators.is_some() && enumeration.scope.is_none())
            }
            _ => None,
        };
        if let Some(tag) = tag {
            self.bind_host(tag, HostEntity::Type, item);
        }
    }

    fn bind_host(&mut self, name: Name, host: HostEntity, item: &HostItem) {
        self.scopes.bind(name.symbol, Entity::Host(host), name.span);
        self.known.names.host_items.insert(name.span, item.clone());
    }

    /// Reports what is wrong with declarations of the host if the device needs one of them.
    pub(in crate::sema) fn report_needed_host_code(&mut self, needed_by: Span) {
        if self.needs_host_code.take() && self.sink.reported().is_none() {
            let errors = mem::take(&mut self.host_errors);
            errors.into_iter().for_each(|error| self.sink.emit(error));
            if self.sink.reported().is_none() {
                let message = "device code uses a declaration of the host that is not supported";
                self.error(Code::UnsupportedHostCode, needed_by, message);
            }
        }
    }

    /// The names of host code that was skipped. Those that already mean something keep that.
    pub(in crate::sema) fn declare_skipped(&mut self, decl: &HostDecl, span: Span) {
        if decl.is_definition {
            self.check_host_definition(decl.names.first().map_or(span, |name| name.span));
            if let (Some(name), Some(arity)) = (decl.names.first(), decl.arity) {
                let key = (self.scopes.namespace(), name.symbol);
                let functions = self.known.names.host_definitions.entry(key).or_default();
                functions.push(HostFunction { span: name.span, arity });
            }
        }
        let is_constexpr = decl.kind == HostKind::ConstexprFunction;
        let host = match decl.kind {
            HostKind::Function | HostKind::ConstexprFunction => HostEntity::Function,
            HostKind::Variable => HostEntity::Variable,
            HostKind::Type => HostEntity::Type,
            HostKind::Template => HostEntity::Template,
            HostKind::Namespace => HostEntity::Namespace,
            HostKind::Using => return,
        };
        for name in &decl.names {
            if self.scopes.get_here(name.symbol).is_none()
                && !self.declarations_ref().is_name_of_device(name.symbol)
            {
                self.scopes.bind(name.symbol, Entity::Host(host), name.span);
                self.known
                    .names
                    .host_items
                    .insert(name.span, HostItem { span, is_constexpr, why: decl.why.clone() });
            }
        }
    }

    /// Whether the host defines a function of the name in the namespace that takes so many arguments.
    pub(in crate::sema) fn has_host_function(&self, at: Namespace, symbol: Symbol, n_args: usize) -> bool {
        let functions = self.known.names.host_definitions.get(&(at, symbol));
        functions.is_some_and(|functions| functions.iter().any(|function| function.takes(n_args)))
    }

    /// The functions of the host that a type of objects has, itself or in its members.
    fn host_members(&self, ty: Ty) -> HostMembers {
        let mut ty = ty;
        while let TyKind::Array(elem, _) = *self.module.types.kind(ty) {
            ty = elem;
        }
        let record = self.module.types.record(ty);
        let facts = record.and_then(|record| self.known.record_facts.get(&record));
        facts.map(|facts| facts.host_members).unwrap_or_default()
    }

    /// Device code makes an object without a value, or from an empty list.
    pub(in crate::sema) fn require_device_default(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let members = self.host_members(ty);
        self.require_no_constructor(members, members.default_constructor, ty, span)
    }

    /// Device code makes an object from a list of values.
    pub(in crate::sema) fn require_device_construction(
        &mut self,
        ty: Ty,
        span: Span,
    ) -> Result<(), Reported> {
        let record = self.module.types.record(ty);
        let facts = record.and_then(|record| self.known.record_facts.get(&record));
        if let Some(hidden) = facts.and_then(|facts| facts.hidden_member) {
            let message = format!("no matching constructor for initialization of {}", self.show(ty));
            let diagnostic = Diagnostic::new(Code::InvalidInitializer, span, message)
                .with_label(hidden, "it is no aggregate, since this member is not public");
            return Err(self.sink.error(diagnostic));
        }
        let members = self.host_members(ty);
        self.require_no_constructor(members, members.constructor, ty, span)
    }

    fn require_no_constructor(
        &mut self,
        members: HostMembers,
        constructor: Option<Span>,
        ty: Ty,
        span: Span,
    ) -> Result<(), Reported> {
        match constructor.or(members.destructor) {
            Some(member) => Err(self.host_member_used("constructing an object", ty, member, span)),
            None => Ok(()),
        }
    }

    /// Device code copies an object, or passes it to a function of the device.
    pub(in crate::sema) fn require_device_copy(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        let members = self.host_members(ty);
        match members.copy.or(members.destructor) {
            Some(member) => Err(self.host_member_used("copying an object", ty, member, span)),
            None => Ok(()),
        }
    }

    /// Device code assigns to an object.
    pub(in crate::sema) fn require_device_assignment(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        match self.host_members(ty).assignment {
            Some(member) => Err(self.host_member_used("assigning to an object", ty, member, span)),
            None => Ok(()),
        }
    }

    fn host_member_used(&mut self, what: &str, ty: Ty, member: Span, span: Span) -> Reported {
        let message =
            format!("{what} of type {} calls a host function, which device code cannot do", self.show(ty));
        let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, span, message)
            .with_label(member, "declared here, without `__device__`");
        self.sink.error(diagnostic)
    }

    /// The error of device code that uses a name of the host.
    pub(in crate::sema) fn host_entity_used(
        &mut self,
        host: HostEntity,
        name: Name,
        declared: Option<Span>,
    ) -> Reported {
        if host == HostEntity::Function && self.known.broken_names.contains(&name.symbol) {
            return self.poisoned();
        }
        let spelling = self.spelling(name.symbol);
        let what = match host {
            HostEntity::Function => "a host function, which device code cannot call",
            HostEntity::Variable => "a host variable, which device code cannot use",
            HostEntity::Type => "a host type, which device code cannot use",
            HostEntity::Template => "a host template, which device code cannot use",
            HostEntity::Namespace => "a namespace of host code, which device code cannot use",
        };
        let mut diagnostic =
            Diagnostic::new(Code::UnsupportedHostCode, name.span, format!("`{spelling}` is {what}"));
        let item = declared.and_then(|declared| self.known.names.host_items.get(&declared));
        let why = item.and_then(|item| item.why.as_deref());
        if let Some(why) = why.filter(|why| !why.code.name().starts_with("unsupported")) {
            // Device code may use it in many places, and the mistake is one.
            let is_same =
                |other: &Diagnostic| other.code == why.code && other.primary.span == why.primary.span;
            if let Some(reported) = self.sink.reported()
                && self.sink.diagnostics().iter().any(is_same)
            {
                return reported;
            }
            // Of a chain of types, the first use is enough.
            diagnostic = match &why.secondary[..] {
                [_, ..] => why.clone(),
                [] => why.clone().with_label(name.span, format!("device code uses `{spelling}` here")),
            };
        } else if matches!(host, HostEntity::Function | HostEntity::Variable) {
            if let Some(span) = declared {
                diagnostic = diagnostic.with_label(span, "declared here, without `__device__`");
            }
            let is_constexpr = item.is_some_and(|item| item.is_constexpr);
            if is_constexpr && !self.dialect.relaxed_constexpr {
                diagnostic =
                    diagnostic.with_help("`--expt-relaxed-constexpr` allows calls of `constexpr` functions");
            }
            let title = "add `__device__` to its declaration";
            diagnostic = match item {
                Some(item) => diagnostic.with_fix(Fix::new(title, item.span.start(), "__device__ ")),
                None => diagnostic.with_help(title),
            };
        } else {
            if let Some(span) = declared {
                diagnostic = diagnostic.with_label(span, "declared here");
            }
            if let Some(why) = why {
                diagnostic = diagnostic.with_label(why.primary.span, why.message.clone());
            }
        }
        self.silence(name);
        self.sink.error(diagnostic)
    }
}
