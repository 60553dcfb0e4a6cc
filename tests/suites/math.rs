//! Mathematical functions: the PTX of `weftc` computes the same as nvcc's, bit for bit, for every overload,
//! within the error bounds of CUDA's guide, for boundary values and random numbers; `float` functions, and
//! operators, also with the options that change them. A function that is called once is built inline at its
//! call, and must compute the same as otherwise. `WEFT_MATH_NUMBERS=100000` tries more numbers.
//! `WEFT_MATH_PAGE=docs/reference/math.md` writes the results as a page.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;

use weft_frontend::builtin_prototypes;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::math::{self, Function, Kernels};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

/// The number of overloads per file.
const N_FUNCTIONS: usize = 40;

/// The number of calls of each.
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

/// The options with which functions are tried alone in a program.
const ALONE: &[&str] = &["-O3", "-O1 -ftz=true -lineinfo -fmad=false"];

/// A function whose results may differ in their last bits.
struct Nearly {
    /// Its declaration, without `__builtin_`.
    function: &'static str,
    /// The only options for which they may.
    options: &'static [&'static str],
    /// The maximum difference in units in the last place.
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

/// A function with results beyond the guide's bound.
struct Beyond {
    /// Its declaration, without `__builtin_` and the type in the name.
    function: &'static str,
    /// The only options for which this is so; all if empty.
    options: &'static [&'static str],
    /// The arguments whose results are excused, whatever they are.
    excused: fn(&[f64]) -> bool,
    /// The maximum error of others in units in the last place.
    max_units: u64,
    why: &'static str,
}

/// nvcc's results are the same as those of `weftc`.
const BEYOND: &[Beyond] = &[
    Beyond {
        function: "double jn(int, double)",
        options: &[],
        excused: |args| args[0] == 128.0 && args[1].abs() < 1e-9,
        max_units: 0,
        why: "of order 128 and an argument below 1e-9 the result may be NaN, which should be zero",
    },
    Beyond {
        function: "float jn(int, float)",
        options: &[],
        excused: |args| args[0] == 128.0 && args[1].abs() < 1e-9,
        max_units: 0,
        why: "of order 128 and an argument below 1e-9 the result may be NaN, which should be zero",
    },
    Beyond {
        function: "float yn(int, float)",
        options: &[],
        excused: |_| false,
        max_units: 9,
        why: "of order 0, or of a small argument, the result is so great that a unit of the last place is more than the bound",
    },
    Beyond {
        function: "float erfinv(float)",
        options: &[""],
        excused: |_| false,
        max_units: 3,
        why: "it is made of `lg2.approx` and `rsqrt.approx`, of which the emulator gives the nearest numbers and a GPU others: here one result of 100,000 is 3 units off",
    },
    Beyond {
        function: "float nextafter(float, float)",
        options: &[
            "-ftz=true",
            "-prec-div=false -ftz=true",
            "-use_fast_math",
            "-use_fast_math -prec-div=true",
        ],
        excused: |_| false,
        max_units: 0x7f_ffff,
        why: "next to zero stands the least normal number, where others are flushed",
    },
];

/// Parts of the names of functions without an exact value: they return bits, select, or depend on whether a
/// product is fused.
const WITHOUT_MEANING: &[&str] = &[
    "_as_",
    "__double2hiint",
    "__double2loint",
    "__hiloint2double",
    "$0 * $1",
    "$1 * $2",
    "$0 < $1",
    "$0 > $1",
    // CUDA's guide does not cover nvcc's internal names.
    OWN_NAMES[0],
    OWN_NAMES[1],
];

/// Prefixes of nvcc's internal functions, with which its headers define others.
const OWN_NAMES: [&str; 2] = ["__nvvm_", "__finite"];

/// The results of a function with some options.
#[derive(Clone, Debug)]
struct Verdict {
    /// The comparison with nvcc.
    comparison: String,
    /// The largest error, and the bound; `None` without an exact value.
    accuracy: Option<(String, String)>,
    is_beyond: bool,
    /// Whether there is a bound for some results.
    is_bounded: bool,
}

/// The results of each function, by options.
static VERDICTS: Mutex<BTreeMap<String, BTreeMap<String, Verdict>>> = Mutex::new(BTreeMap::new());

/// Writes the page that `WEFT_MATH_PAGE` names.
fn write_page(n_calls: usize) -> Result<(), Failure> {
    let Ok(path) = env::var("WEFT_MATH_PAGE") else { return Ok(()) };
    fs::write(&path, page(n_calls)).map_err(|e| format!("{path}: {e}"))
}

fn n_calls() -> Result<usize, Failure> {
    match env::var("WEFT_MATH_NUMBERS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_MATH_NUMBERS is not a number: {n}")),
        Err(_) => Ok(N_CALLS),
    }
}

