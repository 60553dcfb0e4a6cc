//! Atomic accesses.
//!
//! - [`instruction`]: atomic operations with a memory order
//!
//! Relaxed read-modify-write operations are LLVM instructions while the passes run, since these know their
//! effects. After the passes, LLVM's code generator would drop the scope of everything but compare-and-swap,
//! and expand a 16-bit compare-and-swap into a loop; so operations without GPU scope, and 16-bit
//! compare-and-swaps, become inline PTX here ([`settle`]).

pub(crate) mod instruction;

use std::collections::HashSet;

use inkwell::builder::Builder;
use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic as RELAXED;
use inkwell::llvm_sys::LLVMAtomicRMWBinOp as Op;
use inkwell::llvm_sys::LLVMCallConv::LLVMPTXKernelCallConv;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMBuildAtomicCmpXchgSyncScope, LLVMBuildAtomicRMWSyncScope, LLVMCountIncoming, LLVMGetAtomicRMWBinOp,
    LLVMGetAtomicSyncScopeID, LLVMGetCalledValue, LLVMGetConstOpcode, LLVMGetFunctionCallConv,
    LLVMGetInstructionOpcode, LLVMGetOperand, LLVMGetParamParent, LLVMGetPointerAddressSpace,
    LLVMGetSyncScopeID, LLVMGetValueName2, LLVMIsAAllocaInst, LLVMIsAArgument, LLVMIsAConstantExpr,
    LLVMIsAFunction, LLVMIsAInstruction, LLVMReplaceAllUsesWith, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValueEnum, InstructionOpcode, InstructionValue, IntValue,
    PointerValue, StructValue,
};
use inkwell::{AtomicRMWBinOp, IntPredicate};
use weft_frontend::ir::{AtomicOp, OrderedOp, Scope, Ty, TypeTable};
use weft_frontend::layout;

use crate::Bug;
use crate::addr_space;
use crate::builtin::Effect;
use crate::context::Cx;

/// Whether PTX lacks an instruction for the operation on an object of the type, so that it is a
/// compare-and-swap loop.
pub(crate) fn is_loop(types: &TypeTable, op: OrderedOp, object: Ty) -> bool {
    let n_bytes = layout::size_of(types, object).unwrap_or(0);
    match op {
        OrderedOp::Load | OrderedOp::Store | OrderedOp::Fence => false,
        OrderedOp::Exchange => n_bytes < 4,
        OrderedOp::CompareExchange { .. } => n_bytes < 2,
        OrderedOp::Modify(AtomicOp::Min | AtomicOp::Max) if types.float_ty(object).is_some() => true,
        // These keep the other bits of the containing word.
        OrderedOp::Modify(AtomicOp::And | AtomicOp::Or | AtomicOp::Xor) => n_bytes > 8,
        OrderedOp::Modify(_) => !matches!(n_bytes, 4 | 8),
    }
}

/// LLVM's name of a scope (NVPTXUsage "Memory Model").
fn llvm_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => "block",
        Scope::Cluster => "cluster",
        Scope::Device => "device",
        // In LLVM, the unnamed scope is the system.
        Scope::System => "",
    }
}

/// LLVM's number of a scope.
fn scope_id(cx: &Cx<'_, '_>, scope: Scope) -> u32 {
    let name = llvm_name(scope);
    // SAFETY: the name is `len` bytes long.
    unsafe { LLVMGetSyncScopeID(cx.llvm.raw(), name.as_ptr().cast(), name.len()) }
}

/// A relaxed read-modify-write; returns the old value. inkwell builds it without a scope and for integers only.
pub(crate) fn build_atomic_rmw<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    op: AtomicRMWBinOp,
    ptr: PointerValue<'ctx>,
    value: BasicValueEnum<'ctx>,
    scope: Scope,
) -> BasicValueEnum<'ctx> {
    let scope = scope_id(cx, scope);
    // SAFETY: builder, pointer and value belong to the same context; the builder is in a block, and the
    // result has the type of `value`.
    unsafe {
        BasicValueEnum::new(LLVMBuildAtomicRMWSyncScope(
            builder.as_mut_ptr(),
            op.into(),
            ptr.as_value_ref(),
            value.as_value_ref(),
            RELAXED,
            scope,
        ))
    }
}

