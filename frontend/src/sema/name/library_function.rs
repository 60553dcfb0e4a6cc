//! Functions of the host's C library that nvcc takes in before the first line, with their types.
//!
//! Device code cannot call them, but may declare them itself. A declaration with their parameters declares the same
//! function again (C++17 10.5p5): it keeps their language linkage, and so its symbol is the plain name, or it has another
//! result and is refused. One with other parameters is an overload.
//!
//! Types are written as in the Itanium C++ ABI (5.1.5), without substitutions.

use crate::ir::{FuncTy, IntTy, Quals, Ty, TyKind, TypeTable};
use crate::layout::DataModel;

/// With C language linkage: the name, the result, the parameters. Sorted.
#[rustfmt::skip]
const C: &[(&str, &str, &str)] = &[
    ("a64l", "l", "PKc"), ("abort", "v", "v"), ("aligned_alloc", "Pv", "mm"), ("arc4random", "j", "v"),
    ("arc4random_buf", "v", "Pvm"), ("arc4random_uniform", "j", "j"), ("asctime", "Pc", "PK2tm"),
    ("asctime_r", "Pc", "PK2tmPc"), ("asprintf", "i", "PPcPKcz"),
    ("atexit", "i", "PFvvE"), ("atof", "d", "PKc"), ("atoi", "i", "PKc"), ("atol", "l", "PKc"),
    ("bcmp", "i", "PKvPKvm"), ("bcopy", "v", "PKvPvm"), ("bsearch", "Pv", "PKvPKvmmPFiPKvPKvE"),
    ("bzero", "v", "Pvm"), ("calloc", "Pv", "mm"), ("canonicalize", "i", "PdPKd"),
    ("canonicalize_file_name", "Pc", "PKc"), ("clearenv", "i", "v"), ("clearerr", "v", "P8_IO_FILE"),
    ("clearerr_unlocked", "v", "P8_IO_FILE"), ("clock_adjtime", "i", "iP5timex"), ("clock_getcpuclockid", "i", "iPi"),
    ("clock_getres", "i", "iP8timespec"), ("clock_gettime", "i", "iP8timespec"),
    ("clock_nanosleep", "i", "iiPK8timespecP8timespec"), ("clock_settime", "i", "iPK8timespec"),
    ("ctermid", "Pc", "Pc"), ("ctime", "Pc", "PKl"), ("ctime_r", "Pc", "PKlPc"), ("cuserid", "Pc", "Pc"),
    ("ddivl", "d", "ee"), ("dfmal", "d", "eee"), ("difftime", "d", "ll"), ("div", "5div_t", "ii"),
    ("dprintf", "i", "iPKcz"), ("drand48", "d", "v"), ("drand48_r", "i", "P12drand48_dataPd"), ("drem", "d", "dd"),
    ("dsqrtl", "d", "e"), ("dysize", "i", "i"), ("ecvt", "Pc", "diPiPi"), ("ecvt_r", "i", "diPiPiPcm"),
    ("erand48", "d", "Pt"), ("erand48_r", "i", "PtP12drand48_dataPd"), ("exit", "v", "i"),
    ("explicit_bzero", "v", "Pvm"), ("f32addf32x", "f", "dd"), ("f32addf64", "f", "dd"), ("f32addf64x", "f", "ee"),
    ("f32divf32x", "f", "dd"), ("f32divf64", "f", "dd"), ("f32divf64x", "f", "ee"), ("f32fmaf32x", "f", "ddd"),
    ("f32fmaf64", "f", "ddd"), ("f32fmaf64x", "f", "eee"), ("f32mulf32x", "f", "dd"), ("f32mulf64", "f", "dd"),
    ("f32mulf64x", "f", "ee"), ("f32sqrtf32x", "f", "d"), ("f32sqrtf64", "f", "d"), ("f32sqrtf64x", "f", "e"),
    ("f32subf32x", "f", "dd"), ("f32subf64", "f", "dd"), ("f32subf64x", "f", "ee"), ("f32xaddf64", "d", "dd"),
    ("f32xaddf64x", "d", "ee"), ("f32xdivf64", "d", "dd"), ("f32xdivf64x", "d", "ee"), ("f32xfmaf64", "d", "ddd"),
    ("f32xfmaf64x", "d", "eee"), ("f32xmulf64", "d", "dd"), ("f32xmulf64x", "d", "ee"), ("f32xsqrtf64", "d", "d"),
    ("f32xsqrtf64x", "d", "e"), ("f32xsubf64", "d", "dd"), ("f32xsubf64x", "d", "ee"), ("f64addf64x", "d", "ee"),
    ("f64divf64x", "d", "ee"), ("f64fmaf64x", "d", "eee"), ("f64mulf64x", "d", "ee"), ("f64sqrtf64x", "d", "e"),
    ("f64subf64x", "d", "ee"), ("fadd", "f", "dd"), ("fclose", "i", "P8_IO_FILE"), ("fcloseall", "i", "v"),
    ("fcvt", "Pc", "diPiPi"), ("fcvt_r", "i", "diPiPiPcm"), ("fdiv", "f", "dd"), ("fdopen", "P8_IO_FILE", "iPKc"),
    ("feof", "i", "P8_IO_FILE"), ("feof_unlocked", "i", "P8_IO_FILE"), ("ferror", "i", "P8_IO_FILE"),
    ("ferror_unlocked", "i", "P8_IO_FILE"), ("fflush", "i", "P8_IO_FILE"), ("fflush_unlocked", "i", "P8_IO_FILE"),
    ("ffma", "f", "ddd"), ("ffs", "i", "i"), ("fgetc", "i", "P8_IO_FILE"), ("fgetc_unlocked", "i", "P8_IO_FILE"),
    ("fgetpos", "i", "P8_IO_FILEP9_G_fpos_t"), ("fgetpos64", "i", "P8_IO_FILEP11_G_fpos64_t"),
    ("fgets", "Pc", "PciP8_IO_FILE"), ("fgets_unlocked", "Pc", "PciP8_IO_FILE"), ("fileno", "i", "P8_IO_FILE"),
    ("fileno_unlocked", "i", "P8_IO_FILE"), ("finite", "i", "d"), ("flockfile", "v", "P8_IO_FILE"),
    ("fmaximum", "d", "dd"), ("fmaximum_mag", "d", "dd"), ("fmaximum_mag_num", "d", "dd"),
    ("fmaximum_num", "d", "dd"), ("fmaxmag", "d", "dd"), ("fmemopen", "P8_IO_FILE", "PvmPKc"),
    ("fminimum", "d", "dd"), ("fminimum_mag", "d", "dd"), ("fminimum_mag_num", "d", "dd"),
    ("fminimum_num", "d", "dd"), ("fminmag", "d", "dd"), ("fmul", "f", "dd"), ("fopen", "P8_IO_FILE", "PKcPKc"),
    ("fopen64", "P8_IO_FILE", "PKcPKc"), ("fopencookie", "P8_IO_FILE", "PvPKc25_IO_cookie_io_functions_t"),
    ("fprintf", "i", "P8_IO_FILEPKcz"), ("fputc", "i", "iP8_IO_FILE"), ("fputc_unlocked", "i", "iP8_IO_FILE"),
    ("fputs", "i", "PKcP8_IO_FILE"), ("fputs_unlocked", "i", "PKcP8_IO_FILE"), ("fread", "m", "PvmmP8_IO_FILE"),
    ("fread_unlocked", "m", "PvmmP8_IO_FILE"), ("freopen", "P8_IO_FILE", "PKcPKcP8_IO_FILE"),
    ("freopen64", "P8_IO_FILE", "PKcPKcP8_IO_FILE"), ("fromfp", "l", "dij"), ("fromfpx", "l", "dij"),
    ("fscanf", "i", "P8_IO_FILEPKcz"), ("fseek", "i", "P8_IO_FILEli"), ("fseeko", "i", "P8_IO_FILEli"),
    ("fseeko64", "i", "P8_IO_FILEli"), ("fsetpos", "i", "P8_IO_FILEPK9_G_fpos_t"),
    ("fsetpos64", "i", "P8_IO_FILEPK11_G_fpos64_t"), ("fsqrt", "f", "d"), ("fsub", "f", "dd"),
    ("ftell", "l", "P8_IO_FILE"), ("ftello", "l", "P8_IO_FILE"), ("ftello64", "l", "P8_IO_FILE"),
    ("ftrylockfile", "i", "P8_IO_FILE"), ("funlockfile", "v", "P8_IO_FILE"), ("fwrite", "m", "PKvmmP8_IO_FILE"),
    ("fwrite_unlocked", "m", "PKvmmP8_IO_FILE"), ("gamma", "d", "d"), ("gcvt", "Pc", "diPc"),
    ("getc", "i", "P8_IO_FILE"), ("getc_unlocked", "i", "P8_IO_FILE"), ("getchar", "i", "v"),
    ("getchar_unlocked", "i", "v"), ("getdate", "P2tm", "PKc"), ("getdate_r", "i", "PKcP2tm"),
    ("getdelim", "l", "PPcPmiP8_IO_FILE"), ("getenv", "Pc", "PKc"), ("getline", "l", "PPcPmP8_IO_FILE"),
    ("getloadavg", "i", "Pdi"), ("getpayload", "d", "PKd"), ("getpt", "i", "v"), ("getsubopt", "i", "PPcPKPcPPc"),
    ("getw", "i", "P8_IO_FILE"), ("gmtime", "P2tm", "PKl"), ("gmtime_r", "P2tm", "PKlP2tm"), ("grantpt", "i", "i"),
    ("initstate", "Pc", "jPcm"), ("initstate_r", "i", "jPcmP11random_data"), ("isalnum", "i", "i"),
    ("isalnum_l", "i", "iP15__locale_struct"), ("isalpha", "i", "i"), ("isalpha_l", "i", "iP15__locale_struct"),
    ("isblank", "i", "i"), ("isblank_l", "i", "iP15__locale_struct"), ("iscntrl", "i", "i"),
    ("iscntrl_l", "i", "iP15__locale_struct"), ("isctype", "i", "ii"), ("isdigit", "i", "i"),
    ("isdigit_l", "i", "iP15__locale_struct"), ("isgraph", "i", "i"), ("isgraph_l", "i", "iP15__locale_struct"),
    ("isinff", "i", "f"), ("isinfl", "i", "e"), ("islower", "i", "i"), ("islower_l", "i", "iP15__locale_struct"),
    ("isnanf", "i", "f"), ("isnanl", "i", "e"), ("isprint", "i", "i"), ("isprint_l", "i", "iP15__locale_struct"),
    ("ispunct", "i", "i"), ("ispunct_l", "i", "iP15__locale_struct"), ("isspace", "i", "i"),
    ("isspace_l", "i", "iP15__locale_struct"), ("isupper", "i", "i"), ("isupper_l", "i", "iP15__locale_struct"),
    ("isxdigit", "i", "i"), ("isxdigit_l", "i", "iP15__locale_struct"), ("jrand48", "l", "Pt"),
    ("jrand48_r", "i", "PtP12drand48_dataPl"), ("l64a", "Pc", "l"), ("lcong48", "v", "Pt"),
    ("lcong48_r", "i", "PtP12drand48_data"), ("ldiv", "6ldiv_t", "ll"), ("lgamma_r", "d", "dPi"),
    ("lgammaf32_r", "f", "fPi"), ("lgammaf32x_r", "d", "dPi"), ("lgammaf64_r", "d", "dPi"),
    ("lgammaf64x_r", "e", "ePi"), ("lgammaf_r", "f", "fPi"), ("lgammal_r", "e", "ePi"), ("lldiv", "7lldiv_t", "xx"),
    ("llogb", "l", "d"), ("localtime", "P2tm", "PKl"), ("localtime_r", "P2tm", "PKlP2tm"), ("lrand48", "l", "v"),
    ("lrand48_r", "i", "P12drand48_dataPl"), ("mblen", "i", "PKcm"), ("mbstowcs", "m", "PwPKcm"),
    ("mbtowc", "i", "PwPKcm"), ("memccpy", "Pv", "PvPKvim"), ("memcmp", "i", "PKvPKvm"), ("memfrob", "Pv", "Pvm"),
    ("memmem", "Pv", "PKvmPKvm"), ("memmove", "Pv", "PvPKvm"), ("mempcpy", "Pv", "PvPKvm"), ("mkdtemp", "Pc", "Pc"),
    ("mkostemp", "i", "Pci"), ("mkostemp64", "i", "Pci"), ("mkostemps", "i", "Pcii"), ("mkostemps64", "i", "Pcii"),
    ("mkstemp", "i", "Pc"), ("mkstemp64", "i", "Pc"), ("mkstemps", "i", "Pci"), ("mkstemps64", "i", "Pci"),
    ("mktemp", "Pc", "Pc"), ("mktime", "l", "P2tm"), ("mrand48", "l", "v"), ("mrand48_r", "i", "P12drand48_dataPl"),
    ("nanosleep", "i", "PK8timespecP8timespec"), ("nextdown", "d", "d"), ("nextup", "d", "d"), ("nrand48", "l", "Pt"),
    ("nrand48_r", "i", "PtP12drand48_dataPl"), ("obstack_printf", "i", "P7obstackPKcz"),
    ("obstack_vprintf", "i", "P7obstackPKcP13__va_list_tag"), ("on_exit", "i", "PFviPvEPv"),
    ("open_memstream", "P8_IO_FILE", "PPcPm"), ("pclose", "i", "P8_IO_FILE"), ("perror", "v", "PKc"),
    ("popen", "P8_IO_FILE", "PKcPKc"), ("posix_memalign", "i", "PPvmm"), ("posix_openpt", "i", "i"),
    ("printf", "i", "PKcz"), ("pselect", "i", "iP6fd_setP6fd_setP6fd_setPK8timespecPK10__sigset_t"),
    ("ptsname", "Pc", "i"), ("ptsname_r", "i", "iPcm"), ("putc", "i", "iP8_IO_FILE"),
    ("putc_unlocked", "i", "iP8_IO_FILE"), ("putchar", "i", "i"), ("putchar_unlocked", "i", "i"),
    ("putenv", "i", "Pc"), ("puts", "i", "PKc"), ("putw", "i", "iP8_IO_FILE"), ("qecvt", "Pc", "eiPiPi"),
    ("qecvt_r", "i", "eiPiPiPcm"), ("qfcvt", "Pc", "eiPiPi"), ("qfcvt_r", "i", "eiPiPiPcm"), ("qgcvt", "Pc", "eiPc"),
    ("qsort", "v", "PvmmPFiPKvPKvE"), ("qsort_r", "v", "PvmmPFiPKvPKvPvEPv"), ("quick_exit", "v", "i"),
    ("rand", "i", "v"), ("rand_r", "i", "Pj"), ("random", "l", "v"), ("random_r", "i", "P11random_dataPi"),
    ("realloc", "Pv", "Pvm"), ("reallocarray", "Pv", "Pvmm"), ("realpath", "Pc", "PKcPc"), ("remove", "i", "PKc"),
    ("rename", "i", "PKcPKc"), ("renameat", "i", "iPKciPKc"), ("renameat2", "i", "iPKciPKcj"),
    ("rewind", "v", "P8_IO_FILE"), ("roundeven", "d", "d"), ("rpmatch", "i", "PKc"), ("scalb", "d", "dd"),
    ("scanf", "i", "PKcz"), ("secure_getenv", "Pc", "PKc"), ("seed48", "Pt", "Pt"),
    ("seed48_r", "i", "PtP12drand48_data"), ("select", "i", "iP6fd_setP6fd_setP6fd_setP7timeval"),
    ("setbuf", "v", "P8_IO_FILEPc"), ("setbuffer", "v", "P8_IO_FILEPcm"), ("setenv", "i", "PKcPKci"),
    ("setlinebuf", "v", "P8_IO_FILE"), ("setpayload", "i", "Pdd"), ("setpayloadsig", "i", "Pdd"),
    ("setstate", "Pc", "Pc"), ("setstate_r", "i", "PcP11random_data"), ("setvbuf", "i", "P8_IO_FILEPcim"),
    ("sigabbrev_np", "PKc", "i"), ("sigdescr_np", "PKc", "i"), ("significand", "d", "d"),
    ("snprintf", "i", "PcmPKcz"), ("sprintf", "i", "PcPKcz"), ("srand", "v", "j"), ("srand48", "v", "l"),
    ("srand48_r", "i", "lP12drand48_data"), ("srandom", "v", "j"), ("srandom_r", "i", "jP11random_data"),
    ("sscanf", "i", "PKcPKcz"), ("stpcpy", "Pc", "PcPKc"), ("stpncpy", "Pc", "PcPKcm"), ("strcasecmp", "i", "PKcPKc"),
    ("strcasecmp_l", "i", "PKcPKcP15__locale_struct"), ("strcat", "Pc", "PcPKc"), ("strcmp", "i", "PKcPKc"),
    ("strcoll", "i", "PKcPKc"), ("strcoll_l", "i", "PKcPKcP15__locale_struct"), ("strcpy", "Pc", "PcPKc"),
    ("strcspn", "m", "PKcPKc"), ("strdup", "Pc", "PKc"), ("strerror", "Pc", "i"),
    ("strerror_l", "Pc", "iP15__locale_struct"), ("strerror_r", "Pc", "iPcm"), ("strerrordesc_np", "PKc", "i"),
    ("strerrorname_np", "PKc", "i"), ("strfromd", "i", "PcmPKcd"), ("strfromf", "i", "PcmPKcf"),
    ("strfromf32", "i", "PcmPKcf"), ("strfromf32x", "i", "PcmPKcd"), ("strfromf64", "i", "PcmPKcd"),
    ("strfromf64x", "i", "PcmPKce"), ("strfroml", "i", "PcmPKce"), ("strfry", "Pc", "Pc"),
    ("strftime", "m", "PcmPKcPK2tm"), ("strftime_l", "m", "PcmPKcPK2tmP15__locale_struct"), ("strlen", "m", "PKc"),
    ("strncasecmp", "i", "PKcPKcm"), ("strncasecmp_l", "i", "PKcPKcmP15__locale_struct"), ("strncat", "Pc", "PcPKcm"),
    ("strncmp", "i", "PKcPKcm"), ("strncpy", "Pc", "PcPKcm"), ("strndup", "Pc", "PKcm"), ("strnlen", "m", "PKcm"),
    ("strptime", "Pc", "PKcPKcP2tm"), ("strptime_l", "Pc", "PKcPKcP2tmP15__locale_struct"),
    ("strsep", "Pc", "PPcPKc"), ("strsignal", "Pc", "i"), ("strspn", "m", "PKcPKc"), ("strtod", "d", "PKcPPc"),
    ("strtod_l", "d", "PKcPPcP15__locale_struct"), ("strtof", "f", "PKcPPc"), ("strtof32", "f", "PKcPPc"),
    ("strtof32_l", "f", "PKcPPcP15__locale_struct"), ("strtof32x", "d", "PKcPPc"),
    ("strtof32x_l", "d", "PKcPPcP15__locale_struct"), ("strtof64", "d", "PKcPPc"),
    ("strtof64_l", "d", "PKcPPcP15__locale_struct"), ("strtof64x", "e", "PKcPPc"),
    ("strtof64x_l", "e", "PKcPPcP15__locale_struct"), ("strtof_l", "f", "PKcPPcP15__locale_struct"),
    ("strtok", "Pc", "PcPKc"), ("strtok_r", "Pc", "PcPKcPPc"), ("strtol", "l", "PKcPPci"),
    ("strtol_l", "l", "PKcPPciP15__locale_struct"), ("strtold", "e", "PKcPPc"),
    ("strtold_l", "e", "PKcPPcP15__locale_struct"), ("strtoll_l", "x", "PKcPPciP15__locale_struct"),
    ("strtoq", "x", "PKcPPci"), ("strtoul", "m", "PKcPPci"), ("strtoul_l", "m", "PKcPPciP15__locale_struct"),
    ("strtoull_l", "y", "PKcPPciP15__locale_struct"), ("strtouq", "y", "PKcPPci"), ("strverscmp", "i", "PKcPKc"),
    ("strxfrm", "m", "PcPKcm"), ("strxfrm_l", "m", "PcPKcmP15__locale_struct"), ("system", "i", "PKc"),
    ("tempnam", "Pc", "PKcPKc"), ("time", "l", "Pl"), ("timegm", "l", "P2tm"), ("timelocal", "l", "P2tm"),
    ("timer_create", "i", "iP8sigeventPPv"), ("timer_delete", "i", "Pv"), ("timer_getoverrun", "i", "Pv"),
    ("timer_gettime", "i", "PvP10itimerspec"), ("timer_settime", "i", "PviPK10itimerspecP10itimerspec"),
    ("timespec_get", "i", "P8timespeci"), ("timespec_getres", "i", "P8timespeci"), ("tmpfile", "P8_IO_FILE", "v"),
    ("tmpfile64", "P8_IO_FILE", "v"), ("tmpnam", "Pc", "Pc"), ("tmpnam_r", "Pc", "Pc"), ("tolower", "i", "i"),
    ("tolower_l", "i", "iP15__locale_struct"), ("totalorder", "i", "PKdPKd"), ("totalordermag", "i", "PKdPKd"),
    ("toupper", "i", "i"), ("toupper_l", "i", "iP15__locale_struct"), ("tzset", "v", "v"), ("ufromfp", "m", "dij"),
    ("ufromfpx", "m", "dij"), ("ungetc", "i", "iP8_IO_FILE"), ("unlockpt", "i", "i"), ("unsetenv", "i", "PKc"),
    ("valloc", "Pv", "m"), ("vasprintf", "i", "PPcPKcP13__va_list_tag"), ("vdprintf", "i", "iPKcP13__va_list_tag"),
    ("vfprintf", "i", "P8_IO_FILEPKcP13__va_list_tag"), ("vfscanf", "i", "P8_IO_FILEPKcP13__va_list_tag"),
    ("vprintf", "i", "PKcP13__va_list_tag"), ("vscanf", "i", "PKcP13__va_list_tag"),
    ("vsnprintf", "i", "PcmPKcP13__va_list_tag"), ("vsprintf", "i", "PcPKcP13__va_list_tag"),
    ("vsscanf", "i", "PKcPKcP13__va_list_tag"), ("wcstombs", "m", "PcPKwm"), ("wctomb", "i", "Pcw"),
];

