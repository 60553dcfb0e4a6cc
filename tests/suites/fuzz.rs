//! Fuzzing without coverage: test inputs that are changed token by token and phrase by phrase, and random words of the language, go
//! through the frontend from end to end (`weft_fuzz::stages`). The texts are the same in every run. `ci/fuzz` searches further, guided by
//! coverage; `WEFT_FUZZ_TEXTS=5000` tries so many texts in each trial, and `WEFT_RANDOM_SEED` others.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{env, fs, thread};

use weft_fuzz::{mutate, stages, words};
use weft_tests::Failure;
use weft_tests::examples;
use weft_tests::random::Random;
use weft_tests::runner::{Suite, files};
use weft_tests::tools::repository;

/// The number of trials whose texts are changed inputs, and of those whose texts are random words.
const N_TRIALS: [u64; 2] = [6, 2];

/// The number of texts of each.
const N_TEXTS: [u64; 2] = [1000, 2500];

/// The maximum length of a text, as for `ci/fuzz`.
const MAX_BYTES: usize = 4096;

/// The frontend needs more stack without optimization.
const STACK_BYTES: usize = 512 << 20;

/// Makes a text, of the inputs or at random.
type Make = fn(&[Vec<u8>], &mut Random) -> Vec<u8>;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_texts = number("WEFT_FUZZ_TEXTS")?;
    let first = number("WEFT_RANDOM_SEED")?.unwrap_or(1);
    let kinds: [(&str, Make); 2] = [("changed", changed), ("words", random_words)];
    for ((kind, make), (n_trials, n)) in kinds.into_iter().zip(N_TRIALS.into_iter().zip(N_TEXTS)) {
        let n = n_texts.unwrap_or(n);
        for seed in first..first + n_trials {
            suite.add(format!("fuzz/{kind}-{seed} ({n} texts)"), &[], move |_| {
                on_a_large_stack(|| run(stages::run, make, seed, n))
            });
        }
    }
    for path in files(&repository().join("fuzz/regressions"), "src")? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        suite.add(format!("fuzz/regressions/{name}"), &[], move |_| {
            let text = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            on_a_large_stack(|| {
                stages::run(&text);
                Ok(())
            })
        });
    }
    suite.add("fuzz/a panic fails".to_owned(), &[], |_| panics_are_found());
    Ok(())
}

fn panics_are_found() -> Result<(), Failure> {
    // Without a message on the terminal.
    let panics = |text: &[u8]| {
        if text.len() > 9 {
            resume_unwind(Box::new(()));
        }
    };
    let make = |_: &[Vec<u8>], random: &mut Random| vec![b' '; 1 + random.below(12)];
    match run(panics, make, 7, 100) {
        Err(failure) if failure.contains("of seed 7 panics") => Ok(()),
        other => Err(format!("the panic is not reported: {other:?}")),
    }
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(text) = env::var(variable) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("{variable}: `{text}` is not a number"))
}

fn on_a_large_stack(work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let worker = worker.map_err(|e| e.to_string())?;
        worker.join().map_err(|_| "the trial panicked".to_owned())?
    })
}

fn run(target: fn(&[u8]), make: Make, seed: u64, n_texts: u64) -> Result<(), Failure> {
    let seeds = seeds()?;
    let mut random = Random::new(seed);
    for number in 0..n_texts {
        let text = make(&seeds, &mut random);
        if catch_unwind(AssertUnwindSafe(|| target(&text))).is_err() {
            let path = repository().join(format!("target/tmp/fuzz-{seed}-{number}.src"));
            fs::write(&path, &text).map_err(|e| format!("{}: {e}", path.display()))?;
            return Err(format!("text {number} of seed {seed} panics: {}", path.display()));
        }
    }
    Ok(())
}

/// The test inputs that are not longer than the texts may be.
fn seeds() -> Result<Vec<Vec<u8>>, Failure> {
    let mut seeds = Vec::new();
    let mut paths = examples::sources_in_c()?;
    for folder in ["tests/ui", "tests/run", "tests/ptx", "fuzz/regressions"] {
        paths.extend(files(&repository().join(folder), "src")?);
    }
    for path in paths {
        let text = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        seeds.extend((text.len() <= MAX_BYTES).then_some(text));
    }
    Ok(seeds)
}

/// An input with up to four changes, or with a phrase of another one.
fn changed(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let seed: &Vec<u8> = random.of(seeds);
    let mut out = vec![0; MAX_BYTES];
    out[..seed.len()].copy_from_slice(seed);
    let number = random.draw() as u32;
    let size = if random.once_in(3) {
        mutate::cross(seed, random.of::<Vec<u8>>(seeds), &mut out, number)
    } else {
        mutate::mutate(&mut out, seed.len(), MAX_BYTES, number)
    };
    out.truncate(size.unwrap_or(seed.len()));
    out
}

fn random_words(_: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let n = 1 + random.below(200);
    let numbers: Vec<u8> = (0..n).map(|_| random.draw() as u8).collect();
    words::text_of(&numbers).into_bytes()
}