/// A relaxed compare-and-swap; returns the old value.
pub(crate) fn build_compare_exchange<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    ptr: PointerValue<'ctx>,
    [expected, value]: [BasicValueEnum<'ctx>; 2],
    scope: Scope,
) -> Result<BasicValueEnum<'ctx>, Bug> {
    let scope = scope_id(cx, scope);
    // SAFETY: as above; the result is a struct of a value with the type of `value` and an `i1`.
    let both = unsafe {
        StructValue::new(LLVMBuildAtomicCmpXchgSyncScope(
            builder.as_mut_ptr(),
            ptr.as_value_ref(),
            expected.as_value_ref(),
            value.as_value_ref(),
            RELAXED,
            RELAXED,
            scope,
        ))
    };
    Ok(builder.build_extract_value(both, 0, "")?)
}

/// Emits as PTX the operations that LLVM would lower incorrectly.
pub(crate) fn settle(cx: &Cx<'_, '_>) -> Result<(), Bug> {
    let builder = cx.llvm.create_builder();
    for function in cx.module.get_functions() {
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        let is_atomic = |it: &InstructionValue<'_>| {
            matches!(it.get_opcode(), InstructionOpcode::AtomicRMW | InstructionOpcode::AtomicCmpXchg)
        };
        let atomics: Vec<InstructionValue<'_>> = instructions.filter(is_atomic).collect();
        for instruction in atomics {
            settle_one(cx, &builder, instruction)?;
        }
    }
    instruction::settle(cx, &builder)
}

fn settle_one<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    instruction: InstructionValue<'ctx>,
) -> Result<(), Bug> {
    let operand = |idx| {
        let operand = instruction.get_operand(idx).and_then(|operand| operand.value());
        operand.ok_or_else(|| Bug::from("an atomic operation without an operand"))
    };
    let ptr = operand(0)?.into_pointer_value();
    let is_local = space_of(ptr) == Some(addr_space::LOCAL);
    // SAFETY: the instruction is an atomic one.
    let scope = unsafe { LLVMGetAtomicSyncScopeID(instruction.as_value_ref()) };
    let scope = [Scope::Block, Scope::Cluster, Scope::Device, Scope::System]
        .into_iter()
        .find(|&it| scope_id(cx, it) == scope);
    let scope = scope.ok_or("an atomic operation of an unknown scope")?;
    builder.position_before(&instruction);
    if instruction.get_opcode() == InstructionOpcode::AtomicCmpXchg {
        let (expected, value) = (operand(1)?.into_int_value(), operand(2)?.into_int_value());
        if !is_local && value.get_type().get_bit_width() != 16 {
            return Ok(());
        }
        let old = if is_local {
            exchange_alone(builder, ptr, expected, value)?
        } else {
            write(cx, builder, "cas.b16", scope, ptr, &[expected.into(), value.into()])?.into_int_value()
        };
        let is_as_expected = builder.build_int_compare(IntPredicate::EQ, old, expected, "")?;
        let ty = cx.llvm.struct_type(&[old.get_type().into(), cx.tys.i1.into()], false);
        let both = builder.build_insert_value(ty.get_undef(), old, 0, "")?;
        let both = builder.build_insert_value(both, is_as_expected, 1, "")?;
        replace(instruction, both.into_struct_value().into());
        return Ok(());
    }
    // LLVM turns these into plain accesses if other threads do not see the memory.
    if is_local || scope == Scope::Device {
        return Ok(());
    }
    // SAFETY: the instruction is a read-modify-write.
    let op = unsafe { LLVMGetAtomicRMWBinOp(instruction.as_value_ref()) };
    let (name, value) = ptx_op(builder, op, operand(1)?)?;
    let old = write(cx, builder, &name, scope, ptr, &[value])?;
    replace(instruction, old);
    Ok(())
}

