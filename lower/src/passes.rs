//! The LLVM passes that run on the module.
//!
//! At -O0 and -O1 the pipelines are LLVM's own. At -O2 and -O3 they are LLVM's without passes
//! for other languages and for CPUs (coroutines, profiles, loop vectorization); without the last
//! hoisting of loop-invariant code, which uses registers to save integer arithmetic that is cheap on a
//! GPU; and without repeated passes that found nothing in the programs of this project's tests that others
//! do not find, since each costs time in every compilation. The target's own passes (`nvvm-reflect`, the ranges of special registers) come with
//! `default<O0>`, which contains little else.

use std::mem;

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

use weft_frontend::ir::TypeTable;

use crate::target::Target;
use crate::{Bug, OptLevel};

/// LLVM's process-wide options for these pipelines.
pub(crate) const LLVM_OPTIONS: &[&std::ffi::CStr] = &[
    // Loop strength reduction trades address arithmetic in a loop for live 64-bit pointers, and hides trip
    // counts from ptxas, which then unrolls nothing.
    c"-disable-lsr",
    // The target permits 75 instructions in a partially unrolled loop; nvcc permits about this number.
    c"-unroll-partial-threshold=150",
    // In LLVM 22.1, straight-line strength reduction takes cubic time in a function's length: 2,000
    // statements took minutes. Without it the machine code of one of the examples is 4 % longer.
    c"-opt-disable=slsr",
    // Accesses to longer arrays are not split: they are copies of large structs.
    c"-instcombine-maxarray-size=64",
    // A merged instruction, and one that is moved next to another, keeps the line of one of them, like in
    // nvcc.
    c"-pick-merged-source-locations",
];

/// The part of LLVM's pipelines that must run before loops can be counted.
const INTO_REGISTERS: &str = "always-inline,function(sroa<modify-cfg>,early-cse,simplifycfg)";

/// The library functions that a program calls. They are linked between the passes, because the library is
/// already optimized.
pub(crate) trait Library {
    /// Whether optimizing it together with its caller has no benefit.
    fn is_separate(&self) -> bool;

    /// Builds a separate function inline at its call, like the function passes would leave it. Returns false
    /// if that is not possible: then nothing has changed.
    ///
    /// # Errors
    ///
    /// If the library is damaged.
    fn inline_call(&self) -> Result<bool, Bug>;

    /// Links the library.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn link(&self, when: When) -> Result<(), Bug>;
}

/// When a library is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Before the passes that optimize functions.
    Before,
    /// After them: the library is already in the form that they would produce.
    After,
}

/// Optimizes the module at the requested level. `has_pairs`: there may be numbers that the GPU can process in
/// pairs. `before_loops` inspects the module before the loop passes, if needed; variables are in registers
/// then.
pub(crate) fn run(
    module: &Module<'_>,
    machine: &TargetMachine,
    level: OptLevel,
    has_pairs: bool,
    library: Option<&dyn Library>,
    before_loops: Option<&mut dyn FnMut()>,
) -> Result<(), Bug> {
    let Pipeline { mut program, functions, last } = pipeline(level, has_pairs);
    let run = |passes: &[&[String]]| match passes.concat() {
        passes if passes.is_empty() => Ok(()),
        passes => run_passes(module, machine, &passes.join(",")),
    };
    let is_optimised = !program.is_empty();
    if let Some(before_loops) = before_loops.filter(|_| level != OptLevel::O0) {
        let own = if is_optimised { mem::take(&mut program) } else { vec![INTO_REGISTERS.to_owned()] };
        run(&[&own])?;
        before_loops();
    }
    let Some(library) = library else { return run(&[&program, &functions, &last]) };
    let inline = ["always-inline".to_owned()];
    if !is_optimised {
        library.link(When::Before)?;
        run(&[&functions, &last])
    } else if library.is_separate() {
        run(&[&program, &functions])?;
        if library.inline_call()? {
            return run(&[&last]);
        }
        library.link(When::After)?;
        run(&[&inline, &last])
    } else {
        run(&[&program])?;
        library.link(When::Before)?;
        run(&[&inline, &functions, &last])
    }
}

fn run_passes(module: &Module<'_>, machine: &TargetMachine, passes: &str) -> Result<(), Bug> {
    let options = PassBuilderOptions::create();
    // Merging two equal kernels would make one call the other, which ptxas rejects.
    options.set_merge_functions(false);
    module
        .run_passes(passes, machine, options)
        .map_err(|message| Bug { message: format!("LLVM's passes: {message}") })
}

