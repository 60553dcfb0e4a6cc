//! Random constants that `constexpr` functions compute: what nvcc refuses, `weftc` refuses, and the values of the others are the same.
//!
//! `WEFT_CONSTEXPR_FILES=100` compares more files.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use weft_tests::Failure;
use weft_tests::constexprs::{source, values};
use weft_tests::overloads::refused;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Answer, Tool};

const N_FILES: u64 = 3;
const N_CONSTANTS: usize = 150;
/// As many constants `weftc` may refuse that nvcc takes: compound assignments of unsigned numbers to signed ones.
const MAX_REFUSED: usize = 10;
/// As many constants both compute, at least.
const LEAST_COMPUTED: usize = 40;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_files = env::var("WEFT_CONSTEXPR_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(N_FILES);
    for seed in 1..=n_files {
        let name = format!("constexprs/seed-{seed} ({N_CONSTANTS} constants)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_values(bench, seed));
    }
    Ok(())
}

fn same_values(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = work.path().join("constexprs.src");
    let text = source(seed, N_CONSTANTS, &BTreeSet::new());
    fs::write(&path, &text).map_err(|e| e.to_string())?;
    let theirs = refused(&nvcc(bench, &path)?.stderr);
    let ours = refused(&weftc(bench, &path)?.stderr);
    let lines = |numbers: Vec<&usize>| {
        let line = |&&number: &&usize| {
            let before = number.saturating_sub(2);
            text.lines().skip(before).take(number - before).collect::<Vec<_>>().join("\n")
        };
        numbers.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let accepted: Vec<&usize> = theirs.difference(&ours).collect();
    let too_many: Vec<&usize> = ours.difference(&theirs).collect();
    if !accepted.is_empty() {
        return Err(format!("nvcc refuses:\n{}", lines(accepted)));
    }
    if too_many.len() > MAX_REFUSED {
        return Err(format!("nvcc takes:\n{}", lines(too_many)));
    }
    fs::write(&path, source(seed, N_CONSTANTS, &ours)).map_err(|e| e.to_string())?;
    let theirs = values(&nvcc(bench, &path)?.success()?.stdout);
    let ours = values(&weftc(bench, &path)?.success()?.stdout);
    if theirs.len() < LEAST_COMPUTED {
        return Err(format!("nvcc computes {} constants alone", theirs.len()));
    }
    for (name, value) in &theirs {
        let our_value = ours.get(name).map_or("nothing", String::as_str);
        if our_value != value {
            let function = name.replace("value_", "f_");
            let shown: Vec<&str> =
                text.lines().filter(|line| line.contains(&format!("{function}("))).collect();
            return Err(format!("nvcc computes {value}, weftc {our_value}:\n{}", shown.join("\n")));
        }
    }
    Ok(())
}

fn weftc(bench: &Bench, source: &Path) -> Result<Answer, Failure> {
    let mut weftc = bench.tools.weftc();
    tools::run(weftc.arg(source).args(["-w", "--error-format=short", "--emit=ptx", "-o", "-"]))
}

fn nvcc(bench: &Bench, source: &Path) -> Result<Answer, Failure> {
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    let args = ["-x", "cu", "-std=c++17", "-arch=sm_75", "-rdc=true", "--ptx", "-w", "-o", "-"];
    tools::run(nvcc.args(args).args(["-Xcudafe", "--error_limit=1000"]).arg(source))
}
