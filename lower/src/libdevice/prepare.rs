//! Builds libdevice functions as a module, for the options of the compilation.

use std::ptr;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMGetFirstFunction, LLVMGetModuleContext, LLVMGetNextFunction,
    LLVMIsDeclaration, LLVMSetLinkage,
};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{
    AnyValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FunctionValue, InstructionOpcode,
    InstructionValue, IntValue,
};

use super::build::{BuildOptions, Inlining, REFLECT, build, build_in_place};
use super::library::{HEAD_BYTES, Library};
use super::{Libdevice, UNREADABLE};
use crate::context::Cx;
use crate::features::has_tanh;
use crate::{Bug, OptLevel, passes};

/// Whether denormal `float`s are flushed to zero (`-ftz=true`).
const FTZ: &[u8] = b"__CUDA_FTZ\0";

/// Whether square roots of `float` are rounded correctly (`-prec-sqrt=true`).
const PREC_SQRT: &[u8] = b"__CUDA_PREC_SQRT\0";

/// The GPU, like the macro `__CUDA_ARCH__`.
const ARCH: &[u8] = b"__CUDA_ARCH\0";

/// The last GPU without `tanh.approx` (PTX ISA).
const LAST_WITHOUT_TANH: u16 = 72;

/// A module with these functions and the internal ones that they use.
pub(super) fn module<'ctx>(
    cx: &Cx<'_, 'ctx>,
    machine: &TargetMachine,
    library: &dyn Libdevice,
    names: &[&str],
) -> Result<Module<'ctx>, Bug> {
    let module = match read(cx, library, names) {
        Some(module) => module,
        None => extract(cx, &library.whole().map_err(|_| Bug::from(UNREADABLE))?, names)?,
    };
    module.set_triple(&cx.module.get_triple());
    module.set_data_layout(&cx.module.get_data_layout());
    for name in names {
        if module.get_function(name).is_none_or(|function| function.count_basic_blocks() == 0) {
            return Err(Bug::from(UNREADABLE));
        }
    }
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        let is_wanted = names.iter().any(|name| function.get_name().to_bytes() == name.as_bytes());
        function.set_linkage(if is_wanted { Linkage::External } else { Linkage::Internal });
        cx.add_float_attrs(function);
    }
    // Otherwise they are optimized with the program that calls them.
    if cx.options.opt_level == OptLevel::O0 {
        passes::clean_up(&module, machine)?;
    }
    Ok(module)
}

/// Builds a function inline at its call.
pub(super) fn in_place<'ctx>(
    cx: &Cx<'_, 'ctx>,
    library: &dyn Libdevice,
    function: FunctionValue<'ctx>,
    call: InstructionValue<'ctx>,
) -> Inlining {
    let read = |start, n_bytes| library.part(start, n_bytes).ok();
    let Some(head) = read(0, HEAD_BYTES) else { return Inlining::Skipped };
    let Some(library) = Library::open(&head, &read) else { return Inlining::Skipped };
    build_in_place(
        &build_options(cx, &|name: &[u8]| answer(cx, name)),
        &library,
        &read,
        &cx.module,
        (function, call),
    )
}

/// The module, from the part of libdevice's bitcode that it needs. `None` if that part contains something
/// unsupported.
fn read<'ctx>(cx: &Cx<'_, 'ctx>, library: &dyn Libdevice, names: &[&str]) -> Option<Module<'ctx>> {
    let read = |start, n_bytes| library.part(start, n_bytes).ok();
    let head = read(0, HEAD_BYTES)?;
    let library = Library::open(&head, &read)?;
    build(&build_options(cx, &|name: &[u8]| answer(cx, name)), &library, &read, names)
}

fn build_options<'a, 'ctx>(cx: &Cx<'_, 'ctx>, answer: &'a dyn Fn(&[u8]) -> u64) -> BuildOptions<'a, 'ctx> {
    BuildOptions { llvm: cx.llvm, is_fused: cx.options.fmad, answer }
}

