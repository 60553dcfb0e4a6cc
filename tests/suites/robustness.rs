//! Damaged inputs: whatever the text, the frontend ends in diagnostics or in a verified program.
//!
//! A trial a test input, which tries all cuts of it at a token and all ways of leaving a token out;
//! and one that tries every byte of the guide's program replaced by each of 16 odd bytes.
#![expect(clippy::print_stdout, reason = "a harness speaks to people")]

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use libtest_mimic::{Arguments, Trial};
use weft_tests::Failure;
use weft_tests::damage::{STACK_SIZE, altered, cuts, frontend, inputs, record_panics, thinned};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => {
            // Panics are caught and reported with their input; a backtrace each would bury them.
            record_panics();
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(failure) => {
            println!("the suite cannot start: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Failure> {
    let mut trials = Vec::new();
    for (path, text) in inputs()? {
        if path == Path::new("examples/call.src") {
            let text = text.clone();
            trials.push(trial(&path, "altered bytes", move || altered(&text)));
        }
        trials.push(trial(&path, "cut and thinned", move || [cuts(&text), thinned(&text)].concat()));
    }
    Ok(trials)
}

fn trial(path: &Path, how: &str, damaged: impl FnOnce() -> Vec<String> + Send + 'static) -> Trial {
    let name = format!("{} ({how})", path.display());
    Trial::test(name, move || {
        let with_stack = thread::Builder::new().stack_size(STACK_SIZE);
        let run = with_stack.spawn(move || try_all(&damaged())).map_err(|e| e.to_string())?;
        let result = run.join().map_err(|_| "a panic outside the frontend")?;
        result.map_err(Into::into)
    })
}

/// How many failures of one input are shown.
const N_SHOWN: usize = 3;

fn try_all(damaged: &[String]) -> Result<(), Failure> {
    if damaged.is_empty() {
        return Err("the input has no token".into());
    }
    let failures: Vec<String> = damaged
        .iter()
        .filter_map(|text| frontend(text).err().map(|failure| format!("{failure}\n---\n{text}\n---\n")))
        .collect();
    if failures.is_empty() {
        return Ok(());
    }
    let shown = failures.iter().take(N_SHOWN).map(String::as_str).collect::<String>();
    Err(format!("{} of {} damaged inputs fail:\n{shown}", failures.len(), damaged.len()))
}
