//! Rows: one warp instruction's access to a line of memory, and which lane accessed which unit.

use std::sync::Arc;

use crate::compute::WARP_SIZE;
use crate::exec::fault::Touch;
use crate::program::code::{Order, Scope};

use super::clock::Actor;
use super::table::Table;

/// The number of units per line.
pub(super) const N_UNITS: u32 = 32;

/// How a location is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) touch: Touch,
    pub(super) order: Order,
    /// The size of each value, in bytes: strong accesses of different sizes do not overlap completely.
    pub(super) width: u8,
}

/// Which lanes accessed which units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mapping {
    /// The lanes of this mask accessed each of the units.
    Same(u32),
    /// Lane `(unit + delta) >> shift`.
    Up { delta: i16, shift: u8 },
    /// Lane `(delta - unit) >> shift`.
    Down { delta: i16, shift: u8 },
    /// The lanes of a table, whose first unit is this one.
    Table { base: i16, table: Arc<Table> },
    /// A copy, which the thread of this index in the grid issued: the warp's index times 32 plus the lane.
    Copied(u32),
}

/// Accesses of a warp to units of a line.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The number of the access in the launch.
    pub(super) seq: u64,
    /// The time of its block, or channel.
    pub(super) time: u32,
    pub(super) actor: Actor,
    /// The program-wide index of the instruction.
    pub(super) instruction: u32,
    /// A bit for each unit.
    pub(super) units: u32,
    pub(super) mapping: Mapping,
    pub(super) kind: Kind,
}

/// The smallest scope that includes two threads (PTX ISA "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Reach {
    Block,
    Cluster,
    Device,
}

impl Reach {
    pub(super) fn of(scope: Scope) -> Self {
        match scope {
            Scope::Block => Reach::Block,
            Scope::Cluster => Reach::Cluster,
            Scope::Device | Scope::System => Reach::Device,
        }
    }
}

impl Kind {
    /// The scope of a strong access; `None` if it is weak.
    pub(super) fn reach(self) -> Option<Reach> {
        self.order.is_strong().then(|| Reach::of(self.order.scope))
    }

    pub(super) fn writes(self) -> bool {
        self.touch != Touch::Read
    }

    /// Whether its thread may observe by it what others have written there (PTX ISA "Observation Order").
    pub(super) fn observes(self) -> bool {
        self.touch != Touch::Write && self.order.is_strong()
    }
}

impl Row {
    /// The lanes that accessed one of its units.
    pub(super) fn lanes(&self, unit: u32) -> u32 {
        let lane = |lane: i32| 1_u32.checked_shl(lane as u32).unwrap_or(0);
        match &self.mapping {
            Mapping::Same(lanes) => *lanes,
            Mapping::Copied(thread) => 1 << (thread % WARP_SIZE as u32),
            Mapping::Up { delta, shift } => lane((unit as i32 + i32::from(*delta)) >> shift),
            Mapping::Down { delta, shift } => lane((i32::from(*delta) - unit as i32) >> shift),
            Mapping::Table { base, table } => table.lanes(unit as i32 - i32::from(*base)),
        }
    }

    /// Calls a function with each lane and the units that it accessed.
    pub(super) fn for_each_lane(&self, mut visit: impl FnMut(u32, u32)) {
        match &self.mapping {
            Mapping::Same(lanes) => bits(*lanes).for_each(|lane| visit(lane, self.units)),
            Mapping::Table { base, table } => {
                table.units(*base).for_each(|(lane, units)| visit(lane, units & self.units));
            }
            Mapping::Up { .. } | Mapping::Down { .. } | Mapping::Copied(_) => {
                for unit in bits(self.units) {
                    bits(self.lanes(unit)).for_each(|lane| visit(lane, 1 << unit));
                }
            }
        }
    }

    /// The warp whose thread made the access, or issued the copy.
    pub(super) fn asker(&self) -> u32 {
        match self.mapping {
            Mapping::Copied(thread) => thread / WARP_SIZE as u32,
            Mapping::Same(_) | Mapping::Up { .. } | Mapping::Down { .. } | Mapping::Table { .. } => {
                self.actor.number()
            }
        }
    }

    /// Whether each lane of this row did what the same lane of another one did.
    pub(super) fn has_lanes_of(&self, other: &Row) -> bool {
        match (&self.mapping, &other.mapping) {
            (Mapping::Same(mine), Mapping::Same(theirs)) => theirs & !mine == 0,
            (mine, theirs) => mine == theirs,
        }
    }

    /// Whether the same threads accessed the units that are in both rows.
    pub(super) fn is_of_same_threads(&self, other: &Row) -> bool {
        let is_one = |mapping: &Mapping| match mapping {
            Mapping::Same(lanes) => lanes.is_power_of_two(),
            Mapping::Table { table, .. } => table.is_injective(),
            Mapping::Up { .. } | Mapping::Down { .. } | Mapping::Copied(_) => true,
        };
        self.actor == other.actor
            && !self.actor.is_channel()
            && self.mapping == other.mapping
            && is_one(&self.mapping)
    }

    /// The row of one of its units.
    pub(super) fn unit(&self, unit: u32) -> Row {
        let mapping = match self.mapping {
            Mapping::Copied(thread) => Mapping::Copied(thread),
            Mapping::Same(_) | Mapping::Up { .. } | Mapping::Down { .. } | Mapping::Table { .. } => {
                Mapping::Same(self.lanes(unit))
            }
        };
        Row { units: 1 << unit, mapping, ..*self }
    }

    /// The bytes of a quarter of a row of words.
    pub(super) fn quarter(&self, quarter: u32) -> Row {
        let words = self.units >> (8 * quarter) & 0xFF;
        let units = bits(words).fold(0, |units, word| units | 0xF << (4 * word));
        let first = 8 * quarter as i16;
        let mapping = match &self.mapping {
            Mapping::Same(_) | Mapping::Copied(_) => self.mapping.clone(),
            Mapping::Up { delta, shift } => Mapping::Up { delta: 4 * (delta + first), shift: shift + 2 },
            Mapping::Down { delta, shift } => {
                Mapping::Down { delta: 4 * (delta - first) + 3, shift: shift + 2 }
            }
            Mapping::Table { base, table } => {
                Mapping::Table { base: 4 * (base - first), table: Arc::new(table.in_bytes()) }
            }
        };
        Row { units, mapping, ..*self }
    }
}

/// The indices of a mask's bits.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(units: u32, mapping: Mapping) -> Row {
        let kind = Kind { touch: Touch::Read, order: Order::WEAK, width: 4 };
        Row { seq: 0, time: 0, actor: Actor::warp(0), instruction: 0, units, mapping, kind }
    }

    #[test]
    fn words_become_their_bytes() {
        let (table, base) = Table::of_tests(&[Some(9), None, Some(4), Some(22)], 2);
        for mapping in [
            Mapping::Table { base, table: Arc::new(table) },
            Mapping::Same(5),
            Mapping::Up { delta: 3, shift: 1 },
            Mapping::Up { delta: -4, shift: 0 },
            Mapping::Down { delta: 40, shift: 1 },
        ] {
            let words = row(0x00F0_FF30, mapping.clone());
            for byte in 0..4 * N_UNITS {
                let quarter = words.quarter(byte / 32);
                assert_eq!(quarter.units >> (byte % 32) & 1, words.units >> (byte / 4) & 1, "{mapping:?}");
                if quarter.units >> (byte % 32) & 1 != 0 {
                    assert_eq!(quarter.lanes(byte % 32), words.lanes(byte / 4), "{mapping:?}, byte {byte}");
                }
            }
        }
    }
}
