//! Checks random programs with the race check and with the reference: both must agree on each access.
//!
//! Threads of a few blocks access a small memory, in all arrangements that kernels use, and synchronize by
//! barriers, fences and flags. Most accesses that the reference calls a race are skipped, so that programs
//! continue.

use std::cell::RefCell;
use std::sync::Arc;

use super::Watched;
use super::actor::Shape;
use super::history::History;
use super::look::Look;
use super::reference::{Access, Model, fence};
use super::row::{Kind, bits};
use super::sync::BlockSync;
use super::table::Recent;
use crate::compute::{Lanes, WARP_SIZE};
use crate::exec::fault::Touch;
use crate::exec::launch::Checks;
use crate::exec::order::Random;
use crate::memory::host::HostMemory;
use crate::program::code::{Memory, Order, Scope, Semantics};

/// The number of instructions per program.
const N_STEPS: u64 = 120;

/// The size of the accessed memory, in bytes.
const SIZE: u64 = 1024;

/// One execution, in both checks.
struct Execution {
    shape: Shape,
    n_threads: u32,
    syncs: Vec<BlockSync>,
    history: History,
    model: Model,
    /// Whether the only block owns its memory.
    is_own: bool,
    tables: RefCell<Recent>,
    seed: u64,
    random: Random,
    seq: u64,
    /// Whether there are atomic operations and strong accesses, too.
    has_strong: bool,
    /// The last accessed addresses: other threads often access the same.
    last: (Lanes, u64),
}

