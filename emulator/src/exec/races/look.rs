//! The race check of one warp instruction's accesses to one memory.
//!
//! In: which lane accesses what. Records that in the memory's history, and returns a race, if there is one.
//! It depends on clocks and histories only, so that tests can drive it without a program.

use std::cell::RefCell;

use super::Watched;
use super::actor::{Acting, Before, Found, Shape};
use super::clock::Actor;
use super::history::History;
use super::pattern::{Arrangement, Pattern};
use super::release::{Accessor, forget};
use super::row::{Kind, Mapping, Row, bits};
use super::sync::BlockSync;
use super::table::Recent;
use crate::compute::Lanes;
use crate::exec::fault::Touch;
use crate::exec::launch::Checks;
use crate::memory::host::HostOutOfMemory;
use crate::program::code::Order;

/// An access of a warp's threads to one memory.
pub(super) struct Look<'a> {
    pub(super) shape: Shape,
    pub(super) checks: &'a Checks,
    /// The position of the block.
    pub(super) block: u64,
    /// The index of the warp in the block.
    pub(super) warp: usize,
    /// The program-wide index of the instruction.
    pub(super) instruction: u32,
    /// The number of the access in the launch.
    pub(super) seq: u64,
    /// The threads that access this memory.
    pub(super) mask: u32,
    pub(super) watched: &'a Watched<'a>,
    /// The offset of each thread's access there.
    pub(super) places: &'a Lanes,
    /// Whether only threads of the block access this memory.
    pub(super) is_own: bool,
    pub(super) tables: &'a RefCell<Recent>,
}

