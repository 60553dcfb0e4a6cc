//! Compares CUDA's predefined macros in device compilation: nvcc's and `weftc`'s are the same for every
//! target of nvcc, and for the options that they depend on.
//!
//! nvcc's preprocessing determines the macros; both compilers expand them as strings, with `#`. nvcc's `-E`
//! lacks the macros of features, so its preprocessed text is taken from a compilation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::Failure;
use crate::runner::Bench;
use crate::tools::{self, Tool};

/// Macros that differ intentionally, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("CUDART_DEVICE", "`__device__` is a macro in nvcc, a word of the language in weftc"),
    ("__CUDACC_VER__", "a sentence that says what to use in its place"),
    ("__CUDART_API_PTDS", "for declarations of host functions"),
    ("__CUDART_API_PTSZ", "for declarations of host functions"),
    ("__CUDART_API_VERSION", "the sum is written out"),
    ("__NV_ATOMIC_ADDRESSOF", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_ALIGNOF", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_REQUIRES", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_RET", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_RET_TYPE", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_TEMP", "within CUDA's headers: C++"),
    ("__NV_ATOMIC_TRIVIALLY_COPYABLE", "within CUDA's headers: C++"),
    ("__NV_GLIBCXX_VERSION", "of the host's C++ library"),
    ("__NV_GLIBC_PROVIDES_IEC_60559_FUNCS", "of the host's C library"),
    ("__NV_SILENCE_DEPRECATION_BEGIN", "within CUDA's headers"),
    ("__NV_SILENCE_DEPRECATION_END", "within CUDA's headers"),
    ("__NV_SILENCE_HOST_DEPRECATION_BEGIN", "within CUDA's headers"),
    ("__NV_SILENCE_HOST_DEPRECATION_END", "within CUDA's headers"),
    ("__NV_TL_BUILTIN__", "within CUDA's headers"),
    ("__NV_TL__", "within CUDA's headers"),
    ("_NV_RSQRT_SPECIFIER", "within CUDA's headers"),
];

/// Options that macros depend on, or may depend on.
const OPTIONS: &[&[&str]] = &[
    &["-rdc=true"],
    &["-rdc=false"],
    &["-G"],
    &["-G", "-dopt=on"],
    &["-lineinfo"],
    &["-use_fast_math"],
    &["-ftz=true"],
    &["-fmad=false"],
    &["-O0"],
];

/// The answer to each question: the expansion of a macro, or that it is undefined.
type Answers = BTreeMap<String, String>;

/// Checks that the macros of every target of nvcc are the same.
///
/// # Errors
///
/// The differences, and listed differences that do not occur.
pub fn of_targets(bench: &Bench) -> Result<(), Failure> {
    let help = tools::run(bench.tools.tool(Tool::Nvcc)?.arg("--help"))?.success()?.stdout;
    let targets: BTreeSet<&str> = help.split('\'').filter(|word| word.starts_with("sm_")).collect();
    if targets.len() < 20 {
        return Err(format!("nvcc --help names few targets: {targets:?}"));
    }
    let rdc = "-rdc=true".to_owned();
    let options: Vec<_> = targets.iter().map(|target| vec![format!("-arch={target}"), rdc.clone()]).collect();
    compare(bench, &options, &targets)
}

/// Checks that the macros of options are the same.
///
/// # Errors
///
/// The differences, and listed differences that do not occur.
pub fn of_options(bench: &Bench) -> Result<(), Failure> {
    // The two compilers have different defaults of `-rdc`.
    let with = |options: &&[&str]| -> Vec<String> {
        let says_rdc = options.iter().any(|option| option.starts_with("-rdc"));
        let rdc = (!says_rdc).then_some("-rdc=true");
        ["-arch=sm_90a"].iter().chain(*options).copied().chain(rdc).map(str::to_owned).collect()
    };
    let lists: Vec<Vec<String>> = OPTIONS.iter().map(with).collect();
    compare(bench, &lists, &BTreeSet::from(["sm_90"]))
}

