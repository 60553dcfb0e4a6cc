//! Turns of the paths of one warp, while its threads are apart.
//!
//! Since sm_70 threads of a warp make progress independently (CUDA C++ Programming Guide, "Independent Thread
//! Scheduling"): a lane that spins on a lock must not keep the lane that holds it from running. As long as no path
//! has used up its turn, the rule is that of `warp`: deepest in calls first, then furthest back, so that threads meet
//! again. On top of that:
//!
//! - Each backward branch costs a part of the turn, which `program/loops` decides: one that may wait for other threads
//!   costs much, any other one little. When the turn is used up, the path yields: it goes to the end of the queue.
//! - A path that is ahead of one that has yielded gets only a short lead, so that the two can still meet; then it
//!   yields, too. The lead doubles each time the loop after it uses up its turn without letting a thread out.
//! - When all threads are together again, everything begins anew.
//!
//! **Invariant.** Stamps only grow: a path that is ready gets its turn after at most as many turns as there are other
//! threads, whatever those do.

use std::cmp::Reverse;

use super::warp::{DivergentPath, Warp};

/// What backward branches may cost in one turn.
const SLICE: u32 = 1 << 14;

/// How many instructions a path may execute when it goes ahead of one that has yielded, at first.
const LEAD: u64 = 64;

/// How often the lead doubles at most.
const MAX_DOUBLINGS: u32 = 8;

/// The turns of a warp.
pub(super) struct Turns {
    /// The stamp of the path that yielded last; 0 if none has since the threads were together.
    last: u64,
    /// What backward branches may still cost in this turn.
    slice: u32,
    /// How many instructions are left to the path that goes ahead.
    lead: u64,
    /// How often a loop has used up its turn since a thread left one.
    n_in_vain: u32,
    /// The loop that was charged last.
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
    /// It is the same loop, and some of the threads have left it since.
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
    /// How many instructions.
    n_instructions: u64,
}

impl Lead {
    /// What may be left of a budget at the end of the lead.
    pub(super) fn floor(lead: Option<Lead>, left: u64) -> u64 {
        lead.map_or(0, |lead| left.saturating_sub(lead.n_instructions))
    }
}

impl Turns {
    pub(super) fn new() -> Self {
        Turns { last: 0, slice: SLICE, lead: LEAD, n_in_vain: 0, charged: None }
    }

    /// All threads are together.
    pub(super) fn restart(&mut self, path: &mut DivergentPath) {
        if self.charged.is_some() {
            *self = Turns::new();
            path.stamp = 0;
        }
    }
}

impl Warp {
    /// Threads branch backward to the head of a loop while others of the warp are elsewhere.
    pub(super) fn charge(&mut self, frame: usize, head: u32, mask: u32, cost: u32) {
        let now = Loop { frame, head, mask };
        // Who retries an atomic operation gets on while another thread succeeds each time.
        let gets_on = self.turns.charged.replace(now).is_some_and(|earlier| now.has_lost(earlier));
        let cost = if gets_on { 1 } else { cost };
        if gets_on {
            self.turns.n_in_vain = 0;
        }
        self.turns.slice = self.turns.slice.saturating_sub(cost);
        if self.turns.slice == 0 {
            self.turns.n_in_vain = (self.turns.n_in_vain + 1).min(MAX_DOUBLINGS);
            self.end_turn(mask);
        }
    }

    /// Threads go to the end of the queue.
    fn end_turn(&mut self, mask: u32) {
        let turns = &mut self.turns;
        turns.last += 1;
        turns.slice = SLICE;
        turns.lead = LEAD << turns.n_in_vain.saturating_sub(1);
        for path in self.paths.iter_mut().filter(|path| path.mask & mask != 0) {
            path.stamp = turns.last;
        }
    }

    /// The ready path whose turn it is.
    pub(super) fn next_split(&self) -> Option<usize> {
        let ready = (0..self.paths.len()).filter(|&idx| self.paths[idx].waits.is_none());
        ready.min_by_key(|&idx| (self.paths[idx].stamp, self.position(&self.paths[idx])))
    }

    /// The deeper in calls and the further back, the smaller.
    fn position(&self, path: &DivergentPath) -> (Reverse<u32>, u32) {
        (Reverse(self.frames[path.frame].depth), path.pc)
    }

    /// How far a path may go, if it is ahead of one that has yielded.
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

    /// A path that goes ahead has executed so many instructions.
    pub(super) fn use_lead(&mut self, lead: Lead, n_executed: u64) {
        // Whoever has yielded meanwhile has begun a turn of its own.
        if self.turns.last != lead.stamp {
            return;
        }
        self.turns.lead = lead.n_instructions.saturating_sub(n_executed);
        if self.turns.lead == 0 {
            self.end_turn(lead.mask);
        }
    }
}