/// Those that are C++ functions to glibc's headers, most of them one for pointers to `const` and one for others. Sorted.
#[rustfmt::skip]
const CXX: &[(&str, &str, &str)] = &[
    ("at_quick_exit", "i", "PFvvE"), ("basename", "Pc", "Pc"), ("basename", "PKc", "PKc"), ("index", "Pc", "Pci"), ("index", "PKc", "PKci"),
    ("memchr", "Pv", "Pvim"), ("memchr", "PKv", "PKvim"), ("memrchr", "Pv", "Pvim"),
    ("memrchr", "PKv", "PKvim"), ("rawmemchr", "Pv", "Pvi"), ("rawmemchr", "PKv", "PKvi"),
    ("rindex", "Pc", "Pci"), ("rindex", "PKc", "PKci"), ("strcasestr", "Pc", "PcPKc"),
    ("strcasestr", "PKc", "PKcPKc"), ("strchr", "Pc", "Pci"), ("strchr", "PKc", "PKci"),
    ("strchrnul", "Pc", "Pci"), ("strchrnul", "PKc", "PKci"), ("strpbrk", "Pc", "PcPKc"),
    ("strpbrk", "PKc", "PKcPKc"), ("strrchr", "Pc", "Pci"), ("strrchr", "PKc", "PKci"),
    ("strstr", "Pc", "PcPKc"), ("strstr", "PKc", "PKcPKc"),
];

