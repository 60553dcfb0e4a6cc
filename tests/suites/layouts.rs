//! Random structs, unions and classes with bases: `weftc` and nvcc must give them the same layouts, and structs of C the same bytes.
//! `WEFT_LAYOUT_FILES` sets the number of files with classes, `WEFT_RANDOM_SEED` the first seed.

use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{Directives, Machine};
use weft_tests::runner::{Bench, Suite, values};
use weft_tests::tools::Tool;
use weft_tests::{class_layouts, layouts};

const N_FILES: u64 = 3;
const N_RECORDS: usize = 100;
const N_CLASSES: usize = 200;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for seed in 1..=N_FILES {
        let name = format!("layouts/seed-{seed} ({N_RECORDS} records)");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            same_layouts(bench, seed, "-w", |machine| layouts::source(seed, N_RECORDS, machine))
        });
        let name = format!("layouts/seed-{seed} ({N_RECORDS} records, 32-bit addresses)");
        let needs = [Tool::Nvcc, Tool::NarrowPtxas];
        suite.add(name, &needs, move |bench| {
            same_layouts(bench, seed, "-w -m32", |machine| layouts::source(seed, N_RECORDS, machine))
        });
    }
    let (first, n_files) = (number("WEFT_RANDOM_SEED")?.unwrap_or(1), number("WEFT_LAYOUT_FILES")?);
    for seed in first..first + n_files.unwrap_or(1) {
        let name = format!("layouts/classes-{seed} ({N_CLASSES} classes)");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            same_layouts(bench, seed, "-w", |_| class_layouts::source(seed, N_CLASSES))
        });
    }
    Ok(())
}

/// Compiles the file of a seed with both compilers. Keeps the file on a failure.
fn same_layouts(
    bench: &Bench,
    seed: u64,
    args: &str,
    make: impl Fn(Machine) -> String,
) -> Result<(), Failure> {
    let settings = Directives::parse(&format!("//@ args: {args}\n"))?.settings(None)?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let name = format!("layouts-{seed}.src");
    let source = work.path().join(&name);
    fs::write(&source, make(settings.machine())).map_err(|e| e.to_string())?;
    values::same_values(bench, &source, &settings).map(drop).map_err(|failure| {
        let kept = work.keep().join(name);
        format!("{failure}\nthe file is {}", kept.display())
    })
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(value) = env::var(variable) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("{variable}={value} is not a number"))
}
