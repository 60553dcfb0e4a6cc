//! Instructions of the memory model.
//!
//! LLVM's code generator would drop the memory order of a read-modify-write, and its passes may merge, drop
//! or hoist ordered accesses. To prevent this, each instruction is a call of an undefined function while they
//! run, whose name is the instruction. After the passes each call becomes the instruction, in the state space
//! that is known by then ([`settle`]).

use inkwell::builder::Builder;
use inkwell::llvm_sys::core::{LLVMGetFirstUse, LLVMGetUser};
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValueEnum, FunctionValue, InstructionValue, PointerValue,
};
use inkwell::{AddressSpace, AtomicRMWBinOp};
use weft_frontend::ir::Scope;

use super::{build_atomic_rmw, exchange_alone, in_its_space, ptx_space, replace, space_of};
use crate::Bug;
use crate::addr_space;
use crate::builtin::Effect;
use crate::context::Cx;

/// The prefix of these functions' names, which C names cannot have.
const PREFIX: &str = "ptx ";

/// A memory instruction: `head`, the state space, `.tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// `atom.acquire.gpu`
    pub(crate) head: String,
    /// `add.u32`
    pub(crate) tail: String,
}

impl Instruction {
    fn name(&self) -> String {
        format!("{PREFIX}{} {}", self.head, self.tail)
    }

    fn of(name: &str) -> Option<Instruction> {
        let (head, tail) = name.strip_prefix(PREFIX)?.split_once(' ')?;
        Some(Instruction { head: head.to_owned(), tail: tail.to_owned() })
    }
}

/// Emits the instruction; returns the value that it reads, if any. Operands have at least 16 bits.
pub(crate) fn build<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    instruction: &Instruction,
    ptr: PointerValue<'ctx>,
    values: &[BasicValueEnum<'ctx>],
    ret: Option<BasicTypeEnum<'ctx>>,
) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
    let is_generic = ptr.get_type().get_address_space() == AddressSpace::from(addr_space::GENERIC);
    let ptr = if is_generic { ptr } else { builder.build_address_space_cast(ptr, cx.tys.ptr, "")? };
    let name = instruction.name();
    let function = cx.module.get_function(&name).unwrap_or_else(|| {
        let params: Vec<BasicMetadataTypeEnum<'ctx>> = [cx.tys.ptr.into()]
            .into_iter()
            .chain(values.iter().map(|value| value.get_type().into()))
            .collect();
        let ty = match ret {
            Some(ret) => ret.fn_type(&params, false),
            None => cx.llvm.void_type().fn_type(&params, false),
        };
        let function = cx.module.add_function(&name, ty, None);
        for attribute in ["nounwind", "willreturn", "nocallback"] {
            cx.add_fn_attr(function, attribute);
        }
        function
    });
    let args: Vec<BasicMetadataValueEnum<'ctx>> =
        [ptr.into()].into_iter().chain(values.iter().map(|&value| value.into())).collect();
    Ok(builder.build_direct_call(function, &args, "")?.try_as_basic_value().basic())
}

/// Replaces each call by its instruction.
pub(super) fn settle<'ctx>(cx: &Cx<'_, 'ctx>, builder: &Builder<'ctx>) -> Result<(), Bug> {
    let functions: Vec<FunctionValue<'ctx>> = cx.module.get_functions().collect();
    for function in functions {
        let Some(instruction) = function.get_name().to_str().ok().and_then(Instruction::of) else { continue };
        while let Some(call) = first_call(function) {
            builder.position_before(&call);
            let n_args = call.get_num_operands() - 1;
            let operand = |idx| {
                let operand = call.get_operand(idx).and_then(|operand| operand.value());
                operand.ok_or_else(|| Bug::from("an atomic instruction without an operand"))
            };
            let ptr = operand(0)?.into_pointer_value();
            let values: Vec<BasicValueEnum<'ctx>> = (1..n_args).map(operand).collect::<Result<_, _>>()?;
            let ret = function.get_type().get_return_type();
            let is_vector = matches!(ret, Some(BasicTypeEnum::StructType(_)));
            let result = if is_vector {
                write_vector(cx, builder, &instruction, ptr, &values, ret)?
            } else if space_of(ptr) == Some(addr_space::LOCAL) {
                write_alone(cx, builder, &instruction, ptr, &values, ret)?
            } else {
                write(cx, builder, &instruction, ptr, &values, ret)?
            };
            match result {
                Some(result) => replace(call, result),
                None => call.erase_from_basic_block(),
            }
        }
        // SAFETY: nothing refers to it any more.
        unsafe { function.delete() };
    }
    Ok(())
}

