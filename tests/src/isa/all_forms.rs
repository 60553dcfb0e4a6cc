//! Forms of instructions outside of the table. Instructions are written with slots for modifiers and
//! operands; each combination, even an invalid one, is given to ptxas and to the emulator, which must agree.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;

use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// A GPU and a PTX version.
pub type Target<'a> = (&'a str, &'a str);

/// The names that instructions can use.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The variables of the module, on one line.
    pub variables: &'a str,
    /// The registers, on one line.
    pub registers: &'a str,
}

/// The forms to compare.
pub struct AllForms {
    /// Instructions with slots, as [`spelled`] reads them.
    pub slotted: Vec<String>,
    /// The names in their operands.
    pub names: Names<'static>,
    /// Whether ptxas accepts a form that the PTX ISA does not define.
    pub is_beyond_isa: fn(&str) -> bool,
}

/// The instructions that one with slots denotes: `(a|b|)` is each of `a`, `b` and nothing, in all
/// combinations.
///
/// # Panics
///
/// If a slot is not closed.
pub fn spelled(slotted: &str) -> Vec<String> {
    let Some((before, rest)) = slotted.split_once('(') else { return vec![slotted.to_owned()] };
    let (words, after) = rest.split_once(')').expect("a slot ends with `)`");
    let after = spelled(after);
    words.split('|').flat_map(|word| after.iter().map(move |it| format!("{before}{word}{it}"))).collect()
}

impl Names<'_> {
    /// A function with one instruction per line: in separate functions ptxas rejects some that it accepts in
    /// one.
    fn module(self, instructions: &[&str], (arch, version): Target<'_>) -> String {
        format!(
            ".version {version}\n.target {arch}\n.address_size 64\n{}\n.visible .func f() {{ {}\n{}\nret;\n}}\n",
            self.variables,
            self.registers,
            instructions.join("\n")
        )
    }

    /// The number of lines before a module's first instruction.
    const N_BEFORE: usize = 5;

    /// Why the emulator rejects an instruction.
    pub(super) fn ours(self, instruction: &str, target: Target<'_>) -> Option<String> {
        let text = self.module(&[instruction], target);
        match parse(&text) {
            Ok(module) => {
                let linked = link(&[Input { name: "forms", text: &text, module: &module }]);
                linked.err().map(|error| error.to_string())
            }
            Err(error) => Some(error.to_string()),
        }
    }
}

/// Compares what both accept for one GPU and version; returns the number of forms that both accept.
///
/// # Errors
///
/// Lists the forms that only one of them accepts; there must be some that both accept.
pub fn compare(tools: &Tools, target: Target<'_>, forms: &AllForms, work: &Path) -> Result<usize, Failure> {
    let all: BTreeSet<String> = forms.slotted.iter().flat_map(|slotted| spelled(slotted)).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let refused = refused(tools, target, forms.names, &all, work)?;
    let (mut n_taken, mut differences) = (0, Vec::new());
    for instruction in all {
        match (refused.contains(instruction), forms.names.ours(instruction, target)) {
            (true, Some(_)) => {}
            (true, None) => differences.push(format!("the emulator alone takes {instruction}")),
            (false, Some(_)) if (forms.is_beyond_isa)(instruction) => {}
            (false, Some(why)) => differences.push(format!("ptxas alone takes {instruction} ({why})")),
            (false, None) => n_taken += 1,
        }
    }
    match (differences.is_empty(), n_taken) {
        (true, 0) => Err("ptxas's errors were read wrongly: it takes nothing".to_owned()),
        (true, n_taken) => Ok(n_taken),
        (false, _) => Err(differences.join("\n")),
    }
}

/// The instructions that ptxas rejects. It reports only some of several errors, so it runs again without
/// those that it has reported, until it accepts the rest. If it crashes without a report, the halves are
/// tried separately, down to a single instruction. `WEFT_FORMS=alone` tries each separately.
///
/// # Errors
///
/// If ptxas cannot be run.
pub fn refused<'i>(
    tools: &Tools,
    target: Target<'_>,
    names: Names<'_>,
    instructions: &[&'i str],
    work: &Path,
) -> Result<BTreeSet<&'i str>, Failure> {
    let are_alone = env::var("WEFT_FORMS").is_ok_and(|how| how == "alone");
    let mut open: Vec<Vec<&str>> = instructions
        .chunks(if are_alone { 1 } else { instructions.len().max(1) })
        .map(<[_]>::to_vec)
        .collect();
    let mut refused = BTreeSet::new();
    while let Some(some) = open.pop() {
        let Some(reported_errors) = reported_errors(tools, target, names, &some, work)? else { continue };
        if some.len() == 1 {
            refused.extend(some);
        } else if reported_errors.is_empty() {
            let (first, second) = some.split_at(some.len() / 2);
            open.extend([first.to_vec(), second.to_vec()]);
        } else {
            let is_reported = |at: &usize| reported_errors.contains(at);
            let (wrong, left): (Vec<usize>, Vec<usize>) = (0..some.len()).partition(is_reported);
            refused.extend(wrong.into_iter().map(|at| some[at]));
            open.push(left.into_iter().map(|at| some[at]).collect());
        }
    }
    Ok(refused)
}

/// ptxas's memory limit, in KiB.
const MAX_MEMORY: u32 = 2 << 20;

/// The instructions that ptxas reports as errors; empty if it accepts all.
fn reported_errors(
    tools: &Tools,
    target: Target<'_>,
    names: Names<'_>,
    instructions: &[&str],
    work: &Path,
) -> Result<Option<BTreeSet<usize>>, Failure> {
    let source = work.join("forms.ptx");
    std::fs::write(&source, names.module(instructions, target)).map_err(|e| e.to_string())?;
    // For some errors (`cp.async.bulk.tensor` to a predicate) it uses up all memory and dies.
    let ptxas = tools.tool(Tool::Ptxas)?;
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -v {MAX_MEMORY}; exec \"$0\" \"$@\"")]).arg(ptxas.get_program());
    let arch = format!("-arch={}", target.0);
    limited.args(["-c", "-O0", &arch, "-o"]).arg(work.join("forms.o")).arg(&source);
    let answer = run(&mut limited)?;
    match answer.status {
        Some(0) => return Ok(None),
        Some(126 | 127) => return Err(format!("ptxas does not start: {}", answer.stderr)),
        _ => {}
    }
    let at = |said: &str| {
        let (before, _) = said.split_once("; error").or_else(|| said.split_once("; fatal"))?;
        // Messages about its own macros have other file names.
        let (_, line) = before.split_once("forms.ptx, line ")?;
        line.parse::<usize>().ok()?.checked_sub(Names::N_BEFORE + 1)
    };
    let said = format!("{}{}", answer.stdout, answer.stderr);
    // After text that is not PTX it may report correct lines, too.
    let mut n_lost = 0;
    let is_sure = |said: &&str| {
        n_lost += usize::from(said.contains("Parsing error"));
        n_lost <= 1 || !said.contains("Parsing error")
    };
    Ok(Some(said.lines().filter(is_sure).filter_map(at).filter(|&at| at < instructions.len()).collect()))
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn slots_expand_to_all_combinations() {
        assert_eq!(spelled("a.(x|).b (1|2)"), ["a.x.b 1", "a.x.b 2", "a..b 1", "a..b 2"]);
    }
}
