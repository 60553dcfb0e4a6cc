//! Namespaces: what opens them, lookup in them, and names that several of them have (C++17 6.4, 10.3).

use super::qualified::{Outer, is_of_library};
use super::scope::{Binding, Entity, HostEntity};
use crate::ast::{Name, NamespaceDecl, TypeSpec};
use crate::diag::similar::similar;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, Namespace, NamespaceData, Ty};
use crate::namespace::Found;
use crate::sema::Names;
use crate::sema::call::overload::{Overloads, OverloadsId};
use crate::source::Span;
use crate::token::Symbol;

/// What a `using` declaration means.
struct UsingTarget {
    /// The namespace before the name.
    namespace: Namespace,
    name: Option<Binding>,
    /// The struct, union or enum, which the name hides where there are both.
    tag: Option<Ty>,
}

impl<'a> Names<'a> {
    pub(in crate::sema) fn check_namespace_decl(&mut self, decl: &NamespaceDecl, span: Span) {
        match decl {
            &NamespaceDecl::Open { name, is_inline } => {
                let known = match name {
                    Some(name) => self.namespace_opened_again(name, is_inline),
                    None => self.scopes.unnamed_namespace(),
                };
                let namespace = known.unwrap_or_else(|| self.new_namespace(name, is_inline, span));
                self.scopes.go_to_namespace(namespace);
            }
            NamespaceDecl::Close => self.scopes.leave_namespace(),
            NamespaceDecl::Alias { name, target } => {
                // What is wrong is reported.
                let _reported = self.declare_namespace_alias(*name, target);
            }
            NamespaceDecl::Directive { target } => {
                if let Ok(namespace) = self.namespace_named(target) {
                    self.scopes.use_namespace(namespace);
                }
            }
            NamespaceDecl::Using { scope, name } => {
                if self.declare_used(scope, *name).is_err() && self.scopes.get_here(name.symbol).is_none() {
                    self.silence(*name);
                }
            }
        }
    }

    // C++17 10.3.2
    fn declare_namespace_alias(&mut self, name: Name, target: &TypeSpec) -> Result<(), Reported> {
        let namespace = self.namespace_named(target);
        let entity = namespace.map_or(Entity::Poison, Entity::Namespace);
        match self.scopes.get_here(name.symbol) {
            Some(previous) if previous.entity == entity => {}
            Some(previous) => return Err(self.redefinition(name, previous)),
            None => self.scopes.bind(name.symbol, entity, name.span),
        }
        Ok(())
    }

    /// The namespace that a name means, for which only namespaces are looked at (C++17 6.4.6).
    fn namespace_named(&mut self, spec: &TypeSpec) -> Result<Namespace, Reported> {
        let (binding, name) = match spec {
            TypeSpec::Named(name) => (self.lookup_scope(name.symbol), *name),
            TypeSpec::Nested(nested) => {
                let outer = match nested.0 {
                    TypeSpec::Global => Namespace::GLOBAL,
                    ref outer => self.namespace_named(outer)?,
                };
                (self.lookup_member(outer, nested.1.symbol), nested.1)
            }
            _ => return Err(self.poisoned()),
        };
        match binding.map(|binding| binding.entity) {
            Some(Entity::Namespace(namespace)) => Ok(namespace),
            Some(Entity::Poison) => Err(self.poisoned()),
            Some(Entity::Host(host @ HostEntity::Namespace)) => {
                Err(self.host_entity_used(host, name, binding.and_then(|binding| binding.span)))
            }
            Some(Entity::Several) => Err(self.ambiguous(name)),
            _ if is_of_library(self.spelling(name.symbol)) => Err(self.undeclared_scope(name)),
            _ => {
                let message = format!("expected namespace name, found `{}`", self.spelling(name.symbol));
                Err(self.error(Code::UndeclaredIdentifier, name.span, message))
            }
        }
    }

    /// `using scope::name;` (C++17 10.3.3)
    fn declare_used(&mut self, scope: &TypeSpec, name: Name) -> Result<(), Reported> {
        let target = self.using_target(scope, name)?;
        let here = self.scopes.get_here(name.symbol);
        let is_own = target.namespace == self.scopes.namespace() && self.scopes.is_file_scope();
        // What an inline namespace within has is bound, as is what any other has.
        if is_own && (here.is_some() || self.scopes.tag_here(name.symbol).is_some()) {
            return Ok(());
        }
        if let Some(binding) = target.name {
            self.declare_used_name(binding, name)?;
        }
        match target.tag {
            Some(tag) => self.declare_used_tag(tag, name),
            None => Ok(()),
        }
    }

