//! Profiles: how often instructions were executed, and what that would cost a GPU.
//!
//! What is counted depends on nothing but what the threads did: it is the same on every machine and on however many
//! cores. It says nothing of time: caches, latencies and what overlaps are not modelled.
//!
//! - this file: a [`Profile`], and what can be asked of it
//! - [`counts`]: what is counted of an instruction
//! - [`coalescing`]: the sectors of global memory that a warp touches at once, and those of local memory
//! - [`banks`]: conflicts in the banks of shared memory
//! - [`patterns`]: samples of accesses to variables in shared memory
//! - `counter`: the counters while a block runs

pub mod banks;
pub mod coalescing;
pub mod counts;
pub mod patterns;

pub(crate) mod counter;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

pub use crate::program::kind::{AccessSpace, Kind};
pub use counts::{Atomics, Branches, Counts, SharedTraffic, Traffic};
pub use patterns::SharedPattern;
use patterns::joined;

/// What was executed: by one launch, or by several whose profiles were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The instructions that were executed, in the order of their places.
    pub instructions: Vec<InstructionProfile>,
}

/// An instruction that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionProfile {
    /// Where it is in the PTX.
    pub ptx: Line,
    /// The place in the text of the module: the number of the bytes before the instruction.
    pub offset: u32,
    /// The line that it was compiled from, if the module says it.
    pub source: Option<Line>,
    /// The symbol of the function.
    pub function: Arc<str>,
    /// What kind of work it is.
    pub kind: Kind,
    /// What was counted.
    pub counts: Counts,
    /// How it accessed variables in shared memory: a sample.
    pub patterns: Vec<SharedPattern>,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The name of the module, or the file as the module names it.
    pub file: Arc<str>,
    /// From one.
    pub line: u32,
}

impl Line {
    /// Whether a file is meant by a name: the whole name, or what follows its last folders.
    pub fn is_in(&self, file: &str) -> bool {
        let rest = self.file.strip_suffix(file);
        rest.is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
    }
}

impl Profile {
    /// All instructions together.
    pub fn total(&self) -> Counts {
        self.sum(|_| true)
    }

    /// Those that were compiled from a line of a source: `profile.line("transpose.src", 17)`. The file may be given
    /// without its folders.
    pub fn line(&self, file: &str, line: u32) -> Counts {
        let is_there = |place: &Line| place.line == line && place.is_in(file);
        self.sum(|instruction| instruction.source.as_ref().is_some_and(is_there))
    }

    /// Those of a line of the PTX.
    pub fn ptx_line(&self, module: &str, line: u32) -> Counts {
        self.sum(|instruction| instruction.ptx.line == line && instruction.ptx.is_in(module))
    }

    /// Those of a kind.
    pub fn kind(&self, kind: Kind) -> Counts {
        self.sum(|instruction| instruction.kind == kind)
    }

    /// By the line of the source. Instructions that come from no line are under none.
    pub fn by_line(&self) -> BTreeMap<Option<Line>, Counts> {
        self.grouped(|instruction| instruction.source.clone())
    }

    /// By the line of the PTX.
    pub fn by_ptx_line(&self) -> BTreeMap<Line, Counts> {
        self.grouped(|instruction| instruction.ptx.clone())
    }

    /// By kind.
    pub fn by_kind(&self) -> BTreeMap<Kind, Counts> {
        self.grouped(|instruction| instruction.kind)
    }

    /// By the symbol of the function.
    pub fn by_function(&self) -> BTreeMap<Arc<str>, Counts> {
        self.grouped(|instruction| Arc::clone(&instruction.function))
    }

    /// Adds what another launch of the same program executed.
    pub fn add(&mut self, other: &Profile) {
        type Key = (Line, u32, Kind);
        let key = |of: &InstructionProfile| -> Key { (of.ptx.clone(), of.offset, of.kind) };
        let mut all: BTreeMap<Key, InstructionProfile> = BTreeMap::new();
        for instruction in self.instructions.drain(..).chain(other.instructions.iter().cloned()) {
            match all.entry(key(&instruction)) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    known.counts += instruction.counts;
                    known.patterns = joined(std::mem::take(&mut known.patterns), &instruction.patterns);
                }
                Entry::Vacant(place) => {
                    place.insert(instruction);
                }
            }
        }
        self.instructions = all.into_values().collect();
    }

    fn sum(&self, is_meant: impl Fn(&InstructionProfile) -> bool) -> Counts {
        let mut sum = Counts::default();
        self.instructions.iter().filter(|of| is_meant(of)).for_each(|of| sum += of.counts);
        sum
    }

    fn grouped<K: Ord>(&self, key: impl Fn(&InstructionProfile) -> K) -> BTreeMap<K, Counts> {
        let mut groups = BTreeMap::<K, Counts>::new();
        for instruction in &self.instructions {
            *groups.entry(key(instruction)).or_default() += instruction.counts;
        }
        groups
    }
}
