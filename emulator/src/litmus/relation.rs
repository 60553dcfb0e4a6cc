//! Relations of at most 64 events: for each, a bit for every event after it.

/// How many events there can be.
pub(super) const MAX_EVENTS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    rows: Vec<u64>,
}

impl Relation {
    /// All pairs for which something holds.
    pub(super) fn of(n_events: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let row = |a| (0..n_events).filter(|&b| holds(a, b)).fold(0, |row, b| row | 1 << b);
        Relation { rows: (0..n_events).map(row).collect() }
    }

    pub(super) fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a] >> b & 1 != 0
    }

    pub(super) fn add(&mut self, a: usize, b: usize) {
        self.rows[a] |= 1 << b;
    }

    pub(super) fn or(&self, other: &Relation) -> Relation {
        Relation { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| a | b).collect() }
    }

    pub(super) fn filtered(&self, keeps: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::of(self.rows.len(), |a, b| self.has(a, b) && keeps(a, b))
    }

    /// The one, and the other after it.
    pub(super) fn then(&self, other: &Relation) -> Relation {
        let row = |row: &u64| {
            let behind = other.rows.iter().enumerate().filter(|(b, _)| row >> b & 1 != 0);
            behind.fold(0, |all, (_, behind)| all | behind)
        };
        Relation { rows: self.rows.iter().map(row).collect() }
    }

    /// Any number of steps, but one at least.
    pub(super) fn closure(mut self) -> Relation {
        for through in 0..self.rows.len() {
            let behind = self.rows[through];
            for row in &mut self.rows {
                *row |= if *row >> through & 1 != 0 { behind } else { 0 };
            }
        }
        self
    }

    /// No event precedes itself.
    pub(super) fn is_irreflexive(&self) -> bool {
        self.rows.iter().enumerate().all(|(event, row)| row >> event & 1 == 0)
    }

    pub(super) fn is_acyclic(&self) -> bool {
        self.clone().closure().is_irreflexive()
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.rows.len();
        (0..n).flat_map(move |a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| self.has(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_composed_and_closed() {
        let next = Relation::of(5, |a, b| b == a + 1);
        assert_eq!(next.then(&next).pairs().collect::<Vec<_>>(), [(0, 2), (1, 3), (2, 4)]);
        let closed = next.clone().closure();
        assert_eq!(closed, Relation::of(5, |a, b| a < b));
        assert!(next.is_acyclic() && closed.is_irreflexive());
        let mut ring = next;
        ring.add(4, 0);
        assert!(ring.is_irreflexive() && !ring.is_acyclic());
    }
}
