//! The history of a line of memory: the last accesses to each of its units that a later one may race with,
//! and the releases there.
//!
//! An access is kept until a later one subsumes it: one that it precedes, that conflicts with everything that
//! it conflicts with, and that is not morally strong more often. So a race is found whichever of two accesses
//! ran first.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::actor::{Acting, Found};
use super::release::Release;
use super::row::{Kind, Mapping, N_UNITS, Reach, Row, bits};
use crate::compute::WARP_SIZE;
use crate::exec::fault::Touch;

/// The length at which a list of rows is split into lists of single units.
const MAX_SCATTERED: usize = 32;

/// The length at which a list is compacted.
const MAX_ROWS: usize = 2 * MAX_SCATTERED;

/// The number of recent rows that are compared with a new one.
const N_LAST: usize = 8;

/// The accesses to a line, and releases there.
#[derive(Default)]
pub(super) struct Line {
    /// By word, if no byte was accessed separately.
    words: Rows,
    /// Otherwise by byte, for each quarter of the line.
    bytes: Option<Box<[Rows; 4]>>,
    pub(super) releases: Vec<Release>,
}

/// The accesses to some units.
#[derive(Default)]
pub(super) struct Rows {
    /// Writes and atomic operations.
    writes: List,
    reads: List,
    /// Scattered accesses, by unit.
    cells: Option<Box<[Cell; N_UNITS as usize]>>,
}

/// The accesses to one unit.
#[derive(Default)]
struct Cell {
    writes: List,
    reads: List,
}

/// Accesses, some of which may represent others.
#[derive(Default)]
struct List {
    rows: SmallVec<[Row; 1]>,
    /// The block whose threads made all of them, and the latest time, if it is one block.
    last: Option<(u32, u32)>,
    /// If all of them are strong and of one width: the width, and the narrowest scope among them.
    strong: Option<(u8, Reach)>,
}

impl Line {
    /// Records an access to the line, and returns an earlier one that it races with. `start` is the address
    /// of its first unit.
    pub(super) fn access(
        &mut self,
        row: &Row,
        start: u64,
        is_bytes: bool,
        acting: &mut Acting<'_>,
    ) -> Option<Found> {
        match is_bytes {
            true => self.access_bytes(row, start, acting),
            false => self.access_words(row, start, acting),
        }
    }

    fn access_words(&mut self, row: &Row, start: u64, acting: &mut Acting<'_>) -> Option<Found> {
        let Some(bytes) = &mut self.bytes else {
            return self.words.access(row, start, 4, acting);
        };
        let mut found = None;
        for (quarter, rows) in (0..).zip(bytes.iter_mut()) {
            let part = row.quarter(quarter);
            if part.units != 0 {
                let other = rows.access(&part, start + u64::from(N_UNITS * quarter), 1, acting);
                found = Found::worse(found, other);
            }
        }
        found
    }

    /// The same for bytes of a quarter of the line.
    fn access_bytes(&mut self, row: &Row, start: u64, acting: &mut Acting<'_>) -> Option<Found> {
        let quarter = (start / u64::from(N_UNITS) % 4) as usize;
        let words = &mut self.words;
        let bytes = self.bytes.get_or_insert_with(|| {
            acting.n_grown += size_of::<[Rows; 4]>() as u64;
            Box::new(std::array::from_fn(|quarter| words.quarter(quarter as u32)))
        });
        bytes[quarter].access(row, start, 1, acting)
    }

    /// A thread's (not a copy's) row that wrote to one of the words since the access of that number.
    pub(super) fn written_since(&self, words: u32, seq: u64) -> Option<Row> {
        let found = |rows: &Rows, units: u32| {
            let cells =
                rows.cells.iter().flat_map(|cells| bits(units).map(|unit| &cells[unit as usize].writes));
            let mut all = std::iter::once(&rows.writes).chain(cells).flat_map(|list| &list.rows);
            all.find(|row| row.units & units != 0 && !row.actor.is_channel() && row.seq >= seq).cloned()
        };
        match &self.bytes {
            None => found(&self.words, words),
            Some(bytes) => (0..).zip(bytes.iter()).find_map(|(quarter, rows)| {
                let units =
                    bits(words >> (8 * quarter) & 0xFF).fold(0, |units, word| units | 0xF << (4 * word));
                found(rows, units)
            }),
        }
    }

    /// All rows of writes, for messages.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        let quarters = self.bytes.iter().flat_map(|bytes| bytes.iter());
        std::iter::once(&self.words).chain(quarters).flat_map(Rows::all)
    }
}

impl Rows {
    fn all(&self) -> impl Iterator<Item = &Row> {
        let cells = self.cells.iter().flat_map(|cells| cells.iter());
        let lists = cells.flat_map(|cell| [&cell.writes, &cell.reads]);
        [&self.writes, &self.reads].into_iter().chain(lists).flat_map(|list| &list.rows)
    }

