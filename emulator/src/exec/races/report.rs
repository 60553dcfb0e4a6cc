//! The report of a race: both accesses, and why they are unordered.

use super::GridRaces;
use super::actor::{Found, Shape};
use super::clock::Clock;
use super::history::History;
use super::row::{Kind, Reach, Row};
use super::sync::BlockSync;
use crate::compute::WARP_SIZE;
use crate::exec::device::LaunchContext;
use crate::exec::fault::{FaultKind, Piece, Race, RaceAccess, Thread, Touch, Unordered};
use crate::program::code::{Order, Scope, Semantics};

/// The thread of a row.
pub(super) fn thread_of(cx: &LaunchContext<'_>, grid: &GridRaces, row: &Row, lane: u32) -> Thread {
    let code = grid.first_instructions.partition_point(|&first| first <= row.instruction).saturating_sub(1);
    let pc = row.instruction - grid.first_instructions.get(code).copied().unwrap_or(0);
    let (n_warps, n_lanes) = (grid.shape.n_warps, WARP_SIZE as u32);
    thread_at(cx, grid.shape.block_of(row.asker()), row.asker() % n_warps * n_lanes + lane, code, pc)
}

pub(super) fn thread_at(cx: &LaunchContext<'_>, block: u64, number: u32, code: usize, pc: u32) -> Thread {
    let [x, y, _] = cx.block_size;
    let code = &cx.program.codes[code];
    let instruction = &code.instructions[pc as usize];
    let thread = [number % x, number / x % y, number / (x * y)];
    Thread::new(cx.program, code, instruction, cx.order.block_at(block), thread)
}

/// The race of two unordered accesses, the second one by a warp.
pub(super) fn race(
    cx: &LaunchContext<'_>,
    grid: &GridRaces,
    piece: Piece,
    kind: Kind,
    found: &Found,
    why: Unordered,
) -> FaultKind {
    FaultKind::Race(Box::new(Race {
        piece,
        access: access(kind),
        other: thread_of(cx, grid, &found.row, found.lane),
        other_access: access(found.row.kind),
        is_same_value: found.is_same_value,
        why,
    }))
}

fn access(kind: Kind) -> RaceAccess {
    let Order { semantics, scope, is_volatile } = kind.order;
    let scope = match scope {
        Scope::Block => "cta",
        Scope::Cluster => "cluster",
        Scope::Device => "gpu",
        Scope::System => "sys",
    };
    let semantics = match semantics {
        Semantics::Weak => "weak",
        Semantics::Relaxed => "relaxed",
        Semantics::Acquire => "acquire",
        Semantics::Release => "release",
        Semantics::AcquireRelease => "acq_rel",
        Semantics::Sequential => "sc",
    };
    let order = match kind.order.is_strong() {
        _ if is_volatile => Some(".volatile".to_owned()),
        true => Some(format!(".{semantics}.{scope}")),
        false => None,
    };
    RaceAccess { touch: kind.touch, order }
}

/// Why two accesses are unordered, if the history shows it. `spaces` are the memories that may contain flags.
pub(super) fn why(
    grid: &GridRaces,
    sync: &BlockSync,
    (block, warp): (u64, usize),
    kind: Kind,
    found: &Found,
    spaces: [Option<&History>; 2],
) -> Unordered {
    let (row, shape) = (&found.row, grid.shape);
    if row.actor.is_channel() {
        return Unordered::Copy;
    }
    if let (Some(reach), Some(other)) = (kind.reach(), row.kind.reach()) {
        let is_near = reach.min(other) >= shape.distance(shape.block_of(row.asker()), block);
        return if is_near { Unordered::DifferentSize } else { Unordered::NarrowScope };
    }
    let is_before = |clock: &Clock| clock.covers(row.actor, found.lane, row.time, shape.n_warps);
    let seen = || sync.warps.iter().filter_map(|warp| warp.seen.as_ref()).flat_map(|seen| seen.iter());
    if let Some(seen) = seen().find(|seen| seen.pending.iter().any(|clock| is_before(clock))) {
        return if seen.has_narrow_fence { Unordered::NarrowFence } else { Unordered::NoAcquire };
    }
    if seen().any(|seen| is_before(&seen.out_of_reach)) {
        return Unordered::OutOfScope;
    }
    if spaces.into_iter().flatten().any(|history| is_unreleased(history, shape, found, block)) {
        return Unordered::NoRelease;
    }
    let is_same_block = shape.block_of(row.asker()) == block;
    let is_same_warp = is_same_block && (row.asker() % shape.n_warps) as usize == warp;
    match (is_same_block, is_same_warp) {
        (true, _) if sync.warps[warp].met >= row.time => Unordered::DifferentBarrier,
        (_, true) => Unordered::SameWarp,
        (true, false) => Unordered::SameBlock,
        (false, _) => Unordered::DifferentBlocks,
    }
}

/// The race of an access by a copy.
pub(super) fn race_of_copy(
    cx: &LaunchContext<'_>,
    grid: &GridRaces,
    piece: Piece,
    kind: Kind,
    found: &Found,
) -> FaultKind {
    race(cx, grid, piece, kind, found, Unordered::Copy)
}

/// Whether a thread of the second access's block has read, by a strong access, a strong write that the first
/// access's block made after that access.
fn is_unreleased(history: &History, shape: Shape, found: &Found, block: u64) -> bool {
    let is_strong = |row: &Row| row.kind.reach() == Some(Reach::Device) || row.kind.order.is_strong();
    let first = shape.block_of(found.row.asker());
    let (mut written, mut read) = (Vec::new(), Vec::new());
    for (line, row) in history.rows().filter(|(_, row)| is_strong(row)) {
        let of = shape.block_of(row.asker());
        if row.kind.writes() && of == first && row.time >= found.row.time && row.asker() == found.row.asker()
        {
            written.push((line, row));
        }
        if row.kind.touch != Touch::Write && of == block {
            read.push((line, row));
        }
    }
    let is_same = |(line, row): &(u64, &Row), (at, other): &(u64, &Row)| {
        line == at && row.units & other.units != 0 && other.seq > row.seq && row.asker() != other.asker()
    };
    written.iter().any(|write| read.iter().any(|read| is_same(write, read)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_named_as_in_ptx() {
        let order = Order { semantics: Semantics::AcquireRelease, scope: Scope::Block, is_volatile: false };
        let kind = Kind { touch: Touch::Atomic, order, width: 4 };
        assert_eq!(access(kind).order.as_deref(), Some(".acq_rel.cta"));
        assert_eq!(access(Kind { order: Order::WEAK, ..kind }).order, None);
    }
}