/// Names that are no functions of a type known here: templates, variables, those of CUDA's own headers. Sorted.
const OTHERS: &[&str] = &["iscanonical", "issignaling", "nexttoward", "timezone"];

/// Those whose result is an `unsigned long` and no `size_t`, which are two types where addresses have 32 bits.
const UNSIGNED_LONG: &[&str] = &["strtoul", "strtoul_l", "ufromfp", "ufromfpx"];

/// `va_list`, as a parameter.
const VA_LIST: &str = "P13__va_list_tag";

/// What a declaration of a function of the library's is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sema) enum Redeclared {
    /// The function again, which has C language linkage.
    C,
    /// The function again, which has C++ language linkage.
    Cxx,
    /// Its parameters with another result than its own, which is this one.
    OtherResult(String),
}

/// Whether the name is that of a function of the library's.
pub(in crate::sema) fn is_named(name: &str) -> bool {
    let has = |table: &[(&str, &str, &str)]| table.binary_search_by_key(&name, |&(known, ..)| known).is_ok();
    has(C) || has(CXX) || OTHERS.binary_search(&name).is_ok()
}

/// What a function of that name and type is to the library; none where it is nothing, or an overload.
pub(in crate::sema) fn redeclared(types: &TypeTable, name: &str, func: &FuncTy) -> Option<Redeclared> {
    let find = |table: &'static [(&str, &str, &str)]| {
        let from = table.partition_point(|&(known, ..)| known < name);
        let named = table[from..].iter().take_while(|&&(known, ..)| known == name);
        named.copied().find(|(.., params)| has_params(types, func, &mut { *params }))
    };
    let (is_c, (_, ret, _)) = match find(C) {
        Some(row) => (true, row),
        None => (false, find(CXX)?),
    };
    let is_same = match ret {
        "m" if UNSIGNED_LONG.contains(&name) => func.ret == Ty::ULONG,
        _ => is(types, func.ret, &mut { ret }),
    };
    Some(match is_same {
        false => Redeclared::OtherResult(spelling(ret)),
        true if is_c => Redeclared::C,
        true => Redeclared::Cxx,
    })
}

