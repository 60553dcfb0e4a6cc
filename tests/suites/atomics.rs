//! The matrix of atomic operations: every legal combination of operation, order, scope, type and state space.
//! The PTX of `weftc` for each is what the interoperability guide recommends, at -O0 and -O3, and what nvcc
//! generates for the same source; and the check notices a single error. In sequences with plain accesses in
//! between, nothing is hoisted, merged or dropped.
//!
//! `WEFT_ATOMICS=all` checks all cells; by default it is a share of them.

use std::path::Path;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::atomics::sequence::{self, Sequence};
use weft_tests::atomics::{self, Cell, Mapping, Op, Order};
use weft_tests::conformance::producer::{Producer, nvcc_ptx};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};

/// The GPUs: without clusters, with them, and where nvcc uses loops for operations without an instruction.
const GPUS: [u32; 3] = [75, 90, 100];

/// One cell in this many is checked: a prime, so that all orders, scopes, types and state spaces occur.
const SHARE: usize = 17;

/// The number of cells per file.
const N_CELLS: usize = 1200;

/// The number of random functions per file.
const N_RANDOM: usize = 300;

/// The number of wrong mappings in a message.
const MOST_SHOWN: usize = 12;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let is_whole = env::var("WEFT_ATOMICS").is_ok_and(|which| which == "all");
    for sm in GPUS {
        let step = if is_whole { 1 } else { SHARE };
        let cells: Vec<Cell> = atomics::cells(sm).into_iter().step_by(step).collect();
        for (idx, cells) in cells.chunks(N_CELLS).enumerate() {
            let cells = cells.to_vec();
            let name = format!("atomics/sm_{sm}-{idx} ({} cells, weftc -O0 = -O3 = nvcc)", cells.len());
            suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| as_nvcc(bench, sm, &cells));
        }
    }
    let n_random = if is_whole { 20 } else { 1 };
    let mut files = vec![("litmus".to_owned(), sequence::litmus())];
    files.extend((1..=n_random).map(|seed| (format!("random-{seed}"), sequence::random(seed, N_RANDOM))));
    for (name, sequences) in files {
        let name = format!("atomics/{name} ({} functions, weftc -O0 = -O3 = nvcc)", sequences.len());
        suite.add(name, &[Tool::Nvcc], move |bench| is_kept(bench, &sequences));
    }
    for sm in [60, 70] {
        let name = format!("atomics/sm_{sm} (CUDA 12's ptxas takes it)");
        suite.add(name, &[Tool::NarrowPtxas], move |bench| before_nvcc(bench, sm));
    }
    Ok(())
}

fn as_nvcc(bench: &Bench, sm: u32, cells: &[Cell]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("cells.src");
    fs::write(&source, atomics::source(cells)).map_err(|e| e.to_string())?;
    let arch = format!("sm_{sm}");
    let theirs = nvcc_ptx(&bench.tools, &source, &arch, work.path()).map_err(|e| format!("nvcc: {e:?}"))?;
    let theirs = atomics::functions(&theirs);
    let mut wrong = Vec::new();
    for level in ["-O0", "-O3"] {
        let ours = compiled(bench, &source, &arch, level, work.path())?;
        let mut ptxas = bench.tools.tool(Tool::Ptxas)?;
        ptxas.arg("-c").arg(format!("-arch={arch}")).arg("-o").arg("/dev/null").arg(&ours);
        run(&mut ptxas)?.success()?;
        let ours = atomics::functions(&fs::read_to_string(&ours).map_err(|e| e.to_string())?);
        for (idx, cell) in cells.iter().enumerate() {
            let of = |functions: &std::collections::BTreeMap<String, Vec<String>>| {
                functions.get(&format!("f{idx}")).cloned().unwrap_or_default()
            };
            let (ours, theirs) = (of(&ours), of(&theirs));
            let message = |who: &str, what: String| format!("{cell}: {who}: {what}");
            let nvcc = atomics::mapping(cell, &theirs, false);
            // From sm_100 on, nvcc's sequentially consistent stores also release.
            let is_known = sm >= 100 && cell.op == Op::Store && cell.order == Order::SeqCst;
            if let Mapping::Other(what) = &nvcc
                && !(is_known && atomics::is_stronger(cell, &theirs))
            {
                wrong.push(message("nvcc", what.clone()));
            }
            match atomics::mapping(cell, &ours, level == "-O3") {
                Mapping::Other(what) => wrong.push(message(level, what)),
                Mapping::Alternative if nvcc == Mapping::Recommended => {
                    wrong.push(message(
                        level,
                        format!("{}, and nvcc has {}", ours.join("; "), theirs.join("; ")),
                    ));
                }
                // One-way fences are written where nvcc writes them.
                Mapping::Recommended | Mapping::Alternative => {
                    let fences = |all: &[String]| -> Vec<String> {
                        all.iter().filter(|one| one.starts_with("fence")).cloned().collect()
                    };
                    if ours.len() == theirs.len() && !is_known && fences(&ours) != fences(&theirs) {
                        wrong.push(message(
                            level,
                            format!("{}, and nvcc has {}", ours.join("; "), theirs.join("; ")),
                        ));
                    }
                }
            }
            if sm == 90 && atomics::mapping(cell, &ours, false) == Mapping::Recommended {
                for worse in atomics::weakened(&ours) {
                    if !matches!(atomics::mapping(cell, &worse, false), Mapping::Other(_)) {
                        wrong.push(message("the check does not see", worse.join("; ")));
                    }
                }
            }
        }
    }
    let n = wrong.len();
    wrong.truncate(MOST_SHOWN);
    if n == 0 { Ok(()) } else { Err(format!("{n} of {} cells, twice:\n{}", cells.len(), wrong.join("\n"))) }
}

