//! A program with n mistakes has n errors: mistakes of many kinds are inserted into the programs of the test
//! folders, one, or one each in several functions, and the errors are counted.
//!
//! Prints the share of programs with the correct number, which must not fall below [`FLOOR`];
//! `WEFT_MISTAKES=n` tries n places for each kind and program, and shows the programs that fail.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, thread};

use weft_tests::Failure;
use weft_tests::damage::{STACK_SIZE, inputs};
use weft_tests::mistake::{Kind, Program, errors};
use weft_tests::random::{Random, hash};
use weft_tests::runner::Suite;

/// The required share of programs with the correct number of errors, for one mistake and for several.
const FLOOR: (f64, f64) = (0.99, 0.98);

/// The number of places per kind and program.
const N_PLACES: u64 = 1;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    suite.add("mistakes/one".into(), &[], move |_| with_stack(|| one(&programs()?)));
    suite.add("mistakes/several".into(), &[], move |_| with_stack(|| several(&programs()?)));
    Ok(())
}

/// The programs of the test folders without errors.
fn programs() -> Result<Vec<(PathBuf, String)>, Failure> {
    let is_sound =
        |(path, text): &(PathBuf, String)| !path.starts_with("tests/ui") && errors(text).is_empty();
    Ok(inputs()?.into_iter().filter(is_sound).collect())
}

fn with_stack(f: impl FnOnce() -> Result<(), Failure> + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(f).map_err(|e| e.to_string())?;
    thread.join().map_err(|_| String::from("a panic in the frontend"))?
}

fn n_places() -> u64 {
    env::var("WEFT_MISTAKES").ok().and_then(|n| n.parse().ok()).unwrap_or(N_PLACES)
}

fn one(programs: &[(PathBuf, String)]) -> Result<(), Failure> {
    let mut tally = Tally::default();
    for (path, text) in programs {
        let program = Program::new(text);
        for kind in Kind::all() {
            let mut random = Random::new(hash(&format!("{}{}", path.display(), kind.name())));
            for _ in 0..n_places() {
                let Some(edit) = program.mistake(kind, &mut random) else { break };
                let changed = program.changed(&[edit]);
                tally.count(kind.name(), 1, &changed);
            }
        }
    }
    tally.report(FLOOR.0)
}

/// One mistake each in two to five functions.
fn several(programs: &[(PathBuf, String)]) -> Result<(), Failure> {
    let mut tally = Tally::default();
    let kinds = Kind::all();
    for (path, text) in programs {
        let program = Program::new(text);
        let bodies = program.bodies();
        let mut random = Random::new(hash(&path.display().to_string()));
        for _ in 0..8 * n_places() {
            let n = 2 + random.below(4);
            let mut edits: Vec<(usize, weft_tests::mistake::Edit)> = Vec::new();
            for _ in 0..4 * n {
                let kind = *random.of(&kinds);
                let Some(edit) = program.mistake(kind, &mut random) else { continue };
                let Some(body) = bodies.iter().position(|body| body.contains(&edit.range.start)) else {
                    continue;
                };
                if edits.iter().all(|(other, _)| *other != body)
                    && errors(&program.changed(std::slice::from_ref(&edit))).len() == 1
                {
                    edits.push((body, edit));
                }
                if edits.len() == n {
                    break;
                }
            }
            if edits.len() > 1 {
                let n = edits.len();
                let edits: Vec<_> = edits.into_iter().map(|(_, edit)| edit).collect();
                tally.count(format!("{n} mistakes"), n, &program.changed(&edits));
            }
        }
    }
    tally.report(FLOOR.1)
}

/// For each kind, the number of programs with the correct number of errors, and the number of tried ones.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<String, (usize, usize)>,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, kind: String, wanted: usize, text: &str) {
        let errors = errors(text);
        // Without an error, the change was not a mistake.
        if errors.is_empty() {
            return;
        }
        let (right, tried) = self.kinds.entry(kind.clone()).or_default();
        *tried += 1;
        if errors.len() == wanted {
            *right += 1;
        } else {
            self.failures.push(format!("--- {kind}\n{text}\n{}\n", errors.join("\n")));
        }
    }

    #[expect(clippy::print_stdout, reason = "the share is what the suite measures")]
    fn report(&self, floor: f64) -> Result<(), Failure> {
        let (right, tried) = self.kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
        let share = |right: usize, tried: usize| right as f64 / tried.max(1) as f64;
        let mut table = String::new();
        for (kind, &(right, tried)) in &self.kinds {
            table.push_str(&format!("{:6.1} % of {tried:4}  {kind}\n", 100.0 * share(right, tried)));
        }
        let total = share(right, tried);
        println!("{:.2} % of {tried} programs have as many errors as mistakes", 100.0 * total);
        if env::var_os("WEFT_MISTAKES").is_some() {
            println!("{table}\n{}", self.failures.concat());
        }
        if total < floor {
            return Err(format!("the share is {total:.4}, and should be {floor}\n{table}"));
        }
        Ok(())
    }
}
