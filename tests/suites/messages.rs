//! Programs with one mistake each in what C++ adds to C, `messages.txt`: `weftc` gives one error, and places it where clang does.
//!
//! A program begins with a line `== TITLE`. The place of the error is that of clang's first error, or the start of what clang underlines with
//! it. Where another place is better, the title's line gives it: `== TITLE @ LINE:COLUMN REASON`.
//!
//! All programs are analyzed; every [`STRIDE`]th is compared with clang. `WEFT_MESSAGES=all` compares all, and shows that nvcc refuses each.

use std::env;
use std::fs;
use std::sync::LazyLock;

use regex::Regex;
use weft_tests::Failure;
use weft_tests::mistake::{Found, found};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Answer, Tool};

const PROGRAMS: &str = include_str!("messages.txt");

/// One in so many programs is compared with clang.
const STRIDE: usize = 8;

/// CUDA's qualifiers, which C++ compilers do not know.
const QUALIFIERS: &[&str] = &["__global__", "__device__", "__shared__", "__constant__"];

/// A line and a column, from 1.
pub(crate) type Place = (u32, u32);

struct Program {
    title: &'static str,
    text: &'static str,
    /// The place that is better than clang's.
    better: Option<Place>,
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let programs = programs()?;
    let is_all = env::var("WEFT_MESSAGES").is_ok_and(|which| which == "all");
    let n_programs = programs.len();
    suite.add(format!("messages/one error in each of {n_programs} programs"), &[], move |_| {
        let failures = programs.iter().filter_map(|program| one_error(program).err());
        joined(failures.collect())
    });
    suite.add("messages/places beside clang".into(), &[Tool::Clang], move |bench| {
        let stride = if is_all { 1 } else { STRIDE };
        let programs = self::programs()?;
        let compared = programs.iter().step_by(stride);
        joined(compared.filter_map(|program| same_place(bench, program).err()).collect())
    });
    if is_all {
        suite.add("messages/nvcc refuses".into(), &[Tool::Nvcc], move |bench| {
            let programs = self::programs()?;
            joined(programs.iter().filter_map(|program| refused_by_nvcc(bench, program).err()).collect())
        });
    }
    Ok(())
}

pub(crate) fn joined(failures: Vec<Failure>) -> Result<(), Failure> {
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn programs() -> Result<Vec<Program>, Failure> {
    let first = PROGRAMS.strip_prefix("== ").ok_or("messages.txt does not begin with a title")?;
    first
        .split("\n== ")
        .map(|part| {
            let (head, text) = part.split_once('\n').ok_or(format!("`{part}` has no program"))?;
            let (title, better) = match head.split_once(" @ ") {
                Some((title, better)) => {
                    (title, Some(place(better).ok_or(format!("`{head}` has no place"))?))
                }
                None => (head, None),
            };
            Ok(Program { title, text: text.trim_end(), better })
        })
        .collect()
}

/// `LINE:COLUMN REASON`
fn place(text: &str) -> Option<Place> {
    let (line, rest) = text.split_once(':')?;
    let (column, reason) = rest.split_once(' ')?;
    if reason.is_empty() { None } else { Some((line.parse().ok()?, column.parse().ok()?)) }
}

fn errors(program: &Program) -> Vec<Found> {
    found(program.text).into_iter().filter(|found| found.is_error).collect()
}

fn one_error(program: &Program) -> Result<Place, Failure> {
    let errors = errors(program);
    let shown =
        || errors.iter().map(|e| format!("  {}:{}: {}\n", e.at.0, e.at.1, e.message)).collect::<String>();
    match &errors[..] {
        [error] if program.better.is_none_or(|better| better == error.at) => Ok(error.at),
        [_] => Err(format!(
            "{}: the error is not where the title says:\n{}\n{}",
            program.title,
            program.text,
            shown()
        )),
        _ => Err(format!("{}: {} errors:\n{}\n{}", program.title, errors.len(), program.text, shown())),
    }
}

fn same_place(bench: &Bench, program: &Program) -> Result<(), Failure> {
    let ours = one_error(program)?;
    let theirs = clang(bench, program)?;
    let fails = |why: &str| {
        Err(format!("{}: {why}:\n{}\nclang: {theirs:?}, weftc: {ours:?}", program.title, program.text))
    };
    match (theirs.is_empty(), theirs.contains(&ours), program.better.is_some()) {
        (true, _, _) => fails("clang accepts it"),
        (false, true, true) => fails("clang has the place that is called better"),
        (false, false, false) => fails("clang has another place"),
        (false, true, false) | (false, false, true) => Ok(()),
    }
}

/// The place of clang's first error, and the starts of what it underlines.
fn clang(bench: &Bench, program: &Program) -> Result<Vec<Place>, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    fs::write(work.path().join("mistake.src"), program.text).map_err(|e| e.to_string())?;
    let mut clang = bench.tools.tool(Tool::Clang)?;
    clang.current_dir(work.path()).args(["-x", "c++", "-std=c++17", "-fsyntax-only"]).args(PLACES);
    // C++23 takes them; they are no mistakes of the programs.
    clang.args(["-Wno-invalid-constexpr", "-Werror=c++23-extensions"]);
    clang.args(QUALIFIERS.iter().map(|qualifier| format!("-D{qualifier}="))).arg("mistake.src");
    first_error(&tools::run(&mut clang)?)
}

/// The options by which clang writes what [`first_error`] reads.
pub(crate) const PLACES: [&str; 2] = ["-fdiagnostics-print-source-range-info", "-fno-caret-diagnostics"];

/// The place of clang's first error, and the starts of what it underlines, each once.
pub(crate) fn first_error(answer: &Answer) -> Result<Vec<Place>, Failure> {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^[^:\n]*:(\d+):(\d+):((?:\{[^}]*\})*):? (?:fatal )?error:")
            .expect("invariant: a constant pattern compiles")
    });
    static RANGE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{(\d+):(\d+)-").expect("invariant: a constant pattern compiles"));
    let Some(error) = ERROR.captures(&answer.stderr) else { return Ok(Vec::new()) };
    let number = |text: &str| text.parse().map_err(|_| answer.report("a place that is not a number"));
    let mut places = vec![(number(&error[1])?, number(&error[2])?)];
    for range in RANGE.captures_iter(&error[3]) {
        let place = (number(&range[1])?, number(&range[2])?);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Ok(places)
}

fn refused_by_nvcc(bench: &Bench, program: &Program) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("mistake.cu");
    fs::write(&source, program.text).map_err(|e| e.to_string())?;
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-std=c++17", "-arch=sm_75", "-rdc=true", "--ptx", "-w", "-o", "-"]).arg(&source);
    match tools::run(&mut nvcc)?.status {
        Some(0) => Err(format!("{}: nvcc accepts it:\n{}", program.title, program.text)),
        _ => Ok(()),
    }
}