/// Whether the parameters are these, to the end of the code or an `E`.
fn has_params(types: &TypeTable, func: &FuncTy, code: &mut &str) -> bool {
    let are_same = match func.params.as_slice() {
        [] if !func.variadic => take(code, "v"),
        params => params.iter().all(|&param| is(types, param, code)) && func.variadic == take(code, "z"),
    };
    are_same && (code.is_empty() || take(code, "E"))
}

/// Whether a type is the one that the code begins with.
fn is(types: &TypeTable, ty: Ty, code: &mut &str) -> bool {
    let quals = if take(code, "K") { Quals::CONST } else { Quals::empty() };
    if types.quals(ty) != quals {
        return false;
    }
    match types.kind(ty) {
        // `size_t`, which is narrower there.
        TyKind::Int(int) if types.model() == DataModel::Ilp32 && code.starts_with('m') => {
            *int == IntTy::UInt && take(code, "m")
        }
        kind @ (TyKind::Void | TyKind::Int(_) | TyKind::Float(_) | TyKind::Nullptr) => {
            kind.itanium_code().is_some_and(|own| take(code, own))
        }
        // `va_list` is `char *` there.
        TyKind::Pointer(pointee) if types.model() == DataModel::Ilp32 && code.starts_with(VA_LIST) => {
            take(code, VA_LIST) && types.kind(*pointee) == &TyKind::Int(IntTy::Char)
        }
        TyKind::Pointer(pointee) => take(code, "P") && is(types, *pointee, code),
        TyKind::Func(func) => take(code, "F") && is(types, func.ret, code) && has_params(types, func, code),
        TyKind::Record(record) => {
            let data = &types.records[*record];
            let name = data.tag.as_ref().or(data.typedef_name.as_ref());
            name.is_some_and(|name| take(code, &name.len().to_string()) && take(code, name))
        }
        TyKind::Error
        | TyKind::Array(..)
        | TyKind::Enum(_)
        | TyKind::Opaque(_)
        | TyKind::Dependent(_)
        | TyKind::Typedef(_)
        | TyKind::Reference(..) => false,
    }
}

