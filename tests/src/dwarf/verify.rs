//! The errors that `llvm-dwarfdump --verify` finds in debug information, by kind.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::cubin::Cubin;
use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// The kinds of errors in a cubin, without numbers.
///
/// # Errors
///
/// If the tool is missing, or does not read the units.
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

/// The kind of an error, without addresses and offsets: `error: DIE has invalid DW_AT_stmt_list encoding:`.
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
