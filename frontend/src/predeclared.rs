//! The names that nvcc declares before the first line of a file: types and built-in variables.
//!
//! CUDA's own headers, and those of the host's C library that they include, declare them: a program
//! uses them without an include. Names that these headers do not declare, such as `uint32_t`, are not here.
//!
//! - `vector`: the built-in vector types
//! - `texture`: the templates that read textures, and read and write surfaces

pub(crate) mod standard;
mod texture;
mod vector;

pub(crate) use texture::named_texture_op;
pub(crate) use vector::{VECTORS, Vector};

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::ir::{Axis, HalfTy, SpecialReg, Ty};
use crate::layout::DataModel;
use crate::token::{Interner, Symbol};

/// The declaration of a name, with its spelling if it is not part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Predeclared {
    /// A typedef of an arithmetic type.
    Scalar(&'static str, Scalar),
    Vector(&'static Vector),
    Dim3,
    /// The names of a half-precision type in the headers.
    Half(HalfTy),
    /// The struct of a list of arguments.
    VaListTag,
    /// An array of one such struct.
    VaList(&'static str),
    Variable(SpecialVar),
    /// An `int` constant.
    Constant(u8),
}

impl Predeclared {
    /// Whether the name is a type.
    pub(crate) fn is_type(self) -> bool {
        match self {
            Predeclared::Scalar(..)
            | Predeclared::Vector(_)
            | Predeclared::Dim3
            | Predeclared::Half(_)
            | Predeclared::VaListTag
            | Predeclared::VaList(_) => true,
            Predeclared::Variable(_) | Predeclared::Constant(_) => false,
        }
    }
}

/// A built-in variable (CUDA C++ Programming Guide "Built-in Variables").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialVar {
    ThreadIdx,
    BlockIdx,
    BlockDim,
    GridDim,
    WarpSize,
}

impl SpecialVar {
    pub(crate) const ALL: [SpecialVar; 5] = [
        SpecialVar::ThreadIdx,
        SpecialVar::BlockIdx,
        SpecialVar::BlockDim,
        SpecialVar::GridDim,
        SpecialVar::WarpSize,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            SpecialVar::ThreadIdx => "threadIdx",
            SpecialVar::BlockIdx => "blockIdx",
            SpecialVar::BlockDim => "blockDim",
            SpecialVar::GridDim => "gridDim",
            SpecialVar::WarpSize => "warpSize",
        }
    }

    /// The register of one component.
    pub(crate) fn register(self, axis: Axis) -> SpecialReg {
        match self {
            SpecialVar::ThreadIdx => SpecialReg::Tid(axis),
            SpecialVar::BlockIdx => SpecialReg::Ctaid(axis),
            SpecialVar::BlockDim => SpecialReg::Ntid(axis),
            SpecialVar::GridDim => SpecialReg::Nctaid(axis),
            SpecialVar::WarpSize => SpecialReg::WarpSize,
        }
    }
}

/// The predeclared names among the symbols from number `first` on, with their declarations,
/// so that unused names cost nothing.
pub(crate) fn named(interner: &Interner, first: usize) -> impl Iterator<Item = (Symbol, Predeclared)> {
    let symbols = (first..interner.len()).map(Symbol::from_index);
    symbols.filter_map(|symbol| Some((symbol, *ALL.get(interner.spelling(symbol))?)))
}

static ALL: LazyLock<HashMap<&'static str, Predeclared>> = LazyLock::new(|| {
    let scalars = SCALARS.iter().map(|&(name, ty)| (name, Predeclared::Scalar(name, ty)));
    let vectors = VECTORS.iter().map(|vector| (vector.name, Predeclared::Vector(vector)));
    let halves = HALVES.iter().map(|&(name, _, half)| (name, Predeclared::Half(half)));
    let lists = VA_LISTS.iter().map(|&name| (name, Predeclared::VaList(name)));
    let variables = SpecialVar::ALL.iter().map(|&var| (var.name(), Predeclared::Variable(var)));
    let constants = CONSTANTS.iter().map(|&(name, value)| (name, Predeclared::Constant(value)));
    let others = [(DIM3, Predeclared::Dim3), (VA_LIST_TAG, Predeclared::VaListTag)];
    scalars
        .chain(vectors)
        .chain(halves)
        .chain(lists)
        .chain(variables)
        .chain(constants)
        .chain(others)
        .collect()
});

