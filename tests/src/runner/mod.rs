//! Turns the data folders into trials.
//!
//! A file is one trial for each of its revisions. The answer of another tool about the same file is a separate trial, so
//! that a missing tool skips only that.
//!
//! - [`text`]: `ir/`, `llvm/`, `ptx/`, and the repository's examples: CHECK lines on emitted text
//! - [`ui`]: `ui/`: diagnostics
//! - [`abi`]: `abi/`: prototypes compared with nvcc's, and links both ways
//! - [`values`]: `values/`: values of variables, compared with nvcc's
//! - [`primitives`]: `primitives/`: synchronization instructions, compared with nvcc's
//! - [`run`]: `run/`: results of kernels, from the PTX of both compilers
//! - [`preprocess`]: `preprocess/`: tokens after the preprocessor, compared with g++'s
//! - [`command_line`]: `driver/`: runs of `weftc`, and the files that they leave
//! - [`harness`]: the test program: filters, one pool for all suites, and the order of the trials
//! - `times`: how long trials take, from run to run
//! - [`narrow`]: nvcc's device compiler with 32-bit addresses
//! - [`oracle`]: runs `weftc`, nvcc, ptxas and nvlink

pub mod abi;
pub mod command_line;
pub mod harness;
pub mod narrow;
pub mod oracle;
pub mod preprocess;
pub mod primitives;
pub mod run;
pub mod text;
mod times;
pub mod ui;
pub mod values;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::Trial;

use crate::Failure;
use crate::directive::Directives;
use crate::golden::Mode;
use crate::launches::{self, LaunchSpec};
use crate::tools::{Tool, Tools, repository};
use times::Times;

/// The shared state of all trials.
#[derive(Debug)]
pub struct Bench {
    /// The programs.
    pub tools: Tools,
    /// The mode of golden files.
    pub mode: Mode,
    answers: oracle::Answers,
}

impl Bench {
    fn new(tools: Tools, mode: Mode) -> Bench {
        Bench { tools, mode, answers: oracle::Answers::default() }
    }
}

/// The trials of a suite, and which of them are skipped.
pub struct Suite {
    name: &'static str,
    bench: Arc<Bench>,
    /// Each with whether it runs after all others.
    trials: Vec<(bool, Trial)>,
    skipped: BTreeMap<Vec<Tool>, usize>,
    at_end: Vec<AtEnd>,
    times: Times,
}

/// A step at the end of a suite.
type AtEnd = Box<dyn FnOnce() -> Result<(), Failure>>;

impl Suite {
    /// A suite without trials.
    fn new(name: &'static str, bench: Arc<Bench>, times: Times) -> Suite {
        let (trials, skipped, at_end) = (Vec::new(), BTreeMap::new(), Vec::new());
        Suite { name, bench, trials, skipped, at_end, times }
    }

    /// Makes the trials that are added from here on [remember](Tools::remember_nvcc) nvcc's answers.
    pub fn remember_nvcc(&mut self) {
        self.bench = Arc::new(Bench::new(self.bench.tools.clone().remember_nvcc(), self.bench.mode));
    }

    /// Adds every test of the data folders.
    ///
    /// # Errors
    /// A folder or a test that cannot be read.
    pub fn add_data(&mut self) -> Result<(), Failure> {
        let tests = repository().join("tests");
        ui::add(self, &tests.join("ui"))?;
        for kind in text::KINDS {
            text::add(self, &tests.join(kind.folder), kind)?;
        }
        text::add_examples(self)?;
        abi::add(self, &tests.join("abi"))?;
        values::add(self, &tests.join("values"))?;
        primitives::add(self, &tests.join("primitives"))?;
        run::add(self, &tests.join("run"))?;
        preprocess::add(self, &tests.join("preprocess"))?;
        command_line::add(self, &tests.join("driver"))
    }

