//! The axioms of the memory model, on a candidate: events, what each read reads from, and the order of the sequentially
//! consistent fences (PTX ISA "Memory Consistency Model").
//!
//! As relations they are those of the ASPLOS 2019 paper. Causality order does not depend on coherence order
//! there, so that it is computed first; of coherence order, what causality does not say is then tried both ways.

use std::collections::BTreeMap;

use super::relation::Relation;
use super::thread::{Event, EventKind, Location};
use crate::program::code::{Order, Scope, Semantics};

/// Where a thread is: its cluster and its block.
pub(super) type Position = (u32, u32);

/// An event of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// None of what a place holds at the start.
    pub(super) thread: Option<usize>,
    pub(super) event: Event,
}

/// What the axioms are asked about.
pub(super) struct Candidate<'a> {
    /// What places hold at the start, then the threads' events one after the other.
    pub(super) events: &'a [Placed],
    pub(super) positions: &'a [Position],
    /// For each event that reads, the one that it reads from.
    pub(super) reads_from: &'a [Option<usize>],
    /// The sequentially consistent fences in an order.
    pub(super) fences: &'a [usize],
    /// Which barriers of blocks are the same.
    pub(super) barriers: &'a Relation,
}

/// What an execution that the model allows comes to.
pub(super) struct Allowed {
    /// The values that a place may hold in the end.
    pub(super) finals: BTreeMap<Location, Vec<u64>>,
    pub(super) has_race: bool,
}

impl Placed {
    fn access(&self) -> Option<(Location, Option<u64>, Option<u64>, Order)> {
        match self.event.kind {
            EventKind::Access { location, read, written, order } => Some((location, read, written, order)),
            EventKind::Fence(_) | EventKind::Barrier(_) => None,
        }
    }

    fn location(&self) -> Option<Location> {
        self.access().map(|(location, ..)| location)
    }

    pub(super) fn reads(&self) -> bool {
        self.access().is_some_and(|(_, read, ..)| read.is_some())
    }

    pub(super) fn writes(&self) -> bool {
        self.access().is_some_and(|(_, _, written, _)| written.is_some())
    }

    /// The scope of a strong operation (PTX ISA "Operation Types": also fences).
    fn strong_scope(&self) -> Option<Scope> {
        match self.event.kind {
            EventKind::Access { order, .. } => order.is_strong().then_some(order.scope),
            EventKind::Fence(fence) => Some(fence.scope),
            EventKind::Barrier(_) => None,
        }
    }

    fn is_fence(&self, is_of_kind: impl Fn(Semantics) -> bool) -> bool {
        matches!(self.event.kind, EventKind::Fence(fence) if is_of_kind(fence.semantics))
    }

    fn is_access(&self, is_of_kind: impl Fn(Semantics) -> bool) -> bool {
        self.access().is_some_and(|(.., order)| is_of_kind(order.semantics))
    }
}

