//! The names that are valid in PTX.
//!
//! A function or variable keeps its name in PTX, plain or within a C++ name. A name that is not an
//! identifier there, or that is reserved, has to be rejected while its position is known.

/// Whether the text is an identifier of PTX (PTX ISA "Identifiers"). Those that begin with `%` are
/// left out: they are registers'.
pub fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first_is_right = match bytes.next() {
        Some(b'_' | b'$') => text.len() > 1,
        Some(first) => first.is_ascii_alphabetic(),
        None => false,
    };
    first_is_right && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'))
}

/// Words that ptxas 13.5 reserves everywhere, or that crash it. Every word in its own program was tried, in
/// those of nvcc and LLVM, and about every name of up to three letters.
const TAKEN: [&str; 5] = ["A7", "WARP_SZ", "__tcgen05_tmem_max_col_size", "function_name", "inlined_at"];

/// Functions that LLVM and ptxas know: the former folds calls of the first, the latter has subroutines
/// of its own for operations such as divisions, and instructions without a name in PTX.
const PREFIXES: [&str; 3] = ["__nvvm_reflect", "__cuda_sm", "__nv_ptx_builtin_ocg_"];

/// Whether ptxas, or LLVM on the way to it, does not support a function or variable with this symbol: names that
/// are not identifiers, reserved names, and names that calling sequences use.
///
/// Instructions, registers and directives are not among them: `add`, `tid` and `reg` are names like
/// others.
pub fn is_refused(symbol: &str) -> bool {
    let is_known = TAKEN.contains(&symbol) || PREFIXES.iter().any(|prefix| symbol.starts_with(prefix));
    let is_numbered = |prefix| {
        let number = symbol.strip_prefix(prefix);
        number.is_some_and(|rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_generated =
        ["param", "retval", "func_retval", "prototype_", "__local_depot"].into_iter().any(is_numbered);
    is_known || is_generated || symbol.starts_with("$L__") || !is_identifier(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_generated_and_predefined_names_but_not_keywords() {
        for name in ["param0", "retval12", "func_retval0", "prototype_3", "WARP_SZ", "_", "$", "", "%tid"] {
            assert!(is_refused(name), "{name}");
        }
        for name in ["A7", "inlined_at", "__nvvm_reflect", "__cuda_sm20_div_s64", "__nv_ptx_builtin_ocg_x"] {
            assert!(is_refused(name), "{name}");
        }
        for name in ["tid.x", "größe", "1a", "a-b", "$L__BB0_1"] {
            assert!(is_refused(name), "{name}");
        }
        for name in [
            "param", "params0", "A8", "inlined", "__cuda_x", "add", "tid", "reg", "texref", "__", "_0", "$a",
            "a$", "_ZL3foov",
        ] {
            assert!(!is_refused(name), "{name}");
        }
    }
}
