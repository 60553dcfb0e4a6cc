//! Mathematical functions: of every overload `weftc`'s PTX computes what nvcc's does, bit for bit, at numbers at which functions
//! turn and at random ones; those for `float`, and operators, with the options that change them too. `WEFT_MATH_NUMBERS=100000`
//! takes more numbers. `WEFT_MATH_PAGE=docs/math.md` writes what came of it as a page.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Mutex;

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

/// A function whose results may differ in their last bits.
struct Nearly {
    /// As it is declared, `__builtin_` aside.
    function: &'static str,
    /// With which options alone.
    options: &'static [&'static str],
    /// By how many units of the last place at most.
    max_units: u64,
    why: &'static str,
}

const NEARLY: &[Nearly] = &[
    Nearly {
        function: "double y1(double)",
        options: &[""],
        max_units: 4,
        why: "a product lies in another block than its sum, where nvcc moves it there and fuses the two",
    },
    Nearly {
        function: "double yn(int, double)",
        options: &[""],
        max_units: 64,
        why: "it calls y1, and its recurrence adds up what differs there",
    },
    Nearly {
        function: "float: -$0 of float",
        options: &[
            "-ftz=true",
            "-prec-div=false -ftz=true",
            "-use_fast_math",
            "-use_fast_math -prec-div=true",
        ],
        max_units: 0x7f_ffff,
        why: "LLVM's negation changes the sign alone, where nvcc's makes a zero of what is too small",
    },
    Nearly {
        function: "float: 1.0f / sqrtf($0) of float",
        options: &["-use_fast_math -prec-div=true"],
        max_units: 2,
        why: "LLVM makes one instruction of a root that may be approximate and its reciprocal",
    },
];

/// What came of each function, by the options.
static VERDICTS: Mutex<BTreeMap<String, BTreeMap<String, String>>> = Mutex::new(BTreeMap::new());

fn main() -> ExitCode {
    let exit = Suite::run(suite());
    let Ok(path) = env::var("WEFT_MATH_PAGE") else { return exit };
    match n_calls().and_then(|n_calls| fs::write(&path, page(n_calls)).map_err(|e| format!("{path}: {e}"))) {
        Ok(()) => exit,
        Err(failure) => {
            // Nobody reads it if this fails too.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn n_calls() -> Result<usize, Failure> {
    match env::var("WEFT_MATH_NUMBERS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_MATH_NUMBERS is no number: {n}")),
        Err(_) => Ok(N_CALLS),
    }
}

/// The verdicts as a page.
fn page(n_calls: usize) -> String {
    let columns = ["", "-ftz=true", "-use_fast_math"];
    let mut page = format!(
        "# Mathematical functions, beside nvcc\n\n\
         Written by `WEFT_MATH_NUMBERS={n_calls} WEFT_MATH_PAGE=docs/math.md cargo test -p weft-tests --test math`, not by hand.\n\n\
         Each function is called {n_calls} times with numbers at which functions turn and random ones, in the PTX of `weftc` and in\n\
         that of nvcc for {ARCH}, executed on the emulator. \"equal\": all results are the same, bit for bit. An empty field: not\n\
         compared with these options. Functions with `__builtin_` before their names are compared too, and are not listed.\n\n\
         | function | default | `-ftz=true` | `-use_fast_math` |\n|---|---|---|---|\n"
    );
    let Ok(verdicts) = VERDICTS.lock() else { return page };
    for (function, by_option) in verdicts.iter().filter(|(function, _)| !function.contains("__builtin_")) {
        let cell = |column: &&str| by_option.get(*column).map_or("", String::as_str).to_owned();
        let cells: Vec<String> = columns.iter().map(cell).collect();
        let _ = writeln!(page, "| `{}` | {} |", function.replace('|', "\\|"), cells.join(" | "));
    }
    page.push_str("\nWhat differs, and why:\n\n");
    for Nearly { function, options, max_units, why } in NEARLY {
        let options: Vec<String> =
            options.iter().filter(|it| !it.is_empty()).map(|it| format!("`{it}`")).collect();
        let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(" or ")) };
        let _ =
            writeln!(page, "- `{function}`{with}, by {max_units} units of the last place at most: {why}.");
    }
    page
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let n_calls = n_calls()?;
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
    for option in OPTIONS {
        // All functions with each option once; what else comes of mixing them, operators tell.
        let is_whole = !option.contains(' ') || *option == "-prec-div=false -prec-sqrt=false";
        let singles = if is_whole { singles.as_slice() } else { &[] };
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
        let plain = declaration.replace("__builtin_", "");
        let nearly = NEARLY.iter().find(|it| it.function == plain && it.options.contains(&option));
        let max_units = nearly.map_or(0, |it| it.max_units);
        let verdict = match math::differences(&words, &ours, &theirs, 0) {
            None => "equal".to_owned(),
            Some((n, _)) => format!("{n} differ"),
        };
        if let Ok(mut verdicts) = VERDICTS.lock() {
            verdicts.entry(declaration.clone()).or_default().insert(option.to_owned(), verdict);
        }
        if let Some((n, first)) = math::differences(&words, &ours, &theirs, max_units) {
            different.push_str(&format!("{declaration}: {n} of {n_calls} differ; {first}\n"));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}
