//! NVIDIA's libdevice, LLVM bitcode that defines mathematical functions (libdevice User's Guide), linked into a module that
//! calls them.
//!
//! It is read lazily: what is not called is neither parsed nor linked.

use std::collections::HashSet;
use std::ptr;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMGetDataLayoutStr, LLVMGetFirstFunction, LLVMGetModuleContext,
    LLVMGetNextFunction, LLVMGetTarget, LLVMIsDeclaration, LLVMSetDataLayout, LLVMSetLinkage, LLVMSetTarget,
};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::module::{FlagBehavior, Linkage};
use inkwell::types::FunctionType;
use inkwell::values::{
    AnyValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FunctionValue, InstructionOpcode,
    InstructionValue, IntValue,
};
use weft_frontend::ir::LibraryFn;

use crate::Bug;
use crate::context::Cx;

/// What the names of its functions begin with.
const PREFIXES: [&str; 2] = ["__nv_", "__internal_"];

/// The message of a [`Bug`] that is none of the compiler's: the bitcode is damaged, or no bitcode.
pub const UNREADABLE: &str = "libdevice cannot be read";

/// What its functions ask for what the compilation was told: a name gives a number.
const REFLECT: &str = "__nvvm_reflect";

/// Whether square roots of `float` are rounded correctly (`-prec-sqrt=true`). LLVM's pass knows the other names.
const PREC_SQRT: &[u8] = b"__CUDA_PREC_SQRT";

/// A function of it, declared.
pub(crate) fn declare<'ctx>(
    cx: &Cx<'_, 'ctx>,
    function: LibraryFn,
    is_single: bool,
    ty: FunctionType<'ctx>,
) -> FunctionValue<'ctx> {
    let name = format!("__nv_{}{}", function.stem(), if is_single { "f" } else { "" });
    cx.calls_libdevice.set(true);
    cx.module.get_function(&name).unwrap_or_else(|| cx.module.add_function(&name, ty, None))
}

/// Links in what the module calls of it.
pub(crate) fn link(cx: &Cx<'_, '_>, bitcode: Option<&[u8]>) -> Result<(), Bug> {
    if !cx.calls_libdevice.get() {
        return Ok(());
    }
    add(cx, bitcode.ok_or("libdevice is called, and not there")?)?;
    let ours: HashSet<&str> = cx.symbols.functions.values().map(String::as_str).collect();
    for function in cx.module.get_functions() {
        let name = function.get_name().to_string_lossy();
        let is_theirs = PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !ours.contains(&*name);
        if is_theirs && function.count_basic_blocks() > 0 {
            // No other module calls it.
            function.set_linkage(Linkage::Internal);
            cx.add_float_attrs(function);
            contract(cx, function)?;
        }
    }
    reflect(cx)
}

/// Joins the modules. LLVM's linker takes functions that may be dropped, as inline functions of C++ may, when something
/// calls them: so all of libdevice's are made such functions.
fn add(cx: &Cx<'_, '_>, bitcode: &[u8]) -> Result<(), Bug> {
    let module = cx.module.as_mut_ptr();
    // SAFETY: the bitcode outlives the module that is read of it, which the linker ends; both modules are of one context, which
    // outlives them.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(
            bitcode.as_ptr().cast(),
            bitcode.len(),
            c"libdevice".as_ptr(),
            0,
        );
        let mut library = ptr::null_mut();
        if LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &raw mut library) != 0 {
            return Err(Bug::from(UNREADABLE));
        }
        LLVMSetTarget(library, LLVMGetTarget(module));
        LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
        let mut function = LLVMGetFirstFunction(library);
        while !function.is_null() {
            if LLVMIsDeclaration(function) == 0 {
                LLVMSetLinkage(function, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
            function = LLVMGetNextFunction(function);
        }
        if LLVMLinkModules2(module, library) != 0 {
            return Err(Bug::from(UNREADABLE));
        }
    }
    Ok(())
}

/// Lets products and sums be fused, as nvcc does in libdevice's functions too.
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

/// Answers what LLVM's pass cannot, and tells it what it asks the module for.
fn reflect(cx: &Cx<'_, '_>) -> Result<(), Bug> {
    let ftz = cx.tys.i32.const_int(u64::from(cx.options.ftz), false);
    cx.module.add_basic_value_flag("nvvm-reflect-ftz", FlagBehavior::Override, ftz);
    let Some(reflect) = cx.module.get_function(REFLECT) else { return Ok(()) };
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
        let Some(BasicValueEnum::PointerValue(name)) = name else { continue };
        let text = cx.module.get_globals().find(|global| global.as_pointer_value() == name);
        let text = text.and_then(|global| global.get_initializer());
        let is_prec_sqrt = text.is_some_and(|text| {
            text.is_array_value() && text.into_array_value().as_const_string() == Some(PREC_SQRT)
        });
        if is_prec_sqrt {
            let answer = cx.tys.i32.const_int(u64::from(cx.options.prec_sqrt), false);
            let value = IntValue::try_from(call).map_err(|()| Bug::from("an answer that is no integer"))?;
            value.replace_all_uses_with(answer);
            call.erase_from_basic_block();
        }
    }
    Ok(())
}
