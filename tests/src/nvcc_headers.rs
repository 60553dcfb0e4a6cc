//! Which of CUDA's headers nvcc need not read for a small program.
//!
//! nvcc includes `cuda_runtime.h` in every program, and reading it takes two thirds of the time for a small one.
//! A program that uses no name of a group of these headers gets the same answer without the group, so the
//! include guard of the group is defined on the command line. The names are those that the preprocessor's output
//! loses, found once per run. Comments and literals have no names.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::Failure;
use crate::tools::{Answer, NO_SPECIAL_FUNCTIONS, Tool, Tools, run};

/// The include guards of the groups. None is left out without those before it, which need it.
const GUARDS: [&str; 4] = [
    // Intrinsic functions, atomics, textures and surfaces.
    "-D__DEVICE_FUNCTIONS_H__",
    "-D__MATH_FUNCTIONS_H__",
    // `printf`, `malloc`, `assert` and the C library.
    "-D__COMMON_FUNCTIONS_H__",
    "-D_GLIBCXX_UTILITY",
];

/// Words of the headers that tests use for things of their own: keywords, and members of the C++ library's classes.
const NOT_FUNCTIONS: [&str; 34] = [
    "void",
    "return",
    "for",
    "if",
    "while",
    "switch",
    "sizeof",
    "bool",
    "int",
    "float",
    "double",
    "char",
    "volatile",
    "__attribute__",
    "asm",
    "__asm__",
    "alignof",
    "__alignof__",
    "static_assert",
    "noexcept",
    "decltype",
    "throw",
    "operator",
    "deprecated",
    "__builtin_offsetof",
    "what",
    "all",
    "size",
    "end",
    "begin",
    "first",
    "second",
    "push",
    "any",
];

/// The identifiers that a group adds to a program.
#[derive(Debug)]
struct Group {
    /// Functions, macros, types and variables.
    declared: HashSet<String>,
    /// All words outside of parentheses, of functions and of macros' definitions.
    outer: HashSet<String>,
}

/// Runs nvcc with a program. `start` makes the command except for options about headers.
///
/// It runs without the headers that the program does not need. If it then fails, and a word of the program occurs
/// in them where names are declared, or an error is in another header, it runs again with them.
///
/// # Errors
///
/// If nvcc is missing or does not start.
pub fn run_nvcc(
    tools: &Tools,
    source: &Path,
    start: impl Fn() -> Result<Command, Failure>,
) -> Result<Answer, Failure> {
    let text = fs::read(source).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let (guards, is_sure) = unneeded(groups(tools)?, &text);
    if !guards.is_empty() {
        let answer = run(start()?.arg(NO_SPECIAL_FUNCTIONS).args(guards))?;
        // Host code of the runtime's header uses what is left out: that is not the program's mistake.
        let is_of_header = answer.stderr.contains(".h(");
        if answer.status == Some(0) || is_sure && !is_of_header {
            return Ok(answer);
        }
    }
    run(start()?.arg(NO_SPECIAL_FUNCTIONS))
}

/// The options by which nvcc omits the headers that a program does not need.
///
/// # Errors
///
/// If nvcc is missing or does not read its headers.
pub fn omitted(tools: &Tools, text: &str) -> Result<&'static [&'static str], Failure> {
    Ok(unneeded(groups(tools)?, text).0)
}

/// The guards of the groups that a program does not need, and whether it contains no outer word of theirs.
fn unneeded(groups: &[Group], text: &str) -> (&'static [&'static str], bool) {
    let code = without_literals(text);
    let needs_all = |sign: &str| code.contains(sign) || sign.ends_with('"') && text.contains(sign);
    if ["#include", "##", "<<<", "R\""].into_iter().any(needs_all) {
        return (&[], true);
    }
    let words: HashSet<&str> = words(&code).collect();
    let unused = |names: &HashSet<String>| !words.iter().any(|&word| names.contains(word));
    let n_unused = groups.iter().take_while(|group| unused(&group.declared)).count();
    let is_sure = groups[..n_unused].iter().all(|group| unused(&group.outer));
    (&GUARDS[..n_unused], is_sure)
}

