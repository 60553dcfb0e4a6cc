//! A block: its warps in turns, and the barriers at which they wait for one another (PTX ISA "bar").

use super::device::LaunchContext;
use super::fault::{Fault, FaultKind};
use super::warp::{Progress, Wait, Warp};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::bytes::Bytes;

/// What the warps of a block share.
pub(super) struct Shared {
    pub(super) ctaid: [u32; 3],
    pub(super) ctaid_lanes: [Lanes; 3],
    /// `.shared`
    pub(super) bytes: Bytes,
    /// Which bytes of it have been written, all ones for each, if that is to be known.
    pub(super) written: Option<Bytes>,
}

/// Runs all threads of a block to their end, and gives how many instructions they executed.
pub(super) fn run(cx: &LaunchContext<'_>, ctaid: [u32; 3]) -> Result<u64, Fault> {
    let ctaid_lanes = ctaid.map(|axis| [u64::from(axis); WARP_SIZE]);
    let zeros = || Bytes::zeroed(cx.shared_size as usize);
    let written = cx.checks.uninitialized.then(zeros);
    let shared = Shared { ctaid, ctaid_lanes, bytes: zeros(), written };
    let n_threads = cx.n_threads();
    let mut warps = (0..n_threads)
        .step_by(WARP_SIZE)
        .map(|first_thread| Warp::new(cx, first_thread))
        .collect::<Result<Vec<_>, _>>()?;
    loop {
        let mut is_running = false;
        for warp in warps.iter_mut().filter(|warp| !warp.is_done()) {
            is_running |= warp.run(cx, &shared)? == Progress::Running;
        }
        if warps.iter().all(Warp::is_done) {
            return Ok(warps.iter().map(|warp| warp.n_executed).sum());
        }
        if !is_running && !open_barriers(&mut warps) {
            let groups = warps.iter().flat_map(|warp| warp.groups(cx, &shared)).collect();
            return Err(FaultKind::Deadlock(groups).into());
        }
    }
}

/// Lets those go on for whom enough threads have come; whether there were any.
fn open_barriers(warps: &mut [Warp]) -> bool {
    let n_live: u32 = warps.iter().map(Warp::n_live).sum();
    let mut is_open = false;
    for number in 0..16 {
        let (mut n_waiting, mut wanted) = (0, n_live);
        for split in warps.iter().flat_map(|warp| &warp.splits) {
            if let Some(Wait::Barrier(at, n_threads)) = split.waits
                && at == number
            {
                n_waiting += split.mask.count_ones();
                wanted = n_threads.unwrap_or(wanted);
            }
        }
        if n_waiting > 0 && n_waiting >= wanted {
            is_open = true;
            for split in warps.iter_mut().flat_map(|warp| &mut warp.splits) {
                if matches!(split.waits, Some(Wait::Barrier(at, _)) if at == number) {
                    split.waits = None;
                }
            }
        }
    }
    is_open
}
