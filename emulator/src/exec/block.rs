//! A block: its warps, and the barriers that synchronize them (PTX ISA "bar"). The cluster schedules it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::cluster::SharedMemory;
use super::device::LaunchContext;
use super::fault::{Ended, Fault, FaultKind, Group, Thread};
use super::order::Random;
use super::races::{self, BlockRaces};
use super::step::lanes_of;
use super::warp::{DivergentPath, Progress, TIME_SLICE, Votes, Wait, Warp};
use super::watch::Watch;
use crate::compute::{Lanes, WARP_SIZE};
use crate::profile::counter::Counter;
use crate::program::code::BarrierReduction;

/// A block that has started.
pub(super) struct Block {
    pub(super) shared: Shared,
    pub(super) warps: Vec<Warp>,
    /// Randomizes the order of the warps and the length of their time slices.
    random: Option<Random>,
}

/// The state that the warps of a block share.
pub(super) struct Shared {
    /// The position of the block in launch order.
    pub(super) position: u64,
    pub(super) ctaid: [u32; 3],
    pub(super) ctaid_lanes: [Lanes; 3],
    /// The shared memory of all blocks of the cluster, by rank.
    pub(super) cluster: Rc<[SharedMemory]>,
    /// The rank of the block in its cluster.
    pub(super) rank: usize,
    pub(super) rank_lanes: Lanes,
    pub(super) clusterid: [Lanes; 3],
    pub(super) cluster_ctaid: [Lanes; 3],
    /// Detects a launch that makes no progress.
    pub(super) watch: Rc<Watch>,
    /// The accesses recorded for the race check, if it is on.
    pub(super) races: Option<BlockRaces>,
    /// Counts the instructions of the block's threads, if the launch is profiled.
    pub(super) profile: Option<RefCell<Counter>>,
    /// For each barrier, the threads that arrived without waiting.
    pub(super) arrivals: RefCell<[Arrivals; N_BARRIERS]>,
}

/// The number of barriers of a block (PTX ISA "bar").
const N_BARRIERS: usize = 16;

/// Threads that arrived at a barrier without waiting.
#[derive(Clone, Copy, Default)]
pub(super) struct Arrivals {
    pub(super) n_arrived: u32,
    /// The number of threads that the barrier expects.
    pub(super) n_threads: u32,
}

impl Block {
    /// Creates the block at a position, sharing the memory of its cluster.
    pub(super) fn new(
        cx: &LaunchContext<'_>,
        position: u64,
        cluster: Rc<[SharedMemory]>,
        watch: Rc<Watch>,
    ) -> Result<Self, Fault> {
        let ctaid = cx.order.block_at(position);
        let lanes = |axes: [u32; 3]| axes.map(|axis| [u64::from(axis); WARP_SIZE]);
        let (clusterid, cluster_ctaid) = cx.order.in_cluster(position);
        let rank = position % cx.order.cluster_size();
        let races = cx.races.is_some().then(|| BlockRaces::new(position, cx.n_threads()));
        let profile = cx.is_profiled.then(RefCell::default);
        let shared = Shared {
            position,
            ctaid,
            ctaid_lanes: lanes(ctaid),
            cluster,
            rank: rank as usize,
            rank_lanes: [rank; WARP_SIZE],
            clusterid: lanes(clusterid),
            cluster_ctaid: lanes(cluster_ctaid),
            watch,
            races,
            profile,
            arrivals: RefCell::default(),
        };
        let n_threads = cx.n_threads();
        let warps = (0..n_threads).step_by(WARP_SIZE).map(|first_thread| Warp::new(cx, first_thread));
        let warps = warps.collect::<Result<_, _>>()?;
        Ok(Block { shared, warps, random: cx.seed.map(|seed| Random::new(seed, position)) })
    }

    /// The number of instructions that its threads have executed.
    pub(super) fn n_executed(&self) -> u64 {
        self.warps.iter().map(|warp| warp.n_executed).sum()
    }

