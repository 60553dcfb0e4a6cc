//! Limits the growth of functions by unrolling.
//!
//! In: a module after the first passes, with its loops marked. Out: the same without the marks of loops that
//! would become too large, which LLVM then treats as if they had no pragma; and diagnostics about the ignored
//! requests. nvcc does the same without a message: it follows `#pragma unroll` up to about 16,384 of its
//! instructions, including products of nested loops (measured with nvcc 13.5: a body of one atomic operation
//! 6,528 times, of two 3,632 times, and only the inner one of nested loops).

use std::collections::{BTreeSet, HashMap};

use inkwell::basic_block::BasicBlock;
use inkwell::targets::TargetData;
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue};
use weft_frontend::diag::{Code, Diagnostic};
use weft_frontend::ir::Unroll;

use super::trips::trip_count;
use super::{UnrollRequest, arrays, forget, mark_as, request_of};
use crate::context::Cx;
use crate::loops::Loops;

/// The maximum size of an unrolled loop in instructions, including inner loops.
pub(crate) const MAX_UNROLLED_SIZE: u64 = 16_384;

/// LLVM fully unrolls a loop without a pragma up to about this size.
const SIZE_UNROLLED_ANYWAY: u64 = 300;

/// LLVM inlines a function up to about this size.
const SIZE_INLINED_ANYWAY: u64 = 500;

/// The assumed size of a libdevice function, which is linked later.
const LIBRARY_SIZE: u64 = 40;

/// The maximum call depth for measuring sizes.
const MAX_CALL_DEPTH: u32 = 64;

/// Removes requests for loops that would become too large, and warns about them. With the layout of memory, it also marks loops that
/// index local arrays.
pub(crate) fn apply(cx: &Cx<'_, '_>, layout: Option<&TargetData>) -> Vec<Diagnostic> {
    let requests = cx.unroll_requests.borrow();
    let mut budget = Budget {
        cx,
        layout,
        requests: &requests,
        sizes: HashMap::new(),
        refused: BTreeSet::new(),
        found: Vec::new(),
    };
    for function in cx.module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        budget.size_of(function, 0);
    }
    budget.found
}

struct Budget<'b, 'a, 'ctx> {
    cx: &'b Cx<'a, 'ctx>,
    layout: Option<&'b TargetData>,
    requests: &'b [UnrollRequest],
    /// Sizes of functions after unrolling; `None` while one is being measured.
    sizes: HashMap<FunctionValue<'ctx>, Option<u64>>,
    /// The reported requests: inlining duplicates loops.
    refused: BTreeSet<usize>,
    found: Vec<Diagnostic>,
}

/// How often a loop's body will be repeated.
#[derive(Clone, Copy, Debug)]
enum Factor {
    Times(u64),
    /// Its trip count, which is known once the enclosing loop is unrolled.
    LaterKnown,
}

impl<'ctx> Budget<'_, '_, 'ctx> {
    fn size_of(&mut self, function: FunctionValue<'ctx>, depth: u32) -> u64 {
        match self.sizes.get(&function) {
            Some(&size) => size.unwrap_or(0),
            None => {
                self.sizes.insert(function, None);
                let size = self.look_at(function, depth);
                self.sizes.insert(function, Some(size));
                size
            }
        }
    }

    /// Decides about the loops of a function. Returns its size.
    fn look_at(&mut self, function: FunctionValue<'ctx>, depth: u32) -> u64 {
        let loops = Loops::of(function);
        let innermost = loops.innermost();
        let mut own = vec![0_u64; loops.loops.len()];
        let mut outside = 0_u64;
        for (block, within) in loops.blocks.iter().zip(&innermost) {
            let size = self.block_size(*block, depth);
            let sum = within.map_or(&mut outside, |within| &mut own[within]);
            *sum = sum.saturating_add(size);
        }
        let mut inner = vec![Vec::new(); loops.loops.len()];
        let mut factors = vec![Factor::Times(1); loops.loops.len()];
        for (idx, it) in loops.loops.iter().enumerate() {
            if let Some(parent) = it.parent {
                inner[parent].push(idx);
            }
            let trips = trip_count(&loops, it, MAX_UNROLLED_SIZE + 1);
            let branches: Vec<_> =
                it.latches.iter().filter_map(|&latch| loops.blocks[latch].get_terminator()).collect();
            let number = branches.iter().find_map(|&branch| request_of(self.cx, branch));
            let request = number.and_then(|number| self.requests.get(number).copied());
            let size = |times| size_unrolled(idx, times, &own, &inner, &factors);
            factors[idx] = match (request.map(|request| request.unroll.count()), trips) {
                (Some(Some(1)), _) => Factor::Times(1),
                (Some(Some(count)), trips) => Factor::Times(trips.unwrap_or(u64::MAX).min(count.into())),
                (Some(None), Some(trips)) => Factor::Times(trips),
                (Some(None), None) => Factor::LaterKnown,
                (None, Some(trips)) if size(trips) <= SIZE_UNROLLED_ANYWAY => Factor::Times(trips),
                (None, Some(trips))
                    if size(trips) <= arrays::MAX_SIZE
                        && self.layout.is_some_and(|layout| arrays::are_indexed_in(layout, &loops, it)) =>
                {
                    let whole = Unroll::FULL;
                    branches.iter().for_each(|&branch| mark_as(self.cx.llvm, branch, whole, None));
                    Factor::Times(trips)
                }
                (None, _) => Factor::Times(1),
            };
            let Factor::Times(times) = factors[idx] else { continue };
            let size = size_unrolled(idx, times, &own, &inner, &factors);
            if let (Some(request), Some(number)) = (request, number)
                && times > 1
                && size > MAX_UNROLLED_SIZE
            {
                branches.iter().for_each(|&branch| forget(self.cx, branch));
                factors[idx] = Factor::Times(1);
                self.refuse(number, request, times);
            }
        }
        let outermost = (0..loops.loops.len()).filter(|&idx| loops.loops[idx].parent.is_none());
        outermost.fold(outside, |sum, idx| {
            let times = match factors[idx] {
                Factor::Times(times) => times,
                Factor::LaterKnown => 1,
            };
            sum.saturating_add(size_unrolled(idx, times, &own, &inner, &factors))
        })
    }

