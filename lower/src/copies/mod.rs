//! Copies and fills of bytes, by the widest accesses that their alignment allows.
//!
//! LLVM's code generator copies at most 8 bytes at a time, and long copies or copies of unknown size byte by
//! byte in a loop. nvcc reads and writes 16 bytes where it can (PTX ISA "ld", ".v4"). So the `llvm.memcpy`,
//! `llvm.memmove` and `llvm.memset` that remain after the passes are expanded here: short ones into runs of reads
//! followed by their writes, the others into loops (`loops`). If the alignment is unknown, a loop is chosen at run time by that of
//! the addresses; nvcc copies bytes.
//!
//! - `alignment` — what is known of an address and of a size
//! - `access` — the accesses that cover a number of bytes
//! - `loops` — functions that copy in loops, which the passes put in place of their calls

mod access;
mod alignment;
mod loops;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Module;
use inkwell::targets::{TargetData, TargetMachine};
use inkwell::values::{
    BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue, IntValue, PointerValue,
};

use crate::context::Cx;
use crate::{Bug, passes};
use access::Source;
use alignment::Known;
use loops::{Loops, Size};

/// A non-volatile copy or fill of bytes.
struct Transfer<'ctx> {
    instruction: InstructionValue<'ctx>,
    to: PointerValue<'ctx>,
    source: Source<'ctx>,
    size: IntValue<'ctx>,
    /// Whether the destination may overlap the source: LLVM combines two copies through a variable into such
    /// a copy.
    may_overlap: bool,
    /// The known alignment of the destination and of the source.
    known: [Known; 2],
}

/// Expands the copies and fills in the whole module.
pub(crate) fn widen(cx: &Cx<'_, '_>, machine: &TargetMachine) -> Result<(), Bug> {
    let is_any = |function| is_copy(function) || is_fill(function) || is_move(function);
    if !cx.module.get_functions().any(is_any) {
        return Ok(());
    }
    let builder = cx.llvm.create_builder();
    let mut loops = Loops::new(cx);
    let layout = machine.get_target_data();
    for transfer in transfers(&cx.module, &layout) {
        builder.position_before(&transfer.instruction);
        let [to, from] = transfer.known;
        let size = transfer.size.get_zero_extended_constant();
        let few = size.and_then(|size| access::few(size, to, from));
        match few.filter(|few| !transfer.may_overlap || few.len() <= access::RUN) {
            Some(accesses) => access::write(cx, &builder, transfer.to, transfer.source, &accesses)?,
            None => {
                let size = match size {
                    Some(size) => Size::Constant(size),
                    None => Size::MultipleOf(alignment::of_size(transfer.size).min(access::WIDEST)),
                };
                let function = loops.function(&transfer, size)?;
                let source = match transfer.source {
                    Source::Bytes(from) => BasicValueEnum::from(from),
                    Source::Fill(byte) => byte.into(),
                };
                let args = [transfer.to.into(), source.into(), transfer.size.into()];
                builder.build_direct_call(function, &args, "")?;
            }
        }
        transfer.instruction.erase_from_basic_block();
    }
    if loops.is_empty() { Ok(()) } else { passes::inline_always(&cx.module, machine) }
}

fn transfers<'ctx>(module: &Module<'ctx>, layout: &TargetData) -> Vec<Transfer<'ctx>> {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let calls = blocks.flat_map(|block| block.get_instructions());
    calls
        .filter(|i| i.get_opcode() == InstructionOpcode::Call)
        .filter_map(|call| as_transfer(call, layout))
        .collect()
}

/// The call as a non-volatile copy or fill, if it is one.
fn as_transfer<'ctx>(instruction: InstructionValue<'ctx>, layout: &TargetData) -> Option<Transfer<'ctx>> {
    let call = CallSiteValue::try_from(instruction).ok()?;
    let callee = call.get_called_fn_value()?;
    if !is_copy(callee) && !is_fill(callee) && !is_move(callee) {
        return None;
    }
    let argument = |idx| instruction.get_operand(idx)?.value();
    if argument(3)?.into_int_value().get_zero_extended_constant()? != 0 {
        return None;
    }
    let to = argument(0)?.into_pointer_value();
    let known_to = known(layout, call, 0, to);
    let (source, known_from) = match argument(1)? {
        BasicValueEnum::PointerValue(from) => (Source::Bytes(from), known(layout, call, 1, from)),
        byte => (Source::Fill(byte.into_int_value()), known_to),
    };
    let size = argument(2)?.into_int_value();
    let may_overlap = is_move(callee);
    Some(Transfer { instruction, to, source, size, may_overlap, known: [known_to, known_from] })
}

fn is_copy(function: FunctionValue<'_>) -> bool {
    function.get_name().to_bytes().starts_with(b"llvm.memcpy.")
}

fn is_move(function: FunctionValue<'_>) -> bool {
    function.get_name().to_bytes().starts_with(b"llvm.memmove.")
}

fn is_fill(function: FunctionValue<'_>) -> bool {
    function.get_name().to_bytes().starts_with(b"llvm.memset.")
}

/// The known alignment of an address, from the call or from its object.
fn known(layout: &TargetData, call: CallSiteValue<'_>, idx: u32, address: PointerValue<'_>) -> Known {
    let kind = Attribute::get_named_enum_kind_id("align");
    let promised = call.get_enum_attribute(AttributeLoc::Param(idx), kind);
    let promised = Known::multiple_of(promised.map_or(1, |align| align.get_enum_value() as u32));
    let rooted = alignment::of_address(layout, address);
    if promised.align() > rooted.align() { promised } else { rooted }
}
