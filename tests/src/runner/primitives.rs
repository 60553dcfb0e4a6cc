//! `primitives/`: synchronization instructions, compared with nvcc in the same run.
//!
//! Each function must have the same instructions of this kind in both compilers' PTX, in the same order, with
//! the same modifiers, state spaces, special registers and immediate operands. At -O0, where functions in
//! headers are not inlined, the whole module must have all the instructions that it has at -O3.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::oracle::work_folder;
use super::{Bench, Suite, TestFile, files, trial_name};
use crate::Failure;
use crate::directive::{Emit, Settings};
use crate::tools::Tool;

/// The prefixes of compared instructions.
const COMPARED: &[&str] = &[
    "bar.",
    "barrier.",
    "membar.",
    "fence.",
    "mbarrier.",
    "cp.async",
    "griddepcontrol.",
    "mapa",
    "getctarank",
    "isspacep",
    "atom.",
    "red.",
    "fns.",
    "nanosleep.",
    "trap",
];

/// A part of the names of special registers that are compared in any instruction.
const REGISTERS: &str = "cluster";

/// Adds the tests of the folder.
///
/// # Errors
///
/// If a test cannot be read.
pub fn add(suite: &mut Suite, folder: &Path) -> Result<(), Failure> {
    for path in files(folder, "src")? {
        for settings in TestFile::read(&path)?.directives.all_settings()? {
            let name = trial_name(&path, settings.revision.as_deref(), None);
            let path = path.clone();
            suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same(bench, &path, &settings));
        }
    }
    Ok(())
}

fn same(bench: &Bench, source: &Path, settings: &Settings) -> Result<(), Failure> {
    let work = work_folder()?;
    let ours = |level: &str| {
        let mut settings = settings.clone();
        settings.args.push(level.to_owned());
        let ptx = bench.emit(source, Emit::Ptx, &settings, work.path())?;
        bench.ptxas(&ptx, "weftc", &settings.arch, work.path())?.success()?;
        Ok::<_, Failure>(primitives(&ptx))
    };
    let theirs = primitives(&bench.nvcc_ptx(source, &settings.arch, work.path())?);
    let optimised = ours("-O3")?;
    compare(&optimised, &theirs)?;
    let all =
        |functions: &Functions| functions.values().flatten().map(|it| plain(it)).collect::<BTreeSet<_>>();
    let (at_o0, optimised) = (all(&ours("-O0")?), all(&optimised));
    let lost: Vec<&String> = optimised.difference(&at_o0).collect();
    if lost.is_empty() { Ok(()) } else { Err(format!("at -O0 there is no {lost:?}, but {at_o0:?}")) }
}

