//! Finds padding for rows of an array in shared memory that avoids bank conflicts, by trying it on the
//! recorded accesses.
//!
//! In: the accesses of all instructions, and the array's type from the source. Out: the row length that needs
//! the fewest passes, if it needs fewer than the current one. Only the last dimension grows, so that element
//! `[i][j]` stays `[i][j]`.

use weft_emulator::profile::SharedPattern;

use super::{InstructionProfile, Profile};
use crate::variable::{Variable, VariableSpace};

/// The maximum number of elements to add to a row.
const MAX_PADDING: u64 = 16;

/// The maximum size of static shared memory, in bytes (CUDA C++ Programming Guide "Compute Capabilities").
const MAX_STATIC: u64 = 48 << 10;

/// A longer row, and what it saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Padding {
    /// The resulting declarator: `tile[32][33]`.
    pub(super) declarator: String,
    /// The passes of the recorded accesses to the array.
    pub(super) before: u64,
    /// The passes with the longer row.
    pub(super) after: u64,
}

/// The best padding for the array with the most conflicts among some instructions.
pub(super) fn find<'p>(
    conflicting: impl Iterator<Item = &'p InstructionProfile>,
    profile: &Profile,
    variables: &[Variable],
) -> Option<Padding> {
    let symbol = most_conflicts(conflicting)?;
    let is_meant = |variable: &&Variable| {
        variable.symbol == symbol && variable.space == VariableSpace::Shared && variable.shape.len() > 1
    };
    let variable = variables.iter().find(is_meant)?;
    let patterns: Vec<(&SharedPattern, u64)> = weighted(profile, symbol);
    let (element, row) = (variable.ty.size() as u64, *variable.shape.last()? as u64);
    let n_rows = variable.size() as u64 / (element * row).max(1);
    let before = passes(&patterns, element * row, element * row)?;
    let mut best: Option<(u64, u64)> = None;
    for padding in 1..=MAX_PADDING {
        let longer = element * (row + padding);
        if n_rows * longer > MAX_STATIC {
            break;
        }
        let Some(after) = passes(&patterns, element * row, longer) else { continue };
        if after < best.map_or(before, |(_, least)| least) {
            best = Some((padding, after));
        }
    }
    let (padding, after) = best?;
    let name = variable.name();
    let name = name.rsplit("::").next().unwrap_or(&name);
    let (_, outer) = variable.shape.split_last()?;
    let outer: String = outer.iter().map(|dim| format!("[{dim}]")).collect();
    Some(Padding { declarator: format!("{name}{outer}[{}]", row + padding), before, after })
}

/// The variable with the most conflicts.
fn most_conflicts<'p>(instructions: impl Iterator<Item = &'p InstructionProfile>) -> Option<&'p str> {
    let mut worst: Option<(u64, &str)> = None;
    for instruction in instructions {
        for pattern in &instruction.patterns {
            let n_conflicts = pattern.moved(|at| at).n_conflicts() * pattern.n_times;
            if n_conflicts > worst.map_or(0, |(most, _)| most) {
                worst = Some((n_conflicts, &*pattern.variable));
            }
        }
    }
    worst.map(|(_, variable)| variable)
}

/// The accesses to a variable with weights: a sample represents all accesses of its instruction.
fn weighted<'p>(profile: &'p Profile, symbol: &str) -> Vec<(&'p SharedPattern, u64)> {
    let mut all = Vec::new();
    for instruction in &profile.instructions {
        let n_sampled: u64 = instruction.patterns.iter().map(|pattern| pattern.n_times).sum();
        let scale = instruction.counts.shared.n_requests.checked_div(n_sampled).unwrap_or(1).max(1);
        let own = instruction.patterns.iter().filter(|pattern| &*pattern.variable == symbol);
        all.extend(own.map(|pattern| (pattern, pattern.n_times * scale)));
    }
    all
}

/// The passes of accesses with longer rows; `None` if an access would become misaligned.
fn passes(patterns: &[(&SharedPattern, u64)], row: u64, longer: u64) -> Option<u64> {
    let mut n_passes = 0;
    for (pattern, n_times) in patterns {
        let place = |at: u64| at / row * longer + at % row;
        if pattern.places.iter().any(|&(_, at)| !place(at).is_multiple_of(pattern.n_bytes)) {
            return None;
        }
        n_passes += pattern.moved(place).n_passes * n_times;
    }
    Some(n_passes)
}
