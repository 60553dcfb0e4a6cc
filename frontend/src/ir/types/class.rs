//! Structs and unions as classes: facts that follow from all members, computed once when the type is complete, so that a
//! struct of two structs of two structs and so on takes no longer than its text.

use super::{Quals, RecordData, TyKind, TypeTable, View};
use crate::ir::{Field, Record, Ty};

impl TypeTable {
    /// A new struct or union type.
    pub fn add_record(&mut self, data: RecordData) -> (Record, Ty) {
        let record = self.records.push(data);
        self.find_facts(record);
        (record, self.intern(TyKind::Record(record), Quals::empty()))
    }

    /// The type of a struct or union.
    pub fn record_ty(&mut self, record: Record) -> Ty {
        self.intern(TyKind::Record(record), Quals::empty())
    }

    /// Gives a struct or union its members.
    pub fn complete_record(&mut self, record: Record, fields: Vec<Field>) {
        self.records[record].fields = Some(fields);
        self.find_facts(record);
    }

    fn find_facts(&mut self, record: Record) {
        let data = &self.records[record];
        let mut fields = data.fields.iter().flatten();
        if data.has_own_copy || fields.any(|field| !self.is_trivially_copyable(field.ty)) {
            self.copied_by_constructor.insert(record);
        }
    }

    /// Notes that a class of the program's, or a member of it, says how it is copied.
    pub fn note_copied_by_call(&mut self, record: Record) {
        self.copied_by_call.insert(record);
    }

    /// Whether a function of the program's copies objects of the type: their bytes are never copied.
    pub fn is_copied_by_call(&self, ty: Ty) -> bool {
        match self.view(ty) {
            View::Record(record) => self.copied_by_call.contains(record),
            View::Array(..) | View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Notes that the class is no POD for the purpose of layout (Itanium C++ ABI 1.1): members of derived classes may lie in the padding at its
    /// end. To be called before the class is complete.
    pub fn note_sharing_padding(&mut self, record: Record) {
        self.sharing_padding.insert(record);
    }

    /// Whether members of derived classes may lie in the padding at the end of the class.
    pub fn shares_padding(&self, record: Record) -> bool {
        self.sharing_padding.contains(record)
    }

    /// Notes that the class, or a member of it, has a destructor that does something.
    pub fn note_destroyed(&mut self, record: Record) {
        self.destroyed.insert(record);
    }

    /// Whether something is done where the life of an object of the class ends.
    pub fn is_destroyed(&self, ty: Ty) -> bool {
        match self.view(ty) {
            View::Record(record) => self.destroyed.contains(record),
            View::Array(..) | View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Whether a part of a const object of the type may be written.
    pub fn has_mutable(&self, ty: Ty) -> bool {
        match self.view(ty) {
            View::Record(record) => {
                let fields = self.records[record].fields.as_deref().unwrap_or_default();
                fields.iter().any(|field| field.is_mutable || self.has_mutable(field.ty))
            }
            View::Array(elem, _) => self.has_mutable(elem),
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => false,
        }
    }

    /// Whether copying an object of the type copies its bytes and runs no constructor (C++17 12p6).
    pub fn is_trivially_copyable(&self, ty: Ty) -> bool {
        match self.view(ty) {
            View::Record(record) => !self.copied_by_constructor.contains(record),
            View::Array(elem, _) => self.is_trivially_copyable(elem),
            View::Scalar(_) | View::Error | View::Void | View::Func(_) => true,
        }
    }
}