/// The groups of this machine's headers, in the order of [`GUARDS`].
fn groups(tools: &Tools) -> Result<&'static [Group], Failure> {
    static GROUPS: OnceLock<Result<Vec<Group>, Failure>> = OnceLock::new();
    GROUPS.get_or_init(|| read_groups(tools)).as_deref().map_err(Clone::clone)
}

fn read_groups(tools: &Tools) -> Result<Vec<Group>, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("empty.cu");
    fs::write(&source, "\n").map_err(|e| e.to_string())?;
    let preprocessed = |guards: &[&str]| -> Result<String, Failure> {
        let mut nvcc = tools.tool(Tool::Nvcc)?;
        nvcc.args([
            "-std=c++17",
            "-arch=sm_90",
            "-rdc=true",
            "-E",
            "-Xcompiler",
            "-dD",
            NO_SPECIAL_FUNCTIONS,
        ]);
        Ok(without_literals(&run(nvcc.args(guards).arg(&source))?.success()?.stdout))
    };
    let mut with = preprocessed(&[])?;
    let mut groups = Vec::new();
    for idx in 0..GUARDS.len() {
        let without = preprocessed(&GUARDS[..=idx])?;
        groups.push(difference(&with, &without));
        with = without;
    }
    Ok(groups)
}

/// What a text has and a part of it does not. A function counts that is declared again: `malloc` for the device.
fn difference(text: &str, part: &str) -> Group {
    let (of_part, outer_of_part): (HashSet<&str>, HashSet<&str>) =
        (words(part).collect(), outer(part).collect());
    let n_in_part = counts(called(part));
    let more_often =
        counts(called(text)).into_iter().filter(|(word, n)| n_in_part.get(word).unwrap_or(&0) < n);
    let more_often = more_often.map(|(word, _)| word).filter(|word| !NOT_FUNCTIONS.contains(word));
    let new = |word: &&str| !of_part.contains(word);
    let declared = defined(text).filter(new).chain(more_often);
    Group {
        declared: declared.map(str::to_owned).collect(),
        outer: outer(text).filter(|word| !outer_of_part.contains(word)).map(str::to_owned).collect(),
    }
}

/// The text with a space for each comment, string and character.
fn without_literals(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        code.push_str(before);
        let quoted = |quote: char| {
            let mut is_escaped = false;
            let is_end = |c: char| {
                let ends = !is_escaped && (c == quote || c == '\n');
                is_escaped = !is_escaped && c == '\\';
                ends
            };
            from[1..].find(is_end).map_or(from.len(), |end| end + 2)
        };
        let is_separator = || before.ends_with(|c: char| c.is_ascii_hexdigit());
        let n = match from.as_bytes() {
            [b'/', b'/', ..] => from.find('\n').unwrap_or(from.len()),
            [b'/', b'*', ..] => from[2..].find("*/").map_or(from.len(), |end| end + 4),
            [b'"', ..] => quoted('"'),
            [b'\'', ..] if !is_separator() => quoted('\''),
            // A quotient, or a separator in a number.
            _ => {
                code.push_str(&from[..1]);
                rest = &from[1..];
                continue;
            }
        };
        code.push(' ');
        rest = &from[n..];
    }
    code + rest
}

