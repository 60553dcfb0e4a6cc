//! The type names that nvcc declares before the first line of a file.
//!
//! CUDA's own headers, and those of the host's C library that they take in, declare them: a program
//! uses them without an include. What no header brings in, such as `uint32_t`, is not here.

mod vector;

pub(crate) use vector::{VECTORS, Vector};

use crate::ir::{HalfTy, Ty};

/// The names that stand for arithmetic types, and which.
pub(crate) const SCALARS: &[(&str, Ty)] = &[
    ("size_t", Ty::ULONG),
    ("ptrdiff_t", Ty::LONG),
    ("ssize_t", Ty::LONG),
    ("nullptr_t", Ty::NULLPTR),
    ("int8_t", Ty::SCHAR),
    ("int16_t", Ty::SHORT),
    ("int32_t", Ty::INT),
    ("int64_t", Ty::LONG),
    ("u_int8_t", Ty::UCHAR),
    ("u_int16_t", Ty::USHORT),
    ("u_int32_t", Ty::UINT),
    ("u_int64_t", Ty::ULONG),
    ("u_char", Ty::UCHAR),
    ("u_short", Ty::USHORT),
    ("u_int", Ty::UINT),
    ("u_long", Ty::ULONG),
    ("ushort", Ty::USHORT),
    ("uint", Ty::UINT),
    ("ulong", Ty::ULONG),
    ("quad_t", Ty::LONG),
    ("u_quad_t", Ty::ULONG),
    ("clock_t", Ty::LONG),
    ("time_t", Ty::LONG),
    ("off_t", Ty::LONG),
    ("loff_t", Ty::LONG),
    ("pid_t", Ty::INT),
    ("float_t", Ty::FLOAT),
    ("double_t", Ty::DOUBLE),
];

/// The built-in struct that is no vector type.
pub(crate) const DIM3: &str = "dim3";

/// The half-precision types by the names that the headers which declare them know them by, and their tags.
pub(crate) const HALVES: &[(&str, &str, HalfTy)] = &[
    ("__weft_half", "__half", HalfTy::Half),
    ("__weft_half2", "__half2", HalfTy::Half2),
    ("__weft_bfloat16", "__nv_bfloat16", HalfTy::Bfloat),
    ("__weft_bfloat162", "__nv_bfloat162", HalfTy::Bfloat2),
];

/// The header that declares a half-precision type.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "half" | "half2" | "__half" | "__half2" | "__half_raw" | "__half2_raw" | "nv_half" | "nv_half2"
        | "__nv_half" | "__nv_half2" => "cuda_fp16.h",
        "nv_bfloat16" | "nv_bfloat162" | "__nv_bfloat16" | "__nv_bfloat162" | "__nv_bfloat16_raw"
        | "__nv_bfloat162_raw" => "cuda_bf16.h",
        _ => return None,
    })
}

/// Every name of a built-in struct.
pub(crate) fn records() -> impl Iterator<Item = &'static str> {
    let halves = HALVES.iter().map(|&(name, ..)| name);
    VECTORS.iter().map(|vector| vector.name).chain([DIM3]).chain(halves)
}
