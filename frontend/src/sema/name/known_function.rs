//! Functions of CUDA and of the C library that programs call and the language does not have yet.
//!
//! Nothing is known of them but their names, so that a use is refused for what it is.

/// A `float` that is a signalling NaN has no form among constants, which are kept as `double`s. Sorted.
const OTHER: &[&str] = &["__builtin_nans", "__builtin_nansf", "assert"];

/// Those that only a header declares.
const NEEDS_INCLUDE: &[&str] = &["assert"];

/// Whether the name is that of a function of CUDA or of the C library.
pub(in crate::sema) fn is_known(name: &str) -> bool {
    // nvcc knows the functions of the mathematical library by GNU C's names, too.
    let is_other = |name| OTHER.binary_search(&name).is_ok();
    let is_builtin = is_other(name);
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    is_builtin || is_other(name) || is_rounding(name) || super::runtime_function::is_device(name)
}

/// Whether nvcc knows the name without an include, so that no variable of file scope can take it.
pub(in crate::sema) fn is_predeclared(name: &str) -> bool {
    is_known(name) && !NEEDS_INCLUDE.contains(&name)
}

/// `__fadd_rn` and the many like it: an operation and how it rounds.
fn is_rounding(name: &str) -> bool {
    name.starts_with("__") && ["_rn", "_rz", "_ru", "_rd"].iter().any(|mode| name.ends_with(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(OTHER.is_sorted());
    }

    #[test]
    fn recognizes_names_with_suffixes() {
        for name in ["__builtin_nansf", "__fmaf_rn"] {
            assert!(is_known(name), "{name}");
        }
        for name in ["__f", "atomic", "f", ""] {
            assert!(!is_known(name), "{name}");
        }
    }
}
