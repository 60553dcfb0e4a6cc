//! Forms of instructions outside of the table. Instructions are written with slots for modifiers and
//! operands; each combination, even an invalid one, is given to ptxas and to the emulator, which must agree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::{env, mem};

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

/// Of the forms that the emulator rejects and ptxas does not report together with others, one of this number is compared.
const SHARE: usize = 5;

/// Compares what both accept for one GPU and version; returns the number of forms that both accept.
///
/// Every form is compared that the emulator accepts, and of the others all that ptxas reports together, with a fifth of
/// those for which it needs a run each. `WEFT_FORMS=all` compares these, too.
///
/// # Errors
///
/// Lists the forms that only one of them accepts; there must be some that both accept.
pub fn compare(tools: &Tools, target: Target<'_>, forms: &AllForms, work: &Path) -> Result<usize, Failure> {
    let all: BTreeSet<String> = forms.slotted.iter().flat_map(|slotted| spelled(slotted)).collect();
    let all: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    let ours: BTreeMap<&str, String> =
        all.iter().filter_map(|text| Some((*text, forms.names.ours(text, target)?))).collect();
    let ptxas = Ptxas { tools, target, names: forms.names, work };
    let (mut refused, left) = ptxas.reported_together(all.iter().copied().collect())?;
    let (wrong, right): (Vec<&str>, Vec<&str>) = left.into_iter().partition(|text| ours.contains_key(text));
    let share = if way().is_some() { 1 } else { SHARE };
    let unasked: BTreeSet<&str> =
        wrong.iter().enumerate().filter(|(at, _)| at % share != 0).map(|(_, text)| *text).collect();
    let asked = wrong.into_iter().filter(|text| !unasked.contains(text)).collect();
    refused.extend(ptxas.reported_apart(vec![right, asked], |text| ours.contains_key(text))?);
    let (mut n_taken, mut differences) = (0, Vec::new());
    for instruction in all.difference(&unasked) {
        match (refused.contains(instruction), ours.get(instruction)) {
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

/// The instructions that ptxas rejects. `is_expected` names those that it probably rejects: they are apart from the
/// others when it does not report all errors, so that a single run accepts the others. `WEFT_FORMS=alone` tries each
/// separately.
///
/// # Errors
///
/// If ptxas cannot be run.
pub fn refused<'i>(
    tools: &Tools,
    target: Target<'_>,
    names: Names<'_>,
    instructions: &[&'i str],
    is_expected: impl Fn(&str) -> bool,
    work: &Path,
) -> Result<BTreeSet<&'i str>, Failure> {
    let ptxas = Ptxas { tools, target, names, work };
    let (mut refused, left) = ptxas.reported_together(instructions.to_vec())?;
    let (wrong, right): (Vec<&str>, Vec<&str>) = left.into_iter().partition(|text| is_expected(text));
    let expected: BTreeSet<&str> = wrong.iter().copied().collect();
    refused.extend(ptxas.reported_apart(vec![right, wrong], |text| expected.contains(text))?);
    Ok(refused)
}

/// How instructions are tried, if it is not the usual way.
fn way() -> Option<String> {
    env::var("WEFT_FORMS").ok()
}

/// A run that reports at least one of this number of instructions is worth repeating with all that remain.
const PRODUCTIVE: usize = 16;

/// The maximum number of instructions that are tried one by one, if ptxas probably rejects all of them.
const FEW: usize = 16;

/// ptxas, for one GPU and version.
#[derive(Clone, Copy)]
struct Ptxas<'a> {
    tools: &'a Tools,
    target: Target<'a>,
    names: Names<'a>,
    work: &'a Path,
}

impl Ptxas<'_> {
    /// The instructions that ptxas rejects in runs that report many, and those that remain. It reports only some of
    /// several errors, so it runs again without those that it has reported.
    fn reported_together(self, all: Vec<&str>) -> Result<(BTreeSet<&str>, Vec<&str>), Failure> {
        let (mut refused, mut left) = (BTreeSet::new(), all);
        if way().is_some_and(|way| way == "alone") {
            return Ok((refused, left));
        }
        while let Some(reported) = self.reported_errors(&left)? {
            if reported.is_empty() || reported.len() * PRODUCTIVE < left.len() {
                refused.extend(take(&mut left, &reported));
                return Ok((refused, left));
            }
            refused.extend(take(&mut left, &reported));
        }
        Ok((refused, Vec::new()))
    }

    /// The instructions of some groups that ptxas rejects. If it fails without a report, parts are tried, down to a
    /// single instruction.
    fn reported_apart(
        self,
        groups: Vec<Vec<&str>>,
        is_expected: impl Fn(&str) -> bool,
    ) -> Result<BTreeSet<&str>, Failure> {
        let mut open = groups;
        if way().is_some_and(|way| way == "alone") {
            open = open.concat().chunks(1).map(<[_]>::to_vec).collect();
        }
        let mut refused = BTreeSet::new();
        while let Some(mut some) = open.pop() {
            if some.is_empty() {
                continue;
            }
            let Some(reported) = self.reported_errors(&some)? else { continue };
            if some.len() == 1 {
                refused.extend(some);
            } else if reported.is_empty() {
                open.extend(parts(&some, &is_expected));
            } else {
                refused.extend(take(&mut some, &reported));
                open.push(some);
            }
        }
        Ok(refused)
    }

    /// The instructions that ptxas reports as errors; empty if it accepts all.
    fn reported_errors(self, instructions: &[&str]) -> Result<Option<BTreeSet<usize>>, Failure> {
        let Ptxas { tools, target, names, work } = self;
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
}

/// ptxas's memory limit, in KiB.
const MAX_MEMORY: u32 = 2 << 20;

/// Removes the elements at some indices, and returns them.
fn take<'i>(some: &mut Vec<&'i str>, indices: &BTreeSet<usize>) -> Vec<&'i str> {
    let all: Vec<(usize, &str)> = mem::take(some).into_iter().enumerate().collect();
    let (taken, left): (Vec<_>, Vec<_>) = all.into_iter().partition(|(at, _)| indices.contains(at));
    some.extend(left.into_iter().map(|(_, text)| text));
    taken.into_iter().map(|(_, text)| text).collect()
}

/// The parts of instructions to be tried separately, after a run that failed without a report.
fn parts<'i>(some: &[&'i str], is_expected: impl Fn(&str) -> bool) -> Vec<Vec<&'i str>> {
    // A function uses tensor memory for one block or for two.
    let is_of_pair = |text: &&str| text.contains(".cta_group::2");
    let (pairs, others): (Vec<&str>, Vec<&str>) = some.iter().partition(|text| is_of_pair(text));
    if !pairs.is_empty() && !others.is_empty() {
        vec![pairs, others]
    } else if some.len() <= FEW && some.iter().all(|text| is_expected(text)) {
        some.chunks(1).map(<[_]>::to_vec).collect()
    } else {
        let (first, second) = some.split_at(some.len() / 2);
        vec![first.to_vec(), second.to_vec()]
    }
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn slots_expand_to_all_combinations() {
        assert_eq!(spelled("a.(x|).b (1|2)"), ["a.x.b 1", "a.x.b 2", "a..b 1", "a..b 2"]);
    }
}
