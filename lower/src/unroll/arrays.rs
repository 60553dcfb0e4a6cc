//! Loops that index local arrays.
//!
//! An array whose every access has a constant index is kept in registers; one variable index puts all of it into local memory, and the
//! program may run several times slower. So a loop over a small array is unrolled as a whole even if it is larger than loops that are
//! otherwise unrolled.

use std::collections::HashSet;

use inkwell::targets::TargetData;
use inkwell::values::{
    AsValueRef, BasicValue, BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue,
};

use crate::loops::{Loop, Loops};

/// How large an array may be to be kept in registers, in bytes: a thread has 255 of them.
const MAX_ARRAY_SIZE: u64 = 1_024;

/// How many instructions such a loop may have when it is unrolled. LLVM's limit for AMD's GPUs, where it does the same
/// (`UnrollThresholdPrivate` of its target).
pub(super) const MAX_SIZE: u64 = 2_700;

/// Whether a function has local arrays that could be kept in registers.
pub(crate) fn are_in(layout: &TargetData, function: FunctionValue<'_>) -> bool {
    let entry = function.get_first_basic_block();
    entry.is_some_and(|entry| entry.get_instructions().any(|instruction| is_small_array(layout, instruction)))
}

/// Whether the loop indexes such an array by what each of its rounds changes.
pub(super) fn are_indexed_in(layout: &TargetData, loops: &Loops<'_>, it: &Loop) -> bool {
    let blocks = it.blocks.iter().map(|&number| loops.blocks[number]);
    blocks.flat_map(|block| block.get_instructions()).any(|instruction| {
        instruction.get_opcode() == InstructionOpcode::GetElementPtr
            && base_of(instruction).is_some_and(|base| is_small_array(layout, base))
            && (1..instruction.get_num_operands()).any(|number| {
                instruction
                    .get_operand(number)
                    .and_then(|operand| operand.value())
                    .is_some_and(|index| changes(loops, it, index))
            })
    })
}

fn is_small_array(layout: &TargetData, instruction: InstructionValue<'_>) -> bool {
    if instruction.get_opcode() != InstructionOpcode::Alloca {
        return false;
    }
    let Ok(ty) = instruction.get_allocated_type() else { return false };
    (ty.is_array_type() || ty.is_struct_type()) && layout.get_abi_size(&ty) <= MAX_ARRAY_SIZE
}

/// The variable that a pointer is within.
fn base_of(mut pointer: InstructionValue<'_>) -> Option<InstructionValue<'_>> {
    loop {
        match pointer.get_opcode() {
            InstructionOpcode::Alloca => return Some(pointer),
            InstructionOpcode::GetElementPtr
            | InstructionOpcode::AddrSpaceCast
            | InstructionOpcode::BitCast => {
                pointer = pointer.get_operand(0)?.value()?.as_instruction_value()?;
            }
            _ => return None,
        }
    }
}

/// Whether a value depends on one that each round of the loop begins with.
fn changes<'ctx>(loops: &Loops<'ctx>, it: &Loop, value: BasicValueEnum<'ctx>) -> bool {
    let header = loops.blocks[it.header];
    let (mut open, mut seen) = (vec![value], HashSet::new());
    while let Some(value) = open.pop() {
        let Some(instruction) = value.as_instruction_value() else { continue };
        let Some(block) = instruction.get_parent() else { continue };
        if !it.blocks.iter().any(|&number| loops.blocks[number] == block)
            || !seen.insert(value.as_value_ref())
        {
            continue;
        }
        match instruction.get_opcode() {
            InstructionOpcode::Phi if block == header => return true,
            InstructionOpcode::Phi | InstructionOpcode::Load | InstructionOpcode::Call => {}
            _ => open.extend(instruction.get_operands().flatten().filter_map(|operand| operand.value())),
        }
    }
    false
}