/// The verdicts as a page.
fn page(n_calls: usize) -> String {
    let columns = ["", "-ftz=true", "-use_fast_math"];
    let mut page = format!(
        "# Mathematical functions\n\n\
         Written by `WEFT_MATH_NUMBERS={n_calls} WEFT_MATH_PAGE=docs/reference/math.md cargo test -p weft-tests -- math`, not by hand.\n\n\
         Each function is called with {n_calls} numbers, critical and random ones, in the PTX of `weftc` and of nvcc for {ARCH}, on the\n\
         emulator. \"equal\": all results are the same, bit for bit. An empty field: not compared with these options. Functions with\n\
         `__builtin_` before their names, and nvcc's own names (`__nvvm_ceil_d`), are compared, too, but not listed.\n\n\
         The number is the largest error of `weftc`'s results in units of the last place, from the exact result, correctly rounded,\n\
         which MPFR computes with 160 binary digits; or the largest absolute error, if the bound is absolute; in brackets, if there is\n\
         no bound. The bounds are those of the CUDA C++ Programming Guide 13.0, tables 17 to 22; for functions that it does not list, 0.\n\
         With `-use_fast_math` functions of table 20 have the bounds of the intrinsic functions that replace them. With flushing, a\n\
         subnormal number may be read or returned as zero.\n\n\
         The emulator gives the nearest number for instructions that a GPU only approximates: `div.approx`, `rcp.approx`,\n\
         `sqrt.approx`, `rsqrt.approx`, `sin.approx`, `cos.approx`, `lg2.approx`, `ex2.approx` and `tanh.approx`. So the errors of\n\
         functions that use them, including all of `-use_fast_math`, are those of the computation around these instructions. The\n\
         errors of these instructions on a GPU: docs/internals/gpu-results.md.\n\n\
         | function | bound | default | `-ftz=true` | `-use_fast_math` | verdict |\n|---|---|---|---|---|---|\n"
    );
    let Ok(verdicts) = VERDICTS.lock() else { return page };
    let is_listed =
        |function: &str| !["__builtin_", OWN_NAMES[0], OWN_NAMES[1]].iter().any(|it| function.contains(it));
    for (function, by_option) in verdicts.iter().filter(|(function, _)| is_listed(function)) {
        let cell = |verdict: &Verdict| match &verdict.accuracy {
            Some((error, _)) => format!("{}, {error}", verdict.comparison),
            None => verdict.comparison.clone(),
        };
        let cells: Vec<String> =
            columns.iter().map(|column| by_option.get(*column).map_or(String::new(), cell)).collect();
        let bound = |option: &str| by_option.get(option)?.accuracy.as_ref().map(|(_, bound)| bound.clone());
        let bounds = match (bound(""), bound("-use_fast_math")) {
            (Some(plain), Some(fast)) if plain != fast => format!("{plain}; fast: {fast}"),
            (Some(plain), _) => plain,
            (None, _) => String::new(),
        };
        let is_beyond = by_option.values().any(|verdict| verdict.is_beyond);
        let verdict = match bounds.as_str() {
            "" => "",
            _ if is_beyond => "beyond, as nvcc's",
            _ if !by_option.values().any(|verdict| verdict.is_bounded) => "no bound",
            "0" => "exact",
            _ => "within",
        };
        let function = function.replace('|', "\\|");
        let _ = writeln!(page, "| `{function}` | {bounds} | {} | {verdict} |", cells.join(" | "));
    }
    page.push_str("\nWhat differs from nvcc, and why:\n\n");
    for Nearly { function, options, max_units, why } in NEARLY {
        let with = with(options);
        let _ =
            writeln!(page, "- `{function}`{with}, by {max_units} units of the last place at most: {why}.");
    }
    page.push_str("\nWhat lies beyond the guide's bounds, of nvcc as well, and why:\n\n");
    for Beyond { function, options, why, .. } in BEYOND {
        let with = with(options);
        let _ = writeln!(page, "- `{function}`{with}: {why}.");
    }
    page
}

/// The options as words of a sentence.
fn with(options: &[&str]) -> String {
    let options: Vec<String> =
        options.iter().filter(|it| !it.is_empty()).map(|it| format!("`{it}`")).collect();
    if options.is_empty() { String::new() } else { format!(" with {}", options.join(" or ")) }
}

