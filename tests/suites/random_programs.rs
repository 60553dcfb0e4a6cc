//! Runs random C programs: from the PTX of `weftc` at -O0 or -G, at -O3, and from nvcc's they compute the
//! same as on the host.
//!
//! A trial has [`N_PROGRAMS`] programs. `WEFT_RANDOM_PROGRAMS` sets their total number instead of
//! [`N_TRIALS`] times as many, and `WEFT_RANDOM_SEED` the first seed.

use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Directives, Emit};
use weft_tests::random_program::{RandomProgram, device_text, execute, generate};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

const N_TRIALS: u64 = 3;
const N_PROGRAMS: usize = 10;

/// The distance between the first seeds of two trials: more candidates than a trial needs.
const SEEDS_OF_A_TRIAL: u64 = 1000;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_trials = match number("WEFT_RANDOM_PROGRAMS")? {
        Some(n) => n.div_ceil(N_PROGRAMS as u64),
        None => N_TRIALS,
    };
    let first = number("WEFT_RANDOM_SEED")?.unwrap_or(1);
    for trial in 0..n_trials {
        let seed = first + trial * SEEDS_OF_A_TRIAL;
        let name = format!("random_programs/seed-{seed} ({N_PROGRAMS} programs, three ways)");
        suite.add(name, &[Tool::Nvcc, Tool::Gxx, Tool::Csmith], move |bench| same_checksums(bench, seed));
    }
    Ok(())
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(value) = env::var(variable) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("{variable}={value} is not a number"))
}

fn same_checksums(bench: &Bench, first: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let programs = generate(&bench.tools, first, N_PROGRAMS, work.path())?;
    let mut differences = Vec::new();
    for program in &programs {
        let source = work.path().join("program.src");
        fs::write(&source, program.device_text()).map_err(|e| e.to_string())?;
        // -G only changes the locations of parameters at -O0: half of the programs for each are enough.
        let unoptimised = if program.seed % 2 == 0 { "-O0" } else { "-G" };
        for level in [unoptimised, "-O3"] {
            let settings =
                Directives::parse(&format!("//@ args: {level} -w -I/usr/include/csmith"))?.settings(None)?;
            let found = bench
                .emit(&source, Emit::Ptx, &settings, work.path())
                .and_then(|ptx| execute(&ptx, &[program.seed]));
            compare(&format!("weftc {level}"), std::slice::from_ref(program), found, &mut differences);
        }
    }
    let source = work.path().join("programs.cu");
    fs::write(&source, device_text(&programs)).map_err(|e| e.to_string())?;
    let seeds: Vec<u64> = programs.iter().map(|program| program.seed).collect();
    let options = ["-w", "-I/usr/include/csmith", "-Xcudafe", "--diag_suppress=2361"];
    let found = bench
        .nvcc_ptx_with(&source, DEFAULT_ARCH, &options, work.path())
        .and_then(|ptx| execute(&ptx, &seeds));
    compare("nvcc", &programs, found, &mut differences);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Records results that differ from the host's.
fn compare(
    how: &str,
    programs: &[RandomProgram],
    found: Result<Vec<u32>, Failure>,
    differences: &mut Vec<Failure>,
) {
    match found {
        Ok(found) => differences.extend(programs.iter().zip(found).filter_map(|(program, found)| {
            let RandomProgram { seed, checksum, .. } = program;
            (found != *checksum)
                .then(|| format!("seed {seed}, {how}: {found:#x}, and {checksum:#x} on the host"))
        })),
        Err(failure) => {
            let seeds: Vec<String> = programs.iter().map(|program| program.seed.to_string()).collect();
            differences.push(format!("seed {}, {how}: {failure}", seeds.join(", ")));
        }
    }
}
