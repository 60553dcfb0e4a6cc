//! Compiles a unit with nvcc and a producer, and compares the results at each level.
//!
//! A function whose prototypes differ is excluded from the later levels, since it would not link. What a
//! compiler rejects is excluded, too: the functions that its message names, or else those found by bisection.
//!
//! - this file: the order of the levels
//! - [`prototypes`], [`layouts`], [`passing`], [`results`]: one level each; `passing` covers registers and
//!   linking

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

/// Compares units.
pub struct Engine<'t> {
    /// The paths of the programs.
    pub tools: &'t Tools,
    /// The GPU: `sm_90`.
    pub arch: String,
    /// The compiler under test.
    pub producer: Producer,
    /// The parameters whose registers are compared.
    pub given: Given,
    /// Whether host objects are linked, too, which requires compiling the host part.
    pub links_host: bool,
}

/// The outputs of both compilers for a source.
struct Both {
    ours: Made,
    theirs: Made,
}

/// The outputs of both compilers for the sources of a unit.
struct Pair {
    caller: Both,
    callee: Both,
}

impl Engine<'_> {
    /// Compares a unit at all levels; the seed selects the values.
    ///
    /// # Errors
    ///
    /// If a tool is missing or misbehaves. A difference between the compilers is in the outcome instead.
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

    /// Continues without the functions that a compiler rejects: those that its message names, or else those
    /// found by bisection.
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

    /// Compiles both sources with both compilers; if one of them rejects a source, returns whether it is the
    /// oracle.
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
        // The source that is rejected most often comes first.
        let their_caller = theirs(&caller)?;
        let our_callee = ours(&callee)?;
        Ok(Pair {
            callee: Both { ours: our_callee, theirs: theirs(&callee)? },
            caller: Both { ours: ours(&caller)?, theirs: their_caller },
        })
    }
}

/// The verdict on a rejected function.
fn refused(why: &str, by_oracle: bool) -> Verdict {
    if by_oracle { Verdict::Oracle(why.to_owned()) } else { Verdict::Differs(why.to_owned()) }
}