    fn refuse(&mut self, number: usize, request: UnrollRequest, times: u64) {
        if !self.refused.insert(number) {
            return;
        }
        let times = match request.unroll.count() {
            Some(count) => u64::from(count),
            None => times,
        };
        let times = match times {
            // Counting stopped there.
            ..=MAX_UNROLLED_SIZE => format!("{times} times"),
            _ if request.unroll.count().is_some() => format!("{times} times"),
            _ => format!("more than {MAX_UNROLLED_SIZE} times"),
        };
        let message = format!("loop not unrolled {times}: it would become too large");
        let diagnostic = Diagnostic::new(Code::PassFailed, request.pragma, message)
            .with_note(format!("an unrolled loop has at most about {MAX_UNROLLED_SIZE} instructions"))
            .with_help("use a smaller count, such as `#pragma unroll 8`");
        self.found.push(diagnostic);
    }

    fn block_size(&mut self, block: BasicBlock<'ctx>, depth: u32) -> u64 {
        let sizes = block.get_instructions().map(|instruction| self.instruction_size(instruction, depth));
        sizes.fold(0, u64::saturating_add)
    }

    /// The cost by LLVM's measure for loop passes: an instruction that is usually folded into another is
    /// free.
    fn instruction_size(&mut self, instruction: InstructionValue<'ctx>, depth: u32) -> u64 {
        match instruction.get_opcode() {
            InstructionOpcode::Phi
            | InstructionOpcode::Br
            | InstructionOpcode::BitCast
            | InstructionOpcode::AddrSpaceCast
            | InstructionOpcode::IntToPtr
            | InstructionOpcode::PtrToInt
            | InstructionOpcode::GetElementPtr
            | InstructionOpcode::SExt
            | InstructionOpcode::ZExt
            | InstructionOpcode::Trunc => 0,
            InstructionOpcode::Call => self.call_size(instruction, depth),
            _ => 1,
        }
    }

    fn call_size(&mut self, instruction: InstructionValue<'ctx>, depth: u32) -> u64 {
        let Ok(call) = CallSiteValue::try_from(instruction) else { return 1 };
        let plain = 1 + u64::from(call.count_arguments());
        let Some(callee) = call.get_called_fn_value() else { return plain };
        let name = callee.get_name().to_bytes();
        if name.starts_with(b"llvm.") {
            let is_free = name.starts_with(b"llvm.lifetime.") || name.starts_with(b"llvm.dbg.");
            return u64::from(!is_free);
        }
        if name.starts_with(b"__nv_") {
            return LIBRARY_SIZE;
        }
        if callee.count_basic_blocks() == 0 || depth >= MAX_CALL_DEPTH {
            return plain;
        }
        match self.size_of(callee, depth + 1) {
            size @ ..=SIZE_INLINED_ANYWAY => size.max(1),
            _ => plain,
        }
    }
}

/// The size of a loop that is repeated `times` times.
fn size_unrolled(idx: usize, times: u64, own: &[u64], inner: &[Vec<usize>], factors: &[Factor]) -> u64 {
    let within = inner[idx].iter().map(|&inner_idx| {
        let inner_times = match factors[inner_idx] {
            Factor::Times(times) => times,
            // Such as `for (j = 0; j < i; j++)` in a loop over `i`: half of that, on average.
            Factor::LaterKnown => (times / 2).max(1),
        };
        size_unrolled(inner_idx, inner_times, own, inner, factors)
    });
    within.fold(own[idx], u64::saturating_add).saturating_mul(times)
}
