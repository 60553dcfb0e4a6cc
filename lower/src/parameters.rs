//! Keeps parameters in registers where LLVM's code generator would take their addresses.
//!
//! LLVM turns a selection between two loaded values into a load through a selected address, which pays on
//! CPUs. Parameters are loads, too, so `c ? x : y` of two parameters becomes a load through an address in
//! `.param` space, for which ptxas first spills them to local memory. A `freeze` between the parameter and
//! the selection hides the load, and costs nothing.
//!
//! This also turns volatile reads of structs passed by value into plain ones: LLVM writes `ld.volatile.param`
//! for them, which does not exist, if they stay in `.param` space. Nothing else can write there.

use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder;
use inkwell::llvm_sys::core::LLVMBuildFreeze;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, PointerValue};

use crate::context::Cx;

/// Freezes the operands of selections between parameters, in the whole module.
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

/// Makes volatile reads of parameters plain, in the whole module.
pub(crate) fn read_volatile(cx: &Cx<'_, '_>) {
    for function in functions(&cx.module) {
        let is_by_value =
            |idx: u32| function.get_enum_attribute(AttributeLoc::Param(idx), cx.attrs.byval).is_some();
        let by_value: Vec<PointerValue<'_>> = (0..function.count_params())
            .filter(|&idx| is_by_value(idx))
            .filter_map(|idx| function.get_nth_param(idx).map(BasicValueEnum::into_pointer_value))
            .collect();
        if by_value.is_empty() {
            continue;
        }
        let instructions = || function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        let param = |instruction: InstructionValue<'_>, address: u32| {
            let root = root(operand(instruction, address)?);
            by_value.iter().position(|param| param.as_value_ref() == root)
        };
        // A written parameter has been copied, and the copy is volatile.
        let is_store =
            |instruction: &InstructionValue<'_>| instruction.get_opcode() == InstructionOpcode::Store;
        let written: Vec<usize> =
            instructions().filter(is_store).filter_map(|store| param(store, 1)).collect();
        for load in instructions().filter(|i| i.get_opcode() == InstructionOpcode::Load) {
            if load.get_volatile() == Ok(true)
                && param(load, 0).is_some_and(|param| !written.contains(&param))
            {
                load.set_volatile(false).expect("invariant: a load can be volatile or not");
            }
        }
    }
}

/// The base of an address.
fn root(address: BasicValueEnum<'_>) -> LLVMValueRef {
    let mut address = address;
    while let BasicValueEnum::PointerValue(pointer) = address
        && let Some(instruction) = pointer.as_instruction()
        && instruction.get_opcode() == InstructionOpcode::GetElementPtr
        && let Some(base) = operand(instruction, 0)
    {
        address = base;
    }
    address.as_value_ref()
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
    // SAFETY: the builder is in the value's function; inkwell has no method for this.
    let frozen = unsafe {
        let frozen = LLVMBuildFreeze(builder.as_mut_ptr(), value.as_value_ref(), c"".as_ptr());
        BasicValueEnum::new(frozen)
    };
    choice.set_operand(idx, frozen);
}
