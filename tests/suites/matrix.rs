//! The output of `weftc` is always valid: ptxas accepts it for every GPU, in every PTX version, at every
//! level, with line tables, with all debug information and with none, for the examples and all programs that
//! run. Line tables change no instructions.
//!
//! Each program is compiled for a few cells of the matrix, different ones from the next program's, so that
//! together the programs cover every GPU, every version, and every level with every kind of debug
//! information. `WEFT_MATRIX=all` compiles every program for all cells, `WEFT_MATRIX=20` for 20 each,
//! `WEFT_MATRIX=families` for all cells of the first GPU of each family.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{Directives, Machine};
use weft_tests::examples::{self, has_all_of};
use weft_tests::launches;
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, Tools, repository, run};

/// The PTX versions, from the first one with a GPU that current ptxas supports.
const VERSIONS: [&str; 27] = [
    "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "8.0", "8.1", "8.2",
    "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4", "9.5",
];

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// Kinds of debug information, by the option of `weftc`, with the options that nvcc passes to ptxas for each.
const KINDS: [(Option<&str>, &[&str]); 3] = [
    (None, &[]),
    (Some("-lineinfo"), &["-lineinfo"]),
    (Some("-G"), &["-g", "--dont-merge-basicblocks", "--return-at-end"]),
];

/// Crashes of ptxas 13.5: for a program, GPUs with this prefix, and this option.
const FAULTS: [(&str, &str, &str); 1] = [
    // A 16-bit atomic operation in a block whose condition is read from local memory: a segmentation fault
    // under `.target debug`, with and without DWARF.
    ("half_atomic_sums", "sm_12", "-G"),
];

/// Programs whose inline PTX, which `weftc` does not read, needs a PTX version.
const INLINE: [(&str, &str); 1] = [("tensor_maps", "8.3")];

/// ptxas's notes about `wgmma` in functions that call others, also for nvcc's debug PTX: the instructions
/// wait for one another.
const SERIAL: [&str; 2] = ["(C7509)", "(C7517)"];

/// The default number of cells per program; half as many with 32-bit addresses.
const N_CELLS: usize = 2;

/// Programs that take ptxas several seconds: they have one cell by default.
const SLOW: [&str; 1] = ["tests/run/large_arguments.src"];

/// The step from one cell to the next: a prime that divides no size of a matrix.
const STEP: usize = 1009;

/// With 32-bit addresses, code is for GPUs before this one.
const NARROW_BELOW: u32 = 90;

/// The last version that the ptxas of CUDA 12.0 supports.
const NARROW_VERSION: &str = "8.0";

/// The number of checked cells.
static CELLS: AtomicUsize = AtomicUsize::new(0);
/// The number of those in which the GPU or the version lacks what the program uses.
static REFUSED: AtomicUsize = AtomicUsize::new(0);
/// The number of those with a known crash of ptxas.
static FAULTY: AtomicUsize = AtomicUsize::new(0);

/// A set of options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    arch: String,
    /// `None` for the lowest sufficient one.
    version: Option<&'static str>,
    level: &'static str,
    kind: Option<&'static str>,
}

/// A program, in one of its revisions.
#[derive(Clone, Debug)]
struct Program {
    source: PathBuf,
    /// The name in trials.
    name: String,
    options: Vec<String>,
    machine: Machine,
    /// The lowest GPU that supports it.
    arch: String,
}

impl Program {
    /// A cell, with the program's own GPU instead of one that lacks what it uses, and with a version that has what its inline PTX uses.
    fn fitted(&self, cell: &Cell) -> Cell {
        if !has_all_of(&cell.arch, &self.arch) {
            return Cell { arch: self.arch.clone(), version: None, ..cell.clone() };
        }
        let place = |version: &str| VERSIONS.iter().position(|known| *known == version);
        let needed = INLINE.iter().find(|(name, _)| self.name.contains(name)).map(|&(_, needed)| needed);
        let version = cell.version.map(|version| match needed {
            Some(needed) if place(version) < place(needed) => needed,
            _ => version,
        });
        Cell { version, ..cell.clone() }
    }
}