/// A call of the function, or `None` if there is none left.
fn first_call<'ctx>(function: FunctionValue<'ctx>) -> Option<InstructionValue<'ctx>> {
    // SAFETY: the function belongs to the module, and all uses of these functions are calls: their addresses
    // are not taken.
    unsafe {
        let first = LLVMGetFirstUse(function.as_value_ref());
        (!first.is_null()).then(|| InstructionValue::new(LLVMGetUser(first)))
    }
}

fn write<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    Instruction { head, tail }: &Instruction,
    ptr: PointerValue<'ctx>,
    values: &[BasicValueEnum<'ctx>],
    ret: Option<BasicTypeEnum<'ctx>>,
) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
    let ptr = in_its_space(cx, builder, ptr)?;
    let space = ptx_space(ptr)?;
    let operands = match (ret.is_some(), values.len()) {
        (true, 0) => "$0, [$1]",
        (true, 1) => "$0, [$1], $2",
        (true, _) => "$0, [$1], $2, $3",
        (false, _) => "[$0], $1",
    };
    let text = format!("{head}{space}.{tail} {operands};");
    let args: Vec<BasicMetadataValueEnum<'ctx>> =
        [ptr.into()].into_iter().chain(values.iter().map(|&value| value.into())).collect();
    cx.asm(builder, &text, ret, &args, Effect::Memory)
}

/// An instruction on several numbers, which PTX only has for global memory: elsewhere the kernel traps, like
/// in nvcc.
fn write_vector<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    Instruction { head, tail }: &Instruction,
    ptr: PointerValue<'ctx>,
    values: &[BasicValueEnum<'ctx>],
    ret: Option<BasicTypeEnum<'ctx>>,
) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
    let ptr = match (space_of(ptr), ret) {
        (Some(addr_space::GLOBAL), _) => in_its_space(cx, builder, ptr)?,
        (Some(_), Some(ret)) => {
            cx.asm(builder, "trap;", None, &[], Effect::Memory)?;
            return Ok(Some(ret.const_zero()));
        }
        (Some(_) | None, _) => ptr,
    };
    let space = ptx_space(ptr)?;
    let n = values.len();
    let list = |first: usize| (first..first + n).map(|idx| format!("${idx}")).collect::<Vec<_>>().join(", ");
    let text = format!("{head}{space}.{tail} {{{}}}, [${n}], {{{}}};", list(0), list(n + 1));
    let args: Vec<BasicMetadataValueEnum<'ctx>> =
        [ptr.into()].into_iter().chain(values.iter().map(|&value| value.into())).collect();
    cx.asm(builder, &text, ret, &args, Effect::Memory)
}

/// An instruction in the thread's local memory, where PTX has no atomics and other threads have no access.
fn write_alone<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    instruction: &Instruction,
    ptr: PointerValue<'ctx>,
    values: &[BasicValueEnum<'ctx>],
    ret: Option<BasicTypeEnum<'ctx>>,
) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
    // A byte is in a 16-bit register.
    let is_byte = instruction.tail == "b8";
    let Some(ret) = ret else {
        let &[value] = values else { return Err(Bug::from("a store of more than one value")) };
        let value = if is_byte {
            builder.build_int_truncate(value.into_int_value(), cx.tys.i8, "")?.into()
        } else {
            value
        };
        builder.build_store(ptr, value)?;
        return Ok(None);
    };
    let result = match *values {
        [] if is_byte => {
            let byte = builder.build_load(cx.tys.i8, ptr, "")?.into_int_value();
            builder.build_int_z_extend(byte, ret.into_int_type(), "")?.into()
        }
        [] => builder.build_load(ret, ptr, "")?,
        [value] => {
            let (op, _) = instruction.tail.split_once('.').ok_or("an atomic operation without a type")?;
            let is_signed = instruction.tail.contains(".s");
            let op = match op {
                "add" if value.is_float_value() => AtomicRMWBinOp::FAdd,
                "add" => AtomicRMWBinOp::Add,
                "and" => AtomicRMWBinOp::And,
                "or" => AtomicRMWBinOp::Or,
                "xor" => AtomicRMWBinOp::Xor,
                "exch" => AtomicRMWBinOp::Xchg,
                "min" if is_signed => AtomicRMWBinOp::Min,
                "min" => AtomicRMWBinOp::UMin,
                "max" if is_signed => AtomicRMWBinOp::Max,
                "max" => AtomicRMWBinOp::UMax,
                other => return Err(Bug { message: format!("no atomic operation `{other}`") }),
            };
            // LLVM turns it into plain accesses.
            build_atomic_rmw(cx, builder, op, ptr, value, Scope::Device)
        }
        [expected, value, ..] => {
            let (expected, value) = (expected.into_int_value(), value.into_int_value());
            exchange_alone(builder, ptr, expected, value)?.into()
        }
    };
    Ok(Some(result))
}
