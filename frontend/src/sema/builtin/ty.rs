//! The types in the table of built-in functions.

use crate::ir::{HalfTy, Quals, Ty, TypeTable};
use crate::predeclared::{DIM3 as DIM3_NAME, HALVES};
use crate::sema::Builtins;

/// The tag of the enum that says how functions round.
pub(in crate::sema) const ROUND_MODE_TAG: &str = "cudaRoundMode";

/// The tag of the enum that says what becomes of accesses beside a surface.
pub(in crate::sema) const BOUNDARY_MODE_TAG: &str = "cudaSurfaceBoundaryMode";

/// The type of a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    base: Base,
    /// It is a pointer to the base with these qualifiers.
    pointer: Option<Quals>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Scalar(Ty),
    /// `size_t`
    Size,
    /// `ptrdiff_t`
    Difference,
    /// A half-precision type.
    Half(HalfTy),
    /// A built-in vector type, by its name.
    Vector(&'static str),
    /// `cudaRoundMode`
    RoundMode,
    /// `dim3`
    Dim3,
}

macro_rules! scalars {
    ($($name:ident)*) => {
        $(pub(super) const $name: Type = Type { base: Base::Scalar(Ty::$name), pointer: None };)*
    };
}

scalars! {
    VOID BOOL CHAR SCHAR UCHAR SHORT USHORT INT UINT LONG ULONG LONGLONG ULONGLONG FLOAT DOUBLE
}

pub(super) const HALF: Type = half(HalfTy::Half);
pub(super) const HALF2: Type = half(HalfTy::Half2);
pub(super) const BFLOAT: Type = half(HalfTy::Bfloat);
pub(super) const BFLOAT2: Type = half(HalfTy::Bfloat2);
pub(super) const FLOAT2: Type = vector("float2");
pub(super) const FLOAT4: Type = vector("float4");
pub(super) const UINT2: Type = vector("uint2");
pub(super) const DIM3: Type = Type { base: Base::Dim3, pointer: None };

/// `size_t`
pub(super) const SIZE: Type = Type { base: Base::Size, pointer: None };
/// `ptrdiff_t`
pub(super) const PTRDIFF: Type = Type { base: Base::Difference, pointer: None };

/// `cudaRoundMode`, an enum of `device_types.h`
pub(super) const ROUND_MODE: Type = Type { base: Base::RoundMode, pointer: None };

/// `void *`
pub(super) const VOID_PTR: Type = ptr(VOID);

const fn half(half: HalfTy) -> Type {
    Type { base: Base::Half(half), pointer: None }
}

/// A built-in vector type.
pub(super) const fn vector(name: &'static str) -> Type {
    Type { base: Base::Vector(name), pointer: None }
}

/// `T *`
pub(super) const fn ptr(to: Type) -> Type {
    Type { base: to.base, pointer: Some(Quals::empty()) }
}

/// `const T *`
pub(super) const fn const_ptr(to: Type) -> Type {
    Type { base: to.base, pointer: Some(Quals::CONST) }
}

impl Builtins<'_> {
    /// The type as the program has it.
    pub(super) fn table_ty(&mut self, ty: Type) -> Ty {
        let base = match ty.base {
            Base::Scalar(base) => base,
            Base::Size => self.module.types.model().size_ty(),
            Base::Difference => self.module.types.model().ptrdiff_ty(),
            Base::Half(half) => self.half_ty(half),
            Base::Vector(name) => self.vector_named(name),
            // Where the program does not name the type, the function's default stands.
            Base::RoundMode => self.known.round_mode.unwrap_or(Ty::UINT),
            Base::Dim3 => self.names_ref().builtin_records().dim3.1,
        };
        self.completed(base, ty)
    }

    /// The type as the program has it; none if it is a struct that nothing in the program has.
    pub(super) fn known_table_ty(&mut self, ty: Type) -> Option<Ty> {
        let base = match ty.base {
            Base::Scalar(base) => base,
            Base::Size => self.module.types.model().size_ty(),
            Base::Difference => self.module.types.model().ptrdiff_ty(),
            Base::Half(half) => *self.known.builtins.halves.get(&half)?,
            Base::Vector(name) => *self.known.builtins.vectors.get(name)?,
            Base::RoundMode => self.known.round_mode?,
            Base::Dim3 => self.names_ref().builtin_records().dim3.1,
        };
        Some(self.completed(base, ty))
    }

    fn completed(&mut self, base: Ty, ty: Type) -> Ty {
        let Some(quals) = ty.pointer else { return base };
        let types = &mut self.module.types;
        let pointee = types.with_quals(base, quals);
        types.pointer_to(pointee)
    }
}

impl Type {
    /// How CUDA's headers spell the type.
    pub(super) fn spelling(self, types: &TypeTable) -> String {
        let base = match self.base {
            Base::Scalar(base) => types.display(base),
            Base::Size => types.display(types.model().size_ty()),
            Base::Difference => types.display(types.model().ptrdiff_ty()),
            Base::Half(half) => {
                let known = HALVES.iter().find(|&&(.., known)| known == half);
                known.map_or_else(String::new, |&(_, tag, _)| tag.to_owned())
            }
            Base::Vector(name) => name.to_owned(),
            Base::RoundMode => ROUND_MODE_TAG.to_owned(),
            Base::Dim3 => DIM3_NAME.to_owned(),
        };
        match self.pointer {
            Some(quals) if quals.contains(Quals::CONST) => format!("const {base} *"),
            Some(_) => format!("{base} *"),
            None => base,
        }
    }
}
