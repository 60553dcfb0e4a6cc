//! Every data file is a trial.

use weft_tests::Failure;
use weft_tests::runner::Suite;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add_data()
}
