//! Faults that do not stop a launch ([`Launch::keeps_going`](super::launch::Launch)).
//!
//! In: errors of single threads, as they happen. Out: each distinct fault once, in the order of first
//! occurrence, with its count. Two faults are the same if the same instruction does the same kind of thing to
//! the same object.
//!
//! An invalid access has no effect: a load returns zero, a store or atomic operation does nothing. Once
//! reported, an undefined value counts as defined, so that one mistake is not reported again at every use.
//!
//! Only blocks that run one after the other, or in turns, collect faults. Where blocks run at the same time,
//! the first fault stops them, and they run again on one core. So the faults and their order do not depend on
//! the number of cores.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::fault::{Cause, Fault, FaultKind, Piece, Race, Thread, Touch, Undefined, Usage};
use super::step::{Step, StepError};
use crate::memory::error::AccessError;

/// The number of distinct faults that are kept. Others are only counted.
pub const MAX_DISTINCT: usize = 100;

/// The faults that did not stop a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Each distinct fault, in the order of first occurrence; at most [`MAX_DISTINCT`].
    pub distinct: Vec<Repeated>,
    /// The number of all faults.
    pub n_faults: u64,
    /// The number of faults that are not in `distinct` because it is full.
    pub n_left_out: u64,
}

/// A fault, and its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The first of the equal faults.
    pub fault: Fault,
    /// The count: one for each thread and instruction executed; for races, one for each warp and instruction
    /// executed.
    pub n_times: u64,
    /// The number of threads that made it.
    pub n_threads: u64,
}

impl Collected {
    /// Whether there were no faults.
    pub fn is_empty(&self) -> bool {
        self.n_faults == 0
    }
}

/// The faults of a launch that continues after them.
#[derive(Default)]
pub(super) struct Collector(Mutex<State>);

#[derive(Default)]
struct State {
    collected: Collected,
    /// The distinct faults by key, with their index in `collected`.
    known: BTreeMap<Key, usize>,
    /// The threads of each distinct fault: a mask for each warp, by block position and first thread.
    threads: Vec<BTreeMap<(u64, u32), u32>>,
}

/// Faults with the same key are the same.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The function's index, and the instruction.
    at: (usize, u32),
    sort: Sort,
}

/// The kind of fault, and its object.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Access {
        adjective: &'static str,
        space: &'static str,
        is_store: bool,
        /// The start of the object.
        object: Option<u64>,
    },
    Undefined {
        usage: Usage,
        /// The instruction that read or computed the value.
        by: (String, u32),
        object: Option<String>,
    },
    Race {
        touches: [Touch; 2],
        /// The instruction of the other access.
        other: (String, u32),
        object: Option<String>,
        is_same_value: bool,
    },
}

