//! The fixes of diagnostics are correct: each fix of each program in `ui/` is applied, and must remove its
//! message without causing another error.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;

use weft_tests::Failure;
use weft_tests::annotation::{Reported, parse_reported};
use weft_tests::damage::{STACK_SIZE, inputs};
use weft_tests::mistake::{Found, found};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for (path, text) in inputs()? {
        if path.starts_with("tests/ui") {
            let name = format!("fixes/{}", path.strip_prefix("tests").unwrap_or(&path).display());
            suite.add(name, &[], move |bench| check(bench, &path, &text));
        }
    }
    Ok(())
}

/// With the stack that the frontend needs.
fn check(bench: &Bench, path: &Path, text: &str) -> Result<(), Failure> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let checked = thread.spawn_scoped(scope, || check_fixes(bench, path, text));
        checked.map_err(|e| e.to_string())?.join().map_err(|_| String::from("a panic in the frontend"))?
    })
}

fn check_fixes(bench: &Bench, path: &Path, text: &str) -> Result<(), Failure> {
    let before = found(text);
    for diagnostic in &before {
        for fix in &diagnostic.fixes {
            let mut edits = fix.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse((edit.range.start, edit.range.end)));
            let takes_header = edits.iter().any(|edit| edit.with.starts_with("#include"));
            let mut changed = text.to_owned();
            for edit in edits {
                changed.replace_range(edit.range, &edit.with);
            }
            if takes_header {
                with_header(bench, diagnostic, &changed)?;
                continue;
            }
            compare(diagnostic, &before, &found(&changed)).map_err(|why| {
                format!("{}: {}: {why}\n---\n{changed}", path.display(), diagnostic.message)
            })?;
        }
    }
    Ok(())
}

/// The compiler, with its headers, no longer reports it.
fn with_header(bench: &Bench, mended: &Found, changed: &str) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("changed.src");
    std::fs::write(&source, changed).map_err(|e| e.to_string())?;
    let mut weftc = bench.tools.weftc();
    let answer = tools::run(weftc.args(["-fsyntax-only", "--error-format=json"]).arg(&source))?;
    let has_message =
        |reported: &Reported| reported.code == mended.code && reported.message == mended.message;
    if parse_reported(&answer.stderr)?.iter().any(has_message) {
        return Err(answer.report("the header does not declare the name"));
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
    // A syntax error hides the errors of later checks.
    if new.is_empty() || had.keys().any(|(code, _)| hides_others(code)) {
        return Ok(());
    }
    Err(format!("the fix makes other errors: {new:?}"))
}

/// Errors after which the rest is not checked.
fn hides_others(code: &str) -> bool {
    matches!(code, "expected-token" | "unknown-type-name" | "undeclared-identifier" | "unsupported-host-code")
}