/// Whether the program may contain numbers that the GPU processes in pairs: half precision, and `float` from
/// `sm_100` on (PTX ISA, `fma`). Searching for pairs of anything else costs time and gains nothing.
pub(crate) fn has_pairs(types: &TypeTable, target: Target) -> bool {
    const FIRST_WITH_FLOATS: u16 = 100;
    target.sm() >= FIRST_WITH_FLOATS || types.records.values().any(|record| record.half.is_some())
}

/// Cleans up optimized functions in which branches have become constant.
pub(crate) fn clean_up(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Bug> {
    run_passes(
        module,
        machine,
        "default<O0>,function(simplifycfg,sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
    )
}

/// Brings optimized functions into the form that function passes would produce: unrolls loops with few
/// iterations.
pub(crate) fn write_out_loops(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Bug> {
    run_passes(module, machine, &format!("function(loop(loop-rotate),{})", full_unrolling("O3")))
}

/// Inlines the functions that are marked `alwaysinline`.
pub(crate) fn inline_always(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Bug> {
    run_passes(module, machine, "always-inline")
}

/// The same, followed by a clean-up unless optimization is off.
pub(crate) fn inline_and_clean_up(
    module: &Module<'_>,
    machine: &TargetMachine,
    level: OptLevel,
) -> Result<(), Bug> {
    inline_always(module, machine)?;
    if level == OptLevel::O0 {
        return Ok(());
    }
    let clean_up = "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg,gvn)";
    run_passes(module, machine, clean_up)
}

/// The passes, in LLVM's pipeline syntax.
#[derive(Debug, Default)]
struct Pipeline {
    /// The first module passes, which libraries need not go through.
    program: Vec<String>,
    /// The function passes, callees first.
    functions: Vec<String>,
    last: Vec<String>,
}

fn pipeline(level: OptLevel, has_pairs: bool) -> Pipeline {
    let all = |passes: &str| Pipeline { functions: vec![passes.to_owned()], ..Pipeline::default() };
    match level {
        // It inlines what must be inlined. An unused declaration must not reach the linker, which would
        // require its definition.
        OptLevel::O0 => all("default<O0>,globaldce"),
        OptLevel::O1 => all("default<O1>"),
        OptLevel::O2 => optimising("O2", has_pairs),
        OptLevel::O3 => optimising("O3", has_pairs),
    }
}

fn optimising(level: &str, has_pairs: bool) -> Pipeline {
    let clean_up = "instcombine<max-iterations=1;no-verify-fixpoint>";
    // Inlining first marks the lifetimes of variables, which `default<O0>` would not do: so they can share
    // memory.
    let module_first = format!(
        "always-inline,default<O0>,\
         function<eager-inv>(lower-expect,simplifycfg,sroa<modify-cfg>,early-cse),\
         ipsccp,globalopt,\
         function<eager-inv>({clean_up},simplifycfg)"
    );
    let scalars = "sroa<modify-cfg>,early-cse<memssa>,speculative-execution<only-if-divergent-target>,\
         jump-threading,simplifycfg,tailcallelim,simplifycfg,\
         reassociate,constraint-elimination";
    let loops = format!(
        "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
         loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),\
         simplifycfg,loop(loop-idiom,indvars,loop-deletion),{}",
        full_unrolling(level)
    );
    let after_loops = format!(
        "sroa<modify-cfg>,gvn,bdce,jump-threading,correlated-propagation,adce,memcpyopt,dse,\
         simplifycfg<hoist-common-insts;sink-common-insts>,{clean_up}"
    );
    let by_callee = format!(
        "require<globals-aa>,\
         cgscc(devirt<4>(inline,function-attrs,argpromotion,\
         function<eager-inv;no-rerun>({scalars},{loops},{after_loops})))"
    );
    let slp = if has_pairs { ",slp-vectorizer" } else { "" };
    // No lookup tables for switches: each lookup would access memory.
    let module_last = format!(
        "deadargelim,globalopt,globaldce,\
         function<eager-inv>(float2int,\
         simplifycfg<forward-switch-cond;switch-range-to-icmp;no-switch-to-lookup;no-keep-loops;\
         hoist-common-insts;sink-common-insts>{slp},loop-unroll<{level}>,\
         sroa<preserve-cfg>,infer-alignment,{clean_up},div-rem-pairs,\
         simplifycfg<speculate-unpredictables>),globaldce,constmerge"
    );
    Pipeline { program: vec![module_first], functions: vec![by_callee], last: vec![module_last] }
}

/// Unrolls loops fully, or not at all.
fn full_unrolling(level: &str) -> String {
    format!("loop-unroll<{level};no-partial;no-runtime;no-upperbound>")
}