impl Sort {
    /// The key of a fault; `None` if a launch cannot continue after it.
    fn of(kind: &FaultKind) -> Option<Self> {
        match kind {
            FaultKind::Access { error, space, is_store, address: _, n_bytes: _ } => {
                let object = match error {
                    AccessError::NoRoom(_) => return None,
                    AccessError::Misaligned | AccessError::ReadOnly | AccessError::OutOfBounds(None) => None,
                    AccessError::OutOfBounds(Some(nearest)) => Some(nearest.piece.start),
                    AccessError::Strayed(strayed) => Some(strayed.through.start),
                    AccessError::Freed(freed) => Some(freed.piece.start),
                };
                Some(Sort::Access { adjective: error.adjective(), space, is_store: *is_store, object })
            }
            FaultKind::Undefined(undefined) => {
                let Undefined { cause, by, usage } = &**undefined;
                let object = match cause {
                    Cause::Unwritten(piece) => object(piece),
                    Cause::Shuffle { .. } | Cause::Division { .. } => None,
                };
                Some(Sort::Undefined { usage: *usage, by: by.place.clone(), object })
            }
            FaultKind::Race(race) => {
                let Race { piece, access, other, other_access, is_same_value, why: _ } = &**race;
                Some(Sort::Race {
                    touches: [access.touch, other_access.touch],
                    other: other.place.clone(),
                    object: object(piece),
                    is_same_value: *is_same_value,
                })
            }
            FaultKind::Trap
            | FaultKind::NotCooperative
            | FaultKind::Breakpoint
            | FaultKind::Assert(_)
            | FaultKind::BadFree(..)
            | FaultKind::BadCall(_)
            | FaultKind::MismatchedArguments(_)
            | FaultKind::BadBranch(_)
            | FaultKind::Deadlock(_)
            | FaultKind::Livelock(_)
            | FaultKind::DivergentBarrier { .. }
            | FaultKind::MissedBarrier { .. }
            | FaultKind::Members { .. }
            | FaultKind::IncompleteWarp { .. }
            | FaultKind::NotShared(_)
            | FaultKind::UnequalMatrices
            | FaultKind::Matrix(_)
            | FaultKind::Mbarrier { .. }
            | FaultKind::Texture { .. }
            | FaultKind::TensorMap { .. }
            | FaultKind::ClusterBarrier { .. }
            | FaultKind::BadCopy { .. }
            | FaultKind::Copy { .. }
            | FaultKind::NoProxyFence { .. }
            | FaultKind::BadBulkCopy(_)
            | FaultKind::BadBulkStore { .. }
            | FaultKind::PrintTooLong
            | FaultKind::AllocaTooLarge(_)
            | FaultKind::BadStack(_)
            | FaultKind::StackOverflow
            | FaultKind::OutOfMemory { .. }
            | FaultKind::TooManySteps { .. }
            | FaultKind::Unsupported(_)
            | FaultKind::BadLaunch(_) => None,
        }
    }
}

/// The name of the object that a piece of memory is in.
fn object(piece: &Piece) -> Option<String> {
    piece.variable.as_ref().map(|(name, _)| name.clone())
}

impl Collector {
    /// Takes the collected faults.
    pub(super) fn take(self) -> Collected {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).collected
    }

    fn add(&self, key: Key, thread: (u64, u32, usize), make: impl FnOnce() -> Fault) {
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State { collected, known, threads } = state;
        collected.n_faults += 1;
        let idx = match known.get(&key) {
            Some(&idx) => idx,
            None if collected.distinct.len() == MAX_DISTINCT => {
                collected.n_left_out += 1;
                return;
            }
            None => {
                collected.distinct.push(Repeated { fault: make(), n_times: 0, n_threads: 0 });
                threads.push(BTreeMap::new());
                known.insert(key, collected.distinct.len() - 1);
                collected.distinct.len() - 1
            }
        };
        let (block, first, lane) = thread;
        let mask = threads[idx].entry((block, first)).or_default();
        let repeated = &mut collected.distinct[idx];
        repeated.n_times += 1;
        repeated.n_threads += u64::from(*mask >> lane & 1 == 0);
        *mask |= 1 << lane;
    }
}

impl Step<'_> {
    /// Collects a thread's error if the launch continues after it; otherwise returns it, and the launch
    /// stops.
    #[cold]
    pub(super) fn survive(&self, error: StepError) -> Result<(), StepError> {
        let collector = self.cx.collector.as_ref().filter(|_| self.cx.parallel.is_none());
        let (Some(collector), Some(sort)) = (collector, Sort::of(&error.kind)) else { return Err(error) };
        let lane = error.lane.unwrap_or_else(|| self.first_lane());
        let key = Key { at: (self.code_number, self.path.pc), sort };
        collector.add(key, (self.shared.position, self.first_thread, lane), || {
            let number = self.first_thread + lane as u32;
            let [x, y, _] = self.cx.block_size;
            let thread = [number % x, number / x % y, number / (x * y)];
            let (code, instruction) = (self.code, self.instruction);
            Fault::by(error.kind, Thread::new(self.cx.program, code, instruction, self.shared.ctaid, thread))
        });
        Ok(())
    }
}