fn take(code: &mut &str, prefix: &str) -> bool {
    code.strip_prefix(prefix).inspect(|rest| *code = rest).is_some()
}

/// The declaration of a function for the device, of parameters that are scalars and pointers to such. Of two functions, the
/// one for `const`.
pub(super) fn device_prototype(name: &str) -> Option<String> {
    let named = |&&(known, ..): &&(&str, &str, &str)| known == name;
    let &(_, ret, params) = C.iter().find(named).or_else(|| CXX.iter().rev().find(named))?;
    let mut spellings = Vec::new();
    let mut rest = params;
    while !rest.is_empty() {
        let n_before = rest.len() - rest.trim_start_matches(['P', 'K']).len();
        let (param, behind) = rest.split_at_checked(n_before + 1)?;
        if !param.ends_with(['v', 'c', 'i', 'm']) {
            return None;
        }
        spellings.push(size_spelling(param));
        rest = behind;
    }
    let ret = size_spelling(ret);
    let gap = if ret.ends_with('*') { "" } else { " " };
    Some(format!("__device__ {ret}{gap}{name}({})", spellings.join(", ")))
}

/// A type of the memory and string functions as C spells it.
fn size_spelling(code: &str) -> String {
    if code == "m" { "size_t".to_owned() } else { spelling(code) }
}