/// Checks that nothing is hoisted, merged or dropped.
fn is_kept(bench: &Bench, sequences: &[Sequence]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("sequences.src");
    fs::write(&source, sequence::source(sequences)).map_err(|e| e.to_string())?;
    let theirs = nvcc_ptx(&bench.tools, &source, "sm_90", work.path()).map_err(|e| format!("nvcc: {e:?}"))?;
    let mut ways = vec![("nvcc", theirs)];
    for level in ["-O0", "-O3"] {
        let ours = compiled(bench, &source, "sm_90", level, work.path())?;
        ways.push((level, fs::read_to_string(ours).map_err(|e| e.to_string())?));
    }
    let mut wrong = Vec::new();
    for (way, ptx) in ways {
        let functions = atomics::accesses(&ptx);
        for (idx, Sequence { name, items }) in sequences.iter().enumerate() {
            let opcodes = functions.get(&format!("f{idx}")).cloned().unwrap_or_default();
            if !sequence::is_kept(items, &opcodes) {
                wrong.push(format!("{name}: {way}: {}", opcodes.join("; ")));
                continue;
            }
            let worse = atomics::weakened(&opcodes).into_iter().find(|worse| sequence::is_kept(items, worse));
            if let Some(worse) = worse {
                wrong.push(format!("{name}: the check does not see {}", worse.join("; ")));
            }
        }
    }
    let n = wrong.len();
    wrong.truncate(MOST_SHOWN);
    if n == 0 { Ok(()) } else { Err(format!("{n} functions:\n{}", wrong.join("\n"))) }
}

/// GPUs that nvcc no longer supports: the ptxas of CUDA 12 must accept the code for them. Before `sm_70`,
/// which introduced a memory model, there are only volatile accesses and `membar`.
fn before_nvcc(bench: &Bench, sm: u32) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let has_model = sm >= 70;
    // 128-bit operations require a later PTX version than that ptxas supports.
    let widths = if has_model { 8..=64 } else { 32..=64 };
    let is_there = |cell: &Cell| cell.ty.is_none_or(|ty| widths.contains(&ty.n_bits));
    let cells: Vec<Cell> = atomics::cells(75).into_iter().filter(is_there).step_by(5).collect();
    let source = work.path().join("cells.src");
    fs::write(&source, atomics::source(&cells)).map_err(|e| e.to_string())?;
    let arch = format!("sm_{sm}");
    let ptx = compiled(bench, &source, &arch, "-O3", work.path())?;
    let mut ptxas = bench.tools.tool(Tool::NarrowPtxas)?;
    ptxas.arg("-c").arg(format!("-arch={arch}")).arg("-o").arg("/dev/null").arg(&ptx);
    run(&mut ptxas)?.success()?;
    let text = fs::read_to_string(&ptx).map_err(|e| e.to_string())?;
    if has_model {
        let functions = atomics::functions(&text);
        for (idx, cell) in cells.iter().enumerate() {
            let found = functions.get(&format!("f{idx}")).cloned().unwrap_or_default();
            if let Mapping::Other(what) = atomics::mapping(cell, &found, true) {
                return Err(format!("{cell}: {what}"));
            }
        }
        return Ok(());
    }
    let ordered = [".acquire", ".release", ".relaxed", "fence."];
    match ordered.into_iter().find(|&ordered| text.contains(ordered)) {
        Some(ordered) => Err(format!("`{ordered}` is not of {arch}")),
        None => Ok(()),
    }
}

fn compiled(
    bench: &Bench,
    source: &Path,
    arch: &str,
    level: &str,
    work: &Path,
) -> Result<std::path::PathBuf, Failure> {
    let out = work.join(format!("cells{level}.ptx"));
    let producer = Producer::weftc(level);
    producer.compile(&bench.tools, source, arch, &out).map_err(|e| format!("weftc {level}: {e:?}"))?;
    Ok(out)
}
