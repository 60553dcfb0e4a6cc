//! Thousands of random signatures: one unit per seed, several seeds at once, with findings shrunk.

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

/// A campaign.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The seeds, with one unit each.
    pub seeds: Range<u64>,
    /// The number of functions per unit.
    pub n_signatures: usize,
    /// The GPU.
    pub arch: String,
    /// The compiler; by default `weftc`, at an optimization level that the seed selects.
    pub producer: Option<Producer>,
    /// Whether no function is variadic.
    pub without_variadic: bool,
    /// The number of units that are checked at the same time.
    pub n_jobs: usize,
    /// Whether to shrink findings.
    pub shrinks: bool,
    /// Where to save findings.
    pub findings: Option<PathBuf>,
}

/// The results of a campaign.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of functions and kernels.
    pub n_signatures: usize,
    /// The number of structs and unions.
    pub n_records: usize,
    /// The number of differing functions, by the first level at which they differ.
    pub differing: BTreeMap<Level, usize>,
    /// The number of differing records.
    pub differing_records: usize,
    /// The number of functions that cannot be judged at a level, because nvcc's own code fails there.
    pub oracle: BTreeMap<Level, usize>,
    /// Each finding: the seed, its name, its level, the difference.
    pub findings: Vec<(u64, String, Level, String)>,
}

/// One seed in this many also links host objects.
const N_WITH_HOST: u64 = 8;

/// The maximum length of a reported fault of nvcc, in characters.
const MAX_REPORTED: usize = 240;

/// The optimization levels, by seed.
const LEVELS: [&str; 4] = ["-O3", "-O0", "-O2", "-O1"];

impl Campaign {
    /// Runs the campaign. Reports each unit when it is done: its seed, a line, and whether it has findings.
    ///
    /// # Errors
    ///
    /// A missing or failing tool, in the first such unit.
    pub fn run(&self, tools: &Tools, report: &(dyn Fn(&str) + Sync)) -> Result<Summary, Failure> {
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
                        report(&line);
                        small.iter().for_each(|text| report(text));
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
            let how: String = how.lines().next().unwrap_or_default().chars().take(MAX_REPORTED).collect();
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
