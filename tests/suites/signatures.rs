//! Random signatures: `weftc` and nvcc must give every function and kernel the same prototype.

use std::fs;
use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::directive::Directives;
use weft_tests::runner::{Bench, Suite, abi};
use weft_tests::signature;
use weft_tests::tools::Tool;

const N_FILES: u64 = 4;
const N_SIGNATURES: usize = 150;

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    for seed in 1..=N_FILES {
        let name = format!("signatures/seed-{seed} ({N_SIGNATURES} signatures)");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same_prototypes(bench, seed));
    }
    Ok(suite)
}

/// Compiles the file of a seed by both compilers. On a failure the file stays, for whoever looks.
fn same_prototypes(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join(format!("signatures-{seed}.src"));
    fs::write(&source, signature::source(seed, N_SIGNATURES)).map_err(|e| e.to_string())?;
    let settings = abi::levels(&Directives::parse("")?)?;
    abi::same_prototypes(bench, &source, &settings).map_err(|failure| {
        let kept = work.keep().join(format!("signatures-{seed}.src"));
        format!("{failure}\nthe file is {}", kept.display())
    })
}
