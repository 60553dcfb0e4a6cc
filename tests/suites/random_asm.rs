//! Random `asm` statements: both compilers' PTX computes the same; both reject statements with a mistake; and
//! `weftc` rejects no text that ptxas accepts. ptxas rejects each of the mistakes in `ui/asm/ptx.src` and
//! `forms.src` separately.
//!
//! `WEFT_RANDOM_ASM` multiplies their number, and `WEFT_RANDOM_SEED` is the first seed. The end of the output
//! says, for each kind of damage, how many of the texts that ptxas rejects `weftc` rejects;
//! `WEFT_RANDOM_ASM_UNSEEN` names a file for the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit, Settings};
use weft_tests::math::{self, Kernels};
use weft_tests::random::Random;
use weft_tests::random_asm::texts::Text;
use weft_tests::random_asm::{mistakes, program, shown, texts};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository, run};

const ARCH: &str = "sm_90";

/// The number of kernels per file, and of calls of each.
const N_KERNELS: usize = 40;
const N_CALLS: usize = 40;

/// The number of mistakes per file.
const N_MISTAKES: usize = 60;

/// The number of damaged texts per trial, and the minimum percentage of those rejected by ptxas that `weftc`
/// rejects.
const N_TEXTS: usize = 240;
const N_TEXTS_OF_FILE: usize = 40;
const SEEN_OF_100: usize = 98;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let tally = Arc::new(Mutex::new(Tally::default()));
    let n_files = number("WEFT_RANDOM_ASM")?.unwrap_or(1);
    let first = number("WEFT_RANDOM_SEED")?.unwrap_or(1);
    for seed in first..first + n_files {
        let name = format!("random_asm/seed-{seed} ({N_KERNELS} kernels)");
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same_values(bench, seed));
        let name = format!("random_asm/mistakes-{seed} ({N_MISTAKES} statements)");
        suite.add(name, &[Tool::Nvcc], move |bench| both_refuse(bench, seed));
        let name = format!("random_asm/texts-{seed} ({N_TEXTS} texts)");
        let tally = Arc::clone(&tally);
        suite.add(name, &[Tool::Ptxas], move |bench| refused_by_ptxas(bench, seed, &tally));
    }
    for name in ["ui/asm/ptx.src", "ui/asm/forms.src"] {
        suite.add(format!("random_asm/{name}"), &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            let source = repository().join("tests").join(name);
            match shown::are_refused(bench, &source, ARCH, work.path())? {
                0 => Err("no mistake was found".into()),
                _ => Ok(()),
            }
        });
    }
    suite.add("random_asm/whole texts".into(), &[Tool::Ptxas], taken_by_both);
    suite.at_end(move || {
        tally.lock().unwrap_or_else(PoisonError::into_inner).print();
        Ok(())
    });
    Ok(())
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(value) = env::var(variable) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("{variable}={value} is not a number"))
}

fn settings(args: &str) -> Result<Settings, Failure> {
    Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: {args}"))?.settings(None)
}