    /// Whether all of its threads have ended.
    pub(super) fn is_done(&self) -> bool {
        self.warps.iter().all(Warp::is_done)
    }

    /// Gives each warp a turn; returns whether any made progress.
    pub(super) fn turn(&mut self, cx: &LaunchContext<'_>) -> Result<bool, Fault> {
        let mut is_running = false;
        let mut order: Vec<usize> = (0..self.warps.len()).collect();
        if let Some(random) = &mut self.random {
            random.shuffle(&mut order);
        }
        for idx in order {
            let warp = &mut self.warps[idx];
            if warp.is_done() {
                continue;
            }
            let time_slice = self.random.as_mut().map_or(TIME_SLICE, |random| 1 + random.below(TIME_SLICE));
            is_running |= warp.run(cx, &self.shared, time_slice)? == Progress::Running;
        }
        if self.is_done() || cx.is_given_up() {
            return Ok(false);
        }
        // Running threads may be in a loop that waits for what others do after a barrier.
        Ok(self.open_barriers(cx)? || is_running)
    }

    /// The positions of its threads.
    pub(super) fn groups(&self, cx: &LaunchContext<'_>) -> Vec<Group> {
        self.warps.iter().flat_map(|warp| warp.groups(cx, &self.shared)).collect()
    }

    /// Releases the barriers at which enough threads have arrived; returns whether there were any.
    fn open_barriers(&mut self, cx: &LaunchContext<'_>) -> Result<bool, Fault> {
        let n_live: u32 = self.warps.iter().map(Warp::n_live).sum();
        let mut is_open = false;
        for number in 0..N_BARRIERS as u32 {
            let Arrivals { n_arrived, n_threads } = self.shared.arrivals.borrow()[number as usize];
            let (mut n_waiting, mut wanted) = (n_arrived, if n_arrived > 0 { n_threads } else { n_live });
            for path in self.warps.iter().flat_map(|warp| &warp.paths) {
                if let Some(Wait::Barrier { number: at, n_threads, .. }) = path.waits
                    && at == number
                {
                    n_waiting += path.mask.count_ones();
                    wanted = n_threads.unwrap_or(wanted);
                }
            }
            if n_waiting == 0 || n_waiting < wanted {
                continue;
            }
            is_open = true;
            self.shared.watch.change();
            self.shared.arrivals.borrow_mut()[number as usize] = Arrivals::default();
            races::order_block(&self.shared, number, self.waiting_at(number));
            if cx.checks.divergent_barriers {
                self.require_whole_warps(cx, number)?;
                self.require_all_threads(cx, number, n_live)?;
            }
            self.deliver_votes(number);
            for path in self.warps.iter_mut().flat_map(|warp| &mut warp.paths) {
                if matches!(path.waits, Some(Wait::Barrier { number: at, .. }) if at == number) {
                    path.waits = None;
                }
            }
        }
        Ok(is_open)
    }

    /// The threads that wait at a barrier, as masks with their warp numbers.
    fn waiting_at(&self, number: u32) -> impl Iterator<Item = (usize, u32)> {
        let waits = move |path: &&DivergentPath| matches!(path.waits, Some(Wait::Barrier { number: at, .. }) if at == number);
        let of_warp = move |(idx, warp): (usize, &Warp)| {
            let masks: Vec<_> = warp.paths.iter().filter(waits).map(|path| (idx, path.mask)).collect();
            masks
        };
        self.warps.iter().enumerate().flat_map(of_warp)
    }

