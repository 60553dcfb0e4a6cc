//! Types by group: a rule that is the same for all scalars, or for all that is no scalar, names the group. A new
//! [`TyKind`] gets its group here, and rules that distinguish the members of that group are what else it concerns.

use super::{FloatTy, FuncTy, IntTy, RefKind, TyKind, TypeTable};
use crate::ir::{Enum, Opaque, Record, Ty};

/// What a type is, typedef names seen through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<'types> {
    /// The type of an expression with a reported error, or one that depends on the parameters of a template.
    Error,
    /// `void`
    Void,
    /// A type with values that are one number, address or handle.
    Scalar(Scalar),
    /// An array of elements, with its length unless incomplete.
    Array(Ty, Option<u64>),
    /// A struct or union.
    Record(Record),
    /// A function.
    Func(&'types FuncTy),
}

/// A type with values that are one number, address or handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer type.
    Int(IntTy),
    /// An enumerated type.
    Enum(Enum),
    /// A floating type.
    Float(FloatTy),
    /// A pointer to the type.
    Pointer(Ty),
    /// A reference to the type: an address, where it is declared.
    Reference(Ty, RefKind),
    /// `nullptr_t`
    Nullptr,
    /// The handle of a texture or surface.
    Opaque(Opaque),
}

impl TypeTable {
    /// What the type is, by its group.
    #[inline]
    pub fn view(&self, ty: Ty) -> View<'_> {
        match self.kind(ty) {
            TyKind::Error | TyKind::Dependent(_) => View::Error,
            TyKind::Void => View::Void,
            &TyKind::Int(int) => View::Scalar(Scalar::Int(int)),
            &TyKind::Enum(enum_) => View::Scalar(Scalar::Enum(enum_)),
            &TyKind::Float(float) => View::Scalar(Scalar::Float(float)),
            &TyKind::Pointer(pointee) => View::Scalar(Scalar::Pointer(pointee)),
            &TyKind::Reference(referred, kind) => View::Scalar(Scalar::Reference(referred, kind)),
            TyKind::Nullptr => View::Scalar(Scalar::Nullptr),
            &TyKind::Opaque(opaque) => View::Scalar(Scalar::Opaque(opaque)),
            &TyKind::Array(elem, len) => View::Array(elem, len),
            &TyKind::Record(record) => View::Record(record),
            TyKind::Func(func) => View::Func(func),
            TyKind::Typedef(_) => unreachable!("invariant: `kind` sees through typedef names"),
        }
    }

    /// The scalar type, if it is one.
    #[inline]
    pub fn scalar(&self, ty: Ty) -> Option<Scalar> {
        match self.view(ty) {
            View::Scalar(scalar) => Some(scalar),
            View::Error | View::Void | View::Array(..) | View::Record(_) | View::Func(_) => None,
        }
    }
}
