//! Forms of instructions that are not in the table: each that the emulator decodes is one that ptxas takes, and the other way round.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// A GPU and a version of PTX.
pub type Target<'a> = (&'a str, &'a str);

/// What is compared.
pub struct AllForms {
    /// Instructions, each on a line, those that nothing has among them.
    pub candidates: Vec<String>,
    /// Variables of the module.
    pub variables: &'static str,
    /// Registers of each function.
    pub registers: &'static str,
    /// ptxas is asked about each by itself: beside others it refuses some that it takes alone.
    pub are_alone: bool,
    /// Whether ptxas takes it, and the PTX ISA has it not.
    pub is_beyond_isa: fn(&str) -> bool,
}

impl AllForms {
    /// A module with a function for each of some candidates, which stands on a line of its own.
    fn module(&self, candidates: &[&str], (arch, version): Target<'_>) -> String {
        let mut text = format!(".version {version}\n.target {arch}\n.address_size 64\n{}\n", self.variables);
        for (idx, candidate) in candidates.iter().enumerate() {
            text += &format!(".visible .func f{idx}() {{ {} {candidate} ret; }}\n", self.registers);
        }
        text
    }

    /// How many lines are before the first function.
    fn n_before(&self) -> usize {
        4 + self.variables.matches('\n').count()
    }
}

/// Compares what both take of one GPU and version; gives how many forms both take.
///
/// # Errors
/// Lists the forms that only one of them takes.
pub fn compare(tools: &Tools, target: Target<'_>, forms: &AllForms, work: &Path) -> Result<usize, Failure> {
    let refused = refused(tools, target, forms, work)?;
    let (mut n_taken, mut differences) = (0, Vec::new());
    for (idx, candidate) in forms.candidates.iter().enumerate() {
        let text = forms.module(&[candidate], target);
        let tree = parse(&text).map_err(|error| format!("{candidate}: {error}"))?;
        let decoded = link(&[Input { name: "forms", text: &text, module: &tree }]).map(drop);
        match (!refused.contains(&idx), decoded) {
            (true, Err(_)) if (forms.is_beyond_isa)(candidate) => {}
            (true, Err(error)) => differences.push(format!("ptxas alone takes {candidate} ({error})")),
            (false, Ok(())) => differences.push(format!("the emulator alone takes {candidate}")),
            (true, Ok(())) => n_taken += 1,
            (false, Err(_)) => {}
        }
    }
    if differences.is_empty() { Ok(n_taken) } else { Err(differences.join("\n")) }
}

/// Which of the candidates ptxas refuses. Of several mistakes it tells some: so it is asked again without those that it has told, until it
/// takes what is left. Some it tells nothing of, and dies: that it does of each half by itself, too, or else of the one that is left.
fn refused(
    tools: &Tools,
    target: Target<'_>,
    forms: &AllForms,
    work: &Path,
) -> Result<BTreeSet<usize>, Failure> {
    let mut refused = BTreeSet::new();
    let all = 0..forms.candidates.len();
    let are_alone = forms.are_alone || env::var("WEFT_FORMS").is_ok_and(|how| how == "alone");
    let mut open: Vec<Vec<usize>> =
        if are_alone { all.map(|idx| vec![idx]).collect() } else { vec![all.collect()] };
    while let Some(some) = open.pop() {
        let texts: Vec<&str> = some.iter().map(|&idx| forms.candidates[idx].as_str()).collect();
        let told = told(tools, target, forms, &texts, work)?;
        match told {
            None => {}
            Some(lines) if !lines.is_empty() && some.len() > 1 => {
                let is_told = |at: &usize| lines.contains(at);
                refused.extend(lines.iter().map(|&at| some[at]));
                open.push((0..some.len()).filter(|at| !is_told(at)).map(|at| some[at]).collect());
            }
            Some(_) if some.len() < 2 => refused.extend(some),
            Some(_) => {
                let (first, second) = some.split_at(some.len() / 2);
                open.extend([first.to_vec(), second.to_vec()]);
            }
        }
    }
    Ok(refused)
}

/// Which of the candidates ptxas tells to be mistakes; none where it takes them all.
fn told(
    tools: &Tools,
    target: Target<'_>,
    forms: &AllForms,
    candidates: &[&str],
    work: &Path,
) -> Result<Option<BTreeSet<usize>>, Failure> {
    let source = work.join("all_forms.ptx");
    std::fs::write(&source, forms.module(candidates, target)).map_err(|e| e.to_string())?;
    let mut ptxas = tools.tool(Tool::Ptxas)?;
    ptxas
        .args(["-c", "-O0", &format!("-arch={}", target.0), "-o"])
        .arg(work.join("all_forms.o"))
        .arg(&source);
    let answer = run(&mut ptxas)?;
    if answer.status == Some(0) {
        return Ok(None);
    }
    let said = format!("{}{}", answer.stdout, answer.stderr);
    let mut lines = BTreeSet::new();
    for line in said.lines().filter(|line| line.contains("error")) {
        let number = line.split("line ").nth(1).and_then(|rest| rest.split(';').next());
        let number = number.and_then(|number| number.parse::<usize>().ok());
        let at = number.and_then(|number| number.checked_sub(forms.n_before() + 1));
        lines.extend(at.filter(|&at| at < candidates.len()));
    }
    Ok(Some(lines))
}
