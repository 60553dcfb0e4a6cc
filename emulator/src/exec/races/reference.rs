//! A deliberately simple race check, to compare the fast one with: it keeps every access to every byte, and
//! each thread has a vector clock with an entry for every other thread.
//!
//! It follows the same rules (PTX ISA "Memory Consistency Model") without rows, lines or shared clocks.

use std::collections::BTreeMap;

use super::actor::Shape;
use super::row::{Kind, Reach};
use crate::exec::fault::Touch;
use crate::program::code::{Fence, Scope, Semantics};

/// A thread, by its index in the grid.
type Thread = usize;

/// For each thread, the time until which its accesses precede.
type Clock = Vec<u32>;

/// The access of one thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) thread: Thread,
    pub(super) address: u64,
    pub(super) n_bytes: u64,
    pub(super) kind: Kind,
    /// Which bytes a write changes, one bit each.
    pub(super) changed: u64,
    pub(super) has_result: bool,
}

/// An earlier access to a byte.
#[derive(Clone, Copy)]
struct Made {
    /// The instruction's number and the lane, in this order.
    at: (u64, Thread),
    thread: Thread,
    time: u32,
    kind: Kind,
}

/// The releases at a location by the last strong writes there.
#[derive(Clone)]
struct Release {
    block: u64,
    reach: Reach,
    heads: Vec<Head>,
}

#[derive(Clone)]
struct Head {
    thread: Thread,
    reach: Reach,
    clock: Clock,
    is_write: bool,
}

/// The state of a thread.
#[derive(Clone)]
struct State {
    clock: Clock,
    /// What preceded its last fence of each scope.
    fenced: [Option<Clock>; 3],
    /// What a fence of each scope would acquire.
    pending: [Clock; 3],
}

/// All of memory and all threads.
#[derive(Clone)]
pub(super) struct Model {
    shape: Shape,
    threads_of_block: usize,
    states: Vec<State>,
    bytes: BTreeMap<u64, Vec<Made>>,
    releases: BTreeMap<(u64, u64), Release>,
}

fn join(clock: &mut Clock, other: &Clock) {
    clock.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other));
}

impl Model {
    pub(super) fn new(shape: Shape, threads_of_block: usize, n_blocks: usize) -> Self {
        let n_threads = threads_of_block * n_blocks;
        let none = vec![0; n_threads];
        let state = |thread| {
            let mut clock = none.clone();
            clock[thread] = 1;
            State { clock, fenced: [None, None, None], pending: std::array::from_fn(|_| none.clone()) }
        };
        Model {
            shape,
            threads_of_block,
            states: (0..n_threads).map(state).collect(),
            bytes: BTreeMap::new(),
            releases: BTreeMap::new(),
        }
    }

    fn block(&self, thread: Thread) -> u64 {
        (thread / self.threads_of_block) as u64
    }

    fn distance(&self, a: Thread, b: Thread) -> Reach {
        self.shape.distance(self.block(a), self.block(b))
    }

    /// Advances the thread's time.
    fn tick(&mut self, thread: Thread) -> Clock {
        let clock = self.states[thread].clock.clone();
        self.states[thread].clock[thread] += 1;
        clock
    }

    /// Synchronizes threads.
    pub(super) fn meet(&mut self, threads: &[Thread]) {
        let mut all = vec![0; self.states.len()];
        threads.iter().for_each(|&thread| join(&mut all, &self.states[thread].clock));
        for &thread in threads {
            self.states[thread].clock = all.clone();
            self.tick(thread);
        }
    }

    pub(super) fn fence(&mut self, thread: Thread, fence: Fence) {
        let reach = Reach::of(fence.scope) as usize;
        let state = &mut self.states[thread];
        for pending in &mut state.pending[..=reach] {
            join(&mut state.clock, pending);
            pending.fill(0);
        }
        let before = self.tick(thread);
        self.states[thread].fenced[reach] = Some(before);
    }

    /// Whether an instruction races with earlier ones, or its threads with one another; if so, whether values
    /// differ. `seq` is its number.
    pub(super) fn access(&mut self, seq: u64, accesses: &[Access]) -> Option<bool> {
        let mut differs = None;
        for access in accesses {
            if access.kind.touch != Touch::Write {
                self.acquire(access);
            }
            for at in 0..access.n_bytes {
                let found = self.race(access, at);
                differs = differs.max(found);
                let made = Made {
                    at: (seq, access.thread),
                    thread: access.thread,
                    time: self.states[access.thread].clock[access.thread],
                    kind: access.kind,
                };
                self.bytes.entry(access.address + at).or_default().push(made);
            }
            if access.kind.writes() {
                self.release(access);
            }
        }
        differs
    }

