//! Signatures: how the parameters and the result of a function pass at the PTX level.
//!
//! In: a function type. Out: a [`Passing`] for each parameter and for the result. It specifies
//! everything that a caller from another compiler relies on: the kind, the size, the alignment, and how
//! a small integer is extended. Two functions can call each other exactly when their signatures
//! are equal.
//!
//! Kernels differ from device functions in one thing: a small integer keeps its size, since the
//! launch lays the parameters out as the members of a struct ([`Convention::Kernel`]).

use std::fmt;

use weft_frontend::ir::{Field, FuncTy, IntTy, Scalar, Ty, TyKind, TypeTable, View};
use weft_frontend::layout::{self, Layout};

/// How a function's parameters and result are passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The parameters in order, never [`Passing::Void`].
    pub params: Vec<Passing>,
    /// The result. The address of an indirect result precedes the parameters.
    pub ret: Passing,
    /// More arguments may follow, packed into one parameter.
    pub variadic: bool,
}

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// No value.
    Void,
    /// One scalar parameter.
    Direct {
        /// Its kind.
        kind: ScalarKind,
        /// Its size in memory in bits: 8, 16, 32, 64, or 128, which PTX lacks a scalar for.
        bits: u32,
        /// The upper bits of a wider parameter.
        extension: Extension,
    },
    /// An aggregate: an array of bytes.
    Memory {
        /// The size in bytes, at least one.
        size: u64,
        /// The alignment in bytes, a power of two.
        align: u32,
    },
    /// An aggregate with a non-trivial copy constructor: the generic address of an object that the caller
    /// creates (Itanium C++ ABI 3.1.1, 3.1.3.1).
    Indirect {
        /// The alignment in bytes.
        align: u32,
        /// The size of the address in bits.
        bits: u32,
    },
}

/// Whether a function gets and returns the address of an object of the type, which the caller creates: one whose copy
/// is more than its bytes (Itanium C++ ABI 3.1.2.3, 3.1.3.1).
pub fn is_indirect(types: &TypeTable, ty: Ty) -> bool {
    !types.is_trivially_copyable(ty)
}

/// The alignment of a variadic argument, in bytes. nvcc's functions only consider the scalars of a struct,
/// with bit-fields as bytes: `alignas` has no effect. A union is a sequence of words of its alignment.
pub fn variadic_align(types: &TypeTable, ty: Ty) -> u32 {
    match types.view(ty) {
        View::Record(record) => {
            let data = &types.records[record];
            if data.is_union {
                return layout::align_of(types, ty).expect("invariant: argument types are complete").min(8);
            }
            let natural = |field: &Field| match field.bit_width {
                Some(_) => 1,
                None => variadic_align(types, field.ty),
            };
            let fields = data.fields.as_deref().unwrap_or_default();
            let is_packed = |field: &Field| field.pack.is_some_and(|pack| pack < natural(field));
            if fields.iter().any(is_packed) { 1 } else { fields.iter().map(natural).max().unwrap_or(1) }
        }
        View::Array(elem, _) => variadic_align(types, elem),
        // A 128-bit integer is two words.
        View::Scalar(_) => {
            layout::align_of(types, ty).expect("invariant: argument types are complete").min(8)
        }
        View::Void | View::Func(_) | View::Error => 1,
    }
}

/// The maximum size, in bytes, of a parameter that keeps its type's alignment.
const LARGE_SIZE: u64 = 128;
/// The minimum alignment of a larger parameter.
const LARGE_ALIGN: u32 = 4;

/// The kind of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// An integer, including `bool` and enums.
    Int,
    /// A floating-point number.
    Float,
    /// A generic address (PTX Interop 2.3 (B)).
    Pointer,
}

/// The bits above a small integer (PTX Interop 2.3 (A)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// There are no upper bits.
    None,
    /// Sign extension.
    Sign,
    /// Zero extension.
    Zero,
}

/// The caller of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Other device functions.
    Device,
    /// A launch.
    Kernel,
}

impl Signature {
    /// Whether a function of this type has a signature: its parameter and return types are complete. For a
    /// function that is only declared, they need not be.
    pub fn is_known(types: &TypeTable, ty: Ty) -> bool {
        let is_complete = |ty: Ty| *types.kind(ty) == TyKind::Void || layout::layout_of(types, ty).is_ok();
        types.func(ty).is_some_and(|func| func.params.iter().copied().chain([func.ret]).all(is_complete))
    }

