//! What orders threads: barriers of blocks, warps and clusters, and fences (PTX ISA "Memory
//! synchronization").
//!
//! A barrier orders only the threads that take part. A fence alone orders nothing: it makes release patterns
//! of the strong writes after it, and acquire patterns of the strong reads before it (`release`). The total
//! order of sequentially consistent fences is not used to order other accesses: no thread can observe which
//! order it is.

use std::sync::Arc;

use super::clock::{Clock, Key, join};
use super::row::{Reach, bits};
use crate::compute::WARP_SIZE;
use crate::program::code::Fence;

const N_LANES: u32 = WARP_SIZE as u32;

/// The number of barriers of a block (PTX ISA "bar").
const N_BARRIERS: usize = 16;

/// The number of scopes.
pub(super) const N_REACHES: usize = 3;

/// The clocks of a block.
pub(super) struct BlockSync {
    block: u64,
    n_threads: u32,
    /// The number of synchronization events so far.
    time: u32,
    /// When all threads of the block last synchronized.
    pub(super) all_met: u32,
    pub(super) warps: Vec<WarpSync>,
    /// For each barrier, what precedes the arrivals that did not wait.
    arrived: [Arc<Clock>; N_BARRIERS],
    /// The same for the cluster barrier, in this phase and in the last one.
    at_cluster: Arc<Clock>,
    after_cluster: Arc<Clock>,
}

/// The clocks of a warp.
#[derive(Default)]
pub(super) struct WarpSync {
    /// The clock of all lanes, if they share one.
    all: Arc<Clock>,
    lanes: Option<Box<[Arc<Clock>; WARP_SIZE]>>,
    pub(super) fenced: Option<Box<[Fenced; WARP_SIZE]>>,
    pub(super) seen: Option<Box<[Seen; WARP_SIZE]>>,
    /// When threads of it last synchronized with others.
    pub(super) met: u32,
}

/// The last fences of a thread, by scope.
#[derive(Default)]
pub(super) struct Fenced(pub(super) [Option<Snapshot>; N_REACHES]);

/// What preceded a fence.
pub(super) struct Snapshot {
    pub(super) clock: Arc<Clock>,
    /// The time until which the thread's own accesses precede.
    pub(super) time: u32,
}

/// The releases that a thread has read, but not acquired.
#[derive(Default)]
pub(super) struct Seen {
    /// What a fence of this scope would acquire.
    pub(super) pending: [Arc<Clock>; N_REACHES],
    /// Whether a later fence has too narrow a scope.
    pub(super) has_narrow_fence: bool,
    /// What wider scopes would have acquired.
    pub(super) out_of_reach: Arc<Clock>,
}

impl WarpSync {
    pub(super) fn clock(&self, lane: u32) -> &Clock {
        self.lanes.as_ref().map_or(&self.all, |lanes| &lanes[lane as usize])
    }

    /// The clock of all lanes, if they share one.
    pub(super) fn common_clock(&self) -> Option<&Clock> {
        self.lanes.is_none().then_some(&*self.all)
    }

    pub(super) fn shared_clock(&self, lane: u32) -> &Arc<Clock> {
        self.lanes.as_ref().map_or(&self.all, |lanes| &lanes[lane as usize])
    }

    /// Orders a thread after everything that precedes by a clock.
    pub(super) fn acquire(&mut self, lane: u32, clock: &Arc<Clock>) {
        let mut own = Arc::clone(self.shared_clock(lane));
        join(&mut own, clock);
        if !Arc::ptr_eq(&own, self.shared_clock(lane)) {
            self.set(1 << lane, &own);
        }
    }

    fn set(&mut self, mask: u32, clock: &Arc<Clock>) {
        if mask == u32::MAX {
            (self.all, self.lanes) = (Arc::clone(clock), None);
            return;
        }
        let all = &self.all;
        let lanes = self.lanes.get_or_insert_with(|| Box::new(std::array::from_fn(|_| Arc::clone(all))));
        bits(mask).for_each(|lane| lanes[lane as usize] = Arc::clone(clock));
    }

    /// Joins the clocks of lanes into another one.
    fn join_into(&self, clock: &mut Arc<Clock>, mask: u32) {
        match &self.lanes {
            None => join(clock, &self.all),
            Some(lanes) => bits(mask).for_each(|lane| join(clock, &lanes[lane as usize])),
        }
    }

    pub(super) fn seen(&mut self, lane: u32) -> &mut Seen {
        &mut self.seen.get_or_insert_with(Box::default)[lane as usize]
    }

    fn acquire_seen(&mut self, lane: u32, reach: Reach) {
        let Some(seen) = &mut self.seen else { return };
        let seen = &mut seen[lane as usize];
        let acquired = std::array::from_fn::<_, N_REACHES, _>(|idx| {
            if idx <= reach as usize { std::mem::take(&mut seen.pending[idx]) } else { Arc::default() }
        });
        seen.has_narrow_fence = seen.pending.iter().any(|clock| !clock.is_empty());
        acquired.iter().for_each(|clock| self.acquire(lane, clock));
    }
}

impl BlockSync {
    pub(super) fn new(block: u64, n_threads: u32) -> Self {
        let n_warps = n_threads.div_ceil(N_LANES) as usize;
        BlockSync {
            block,
            n_threads,
            time: 0,
            all_met: 0,
            warps: (0..n_warps).map(|_| WarpSync::default()).collect(),
            arrived: Default::default(),
            at_cluster: Arc::default(),
            after_cluster: Arc::default(),
        }
    }

