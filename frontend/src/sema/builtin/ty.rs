//! The types in the table of built-in functions.

use super::super::Cx;
use crate::ir::{HalfTy, Quals, Ty};

/// The type of a parameter or result: a scalar type, a built-in struct, or a pointer to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    base: Base,
    /// It is a pointer to the base with these qualifiers.
    pointer: Option<Quals>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Scalar(Ty),
    Half(HalfTy),
    Vector(&'static str),
}

macro_rules! scalars {
    ($($name:ident)*) => {
        $(pub(super) const $name: Type = Type { base: Base::Scalar(Ty::$name), pointer: None };)*
    };
}

scalars! {
    VOID INT UINT LONG ULONG LONGLONG ULONGLONG FLOAT DOUBLE BOOL SCHAR UCHAR SHORT USHORT
}

pub(super) const HALF: Type = half(HalfTy::Half);
pub(super) const HALF2: Type = half(HalfTy::Half2);
pub(super) const BFLOAT: Type = half(HalfTy::Bfloat);
pub(super) const BFLOAT2: Type = half(HalfTy::Bfloat2);
pub(super) const FLOAT2: Type = Type { base: Base::Vector("float2"), pointer: None };

const fn half(half: HalfTy) -> Type {
    Type { base: Base::Half(half), pointer: None }
}

/// `T *`
pub(super) const fn ptr(to: Type) -> Type {
    Type { base: to.base, pointer: Some(Quals::empty()) }
}

impl Cx<'_> {
    /// The type as the program has it.
    pub(super) fn table_ty(&mut self, ty: Type) -> Ty {
        let base = match ty.base {
            Base::Scalar(ty) => ty,
            Base::Half(half) => self.half_ty(half),
            Base::Vector(name) => self.vector_named(name),
        };
        let Some(quals) = ty.pointer else { return base };
        let types = &mut self.module.types;
        let pointee = types.with_quals(base, quals);
        types.pointer_to(pointee)
    }
}
