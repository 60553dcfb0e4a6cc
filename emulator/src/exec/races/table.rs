//! Tables: which lanes access which units of a line, where that is not an arithmetic sequence: permutations,
//! groups of lanes that share a word, indices from memory.
//!
//! Units count from the first accessed one, so that lines with the same arrangement share a table.

use std::array;
use std::sync::Arc;

use crate::compute::WARP_SIZE;

/// The unit of a lane that accesses nothing: larger than any distance between two units.
const ABSENT: u8 = 0x80;

/// The number of remembered tables.
const N_RECENT: usize = 8;

/// The units of each lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    first: [u8; WARP_SIZE],
    /// The number of units per lane.
    n_units: u8,
    /// Whether each unit belongs to one lane.
    is_injective: bool,
}

/// The last tables: the accesses of a loop often have the same arrangement.
#[derive(Default)]
pub(super) struct Recent {
    tables: [Option<Arc<Table>>; N_RECENT],
    next: usize,
}

/// The first units of lanes in a line, which become a table or a part of one.
pub(super) struct Lanes {
    lanes: u32,
    first: [u8; WARP_SIZE],
    /// 0xFF for lanes that access the line.
    present: [u8; WARP_SIZE],
    n_units: u8,
    /// The units of all lanes.
    pub(super) units: u32,
    pub(super) is_injective: bool,
}

impl Lanes {
    /// No lanes yet; each will access `n_units` units.
    pub(super) fn new(n_units: u32) -> Self {
        let none = [0; WARP_SIZE];
        Lanes { lanes: 0, first: none, present: none, n_units: n_units as u8, units: 0, is_injective: true }
    }

    /// Adds a lane that accesses these units.
    pub(super) fn add(&mut self, lane: u32, units: u32) {
        let at = lane as usize % WARP_SIZE;
        (self.first[at], self.present[at]) = (units.trailing_zeros() as u8, u8::MAX);
        self.lanes |= 1 << lane;
        self.is_injective &= self.units & units == 0;
        self.units |= units;
    }

    /// Whether all lanes access the same units.
    pub(super) fn are_same(&self) -> bool {
        self.units.count_ones() == u32::from(self.n_units)
    }

    /// The table of these lanes alone, with its first unit.
    fn table(&self) -> (Table, i16) {
        let base = self.units.trailing_zeros() as u8;
        let first = array::from_fn(|lane| match self.present[lane] {
            0 => ABSENT,
            _ => self.first[lane] - base,
        });
        (Table { first, n_units: self.n_units, is_injective: self.is_injective }, i16::from(base))
    }

    /// The position at which a table describes these lanes, if there is one. The table may describe others,
    /// too, if none of them accesses the units of these.
    fn position_in(&self, table: &Table) -> Option<i16> {
        let lane = self.lanes.trailing_zeros() as usize % WARP_SIZE;
        if table.n_units != self.n_units || !table.is_injective || table.first[lane] == ABSENT {
            return None;
        }
        let base = i16::from(self.first[lane]) - i16::from(table.first[lane]);
        let differs = |lane: usize| {
            (self.first[lane].wrapping_sub(base as u8) ^ table.first[lane]) & self.present[lane]
        };
        ((0..WARP_SIZE).fold(0, |any, lane| any | differs(lane)) == 0).then_some(base)
    }
}

impl Table {
    #[cfg(test)]
    pub(super) fn of_tests(lanes: &[Option<u8>], n_units: u32) -> (Self, i16) {
        let mut all = Lanes::new(n_units);
        for (lane, &unit) in (0..).zip(lanes) {
            if let Some(unit) = unit {
                all.add(lane, u32::MAX >> (32 - n_units) << unit);
            }
        }
        all.table()
    }

    pub(super) fn is_injective(&self) -> bool {
        self.is_injective
    }

    /// The lanes that access a unit.
    pub(super) fn lanes(&self, unit: i32) -> u32 {
        let Ok(unit @ 0..ABSENT) = u8::try_from(unit) else { return 0 };
        let is_of = |lane: usize| unit.wrapping_sub(self.first[lane]) < self.n_units;
        (0..WARP_SIZE).fold(0, |lanes, lane| lanes | u32::from(is_of(lane)) << lane)
    }

    /// Each lane, with its units in a line whose unit `base` is the first of the table.
    pub(super) fn units(&self, base: i16) -> impl Iterator<Item = (u32, u32)> {
        let own = u64::MAX >> (64 - self.n_units);
        let units = move |first: u8| {
            let at = i32::from(base) + i32::from(first);
            if at < 0 { own.checked_shr(-at as u32) } else { own.checked_shl(at as u32) }.unwrap_or(0) as u32
        };
        let lanes = (0..).zip(self.first).filter(|&(_, first)| first != ABSENT);
        lanes.map(move |(lane, first)| (lane, units(first)))
    }

    /// The same table for a line whose units are bytes instead of words.
    pub(super) fn in_bytes(&self) -> Self {
        let first = self.first.map(|first| if first == ABSENT { ABSENT } else { 4 * first });
        Table { first, n_units: 4 * self.n_units, is_injective: self.is_injective }
    }
}

impl Recent {
    /// A table that describes these lanes, and its position.
    pub(super) fn share(&mut self, lanes: &Lanes) -> (Arc<Table>, i16) {
        for known in self.tables.iter().flatten() {
            if let Some(base) = lanes.position_in(known) {
                return (Arc::clone(known), base);
            }
        }
        let (table, base) = lanes.table();
        let same = if table.is_injective {
            None
        } else {
            self.tables.iter().flatten().find(|known| ***known == table)
        };
        if let Some(known) = same {
            return (Arc::clone(known), base);
        }
        let table = Arc::new(table);
        self.tables[self.next] = Some(Arc::clone(&table));
        self.next = (self.next + 1) % N_RECENT;
        (table, base)
    }
}