/// The memory orders and scopes of functions such as `__nv_atomic_load_n`, which are not macros (CUDA C++ Programming Guide "Atomic
/// Functions").
const CONSTANTS: &[(&str, u8)] = &[
    ("__NV_ATOMIC_RELAXED", 0),
    ("__NV_ATOMIC_CONSUME", 1),
    ("__NV_ATOMIC_ACQUIRE", 2),
    ("__NV_ATOMIC_RELEASE", 3),
    ("__NV_ATOMIC_ACQ_REL", 4),
    ("__NV_ATOMIC_SEQ_CST", 5),
    ("__NV_THREAD_SCOPE_THREAD", 0),
    ("__NV_THREAD_SCOPE_BLOCK", 1),
    ("__NV_THREAD_SCOPE_CLUSTER", 2),
    ("__NV_THREAD_SCOPE_DEVICE", 3),
    ("__NV_THREAD_SCOPE_SYSTEM", 4),
];

/// An arithmetic type with predeclared names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    /// This one.
    Fixed(Ty),
    /// `size_t`
    Size,
    /// `ptrdiff_t`
    Difference,
    /// The signed type of 64 bits.
    Int64,
    /// The unsigned type of 64 bits.
    UInt64,
}

impl Scalar {
    /// The type, of a host with this model.
    pub(crate) fn ty(self, model: DataModel) -> Ty {
        match self {
            Scalar::Fixed(ty) => ty,
            Scalar::Size => model.size_ty(),
            Scalar::Difference => model.ptrdiff_ty(),
            Scalar::Int64 => Ty::int(model.int64()),
            Scalar::UInt64 => Ty::int(model.uint64()),
        }
    }
}

/// The predeclared names of arithmetic types.
const SCALARS: &[(&str, Scalar)] = &[
    ("size_t", Scalar::Size),
    ("__int128_t", Scalar::Fixed(Ty::INT128)),
    ("__uint128_t", Scalar::Fixed(Ty::UINT128)),
    ("ptrdiff_t", Scalar::Difference),
    ("ssize_t", Scalar::Difference),
    ("nullptr_t", Scalar::Fixed(Ty::NULLPTR)),
    ("int8_t", Scalar::Fixed(Ty::SCHAR)),
    ("int16_t", Scalar::Fixed(Ty::SHORT)),
    ("int32_t", Scalar::Fixed(Ty::INT)),
    ("int64_t", Scalar::Int64),
    ("u_int8_t", Scalar::Fixed(Ty::UCHAR)),
    ("u_int16_t", Scalar::Fixed(Ty::USHORT)),
    ("u_int32_t", Scalar::Fixed(Ty::UINT)),
    ("u_int64_t", Scalar::UInt64),
    ("u_char", Scalar::Fixed(Ty::UCHAR)),
    ("u_short", Scalar::Fixed(Ty::USHORT)),
    ("u_int", Scalar::Fixed(Ty::UINT)),
    ("u_long", Scalar::Fixed(Ty::ULONG)),
    ("ushort", Scalar::Fixed(Ty::USHORT)),
    ("uint", Scalar::Fixed(Ty::UINT)),
    ("ulong", Scalar::Fixed(Ty::ULONG)),
    ("quad_t", Scalar::Int64),
    ("u_quad_t", Scalar::UInt64),
    ("clock_t", Scalar::Fixed(Ty::LONG)),
    ("time_t", Scalar::Fixed(Ty::LONG)),
    ("off_t", Scalar::Fixed(Ty::LONG)),
    ("loff_t", Scalar::Int64),
    ("pid_t", Scalar::Fixed(Ty::INT)),
    ("float_t", Scalar::Fixed(Ty::FLOAT)),
    ("double_t", Scalar::Fixed(Ty::DOUBLE)),
];

/// The built-in struct that is no vector type.
pub(crate) const DIM3: &str = "dim3";

/// The tag of the struct, an array of one of which `va_list` is, and the names of that array that need no header.
pub(crate) const VA_LIST_TAG: &str = "__va_list_tag";
const VA_LISTS: &[&str] = &["__builtin_va_list", "__gnuc_va_list"];

