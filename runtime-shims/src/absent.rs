//! Headers that programs for nvcc include and that do not ship, with the reason: what they declare is
//! the host's, or C++ that the language does not have.

/// Why a header does not ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// A part of the C++ library, which is templates and classes.
    CxxLibrary,
    /// A library of CUDA that is made of C++ templates, classes and namespaces.
    CudaTemplates,
    /// A library of CUDA that the host calls.
    CudaHost,
    /// A part of the host's operating system or C library.
    HostSystem,
}

impl Absent {
    /// The phrase of a message, after the name of the header.
    pub fn reason(self) -> &'static str {
        match self {
            Absent::CxxLibrary => "is a C++ standard library header, for host code only",
            Absent::CudaTemplates => "requires C++ templates, which Weft does not support",
            Absent::CudaHost => "is a header of a CUDA host library",
            Absent::HostSystem => "is a host system header",
        }
    }
}

/// The headers of the C++ library (C++17 20.5.1.2) but for those of C.
const CXX_LIBRARY: &[&str] = &[
    "algorithm",
    "any",
    "array",
    "atomic",
    "bit",
    "bitset",
    "cfenv",
    "charconv",
    "chrono",
    "clocale",
    "codecvt",
    "complex",
    "concepts",
    "condition_variable",
    "csetjmp",
    "csignal",
    "cuchar",
    "cwchar",
    "cwctype",
    "deque",
    "exception",
    "execution",
    "filesystem",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "initializer_list",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "limits",
    "list",
    "locale",
    "map",
    "memory",
    "memory_resource",
    "mutex",
    "new",
    "numbers",
    "numeric",
    "optional",
    "ostream",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "scoped_allocator",
    "set",
    "shared_mutex",
    "span",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "strstream",
    "system_error",
    "thread",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
];

/// Headers of CUDA's that device code uses and that are C++.
const CUDA_TEMPLATES: &[&str] = &[
    "cooperative_groups.h",
    "cuda_awbarrier.h",
    "cuda_pipeline.h",
    "cuda_texture_types.h",
    "cutil_math.h",
    "curand_kernel.h",
    "helper_math.h",
    "mma.h",
];

/// Headers of CUDA's that host code uses.
const CUDA_HOST: &[&str] = &[
    "cublas.h",
    "cublasLt.h",
    "cublas_v2.h",
    "cudaGL.h",
    "cudaProfiler.h",
    "cuda_gl_interop.h",
    "cuda_occupancy.h",
    "cuda_profiler_api.h",
    "cudnn.h",
    "cufft.h",
    "cufftXt.h",
    "curand.h",
    "cusolverDn.h",
    "cusparse.h",
    "cusparse_v2.h",
    "cutil.h",
    "cutil_inline.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_string.h",
    "helper_timer.h",
    "nccl.h",
    "npp.h",
    "nvJitLink.h",
    "nvToolsExt.h",
    "nvml.h",
    "nvrtc.h",
];

/// Headers of POSIX, of Windows and of the C library that are the host's alone.
const HOST_SYSTEM: &[&str] = &[
    "complex.h",
    "conio.h",
    "dirent.h",
    "dlfcn.h",
    "fcntl.h",
    "fenv.h",
    "getopt.h",
    "immintrin.h",
    "io.h",
    "libgen.h",
    "locale.h",
    "mpi.h",
    "netdb.h",
    "omp.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdatomic.h",
    "tgmath.h",
    "threads.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
    "windows.h",
    "x86intrin.h",
    "xmmintrin.h",
    "emmintrin.h",
    "tmmintrin.h",
    "pmmintrin.h",
    "smmintrin.h",
    "nmmintrin.h",
    "Windows.h",
    "mm_malloc.h",
    "direct.h",
    "process.h",
    "syslog.h",
    "termios.h",
    "utime.h",
    "regex.h",
    "glob.h",
];

/// Why the header of that name does not ship, if it is one of those that programs are known to include.
pub fn absent(name: &str) -> Option<Absent> {
    let starts_with_any = |folders: &[&str]| folders.iter().any(|folder| name.starts_with(folder));
    if CXX_LIBRARY.contains(&name) || starts_with_any(&["bits/", "ext/", "experimental/"]) {
        Some(Absent::CxxLibrary)
    } else if CUDA_TEMPLATES.contains(&name)
        || starts_with_any(&["cub/", "thrust/", "cuda/", "nv/", "cooperative_groups/", "cutlass/", "cute/"])
    {
        Some(Absent::CudaTemplates)
    } else if CUDA_HOST.contains(&name) {
        Some(Absent::CudaHost)
    } else if HOST_SYSTEM.contains(&name)
        || starts_with_any(&["sys/", "linux/", "asm/", "arpa/", "netinet/", "net/"])
    {
        Some(Absent::HostSystem)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explains_each_kind() {
        assert_eq!(absent("iostream"), Some(Absent::CxxLibrary));
        assert_eq!(absent("cub/cub.cuh"), Some(Absent::CudaTemplates));
        assert_eq!(absent("cublas_v2.h"), Some(Absent::CudaHost));
        assert_eq!(absent("sys/mman.h"), Some(Absent::HostSystem));
        assert_eq!(absent("kernel.h"), None);
    }

    #[test]
    fn shipped_headers_are_not_absent() {
        for name in crate::headers().filter(|name| !name.starts_with("sys/")) {
            assert_eq!(absent(name), None, "{name}");
        }
    }
}
