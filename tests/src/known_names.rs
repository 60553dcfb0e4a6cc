//! The names that nvcc knows without a declaration: every identifier in its programs and headers is tried
//! with nvcc, and those that it knows with `weftc`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// A GPU for which all of them are known.
const ARCH: &str = "sm_90a";

/// The number of names per run: fewer than the errors after which `weftc` stops.
const N_AT_ONCE: usize = 90;

/// Names with a meaning in the preprocessor.
const OF_PREPROCESSOR: &[&str] = &["__has_", "_Pragma", "__pragma", "__VA_", "defined"];

/// The names known to nvcc that `weftc` reports as unknown; and the number of all names known to nvcc. Macros
/// are compared elsewhere ([`cuda_macros`](crate::cuda_macros)).
///
/// # Errors
///
/// If a program fails, or parts of nvcc are missing.
pub fn unknown(tools: &Tools, work: &Path) -> Result<(Vec<String>, usize), Failure> {
    let nvcc = PathBuf::from(tools.tool(Tool::Nvcc)?.get_program());
    let nvcc = nvcc.canonicalize().map_err(|e| format!("{}: {e}", nvcc.display()))?;
    let mut names = BTreeSet::new();
    for file in parts(&nvcc)? {
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        names.extend(identifiers(&bytes));
    }
    names.retain(|name| !OF_PREPROCESSOR.iter().any(|prefix| name.starts_with(prefix)));
    let macros = macros(tools, work)?;
    names.retain(|name| !macros.contains(name));
    let known = known_to_nvcc(tools, names.into_iter().collect(), work)?;
    let mut unknown = Vec::new();
    for some in known.chunks(N_AT_ONCE) {
        let source = written(some, work)?;
        let mut weftc = tools.weftc();
        weftc.arg(&source).args(["--error-format=short", "-w", "-fsyntax-only"]);
        let said = run(weftc.arg(format!("-arch={ARCH}")))?.stderr;
        let undeclared = said.lines().filter(|line| line.contains("error[undeclared-identifier]"));
        unknown.extend(undeclared.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())));
    }
    Ok((unknown, known.len()))
}

/// The front ends for device code and host code, and nvcc's headers.
fn parts(nvcc: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bin = nvcc.parent().ok_or("nvcc is in no folder")?;
    let root = bin.parent().ok_or("nvcc's folder is in no folder")?;
    let mut files = vec![bin.join("cudafe++"), root.join("nvvm/bin/cicc")];
    for folder in ["include", "include/crt"].map(|folder| root.join(folder)) {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        files.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "h" || it == "hpp")));
    }
    Ok(files)
}

/// Identifiers of at least four letters.
fn identifiers(bytes: &[u8]) -> impl Iterator<Item = String> {
    let words = bytes.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let is_name = |word: &&[u8]| word.len() > 3 && !word[0].is_ascii_digit();
    words.filter(is_name).map(|word| String::from_utf8_lossy(word).into_owned())
}

fn macros(tools: &Tools, work: &Path) -> Result<BTreeSet<String>, Failure> {
    let (source, list) = (work.join("empty.cu"), work.join("macros"));
    fs::write(&source, "\n").map_err(|e| e.to_string())?;
    let mut nvcc = tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-E", "-Xcompiler", "-dM", "-o"]).arg(&list).arg(&source);
    run(nvcc.arg(format!("-arch={ARCH}")))?.success()?;
    let list = fs::read_to_string(&list).map_err(|e| e.to_string())?;
    let names = list.lines().filter_map(|line| line.strip_prefix("#define "));
    Ok(names.filter_map(|line| Some(line.split([' ', '(']).next()?.to_owned())).collect())
}

/// The names that nvcc does not report as undefined.
fn known_to_nvcc(tools: &Tools, mut names: Vec<String>, work: &Path) -> Result<Vec<String>, Failure> {
    let source = written(&names, work)?;
    let mut nvcc = tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-rdc=true", "--ptx", "-w", "-Xcudafe", "--error_limit=10000000"]);
    nvcc.arg(format!("-arch={ARCH}")).arg("-o").arg(work.join("names.ptx")).arg(&source);
    let said = run(&mut nvcc)?.stderr;
    let undefined = |line: &str| {
        let (name, _) = line.split_once(": error: identifier \"")?.1.split_once("\" is undefined")?;
        Some(name.to_owned())
    };
    let undefined: BTreeSet<String> = said.lines().filter_map(undefined).collect();
    let n_all = names.len();
    names.retain(|name| !undefined.contains(name));
    if names.len() < 1000 || names.len() * 2 > n_all {
        return Err(format!("nvcc's errors were read wrongly: of {n_all} names it knows {}", names.len()));
    }
    Ok(names)
}

/// A file with a function for each name, which uses it.
fn written(names: &[String], work: &Path) -> Result<PathBuf, Failure> {
    let mut text = String::new();
    for (idx, name) in names.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "__device__ void weft_{idx}() {{ (void)({name}); }}");
    }
    let source = work.join("names.src");
    fs::write(&source, text).map_err(|e| e.to_string())?;
    Ok(source)
}