    /// The rows of a unit.
    pub(super) fn at(&self, unit: u32) -> impl Iterator<Item = &Row> {
        let cell = self.cells.iter().flat_map(move |cells| {
            let cell = &cells[unit as usize];
            [&cell.writes, &cell.reads]
        });
        let rows = [&self.writes, &self.reads].into_iter().chain(cell).flat_map(|list| &list.rows);
        rows.filter(move |row| row.units >> unit & 1 != 0)
    }

    fn quarter(&self, quarter: u32) -> Rows {
        let part = |list: &List| {
            let rows = list.rows.iter().map(|row| row.quarter(quarter)).filter(|row| row.units != 0);
            List { rows: rows.collect(), last: list.last, strong: list.strong }
        };
        let mut rows = Rows { writes: part(&self.writes), reads: part(&self.reads), cells: None };
        for cell in self.cells.iter().flat_map(|cells| cells.iter()) {
            let (writes, reads) = (part(&cell.writes), part(&cell.reads));
            for (list, part) in [(&mut rows.writes, writes), (&mut rows.reads, reads)] {
                part.rows.into_iter().for_each(|row| list.push(row, None));
            }
        }
        rows
    }

    fn access(&mut self, row: &Row, start: u64, unit_size: u64, acting: &mut Acting<'_>) -> Option<Found> {
        acting.unit = (start, unit_size);
        self.writes.forget(acting);
        self.reads.forget(acting);
        let mut found = None;
        if !self.writes.cannot_race_with(row, acting) && !self.writes.is_before(acting) {
            found = acting.conflict(&self.writes.rows, row, self);
        }
        if row.kind.writes() && !self.reads.cannot_race_with(row, acting) && !self.reads.is_before(acting) {
            found = Found::worse(found, acting.conflict(&self.reads.rows, row, self));
        }
        if let Some(cells) = &self.cells {
            for unit in bits(row.units) {
                let (cell, row) = (&cells[unit as usize], row.unit(unit));
                let races = |list: &List| !list.cannot_race_with(&row, acting) && !list.is_before(acting);
                if races(&cell.writes) {
                    found = Found::worse(found, acting.conflict(&cell.writes.rows, &row, self));
                }
                if row.kind.writes() && races(&cell.reads) {
                    found = Found::worse(found, acting.conflict(&cell.reads.rows, &row, self));
                }
            }
        }
        self.note(row, acting);
        found
    }

    /// Replaces what an access subsumes by the access.
    fn note(&mut self, row: &Row, acting: &mut Acting<'_>) {
        let list = if row.kind.writes() { &self.writes } else { &self.reads };
        let is_known = list.has_row_of_warp(row);
        if is_known && list.contains(row) {
            return;
        }
        if row.kind.writes() {
            self.writes.replace(row, acting);
            self.reads.replace(row, acting);
        } else if is_known || self.reads.is_before(acting) {
            self.reads.replace(row, acting);
        }
        if let Some(cells) = &mut self.cells {
            for unit in bits(row.units) {
                let (cell, row) = (&mut cells[unit as usize], row.unit(unit));
                cell.writes.forget(acting);
                cell.reads.forget(acting);
                if row.kind.writes() {
                    cell.writes.replace(&row, acting);
                }
                cell.reads.replace(&row, acting);
            }
        }
        let list = if row.kind.writes() { &mut self.writes } else { &mut self.reads };
        if is_known && list.merge(row) {
            return;
        }
        if !matches!(row.mapping, Mapping::Same(_)) || list.rows.len() < MAX_SCATTERED {
            acting.n_grown += list.add(row, acting);
            return;
        }
        let cells = self.cells.get_or_insert_with(|| {
            acting.n_grown += size_of::<[Cell; N_UNITS as usize]>() as u64;
            Box::default()
        });
        for unit in bits(row.units) {
            let cell = &mut cells[unit as usize];
            let list = if row.kind.writes() { &mut cell.writes } else { &mut cell.reads };
            let row = row.unit(unit);
            if !list.merge(&row) {
                acting.n_grown += list.add(&row, acting);
            }
        }
    }
}

impl List {
    /// The last rows, which are compared with new ones.
    fn recent(&self) -> &[Row] {
        &self.rows[self.rows.len().saturating_sub(N_LAST)..]
    }

    /// Whether no row can race with the access: all are strong, of one size, and include each other in their
    /// scopes.
    fn cannot_race_with(&self, row: &Row, acting: &Acting<'_>) -> bool {
        let (Some((width, reach)), Some(own)) = (self.strong, row.kind.reach()) else {
            return self.rows.is_empty();
        };
        let is_of_block = || self.last.is_some_and(|(block, _)| u64::from(block) == acting.own_block.0);
        self.rows.is_empty() || width == row.kind.width && (reach.min(own) == Reach::Device || is_of_block())
    }

    /// Whether all rows precede the access because the same block made them before a barrier.
    fn is_before(&self, acting: &Acting<'_>) -> bool {
        let (block, time) = acting.own_block;
        self.last.is_some_and(|(of, last)| u64::from(of) == block && last <= time)
    }

