//! The test program: picks suites and trials by the command line, runs all trials in one pool, longest first, and
//! prints the time that each suite took.
//!
//! A filter that is the name of a suite or of a test folder selects all its trials: `isa`, `ui`, `lines/`. Another
//! filter is a part of a trial's name, as usual; if it starts with such a name and a slash, `ui/asm`, only the
//! suites with trials of such names are asked for them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs};

use libtest_mimic::{Arguments, Trial};

use super::times::{Record, Times, table};
use super::{Bench, Suite, names};
use crate::Failure;
use crate::golden::Mode;
use crate::tools::{Tools, repository};

/// A suite of the test program.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What the names of its trials start with, before the first slash.
    pub roots: &'static [&'static str],
    /// Adds its trials. What takes long belongs into the trials.
    pub add: fn(&mut Suite) -> Result<(), Failure>,
}

impl Entry {
    /// Whether names of its trials may start so.
    fn has(&self, root: &str) -> bool {
        self.name == root || self.roots.contains(&root)
    }
}

/// What cargo built with the test program.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// The path of `weftc`, which cargo builds under another name.
    pub weftc: &'static str,
    /// A folder for the files of tests, in cargo's target folder.
    pub folder: &'static str,
}

impl Built {
    /// The compiler, under the name that its messages show.
    fn weftc(&self) -> Result<PathBuf, Failure> {
        let (built, named) = (Path::new(self.weftc), Path::new(self.folder).join("weftc"));
        let located = |e: std::io::Error| format!("{}: {e}", named.display());
        // A link to the file itself: a symbolic one would show the other name. It replaces the last run's in one step,
        // which a run beside this one may be using.
        let link = tempfile::tempdir_in(self.folder).map_err(located)?;
        let link = link.path().join("weftc");
        fs::hard_link(built, &link).or_else(|_| fs::copy(built, &link).map(drop)).map_err(located)?;
        fs::rename(&link, &named).map_err(located)?;
        Ok(named)
    }

    /// The times that the last runs took.
    fn times(&self) -> PathBuf {
        Path::new(self.folder).with_file_name("test-times.json")
    }
}

/// The times of the longest trials, for a fresh clone.
fn committed_times() -> PathBuf {
    repository().join("tests").join("times.json")
}

/// Runs what the command line asks for.
pub fn run(entries: &[Entry], built: Built) -> ExitCode {
    match Run::new(entries, &built) {
        Ok(run) => run.execute(&built),
        Err(failure) => {
            print(&format!("the tests cannot start: {failure}"));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "a test program reports on standard output")]
fn print(text: &str) {
    println!("{text}");
}

/// A trial, and where it belongs in the order of a run.
struct Planned {
    suite: &'static str,
    name: String,
    is_last: bool,
    trial: Trial,
}

struct Run {
    arguments: Arguments,
    trials: Vec<Planned>,
    /// Lines that report what is skipped.
    skips: Vec<String>,
    at_end: Vec<Box<dyn FnOnce() -> Result<(), Failure>>>,
    times: Times,
    is_whole: bool,
}

impl Run {
    fn new(entries: &[Entry], built: &Built) -> Result<Run, Failure> {
        let mut arguments = Arguments::from_args();
        let bench = Arc::new(Bench::new(Tools::find(&built.weftc()?)?, Mode::from_env()?));
        let is_whole = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.ignored;
        let picked = picked(entries, arguments.filter.as_deref());
        let mut run = Run {
            trials: Vec::new(),
            skips: Vec::new(),
            at_end: Vec::new(),
            times: Times::default(),
            is_whole,
            arguments: arguments.clone(),
        };
        for entry in picked {
            run.add(entry, &bench)?;
        }
        if let Some(root) = arguments.filter.as_deref().and_then(|filter| whole_root(entries, filter)) {
            run.trials.retain(|planned| planned.suite == root || root_of(&planned.name) == root);
            arguments.filter = None;
            run.arguments = arguments;
        }
        Ok(run)
    }

    /// Adds the trials of a suite. A suite that cannot read its tests becomes a failing trial, which a filter would leave out:
    /// with one, it is an error.
    fn add(&mut self, entry: &Entry, bench: &Arc<Bench>) -> Result<(), Failure> {
        let mut suite = Suite::new(entry.name, Arc::clone(bench), self.times.clone());
        if let Err(failure) = (entry.add)(&mut suite) {
            if self.arguments.filter.is_some() {
                return Err(format!("{} cannot read its tests: {failure}", entry.name));
            }
            suite.add(format!("{}/reads its tests", entry.name), &[], |_| Err(failure));
        }
        for (tools, n) in &suite.skipped {
            self.skips.push(format!("{}: skipping {n} trials without {}", entry.name, names(tools)));
        }
        self.at_end.extend(suite.at_end);
        let planned = suite.trials.into_iter().map(|(is_last, trial)| {
            let name = trial.name().to_owned();
            assert!(
                entry.has(root_of(&name)),
                "invariant: {name}: the name starts with the name of its suite, {}",
                entry.name
            );
            Planned { suite: entry.name, name, is_last, trial }
        });
        self.trials.extend(planned);
        Ok(())
    }

    fn execute(mut self, built: &Built) -> ExitCode {
        if self.arguments.list {
            let trials = self.trials();
            return libtest_mimic::run(&self.arguments, trials).exit_code();
        }
        let mut record = Record::read(&built.times());
        let mut expected = record.clone();
        expected.complete(&Record::read(&committed_times()));
        order(&mut self.trials, &expected);
        for line in &self.skips {
            print(line);
        }
        let trials = self.trials();
        let mut code = libtest_mimic::run(&self.arguments, trials).exit_code();
        let measured = self.times.measured();
        record.update(&measured, self.is_whole);
        let outcomes: Vec<_> = self.at_end.into_iter().map(|step| step()).collect();
        let written = record.write(&built.times());
        for failure in outcomes.into_iter().chain([written]).filter_map(Result::err) {
            print(&failure);
            code = ExitCode::FAILURE;
        }
        let n_shown = env::var("WEFT_TIMES").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
        for one in measured.iter().take(n_shown) {
            print(&format!("{:8.2} s  {}", one.time.as_secs_f64(), one.trial));
        }
        print(&table(&measured));
        code
    }

    fn trials(&mut self) -> Vec<Trial> {
        self.trials.drain(..).map(|planned| planned.trial).collect()
    }
}

/// The suites that may have trials for a filter.
fn picked<'e>(entries: &'e [Entry], filter: Option<&str>) -> Vec<&'e Entry> {
    let root = filter.map(root_of);
    let own: Vec<&Entry> = entries.iter().filter(|entry| root.is_some_and(|root| entry.has(root))).collect();
    if own.is_empty() { entries.iter().collect() } else { own }
}

