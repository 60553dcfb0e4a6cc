//! Programs at and beyond the compiler's limits (`src/bounds/`), with limited memory and time.
//!
//! Kernels that need too much memory (`src/bounds/run.rs`) are run with limited memory; they must end as
//! their case specifies.
//!
//! Each program is checked, and accepted ones are also lowered at -O0. It must end as the case specifies,
//! with exit status 0 or 1, within [`MEMORY`] and [`SECONDS`]; an error must have a position, and the output
//! for a program with errors must be within [`MAX_SAID`].

use std::fs;
use std::path::Path;

use weft_tests::Failure;
use weft_tests::bounds::run::{RunCase, run_cases};
use weft_tests::bounds::{Case, Expected, cases};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Answer, run};

/// The address space of `weftc`, in KiB: 1 GiB, plus half as much for the program itself, its stacks and the
/// allocator's reserve.
const MEMORY: u32 = 3 << 19;

/// The same for running kernels, including the memory that it reserves for them.
const RUN_MEMORY: u32 = 3 << 20;

/// The CPU time limit, for a slow machine and a build without optimization.
const SECONDS: u32 = 30;

/// The maximum size of its output, in bytes.
const MAX_SAID: usize = 1 << 20;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for case in cases() {
        suite.add(format!("bounds/{}", case.name), &[], move |bench| try_case(bench, &case));
    }
    for case in run_cases() {
        suite.add(format!("bounds/run/{}", case.name), &[], move |bench| try_run(bench, &case));
    }
    Ok(())
}

fn try_case(bench: &Bench, case: &Case) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let name = format!("{}.src", case.name);
    fs::write(work.path().join(&name), case.text()).map_err(|e| e.to_string())?;
    // Skipped, most constructs at file scope have no bounds.
    let host_code = if case.name.starts_with("host-") { "--host-code=skip" } else { "--host-code=refuse" };
    let answer = weftc(bench, work.path(), &["-fsyntax-only", host_code, &name])?;
    match case.expected {
        Expected::Refused(code) => refuses(answer, code, &name),
        Expected::Checked => answer.success().map(drop),
        Expected::Taken => {
            answer.success()?;
            let args = ["--arch", "sm_90", "-O0", "--emit=ptx", "-o", "out.ptx", &name];
            weftc(bench, work.path(), &args)?.success().map(drop)
        }
    }
}

/// Runs a kernel with the limits.
fn try_run(bench: &Bench, case: &RunCase) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    fs::write(work.path().join(case.file), case.text).map_err(|e| e.to_string())?;
    let args: Vec<&str> = ["run", case.file].iter().chain(case.args).copied().collect();
    let answer = limited(bench, work.path(), RUN_MEMORY, &args)?;
    if answer.status != Some(case.status) {
        return Err(answer.report(&format!("exit status {} was expected", case.status)));
    }
    let said = if case.status == 0 { &answer.stdout } else { &answer.stderr };
    if said.contains(case.says) {
        Ok(())
    } else {
        Err(answer.report(&format!("`{}` was expected", case.says)))
    }
}

/// Runs `weftc` with the limits for programs.
fn weftc(bench: &Bench, work: &Path, args: &[&str]) -> Result<Answer, Failure> {
    limited(bench, work, MEMORY, args)
}

/// Runs `weftc` with limits that a shell sets; `memory` is in KiB.
fn limited(bench: &Bench, work: &Path, memory: u32, args: &[&str]) -> Result<Answer, Failure> {
    let mut shell = bench.tools.shell();
    let limited = format!("ulimit -v {memory}; ulimit -t {SECONDS}; exec \"$WEFTC\" \"$@\"");
    run(shell.args(["-c", &limited, "weftc"]).args(args).current_dir(work))
}

fn refuses(answer: Answer, code: &str, name: &str) -> Result<(), Failure> {
    if answer.status != Some(1) {
        return Err(answer.report("exit status 1 was expected"));
    }
    if answer.stdout.len() + answer.stderr.len() > MAX_SAID {
        return Err(answer.report("that is too much to say"));
    }
    let mut errors = answer.stderr.split("error[").skip(1);
    let Some(first) = errors.next() else { return Err(answer.report("an error was expected")) };
    if !first.starts_with(&format!("{code}]")) {
        return Err(answer.report(&format!("`{code}` was expected first")));
    }
    let place = first.split(&format!("{name}:")).nth(1).map(|rest| rest.split([':', '\n']));
    let numbers =
        place.map_or(0, |place| place.take(2).filter(|number| number.parse::<u64>().is_ok()).count());
    if numbers == 2 { Ok(()) } else { Err(answer.report("the error has no line and column")) }
}
