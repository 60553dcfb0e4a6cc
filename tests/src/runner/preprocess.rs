//! `preprocess/`: the tokens after the preprocessor, compared with g++ in the same run.
//!
//! The headers that a test includes are in `preprocess/include/`.

use std::path::Path;

use super::{Bench, Suite, files, trial_name};
use crate::Failure;
use crate::preprocessed::{by_gxx, by_weftc, compare, tokens};
use crate::tools::Tool;

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        suite.add(trial_name(&path, None, None), &[Tool::Gxx], move |bench| same_tokens(bench, &path));
    }
    Ok(())
}

fn same_tokens(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let actual = tokens(&by_weftc(&bench.tools, path)?);
    let expected = tokens(&by_gxx(&bench.tools, path, false)?.success()?.stdout);
    if expected.is_empty() {
        return Err("the test has no tokens".into());
    }
    compare(&actual, &expected)
}