    fn declare_used_tag(&mut self, ty: Ty, name: Name) -> Result<(), Reported> {
        match self.scopes.tag_here(name.symbol) {
            Some((tag, _)) if self.same(tag, ty) => {}
            Some((tag, span)) => {
                return Err(self.using_conflict(name, Binding { entity: Entity::Typedef(tag), span }));
            }
            None => {
                self.known.names.used_tags.insert(name.span);
                self.scopes.bind_tag(name.symbol, ty, name.span);
            }
        }
        Ok(())
    }

    /// Gives the scope an ordinary name.
    fn declare_used_name(&mut self, binding: Binding, name: Name) -> Result<(), Reported> {
        let here = self.scopes.get_here(name.symbol);
        match binding.entity {
            Entity::Func(_) | Entity::Overloads(_) => {
                return self.declare_used_functions(binding.entity, name);
            }
            Entity::Namespace(_) => {
                let message = "using declaration cannot refer to a namespace";
                return Err(self.error(Code::UnsupportedUsing, name.span, message));
            }
            // C++17 10.1.3p6
            Entity::Typedef(ty) => {
                if let Some((tag, span)) = self.scopes.tag_here(name.symbol)
                    && !self.same(tag, ty)
                {
                    return Err(self.using_conflict(name, Binding { entity: Entity::Typedef(tag), span }));
                }
            }
            _ => {}
        }
        match here {
            // C++17 10.3.3p10: a variable may be declared again in a namespace, and not in a block.
            Some(previous)
                if previous.entity == binding.entity
                    && (self.scopes.is_file_scope() || matches!(binding.entity, Entity::Typedef(_))) => {}
            Some(previous) => return Err(self.using_conflict(name, previous)),
            None => self.scopes.bind(name.symbol, binding.entity, name.span),
        }
        Ok(())
    }

    /// What a `using` declaration means: an ordinary name, a tag, or both (C++17 6.3.10p2).
    fn using_target(&mut self, scope: &TypeSpec, name: Name) -> Result<UsingTarget, Reported> {
        let namespace = match self.scope_of(scope)? {
            Outer::Namespace(namespace) => namespace,
            Outer::Type(_) => {
                let message = "`using` of a member of a type is not supported";
                return Err(self.error(Code::UnsupportedUsing, name.span, message));
            }
        };
        let found = self.scopes.members_of(namespace, name.symbol);
        let binding = match self.one_of(&found) {
            Some(Binding { entity: Entity::Several, .. }) => self.several_of(&found, name)?,
            Some(binding) => binding,
            None if namespace == Namespace::GLOBAL => match self.builtins().builtin_named(name.symbol) {
                Some(builtin) => {
                    let builtin = Overloads { builtin: Some(builtin), ..Overloads::default() };
                    let entity = Entity::Overloads(self.known.overloads.push(builtin));
                    Binding { entity, span: None }
                }
                None => return Err(self.no_member_of_namespace(namespace, name, "member")),
            },
            None => return Err(self.no_member_of_namespace(namespace, name, "member")),
        };
        if binding.entity == Entity::Poison {
            return Err(self.poisoned());
        }
        let tags: Found<(Namespace, Binding)> = found
            .iter()
            .filter_map(|&(at, _)| {
                let (ty, span) = self.scopes.tag_in(at, name.symbol)?;
                Some((at, Binding { entity: Entity::Typedef(ty), span }))
            })
            .collect();
        let tag = match self.one_of(&tags).map(|tag| tag.entity) {
            Some(Entity::Typedef(tag)) => Some(tag),
            Some(_) => return Err(self.ambiguous_among(&tags, name)),
            None => None,
        };
        let is_tag = matches!((binding.entity, tag), (Entity::Typedef(ty), Some(tag)) if ty == tag);
        Ok(UsingTarget { namespace, name: (!is_tag).then_some(binding), tag })
    }

