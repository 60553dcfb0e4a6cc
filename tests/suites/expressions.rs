//! Random expressions over constants: `weftc` and nvcc must fold them to the same values.

use std::fs;

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::expression;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

const N_FILES: u64 = 6;
const N_FUNCTIONS: usize = 250;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for seed in 1..=N_FILES {
        let name = format!("expressions/seed-{seed} ({N_FUNCTIONS} functions)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, seed, "-O3 -w"));
        let name = format!("expressions/seed-{seed} ({N_FUNCTIONS} functions, 32-bit addresses)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, seed, "-O3 -w -m32"));
    }
    Ok(())
}

fn same_values(bench: &Bench, seed: u64, args: &str) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("expressions.src");
    let text = expression::source(seed, N_FUNCTIONS);
    fs::write(&source, &text).map_err(|e| e.to_string())?;
    let settings = Directives::parse(&format!("//@ args: {args}"))?.settings(None)?;
    let ours = expression::returned(&bench.emit(&source, Emit::Ptx, &settings, work.path())?);
    let theirs = expression::returned(&bench.oracle_ptx(&source, &settings, work.path())?);
    expression::compare(&text, &theirs, &ours)
}