    /// Clears the list if no access can race with it any more.
    fn forget(&mut self, acting: &Acting<'_>) {
        if !self.rows.is_empty() && self.last.is_some_and(|(_, last)| last <= acting.forgotten) {
            self.rows.clear();
        }
    }

    /// Whether threads of the same warp made one of the last accesses.
    fn has_row_of_warp(&self, row: &Row) -> bool {
        self.recent().iter().any(|old| old.actor == row.actor)
    }

    /// Whether the same threads did the same since they last synchronized.
    fn contains(&self, row: &Row) -> bool {
        let is_same = |old: &Row| {
            old.actor == row.actor
                && old.time == row.time
                && row.units & !old.units == 0
                && old.kind == row.kind
                && old.mapping == row.mapping
        };
        !row.kind.order.is_strong() && !row.actor.is_channel() && self.recent().iter().any(is_same)
    }

    /// Removes what an access subsumes.
    fn replace(&mut self, row: &Row, acting: &Acting<'_>) {
        if self.rows.is_empty() {
            return;
        }
        if !row.kind.order.is_strong() && self.is_before(acting) {
            self.rows.retain(|old| {
                // A thread still needs what it observed there.
                if !old.kind.observes() {
                    old.units &= !row.units;
                }
                old.units != 0
            });
            return;
        }
        // Of many rows that do not conflict, only the last ones; `compact` visits all.
        let is_many = self.rows.len() > N_LAST && (self.cannot_race_with(row, acting) || !row.kind.writes());
        let first = if is_many { self.rows.len() - N_LAST } else { 0 };
        let mut is_empty = false;
        for old in &mut self.rows[first..] {
            if old.units & row.units != 0 && acting.subsumes(row, old) {
                old.units &= !row.units;
                is_empty |= old.units == 0;
            }
        }
        if is_empty {
            self.rows.retain(|old| old.units != 0);
        }
    }

    /// Merges a row into an existing one, if possible.
    fn merge(&mut self, row: &Row) -> bool {
        let first = self.rows.len().saturating_sub(N_LAST);
        for old in self.rows[first..].iter_mut().rev() {
            if old.actor != row.actor
                || old.time != row.time
                || old.instruction != row.instruction
                || old.kind != row.kind
            {
                continue;
            }
            // The order of strong accesses must not be lost.
            if old.mapping == row.mapping && !row.kind.order.is_strong() {
                (old.units, old.seq) = (old.units | row.units, row.seq);
                return true;
            }
            if let (Mapping::Same(lanes), Mapping::Same(more)) = (&old.mapping, &row.mapping)
                && old.units == row.units
                && (old.seq == row.seq || !row.kind.order.is_strong())
            {
                (old.mapping, old.seq) = (Mapping::Same(lanes | more), row.seq);
                return true;
            }
        }
        false
    }

    /// Appends a row: of a block's thread, or of a copy.
    fn push(&mut self, row: Row, block: Option<u32>) {
        self.last = match (self.last, block) {
            (_, None) => None,
            (_, Some(block)) if self.rows.is_empty() => Some((block, row.time)),
            (Some((of, time)), Some(block)) if of == block => Some((of, time.max(row.time))),
            (Some(_) | None, Some(_)) => None,
        };
        let own = row.kind.reach().map(|reach| (row.kind.width, reach));
        self.strong = match (self.strong, own) {
            _ if self.rows.is_empty() => own,
            (Some((width, reach)), Some((other, own))) if width == other => Some((width, reach.min(own))),
            (_, _) => None,
        };
        self.rows.push(row);
    }

    /// Adds a row; returns the growth of host memory.
    fn add(&mut self, row: &Row, acting: &Acting<'_>) -> u64 {
        let before = self.rows.capacity();
        if self.rows.len() >= MAX_ROWS && self.rows.len() == before {
            self.compact();
            // Compacting again pays off only after as many new rows.
            if self.rows.len() > before / 2 {
                self.rows.reserve(before);
            }
        }
        let block = acting.own_block.0 as u32;
        self.push(row.clone(), (!row.actor.is_channel()).then_some(block));
        ((self.rows.capacity() - before) * size_of::<Row>()) as u64
    }

    /// Removes what later rows of the same threads subsume.
    fn compact(&mut self) {
        let mut later: HashMap<_, [u32; WARP_SIZE]> = HashMap::new();
        for row in self.rows.iter_mut().rev() {
            let Kind { touch, width, .. } = row.kind;
            let key = (row.actor, touch == Touch::Write, row.kind.reach(), width, row.asker());
            let seen = later.entry(key).or_default();
            let mut needed = 0;
            row.for_each_lane(|lane, units| {
                needed |= units & !seen[lane as usize];
                seen[lane as usize] |= units;
            });
            row.units = needed;
        }
        self.rows.retain(|row| row.units != 0);
    }
}
