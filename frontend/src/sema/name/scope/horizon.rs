//! Names as they were at an earlier place of the text, where a template is: later ones are not known.

use std::mem;

use super::{Member, Scopes};
use crate::namespace::Namespace;
use crate::token::Symbol;

impl Scopes {
    /// How many names of namespaces have been bound, from now on.
    pub(in crate::sema) fn count_names(&mut self) -> u32 {
        *self.n_bound.get_or_insert(0)
    }

    /// Lets only as many names of namespaces be seen, and gives how many were.
    pub(in crate::sema) fn set_horizon(&mut self, horizon: Option<u32>) -> Option<u32> {
        mem::replace(&mut self.horizon, horizon)
    }

    pub(super) fn note_bound(&mut self, symbol: Symbol) {
        let namespace = self.namespaces.current();
        if self.n_bound.is_none() || self.depth > 0 {
            return;
        }
        let Member { name, tag } = self.member_anywhere(namespace, symbol);
        if name.is_none() && tag.is_none() {
            let n_bound = self.n_bound.get_or_insert(0);
            *n_bound += 1;
            self.ordinals.insert((namespace, symbol), *n_bound);
        }
    }

    pub(super) fn is_beyond_horizon(&self, namespace: Namespace, symbol: Symbol) -> bool {
        self.horizon.is_some_and(|horizon| {
            self.ordinals.get(&(namespace, symbol)).is_some_and(|&ordinal| ordinal > horizon)
        })
    }
}