#[expect(clippy::print_stdout, reason = "the counts are what the suite measures")]
fn print_counts() {
    let [cells, refused, faulty] = [&CELLS, &REFUSED, &FAULTY].map(|counter| counter.load(Ordering::Relaxed));
    println!(
        "matrix: {cells} cells; in {refused} the program uses an unavailable feature, in {faulty} ptxas crashes as known"
    );
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let asked = env::var("WEFT_MATRIX");
    let is_of_families = asked.as_deref() == Ok("families");
    let share = match asked {
        Ok(all) if all == "all" || all == "families" => usize::MAX,
        Ok(n) => n.parse().map_err(|_| format!("WEFT_MATRIX={n} is not a number"))?,
        Err(_) => N_CELLS,
    };
    let programs: Arc<[Program]> = programs()?.into();
    // The first trial computes it, since `weftc` must report every GPU.
    let plan: Arc<OnceLock<Result<Vec<BTreeSet<Cell>>, Failure>>> = Arc::default();
    for (idx, program) in programs.iter().enumerate() {
        let tool = if program.machine == Machine::Bits64 { Tool::Ptxas } else { Tool::NarrowPtxas };
        let (programs, plan) = (Arc::clone(&programs), Arc::clone(&plan));
        suite.add(format!("matrix/{}", program.name), &[tool], move |bench| {
            let plan = plan.get_or_init(|| plan_cells(&bench.tools, &programs, share, is_of_families));
            let cells = &plan.as_ref().map_err(Clone::clone)?[idx];
            let wrong: Vec<Failure> =
                cells.iter().filter_map(|cell| is_taken(bench, &programs[idx], cell).err()).collect();
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
        });
    }
    suite.at_end(|| {
        print_counts();
        Ok(())
    });
    Ok(())
}

/// The cells for each program. Together, the programs cover every GPU, version, level and kind.
fn plan_cells(
    tools: &Tools,
    programs: &[Program],
    share: usize,
    is_of_families: bool,
) -> Result<Vec<BTreeSet<Cell>>, Failure> {
    let mut versions = versions(tools)?;
    if is_of_families {
        // In ascending order.
        versions.sort_by_key(|(arch, _)| number(arch));
        versions.dedup_by_key(|(arch, _)| number(arch) / 10);
    }
    let mut plan = vec![BTreeSet::new(); programs.len()];
    for machine in [Machine::Bits64, Machine::Bits32] {
        let cells = cells(&versions, machine);
        let mut picked = (0..).map(|idx| &cells[idx * STEP % cells.len()]);
        let n = if machine == Machine::Bits64 { share } else { share.div_ceil(2) }.min(cells.len());
        let (mut gpus, mut versions, mut ways) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (program, own) in programs.iter().zip(&mut plan).filter(|(program, _)| program.machine == machine)
        {
            let n = if n <= N_CELLS && SLOW.contains(&&*program.name) { 1 } else { n };
            for cell in picked.by_ref().take(n) {
                gpus.insert(cell.arch.clone());
                versions.insert(cell.version);
                ways.insert((cell.level, cell.kind));
                own.insert(program.fitted(cell));
            }
        }
        let missed = cells.iter().find(|cell| {
            let is_met = gpus.contains(&cell.arch) && versions.contains(&cell.version);
            !is_met || !ways.contains(&(cell.level, cell.kind))
        });
        if let Some(missed) = missed {
            return Err(format!("no program goes through what {missed:?} is"));
        }
    }
    Ok(plan)
}

/// The examples and all programs that run.
fn programs() -> Result<Vec<Program>, Failure> {
    let root = repository();
    let mut sources = examples::sources()?;
    sources.extend(files(&root.join("tests/run"), "src")?);
    let mut programs = Vec::new();
    for source in sources {
        let text = fs::read_to_string(&source).map_err(|e| e.to_string())?;
        let directives = Directives::parse_with(&text, &mut |_, key, _| Ok(launches::is_of_runs(key)))?;
        let mut seen = BTreeSet::new();
        for settings in directives.all_settings()? {
            let machine = settings.machine();
            let options: Vec<String> =
                settings.args.into_iter().filter(|option| !option.starts_with("-O")).collect();
            // Revisions for GPUs and levels are the same here.
            if !seen.insert(options.clone()) {
                continue;
            }
            let shown = source.strip_prefix(&root).unwrap_or(&source).display();
            let name = format!("{shown} {}", options.join(" ")).trim_end().to_owned();
            let arch = settings.arch;
            programs.push(Program { source: source.clone(), name, options, machine, arch });
        }
    }
    Ok(programs)
}

/// The GPUs that `weftc` and ptxas support, and the lowest version of `weftc` for each.
fn versions(tools: &Tools) -> Result<Vec<(String, &'static str)>, Failure> {
    let answer = run(tools.weftc().arg("doctor"))?;
    let gpus = |text: &str| -> BTreeSet<String> {
        text.split_whitespace().filter(|word| word.starts_with("sm_")).map(str::to_owned).collect()
    };
    let (ours, theirs) =
        answer.stdout.split_once("ptxas").ok_or_else(|| answer.report("ptxas is not in it"))?;
    let taken = theirs.split_once("supports PTX").map_or(BTreeSet::new(), |(theirs, _)| gpus(theirs));
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("empty.src");
    fs::write(&source, "__global__ void k() {}\n").map_err(|e| e.to_string())?;
    let mut versions = Vec::new();
    // Without ptxas the trials are skipped.
    for arch in gpus(ours).into_iter().filter(|arch| taken.is_empty() || taken.contains(arch)) {
        let ptx = run(tools.weftc().args(["--emit=ptx", "--arch", &arch]).arg(&source))?.success()?.stdout;
        let version = ptx.lines().find_map(|line| line.strip_prefix(".version "));
        let version =
            VERSIONS.into_iter().find(|known| version.is_some_and(|version| version.trim() == *known));
        versions
            .push((arch.to_owned(), version.ok_or_else(|| format!("{arch}: no version is known:\n{ptx}"))?));
    }
    Ok(versions)
}

