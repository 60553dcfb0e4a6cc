//! Time slices of a warp's divergent paths.
//!
//! Since sm_70 threads of a warp make progress independently (CUDA C++ Programming Guide, "Independent Thread
//! Scheduling"): a lane that spins on a lock must not keep the lane that holds it from running. While no path
//! has used up its time slice, the rule is that of `warp`: deepest in calls first, then furthest back, so
//! that threads reconverge. In addition:
//!
//! - Each backward branch costs a part of the time slice, which `program/loops` decides: one that may wait
//!   for other threads costs much, any other one little. When the slice is used up, the path yields: it goes
//!   to the end of the queue.
//! - A path that is ahead of one that has yielded gets only a short lead, so that the two can still meet;
//!   then it yields, too. The lead doubles each time the loop after it uses up its slice without releasing a
//!   thread.
//! - When all threads have reconverged, everything restarts.
//!
//! **Invariant.** Stamps only grow: a ready path gets its turn after at most as many turns as there are other
//! threads, whatever those do.

use std::cmp::Reverse;

use super::warp::{DivergentPath, Warp};

/// The cost of backward branches that fits in a time slice.
const SLICE: u32 = 1 << 14;

/// The number of instructions that a path ahead of one that has yielded may execute, at first.
const LEAD: u64 = 64;

/// How often the lead can double.
const MAX_DOUBLINGS: u32 = 8;

/// The time slices of a warp.
pub(super) struct Turns {
    /// The stamp of the path that yielded last; 0 if none has since the threads last reconverged.
    last: u64,
    /// What is left of the time slice.
    slice: u32,
    /// The number of instructions left in the lead.
    lead: u64,
    /// How often a loop has used up its slice since a thread last left one.
    n_exhausted: u32,
    /// The last loop that was charged.
    charged: Option<Loop>,
}

/// Threads at the head of a loop.
#[derive(Clone, Copy)]
struct Loop {
    frame: usize,
    head: u32,
    mask: u32,
}

impl Loop {
    /// Whether it is the same loop, and threads have left it since.
    fn has_lost(self, earlier: Loop) -> bool {
        (self.frame, self.head) == (earlier.frame, earlier.head)
            && self.mask != earlier.mask
            && self.mask & !earlier.mask == 0
    }
}

/// How long a path may run.
#[derive(Clone, Copy)]
pub(super) struct Lead {
    mask: u32,
    stamp: u64,
    /// The number of instructions.
    n_instructions: u64,
}

impl Lead {
    /// What must remain of a budget when the lead ends.
    pub(super) fn floor(lead: Option<Lead>, left: u64) -> u64 {
        lead.map_or(0, |lead| left.saturating_sub(lead.n_instructions))
    }
}

impl Turns {
    pub(super) fn new() -> Self {
        Turns { last: 0, slice: SLICE, lead: LEAD, n_exhausted: 0, charged: None }
    }

    /// Restarts when all threads have reconverged.
    pub(super) fn restart(&mut self, path: &mut DivergentPath) {
        if self.charged.is_some() {
            *self = Turns::new();
            path.stamp = 0;
        }
    }
}

impl Warp {
    /// Charges threads that branch backward to a loop head while others of the warp are elsewhere.
    pub(super) fn charge(&mut self, frame: usize, head: u32, mask: u32, cost: u32) {
        let now = Loop { frame, head, mask };
        // In a loop that retries an atomic operation, one thread succeeds in each iteration.
        let gets_on = self.turns.charged.replace(now).is_some_and(|earlier| now.has_lost(earlier));
        let cost = if gets_on { 1 } else { cost };
        if gets_on {
            self.turns.n_exhausted = 0;
        }
        self.turns.slice = self.turns.slice.saturating_sub(cost);
        if self.turns.slice == 0 {
            self.turns.n_exhausted = (self.turns.n_exhausted + 1).min(MAX_DOUBLINGS);
            self.end_turn(mask);
        }
    }

    /// Sends threads to the end of the queue.
    fn end_turn(&mut self, mask: u32) {
        let turns = &mut self.turns;
        turns.last += 1;
        turns.slice = SLICE;
        turns.lead = LEAD << turns.n_exhausted.saturating_sub(1);
        for path in self.paths.iter_mut().filter(|path| path.mask & mask != 0) {
            path.stamp = turns.last;
        }
    }

    /// The ready path whose turn it is.
    pub(super) fn next_split(&self) -> Option<usize> {
        let ready = (0..self.paths.len()).filter(|&idx| self.paths[idx].waits.is_none());
        ready.min_by_key(|&idx| (self.paths[idx].stamp, self.position(&self.paths[idx])))
    }

    /// The sort key of a position: deeper calls first, then lower addresses.
    fn position(&self, path: &DivergentPath) -> (Reverse<u32>, u32) {
        (Reverse(self.frames[path.frame].depth), path.pc)
    }

    /// The lead of a path, if it is ahead of one that has yielded.
    pub(super) fn lead(&self, idx: usize) -> Option<Lead> {
        if self.turns.last == 0 {
            return None;
        }
        let path = &self.paths[idx];
        let is_behind = |other: &DivergentPath| {
            other.stamp > path.stamp && other.waits.is_none() && self.position(other) < self.position(path)
        };
        let is_ahead = self.paths.iter().any(is_behind);
        let Turns { last: stamp, lead: n_instructions, .. } = self.turns;
        is_ahead.then_some(Lead { mask: path.mask, stamp, n_instructions })
    }

    /// Uses up instructions of the lead.
    pub(super) fn use_lead(&mut self, lead: Lead, n_executed: u64) {
        // A path that has yielded meanwhile starts a new turn.
        if self.turns.last != lead.stamp {
            return;
        }
        self.turns.lead = lead.n_instructions.saturating_sub(n_executed);
        if self.turns.lead == 0 {
            self.end_turn(lead.mask);
        }
    }
}
