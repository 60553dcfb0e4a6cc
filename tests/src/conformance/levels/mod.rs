//! Asks nvcc and a producer about a unit, and compares what they make of it at each level.
//!
//! A function that differs at the prototypes is left out of what follows, since nothing would link with it. What a compiler
//! refuses is left out too: the functions to which its message leads, or else those that are alone after halving.
//!
//! - this file: who is asked, and in which order
//! - [`prototypes`], [`layouts`], [`passing`], [`results`]: a level each; `passing` has the registers and linking

mod layouts;
mod passing;
mod prototypes;
mod results;

use std::fs;
use std::path::{Path, PathBuf};

use super::blame;
use super::model::Unit;
use super::probe::{self, Given};
use super::producer::{self, Made, NotMade, Producer};
use super::verdict::{Level, Outcome, Verdict};
use crate::Failure;
use crate::tools::Tools;

/// Asks about units.
pub struct Engine<'t> {
    /// Where the programs are.
    pub tools: &'t Tools,
    /// The GPU: `sm_90`.
    pub arch: String,
    /// The compiler that is looked at.
    pub producer: Producer,
    /// Whose registers are looked at.
    pub given: Given,
    /// Whether objects of the host are linked too, which take a compilation of the host's part.
    pub links_host: bool,
}

/// What both made of a source.
struct Both {
    ours: Made,
    theirs: Made,
}

/// The sources of a unit, made by both.
struct Pair {
    caller: Both,
    callee: Both,
}

impl Engine<'_> {
    /// Compares a unit at all levels; the seed chooses the values.
    ///
    /// # Errors
    /// When a tool is absent or does what it must not. That compilers differ is in the outcome.
    pub fn check(&self, unit: &Unit, seed: u64) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::default();
        self.layouts(unit, &mut outcome)?;
        self.functions(unit, seed, &mut outcome)?;
        Ok(outcome)
    }

    fn functions(&self, unit: &Unit, seed: u64, outcome: &mut Outcome) -> Result<(), Failure> {
        if unit.functions.is_empty() {
            return Ok(());
        }
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let pair = match self.pair(unit, work.path()) {
            Ok(pair) => pair,
            Err((NotMade::Failed(failure), _)) => return Err(failure),
            Err((NotMade::Refused { why, text }, by_oracle)) => {
                return self.without_refused(unit, seed, outcome, [&why, &text], by_oracle);
            }
        };
        unit.functions
            .iter()
            .for_each(|function| outcome.note(&function.name, Level::Compiled, Verdict::Same));
        let differing = prototypes::compare(unit, &pair, outcome);
        if !differing.is_empty() {
            let rest = unit.only(|function| !differing.contains(&function.name));
            return self.functions(&rest, seed, outcome);
        }
        if self.producer.optimizes() {
            self.registers(unit, &pair, outcome)?;
        }
        self.linking(unit, &pair, work.path(), outcome)?;
        let unlinked = results::compare(unit, &pair, seed, outcome)?;
        if unlinked.is_empty() {
            return Ok(());
        }
        self.functions(&unit.only(|function| !unlinked.contains(&function.name)), seed, outcome)
    }

    /// Goes on without the functions that a compiler refuses: those that its message leads to, or else by halves, until
    /// what is refused is alone.
    fn without_refused(
        &self,
        unit: &Unit,
        seed: u64,
        outcome: &mut Outcome,
        [why, text]: [&str; 2],
        by_oracle: bool,
    ) -> Result<(), Failure> {
        let names = match unit.functions.as_slice() {
            [only] => vec![only.name.clone()],
            _ => blame::by_line(unit, text, why),
        };
        for name in &names {
            outcome.note(name, Level::Compiled, refused(why, by_oracle));
        }
        if !names.is_empty() {
            return self.functions(&unit.only(|function| !names.contains(&function.name)), seed, outcome);
        }
        let middle = unit.functions.len() / 2;
        for half in [&unit.functions[..middle], &unit.functions[middle..]] {
            let part = unit.only(|function| half.contains(function));
            self.functions(&part, seed, outcome)?;
        }
        Ok(())
    }

    /// Compiles both sources by both; where one of them refuses, whether it is the oracle.
    fn pair(&self, unit: &Unit, work: &Path) -> Result<Pair, (NotMade, bool)> {
        let write = |name: &str, text: String| -> Result<PathBuf, (NotMade, bool)> {
            let path = work.join(name);
            fs::write(&path, text).map_err(|e| (NotMade::Failed(e.to_string()), false))?;
            Ok(path)
        };
        let callee = write("callee.src", probe::callee(unit, self.given))?;
        let caller = write("caller.src", probe::caller(unit))?;
        let ours = |source: &Path| {
            self.producer
                .make(self.tools, source, &self.arch, work, self.links_host)
                .map_err(|why| (why, false))
        };
        let theirs = |source: &Path| {
            producer::nvcc(self.tools, source, &self.arch, work, self.links_host).map_err(|why| (why, true))
        };
        // What is refused the most is asked first.
        let their_caller = theirs(&caller)?;
        let our_callee = ours(&callee)?;
        Ok(Pair {
            callee: Both { ours: our_callee, theirs: theirs(&callee)? },
            caller: Both { ours: ours(&caller)?, theirs: their_caller },
        })
    }
}

/// The verdict on what is refused.
fn refused(why: &str, by_oracle: bool) -> Verdict {
    if by_oracle { Verdict::Oracle(why.to_owned()) } else { Verdict::Differs(why.to_owned()) }
}
