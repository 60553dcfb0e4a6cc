//! Clusters: blocks that run together, share their shared memory, and have a barrier (PTX ISA "Cluster of
//! Cooperative Thread Arrays", "barrier.cluster"). Without a cluster size, each block is a cluster.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::block::{Block, Shared};
use super::bulk::Transfer;
use super::device::LaunchContext;
use super::fault::{Fault, FaultKind};
use super::kept::KeptValues;
use super::races::{self, History};
use super::step::{Step, StepError};
use super::warp::{Next, Progress, Wait, Warp};
use super::watch::Watch;
use crate::memory::BLOCK_WINDOW;
use crate::memory::bytes::Bytes;
use crate::memory::error::{AccessError, Extent, Freed};

/// A cluster that has started.
pub(super) struct Cluster {
    /// The blocks, by rank.
    pub(super) blocks: Vec<Block>,
}

/// The shared memory of a block.
pub(super) struct SharedMemory {
    pub(super) bytes: Bytes,
    /// Which bytes have been written, with 0xFF for each, if the launch records it.
    pub(super) written: Option<Bytes>,
    /// The origins of the undefined values that threads of the block have stored in it.
    pub(super) kept: RefCell<KeptValues>,
    /// The accesses recorded for the race check, if it is on.
    pub(super) history: Option<RefCell<History>>,
    /// The copies that complete on mbarrier objects in it.
    pub(super) transfers: RefCell<Vec<Transfer>>,
    /// Whether all threads of the block have ended.
    is_gone: Cell<bool>,
}

/// The state of a warp's threads at the cluster barrier, one bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct AtCluster {
    /// They have arrived in this phase.
    arrived: u32,
    /// They have arrived, and not waited since.
    owes_wait: u32,
}

impl SharedMemory {
    fn new(cx: &LaunchContext<'_>) -> Self {
        let zeros = || Bytes::zeroed(cx.shared_size as usize);
        SharedMemory {
            bytes: zeros(),
            written: cx.checks.uninitialized.then(zeros),
            kept: RefCell::default(),
            history: cx.races.is_some().then(|| RefCell::new(History::new(cx.global.host()))),
            transfers: RefCell::default(),
            is_gone: Cell::new(false),
        }
    }

    /// Requires the block's threads to be alive: its shared memory ends with them (PTX ISA "Shared State
    /// Space").
    pub(super) fn require_live(&self, address: u64, at: u64) -> Result<(), AccessError> {
        if !self.is_gone.get() {
            return Ok(());
        }
        let name = Some("the shared memory of another block".to_owned());
        let piece = Extent { start: address.wrapping_sub(at), len: self.bytes.len() as u64, name };
        let by = "the end of that block".to_owned();
        Err(AccessError::Freed(Box::new(Freed { piece, offset: at, by })))
    }
}

impl Shared {
    /// The block's own shared memory.
    pub(super) fn own(&self) -> &SharedMemory {
        &self.cluster[self.rank]
    }

    /// The rank of the block that owns a `.shared` address, and the offset there.
    pub(super) fn place(&self, address: u64) -> (usize, u64) {
        match (address / BLOCK_WINDOW).checked_sub(1) {
            None => (self.rank, address),
            Some(rank) => (rank as usize, address % BLOCK_WINDOW),
        }
    }
}

impl Cluster {
    /// Creates the cluster at a position in launch order.
    pub(super) fn new(cx: &LaunchContext<'_>, position: u64, watch: &Rc<Watch>) -> Result<Self, Fault> {
        let size = cx.order.cluster_size();
        let memory: Rc<[SharedMemory]> = (0..size).map(|_| SharedMemory::new(cx)).collect();
        let block = |rank| Block::new(cx, position * size + rank, memory.clone(), watch.clone());
        Ok(Cluster { blocks: (0..size).map(block).collect::<Result<_, _>>()? })
    }

