//! Functions of the host that nvcc knows without an include: those of its C library (`library_function`), of CUDA's runtime
//! (`runtime_function`), and GNU C's.
//!
//! Device code cannot call them, but their names are taken at file scope: a variable, a typedef or an enumerator
//! cannot have one. Functions can, as overloads.

use crate::ast::Name;
use crate::diag::{Code, Fix, Label, Reported};
use crate::sema::Names;

/// GNU C's functions that nvcc knows as the host's, without `__builtin_`, and what device code has instead.
const GNU: &[(&str, Option<&str>)] = &[
    ("bswap16", Some("`__nv_bswap16`")),
    ("bswap32", Some("`__nv_bswap32`")),
    ("bswap64", Some("`__nv_bswap64`")),
    ("clrsb", None),
    ("clrsbl", None),
    ("clrsbll", None),
    ("clzl", Some("`__clzll`")),
    ("ctz", Some("`__ffs(x) - 1`")),
    ("ctzl", Some("`__ffsll(x) - 1`")),
    ("ctzll", Some("`__ffsll(x) - 1`")),
    ("expect_with_probability", Some("`__builtin_expect`")),
    ("extract_return_addr", None),
    ("ffsl", Some("`__ffsll`")),
    ("fpclassify", None),
    ("frame_address", None),
    ("free", Some("`free`")),
    ("isgreater", Some("`>`")),
    ("isgreaterequal", Some("`>=`")),
    ("isless", Some("`<`")),
    ("islessequal", Some("`<=`")),
    ("islessgreater", None),
    ("isnormal", None),
    ("isunordered", None),
    ("longjmp", None),
    ("memchr", None),
    ("malloc", Some("`malloc`")),
    ("mempcpy", None),
    ("object_size", None),
    ("parity", Some("`__popc(x) & 1`")),
    ("parityl", Some("`__popcll(x) & 1`")),
    ("parityll", Some("`__popcll(x) & 1`")),
    ("popcountl", Some("`__popcll`")),
    ("prefetch", None),
    ("printf", Some("`printf`")),
    ("return_address", None),
    ("setjmp", None),
    ("trap", Some("`__trap`")),
];

/// Functions of the library's that need nothing of the host's: a program can define them for the device.
const DEFINABLE: &[&str] = &[
    "atoi",
    "atol",
    "bcmp",
    "bcopy",
    "bzero",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isprint",
    "isspace",
    "isupper",
    "isxdigit",
    "memccpy",
    "memchr",
    "memcmp",
    "memmem",
    "memmove",
    "mempcpy",
    "memrchr",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "tolower",
    "toupper",
];

/// Whether the name is that of a function of the host.
pub(in crate::sema) fn is_host(name: &str) -> bool {
    if let Some(name) = name.strip_prefix("__builtin_") {
        return super::library_function::is_named(name) || gnu(name).is_some();
    }
    super::library_function::is_named(name)
        || super::runtime_function::is_host(name)
        || ["__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// What to do instead of calling the host's function, if anything is known.
pub(in crate::sema) fn advice(name: &str) -> Option<String> {
    let plain = name.strip_prefix("__builtin_");
    let instead = match plain {
        Some(name) => gnu(name).and_then(|&(_, instead)| instead),
        None => library(name),
    };
    if let Some(instead) = instead {
        return Some(format!("use {instead} in device code"));
    }
    let definable = plain.unwrap_or(name);
    DEFINABLE.binary_search(&definable).ok()?;
    let prototype = super::library_function::device_prototype(definable)?;
    Some(match plain {
        None => format!("define it as a device function: `{prototype}`"),
        Some(_) => format!("define `{prototype}` and call that"),
    })
}

/// Of the C library's.
fn library(name: &str) -> Option<&'static str> {
    Some(match name {
        "ffs" => "`__ffs`",
        "fprintf" | "vprintf" | "vfprintf" | "puts" | "fputs" | "fputs_unlocked" | "putchar"
        | "putchar_unlocked" | "putc" | "fputc" | "fwrite" | "perror" => "`printf`",
        "abort" | "exit" | "quick_exit" => "`__trap`",
        "calloc" => "`malloc` and `memset`",
        "realloc" | "reallocarray" => "`malloc`, `memcpy` and `free`",
        "aligned_alloc" | "posix_memalign" | "valloc" => "`__nv_aligned_device_malloc`",
        _ => return None,
    })
}

fn gnu(name: &str) -> Option<&'static (&'static str, Option<&'static str>)> {
    GNU.iter().find(|(known, _)| *known == name)
}

impl Names<'_> {
    /// The witness for a name whose declaration is wrong. If that is a function without `__device__`, its error gets the place where
    /// device code uses it first, and the fix.
    pub(in crate::sema) fn poisoned_name(&mut self, name: Name) -> Reported {
        if let Some(&(declared, start)) = self.known.refused_functions.get(&name.symbol)
            && let Some(error) = self.sink.error_at(Code::UnsupportedHostCode, declared)
        {
            let title = "add `__device__`: device code calls it";
            error.secondary.push(Label { span: name.span, message: "used by device code here".to_owned() });
            error.help.clear();
            error.fixes.push(Fix::new(title, start, "__device__ "));
            self.known.refused_functions.remove(&name.symbol);
        }
        self.poisoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definable_functions_have_a_prototype() {
        assert!(DEFINABLE.is_sorted());
        for name in DEFINABLE {
            assert!(is_host(name) && advice(name).is_some_and(|advice| advice.contains(name)), "{name}");
        }
    }
}
