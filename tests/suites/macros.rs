//! Random macros: `weftc` and g++, whose preprocessor nvcc runs, must expand them to the same tokens.

use std::fs;
use std::path::Path;

use weft_tests::Failure;
use weft_tests::macros::Program;
use weft_tests::preprocessed::{by_gxx, by_weftc, compare, tokens};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

const N_PROGRAMS: u64 = 24;
const N_INVOCATIONS: usize = 100;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    // More of them, for changes to the preprocessor.
    let n_programs = std::env::var("WEFT_MACRO_PROGRAMS").ok().and_then(|n| n.parse().ok());
    for seed in 1..=n_programs.unwrap_or(N_PROGRAMS) {
        let name = format!("macros/seed-{seed} ({N_INVOCATIONS} invocations)");
        suite.add(name, &[Tool::Gxx], move |bench| same_tokens(bench, seed));
    }
    Ok(())
}

/// Expands the program of a seed with both compilers. Keeps the file on a failure.
fn same_tokens(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join(format!("macros-{seed}.src"));
    let program = Program::new(seed, N_INVOCATIONS);
    check(bench, &program, &source).map_err(|failure| {
        let kept = work.keep().join(format!("macros-{seed}.src"));
        format!("{failure}\nthe file is {}", kept.display())
    })
}

fn check(bench: &Bench, program: &Program, source: &Path) -> Result<(), Failure> {
    let write = |text: String| fs::write(source, text).map_err(|e| e.to_string());
    write(program.text(&[]))?;
    // Invalid invocations, such as those that paste invalid tokens.
    let said = by_gxx(&bench.tools, source, true)?.stderr;
    let wrong: Vec<usize> = said.lines().filter_map(|line| line.split(':').nth(1)?.parse().ok()).collect();
    write(program.text(&wrong))?;
    let answer = by_gxx(&bench.tools, source, true)?.success()?;
    let left = N_INVOCATIONS - wrong.len().min(N_INVOCATIONS);
    if left < N_INVOCATIONS / 20 {
        return Ok(());
    }
    compare(&tokens(&by_weftc(&bench.tools, source)?), &tokens(&answer.stdout))
}