    /// Gives each warp of each block at most `n_turns` turns; returns whether any made progress.
    pub(super) fn run(&mut self, cx: &LaunchContext<'_>, n_turns: u64) -> Result<Progress, Fault> {
        for _ in 0..n_turns {
            let mut goes_on = false;
            for block in &mut self.blocks {
                if !block.is_done() {
                    goes_on |= block.turn(cx)?;
                    block.shared.own().is_gone.set(block.is_done());
                }
            }
            if self.blocks.iter().all(Block::is_done) || cx.is_given_up() {
                return Ok(Progress::Waiting);
            }
            if !self.open_barrier(cx) && !goes_on {
                let groups = self.blocks.iter().flat_map(|block| block.groups(cx)).collect();
                return Err(FaultKind::Deadlock(groups).into());
            }
        }
        Ok(Progress::Running)
    }

    /// Completes the copies that no thread waits for; returns whether there were any.
    pub(super) fn finish_copies(&mut self, cx: &LaunchContext<'_>) -> Result<bool, Fault> {
        let mut is_any = false;
        for Block { shared, warps, .. } in &mut self.blocks {
            for warp in warps.iter_mut().filter(|warp| warp.has_groups()) {
                warp.finish_groups(cx, shared)?;
                shared.watch.change();
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// Releases the threads at the cluster barrier if all have arrived; returns whether it did.
    fn open_barrier(&mut self, cx: &LaunchContext<'_>) -> bool {
        let mut warps = self.blocks.iter().flat_map(|block| &block.warps);
        if warps.clone().all(|warp| warp.at_cluster.arrived == 0)
            || warps.any(|warp| warp.live() & !warp.at_cluster.arrived != 0)
        {
            return false;
        }
        if cx.races.is_some() {
            races::order_cluster(self.blocks.iter().map(|block| (&block.shared, waiting(block))));
        }
        self.blocks.iter().for_each(|block| block.shared.watch.change());
        for warp in self.blocks.iter_mut().flat_map(|block| &mut block.warps) {
            warp.at_cluster.arrived = 0;
            for path in &mut warp.paths {
                path.waits = path.waits.filter(|&wait| wait != Wait::Cluster);
            }
        }
        true
    }
}

/// The threads of a block that wait at the cluster barrier, as masks with their warp numbers.
fn waiting(block: &Block) -> Vec<(usize, u32)> {
    let of_warp = |(idx, warp): (usize, &Warp)| {
        let waiting = warp.paths.iter().filter(|path| path.waits == Some(Wait::Cluster));
        (idx, waiting.fold(0, |all, path| all | path.mask))
    };
    block.warps.iter().enumerate().map(of_warp).collect()
}

impl Warp {
    /// The threads that have not ended, one bit each.
    fn live(&self) -> u32 {
        self.paths.iter().fold(0, |live, path| live | path.mask)
    }

    /// `barrier.cluster.arrive`
    pub(super) fn cluster_arrive(&mut self, step: &Step<'_>, is_release: bool) -> Result<(), StepError> {
        let AtCluster { arrived, owes_wait } = &mut self.at_cluster;
        let again = *owes_wait & step.mask;
        if again != 0 {
            let kind = FaultKind::ClusterBarrier { is_wait: false };
            return Err(StepError { kind, lane: Some(again.trailing_zeros() as usize) });
        }
        *arrived |= step.mask;
        *owes_wait |= step.mask;
        if is_release {
            self.order_cluster_arrival(step);
        }
        Ok(())
    }

    /// `barrier.cluster.wait`
    pub(super) fn cluster_wait(&mut self, step: &Step<'_>) -> Result<Next, StepError> {
        let Step { idx, path, mask, .. } = *step;
        let absent = mask & !self.at_cluster.owes_wait;
        if absent != 0 {
            let kind = FaultKind::ClusterBarrier { is_wait: true };
            return Err(StepError { kind, lane: Some(absent.trailing_zeros() as usize) });
        }
        self.at_cluster.owes_wait &= !mask;
        if self.at_cluster.arrived & mask == 0 {
            self.order_cluster_wait(step);
            return Ok(Next::Step);
        }
        self.part(idx, mask, path.pc + 1);
        if let Some(waiting) = self.paths.last_mut() {
            waiting.waits = Some(Wait::Cluster);
        }
        self.pass(idx, path, mask);
        Ok(Next::Reschedule)
    }
}
