//! The table of nvcc's options: spellings, arity, and what each does here.
//!
//! [`NVCC`] has every option that `nvcc --help` of CUDA 13.5 lists, in its order; [`OTHERS`] has options that nvcc does not list, and
//! those of host compilers and NVRTC. The command line is rewritten by this table, docs/reference/nvcc-options.md is generated from
//! it, and the suite `nvcc_options` compares it with nvcc.

/// An option.
#[derive(Debug)]
pub struct Row {
    /// Its long name, without dashes; empty if it has none.
    pub long: &'static str,
    /// Its short name, without the dash; empty if it has none.
    pub short: &'static str,
    /// Its values.
    pub arity: Arity,
    /// Which values nvcc takes, where no option of weftc checks them.
    pub takes: Takes,
    /// Its effect.
    pub does: Does,
}

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// No value.
    Flag,
    /// A value; of repeated ones, the last one counts.
    Value,
    /// Values separated by commas, to which repeated options add.
    List,
    /// A value that commas do not separate, to which repeated options add.
    Each,
}

/// The values of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Any,
    /// A number that is not negative.
    Number,
    /// One of these.
    OneOf(&'static [&'static str]),
}

impl Takes {
    /// Whether the value is one of them.
    pub fn has(self, value: &str) -> bool {
        match self {
            Takes::Any => true,
            Takes::Number => value.parse::<u32>().is_ok(),
            Takes::OneOf(all) => all.contains(&value),
        }
    }
}

