//! From the data folders to trials.
//!
//! A file is a trial for each of its revisions. What another tool says to the same file is a trial
//! of its own, so that an absent tool skips that and nothing else.
//!
//! - [`text`]: `ir/`, `llvm/`, `ptx/`, and the repository's examples: CHECK lines on emitted text
//! - [`ui`]: `ui/`: diagnostics
//! - [`abi`]: `abi/`: prototypes compared with nvcc's, and links both ways
//! - [`values`]: `values/`: what variables hold, compared with nvcc's
//! - [`primitives`]: `primitives/`: instructions that synchronise threads, compared with nvcc's
//! - [`run`]: `run/`: what kernels compute, from the PTX of both compilers
//! - [`preprocess`]: `preprocess/`: tokens behind the preprocessor, compared with g++'s
//! - [`command_line`]: `driver/`: runs of `weftc` and what they leave behind
//! - `times`: which trials take long
//! - [`narrow`]: nvcc's compiler of device code, asked for 32-bit addresses
//! - [`oracle`]: the questions that are put to `weftc`, nvcc, ptxas and nvlink

pub mod abi;
pub mod command_line;
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
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};

use crate::Failure;
use crate::directive::Directives;
use crate::golden::Mode;
use crate::launches::{self, LaunchSpec};
use crate::tools::{Tool, Tools, repository};
use times::Times;

/// What every trial needs.
#[derive(Debug)]
pub struct Bench {
    /// The programs.
    pub tools: Tools,
    /// What golden files are for this run.
    pub mode: Mode,
}

/// The trials of a suite, and which of them are skipped.
#[derive(Debug)]
pub struct Suite {
    bench: Arc<Bench>,
    trials: Vec<Trial>,
    skipped: BTreeMap<Vec<Tool>, usize>,
    times: Option<Arc<Times>>,
}

impl Suite {
    /// A suite without trials.
    ///
    /// # Errors
    /// Without `weftc`, or with `BLESS` set under CI.
    pub fn new() -> Result<Suite, Failure> {
        let bench = Bench { tools: Tools::find()?, mode: Mode::from_env()? };
        Ok(Suite {
            bench: Arc::new(bench),
            trials: Vec::new(),
            skipped: BTreeMap::new(),
            times: Times::from_env(),
        })
    }

    /// From here on [`Tools::remember_nvcc`] holds.
    ///
    /// # Panics
    /// When there is a trial already.
    pub fn remember_nvcc(&mut self) {
        let bench = Arc::get_mut(&mut self.bench).expect("invariant: no trial has been added");
        bench.tools.remember_nvcc();
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
        text::add_examples(self, &repository().join("examples"))?;
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
        let bench = Arc::clone(&self.bench);
        let absent = bench.tools.absent(needs);
        let skip = !absent.is_empty() && !bench.tools.required();
        if skip {
            *self.skipped.entry(absent.clone()).or_default() += 1;
        }
        let (times, timed) = (self.times.clone(), name.clone());
        let trial = Trial::test(name, move || {
            let _timer = times.map(|times| times.timer(timed));
            if absent.is_empty() {
                run(&bench).map_err(Into::into)
            } else {
                Err(format!("absent, though WEFT_REQUIRE_TOOLS is set: {}", names(&absent)).into())
            }
        });
        self.trials.push(trial.with_ignored_flag(skip));
    }

    /// Runs a suite as the program that it is: what is skipped is told, then every trial that the command
    /// line asks for is run.
    #[expect(clippy::print_stdout, reason = "a harness speaks to people")]
    pub fn run(suite: Result<Suite, Failure>) -> ExitCode {
        let arguments = Arguments::from_args();
        match suite {
            Ok(suite) => {
                let times = suite.times.clone();
                let (trials, skips) = suite.into_parts();
                for line in skips {
                    println!("{line}");
                }
                let code = libtest_mimic::run(&arguments, trials).exit_code();
                for line in times.iter().flat_map(|times| times.slowest()) {
                    println!("{line}");
                }
                code
            }
            Err(failure) => {
                println!("the suite cannot start: {failure}");
                ExitCode::FAILURE
            }
        }
    }

    /// The trials, and a line for each set of absent tools.
    fn into_parts(self) -> (Vec<Trial>, Vec<String>) {
        let line = |(tools, n): (&Vec<Tool>, &usize)| format!("skipping {n} trials without {}", names(tools));
        let lines = self.skipped.iter().map(line).collect();
        (self.trials, lines)
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

    /// The same of a test that runs kernels, with its launches.
    pub(crate) fn read_launches(path: &Path) -> Result<(TestFile, Vec<LaunchSpec>), Failure> {
        let located = |e: String| format!("{}: {e}", path.display());
        let text = fs::read_to_string(path).map_err(|e| located(e.to_string()))?;
        let (directives, launches) = launches::parse(&text).map_err(located)?;
        Ok((TestFile { path: path.to_owned(), text, directives }, launches))
    }
}

/// `folder/name`, with the revision and the tool where there is one.
pub(crate) fn trial_name(path: &Path, revision: Option<&str>, tool: Option<&str>) -> String {
    let root = repository();
    let shown = path.strip_prefix(root.join("tests")).or_else(|_| path.strip_prefix(&root)).unwrap_or(path);
    let revision = revision.map_or(String::new(), |revision| format!("#{revision}"));
    let tool = tool.map_or(String::new(), |tool| format!(" ({tool})"));
    format!("{}{revision}{tool}", shown.display())
}

/// The files of a folder and its subfolders with the extension, sorted. A folder that is not there
/// has none.
///
/// # Errors
/// A folder that cannot be read, and a file with an extension that means nothing.
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
        } else if !matches!(extension, "stderr" | "md" | "h") {
            return Err(format!("{}: no test of this folder has such a name", path.display()));
        }
    }
    files.sort();
    Ok(files)
}
