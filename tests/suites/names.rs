//! Random declarations: `weftc` and nvcc must use the same symbols.
//!
//! `WEFT_NAMES_FILES=300` compares more files.

use std::env;
use std::fs;

use weft_tests::Failure;
use weft_tests::names;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Tool};

const N_FILES: u64 = 4;
const N_FUNCTIONS: usize = 120;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_files = env::var("WEFT_NAMES_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(N_FILES);
    for seed in 1..=n_files {
        let name = format!("names/seed-{seed} ({N_FUNCTIONS} functions)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_symbols(bench, seed));
    }
    Ok(())
}

/// Compiles the file of a seed with both compilers. Keeps the file on a failure.
fn same_symbols(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join(format!("names-{seed}.src"));
    fs::write(&source, names::source(seed, N_FUNCTIONS)).map_err(|e| e.to_string())?;
    compare(bench, &source).map_err(|failure| {
        let kept = work.keep().join(format!("names-{seed}.src"));
        format!("{failure}\nthe file is {}", kept.display())
    })
}

fn compare(bench: &Bench, source: &std::path::Path) -> Result<(), Failure> {
    let mut weftc = bench.tools.weftc();
    weftc.arg(source).args(["-O0", "--emit=ptx", "-o", "-"]);
    let actual = names::symbols(&tools::run(&mut weftc)?.success()?.stdout);
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-arch=sm_75", "-rdc=true", "--ptx", "-w", "-o", "-"]).arg(source);
    let expected = names::symbols(&tools::run(&mut nvcc)?.success()?.stdout);
    if expected.len() < N_FUNCTIONS {
        return Err(format!("nvcc's text has {} symbols only", expected.len()));
    }
    let list =
        |a: &std::collections::BTreeSet<String>, b| a.difference(b).cloned().collect::<Vec<_>>().join("\n  ");
    let (missing, extra) = (list(&expected, &actual), list(&actual, &expected));
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    Err(format!("missing:\n  {missing}\nnot expected:\n  {extra}"))
}
