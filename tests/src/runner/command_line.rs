//! `driver/`: runs of `weftc`, and the files that they leave.
//!
//! A `.toml` file lists files to put into an empty folder, and steps to run there. After each step the exit
//! status and the streams must be as specified, and the folder must contain the previous files, those that
//! the step creates, and no others: a half-written output or a leftover temporary fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::oracle::work_folder;
use super::{Bench, Suite, files, trial_name};
use crate::Failure;
use crate::tools::{Answer, Tool, repository, run};

/// A test of the command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandLineTest {
    /// Tools without which it is skipped.
    #[serde(default)]
    needs: Vec<String>,
    /// The initial files: names and texts.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// The initial files that are copies: names, and paths from the repository's root.
    #[serde(default)]
    copies: BTreeMap<String, String>,
    step: Vec<Step>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Arguments for `weftc`.
    args: Option<Vec<String>>,
    /// Or a shell command, in which `$WEFTC` is the compiler, and the tools are in `PATH`.
    shell: Option<String>,
    /// Environment variables, beside those of the suite.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// The exit status.
    #[serde(default)]
    exit: i32,
    /// Texts that each stream must contain, in any order.
    #[serde(default)]
    stdout: Vec<String>,
    #[serde(default)]
    stderr: Vec<String>,
    /// Texts that it must not contain.
    #[serde(default)]
    stdout_lacks: Vec<String>,
    #[serde(default)]
    stderr_lacks: Vec<String>,
    /// Whether both streams must be empty.
    #[serde(default)]
    silent: bool,
    /// The files that are new or changed after it.
    #[serde(default)]
    creates: Vec<String>,
    /// Texts that a file must contain after it.
    #[serde(default)]
    contains: BTreeMap<String, Vec<String>>,
}

/// Adds the tests of the folder.
///
/// # Errors
/// A test that cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "toml")? {
        let located = |e: String| format!("{}: {e}", path.display());
        let text = fs::read_to_string(&path).map_err(|e| located(e.to_string()))?;
        let test = parse(&text).map_err(located)?;
        let tool = |name: &String| Tool::from_name(name).ok_or_else(|| format!("no tool is called `{name}`"));
        let needs: Vec<Tool> = test.needs.iter().map(tool).collect::<Result<_, _>>().map_err(located)?;
        suite.add(trial_name(&path, None, None), &needs, move |bench| check(bench, &test));
    }
    Ok(())
}

fn parse(text: &str) -> Result<CommandLineTest, Failure> {
    let test: CommandLineTest = toml::from_str(text).map_err(|e| e.to_string())?;
    for (idx, step) in test.step.iter().enumerate() {
        if step.args.is_some() == step.shell.is_some() {
            return Err(format!("step {}: either `args` or `shell`", idx + 1));
        }
    }
    if test.step.is_empty() { Err("no step".into()) } else { Ok(test) }
}

fn check(bench: &Bench, test: &CommandLineTest) -> Result<(), Failure> {
    let work = work_folder()?;
    for (name, text) in &test.files {
        write(&work.path().join(name), text.as_bytes())?;
    }
    for (name, original) in &test.copies {
        let bytes = fs::read(repository().join(original)).map_err(|e| format!("{original}: {e}"))?;
        write(&work.path().join(name), &bytes)?;
    }
    for (idx, step) in test.step.iter().enumerate() {
        let before = contents(work.path())?;
        let answer = run(&mut command(bench, step, work.path()))?;
        let after = contents(work.path())?;
        let faults = faults(step, &answer, &before, &after);
        if !faults.is_empty() {
            return Err(answer.report(&format!("step {}: {}", idx + 1, faults.join("\n  and "))));
        }
    }
    Ok(())
}

fn command(bench: &Bench, step: &Step, work: &Path) -> Command {
    let mut command = match &step.shell {
        Some(line) => {
            let mut shell = bench.tools.shell();
            shell.arg("-c").arg(line);
            shell
        }
        None => bench.tools.weftc(),
    };
    command.args(step.args.iter().flatten()).envs(&step.env).current_dir(work);
    command
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes));
    written.map_err(|e| format!("{}: {e}", path.display()))
}

/// The paths of all files, relative to the folder, with their contents.
type Contents = BTreeMap<String, Vec<u8>>;

