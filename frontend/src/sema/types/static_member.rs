//! Static data members (C++17 12.2.3.2). nvcc gives them no memory of the device, so device code can use the values of constants alone.

use std::collections::BTreeMap;

use super::SpecifierContext;
use super::qualifier::Attrs;
use crate::ast::{ExprKind, InitId, InitKind, Member, MemberDecl, MemberDeclarator, Name, Storage, UnaryOp};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{FunctionKind, Quals, Record, Ty, TyKind};
use crate::sema::Types;
use crate::sema::declaration::Declaration;
use crate::sema::name::scope::{Binding, Entity, HostEntity};
use crate::source::Span;

impl Types<'_> {
    /// The static members of a line. With host code skipped, those that are no constants are the host's.
    pub(super) fn static_members(
        &mut self,
        decl: &MemberDecl,
        storage: Span,
        names: &mut BTreeMap<String, Span>,
    ) {
        let is_deduced = decl.specs.ty.is_placeholder()
            || decl.declarators.iter().all(|member| member.declarator.chunks.is_empty())
                && self.templates().class_without_args(&decl.specs.ty).is_some();
        let base = match is_deduced {
            true => None,
            false => match self.specified_ty(&decl.specs, SpecifierContext::WithDeclarators) {
                Ok(base) => Some(base),
                Err(_) => return,
            },
        };
        let mut deduced = None;
        for member in &decl.declarators {
            let Some(name) = member.declarator.name else { continue };
            if self.refuse_taken_name(name, names).is_err() {
                continue;
            }
            names.insert(self.spelling(name.symbol).to_owned(), name.span);
            let base = match base {
                Some(base) => Ok(base),
                None if let Some(pointer) = self.kernel_behind(member) => Ok(pointer),
                None => self.expressions().deduce_auto(
                    &decl.specs,
                    &member.declarator,
                    member.init,
                    name,
                    &mut deduced,
                ),
            };
            let declared = base.and_then(|base| self.static_member(decl, member, name, base, storage));
            if declared.is_err() && self.scopes.get_here(name.symbol).is_none() {
                self.scopes.bind(name.symbol, Entity::Poison, name.span);
            }
        }
    }

    /// The type of a pointer to the kernel whose address the member has: as a value it is the host's alone.
    fn kernel_behind(&mut self, member: &MemberDeclarator) -> Option<Ty> {
        let InitKind::Expr(mut value) = self.unit.inits[member.init?].kind else { return None };
        if let ExprKind::Unary { op: UnaryOp::AddrOf, operand, .. } = self.unit.exprs[value].kind {
            value = operand;
        }
        let ExprKind::Ident(symbol) = self.unit.exprs[value].kind else { return None };
        let Entity::Func(func) = self.names_ref().lookup(symbol)?.entity else { return None };
        let function = &self.module.functions[func];
        let ty = function.ty;
        matches!(function.kind, FunctionKind::Kernel(_)).then(|| self.module.types.pointer_to(ty))
    }

    fn static_member(
        &mut self,
        decl: &MemberDecl,
        member: &MemberDeclarator,
        name: Name,
        base: Ty,
        storage: Span,
    ) -> Result<(), Reported> {
        let ty = self.member_ty(base, &member.declarator)?;
        if *self.module.types.kind(ty) == TyKind::Void {
            // Nothing completes it.
            self.require_complete(ty, name.span)?;
        }
        let attrs = self.collect_attrs(&decl.specs.attrs, &member.declarator.attrs);
        let spelling = self.spelling(name.symbol).to_owned();
        self.refuse_memory_of_member(&attrs)?;
        self.refuse_static_member_here(name)?;
        if let Some(width) = member.bit_width {
            let span = self.unit.exprs[width].span;
            let message = format!("static member `{spelling}` cannot be a bit-field");
            return Err(self.error(Code::InvalidBitField, span, message));
        }
        let declaration = Declaration {
            specs: &decl.specs,
            declarator: &member.declarator,
            name,
            ty,
            attrs: &attrs,
            noexcept: false,
        };
        let is_constexpr = decl.specs.constexpr.is_some();
        let is_constant = self.declarations_ref().can_be_named_const(&declaration);
        match member.init {
            None if is_constexpr => {
                let message = format!(
                    "declaration of `constexpr` static data member `{spelling}` requires an initializer"
                );
                return Err(self.error(Code::UninitializedConst, name.span, message));
            }
            Some(_) if !is_constexpr && decl.specs.inline.is_none() && !self.is_const(ty) => {
                let message = "non-const static data member must be initialized out of line";
                return Err(self.error(Code::InvalidInitializer, name.span, message));
            }
            Some(_)
                if !is_constexpr && decl.specs.inline.is_none() && self.module.types.scalar(ty).is_none() =>
            {
                let message =
                    format!("static data member of type {} must be initialized out of line", self.show(ty));
                let diagnostic = Diagnostic::new(Code::InvalidInitializer, name.span, message)
                    .with_help("declare it as `constexpr`");
                return Err(self.sink.error(diagnostic));
            }
            Some(_) if is_constant => {
                return self.declarations().declare_named_const(&declaration, member.init);
            }
            Some(init)
                if (is_constexpr || decl.specs.inline.is_some())
                    && let Some(value) = self.declarations().constant_pointer(&declaration, init) =>
            {
                return self.declarations().bind_named_const(&declaration, value);
            }
            Some(init) if is_constexpr && self.declarations_ref().is_aggregate(ty) => {
                return self.declarations().declare_constant_member(&declaration, init);
            }
            Some(_) | None => {}
        }
        if !self.dialect.host_code.is_skipped() {
            return Err(self.error(Code::UnsupportedMember, storage, "static members are not supported"));
        }
        self.known.names.host_variables.insert(name.span, ty);
        self.scopes.bind(name.symbol, Entity::Host(HostEntity::Variable), name.span);
        Ok(())
    }

    /// Reports specifiers of static members at other data members (C++17 10.1.5p1, 10.1.6p1).
    pub(super) fn refuse_static_specifiers(&mut self, decl: &MemberDecl) -> Result<(), Reported> {
        if decl.declarators.is_empty() {
            return Ok(());
        }
        let (span, message) = match (decl.specs.constexpr.span(), decl.specs.inline.span()) {
            (Some(span), _) => (span, "non-static data member cannot be `constexpr`"),
            (None, Some(span)) => (span, "non-static data member cannot be `inline`"),
            (None, None) => return Ok(()),
        };
        let diagnostic =
            Diagnostic::new(Code::InvalidSpecifiers, span, message).with_help("make it `static`");
        Err(self.sink.error(diagnostic))
    }

    /// Reports a member by the name of another one, or of its class (C++17 12.2p13).
    fn refuse_taken_name(&mut self, name: Name, names: &BTreeMap<String, Span>) -> Result<(), Reported> {
        let spelling = self.spelling(name.symbol);
        let class = self.scopes.class().map(|class| &self.module.types.records[class]);
        if class.is_some_and(|class| class.tag.as_deref() == Some(spelling)) {
            let message = format!("member `{spelling}` has the same name as its class");
            return Err(self.error(Code::Redefinition, name.span, message));
        }
        let tag = self.scopes.tag_here(name.symbol).map(|(_, span)| span);
        let here = self.scopes.get_here(name.symbol).map(|binding| binding.span).or(tag);
        let Some(span) = names.get(spelling).copied().map(Some).or(here) else { return Ok(()) };
        let message = format!("duplicate member `{spelling}`");
        let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
        if let Some(span) = span {
            diagnostic = diagnostic.with_label(span, "previously declared here");
        }
        Err(self.sink.error(diagnostic))
    }

    /// Reports a memory of the device for a static member.
    fn refuse_memory_of_member(&mut self, attrs: &Attrs) -> Result<(), Reported> {
        let memories = [
            (attrs.device, "__device__"),
            (attrs.constant, "__constant__"),
            (attrs.shared, "__shared__"),
            (attrs.managed, "__managed__"),
        ];
        // `__managed__` is `__device__`, too.
        let written = memories.into_iter().rev().find_map(|(span, name)| Some((span?, name)));
        let Some((span, name)) = written else { return Ok(()) };
        let message = format!("`{name}` is not allowed on a data member");
        let diagnostic = Diagnostic::new(Code::InvalidAttribute, span, message)
            .with_help("declare the variable outside of the class");
        Err(self.sink.error(diagnostic))
    }

    /// Reports a static member of a class that cannot have any (C++17 12.2.3.2p2, 12.4p4).
    fn refuse_static_member_here(&mut self, name: Name) -> Result<(), Reported> {
        let spelling = self.spelling(name.symbol);
        let is_unnamed = |&class: &Record| self.module.types.records[class].tag.is_none();
        let message = match self.scopes.class() {
            _ if !self.scopes.is_file_scope() || self.func.is_some() => {
                format!("static data member `{spelling}` not allowed in a local class")
            }
            Some(class) if self.names_ref().classes_around(class).iter().any(is_unnamed) => {
                format!("static data member `{spelling}` not allowed in an unnamed class")
            }
            _ => return Ok(()),
        };
        Err(self.error(Code::InvalidSpecifiers, name.span, message))
    }

    /// Reports members of an unnamed struct or union without a declarator that are no data (C++17 12.3.1p1).
    pub(super) fn refuse_in_anonymous(&mut self, members: &[Member]) {
        for member in members {
            let (span, what) = match member {
                Member::Method(id) => (self.unit.methods[*id].declarator.span, "member functions"),
                Member::Template(template) => (template.declaration.name.span, "templates"),
                Member::FriendTemplate(name) => (name.span, "friends"),
                Member::Assertion(assertion) => (assertion.span, "assertions"),
                Member::Using(names) => (names[0].name.span, "`using` declarations"),
                Member::Data(data) => match data.specs.storage {
                    Some((Storage::Static, span)) => (span, "static data members"),
                    _ => continue,
                },
            };
            let message = format!("an anonymous struct or union cannot have {what}");
            self.error(Code::InvalidSpecifiers, span, message);
        }
    }

    /// The definition of a static member outside of its class, which gives a constant its value: `const int S::n = 4;`.
    pub(in crate::sema) fn define_static_member(
        &mut self,
        class: Record,
        decl: &Declaration<'_>,
        init: Option<InitId>,
    ) -> Result<(), Reported> {
        self.refuse_memory_of_member(decl.attrs)?;
        let name = decl.name;
        let spelling = self.spelling(name.symbol);
        let known = self.known.class_names.get(&(class, name.symbol)).copied();
        let declared_ty = match known {
            Some(Binding { entity: Entity::Host(HostEntity::Variable), span: Some(span) }) => {
                self.known.names.host_variables.get(&span).copied()
            }
            Some(Binding { entity: Entity::Const(idx), .. }) => {
                Some(self.known.named_consts[idx as usize].ty)
            }
            Some(Binding { entity: Entity::Global(global), .. }) => Some(self.module.globals[global].ty),
            Some(Binding { entity: Entity::Poison, .. }) => return Err(self.poisoned()),
            _ => None,
        };
        let (Some(declared_ty), Some(known)) = (declared_ty, known) else {
            let class_ty = self.module.types.record_ty(class);
            let message = format!("no static data member `{spelling}` in {}", self.show(class_ty));
            let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
            if let Some(span) = known.and_then(|known| known.span) {
                diagnostic = diagnostic.with_label(span, "declared here");
            }
            return Err(self.sink.error(diagnostic));
        };
        let mut ty = decl.ty;
        if decl.specs.constexpr.is_some() {
            ty = self.module.types.with_quals(ty, Quals::CONST);
        }
        let is_host = matches!(known.entity, Entity::Host(_));
        let label = known.span.unwrap_or(name.span);
        if !self.same(ty, declared_ty) {
            let (new, old) = (self.show(ty), self.show(declared_ty));
            let message = format!("redefinition of `{spelling}` with a different type: {new} vs {old}");
            let diagnostic = Diagnostic::new(Code::ConflictingTypes, name.span, message)
                .with_label(label, "previously declared here");
            return Err(self.sink.error(diagnostic));
        }
        if init.is_some() && !is_host {
            let message = format!("static data member `{spelling}` already has an initializer");
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(label, "previously declared here");
            return Err(self.sink.error(diagnostic));
        }
        if init.is_none() || !self.declarations_ref().can_be_named_const(decl) {
            return Ok(());
        }
        self.within_class(class, |cx| {
            cx.scopes.push();
            let declared = cx.declarations().declare_named_const(decl, init);
            let binding = cx.scopes.get_here(name.symbol);
            cx.scopes.pop();
            if let Some(binding) = binding {
                cx.known.class_names.insert((class, name.symbol), binding);
            }
            declared
        })
    }
}