/// Checks that each function has an exact value, except those listed.
fn all_have_meaning(functions: &[Function]) -> Result<(), Failure> {
    let is_listed = |function: &Function| {
        let declaration = function.declaration().replace("__builtin_", "");
        WITHOUT_MEANING.iter().any(|it| declaration.contains(it))
    };
    let wrong = functions.iter().filter(|function| function.has_meaning() == is_listed(function));
    let wrong: Vec<String> = wrong.map(Function::declaration).collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("with an exact meaning, and listed; or neither:\n{}", wrong.join("\n")))
    }
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_calls = n_calls()?;
    suite.at_end(move || write_page(n_calls));
    let functions: Vec<Function> = builtin_prototypes().iter().filter_map(Function::of).collect();
    let all = [Function::operators(), functions.clone()].concat();
    let meant = all.clone();
    suite.add("math/meanings".into(), &[], move |_| all_have_meaning(&meant));
    let mut add = |option: &'static str, functions: &[Function]| {
        for (number, functions) in functions.chunks(N_FUNCTIONS).enumerate() {
            let functions = functions.to_vec();
            let gap = if option.is_empty() { "" } else { " " };
            let name = format!("math/{number}{gap}{option} ({} overloads, {n_calls} calls)", functions.len());
            suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, &functions, option, n_calls));
        }
    };
    add("", &all);
    let of_c: Vec<Function> = functions.iter().filter(|function| function.is_of_c()).cloned().collect();
    let singles: Vec<Function> = functions.into_iter().filter(Function::is_plain_single).collect();
    for option in OPTIONS {
        // All functions with each option once; operators cover other combinations.
        let is_whole = !option.contains(' ') || *option == "-prec-div=false -prec-sqrt=false";
        let singles = if is_whole { singles.as_slice() } else { &[] };
        add(option, &[Function::operators(), singles.to_vec()].concat());
    }
    for option in ALONE {
        for (number, functions) in of_c.chunks(N_FUNCTIONS).enumerate() {
            let functions = functions.to_vec();
            let name = format!("math/alone {number} {option} ({} overloads)", functions.len());
            suite.add(name, &[], move |bench| same_alone(bench, &functions, option));
        }
    }
    Ok(())
}

/// Whether each function computes the same alone in a program as among others.
fn same_alone(bench: &Bench, functions: &[Function], option: &str) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -w {option}"))?.settings(None)?;
    let ptx = |functions: &[Function]| {
        let source = work.path().join("math.src");
        fs::write(&source, math::source(functions)).map_err(|e| e.to_string())?;
        bench.emit(&source, Emit::Ptx, &settings, work.path()).map(Kernels::of)
    };
    let together = ptx(functions)?;
    let mut different = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let words = math::inputs(function, N_CALLS, idx as u64);
        let alone = ptx(std::slice::from_ref(function))?.computed(0, &words);
        let declaration = function.declaration();
        let alone = alone.map_err(|fault| format!("{declaration}: {fault}"))?;
        if let Some((n, first)) = math::differences(&words, &alone, &together.computed(idx, &words)?, 0) {
            different.push_str(&format!("{declaration}: alone {n} of {N_CALLS} differ; {first}\n"));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}

fn same_values(bench: &Bench, functions: &[Function], option: &str, n_calls: usize) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("math.src");
    fs::write(&source, math::source(functions)).map_err(|e| e.to_string())?;
    let settings =
        Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -O3 -w {option}"))?.settings(None)?;
    let ours = Kernels::of(bench.emit(&source, Emit::Ptx, &settings, work.path())?);
    let options: Vec<&str> = option.split_whitespace().collect();
    let theirs = Kernels::of(bench.nvcc_ptx_with(&source, ARCH, &options, work.path())?);
    let mut different = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let words = math::inputs(function, n_calls, idx as u64);
        let ours = ours.computed(idx, &words);
        let theirs = theirs.computed(idx, &words);
        let declaration = function.declaration();
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(fault), _) => return Err(format!("{declaration}: {fault}")),
            (Ok(_), Err(fault)) => return Err(format!("{declaration}, by nvcc: {fault}")),
        };
        let plain = declaration.replace("__builtin_", "");
        let nearly = NEARLY.iter().find(|it| it.function == plain && it.options.contains(&option));
        let max_units = nearly.map_or(0, |it| it.max_units);
        let comparison = match math::differences(&words, &ours, &theirs, 0) {
            None => "equal".to_owned(),
            Some((n, _)) => format!("{n} differ"),
        };
        let generic = plain.replacen("f(", "(", 1);
        let is_of = |it: &&Beyond| {
            [&plain, &generic].iter().any(|name| *name == it.function)
                && (it.options.is_empty() || it.options.contains(&option))
        };
        let beyond = BEYOND.iter().find(is_of);
        let excused = beyond.map_or((|_| false) as fn(&[f64]) -> bool, |it| it.excused);
        let measure = function.measure(&words, &ours, option, excused);
        let verdict = Verdict {
            comparison,
            accuracy: measure.as_ref().map(|it| (it.errors(), it.bound.clone())),
            is_beyond: measure.as_ref().is_some_and(|it| it.n_beyond + it.n_excused > 0),
            is_bounded: measure.as_ref().is_some_and(|it| it.n_bounded > 0),
        };
        if let Ok(mut verdicts) = VERDICTS.lock() {
            verdicts.entry(declaration.clone()).or_default().insert(option.to_owned(), verdict);
        }
        if let Some(measure) = measure {
            let allowed = beyond.map_or(0, |it| it.max_units);
            if measure.ulps_beyond > allowed {
                let math::measure::Measure { n_beyond, ref bound, ref first_beyond, .. } = measure;
                different.push_str(&format!(
                    "{declaration}: {n_beyond} of {n_calls} results lie beyond the bound {bound}; {first_beyond}\n"
                ));
            }
        }
        if let Some((n, first)) = math::differences(&words, &ours, &theirs, max_units) {
            different.push_str(&format!("{declaration}: {n} of {n_calls} differ; {first}\n"));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}
