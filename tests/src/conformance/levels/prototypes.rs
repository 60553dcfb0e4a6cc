//! The prototypes in both compilers' PTX.

use super::super::blame;
use super::super::model::Unit;
use super::super::verdict::{Level, Outcome, Verdict};
use super::Pair;
use crate::ptx_prototype::{self, Prototype};

/// Compares prototypes; returns the differing functions.
pub(super) fn compare(unit: &Unit, pair: &Pair, outcome: &mut Outcome) -> Vec<String> {
    let mut differing = Vec::new();
    for both in [&pair.callee, &pair.caller] {
        let (expected, found) =
            match (ptx_prototype::parse(&both.theirs.ptx), ptx_prototype::parse(&both.ours.ptx)) {
                (Ok(expected), Ok(found)) => (expected, found),
                (Err(why), _) => {
                    for name in blame::by_name(unit, &why) {
                        outcome.note(&name, Level::Prototypes, Verdict::Oracle(why.clone()));
                        differing.push(name);
                    }
                    continue;
                }
                (_, Err(why)) => {
                    for name in blame::by_name(unit, &why) {
                        outcome.note(&name, Level::Prototypes, Verdict::Differs(why.clone()));
                        differing.push(name);
                    }
                    continue;
                }
            };
        for function in &unit.functions {
            let own = |all: &[Prototype]| -> Vec<Prototype> {
                all.iter().filter(|p| blame::is_of(function, &p.name)).cloned().collect()
            };
            let verdict = match ptx_prototype::compare(&own(&expected), &own(&found)) {
                Ok(0) if !function.is_kernel => Verdict::Differs("nvcc shows no prototype of it".into()),
                Ok(_) => Verdict::Same,
                Err(how) => Verdict::Differs(how.trim_end().to_owned()),
            };
            if verdict != Verdict::Same {
                differing.push(function.name.clone());
            }
            outcome.note(&function.name, Level::Prototypes, verdict);
        }
    }
    differing
}
