//! How long trials take: recorded in each run, so that the next run starts with the longest.
//!
//! A run writes the wall-clock seconds of each trial, and the sum of each suite, to `target/test-times.json`. Where
//! that file has no entry, `tests/times.json` has those of the longest trials, for a fresh clone; it is a part of such
//! a file, which `ci/test-times --write` selects.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Failure;

/// The recorded seconds of each suite, by its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    suites: BTreeMap<String, SuiteRecord>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct SuiteRecord {
    /// The sum over the trials.
    seconds: f64,
    trials: BTreeMap<String, f64>,
}

/// The seconds that a trial without a record is expected to take.
const EXPECTED: f64 = 0.5;

impl Record {
    /// Reads a file; an absent or damaged one records nothing, since it only decides the order.
    pub(super) fn read(path: &Path) -> Record {
        let text = fs::read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Adds the entries that `self` lacks.
    pub(super) fn complete(&mut self, other: &Record) {
        for (suite, recorded) in &other.suites {
            let own = self.suites.entry(suite.clone()).or_default();
            for (trial, seconds) in &recorded.trials {
                own.trials.entry(trial.clone()).or_insert(*seconds);
            }
        }
    }

    /// The seconds that a trial is expected to take.
    pub(super) fn expected(&self, suite: &str, trial: &str) -> f64 {
        let recorded = self.suites.get(suite).and_then(|suite| suite.trials.get(trial));
        recorded.copied().unwrap_or(EXPECTED)
    }

    /// Takes over what a run measured. After a run of all trials, older entries of its suites go.
    pub(super) fn update(&mut self, measured: &[Measured], is_whole: bool) {
        if is_whole {
            self.suites.clear();
        }
        for Measured { suite, trial, time } in measured {
            let own = self.suites.entry((*suite).to_owned()).or_default();
            own.trials.insert(trial.clone(), (time.as_secs_f64() * 1000.0).round() / 1000.0);
        }
        for suite in self.suites.values_mut() {
            suite.seconds = (suite.trials.values().sum::<f64>() * 1000.0).round() / 1000.0;
        }
    }

    /// Writes the file as a whole, so that a run beside this one reads either the old or the new one.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let located = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = serde_json::to_string_pretty(self).map_err(|e| located(&e))?;
        let folder = path.parent().unwrap_or(path);
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| located(&e))?;
        writeln!(file, "{text}").map_err(|e| located(&e))?;
        file.persist(path).map(drop).map_err(|e| located(&e))
    }
}

/// A trial that ran.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) suite: &'static str,
    pub(super) trial: String,
    pub(super) time: Duration,
}

/// The trials that ran so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Times(Arc<Mutex<Vec<Measured>>>);

impl Times {
    /// Starts to measure a trial.
    pub(super) fn timer(&self, suite: &'static str, trial: String) -> Timer {
        Timer { times: self.clone(), suite, trial, start: Instant::now() }
    }

    /// The trials that ran, longest first.
    pub(super) fn measured(&self) -> Vec<Measured> {
        let mut measured = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        measured.sort_by(|a, b| (b.time, &a.trial).cmp(&(a.time, &b.trial)));
        measured
    }
}

/// Measures a trial until it is dropped.
pub(super) struct Timer {
    times: Times,
    suite: &'static str,
    trial: String,
    start: Instant,
}

impl Drop for Timer {
    fn drop(&mut self) {
        let trial = std::mem::take(&mut self.trial);
        let measured = Measured { suite: self.suite, trial, time: self.start.elapsed() };
        self.times.0.lock().unwrap_or_else(PoisonError::into_inner).push(measured);
    }
}

/// A table of the suites that ran: how many trials, and the sum of their seconds; longest first.
pub(super) fn table(measured: &[Measured]) -> String {
    let mut suites: BTreeMap<&str, (usize, Duration)> = BTreeMap::new();
    for Measured { suite, time, .. } in measured {
        let (n_trials, sum) = suites.entry(suite).or_default();
        *n_trials += 1;
        *sum += *time;
    }
    let mut rows: Vec<_> = suites.into_iter().collect();
    rows.sort_by(|a, b| (b.1.1, a.0).cmp(&(a.1.1, b.0)));
    let row = |name: &str, n_trials: usize, time: Duration| {
        format!("{name:<16} {n_trials:>6} {:>9.1}\n", time.as_secs_f64())
    };
    let mut table = format!("{:<16} {:>6} {:>9}\n", "suite", "trials", "seconds");
    table.extend(rows.iter().map(|(name, (n_trials, time))| row(name, *n_trials, *time)));
    table + &row("all", measured.len(), measured.iter().map(|one| one.time).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(suite: &'static str, trial: &str, seconds: u64) -> Measured {
        Measured { suite, trial: trial.to_owned(), time: Duration::from_secs(seconds) }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("times.json");
        let mut record = Record::default();
        record.update(&[measured("isa", "isa/a", 2), measured("isa", "isa/b", 3)], true);
        record.write(&path).expect("it is written");
        assert_eq!(Record::read(&path), record);
        assert_eq!(record.suites["isa"].seconds, 5.0);
        assert_eq!(Record::read(&folder.path().join("absent.json")), Record::default());
    }

    #[test]
    fn a_part_of_a_run_keeps_other_entries_and_a_whole_run_drops_them() {
        let mut record = Record::default();
        record.update(&[measured("isa", "isa/a", 2), measured("isa", "isa/b", 3)], true);
        record.update(&[measured("isa", "isa/a", 7)], false);
        assert_eq!((record.expected("isa", "isa/a"), record.expected("isa", "isa/b")), (7.0, 3.0));
        record.update(&[measured("isa", "isa/a", 7)], true);
        assert_eq!(record.expected("isa", "isa/b"), EXPECTED);
    }

    #[test]
    fn recorded_times_win_over_committed_ones() {
        let (mut own, mut committed) = (Record::default(), Record::default());
        own.update(&[measured("isa", "isa/a", 1)], true);
        committed.update(&[measured("isa", "isa/a", 9), measured("math", "math/a", 8)], true);
        own.complete(&committed);
        assert_eq!((own.expected("isa", "isa/a"), own.expected("math", "math/a")), (1.0, 8.0));
    }

    #[test]
    fn the_table_starts_with_the_longest_suite() {
        let table =
            table(&[measured("isa", "isa/a", 2), measured("math", "math/a", 3), measured("isa", "b", 2)]);
        let names: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["suite", "isa", "math", "all"]);
        assert!(table.contains(" 2       4.0") && table.contains(" 3       7.0"), "{table}");
    }
}
