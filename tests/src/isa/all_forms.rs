//! Forms of instructions that are not in the table. Instructions are written with slots, of modifiers and of operands; each combination,
//! those that nothing has among them, is asked of ptxas and of the emulator, which have to take the same.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;

use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// A GPU and a version of PTX.
pub type Target<'a> = (&'a str, &'a str);

/// What instructions may name.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// Variables of the module, on one line.
    pub variables: &'a str,
    /// Registers, on one line.
    pub registers: &'a str,
}

/// What is compared.
pub struct AllForms {
    /// Instructions with slots, as [`spelled`] reads them.
    pub slotted: Vec<String>,
    /// What is in their operands.
    pub names: Names<'static>,
    /// Whether ptxas takes it, and the PTX ISA has it not.
    pub is_beyond_isa: fn(&str) -> bool,
}

/// What an instruction with slots stands for: `(a|b|)` is each of `a`, `b` and nothing, in all combinations.
///
/// # Panics
/// Where a slot is not closed.
pub fn spelled(slotted: &str) -> Vec<String> {
    let Some((before, rest)) = slotted.split_once('(') else { return vec![slotted.to_owned()] };
    let (words, behind) = rest.split_once(')').expect("a slot ends with `)`");
    let behind = spelled(behind);
    words.split('|').flat_map(|word| behind.iter().map(move |it| format!("{before}{word}{it}"))).collect()
}

impl Names<'_> {
    /// A function with the instructions, one a line: of functions of their own ptxas refuses some that it takes in one.
    fn module(self, instructions: &[&str], (arch, version): Target<'_>) -> String {
        format!(
            ".version {version}\n.target {arch}\n.address_size 64\n{}\n.visible .func f() {{ {}\n{}\nret;\n}}\n",
            self.variables,
            self.registers,
            instructions.join("\n")
        )
    }

    /// How many lines of a module are before its first instruction.
    const N_BEFORE: usize = 5;

    /// Why the emulator refuses an instruction.
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

/// Compares what both take of one GPU and version; gives how many forms both take.
///
/// # Errors
/// Lists the forms that only one of them takes; there have to be some that both take.
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

/// Which of the instructions ptxas refuses. Of several mistakes it tells some: so it is asked again without those that it has told, until
/// it takes what is left. Some it tells nothing of, and dies: that it does of each half by itself, too, or else of the one that is left.
/// `WEFT_FORMS=alone` asks it about each by itself.
///
/// # Errors
/// When ptxas cannot be run.
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
        let Some(told) = told(tools, target, names, &some, work)? else { continue };
        if some.len() == 1 {
            refused.extend(some);
        } else if told.is_empty() {
            let (first, second) = some.split_at(some.len() / 2);
            open.extend([first.to_vec(), second.to_vec()]);
        } else {
            let is_told = |at: &usize| told.contains(at);
            let (wrong, left): (Vec<usize>, Vec<usize>) = (0..some.len()).partition(is_told);
            refused.extend(wrong.into_iter().map(|at| some[at]));
            open.push(left.into_iter().map(|at| some[at]).collect());
        }
    }
    Ok(refused)
}

/// How much memory ptxas may have, in KiB.
const MAX_MEMORY: u32 = 2 << 20;

/// Which of the instructions ptxas tells to be mistakes; none where it takes them all.
fn told(
    tools: &Tools,
    target: Target<'_>,
    names: Names<'_>,
    instructions: &[&str],
    work: &Path,
) -> Result<Option<BTreeSet<usize>>, Failure> {
    let source = work.join("forms.ptx");
    std::fs::write(&source, names.module(instructions, target)).map_err(|e| e.to_string())?;
    // Of some mistakes (`cp.async.bulk.tensor` to a predicate) it takes all the memory that there is, and dies without it.
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
        // Its own macros have other names.
        let (_, line) = before.split_once("forms.ptx, line ")?;
        line.parse::<usize>().ok()?.checked_sub(Names::N_BEFORE + 1)
    };
    let said = format!("{}{}", answer.stdout, answer.stderr);
    // After text that is not PTX it may take what is right for the same.
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