impl Candidate<'_> {
    fn n(&self) -> usize {
        self.events.len()
    }

    fn is_same_place(&self, a: usize, b: usize) -> bool {
        let place = self.events[a].location();
        place.is_some() && place == self.events[b].location()
    }

    /// PTX ISA "Program Order".
    fn is_before(&self, a: usize, b: usize) -> bool {
        a < b && self.events[a].thread.is_some() && self.events[a].thread == self.events[b].thread
    }

    /// PTX ISA "Morally Strong Operations".
    fn are_morally_strong(&self, a: usize, b: usize) -> bool {
        let (Some(thread), Some(other)) = (self.events[a].thread, self.events[b].thread) else {
            return false;
        };
        let is_overlap = self.events[a].location().is_none()
            || self.events[b].location().is_none()
            || self.is_same_place(a, b);
        let includes = |event: usize, from: usize, to: usize| {
            let ((cluster, block), (other_cluster, other_block)) = (self.positions[from], self.positions[to]);
            match self.events[event].strong_scope() {
                None => false,
                Some(Scope::Block) => (cluster, block) == (other_cluster, other_block),
                Some(Scope::Cluster) => cluster == other_cluster,
                Some(Scope::Device | Scope::System) => true,
            }
        };
        a != b && is_overlap && (thread == other || includes(a, thread, other) && includes(b, other, thread))
    }

    /// PTX ISA "Release and Acquire Patterns": from the first operation to the write.
    fn release_patterns(&self) -> Relation {
        Relation::of(self.n(), |first, write| {
            let (first_event, write_event) = (&self.events[first], &self.events[write]);
            let releases = first_event.is_access(Semantics::is_release) && first_event.writes();
            if first == write {
                return releases;
            }
            let is_strong_write = write_event.writes() && write_event.strong_scope().is_some();
            let is_pattern =
                releases && self.is_same_place(first, write) || first_event.is_fence(Semantics::is_release);
            is_strong_write && is_pattern && self.is_before(first, write)
        })
    }

    /// PTX ISA "Release and Acquire Patterns": from the read to the last operation.
    fn acquire_patterns(&self) -> Relation {
        Relation::of(self.n(), |read, last| {
            let (read_event, last_event) = (&self.events[read], &self.events[last]);
            let acquires = last_event.is_access(Semantics::is_acquire) && last_event.reads();
            if read == last {
                return acquires;
            }
            let is_strong_read = read_event.reads() && read_event.strong_scope().is_some();
            let is_pattern =
                acquires && self.is_same_place(read, last) || last_event.is_fence(Semantics::is_acquire);
            is_strong_read && is_pattern && self.is_before(read, last)
        })
    }

    /// What the model makes of it; none if an axiom forbids it, and otherwise for each order of writes that it leaves open.
    pub(super) fn judge(&self) -> Vec<Allowed> {
        let n = self.n();
        let before = Relation::of(n, |a, b| self.is_before(a, b));
        let strong = Relation::of(n, |a, b| self.are_morally_strong(a, b));
        let reads_from = Relation::of(n, |write, read| self.reads_from[read] == Some(write));
        // PTX ISA "No Thin Air".
        let depends = Relation::of(n, |a, b| {
            let first = b - self.own_index(b);
            self.is_before(a, b) && self.events[b].event.depends >> (a - first) & 1 != 0
        });
        if !reads_from.or(&depends).is_acyclic() {
            return Vec::new();
        }
        // PTX ISA "Observation Order": also through read-modify-writes, which read and write at once.
        let observation = reads_from.filtered(|a, b| strong.has(a, b)).closure();
        // PTX ISA "Memory synchronization".
        let synchronizes = self.release_patterns().then(&observation).then(&self.acquire_patterns());
        let synchronizes = synchronizes.filtered(|a, b| strong.has(a, b));
        let mut rank = vec![0; n];
        self.fences.iter().enumerate().for_each(|(idx, &fence)| rank[fence] = idx + 1);
        let fences = Relation::of(n, |a, b| rank[a] > 0 && rank[a] < rank[b] && strong.has(a, b));
        // PTX ISA "Causality Order". What places hold at the start comes before all.
        let start =
            Relation::of(n, |a, b| self.events[a].thread.is_none() && self.events[b].thread.is_some());
        let base = before.or(&synchronizes).or(&fences).or(self.barriers).or(&start).closure();
        let causality = base.or(&observation.then(&base));
        // PTX ISA "Fence-SC".
        let contradicts =
            |(a, b): (usize, usize)| rank[a] > 0 && rank[b] > 0 && strong.has(a, b) && rank[b] < rank[a];
        if causality.pairs().any(contradicts) {
            return Vec::new();
        }
        let has_race = self.has_race(&strong, &causality);
        // PTX ISA "Coherence": causality orders writes of a place.
        let are_writes = |a: usize, b: usize| {
            self.is_same_place(a, b) && self.events[a].writes() && self.events[b].writes()
        };
        let coherence = causality.filtered(are_writes).closure();
        let mut open: Vec<(usize, usize)> =
            strong.pairs().filter(|&(a, b)| a < b && are_writes(a, b)).collect();
        open.retain(|&(a, b)| !coherence.has(a, b) && !coherence.has(b, a));
        let mut orders = Vec::new();
        orient(coherence, &open, &mut orders);
        let is_allowed =
            |coherence: &&Relation| self.obeys(coherence, &before, &strong, &reads_from, &causality);
        let allowed = orders.iter().filter(is_allowed);
        allowed.map(|coherence| Allowed { finals: self.finals(coherence), has_race }).collect()
    }

    /// The number of an event among those of its thread.
    fn own_index(&self, event: usize) -> usize {
        let thread = self.events[event].thread;
        self.events[..event].iter().rev().take_while(|other| other.thread == thread).count()
    }

    /// The axioms that coherence order has to do with.
    fn obeys(
        &self,
        coherence: &Relation,
        before: &Relation,
        strong: &Relation,
        reads_from: &Relation,
        causality: &Relation,
    ) -> bool {
        if !coherence.is_irreflexive() {
            return false;
        }
        // PTX ISA "Communication Order": from a read to the writes after the one that it reads from.
        let from_reads = Relation::of(self.n(), |read, write| {
            read != write && self.reads_from[read].is_some_and(|source| coherence.has(source, write))
        });
        // PTX ISA "Causality".
        if !reads_from.or(&from_reads).then(causality).is_irreflexive() {
            return false;
        }
        // PTX ISA "Atomicity".
        let tears = |rmw: usize, write: usize| {
            from_reads.has(rmw, write)
                && coherence.has(write, rmw)
                && strong.has(rmw, write)
                && self.events[rmw].writes()
        };
        if (0..self.n()).any(|rmw| (0..self.n()).any(|write| tears(rmw, write))) {
            return false;
        }
        // PTX ISA "Sequential Consistency Per Location".
        let communication = reads_from.or(coherence).or(&from_reads).filtered(|a, b| strong.has(a, b));
        communication.or(&before.filtered(|a, b| self.is_same_place(a, b))).is_acyclic()
    }

    /// PTX ISA "Conflict and Data-races": conflicting accesses of two threads that nothing orders.
    fn has_race(&self, strong: &Relation, causality: &Relation) -> bool {
        let n = self.n();
        let races = |a: usize, b: usize| {
            self.is_same_place(a, b)
                && (self.events[a].writes() || self.events[b].writes())
                && ![a, b].iter().any(|&event| self.events[event].thread.is_none())
                && self.events[a].thread != self.events[b].thread
                && !strong.has(a, b)
                && !causality.has(a, b)
                && !causality.has(b, a)
        };
        (0..n).any(|a| (0..a).any(|b| races(a, b)))
    }

    /// The values of the writes that no other comes after.
    fn finals(&self, coherence: &Relation) -> BTreeMap<Location, Vec<u64>> {
        let mut finals: BTreeMap<Location, Vec<u64>> = BTreeMap::new();
        for (event, placed) in self.events.iter().enumerate() {
            if let Some((location, _, Some(value), _)) = placed.access()
                && (0..self.n()).all(|other| !coherence.has(event, other))
            {
                finals.entry(location).or_default().push(value);
            }
        }
        finals
    }
}

/// All orders that say of each open pair which is first.
fn orient(order: Relation, open: &[(usize, usize)], orders: &mut Vec<Relation>) {
    let Some((&(a, b), rest)) = open.split_first() else {
        orders.push(order);
        return;
    };
    if order.has(a, b) || order.has(b, a) {
        orient(order, rest, orders);
        return;
    }
    for (first, second) in [(a, b), (b, a)] {
        let mut oriented = order.clone();
        oriented.add(first, second);
        orient(oriented.closure(), rest, orders);
    }
}
