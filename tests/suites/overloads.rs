//! Random calls of overloaded functions: `weftc` must choose the function that nvcc chooses, and refuse what nvcc refuses.
//!
//! `WEFT_OVERLOAD_FILES=300` compares more files.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use weft_tests::Failure;
use weft_tests::overloads;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Answer, Tool};

const N_FILES: u64 = 4;
const N_CALLS: usize = 120;
/// As many of them `weftc` may refuse in a file that nvcc takes.
const MAX_KNOWN: usize = 5;
/// As many errors `weftc` shows.
const MAX_ERRORS: usize = 100;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_files = env::var("WEFT_OVERLOAD_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(N_FILES);
    for seed in 1..=n_files {
        let name = format!("overloads/seed-{seed} ({N_CALLS} calls)");
        suite.add(name, &[Tool::Nvcc], move |bench| same_choices(bench, seed));
    }
    Ok(())
}

/// Compares which calls the compilers refuse, then what the others mean.
fn same_choices(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("overloads.src");
    let text = overloads::source(seed, N_CALLS, &BTreeSet::new());
    fs::write(&source, &text).map_err(|e| e.to_string())?;
    let theirs = overloads::refused(&nvcc(bench, &source)?.stderr);
    let ours = overloads::refused(&weftc(bench, &source)?.stderr);
    let known: BTreeSet<usize> =
        ours.difference(&theirs).copied().filter(|&line| overloads::may_refuse(&text, line)).collect();
    if known.len() > MAX_KNOWN {
        return Err(format!("weftc refuses {} calls more than nvcc:\n{text}", known.len()));
    }
    let theirs: BTreeSet<usize> = theirs.union(&known).copied().collect();
    let line = |number: &usize| format!("{number}: {}", text.lines().nth(number - 1).unwrap_or_default());
    let lines = |a: &BTreeSet<usize>, b| a.difference(b).map(line).collect::<Vec<_>>().join("\n");
    let (accepted, refused) = (lines(&theirs, &ours), lines(&ours, &theirs));
    if !accepted.is_empty() || !refused.is_empty() {
        return Err(format!("nvcc refuses:\n{accepted}\nnvcc accepts:\n{refused}\nof:\n{text}"));
    }
    if theirs.len() >= MAX_ERRORS {
        return Err(format!("nvcc refuses {} of {N_CALLS} calls", theirs.len()));
    }
    fs::write(&source, overloads::source(seed, N_CALLS, &theirs)).map_err(|e| e.to_string())?;
    let theirs = overloads::chosen(&nvcc(bench, &source)?.success()?.stdout);
    let ours = overloads::chosen(&weftc(bench, &source)?.success()?.stdout);
    if theirs.is_empty() {
        return Err("nvcc's text has no variables".to_owned());
    }
    for (name, chosen) in &theirs {
        let ours = ours.get(name).map_or("nothing", String::as_str);
        if ours != chosen {
            let idx = name.trim_start_matches("chosen_");
            let call: Vec<&str> =
                text.lines().filter(|line| line.contains(&format!("call_{idx}("))).collect();
            return Err(format!("nvcc chooses {chosen}, weftc {ours}:\n{}", call.join("\n")));
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
