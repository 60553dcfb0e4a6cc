//! Functions of `cuda_fp16.h` and `cuda_bf16.h`: the PTX of `weftc` computes the same as nvcc's, which is the
//! headers' own code, bit for bit, for every overload; mathematical functions are tried with all numbers.
//! `WEFT_HALVES_GPUS=all` tries all numbers for other functions, too, the GPUs that lack instructions, and
//! all options.

use std::env;
use std::fs;

use weft_frontend::builtin_prototypes;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::halves::{self, Function};
use weft_tests::math::{self, Kernels};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

/// The number of calls of functions with more than one number.
const N_CALLS: usize = 1000;

/// The GPUs with options: with all instructions, with some, and without any for bfloat.
const SETTINGS: &[(&str, &str)] = &[
    ("sm_90", ""),
    ("sm_80", "-ftz=true"),
    ("sm_90", "-ftz=true"),
    ("sm_90", "-use_fast_math"),
    ("sm_80", ""),
    ("sm_75", ""),
    ("sm_75", "-ftz=true"),
    ("sm_75", "-use_fast_math"),
];

/// The number of these settings by default, and for all but the first, the share of overloads.
const N_SETTINGS: usize = 2;
const SHARE: usize = 4;

/// By default, conversions and similar functions get one number in this many; it is odd, so that all last
/// digits occur.
const NUMBERS: usize = 7;

/// The number of overloads per file.
const N_FUNCTIONS: usize = 160;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let functions: Vec<Function> =
        builtin_prototypes().iter().filter(|it| it.header.is_some()).filter_map(Function::of).collect();
    let (n_settings, share, numbers) = match env::var("WEFT_HALVES_GPUS") {
        Ok(_) => (SETTINGS.len(), 1, 1),
        Err(_) => (N_SETTINGS, SHARE, NUMBERS),
    };
    for (idx, &(arch, option)) in SETTINGS[..n_settings].iter().enumerate() {
        let step = if idx == 0 { 1 } else { share };
        let functions: Vec<Function> =
            functions.iter().step_by(step).filter(|it| it.is_for(arch)).cloned().collect();
        for (number, functions) in functions.chunks(N_FUNCTIONS).enumerate() {
            let functions = functions.to_vec();
            let gap = if option.is_empty() { "" } else { " " };
            let name = format!("halves/{arch}/{number}{gap}{option} ({} overloads)", functions.len());
            suite
                .add(name, &[Tool::Nvcc], move |bench| same_values(bench, &functions, arch, option, numbers));
        }
    }
    Ok(())
}

fn same_values(
    bench: &Bench,
    functions: &[Function],
    arch: &str,
    option: &str,
    step: usize,
) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("halves.src");
    fs::write(&source, halves::source(functions)).map_err(|e| e.to_string())?;
    let settings =
        Directives::parse(&format!("//@ arch: {arch}\n//@ args: -O3 -w {option}"))?.settings(None)?;
    let ours = Kernels::of(bench.emit(&source, Emit::Ptx, &settings, work.path())?);
    let options: Vec<&str> = option.split_whitespace().collect();
    let theirs = Kernels::of(bench.nvcc_ptx_with(&source, arch, &options, work.path())?);
    let mut different = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let words = function.inputs(N_CALLS, step, idx as u64);
        let declaration = function.declaration();
        let ours = ours.computed(idx, &words).map_err(|fault| format!("{declaration}: {fault}"))?;
        let theirs =
            theirs.computed(idx, &words).map_err(|fault| format!("{declaration}, by nvcc: {fault}"))?;
        if let Some((n, first)) = math::differences(&words, &ours, &theirs, 0) {
            different.push_str(&format!(
                "{declaration}: {n} of {} differ; {first}\n",
                words.len() / math::N_WORDS
            ));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}