fn same_values(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("asm.src");
    fs::write(&source, program::source(seed, N_KERNELS)).map_err(|e| e.to_string())?;
    let theirs = Kernels::of(bench.nvcc_ptx_with(&source, ARCH, &["-w"], work.path())?);
    let mut random = Random::new(seed);
    let words: Vec<u64> = (0..N_CALLS * math::N_WORDS).map(|_| random.draw()).collect();
    let mut wrong = Vec::new();
    for level in ["-O0", "-O3"] {
        let ours = bench.emit(&source, Emit::Ptx, &settings(&format!("{level} -w"))?, work.path())?;
        let ours = Kernels::of(ours);
        bench.ptxas(&ours.ptx, "asm", ARCH, work.path())?.success()?;
        for idx in 0..N_KERNELS {
            let ours = ours.computed(idx, &words).map_err(|fault| format!("k{idx}, {level}: {fault}"))?;
            let theirs = theirs.computed(idx, &words).map_err(|fault| format!("k{idx}, nvcc: {fault}"))?;
            if let Some((n, first)) = math::differences(&words, &ours, &theirs, 0) {
                wrong.push(format!("seed {seed}, k{idx}, {level}: {n} of {N_CALLS} calls differ; {first}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn both_refuse(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mistakes = mistakes::mistakes(seed, N_MISTAKES);
    let statements: Vec<&str> = mistakes.iter().map(|mistake| mistake.written.as_str()).collect();
    let nvcc = taken(&statements, |statements| {
        let source = work.path().join("mistakes.cu");
        fs::write(&source, mistakes::source(statements)).map_err(|e| e.to_string())?;
        let answer = bench.nvcc(&source, ARCH, &work.path().join("nvcc.ptx"))?;
        let lines = error_lines(&answer.stderr, "mistakes.cu(", "): error");
        Ok(refused(lines, mistakes::statement_of, answer.status == Some(0), statements.len()))
    })?;
    let weftc = taken(&statements, |statements| {
        let source = work.path().join("mistakes.src");
        fs::write(&source, mistakes::source(statements)).map_err(|e| e.to_string())?;
        refused_by_weftc(bench, &source, mistakes::statement_of, statements.len())
    })?;
    let mut wrong = Vec::new();
    for (takes, who) in [(nvcc, "nvcc"), (weftc, "weftc")] {
        for idx in takes {
            wrong.push(format!("seed {seed}, {}: {who} takes {}", mistakes[idx].what, mistakes[idx].written));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The indices of the accepted statements. Some mistakes hide others: those are checked separately.
fn taken(
    statements: &[&str],
    refused: impl Fn(&[&str]) -> Result<BTreeSet<usize>, Failure>,
) -> Result<Vec<usize>, Failure> {
    let seen = refused(statements)?;
    let mut taken = Vec::new();
    for (idx, statement) in statements.iter().enumerate() {
        if !seen.contains(&idx) && refused(&[statement])?.is_empty() {
            taken.push(idx);
        }
    }
    Ok(taken)
}

/// The statements that `weftc` rejects.
fn refused_by_weftc(
    bench: &Bench,
    source: &Path,
    statement_of: fn(usize) -> Option<usize>,
    n: usize,
) -> Result<BTreeSet<usize>, Failure> {
    let mut command = bench.tools.weftc();
    command.args(["-w", "-fsyntax-only", "--error-format=short", "-arch", ARCH]).arg(source);
    let answer = run(&mut command)?;
    match answer.status {
        Some(0 | 1) => {}
        _ => return Err(answer.report("neither taken nor refused")),
    }
    let lines = error_lines(&answer.stderr, ".src:", ":");
    if answer.status == Some(1) && lines.is_empty() {
        return Err(answer.report("refused, and nowhere"));
    }
    Ok(refused(lines, statement_of, answer.status == Some(0), n))
}

/// The line numbers between two texts, in lines with an error.
fn error_lines(messages: &str, before: &str, after: &str) -> Vec<usize> {
    let number = |line: &str| {
        let (_, rest) = line.split_once(before)?;
        let (number, _) = rest.split_once(after)?;
        number.parse().ok().filter(|_| line.contains("error"))
    };
    messages.lines().filter_map(number).collect()
}

/// The statements on these lines. A single one may be rejected without a line.
fn refused(
    lines: Vec<usize>,
    statement_of: fn(usize) -> Option<usize>,
    is_taken: bool,
    n: usize,
) -> BTreeSet<usize> {
    match (is_taken, n) {
        (true, _) => BTreeSet::new(),
        (false, 1) => BTreeSet::from([0]),
        _ => lines.into_iter().filter_map(statement_of).filter(|&idx| idx < n).collect(),
    }
}

/// The texts that `weftc` rejects. It stops after a hundred errors, so that a file has fewer.
fn texts_refused_by_weftc(bench: &Bench, texts: &[Text], work: &Path) -> Result<BTreeSet<usize>, Failure> {
    let source = work.join("texts.src");
    let mut all = BTreeSet::new();
    for (idx, some) in texts.chunks(N_TEXTS_OF_FILE).enumerate() {
        fs::write(&source, texts::source(some)).map_err(|e| e.to_string())?;
        let refused = refused_by_weftc(bench, &source, |line| line.checked_sub(1), some.len())?;
        all.extend(refused.into_iter().map(|n| idx * N_TEXTS_OF_FILE + n));
    }
    Ok(all)
}

/// Whether ptxas accepts each of the texts.
fn ptxas_takes(bench: &Bench, texts: &[Text], work: &Path) -> Result<Vec<bool>, Failure> {
    texts
        .iter()
        .map(|text| Ok(bench.ptxas(&texts::module(text), "text", ARCH, work)?.status == Some(0)))
        .collect()
}

/// The counts of damaged texts, for each kind of damage.
#[derive(Debug, Default)]
struct Tally {
    /// The number that ptxas rejects, and of these the number that `weftc` rejects.
    kinds: BTreeMap<&'static str, (usize, usize)>,
    /// The number that ptxas accepts.
    n_taken: usize,
    /// The texts that only `weftc` accepts.
    only_weftc: Vec<String>,
}

impl Tally {
    fn count(&mut self, text: &Text, ours: bool, theirs: bool) {
        if !theirs {
            self.n_taken += 1;
            return;
        }
        let (n_refused, n_seen) = self.kinds.entry(text.damage).or_default();
        *n_refused += 1;
        *n_seen += usize::from(ours);
        if !ours {
            self.only_weftc.push(format!("{}: {}", text.damage, text.ptx));
        }
    }

    #[expect(clippy::print_stdout, reason = "the share is what the suite measures")]
    fn print(&self) {
        let (n_refused, n_seen) =
            self.kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
        if n_refused == 0 {
            return;
        }
        let share = |n_seen: usize, n_refused: usize| 100.0 * n_seen as f64 / n_refused as f64;
        println!(
            "of {n_refused} damaged texts that ptxas refuses weftc refuses {n_seen}, {:.1} %; ptxas takes {}",
            share(n_seen, n_refused),
            self.n_taken
        );
        for (kind, &(n_refused, n_seen)) in &self.kinds {
            println!("{:6.1} % of {n_refused:4}  {kind}", share(n_seen, n_refused));
        }
        if let Some(path) = env::var_os("WEFT_RANDOM_ASM_UNSEEN")
            && let Err(error) = fs::write(&path, self.only_weftc.join("\n") + "\n")
        {
            println!("{}: {error}", path.display());
        }
    }
}

/// ptxas rejects what `weftc` rejects; and `weftc` rejects most of what ptxas rejects.
fn refused_by_ptxas(bench: &Bench, seed: u64, tally: &Mutex<Tally>) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let texts = texts::damaged(seed, N_TEXTS);
    let ours = texts_refused_by_weftc(bench, &texts, work.path())?;
    let theirs = ptxas_takes(bench, &texts, work.path())?;
    let mut seen = Tally::default();
    for (idx, text) in texts.iter().enumerate() {
        seen.count(text, ours.contains(&idx), !theirs[idx]);
        tally.lock().unwrap_or_else(PoisonError::into_inner).count(text, ours.contains(&idx), !theirs[idx]);
    }
    let wrong: Vec<String> = (0..N_TEXTS)
        .filter(|idx| ours.contains(idx) && theirs[*idx])
        .map(|idx| format!("seed {seed}: ptxas takes {}", texts[idx].ptx))
        .collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    let n_refused = N_TEXTS - seen.n_taken;
    if 100 * ours.len() < SEEN_OF_100 * n_refused {
        let share = format!("of {n_refused} texts that ptxas refuses, {} are refused", ours.len());
        return Err(format!("seed {seed}: {share}, and not\n{}", seen.only_weftc.join("\n")));
    }
    Ok(())
}

/// Both accept texts without a mistake.
fn taken_by_both(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let texts = texts::whole();
    let ours = texts_refused_by_weftc(bench, &texts, work.path())?;
    let theirs = ptxas_takes(bench, &texts, work.path())?;
    let wrong: Vec<&str> = (0..texts.len())
        .filter(|idx| ours.contains(idx) || !theirs[*idx])
        .map(|idx| texts[idx].ptx.as_str())
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("one refuses:\n{}", wrong.join("\n"))) }
}