impl Execution {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, 0);
        let n_threads: u32 = [32, 64, 40, 96][random.below(4) as usize];
        let n_blocks = 1 + random.below(3);
        let is_own = n_blocks == 1 && random.below(4) != 0;
        let shape =
            Shape { n_warps: n_threads.div_ceil(WARP_SIZE as u32), cluster_size: 1 + random.below(2) };
        Execution {
            shape,
            n_threads,
            syncs: (0..n_blocks).map(|block| BlockSync::new(block, n_threads)).collect(),
            is_own,
            tables: RefCell::default(),
            history: History::new(&Arc::new(HostMemory::available())),
            model: Model::new(shape, n_threads as usize, n_blocks as usize),
            has_strong: random.below(3) == 0,
            seed,
            random,
            seq: 0,
            last: ([0; WARP_SIZE], 4),
        }
    }

    /// The index of a thread in the grid.
    fn thread(&self, block: usize, warp: usize, lane: u32) -> usize {
        block * self.n_threads as usize + warp * WARP_SIZE + lane as usize
    }

    /// The lanes of a warp that have threads.
    fn live_lanes(&self, warp: usize) -> u32 {
        u32::MAX >> (32 - (self.n_threads - warp as u32 * 32).min(32))
    }

    fn mask(&mut self, warp: usize) -> u32 {
        let (live_lanes, random) = (self.live_lanes(warp), &mut self.random);
        let any = random.below(1 << 32) as u32;
        let mask = match random.below(6) {
            0..3 => live_lanes,
            3 => any & live_lanes,
            4 => live_lanes & 1 << (any % 32),
            _ => live_lanes & 0xFFFF << (any & 16),
        };
        if mask == 0 { live_lanes } else { mask }
    }

    fn places(&mut self, warp: usize) -> (Lanes, u64) {
        let n_bytes = [4, 4, 4, 8, 16, 1, 2][self.random.below(7) as usize];
        let random = &mut self.random;
        let first = random.below(SIZE) / n_bytes;
        let stride = [1, 1, 1, 2, 3, 33, 0][random.below(7) as usize];
        let bit = random.below(32);
        let shape = random.below(9);
        let mut at = |lane: u64| match shape {
            0..3 => first + stride * (lane + 32 * warp as u64),
            3 => first + 64 - lane,
            4 => first + (lane ^ bit),
            5 => first + lane / 16,
            6 => first + lane % 16,
            7 => first + 2 * lane - (lane & 3),
            _ => random.below(SIZE),
        };
        (std::array::from_fn(|lane| at(lane as u64) * n_bytes % SIZE + 0x1_0000), n_bytes)
    }

    fn order(&mut self, touch: Touch) -> Order {
        if !self.has_strong || touch != Touch::Atomic && self.random.below(4) != 0 {
            return Order::WEAK;
        }
        let scope =
            [Scope::Block, Scope::Cluster, Scope::Device, Scope::Device][self.random.below(4) as usize];
        let semantics = match (self.random.below(6), touch) {
            (0, Touch::Write | Touch::Atomic) => Semantics::Release,
            (1, Touch::Read | Touch::Atomic) => Semantics::Acquire,
            (2, Touch::Atomic) => Semantics::AcquireRelease,
            _ => Semantics::Relaxed,
        };
        Order { semantics, scope, is_volatile: false }
    }

    /// Makes threads of a warp access memory; returns whether that was a race.
    fn access(&mut self, block: usize, warp: usize) -> bool {
        if self.random.below(3) != 0 {
            self.last = self.places(warp);
        }
        let (places, n_bytes) = self.last;
        // Strong writes and atomic operations on one location create observers that rows do not keep.
        let touches =
            if self.has_strong { [Touch::Read, Touch::Atomic] } else { [Touch::Read, Touch::Write] };
        let touch = match self.random.below(5) {
            0..2 => touches[0],
            4 if n_bytes <= 8 => touches[1],
            _ => Touch::Write,
        };
        let mut order = self.order(touch);
        if touch == Touch::Write && order.is_strong() {
            order = Order::WEAK;
        }
        let kind = Kind { touch, order, width: n_bytes as u8 };
        let mask = self.mask(warp);
        let changes = self.random.below(3) != 0;
        let changed: Lanes = std::array::from_fn(|_| if changes { u64::MAX } else { self.random.below(4) });
        let has_result = self.random.below(4) != 0;
        let accesses: Vec<Access> = bits(mask)
            .map(|lane| Access {
                thread: self.thread(block, warp, lane),
                address: places[lane as usize],
                n_bytes,
                kind,
                changed: changed[lane as usize],
                has_result,
            })
            .collect();
        self.seq += 1;
        let mut model = self.model.clone();
        let expected = model.access(self.seq, &accesses);
        if expected.is_some() && self.random.below(8) != 0 {
            return false;
        }
        self.model = model;
        let watched = Watched {
            memory: Memory::Global,
            addresses: &places,
            n_bytes,
            width: n_bytes,
            touch,
            order,
            changed: &changed,
            has_result,
        };
        let look = Look {
            shape: self.shape,
            checks: &Checks::ALL,
            block: block as u64,
            warp,
            instruction: self.random.below(6) as u32,
            seq: self.seq,
            mask,
            watched: &watched,
            places: &places,
            is_own: self.is_own,
            tables: &self.tables,
        };
        let found = look.at(&mut self.history, &mut self.syncs[block]).expect("the host has room");
        let found = found.map(|found| !found.is_same_value);
        // A write replaces a read of the same thread: of two races, the one with equal values may remain.
        let agrees = found == expected || (found, expected) == (Some(false), Some(true));
        assert!(
            agrees,
            "{kind:?} of block {block}, warp {warp}, {mask:#x}: {places:?}: {found:?}, {expected:?}, seed {}",
            self.seed
        );
        found.is_some()
    }

    fn meet(&mut self, block: usize, masks: &[(usize, u32)]) {
        let threads: Vec<usize> = masks
            .iter()
            .flat_map(|&(warp, mask)| bits(mask).map(move |lane| (warp, lane)))
            .map(|(warp, lane)| self.thread(block, warp, lane))
            .collect();
        self.model.meet(&threads);
        match masks {
            &[(warp, mask)] => self.syncs[block].meet_in_warp(warp, mask),
            _ => self.syncs[block].meet_at_barrier(0, masks),
        }
    }

    /// Executes one instruction; returns whether it was a race.
    fn step(&mut self) -> bool {
        let block = self.random.below(self.syncs.len() as u64) as usize;
        let warp = self.random.below(u64::from(self.shape.n_warps)) as usize;
        match self.random.below(12) {
            0 => {
                let n_warps = self.shape.n_warps as usize;
                let some = if self.random.below(3) == 0 { 1 + warp } else { n_warps };
                let masks: Vec<_> = (0..some).map(|warp| (warp, self.live_lanes(warp))).collect();
                self.meet(block, &masks);
            }
            1 => {
                let mask = self.mask(warp);
                self.meet(block, &[(warp, mask)]);
            }
            2 if self.has_strong => {
                let fence =
                    fence([Scope::Block, Scope::Cluster, Scope::Device][self.random.below(3) as usize]);
                let mask = self.mask(warp);
                self.syncs[block].fence(warp, mask, fence);
                for lane in bits(mask) {
                    self.model.fence(self.thread(block, warp, lane), fence);
                }
            }
            _ => return self.access(block, warp),
        }
        false
    }
}

#[test]
fn the_check_agrees_with_vector_clocks_for_each_byte() {
    let n_programs = std::env::var("WEFT_RACE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut n_races = 0;
    for seed in 0..n_programs {
        let mut execution = Execution::new(seed);
        let n_steps = (0..N_STEPS).take_while(|_| !execution.step()).count() as u64;
        n_races += u64::from(n_steps < N_STEPS);
    }
    assert!(
        n_races * 10 > n_programs && n_races < n_programs,
        "{n_races} of {n_programs} programs had races"
    );
}