fn contents(root: &Path) -> Result<Contents, Failure> {
    let mut contents = Contents::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let located = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in fs::read_dir(&folder).map_err(located)? {
            let path = entry.map_err(located)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                contents.insert(name, fs::read(&path).map_err(located)?);
            }
        }
    }
    Ok(contents)
}

/// The differences between a step's results and the test's expectations.
fn faults(step: &Step, answer: &Answer, before: &Contents, after: &Contents) -> Vec<String> {
    let mut faults = Vec::new();
    if answer.status != Some(step.exit) {
        faults.push(format!("exit status {} was expected", step.exit));
    }
    for (name, stream, wanted, unwanted) in [
        ("stdout", &answer.stdout, &step.stdout, &step.stdout_lacks),
        ("stderr", &answer.stderr, &step.stderr, &step.stderr_lacks),
    ] {
        let missing = wanted.iter().filter(|text| !stream.contains(text.as_str()));
        faults.extend(missing.map(|text| format!("{name} lacks `{text}`")));
        let excess = unwanted.iter().filter(|text| stream.contains(text.as_str()));
        faults.extend(excess.map(|text| format!("{name} has `{text}`")));
        if step.silent && !stream.is_empty() {
            faults.push(format!("{name} is not empty"));
        }
    }
    let changed: BTreeSet<&String> =
        after.iter().filter(|(name, bytes)| before.get(*name) != Some(bytes)).map(|(name, _)| name).collect();
    let created: BTreeSet<&String> = step.creates.iter().collect();
    faults.extend(created.difference(&changed).map(|name| format!("{name} was not written")));
    faults.extend(changed.difference(&created).map(|name| format!("{name} was written")));
    faults.extend(
        before.keys().filter(|name| !after.contains_key(*name)).map(|name| format!("{name} is gone")),
    );
    for (name, texts) in &step.contains {
        let text = after.get(name).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        let missing = texts.iter().filter(|wanted| !text.contains(wanted.as_str()));
        faults.extend(missing.map(|wanted| format!("{name} lacks `{wanted}`")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> Step {
        let test = parse(&format!("[[step]]\nargs = []\n{text}")).expect("well formed");
        test.step.into_iter().next().expect("one step")
    }

    fn answer(status: i32, stdout: &str, stderr: &str) -> Answer {
        Answer { status: Some(status), stdout: stdout.into(), stderr: stderr.into(), line: "weftc".into() }
    }

    fn folder(files: &[(&str, &str)]) -> Contents {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_step_as_it_says_has_no_fault() {
        let step = step("exit = 1\nstderr = ['one']\ncreates = ['b']\ncontains = { b = ['x'] }");
        let (before, after) = (folder(&[("a", "")]), folder(&[("a", ""), ("b", "xy")]));
        assert_eq!(faults(&step, &answer(1, "", "one two"), &before, &after), Vec::<String>::new());
    }

    #[test]
    fn every_fault_is_found() {
        let none = folder(&[]);
        let one = folder(&[("a", "1")]);
        let cases: [(&str, Answer, &Contents, &Contents, &str); 10] = [
            ("", answer(2, "", ""), &none, &none, "exit status 0 was expected"),
            ("stdout = ['x']", answer(0, "y", ""), &none, &none, "stdout lacks `x`"),
            ("stderr = ['x']", answer(0, "x", ""), &none, &none, "stderr lacks `x`"),
            ("stderr_lacks = ['x']", answer(0, "", "x"), &none, &none, "stderr has `x`"),
            ("silent = true", answer(0, "", "x"), &none, &none, "stderr is not empty"),
            ("creates = ['a']", answer(0, "", ""), &none, &none, "a was not written"),
            ("creates = ['a']", answer(0, "", ""), &one, &one, "a was not written"),
            ("", answer(0, "", ""), &none, &one, "a was written"),
            ("", answer(0, "", ""), &one, &none, "a is gone"),
            ("contains = { a = ['2'] }", answer(0, "", ""), &one, &one, "a lacks `2`"),
        ];
        for (text, answer, before, after, fault) in cases {
            assert_eq!(faults(&step(text), &answer, before, after), [fault]);
        }
    }

    #[test]
    fn rejects_invalid_steps() {
        for text in ["", "[[step]]", "[[step]]\nargs = []\nshell = ''", "[[step]]\nargs = []\nexits = 1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
