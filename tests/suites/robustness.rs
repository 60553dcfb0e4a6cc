//! Damaged inputs: for any text, the frontend ends in diagnostics or in a verified program; LLVM accepts
//! every program that the frontend accepts, and so do ptxas and nvcc.
//!
//! One trial per test input tries all truncations at a token and all omissions of a token, in this process;
//! for a long input at a subset of its tokens, such that the total stays below [`MOST_BYTES`]. One trial
//! tries every byte of the guide's program replaced by each of 16 odd bytes. A second trial per input
//! compiles a share of the texts that are still programs, one in [`SHARE_COMPILED`], and passes a share of
//! these to ptxas and nvcc: one in [`SHARE_ASKED`] of all. With `WEFT_DAMAGE_SHARE` every token is tried, all
//! programs are compiled, and one in this many is passed on.
//!
//! Damaged binaries, `binaries/`: objects, cubins, archives, `.npy` files and libdevice.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{env, fs, thread};

use weft_tests::Failure;
use weft_tests::binaries::{self, Kind};
use weft_tests::damage::{STACK_SIZE, altered, cuts, frontend, has_host_code, inputs, thinned};
use weft_tests::random::hash;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};

/// The total size of an input's damaged texts, since the time is quadratic. Half of the inputs exceed it, and use
/// a subset of their tokens.
const MOST_BYTES: usize = 1 << 17;

/// One in this many programs is compiled.
const SHARE_COMPILED: u64 = 20;

/// One in this many programs is also passed to ptxas and nvcc.
const SHARE_ASKED: u64 = 5 * SHARE_COMPILED;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let shares = Shares::from_env()?;
    let mut compiled = Vec::new();
    for (path, text) in inputs()? {
        let name = |how: &str| format!("robustness/{} ({how})", path.display());
        if path == Path::new("examples/call.src") {
            let text = text.clone();
            suite.add(name("altered bytes"), &[], move |_| with_stack(move || try_all(&altered(&text))));
        }
        // Either trial may start first, and does the work for both.
        let outcome = Arc::new(OnceLock::new());
        let known = Arc::clone(&outcome);
        let of = Arc::new(move || {
            let text = text.clone();
            with_stack(move || Ok(Outcome::of(&text, shares)))
        });
        let again = Arc::clone(&of);
        suite.add(name("cut and thinned"), &[], move |_| known.get_or_init(&*of).clone()?.tried);
        compiled.push((name("still a program"), move |bench: &Bench| {
            compile_all(bench, shares, outcome.get_or_init(&*again).clone()?.programs)
        }));
    }
    for &kind in Kind::ALL {
        suite.add(format!("robustness/binaries/{}", kind.name()), kind.needs(), move |bench| {
            binaries::check(bench, kind)
        });
    }
    // Last, so that no thread waits for another thread's work.
    for (name, trial) in compiled {
        suite.add_last(name, &[Tool::Nvcc, Tool::Ptxas], trial);
    }
    Ok(())
}

/// Runs `f` with the stack that the frontend needs.
fn with_stack<T: Send + 'static>(
    f: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(f).map_err(|e| e.to_string())?;
    thread.join().map_err(|_| String::from("a panic outside the frontend"))?
}

/// A GPU that supports everything that the frontend accepts.
const ARCH: &str = "sm_90";

/// The number of failures shown per input.
const N_SHOWN: usize = 3;

fn try_all(damaged: &[String]) -> Result<(), Failure> {
    summary(damaged.len(), damaged.iter().filter_map(|text| Some((text, frontend(text).err()?))))
}

/// The frontend's results for an input's damaged texts.
#[derive(Clone)]
struct Outcome {
    tried: Result<(), Failure>,
    /// The distinct accepted programs that are to be compiled, in order.
    programs: Vec<String>,
}

impl Outcome {
    fn of(text: &str, shares: Shares) -> Outcome {
        let most_places = shares.most_bytes / text.len().max(1);
        let damaged = [cuts(text, most_places), thinned(text, most_places)].concat();
        if damaged.is_empty() {
            return Outcome { tried: Err("the input has no token".into()), programs: Vec::new() };
        }
        let (mut failures, mut programs) = (Vec::new(), BTreeSet::new());
        for text in &damaged {
            match frontend(text) {
                Ok(Some(_)) if hash(text).is_multiple_of(shares.compiled) => {
                    programs.insert(text.clone());
                }
                Ok(_) => {}
                Err(failure) => failures.push((text, failure)),
            }
        }
        let tried = summary(damaged.len(), failures.into_iter());
        Outcome { tried, programs: programs.into_iter().collect() }
    }
}

