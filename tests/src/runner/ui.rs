//! `ui/`: diagnostics.
//!
//! The set of diagnostics must equal the set of annotations, the human-readable text must equal the `.stderr`
//! file next to the test, and no output may be written if there is an error. The text is that of
//! `-fsyntax-only`, which drops function bodies once they are checked: it must find the same. A file without
//! errors is compiled with nvcc, too; for one with errors, `//@ nvcc:` specifies nvcc's answer. The last
//! line, which names the code of the first error, is compared with the diagnostics and is not in the
//! `.stderr` file.

use std::path::Path;

use super::oracle::work_folder;
use super::text::add_nvcc;
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::annotation::{self, Annotation, Severity};
use crate::directive::{Emit, Oracle, Settings};
use crate::{Failure, golden};

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a test cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        let test = UiTest::read(&path)?;
        let default = if test.rejects { Oracle::Unchecked } else { Oracle::Accepts };
        add_nvcc(suite, &test.file, default)?;
        let needs = test.settings.needs.clone();
        suite.add(trial_name(&path, None, None), &needs, move |bench| check(bench, &test));
    }
    Ok(())
}

/// Reads and checks one test.
#[cfg(test)]
pub(super) fn check_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    check(bench, &UiTest::read(path)?)
}

#[derive(Debug)]
struct UiTest {
    file: TestFile,
    settings: Settings,
    expected: Vec<Annotation>,
    /// Whether an error is expected.
    rejects: bool,
}

impl UiTest {
    fn read(path: &Path) -> Result<UiTest, Failure> {
        let file = TestFile::read(path)?;
        let located = |e: Failure| format!("{}: {e}", path.display());
        let expected = annotation::parse(&file.text).map_err(located)?;
        let settings = match file.directives.all_settings()?.as_slice() {
            [settings] => settings.clone(),
            _ => return Err(located("a test of diagnostics has one revision".into())),
        };
        let rejects = expected.iter().any(|annotation| annotation.severity == Severity::Error);
        Ok(UiTest { file, settings, expected, rejects })
    }
}

fn check(bench: &Bench, test: &UiTest) -> Result<(), Failure> {
    let UiTest { file: TestFile { path, .. }, settings, expected, rejects } = test;
    let work = work_folder()?;
    let out = work.path().join("out");
    let with = |options: &[&str]| {
        let mut settings = settings.clone();
        settings.args.extend(options.iter().map(ToString::to_string));
        bench.weftc(path, settings.emit.unwrap_or(Emit::Ptx), &settings, &out)
    };
    let json = with(&["--error-format=json"])?;
    let status = settings.exit.unwrap_or(i32::from(*rejects));
    if json.status != Some(status) {
        return Err(json.report(&format!("exit status {status} was expected")));
    }
    if out.exists() != (status == 0) {
        return Err(json.report("an output is written when, and only when, the program is right"));
    }
    let reported = annotation::parse_reported(&json.stderr).map_err(|e| json.report(&e))?;
    annotation::compare(expected, &reported)?;
    // Some warnings come from lowering, which a program with errors does not reach.
    let human = match rejects {
        true => with(&["--error-format=human", "-fsyntax-only"])?,
        false => with(&["--error-format=human"])?,
    };
    if human.status != json.status {
        return Err(human.report("another exit status than with --error-format=json"));
    }
    let first_error = reported.iter().find(|it| it.severity == Severity::Error).map(|it| it.code.as_str());
    let text = without_advice(&human.stderr, first_error).map_err(|e| human.report(&e))?;
    golden::compare(&path.with_extension("stderr"), text, bench.mode)
}

/// The text without its last line, which says how to look up the first error.
fn without_advice<'a>(text: &'a str, first_error: Option<&str>) -> Result<&'a str, Failure> {
    const START: &str = "for more information about this error, try `weftc --explain ";
    let Some(code) = first_error else {
        return if text.contains(START) {
            Err("no error, and advice to look it up".into())
        } else {
            Ok(text)
        };
    };
    let advice = format!("{START}{code}`\n");
    text.strip_suffix(&advice).ok_or_else(|| format!("the last line should be: {advice}"))
}
