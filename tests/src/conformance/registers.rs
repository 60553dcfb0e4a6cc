//! The registers in which ptxas expects parameters and leaves results, from nvdisasm's output for a cubin.
//!
//! nvdisasm prints beside each instruction which registers are live. At the first instruction of a function
//! those hold its parameters; those that it writes and does not use again hold its result. R4 to R15 belong
//! to the calling convention, measured on sm_75 to sm_100; the return address and callee-saved registers
//! follow. Further parameters are at `[R1+…]`.
//!
//! A register without a value seems to be a parameter if an instruction writes a half of it and keeps the
//! other (`PRMT R6, R8, 0x7632, R6`), although nothing uses that. Registers that only hold padding are live
//! if a compiler copies the padding, and not otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::verdict::Verdict;
use crate::Failure;
use crate::ptx_prototype::Param;
use crate::tools::{Tool, Tools, run};

/// The first and the last register for parameters and results.
const PASSED: std::ops::RangeInclusive<usize> = 4..=15;

/// The registers at the start and the end of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Those of parameters, by number.
    pub given: BTreeSet<usize>,
    /// Those of the result.
    pub returned: BTreeSet<usize>,
}

/// The registers of all functions in a cubin, by symbol.
///
/// # Errors
///
/// If nvdisasm fails.
pub fn of_cubin(tools: &Tools, cubin: &Path) -> Result<BTreeMap<String, Registers>, Failure> {
    let mut nvdisasm = tools.tool(Tool::Nvdisasm)?;
    let answer = run(nvdisasm.args(["-c", "-novliw", "-lrm", "narrow"]).arg(cubin))?.success()?;
    Ok(of_listing(&answer.stdout))
}

fn of_listing(listing: &str) -> BTreeMap<String, Registers> {
    let mut found: BTreeMap<String, Registers> = BTreeMap::new();
    let mut function = None;
    let mut is_first = false;
    let mut mentioned: BTreeSet<usize> = BTreeSet::new();
    // The column of R0, after the `//` of the line.
    let mut column = None;
    for line in listing.lines() {
        if let Some(name) = line.strip_prefix(".text.").and_then(|rest| rest.split(':').next()) {
            function = Some(name.to_owned());
            is_first = true;
            continue;
        }
        let Some((code, table)) = line.split_once("// |") else { continue };
        if let Some(at) = table.find("# 0") {
            column = Some(at + 2);
        }
        let Some(column) = column else { continue };
        if !code.trim_start().starts_with("/*") {
            continue;
        }
        let Some(name) = &function else { continue };
        let alive = |marks: &str| -> BTreeSet<usize> {
            let row = table.get(column..).unwrap_or_default().split('|').next().unwrap_or_default();
            let marked = row.chars().enumerate().filter(|(_, mark)| marks.contains(*mark));
            marked.map(|(number, _)| number).filter(|number| PASSED.contains(number)).collect()
        };
        let own = found.entry(name.clone()).or_default();
        if is_first {
            own.given = alive(":vx");
            mentioned.clear();
            is_first = false;
        }
        let operands = operands(code);
        if let Some(half) = half_written(code, &operands)
            && !mentioned.contains(&half)
        {
            own.given.remove(&half);
        }
        mentioned.extend(operands);
        // A register that is written and not used before the function ends holds the result.
        let written = alive("^x");
        own.returned.retain(|number| !alive(":v").contains(number));
        own.returned.extend(written);
    }
    found
}

/// The registers of an instruction's operands, in order.
fn operands(code: &str) -> Vec<usize> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_prefix('R')?.parse().ok()).collect()
}

/// The register whose other half an instruction keeps.
fn half_written(code: &str, operands: &[usize]) -> Option<usize> {
    let is_merge = code.contains(" PRMT ") && code.matches(", ").count() == 3;
    match operands {
        [written, .., kept] if is_merge && operands.len() == 3 && written == kept => Some(*written),
        _ => None,
    }
}

/// Compares the registers of a numeric result. Aggregates are not compared: which of their registers only
/// hold padding is unknown.
pub fn compare_returned(ours: &Registers, theirs: &Registers, returned: Option<&Param>) -> Verdict {
    let Some(returned) = returned.filter(|param| param.array.is_none()) else { return Verdict::Same };
    let n = usize::try_from(returned.size().div_ceil(4)).unwrap_or(usize::MAX);
    let first = *PASSED.start();
    let own = |registers: &Registers| -> BTreeSet<usize> {
        registers.returned.range(first..first.saturating_add(n)).copied().collect()
    };
    if own(ours) == own(theirs) {
        return Verdict::Same;
    }
    Verdict::Differs(format!(
        "returned in {}, with nvcc in {}",
        listed(&ours.returned),
        listed(&theirs.returned)
    ))
}

