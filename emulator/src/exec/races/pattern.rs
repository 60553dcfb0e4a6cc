//! The accesses of one warp instruction, as rows of the lines that they touch: one row per line, whatever the
//! arrangement. Threads get separate rows only if a warp touches very many lines, or its threads write the
//! same location.

use super::history::LINE_SIZE;
use super::row::{Mapping, N_UNITS, Row, bits};
use super::table::{self, Recent};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::host::HostOutOfMemory;

/// The size of a word in bytes.
const WORD: u64 = 4;

/// The maximum number of lines for which scattered accesses become one row per line.
const MAX_LINES: usize = 8;

/// The arrangement of the threads' addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// All are the same.
    Same,
    /// Each is `1 << shift` bytes after (or before) that of the previous thread.
    Strided {
        shift: u32,
        is_up: bool,
    },
    Scattered,
}

/// The addresses of threads.
#[derive(Clone, Copy)]
pub(super) struct Pattern<'a> {
    pub(super) arrangement: Arrangement,
    mask: u32,
    places: &'a Lanes,
    n_bytes: u64,
}

/// The units of lines: words, or the bytes of quarters.
#[derive(Clone, Copy)]
struct Grain {
    is_bytes: bool,
    /// The binary logarithm of a unit's size in bytes.
    unit: u32,
    /// The binary logarithm of the size of all units.
    span: u32,
    /// The mask of the units of an access that begins at the first one.
    own: u32,
    n_own: u32,
}

impl Grain {
    fn of(n_bytes: u64) -> Self {
        let is_bytes = n_bytes < WORD;
        let unit = if is_bytes { 0 } else { WORD.trailing_zeros() };
        let n_own = (n_bytes.div_ceil(1 << unit) as u32).min(N_UNITS);
        let own = low_bits(n_own);
        Grain { is_bytes, unit, span: unit + N_UNITS.trailing_zeros(), own, n_own }
    }

    /// The address of the first unit of the line or quarter that contains an address.
    fn start(self, at: u64) -> u64 {
        at >> self.span << self.span
    }

    /// The index of an address's unit.
    fn number(self, at: u64) -> u32 {
        (at >> self.unit) as u32 % N_UNITS
    }

    fn units(self, at: u64) -> u32 {
        self.own << self.number(at)
    }
}

fn low_bits(n: u32) -> u32 {
    u32::MAX.checked_shr(u32::BITS - n.min(u32::BITS)).unwrap_or(0)
}

impl<'a> Pattern<'a> {
    pub(super) fn of(mask: u32, places: &'a Lanes, n_bytes: u64) -> Self {
        Pattern { arrangement: arrangement(mask, places, n_bytes), mask, places, n_bytes }
    }

    /// Calls `give` with each row, the address of its first unit, and whether its units are bytes.
    pub(super) fn rows(
        &self,
        row: &Row,
        tables: &mut Recent,
        mut give: impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        let grain = Grain::of(self.n_bytes);
        match self.arrangement {
            Arrangement::Same => self.give_alone(row, grain, self.mask, &mut give),
            Arrangement::Strided { shift, is_up } => self.give_strided(row, grain, (shift, is_up), &mut give),
            Arrangement::Scattered => self.give_scattered(row, grain, tables, &mut give),
        }
    }

    /// Gives the row of lanes that access the same units.
    fn give_alone(
        &self,
        row: &Row,
        grain: Grain,
        lanes: u32,
        give: &mut impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        let at = self.places[lanes.trailing_zeros() as usize % WARP_SIZE];
        let mapping = match row.mapping {
            Mapping::Copied(thread) => Mapping::Copied(thread),
            _ => Mapping::Same(lanes),
        };
        let row = Row { units: grain.units(at), mapping, ..*row };
        give(grain.start(at), &row, grain.is_bytes)
    }

    fn give_strided(
        &self,
        row: &Row,
        grain: Grain,
        (shift, is_up): (u32, bool),
        give: &mut impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        let place = |lane: u32| self.places[lane as usize % WARP_SIZE];
        let is_dense = 1 << shift == self.n_bytes;
        let in_units = (shift - grain.unit) as u8;
        let mut left = self.mask;
        while left != 0 {
            let lane = left.trailing_zeros();
            let start = grain.start(place(lane));
            let offset = place(lane) - start;
            let room = if is_up { (1 << grain.span) - 1 - offset } else { offset };
            let lanes = left & low_bits((room >> shift) as u32 + 1) << lane;
            left &= !lanes;
            let n_lanes = lanes.count_ones();
            let units = if is_dense && lanes >> lane == low_bits(n_lanes) {
                let lowest = if is_up { place(lane) } else { place(lane + n_lanes - 1) };
                low_bits(n_lanes * grain.n_own) << grain.number(lowest)
            } else {
                bits(lanes).fold(0, |units, lane| units | grain.units(place(lane)))
            };
            // The position of lane 0, in units from the start of the line.
            let distance = u64::from(lane) << shift;
            let zero = if is_up { offset.wrapping_sub(distance) } else { offset.wrapping_add(distance) };
            let zero = (zero as i64 >> grain.unit) as i16;
            let mapping = match is_up {
                true => Mapping::Up { delta: -zero, shift: in_units },
                false => Mapping::Down { delta: zero + (1 << in_units) - 1, shift: in_units },
            };
            give(start, &Row { units, mapping, ..*row }, grain.is_bytes)?;
        }
        Ok(())
    }

