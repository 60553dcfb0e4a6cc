//! `run/`: results of kernels on the emulator.
//!
//! The file is compiled by `weftc` at -O0 and -O3 and by nvcc, and the launches of its directives run each of
//! the three. All buffers and the output must be the same as those of nvcc's program, and match the
//! directives. If nvcc is known to be wrong (`//@ nvcc: unchecked (reason)`), the two levels are compared
//! with each other.

use std::path::Path;

use weft_run::argument::Surroundings;
use weft_run::device::emulator::Checks;
use weft_run::element::NumberKind;
use weft_run::report::AllElements;
use weft_run::{Buffer, Report, Tolerance, compare};

use super::oracle::work_folder;
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::Failure;
use crate::directive::{Emit, Oracle, Settings};
use crate::launches::LaunchSpec;
use crate::tools::Tool;

/// The instruction limit per warp: far more than any test needs.
const MAX_STEPS: u64 = 20_000_000;

/// The number of shown differences.
const N_SHOWN: usize = 8;

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a test cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        let (file, launches) = TestFile::read_launches(&path)?;
        for settings in file.directives.all_settings()? {
            let asks_nvcc = settings.nvcc.is_none();
            let mut needs = if asks_nvcc { vec![Tool::Nvcc] } else { Vec::new() };
            needs.extend(settings.needs.iter().copied());
            let ways = if asks_nvcc { "weftc -O0 = -O3 = -G = nvcc" } else { "weftc -O0 = -O3 = -G" };
            let name = trial_name(&path, settings.revision.as_deref(), Some(ways));
            let (path, launches) = (path.clone(), launches.clone());
            suite.add(name, &needs, move |bench| same_results(bench, &path, &settings, &launches));
        }
    }
    Ok(())
}

/// Reads and checks one test.
#[cfg(test)]
pub(super) fn check_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let (file, launches) = TestFile::read_launches(path)?;
    same_results(bench, path, &file.directives.all_settings()?[0], &launches)
}

/// Compiles one file in three ways, runs its launches, and compares the results.
///
/// # Errors
///
/// All differences.
pub fn same_results(
    bench: &Bench,
    source: &Path,
    settings: &Settings,
    launches: &[LaunchSpec],
) -> Result<(), Failure> {
    let work = work_folder()?;
    // The last one is the reference.
    let mut texts = Vec::new();
    for level in ["-O0", "-O3", "-G"] {
        let mut settings = settings.clone();
        settings.args.push(level.to_owned());
        let ptx = bench.emit(source, Emit::Ptx, &settings, work.path());
        texts.push((format!("weftc {level}"), ptx?));
    }
    match settings.nvcc {
        None => texts.push(("nvcc".to_owned(), bench.oracle_ptx(source, settings, work.path())?)),
        Some(Oracle::Unchecked) => {}
        Some(Oracle::Accepts | Oracle::Rejects) => {
            return Err(
                "nvcc takes every test of this folder; what it gets wrong is `unchecked (reason)`".into()
            );
        }
    }
    let ways = texts.iter().map(|(way, ptx)| (way.as_str(), vec![("kernel.ptx", ptx.as_str())]));
    same_launches(launches, &ways.collect::<Vec<_>>())
}

/// A way to compile a program: its name, and the modules.
pub type Way<'p> = (&'p str, Vec<(&'p str, &'p str)>);

