//! Mathematical functions: of every overload `weftc`'s PTX computes what nvcc's does, bit for bit, at numbers at which functions
//! turn and at random ones; those for `float`, and operators, with the options that change them too. `WEFT_MATH_NUMBERS=100000`
//! takes more numbers.

use std::fs;
use std::process::ExitCode;

use weft_frontend::builtin_prototypes;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::math::{self, Function};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

/// How many overloads a file has.
const N_FUNCTIONS: usize = 40;

/// How many calls of each.
const N_CALLS: usize = 600;

const ARCH: &str = "sm_90";

/// The options that change results.
const OPTIONS: &[&str] = &[
    "-ftz=true",
    "-prec-div=false -prec-sqrt=false",
    "-prec-div=false -ftz=true",
    "-fmad=false",
    "-use_fast_math",
    "-use_fast_math -prec-div=true",
    "-use_fast_math -ftz=false",
];

/// Functions whose results may differ in their last bits, by how many units at most, and why.
const NEARLY: &[(&str, u64, &str)] = &[
    (
        "y1(double)",
        4,
        "a product lies in another block than its sum, where nvcc moves it there and fuses the two",
    ),
    (
        "float -$0(float)",
        0x7f_ffff,
        "LLVM's negation changes the sign alone, where nvcc's makes a zero of what is too small",
    ),
    (
        "float 1.0f / sqrtf($0)(float)",
        2,
        "LLVM makes one instruction of a root that may be approximate and its reciprocal",
    ),
    ("yn(int, double)", 64, "it calls y1, and its recurrence adds up what differs there"),
];

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
    let mut add = |option: &'static str, functions: &[Function]| {
        for (number, functions) in functions.chunks(N_FUNCTIONS).enumerate() {
            let functions = functions.to_vec();
            let gap = if option.is_empty() { "" } else { " " };
            let name = format!("math/{number}{gap}{option} ({} overloads, {n_calls} calls)", functions.len());
            suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, &functions, option, n_calls));
        }
    };
    add("", &[Function::operators(), functions.clone()].concat());
    let singles: Vec<Function> = functions.into_iter().filter(Function::is_plain_single).collect();
    for (idx, option) in OPTIONS.iter().enumerate() {
        // What each changes by itself is told by operators and all functions of few options.
        let is_whole = matches!(*option, "-ftz=true" | "-use_fast_math");
        let singles =
            if is_whole { singles.as_slice() } else { &singles[..singles.len().min(40 * (idx % 2))] };
        add(option, &[Function::operators(), singles.to_vec()].concat());
    }
    Ok(suite)
}

fn same_values(bench: &Bench, functions: &[Function], option: &str, n_calls: usize) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("math.src");
    fs::write(&source, math::source(functions)).map_err(|e| e.to_string())?;
    let settings =
        Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -O3 -w {option}"))?.settings(None)?;
    let ours = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
    let options: Vec<&str> = option.split_whitespace().collect();
    let theirs = bench.nvcc_ptx_with(&source, ARCH, &options, work.path())?;
    let mut different = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let words = math::inputs(function, n_calls, idx as u64);
        let ours = math::computed(&ours, idx, &words);
        let theirs = math::computed(&theirs, idx, &words);
        let declaration = function.declaration();
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(fault), _) => return Err(format!("{declaration}: {fault}")),
            (Ok(_), Err(fault)) => return Err(format!("{declaration}, by nvcc: {fault}")),
        };
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
