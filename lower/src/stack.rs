//! Makes each stack allocation in a loop a new one.
//!
//! LLVM's code generator for GPUs moves allocations of constant size to the beginning of the function, where
//! each becomes one variable, even in a loop. Like nvcc, we hide the size of an allocation in a loop.
//!
//! ptxas (13.0 and 13.5, from -O2) takes the generic address of one allocation for that of another in the same
//! iteration of a loop: a list whose links are such memory then has links to themselves. A fence before each
//! allocation prevents it.

use inkwell::InlineAsmDialect;
use inkwell::targets::{TargetData, TargetMachine};
use inkwell::values::{InstructionOpcode, InstructionValue};
use weft_frontend::layout::DataModel;

use crate::Bug;
use crate::context::Cx;
use crate::control_flow::is_in_loop;

/// Hides constant sizes in loops and keeps the allocations apart, in the whole module.
pub(crate) fn separate_allocations_in_loops(cx: &Cx<'_, '_>, machine: &TargetMachine) -> Result<(), Bug> {
    let layout = machine.get_target_data();
    for function in cx.module.get_functions() {
        // The first block has the function's variables, and is not in a loop.
        for block in function.get_basic_block_iter().skip(1) {
            let in_block: Vec<InstructionValue<'_>> =
                block.get_instructions().filter(|i| i.get_opcode() == InstructionOpcode::Alloca).collect();
            if !in_block.is_empty() && is_in_loop(block) {
                for alloca in in_block {
                    build_fence(cx, alloca)?;
                    hide_size(cx, &layout, alloca)?;
                }
            }
        }
    }
    Ok(())
}

/// A fence before an allocation, which LLVM neither drops nor orders other memory by.
fn build_fence(cx: &Cx<'_, '_>, alloca: InstructionValue<'_>) -> Result<(), Bug> {
    let builder = cx.llvm.create_builder();
    builder.position_before(&alloca);
    let ty = cx.llvm.void_type().fn_type(&[], false);
    let text = "fence.acq_rel.cta;".to_owned();
    let dialect = Some(InlineAsmDialect::ATT);
    let asm = cx.llvm.create_inline_asm(ty, text, String::new(), true, false, dialect, false);
    builder.build_indirect_call(ty, asm, &[], "")?;
    Ok(())
}

fn hide_size(cx: &Cx<'_, '_>, layout: &TargetData, alloca: InstructionValue<'_>) -> Result<(), Bug> {
    let count = alloca.get_operand(0).and_then(|operand| operand.value());
    let count = count.ok_or("memory without a size")?.into_int_value();
    let Some(count) = count.get_zero_extended_constant() else { return Ok(()) };
    let elem = alloca.get_allocated_type().map_err(|_| Bug::from("memory without a type"))?;
    let (instruction, constraint) = match cx.ir.types.model() {
        DataModel::Lp64 => ("mov.u64", "=l"),
        DataModel::Ilp32 => ("mov.u32", "=r"),
    };
    let builder = cx.llvm.create_builder();
    builder.position_before(&alloca);
    let ty = cx.tys.word.fn_type(&[], false);
    let text = format!("{instruction} $0, {};", count.wrapping_mul(layout.get_abi_size(&elem)));
    let asm = cx.llvm.create_inline_asm(
        ty,
        text,
        constraint.to_owned(),
        false,
        false,
        Some(InlineAsmDialect::ATT),
        false,
    );
    let size = builder.build_indirect_call(ty, asm, &[], "")?.try_as_basic_value().basic();
    let size = size.ok_or("a size without a value")?.into_int_value();
    let memory = builder.build_array_alloca(cx.tys.i8, size, "")?;
    let made = memory.as_instruction().ok_or("an allocation that is not an instruction")?;
    made.set_alignment(alloca.get_alignment()?)
        .map_err(|_| Bug::from("LLVM takes no alignment of memory"))?;
    alloca.replace_all_uses_with(&made);
    alloca.erase_from_basic_block();
    Ok(())
}
