//! Compares `-Wall -Wextra` with clang: clang compiles each file in `ui/warnings/` as C++17 with CUDA's
//! qualifiers as empty macros, and both must warn of the same lines by the same names.
//!
//! A line with `// clang: name` is one of which only clang warns; [`ALONE`] are the warnings that clang
//! lacks, or enables with another option.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use weft_tests::Failure;
use weft_tests::annotation::parse_reported;
use weft_tests::directive::Directives;
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{self, Tool, repository};

/// clang's name, and ours if it differs.
const NAMES: &[(&str, &str)] = &[
    ("c++11-narrowing", "narrowing"),
    ("multichar", "multichar-constant"),
    ("register", "deprecated-register"),
    ("return-type", "missing-return"),
    ("unknown-pragmas", "unknown-pragma"),
    ("shift-count-negative", "shift-count"),
    ("shift-count-overflow", "shift-count"),
];

/// Our warnings that clang does not give, and why.
const ALONE: &[(&str, &str)] = &[
    ("device-printf", "clang does not know what device code prints"),
    ("pointer-arith", "clang has GNU C's arithmetic on `void *` in C alone"),
    ("tautological-unsigned-zero-compare", "GCC has it in -Wextra, clang under its own name"),
];

/// CUDA's qualifiers, which C++ compilers do not know.
const QUALIFIERS: &[&str] = &["__global__", "__device__", "__shared__", "__constant__"];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/ui/warnings"), "src")? {
        let shown = path.strip_prefix(repository().join("tests/ui/warnings")).unwrap_or(&path).display();
        let name = format!("clang_warnings/{shown}");
        suite.add(name, &[Tool::Clang], move |bench| same_warnings(bench, &path));
    }
    Ok(())
}

fn same_warnings(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let options = options(path, &text)?;
    let ours = ours(bench, path, &options, &work.path().join("out.ptx"))?;
    let theirs = theirs(bench, path, &options)?;
    let is_ours_alone = |code: &str| ALONE.iter().any(|(name, _)| *name == code);
    let marked = |(line, code): &&(usize, String)| {
        text.lines().nth(line - 1).is_some_and(|text| text.contains(&format!("// clang: {code}")))
    };
    let missing: Vec<_> = theirs.difference(&ours).filter(|warning| !marked(warning)).collect();
    let extra: Vec<_> = ours.difference(&theirs).filter(|(_, code)| !is_ours_alone(code)).collect();
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    Err(format!("clang alone warns at {missing:?}\nweftc alone warns at {extra:?}"))
}

/// The options of the test's own directive.
fn options(path: &Path, text: &str) -> Result<Vec<String>, Failure> {
    let located = |e: Failure| format!("{}: {e}", path.display());
    let directives = Directives::parse(text).map_err(located)?;
    let settings = directives.all_settings().map_err(located)?;
    Ok(settings.into_iter().flat_map(|settings| settings.args).collect())
}

fn ours(
    bench: &Bench,
    path: &Path,
    options: &[String],
    out: &PathBuf,
) -> Result<BTreeSet<(usize, String)>, Failure> {
    let mut weftc = bench.tools.weftc();
    weftc.arg(path).args(options).args(["--error-format=json", "-o"]).arg(out);
    let answer = tools::run(&mut weftc)?.success()?;
    Ok(parse_reported(&answer.stderr)?.into_iter().map(|reported| (reported.line, reported.code)).collect())
}

fn theirs(bench: &Bench, path: &Path, options: &[String]) -> Result<BTreeSet<(usize, String)>, Failure> {
    static WARNING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^.*?:(\d+):\d+: (?:warning|error): .* \[-W([^\],]+)\]$")
            .expect("invariant: a constant pattern compiles")
    });
    let mut clang = bench.tools.tool(Tool::Clang)?;
    clang.args(["-x", "c++", "-std=c++17", "-fsyntax-only"]).args(options);
    clang.args(QUALIFIERS.iter().map(|qualifier| format!("-D{qualifier}="))).arg(path);
    let answer = tools::run(&mut clang)?;
    let ours = |name: &str| {
        NAMES
            .iter()
            .find(|(theirs, _)| *theirs == name)
            .map_or(name.to_owned(), |(_, ours)| (*ours).to_owned())
    };
    let warnings = WARNING.captures_iter(&answer.stderr).map(|found| {
        let line = found[1].parse().map_err(|_| answer.report("a line that is not a number"))?;
        Ok((line, ours(&found[2])))
    });
    warnings.collect()
}
