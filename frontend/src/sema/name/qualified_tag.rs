//! Names after `struct`, `union` and `enum`, qualified ones included: `struct a::S x;`, and definitions of types that a namespace has declared, `struct a::S { … };` (C++17 10.1.7.3, 12p11).

use super::qualified::Outer;
use super::scope::{Binding, Entity};
use crate::ast::{Name, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Namespace, Ty, TyKind};
use crate::sema::Names;
use crate::source::Span;

/// A struct, union or enum, and where it got its tag.
type Tagged = (Ty, Option<Span>);

impl Names<'_> {
    /// The type of a tag in a namespace or struct.
    pub(in crate::sema) fn qualified_tag(&mut self, scope: &TypeSpec, tag: Name) -> Result<Tagged, Reported> {
        match self.scope_of(scope)? {
            Outer::Namespace(namespace) => self.tag_of(namespace, tag),
            Outer::Type(outer) => {
                let binding = self.name_in(outer, tag)?;
                self.tagged(&binding).ok_or_else(|| self.no_tag(tag, binding))
            }
        }
    }

    /// Goes to the namespace whose type a definition with a qualified tag completes.
    pub(in crate::sema) fn enter_tag_scope(&mut self, scope: &TypeSpec, tag: Name) -> Result<(), Reported> {
        let Outer::Namespace(outer) = self.scope_of(scope)? else {
            let message = "definitions of types within structs are not supported here";
            return Err(self.error(Code::UnsupportedNamespace, tag.span, message));
        };
        let (ty, _) = self.tag_of(outer, tag)?;
        let found = self.namespace_of_type(ty);
        self.require_member_of(outer, found, tag, Code::TagMismatch)?;
        if self.scopes.is_file_scope() && self.scopes.class().is_none() {
            self.scopes.go_to_namespace(found);
            return Ok(());
        }
        let message = format!("cannot define `{}` here", self.spelling(tag.symbol));
        Err(self.error(Code::TagMismatch, tag.span, message))
    }

    /// The namespace that has the struct, union or enum.
    pub(in crate::sema) fn namespace_of_type(&self, ty: Ty) -> Namespace {
        let types = &self.module.types;
        match *types.kind(ty) {
            TyKind::Record(record) => types.records[record].namespace,
            TyKind::Enum(enum_) => types.enums[enum_].namespace,
            _ => Namespace::GLOBAL,
        }
    }

    /// The type of `struct`, `union` or `enum tag`, if something declares it.
    pub(in crate::sema) fn tag_named(&mut self, tag: Name) -> Result<Option<Tagged>, Reported> {
        let found = self.scopes.types_named(tag.symbol);
        self.tag_among(&found, tag)
    }

    /// The type whose tag a namespace has: other names do not hide it (C++17 6.4.4p1).
    fn tag_of(&mut self, namespace: Namespace, tag: Name) -> Result<Tagged, Reported> {
        let found = self.scopes.types_of(namespace, tag.symbol);
        if let Some(tagged) = self.tag_among(&found, tag)? {
            return Ok(tagged);
        }
        match self.lookup_member(namespace, tag.symbol) {
            Some(binding) => Err(self.no_tag(tag, binding)),
            None => Err(self.no_member_of_namespace(namespace, tag, "struct, union or enum")),
        }
    }

    /// The type that has the tag, of those that were found in several namespaces. One by a typedef name is a mistake.
    fn tag_among(&mut self, found: &[(Namespace, Binding)], tag: Name) -> Result<Option<Tagged>, Reported> {
        match self.one_of(found) {
            Some(Binding { entity: Entity::Several, .. }) => Err(self.ambiguous_among(found, tag)),
            Some(_) => match found.iter().find(|(_, binding)| self.tagged(binding).is_none()) {
                Some(&(_, other)) => Err(self.no_tag(tag, other)),
                None => Ok(found.first().and_then(|(_, binding)| self.tagged(binding))),
            },
            None => Ok(None),
        }
    }

    /// The type, if the name is its tag, and no typedef name.
    fn tagged(&self, binding: &Binding) -> Option<Tagged> {
        match binding.entity {
            Entity::Typedef(ty) if ty != Ty::ERROR => {
                let is_typedef = matches!(self.module.types.written(ty), TyKind::Typedef(_));
                (!is_typedef).then_some((ty, binding.span))
            }
            _ => None,
        }
    }

    /// The type whose tag the innermost scope has, which a declaration or definition is of.
    ///
    /// # Errors
    /// The scope has another type by the name (C++17 10.1.3p6), or has this one by a `using` declaration (10.3.3).
    pub(in crate::sema) fn tag_declared_here(&mut self, tag: Name) -> Result<Option<Tagged>, Reported> {
        let here = self.scopes.tag_here(tag.symbol);
        if let Some(previous) = self.scopes.get_here(tag.symbol) {
            let is_taken = match previous.entity {
                Entity::Namespace(_) => true,
                // One that stands for the struct itself may share its name.
                Entity::Typedef(ty) => {
                    self.tagged(&previous).is_none() && here.is_none_or(|(of_tag, _)| !self.same(of_tag, ty))
                }
                _ => false,
            };
            if is_taken {
                return Err(self.redefinition(tag, previous));
            }
        }
        match here {
            Some((_, Some(span))) if self.known.names.used_tags.contains(&span) => {
                let message = "declaration conflicts with target of using declaration already in scope";
                let diagnostic = Diagnostic::new(Code::Redefinition, tag.span, message)
                    .with_label(span, "using declaration");
                Err(self.sink.error(diagnostic))
            }
            _ => Ok(here),
        }
    }

    /// The error of a name that is no tag.
    fn no_tag(&mut self, name: Name, binding: Binding) -> Reported {
        match binding.entity {
            Entity::Poison | Entity::Typedef(Ty::ERROR) => self.poisoned(),
            Entity::Host(host) => self.host_entity_used(host, name, binding.span),
            _ => {
                let spelling = self.spelling(name.symbol);
                let message = match binding.entity {
                    Entity::Typedef(_) => {
                        format!("typedef name `{spelling}` cannot follow `struct`, `union` or `enum`")
                    }
                    _ => format!("`{spelling}` is not a struct, union or enum"),
                };
                let mut diagnostic = Diagnostic::new(Code::TagMismatch, name.span, message);
                if let Some(span) = binding.span {
                    diagnostic = diagnostic.with_label(span, "declared here");
                }
                self.sink.error(diagnostic)
            }
        }
    }
}
