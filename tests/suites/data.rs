//! Every data file is a trial.

use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::runner::Suite;

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    suite.add_data()?;
    Ok(suite)
}
