//! `abi/`: external interfaces, compared with nvcc in the same run.
//!
//! Both compilers compile a `.src` file, `weftc` for each of its revisions or else at `-O0` and `-O3`; the
//! prototypes of all functions and kernels must be equal. For a folder with `caller.src` and `callee.src`,
//! both are also linked in all four pairings, and the emulator runs the launches of the caller's directives
//! for each of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::oracle::{cubin, work_folder};
use super::run::{Way, same_launches};
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::Failure;
use crate::directive::{Directives, Emit, Machine, Settings};
use crate::launches::LaunchSpec;
use crate::ptx_prototype::{self, Prototype};
use crate::tools::Tool;

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a test cannot be read, or a folder lacks one half of a pair.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    let paths = files(folder, "src")?;
    for path in &paths {
        let (file, launches) = read(path)?;
        let settings = levels(&file.directives)?;
        let mut needs = vec![Tool::Nvcc];
        needs.extend(settings.iter().map(|s| s.machine().ptxas()));
        needs.extend(settings.iter().flat_map(|s| s.needs.iter().copied()));
        let (source, own_settings) = (path.clone(), settings.clone());
        suite.add(trial_name(path, None, None), &needs, move |bench| {
            same_prototypes(bench, &source, &own_settings)
        });
        if path.ends_with("caller.src") {
            let (caller, callee) = (path.clone(), path.with_file_name("callee.src"));
            if !paths.contains(&callee) {
                return Err(format!("{}: a caller without its callee.src", path.display()));
            }
            needs.push(Tool::Nvlink);
            let name = trial_name(path.parent().unwrap_or(path), None, Some("link and run both ways"));
            suite.add(name, &needs, move |bench| {
                links_both_ways(bench, [&caller, &callee], &settings, &launches)
            });
        }
    }
    Ok(())
}

/// Reads a test; a caller has launches.
fn read(path: &Path) -> Result<(TestFile, Vec<LaunchSpec>), Failure> {
    if path.ends_with("caller.src") {
        TestFile::read_launches(path)
    } else {
        Ok((TestFile::read(path)?, Vec::new()))
    }
}

/// Reads and checks one test.
#[cfg(test)]
pub(super) fn check_file(bench: &Bench, path: &Path) -> Result<(), Failure> {
    same_prototypes(bench, path, &levels(&read(path)?.0.directives)?)
}

/// Links one pair, and compares the programs' results like in `run/`.
#[cfg(test)]
pub(super) fn check_pair(bench: &Bench, caller: &Path, callee: &Path) -> Result<(), Failure> {
    links_both_ways(bench, [caller, callee], &levels(&TestFile::read(caller)?.directives)?, &[])
}

/// The settings of the file's revisions, or else of the lowest and highest optimization level.
///
/// # Errors
///
/// If a directive is invalid.
pub fn levels(directives: &Directives) -> Result<Vec<Settings>, Failure> {
    let mut levels = Vec::new();
    for settings in directives.all_settings()? {
        // The address size does not determine the level.
        let machine = settings.revision.as_deref().filter(|name| matches!(*name, "m32" | "m64"));
        if settings.revision.is_some() && machine.is_none() {
            levels.push(settings);
            continue;
        }
        let machine = machine.map(|machine| format!("{machine} ")).unwrap_or_default();
        for level in ["O0", "O3"] {
            let mut settings = settings.clone();
            settings.revision = Some(format!("{machine}{level}"));
            settings.args.insert(0, format!("-{level}"));
            levels.push(settings);
        }
    }
    Ok(levels)
}

