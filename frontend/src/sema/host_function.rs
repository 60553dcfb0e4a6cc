//! Functions of the host's C library that nvcc takes in before the first line.
//!
//! Device code cannot call them, but their names are taken at file scope: a variable, a typedef or an enumerator
//! cannot have one. Functions can, as overloads.

use super::Cx;
use crate::ast::{AttrKind, Decl, DeclKind, ExprKind};
use crate::source::Span;
use crate::token::Symbol;

/// Sorted, to be searched; the functions that device code has are in other tables.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a64l", "abort", "aligned_alloc", "arc4random", "arc4random_buf", "arc4random_uniform", "asctime",
    "asctime_r", "asprintf", "at_quick_exit", "atexit", "atof", "atoi", "atol", "basename", "bcmp",
    "bcopy", "bsearch", "bzero", "calloc", "canonicalize", "canonicalize_file_name", "clearenv",
    "clearerr", "clearerr_unlocked", "clock_adjtime", "clock_getcpuclockid", "clock_getres",
    "clock_gettime", "clock_nanosleep", "clock_settime", "ctermid", "ctime", "ctime_r", "cuserid",
    "dadd", "ddivl", "dfmal", "difftime", "div", "dmul", "dprintf", "drand48", "drand48_r", "drem",
    "dsqrtl", "dsub", "dysize", "ecvt", "ecvt_r", "erand48", "erand48_r", "exit", "explicit_bzero",
    "f32addf32x", "f32addf64", "f32addf64x", "f32divf32x", "f32divf64", "f32divf64x", "f32fmaf32x",
    "f32fmaf64", "f32fmaf64x", "f32mulf32x", "f32mulf64", "f32mulf64x", "f32sqrtf32x", "f32sqrtf64",
    "f32sqrtf64x", "f32subf32x", "f32subf64", "f32subf64x", "f32xaddf64", "f32xaddf64x", "f32xdivf64",
    "f32xdivf64x", "f32xfmaf64", "f32xfmaf64x", "f32xmulf64", "f32xmulf64x", "f32xsqrtf64",
    "f32xsqrtf64x", "f32xsubf64", "f32xsubf64x", "f64addf64x", "f64divf64x", "f64fmaf64x",
    "f64mulf64x", "f64sqrtf64x", "f64subf64x", "fadd", "fclose", "fcloseall", "fcvt", "fcvt_r", "fdiv",
    "fdopen", "feof", "feof_unlocked", "ferror", "ferror_unlocked", "fflush", "fflush_unlocked",
    "ffma", "ffs", "fgetc", "fgetc_unlocked", "fgetpos", "fgetpos64", "fgets", "fgets_unlocked",
    "fileno", "fileno_unlocked", "finite", "flockfile", "fmaximum", "fmaximum_mag", "fmaximum_mag_num",
    "fmaximum_num", "fmaxmag", "fmemopen", "fminimum", "fminimum_mag", "fminimum_mag_num",
    "fminimum_num", "fminmag", "fmul", "fopen", "fopen64", "fopencookie", "fprintf", "fputc",
    "fputc_unlocked", "fputs", "fputs_unlocked", "fread", "fread_unlocked", "freopen", "freopen64",
    "fromfp", "fromfpx", "fscanf", "fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64", "fsqrt",
    "fsub", "ftell", "ftello", "ftello64", "ftrylockfile", "funlockfile", "fwrite", "fwrite_unlocked",
    "gamma", "gcvt", "getc", "getc_unlocked", "getchar", "getchar_unlocked", "getdate", "getdate_r",
    "getdelim", "getenv", "getline", "getloadavg", "getpayload", "getpt", "getsubopt", "getw",
    "gmtime", "gmtime_r", "grantpt", "index", "initstate", "initstate_r", "isalnum", "isalnum_l",
    "isalpha", "isalpha_l", "isblank", "isblank_l", "iscanonical", "iscntrl", "iscntrl_l", "isctype",
    "isdigit", "isdigit_l", "isgraph", "isgraph_l", "isinff", "isinfl", "islower", "islower_l",
    "isnanf", "isnanl", "isprint", "isprint_l", "ispunct", "ispunct_l", "issignaling", "isspace",
    "isspace_l", "isupper", "isupper_l", "isxdigit", "isxdigit_l", "jrand48", "jrand48_r", "l64a",
    "lcong48", "lcong48_r", "ldiv", "lgamma_r", "lgammaf32_r", "lgammaf32x_r", "lgammaf64_r",
    "lgammaf64x_r", "lgammaf_r", "lgammal_r", "lldiv", "llogb", "localtime", "localtime_r", "lrand48",
    "lrand48_r", "mblen", "mbstowcs", "mbtowc", "memccpy", "memchr", "memfrob", "memmem", "mempcpy",
    "memrchr", "mkdtemp", "mkostemp", "mkostemp64", "mkostemps", "mkostemps64", "mkstemp", "mkstemp64",
    "mkstemps", "mkstemps64", "mktemp", "mktime", "mrand48", "mrand48_r", "nanosleep", "nextdown",
    "nexttoward", "nextup", "nrand48", "nrand48_r", "obstack_printf", "obstack_vprintf", "on_exit",
    "open_memstream", "pclose", "perror", "popen", "posix_memalign", "posix_openpt", "pselect",
    "ptsname", "ptsname_r", "putc", "putc_unlocked", "putchar", "putchar_unlocked", "putenv", "puts",
    "putw", "qecvt", "qecvt_r", "qfcvt", "qfcvt_r", "qgcvt", "qsort", "qsort_r", "quick_exit", "rand",
    "rand_r", "random", "random_r", "rawmemchr", "realloc", "reallocarray", "realpath", "remove",
    "rename", "renameat", "renameat2", "rewind", "rindex", "roundeven", "rpmatch", "scalb", "scanf",
    "secure_getenv", "seed48", "seed48_r", "select", "setbuf", "setbuffer", "setenv", "setlinebuf",
    "setpayload", "setpayloadsig", "setstate", "setstate_r", "setvbuf", "sigabbrev_np", "sigdescr_np",
    "significand", "snprintf", "sprintf", "srand", "srand48", "srand48_r", "srandom", "srandom_r",
    "sscanf", "stpcpy", "stpncpy", "strcasecmp", "strcasecmp_l", "strcasestr", "strcat", "strchr",
    "strchrnul", "strcoll", "strcoll_l", "strcspn", "strdup", "strerror", "strerror_l", "strerror_r",
    "strerrordesc_np", "strerrorname_np", "strfromd", "strfromf", "strfromf32", "strfromf32x",
    "strfromf64", "strfromf64x", "strfroml", "strfry", "strftime", "strftime_l", "strncasecmp",
    "strncasecmp_l", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strptime",
    "strptime_l", "strrchr", "strsep", "strsignal", "strspn", "strstr", "strtod", "strtod_l", "strtof",
    "strtof32", "strtof32_l", "strtof32x", "strtof32x_l", "strtof64", "strtof64_l", "strtof64x",
    "strtof64x_l", "strtof_l", "strtok", "strtok_r", "strtol", "strtol_l", "strtold", "strtold_l",
    "strtoll_l", "strtoq", "strtoul", "strtoul_l", "strtoull_l", "strtouq", "strverscmp", "strxfrm",
    "strxfrm_l", "system", "tempnam", "time", "timegm", "timelocal", "timer_create", "timer_delete",
    "timer_getoverrun", "timer_gettime", "timer_settime", "timespec_get", "timespec_getres",
    "timezone", "tmpfile", "tmpfile64", "tmpnam", "tmpnam_r", "tolower", "tolower_l", "totalorder",
    "totalordermag", "toupper", "toupper_l", "tzset", "ufromfp", "ufromfpx", "ungetc", "unlockpt",
    "unsetenv", "valloc", "vasprintf", "vdprintf", "vfprintf", "vfscanf", "vscanf", "vsnprintf",
    "vsprintf", "vsscanf", "wcstombs", "wctomb",
];

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
    ("isgreater", Some("`>`")),
    ("isgreaterequal", Some("`>=`")),
    ("isless", Some("`<`")),
    ("islessequal", Some("`<=`")),
    ("islessgreater", None),
    ("isnormal", None),
    ("isunordered", None),
    ("longjmp", None),
    ("memchr", None),
    ("mempcpy", None),
    ("object_size", None),
    ("parity", Some("`__popc(x) & 1`")),
    ("parityl", Some("`__popcll(x) & 1`")),
    ("parityll", Some("`__popcll(x) & 1`")),
    ("popcountl", Some("`__popcll`")),
    ("prefetch", None),
    ("return_address", None),
    ("setjmp", None),
    ("trap", Some("`__trap`")),
];