/// Replaces an instruction by a value of the same type.
fn replace<'ctx>(instruction: InstructionValue<'ctx>, value: BasicValueEnum<'ctx>) {
    // SAFETY: both belong to one function, and the value precedes the instruction.
    unsafe { LLVMReplaceAllUsesWith(instruction.as_value_ref(), value.as_value_ref()) };
    instruction.erase_from_basic_block();
}

/// The operation and the type in PTX, and the operand (PTX ISA "atom").
fn ptx_op<'ctx>(
    builder: &Builder<'ctx>,
    op: Op,
    value: BasicValueEnum<'ctx>,
) -> Result<(String, BasicValueEnum<'ctx>), Bug> {
    let width = match value {
        BasicValueEnum::IntValue(value) => value.get_type().get_bit_width(),
        BasicValueEnum::FloatValue(value) => value.get_type().get_bit_width(),
        _ => return Err(Bug::from("an atomic operation on a non-numeric type")),
    };
    let name = match op {
        Op::LLVMAtomicRMWBinOpXchg => format!("exch.b{width}"),
        Op::LLVMAtomicRMWBinOpAdd => format!("add.u{width}"),
        // PTX has no atomic subtraction.
        Op::LLVMAtomicRMWBinOpSub => {
            let negative = builder.build_int_neg(value.into_int_value(), "")?;
            return Ok((format!("add.u{width}"), negative.into()));
        }
        Op::LLVMAtomicRMWBinOpAnd => format!("and.b{width}"),
        Op::LLVMAtomicRMWBinOpOr => format!("or.b{width}"),
        Op::LLVMAtomicRMWBinOpXor => format!("xor.b{width}"),
        Op::LLVMAtomicRMWBinOpMax => format!("max.s{width}"),
        Op::LLVMAtomicRMWBinOpMin => format!("min.s{width}"),
        Op::LLVMAtomicRMWBinOpUMax => format!("max.u{width}"),
        Op::LLVMAtomicRMWBinOpUMin => format!("min.u{width}"),
        Op::LLVMAtomicRMWBinOpUIncWrap => format!("inc.u{width}"),
        Op::LLVMAtomicRMWBinOpUDecWrap => format!("dec.u{width}"),
        Op::LLVMAtomicRMWBinOpFAdd => format!("add.f{width}"),
        _ => return Err(Bug { message: format!("PTX has no atomic {op:?}") }),
    };
    Ok((name, value))
}

/// An atomic instruction; returns the old value.
fn write<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    name: &str,
    scope: Scope,
    ptr: PointerValue<'ctx>,
    values: &[BasicValueEnum<'ctx>],
) -> Result<BasicValueEnum<'ctx>, Bug> {
    let scope = match scope {
        Scope::Block => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Device => "",
        Scope::System => ".sys",
    };
    let ptr = in_its_space(cx, builder, ptr)?;
    let space = ptx_space(ptr)?;
    let operands = if values.len() == 2 { "$2, $3" } else { "$2" };
    let text = format!("atom{scope}{space}.{name} $0, [$1], {operands};");
    let args: Vec<BasicMetadataValueEnum<'ctx>> =
        [ptr.into()].into_iter().chain(values.iter().map(|&value| value.into())).collect();
    let old = cx.asm(builder, &text, Some(values[0].get_type()), &args, Effect::Memory)?;
    old.ok_or_else(|| Bug::from("an atomic operation without a result"))
}