impl Look<'_> {
    pub(super) fn kind(&self) -> Kind {
        let Watched { touch, order, width, .. } = *self.watched;
        let is_plain = order.is_volatile && self.checks.volatile_races;
        let order = if is_plain { Order { is_volatile: true, ..Order::WEAK } } else { order };
        Kind { touch, order, width: width as u8 }
    }

    /// A row without units.
    fn row(&self, sync: &BlockSync) -> Row {
        let number = self.block * u64::from(self.shape.n_warps) + self.warp as u64;
        Row {
            seq: self.seq,
            time: sync.time(),
            actor: Actor::warp(number),
            instruction: self.instruction,
            units: 0,
            mapping: Mapping::Same(0),
            kind: self.kind(),
        }
    }

    fn acting<'b>(&'b self, before: Before<'b>, all_met: u32) -> Acting<'b> {
        let clock = match before {
            Before::Warp(warp) => warp.common_clock(),
            Before::Copy(clock) => Some(clock),
        };
        Acting {
            shape: self.shape,
            before,
            own_block: (self.block, clock.map_or(all_met, |clock| clock.block_time(self.block).max(all_met))),
            forgotten: if self.is_own { all_met } else { 0 },
            addresses: self.places,
            changed: self.watched.changed,
            unit: (0, 1),
            n_grown: 0,
        }
    }

    /// Records the access, and returns an earlier one that it races with.
    pub(super) fn at(
        &self,
        history: &mut History,
        sync: &mut BlockSync,
    ) -> Result<Option<Found>, HostOutOfMemory> {
        let kind = self.kind();
        if self.is_own && self.is_deferred(history, sync)? {
            return Ok(None);
        }
        let warp = &sync.warps[self.warp];
        if kind.order.is_strong()
            && (warp.fenced.is_some()
                || kind.order.semantics.is_release()
                || history.has_releases && self.has_releases(history)?)
        {
            return self.one_by_one(history, sync);
        }
        let (row, n_bytes) = (self.row(sync), self.watched.n_bytes);
        let mut acting = self.acting(Before::Warp(warp), sync.all_met);
        let mut found = None;
        let pattern = Pattern::of(self.mask, self.places, n_bytes);
        pattern.rows(&row, &mut self.tables.borrow_mut(), |start, row, is_bytes| {
            let line = history.line(start)?;
            if row.kind.writes() && !line.releases.is_empty() && !row.kind.order.is_strong() {
                for lane in bits(self.mask) {
                    forget(&mut line.releases, self.places[lane as usize], n_bytes, None);
                }
            }
            let other = line.access(row, start, is_bytes, &mut acting);
            found = match pattern.arrangement {
                Arrangement::Scattered => Found::first(found.take(), other),
                Arrangement::Same | Arrangement::Strided { .. } => Found::worse(found.take(), other),
            };
            Ok(())
        })?;
        if row.kind.writes() && !row.kind.order.is_strong() {
            found = Found::worse(found, self.within(&pattern, row));
        }
        history.grow(acting.n_grown)?;
        Ok(self.reported(found))
    }

    /// Defers a read if possible. Otherwise records the deferred ones.
    fn is_deferred(&self, history: &mut History, sync: &BlockSync) -> Result<bool, HostOutOfMemory> {
        let deferred = &mut history.deferred;
        deferred.forget(sync.all_met);
        let row = self.row(sync);
        if row.kind.writes() || row.kind.order.is_strong() {
            deferred.change(row.time);
        } else if deferred.has_room(sync.all_met) {
            let n_grown = deferred.push(row, self.mask, self.watched.n_bytes, self.places);
            history.grow(n_grown)?;
            return Ok(true);
        }
        if !deferred.is_empty() {
            self.record_deferred(history, sync)?;
        }
        Ok(false)
    }

    #[cold]
    fn record_deferred(&self, history: &mut History, sync: &BlockSync) -> Result<(), HostOutOfMemory> {
        let reads = history.deferred.take();
        let mut acting = self.acting(Before::Warp(&sync.warps[self.warp]), sync.all_met);
        for read in &reads {
            let places = read.places();
            let pattern = Pattern::of(read.mask, &places, read.n_bytes());
            pattern.rows(&read.row, &mut self.tables.borrow_mut(), |start, row, is_bytes| {
                // All writes precede a barrier that precedes these reads.
                let _ = history.line(start)?.access(row, start, is_bytes, &mut acting);
                Ok(())
            })?;
        }
        history.deferred.reuse(reads);
        history.grow(acting.n_grown)
    }

    /// The race, unless its kind is turned off.
    fn reported(&self, found: Option<Found>) -> Option<Found> {
        found.filter(|found| !found.is_same_value || self.checks.same_value_races)
    }

    /// Threads of the warp that write different values to the same location in one instruction: the second of
    /// them.
    fn within(&self, pattern: &Pattern<'_>, row: Row) -> Option<Found> {
        if pattern.arrangement != Arrangement::Same || self.mask.is_power_of_two() {
            return None;
        }
        let first = self.mask.trailing_zeros();
        let others = || bits(self.mask & (self.mask - 1));
        let changes = others().find(|&lane| self.watched.changed[lane as usize] != 0);
        let by = changes.or_else(|| others().next())?;
        let is_same_value = row.kind.touch == Touch::Write && changes.is_none();
        Some(Found { row, lane: first, by, is_same_value })
    }

    /// Whether there are releases where the threads access memory.
    fn has_releases(&self, history: &mut History) -> Result<bool, HostOutOfMemory> {
        for lane in bits(self.mask) {
            if !history.line(self.places[lane as usize])?.releases.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Like `at`, thread by thread, for accesses that may acquire or release.
    fn one_by_one(
        &self,
        history: &mut History,
        sync: &mut BlockSync,
    ) -> Result<Option<Found>, HostOutOfMemory> {
        let (kind, idx, mut worst) = (self.kind(), self.warp, None);
        let n_values = self.watched.n_bytes / self.watched.width.max(1);
        for lane in bits(self.mask) {
            let place = self.places[lane as usize];
            let accessor = |value: u64| Accessor {
                shape: self.shape,
                block: self.block,
                warp: idx,
                lane,
                address: place + value * self.watched.width,
                kind,
                has_result: self.watched.has_result,
            };
            let line = history.line(place)?;
            if kind.touch != Touch::Write && !line.releases.is_empty() {
                (0..n_values).for_each(|n| accessor(n).read(&mut line.releases, &mut sync.warps[idx]));
            }
            let row = self.row(sync);
            let mut acting = self.acting(Before::Warp(&sync.warps[idx]), sync.all_met);
            let mut found = None;
            let pattern = Pattern::of(1 << lane, self.places, self.watched.n_bytes);
            pattern.rows(&row, &mut self.tables.borrow_mut(), |start, row, is_bytes| {
                found = line.access(row, start, is_bytes, &mut acting);
                Ok(())
            })?;
            let n_grown = acting.n_grown;
            if kind.writes() {
                (0..n_values).for_each(|n| accessor(n).write(&mut line.releases, sync));
                let has_releases = !line.releases.is_empty();
                history.has_releases |= has_releases;
            }
            history.grow(n_grown)?;
            worst = Found::worse(worst, found);
        }
        Ok(self.reported(worst))
    }
}