/// The name of a suite or folder that a filter consists of.
fn whole_root<'f>(entries: &[Entry], filter: &'f str) -> Option<&'f str> {
    let root = filter.strip_suffix('/').unwrap_or(filter);
    entries.iter().any(|entry| entry.has(root)).then_some(root)
}

/// What is before the first slash.
fn root_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Longest first, so that the cores finish at about the same time; trials that wait for others come last.
fn order(trials: &mut [Planned], expected: &Record) {
    let seconds = |planned: &Planned| expected.expected(planned.suite, &planned.name);
    trials.sort_by(|a, b| a.is_last.cmp(&b.is_last).then(seconds(b).total_cmp(&seconds(a))));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::times::Measured;
    use super::*;

    const ENTRIES: &[Entry] = &[
        Entry { name: "data", roots: &["ui", "run", "examples"], add: |_| Ok(()) },
        Entry { name: "examples", roots: &[], add: |_| Ok(()) },
        Entry { name: "isa", roots: &[], add: |_| Ok(()) },
    ];

    fn names_of(filter: Option<&str>) -> Vec<&'static str> {
        picked(ENTRIES, filter).into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn a_filter_selects_suites_by_name_and_by_folder() {
        assert_eq!(names_of(Some("isa")), ["isa"]);
        assert_eq!(names_of(Some("isa/orders")), ["isa"]);
        assert_eq!(names_of(Some("ui/asm")), ["data"]);
        assert_eq!(names_of(Some("examples/sgemm")), ["data", "examples"]);
        assert_eq!(names_of(Some("barrier")), ["data", "examples", "isa"]);
        assert_eq!(names_of(None), ["data", "examples", "isa"]);
    }

    #[test]
    fn only_a_whole_name_replaces_the_search_for_a_part() {
        assert_eq!(whole_root(ENTRIES, "ui/"), Some("ui"));
        assert_eq!(whole_root(ENTRIES, "isa"), Some("isa"));
        assert_eq!(whole_root(ENTRIES, "ui/asm"), None);
        assert_eq!(whole_root(ENTRIES, "barrier"), None);
    }

    #[test]
    fn a_suite_that_cannot_read_its_tests_fails_whatever_the_filter() {
        let entry = Entry { name: "data", roots: &["ui"], add: |_| Err("a.src: no".to_owned()) };
        let tools = Tools::of_programs("weftc".into(), std::collections::BTreeMap::new());
        let bench = Arc::new(Bench::new(tools, Mode::Compare));
        let added = |filter: Option<&str>| {
            let arguments = Arguments { filter: filter.map(str::to_owned), ..Arguments::default() };
            let mut run = Run {
                arguments,
                trials: Vec::new(),
                skips: Vec::new(),
                at_end: Vec::new(),
                times: Times::default(),
                is_whole: false,
            };
            run.add(&entry, &bench).map(|()| run.trials.len())
        };
        assert_eq!(added(None), Ok(1));
        assert_eq!(added(Some("ui")), Err("data cannot read its tests: a.src: no".to_owned()));
    }

    #[test]
    fn long_trials_come_first_and_those_that_wait_come_last() {
        let planned = |name: &str, is_last| Planned {
            suite: "isa",
            name: name.to_owned(),
            is_last,
            trial: Trial::test(name, || Ok(())),
        };
        let mut trials = vec![
            planned("short", false),
            planned("waits", true),
            planned("new", false),
            planned("long", false),
        ];
        let mut record = Record::default();
        let measured = |trial: &str, millis| Measured {
            suite: "isa",
            trial: trial.to_owned(),
            time: Duration::from_millis(millis),
        };
        record.update(&[measured("short", 10), measured("long", 9000), measured("waits", 60_000)], true);
        order(&mut trials, &record);
        let names: Vec<&str> = trials.iter().map(|planned| planned.name.as_str()).collect();
        assert_eq!(names, ["long", "new", "short", "waits"]);
    }
}