    /// Whether an access to a byte races with an earlier one; if so, whether values differ.
    fn race(&self, access: &Access, at: u64) -> Option<bool> {
        let all = self.bytes.get(&(access.address + at))?;
        let clock = &self.states[access.thread].clock;
        let is_before = |made: &Made| made.thread == access.thread || made.time <= clock[made.thread];
        let is_observed = |made: &Made| {
            let strong_reads =
                all.iter().filter(|read| read.kind.touch != Touch::Write && read.kind.order.is_strong());
            let observer = strong_reads.filter(|read| is_before(read)).map(|read| read.at).max();
            let is_write = |write: &&Made| write.kind.touch == Touch::Write;
            observer.is_some_and(|observer| {
                let since =
                    all.iter().filter(is_write).map(|write| write.at.0).filter(|&seq| seq <= observer.0);
                made.kind.writes()
                    && made.kind.order.is_strong()
                    && made.at < observer
                    && made.at.0 >= since.max().unwrap_or(0)
            })
        };
        let races = |made: &&Made| {
            let are_strong = match (access.kind.reach(), made.kind.reach()) {
                (Some(reach), Some(other)) => {
                    access.kind.width == made.kind.width
                        && reach.min(other) >= self.distance(access.thread, made.thread)
                }
                _ => false,
            };
            (access.kind.writes() || made.kind.writes())
                && !is_before(made)
                && !are_strong
                && !is_observed(made)
        };
        let differs = |made: &Made| {
            let are_writes = access.kind.touch == Touch::Write && made.kind.touch == Touch::Write;
            !are_writes || access.changed >> at & 1 != 0
        };
        all.iter().filter(races).map(differs).max()
    }

    fn acquire(&mut self, access: &Access) {
        let (Some(reach), thread) = (access.kind.reach(), access.thread) else { return };
        let acquires = access.kind.order.semantics.is_acquire();
        let Some(release) = self.releases.get(&(access.address, access.n_bytes)) else { return };
        let is_observed = reach.min(release.reach) >= self.shape.distance(release.block, self.block(thread));
        if !is_observed || !acquires && !access.has_result {
            return;
        }
        for head in release.heads.clone() {
            let distance = self.distance(head.thread, thread);
            let state = &mut self.states[thread];
            if head.reach < distance {
                continue;
            }
            if acquires && reach >= distance {
                join(&mut state.clock, &head.clock);
            } else {
                join(&mut state.pending[distance as usize], &head.clock);
            }
        }
    }

    fn release(&mut self, access: &Access) {
        let place = (access.address, access.n_bytes);
        let end = access.address + access.n_bytes;
        self.releases.retain(|&(address, n_bytes), _| {
            (address, n_bytes) == place || address >= end || address + n_bytes <= access.address
        });
        let (Some(reach), thread) = (access.kind.reach(), access.thread) else {
            self.releases.remove(&place);
            return;
        };
        let mut heads = Vec::new();
        if access.kind.order.semantics.is_release() {
            heads.push(Head { thread, reach, clock: self.tick(thread), is_write: true });
        }
        for (reach, clock) in
            [Reach::Block, Reach::Cluster, Reach::Device].into_iter().zip(self.states[thread].fenced.clone())
        {
            heads.extend(clock.map(|clock| Head { thread, reach, clock, is_write: false }));
        }
        let block = self.block(thread);
        let release =
            self.releases.entry(place).or_insert(Release { block, reach: Reach::Device, heads: Vec::new() });
        let is_observed = reach.min(release.reach) >= self.shape.distance(release.block, block);
        if access.kind.touch == Touch::Write || !is_observed {
            release.heads.retain(|head| head.is_write && head.thread == thread);
        }
        (release.block, release.reach) = (block, reach);
        release.heads.extend(heads);
        if release.heads.is_empty() {
            self.releases.remove(&place);
        }
    }
}

/// A fence that acquires and releases.
pub(super) fn fence(scope: Scope) -> Fence {
    Fence { semantics: Semantics::AcquireRelease, scope }
}