    fn give_scattered(
        &self,
        row: &Row,
        grain: Grain,
        tables: &mut Recent,
        give: &mut impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        let (mut starts, mut masks, mut n_lines) = ([0; MAX_LINES], [0; MAX_LINES], 0);
        for lane in bits(self.mask) {
            let start = grain.start(self.places[lane as usize]);
            match starts[..n_lines].iter().rposition(|&other| other == start) {
                Some(idx) => masks[idx] |= 1 << lane,
                None if n_lines < MAX_LINES => {
                    (starts[n_lines], masks[n_lines]) = (start, 1 << lane);
                    n_lines += 1;
                }
                None => self.give_alone(row, grain, 1 << lane, give)?,
            }
        }
        for (&start, &lanes) in starts[..n_lines].iter().zip(&masks) {
            self.give_line(row, grain, (start, lanes), tables, give)?;
        }
        Ok(())
    }

    /// Gives the row of lanes that access one line.
    fn give_line(
        &self,
        row: &Row,
        grain: Grain,
        (start, lanes): (u64, u32),
        tables: &mut Recent,
        give: &mut impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        if lanes.is_power_of_two() {
            return self.give_alone(row, grain, lanes, give);
        }
        let mut all = table::Lanes::new(grain.n_own);
        for lane in bits(lanes) {
            all.add(lane, grain.units(self.places[lane as usize]));
        }
        // Weak writes of several threads to one location race with one another.
        if !all.is_injective && row.kind.writes() && !row.kind.order.is_strong() {
            return bits(lanes).try_for_each(|lane| self.give_alone(row, grain, 1 << lane, give));
        }
        let units = all.units;
        let mapping = if all.are_same() {
            Mapping::Same(lanes)
        } else {
            let (table, base) = tables.share(&all);
            Mapping::Table { base, table }
        };
        give(start, &Row { units, mapping, ..*row }, grain.is_bytes)
    }
}

fn arrangement(mask: u32, places: &Lanes, n_bytes: u64) -> Arrangement {
    let first = mask.trailing_zeros() as usize;
    let rest = mask & mask.wrapping_sub(1);
    if rest == 0 {
        return Arrangement::Same;
    }
    let second = rest.trailing_zeros() as usize;
    let apart = places[second].wrapping_sub(places[first]);
    let stride = if second - first == 1 { apart } else { (apart as i64 / (second - first) as i64) as u64 };
    let is_even = if mask == u32::MAX {
        let wrong = |lane: usize| places[lane + 1].wrapping_sub(places[lane]) ^ stride;
        (0..WARP_SIZE - 1).fold(0, |any, lane| any | wrong(lane)) == 0
    } else {
        let expected = |lane: u32| {
            places[first].wrapping_add(stride.wrapping_mul(u64::from(lane).wrapping_sub(first as u64)))
        };
        bits(rest).all(|lane| places[lane as usize] == expected(lane))
    };
    if !is_even {
        return Arrangement::Scattered;
    }
    match (stride as i64).unsigned_abs() {
        0 => Arrangement::Same,
        size if size.is_power_of_two() && size >= n_bytes && size <= LINE_SIZE => {
            Arrangement::Strided { shift: size.trailing_zeros(), is_up: (stride as i64) > 0 }
        }
        _ => Arrangement::Scattered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::fault::Touch;
    use crate::exec::races::clock::Actor;
    use crate::exec::races::row::Kind;
    use crate::program::code::Order;

    #[test]
    fn rows_are_of_the_bytes_that_threads_access() {
        let kind = Kind { touch: Touch::Read, order: Order::WEAK, width: 4 };
        let empty = Row {
            seq: 1,
            time: 1,
            actor: Actor::warp(0),
            instruction: 0,
            units: 0,
            mapping: Mapping::Same(0),
            kind,
        };
        for n_bytes in [1, 2, 4, 8, 16, 32] {
            for stride in [0, 1, -1, 2, -2, 3, 8, -16, 64, 128, -128, 1024].map(|n: i64| n * n_bytes as i64) {
                for mask in [u32::MAX, 1, 0x8000_0000, 0x00F0_0F0C, 0xFFFF_FFFE] {
                    let base = 0x10_0000 + 5 * n_bytes as i64;
                    let places: Lanes = std::array::from_fn(|lane| (base + stride * lane as i64) as u64);
                    let mut found = Vec::new();
                    let pattern = Pattern::of(mask, &places, n_bytes);
                    let outcome = pattern.rows(&empty, &mut Recent::default(), |start, row, is_bytes| {
                        let unit = if is_bytes { 1 } else { 4 };
                        for at in bits(row.units) {
                            for lane in bits(row.lanes(at)) {
                                let bytes = start + u64::from(at) * unit..start + u64::from(at + 1) * unit;
                                found.extend(bytes.map(|byte| (lane, byte)));
                            }
                        }
                        Ok(())
                    });
                    assert_eq!(outcome, Ok(()));
                    let bytes = |lane: u32| (0..n_bytes).map(move |at| (lane, places[lane as usize] + at));
                    let mut wanted: Vec<_> = bits(mask).flat_map(bytes).collect();
                    found.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(found, wanted, "{n_bytes} bytes, stride {stride}, {mask:#x}");
                    assert_eq!(places.len(), WARP_SIZE);
                }
            }
        }
    }
}
