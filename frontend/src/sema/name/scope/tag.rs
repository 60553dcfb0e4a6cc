//! Types as `struct`, `union` and `enum` name them: other names do not hide them, and a typedef name is none (C++17 6.4.4).

use std::iter;

use super::table::Entry;
use super::{Binding, Entity, Member, Scopes};
use crate::ir::Ty;
use crate::namespace::{Found, Namespace};
use crate::source::Span;
use crate::token::Symbol;

/// Whether the name is a type's, or may have been meant as one.
fn is_type(name: &Binding) -> bool {
    matches!(name.entity, Entity::Typedef(_) | Entity::Poison)
}

impl Member {
    /// The tag, or else the name of a type.
    fn ty(self) -> Option<Binding> {
        let tag = self.tag.map(|(ty, span)| Binding { entity: Entity::Typedef(ty), span });
        tag.or(self.name.filter(is_type))
    }
}

impl Scopes {
    /// The types of the name in the innermost scope that has one, typedef names included.
    pub(in crate::sema::name) fn types_named(&self, symbol: Symbol) -> Found<(Namespace, Binding)> {
        match self.type_in_stack(symbol) {
            Some((depth, ty)) if depth > 0 || self.namespaces.is_trivial() && self.horizon.is_none() => {
                iter::once((self.namespace(), ty)).collect()
            }
            _ => self.namespaces.unqualified(|at| Some((at, self.member(at, symbol).ty()?))).1,
        }
    }

    /// The types that `namespace::symbol` may mean, typedef names included.
    pub(in crate::sema::name) fn types_of(
        &self,
        namespace: Namespace,
        symbol: Symbol,
    ) -> Found<(Namespace, Binding)> {
        self.namespaces.qualified(namespace, |at| Some((at, self.member(at, symbol).ty()?)))
    }

    /// The type whose tag the namespace itself has.
    pub(in crate::sema::name) fn tag_in(
        &self,
        namespace: Namespace,
        symbol: Symbol,
    ) -> Option<(Ty, Option<Span>)> {
        self.member(namespace, symbol).tag
    }

    /// Whether declarations are checked within the namespace around an inline one that is not inline itself.
    pub(in crate::sema) fn is_within_outside_inline(&self, inline: Namespace) -> bool {
        self.is_around(self.namespaces.outside_inline(inline), self.namespace())
    }

    /// The innermost type of the name, of those of blocks and the global namespace, with the depth of its scope.
    fn type_in_stack(&self, symbol: Symbol) -> Option<(u32, Binding)> {
        let tag = self.tags.entry(symbol);
        let tag = tag
            .map(|tag| (tag.depth, Binding { entity: Entity::Typedef(tag.meaning.0), span: tag.meaning.1 }));
        let hidden = |entry: &&Entry<Binding>| Some(&self.names.entries[entry.hidden? as usize]);
        let mut names = iter::successors(self.names.entry(symbol), hidden);
        let name = names.find(|entry| is_type(&entry.meaning)).map(|entry| (entry.depth, entry.meaning));
        match (tag, name) {
            (Some(tag), Some(name)) if tag.0 < name.0 => Some(name),
            (tag, name) => tag.or(name),
        }
    }
}