    /// The signature of a function type, by its parameter and return types as written, which must be
    /// complete.
    pub fn of(types: &TypeTable, func: &FuncTy, convention: Convention) -> Signature {
        Signature {
            params: func.params.iter().map(|&param| Passing::of_param(types, param, convention)).collect(),
            ret: Passing::of(types, func.ret, convention),
            variadic: func.variadic,
        }
    }

    /// The number of parameters before those of the function type.
    pub fn n_hidden_params(&self) -> usize {
        usize::from(matches!(self.ret, Passing::Indirect { .. }))
    }
}

impl Passing {
    /// How a value of the type is passed. The type must be complete, or `void`.
    pub fn of(types: &TypeTable, ty: Ty, convention: Convention) -> Passing {
        match types.view(ty) {
            View::Void => Passing::Void,
            View::Scalar(Scalar::Int(int)) => Passing::int(int),
            View::Scalar(Scalar::Enum(enum_)) => Passing::int(types.enums[enum_].underlying),
            View::Scalar(Scalar::Float(float)) => {
                let bits = layout::float_bits(float);
                Passing::Direct { kind: ScalarKind::Float, bits, extension: Extension::None }
            }
            View::Scalar(Scalar::Pointer(_) | Scalar::Reference(..) | Scalar::Nullptr) => {
                let bits = types.model().address_bits();
                Passing::Direct { kind: ScalarKind::Pointer, bits, extension: Extension::None }
            }
            // PTX Interop 2.3 (E)
            View::Scalar(Scalar::Opaque(_)) => Passing::int(IntTy::ULongLong),
            View::Record(_) => {
                let Layout { size, align } =
                    layout::layout_of(types, ty).expect("invariant: parameter types are complete");
                // A launch copies bytes, even if the type has a copy constructor.
                if convention == Convention::Device && is_indirect(types, ty) {
                    return Passing::Indirect { align, bits: types.model().address_bits() };
                }
                // In nvcc an empty record, which has no size in C, takes one byte.
                Passing::Memory { size: size.max(1), align }
            }
            View::Array(..) | View::Func(_) | View::Error => {
                unreachable!("invariant: parameter types are adjusted, canonical and sound")
            }
        }
    }

    /// How a parameter of the type is passed. nvcc aligns parameters of functions that are larger than 128
    /// bytes to at least 4, in definitions and calls; but not results, or parameters of kernels.
    fn of_param(types: &TypeTable, ty: Ty, convention: Convention) -> Passing {
        match Passing::of(types, ty, convention) {
            Passing::Memory { size, align }
                if convention == Convention::Device && size > LARGE_SIZE && align < LARGE_ALIGN =>
            {
                Passing::Memory { size, align: LARGE_ALIGN }
            }
            passing => passing,
        }
    }

    /// How a variadic argument is passed.
    pub fn of_extra(types: &TypeTable, ty: Ty) -> Passing {
        match Passing::of(types, ty, Convention::Device) {
            Passing::Memory { size, .. } => Passing::Memory { size, align: variadic_align(types, ty) },
            passing @ (Passing::Void | Passing::Direct { .. } | Passing::Indirect { .. }) => passing,
        }
    }

    // PTX Interop 2.3 (A)
    fn int(int: IntTy) -> Passing {
        let bits = bits(layout::int_layout(int));
        let extension = match (bits < 32, int.is_signed()) {
            (false, _) => Extension::None,
            (true, true) => Extension::Sign,
            (true, false) => Extension::Zero,
        };
        Passing::Direct { kind: ScalarKind::Int, bits, extension }
    }

    /// The PTX parameter as LLVM and nvcc declare it, with this name.
    pub fn declaration(self, convention: Convention, name: &str) -> Option<String> {
        Some(match (self, convention) {
            (Passing::Void, _) => return None,
            (Passing::Direct { bits: 128, .. }, _) => format!(".param .align 16 .b8 {name}[16]"),
            (Passing::Direct { kind, bits, .. }, Convention::Kernel) => {
                let letter = match kind {
                    ScalarKind::Int | ScalarKind::Pointer => 'u',
                    ScalarKind::Float => 'f',
                };
                format!(".param .{letter}{bits} {name}")
            }
            (Passing::Direct { bits, .. }, Convention::Device) => format!(".param .b{} {name}", bits.max(32)),
            (Passing::Memory { size, align }, _) => format!(".param .align {align} .b8 {name}[{size}]"),
            (Passing::Indirect { bits, .. }, _) => format!(".param .b{bits} {name}"),
        })
    }
}

