//! `switch`: lowers case values to LLVM switches.
//!
//! LLVM's code generator is quadratic in the entries of a jump table. So many case values become a tree of
//! comparisons whose leaves are switches over a few hundred values.

use std::vec;

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::IntValue;
use weft_frontend::ir::{CaseRange, Stmt, SwitchHead, Ty};

use crate::Bug;
use crate::stmt::JumpTargets;
use crate::stmt::Statements;

/// A range of case values with at most this many values after its first becomes a list for LLVM.
const MAX_LISTED_VALUES: u128 = 63;

/// A switch over more values is split.
const MAX_LEAF_VALUES: usize = 512;

/// The labels of a `switch`.
pub(super) struct SwitchTargets<'ctx> {
    /// The cases still to be lowered, in source order.
    cases: vec::IntoIter<(CaseRange, BasicBlock<'ctx>)>,
    default: Option<BasicBlock<'ctx>>,
}

impl<'ctx> SwitchTargets<'ctx> {
    /// The block of the next case in the source, which must have these values.
    pub(super) fn next_case(&mut self, values: CaseRange) -> Option<BasicBlock<'ctx>> {
        self.cases.next().filter(|(case, _)| *case == values).map(|(_, block)| block)
    }

    /// The block of `default:`.
    pub(super) fn default(&self) -> Option<BasicBlock<'ctx>> {
        self.default
    }
}

/// A case value and its block.
type Target<'ctx> = (i128, BasicBlock<'ctx>);

/// The value of a `switch`, and its type.
#[derive(Clone, Copy)]
struct Switched<'ctx> {
    value: IntValue<'ctx>,
    ty: Ty,
}

impl<'ctx> Statements<'_, '_, '_, 'ctx> {
    pub(super) fn lower_switch(&mut self, head: &SwitchHead, body: Stmt) -> Result<(), Bug> {
        let SwitchHead { value, ref cases, has_default } = *head;
        let ty = self.exprs.body.exprs[value].ty;
        let switched = Switched { value: self.exprs.lower_scalar(value)?.into_int_value(), ty };
        let end = self.code.new_block("endswitch");
        let cases: Vec<_> = cases.iter().map(|&case| (case, self.code.new_block("case"))).collect();
        let default = has_default.then(|| self.code.new_block("default"));
        let (listed, wide): (Vec<_>, Vec<_>) =
            cases.iter().copied().partition(|(case, _)| case.width() <= MAX_LISTED_VALUES);
        let last = default.unwrap_or(end);
        let otherwise = if wide.is_empty() { last } else { self.code.new_block("otherwise") };
        self.branch_by_values(switched, &self.sorted_targets(&listed, ty), otherwise)?;
        self.branch_by_ranges(switched, &wide, otherwise, last)?;
        self.code.continue_unreachable()?;
        self.exprs.flow.switches.push(SwitchTargets { cases: cases.into_iter(), default });
        self.exprs.flow.jumps.push(JumpTargets { on_break: end, on_continue: None });
        self.lower_stmt(body)?;
        self.exprs.flow.jumps.pop();
        self.exprs.flow.switches.pop();
        self.code.fall_into(end)
    }

    /// The case values in the order of their type, with their blocks.
    fn sorted_targets(&self, cases: &[(CaseRange, BasicBlock<'ctx>)], ty: Ty) -> Vec<Target<'ctx>> {
        let values =
            |case: CaseRange| (0..=case.width()).map(move |idx| case.first.wrapping_add(idx as i128));
        let mut targets: Vec<Target<'ctx>> =
            cases.iter().flat_map(|&(case, block)| values(case).map(move |value| (value, block))).collect();
        match self.cx.is_signed(ty) {
            true => targets.sort_by_key(|&(value, _)| value),
            false => targets.sort_by_key(|&(value, _)| value as u128),
        }
        targets
    }

    /// Branches to the block of the value; the targets are sorted.
    fn branch_by_values(
        &mut self,
        switched: Switched<'ctx>,
        targets: &[Target<'ctx>],
        otherwise: BasicBlock<'ctx>,
    ) -> Result<(), Bug> {
        let Switched { value, ty } = switched;
        if targets.len() <= MAX_LEAF_VALUES {
            let constant = |&(value, block): &Target<'ctx>| (self.cx.const_int(ty, value), block);
            let targets: Vec<_> = targets.iter().map(constant).collect();
            self.code.builder.build_switch(value, otherwise, &targets)?;
            return Ok(());
        }
        let (lower, upper) = targets.split_at(targets.len() / 2);
        let predicate = if self.cx.is_signed(ty) { IntPredicate::SLT } else { IntPredicate::ULT };
        let is_lower =
            self.code.builder.build_int_compare(predicate, value, self.cx.const_int(ty, upper[0].0), "")?;
        let [lower_block, upper_block] = ["lower", "upper"].map(|name| self.code.new_block(name));
        self.code.builder.build_conditional_branch(is_lower, lower_block, upper_block)?;
        for (block, targets) in [(lower_block, lower), (upper_block, upper)] {
            self.code.continue_in(block)?;
            self.branch_by_values(switched, targets, otherwise)?;
        }
        Ok(())
    }

    /// Tests one range after the other, starting in block `otherwise`.
    fn branch_by_ranges(
        &mut self,
        Switched { value, ty }: Switched<'ctx>,
        ranges: &[(CaseRange, BasicBlock<'ctx>)],
        mut otherwise: BasicBlock<'ctx>,
        last: BasicBlock<'ctx>,
    ) -> Result<(), Bug> {
        for (idx, &(case, block)) in ranges.iter().enumerate() {
            self.code.continue_in(otherwise)?;
            let distance = self.code.builder.build_int_sub(value, self.cx.const_int(ty, case.first), "")?;
            let width = self.cx.const_int(ty, case.width() as i128);
            let is_within = self.code.builder.build_int_compare(IntPredicate::ULE, distance, width, "")?;
            otherwise = if idx + 1 == ranges.len() { last } else { self.code.new_block("otherwise") };
            self.code.builder.build_conditional_branch(is_within, block, otherwise)?;
        }
        Ok(())
    }
}