/// A result as C spells it.
fn spelling(code: &str) -> String {
    if let Some(pointee) = code.strip_prefix('P') {
        let pointee = spelling(pointee);
        let gap = if pointee.ends_with('*') { "" } else { " " };
        return format!("{pointee}{gap}*");
    }
    if let Some(unqualified) = code.strip_prefix('K') {
        return format!("const {}", spelling(unqualified));
    }
    let scalar = match code {
        "v" => "void",
        "t" => "unsigned short",
        "i" => "int",
        "j" => "unsigned int",
        "l" => "long",
        "m" => "unsigned long",
        "x" => "long long",
        "y" => "unsigned long long",
        "c" => "char",
        "f" => "float",
        "d" => "double",
        "e" => "long double",
        record => record.trim_start_matches(|c: char| c.is_ascii_digit()),
    };
    scalar.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_in_no_other_table() {
        assert!(C.is_sorted() && CXX.is_sorted_by_key(|&(name, ..)| name) && OTHERS.is_sorted());
        let names = C.iter().chain(CXX).map(|&(name, ..)| name).chain(OTHERS.iter().copied());
        // Device code has this one too.
        for name in names.filter(|&name| name != "printf") {
            let is_known = crate::sema::name::known_function::is_known(name);
            assert!(!is_known && crate::sema::builtin::named(name).next().is_none(), "{name}");
        }
    }

    #[test]
    fn sizes_are_narrower_with_narrow_addresses() {
        for (model, size, other) in
            [(DataModel::Lp64, Ty::ULONG, Ty::UINT), (DataModel::Ilp32, Ty::UINT, Ty::ULONG)]
        {
            let mut types = TypeTable::of(model);
            let text = types.with_quals(Ty::CHAR, Quals::CONST);
            let text = types.pointer_to(text);
            let of = |ret, params: &[Ty]| FuncTy { ret, params: params.to_vec(), variadic: false };
            assert_eq!(redeclared(&types, "strnlen", &of(size, &[text, size])), Some(Redeclared::C));
            assert_eq!(redeclared(&types, "strnlen", &of(size, &[text, other])), None);
            let is_other = redeclared(&types, "strlen", &of(other, &[text]));
            assert!(matches!(is_other, Some(Redeclared::OtherResult(_))), "{is_other:?}");
        }
    }

    #[test]
    fn compares_and_spells_types() {
        let mut types = TypeTable::new();
        let mut pointer = |to: Ty| {
            let to = types.with_quals(to, Quals::CONST);
            types.pointer_to(to)
        };
        let (text, memory) = (pointer(Ty::CHAR), pointer(Ty::VOID));
        let compare = FuncTy { ret: Ty::INT, params: vec![memory, memory], variadic: false };
        let compare = types.intern(TyKind::Func(compare), Quals::empty());
        let compare = types.pointer_to(compare);
        let of = |ret, params: &[Ty]| FuncTy { ret, params: params.to_vec(), variadic: false };
        let is = |name, func: &FuncTy| redeclared(&types, name, func);
        assert_eq!(is("atoi", &of(Ty::INT, &[text])), Some(Redeclared::C));
        assert_eq!(is("atoi", &FuncTy { variadic: true, ..of(Ty::INT, &[text]) }), None);
        assert_eq!(is("atoi", &of(Ty::INT, &[memory])), None);
        assert_eq!(is("rand", &of(Ty::INT, &[])), Some(Redeclared::C));
        assert_eq!(is("strchr", &of(text, &[text, Ty::INT])), Some(Redeclared::Cxx));
        let another = Some(Redeclared::OtherResult("const char *".to_owned()));
        assert_eq!(is("strchr", &of(Ty::INT, &[text, Ty::INT])), another);
        let sizes = [Ty::ULONG, Ty::ULONG];
        let bsearch = |ret| of(ret, &[memory, memory, sizes[0], sizes[1], compare]);
        assert_eq!(is("bsearch", &bsearch(Ty::INT)), Some(Redeclared::OtherResult("void *".to_owned())));
        assert_eq!(device_prototype("strlen").as_deref(), Some("__device__ size_t strlen(const char *)"));
        let of_const = "__device__ const char *strchr(const char *, int)";
        assert_eq!(device_prototype("strchr").as_deref(), Some(of_const));
        assert_eq!(device_prototype("fopencookie"), None);
        assert_eq!(spelling("P8_IO_FILE"), "_IO_FILE *");
        assert_eq!(spelling("PPKc"), "const char **");
    }
}
