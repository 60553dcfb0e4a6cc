//! The classes of lambda expressions (C++17 8.1.5.1).

use crate::ir::{Func, LocalOwner, Record, RecordData, Ty};
use crate::sema::Types;
use crate::source::Span;

impl Types<'_> {
    /// Adds the class of a lambda of the function, which has no members yet.
    pub(in crate::sema) fn add_closure(&mut self, owner: Func, span: Span) -> (Record, Ty) {
        let owner = LocalOwner { func: owner, n_before: 0, is_named: false };
        let place =
            super::local::TypePlace { outer: None, owner: Some(owner), namespace: self.scopes.namespace() };
        let data = super::record::new_record(None, place, false, span);
        self.module.types.add_record(RecordData { fields: Some(Vec::new()), ..data })
    }

    /// Completes it with the members that were added.
    pub(in crate::sema) fn complete_closure(&mut self, closure: Record) {
        let fields = self.module.types.records[closure].fields.take().unwrap_or_default();
        // No program makes an object of it by itself.
        self.known.specials.entry(closure).or_default().is_constructed = true;
        // As with nvcc: its members cannot be named.
        self.module.types.note_sharing_padding(closure);
        let facts = self.complete_class(closure, fields);
        self.known.record_facts.insert(closure, facts);
        self.declarations().declare_implicit(closure);
    }
}
