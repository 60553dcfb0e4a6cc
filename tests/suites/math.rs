//! Mathematical functions: of every overload `weftc`'s PTX computes what nvcc's does, bit for bit, at numbers at which functions
//! turn and at random ones. `WEFT_MATH_NUMBERS=100000` takes more of them.

use std::fs;
use std::process::ExitCode;

use weft_frontend::builtin_prototypes;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::math::{self, Function};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

/// How many overloads a file has.
const N_FUNCTIONS: usize = 20;

/// How many calls of each.
const N_CALLS: usize = 1_000;

const ARCH: &str = "sm_90";

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let n_calls = match std::env::var("WEFT_MATH_NUMBERS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_MATH_NUMBERS is no number: {n}"))?,
        Err(_) => N_CALLS,
    };
    let functions: Vec<Function> = builtin_prototypes().iter().filter_map(Function::of).collect();
    for (number, functions) in functions.chunks(N_FUNCTIONS).enumerate() {
        let functions = functions.to_vec();
        let name = format!("math/{number} ({} overloads, {n_calls} calls)", functions.len());
        suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, &functions, n_calls));
    }
    Ok(suite)
}

/// Functions whose results may differ in their last bits, by how many units at most, and why.
const NEARLY: &[(&str, u64, &str)] = &[
    (
        "y1(double)",
        4,
        "a product lies in another block than its sum, where nvcc moves it there and fuses the two",
    ),
    ("yn(int, double)", 64, "it calls y1, and its recurrence adds up what differs there"),
];

fn same_values(bench: &Bench, functions: &[Function], n_calls: usize) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("math.src");
    fs::write(&source, math::source(functions)).map_err(|e| e.to_string())?;
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -O3 -w"))?.settings(None)?;
    let ours = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
    let theirs = bench.nvcc_ptx(&source, ARCH, work.path())?;
    let mut different = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let words = math::inputs(function, n_calls, idx as u64);
        let ours =
            math::computed(&ours, idx, &words).map_err(|e| format!("{}: {e}", function.declaration()))?;
        let theirs =
            math::computed(&theirs, idx, &words).map_err(|e| format!("{}: {e}", function.declaration()))?;
        let declaration = function.declaration();
        let nearly = NEARLY.iter().find(|(name, ..)| {
            declaration.trim_start_matches("double ").trim_start_matches("__builtin_") == *name
        });
        let max_units = nearly.map_or(0, |&(_, max_units, _)| max_units);
        if let Some((n, first)) = math::differences(&words, &ours, &theirs, max_units) {
            different.push_str(&format!("{declaration}: {n} of {n_calls} differ; {first}\n"));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}