    /// Adds functions of another namespace to those of the scope, of which there may be some (C++17 10.3.3p14).
    fn declare_used_functions(&mut self, entity: Entity, name: Name) -> Result<(), Reported> {
        let mut all = Overloads::default();
        let here = self.scopes.get_here(name.symbol);
        for entity in here.map(|here| here.entity).into_iter().chain([entity]) {
            match entity {
                Entity::Func(func) => all.add(func),
                Entity::Overloads(id) => {
                    let other = self.known.overloads[id].clone();
                    all.merge(&other);
                }
                Entity::Host(HostEntity::Function) if self.scopes.is_file_scope() => {}
                Entity::Host(HostEntity::Function) => {
                    let message = "`using` beside a function of the host in a block is not supported";
                    return Err(self.error(Code::UnsupportedUsing, name.span, message));
                }
                _ => {
                    let previous = here.unwrap_or(Binding { entity, span: None });
                    return Err(self.using_conflict(name, previous));
                }
            }
        }
        let is_block = !self.scopes.is_file_scope();
        let has_declared = here
            .and_then(|here| here.span)
            .is_some_and(|at| !is_block || self.known.names.of_blocks.contains(&at));
        if is_block && has_declared {
            self.known.names.of_blocks.insert(name.span);
        }
        // Others than those of the scope itself may have the same parameters: calls that mean both are ambiguous.
        let is_twice = |&func: &Func| {
            let same = |&other: &Func| {
                let (func, other) = (&self.module.functions[func], &self.module.functions[other]);
                func.namespace == self.scopes.namespace()
                    && func.namespace != other.namespace
                    && self.declarations_ref().same_params(func.ty, other.ty)
            };
            all.funcs.iter().any(same)
        };
        if has_declared && let Some(&func) = all.funcs.iter().find(|func| is_twice(func)) {
            let span = Some(self.module.functions[func].span);
            return Err(self.using_conflict(name, Binding { entity: Entity::Func(func), span }));
        }
        let entity = match all.sole() {
            Some(func) => Entity::Func(func),
            None => Entity::Overloads(self.known.overloads.push(all)),
        };
        self.scopes.bind(name.symbol, entity, name.span);
        Ok(())
    }

    /// Reports a function that has the parameters of one that a `using` declaration has made visible in its namespace.
    pub(in crate::sema) fn refuse_beside_used(&mut self, name: Name, ty: Ty) -> Result<(), Reported> {
        let funcs = match self.scopes.get_here(name.symbol).map(|here| here.entity) {
            Some(Entity::Func(func)) => [func].into_iter().collect(),
            Some(Entity::Overloads(id)) => self.known.overloads[id].funcs.clone(),
            _ => return Ok(()),
        };
        let is_same = |func: &&Func| {
            let function = &self.module.functions[**func];
            function.namespace != self.scopes.namespace()
                && self.declarations_ref().same_params(function.ty, ty)
        };
        let Some(&func) = funcs.iter().find(is_same) else { return Ok(()) };
        let message = "declaration conflicts with target of using declaration already in scope";
        let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
            .with_label(self.module.functions[func].span, "target of using declaration");
        Err(self.sink.error(diagnostic))
    }

    fn using_conflict(&mut self, name: Name, previous: Binding) -> Reported {
        if previous.entity == Entity::Poison {
            return self.poisoned();
        }
        let message = "target of using declaration conflicts with declaration already in scope";
        let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
        if let Some(span) = previous.span {
            diagnostic = diagnostic.with_label(span, "conflicting declaration");
        }
        self.sink.error(diagnostic)
    }

    fn new_namespace(&mut self, name: Option<Name>, is_inline: bool, span: Span) -> Namespace {
        let parent = self.scopes.namespace();
        let namespace = self.scopes.add_namespace(name.is_some(), is_inline);
        let data = NamespaceData {
            parent: Some(parent),
            name: name.map(|name| self.spelling(name.symbol).to_owned()),
            is_inline,
            span,
        };
        let in_table = self.module.types.namespaces.push(data);
        debug_assert_eq!(namespace, in_table, "invariant: both know the same namespaces");
        if let Some(name) = name {
            // What has the name already has been reported.
            let is_free =
                self.scopes.get_here(name.symbol).is_none() && self.scopes.tag_here(name.symbol).is_none();
            let entity = if is_free { Entity::Namespace(namespace) } else { Entity::Poison };
            self.scopes.bind(name.symbol, entity, name.span);
        }
        namespace
    }