/// The effect of an option.
#[derive(Debug)]
pub enum Does {
    /// Implemented by these options of weftc. Each gets the value, if there is one. None: by an option of the same name.
    Ours(&'static [&'static str]),
    /// Implemented: the options for each value. Other values are refused, with a reason if nvcc takes them.
    Values(&'static [(&'static str, &'static [&'static str])], &'static str),
    /// Implemented in [`super::rewrite`].
    Read(Reader),
    /// Passed on to a program, by this option of weftc.
    Passed(Program, &'static str),
    /// Accepted without an effect that could be missed; the reason.
    Silent(&'static str),
    /// Accepted without effect, with a warning; the reason.
    Warned(&'static str),
    /// Refused: the reason, and the nearest alternative.
    Refused(&'static str, &'static str),
}

/// A program that weftc runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The assembler.
    Ptxas,
    /// The linker of device code.
    Nvlink,
    /// Packs images into fat binaries.
    Fatbinary,
    /// The host compiler.
    Host,
}

/// Options that do not become one option with the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Warning numbers: an option with this prefix for each.
    Numbers(&'static str),
    /// Options of nvcc's frontend, of which those for warnings have an effect.
    Frontend,
    /// Options for the host compiler: its preprocessor's are ours, the others are passed on.
    Host,
    /// Kinds of warnings.
    WarningKinds,
    /// Unknown options are for the host compiler.
    ForwardToCompiler,
    /// Unknown options are for the host linker.
    ForwardToLinker,
    /// The names of files with options.
    Files,
}

impl Row {
    /// Its names as nvcc spells them.
    pub fn spellings(&self) -> impl Iterator<Item = String> {
        let long = (!self.long.is_empty()).then(|| format!("--{}", self.long));
        let short = (!self.short.is_empty()).then(|| format!("-{}", self.short));
        [long, short].into_iter().flatten()
    }

    /// Whether a value may follow the short name directly: `-Idir`.
    pub fn is_attachable(&self) -> bool {
        matches!(self.short, "I" | "D" | "U" | "O" | "t" | "l" | "L")
    }

    /// The options of weftc that it becomes; those of one value, if they depend on it.
    pub fn ours(&'static self) -> &'static [&'static str] {
        match &self.does {
            Does::Ours(ours) => ours,
            Does::Values(values, _) => {
                values.iter().map(|(_, ours)| *ours).max_by_key(|ours| ours.len()).unwrap_or(&[])
            }
            Does::Passed(_, ours) => std::slice::from_ref(ours),
            Does::Read(_) | Does::Silent(_) | Does::Warned(_) | Does::Refused(..) => &[],
        }
    }
}

/// All options.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    NVCC.iter().chain(OTHERS)
}

const fn flag(long: &'static str, short: &'static str, does: Does) -> Row {
    Row { long, short, arity: Arity::Flag, takes: Takes::Any, does }
}

const fn value(long: &'static str, short: &'static str, does: Does) -> Row {
    Row { long, short, arity: Arity::Value, takes: Takes::Any, does }
}

const fn each(long: &'static str, short: &'static str, does: Does) -> Row {
    Row { long, short, arity: Arity::Each, takes: Takes::Any, does }
}

const fn list(long: &'static str, short: &'static str, does: Does) -> Row {
    Row { long, short, arity: Arity::List, takes: Takes::Any, does }
}

/// The same with only these values.
const fn only(takes: Takes, row: Row) -> Row {
    Row { long: row.long, short: row.short, arity: row.arity, takes, does: row.does }
}

use Does::{Ours, Passed, Read, Refused, Silent, Values, Warned};
use Program::{Fatbinary, Host, Nvlink, Ptxas};

const NO_TILE: Does = Refused("weftc does not compile CUDA Tile code", "compile this file with nvcc");
const NO_LTO: Does = Refused(
    "weftc makes no code for link-time optimization",
    "link without it: `-dlink`; each object is optimized by itself",
);
const NO_HOST_LINK: &str = "weftc does not link host programs";
const WINDOWS: Does = Silent("only for Windows");
const TEMPLATE_DEPTH: Does = Silent("the limit is 200");
const TILE_ONLY: Does = Silent("only for CUDA Tile code");

/// The options of `nvcc --help`, in its order.
pub const NVCC: &[Row] = &[
    flag(
        "cuda",
        "cuda",
        Refused("weftc makes no C++ of host code", "`-c` makes an object for the host linker"),
    ),
    flag("cubin", "cubin", Ours(&["--cubin"])),
    flag("fatbin", "fatbin", Ours(&["--fatbin"])),
    flag("ptx", "ptx", Ours(&["--ptx"])),
    flag("optix-ir", "optix-ir", Refused("weftc makes no OptiX IR", "OptiX accepts PTX, too: `--ptx`")),
    flag("ltoir", "ltoir", NO_LTO),
    flag("enable-tile", "enable-tile", NO_TILE),
    value("tile-preview", "tile-preview", NO_TILE),
    flag("tile-only", "tile-only", NO_TILE),
    flag("simt-only", "simt-only", Silent("weftc compiles only SIMT code")),
    flag("tilebc", "tilebc", NO_TILE),
    flag("tilecubin", "tilecubin", NO_TILE),
    flag("tilefatbin", "tilefatbin", NO_TILE),
    list("tileiras-options", "Xtileiras", TILE_ONLY),
    flag("preprocess", "E", Ours(&["--preprocess"])),
    flag("generate-dependencies", "M", Ours(&["--generate-dependencies"])),
    flag("generate-nonsystem-dependencies", "MM", Ours(&["--generate-nonsystem-dependencies"])),
    flag("generate-dependencies-with-compile", "MD", Ours(&["--generate-dependencies-with-compile"])),
    flag(
        "generate-nonsystem-dependencies-with-compile",
        "MMD",
        Ours(&["--generate-nonsystem-dependencies-with-compile"]),
    ),
    value("dependency-output", "MF", Ours(&["--dependency-output"])),
    flag("generate-dependency-targets", "MP", Ours(&["--generate-dependency-targets"])),
    flag("compile", "c", Ours(&["-c"])),
    flag("device-c", "dc", Ours(&["--device-c"])),
    flag("device-w", "dw", Ours(&["-c", "--relocatable-device-code=false"])),
    flag("device-link", "dlink", Ours(&["--device-link"])),
    flag("link", "link", Refused(NO_HOST_LINK, "`-c` or `-dlink` make objects for nvcc or the host linker")),
    flag("lib", "lib", Ours(&["--lib"])),
    flag("run", "run", Refused(NO_HOST_LINK, "`weftc run` runs a kernel, without a host program")),
    value("output-file", "o", Ours(&["-o"])),
    list("pre-include", "include", Ours(&["--pre-include"])),
    flag(
        "objdir-as-tempdir",
        "objtemp",
        Silent("temporary files have no effect on outputs; TMPDIR is their folder"),
    ),
    list("library", "l", Passed(Nvlink, "--library")),
    list("define-macro", "D", Ours(&["--define-macro"])),
    list("undefine-macro", "U", Ours(&["--undefine-macro"])),
    list("include-path", "I", Ours(&["--include-path"])),
    list("system-include", "isystem", Ours(&["--system-include"])),
    list("library-path", "L", Passed(Nvlink, "--library-path")),
    value("output-directory", "odir", Ours(&["--output-directory"])),
    value("compiler-bindir", "ccbin", Ours(&["--host-compiler"])),
    flag(
        "allow-unsupported-compiler",
        "allow-unsupported-compiler",
        Silent("weftc does not check versions of host compilers"),
    ),
    value("archiver-binary", "arbin", Silent("weftc writes archives itself")),
    value("cudart", "cudart", Values(&[("none", &[]), ("shared", &[]), ("static", &[])], "")),
    value("cudadevrt", "cudadevrt", Ours(&["--cudadevrt"])),
    value("libdevice-directory", "ldir", Silent("nvcc ignores it, too, without `-noprof`")),
    value("target-directory", "target-dir", Warned("`--cuda-path` selects a toolkit")),
    flag("use-local-env", "use-local-env", WINDOWS),
    flag("force-cl-env-setup", "force-cl-env-setup", WINDOWS),
    flag("profile", "pg", Passed(Host, "--host-option=-pg")),
    flag("debug", "g", Ours(&["--debug"])),
    flag("device-debug", "G", Ours(&["--device-debug"])),
    flag("generate-line-info", "lineinfo", Ours(&["--line-info"])),
    only(
        Takes::OneOf(&["inline"]),
        list("optimization-info", "opt-info", Warned("weftc makes no optimization reports")),
    ),
    value("optimize", "O", Ours(&["-O"])),
    only(
        Takes::OneOf(&["0", "max", "mid", "min"]),
        value("Ofast-compile", "Ofc", Passed(Ptxas, "--ptxas-option=--Ofast-compile")),
    ),
    value("dopt", "dopt", Ours(&["--dopt"])),
    flag("dlink-time-opt", "dlto", NO_LTO),
    flag("lto", "lto", NO_LTO),
    flag("gen-opt-lto", "gen-opt-lto", Silent("nvcc ignores it, too, without `-dlto`")),
    only(Takes::Number, value("ftemplate-backtrace-limit", "ftemplate-backtrace-limit", TEMPLATE_DEPTH)),
    only(Takes::Number, value("ftemplate-depth", "ftemplate-depth", TEMPLATE_DEPTH)),
    flag("no-exceptions", "noeh", Passed(Host, "--host-option=-fno-exceptions")),
    flag("shared", "shared", Passed(Nvlink, "--nvlink-option=--shared")),
    value("x", "x", Ours(&["-x"])),
    value("std", "std", Ours(&["--std"])),
    value("stdlib", "stdlib", Values(&[("libc++", &[]), ("libstdc++", &[])], "")),
    flag(
        "no-host-device-initializer-list",
        "nohdinitlist",
        Silent("device code has no `std::initializer_list`"),
    ),
    flag(
        "no-host-device-move-forward",
        "nohdmoveforward",
        Silent("device code has no `std::move` and `std::forward`"),
    ),
    flag(
        "expt-relaxed-constexpr",
        "expt-relaxed-constexpr",
        Ours(&["--expt-relaxed-constexpr", "--define-macro=__CUDACC_RELAXED_CONSTEXPR__"]),
    ),
    flag("extended-lambda", "extended-lambda", Ours(&["--define-macro=__CUDACC_EXTENDED_LAMBDA__"])),
    flag(
        "expt-extended-lambda",
        "expt-extended-lambda",
        Ours(&["--define-macro=__CUDACC_EXTENDED_LAMBDA__"]),
    ),
    value("machine", "m", Ours(&["--machine"])),
    flag("m64", "m64", Ours(&["--machine=64"])),
    value(
        "apply-controls",
        "apply-controls",
        Refused("the file controls nvcc's compiler", "`-Xptxas -apply-controls=FILE` controls ptxas"),
    ),
    list("compiler-options", "Xcompiler", Read(Reader::Host)),
    list("linker-options", "Xlinker", Silent(NO_HOST_LINK)),
    list("archive-options", "Xarchive", Warned("weftc writes archives itself")),
    list("ptxas-options", "Xptxas", Passed(Ptxas, "--ptxas-option")),
    list("nvlink-options", "Xnvlink", Passed(Nvlink, "--nvlink-option")),
    list("nvprune-options", "Xnvprune", Silent("nvcc ignores it, too, without `-prune`")),
    value(
        "static-global-template-stub",
        "static-global-template-stub",
        Values(&[("true", &[]), ("false", &[])], ""),
    ),
    value(
        "device-entity-has-hidden-visibility",
        "device-entity-has-hidden-visibility",
        Values(
            &[("true", &[])],
            "the host's functions of kernels are hidden; call them from a function that is not",
        ),
    ),
    flag(
        "forward-unknown-to-host-compiler",
        "forward-unknown-to-host-compiler",
        Read(Reader::ForwardToCompiler),
    ),
    flag("forward-unknown-to-host-linker", "forward-unknown-to-host-linker", Read(Reader::ForwardToLinker)),
    flag("forward-unknown-opts", "forward-unknown-opts", Read(Reader::ForwardToCompiler)),
    flag("dont-use-profile", "noprof", Silent("weftc reads no profile; `--cuda-path` selects a toolkit")),
    flag("dryrun", "dryrun", Ours(&["--dryrun"])),
    flag("verbose", "v", Ours(&["--verbose"])),
    flag("verbose2", "v2", Ours(&["--verbose"])),
    value("threads", "t", Ours(&["--threads"])),
    value("fmax-errors", "fmax-errors", Ours(&["--fmax-errors"])),
    only(
        Takes::Number,
        value("split-compile", "split-compile", Passed(Ptxas, "--ptxas-option=--split-compile")),
    ),
    only(
        Takes::Number,
        value(
            "split-compile-extended",
            "split-compile-extended",
            Silent("nvcc ignores it, too, without `-dlto`"),
        ),
    ),
    flag("fdevice-syntax-only", "fdevice-syntax-only", Ours(&["--syntax-only"])),
    value("fdevice-time-trace", "fdevice-time-trace", Ours(&["--fdevice-time-trace"])),
    only(
        Takes::Number,
        value(
            "fdevice-time-trace-granularity",
            "fdevice-time-trace-granularity",
            Silent("a trace of weftc has few events"),
        ),
    ),
    flag("keep", "keep", Ours(&["--save-temps"])),
    value("keep-dir", "keep-dir", Ours(&["--keep-dir"])),
    flag("save-temps", "save-temps", Ours(&["--save-temps"])),
    flag(
        "clean-targets",
        "clean",
        Refused("weftc deletes no files", "delete the outputs in the build system"),
    ),
    value("time", "time", Ours(&["--time"])),
    list("run-args", "run-args", Silent("nvcc ignores it, too, without `-run`")),
    value("input-drive-prefix", "idp", WINDOWS),
    value("dependency-drive-prefix", "ddp", WINDOWS),
    value("drive-prefix", "dp", WINDOWS),
    value("dependency-target-name", "MT", Ours(&["--dependency-target-name"])),
    flag("no-align-double", "", Silent("only for 32-bit hosts")),
    flag("no-device-link", "nodlink", Silent("weftc links only with `-dlink`")),
    value("gpu-architecture", "arch", Ours(&["--arch"])),
    each("gpu-code", "code", Ours(&["--gpu-code"])),
    each("generate-code", "gencode", Ours(&["--generate-code"])),
    value("relocatable-device-code", "rdc", Ours(&["--relocatable-device-code"])),
    list("entries", "e", Passed(Ptxas, "--ptxas-option=--entry")),
    only(Takes::Number, value("maxrregcount", "maxrregcount", Passed(Ptxas, "--ptxas-option=-maxrregcount"))),
    flag("use_fast_math", "use_fast_math", Ours(&["--use-fast-math"])),
    value("ftz", "ftz", Ours(&["--ftz"])),
    value("prec-div", "prec-div", Ours(&["--prec-div"])),
    value("prec-sqrt", "prec-sqrt", Ours(&["--prec-sqrt"])),
    value("fmad", "fmad", Ours(&["--fmad"])),
    flag(
        "extra-device-vectorization",
        "extra-device-vectorization",
        Warned("weftc has one degree of vectorization"),
    ),
    flag("prune", "prune", Warned("weftc does not run nvprune")),
    value(
        "default-stream",
        "default-stream",
        Values(
            &[
                ("legacy", &[]),
                ("null", &[]),
                (
                    "per-thread",
                    &[
                        "--define-macro=CUDA_API_PER_THREAD_DEFAULT_STREAM=1",
                        "--host-option=-DcudaLaunchKernel=cudaLaunchKernel_ptsz",
                    ],
                ),
            ],
            "",
        ),
    ),
    flag("disable-warnings", "w", Ours(&["-w"])),
    flag(
        "keep-device-functions",
        "keep-device-functions",
        Warned("without `-rdc=false`, PTX has all functions"),
    ),
    flag("source-in-ptx", "src-in-ptx", Ours(&["--source-in-ptx"])),
    flag("restrict", "restrict", Ours(&["--restrict"])),
    flag("Wreorder", "Wreorder", Silent("device code has no constructors")),
    flag(
        "Wdefault-stream-launch",
        "Wdefault-stream-launch",
        Warned("weftc does not compile launches in host code"),
    ),
    flag("Wmissing-launch-bounds", "Wmissing-launch-bounds", Warned("weftc has no such warning")),
    flag("Wext-lambda-captures-this", "Wext-lambda-captures-this", Silent("Weft has no extended lambdas")),
    flag(
        "Wno-deprecated-declarations",
        "Wno-deprecated-declarations",
        Ours(&["-Wno-deprecated-declarations"]),
    ),
    flag("Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Silent("weftc has no such warning")),
    flag("Wconversion", "Wconversion", Ours(&["-Wconversion"])),
    list("Werror", "Werror", Read(Reader::WarningKinds)),
    flag("resource-usage", "res-usage", Ours(&["--resource-usage"])),
    flag(
        "extensible-whole-program",
        "ewp",
        Refused(
            "weftc does not compile extensible whole programs",
            "`-rdc=true` makes code that can be linked",
        ),
    ),
    flag("no-compress", "no-compress", Passed(Fatbinary, "--fatbinary-option=--compress=false")),
    value(
        "qpp-config",
        "qpp-config",
        Refused("weftc does not support QNX's compiler", "`-Xcompiler -V…` passes it on"),
    ),
    flag(
        "compile-as-tools-patch",
        "astoolspatch",
        Refused("weftc makes no patches for CUDA's tools", "compile this file with nvcc"),
    ),
    flag("list-gpu-code", "code-ls", Ours(&["--list-gpu-code"])),
    flag("list-gpu-arch", "arch-ls", Ours(&["--list-gpu-arch"])),
    flag("display-error-number", "err-no", Silent("messages of weftc have names")),
    flag("no-display-error-number", "no-err-no", Silent("messages of weftc have names")),
    only(Takes::Number, list("diag-error", "diag-error", Read(Reader::Numbers("-Werror=nvcc-")))),
    only(Takes::Number, list("diag-suppress", "diag-suppress", Read(Reader::Numbers("-Wno-nvcc-")))),
    only(Takes::Number, list("diag-warn", "diag-warn", Read(Reader::Numbers("-Wnvcc-")))),
    value(
        "host-linker-script",
        "hls",
        Values(&[("use-lcs", &[])], "weftc makes no linker scripts; `nvcc -hls=gen-lcs` does"),
    ),
    flag("augment-host-linker-script", "aug-hls", Silent(NO_HOST_LINK)),
    flag(
        "relocatable-link",
        "r",
        Refused(
            "weftc does not link device code incrementally",
            "link all objects at once, or collect them with `-lib`",
        ),
    ),
    value(
        "brief-diagnostics",
        "brief-diag",
        Values(&[("true", &["--error-format=short"]), ("false", &[])], ""),
    ),
    only(
        Takes::Number,
        value("jump-table-density", "jtd", Warned("LLVM decides which `switch` becomes a table")),
    ),
    flag("relocatable-ptx", "reloc-ptx", Warned("fat binaries of `-dlink` have no PTX")),
    only(
        Takes::OneOf(&["true", "false"]),
        value(
            "device-stack-protector",
            "device-stack-protector",
            Passed(Ptxas, "--ptxas-option=--device-stack-protector"),
        ),
    ),
    value("compress-mode", "compress-mode", Passed(Fatbinary, "--fatbinary-option=--compress-mode")),
    flag("concat", "concat", Passed(Fatbinary, "--fatbinary-option=--concat")),
    value("frandom-seed", "frandom-seed", Passed(Host, "--host-option=-frandom-seed")),
    only(
        Takes::OneOf(&["memcheck"]),
        value("fdevice-sanitize", "fdevice-sanitize", Passed(Ptxas, "--ptxas-option=-sanitize")),
    ),
    flag("jobserver", "jobserver", Silent("`--threads` limits the number of programs")),
    flag(
        "skip-ptx-semantics-check",
        "skip-ptx-semantics-check",
        Silent("weftc leaves checks of PTX to ptxas"),
    ),
    flag("utf-8", "utf-8", Silent("sources are UTF-8")),
    flag(
        "safety-compatibility",
        "safety-compat",
        Refused("weftc makes no code for safety certified drivers", "compile this file with nvcc"),
    ),
    flag("help", "h", Ours(&[])),
    flag("version", "V", Ours(&[])),
    list("options-file", "optf", Read(Reader::Files)),
];

/// Options of nvcc that its help does not list, and those of host compilers and of NVRTC.
pub const OTHERS: &[Row] = &[
    list("fatbin-options", "Xfatbin", Passed(Fatbinary, "--fatbinary-option")),
    list("cudafe-options", "Xcudafe", Read(Reader::Frontend)),
    list("cicc-options", "Xcicc", Warned("weftc does not run cicc")),
    flag("", "m32", Ours(&["--machine=32"])),
    flag("", "fsyntax-only", Ours(&["--syntax-only"])),
    flag("", "default-device", Ours(&["--device-as-default-execution-space"])),
    each("", "MQ", Ours(&["--dependency-target-name"])),
    value("", "fdebug-compilation-dir", Ours(&["--debug-compilation-dir"])),
    value("", "ffile-compilation-dir", Ours(&["--debug-compilation-dir"])),
    value("", "fdiagnostics-color", Ours(&["--color"])),
    value("", "print-prog-name", Ours(&["--print-prog-name"])),
    flag(
        "",
        "fminimize-whitespace",
        Silent("it changes only blanks in the text of clang's `-E`; caches add it"),
    ),
    each("", "fdebug-prefix-map", Ours(&["--debug-prefix-map"])),
    each("", "fmacro-prefix-map", Ours(&["--macro-prefix-map"])),
    each("", "ffile-prefix-map", Ours(&["--debug-prefix-map", "--macro-prefix-map"])),
];
