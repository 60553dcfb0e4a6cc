//! `ir/`, `llvm/`, `ptx/` and the examples: checks the output of `weftc` with CHECK lines.
//!
//! nvcc must also accept each file, and ptxas its PTX, for the test's GPU, unless a directive specifies
//! otherwise, with a reason.

use std::path::Path;
use std::sync::Arc;

use super::abi;
use super::oracle::work_folder;
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::Failure;
use crate::directive::{Directives, Emit, Oracle, Settings};
use crate::examples;
use crate::filecheck::{self, Prefixes};
use crate::tools::Tool;

/// A folder of such tests.
#[derive(Clone, Copy, Debug)]
pub struct TextKind {
    /// Its name below `tests/`.
    pub folder: &'static str,
    /// The default output to check.
    pub emit: Emit,
}

/// The folders.
pub const KINDS: [TextKind; 3] = [
    TextKind { folder: "ir", emit: Emit::Ir },
    TextKind { folder: "llvm", emit: Emit::LlvmIr },
    TextKind { folder: "ptx", emit: Emit::Ptx },
];

/// Adds the tests of a folder.
///
/// # Errors
///
/// If a test cannot be read.
pub fn add(suite: &mut Suite, folder: &Path, kind: TextKind) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        let file = Arc::new(TestFile::read(&path)?);
        for settings in file.directives.all_settings()? {
            add_ptxas(suite, &path, &settings);
            let name = trial_name(&path, settings.revision.as_deref(), None);
            let (file, mut needs) = (Arc::clone(&file), settings.needs.clone());
            needs.push(Tool::FileCheck);
            suite.add(name, &needs, move |bench| check(bench, &file, &settings, kind.emit));
        }
        add_nvcc(suite, &file, Oracle::Accepts)?;
    }
    Ok(())
}

fn check(bench: &Bench, file: &TestFile, settings: &Settings, default: Emit) -> Result<(), Failure> {
    let work = work_folder()?;
    let emit = settings.emit.unwrap_or(default);
    let output = bench.emit(&file.path, emit, settings, work.path())?;
    filecheck::check(
        &bench.tools,
        &file.text,
        &prefixes(&file.directives, settings.revision.as_deref()),
        &output,
    )
}

/// Reads a test and checks it at its first revision.
#[cfg(test)]
pub(super) fn check_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let file = TestFile::read(path)?;
    check(bench, &file, &file.directives.all_settings()?[0], Emit::Ptx)
}

/// Reads a test, and runs nvcc on it.
#[cfg(test)]
pub(super) fn ask_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let settings = &TestFile::read(path)?.directives.all_settings()?[0];
    ask_nvcc(bench, path, &settings.arch, settings.nvcc.unwrap_or(Oracle::Accepts))
}

/// Adds the examples in C: each is compiled at the lowest and highest optimization level, assembled, and compared
/// with nvcc's prototypes. In C++ the functions that are left depend on what is inlined.
///
/// # Errors
///
/// If an example cannot be read.
pub fn add_examples(suite: &mut Suite) -> Result<(), Failure> {
    for path in examples::sources_in_c()? {
        let settings = abi::levels(&TestFile::read(&path)?.directives)?;
        let (needs, name) = ([Tool::Nvcc, Tool::Ptxas], trial_name(&path, None, None));
        suite.add(name, &needs, move |bench| abi::same_prototypes(bench, &path, &settings));
    }
    Ok(())
}

/// `CHECK` and the revision in capitals; those of the other revisions are known, too.
fn prefixes(directives: &Directives, revision: Option<&str>) -> Prefixes {
    let mut prefixes = Prefixes::plain();
    for name in directives.revisions().into_iter().flatten() {
        let list = if Some(name) == revision { &mut prefixes.active } else { &mut prefixes.others };
        list.push(name.to_uppercase());
    }
    prefixes
}

fn add_ptxas(suite: &mut Suite, path: &Path, settings: &Settings) {
    let oracle = settings.ptxas.unwrap_or(Oracle::Accepts);
    if oracle == Oracle::Unchecked {
        return;
    }
    let mut needs = settings.needs.clone();
    needs.push(settings.machine().ptxas());
    let name = trial_name(path, settings.revision.as_deref(), Some("ptxas"));
    let (path, settings) = (path.to_owned(), settings.clone());
    suite.add(name, &needs, move |bench| {
        let work = work_folder()?;
        let ptx = bench.emit(&path, Emit::Ptx, &settings, work.path())?;
        let answer = bench.ptxas_of(&ptx, "test", &settings.arch, settings.machine(), work.path())?;
        match (oracle, answer.status) {
            (Oracle::Rejects, Some(0)) => Err(answer.report("ptxas accepts it")),
            (Oracle::Rejects, _) => Ok(()),
            (Oracle::Accepts | Oracle::Unchecked, _) => answer.success().map(drop),
        }
    });
}

/// Adds a trial of nvcc's answer about a file, for each GPU of its revisions.
pub(super) fn add_nvcc(suite: &mut Suite, file: &TestFile, default: Oracle) -> Result<(), Failure> {
    let mut asked: Vec<(String, Oracle)> = Vec::new();
    for settings in file.directives.all_settings()? {
        let question = (settings.arch, settings.nvcc.unwrap_or(default));
        if question.1 != Oracle::Unchecked && !asked.contains(&question) {
            asked.push(question);
        }
    }
    for (arch, oracle) in asked {
        let name = trial_name(&file.path, None, Some(&format!("nvcc {arch}")));
        let path = file.path.clone();
        suite.add(name, &[Tool::Nvcc], move |bench| ask_nvcc(bench, &path, &arch, oracle));
    }
    Ok(())
}

fn ask_nvcc(bench: &Bench, path: &Path, arch: &str, oracle: Oracle) -> Result<(), Failure> {
    let work = work_folder()?;
    let answer = bench.nvcc(path, arch, &work.path().join("nvcc.ptx"))?;
    let finds_errors = ["error:", "error #", ": error", ": Error:", "catastrophic"];
    let complains = finds_errors.iter().any(|word| answer.stderr.contains(word));
    match (oracle, answer.status) {
        (Oracle::Rejects, Some(0)) => Err(answer.report("nvcc accepts it")),
        (Oracle::Rejects, _) if !complains => Err(answer.report("nvcc fails without finding an error")),
        (Oracle::Rejects, _) => Ok(()),
        (Oracle::Accepts | Oracle::Unchecked, _) => answer.success().map(drop),
    }
}
