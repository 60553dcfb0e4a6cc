//! A subset of LLVM's FileCheck.
//!
//! In: the text of a test with its CHECK lines, and the output to be checked. Out: nothing, or a
//! text that says which line did not match, and where the search for it began.
//!
//! - [`pattern`]: one line's pattern, with `{{regex}}`, `[[VAR:regex]]` and `[[VAR]]`
//! - [`directives`]: from the text of the test to the list of checks
//! - [`matching`]: the search
//!
//! Taken: `CHECK`, `-NEXT`, `-SAME`, `-EMPTY`, `-NOT`, `-DAG`, `-LABEL`, `-COUNT-n`, several
//! prefixes. As in LLVM, runs of blanks match runs of blanks, and a positive check may match on the
//! line on which the one before it ended. Deliberately not taken: numeric variables, `{LITERAL}`;
//! what is not taken is an error, never a line that checks nothing.

mod directives;
mod matching;
mod pattern;

pub use directives::{Check, CheckKind, Checks};

use crate::Failure;

/// Which checks count.
#[derive(Clone, Debug)]
pub struct Prefixes {
    /// The prefixes of this run.
    pub active: Vec<String>,
    /// Those of the test's other runs: known, and skipped.
    pub others: Vec<String>,
}

impl Prefixes {
    /// `CHECK` alone.
    pub fn plain() -> Self {
        Prefixes { active: vec!["CHECK".into()], others: Vec::new() }
    }
}

/// Checks `output` against the CHECK lines in `test` that bear one of the active prefixes.
///
/// # Errors
/// A malformed line, no line at all, or the first check that does not hold.
pub fn check(test: &str, prefixes: &Prefixes, output: &str) -> Result<(), Failure> {
    Checks::parse(test, prefixes)?.run(output)
}

#[cfg(test)]
mod tests;
