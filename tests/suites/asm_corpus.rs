//! The `asm` statements of CUDA's headers: `weftc` accepts those that ptxas accepts for one of several GPUs,
//! and ptxas accepts the output of `weftc`. The numbers of tried, skipped and rejected statements are printed
//! at the end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use weft_tests::Failure;
use weft_tests::asm_corpus::{Corpus, Statement, ask};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

/// The minimum number of distinct statements in CUDA's headers; fewer mean a parse error.
const MIN_STATEMENTS: usize = 4000;

/// The minimum percentage of statements that ptxas accepts for one of the GPUs.
const TAKEN_OF_100: usize = 99;

/// The number of trials.
const N_PARTS: usize = 2;

/// The lines to print at the end.
type Report = Arc<Mutex<BTreeMap<usize, Vec<String>>>>;

#[expect(clippy::print_stdout, reason = "the counts are what the suite measures")]
fn print(report: &BTreeMap<usize, Vec<String>>) {
    for line in report.values().flatten() {
        println!("{line}");
    }
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let report = Report::default();
    let corpus: Arc<OnceLock<Result<Corpus, Failure>>> = Arc::default();
    for part in 0..N_PARTS {
        let (corpus, report) = (Arc::clone(&corpus), Arc::clone(&report));
        let name = format!("asm_corpus/headers, part {part} of {N_PARTS}");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas, Tool::Gxx], move |bench| {
            let corpus =
                corpus.get_or_init(|| Corpus::read(&bench.tools)).as_ref().map_err(Failure::clone)?;
            let mut lines = if part == 0 { of_corpus(corpus) } else { Vec::new() };
            let answer = are_taken(bench, corpus, part, &mut lines);
            report.lock().unwrap_or_else(PoisonError::into_inner).insert(part, lines);
            answer
        });
    }
    suite.at_end(move || {
        print(&report.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    });
    Ok(())
}

/// The numbers of found and skipped statements.
fn of_corpus(corpus: &Corpus) -> Vec<String> {
    let n = corpus.statements.len();
    let found = format!("CUDA's headers have {} asm statements, {n} different ones", corpus.n_found);
    let left_out = corpus.skipped.iter().map(|(reason, (n, first))| {
        format!("{n:5} left out: {reason}, such as {}", first.replace(['\n', '\t'], " "))
    });
    [found].into_iter().chain(left_out).collect()
}

fn are_taken(bench: &Bench, corpus: &Corpus, part: usize, lines: &mut Vec<String>) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let n = corpus.statements.len();
    if n < MIN_STATEMENTS {
        return Err(format!("{n} statements were found alone"));
    }
    let statements: Vec<&Statement> = corpus.statements.keys().skip(part).step_by(N_PARTS).collect();
    let (taken, untaken) = ask::ptxas(&bench.tools, &statements, work.path())?;
    for statement in &untaken {
        lines.push(format!("      taken for none of the GPUs: {:?}", statement.text));
    }
    let mut wrong = Vec::new();
    for ((arch, version), some) in &taken {
        lines.push(format!("{:5} for {arch} and PTX {version}", some.len()));
        wrong.extend(ask::weftc(&bench.tools, arch, some, work.path())?);
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    if 100 * (statements.len() - untaken.len()) < TAKEN_OF_100 * statements.len() {
        return Err(format!("ptxas takes {} of {} for none of the GPUs", untaken.len(), statements.len()));
    }
    Ok(())
}