/// The instruction in a function that is not inlined: atomic operations lack the state space, and constants
/// are in registers.
fn plain(instruction: &str) -> String {
    let (opcode, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
    let opcode = match opcode.starts_with("atom.") {
        true => opcode.replace(".shared", "").replace(".global", ""),
        false => opcode.to_owned(),
    };
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let operands: Vec<&str> = operands.split(", ").map(|it| if is_number(it) { "%" } else { it }).collect();
    format!("{opcode} {}", operands.join(", "))
}

type Functions = BTreeMap<String, Vec<String>>;

fn compare(ours: &Functions, theirs: &Functions) -> Result<(), Failure> {
    if theirs.values().all(Vec::is_empty) {
        return Err("nvcc's code has nothing to compare".into());
    }
    let mut differences = String::new();
    for (name, theirs) in theirs {
        let ours = ours.get(name).map_or(&[][..], Vec::as_slice);
        if ours != theirs {
            differences.push_str(&format!("{name}:\n  nvcc:  {theirs:?}\n  weftc: {ours:?}\n"));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

/// The compared instructions of each function and kernel.
fn primitives(ptx: &str) -> Functions {
    let mut functions = Functions::new();
    let mut current = None;
    for line in ptx.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.contains(".func") || line.starts_with(".visible .entry") {
            current = name(line);
        }
        let Some(name) = &current else { continue };
        let found: &mut Vec<String> = functions.entry(name.clone()).or_default();
        found.extend(line.split(['{', '}', ';']).filter_map(primitive));
    }
    functions
}

/// The name of the function that a line declares: it precedes the last opening parenthesis, except that of
/// results.
fn name(line: &str) -> Option<String> {
    let behind_results = line.split_once(".func").map_or(line, |(_, rest)| rest).trim_start();
    let behind_results = match behind_results.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => behind_results,
    };
    let name = behind_results.split('(').next()?.split_whitespace().last()?;
    Some(name.to_owned())
}

/// The statement in canonical spelling if it is compared: registers have no numbers.
fn primitive(statement: &str) -> Option<String> {
    let statement = statement.trim();
    let statement = match statement.strip_prefix('@') {
        Some(rest) => rest.split_once(char::is_whitespace)?.1.trim(),
        None => statement,
    };
    let (opcode, operands) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
    let mut operands: Vec<&str> = operands.split(',').map(operand).collect();
    if let Some(special) = operands.iter().find(|it| it.starts_with('%') && it.contains(REGISTERS)) {
        return Some(format!("read {special}"));
    }
    if !COMPARED.iter().any(|start| opcode.starts_with(start)) {
        return None;
    }
    // LLVM puts constants into registers there.
    if opcode.starts_with("atom.") {
        operands.iter_mut().filter(|it| !it.starts_with('[')).for_each(|it| *it = "%");
    }
    Some(format!("{} {}", spelling(opcode), operands.join(", ")).trim_end().to_owned())
}

/// An operand: a value is `%`, an address `[]`.
fn operand(text: &str) -> &str {
    let text = text.trim();
    match text.bytes().next() {
        Some(b'[') => "[]",
        Some(b'%') if !text.contains(REGISTERS) => "%",
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$') => "%",
        _ => text,
    }
}

/// An opcode in canonical spelling: without defaults, and unsigned if the sign does not matter.
fn spelling(opcode: &str) -> String {
    // A shared address may have 32 or 64 bits.
    if let Some(mapa) = opcode.strip_prefix("mapa.shared::cluster.") {
        return if ["u32", "u64"].contains(&mapa) { "mapa.shared::cluster" } else { opcode }.to_owned();
    }
    let is_signed_matter = opcode.contains(".min") || opcode.contains(".max");
    let is_said = |word: &&str| !opcode.starts_with("atom.") || !["relaxed", "gpu"].contains(word);
    let mut words: Vec<String> = opcode
        .split('.')
        .filter(is_said)
        .map(|word| match word {
            "s32" | "u32" if !is_signed_matter => "b32".to_owned(),
            "s64" | "u64" if !is_signed_matter => "b64".to_owned(),
            word => word.to_owned(),
        })
        .collect();
    // NVIDIA writes scope and state space in either order.
    if opcode.starts_with("atom.") {
        words[1..].sort();
    }
    words.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".visible .func (.param .b32 func_retval0) f(\n\t.param .b64 f_param_0\n)\n{\n\
        \tmov.u32 \t%r1, %cluster_ctaid.x;\n\t{ mbarrier.init.shared.b64 [%r12], %r3; }\n\
        \t@%p1 bar.warp.sync \t-1;\n\tadd.s32 %r1, %r2, 3;\n\tatom.relaxed.gpu.global.add.u32 %r1, [%rd1+4], 3;\n}\n\
        .visible .entry k(\n)\n{\n\tbarrier.cluster.arrive;\n\tmapa.shared::cluster.u32 %r1, %r2, 1;\n}\n";

    #[test]
    fn instructions_are_read_in_one_spelling() {
        let found = primitives(PTX);
        assert_eq!(
            found["f"],
            [
                "read %cluster_ctaid.x",
                "mbarrier.init.shared.b64 [], %",
                "bar.warp.sync -1",
                "atom.add.b32.global %, [], %"
            ]
        );
        assert_eq!(found["k"], ["barrier.cluster.arrive", "mapa.shared::cluster %, %, 1"]);
    }

    #[test]
    fn other_instructions_differ() {
        let theirs = primitives(PTX);
        assert_eq!(compare(&theirs, &theirs), Ok(()));
        for (from, to) in [
            ("arrive;", "arrive.relaxed;"),
            ("ctaid.x", "ctaid.y"),
            ("shared.b64", "b64"),
            ("bar.warp.sync \t-1", "bar.warp.sync \t1"),
            ("gpu", "cta"),
            ("\tbarrier.cluster.arrive;\n", ""),
        ] {
            let ours = primitives(&PTX.replace(from, to));
            assert!(compare(&ours, &theirs).is_err(), "{from} is {to}");
        }
        assert!(compare(&theirs, &primitives("")).is_err());
    }
}