/// The half-precision types by the names that the headers which declare them know them by, and their tags.
pub(crate) const HALVES: &[(&str, &str, HalfTy)] = &[
    ("__weft_half", "__half", HalfTy::Half),
    ("__weft_half2", "__half2", HalfTy::Half2),
    ("__weft_bfloat16", "__nv_bfloat16", HalfTy::Bfloat),
    ("__weft_bfloat162", "__nv_bfloat162", HalfTy::Bfloat2),
];

/// The header that declares the name, for those that programs know without thinking of their header.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "half" | "half2" | "__half" | "__half2" | "__half_raw" | "__half2_raw" | "nv_half" | "nv_half2"
        | "__nv_half" | "__nv_half2" => "cuda_fp16.h",
        "nv_bfloat16" | "nv_bfloat162" | "__nv_bfloat16" | "__nv_bfloat162" | "__nv_bfloat16_raw"
        | "__nv_bfloat162_raw" => "cuda_bf16.h",
        _ if name.starts_with("__nv_fp8") || name.starts_with("__nv_cvt_") && name.contains("fp8") => {
            "cuda_fp8.h"
        }
        _ if name.starts_with("__nv_fp6") || name.starts_with("__nv_cvt_") && name.contains("fp6") => {
            "cuda_fp6.h"
        }
        _ if name.starts_with("__nv_fp4") || name.starts_with("__nv_cvt_") && name.contains("fp4") => {
            "cuda_fp4.h"
        }
        "SIZE_MAX" | "PTRDIFF_MIN" | "PTRDIFF_MAX" => "stdint.h",
        "errno" | "EINVAL" | "ERANGE" | "EDOM" => "errno.h",
        "va_start" | "va_arg" | "va_end" | "va_copy" => "stdarg.h",
        _ if name.starts_with("FLT_") || name.starts_with("DBL_") => "float.h",
        _ if name.starts_with("CUDART_") => "math_constants.h",
        _ if name.starts_with("__mbarrier_") => "cuda_awbarrier_primitives.h",
        _ if name.starts_with("__pipeline_") => "cuda_pipeline_primitives.h",
        _ if is_format(name) => "inttypes.h",
        _ if is_complex(name) => "cuComplex.h",
        _ if is_sized_integer(name) => "stdint.h",
        _ => return None,
    })
}

/// `uint32_t`, `intptr_t`, `INT_LEAST8_MAX`, `UINT64_C` and their like (C17 7.20).
fn is_sized_integer(name: &str) -> bool {
    let name_of_type = name.strip_suffix("_t").map(|stem| stem.strip_prefix('u').unwrap_or(stem));
    let kind = match name_of_type.and_then(|stem| stem.strip_prefix("int")) {
        Some(kind) => kind.to_ascii_uppercase(),
        None => {
            let stem = name.strip_prefix('U').unwrap_or(name);
            let suffixes = ["_MIN", "_MAX", "_WIDTH", "_C"];
            let kind = suffixes.into_iter().find_map(|suffix| stem.strip_prefix("INT")?.strip_suffix(suffix));
            kind.unwrap_or("").to_owned()
        }
    };
    let width = kind.strip_prefix("_LEAST").or_else(|| kind.strip_prefix("_FAST")).unwrap_or(&kind);
    matches!(width, "8" | "16" | "32" | "64") || matches!(&*kind, "PTR" | "MAX")
}

/// `PRId64`, `SCNuFAST8` and their like (C17 7.8.1).
fn is_format(name: &str) -> bool {
    let rest = name.strip_prefix("PRI").or_else(|| name.strip_prefix("SCN"));
    let rest = rest.and_then(|rest| rest.strip_prefix(['d', 'i', 'o', 'u', 'x', 'X']));
    rest.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()) || matches!(rest, "MAX" | "PTR"))
}

/// `cuFloatComplex`, `cuCmulf` and their like.
fn is_complex(name: &str) -> bool {
    let rest = name.strip_prefix("make_").unwrap_or(name).strip_prefix("cu");
    rest.is_some_and(|rest| {
        let mut chars = rest.chars();
        rest.ends_with("Complex") || chars.next() == Some('C') && chars.next().is_some_and(char::is_lowercase)
    })
}
