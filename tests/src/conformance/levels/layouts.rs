//! Compares sizes, alignments, offsets, and the bytes of bit-fields: programs by both compilers report them.

use std::fs;

use super::super::machine::{Machine, program};
use super::super::model::{Record, Unit};
use super::super::probe;
use super::super::producer::{self, NotMade};
use super::super::verdict::{Outcome, Verdict};
use super::{Engine, refused};
use crate::Failure;

impl Engine<'_> {
    /// Compares the layouts reported by both compilers' functions.
    pub(super) fn layouts(&self, unit: &Unit, outcome: &mut Outcome) -> Result<(), Failure> {
        if unit.records.is_empty() {
            return Ok(());
        }
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let source = work.path().join("layouts.src");
        fs::write(&source, probe::layouts(unit)).map_err(|e| e.to_string())?;
        let out = work.path().join("layouts.ptx");
        let made = self
            .producer
            .compile(self.tools, &source, &self.arch, &out)
            .map_err(|why| (why, false))
            .and_then(|()| {
                let theirs = producer::nvcc_ptx(self.tools, &source, &self.arch, work.path());
                theirs.map_err(|why| (why, true))
            });
        let theirs = match made {
            Ok(theirs) => theirs,
            Err((NotMade::Failed(failure), _)) => return Err(failure),
            Err((NotMade::Refused { why, .. }, by_oracle)) => {
                return self.divided_layouts(unit, outcome, &why, by_oracle);
            }
        };
        let ours = fs::read_to_string(&out).map_err(|e| e.to_string())?;
        let expected = reported_layouts(unit, "nvcc", &theirs)?;
        match reported_layouts(unit, "the producer", &ours) {
            Ok(found) => {
                for ((record, expected), found) in unit.records.iter().zip(expected).zip(found) {
                    let verdict = compare_layouts(record, expected, found);
                    outcome.records.insert(record.name.clone(), verdict);
                }
            }
            Err(why) => {
                for record in &unit.records {
                    outcome.records.insert(record.name.clone(), Verdict::Differs(why.clone()));
                }
            }
        }
        Ok(())
    }

    /// Compares each record separately, with its dependencies; a record that fails alone is the rejected one.
    fn divided_layouts(
        &self,
        unit: &Unit,
        outcome: &mut Outcome,
        why: &str,
        by_oracle: bool,
    ) -> Result<(), Failure> {
        for record in &unit.records {
            let mut needed = unit.alone(&record.name);
            needed.functions.clear();
            if needed.records.len() < unit.records.len() {
                self.layouts(&needed, outcome)?;
            } else {
                outcome.records.insert(record.name.clone(), refused(why, by_oracle));
            }
        }
        Ok(())
    }
}

/// The reported layout of a record: facts, and the bytes of each bit-field.
type Reported = (Vec<u64>, Vec<u8>);

fn reported_layouts(unit: &Unit, by: &str, ptx: &str) -> Result<Vec<Reported>, Failure> {
    let program = program(&[("layouts.ptx", ptx)]).map_err(|why| format!("the layouts by {by}: {why}"))?;
    let mut machine = Machine::new(&program)?;
    let mut reported = Vec::new();
    for record in &unit.records {
        let n_facts = probe::facts(record).len();
        let n_fields = probe::bit_fields(record).len();
        let room = 8 * n_facts + n_fields * 4096;
        let out = machine.allocate(room)?;
        machine.launch(&format!("layout_{}", record.name), &[out.to_le_bytes().to_vec()])?;
        let facts = machine.read(out, n_facts)?;
        let size = usize::try_from(facts[0]).unwrap_or(usize::MAX).min(4096);
        reported.push((facts, machine.read_bytes(out + 8 * n_facts as u64, size * n_fields)?));
    }
    Ok(reported)
}

fn compare_layouts(record: &Record, expected: Reported, found: Reported) -> Verdict {
    let mut wrong = Vec::new();
    for ((what, expected), found) in probe::facts(record).iter().zip(&expected.0).zip(&found.0) {
        if expected != found {
            wrong.push(format!("{what} is {found}, and {expected} with nvcc"));
        }
    }
    let size = expected.0[0] as usize;
    if wrong.is_empty() && size > 0 {
        for (idx, name) in probe::bit_fields(record).iter().enumerate() {
            let bytes = |reported: &Reported| reported.1[idx * size..(idx + 1) * size].to_vec();
            let (expected, found) = (bytes(&expected), bytes(&found));
            if expected != found {
                wrong.push(format!("the bits of `{name}` are {found:02x?}, and {expected:02x?} with nvcc"));
            }
        }
    }
    if wrong.is_empty() { Verdict::Same } else { Verdict::Differs(wrong.join("; ")) }
}
