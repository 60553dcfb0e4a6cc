//! Functions of libdevice's as modules of their own, optimised with what the compilation was told.

use std::ptr;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMGetDataLayoutStr, LLVMGetFirstFunction, LLVMGetModuleContext,
    LLVMGetNextFunction, LLVMGetTarget, LLVMIsDeclaration, LLVMSetDataLayout, LLVMSetLinkage, LLVMSetTarget,
};
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::module::{FlagBehavior, Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{
    AnyValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FunctionValue, InstructionOpcode,
    InstructionValue, IntValue,
};

use super::{Libdevice, UNREADABLE};
use crate::context::Cx;
use crate::{Bug, OptLevel, passes};

/// What its functions ask for what the compilation was told: a name gives a number.
const REFLECT: &str = "__nvvm_reflect";

/// Whether square roots of `float` are rounded correctly (`-prec-sqrt=true`). LLVM's pass knows the other names.
const PREC_SQRT: &[u8] = b"__CUDA_PREC_SQRT";

/// The bitcode of each function, in the order of their names: what is kept, and else what is made and kept now.
///
/// All that is linked has been bitcode, whether it was kept or not: so the same comes of it.
pub(super) fn all(
    cx: &Cx<'_, '_>,
    machine: &TargetMachine,
    library: &dyn Libdevice,
    names: &[&str],
) -> Result<Vec<Vec<u8>>, Bug> {
    let kept_name = |name: &str| format!("{name}{}.bc", circumstances(cx, machine));
    let kept: Vec<_> = names.iter().map(|name| library.kept(&kept_name(name))).collect();
    let missing = names.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(kept.into_iter().flatten().collect());
    }
    let whole = library.bitcode().map_err(|_| Bug::from(UNREADABLE))?;
    let together = extract(cx, &whole, &missing)?;
    let bitcodes = names.iter().zip(kept).map(|(name, kept)| match kept {
        Some(bitcode) => Ok(bitcode),
        None => {
            let bitcode = prepare(cx, machine, together.clone(), name)?;
            library.keep(&kept_name(name), &bitcode);
            Ok(bitcode)
        }
    });
    bitcodes.collect()
}

/// What a function is made for, as an ending of names.
fn circumstances(cx: &Cx<'_, '_>, machine: &TargetMachine) -> String {
    let options = cx.options;
    let said = [(options.fmad, "-fmad"), (options.ftz, "-ftz"), (options.prec_sqrt, "-prec_sqrt")];
    let said: String = said.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word).collect();
    let (cpu, features) = (machine.get_cpu(), machine.get_feature_string());
    format!("-{}{}-{}{said}", cpu.to_string_lossy(), features.to_string_lossy(), cx.tys.word.get_bit_width())
}

/// A module with these functions and what they use. libdevice is read lazily: what is not used is not parsed. LLVM's linker
/// takes functions that may be dropped, as inline functions of C++ may, when something calls them: so all of libdevice's are
/// made such functions.
fn extract<'ctx>(cx: &Cx<'_, 'ctx>, bitcode: &[u8], names: &[&str]) -> Result<Module<'ctx>, Bug> {
    let module = cx.llvm.create_module("libdevice");
    module.set_triple(&cx.module.get_triple());
    module.set_data_layout(&cx.module.get_data_layout());
    for name in names {
        let declared =
            cx.module.get_function(name).ok_or("a function of libdevice's that is not declared")?;
        module.add_function(name, declared.get_type(), None);
    }
    let into = module.as_mut_ptr();
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
        if LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(into), buffer, &raw mut library) != 0 {
            return Err(Bug::from(UNREADABLE));
        }
        LLVMSetTarget(library, LLVMGetTarget(into));
        LLVMSetDataLayout(library, LLVMGetDataLayoutStr(into));
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
    Ok(module)
}

/// The bitcode of a module of this function alone, optimised. All that it defines may be merged with what is of the same name
/// in another function's module.
fn prepare<'ctx>(
    cx: &Cx<'_, 'ctx>,
    machine: &TargetMachine,
    module: Module<'ctx>,
    name: &str,
) -> Result<Vec<u8>, Bug> {
    let functions = || module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    if module.get_function(name).is_none_or(|function| function.count_basic_blocks() == 0) {
        return Err(Bug { message: format!("libdevice has no `{name}`") });
    }
    for function in functions() {
        let is_wanted = function.get_name().to_bytes() == name.as_bytes();
        function.set_linkage(if is_wanted { Linkage::External } else { Linkage::Internal });
        cx.add_float_attrs(function);
        contract(cx, function)?;
    }
    reflect(cx, &module)?;
    passes::run(&module, machine, OptLevel::O3)?;
    functions().for_each(|function| function.set_linkage(Linkage::LinkOnceODR));
    module.get_globals().for_each(|variable| variable.set_linkage(Linkage::LinkOnceODR));
    Ok(module.write_bitcode_to_memory().as_slice().to_vec())
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
fn reflect<'ctx>(cx: &Cx<'_, 'ctx>, module: &Module<'ctx>) -> Result<(), Bug> {
    let ftz = cx.tys.i32.const_int(u64::from(cx.options.ftz), false);
    module.add_basic_value_flag("nvvm-reflect-ftz", FlagBehavior::Override, ftz);
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
        let Some(BasicValueEnum::PointerValue(name)) = name else { continue };
        let text = module.get_globals().find(|global| global.as_pointer_value() == name);
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
