//! Finds loops that may wait for other threads.
//!
//! Input: the decoded functions of a program. Output: the `cost` of each branch that goes backward. Lanes of one warp
//! take turns when they are apart (`exec/turns`), and a backward branch uses up a part of the turn: a small one in a loop
//! that only computes, a large one in a loop that may wait for what another thread does.

use super::code::{Address, Callee, Code, MbarrierAction, Op};

/// The cost of a backward branch in a loop that waits for nothing.
pub(crate) const COMPUTES: u32 = 1;

/// The cost of a backward branch in a loop that may wait for another thread.
pub(crate) const MAY_WAIT: u32 = 256;

/// Sets the costs of all branches.
pub(super) fn mark(codes: &mut [Code]) {
    let waiting = waiting_functions(codes);
    for code in codes {
        // How many instructions before each one may wait.
        let mut n_before = Vec::with_capacity(code.instructions.len() + 1);
        let mut n_waiting = 0_u32;
        for instruction in &code.instructions {
            n_before.push(n_waiting);
            n_waiting += u32::from(may_wait(&instruction.op, &waiting));
        }
        for (pc, instruction) in code.instructions.iter_mut().enumerate() {
            match &mut instruction.op {
                Op::Branch { target, cost } => *cost = cost_of(*target, pc, &n_before),
                Op::BranchIndexed { targets, cost, .. } => {
                    let first = targets.iter().copied().min();
                    *cost = first.map_or(0, |first| cost_of(first, pc, &n_before));
                }
                _ => {}
            }
        }
    }
}

/// The cost of a branch from an instruction to another one.
fn cost_of(target: u32, pc: usize, n_before: &[u32]) -> u32 {
    match n_before.get(target as usize) {
        Some(&before) if target as usize <= pc => {
            if n_before[pc] > before {
                MAY_WAIT
            } else {
                COMPUTES
            }
        }
        _ => 0,
    }
}

/// For each function: whether it, or one that it calls, may wait for another thread.
fn waiting_functions(codes: &[Code]) -> Vec<bool> {
    let mut callers = vec![Vec::new(); codes.len()];
    let mut calls_any = Vec::new();
    let mut waiting = vec![false; codes.len()];
    for (number, code) in codes.iter().enumerate() {
        for instruction in &code.instructions {
            match &instruction.op {
                Op::Call { callee: Callee::Direct(callee), .. } => callers[*callee].push(number),
                Op::Call { callee: Callee::Indirect(_), .. } => calls_any.push(number),
                op => waiting[number] |= waits_itself(op),
            }
        }
    }
    let mut open: Vec<usize> = (0..codes.len()).filter(|&number| waiting[number]).collect();
    // An indirect call may be a call of any function.
    if !open.is_empty() {
        open.extend(&calls_any);
    }
    let mut next = 0;
    open.iter().for_each(|&number| waiting[number] = true);
    while let Some(&number) = open.get(next) {
        next += 1;
        for &caller in &callers[number] {
            if !std::mem::replace(&mut waiting[caller], true) {
                open.push(caller);
            }
        }
    }
    waiting
}

/// Whether an instruction may wait, or calls a function that may.
fn may_wait(op: &Op, waiting: &[bool]) -> bool {
    match op {
        Op::Call { callee: Callee::Direct(callee), .. } => waiting[*callee],
        Op::Call { callee: Callee::Indirect(_), .. } => waiting.contains(&true),
        op => waits_itself(op),
    }
}

fn waits_itself(op: &Op) -> bool {
    let tests_barrier =
        matches!(op, Op::Mbarrier(object) if matches!(object.action, MbarrierAction::Wait { .. }));
    tests_barrier || op.observed().is_some()
}

impl Op {
    /// The address of what an instruction reads while other threads may write it: the load is strong, or the instruction
    /// is an atomic operation whose result is used.
    pub(crate) fn observed(&self) -> Option<&Address> {
        match self {
            Op::Load { address, order, .. } => order.is_strong().then_some(address),
            Op::Atomic(atomic) => {
                (atomic.result.is_some() && atomic.reduction.is_none()).then_some(&atomic.address)
            }
            Op::AtomicVector(atomic) => atomic.results.iter().any(Option::is_some).then_some(&atomic.address),
            Op::AtomicWide(atomic) => atomic.result.is_some().then_some(&atomic.address),
            _ => None,
        }
    }
}
