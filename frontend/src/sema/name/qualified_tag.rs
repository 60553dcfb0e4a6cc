//! Qualified tags: `struct a::S x;`, and definitions of types that a namespace has declared, `struct a::S { … };` (C++17 10.1.7.3, 12p11).

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
            Outer::Type(outer) => match self.name_in(outer, tag)? {
                Binding { entity: Entity::Typedef(ty), span } if self.is_tag(ty) => Ok((ty, span)),
                binding => Err(self.no_tag(tag, binding)),
            },
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

    fn namespace_of_type(&self, ty: Ty) -> Namespace {
        let types = &self.module.types;
        match *types.kind(ty) {
            TyKind::Record(record) => types.records[record].namespace,
            TyKind::Enum(enum_) => types.enums[enum_].namespace,
            _ => Namespace::GLOBAL,
        }
    }

    /// The type whose tag a namespace has: other names do not hide it (C++17 6.4.4p1).
    fn tag_of(&mut self, namespace: Namespace, tag: Name) -> Result<Tagged, Reported> {
        let found = self.scopes.tags_of(namespace, tag.symbol);
        if let Some((&first, others)) = found.split_first() {
            return match others.iter().all(|other| self.same(first.0, other.0)) {
                true => Ok(first),
                false => Err(self.ambiguous(tag)),
            };
        }
        match self.lookup_member(namespace, tag.symbol) {
            Some(binding) => Err(self.no_tag(tag, binding)),
            None => Err(self.no_member_of_namespace(namespace, tag, "struct, union or enum")),
        }
    }

    /// Whether the type is known by its tag, and by no typedef.
    fn is_tag(&self, ty: Ty) -> bool {
        !matches!(self.module.types.written(ty), TyKind::Typedef(_))
    }

    /// The error of a name that is no tag.
    fn no_tag(&mut self, name: Name, binding: Binding) -> Reported {
        match binding.entity {
            Entity::Poison => self.poisoned(),
            Entity::Host(host) => self.host_entity_used(host, name, binding.span),
            _ => {
                let message = format!("`{}` is not a struct, union or enum", self.spelling(name.symbol));
                let mut diagnostic = Diagnostic::new(Code::TagMismatch, name.span, message);
                if let Some(span) = binding.span {
                    diagnostic = diagnostic.with_label(span, "declared here");
                }
                self.sink.error(diagnostic)
            }
        }
    }
}