fn compare(bench: &Bench, lists: &[Vec<String>], targets: &BTreeSet<&str>) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut names: BTreeSet<String> = weft_runtime_shims::known_names().map(str::to_owned).collect();
    for options in lists {
        names.extend(defined_by_nvcc(bench, work.path(), options)?);
    }
    // `__NV_` is a prefix of what CUDA declares, and of its headers' internals.
    names.retain(|name| ["CUDA", "NVCC", "_NV_"].iter().any(|part| name.contains(part)));
    fs::write(work.path().join("asked.cu"), questions(&names, targets)).map_err(|e| e.to_string())?;

    let (mut wrong, mut differing) = (Vec::new(), BTreeSet::new());
    for options in lists {
        let nvccs = answers(&preprocessed_by_nvcc(bench, work.path(), "asked", options)?);
        let mut weftc = bench.tools.weftc();
        let said = tools::run(weftc.current_dir(work.path()).args(options).args(["-E", "-P", "asked.cu"]))?;
        let ours = answers(&said.success()?.stdout);
        if nvccs.len() < names.len() || ours.len() != nvccs.len() {
            return Err(format!("{options:?}: {} questions, {} answers", nvccs.len(), ours.len()));
        }
        for (asked, nvccs) in &nvccs {
            if ours.get(asked) == Some(nvccs) {
                continue;
            }
            differing.insert(asked.clone());
            if DIFFERENT.iter().all(|(name, _)| name != asked) {
                wrong.push(format!("{options:?}: {asked}: nvcc has {nvccs}, weftc {:?}", ours.get(asked)));
            }
        }
    }
    let gone = DIFFERENT.iter().filter(|(name, _)| !differing.contains(*name));
    wrong.extend(gone.map(|(name, reason)| format!("{name} ({reason}) does not differ")));
    if wrong.is_empty() { Ok(()) } else { Err(format!("macros that differ:\n  {}", wrong.join("\n  "))) }
}

/// A line for each question: whether a macro is defined, and its expansion.
fn questions(names: &BTreeSet<String>, targets: &BTreeSet<&str>) -> String {
    let mut text =
        "#define AS_TEXT(...) #__VA_ARGS__\n#define TEXT_OF(...) AS_TEXT(__VA_ARGS__)\n".to_owned();
    let mut ask = |condition: &str, name: &str, value: &str| {
        let answer = |value: &str| format!("const char *answer_{name} = {value};\n");
        let (there, missing) = (answer(&format!("TEXT_OF({value})")), answer("0"));
        text.push_str(&format!("#if {condition}\n{there}#else\n{missing}#endif\n"));
    };
    for name in names {
        ask(&format!("defined({name})"), name, name);
    }
    let numbers: BTreeSet<&str> =
        targets.iter().map(|target| target[3..].trim_end_matches(['a', 'f'])).collect();
    for number in numbers {
        ask(&format!("__CUDA_HAS_ARCH_SPECIFIC({number})"), &format!("specific_{number}"), "1");
        ask(&format!("__CUDA_HAS_ARCH_FAMILY_SPECIFIC({number})"), &format!("family_{number}"), "1");
        ask("1", &format!("feature_{number}"), &format!("__CUDA_ARCH_HAS_FEATURE__(SM{number}_ALL)"));
    }
    text
}

fn answers(text: &str) -> Answers {
    let answer = |line: &str| {
        let (name, value) = line.strip_prefix("const char *answer_")?.split_once(" = ")?;
        Some((name.to_owned(), value.to_owned()))
    };
    text.lines().filter_map(answer).collect()
}

/// The names of all macros at the end of an empty program.
fn defined_by_nvcc(bench: &Bench, work: &Path, options: &[String]) -> Result<Vec<String>, Failure> {
    fs::write(work.join("empty.cu"), "").map_err(|e| e.to_string())?;
    let options: Vec<String> = options.iter().cloned().chain(["-Xcompiler=-dM".to_owned()]).collect();
    let text = preprocessed_by_nvcc(bench, work, "empty", &options)?;
    let name = |line: &str| Some(line.strip_prefix("#define ")?.split([' ', '(']).next()?.to_owned());
    Ok(text.lines().filter_map(name).collect())
}

/// The output of nvcc's preprocessor for `NAME.cu` during a compilation.
fn preprocessed_by_nvcc(
    bench: &Bench,
    work: &Path,
    name: &str,
    options: &[String],
) -> Result<String, Failure> {
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.current_dir(work).args(["-std=c++17", "--ptx", "--keep", "-w"]).args(options);
    tools::run(nvcc.arg(format!("{name}.cu")))?.success()?;
    fs::read_to_string(work.join(format!("{name}.cpp1.ii"))).map_err(|e| e.to_string())
}
