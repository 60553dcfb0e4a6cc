//! The names of `std` that mean the same as those of file scope, in device code (CUDA C++ Programming Guide "C++ Standard Library").

/// What headers that ship call `std` where they declare its members. A program's `namespace std` is the host's.
pub(crate) const NAMESPACE_OF_HEADERS: &str = "__weft_std";

/// Functions that the device has, and that C++'s library also declares in `std`. Sorted.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "free", "frexp", "hypot",
    "ilogb", "isfinite", "isinf", "isnan", "labs", "ldexp", "lgamma", "llabs", "llrint", "llround", "log", "log10",
    "log1p", "log2", "logb", "lrint", "lround", "malloc", "memcpy", "memset", "modf", "nan", "nearbyint", "nextafter",
    "pow", "printf", "remainder", "remquo", "rint", "round", "scalbln", "scalbn", "signbit", "sin", "sinh", "sqrt",
    "tan", "tanh", "tgamma", "trunc",
];

/// Types. Sorted.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "int16_t", "int32_t", "int64_t", "int8_t", "int_fast16_t", "int_fast32_t", "int_fast64_t", "int_fast8_t",
    "int_least16_t", "int_least32_t", "int_least64_t", "int_least8_t", "intmax_t", "intptr_t", "ptrdiff_t", "size_t",
    "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uint_fast16_t", "uint_fast32_t", "uint_fast64_t", "uint_fast8_t",
    "uint_least16_t", "uint_least32_t", "uint_least64_t", "uint_least8_t", "uintmax_t", "uintptr_t",
];

/// Whether the device has the function of that name.
pub(crate) fn is_device_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// Whether it is a type of C.
pub(crate) fn is_type(name: &str) -> bool {
    TYPES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(FUNCTIONS.is_sorted() && TYPES.is_sorted());
    }
}
