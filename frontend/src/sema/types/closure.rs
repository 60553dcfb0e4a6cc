//! The classes of lambda expressions (C++17 8.1.5.1).

use crate::ir::{Field, Func, LocalOwner, Record, Ty};
use crate::sema::Types;
use crate::source::Span;

impl Types<'_> {
    /// Adds the class of a lambda of the function, which has no members yet.
    pub(in crate::sema) fn add_closure(&mut self, owner: Func, span: Span) -> (Record, Ty) {
        let owner = LocalOwner { func: owner, n_before: 0, is_named: false };
        let place =
            super::local::TypePlace { outer: None, owner: Some(owner), namespace: self.scopes.namespace() };
        self.module.types.add_record(super::record::new_record(None, place, false, span))
    }

    /// Gives it its members.
    pub(in crate::sema) fn complete_closure(&mut self, closure: Record, fields: Vec<Field>) {
        // No program makes an object of it by itself.
        self.known.specials.entry(closure).or_default().is_constructed = true;
        let manners = self.declarations_ref().find_manners(closure, &fields);
        self.module.types.records[closure].has_own_copy = manners.is_copied_by_call();
        self.module.types.complete_record(closure, fields);
        if manners.is_copied_by_call() {
            self.module.types.note_copied_by_call(closure);
        }
        let mut facts = self.record_facts_of(closure);
        facts.manners = manners;
        self.known.record_facts.insert(closure, facts);
        self.declarations().declare_implicit(closure);
    }
}
