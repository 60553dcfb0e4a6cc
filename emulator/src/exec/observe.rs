//! Observes what warps execute: counts it, and reports it to a tracer. This never changes what a kernel does.
//!
//! The accesses of an instruction are recorded before it executes, since it may overwrite its own operands,
//! and counted afterwards, since its threads may have to wait and execute it again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::access::in_memory;
use super::step::{Step, StepError, lanes_of};
use super::trace::{Event, Tracer};
use super::warp::{Next, Warp};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::{Generic, SHARED_WINDOW};
use crate::profile::patterns::Key;
use crate::profile::{Atomics, Branches, Counts, banks, coalescing};
use crate::program::code::{Address, Callee, Memory, Op};
use crate::program::kind::{AccessSpace, Kind};

/// The tracer that receives executed instructions.
pub(super) type SharedTracer = Mutex<Box<dyn Tracer>>;

/// The facts about an instruction that are recorded before it executes.
pub(super) struct Observation {
    /// The threads that reach it together.
    active: u32,
    /// Those of them whose predicate is true.
    executed: u32,
    access: Option<Access>,
    /// Whether the threads diverge after it.
    is_divergent: bool,
    /// The values that it stores, if it is traced.
    stored: SmallVec<[Lanes; 1]>,
    is_traced: bool,
}

/// An access to memory.
struct Access {
    memory: Memory,
    addresses: Lanes,
    /// The size per thread, in bytes.
    n_bytes: u64,
    /// The threads that access memory.
    lanes: u32,
}

impl Warp {
    /// Records what must be known before an instruction executes.
    #[cold]
    pub(super) fn observe(&self, step: &Step<'_>) -> Box<Observation> {
        let path = step.path;
        let executed = step.instruction.guard.map_or(path.mask, |guard| self.guarded(path, guard));
        let block = step.shared.ctaid;
        let is_traced = step.cx.tracer.is_some_and(|tracer| lock(tracer).wants(block, self.number()));
        let mut observation = Observation {
            active: path.mask,
            executed,
            access: None,
            is_divergent: false,
            stored: SmallVec::new(),
            is_traced,
        };
        let access = |address: &Address, n_bytes| {
            Some(Access {
                memory: address.memory,
                addresses: self.addresses(step, address),
                n_bytes,
                lanes: u32::MAX,
            })
        };
        let op = &step.instruction.op;
        if let Op::Load { address, width, results, .. } = op {
            observation.access = access(address, width.bytes() * results.len() as u64);
        } else if let Op::Store { address, width, values, .. } = op {
            observation.access = access(address, width.bytes() * values.len() as u64);
            if is_traced {
                observation.stored = values.iter().map(|&value| self.value(step, value)).collect();
            }
        } else if let Op::Atomic(atomic) = op {
            observation.access = access(&atomic.address, atomic.width.bytes());
        } else if let Op::AtomicVector(atomic) = op {
            observation.access = access(&atomic.address, atomic.width.bytes() * atomic.operands.len() as u64);
        } else if let Op::AtomicWide(atomic) = op {
            observation.access = access(&atomic.address, 16);
        } else if let Op::MatrixRows(matrix) = op {
            let access = access(&matrix.address, 16);
            observation.access = access.map(|access| Access { lanes: matrix.lanes(), ..access });
        } else if let Op::Branch { .. } = op {
            observation.is_divergent = executed != 0 && executed != path.mask;
        } else if let Op::BranchIndexed { index, targets, .. } = op {
            let index = self.value(step, *index);
            let target = |lane: usize| targets.get(index[lane] as usize);
            let mut all = lanes_of(executed).map(target);
            let first = all.next();
            let is_divided = executed != path.mask || all.any(|other| Some(other) != first);
            observation.is_divergent = first.is_some() && is_divided;
        } else if let Op::Call { callee: Callee::Indirect(source), .. } = op
            && executed != 0
        {
            let functions = self.value(step, *source);
            let first = functions[executed.trailing_zeros() as usize];
            // Threads that call another function will execute the instruction again.
            let together = lanes_of(executed).filter(|&lane| functions[lane] == first);
            observation.executed = together.fold(0, |mask, lane| mask | 1 << lane);
            if observation.executed != executed {
                observation.active = observation.executed;
            }
        }
        Box::new(observation)
    }

