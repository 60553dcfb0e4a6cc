//! Keeps parameters in registers where LLVM's code generator would take their addresses.
//!
//! LLVM turns a choice between two loaded values into a load through a chosen address, which pays on CPUs.
//! The values of parameters are loads to it too, so that `c ? x : y` of two parameters becomes a load
//! through an address in `.param` space, for which ptxas first spills them to local memory. A `freeze`
//! between the parameter and the choice hides that it is a load, and costs nothing.

use inkwell::builder::Builder;
use inkwell::llvm_sys::core::LLVMBuildFreeze;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue};

use crate::context::Cx;

/// Freezes the operands of choices between parameters, in the whole module.
pub(crate) fn keep_in_registers(cx: &Cx<'_, '_>) {
    let builder = cx.llvm.create_builder();
    for function in functions(&cx.module) {
        let params = function.get_params();
        if params.len() < 2 {
            continue;
        }
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        for choice in instructions.filter(|i| i.get_opcode() == InstructionOpcode::Select) {
            let is_param = |idx| operand(choice, idx).is_some_and(|value| params.contains(&value));
            if is_param(1) && is_param(2) {
                freeze(&builder, choice, 1);
                freeze(&builder, choice, 2);
            }
        }
    }
}

fn functions<'ctx>(module: &Module<'ctx>) -> impl Iterator<Item = inkwell::values::FunctionValue<'ctx>> {
    module.get_functions().filter(|function| function.count_basic_blocks() > 0)
}

fn operand<'ctx>(instruction: InstructionValue<'ctx>, idx: u32) -> Option<BasicValueEnum<'ctx>> {
    instruction.get_operand(idx)?.value()
}

fn freeze<'ctx>(builder: &Builder<'ctx>, choice: InstructionValue<'ctx>, idx: u32) {
    let Some(value) = operand(choice, idx) else { return };
    builder.position_before(&choice);
    // SAFETY: the builder stands in the function to which the value belongs; inkwell has no method for it.
    let frozen = unsafe {
        let frozen = LLVMBuildFreeze(builder.as_mut_ptr(), value.as_value_ref(), c"".as_ptr());
        BasicValueEnum::new(frozen)
    };
    choice.set_operand(idx, frozen);
}
