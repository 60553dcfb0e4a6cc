//! The maker of an access, what precedes it, and what it races with (PTX ISA "Conflict and Data-races").

use crate::compute::Lanes;
use crate::exec::fault::Touch;

use super::clock::Clock;
use super::line::Rows;
use super::row::{Kind, Mapping, Reach, Row, bits};
use super::sync::WarpSync;

/// How warps form blocks, and blocks form clusters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The number of warps per block.
    pub(super) n_warps: u32,
    /// The number of blocks per cluster.
    pub(super) cluster_size: u64,
}

impl Shape {
    /// The smallest scope that includes two blocks.
    pub(super) fn distance(self, block: u64, other: u64) -> Reach {
        if block == other {
            Reach::Block
        } else if block / self.cluster_size == other / self.cluster_size {
            Reach::Cluster
        } else {
            Reach::Device
        }
    }

    /// The block of a warp.
    pub(super) fn block_of(self, warp: u32) -> u64 {
        u64::from(warp / self.n_warps)
    }
}

/// What precedes an access.
#[derive(Clone, Copy)]
pub(super) enum Before<'a> {
    Warp(&'a WarpSync),
    Copy(&'a Clock),
}

/// The maker of an access.
pub(super) struct Acting<'a> {
    pub(super) shape: Shape,
    pub(super) before: Before<'a>,
    /// Its block, and the time until which all accesses of that block precede.
    pub(super) own_block: (u64, u32),
    /// The time of the last meeting of all threads of the block, if only they access the memory: later
    /// accesses do not race with what they did before that. Otherwise zero.
    pub(super) forgotten: u32,
    /// The address of each thread's access.
    pub(super) addresses: &'a Lanes,
    /// For a write: which bytes of each thread's access change.
    pub(super) changed: &'a Lanes,
    /// The start of the tracked units, and their size in bytes.
    pub(super) unit: (u64, u64),
    /// The growth of the histories in bytes.
    pub(super) n_grown: u64,
}

/// An access that another one races with.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) row: Row,
    /// Its lane.
    pub(super) lane: u32,
    /// The lane of the access that races with it.
    pub(super) by: u32,
    /// Whether both write the same value.
    pub(super) is_same_value: bool,
}

impl Found {
    /// The worse of two: the one whose values differ.
    pub(super) fn worse(found: Option<Found>, other: Option<Found>) -> Option<Found> {
        match (found, other) {
            (Some(found), Some(other)) if found.is_same_value && !other.is_same_value => Some(other),
            (found, other) => found.or(other),
        }
    }

    /// The worse of two; if they are equally bad, the one of the lower lane.
    pub(super) fn first(found: Option<Found>, other: Option<Found>) -> Option<Found> {
        match (found, other) {
            (Some(found), Some(other)) => {
                let rank = |found: &Found| (found.is_same_value, found.by);
                Some(if rank(&other) < rank(&found) { other } else { found })
            }
            (found, other) => found.or(other),
        }
    }
}

/// The access by which a thread last observed a unit, and the write that it read.
#[derive(Clone, Copy)]
struct Observer {
    seq: u64,
    lane: u32,
    /// Writes before this access are not observed: a later write replaced them.
    since: u64,
}

