//! Random signatures by the thousand: one unit a seed, several seeds at once, findings made small.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use super::generate;
use super::levels::Engine;
use super::model::Unit;
use super::probe::Given;
use super::producer::Producer;
use super::shrink::shrink;
use super::verdict::{Level, Outcome};
use crate::Failure;
use crate::tools::Tools;

/// What is run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// One unit each.
    pub seeds: Range<u64>,
    /// How many functions a unit has.
    pub n_signatures: usize,
    /// The GPU.
    pub arch: String,
    /// The compiler; `weftc` takes its level of optimization from the seed if none is given.
    pub producer: Option<Producer>,
    /// Whether no function is variadic.
    pub without_variadic: bool,
    /// How many units are looked at at once.
    pub n_jobs: usize,
    /// Whether findings are made small.
    pub shrinks: bool,
    /// Where findings are kept.
    pub findings: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// How many functions and kernels there were.
    pub n_signatures: usize,
    /// How many structs and unions.
    pub n_records: usize,
    /// How many of the functions differ, by the first level at which they do.
    pub differing: BTreeMap<Level, usize>,
    /// How many of the records do.
    pub differing_records: usize,
    /// Of how many nothing can be said at a level, since nvcc's own code fails there.
    pub oracle: BTreeMap<Level, usize>,
    /// Each finding: the seed, its name, its level, how it differs.
    pub findings: Vec<(u64, String, Level, String)>,
}

/// One seed in so many links objects of the host as well.
const N_WITH_HOST: u64 = 8;

/// How much is reported of a fault of nvcc's own, in characters.
const MAX_TOLD: usize = 240;

/// The levels of optimization, by seed.
const LEVELS: [&str; 4] = ["-O3", "-O0", "-O2", "-O1"];

impl Campaign {
    /// Runs it. Each unit is reported as it is done: its seed, a line, and whether it has findings.
    ///
    /// # Errors
    /// A tool that is absent or fails, in the first unit in which it does.
    pub fn run(&self, tools: &Tools, told: &(dyn Fn(&str) + Sync)) -> Result<Summary, Failure> {
        let next = AtomicU64::new(self.seeds.start);
        let summary = Mutex::new(Ok(Summary::default()));
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                let has_failed = summary.lock().map_or(true, |summary| summary.is_err());
                if seed >= self.seeds.end || has_failed {
                    return;
                }
                let start = Instant::now();
                let done = self.seed(tools, seed);
                let Ok(mut summary) = summary.lock() else { return };
                match done {
                    Ok((unit, outcome, small)) => {
                        let line = line(seed, &outcome, start.elapsed().as_secs_f64());
                        told(&line);
                        small.iter().for_each(|text| told(text));
                        if let Ok(summary) = &mut *summary {
                            summary.add(seed, &unit, &outcome);
                        }
                    }
                    Err(failure) => *summary = Err(format!("seed {seed}: {failure}")),
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.n_jobs.max(1) {
                scope.spawn(work);
            }
        });
        summary.into_inner().map_err(|e| e.to_string())?
    }

    fn engine<'t>(&self, tools: &'t Tools, seed: u64) -> Engine<'t> {
        let by_seed = || Producer::weftc(LEVELS[(seed % LEVELS.len() as u64) as usize]);
        let producer = self.producer.clone().unwrap_or_else(by_seed);
        let links_host = seed.is_multiple_of(N_WITH_HOST);
        Engine { tools, arch: self.arch.clone(), producer, given: Given::One(seed), links_host }
    }

    fn seed(&self, tools: &Tools, seed: u64) -> Result<(Unit, Outcome, Vec<String>), Failure> {
        let engine = self.engine(tools, seed);
        let mut unit = generate::unit(seed, self.n_signatures);
        if self.without_variadic {
            unit.functions.iter_mut().for_each(|function| function.variadic = None);
        }
        let outcome = engine.check(&unit, seed)?;
        let mut small = Vec::new();
        for (name, level, how) in outcome.faults_of_the_oracle() {
            let how: String = how.lines().next().unwrap_or_default().chars().take(MAX_TOLD).collect();
            small.push(format!("seed {seed}, {name}: {level}: nvcc's own: {how}"));
        }
        for (name, level, how) in outcome.differences() {
            let mut own = unit.alone(&name);
            if self.shrinks {
                own = shrink(&engine, &own, level, seed)?;
            }
            small.push(format!("seed {seed}, {name}: {level} ({}): {how}\n{own}", engine.producer.name()));
            if let Some(folder) = &self.findings {
                let written = fs::create_dir_all(folder).and_then(|()| {
                    fs::write(folder.join(format!("{seed}-{name}-{level}.src")), own.to_string())
                });
                written.map_err(|e| format!("{}: {e}", folder.display()))?;
            }
        }
        Ok((unit, outcome, small))
    }
}

fn line(seed: u64, outcome: &Outcome, seconds: f64) -> String {
    let n = outcome.functions.len();
    let (n_different, n_oracle) = (outcome.differences().len(), outcome.faults_of_the_oracle().len());
    format!(
        "seed {seed}: {n} signatures, {n_different} differ, {n_oracle} faults of nvcc's own, {seconds:.1} s"
    )
}

impl Summary {
    fn add(&mut self, seed: u64, unit: &Unit, outcome: &Outcome) {
        self.n_signatures += unit.functions.len();
        self.n_records += unit.records.len();
        for (name, level, how) in outcome.differences() {
            if outcome.functions.contains_key(&name) {
                *self.differing.entry(level).or_default() += 1;
            } else {
                self.differing_records += 1;
            }
            self.findings.push((seed, name, level, how));
        }
        for (_, level, _) in outcome.faults_of_the_oracle() {
            *self.oracle.entry(level).or_default() += 1;
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_different: usize = self.differing.values().sum();
        write!(f, "{} signatures, {} structs and unions: ", self.n_signatures, self.n_records)?;
        write!(f, "{n_different} signatures differ")?;
        for (level, n) in &self.differing {
            write!(f, ", {n} in {level}")?;
        }
        write!(f, "; {} layouts differ; faults of nvcc's own:", self.differing_records)?;
        if self.oracle.is_empty() {
            write!(f, " none")?;
        }
        for (level, n) in &self.oracle {
            write!(f, " {n} in {level}")?;
        }
        Ok(())
    }
}
