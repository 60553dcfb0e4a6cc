//! The names visible without an include: `runtime-shims` and nvcc must agree on each.
//!
//! nvcc includes CUDA's headers before the first line, and with them much of the host's C library. Names that
//! `weftc` predeclares must be visible in nvcc, and names for which it requires an include must not. CUDA's
//! macros, including those for the GPU, are compared target by target (`src/cuda_macros.rs`).

use std::collections::BTreeSet;
use std::fs;

use weft_runtime_shims::{known, known_names};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Tool};
use weft_tests::{Failure, cuda_macros};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add("headers/nvcc has what needs no include".to_owned(), &[Tool::Nvcc], known_is_there);
    suite.add("headers/nvcc has not what needs one".to_owned(), &[Tool::Nvcc], others_are_not_there);
    suite.add("headers/nvcc's own macros are known".to_owned(), &[Tool::Nvcc], macros_are_known);
    suite.add("headers/macros of each target".to_owned(), &[Tool::Nvcc], cuda_macros::of_targets);
    suite.add("headers/macros of options".to_owned(), &[Tool::Nvcc], cuda_macros::of_options);
    Ok(())
}

/// Names that belong to Weft.
const OURS: &[&str] = &["__WEFT__"];

fn known_is_there(bench: &Bench) -> Result<(), Failure> {
    let names = known_names().filter(|name| !OURS.contains(name));
    let missing = invisible(bench, names)?;
    none("known without an include to weftc alone", &missing)
}

/// Names of a host variable without the include, and of a struct with it.
const VARIABLES: &[&str] = &["timezone"];

fn others_are_not_there(bench: &Bench) -> Result<(), Failure> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for header in weft_runtime_shims::headers() {
        let text = weft_runtime_shims::header(header).unwrap_or_default();
        let names_of_it = weft_runtime_shims::names(text);
        names.extend(names_of_it.filter(|name| known(name).is_none() && !VARIABLES.contains(name)));
    }
    let invisible = invisible(bench, names.iter().copied())?;
    let visible: Vec<&str> = names.into_iter().filter(|name| !invisible.contains(*name)).collect();
    none("known without an include to nvcc alone", visible)
}

/// Names that are unknown to nvcc: neither macros, nor types, nor enumerators.
fn invisible<'n>(bench: &Bench, names: impl Iterator<Item = &'n str>) -> Result<BTreeSet<String>, Failure> {
    // `sizeof` accepts types and values; a macro may expand to anything. Errors are identified by line.
    let names: Vec<&str> = names.collect();
    let mut text = String::new();
    for name in &names {
        text.push_str(&format!(
            "#ifndef {name}\nconstexpr unsigned long size_{name} = sizeof(__typeof__({name}) *);\n#endif\n"
        ));
    }
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("names.cu");
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-std=c++17", "-arch=sm_90", "--ptx", "-w", "-Xcudafe", "--error_limit=10000", "-o"]);
    let answer = tools::run(nvcc.arg(work.path().join("out.ptx")).arg(&source))?;
    let said = answer.stderr.lines().filter(|line| line.contains(": error:"));
    let undefined = |line: &str| {
        let line: usize = line.split_once("names.cu(")?.1.split_once(')')?.0.parse().ok()?;
        names.get((line - 1) / 3).map(|name| (*name).to_owned())
    };
    Ok(said.filter_map(undefined).collect())
}

/// Macros of nvcc that are intentionally omitted, by prefix.
const LEFT_OUT: &[&str] = &[
    // They promise what the language lacks.
    "__cpp_",
    "__DEC",
    "__FLT16",
    "__FLT32",
    "__FLT64",
    "__FLT128",
    "__SIZEOF_FLOAT",
    "__EXCEPTIONS",
    "__GXX_RTTI",
    "__GLIBCXX_",
    "HUGE_VALL",
    "HUGE_VAL_F",
    "SNAN",
];

fn macros_are_known(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("empty.cu");
    fs::write(&source, "").map_err(|e| e.to_string())?;
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-std=c++17", "-arch=sm_90", "-rdc=true", "-E", "-Xcompiler", "-dM"]).arg(&source);
    let answer = tools::run(&mut nvcc)?.success()?;
    let names = answer.stdout.lines().filter_map(|line| {
        let rest = line.strip_prefix("#define ")?;
        rest.split([' ', '(']).next()
    });
    let is_ours =
        |name: &str| known(name).is_some() || LEFT_OUT.iter().any(|prefix| name.starts_with(prefix));
    // Names that begin with an underscore are reserved (C++17 20.5.4.3.2).
    let unknown: Vec<&str> = names.filter(|name| !name.starts_with('_') && !is_ours(name)).collect();
    none("macros of nvcc's that a program could take for a name of its own", unknown)
}

fn none(what: &str, names: impl IntoIterator<Item: AsRef<str>>) -> Result<(), Failure> {
    let names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
    if names.is_empty() { Ok(()) } else { Err(format!("{what}:\n  {}", names.join("\n  "))) }
}
