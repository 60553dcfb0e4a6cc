//! Options that select GPUs: random combinations are accepted if nvcc accepts them, and then a fat binary has
//! the same images as nvcc's. `WEFT_GENCODE_LINES=1000` sets the number of combinations.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use weft_tests::Failure;
use weft_tests::random::Random;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};

/// The number of command lines per trial.
const PER_TRIAL: usize = 20;

/// GPUs that both nvcc and LLVM support, including family-specific and GPU-specific ones.
const GPUS: &[&str] = &[
    "75", "80", "86", "87", "89", "90", "90a", "100", "100a", "100f", "103", "103a", "103f", "110", "110f",
    "120", "120f", "121", "121a", "121f",
];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_lines = match env::var("WEFT_GENCODE_LINES") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_GENCODE_LINES: `{n}` is not a number"))?,
        Err(_) => 80,
    };
    for idx in 0..usize::div_ceil(n_lines, PER_TRIAL) {
        let needs = [Tool::Nvcc, Tool::Ptxas];
        suite.add(format!("gencode/{idx}"), &needs, move |bench| check(bench, idx as u64));
    }
    Ok(())
}

fn check(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    fs::write(work.path().join("a.cu"), "__global__ void k(int *p) { *p = 1; }\n")
        .map_err(|e| e.to_string())?;
    let mut random = Random::new(seed);
    let (mut n_taken, mut n_refused) = (0, 0);
    for _ in 0..PER_TRIAL {
        let options = options(&mut random);
        match compare(bench, work.path(), &options)? {
            true => n_taken += 1,
            false => n_refused += 1,
        }
    }
    // Command lines that are all accepted, or all rejected, would prove little.
    if n_taken > 0 && n_refused > 0 { Ok(()) } else { Err(format!("{n_taken} taken, {n_refused} refused")) }
}

/// Checks whether both accept the options, and then make the same images.
fn compare(bench: &Bench, work: &Path, options: &[String]) -> Result<bool, Failure> {
    let line = |mut command: Command, more: &[&str]| {
        run(command.current_dir(work).args(more).arg("-fatbin").args(options).arg("a.cu"))
    };
    let theirs = line(bench.tools.tool(Tool::Nvcc)?, &["-dryrun"])?;
    let ours = line(bench.tools.weftc(), &["-v", "-o", "a.fatbin"])?;
    if (theirs.status == Some(0)) != (ours.status == Some(0)) {
        let said = theirs.report("nvcc says otherwise");
        return Err(ours.report(&format!("{options:?}\n{said}")));
    }
    if ours.status == Some(0) && images(&ours.stderr) != images(&theirs.stderr) {
        let (ours, theirs) = (images(&ours.stderr), images(&theirs.stderr));
        return Err(format!("{options:?}: {ours:?}, and nvcc has {theirs:?}"));
    }
    Ok(ours.status == Some(0))
}

/// The images that are passed to fatbinary: `elf,sm=90a`.
fn images(shown: &str) -> BTreeSet<String> {
    let parts = shown.split("--image3=kind=").skip(1);
    parts.filter_map(|part| part.split_once(",file=")).map(|(image, _)| image.to_owned()).collect()
}

fn options(random: &mut Random) -> Vec<String> {
    let mut options = Vec::new();
    let has_arch = random.once_in(2);
    if has_arch && random.once_in(2) {
        options.push(format!("-arch={}{}", random.of(&["sm_", "compute_"]), random.of(GPUS)));
    } else if has_arch {
        let number = *random.of(GPUS);
        options.push(format!("-arch=compute_{number}"));
        options.push(format!("-code={}", list(random, number)));
    }
    if !has_arch || random.once_in(3) {
        let number = *random.of(GPUS);
        options.push("-gencode".to_owned());
        options.push(match random.once_in(2) {
            true => format!("arch=compute_{number},code=[{}]", list(random, number)),
            false => format!("code={},arch=compute_{number}", code(random, number)),
        });
    }
    options
}

fn list(random: &mut Random, number: &str) -> String {
    let n = 1 + random.below(2);
    (0..n).map(|_| code(random, number)).collect::<Vec<_>>().join(",")
}

/// Often one that matches the architecture.
fn code(random: &mut Random, number: &str) -> String {
    let prefix = *random.of(&["sm_", "sm_", "compute_"]);
    let number = if random.once_in(2) { number } else { *random.of(GPUS) };
    format!("{prefix}{number}")
}