/// Compares the registers of the one parameter, of `n_bytes`, that two functions use. Both use registers of
/// one block no larger than the parameter; which of them hold padding, and so may be used or not, is unknown.
/// If one uses all registers of the other, the rest may be an unused half of a register that holds something
/// else.
pub fn compare_given(ours: &Registers, theirs: &Registers, n_bytes: u64) -> Verdict {
    let n = usize::try_from(n_bytes.div_ceil(4)).unwrap_or(usize::MAX);
    let is_one_block = |registers: &BTreeSet<usize>| match (registers.first(), registers.last()) {
        (Some(first), Some(last)) => last - first < n,
        _ => true,
    };
    let all: BTreeSet<usize> = ours.given.union(&theirs.given).copied().collect();
    let common: BTreeSet<usize> = ours.given.intersection(&theirs.given).copied().collect();
    let is_part = !common.is_empty() && (common == ours.given || common == theirs.given);
    if is_one_block(&all) || is_part && is_one_block(&common) {
        return Verdict::Same;
    }
    Verdict::Differs(format!("given in {}, with nvcc in {}", listed(&ours.given), listed(&theirs.given)))
}

/// `R4 R5 R9`
pub fn listed(registers: &BTreeSet<usize>) -> String {
    if registers.is_empty() {
        return "none".to_owned();
    }
    registers.iter().map(|number| format!("R{number}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_may_be_looked_at_and_another_place_not() {
        let given = |numbers: &[usize]| Registers {
            given: numbers.iter().copied().collect(),
            ..Registers::default()
        };
        assert_eq!(compare_given(&given(&[4, 5, 7]), &given(&[4, 5, 6]), 16), Verdict::Same);
        assert!(matches!(compare_given(&given(&[5, 6]), &given(&[4, 5]), 8), Verdict::Differs(_)));
        assert!(matches!(compare_given(&given(&[8]), &given(&[5]), 4), Verdict::Differs(_)));
        assert_eq!(compare_given(&given(&[9, 10]), &given(&[6, 9, 10]), 8), Verdict::Same);
        assert!(matches!(compare_given(&given(&[6, 9]), &given(&[9, 12]), 8), Verdict::Differs(_)));
        assert!(matches!(compare_given(&given(&[]), &given(&[6, 9]), 8), Verdict::Differs(_)));
    }

    #[test]
    fn both_ends_of_a_function_are_read() {
        let listing = "\
                                   // |  # 0123456789  | # 0123 |
f:                                 // |                |        |
.text.f:                           // |                |        |
        /*0000*/   IADD3 R4, R4 ;  // |  5 ::  x:  ^v  | 1 ^    |
        /*0008*/   MOV R5, R8 ;    // |  5 ::   x  v   | 1 ^    |
        /*0010*/   RET.ABS R20 ;   // |  4  :          | 1 :    |
.L_x_0:                            // +........................+
        /*0020*/   BRA `(.L_x_0);  // |  1  :          |        |
.text.g:                           // |                |        |
        /*0000*/   RET.ABS R20 ;   // |  4  :          | 1 :    |
";
        let found = of_listing(listing);
        assert_eq!(found["f"].given, BTreeSet::from([4, 5, 9]));
        assert_eq!(found["f"].returned, BTreeSet::from([4, 5]));
        assert_eq!(found["g"], Registers::default());
    }

    #[test]
    fn halves_that_nothing_was_put_into_are_not_given() {
        let listing = "\
                                              // |  # 0123456789  |
.text.f:                                      // |                |
        /*0000*/   MOV R8, R7 ;               // |  4 ::  : :v^   |
        /*0010*/   PRMT R6, R8, 0x7632, R6 ;  // |  4 ::  : x v   |
        /*0020*/   PRMT R4, R8, 0x7632, R5 ;  // |  4 ::  ^v: v   |
        /*0030*/   PRMT R7, R8, 0x7632, R7 ;  // |  4 ::  : :xv   |
        /*0040*/   RET.ABS R20 ;              // |  4 ::          |
";
        assert_eq!(of_listing(listing)["f"].given, BTreeSet::from([4, 7]));
    }
}
