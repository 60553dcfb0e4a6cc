//! Instances of kernel templates that host code needs, `launches/*.cu`: `weftc` makes the kernels that nvcc makes, and warns where it
//! cannot tell which instance is meant.
//!
//! A program says what `weftc` does not tell, in comments of their own lines:
//!
//! ```text
//! // unknown: LINE       a warning `unknown-instance` at that line
//! // not made: SYMBOL    a kernel that nvcc alone makes
//! // args: OPTIONS       of weftc
//! ```
//!
//! Everything else must be the same, and there is no other message.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use weft_emulator::ptx::parse;
use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Directives, Emit};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/suites/launches"), "cu")? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        suite.add(format!("launches/{name}"), &[Tool::Nvcc], move |bench| same_kernels(bench, &path));
    }
    Ok(())
}

fn same_kernels(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let said = |key: &str| -> BTreeSet<String> {
        let prefix = format!("// {key}: ");
        text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
    };
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let out = work.path().join("weftc.ptx");
    let mut settings = Directives::parse("//@ args: --host-code=skip\n")?.settings(None)?;
    settings.args.extend(said("args").iter().flat_map(|args| args.split(' ').map(str::to_owned)));
    let answer = bench.weftc(path, Emit::Ptx, &settings, &out)?.success()?;
    let unknown = warned_lines(&answer.stderr).map_err(|why| answer.report(&why))?;
    same("unknown instances", &unknown, &said("unknown"))?;
    let ours = kernels("weftc", &fs::read_to_string(&out).map_err(|e| e.to_string())?)?;
    let theirs = kernels("nvcc", &bench.nvcc_ptx_with(path, DEFAULT_ARCH, &["-w"], work.path())?)?;
    let not_made = said("not made");
    if let Some(wrong) = not_made.iter().find(|&symbol| !theirs.contains(symbol)) {
        return Err(format!("nvcc does not make `{wrong}`"));
    }
    same("kernels", &ours, &theirs.difference(&not_made).cloned().collect())
}

/// The symbols of the kernels in PTX.
fn kernels(who: &str, ptx: &str) -> Result<BTreeSet<String>, Failure> {
    let module = parse(ptx).map_err(|error| format!("{who}: line {}: {}", error.line, error.message))?;
    Ok(module.functions.iter().filter(|it| it.is_entry).map(|it| it.name.to_owned()).collect())
}

/// The lines with the warning; an error if there is another message.
fn warned_lines(messages: &str) -> Result<BTreeSet<String>, String> {
    let mut lines = BTreeSet::new();
    let mut messages = messages.lines().peekable();
    while let Some(line) = messages.next() {
        if line.starts_with("warning[-Wunknown-instance]") {
            let place = messages.next().and_then(|place| place.rsplit(':').nth(1));
            lines.extend(place.map(str::to_owned));
        } else if line.starts_with("warning[") || line.starts_with("error") {
            return Err(format!("there is another message: {line}"));
        }
    }
    Ok(lines)
}

fn same(what: &str, ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> Result<(), Failure> {
    let only = |a: &BTreeSet<String>, b| a.difference(b).cloned().collect::<Vec<_>>().join(", ");
    match ours == theirs {
        true => Ok(()),
        false => {
            Err(format!("{what}: weftc alone has {}; missing are {}", only(ours, theirs), only(theirs, ours)))
        }
    }
}
