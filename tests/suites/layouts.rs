//! Random structs and unions: `weftc` and nvcc must give them the same layouts and bytes.

use std::fs;

use weft_tests::Failure;
use weft_tests::directive::Directives;
use weft_tests::layouts;
use weft_tests::runner::{Bench, Suite, values};
use weft_tests::tools::Tool;

const N_FILES: u64 = 3;
const N_RECORDS: usize = 100;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for seed in 1..=N_FILES {
        let name = format!("layouts/seed-{seed} ({N_RECORDS} records)");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same_layouts(bench, seed, "-w"));
        let name = format!("layouts/seed-{seed} ({N_RECORDS} records, 32-bit addresses)");
        let needs = [Tool::Nvcc, Tool::NarrowPtxas];
        suite.add(name, &needs, move |bench| same_layouts(bench, seed, "-w -m32"));
    }
    Ok(())
}

/// Compiles the file of a seed with both compilers. Keeps the file on a failure.
fn same_layouts(bench: &Bench, seed: u64, args: &str) -> Result<(), Failure> {
    let settings = Directives::parse(&format!("//@ args: {args}\n"))?.settings(None)?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let name = format!("layouts-{seed}.src");
    let source = work.path().join(&name);
    fs::write(&source, layouts::source(seed, N_RECORDS, settings.machine())).map_err(|e| e.to_string())?;
    values::same_values(bench, &source, &settings).map(drop).map_err(|failure| {
        let kept = work.keep().join(name);
        format!("{failure}\nthe file is {}", kept.display())
    })
}
