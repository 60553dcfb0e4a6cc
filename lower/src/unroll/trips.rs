//! Trip counts of loops that count from one constant to another.
//!
//! The loop's test is simulated iteration by iteration. LLVM later computes the count algebraically, but only as many iterations matter
//! as fit into the budget.

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValue, BasicValueEnum, InstructionOpcode, InstructionValue, IntValue, PhiValue};

use crate::loops::{Loop, Loops};

/// The trip count of a loop, at most `limit`; `None` if unknown.
pub(super) fn trip_count(loops: &Loops<'_>, it: &Loop, limit: u64) -> Option<u64> {
    let [latch] = it.latches[..] else { return None };
    let (header, latch_block) = (loops.blocks[it.header], loops.blocks[latch]);
    // The test in the first block, or in the last block of a loop with its test at the end.
    let (at, Exit { test, leaves_on }) =
        [it.header, latch].into_iter().find_map(|at| Some((at, exit_of(loops, it, at)?)))?;
    let counter = Counter::of(&test, header, latch_block, loops, it)?;
    let mut value = counter.first;
    for round in 0..limit {
        let next = counter.step(value)?;
        let tested = if counter.tests_next { next } else { value };
        if counter.holds(tested) == leaves_on {
            // A test at the end comes after the body.
            return Some(if at == latch { round + 1 } else { round });
        }
        value = next;
    }
    Some(limit)
}

/// A branch out of a loop: its condition, and its value there.
struct Exit<'ctx> {
    test: InstructionValue<'ctx>,
    leaves_on: bool,
}

fn exit_of<'ctx>(loops: &Loops<'ctx>, it: &Loop, at: usize) -> Option<Exit<'ctx>> {
    let branch = loops.blocks[at].get_terminator()?;
    let (opcode, n_operands) = (branch.get_opcode(), branch.get_num_operands());
    if !matches!(opcode, InstructionOpcode::Br) || n_operands != 3 {
        return None;
    }
    // LLVM stores the target of a false condition first.
    let target = |idx| branch.get_operand(idx).and_then(|operand| operand.block());
    let is_within = |block: BasicBlock<'_>| it.blocks.iter().any(|&number| loops.blocks[number] == block);
    let (otherwise, then) = (target(1)?, target(2)?);
    let leaves_on = match (is_within(then), is_within(otherwise)) {
        (false, true) => true,
        (true, false) => false,
        _ => return None,
    };
    let test = branch.get_operand(0)?.value()?.as_instruction_value()?;
    (test.get_opcode() == InstructionOpcode::ICmp).then_some(Exit { test, leaves_on })
}

/// A variable that each iteration changes by a constant, and the value that it is compared with.
struct Counter {
    bits: u32,
    first: u64,
    operation: InstructionOpcode,
    operand: u64,
    predicate: IntPredicate,
    bound: u64,
    /// Whether the test uses the next iteration's value.
    tests_next: bool,
    /// Whether the bound is the left operand.
    is_swapped: bool,
}

impl Counter {
    fn of<'ctx>(
        test: &InstructionValue<'ctx>,
        header: BasicBlock<'ctx>,
        latch: BasicBlock<'ctx>,
        loops: &Loops<'ctx>,
        it: &Loop,
    ) -> Option<Self> {
        let side = |idx| test.get_operand(idx).and_then(|operand| operand.value());
        let (left, right) = (side(0)?, side(1)?);
        let (tested, bound, is_swapped) = match (constant(left), constant(right)) {
            (None, Some(bound)) => (left, bound, false),
            (Some(bound), None) => (right, bound, true),
            _ => return None,
        };
        let tested = tested.as_instruction_value()?;
        let (variable, tests_next) = match PhiValue::try_from(tested) {
            Ok(variable) => (variable, false),
            Err(()) => (PhiValue::try_from(operand(tested, 0)?.as_instruction_value()?).ok()?, true),
        };
        if variable.as_instruction().get_parent() != Some(header) {
            return None;
        }
        let is_within = |block| it.blocks.iter().any(|&number| loops.blocks[number] == block);
        let (mut first, mut next) = (None, None);
        for (value, from) in variable.get_incomings() {
            if from == latch {
                next = Some(value);
            } else if is_within(from) || first.is_some() {
                return None;
            } else {
                first = Some(constant(value)?);
            }
        }
        let next = next?.as_instruction_value()?;
        if operand(next, 0)? != variable.as_basic_value() || (tests_next && next != tested) {
            return None;
        }
        let BasicValueEnum::IntValue(value) = variable.as_basic_value() else { return None };
        Some(Counter {
            bits: value.get_type().get_bit_width(),
            first: first?,
            operation: next.get_opcode(),
            operand: constant(operand(next, 1)?)?,
            predicate: test.get_icmp_predicate()?,
            bound,
            tests_next,
            is_swapped,
        })
    }

    fn mask(&self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.bits.clamp(1, 64)))
    }

    fn signed(&self, value: u64) -> i64 {
        let shift = 64 - self.bits.clamp(1, 64);
        ((value << shift) as i64) >> shift
    }

    /// The value in the next iteration; `None` after an unsupported operation.
    fn step(&self, value: u64) -> Option<u64> {
        let by = self.operand;
        let shift = u32::try_from(by).unwrap_or(u32::MAX);
        let next = match self.operation {
            InstructionOpcode::Add => value.wrapping_add(by),
            InstructionOpcode::Sub => value.wrapping_sub(by),
            InstructionOpcode::Mul => value.wrapping_mul(by),
            InstructionOpcode::Shl => value.checked_shl(shift).unwrap_or(0),
            InstructionOpcode::LShr => value.checked_shr(shift).unwrap_or(0),
            InstructionOpcode::AShr => (self.signed(value) >> shift.min(63)) as u64,
            _ => return None,
        };
        Some(self.mask(next))
    }

    fn holds(&self, value: u64) -> bool {
        let (a, b) = if self.is_swapped { (self.bound, value) } else { (value, self.bound) };
        let (sa, sb) = (self.signed(a), self.signed(b));
        match self.predicate {
            IntPredicate::EQ => a == b,
            IntPredicate::NE => a != b,
            IntPredicate::UGT => a > b,
            IntPredicate::UGE => a >= b,
            IntPredicate::ULT => a < b,
            IntPredicate::ULE => a <= b,
            IntPredicate::SGT => sa > sb,
            IntPredicate::SGE => sa >= sb,
            IntPredicate::SLT => sa < sb,
            IntPredicate::SLE => sa <= sb,
        }
    }
}

fn operand<'ctx>(instruction: InstructionValue<'ctx>, idx: u32) -> Option<BasicValueEnum<'ctx>> {
    instruction.get_operand(idx)?.value()
}

fn constant(value: BasicValueEnum<'_>) -> Option<u64> {
    match value {
        BasicValueEnum::IntValue(value) => IntValue::get_zero_extended_constant(value),
        _ => None,
    }
}
