//! The mistakes in PTX that a file of `ui/` shows, each by itself: ptxas refuses it.
//!
//! nvcc lets texts through as they are, in their order where they are volatile, so that of its PTX all mistakes but one can be left out.

use std::collections::BTreeSet;
use std::path::Path;

use crate::Failure;
use crate::annotation::{self, Severity};
use crate::runner::Bench;

const STATEMENT: &str = "asm volatile(";
const BEGIN: &str = "// begin inline asm\n";
const END: &str = "// end inline asm\n";

/// How many mistakes there are.
///
/// # Errors
/// Those that ptxas takes, and a file of which that cannot be said.
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
        let behind = lines.partition_point(|&line| line <= mistake.line);
        let idx = behind.checked_sub(1).ok_or("a mistake precedes all statements")?;
        if !wrong_ones.insert(idx) {
            return Err(format!("line {}: the statement has two mistakes", mistake.line));
        }
    }
    // nvcc asks ptxas too, which refuses it all, and leaves its PTX.
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