    /// The namespace that a definition extends.
    fn namespace_opened_again(&mut self, name: Name, is_inline: bool) -> Option<Namespace> {
        let tag = self.scopes.tag_here(name.symbol);
        let tag = tag.map(|(ty, span)| Binding { entity: Entity::Typedef(ty), span });
        let previous = self.scopes.get_here(name.symbol).or(tag)?;
        let is_alias = |namespace: Namespace| {
            let data = &self.module.types.namespaces[namespace];
            data.parent != Some(self.scopes.namespace())
                || data.name.as_deref() != Some(self.spelling(name.symbol))
        };
        let namespace = match previous.entity {
            Entity::Namespace(namespace) if !is_alias(namespace) => namespace,
            Entity::Poison => return None,
            _ => {
                let message =
                    format!("redefinition of `{}` as different kind of symbol", self.spelling(name.symbol));
                let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
                if let Some(span) = previous.span {
                    diagnostic = diagnostic.with_label(span, "previously declared here");
                }
                self.sink.error(diagnostic);
                return None;
            }
        };
        let data = &self.module.types.namespaces[namespace];
        if is_inline && !data.is_inline {
            let span = data.span;
            let diagnostic = Diagnostic::new(
                Code::InvalidSpecifiers,
                name.span,
                "non-inline namespace cannot be reopened as inline",
            )
            .with_label(span, "previously defined here");
            self.sink.error(diagnostic);
        }
        Some(namespace)
    }

    /// Whether what is declared here belongs to this object alone, because a namespace around it has no name (C++17 6.5p4).
    pub(in crate::sema) fn is_in_unnamed_namespace(&self) -> bool {
        self.is_within_unnamed(self.scopes.namespace())
    }

    /// Whether the namespace or one around it has no name.
    pub(in crate::sema) fn is_within_unnamed(&self, namespace: Namespace) -> bool {
        let mut at = namespace;
        while let NamespaceData { parent: Some(parent), name, .. } = &self.module.types.namespaces[at] {
            if name.is_none() {
                return true;
            }
            at = *parent;
        }
        false
    }

    /// The functions that several namespaces have by the name, and the built-in one beside them.
    pub(in crate::sema) fn several_named(&mut self, name: Name) -> Result<Binding, Reported> {
        let found = self.scopes.members_named(name.symbol).1;
        self.several_of(&found, name)
    }

    /// The functions of the name that were found in several namespaces.
    pub(super) fn several_of(
        &mut self,
        found: &[(Namespace, Binding)],
        name: Name,
    ) -> Result<Binding, Reported> {
        match self.functions_among(found, name.symbol) {
            Some(id) => Ok(Binding { entity: Entity::Overloads(id), span: None }),
            None => Err(self.ambiguous_among(found, name)),
        }
    }

    /// The overloads that several namespaces have by the name; none if it means something else, too.
    pub(in crate::sema) fn functions_named(&mut self, symbol: Symbol) -> Option<OverloadsId> {
        let found = self.scopes.members_named(symbol).1;
        self.functions_among(&found, symbol)
    }

    fn functions_among(&mut self, found: &[(Namespace, Binding)], symbol: Symbol) -> Option<OverloadsId> {
        let mut all = Overloads::default();
        for (_, binding) in found {
            match binding.entity {
                Entity::Func(func) => all.add(func),
                Entity::Overloads(id) => {
                    all.merge(&self.known.overloads[id]);
                }
                _ => return None,
            }
        }
        all.builtin = all.builtin.or_else(|| self.builtins().builtin_named(symbol));
        Some(self.overloads_id(all))
    }

    /// The handle of a set of functions that no scope has as such.
    fn overloads_id(&mut self, overloads: Overloads) -> OverloadsId {
        // Which built-in function it is depends on the name, that is, on the functions.
        let key = (overloads.funcs.clone(), overloads.templates.clone(), overloads.builtin.is_some());
        let list = &mut self.cx.known.overloads;
        *self.cx.known.names.merged_overloads.entry(key).or_insert_with(|| list.push(overloads))
    }

    /// The error of a name that means different things in several namespaces.
    pub(in crate::sema) fn ambiguous(&mut self, name: Name) -> Reported {
        let found = self.scopes.members_named(name.symbol).1;
        self.ambiguous_among(&found, name)
    }

