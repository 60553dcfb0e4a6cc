//! The blocks of a grid: at the same time on several cores where no one can tell, one after the other, or in turns.
//!
//! What is said of a block here holds for a cluster of blocks, where they are in clusters: these run together.
//!
//! - Blocks of a kernel that may wait for other blocks, since it reads what others write while they run, go on in turns,
//!   on one core.
//! - All others are tried on several cores, and each access to global memory is claimed (`claims`). Blocks that depend
//!   on one another are found out; then all is put back, and they run one after the other. Where a block cannot go on by
//!   itself, the ones after it begin, and all go on in turns.
//!
//! When no block that has begun can go on, and no other one can begin, that is a livelock (`watch`).
//!
//! So results, what is printed (`console`) and faults are those of blocks that run one after the other, in the order in which they
//! begin, or in turns, whose length is fixed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::block::Block;
use super::claims::{Claims, MAX_BLOCKS};
use super::cluster::Cluster;
use super::device::LaunchContext;
use super::fault::Fault;
use super::livelock;
use super::warp::Progress;
use super::watch::Watch;
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
    run_resident(cx, most_resident(cx))
}

/// Runs blocks one after the other. Where one turns out to wait for others, it and those that follow go on in turns.
pub(super) fn run_one_by_one(cx: &LaunchContext<'_>) -> Outcome {
    run_resident(cx, 1)
}

/// How many clusters go on in turns at most.
fn most_resident(cx: &LaunchContext<'_>) -> usize {
    max_resident(cx.n_threads(), cx.shared_size, cx.order.cluster_size()) as usize
}

/// Runs blocks, so many clusters of them in turns.
fn run_resident(cx: &LaunchContext<'_>, mut most: usize) -> Outcome {
    let (mut resident, mut next) = (VecDeque::<Cluster>::new(), 0);
    let mut outcome = Outcome::default();
    let watch = Rc::new(Watch::new());
    // How many have had their turns in this round.
    let mut n_done = 0;
    loop {
        let cluster = if resident.len() < most && next < cx.order.n_clusters {
            next += 1;
            Cluster::new(cx, next - 1, &watch)
        } else {
            let Some(cluster) = resident.pop_front() else { break };
            Ok(cluster)
        };
        let progress = cluster.and_then(|mut cluster| {
            let progress = cluster.run(cx, N_TURNS);
            resident.push_back(cluster);
            progress
        });
        let progress = progress.and_then(|progress| {
            n_done += 1;
            if progress == Progress::Running && n_done >= resident.len() {
                n_done = 0;
                end_round(cx, &watch, &mut resident, &mut most, next)?;
            }
            Ok(progress)
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
                n_done = 0;
                watch.restart();
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

/// All resident clusters have had their turns. If none of them can make progress, others begin, if there are any: they may be
/// waited for.
fn end_round(
    cx: &LaunchContext<'_>,
    watch: &Watch,
    resident: &mut VecDeque<Cluster>,
    most: &mut usize,
    next: u64,
) -> Result<(), Fault> {
    if !watch.end_round(|| livelock::is_stuck(resident.iter(), watch)) {
        return Ok(());
    }
    if next < cx.order.n_clusters && *most < most_resident(cx) {
        *most = most_resident(cx);
        watch.restart();
        return Ok(());
    }
    let mut has_copied = false;
    for cluster in resident.iter_mut() {
        has_copied |= cluster.finish_copies(cx)?;
    }
    match has_copied {
        true => Ok(()),
        false => Err(livelock::fault(cx, &resident.iter().collect::<Vec<_>>(), watch)),
    }
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
        // There may be no memory for as many threads; if there is none for one, this one does the work.
        let start = |_| thread::Builder::new().spawn_scoped(scope, || work(cx, &finished)).ok();
        if (0..n_workers).map_while(start).count() == 0 {
            work(cx, &finished);
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
            // Those after it would not have begun.
            parallel.claims.give_up();
        }
        let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.n_instructions += cluster.n_instructions;
        finished.profile.add(cluster.profile);
    }
}

fn run_cluster(cx: &LaunchContext<'_>, position: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let watch = Rc::new(Watch::new());
    let mut cluster = match Cluster::new(cx, position, &watch) {
        Ok(cluster) => cluster,
        Err(fault) => {
            outcome.fault = Some(fault);
            return outcome;
        }
    };
    outcome.fault = run_alone(cx, &mut cluster, &watch).err();
    for block in &cluster.blocks {
        cx.n_ended.fetch_add(1, Ordering::Relaxed);
        // Of what is given up, nothing more is reported, and those after one that is stopped would not have begun.
        if outcome.fault.is_none() && !cx.is_given_up() {
            cx.console.end(block.shared.position);
        }
        outcome.n_instructions += block.n_executed();
        outcome.profile.add(counted(block));
    }
    outcome
}

/// Runs a cluster until it ends. Where it cannot go on by itself, it stops, too.
fn run_alone(cx: &LaunchContext<'_>, cluster: &mut Cluster, watch: &Watch) -> Result<(), Fault> {
    while cluster.run(cx, N_TURNS)? == Progress::Running {
        if watch.end_round(|| livelock::is_stuck([&*cluster], watch)) && !cluster.finish_copies(cx)? {
            return Err(livelock::fault(cx, &[&*cluster], watch));
        }
    }
    Ok(())
}

/// What the threads of a block have executed, if that is counted.
fn counted(block: &Block) -> Counter {
    block.shared.profile.as_ref().map(RefCell::take).unwrap_or_default()
}
