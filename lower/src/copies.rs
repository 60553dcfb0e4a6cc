//! Gives copies of known size the widest accesses that their alignment allows.
//!
//! LLVM's code generator copies at most 8 bytes at a time, and above 128 bytes in all, byte by byte in a loop.
//! nvcc reads and writes 16 bytes where it can (PTX ISA "ld", ".v4"). So the copies that the passes have left
//! are written out here, in runs of reads that are followed by their writes.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicValue, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue, PointerValue,
};

use crate::Bug;
use crate::context::Cx;

/// What takes more accesses stays a loop.
const MAX_ACCESSES: usize = 64;

/// As many values are held in registers at a time.
const RUN: usize = 8;

/// A copy of bytes.
struct Copy<'ctx> {
    instruction: InstructionValue<'ctx>,
    to: PointerValue<'ctx>,
    from: PointerValue<'ctx>,
    size: u64,
    /// What both addresses are multiples of.
    align: u32,
}

/// A read and a write.
struct Access<'ctx> {
    /// Bytes from the beginning of what is copied.
    offset: u64,
    /// Bytes.
    width: u32,
    ty: BasicTypeEnum<'ctx>,
}

/// Writes out the copies in the whole module.
pub(crate) fn widen(cx: &Cx<'_, '_>) -> Result<(), Bug> {
    if !cx.module.get_functions().any(is_copy) {
        return Ok(());
    }
    let builder = cx.llvm.create_builder();
    for copy in copies(&cx.module) {
        let accesses = accesses(cx, copy.size, copy.align);
        if accesses.len() <= MAX_ACCESSES {
            builder.position_before(&copy.instruction);
            write_out(cx, &builder, &copy, &accesses)?;
            copy.instruction.erase_from_basic_block();
        }
    }
    Ok(())
}

fn copies<'ctx>(module: &Module<'ctx>) -> Vec<Copy<'ctx>> {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let calls = blocks.flat_map(|block| block.get_instructions());
    calls.filter(|i| i.get_opcode() == InstructionOpcode::Call).filter_map(as_copy).collect()
}

/// The call as a copy of constant size none of whose accesses counts, if it is one.
fn as_copy(instruction: InstructionValue<'_>) -> Option<Copy<'_>> {
    let call = CallSiteValue::try_from(instruction).ok()?;
    call.get_called_fn_value().filter(|&callee| is_copy(callee))?;
    let argument = |idx| instruction.get_operand(idx)?.value();
    let size = argument(2)?.into_int_value().get_zero_extended_constant()?;
    let is_volatile = argument(3)?.into_int_value().get_zero_extended_constant()? != 0;
    let align = alignment(call, 0).min(alignment(call, 1));
    let (to, from) = (argument(0)?.into_pointer_value(), argument(1)?.into_pointer_value());
    (!is_volatile).then_some(Copy { instruction, to, from, size, align })
}

fn is_copy(function: FunctionValue<'_>) -> bool {
    function.get_name().to_bytes().starts_with(b"llvm.memcpy.")
}

/// What the call promises of the alignment of an argument.
fn alignment(call: CallSiteValue<'_>, idx: u32) -> u32 {
    let kind = Attribute::get_named_enum_kind_id("align");
    let align = call.get_enum_attribute(AttributeLoc::Param(idx), kind);
    align.map_or(1, |align| align.get_enum_value() as u32)
}

/// The accesses that cover so many bytes.
fn accesses<'ctx>(cx: &Cx<'_, 'ctx>, size: u64, align: u32) -> Vec<Access<'ctx>> {
    let (tys, mut accesses, mut offset) = (&cx.tys, Vec::new(), 0);
    let widths: [(u32, BasicTypeEnum<'ctx>); 5] = [
        (16, tys.i32.vec_type(4).into()),
        (8, tys.i64.into()),
        (4, tys.i32.into()),
        (2, cx.llvm.i16_type().into()),
        (1, tys.i8.into()),
    ];
    for (width, ty) in widths.into_iter().filter(|&(width, _)| width <= align) {
        while size - offset >= width.into() && accesses.len() <= MAX_ACCESSES {
            accesses.push(Access { offset, width, ty });
            offset += u64::from(width);
        }
    }
    accesses
}

fn write_out<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    copy: &Copy<'ctx>,
    accesses: &[Access<'ctx>],
) -> Result<(), Bug> {
    let at = |base, offset| cx.gep(builder, cx.tys.i8.into(), base, cx.tys.word.const_int(offset, false));
    for run in accesses.chunks(RUN) {
        let mut values = Vec::with_capacity(run.len());
        for access in run {
            let value = builder.build_load(access.ty, at(copy.from, access.offset)?, "")?;
            let load = value.as_instruction_value().ok_or("a load is no instruction")?;
            load.set_alignment(access.width)?;
            values.push(value);
        }
        for (access, value) in run.iter().zip(values) {
            builder.build_store(at(copy.to, access.offset)?, value)?.set_alignment(access.width)?;
        }
    }
    Ok(())
}
