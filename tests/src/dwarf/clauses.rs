//! The rules of the guide's chapter 5 for debug information, one by one. Each rule is also checked for nvcc's
//! output; one that nvcc violates is not required.

use std::collections::{BTreeMap, BTreeSet};

use super::cubin::Cubin;
use super::produce::Made;
use super::tree::{Location, Tree, Type, Variable};
use super::{allowed, compare, read, text};
use crate::Failure;
use crate::conformance::table::Answer;
use crate::filecheck::{self, Prefixes};
use crate::tools::Tools;

/// The output of a compiler, and its debug information.
struct Debugged<'m> {
    made: &'m Made,
    tree: Tree,
}

/// The check of a rule.
type Rule = fn(&Debugged<'_>) -> Result<(), Failure>;

const RULES: [(&str, Rule); 8] = [
    ("version", version),
    ("sections", sections),
    ("directives", directives),
    ("names", names),
    ("references", references),
    ("lines", lines),
    ("frames", frames),
    ("classes", has_classes),
];

/// PTX Interop 5.2: the address class codes.
const CODES: [(u64, &str); 12] = [
    (1, "code"),
    (2, "registers"),
    (3, "special registers"),
    (4, "constant"),
    (5, "global"),
    (6, "local"),
    (7, "parameters"),
    (8, "shared"),
    (9, "surfaces"),
    (10, "textures"),
    (11, "samplers"),
    (12, "generic"),
];

/// The result of each rule, by name; `class-N` for each code; for a source with CHECK lines `tree`, which
/// checks these on the printed tree and the differences from nvcc's.
///
/// # Errors
///
/// If nvcc's debug information cannot be read.
pub fn answers(
    tools: &Tools,
    source: &str,
    theirs: &Made,
    ours: &Made,
) -> Result<BTreeMap<String, Answer>, Failure> {
    let theirs = Debugged { made: theirs, tree: read::read(&theirs.cubin)? };
    let ours = read::read(&ours.cubin).map(|tree| Debugged { made: ours, tree });
    let ask = |rule: &dyn Fn(&Debugged<'_>) -> Result<(), Failure>| {
        if let Err(how) = rule(&theirs) {
            return Answer::NvccFails(how);
        }
        match ours.as_ref().map_err(Clone::clone).and_then(rule) {
            Ok(()) => Answer::Same(vec!["debug information".to_owned()]),
            Err(how) => Answer::Differs(how),
        }
    };
    let mut answers = BTreeMap::new();
    for (name, rule) in RULES {
        answers.insert(name.to_owned(), ask(&rule));
    }
    for (code, _) in CODES {
        let given = n_of_class(&theirs.tree, code) > 0;
        answers.insert(format!("class-{code}"), ask(&|of| has_class(of, code, given)));
    }
    if source.contains("// CHECK") {
        let tree = |of: &Debugged<'_>| {
            filecheck::check(tools, source, &Prefixes::plain(), &text::text(&of.tree))?;
            let differences = compare::compare(&theirs.tree, &of.tree);
            let wrong = differences.iter().filter(|difference| allowed::find(difference).is_none());
            none_of(wrong.map(ToString::to_string).collect())
        };
        answers.insert("tree".to_owned(), ask(&tree));
    }
    Ok(answers)
}

fn none_of(wrong: Vec<String>) -> Result<(), Failure> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

fn version(of: &Debugged<'_>) -> Result<(), Failure> {
    if of.tree.version == 2 { Ok(()) } else { Err(format!("it is DWARF {}", of.tree.version)) }
}

/// The debug sections of a PTX text, with their lines.
fn ptx_sections(ptx: &str) -> BTreeMap<String, Vec<String>> {
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut open: Option<String> = None;
    for line in ptx.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        if let Some(rest) = line.strip_prefix(".section") {
            let name = rest.split_whitespace().next().unwrap_or_default().trim_end_matches('{');
            sections.entry(name.to_owned()).or_default();
            open = (!line.ends_with('}')).then(|| name.to_owned());
        } else if line == "}" {
            open = None;
        } else if let Some(name) = &open
            && !line.is_empty()
            && line != "{"
        {
            sections.entry(name.clone()).or_default().push(line.to_owned());
        }
    }
    sections
}