    pub(super) fn ambiguous_among(&mut self, found: &[(Namespace, Binding)], name: Name) -> Reported {
        let spelling = self.spelling(name.symbol);
        let message = format!("reference to `{spelling}` is ambiguous");
        let mut diagnostic = Diagnostic::new(Code::AmbiguousReference, name.span, message);
        for &(namespace, binding) in found {
            if binding.entity == Entity::Poison {
                return self.poisoned();
            }
            let Some(span) = binding.span else { continue };
            let qualified = self.module.types.qualified_name(namespace, spelling);
            diagnostic =
                diagnostic.with_label(span, format!("candidate found by name lookup is `{qualified}`"));
        }
        self.sink.error(diagnostic)
    }

    #[inline(never)]
    pub(super) fn lookup_in_namespaces(&self, symbol: Symbol) -> Option<Binding> {
        let (level, found) = self.scopes.members_named(symbol);
        let is_beside_builtin = level == Namespace::GLOBAL
            && found.iter().any(|&(namespace, _)| namespace != Namespace::GLOBAL)
            && self.builtins_ref().find_builtin(self.spelling(symbol)).is_some();
        let one = self.one_of(&found);
        one.map(|binding| match binding.entity {
            Entity::Func(_) | Entity::Overloads(_) if is_beside_builtin => {
                Binding { entity: Entity::Several, span: None }
            }
            _ => binding,
        })
    }

    /// What all of them are, if there is one.
    pub(super) fn one_of(&self, found: &[(Namespace, Binding)]) -> Option<Binding> {
        let &(_, first) = found.first()?;
        let is_same = |other: &Binding| match (first.entity, other.entity) {
            (Entity::Typedef(a), Entity::Typedef(b)) => self.same(a, b),
            (a, b) => a == b,
        };
        let is_one = found.iter().all(|(_, other)| is_same(other));
        Some(if is_one { first } else { Binding { entity: Entity::Several, span: None } })
    }

    /// What a name of a namespace means (C++17 6.4.3.2).
    pub(super) fn lookup_member(&self, namespace: Namespace, symbol: Symbol) -> Option<Binding> {
        self.one_of(&self.scopes.members_of(namespace, symbol))
    }

    /// What a name before `::` means: a type or a namespace, which nothing else hides (C++17 6.4.3p1).
    pub(super) fn lookup_scope(&self, symbol: Symbol) -> Option<Binding> {
        let is_scope = |binding: &Binding| {
            matches!(
                binding.entity,
                Entity::Typedef(_) | Entity::Namespace(_) | Entity::Host(_) | Entity::Poison
            )
        };
        let found = self.lookup(symbol);
        if found.is_none_or(|found| is_scope(&found)) {
            return found;
        }
        let hidden = self.scopes.hidden(symbol).find(is_scope);
        let of_namespaces = || {
            let (_, mut members) = self.scopes.members_named(symbol);
            members.retain(|(_, member)| is_scope(member));
            self.one_of(&members)
        };
        hidden.or_else(of_namespaces).or(found)
    }

    /// Makes later uses of a wrong name of a namespace silent.
    pub(super) fn silence_member(&mut self, namespace: Namespace, name: Name) {
        if self.tries_host_code {
            self.known.names.wrong_in_host_code.insert(name.symbol);
            return;
        }
        let binding = Binding { entity: Entity::Poison, span: Some(name.span) };
        if namespace != Namespace::GLOBAL {
            self.scopes.bind_member(namespace, name.symbol, binding);
        }
    }

    /// The member of a namespace that is nearest in spelling.
    pub(super) fn similar_member(
        &self,
        namespace: Namespace,
        spelling: &str,
    ) -> Option<(&'a str, Option<Span>)> {
        let is_good = |binding: &Binding| binding.entity != Entity::Poison;
        let names = self.scopes.members(namespace);
        let names = names.map(|(symbol, member)| (self.spelling(symbol), member));
        let mut names: Vec<(&str, Binding)> = names.filter(|(_, binding)| is_good(binding)).collect();
        names.sort_unstable_by_key(|&(name, _)| name);
        let idx = similar(spelling, names.iter().map(|&(name, _)| name))?;
        Some((names[idx].0, names[idx].1.span))
    }
}
