//! Which LLVM passes run on the module.
//!
//! At -O0 and -O1 the pipelines are LLVM's own. At -O2 and -O3 they are ours: LLVM's, without what is
//! there for other languages and for CPUs (coroutines, profiles, vectorised loops), and without its last
//! moves of loop-invariant code, which fill registers for the sake of integer arithmetic that a GPU
//! has to spare; and without repeated passes that found nothing in the programs of this project's tests that others
//! do not find: each takes its time in every compilation. What the target adds (`nvvm-reflect`, the ranges of special registers) comes with
//! `default<O0>`, which consists of little else.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

use crate::{Bug, OptLevel};

/// LLVM's options, for the whole process, that go with these pipelines.
pub(crate) const LLVM_OPTIONS: &[&std::ffi::CStr] = &[
    // Strength reduction trades address arithmetic in a loop for live 64-bit pointers, and hides trip
    // counts from ptxas, which then unrolls nothing.
    c"-disable-lsr",
    // The target allows 75 instructions to a loop that is unrolled in part, and nvcc about these.
    c"-unroll-partial-threshold=150",
    // What has become one of two instructions, and what is moved beside another, keeps the line of one of them, as with nvcc.
    c"-pick-merged-source-locations",
];

/// Optimises the module as far as asked.
pub(crate) fn run(module: &Module<'_>, machine: &TargetMachine, level: OptLevel) -> Result<(), Bug> {
    let options = PassBuilderOptions::create();
    // Two equal kernels would become a kernel that calls a kernel, which ptxas refuses.
    options.set_merge_functions(false);
    module
        .run_passes(&pipeline(level), machine, options)
        .map_err(|message| Bug { message: format!("LLVM's passes: {message}") })
}

/// Tidies up optimised functions in which branches have become constant.
pub(crate) fn tidy(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Bug> {
    module
        .run_passes(
            "default<O0>,function(simplifycfg,sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
            machine,
            PassBuilderOptions::create(),
        )
        .map_err(|message| Bug { message: format!("LLVM's passes: {message}") })
}

/// Puts the bodies of the functions that say so in place of their calls.
pub(crate) fn inline_always(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Bug> {
    module
        .run_passes("always-inline", machine, PassBuilderOptions::create())
        .map_err(|message| Bug { message: format!("LLVM's passes: {message}") })
}

/// The passes, in LLVM's notation for pipelines.
fn pipeline(level: OptLevel) -> String {
    match level {
        // It inlines what must be. A declaration that nothing uses must not reach the linker, which would
        // ask for its definition.
        OptLevel::O0 => "default<O0>,globaldce".to_owned(),
        OptLevel::O1 => "default<O1>".to_owned(),
        OptLevel::O2 => optimising("O2"),
        OptLevel::O3 => optimising("O3"),
    }
}

fn optimising(level: &str) -> String {
    let clean_up = "instcombine<max-iterations=1;no-verify-fixpoint>";
    // What is inlined first says how long its variables live, which `default<O0>` would not: they can share memory.
    let module_first = format!(
        "always-inline,default<O0>,\
         function<eager-inv>(lower-expect,simplifycfg,sroa<modify-cfg>,early-cse),\
         ipsccp,globalopt,\
         function<eager-inv>({clean_up},simplifycfg),\
         require<globals-aa>"
    );
    let scalars = format!(
        "sroa<modify-cfg>,early-cse<memssa>,speculative-execution<only-if-divergent-target>,\
         jump-threading,simplifycfg,{clean_up},tailcallelim,simplifycfg,\
         reassociate,constraint-elimination"
    );
    let loops = format!(
        "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
         loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),\
         simplifycfg,loop(loop-idiom,indvars,loop-deletion),\
         loop-unroll<{level};no-partial;no-runtime;no-upperbound>"
    );
    let after_loops = format!(
        "sroa<modify-cfg>,gvn,bdce,{clean_up},jump-threading,correlated-propagation,adce,memcpyopt,dse,\
         simplifycfg<hoist-common-insts;sink-common-insts>,{clean_up}"
    );
    let by_callee = format!(
        "cgscc(devirt<4>(inline,function-attrs,argpromotion,\
         function<eager-inv;no-rerun>({scalars},{loops},{after_loops})))"
    );
    // No tables for switches: each access would go to memory.
    let module_last = format!(
        "deadargelim,globalopt,globaldce,\
         function<eager-inv>(float2int,\
         simplifycfg<forward-switch-cond;switch-range-to-icmp;no-switch-to-lookup;no-keep-loops;\
         hoist-common-insts;sink-common-insts>,slp-vectorizer,loop-unroll<{level}>,\
         sroa<preserve-cfg>,infer-alignment,{clean_up},div-rem-pairs,\
         simplifycfg<speculate-unpredictables>),globaldce,constmerge"
    );
    format!("{module_first},{by_callee},{module_last}")
}
