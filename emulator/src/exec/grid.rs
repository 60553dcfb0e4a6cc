//! Schedules the blocks of a grid: at the same time on several cores where that cannot be observed, otherwise
//! one after the other, or in turns.
//!
//! If there are clusters, "block" here means a cluster: its blocks run together.
//!
//! - Blocks of a kernel that may wait for other blocks, since it reads what others write while they run, take
//!   turns on one core.
//! - All others are first tried on several cores, and each access to global memory is claimed (`claims`). If
//!   it turns out that blocks depend on one another, all writes are rolled back, and they run again one after
//!   the other. If a block then waits for another one, the blocks after it start, and all take turns.
//!
//! If no started block can make progress, and no other one can start, that is a livelock (`watch`).
//!
//! So results, output (`console`) and faults are those of blocks that run one after the other in launch
//! order, or in turns of fixed length.

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

/// The number of turns that each warp of a block gets before another block runs.
const N_TURNS: u64 = 4;

/// The maximum number of threads, and of bytes of shared memory, of the blocks that take turns.
const RESIDENT: (u64, u64) = (1 << 16, 64 << 20);

/// The outcome of running blocks: the instructions executed, and the fault that stopped them.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) n_instructions: u64,
    /// The counts of executed instructions, if the launch is profiled.
    pub(super) profile: Counter,
    pub(super) fault: Option<Fault>,
}

/// Blocks that run at the same time.
#[derive(Default)]
pub(super) struct Parallel {
    pub(super) claims: Claims,
    next: AtomicU64,
}

/// The outcome of blocks that ran at the same time.
#[derive(Default)]
struct Finished {
    n_instructions: u64,
    profile: Counter,
}

/// The maximum number of clusters that take turns, for blocks of this size.
pub(super) fn max_resident(n_threads: u32, shared_size: u64, cluster_size: u64) -> u64 {
    let most = (RESIDENT.0 / u64::from(n_threads)).min(RESIDENT.1 / shared_size.max(1));
    (most / cluster_size).max(1)
}

pub(super) fn run_in_turns(cx: &LaunchContext<'_>) -> Outcome {
    run_resident(cx, most_resident(cx))
}

/// Runs blocks one after the other. If one waits for another, it and all later blocks take turns.
pub(super) fn run_one_by_one(cx: &LaunchContext<'_>) -> Outcome {
    run_resident(cx, 1)
}

/// The maximum number of clusters that take turns in this launch.
fn most_resident(cx: &LaunchContext<'_>) -> usize {
    max_resident(cx.n_threads(), cx.shared_size, cx.order.cluster_size()) as usize
}

/// Runs the blocks with at most `most` clusters taking turns.
fn run_resident(cx: &LaunchContext<'_>, mut most: usize) -> Outcome {
    let (mut resident, mut next) = (VecDeque::<Cluster>::new(), 0);
    let mut outcome = Outcome::default();
    let watch = Rc::new(Watch::new());
    // The number of clusters that have had their turns in this round.
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

/// Called when all resident clusters have had their turns. If none made progress, starts another cluster if
/// there is one: they may be waiting for it.
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

/// Runs blocks on several cores. Returns `None` if they depend on one another or a fault stops one: then all
/// effects are rolled back.
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
        // The host may have too little memory for all threads; if even one cannot be spawned, this one does
        // the work.
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

/// Runs blocks that no other worker has taken, one after the other.
fn work(cx: &LaunchContext<'_>, finished: &Mutex<Finished>) {
    let Some(parallel) = &cx.parallel else { return };
    loop {
        let position = parallel.next.fetch_add(1, Ordering::Relaxed);
        if position >= cx.order.n_clusters || parallel.claims.is_given_up() {
            return;
        }
        let cluster = run_cluster(cx, position);
        if cluster.fault.is_some() {
            // The blocks after it should not have started.
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
        // An abandoned attempt reports nothing more, and the blocks after a stopped one should not have
        // started.
        if outcome.fault.is_none() && !cx.is_given_up() {
            cx.console.end(block.shared.position);
        }
        outcome.n_instructions += block.n_executed();
        outcome.profile.add(counted(block));
    }
    outcome
}

/// Runs a cluster until it ends, or waits for another one.
fn run_alone(cx: &LaunchContext<'_>, cluster: &mut Cluster, watch: &Watch) -> Result<(), Fault> {
    while cluster.run(cx, N_TURNS)? == Progress::Running {
        if watch.end_round(|| livelock::is_stuck([&*cluster], watch)) && !cluster.finish_copies(cx)? {
            return Err(livelock::fault(cx, &[&*cluster], watch));
        }
    }
    Ok(())
}

/// The counts of a block's instructions, if the launch is profiled.
fn counted(block: &Block) -> Counter {
    block.shared.profile.as_ref().map(RefCell::take).unwrap_or_default()
}
