//! What a diagnostic offers to change is right: each fix of each program in `ui/` is carried out, and the
//! message that offered it must be gone, with no other error in its place.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::damage::inputs;
use weft_tests::mistake::{Found, found};
use weft_tests::runner::Suite;

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    for (path, text) in inputs()? {
        if path.starts_with("tests/ui") {
            let name = path.strip_prefix("tests").unwrap_or(&path).display().to_string();
            suite.add(name, &[], move |_| check(&path, &text));
        }
    }
    Ok(suite)
}

fn check(path: &Path, text: &str) -> Result<(), Failure> {
    let before = found(text);
    for diagnostic in &before {
        for fix in &diagnostic.fixes {
            let mut edits = fix.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse((edit.range.start, edit.range.end)));
            let mut changed = text.to_owned();
            for edit in edits {
                changed.replace_range(edit.range, &edit.with);
            }
            compare(diagnostic, &before, &found(&changed)).map_err(|why| {
                format!("{}: {}: {why}\n---\n{changed}", path.display(), diagnostic.message)
            })?;
        }
    }
    Ok(())
}

fn compare(mended: &Found, before: &[Found], after: &[Found]) -> Result<(), Failure> {
    let same = |found: &&Found| found.code == mended.code && found.message == mended.message;
    if after.iter().filter(same).count() >= before.iter().filter(same).count() {
        return Err("the fix leaves the message where it was".into());
    }
    let tally = |list: &[Found]| {
        let mut tally: BTreeMap<(String, String), usize> = BTreeMap::new();
        for found in list.iter().filter(|found| found.is_error) {
            *tally.entry((found.code.clone(), found.message.clone())).or_default() += 1;
        }
        tally
    };
    let (had, has) = (tally(before), tally(after));
    let new: Vec<_> =
        has.iter().filter(|(error, n)| had.get(*error).is_none_or(|before| before < *n)).collect();
    // A word that keeps the program from being checked hides the errors of the checks.
    if new.is_empty() || had.keys().any(|(code, _)| hides_others(code)) {
        return Ok(());
    }
    Err(format!("the fix makes other errors: {new:?}"))
}

/// Errors after which what follows is not looked at.
fn hides_others(code: &str) -> bool {
    matches!(code, "expected-token" | "unknown-type-name" | "undeclared-identifier" | "unsupported-host-code")
}
