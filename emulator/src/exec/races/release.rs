//! Synchronization through memory: what a thread may acquire by reading a location (PTX ISA "Release and
//! Acquire Patterns", "Observation Order", "Memory synchronization").
//!
//! A strong write after a fence, or one that is a release, is a release pattern. The location records what
//! preceded it. Following atomic operations there keep the record, since a thread that reads their result
//! observes the write as well. A strong read takes it over: at once if it is an acquire, and at the next
//! fence otherwise. Each step counts only between threads that the scopes of both of its ends include.

use std::sync::Arc;

use super::actor::Shape;
use super::clock::{Clock, Key, join};
use super::row::{Kind, Reach};
use super::sync::{BlockSync, WarpSync};
use crate::exec::fault::Touch;

/// The number of heads at which a block's heads at a location are joined.
const MAX_HEADS: usize = 32;

/// A location with releases, and the last write to it.
pub(super) struct Release {
    /// The address, and the size in bytes.
    address: u64,
    width: u8,
    /// The block of the last write, and the write's scope.
    block: u64,
    reach: Reach,
    heads: Vec<Head>,
    /// The number of `heads` that are in `joined`, and the joined clocks of those with device scope.
    joined: Arc<Clock>,
    n_joined: usize,
}

/// The first operation of a release pattern.
struct Head {
    block: u64,
    reach: Reach,
    thread: Key,
    /// What precedes it.
    clock: Arc<Clock>,
    /// Whether the write itself releases, without a fence before it.
    is_write: bool,
}

/// A thread that accesses a location with a strong operation.
#[derive(Clone, Copy)]
pub(super) struct Accessor {
    pub(super) shape: Shape,
    pub(super) block: u64,
    /// The index of the warp in the block.
    pub(super) warp: usize,
    pub(super) lane: u32,
    pub(super) address: u64,
    pub(super) kind: Kind,
    /// Whether the read value goes to a register.
    pub(super) has_result: bool,
}

impl Accessor {
    /// Acquires the location's releases, or records them for a fence.
    pub(super) fn read(&self, releases: &mut [Release], warp: &mut WarpSync) {
        if let Some(idx) = self.position(releases) {
            releases[idx].read(self, warp);
        }
    }

    /// Releases what precedes, if this is a release pattern.
    pub(super) fn write(&self, releases: &mut Vec<Release>, block: &mut BlockSync) {
        let heads = self.heads(block);
        forget(releases, self.address, u64::from(self.kind.width), Some((self.address, self.kind.width)));
        let idx = match self.position(releases) {
            Some(idx) => idx,
            None if heads.is_empty() => return,
            None => {
                releases.push(Release {
                    address: self.address,
                    width: self.kind.width,
                    block: self.block,
                    reach: Reach::Device,
                    heads: Vec::new(),
                    joined: Arc::default(),
                    n_joined: 0,
                });
                releases.len() - 1
            }
        };
        let own = block.thread(self.warp, self.lane);
        releases[idx].write(self, own, heads);
        if releases[idx].heads.is_empty() {
            releases.swap_remove(idx);
        }
    }

    fn position(&self, releases: &[Release]) -> Option<usize> {
        let place = (self.address, self.kind.width);
        releases.iter().position(|release| (release.address, release.width) == place)
    }

    /// The release patterns that a write completes.
    fn heads(&self, block: &mut BlockSync) -> Vec<Head> {
        let mut heads = Vec::new();
        let thread = block.thread(self.warp, self.lane);
        let head = |reach, clock: &Arc<Clock>, time, is_write| {
            let mut clock = Arc::clone(clock);
            Arc::make_mut(&mut clock).raise(thread, time);
            Head { block: self.block, reach, thread, clock, is_write }
        };
        if self.kind.order.semantics.is_release() {
            let now = block.tick();
            let reach = Reach::of(self.kind.order.scope);
            heads.push(head(reach, block.warps[self.warp].shared_clock(self.lane), now, true));
        }
        if let Some(fenced) = &block.warps[self.warp].fenced {
            for (reach, fence) in
                [Reach::Block, Reach::Cluster, Reach::Device].into_iter().zip(&fenced[self.lane as usize].0)
            {
                heads.extend(fence.as_ref().map(|fence| head(reach, &fence.clock, fence.time, false)));
            }
        }
        heads
    }
}

/// Drops the releases in a range that a write replaces, except at one location that it may add to.
pub(super) fn forget(releases: &mut Vec<Release>, address: u64, n_bytes: u64, but: Option<(u64, u8)>) {
    releases.retain(|release| {
        release.address >= address + n_bytes
            || release.address + u64::from(release.width) <= address
            || but == Some((release.address, release.width))
    });
}

impl Release {
    fn read(&mut self, by: &Accessor, warp: &mut WarpSync) {
        let Some(reach) = by.kind.reach() else { return };
        let is_observed = reach.min(self.reach) >= by.shape.distance(self.block, by.block);
        let acquires = by.kind.order.semantics.is_acquire();
        if !acquires && !by.has_result {
            return;
        }
        let mut is_far = false;
        for head in &self.heads {
            let distance = by.shape.distance(head.block, by.block);
            if !is_observed || head.reach < distance {
                join(&mut warp.seen(by.lane).out_of_reach, &head.clock);
            } else if distance == Reach::Device {
                is_far = true;
            } else if acquires && reach >= distance {
                warp.acquire(by.lane, &head.clock);
            } else {
                join(&mut warp.seen(by.lane).pending[distance as usize], &head.clock);
            }
        }
        if is_far {
            // A thread that may acquire from other clusters may acquire from its own.
            for head in self.heads[self.n_joined..].iter().filter(|head| head.reach == Reach::Device) {
                join(&mut self.joined, &head.clock);
            }
            self.n_joined = self.heads.len();
            if acquires && reach == Reach::Device {
                warp.acquire(by.lane, &self.joined);
            } else {
                join(&mut warp.seen(by.lane).pending[Reach::Device as usize], &self.joined);
            }
        }
    }

    fn write(&mut self, by: &Accessor, thread: Key, heads: Vec<Head>) {
        let reach = Reach::of(by.kind.order.scope);
        let is_observed = reach.min(self.reach) >= by.shape.distance(self.block, by.block);
        if by.kind.touch == Touch::Write || !is_observed {
            self.heads.retain(|head| head.is_write && head.thread == thread);
            (self.joined, self.n_joined) = (Arc::default(), 0);
        }
        (self.block, self.reach) = (by.block, reach);
        heads.into_iter().for_each(|head| self.push(head));
    }

    fn push(&mut self, head: Head) {
        if self.heads.len() >= MAX_HEADS {
            let is_alike = |other: &Head| {
                (other.block, other.reach, other.is_write) == (head.block, head.reach, head.is_write)
            };
            if let Some(idx) = self.heads.iter().rposition(is_alike) {
                join(&mut self.heads[idx].clock, &head.clock);
                self.heads[idx].thread = head.thread;
                self.n_joined = self.n_joined.min(idx);
                return;
            }
        }
        let is_new = |other: &Head| {
            (other.thread, other.reach, other.is_write) != (head.thread, head.reach, head.is_write)
        };
        let n_before = self.heads.len();
        self.heads.retain(is_new);
        self.n_joined = self.n_joined.saturating_sub(n_before - self.heads.len());
        self.heads.push(head);
    }
}
