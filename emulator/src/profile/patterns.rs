//! Samples of how warps access the variables in shared memory: enough to find out what conflicts another
//! layout would have.
//!
//! For each instruction, a fixed number of distinct accesses is kept with their counts: those with the
//! smallest hashes. So the sample does not depend on the order of blocks, and samples of several blocks can
//! be merged.

use std::collections::BTreeMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::banks;
use super::counts::SharedTraffic;
use crate::compute::WARP_SIZE;
use crate::program::{Program, SharedVariable};

/// The number of distinct accesses of an instruction that are kept.
const N_KEPT: usize = 64;

/// An access of a warp to a variable in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPattern {
    /// The symbol of the variable.
    pub variable: Arc<str>,
    /// The number of bytes that each thread accesses.
    pub n_bytes: u64,
    /// The lanes of the threads, and the byte offset in the variable of each access.
    pub places: Vec<(usize, u64)>,
    /// How often it happened.
    pub n_times: u64,
}

impl SharedPattern {
    /// The traffic of the access if each offset in the variable were mapped to another one.
    pub fn moved(&self, place: impl Fn(u64) -> u64) -> SharedTraffic {
        let places: Vec<(usize, u64)> = self.places.iter().map(|&(lane, at)| (lane, place(at))).collect();
        banks::passes(&places, self.n_bytes)
    }
}

/// The comparison key of an access.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    hash: u64,
    /// The index of the variable in the program.
    variable: usize,
    n_bytes: u64,
    places: SmallVec<[(u8, u32); WARP_SIZE]>,
}

impl Key {
    /// An access to these addresses in shared memory, if all are in one variable.
    pub(crate) fn new(program: &Program, addresses: &[(usize, u64)], n_bytes: u64) -> Option<Self> {
        let &(_, first) = addresses.first()?;
        let variable = program.shared.iter().position(|variable| variable.holds(first))?;
        let SharedVariable { start, size, .. } = *program.shared.get(variable)?;
        let places = addresses.iter().map(|&(lane, at)| {
            let offset = at.checked_sub(start).filter(|&offset| offset < size)?;
            Some((lane as u8, u32::try_from(offset).ok()?))
        });
        let places = places.collect::<Option<SmallVec<[(u8, u32); WARP_SIZE]>>>()?;
        // FNV-1a
        let words = places.iter().flat_map(|&(lane, at)| [u64::from(lane), u64::from(at)]);
        let hash = words
            .chain([n_bytes])
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3));
        Some(Key { hash, variable, n_bytes, places })
    }
}

/// The kept accesses of an instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample(BTreeMap<Key, u64>);

impl Sample {
    pub(crate) fn add(&mut self, key: Key, n_times: u64) {
        *self.0.entry(key).or_default() += n_times;
        if self.0.len() > N_KEPT {
            self.0.pop_last();
        }
    }

    pub(crate) fn merge(&mut self, other: Sample) {
        other.0.into_iter().for_each(|(key, n_times)| self.add(key, n_times));
    }

    /// The sample with the names of the variables.
    pub(crate) fn finish(&self, program: &Program) -> Vec<SharedPattern> {
        let pattern = |(key, &n_times): (&Key, &u64)| {
            let name = &program.shared.get(key.variable)?.name;
            let places = key.places.iter().map(|&(lane, at)| (usize::from(lane), u64::from(at))).collect();
            Some(SharedPattern { variable: name.as_str().into(), n_bytes: key.n_bytes, places, n_times })
        };
        self.0.iter().filter_map(pattern).collect()
    }
}

/// Joins samples of two launches.
pub(super) fn joined(mut own: Vec<SharedPattern>, others: &[SharedPattern]) -> Vec<SharedPattern> {
    for other in others {
        let is_same = |own: &&mut SharedPattern| {
            (&own.variable, own.n_bytes, &own.places) == (&other.variable, other.n_bytes, &other.places)
        };
        match own.iter_mut().find(is_same) {
            Some(own) => own.n_times += other.n_times,
            None => own.push(other.clone()),
        }
    }
    own
}
