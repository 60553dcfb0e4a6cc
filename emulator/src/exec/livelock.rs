//! The fault of a launch in which no thread can make progress: which threads wait where, for which variable,
//! and which thread holds it.

use super::block::Block;
use super::cluster::Cluster;
use super::device::LaunchContext;
use super::fault::{Awaited, Fault, FaultKind, Group, Phase, Space, Thread, Waits};
use super::spin::Read;
use super::step::{Step, lanes_of};
use super::warp::{DivergentPath, Wait, Warp};
use super::watch::{Watch, Word, Writer};
use crate::compute::{WARP_SIZE, mbarrier};
use crate::memory::Generic;
use crate::program::code::Op;

/// Whether all threads of the clusters wait, or loop while nothing changes.
pub(super) fn is_stuck<'a>(clusters: impl IntoIterator<Item = &'a Cluster>, watch: &Watch) -> bool {
    let mut blocks = clusters.into_iter().flat_map(|cluster| &cluster.blocks);
    blocks.all(|block| {
        block.shared.own().transfers.borrow().is_empty()
            && block.warps.iter().all(|warp| !warp.copies.are_pending() && is_warp_stuck(warp, watch))
    })
}

fn is_warp_stuck(warp: &Warp, watch: &Watch) -> bool {
    warp.paths.iter().all(|path| match path.waits {
        Some(Wait::Barrier { .. } | Wait::Members(_) | Wait::Cluster) => true,
        None | Some(Wait::Turn) => warp.stuck(path.mask, watch.n_windows(), watch.n_changes()).is_some(),
    })
}

/// The fault of stuck clusters.
pub(super) fn fault(cx: &LaunchContext<'_>, clusters: &[&Cluster], watch: &Watch) -> Fault {
    let blocks: Vec<&Block> = clusters.iter().flat_map(|cluster| &cluster.blocks).collect();
    let mut groups = Vec::new();
    for block in &blocks {
        for warp in &block.warps {
            for path in &warp.paths {
                let stuck = warp.stuck(path.mask, watch.n_windows(), watch.n_changes());
                match stuck.filter(|_| matches!(path.waits, None | Some(Wait::Turn))) {
                    None => groups.push(warp.group(cx, &block.shared, path)),
                    Some(None) => {
                        let group = warp.group(cx, &block.shared, path);
                        groups.push(Group { waits: Some(Waits::Nothing), ..group });
                    }
                    Some(Some(read)) => readers(cx, &blocks, watch, (block, warp, path), &read, &mut groups),
                }
            }
        }
    }
    let first = groups.iter().find(|group| matches!(group.waits, Some(Waits::Value(_) | Waits::Phase(_))));
    let thread = first.or(groups.first()).map(|group| Box::new(group.first.clone()));
    Fault { kind: FaultKind::Livelock(groups), kernel: None, thread }
}

/// The threads of a path, by the addresses at which they read.
fn readers(
    cx: &LaunchContext<'_>,
    blocks: &[&Block],
    watch: &Watch,
    (block, warp, path): (&Block, &Warp, &DivergentPath),
    read: &Read,
    groups: &mut Vec<Group>,
) {
    let shared = &block.shared;
    let mut left = path.mask;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        let same = lanes_of(left).filter(|&other| read.addresses[other] == read.addresses[lane]);
        let same = same.fold(0_u32, |mask, lane| mask | 1 << lane);
        left &= !same;
        let code = &cx.program.codes[read.code];
        let instruction = &code.instructions[read.pc as usize];
        let path = DivergentPath { pc: read.pc, mask: same, ..*path };
        let (code_number, first_thread) = (read.code, warp.specials.first_thread());
        let step =
            Step { cx, shared, code, code_number, instruction, first_thread, idx: 0, path, mask: same };
        let awaited = awaited(&step, blocks, watch, warp, read, lane);
        let waits = Some(awaited.map_or(Waits::Nothing, |awaited| waits(awaited, &instruction.op)));
        groups.push(Group { first: warp.thread(&step, lane), n_threads: same.count_ones(), waits });
    }
}

/// The event that threads wait for when they read a value with an instruction.
fn waits(awaited: Awaited, op: &Op) -> Waits {
    let phase = matches!(op, Op::Mbarrier(_)).then(|| mbarrier::missing(awaited.value)).flatten();
    match phase {
        Some((n_arrivals, n_bytes)) => {
            Waits::Phase(Box::new(Phase { piece: awaited.piece, n_arrivals, n_bytes }))
        }
        None => Waits::Value(Box::new(awaited)),
    }
}

fn awaited(
    step: &Step<'_>,
    blocks: &[&Block],
    watch: &Watch,
    warp: &Warp,
    read: &Read,
    lane: usize,
) -> Option<Awaited> {
    let (address, n_bytes) = (read.addresses[lane], read.width.bytes());
    let (space, at, value) = match read.memory.find(address) {
        Generic::Global(at) => (Space::Global, at, step.cx.global.load(at, read.width).ok()?),
        Generic::Shared(at) => {
            let (rank, within) = step.shared.place(at);
            let memory = step.shared.cluster.get(rank)?;
            (
                Space::Shared,
                at,
                memory.bytes.holds(within, n_bytes).then(|| memory.bytes.load(within, read.width))?,
            )
        }
        Generic::Local(_) | Generic::Param(_) | Generic::Const(_) => return None,
    };
    let writer = Word::of(step.shared, read.memory, address).and_then(|word| watch.writer(word));
    Some(Awaited {
        piece: warp.piece(step, space, at, n_bytes),
        value,
        writer: writer.map(|writer| thread(step, &writer)),
        writer_is_at: writer.and_then(|writer| place_of(step, blocks, &writer)),
    })
}

/// The thread of a recorded write, and where.
fn thread(step: &Step<'_>, writer: &Writer) -> Thread {
    let cx = step.cx;
    let code = &cx.program.codes[writer.code as usize];
    let [x, y, _] = cx.block_size;
    let tid = [writer.thread % x, writer.thread / x % y, writer.thread / (x * y)];
    let ctaid = cx.order.block_at(writer.position);
    Thread::new(cx.program, code, &code.instructions[writer.pc as usize], ctaid, tid)
}

/// The current position of the thread of a recorded write, unless it has ended.
fn place_of(step: &Step<'_>, blocks: &[&Block], writer: &Writer) -> Option<Thread> {
    let block = blocks.iter().find(|block| block.shared.position == writer.position)?;
    let (warp, lane) = (writer.thread as usize / WARP_SIZE, writer.thread % WARP_SIZE as u32);
    let warp = block.warps.get(warp)?;
    let path = warp.paths.iter().find(|path| path.mask >> lane & 1 != 0)?;
    let group = warp.group(step.cx, &block.shared, path);
    Some(Thread { thread: warp.tid(lane as usize), ..group.first })
}
