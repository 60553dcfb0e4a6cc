//! The accesses to a state space: lines of memory, by address.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::clock::Clock;
use super::deferred::Deferred;
use super::line::Line;
use super::row::{N_UNITS, Row};
use crate::memory::host::{HostMemory, HostOutOfMemory, Reserved};

/// The size of a line in bytes: a warp whose threads access adjacent words touches one or two.
pub(super) const LINE_SIZE: u64 = 4 * N_UNITS as u64;

/// The number of lines per page.
const PAGE_LINES: u64 = 32;

/// The number of recent pages that are found without a table lookup.
const N_RECENT: usize = 256;

/// The access history of a state space.
pub(in crate::exec) struct History {
    pages: Vec<Page>,
    /// The index of each page in `pages`.
    numbers: HashMap<u64, u32>,
    /// A direct-mapped cache of `numbers`.
    recent: Box<[(u64, u32); N_RECENT]>,
    /// Whether there are releases in it.
    pub(super) has_releases: bool,
    pub(super) deferred: Deferred,
    /// The state of mbarrier objects.
    pub(super) mbarriers: BTreeMap<u64, MbarrierSync>,
    /// Reserves the host memory of all this.
    reserved: Reserved,
}

struct Page {
    number: u64,
    lines: Box<[Line; PAGE_LINES as usize]>,
}

/// What precedes the arrivals at an mbarrier object: in the current phase, and in completed ones.
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

    /// The line that contains an address.
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

    /// Reserves more host memory for lines.
    pub(super) fn grow(&mut self, n_bytes: u64) -> Result<(), HostOutOfMemory> {
        if n_bytes > 0 { self.reserved.grow(n_bytes) } else { Ok(()) }
    }

    /// The rows of all lines with the lines' addresses, in no particular order.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u64, &Row)> {
        self.pages.iter().flat_map(|page| {
            let first = page.number * PAGE_LINES;
            (first..)
                .zip(page.lines.iter())
                .flat_map(|(line, of)| of.rows().map(move |row| (line * LINE_SIZE, row)))
        })
    }
}
