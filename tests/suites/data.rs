//! Every data file is a trial.
#![expect(clippy::print_stdout, reason = "a harness speaks to people")]

use std::process::ExitCode;

use libtest_mimic::Arguments;
use weft_tests::Failure;
use weft_tests::runner::Suite;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match suite() {
        Ok(suite) => {
            let (trials, skips) = suite.into_parts();
            for line in skips {
                println!("{line}");
            }
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(failure) => {
            println!("the suite cannot start: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    suite.add_data()?;
    Ok(suite)
}
