//! Numbers of at most eight bits: each function in NVIDIA's `cuda_fp8.h`, `cuda_fp6.h` and `cuda_fp4.h`, and
//! each constructor and conversion of their classes, computes the same in the PTX of `weftc` and in nvcc's,
//! which is the headers' own code, bit for bit: on GPUs without instructions for them, with those for eight
//! bits, and with all; and in nvcc's for the newest GPU, on the emulator. Classes, which are made of the
//! functions, are compared on two of these. `WEFT_SMALL_FLOATS=all` tries all numbers, and more GPUs and
//! options.

use std::env;
use std::fs;

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::math::{self, Kernels};
use weft_tests::runner::{Bench, Suite};
use weft_tests::small_floats::{self, Case};
use weft_tests::tools::Tool;

/// The GPUs with options.
const SETTINGS: &[(&str, &str)] = &[
    ("sm_75", ""),
    ("sm_89", ""),
    ("sm_100a", ""),
    ("sm_107a", ""),
    ("sm_80", "-use_fast_math"),
    ("sm_120f", "-ftz=true"),
    ("sm_90", ""),
];

/// The number of these settings by default, and the share of the numbers.
const N_SETTINGS: usize = 4;
const STEP: usize = 11;

/// The GPUs on which the classes are compared.
const CLASSES_ON: [&str; 2] = ["sm_75", "sm_107a"];

/// The number of cases per file.
const N_CASES: usize = 40;

/// Extracts cases from the headers.
type Declared = fn(&str) -> Result<Vec<Case>, Failure>;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let (n_settings, step) = match env::var("WEFT_SMALL_FLOATS") {
        Ok(_) => (SETTINGS.len(), 1),
        Err(_) => (N_SETTINGS, STEP),
    };
    let kinds: [(&str, usize, Declared); 2] =
        [("functions", 56, small_floats::functions), ("classes", 290, small_floats::members)];
    for &(arch, option) in &SETTINGS[..n_settings] {
        let gap = if option.is_empty() { "" } else { " " };
        let has_classes = n_settings > N_SETTINGS || CLASSES_ON.contains(&arch);
        for (kind, n_least, declared) in &kinds[..if has_classes { 2 } else { 1 }] {
            let (n_least, declared) = (*n_least, *declared);
            suite.add(format!("small_floats/{arch}{gap}{option}/{kind}"), &[Tool::Nvcc], move |bench| {
                let work = tempfile::tempdir().map_err(|e| e.to_string())?;
                let cases = declared(&small_floats::headers(&bench.tools, work.path())?)?;
                if cases.len() < n_least {
                    return Err(format!("nvcc's headers were read wrongly: they declare {}", cases.len()));
                }
                let same = |cases: &[Case]| same_values(bench, cases, arch, option, step).err();
                let different: Vec<Failure> = cases.chunks(N_CASES).filter_map(same).collect();
                if different.is_empty() { Ok(()) } else { Err(different.concat()) }
            });
        }
    }
    Ok(())
}

fn same_values(bench: &Bench, cases: &[Case], arch: &str, option: &str, step: usize) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("small_floats.src");
    fs::write(&source, small_floats::source(cases)).map_err(|e| e.to_string())?;
    let settings =
        Directives::parse(&format!("//@ arch: {arch}\n//@ args: -O3 -w {option}"))?.settings(None)?;
    let ours = Kernels::of(bench.emit(&source, Emit::Ptx, &settings, work.path())?);
    let options: Vec<&str> = option.split_whitespace().collect();
    let theirs = Kernels::of(bench.nvcc_ptx_with(&source, arch, &options, work.path())?);
    let mut different = String::new();
    for (idx, case) in cases.iter().enumerate() {
        let (words, name) = (case.inputs(step)?, &case.name);
        let ours = ours.computed(idx, &words).map_err(|fault| format!("{name}: {fault}"))?;
        let theirs = theirs.computed(idx, &words).map_err(|fault| format!("{name}, by nvcc: {fault}"))?;
        if let Some((n, first)) = math::differences(&words, &ours, &theirs, 0) {
            different.push_str(&format!("{name}: {n} of {} differ; {first}\n", words.len() / math::N_WORDS));
        }
    }
    if different.is_empty() { Ok(()) } else { Err(different) }
}
