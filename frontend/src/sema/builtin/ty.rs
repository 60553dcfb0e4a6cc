//! The types in the table of built-in functions.

use super::super::Cx;
use crate::ir::{Quals, Ty};

/// The type of a parameter or result: a scalar type, or a pointer to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    base: Ty,
    /// It is a pointer to the base with these qualifiers.
    pointer: Option<Quals>,
}

macro_rules! scalars {
    ($($name:ident)*) => {
        $(pub(super) const $name: Type = Type { base: Ty::$name, pointer: None };)*
    };
}

scalars! {
    VOID INT UINT LONG ULONG LONGLONG ULONGLONG FLOAT DOUBLE
}

/// `T *`
pub(super) const fn ptr(to: Type) -> Type {
    Type { base: to.base, pointer: Some(Quals::empty()) }
}

impl Cx<'_> {
    /// The type as the program has it.
    pub(super) fn table_ty(&mut self, ty: Type) -> Ty {
        let types = &mut self.module.types;
        let Some(quals) = ty.pointer else { return ty.base };
        let pointee = types.with_quals(ty.base, quals);
        types.pointer_to(pointee)
    }
}
