//! Reachability of the blocks of a function.

use std::collections::HashSet;

use inkwell::basic_block::BasicBlock;
use inkwell::values::InstructionValue;

/// Whether there is a path from the block back to itself.
pub(crate) fn is_in_loop(block: BasicBlock<'_>) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![block]);
    while let Some(from) = open.pop() {
        let operands = from.get_terminator().into_iter().flat_map(InstructionValue::get_operands);
        for to in operands.flatten().filter_map(|operand| operand.block()) {
            if to == block {
                return true;
            }
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}