    /// The time of current accesses.
    pub(super) fn time(&self) -> u32 {
        self.time + 1
    }

    /// The time until which accesses precede an event that happens now. Later accesses have a later time.
    pub(super) fn tick(&mut self) -> u32 {
        self.time = self.time.saturating_add(1).min(u32::MAX - 1);
        self.time
    }

    /// The lanes of a warp that have threads.
    fn live_lanes(&self, warp: usize) -> u32 {
        let n_lanes = (self.n_threads - warp as u32 * N_LANES).min(N_LANES);
        u32::MAX >> (N_LANES - n_lanes)
    }

    pub(super) fn thread(&self, warp: usize, lane: u32) -> Key {
        Key::thread(self.block, warp as u32 * N_LANES + lane)
    }

    /// The keys of threads: of the block, of whole warps, or of single threads.
    fn keys(&self, threads: &[(usize, u32)]) -> Vec<Key> {
        if threads.iter().map(|(_, mask)| mask.count_ones()).sum::<u32>() == self.n_threads {
            return vec![Key::block(self.block)];
        }
        let mut keys = Vec::new();
        for &(warp, mask) in threads {
            if mask == self.live_lanes(warp) {
                keys.push(Key::warp(self.block, warp as u32));
            } else {
                keys.extend(bits(mask).map(|lane| self.thread(warp, lane)));
            }
        }
        keys.sort_unstable();
        keys
    }

    /// Orders threads at a meeting: everything before it, and before `clock`, precedes everything after it in
    /// these threads.
    fn meet(&mut self, mut clock: Arc<Clock>, threads: &[(usize, u32)]) {
        let now = self.tick();
        for &(warp, mask) in threads {
            self.warps[warp].join_into(&mut clock, mask);
        }
        let keys = self.keys(threads);
        if keys == [Key::block(self.block)] {
            self.all_met = now;
        }
        Arc::make_mut(&mut clock).raise_all(keys.into_iter(), now);
        for &(warp, mask) in threads {
            let mask = if mask == self.live_lanes(warp) { u32::MAX } else { mask };
            self.warps[warp].set(mask, &clock);
            self.warps[warp].met = now;
        }
    }

    /// Orders the threads of a block at a barrier; each warp occurs once.
    pub(super) fn meet_at_barrier(&mut self, number: u32, threads: &[(usize, u32)]) {
        let arrived = self.arrived.get_mut(number as usize).map(std::mem::take).unwrap_or_default();
        self.meet(arrived, threads);
    }

    /// Orders threads of a warp.
    pub(super) fn meet_in_warp(&mut self, warp: usize, mask: u32) {
        self.meet(Arc::default(), &[(warp, mask)]);
    }

    /// What precedes the threads, including their own accesses.
    pub(super) fn released(&mut self, warp: usize, mask: u32) -> Arc<Clock> {
        let now = self.tick();
        let mut clock = Arc::default();
        self.warps[warp].join_into(&mut clock, mask);
        Arc::make_mut(&mut clock).raise_all(self.keys(&[(warp, mask)]).into_iter(), now);
        clock
    }

    /// Records threads that arrive at a barrier without waiting.
    pub(super) fn arrive(&mut self, number: u32, warp: usize, mask: u32) {
        let released = self.released(warp, mask);
        if let Some(arrived) = self.arrived.get_mut(number as usize) {
            join(arrived, &released);
        }
    }

    pub(super) fn arrive_at_cluster(&mut self, warp: usize, mask: u32) {
        let released = self.released(warp, mask);
        join(&mut self.at_cluster, &released);
    }

    pub(super) fn take_cluster_arrivals(&mut self) -> Arc<Clock> {
        std::mem::take(&mut self.at_cluster)
    }

    /// Orders the completed arrivals of the cluster before those that wait, now or later.
    pub(super) fn open_cluster(&mut self, clock: &Arc<Clock>) {
        self.after_cluster = Arc::clone(clock);
    }

    /// Orders threads after their wait at the cluster barrier.
    pub(super) fn leave_cluster(&mut self, warp: usize, mask: u32) {
        let opened = Arc::clone(&self.after_cluster);
        if mask == self.live_lanes(warp) && self.warps[warp].lanes.is_none() {
            join(&mut self.warps[warp].all, &opened);
        } else {
            bits(mask).for_each(|lane| self.warps[warp].acquire(lane, &opened));
        }
    }

    /// What preceded the last fences of a thread.
    pub(super) fn fences(&self, warp: usize, lane: u32) -> Vec<Arc<Clock>> {
        let fenced = self.warps[warp].fenced.iter().flat_map(|fenced| &fenced[lane as usize].0).flatten();
        let before = fenced.map(|fence| {
            let mut clock = Arc::clone(&fence.clock);
            Arc::make_mut(&mut clock).raise(self.thread(warp, lane), fence.time);
            clock
        });
        before.collect()
    }

    /// Records a fence of a warp's threads.
    pub(super) fn fence(&mut self, warp: usize, mask: u32, fence: Fence) {
        let reach = Reach::of(fence.scope);
        if fence.semantics.is_acquire() {
            bits(mask).for_each(|lane| self.warps[warp].acquire_seen(lane, reach));
        }
        if fence.semantics.is_release() {
            let now = self.tick();
            for lane in bits(mask) {
                let warp = &mut self.warps[warp];
                let clock = Arc::clone(warp.shared_clock(lane));
                let fenced = warp.fenced.get_or_insert_with(Box::default);
                fenced[lane as usize].0[reach as usize] = Some(Snapshot { clock, time: now });
            }
        }
    }
}
