//! The clause table: `tests/conformance/clauses.toml`, a row for each rule of the guide's chapters 1, 2 and 7.
//!
//! A row names its cases. What a case is, its folder says:
//!
//! - `signatures/FILE#NAME`: a function, kernel, struct or union of a unit, which is compared at all levels
//! - `programs/FILE`: a kernel that is executed from the producer's PTX and from nvcc's, with the launches of its directives
//! - `pairs/FOLDER`: the same of `caller.src` and `callee.src`, linked in all four pairings
//! - `symbols/FILE`: both compilers must make the same symbols
//! - `texts/FILE`: CHECK lines that both compilers' PTX must fit
//! - `refused/FILE`: what both compilers refuse
//!
//! Other paths name tests of the bench beside the table, which `weftc` has to pass besides; that they are there is all that
//! is looked at here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};

use super::levels::Engine;
use super::parse::parse;
use super::probe::Given;
use super::producer::{self, NotMade, Producer};
use super::verdict::{Level, Outcome, Verdict};
use crate::Failure;
use crate::filecheck::{self, Prefixes};
use crate::launches::{self, LaunchSpec};
use crate::names;
use crate::runner::run::same_launches;
use crate::tools::{Tool, Tools, repository, run};

/// A rule of the guide.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its name, which begins with the section.
    pub id: String,
    /// The section, and the row, note or figure.
    pub section: String,
    /// What it says, in our words.
    pub rule: String,
    /// What shows it.
    pub cases: Vec<String>,
    /// Tests of the bench that show it for `weftc` besides.
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

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// As with nvcc; which levels that was found at.
    Same(Vec<String>),
    /// Not so, and how.
    Differs(String),
    /// Nothing can be said, since nvcc's own code fails.
    NvccFails(String),
}

/// A rule with how its cases came out.
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
    /// By the names of the cases.
    pub cases: BTreeMap<String, Answer>,
    /// [`Clause::also`]
    pub also: Vec<String>,
}

/// All that came out, for whoever reads it as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The compiler that was looked at.
    pub producer: String,
    /// The GPU.
    pub arch: String,
    /// In the order of the guide.
    pub rows: Vec<Row>,
}

/// Where the table and its cases are.
pub fn folder() -> PathBuf {
    repository().join("tests").join("conformance")
}

