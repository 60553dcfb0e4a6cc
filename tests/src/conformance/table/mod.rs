//! The clause table: `tests/conformance/clauses.toml`, with a row for each rule of the guide's chapters 1 to 7, followed
//! by a row for each instruction, special register and directive of PTX ISA 1.1, from `instructions.toml` (`isa`).
//!
//! A row names its cases. The folder determines the kind of a case:
//!
//! - `signatures/FILE#NAME`: a function, kernel, struct or union of a unit, which is compared at all levels
//! - `programs/FILE`: a kernel that is run from the producer's PTX and from nvcc's, with the launches of its directives
//! - `pairs/FOLDER`: the same for `caller.src` and `callee.src`, linked in all four pairings
//! - `symbols/FILE`: both compilers must give the same symbols
//! - `texts/FILE`: CHECK lines that both compilers' PTX must match
//! - `debug/FILE#RULE`: a rule of chapter 5 about the debug information of a source (`dwarf/clauses.rs`)
//! - `refused/FILE`: both compilers must reject it
//! - `instructions/NAME`: all variants of an instruction
//! - `atomics#ROW`: all cells of the matrix of atomic operations in this row of the guide's chapter 4
//!
//! Other paths name further tests that `weftc` has to pass; this module only checks that they exist.
//!
//! - this file: the table, and its results; [`cases`]: the check of each kind of case; [`report`]: the output

pub mod cases;
pub mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};

use super::producer::Producer;
use super::verdict::{Level, Outcome, Verdict};
use crate::Failure;
use crate::isa::{self, Variant};
use crate::tools::{Tools, repository};

/// The prefix of files that are instructions.
pub const INSTRUCTIONS: &str = "instructions/";

/// A rule of the guide.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its name, which begins with the section number.
    pub id: String,
    /// The section, and the row, note or figure.
    pub section: String,
    /// The rule, in our words.
    pub rule: String,
    /// The cases that show it.
    pub cases: Vec<String>,
    /// Other tests that show it for `weftc`.
    #[serde(default)]
    pub also: Vec<String>,
}

/// All rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// In the order of the guide.
    pub clause: Vec<Clause>,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The same as with nvcc; the levels that were compared.
    Same(Vec<String>),
    /// A difference.
    Differs(String),
    /// Not comparable, because nvcc's own code fails.
    NvccFails(String),
}

/// A rule with the results of its cases.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// [`Clause::id`]
    pub id: String,
    /// [`Clause::section`]
    pub section: String,
    /// [`Clause::rule`]
    pub rule: String,
    /// Whether all cases are the same.
    pub passes: bool,
    /// By case name.
    pub cases: BTreeMap<String, Answer>,
    /// [`Clause::also`]
    pub also: Vec<String>,
}

/// All results, for JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The compiler under test.
    pub producer: String,
    /// The GPU.
    pub arch: String,
    /// In the order of the guide.
    pub rows: Vec<Row>,
}

/// The folder of the table and its cases.
pub fn folder() -> PathBuf {
    repository().join("tests").join("conformance")
}

impl Table {
    /// Reads the table, and checks that everything it names exists.
    ///
    /// # Errors
    ///
    /// A row without a case, a duplicate id, a missing case or test.
    pub fn read() -> Result<Table, Failure> {
        let path = folder().join("clauses.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut table: Table = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut ids = BTreeSet::new();
        for clause in &table.clause {
            let wrong = |why: &str| Err(format!("clause {}: {why}", clause.id));
            if !ids.insert(&clause.id) {
                return wrong("the id stands twice");
            }
            if clause.cases.is_empty() {
                return wrong("it has no case");
            }
            for case in &clause.cases {
                let file = case.split('#').next().unwrap_or_default();
                if !folder().join(file).exists() && !folder().join(format!("{file}.src")).exists() {
                    return wrong(&format!("there is no case `{case}`"));
                }
            }
            for test in &clause.also {
                let test = repository().join("tests").join(test);
                if !test.exists()
                    && !test.with_extension("src").exists()
                    && !test.with_extension("toml").exists()
                {
                    return wrong(&format!("there is no test `{}`", test.display()));
                }
            }
        }
        let variants = isa::variants(&isa::forms()?)?;
        let instructions = variants.chunk_by(|a, b| a.form.of == b.form.of);
        table.clause.extend(instructions.filter_map(|variants| variants.first()).map(
            |Variant { form, .. }| Clause {
                id: format!("isa-{}", form.of),
                section: format!("PTX ISA 1.1, {}", form.place()),
                rule: format!("All variants of `{}` can be written", form.of),
                cases: vec![format!("{INSTRUCTIONS}{}", form.of)],
                also: Vec::new(),
            },
        ));
        Ok(table)
    }

    /// The files or folders that contain the cases.
    pub fn files(&self) -> BTreeSet<String> {
        let cases = self.clause.iter().flat_map(|clause| &clause.cases);
        cases.map(|case| case.split('#').next().unwrap_or_default().to_owned()).collect()
    }

    /// Checks all cases of a producer, several files at once.
    ///
    /// # Errors
    ///
    /// If a tool is missing or fails.
    pub fn look_at(
        &self,
        tools: &Tools,
        producer: &Producer,
        arch: &str,
        n_jobs: usize,
    ) -> Result<Report, Failure> {
        let files: Vec<String> = self.files().into_iter().collect();
        let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let answer = cases::look_at(file, tools, producer, arch, true);
                if let Ok(mut found) = found.lock() {
                    found.insert(file.clone(), answer);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..n_jobs.max(1) {
                scope.spawn(work);
            }
        });
        let mut answers = BTreeMap::new();
        for (file, answer) in found.into_inner().map_err(|e| e.to_string())? {
            let answer = answer.map_err(|e| format!("{file}: {e}"))?;
            answers.insert(file, answer);
        }
        let rows = self.rows(&answers);
        Ok(Report { producer: producer.name(), arch: arch.to_owned(), rows })
    }