    /// Hands the threads at a barrier the result of its reduction (PTX ISA "bar.red").
    fn deliver_votes(&mut self, number: u32) {
        let votes_of = |path: &DivergentPath| match path.waits {
            Some(Wait::Barrier { number: at, votes: Some(votes), .. }) if at == number => Some(votes),
            _ => None,
        };
        let (mut n_voting, mut n_holding) = (0, 0);
        for path in self.warps.iter().flat_map(|warp| &warp.paths) {
            if let Some(votes) = votes_of(path) {
                n_voting += path.mask.count_ones();
                n_holding += (votes.holding & path.mask).count_ones();
            }
        }
        for warp in &mut self.warps {
            for path in &warp.paths {
                let Some(Votes { reduction, result: Some(register), .. }) = votes_of(path) else { continue };
                let outcome = match reduction {
                    BarrierReduction::Count => n_holding,
                    BarrierReduction::All => u32::from(n_holding == n_voting),
                    BarrierReduction::Any => u32::from(n_holding > 0),
                };
                let frame = &mut warp.frames[path.frame];
                for lane in lanes_of(path.mask) {
                    frame.registers[register.0 as usize][lane] = u64::from(outcome);
                }
                frame.shadow.define(register, path.mask);
            }
        }
    }

    /// A barrier for all threads of the block must be reached by all of them (CUDA C++ Programming Guide
    /// "Synchronization Functions"): threads that have ended never arrive. Current GPUs do not wait for them.
    fn require_all_threads(&self, cx: &LaunchContext<'_>, number: u32, n_live: u32) -> Result<(), Fault> {
        if n_live == cx.n_threads() {
            return Ok(());
        }
        let waits_for_all = |path: &&DivergentPath| matches!(path.waits, Some(Wait::Barrier { number: at, n_threads: None, .. }) if at == number);
        let mut waiting =
            self.warps.iter().filter_map(|warp| Some((warp, warp.paths.iter().find(waits_for_all)?)));
        let Some((warp, path)) = waiting.next() else { return Ok(()) };
        let lane = path.mask.trailing_zeros() as usize;
        let thread = self.thread(cx, warp, (warp.frames[path.frame].code, path.pc - 1), lane);
        let kind = FaultKind::MissedBarrier { number, n_threads: cx.n_threads(), ended: self.ended(cx) };
        Err(Fault::by(kind, thread))
    }

    /// The threads that have ended, and where.
    fn ended(&self, cx: &LaunchContext<'_>) -> Vec<Ended> {
        let mut ended: BTreeMap<(usize, u32), Ended> = BTreeMap::new();
        for warp in &self.warps {
            for (&place, &mask) in &warp.ended {
                let n_threads = mask.count_ones();
                match ended.get_mut(&place) {
                    Some(others) => others.n_threads += n_threads,
                    None => {
                        let first = self.thread(cx, warp, place, mask.trailing_zeros() as usize);
                        ended.insert(place, Ended { first, n_threads });
                    }
                }
            }
        }
        ended.into_values().collect()
    }

    /// The thread of a lane of a warp, at an instruction of a function.
    fn thread(&self, cx: &LaunchContext<'_>, warp: &Warp, (code, pc): (usize, u32), lane: usize) -> Thread {
        let code = &cx.program.codes[code];
        let thread = warp.specials.tid.map(|axis| axis[lane] as u32);
        Thread::new(cx.program, code, &code.instructions[pc as usize], self.shared.ctaid, thread)
    }

    /// A barrier for whole warps requires all threads of a warp to wait at the same instruction (PTX ISA
    /// "bar").
    fn require_whole_warps(&self, cx: &LaunchContext<'_>, number: u32) -> Result<(), Fault> {
        for warp in &self.warps {
            let waits_here = |wait: &Wait| matches!(wait, Wait::Barrier { number: at, is_for_warps: true, .. } if *at == number);
            let Some(here) = warp.paths.iter().find(|path| path.waits.as_ref().is_some_and(waits_here))
            else {
                continue;
            };
            let place = |frame: usize, pc: u32| (warp.frames[frame].code, pc);
            let is_here = |path: &super::warp::DivergentPath| {
                path.waits.as_ref().is_some_and(waits_here)
                    && place(path.frame, path.pc) == place(here.frame, here.pc)
            };
            if !warp.paths.iter().all(is_here) {
                let groups = warp.groups(cx, &self.shared);
                return Err(FaultKind::DivergentBarrier { number, groups }.into());
            }
        }
        Ok(())
    }
}
