//! Profiles: how often instructions were executed, and what that would cost a GPU.
//!
//! The counts depend only on what the threads did: they are the same on every machine and any number of
//! cores. They say nothing about time: caches, latencies and overlap are not modeled.
//!
//! - this file: a [`Profile`], and its queries
//! - [`counts`]: the counts of an instruction
//! - [`coalescing`]: the sectors of global and local memory that a warp touches at once
//! - [`banks`]: bank conflicts in shared memory
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

/// The executed instructions of one launch, or of several whose profiles were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The executed instructions, in the order of their positions.
    pub instructions: Vec<InstructionProfile>,
}

/// An executed instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionProfile {
    /// Its line in the PTX.
    pub ptx: Line,
    /// Its byte offset in the module's text.
    pub offset: u32,
    /// The source line that it was compiled from, if the module records it.
    pub source: Option<Line>,
    /// The symbol of the function.
    pub function: Arc<str>,
    /// Its kind.
    pub kind: Kind,
    /// Its counts.
    pub counts: Counts,
    /// A sample of its accesses to variables in shared memory.
    pub patterns: Vec<SharedPattern>,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The name of the module, or the file name that the module records.
    pub file: Arc<str>,
    /// The number, from 1.
    pub line: u32,
}

impl Line {
    /// Whether a name means the file: the whole path, or its last components.
    pub fn is_in(&self, file: &str) -> bool {
        let rest = self.file.strip_suffix(file);
        rest.is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
    }
}

impl Profile {
    /// The sum of all instructions.
    pub fn total(&self) -> Counts {
        self.sum(|_| true)
    }

    /// The sum of the instructions that were compiled from a source line: `profile.line("transpose.src",
    /// 17)`. The file may be given without its folders.
    pub fn line(&self, file: &str, line: u32) -> Counts {
        let is_at_line = |place: &Line| place.line == line && place.is_in(file);
        self.sum(|instruction| instruction.source.as_ref().is_some_and(is_at_line))
    }

    /// The sum of the instructions in a line of the PTX.
    pub fn ptx_line(&self, module: &str, line: u32) -> Counts {
        self.sum(|instruction| instruction.ptx.line == line && instruction.ptx.is_in(module))
    }

    /// The sum of the instructions of a kind.
    pub fn kind(&self, kind: Kind) -> Counts {
        self.sum(|instruction| instruction.kind == kind)
    }

    /// The counts by source line. Instructions without a source line are under `None`.
    pub fn by_line(&self) -> BTreeMap<Option<Line>, Counts> {
        self.grouped(|instruction| instruction.source.clone())
    }

    /// The counts by line of the PTX.
    pub fn by_ptx_line(&self) -> BTreeMap<Line, Counts> {
        self.grouped(|instruction| instruction.ptx.clone())
    }

    /// The counts by kind.
    pub fn by_kind(&self) -> BTreeMap<Kind, Counts> {
        self.grouped(|instruction| instruction.kind)
    }

    /// The counts by function symbol.
    pub fn by_function(&self) -> BTreeMap<Arc<str>, Counts> {
        self.grouped(|instruction| Arc::clone(&instruction.function))
    }

    /// Adds the profile of another launch of the same program.
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