impl fmt::Display for Signature {
    /// The signature as a PTX prototype without names: `(.param .b32 _) (.param .b64 _)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ret = self.ret.declaration(Convention::Device, "_");
        let (hidden, ret) = if self.n_hidden_params() > 0 { (ret, None) } else { (None, ret) };
        if let Some(ret) = ret {
            write!(f, "({ret}) ")?;
        }
        let params = self.params.iter().filter_map(|param| param.declaration(Convention::Device, "_"));
        let tail = self.variadic.then(|| ".param .align 8 .b8 _[]".to_owned());
        let params: Vec<String> = hidden.into_iter().chain(params).chain(tail).collect();
        write!(f, "({})", params.join(", "))
    }
}

fn bits(layout: Layout) -> u32 {
    layout.size as u32 * 8
}

#[cfg(test)]
mod tests {
    use weft_frontend::ir::{Field, Namespace, RecordData};
    use weft_frontend::source::Span;

    use super::*;

    fn record(types: &mut TypeTable, members: &[Ty], align: Option<u32>) -> Ty {
        let span = Span::default();
        let field = |&ty| Field {
            is_base: false,
            is_mutable: false,
            name: Some("m".into()),
            ty,
            bit_width: None,
            align: None,
            pack: None,
            span,
        };
        let fields = Some(members.iter().map(field).collect());
        let tag = Some("S".into());
        types
            .add_record(RecordData {
                tag,
                typedef_name: None,
                outer: None,
                owner: None,
                namespace: Namespace::GLOBAL,
                is_union: false,
                fields,
                align,
                is_builtin: false,
                half: None,
                has_own_copy: false,
                lambda: None,
                span,
            })
            .1
    }

    #[test]
    fn small_integers_are_extended_and_take_32_bits() {
        let types = TypeTable::new();
        let func = FuncTy { ret: Ty::CHAR, params: vec![Ty::BOOL, Ty::USHORT, Ty::LONG], variadic: false };
        let signature = Signature::of(&types, &func, Convention::Device);
        assert_eq!(signature.to_string(), "(.param .b32 _) (.param .b32 _, .param .b32 _, .param .b64 _)");
        let extensions = |passing: &Passing| match passing {
            Passing::Direct { extension, .. } => *extension,
            Passing::Void | Passing::Memory { .. } | Passing::Indirect { .. } => Extension::None,
        };
        assert_eq!(extensions(&signature.ret), Extension::Sign);
        let params: Vec<Extension> = signature.params.iter().map(extensions).collect();
        assert_eq!(params, [Extension::Zero, Extension::Zero, Extension::None]);
    }

    #[test]
    fn aggregates_are_bytes_with_their_own_alignment() {
        let mut types = TypeTable::new();
        let chars = record(&mut types, &[Ty::CHAR, Ty::CHAR, Ty::CHAR], None);
        let float4 = record(&mut types, &[Ty::FLOAT; 4], Some(16));
        let empty = record(&mut types, &[], None);
        let func = FuncTy { ret: float4, params: vec![chars, empty], variadic: true };
        assert_eq!(
            Signature::of(&types, &func, Convention::Device).to_string(),
            "(.param .align 16 .b8 _[16]) (.param .align 1 .b8 _[3], .param .align 1 .b8 _[1], .param .align 8 .b8 _[])"
        );
    }

    #[test]
    fn large_parameters_are_aligned_to_words() {
        let mut types = TypeTable::new();
        let [small, large] = [128, 129].map(|n| {
            let bytes = types.array_of(Ty::CHAR, Some(n));
            record(&mut types, &[bytes], None)
        });
        let func = FuncTy { ret: large, params: vec![small, large], variadic: false };
        assert_eq!(
            Signature::of(&types, &func, Convention::Device).to_string(),
            "(.param .align 1 .b8 _[129]) (.param .align 1 .b8 _[128], .param .align 4 .b8 _[129])"
        );
        let kernel = FuncTy { ret: Ty::VOID, params: vec![large], variadic: false };
        let kernel = Signature::of(&types, &kernel, Convention::Kernel);
        assert_eq!(kernel.params, [Passing::Memory { size: 129, align: 1 }]);
    }

    #[test]
    fn kernels_keep_the_size_of_small_integers() {
        let types = TypeTable::new();
        let declaration =
            |ty| Passing::of(&types, ty, Convention::Kernel).declaration(Convention::Kernel, "p");
        assert_eq!(declaration(Ty::CHAR).as_deref(), Some(".param .u8 p"));
        assert_eq!(declaration(Ty::FLOAT).as_deref(), Some(".param .f32 p"));
    }
}