    /// Counts and traces an executed instruction.
    #[cold]
    pub(super) fn observed(
        &self,
        step: &Step<'_>,
        observation: Observation,
        outcome: &Result<Next, StepError>,
    ) {
        // Threads that wait for others of their warp will execute the instruction again.
        let waits = matches!(
            step.instruction.op,
            Op::WarpCollective { .. } | Op::MatrixCompute(_) | Op::MatrixRows(_) | Op::MatrixFragment(_)
        );
        let comes_back = waits && matches!(outcome, Ok(Next::Reschedule));
        if comes_back {
            return;
        }
        // An instruction that faulted was not executed, and its addresses may be invalid.
        if outcome.is_ok()
            && let Some(profile) = &step.shared.profile
        {
            let mut profile = profile.borrow_mut();
            if let Some(counts) = profile.at(step.code_number, step.code, step.path.pc) {
                count(step, &observation, counts);
            }
            if let Some(key) = observation.shared_pattern(step) {
                profile.sample(step.code_number, step.path.pc, key);
            }
        }
        if let (true, Some(tracer)) = (observation.is_traced, step.cx.tracer) {
            let written = match outcome {
                Err(_) => SmallVec::new(),
                Ok(_) if !observation.stored.is_empty() => observation.stored,
                Ok(_) => self.results(step),
            };
            let module = &step.cx.program.modules[step.code.module];
            let source = step.instruction.source;
            let source = source.and_then(|(file, line)| Some((module.files.get(&file)?.as_str(), line)));
            lock(tracer).executed(&Event {
                block: step.shared.ctaid,
                warp: self.number(),
                active: observation.active,
                executed: observation.executed,
                function: &step.code.name,
                module: &module.name,
                line: module.line(step.instruction.place),
                offset: step.instruction.place.0,
                source,
                kind: step.instruction.kind,
                addresses: observation.access.map(|access| access.addresses),
                written,
                is_fault: outcome.is_err(),
            });
        }
    }

    /// The index of the warp in its block.
    fn number(&self) -> u32 {
        self.specials.warp[0] as u32
    }

    /// The values of the registers that an instruction has written.
    fn results(&self, step: &Step<'_>) -> SmallVec<[Lanes; 1]> {
        let registers = &self.frames[step.path.frame].registers;
        step.instruction.op.results().iter().map(|register| registers[register.0 as usize]).collect()
    }
}

pub(super) fn lock(tracer: &SharedTracer) -> MutexGuard<'_, Box<dyn Tracer>> {
    tracer.lock().unwrap_or_else(PoisonError::into_inner)
}

fn count(step: &Step<'_>, observation: &Observation, counts: &mut Counts) {
    let Observation { active, executed, .. } = *observation;
    counts.n_warps += 1;
    counts.n_active += u64::from(active.count_ones());
    counts.n_threads += u64::from(executed.count_ones());
    if let Op::Branch { .. } | Op::BranchIndexed { .. } = step.instruction.op {
        counts.branches += Branches { n_executed: 1, n_divergent: u64::from(observation.is_divergent) };
    }
    if let Some(access) = &observation.access {
        access.count(executed & access.lanes, step.instruction.kind, counts);
    }
}

impl Observation {
    /// The access, if all of it is to one variable in shared memory.
    fn shared_pattern(&self, step: &Step<'_>) -> Option<Key> {
        let access = self.access.as_ref()?;
        let mut places = Places::new();
        for lane in lanes_of(self.executed & access.lanes) {
            match in_memory(access.memory, access.addresses[lane]) {
                Generic::Shared(at) => places.push((lane, at)),
                Generic::Global(_) | Generic::Local(_) | Generic::Param(_) | Generic::Const(_) => {
                    return None;
                }
            }
        }
        Key::new(step.cx.program, &places, access.n_bytes)
    }
}

impl Access {
    /// Counts the access for the threads of a mask. Generic addresses may access several state spaces at
    /// once.
    fn count(&self, executed: u32, kind: Kind, counts: &mut Counts) {
        let (mut global, mut shared, mut local) = (Addresses::new(), Places::new(), Places::new());
        for lane in lanes_of(executed) {
            match in_memory(self.memory, self.addresses[lane]) {
                Generic::Global(at) => global.push(at),
                Generic::Shared(at) => shared.push((lane, at)),
                Generic::Local(at) => local.push((lane, at)),
                Generic::Param(_) | Generic::Const(_) => {}
            }
        }
        if let Kind::Atomic(_) = kind
            && executed != 0
        {
            let addresses = global.iter().copied().chain(shared.iter().map(|&(_, at)| at | SHARED_WINDOW));
            counts.atomics += Atomics::of(addresses.collect());
        }
        counts.global += coalescing::global(&global, self.n_bytes);
        counts.shared += banks::passes(&shared, self.n_bytes);
        // Parameters of functions are in the frame here, too; a GPU has them in registers.
        if !matches!(kind, Kind::Load(AccessSpace::Parameter) | Kind::Store(AccessSpace::Parameter)) {
            counts.local += coalescing::local(&local, self.n_bytes);
        }
    }
}

/// Addresses of threads.
type Addresses = SmallVec<[u64; WARP_SIZE]>;

/// The addresses with their lanes.
type Places = SmallVec<[(usize, u64); WARP_SIZE]>;
