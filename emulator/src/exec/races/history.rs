//! The accesses to a space: lines of memory, found by their addresses.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::clock::Clock;
use super::deferred::Deferred;
use super::line::Line;
use super::row::{N_UNITS, Row};
use crate::memory::host::{HostMemory, HostOutOfMemory, Reserved};

/// How many bytes a line has: a warp that accesses a word each, side by side, accesses one or two.
pub(super) const LINE_SIZE: u64 = 4 * N_UNITS as u64;

/// How many lines a page has.
const PAGE_LINES: u64 = 32;

/// How many of the last pages are found without a look at the table.
const N_RECENT: usize = 256;

/// What is known of a space.
pub(in crate::exec) struct History {
    pages: Vec<Page>,
    /// Where in `pages` each is.
    numbers: HashMap<u64, u32>,
    /// The same for those looked for last.
    recent: Box<[(u64, u32); N_RECENT]>,
    /// Something has been released in it.
    pub(super) has_releases: bool,
    pub(super) deferred: Deferred,
    /// Of mbarrier objects.
    pub(super) mbarriers: BTreeMap<u64, MbarrierSync>,
    /// What of the host's memory all of that takes.
    reserved: Reserved,
}

struct Page {
    number: u64,
    lines: Box<[Line; PAGE_LINES as usize]>,
}

/// What came before the arrivals at an mbarrier object: in the phase that goes on, and in those that are over.
#[derive(Default)]
pub(super) struct MbarrierSync {
    pub(super) arrived: Arc<Clock>,
    pub(super) completed: Arc<Clock>,
}

impl History {
    pub(in crate::exec) fn new(host: &Arc<HostMemory>) -> Self {
        History {
            pages: Vec::new(),
            numbers: HashMap::new(),
            recent: Box::new([(u64::MAX, 0); N_RECENT]),
            has_releases: false,
            deferred: Deferred::default(),
            mbarriers: BTreeMap::new(),
            reserved: Reserved::none(host),
        }
    }

    /// The line of an address.
    pub(super) fn line(&mut self, address: u64) -> Result<&mut Line, HostOutOfMemory> {
        let line = address / LINE_SIZE;
        let (page, at) = (line / PAGE_LINES, (line % PAGE_LINES) as usize);
        let slot = (page.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % N_RECENT;
        let idx = match self.recent[slot] {
            (number, idx) if number == page => idx,
            _ => {
                let idx = self.page(page)?;
                self.recent[slot] = (page, idx);
                idx
            }
        };
        Ok(&mut self.pages[idx as usize].lines[at])
    }

    fn page(&mut self, number: u64) -> Result<u32, HostOutOfMemory> {
        if let Some(&idx) = self.numbers.get(&number) {
            return Ok(idx);
        }
        self.reserved.grow((size_of::<Line>() as u64) * PAGE_LINES)?;
        let idx = self.pages.len() as u32;
        self.pages.push(Page { number, lines: Box::new(std::array::from_fn(|_| Line::default())) });
        self.numbers.insert(number, idx);
        Ok(idx)
    }

    /// Lines take more of the host's memory.
    pub(super) fn grow(&mut self, n_bytes: u64) -> Result<(), HostOutOfMemory> {
        if n_bytes > 0 { self.reserved.grow(n_bytes) } else { Ok(()) }
    }

    /// Rows of all lines with the addresses of these, in no order.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u64, &Row)> {
        self.pages.iter().flat_map(|page| {
            let first = page.number * PAGE_LINES;
            (first..)
                .zip(page.lines.iter())
                .flat_map(|(line, of)| of.rows().map(move |row| (line * LINE_SIZE, row)))
        })
    }
}
