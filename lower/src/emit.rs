//! Sets up LLVM's target, and emits PTX from a module.

use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::Module;
use inkwell::targets::{
    FileType, InitializationConfig, Target as LlvmTarget, TargetMachine, TargetMachineOptions, TargetTriple,
};

use weft_frontend::ir::{Function, FunctionKind, Linkage};
use weft_frontend::layout::DataModel;

use crate::context::Cx;
use crate::target::{PtxVersion, Target};
use crate::{Bug, OptLevel, guard, passes};

/// The CUDA target triple. With this operating system, LLVM assumes that pointer parameters of kernels point
/// to global memory.
fn triple(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "nvptx64-nvidia-cuda",
        DataModel::Ilp32 => "nvptx-nvidia-cuda",
    }
}

static SET_UP: Once = Once::new();

/// Initializes LLVM, once per process.
fn set_up() {
    SET_UP.call_once(|| {
        guard::install();
        LlvmTarget::initialize_nvptx(&InitializationConfig {
            asm_parser: false,
            asm_printer: true,
            base: true,
            disassembler: false,
            info: true,
            machine_code: true,
        });
        // Variadic functions keep the form of the ABI: one parameter with the packed arguments.
        let mut args = vec![c"weftc".as_ptr(), c"-expand-variadics-override=disable".as_ptr()];
        args.extend(passes::LLVM_OPTIONS.iter().map(|option| option.as_ptr()));
        // SAFETY: the strings are static and end with zeros; the options exist, so LLVM does not exit, and no
        // other LLVM thread reads options meanwhile.
        unsafe { LLVMParseCommandLineOptions(args.len() as i32, args.as_ptr(), std::ptr::null()) };
    });
}

/// LLVM's target machine for the GPU.
pub(crate) fn target_machine(
    target: Target,
    ptx: PtxVersion,
    level: OptLevel,
    model: DataModel,
) -> Result<TargetMachine, Bug> {
    set_up();
    let name = triple(model);
    let triple = TargetTriple::create(name);
    let llvm_target = LlvmTarget::from_triple(&triple)
        .map_err(|message| Bug { message: format!("LLVM has no target for {name}: {message}") })?;
    let options = TargetMachineOptions::new()
        .set_cpu(&target.llvm_cpu())
        .set_features(&ptx.llvm_feature())
        .set_level(match level {
            OptLevel::O0 => OptimizationLevel::None,
            OptLevel::O1 => OptimizationLevel::Less,
            // The highest level runs global value numbering twice more, which the passes have done already.
            OptLevel::O2 | OptLevel::O3 => OptimizationLevel::Default,
        });
    let machine = llvm_target.create_target_machine_from_options(&triple, options);
    machine.ok_or_else(|| Bug { message: format!("LLVM cannot create a target machine for {target}") })
}

/// Gives the module the target's triple and data layout.
pub(crate) fn prepare(module: &Module<'_>, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
}

/// Emits PTX.
pub(crate) fn emit_ptx(module: &Module<'_>, machine: &TargetMachine) -> Result<String, Bug> {
    let buffer = machine
        .write_to_memory_buffer(module, FileType::Assembly)
        .map_err(|message| Bug { message: format!("LLVM's code generator: {message}") })?;
    // LLVM terminates the text with a zero.
    let text = buffer.as_slice();
    let text = text.strip_suffix(&[0]).unwrap_or(text);
    let text =
        std::str::from_utf8(text).map_err(|_| Bug::from("LLVM's code generator wrote invalid UTF-8"))?;
    let text =
        POINTER_PARAMETERS.iter().fold(text.to_owned(), |text, (marked, plain)| text.replace(marked, plain));
    Ok(text)
}

/// Replaces LLVM's highest PTX version by a newer one, and the GPU by the one that it represents for LLVM.
pub(crate) fn rename_target(text: String, target: Target, version: PtxVersion) -> String {
    if version <= PtxVersion::MAX_OF_LLVM {
        return text;
    }
    let head = |version, target| format!("\n.version {version}\n.target {target}");
    text.replacen(&head(PtxVersion::MAX_OF_LLVM, target.llvm_cpu()), &head(version, target.to_string()), 1)
}

/// Removes `.visible` from `static` kernels, like nvcc: other files may have kernels of the same name. A
/// launch finds them by name nevertheless.
pub(crate) fn hide_internal_kernels(text: String, cx: &Cx<'_, '_>) -> String {
    let is_internal = |function: &Function| {
        matches!(function.kind, FunctionKind::Kernel(_)) && function.linkage == Linkage::Internal
    };
    let kernels = cx.ir.functions.iter().filter(|(_, function)| is_internal(function));
    kernels.fold(text, |text, (func, _)| {
        let name = &cx.symbols.functions[func];
        text.replacen(&format!(".visible .entry {name}("), &format!(".entry {name}("), 1)
    })
}

/// Removes `.ftz` from half-precision instructions, which LLVM treats like `float`: nvcc's `-ftz` only
/// applies to `float`, half-precision subnormals are kept, and for bfloat such instructions do not exist. The
/// program's inline PTX remains unchanged.
pub(crate) fn keep_small_halves(text: String) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut is_inline = false;
    for line in text.split_inclusive('\n') {
        let instruction = line.trim_start();
        is_inline = (is_inline || instruction.starts_with("// begin inline asm"))
            && !instruction.starts_with("// end inline asm");
        let mut words = instruction.split_whitespace();
        let name = words.next().filter(|name| !name.starts_with('@')).or_else(|| words.next());
        if !is_inline && name.is_some_and(|name| name.contains(".ftz") && name.contains("f16")) {
            kept.push_str(&line.replacen(".ftz", "", 1));
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// LLVM marks a kernel's pointer parameter as pointing to memory without an alignment, which says nothing.
/// Like nvcc, we omit the mark (PTX ISA ".param"). Only directives can look like this, since data is written
/// as numbers.
const POINTER_PARAMETERS: [(&str, &str); 2] =
    [(".param .u64 .ptr .align 1 ", ".param .u64 "), (".param .u32 .ptr .align 1 ", ".param .u32 ")];
