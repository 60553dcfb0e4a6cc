//! Checks that ptxas rejects each mistake in PTX that a file of `ui/` shows.
//!
//! nvcc copies texts unchanged, and volatile ones in order, so all mistakes but one can be removed from its
//! PTX.

use std::collections::BTreeSet;
use std::path::Path;

use crate::Failure;
use crate::annotation::{self, Severity};
use crate::runner::Bench;

const STATEMENT: &str = "asm volatile(";
const BEGIN: &str = "// begin inline asm\n";
const END: &str = "// end inline asm\n";

/// The number of mistakes.
///
/// # Errors
///
/// Those that ptxas accepts, and a file in which mistakes cannot be separated.
pub fn are_refused(bench: &Bench, source: &Path, arch: &str, work: &Path) -> Result<usize, Failure> {
    let text = std::fs::read_to_string(source).map_err(|e| e.to_string())?;
    let lines: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(STATEMENT))
        .map(|(idx, _)| idx + 1)
        .collect();
    let mut wrong_ones = BTreeSet::new();
    for mistake in annotation::parse(&text)?.iter().filter(|mistake| mistake.severity == Severity::Error) {
        let n_before = lines.partition_point(|&line| line <= mistake.line);
        let idx = n_before.checked_sub(1).ok_or("a mistake precedes all statements")?;
        if !wrong_ones.insert(idx) {
            return Err(format!("line {}: the statement has two mistakes", mistake.line));
        }
    }
    // nvcc runs ptxas, too, which rejects all of it, but leaves its PTX.
    let out = work.join("nvcc.ptx");
    let answer = bench.nvcc(source, arch, &out)?;
    let ptx = std::fs::read_to_string(&out).map_err(|e| answer.report(&e.to_string()))?;
    let mut parts = ptx.split(BEGIN);
    let head = parts.next().unwrap_or_default();
    let blocks: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once(END)).collect();
    if blocks.len() != lines.len() {
        return Err(format!("{} statements, and {} in nvcc's PTX", lines.len(), blocks.len()));
    }
    let with = |mistake: Option<usize>| {
        let mut module = head.to_owned();
        for (idx, (block, rest)) in blocks.iter().enumerate() {
            if !wrong_ones.contains(&idx) || mistake == Some(idx) {
                module.push_str(block);
            }
            module.push_str(rest);
        }
        Ok::<bool, Failure>(bench.ptxas(&module, "shown", arch, work)?.status == Some(0))
    };
    if !with(None)? {
        return Err("ptxas refuses what has no mistake".into());
    }
    for &idx in &wrong_ones {
        if with(Some(idx))? {
            return Err(format!("line {}: ptxas takes {}", lines[idx], blocks[idx].0.trim()));
        }
    }
    Ok(wrong_ones.len())
}