impl Table {
    /// Reads the table, and looks for what it names.
    ///
    /// # Errors
    /// A row without a case, an id that stands twice, a case or a test that is not there.
    pub fn read() -> Result<Table, Failure> {
        let path = folder().join("clauses.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let table: Table = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
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
        Ok(table)
    }

    /// The files, or folders, that the cases are in.
    pub fn files(&self) -> BTreeSet<String> {
        let cases = self.clause.iter().flat_map(|clause| &clause.cases);
        cases.map(|case| case.split('#').next().unwrap_or_default().to_owned()).collect()
    }

    /// Looks at all cases of a producer, several files at once.
    ///
    /// # Errors
    /// When a tool is absent or fails.
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
                let answer = look_at(file, tools, producer, arch, true);
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

    /// The rows, from how the files came out.
    pub fn rows(&self, files: &BTreeMap<String, FileAnswer>) -> Vec<Row> {
        let row = |clause: &Clause| {
            let cases: BTreeMap<String, Answer> =
                clause.cases.iter().map(|case| (case.clone(), answer(case, files))).collect();
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

/// How a file of cases came out.
#[derive(Clone, Debug)]
pub enum FileAnswer {
    /// A unit, by its functions and records.
    Unit(Outcome),
    /// All else.
    Whole(Answer),
}

fn answer(case: &str, files: &BTreeMap<String, FileAnswer>) -> Answer {
    let (file, name) = case.split_once('#').unwrap_or((case, ""));
    match files.get(file) {
        None => Answer::Differs("it was not looked at".into()),
        Some(FileAnswer::Whole(answer)) => answer.clone(),
        Some(FileAnswer::Unit(outcome)) => of_unit(outcome, name),
    }
}

fn of_unit(outcome: &Outcome, name: &str) -> Answer {
    let verdicts: Vec<(Level, &Verdict)> = match (outcome.functions.get(name), outcome.records.get(name)) {
        (Some(levels), _) => levels.iter().map(|(level, verdict)| (*level, verdict)).collect(),
        (None, Some(verdict)) => vec![(Level::Layouts, verdict)],
        (None, None) => return Answer::Differs(format!("`{name}` is not in the file")),
    };
    let told = |level: Level, how: &str| format!("{level}: {how}");
    for (level, verdict) in &verdicts {
        match verdict {
            Verdict::Differs(how) => return Answer::Differs(told(*level, how)),
            Verdict::Oracle(how) => return Answer::NvccFails(told(*level, how)),
            Verdict::Same => {}
        }
    }
    if outcome.functions.contains_key(name) && !verdicts.iter().any(|(level, _)| *level == Level::Results) {
        return Answer::Differs("its results were not come to".into());
    }
    Answer::Same(verdicts.iter().map(|(level, _)| level.name().to_owned()).collect())
}

/// Looks at a file of cases, by its path without the extension; objects of the host are linked if it is asked for.
///
/// # Errors
/// When a tool is absent or fails.
pub fn look_at(
    file: &str,
    tools: &Tools,
    producer: &Producer,
    arch: &str,
    links_host: bool,
) -> Result<FileAnswer, Failure> {
    let cases = Cases { tools, producer, arch };
    let path = folder().join(format!("{file}.src"));
    let whole = |answer: Result<Answer, NotMade>| match answer {
        Ok(answer) => Ok(FileAnswer::Whole(answer)),
        Err(NotMade::Refused { why, .. }) => {
            Ok(FileAnswer::Whole(Answer::Differs(format!("it is refused: {why}"))))
        }
        Err(NotMade::Failed(failure)) => Err(failure),
    };
    match file.split('/').next() {
        Some("signatures") => {
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let unit = parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            let engine = Engine {
                tools,
                arch: arch.to_owned(),
                producer: producer.clone(),
                given: Given::Each,
                links_host,
            };
            Ok(FileAnswer::Unit(engine.check(&unit, 1)?))
        }
        Some("programs") => whole(cases.program(&path)),
        Some("pairs") => whole(cases.pair(&folder().join(file))),
        Some("symbols") => whole(cases.symbols(&path)),
        Some("texts") => whole(cases.text(&path)),
        Some("refused") => whole(cases.refused(&path)),
        _ => Err(format!("no kind of case has files like `{file}`")),
    }
}

/// Cases that are whole files.
struct Cases<'t> {
    tools: &'t Tools,
    producer: &'t Producer,
    arch: &'t str,
}

fn same(what: &str) -> Answer {
    Answer::Same(vec![what.to_owned()])
}

impl Cases<'_> {
    /// PTX by the producer, and by nvcc.
    fn both(&self, source: &Path, work: &Path) -> Result<[String; 2], NotMade> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let out = work.join(format!("{stem}.ptx"));
        self.producer.compile(self.tools, source, self.arch, &out)?;
        let ours = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
        Ok([ours, producer::nvcc_ptx(self.tools, source, self.arch, work)?])
    }

    fn program(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [ours, theirs] = self.both(source, work.path())?;
        let ways = [
            ("the producer", vec![("kernel.ptx", ours.as_str())]),
            ("nvcc", vec![("kernel.ptx", theirs.as_str())]),
        ];
        let launches = launches_of(source)?;
        Ok(match same_launches(&launches, &ways) {
            Ok(()) => same("results"),
            Err(how) => Answer::Differs(how),
        })
    }

    fn pair(&self, folder: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [caller, callee] = ["caller.src", "callee.src"].map(|name| folder.join(name));
        let mut made = Vec::new();
        for source in [&caller, &callee] {
            let ours = self.producer.make(self.tools, source, self.arch, work.path(), false)?;
            made.push([ours, producer::nvcc(self.tools, source, self.arch, work.path(), false)?]);
        }
        let mut ways = Vec::new();
        for caller in &made[0] {
            for callee in &made[1] {
                let mut nvlink = self.tools.tool(Tool::Nvlink)?;
                nvlink.arg(format!("-arch={}", self.arch)).arg("-o").arg(work.path().join("linked"));
                let answer = run(nvlink.args([&caller.cubin, &callee.cubin]))?;
                let way = format!("the caller by {}, the callee by {}", caller.by, callee.by);
                // Of recursion every pairing warns.
                let is_warning = |line: &str| line.contains("Stack size for entry function");
                let said = answer.stdout.lines().chain(answer.stderr.lines()).find(|line| !is_warning(line));
                if answer.status != Some(0) || said.is_some() {
                    return Ok(Answer::Differs(answer.report(&way)));
                }
                let modules = vec![("caller.ptx", caller.ptx.as_str()), ("callee.ptx", callee.ptx.as_str())];
                ways.push((way, modules));
            }
        }
        let ways: Vec<_> = ways.iter().map(|(way, modules)| (way.as_str(), modules.clone())).collect();
        Ok(match same_launches(&launches_of(&caller)?, &ways) {
            Ok(()) => Answer::Same(vec!["linking".to_owned(), "results".to_owned()]),
            Err(how) => Answer::Differs(how),
        })
    }

    fn symbols(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let [ours, theirs] = self.both(source, work.path())?.map(|ptx| names::symbols(&ptx));
        if theirs.is_empty() {
            return Ok(Answer::NvccFails("nvcc's text has no symbols".into()));
        }
        let list = |all: &BTreeSet<String>, less: &BTreeSet<String>| {
            all.difference(less).cloned().collect::<Vec<_>>().join(" ")
        };
        let (missing, extra) = (list(&theirs, &ours), list(&ours, &theirs));
        if missing.is_empty() && extra.is_empty() {
            return Ok(same("symbols"));
        }
        Ok(Answer::Differs(format!("missing: {missing}; not expected: {extra}")))
    }

    fn text(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        let text = fs::read_to_string(source).map_err(|e| e.to_string())?;
        let check = |ptx: &str| filecheck::check(&text, &Prefixes::plain(), ptx);
        let [ours, theirs] = self.both(source, work.path())?;
        if let Err(how) = check(&theirs) {
            return Ok(Answer::NvccFails(how));
        }
        Ok(match check(&ours) {
            Ok(()) => same("text"),
            Err(how) => Answer::Differs(how),
        })
    }

    fn refused(&self, source: &Path) -> Result<Answer, NotMade> {
        let work = work_folder()?;
        match producer::nvcc_ptx(self.tools, source, self.arch, work.path()) {
            Err(NotMade::Refused { .. }) => {}
            Err(failure @ NotMade::Failed(_)) => return Err(failure),
            Ok(_) => return Ok(Answer::NvccFails("nvcc takes it".into())),
        }
        match self.producer.compile(self.tools, source, self.arch, &work.path().join("out.ptx")) {
            Err(NotMade::Refused { .. }) => Ok(same("refused")),
            Err(failure @ NotMade::Failed(_)) => Err(failure),
            Ok(()) => Ok(Answer::Differs("it is taken".into())),
        }
    }
}

fn work_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))
}

