//! Which LLVM passes run on the module.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

use crate::{Bug, OptLevel};

/// Optimises the module as far as asked.
///
/// The pipelines are LLVM's own: the target adds what the backend needs, in the right places.
pub(crate) fn run(module: &Module<'_>, machine: &TargetMachine, level: OptLevel) -> Result<(), Bug> {
    let options = PassBuilderOptions::create();
    // Two equal kernels would become a kernel that calls a kernel, which ptxas refuses.
    options.set_merge_functions(false);
    let pipeline = match level {
        // It inlines what must be.
        OptLevel::O0 => "default<O0>",
        OptLevel::O1 => "default<O1>",
        OptLevel::O2 => "default<O2>",
        OptLevel::O3 => "default<O3>",
    };
    module
        .run_passes(pipeline, machine, options)
        .map_err(|message| Bug { message: format!("LLVM's passes: {message}") })
}