/// The words where names are declared: outside of parentheses, of functions and of macros' definitions. A name of a
/// macro is among them.
fn outer(text: &str) -> impl Iterator<Item = &str> {
    let mut found = Vec::new();
    let (mut n_parentheses, mut n_braces, mut is_after_parameters) = (0_u32, 0_u32, false);
    for line in text.lines() {
        if let Some(directive) = line.strip_prefix('#') {
            found.extend(
                directive.trim_start().strip_prefix("define").and_then(|macros| words(macros).next()),
            );
            continue;
        }
        for part in line.split_inclusive(['(', ')', '{', '}', ';']) {
            let (before, sign) = match part.char_indices().next_back() {
                Some((at, sign @ ('(' | ')' | '{' | '}' | ';'))) => (&part[..at], sign),
                _ => (part, ' '),
            };
            if n_parentheses == 0 && n_braces == 0 {
                found.extend(words(before));
            }
            let is_of_function =
                is_after_parameters && words(before).all(|word| matches!(word, "const" | "noexcept"));
            match sign {
                '(' => n_parentheses += 1,
                ')' => n_parentheses = n_parentheses.saturating_sub(1),
                '{' if n_braces > 0 || n_parentheses == 0 && is_of_function => n_braces += 1,
                '}' => n_braces = n_braces.saturating_sub(1),
                _ => {}
            }
            is_after_parameters = sign == ')' || sign == ' ' && is_of_function;
        }
    }
    found.into_iter()
}

/// The words that may be defined: before `[` or `;`, after `#define`, `struct`, `class` and so on.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    words_at(text).filter_map(move |(at, word)| {
        let is_named = matches!(before, "define" | "struct" | "class" | "enum" | "union" | "namespace");
        before = word;
        let after = text[at + word.len()..].trim_start();
        ((is_named || after.starts_with(['[', ';'])) && !NOT_FUNCTIONS.contains(&word)).then_some(word)
    })
}

/// The words before `(`: functions that are declared or called.
fn called(text: &str) -> impl Iterator<Item = &str> {
    let before_parenthesis =
        |&(at, word): &(usize, &str)| text[at + word.len()..].trim_start().starts_with('(');
    words_at(text).filter(before_parenthesis).map(|(_, word)| word)
}

fn counts<'a>(words: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    words.for_each(|word| *counts.entry(word).or_default() += 1);
    counts
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    words_at(text).map(|(_, word)| word)
}

/// The identifiers and keywords with their places.
fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let base = text.as_ptr() as usize;
    text.split(move |c| !is_part(c))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(move |word| (word.as_ptr() as usize - base, word))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn groups_of(names: [&str; 4]) -> Vec<Group> {
        names.map(|name| difference(&format!("int {name}(int of_{name});"), "int")).into()
    }

    #[test]
    fn only_unused_groups_are_omitted() {
        let groups = groups_of(["__popc", "sinf", "printf", "pair"]);
        assert_eq!(unneeded(&groups, "__global__ void k() {}"), (&GUARDS[..], true));
        assert_eq!(unneeded(&groups, "f(pair)").0, &GUARDS[..3]);
        assert_eq!(unneeded(&groups, "// printf\nf(sinf)").0, &GUARDS[..1]);
        assert!(unneeded(&groups, "f(__popc)").0.is_empty());
        assert!(unneeded(&groups, "#include <new>").0.is_empty());
    }

    #[test]
    fn only_outer_words_of_a_header_make_a_refusal_unsure() {
        let names =
            ["inline int f(int parameter) { return local + 1; }", "enum type { enumerator };", "", ""];
        let groups = names.map(|text| difference(text, ""));
        assert_eq!(unneeded(&groups, "parameter + local"), (&GUARDS[..], true));
        assert_eq!(unneeded(&groups, "enumerator"), (&GUARDS[..], false));
    }

    #[test]
    fn comments_and_literals_have_no_words() {
        let code = without_literals("a /* b */ c // d\ne \"f \\\" g\" h 'i' 1'000 j / k '\\'' l");
        let found: Vec<&str> = words(&code).collect();
        assert_eq!(found, ["a", "c", "e", "h", "j", "k", "l"]);
    }

    #[test]
    fn macros_types_and_functions_are_names_of_a_group() {
        let text =
            "#define NAN 0\nstruct pair { int a; };\nint abs (int v);\ntypedef int word;\nint free(void);";
        let declared = difference(text, "int free").declared;
        let names: BTreeSet<&str> = declared.iter().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(["NAN", "pair", "a", "abs", "word", "free"]));
    }
}
