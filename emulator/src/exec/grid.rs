//! The blocks of a grid: at the same time on several cores where nobody can tell, one after the other, or in turns.
//!
//! What is said of a block here holds for a cluster of blocks, where they are in clusters: these run together.
//!
//! - Blocks of a kernel that may wait for other blocks, since it reads what others write while they run, go on in turns,
//!   on one core.
//! - All others are tried on several cores, and each access to global memory is claimed (`claims`). Blocks that depend
//!   on one another are found out; then all is put back, and they run one after the other.
//!
//! So results, what is printed (`console`) and faults are those of blocks that run one after the other, in the order in which they
//! begin, or in turns, whose length is fixed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::block::Block;
use super::claims::{Claims, MAX_BLOCKS};
use super::cluster::Cluster;
use super::device::LaunchContext;
use super::fault::Fault;
use super::warp::Progress;
use crate::profile::counter::Counter;

/// How many turns of its warps a block has before another one goes on.
const N_TURNS: u64 = 4;

/// How many threads and how many bytes of shared memory those blocks have at most that go on in turns.
const RESIDENT: (u64, u64) = (1 << 16, 64 << 20);

/// What became of blocks: how many instructions they executed, and what stopped them.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) n_instructions: u64,
    /// What was executed, if that is counted.
    pub(super) profile: Counter,
    pub(super) fault: Option<Fault>,
}

/// Blocks that run at the same time.
#[derive(Default)]
pub(super) struct Parallel {
    pub(super) claims: Claims,
    next: AtomicU64,
}

/// What became of blocks that ran at the same time.
#[derive(Default)]
struct Finished {
    n_instructions: u64,
    profile: Counter,
}

/// How many clusters of blocks go on in turns at most: of blocks with so many threads and bytes of shared memory.
pub(super) fn max_resident(n_threads: u32, shared_size: u64, cluster_size: u64) -> u64 {
    let most = (RESIDENT.0 / u64::from(n_threads)).min(RESIDENT.1 / shared_size.max(1));
    (most / cluster_size).max(1)
}

/// Runs blocks in turns.
pub(super) fn run_in_turns(cx: &LaunchContext<'_>) -> Outcome {
    let most = max_resident(cx.n_threads(), cx.shared_size, cx.order.cluster_size()) as usize;
    let (mut resident, mut next) = (VecDeque::<Cluster>::new(), 0);
    let mut outcome = Outcome::default();
    loop {
        let cluster = if resident.len() < most && next < cx.order.n_clusters {
            next += 1;
            Cluster::new(cx, next - 1)
        } else {
            let Some(cluster) = resident.pop_front() else { break };
            Ok(cluster)
        };
        let progress = cluster.and_then(|mut cluster| {
            let progress = cluster.run(cx, N_TURNS);
            resident.push_back(cluster);
            progress
        });
        match progress {
            Ok(Progress::Running) => {}
            Ok(Progress::Waiting) => {
                for block in resident.pop_back().into_iter().flat_map(|cluster| cluster.blocks) {
                    cx.n_ended.fetch_add(1, Ordering::Relaxed);
                    outcome.n_instructions += block.n_executed();
                    outcome.profile.add(counted(&block));
                    cx.console.end(block.shared.position);
                }
            }
            Err(fault) => {
                outcome.fault = Some(fault);
                break;
            }
        }
    }
    let left = resident.iter().flat_map(|cluster| &cluster.blocks);
    left.for_each(|block| outcome.profile.add(counted(block)));
    cx.console.stop();
    outcome
}

/// Runs blocks one after the other.
pub(super) fn run_one_by_one(cx: &LaunchContext<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    for position in 0..cx.order.n_clusters {
        outcome.append(run_cluster(cx, position));
        if outcome.fault.is_some() {
            break;
        }
    }
    outcome
}

/// Runs blocks on several cores. None if they depend on one another or one is stopped: then nothing has happened.
pub(super) fn run_at_once(cx: &mut LaunchContext<'_>, n_workers: NonZeroUsize) -> Option<Outcome> {
    if cx.order.n_blocks > MAX_BLOCKS {
        return None;
    }
    cx.parallel = Some(Parallel::default());
    let outcome = run_claimed(cx, n_workers);
    cx.parallel = None;
    outcome
}

fn run_claimed(cx: &LaunchContext<'_>, n_workers: NonZeroUsize) -> Option<Outcome> {
    let finished = Mutex::new(Finished::default());
    let n_workers = (n_workers.get() as u64).min(cx.order.n_clusters);
    thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| work(cx, &finished));
        }
    });
    if let Some(parallel) = &cx.parallel
        && parallel.claims.is_given_up()
    {
        parallel.claims.put_back();
        cx.n_ended.store(0, Ordering::Relaxed);
        cx.console.begin_again();
        return None;
    }
    let Finished { n_instructions, profile } = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    Some(Outcome { n_instructions, profile, fault: None })
}

/// Runs one block after the other that no other worker has.
fn work(cx: &LaunchContext<'_>, finished: &Mutex<Finished>) {
    let Some(parallel) = &cx.parallel else { return };
    loop {
        let position = parallel.next.fetch_add(1, Ordering::Relaxed);
        if position >= cx.order.n_clusters || parallel.claims.is_given_up() {
            return;
        }
        let cluster = run_cluster(cx, position);
        if cluster.fault.is_some() {
            // Those behind it would not have begun.
            parallel.claims.give_up();
        }
        let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.n_instructions += cluster.n_instructions;
        finished.profile.add(cluster.profile);
    }
}

fn run_cluster(cx: &LaunchContext<'_>, position: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut cluster = match Cluster::new(cx, position) {
        Ok(cluster) => cluster,
        Err(fault) => {
            outcome.fault = Some(fault);
            return outcome;
        }
    };
    outcome.fault = cluster.run(cx, u64::MAX).err();
    for block in &cluster.blocks {
        cx.n_ended.fetch_add(1, Ordering::Relaxed);
        // Of what is given up, nothing more is told, and those behind one that is stopped would not have begun.
        if outcome.fault.is_none() && !cx.is_given_up() {
            cx.console.end(block.shared.position);
        }
        outcome.n_instructions += block.n_executed();
        outcome.profile.add(counted(block));
    }
    outcome
}

/// What the threads of a block have executed, if that is counted.
fn counted(block: &Block) -> Counter {
    block.shared.profile.as_ref().map(RefCell::take).unwrap_or_default()
}

impl Outcome {
    /// What became of the blocks behind.
    fn append(&mut self, other: Outcome) {
        self.n_instructions += other.n_instructions;
        self.profile.add(other.profile);
        self.fault = other.fault;
    }
}
