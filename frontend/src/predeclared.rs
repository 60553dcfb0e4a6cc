//! The type names that nvcc declares before the first line of a file.
//!
//! CUDA's own headers, and those of the host's C library that they take in, declare them: a program
//! uses them without an include. What no header brings in, such as `uint32_t`, is not here.

use crate::ir::Ty;

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

/// The built-in structs that the compiler has.
pub(crate) const RECORDS: &[&str] = &["uint3", "dim3"];

/// The names of the built-in vector types (CUDA C++ Programming Guide "Built-in Vector Types"),
/// `uint3` among them.
pub(crate) fn vectors() -> impl Iterator<Item = String> {
    let elements = ["char", "short", "int", "long", "longlong", "float", "double"];
    elements.into_iter().flat_map(|element| {
        let has_sign = !matches!(element, "float" | "double");
        (1..=4).flat_map(move |n_elems| {
            let unsigned = has_sign.then(|| format!("u{element}{n_elems}"));
            std::iter::once(format!("{element}{n_elems}")).chain(unsigned)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_types_have_one_to_four_elements() {
        let names: Vec<String> = vectors().collect();
        assert_eq!(names.len(), 12 * 4);
        for name in ["float4", "uchar1", "ulonglong2", "int3", "uint3"] {
            assert!(names.iter().any(|n| n == name), "{name}");
        }
        for name in ["float", "ufloat2", "float5"] {
            assert!(!names.iter().any(|n| n == name), "{name}");
        }
    }
}