/// Whether the name is that of a function of the host.
pub(super) fn is_host(name: &str) -> bool {
    if let Some(name) = name.strip_prefix("__builtin_") {
        return is_library(name) || gnu(name).is_some();
    }
    is_library(name)
        || super::runtime_function::is_host(name)
        || ["__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// What device code has instead of the host's function, if it has.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    match name.strip_prefix("__builtin_") {
        Some(name) => gnu(name).and_then(|&(_, instead)| instead),
        None if name == "ffs" => Some("`__ffs`"),
        None => None,
    }
}

/// Whether the name is that of a function of the C library.
pub(super) fn is_library(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

fn gnu(name: &str) -> Option<&'static (&'static str, Option<&'static str>)> {
    GNU.iter().find(|(known, _)| *known == name)
}

impl Cx<'_> {
    /// Where a function of the device has the name, if one does.
    pub(super) fn device_caller(&self, symbol: Symbol) -> Option<Span> {
        if !self.sink.shows_more() {
            return None;
        }
        let is_device = |decl: &Decl| match &decl.kind {
            DeclKind::Function(function) => function
                .specs
                .attrs
                .iter()
                .any(|attr| matches!(attr.kind, AttrKind::Device | AttrKind::Global)),
            DeclKind::Declarators { .. }
            | DeclKind::StaticAssert { .. }
            | DeclKind::Empty
            | DeclKind::Error => false,
        };
        let functions: Vec<Span> =
            self.unit.decls.iter().filter(|decl| is_device(decl)).map(|decl| decl.span).collect();
        let names = self
            .unit
            .exprs
            .values()
            .filter(|node| matches!(node.kind, ExprKind::Ident(name) if name == symbol));
        names.map(|node| node.span).find(|at| {
            let around = functions.partition_point(|function| function.lo <= at.lo);
            around.checked_sub(1).is_some_and(|idx| at.hi <= functions[idx].hi)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_in_no_other_table() {
        assert!(NAMES.is_sorted());
        for name in NAMES {
            let is_known = crate::sema::known_function::is_known(name);
            assert!(!is_known && crate::sema::builtin::named(name).next().is_none(), "{name}");
        }
    }
}