    /// The rows, from the results of the files.
    pub fn rows(&self, files: &BTreeMap<String, FileAnswer>) -> Vec<Row> {
        let row = |clause: &Clause| {
            let cases: BTreeMap<String, Answer> =
                clause.cases.iter().flat_map(|case| answers(case, files)).collect();
            Row {
                id: clause.id.clone(),
                section: clause.section.clone(),
                rule: clause.rule.clone(),
                passes: cases.values().all(|answer| matches!(answer, Answer::Same(_))),
                cases,
                also: clause.also.clone(),
            }
        };
        self.clause.iter().map(row).collect()
    }
}

/// The result of a file of cases.
#[derive(Clone, Debug)]
pub enum FileAnswer {
    /// A unit, by function and record.
    Unit(Outcome),
    /// By rule name.
    Named(BTreeMap<String, Answer>),
    /// All variants of an instruction, by name.
    Variants(BTreeMap<String, Answer>),
    /// Cells of a matrix, by row and name.
    Cells(BTreeMap<String, BTreeMap<String, Answer>>),
    /// Any other file.
    Whole(Answer),
}

/// A case's answer, or those of its cells.
fn answers(case: &str, files: &BTreeMap<String, FileAnswer>) -> Vec<(String, Answer)> {
    if let Some((file, row)) = case.split_once('#')
        && let Some(FileAnswer::Cells(rows)) = files.get(file)
    {
        let cells = rows.get(row).into_iter().flatten();
        let cells: Vec<_> = cells.map(|(cell, answer)| (cell.clone(), answer.clone())).collect();
        if !cells.is_empty() {
            return cells;
        }
    }
    if let Some(FileAnswer::Variants(variants)) = files.get(case) {
        return variants.iter().map(|(name, answer)| (name.clone(), answer.clone())).collect();
    }
    vec![(case.to_owned(), answer(case, files))]
}

fn answer(case: &str, files: &BTreeMap<String, FileAnswer>) -> Answer {
    let (file, name) = case.split_once('#').unwrap_or((case, ""));
    match files.get(file) {
        None => Answer::Differs("it was not looked at".into()),
        Some(FileAnswer::Whole(answer)) => answer.clone(),
        Some(FileAnswer::Named(rules)) => match rules.get(name) {
            Some(answer) => answer.clone(),
            None => Answer::Differs(format!("`{name}` is no rule of the file")),
        },
        Some(FileAnswer::Unit(outcome)) => of_unit(outcome, name),
        Some(FileAnswer::Variants(_)) => Answer::Differs(format!("`{name}` is no part of an instruction")),
        Some(FileAnswer::Cells(_)) => Answer::Differs(format!("there are no cells of `{name}`")),
    }
}

fn of_unit(outcome: &Outcome, name: &str) -> Answer {
    let verdicts: Vec<(Level, &Verdict)> = match (outcome.functions.get(name), outcome.records.get(name)) {
        (Some(levels), _) => levels.iter().map(|(level, verdict)| (*level, verdict)).collect(),
        (None, Some(verdict)) => vec![(Level::Layouts, verdict)],
        (None, None) => return Answer::Differs(format!("`{name}` is not in the file")),
    };
    let with_level = |level: Level, how: &str| format!("{level}: {how}");
    for (level, verdict) in &verdicts {
        match verdict {
            Verdict::Differs(how) => return Answer::Differs(with_level(*level, how)),
            Verdict::Oracle(how) => return Answer::NvccFails(with_level(*level, how)),
            Verdict::Same => {}
        }
    }
    if outcome.functions.contains_key(name) && !verdicts.iter().any(|(level, _)| *level == Level::Results) {
        return Answer::Differs("its results were not come to".into());
    }
    Answer::Same(verdicts.iter().map(|(level, _)| level.name().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_cells_has_an_answer_for_each() {
        let same = || Answer::Same(vec!["mapping".to_owned()]);
        let cells = BTreeMap::from([("a".to_owned(), same()), ("b".to_owned(), same())]);
        let rows = BTreeMap::from([("load-relaxed".to_owned(), cells)]);
        let files = BTreeMap::from([("atomics".to_owned(), FileAnswer::Cells(rows))]);
        assert_eq!(answers("atomics#load-relaxed", &files).len(), 2);
        let none = answers("atomics#load-release", &files);
        assert!(matches!(&none[..], [(_, Answer::Differs(_))]), "{none:?}");
    }

    #[test]
    fn the_table_is_whole() {
        let table = Table::read().expect("every row has cases that are there");
        assert!(table.clause.len() > 60, "{} rows", table.clause.len());
    }

    #[test]
    fn a_case_that_is_not_there_differs() {
        let outcome = Outcome::default();
        assert!(matches!(of_unit(&outcome, "f"), Answer::Differs(_)));
    }
}
