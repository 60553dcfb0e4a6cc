//! `values/`: values of variables, compared with nvcc in the same run.
//!
//! Every variable in global and constant memory must have the same size, alignment and bytes in both
//! compilers' PTX. This tests constant expressions, `sizeof`, `alignof`, `offsetof` and initializers without
//! running anything.

use std::path::Path;

use super::oracle::work_folder;
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::Failure;
use crate::directive::{Emit, Settings};
use crate::ptx_variable;
use crate::tools::Tool;

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a test cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        for settings in TestFile::read(&path)?.directives.all_settings()? {
            let mut needs = vec![Tool::Nvcc, settings.machine().ptxas()];
            needs.extend(settings.needs.iter().copied());
            let name = trial_name(&path, settings.revision.as_deref(), None);
            let path = path.clone();
            suite.add(name, &needs, move |bench| same_values(bench, &path, &settings).map(drop));
        }
    }
    Ok(())
}

/// Reads and checks one test.
#[cfg(test)]
pub(super) fn check_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let settings = TestFile::read(path)?.directives.all_settings()?;
    same_values(bench, path, &settings[0]).map(drop)
}

/// Compares the variables of one file, and assembles the output of `weftc`. Returns the number of compared
/// variables.
///
/// # Errors
///
/// The differences; a file without a variable.
pub fn same_values(bench: &Bench, source: &Path, settings: &Settings) -> Result<usize, Failure> {
    let work = work_folder()?;
    // As nvcc runs here: names of static variables differ from those of whole programs.
    let mut relocatable = settings.clone();
    relocatable.args.push("-rdc=true".to_owned());
    let ptx = bench.emit(source, Emit::Ptx, &relocatable, work.path())?;
    let expected = ptx_variable::parse(&bench.oracle_ptx(source, settings, work.path())?)?;
    match ptx_variable::compare(&expected, &ptx_variable::parse(&ptx)?)? {
        0 => Err("the file shows no variable, so nothing was compared".into()),
        n_compared => {
            let machine = settings.machine();
            bench.ptxas_of(&ptx, "weftc", &settings.arch, machine, work.path())?.success()?;
            Ok(n_compared)
        }
    }
}
