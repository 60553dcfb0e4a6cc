//! The accesses of a warp by one instruction, as rows of the lines that they are in. Most are of neighbouring words, one
//! of each thread, or all of one word; what is scattered becomes a row for each thread.

use super::history::LINE_SIZE;
use super::row::{Mapping, N_UNITS, Row, bits};
use crate::compute::Lanes;
use crate::memory::host::HostOutOfMemory;

/// How many bytes a word has.
const WORD: u64 = 4;

/// How the addresses of threads follow from one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// All are the same.
    Same,
    /// Each is so many bytes, two to the power of this, after or before that of the thread before.
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

impl<'a> Pattern<'a> {
    pub(super) fn of(mask: u32, places: &'a Lanes, n_bytes: u64) -> Self {
        Pattern { arrangement: arrangement(mask, places, n_bytes), mask, places, n_bytes }
    }

    /// Gives the rows one after the other: the address where the units of each begin, and whether they are bytes.
    pub(super) fn rows(
        &self,
        row: Row,
        mut give: impl FnMut(u64, &Row, bool) -> Result<(), HostOutOfMemory>,
    ) -> Result<(), HostOutOfMemory> {
        let first = self.mask.trailing_zeros();
        let place = |lane: u32| self.places[lane as usize];
        let is_bytes = self.n_bytes < WORD;
        let (unit, span) = if is_bytes { (1, u64::from(N_UNITS)) } else { (WORD, LINE_SIZE) };
        // How many units an access has, and those of it in its line.
        let own = ((1_u64 << self.n_bytes.div_ceil(unit)) - 1) as u32;
        let units = |at: u64| own << (at % span / unit);
        let alone = |lanes: u32, at: u64| Row { units: units(at), mapping: Mapping::Same(lanes), ..row };
        match self.arrangement {
            Arrangement::Same => give(place(first) / span * span, &alone(self.mask, place(first)), is_bytes),
            Arrangement::Scattered => {
                for lane in bits(self.mask) {
                    give(place(lane) / span * span, &alone(1 << lane, place(lane)), is_bytes)?;
                }
                Ok(())
            }
            Arrangement::Strided { shift, is_up } => {
                let mut left = self.mask;
                // Where lane 0 would be, in units from the beginning of the line.
                let origin = |start: u64| {
                    let distance = u64::from(first) << shift;
                    let zero =
                        if is_up { place(first).wrapping_sub(distance) } else { place(first) + distance };
                    (zero.wrapping_sub(start) as i64 / unit as i64) as i16
                };
                let shift_in_units = (shift - unit.trailing_zeros()) as u8;
                while left != 0 {
                    let start = place(left.trailing_zeros()) / span * span;
                    let (mut of_line, mut here) = (0, 0);
                    for lane in bits(left) {
                        if place(lane) / span * span != start {
                            break;
                        }
                        of_line |= 1 << lane;
                        here |= units(place(lane));
                    }
                    left &= !of_line;
                    let delta = origin(start);
                    let mapping = match is_up {
                        true => Mapping::Up { delta: -delta, shift: shift_in_units },
                        false => {
                            Mapping::Down { delta: delta + (1 << shift_in_units) - 1, shift: shift_in_units }
                        }
                    };
                    give(start, &Row { units: here, mapping, ..row }, is_bytes)?;
                }
                Ok(())
            }
        }
    }
}

fn arrangement(mask: u32, places: &Lanes, n_bytes: u64) -> Arrangement {
    let place = |lane: u32| places[lane as usize];
    let first = mask.trailing_zeros();
    let rest = mask & (mask - 1);
    if rest == 0 {
        return Arrangement::Same;
    }
    let second = rest.trailing_zeros();
    let apart = place(second).wrapping_sub(place(first)) as i64;
    let n_lanes = i64::from(second - first);
    let stride = apart / n_lanes;
    let is_even =
        |lane: u32| place(lane) == place(first).wrapping_add((stride * i64::from(lane - first)) as u64);
    if !bits(rest).all(is_even) {
        return Arrangement::Scattered;
    }
    match stride.unsigned_abs() {
        0 => Arrangement::Same,
        size if size.is_power_of_two() && size >= n_bytes && size <= LINE_SIZE => {
            Arrangement::Strided { shift: size.trailing_zeros(), is_up: stride > 0 }
        }
        _ => Arrangement::Scattered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::WARP_SIZE;
    use crate::exec::fault::Touch;
    use crate::exec::races::clock::Actor;
    use crate::exec::races::row::Kind;
    use crate::program::code::Order;

    /// The bytes that rows say of each lane are those that it accesses.
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
                    let outcome = pattern.rows(empty, |start, row, is_bytes| {
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