fn launches_of(source: &Path) -> Result<Vec<LaunchSpec>, Failure> {
    let text = fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
    let (_, launches) = launches::parse(&text).map_err(|e| format!("{}: {e}", source.display()))?;
    if launches.is_empty() { Err(format!("{}: it has no launch", source.display())) } else { Ok(launches) }
}

impl Report {
    /// How many rows pass.
    pub fn n_passing(&self) -> usize {
        self.rows.iter().filter(|row| row.passes).count()
    }

    /// As lines of text: a row each, and beneath it what is wrong.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let verdict = if row.passes { "ok" } else { "DIFFERS" };
            text.push_str(&format!("{verdict:8}{:34}{}\n", row.id, row.rule));
            for (case, answer) in &row.cases {
                match answer {
                    Answer::Same(_) => {}
                    Answer::Differs(how) => text.push_str(&format!("        {case}: {how}\n")),
                    Answer::NvccFails(how) => {
                        text.push_str(&format!("        {case}: nvcc's own code fails: {how}\n"))
                    }
                }
            }
        }
        text.push_str(&format!(
            "{} of {} rows as nvcc has them, {} for {}\n",
            self.n_passing(),
            self.rows.len(),
            self.producer,
            self.arch
        ));
        text
    }
}

/// A page for people who read: the table of several reports, one beside the other.
pub fn page(reports: &[Report]) -> String {
    let mut text = String::from(PAGE);
    text.push_str("| clause | section | rule | levels |");
    reports.iter().for_each(|report| text.push_str(&format!(" {} |", report.producer)));
    text.push_str("\n|---|---|---|---|");
    reports.iter().for_each(|_| text.push_str("---|"));
    text.push('\n');
    let Some(first) = reports.first() else { return text };
    for (idx, row) in first.rows.iter().enumerate() {
        let mut levels: Vec<&str> = Vec::new();
        for answer in row.cases.values() {
            if let Answer::Same(own) = answer {
                own.iter().filter(|own| *own != "compiled").for_each(|own| {
                    if !levels.contains(&own.as_str()) {
                        levels.push(own);
                    }
                });
            }
        }
        text.push_str(&format!("| {} | {} | {} | {} |", row.id, row.section, row.rule, levels.join(", ")));
        for report in reports {
            let row = &report.rows[idx];
            let n_same = row.cases.values().filter(|answer| matches!(answer, Answer::Same(_))).count();
            text.push_str(&match row.passes {
                true => format!(" {n_same} same |"),
                false => format!(" **{} of {} differ** |", row.cases.len() - n_same, row.cases.len()),
            });
        }
        text.push('\n');
    }
    text.push('\n');
    for report in reports {
        text.push_str(&format!(
            "{}: {} of {} rows as nvcc has them.\n\n",
            report.producer,
            report.n_passing(),
            report.rows.len()
        ));
    }
    text
}

const PAGE: &str = "\
# Conformance

Every rule of chapters 1, 2 and 7 of NVIDIA's *PTX Writer's Guide to Interoperability* 13.3, and how compilers keep it beside
nvcc 13.5, for sm_90. `ci/conformance` makes this page; its columns are what it found then. `ci/conformance --producer 'COMMAND {in} {out}'`
looks at any compiler of CUDA C that makes PTX: the command compiles the file `{in}` for separate compilation, and writes
PTX to `{out}`.

A row counts cases: functions, kernels, structs and programs of `tests/conformance/`. Each function is compared at these
levels, and a case is the same if all are:

- **prototypes**: the symbols in both compilers' PTX, and of each parameter and result kind, size, alignment and place
- **layouts**: sizes, alignments, offsets, and the bytes that each bit-field is; both compilers' programs tell them
- **registers**: where ptxas finds each parameter of both compilers' functions, by nvdisasm
- **linking**: one compiler's caller with the other's callee, both ways, as cubins by nvlink and as objects of the host by
  `nvcc -dlink`
- **results**: all four pairings of caller and callee, called by name and through a pointer, with values at random and at the
  ends of their types; what arrives must be, bit for bit, what was passed

";

#[cfg(test)]
mod tests {
    use super::*;

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
