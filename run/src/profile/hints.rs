//! Hints about what costs time.
//!
//! A hint appears if the loss is at least a twentieth of the launch's total work: its instructions, and what
//! the memories did for them ([`work`]). What would help depends on the program; a hint says what happens,
//! and the usual reason.

use std::fmt;

use super::number::{counted, part, percent};
use super::pitch::{self, Padding};
use super::{Counts, Listing, Place, WARP_SIZE};

/// A cost, and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The line: `transpose.src:17`; `None` if it is everywhere.
    pub place: Option<String>,
    /// The text of the hint.
    pub message: String,
    /// The loss as a fraction of the launch's total work, from 0 to 1.
    pub weight: f64,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The fraction of the total work from which a loss counts.
const LEAST_WEIGHT: f64 = 0.05;

/// The efficiency that is good enough.
const GOOD_EFFICIENCY: f64 = 0.75;

/// The maximum number of hints.
const MAX_HINTS: usize = 8;

/// The hints of a profile, the largest loss first.
pub(super) fn of(listing: &Listing<'_>) -> Vec<Hint> {
    let mut hints: Vec<Hint> = listing.places().flat_map(|place| of_line(&place, listing)).collect();
    hints.extend(of_all(listing));
    hints.retain(|hint| hint.weight >= LEAST_WEIGHT);
    hints.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    hints.truncate(MAX_HINTS);
    hints
}

/// The total work of a launch: instructions, plus the memory transactions and passes. This is not a time, but
/// weighs the parts against each other.
fn work(total: &Counts) -> u64 {
    let sectors = total.global.n_sectors + total.local.n_sectors;
    total.n_warps + sectors + total.shared.n_passes + total.atomics.n_operations
}

fn of_line(place: &Place<'_>, listing: &Listing<'_>) -> Vec<Hint> {
    let total = &listing.total;
    let Counts { global, shared, branches, atomics, .. } = place.line.counts;
    let mut hints = Vec::new();
    let mut hint = |message: String, lost: f64| {
        let weight = lost / work(total) as f64;
        hints.push(Hint { place: Some(place.name()), message, weight });
    };
    if let Some(efficiency) = global.efficiency().filter(|&efficiency| efficiency < GOOD_EFFICIENCY) {
        let [touched, needed] =
            [global.n_sectors, global.n_ideal_sectors].map(|n| part(n, global.n_requests));
        let message = format!(
            "only {} of the global memory sectors were needed: an access of a warp touched {touched:.1} \
             sectors on average, where {needed:.1} would suffice; neighboring threads access distant \
             addresses",
            percent(efficiency)
        );
        hint(message, (global.n_sectors - global.n_ideal_sectors) as f64);
    }
    if let Some(ways) = shared.ways().filter(|&ways| ways * GOOD_EFFICIENCY > 1.0) {
        let mut message = format!(
            "{ways:.1}-way bank conflict on average: threads of a warp access different words of the \
             same shared memory banks"
        );
        let executed =
            place.line.instructions.iter().map(|executed| &listing.profile.instructions[executed.number]);
        if let Some(Padding { declarator, before, after }) =
            pitch::find(executed, listing.profile, &listing.variables)
        {
            message.push_str(&format!(
                "; padding the rows, `{declarator}`, reduces the wavefronts of all accesses to the array \
                 from {before} to {after}"
            ));
        }
        hint(message, shared.n_conflicts() as f64);
    }
    if let (Some(divergence), Some(efficiency)) = (branches.divergence(), total.simt_efficiency()) {
        let message = format!(
            "{} of the branches were divergent, so the paths ran one after the other: {:.1} of 32 lanes \
             were active on average over the whole kernel",
            percent(divergence),
            efficiency * WARP_SIZE as f64
        );
        // All diverging branches together leave lanes idle; each gets its share of that.
        let share = part(branches.n_divergent, total.branches.n_divergent);
        hint(message, total.n_warps as f64 * (1.0 - efficiency) * share);
    }
    let conflicts = part(atomics.n_conflicts, atomics.n_operations);
    if conflicts > 1.0 - GOOD_EFFICIENCY {
        let message = format!(
            "{} of the atomic operations waited for another one of the same warp on the same address",
            percent(conflicts)
        );
        hint(message, atomics.n_conflicts as f64);
    }
    hints
}

/// Hints about the whole kernel.
fn of_all(listing: &Listing<'_>) -> Vec<Hint> {
    let total = &listing.total;
    let mut hints = Vec::new();
    let mut hint = |message: String, lost: f64| {
        hints.push(Hint { place: None, message, weight: lost / work(total) as f64 });
    };
    if total.local.n_sectors > 0 {
        let sectors = total.local.n_sectors + total.global.n_sectors;
        let message = format!(
            "{} of the sectors are in local memory, which is as slow as global memory: it holds all \
             variables at -O0, and otherwise arrays with unknown indices and variables whose address is \
             taken",
            percent(part(total.local.n_sectors, sectors))
        );
        hint(message, total.local.n_sectors as f64);
    }
    let n_threads: u64 = listing.shape.block.iter().map(|&n| u64::from(n)).product();
    let idle = n_threads.next_multiple_of(WARP_SIZE) - n_threads;
    if idle > 0 {
        let message = format!(
            "a block of {} does not fill its last warp: {} are idle",
            counted(n_threads, "thread", "threads"),
            counted(idle, "lane", "lanes")
        );
        hint(message, total.n_warps as f64 * part(idle, n_threads + idle));
    }
    hints
}
