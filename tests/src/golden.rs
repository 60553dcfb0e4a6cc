//! Golden files: the output must equal a file next to the test.
//!
//! `BLESS=1` rewrites them. It is rejected if `CI` is set, since no one would read the changes.

use std::path::Path;
use std::{env, fs};

use similar::TextDiff;

use crate::Failure;

/// What to do with golden files in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Compare the output.
    Compare,
    /// Rewrite the file.
    Bless,
}

impl Mode {
    /// The mode by environment variables.
    ///
    /// # Errors
    ///
    /// If both `BLESS` and `CI` are set.
    pub fn from_env() -> Result<Mode, Failure> {
        Self::from_settings(is_set("BLESS"), is_set("CI"))
    }

    fn from_settings(bless: bool, ci: bool) -> Result<Mode, Failure> {
        match (bless, ci) {
            (false, _) => Ok(Mode::Compare),
            (true, false) => Ok(Mode::Bless),
            (true, true) => Err("BLESS is set, and so is CI: bless by hand, and read the difference".into()),
        }
    }
}

/// Whether a variable is set, and neither empty nor 0.
fn is_set(name: &str) -> bool {
    env::var(name).is_ok_and(|value| !value.is_empty() && value != "0")
}

/// Compares `actual` with the golden file, or rewrites it. An empty output has no file.
///
/// # Errors
/// The difference, and how to bless it.
pub fn compare(golden: &Path, actual: &str, mode: Mode) -> Result<(), Failure> {
    let expected = match fs::read_to_string(golden) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(format!("{}: {e}", golden.display())),
    };
    if expected == actual {
        return Ok(());
    }
    match mode {
        Mode::Bless => {
            let written = if actual.is_empty() { fs::remove_file(golden) } else { fs::write(golden, actual) };
            written.map_err(|e| format!("{}: {e}", golden.display()))
        }
        Mode::Compare => {
            let diff = diff(&expected, actual, "expected", "actual");
            Err(format!(
                "{} differs:\n{diff}\nread the difference; when it is right, `BLESS=1 cargo test -p weft-tests` takes it",
                golden.display()
            ))
        }
    }
}

/// A unified diff of two texts.
pub fn diff(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(3).header(old_name, new_name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ci_refuses_to_bless() {
        assert_eq!(Mode::from_settings(true, false), Ok(Mode::Bless));
        assert_eq!(Mode::from_settings(false, true), Ok(Mode::Compare));
        assert!(Mode::from_settings(true, true).is_err());
    }

    #[test]
    fn a_difference_is_shown_and_a_blessing_removes_it() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let golden = dir.path().join("a.stderr");
        let message = compare(&golden, "one\ntwo\n", Mode::Compare).expect_err("no golden yet");
        assert!(message.contains("+two") && message.contains("BLESS=1"), "{message}");
        compare(&golden, "one\ntwo\n", Mode::Bless).expect("blessed");
        compare(&golden, "one\ntwo\n", Mode::Compare).expect("equal");
        let message = compare(&golden, "one\nthree\n", Mode::Compare).expect_err("differs");
        assert!(message.contains("-two") && message.contains("+three"), "{message}");
        compare(&golden, "", Mode::Bless).expect("an empty output has no file");
        assert!(!golden.exists());
    }
}