/// The matrix. GPUs and versions vary fastest.
fn cells(versions: &[(String, &'static str)], machine: Machine) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (kind, _) in KINDS {
        for level in LEVELS {
            for (arch, lowest) in versions {
                let later = VERSIONS.into_iter().skip_while(|version| version != lowest);
                for version in later {
                    let is_there = machine == Machine::Bits64
                        || number(arch) < NARROW_BELOW && is_up_to(version, NARROW_VERSION);
                    let version = Some(version).filter(|version| version != lowest);
                    if is_there {
                        cells.push(Cell { arch: arch.clone(), version, level, kind });
                    }
                }
            }
        }
    }
    cells
}

/// The number of a GPU: 90 for `sm_90a`.
fn number(arch: &str) -> u32 {
    arch.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse().unwrap_or(u32::MAX)
}

/// Whether a version is not later than another one.
fn is_up_to(version: &str, last: &str) -> bool {
    VERSIONS.iter().position(|known| *known == version) <= VERSIONS.iter().position(|known| *known == last)
}

/// ptxas accepts it without a message, or the target lacks what the program uses.
fn is_taken(bench: &Bench, program: &Program, cell: &Cell) -> Result<(), Failure> {
    CELLS.fetch_add(1, Ordering::Relaxed);
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let out = work.path().join("a.ptx");
    let compile = |kind: Option<&str>, version: Option<&str>| {
        let mut weftc = bench.tools.weftc();
        weftc.args(["-w", "--emit=ptx", "--arch", &cell.arch, cell.level]).args(&program.options).args(kind);
        weftc.args(version.map(|version| format!("--ptx-version={version}")));
        run(weftc.arg("-o").arg(&out).arg(&program.source))
    };
    let answer = compile(cell.kind, cell.version)?;
    if answer.status == Some(1) && answer.stderr.contains("error[unavailable-feature]") {
        REFUSED.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    }
    let answer = answer.success()?;
    let mut ptxas = bench.tools.tool(program.machine.ptxas())?;
    if program.machine == Machine::Bits32 {
        ptxas.args(["-m", "32"]);
    }
    let options = KINDS.iter().find(|(kind, _)| *kind == cell.kind).map_or(&[][..], |(_, options)| options);
    ptxas.arg("-c").arg(format!("-arch={}", cell.arch)).args(options).arg("-o").arg("/dev/null").arg(&out);
    let taken = run(&mut ptxas)?;
    let is_known = FAULTS.iter().any(|(name, gpus, kind)| {
        program.name.contains(name) && cell.arch.starts_with(gpus) && cell.kind == Some(kind)
    });
    // A signal ended it.
    if is_known && taken.status.is_none() {
        FAULTY.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    }
    let has_calls = cell.level == "-O0" || cell.kind == Some("-G");
    let is_unexpected = |line: &str| !(has_calls && SERIAL.iter().any(|code| line.contains(code)));
    let has_messages = taken.stderr.lines().chain(taken.stdout.lines()).any(is_unexpected);
    if taken.status != Some(0) || has_messages {
        return Err(format!("{}\n{}", answer.line, taken.report("ptxas does not just take it")));
    }
    if cell.kind == Some("-lineinfo") {
        let with = instructions(&out)?;
        // Line tables may require another version, in which the same has another spelling.
        let text = fs::read_to_string(&out).map_err(|e| e.to_string())?;
        let version =
            text.lines().find_map(|line| line.strip_prefix(".version ")).ok_or("PTX of no version")?;
        compile(None, Some(version))?.success()?;
        let without = instructions(&out)?;
        if with != without {
            let differs = with.iter().zip(&without).find(|(with, without)| with != without);
            return Err(format!(
                "{}\n  without line tables the instructions are others: {differs:?}",
                answer.line
            ));
        }
    }
    Ok(())
}

/// The lines of a text except those that debug information adds.
fn instructions(ptx: &Path) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(ptx).map_err(|e| e.to_string())?;
    let text = text.split_once("\t.section").map_or(&*text, |(text, _)| text);
    let is_added = |line: &&str| {
        let line = line.trim();
        let directives = [".loc", ".file", ".version", "$L__tmp", "$L__func_"];
        line.is_empty()
            || line.starts_with("//")
            || directives.iter().any(|directive| line.starts_with(directive))
    };
    Ok(text.lines().filter(|line| !is_added(line)).map(str::to_owned).collect())
}
