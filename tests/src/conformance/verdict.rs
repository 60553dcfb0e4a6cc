//! The outcome of a comparison.

use std::collections::BTreeMap;
use std::fmt;

/// The levels of comparison, from PTX text to results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Both compilers accept the source, and ptxas their PTX.
    Compiled,
    /// Symbols, and for each parameter the kind, size, alignment and position.
    Prototypes,
    /// Sizes, alignments, offsets, and the bits of bit-fields.
    Layouts,
    /// The registers of parameters and results.
    Registers,
    /// nvlink and `nvcc -dlink`, the caller of one with the callee of the other.
    Linking,
    /// Computed results, in all four pairings of caller and callee.
    Results,
}

impl Level {
    /// All levels, in order.
    pub const ALL: [Level; 6] = [
        Level::Compiled,
        Level::Prototypes,
        Level::Layouts,
        Level::Registers,
        Level::Linking,
        Level::Results,
    ];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Compiled => "compiled",
            Level::Prototypes => "prototypes",
            Level::Layouts => "layouts",
            Level::Registers => "registers",
            Level::Linking => "linking",
            Level::Results => "results",
        }
    }
}

/// The result of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same as nvcc.
    Same,
    /// A difference.
    Differs(String),
    /// Not comparable, because nvcc's own code fails; with what was observed.
    Oracle(String),
}

/// The results of one function, kernel or record by level. A missing level was not reached.
pub type Levels = BTreeMap<Level, Verdict>;

/// The outcome of a unit.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By function and kernel name.
    pub functions: BTreeMap<String, Levels>,
    /// The layouts, by record tag.
    pub records: BTreeMap<String, Verdict>,
}

impl Outcome {
    /// Records a verdict; the first one of a level that is not [`Verdict::Same`] counts.
    pub(super) fn note(&mut self, function: &str, level: Level, verdict: Verdict) {
        let levels = self.functions.entry(function.to_owned()).or_default();
        let known = levels.entry(level).or_insert(Verdict::Same);
        if *known == Verdict::Same {
            *known = verdict;
        }
    }

    /// The first level at which a function differs, and how.
    pub fn difference(&self, function: &str) -> Option<(Level, &str)> {
        self.functions.get(function)?.iter().find_map(|(level, verdict)| match verdict {
            Verdict::Differs(how) => Some((*level, how.as_str())),
            Verdict::Same | Verdict::Oracle(_) => None,
        })
    }

    /// The differing functions, kernels and records, each with its level and difference.
    pub fn differences(&self) -> Vec<(String, Level, String)> {
        let functions = self.functions.keys().filter_map(|name| {
            self.difference(name).map(|(level, how)| (name.clone(), level, how.to_owned()))
        });
        let records = self.records.iter().filter_map(|(tag, verdict)| match verdict {
            Verdict::Differs(how) => Some((tag.clone(), Level::Layouts, how.clone())),
            Verdict::Same | Verdict::Oracle(_) => None,
        });
        functions.chain(records).collect()
    }

    /// The failures of nvcc's own code.
    pub fn faults_of_the_oracle(&self) -> Vec<(String, Level, String)> {
        let mut found = Vec::new();
        for (name, levels) in &self.functions {
            for (level, verdict) in levels {
                if let Verdict::Oracle(what) = verdict {
                    found.push((name.clone(), *level, what.clone()));
                }
            }
        }
        for (tag, verdict) in &self.records {
            if let Verdict::Oracle(what) = verdict {
                found.push((tag.clone(), Level::Layouts, what.clone()));
            }
        }
        found
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
