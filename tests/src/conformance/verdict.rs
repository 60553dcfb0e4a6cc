//! What came of the questions.

use std::collections::BTreeMap;
use std::fmt;

/// What is compared, from the text of the PTX to what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Both compilers take the source, and ptxas takes their PTX.
    Compiled,
    /// Symbols, and for each parameter its kind, size, alignment and place.
    Prototypes,
    /// Sizes, alignments, offsets, and which bits a bit-field is.
    Layouts,
    /// The registers in which ptxas expects what is passed.
    Registers,
    /// nvlink and `nvcc -dlink`, the caller of one with the callee of the other.
    Linking,
    /// What is computed, in all four pairings of caller and callee.
    Results,
}

impl Level {
    /// All, in the order in which they are looked at.
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

/// How a level came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Like nvcc.
    Same,
    /// Not so, and how.
    Differs(String),
    /// Where nvcc's own code fails with nvcc's: nothing can be said of the producer, and what was seen.
    Oracle(String),
}

/// How the levels of one function, kernel or record came out. A level that is missing was not come to.
pub type Levels = BTreeMap<Level, Verdict>;

/// How a unit came out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By the names of functions and kernels.
    pub functions: BTreeMap<String, Levels>,
    /// The layouts, by the tags of records.
    pub records: BTreeMap<String, Verdict>,
}

impl Outcome {
    /// Notes a verdict; of several of a level the first that is not [`Verdict::Same`] counts.
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

    /// Functions, kernels and records that differ, each with its level and how.
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

    /// What nvcc's own code fails in.
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