/// Compares the prototypes of one file for each of the settings, and assembles the output of `weftc`.
///
/// # Errors
///
/// The differences.
pub fn same_prototypes(bench: &Bench, source: &Path, settings: &[Settings]) -> Result<(), Failure> {
    let mut oracle: BTreeMap<(&str, Machine), Vec<Prototype>> = BTreeMap::new();
    for settings in settings {
        let work = work_folder()?;
        let arch = settings.arch.as_str();
        let located = |e: Failure| format!("#{}: {e}", settings.revision.as_deref().unwrap_or(arch));
        let asked = (arch, settings.machine());
        let expected = match oracle.entry(asked) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let ptx = bench.oracle_ptx(source, settings, work.path())?;
                unknown.insert(ptx_prototype::parse(&ptx)?)
            }
        };
        let ptx = bench.emit(source, Emit::Ptx, settings, work.path()).map_err(located)?;
        let actual = ptx_prototype::parse(&ptx).map_err(located)?;
        match ptx_prototype::compare(expected, &actual).map_err(located)? {
            0 => return Err(located("the file shows no function, so nothing was compared".into())),
            _ => bench
                .ptxas_of(&ptx, "weftc", arch, settings.machine(), work.path())?
                .success()
                .map_err(located)?,
        };
    }
    Ok(())
}

/// Compiles caller and callee by both compilers, links all four pairings, and runs them.
fn links_both_ways(
    bench: &Bench,
    [caller, callee]: [&Path; 2],
    settings: &[Settings],
    launches: &[LaunchSpec],
) -> Result<(), Failure> {
    for settings in settings {
        let work = work_folder()?;
        let callers = by_both(bench, caller, settings, work.path(), "caller")?;
        let callees = by_both(bench, callee, settings, work.path(), "callee")?;
        // The last pairing is nvcc's alone.
        let mut ways = Vec::new();
        for caller in &callers {
            for callee in &callees {
                links(bench, caller, callee, settings, work.path())?;
                let way = format!("the caller by {}, the callee by {}", caller.by, callee.by);
                ways.push((way, vec![("caller.ptx", &*caller.ptx), ("callee.ptx", &*callee.ptx)]));
            }
        }
        let ways: Vec<Way<'_>> = ways.iter().map(|(way, modules)| (way.as_str(), modules.clone())).collect();
        let level = settings.revision.as_deref().unwrap_or(&settings.arch);
        same_launches(launches, &ways).map_err(|e| format!("#{level}: {e}"))?;
    }
    Ok(())
}

/// Links two objects with nvlink, which must not report anything.
fn links(
    bench: &Bench,
    caller: &Made,
    callee: &Made,
    settings: &Settings,
    work: &Path,
) -> Result<(), Failure> {
    // No tool links 32-bit addresses; the emulator runs them unlinked.
    if settings.machine() == Machine::Bits32 {
        return Ok(());
    }
    let out = work.join("linked.cubin");
    let answer = bench.nvlink(&[&caller.object, &callee.object], &settings.arch, &out)?.success()?;
    if answer.stdout.is_empty() && answer.stderr.is_empty() {
        Ok(())
    } else {
        Err(answer.report("nvlink warns"))
    }
}

/// The module by one compiler.
struct Made {
    by: &'static str,
    ptx: String,
    object: PathBuf,
}

/// The module by `weftc` and by nvcc.
fn by_both(
    bench: &Bench,
    source: &Path,
    settings: &Settings,
    work: &Path,
    role: &str,
) -> Result<[Made; 2], Failure> {
    let ours = bench.emit(source, Emit::Ptx, settings, work)?;
    let theirs = bench.oracle_ptx(source, settings, work)?;
    let assemble = |ptx: String, by: &'static str| -> Result<Made, Failure> {
        let name = format!("{role}-{by}");
        // cicc's PTX version is not supported by any ptxas with 32-bit addresses.
        if by == "weftc" || settings.machine() == Machine::Bits64 {
            bench.ptxas_of(&ptx, &name, &settings.arch, settings.machine(), work)?.success()?;
        }
        Ok(Made { by, ptx, object: cubin(work, &name) })
    };
    Ok([assemble(ours, "weftc")?, assemble(theirs, "nvcc")?])
}