fn summary<'t>(n_all: usize, failures: impl Iterator<Item = (&'t String, Failure)>) -> Result<(), Failure> {
    let failures: Vec<String> = failures.map(|(text, why)| format!("{why}\n---\n{text}\n---\n")).collect();
    if failures.is_empty() {
        return Ok(());
    }
    let shown = failures.iter().take(N_SHOWN).map(String::as_str).collect::<String>();
    Err(format!("{} of {n_all} damaged inputs fail:\n{shown}", failures.len()))
}

/// The shares of damage that are tried.
#[derive(Clone, Copy)]
struct Shares {
    most_bytes: usize,
    /// One program in this many.
    compiled: u64,
    asked: u64,
}

impl Shares {
    fn from_env() -> Result<Shares, Failure> {
        let Ok(share) = env::var("WEFT_DAMAGE_SHARE") else {
            return Ok(Shares { most_bytes: MOST_BYTES, compiled: SHARE_COMPILED, asked: SHARE_ASKED });
        };
        match share.parse() {
            Ok(asked @ 1..) => Ok(Shares { most_bytes: usize::MAX, compiled: 1, asked }),
            _ => Err(format!("WEFT_DAMAGE_SHARE={share}: a number from 1 on is wanted")),
        }
    }
}

/// Compiles the programs in one run of `weftc` for the lowest and the highest optimization level, and passes
/// a share of them to the other compilers. The selection only depends on the texts.
fn compile_all(bench: &Bench, shares: Shares, programs: Vec<String>) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let name = |idx: usize, extension: &str| -> PathBuf { work.path().join(format!("p{idx}.{extension}")) };
    let mut sources = Vec::new();
    for (idx, text) in programs.iter().enumerate() {
        fs::write(name(idx, "src"), text).map_err(|e| e.to_string())?;
        sources.push(name(idx, "src"));
    }
    if sources.is_empty() {
        return Ok(());
    }
    // Errors that are found after the frontend: conflicting symbols, and mistakes in inline PTX.
    const REFUSED: [&str; 2] = ["error[symbol-conflict]", "error[invalid-ptx]"];
    let mut refused = BTreeSet::new();
    for level in ["-O0", "-O3"] {
        let weftc = |sources: &[PathBuf]| {
            let mut command = bench.tools.weftc();
            command.args(["--arch", ARCH, level, "--ptx"]).args(sources);
            run(command.current_dir(work.path()))
        };
        if weftc(&sources)?.status == Some(0) {
            continue;
        }
        let mut failures = Vec::new();
        let mut n_refused = 0;
        for (idx, (text, source)) in programs.iter().zip(&sources).enumerate() {
            let answer = weftc(std::slice::from_ref(source))?;
            if answer.status == Some(1) && REFUSED.iter().any(|error| answer.stderr.contains(error)) {
                refused.insert(idx);
                n_refused += 1;
            } else if let Err(failure) = answer.success() {
                failures.push((text, failure));
            }
        }
        let fails = !failures.is_empty();
        summary(programs.len(), failures.into_iter())?;
        if !fails && n_refused == 0 {
            return Err(format!("weftc {level} fails on all programs together, and on none alone"));
        }
    }
    // Inline PTX may be for another GPU, which ptxas reports; mistakes of the host's are for nvcc alone.
    let is_asked = |(idx, text): &(usize, &String)| {
        !refused.contains(idx)
            && !text.contains("asm")
            && hash(text).is_multiple_of(shares.asked)
            && with_stack({
                let text = (*text).clone();
                move || has_host_code(&text)
            })
            .is_ok_and(|has| !has)
    };
    let asked = programs.iter().enumerate().filter(is_asked);
    let failure =
        |(idx, text)| Some((text, ask(bench, &name(idx, "src"), &name(idx, "ptx"), work.path()).err()?));
    summary(programs.len(), asked.filter_map(failure))
}

/// What Weft accepts, ptxas and nvcc accept.
fn ask(bench: &Bench, source: &Path, ptx: &Path, work: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(ptx).map_err(|e| e.to_string())?;
    bench.ptxas(&text, "damaged", ARCH, work)?.success()?;
    bench.nvcc(source, ARCH, &work.join("nvcc.ptx"))?.success().map(drop)
}