/// The module, from all of libdevice, which LLVM reads lazily: unused functions are not parsed. LLVM's linker
/// adds discardable functions, such as C++ inline functions, only if they are used: so all of libdevice's
/// functions are marked like that.
fn extract<'ctx>(cx: &Cx<'_, 'ctx>, bitcode: &[u8], names: &[&str]) -> Result<Module<'ctx>, Bug> {
    let module = cx.llvm.create_module("libdevice");
    for name in names {
        let declared = cx.module.get_function(name).ok_or("a libdevice function that is not declared")?;
        module.add_function(name, declared.get_type(), None);
    }
    let into = module.as_mut_ptr();
    // SAFETY: the bitcode outlives the module that is read from it, which the linker consumes; both modules
    // belong to one context, which outlives them.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(
            bitcode.as_ptr().cast(),
            bitcode.len(),
            c"libdevice".as_ptr(),
            0,
        );
        let mut library = ptr::null_mut();
        if LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(into), buffer, &raw mut library) != 0 {
            return Err(Bug::from(UNREADABLE));
        }
        let mut function = LLVMGetFirstFunction(library);
        while !function.is_null() {
            if LLVMIsDeclaration(function) == 0 {
                LLVMSetLinkage(function, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
            function = LLVMGetNextFunction(function);
        }
        if LLVMLinkModules2(into, library) != 0 {
            return Err(Bug::from(UNREADABLE));
        }
    }
    module.verify().map_err(|_| Bug::from(UNREADABLE))?;
    for function in module.get_functions() {
        contract(cx, function)?;
    }
    reflect(cx, &module)?;
    Ok(module)
}

/// Permits contraction, which nvcc permits in libdevice functions, too.
fn contract(cx: &Cx<'_, '_>, function: FunctionValue<'_>) -> Result<(), Bug> {
    if !cx.options.fmad {
        return Ok(());
    }
    for block in function.get_basic_block_iter() {
        for instruction in block.get_instructions() {
            if let InstructionOpcode::FAdd | InstructionOpcode::FSub | InstructionOpcode::FMul =
                instruction.get_opcode()
            {
                instruction.set_fast_math_flags(FastMathFlags::AllowContract)?;
            }
        }
    }
    Ok(())
}

/// Replaces queries by their answers, so that dead code is not even inlined. LLVM's pass for this has already
/// run when the functions are linked.
fn reflect<'ctx>(cx: &Cx<'_, 'ctx>, module: &Module<'ctx>) -> Result<(), Bug> {
    let Some(reflect) = module.get_function(REFLECT) else { return Ok(()) };
    let mut calls: Vec<InstructionValue<'_>> = Vec::new();
    let mut next = reflect.as_global_value().as_pointer_value().get_first_use();
    while let Some(reference) = next {
        next = reference.get_next_use();
        if let AnyValueEnum::IntValue(call) = reference.get_user() {
            calls.extend(call.as_instruction());
        }
    }
    for call in calls {
        let name = call.get_operand(0).and_then(|operand| operand.value());
        let Some(BasicValueEnum::PointerValue(name)) = name else { return Err(Bug::from(UNREADABLE)) };
        let text = module.get_globals().find(|global| global.as_pointer_value() == name);
        let text = text.and_then(|global| global.get_initializer()).filter(|text| text.is_array_value());
        let Some(BasicValueEnum::ArrayValue(text)) = text else { return Err(Bug::from(UNREADABLE)) };
        let answer = cx.tys.i32.const_int(answer(cx, text.as_const_string().unwrap_or_default()), false);
        let value = IntValue::try_from(call).map_err(|()| Bug::from("an answer that is not an integer"))?;
        value.replace_all_uses_with(answer);
        call.erase_from_basic_block();
    }
    Ok(())
}

/// The answer to the query about this name.
pub(super) fn answer(cx: &Cx<'_, '_>, name: &[u8]) -> u64 {
    match name {
        FTZ => u64::from(cx.options.ftz),
        PREC_SQRT => u64::from(cx.options.prec_sqrt),
        // libdevice queries this to find out whether `tanh.approx` exists, which also requires a PTX version.
        ARCH if !has_tanh(cx.options) => u64::from(cx.options.target.sm().min(LAST_WITHOUT_TANH)) * 10,
        ARCH => u64::from(cx.options.target.sm()) * 10,
        // Unknown names are zero (NVVM IR Specification, "NVVM Reflect").
        _ => 0,
    }
}
