//! Calls and returns: arguments and results are copied between frames (PTX ISA "call").

use super::device::LaunchContext;
use super::fault::{FaultKind, Usage};
use super::step::{Step, StepError, lanes_of};
use super::warp::{DivergentPath, Next, Warp};
use crate::compute::WARP_SIZE;
use crate::memory::FUNCTION_STRIDE;
use crate::program::code::{Callee, Op, Slot};

impl Warp {
    pub(super) fn call(
        &mut self,
        step: &Step<'_>,
        callee: &Callee,
        args: &[Slot],
        returns: &[Slot],
    ) -> Result<Next, StepError> {
        let Step { cx, idx, mask, .. } = *step;
        match callee {
            Callee::Direct(number) => self.enter(cx, idx, mask, *number, args)?,
            Callee::Indirect(source) => {
                self.require_defined(step, *source, Usage::Target)?;
                let addresses = self.value(step, *source);
                let lane = step.first_lane();
                // Threads that call the same function go together; the others come back to the instruction.
                let together = lanes_of(mask).filter(|&other| addresses[other] == addresses[lane]);
                let together = together.fold(0, |mask, lane| mask | 1 << lane);
                let number = function_at(cx, addresses[lane]);
                let number = number
                    .ok_or(StepError { kind: FaultKind::BadCall(addresses[lane]), lane: Some(lane) })?;
                let rest = mask & !together;
                if rest != 0 {
                    let pc = self.paths[idx].pc;
                    self.part(idx, rest, pc);
                    self.n_executed -= u64::from(rest.count_ones());
                }
                self.enter(cx, idx, together, number, args)?;
            }
            Callee::System(system) => {
                self.call_system(step, *system, args, returns)?;
                return Ok(Next::Step);
            }
        }
        Ok(Next::Reschedule)
    }

    /// Threads of a path enter a function.
    fn enter(
        &mut self,
        cx: &LaunchContext<'_>,
        idx: usize,
        mask: u32,
        number: usize,
        args: &[Slot],
    ) -> Result<(), StepError> {
        let path = self.paths[idx];
        let callee = &cx.program.codes[number];
        let (fixed, open) = match (callee.open_param, args) {
            (Some(register), [fixed @ .., open]) if fixed.len() == callee.params.len() => {
                (fixed, Some((register, *open)))
            }
            // The call omits the variable arguments if there are none.
            (Some(register), fixed) => (fixed, Some((register, Slot { offset: 0, size: 0 }))),
            (None, _) => (args, None),
        };
        let is_same = |(param, arg): (&Slot, &Slot)| param.size == arg.size;
        if callee.params.len() != fixed.len() || !callee.params.iter().zip(fixed).all(is_same) {
            return Err(FaultKind::MismatchedArguments(callee.name.clone()).into());
        }
        self.use_frame(path.frame);
        let n_more = open.map_or(0, |(_, open)| open.size);
        let frame = self.push_frame(cx, number, Some((path.frame, path.pc + 1)), mask, n_more)?;
        let (from, to) = (self.frames[path.frame].base, self.frames[frame].base);
        let open_slot = Slot { offset: callee.frame_size, size: n_more };
        let pairs = fixed.iter().zip(&callee.params).map(|(arg, param)| (*arg, *param));
        for (arg, param) in pairs.chain(open.map(|(_, arg)| (arg, open_slot))) {
            for lane in lanes_of(mask) {
                self.local.copy(lane, from + arg.offset, to + param.offset, arg.size);
            }
        }
        if let Some((register, _)) = open {
            self.frames[frame].registers[register.0 as usize] = [to + callee.frame_size; WARP_SIZE];
        }
        if path.mask == mask {
            self.paths.remove(idx);
            self.release_frame(path.frame);
        } else {
            self.paths[idx].mask &= !mask;
            self.paths[idx].pc += 1;
        }
        self.paths.push(DivergentPath { frame, pc: 0, mask, waits: None, stamp: path.stamp });
        Ok(())
    }

    /// Threads of a path return; from a kernel, they end.
    pub(super) fn return_from(&mut self, cx: &LaunchContext<'_>, idx: usize, mask: u32) {
        let path = self.paths[idx];
        let Some((caller, pc)) = self.frames[path.frame].caller else {
            self.exit(idx, mask);
            return;
        };
        let callee = &cx.program.codes[self.frames[path.frame].code];
        let instruction = &cx.program.codes[self.frames[caller].code].instructions[pc as usize - 1];
        if let Op::Call { returns, .. } = &instruction.op {
            let (from, to) = (self.frames[path.frame].base, self.frames[caller].base);
            for (value, place) in callee.returns.iter().zip(returns) {
                for lane in lanes_of(mask) {
                    self.local.copy(lane, from + value.offset, to + place.offset, place.size.min(value.size));
                }
            }
        }
        let depth = self.frames[path.frame].depth;
        self.leave_stack(lanes_of(mask), depth);
        self.use_frame(caller);
        self.end(idx, mask);
        self.paths.push(DivergentPath { frame: caller, pc, mask, waits: None, stamp: path.stamp });
    }
}

fn function_at(cx: &LaunchContext<'_>, address: u64) -> Option<usize> {
    let offset = address.checked_sub(cx.program.windows.function)?;
    let number = usize::try_from(offset / FUNCTION_STRIDE).ok()?;
    (offset.is_multiple_of(FUNCTION_STRIDE) && number < cx.program.codes.len()).then_some(number)
}