/// Runs launches of programs that were compiled in several ways, and compares the results with those of the
/// last way and with the directives.
///
/// # Errors
///
/// All differences.
pub fn same_launches(launches: &[LaunchSpec], ways: &[Way<'_>]) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for launch in launches {
        let mut reports = Vec::new();
        for (way, modules) in ways {
            let ran = launch.of(modules).max_steps(Some(MAX_STEPS)).checks(Checks::ALL).run();
            let mut wrong = match &ran {
                Ok(report) => disagreements(launch, report),
                Err(error) => vec![error.to_string()],
            };
            if let (Ok(report), []) = (&ran, wrong.as_slice()) {
                wrong.extend(shows_nothing(report));
            }
            failures.extend(wrong.into_iter().map(|why| failure(launch, way, &why)));
            reports.extend(ran.ok().map(|report| (way, report)));
        }
        let Some(((last, wanted), others)) = reports.split_last() else { continue };
        for (way, report) in others {
            let wrong = differences(launch, report, wanted, last);
            failures
                .extend(wrong.into_iter().map(|why| failure(launch, &format!("{way} beside {last}"), &why)));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn failure(launch: &LaunchSpec, way: &str, why: &str) -> Failure {
    format!("{way}: `{}`, launched by line {}: {why}", launch.kernel, launch.line)
}

/// The results that do not match the directives.
fn disagreements(launch: &LaunchSpec, report: &Report) -> Vec<Failure> {
    let mut wrong = Vec::new();
    for (key, expected) in &launch.expected {
        let Some(found) = report.find(key.as_str()) else {
            wrong.push(format!("there is no buffer `{key}`"));
            continue;
        };
        let compared = expected
            .resolve(&found.buffer, &Surroundings::default())
            .map_err(|e| e.to_string())
            .and_then(|wanted| compare(&found.buffer, &wanted, tolerance(launch, &found.buffer)));
        match compared {
            Ok(comparison) if comparison.is_equal() => {}
            Ok(comparison) => wrong.push(format!("buffer {}: {comparison}", found.title())),
            Err(why) => wrong.push(format!("buffer {}: {why}", found.title())),
        }
    }
    if launch.printed.as_ref().is_some_and(|text| *text != report.printed()) {
        wrong.push(format!("printed is\n{}", report.printed()));
    }
    wrong
}

/// A launch that writes nothing, or only zeros, proves nothing.
fn shows_nothing(report: &Report) -> Option<Failure> {
    let mut written = report.buffers.iter().chain(&report.variables).filter(|buffer| buffer.is_changed);
    let shows = written.any(|written| written.buffer.bytes().iter().any(|&byte| byte != 0));
    let why = "no thread writes anything but zeros, so that nothing is shown";
    (!shows && report.printed.is_empty()).then(|| why.to_owned())
}

/// The differences between the results of two ways.
fn differences(launch: &LaunchSpec, report: &Report, other: &Report, name: &str) -> Vec<Failure> {
    let mut wrong = Vec::new();
    // Compilers give a variable different types in PTX.
    for (found, wanted) in report.variables.iter().zip(&other.variables) {
        if found.buffer.bytes() != wanted.buffer.bytes() {
            let (own, other) = (AllElements(&found.buffer), AllElements(&wanted.buffer));
            wrong.push(format!("variable {} is {own}, and {other} with {name}", found.title()));
        }
    }
    for (found, wanted) in report.buffers.iter().zip(&other.buffers) {
        let own = match launch.tolerance {
            Some(tolerance) if is_float(&found.buffer) => {
                match compare(&found.buffer, &wanted.buffer, tolerance) {
                    Ok(comparison) if comparison.is_equal() => None,
                    Ok(comparison) => Some(comparison.to_string()),
                    Err(why) => Some(why),
                }
            }
            Some(_) | None => different_bits(&found.buffer, &wanted.buffer, name),
        };
        wrong.extend(own.map(|why| format!("buffer {}: {why}", found.title())));
    }
    if report.printed != other.printed {
        let (own, wanted) = (report.printed(), other.printed());
        wrong.push(format!("printed is\n{own}and with {name}\n{wanted}"));
    }
    wrong
}

fn tolerance(launch: &LaunchSpec, buffer: &Buffer) -> Tolerance {
    launch.tolerance.filter(|_| is_float(buffer)).unwrap_or_default()
}

fn is_float(buffer: &Buffer) -> bool {
    buffer.ty().kind() == NumberKind::Float
}

/// The elements whose bits differ, including NaNs and zeros.
fn different_bits(found: &Buffer, wanted: &Buffer, name: &str) -> Option<Failure> {
    let differs = |index: &usize| found.element(*index) != wanted.element(*index);
    let different: Vec<usize> = (0..found.len()).filter(differs).collect();
    let hex = |buffer: &Buffer, index: usize| {
        let digits: String = buffer.element(index).iter().rev().map(|byte| format!("{byte:02x}")).collect();
        format!("{} (0x{digits})", buffer.text(index))
    };
    let shown: Vec<String> = different
        .iter()
        .take(N_SHOWN)
        .map(|&index| {
            let (own, other) = (hex(found, index), hex(wanted, index));
            format!("\n  {}  is {own}, and {other} with {name}", found.index_text(index))
        })
        .collect();
    let counts = format!("{} of {} elements differ", different.len(), found.len());
    (!different.is_empty()).then(|| counts + &shown.concat())
}
