//! The places of types: those that blocks have are their function's (C++17 12.4).

use crate::ir::{LocalOwner, Namespace, Record};
use crate::sema::Types;
use crate::token::Symbol;

/// What has a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypePlace {
    pub(super) outer: Option<Record>,
    pub(super) owner: Option<LocalOwner>,
    pub(super) namespace: Namespace,
}

impl Types<'_> {
    /// The place of a type that is declared here, by its tag.
    pub(super) fn place_of_type(&mut self, tag: Option<Symbol>) -> TypePlace {
        let (outer, namespace) = (self.scopes.class(), self.scopes.namespace());
        let func = self.func.as_ref().map(|func| func.func).filter(|_| outer.is_none());
        let owner = func.map(|func| {
            let next = self.known.names.n_local_types.entry((func, tag)).or_default();
            *next += 1;
            LocalOwner { func, n_before: *next - 1, is_named: tag.is_some() }
        });
        TypePlace { outer, owner, namespace }
    }
}
