//! What `llvm-dwarfdump --verify` finds wrong in debug information, as kinds of complaint.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::cubin::Cubin;
use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// The complaints about a cubin, without the numbers in them.
///
/// # Errors
/// When the tool is absent, or does not look at the units.
pub fn complaints(tools: &Tools, cubin: &Cubin, folder: &Path) -> Result<BTreeSet<String>, Failure> {
    let path = folder.join("relocated.cubin");
    fs::write(&path, &cubin.bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut dwarfdump = tools.tool(Tool::Dwarfdump)?;
    let answer = run(dwarfdump.arg("--verify").arg(&path))?;
    if !answer.stdout.contains("Verifying unit: ") && !answer.stderr.contains("Verifying unit: ") {
        return Err(answer.report("it does not look at a unit"));
    }
    let lines = answer.stdout.lines().chain(answer.stderr.lines());
    let complaints = lines.filter(|line| line.starts_with("error: ") || line.starts_with("warning: "));
    Ok(complaints.map(kind).collect())
}

/// `error: DIE has invalid DW_AT_stmt_list encoding:`, without addresses and offsets.
fn kind(line: &str) -> String {
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.starts_with("0x") || (!word.is_empty() && word.chars().all(|c| c.is_ascii_digit()))
    };
    let words = line.split_whitespace().map(|word| if is_number(word) { "N" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_left_out() {
        assert_eq!(super::kind("error: DIE at 0x12: size 4 of [0x0, 0x8)"), "error: DIE at N size N of N N");
    }
}