fn sections(of: &Debugged<'_>) -> Result<(), Failure> {
    let sections = ptx_sections(&of.made.ptx);
    let lacks = |name: &&str| sections.get(*name).is_none_or(Vec::is_empty);
    none_of(
        [".debug_info", ".debug_abbrev"].into_iter().filter(lacks).map(|name| format!("no {name}")).collect(),
    )
}

fn directives(of: &Debugged<'_>) -> Result<(), Failure> {
    other_directives(&of.made.ptx)
}

/// PTX ISA "Debugging Directives: .section"
fn other_directives(ptx: &str) -> Result<(), Failure> {
    let is_known = |line: &str| {
        let is_label = line.ends_with(':') && !line.contains(char::is_whitespace);
        let word = line.split_whitespace().next().unwrap_or_default();
        is_label || matches!(word, ".b8" | ".b16" | ".b32" | ".b64")
    };
    let lines = ptx_sections(ptx).into_values().flatten();
    none_of(lines.filter(|line| !is_known(line)).collect())
}

/// If the optional name tables exist, each name leads to an entry with that name.
fn names(of: &Debugged<'_>) -> Result<(), Failure> {
    let leads_astray = |(name, entry): &&(String, Option<String>)| entry.as_ref() != Some(name);
    let wrong = of.tree.public_names.iter().filter(leads_astray);
    none_of(wrong.map(|(name, entry)| format!("{name} leads to {entry:?}")).collect())
}

/// Debug information refers to labels and registers of the PTX.
fn references(of: &Debugged<'_>) -> Result<(), Failure> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || "_$%".contains(c);
    let words: BTreeSet<&str> = of.made.ptx.split(|c| !is_of_word(c)).collect();
    // `%r<9>` declares %r0 to %r8.
    let is_register = |name: &str| words.contains(name.trim_end_matches(|c: char| c.is_ascii_digit()));
    let mut wrong = Vec::new();
    for (path, variable) in of.tree.all_variables() {
        match &variable.location {
            Location::Symbol(name) if !words.contains(name.as_str()) => wrong.push(format!("{path}: {name}")),
            Location::Register(name) | Location::AtRegister(name) if !is_register(name) => {
                wrong.push(format!("{path}: {name}"));
            }
            _ => {}
        }
    }
    for subprogram in &of.tree.subprograms {
        let symbol = subprogram.linkage_name.as_ref().unwrap_or(&subprogram.name);
        if subprogram.code.as_ref() != Some(symbol) {
            wrong.push(format!("{symbol}: the code of {:?}", subprogram.code));
        }
    }
    none_of(wrong)
}

/// ptxas makes the line table from `.file` and `.loc`: each function has lines, and all are in the source.
fn lines(of: &Debugged<'_>) -> Result<(), Failure> {
    if ptx_sections(&of.made.ptx).contains_key(".debug_line") {
        return Err("the PTX has a .debug_line of its own".into());
    }
    let mut wrong = Vec::new();
    for subprogram in &of.tree.subprograms {
        let Some((start, end)) = subprogram.address else { continue };
        let own: Vec<_> =
            of.tree.lines.iter().filter(|(address, _)| (start..end).contains(address)).collect();
        let declared = subprogram.place.as_ref().map_or(0, |place| place.line);
        if own.is_empty() {
            wrong.push(format!("{} has no lines", subprogram.name));
        }
        let before = own.iter().filter(|(_, place)| subprogram.inlined.is_empty() && place.line < declared);
        wrong.extend(before.map(|(_, place)| format!("{} has line {}", subprogram.name, place.line)));
    }
    none_of(wrong)
}