    /// Adds a trial. Where a tool is absent it is skipped, or fails if the environment asks for it.
    pub fn add(
        &mut self,
        name: String,
        needs: &[Tool],
        run: impl FnOnce(&Bench) -> Result<(), Failure> + Send + 'static,
    ) {
        let trial = self.trial(name, needs, run);
        self.trials.push((false, trial));
    }

    /// Adds a trial that uses what other trials find out: it starts after all that [`add`](Suite::add) adds.
    pub fn add_last(
        &mut self,
        name: String,
        needs: &[Tool],
        run: impl FnOnce(&Bench) -> Result<(), Failure> + Send + 'static,
    ) {
        let trial = self.trial(name, needs, run);
        self.trials.push((true, trial));
    }

    fn trial(
        &mut self,
        name: String,
        needs: &[Tool],
        run: impl FnOnce(&Bench) -> Result<(), Failure> + Send + 'static,
    ) -> Trial {
        let bench = Arc::clone(&self.bench);
        let absent = bench.tools.absent(needs);
        let skip = !absent.is_empty() && !bench.tools.required();
        if skip {
            *self.skipped.entry(absent.clone()).or_default() += 1;
        }
        let (times, suite, timed) = (self.times.clone(), self.name, name.clone());
        let trial = Trial::test(name, move || {
            let _timer = times.timer(suite, timed);
            if absent.is_empty() {
                run(&bench).map_err(Into::into)
            } else {
                Err(format!("absent, though WEFT_REQUIRE_TOOLS is set: {}", names(&absent)).into())
            }
        });
        trial.with_ignored_flag(skip)
    }

    /// Adds a step that runs after all trials, such as one that prints what they counted.
    pub fn at_end(&mut self, step: impl FnOnce() -> Result<(), Failure> + 'static) {
        self.at_end.push(Box::new(step));
    }
}

fn names(tools: &[Tool]) -> String {
    tools.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
}

/// A test file as read.
#[derive(Debug)]
pub(crate) struct TestFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) directives: Directives,
}

impl TestFile {
    pub(crate) fn read(path: &Path) -> Result<TestFile, Failure> {
        let located = |e: String| format!("{}: {e}", path.display());
        let text = fs::read_to_string(path).map_err(|e| located(e.to_string()))?;
        let directives = Directives::parse(&text).map_err(located)?;
        Ok(TestFile { path: path.to_owned(), text, directives })
    }

    /// Reads a test that runs kernels, with its launches.
    pub(crate) fn read_launches(path: &Path) -> Result<(TestFile, Vec<LaunchSpec>), Failure> {
        let located = |e: String| format!("{}: {e}", path.display());
        let text = fs::read_to_string(path).map_err(|e| located(e.to_string()))?;
        let (directives, launches) = launches::parse(&text).map_err(located)?;
        Ok((TestFile { path: path.to_owned(), text, directives }, launches))
    }
}

/// `folder/name`, with the revision and the tool, if any.
pub(crate) fn trial_name(path: &Path, revision: Option<&str>, tool: Option<&str>) -> String {
    let root = repository();
    let shown = path.strip_prefix(root.join("tests")).or_else(|_| path.strip_prefix(&root)).unwrap_or(path);
    let revision = revision.map_or(String::new(), |revision| format!("#{revision}"));
    let tool = tool.map_or(String::new(), |tool| format!(" ({tool})"));
    format!("{}{revision}{tool}", shown.display())
}

/// The files of a folder and its subfolders with the extension, sorted; none if the folder does not exist.
///
/// # Errors
///
/// If a folder cannot be read, or a file has an unknown extension.
pub fn files(folder: &Path, wanted: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    if !folder.exists() {
        return Ok(files);
    }
    let located = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(located)? {
        let path = entry.map_err(located)?.path();
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if path.is_dir() {
            files.extend(self::files(&path, wanted)?);
        } else if extension == wanted {
            files.push(path);
        } else if !matches!(extension, "stderr" | "md" | "h" | "cuh") {
            return Err(format!("{}: no test of this folder has such a name", path.display()));
        }
    }
    files.sort();
    Ok(files)
}