/// The modifier for the state space of an address.
fn ptx_space(ptr: PointerValue<'_>) -> Result<&'static str, Bug> {
    let spaces = [
        (addr_space::GENERIC, ""),
        (addr_space::GLOBAL, ".global"),
        (addr_space::SHARED, ".shared"),
        (addr_space::CLUSTER_SHARED, ".shared::cluster"),
    ];
    let is_there = |&(space, _): &(u16, &str)| ptr.get_type().get_address_space() == space.into();
    let (_, space) =
        spaces.into_iter().find(is_there).ok_or("an atomic operation in an unsupported address space")?;
    Ok(space)
}

/// An address in the state space that it derives from, if known: that of a variable, or of a kernel
/// parameter, which points to global memory.
fn in_its_space<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    ptr: PointerValue<'ctx>,
) -> Result<PointerValue<'ctx>, Bug> {
    let is_generic = ptr.get_type().get_address_space() == addr_space::GENERIC.into();
    match space_of(ptr).filter(|_| is_generic) {
        Some(space) => Ok(builder.build_address_space_cast(ptr, cx.llvm.ptr_type(space.into()), "")?),
        None => Ok(ptr),
    }
}

/// The state space of an address, if all addresses that it may derive from agree.
pub(crate) fn space_of(ptr: PointerValue<'_>) -> Option<u16> {
    let mut space = None;
    let (mut seen, mut open) = (HashSet::new(), vec![ptr.as_value_ref()]);
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        // SAFETY: these are addresses in one function; each query matches the kind of value.
        let found = unsafe {
            match LLVMGetPointerAddressSpace(LLVMTypeOf(value)) as u16 {
                addr_space::GENERIC if !LLVMIsAArgument(value).is_null() => {
                    let kernel = LLVMPTXKernelCallConv as u32;
                    (LLVMGetFunctionCallConv(LLVMGetParamParent(value)) == kernel)
                        .then_some(addr_space::GLOBAL)?
                }
                // LLVM changes its address space later.
                addr_space::GENERIC if !LLVMIsAAllocaInst(value).is_null() => addr_space::LOCAL,
                addr_space::GENERIC => {
                    open.extend(made_from(value)?);
                    continue;
                }
                space => space,
            }
        };
        if space.is_some_and(|space| space != found) {
            return None;
        }
        space = Some(found);
    }
    space
}

/// The addresses that a generic one derives from; `None` if unknown.
///
/// # Safety
///
/// The value is an address.
unsafe fn made_from(value: LLVMValueRef) -> Option<Vec<LLVMValueRef>> {
    // SAFETY: each query matches the kind of value.
    unsafe {
        let opcode = if !LLVMIsAInstruction(value).is_null() {
            LLVMGetInstructionOpcode(value)
        } else if !LLVMIsAConstantExpr(value).is_null() {
            LLVMGetConstOpcode(value)
        } else {
            return None;
        };
        let operands = match opcode {
            LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMFreeze => 0..1,
            LLVMOpcode::LLVMSelect => 1..3,
            LLVMOpcode::LLVMPHI => 0..LLVMCountIncoming(value),
            LLVMOpcode::LLVMCall if is_mask(value) => 0..1,
            _ => return None,
        };
        Some(operands.map(|idx| LLVMGetOperand(value, idx)).collect())
    }
}

/// Whether an instruction masks an address.
///
/// # Safety
///
/// The value is a call.
unsafe fn is_mask(call: LLVMValueRef) -> bool {
    // SAFETY: the callee of a call is a value; its name has the length that LLVM reports.
    unsafe {
        let callee = LLVMGetCalledValue(call);
        if LLVMIsAFunction(callee).is_null() {
            return false;
        }
        let mut len = 0;
        let name = LLVMGetValueName2(callee, &mut len);
        std::slice::from_raw_parts(name.cast::<u8>(), len).starts_with(b"llvm.ptrmask.")
    }
}

/// The same in the thread's local memory.
fn exchange_alone<'ctx>(
    builder: &Builder<'ctx>,
    ptr: PointerValue<'ctx>,
    expected: IntValue<'ctx>,
    value: IntValue<'ctx>,
) -> Result<IntValue<'ctx>, Bug> {
    let old = builder.build_load(value.get_type(), ptr, "")?.into_int_value();
    let is_as_expected = builder.build_int_compare(IntPredicate::EQ, old, expected, "")?;
    let new = builder.build_select(is_as_expected, value, old, "")?;
    builder.build_store(ptr, new)?;
    Ok(old)
}