fn frames(of: &Debugged<'_>) -> Result<(), Failure> {
    if ptx_sections(&of.made.ptx).contains_key(".debug_frame") {
        return Err("the PTX has a .debug_frame of its own".into());
    }
    match of.made.cubin.section(".debug_frame") {
        Some(bytes) if !bytes.is_empty() => Ok(()),
        _ => Err("the cubin has no .debug_frame".into()),
    }
}

/// PTX Interop 5.2: every variable with a single location has a class, and every pointer.
fn has_classes(of: &Debugged<'_>) -> Result<(), Failure> {
    let tree = &of.tree;
    let is_somewhere = |of: &Variable| !matches!(of.location, Location::None | Location::List);
    let all = tree.all_variables().into_iter();
    let without = all.filter(|(_, of)| is_somewhere(of) && of.class.is_none());
    let mut wrong: Vec<String> = without.map(|(path, _)| format!("{path} has no class")).collect();
    let is_without = |ty: &&Type| matches!(ty, Type::Pointer { class: None, .. });
    let n_without = tree.types.iter().filter(is_without).count();
    wrong.extend((n_without > 0).then(|| format!("{n_without} pointer types have no class")));
    none_of(wrong)
}

fn n_of_class(tree: &Tree, code: u64) -> usize {
    let is_of_class = |ty: &&Type| matches!(ty, Type::Pointer { class, .. } if *class == Some(code));
    let n_types = tree.types.iter().filter(is_of_class).count();
    n_types + tree.all_variables().iter().filter(|(_, of)| of.class == Some(code)).count()
}

/// Something has the code if nvcc uses it, and nothing otherwise; and a variable with the code is in that
/// memory.
fn has_class(of: &Debugged<'_>, code: u64, given: bool) -> Result<(), Failure> {
    let n = n_of_class(&of.tree, code);
    let name = CODES.iter().find(|(own, _)| *own == code).map_or("", |(_, name)| name);
    if given != (n > 0) {
        return Err(format!("{n} variables and types have the code of {name}"));
    }
    let all = of.tree.all_variables().into_iter().filter(|(_, variable)| variable.class == Some(code));
    let wrong = all.filter(|(_, variable)| class_of(&of.made.cubin, variable).is_some_and(|own| own != code));
    none_of(wrong.map(|(path, variable)| format!("{path} is {}", variable.location.kind())).collect())
}

/// The address class of a variable in the cubin.
fn class_of(cubin: &Cubin, variable: &Variable) -> Option<u64> {
    match &variable.location {
        Location::Register(_) => Some(2),
        Location::Frame(_) => Some(6),
        Location::Address(_) => Some(7),
        Location::AtRegister(_) => Some(12),
        Location::Symbol(name) => {
            let section = cubin.section_of(name)?;
            let begins = |prefix: &str| section.starts_with(prefix);
            let of_sections = [(".nv.constant", 4), (".nv.global", 5), (".nv.shared", 8)];
            of_sections.into_iter().find(|(prefix, _)| begins(prefix)).map(|(_, code)| code)
        }
        Location::None | Location::List | Location::Other(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.visible .func f()
{
\t.loc 1 2 3
}
\t.section\t.debug_abbrev
\t{
.b8 1 // one
.b8 2
\t}
.section .debug_info {
L1:
.b32 .debug_abbrev
}
\t.section\t.debug_macinfo\t{\t}
";

    #[test]
    fn sections_are_found_in_ptx() {
        let found = ptx_sections(PTX);
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, [".debug_abbrev", ".debug_info", ".debug_macinfo"]);
        assert_eq!(found[".debug_abbrev"], [".b8 1", ".b8 2"]);
        assert_eq!(found[".debug_info"], ["L1:", ".b32 .debug_abbrev"]);
        assert!(found[".debug_macinfo"].is_empty());
    }

    #[test]
    fn other_directives_are_seen() {
        assert_eq!(other_directives(PTX), Ok(()));
        assert_eq!(other_directives(&PTX.replace(".b8 2", ".u8 2")), Err(".u8 2".to_owned()));
    }
}