impl<'a> Acting<'a> {
    fn clock(&self, lane: u32) -> &'a Clock {
        match self.before {
            Before::Warp(warp) => warp.clock(lane),
            Before::Copy(clock) => clock,
        }
    }

    /// Whether all of a row precedes, in every one of its threads.
    fn is_after(&self, old: &Row) -> bool {
        let clock = match self.before {
            Before::Warp(warp) => match warp.common_clock() {
                Some(clock) => clock,
                None => return false,
            },
            Before::Copy(clock) => clock,
        };
        clock.covers_all(old.actor, old.time, self.shape.n_warps)
    }

    fn is_thread_after(&self, lane: u32, old: &Row, old_lane: u32) -> bool {
        self.clock(lane).covers(old.actor, old_lane, old.time, self.shape.n_warps)
    }

    /// PTX ISA "Morally Strong Operations".
    fn are_morally_strong(&self, row: &Row, old: &Row) -> bool {
        let (Some(reach), Some(old_reach)) = (row.kind.reach(), old.kind.reach()) else { return false };
        let blocks = [row, old].map(|row| self.shape.block_of(row.asker()));
        row.kind.width == old.kind.width && reach.min(old_reach) >= self.shape.distance(blocks[0], blocks[1])
    }

    /// The access in a list that this one races with, preferably one whose values differ.
    pub(super) fn conflict(&self, list: &[Row], row: &Row, all: &Rows) -> Option<Found> {
        let mut found = None;
        let mut observer = None;
        for old in list {
            let common = old.units & row.units;
            if common == 0
                || row.is_of_same_threads(old)
                || self.is_after(old)
                || self.are_morally_strong(row, old)
            {
                continue;
            }
            for unit in bits(common) {
                for (lane, old_lane) in pairs(row.lanes(unit), old.lanes(unit)) {
                    if row.actor == old.actor && !row.actor.is_channel() && lane == old_lane
                        || self.is_thread_after(lane, old, old_lane)
                        || self.has_observed(&mut observer, (old, old_lane), row, (unit, lane), all)
                    {
                        continue;
                    }
                    let are_writes = row.kind.touch == Touch::Write && old.kind.touch == Touch::Write;
                    let is_same_value = are_writes && !self.changes(unit, lane);
                    let other = Found { row: old.clone(), lane: old_lane, by: lane, is_same_value };
                    if matches!(row.mapping, Mapping::Table { .. }) {
                        found = Found::first(found, Some(other));
                        continue;
                    }
                    found = Found::worse(found, Some(other));
                    if !is_same_value {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// Whether a write changes a byte of a unit.
    fn changes(&self, unit: u32, lane: u32) -> bool {
        let (start, size) = self.unit;
        let address = start + u64::from(unit) * size;
        let at = address.wrapping_sub(self.addresses[lane as usize]);
        let bytes = ((1_u64 << size) - 1).checked_shl(at as u32).unwrap_or(u64::MAX);
        self.changed[lane as usize] & bytes != 0
    }

    /// Whether a strong write precedes this access in causality order because the thread, or one that it
    /// comes after, has read the written value, directly or through atomic operations that followed (PTX ISA
    /// "Causality Order", the part on observation order).
    fn has_observed(
        &self,
        known: &mut Option<(u32, u32, Option<Observer>)>,
        (old, old_lane): (&Row, u32),
        row: &Row,
        (unit, lane): (u32, u32),
        all: &Rows,
    ) -> bool {
        if !old.kind.writes() || !old.kind.order.is_strong() {
            return false;
        }
        let observer = match *known {
            Some((of_unit, of_lane, observer)) if (of_unit, of_lane) == (unit, lane) => observer,
            _ => self.observer(row, unit, lane, all),
        };
        *known = Some((unit, lane, observer));
        observer.is_some_and(|observer| {
            (old.seq, old_lane) < (observer.seq, observer.lane) && old.seq >= observer.since
        })
    }

    fn observer(&self, row: &Row, unit: u32, lane: u32, all: &Rows) -> Option<Observer> {
        let reads = |old: &&Row| old.kind.observes();
        let last_lane = |old: &Row| {
            let is_before = |&old_lane: &u32| {
                old.actor == row.actor && old_lane == lane || self.is_thread_after(lane, old, old_lane)
            };
            bits(old.lanes(unit)).filter(is_before).max().map(|old_lane| (old.seq, old_lane))
        };
        let (seq, lane) = all.at(unit).filter(reads).filter_map(last_lane).max()?;
        let writes = all.at(unit).filter(|old| old.kind.touch == Touch::Write && old.seq <= seq);
        Some(Observer { seq, lane, since: writes.map(|old| old.seq).max().unwrap_or(0) })
    }

    /// Whether everything that races with an old access also races with a new one, so that the old one can be
    /// dropped.
    pub(super) fn subsumes(&self, row: &Row, old: &Row) -> bool {
        if old.kind.writes() && !row.kind.writes() || !self.is_as_strong(row, old) {
            return false;
        }
        // By reading there, a thread observes which writes precede everything that it does afterwards.
        if old.kind.observes() && !row.kind.observes() {
            return false;
        }
        if old.actor == row.actor && !row.actor.is_channel() && row.has_lanes_of(old) {
            return true;
        }
        // A read that is kept too long costs only time.
        if !row.kind.writes() {
            return false;
        }
        if self.is_after(old) {
            return true;
        }
        let is_before = |unit: u32| {
            let mut pairs = pairs(row.lanes(unit), old.lanes(unit));
            let is_own = |lane: u32, old_lane: u32| {
                old.actor == row.actor && !row.actor.is_channel() && lane == old_lane
            };
            pairs.all(|(lane, old_lane)| is_own(lane, old_lane) || self.is_thread_after(lane, old, old_lane))
        };
        bits(row.units & old.units).all(is_before)
    }

    /// Whether the new access is morally strong only with accesses that the old one is morally strong with.
    fn is_as_strong(&self, row: &Row, old: &Row) -> bool {
        let Kind { width, .. } = row.kind;
        match (row.kind.reach(), old.kind.reach()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(reach), Some(old_reach)) => {
                let is_same_block = self.shape.block_of(row.asker()) == self.shape.block_of(old.asker());
                old_reach >= reach && is_same_block && old.kind.width == width
            }
        }
    }
}

/// Each lane of a mask with each lane of another one.
fn pairs(lanes: u32, others: u32) -> impl Iterator<Item = (u32, u32)> {
    bits(lanes).flat_map(move |lane| bits(others).map(move |other| (lane, other)))
}
