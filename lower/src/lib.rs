//! Lowers the verified program to PTX, through LLVM.
//!
//! - [`abi`]: signatures and names by the PTX interoperability ABI; plain Rust, no LLVM
//! - [`target`]: GPUs and PTX versions, and which version each GPU requires
//! - [`features`]: the features of a program that not all of them support
//! - [`limits`]: the resources of a multiprocessor, and warnings about kernels that request more
//!
//! Inside, top down: `module` declares everything; `function` lowers a body by contexts, which all add to the
//! `code` of it: `stmt` for control flow, `expr` (with `place`, `call`, `init`), `builtin`, `frame` for variables, and for
//! LLVM's values `access` to memory and `arithmetic`. `constant` builds initial values, `types` LLVM types, `debug_info`
//! positions; `passes` and `emit` run LLVM.
//!
//! This is the only crate that uses inkwell. **Invariant**: lowering never rejects a program. A
//! [`VerifiedModule`] can be lowered for any [`Options`] for which [`features::Uses::ptx_version`] finds a
//! version; a [`Bug`] means that this failed, and is never the user's mistake.

pub mod abi;
pub mod features;
pub mod limits;
pub mod target;

mod access;
mod addr_space;
mod arithmetic;
mod atomic;
mod bit_field;
mod builtin;
mod call;
mod code;
mod constant;
mod context;
mod contraction;
mod control_flow;
mod convert;
mod copies;
mod debug_info;
mod effects;
mod emit;
mod expr;
mod frame;
mod function;
mod guard;
mod init;
mod inlining;
mod libdevice;
mod loops;
mod module;
mod order;
mod parameters;
mod parts;
mod passes;
mod place;
mod stack;
mod stmt;
mod symbol;
mod types;
mod unroll;
mod variadic;
mod wide_int;

use std::convert::Infallible;
use std::time::{Duration, Instant};

use abi::unit::UnitName;
use inkwell::builder::BuilderError;
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::core::LLVMContextSetDiscardValueNames;
use inkwell::values::InstructionValueError;
use weft_frontend::diag::Diagnostic;
use weft_frontend::ir::VerifiedModule;
use weft_frontend::limits::Depth;
use weft_frontend::source::SourceMap;

pub use debug_info::paths::DebugPaths;
pub use guard::{MAX_STACK_BYTES, MIN_STACK_BYTES, NoStack, Stopped, no_stack};
pub use libdevice::{Libdevice, UNREADABLE as UNREADABLE_LIBDEVICE};

use context::Cx;
use debug_info::{inlined, moved, paths, sections, without_line_0};
use features::Uses;
use target::{Feature, PtxVersion, Target, choose_ptx};

/// The options of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The GPU.
    pub target: Target,
    /// The PTX version of the output; `None` for the lowest sufficient one.
    pub ptx_version: Option<PtxVersion>,
    /// The optimization level.
    pub opt_level: OptLevel,
    /// Whether products and sums may be fused (nvcc's `-fmad=true`).
    pub fmad: bool,
    /// Whether to flush denormal `float`s to zero (nvcc's `-ftz=true`).
    pub ftz: bool,
    /// Whether to round `float` quotients correctly (nvcc's `-prec-div=true`).
    pub prec_div: bool,
    /// Whether to round `float` square roots correctly (nvcc's `-prec-sqrt=true`).
    pub prec_sqrt: bool,
    /// Whether to use the fast form of `float` functions, and of quotients that need not be rounded correctly
    /// (a part of nvcc's `-use_fast_math`, which also sets the three above).
    pub fast_math: bool,
    /// Whether pointer parameters of kernels are `__restrict__` (nvcc's `-restrict`).
    pub restrict: bool,
    /// The debug information to generate.
    pub debug: DebugInfo,
    /// The mapping of file names in debug information.
    pub debug_paths: DebugPaths,
    /// Whether no other object calls into this one, so that external device functions become internal.
    pub whole_program: bool,
    /// The name that distinguishes the translation unit from others that it is linked with; `None` if there are no others.
    pub unit: Option<UnitName>,
}

/// The debug information for debuggers and profilers (PTX interoperability guide 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugInfo {
    /// Nothing.
    None,
    /// Line tables (`-lineinfo`).
    Lines,
    /// Functions, variables and types as well, without changing the code. For [`OptLevel::O0`] and the
    /// emulator, which can then identify local variables.
    Variables,
    /// Functions, variables and types as well (`-G`). ptxas then rejects optimized code, so
    /// [`Options::opt_level`] must be [`OptLevel::O0`].
    Full,
}

impl DebugInfo {
    /// The most detailed information for the emulator that does not change instructions.
    #[must_use]
    pub fn for_emulator(self, opt_level: OptLevel) -> Self {
        match self.or_lines() {
            DebugInfo::Lines if opt_level == OptLevel::O0 => DebugInfo::Variables,
            more => more,
        }
    }

    /// Whether variables and types are described.
    pub(crate) fn has_variables(self) -> bool {
        matches!(self, DebugInfo::Variables | DebugInfo::Full)
    }

    /// Adds line tables, if there is less.
    #[must_use]
    pub fn or_lines(self) -> Self {
        match self {
            DebugInfo::None => DebugInfo::Lines,
            more => more,
        }
    }
}

/// The optimization level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptLevel {
    /// No optimization.
    O0,
    /// Some optimization.
    O1,
    /// LLVM's `default<O2>`.
    O2,
    /// LLVM's `default<O3>`.
    O3,
}

/// The requested output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// LLVM IR, at the requested optimization level.
    LlvmIr,
    /// PTX.
    Ptx,
}

/// The output of lowering.
#[derive(Debug)]
pub struct Lowered {
    /// The requested text.
    pub text: String,
    /// Warnings about ignored requests.
    pub warnings: Vec<Diagnostic>,
    /// The durations of the stages.
    pub times: Times,
}

/// The durations of the stages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Building LLVM's module from the IR.
    pub build: Duration,
    /// LLVM's own: target set-up, verifier, passes, code generation.
    pub llvm: Duration,
}

/// A bug in the compiler: a message of the LLVM verifier, or another broken invariant.
#[derive(Debug)]
pub struct Bug {
    /// The description.
    pub message: String,
}

impl From<&str> for Bug {
    fn from(message: &str) -> Self {
        Bug { message: message.to_owned() }
    }
}

impl From<BuilderError> for Bug {
    fn from(error: BuilderError) -> Self {
        Bug { message: format!("LLVM's builder: {error}") }
    }
}

impl From<InstructionValueError> for Bug {
    fn from(error: InstructionValueError) -> Self {
        Bug { message: format!("LLVM's instruction: {error}") }
    }
}

/// Runs `work` on a thread that survives LLVM's fatal errors, with a stack for the deepest program that the
/// parser accepts. [`lower`] starts such a thread itself; a caller that needs the stack before, for the
/// frontend, calls both within this and saves a thread.
///
/// # Errors
///
/// If LLVM fails fatally, or there is too little memory for the thread.
///
/// # Panics
///
/// If `work` does.
pub fn on_guarded_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    guard::run(work)
}

/// The same on this thread, without the cost of another: for a program that has nothing else to do. On a
/// fatal error of LLVM, `last_words` ends the process.
///
/// # Errors
///
/// If there is too little memory for the stack.
///
/// # Panics
///
/// If `work` does.
pub fn on_this_thread<T>(
    last_words: impl FnOnce(Bug) -> Infallible + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, NoStack> {
    guard::run_here(last_words, work)
}

/// The nesting depth of programs that this thread can compile, which depends on the stack that could be
/// allocated.
pub fn depth_here() -> Depth {
    guard::depth()
}

/// Lowers a module. `libdevice` provides NVIDIA's bitcode of that name, which a module needs if
/// [`Uses::library_call`](features::Uses::library_call) says so.
///
/// # Errors
///
/// [`Bug`] for a bug in the compiler, or if libdevice cannot be read: then the message is
/// [`UNREADABLE_LIBDEVICE`].
pub fn lower(
    module: &VerifiedModule,
    sources: &SourceMap,
    options: &Options,
    libdevice: Option<&dyn Libdevice>,
    output: Output,
) -> Result<Lowered, Bug> {
    guard::run(|| {
        let lower = |in_place| lower_here(module, sources, options, libdevice, output, in_place);
        Ok(match lower(true)? {
            Some(lowered) => lowered,
            None => lower(false)?.ok_or("a function with an unexpected parent")?,
        })
    })?
}

/// The same, on this thread. `in_place`: a libdevice function may be built inline at its call; the result is
/// `None` if that has failed.
fn lower_here(
    module: &VerifiedModule,
    sources: &SourceMap,
    options: &Options,
    libdevice: Option<&dyn Libdevice>,
    output: Output,
    in_place: bool,
) -> Result<Option<Lowered>, Bug> {
    let start = Instant::now();
    let ptx_version = Uses::of(module.module())
        .ptx_version(options)
        .map_err(|unavailable| Bug { message: unavailable.error.to_string() })?;
    // Without it, inlined code has its own lines.
    let inlined_at = choose_ptx(options.target, options.ptx_version, [Feature::InlinedAt]);
    let inlined_at =
        inlined_at.ok().filter(|_| matches!(options.debug, DebugInfo::Lines | DebugInfo::Variables));
    let ptx_version = ptx_version.max(inlined_at.unwrap_or(ptx_version));
    let machine =
        emit::target_machine(options.target, ptx_version, options.opt_level, module.module().types.model())?;
    let context = Context::create();
    guard::watch(&context);
    if output == Output::Ptx {
        // SAFETY: the context is alive.
        unsafe { LLVMContextSetDiscardValueNames((&context).as_ctx_ref(), 1) };
    }
    let llvm_module = context.create_module("weft");
    emit::prepare(&llvm_module, &machine);
    let set_up = start.elapsed();

    let mut cx = Cx::new(&context, llvm_module, module.module(), sources, options)?;
    module::lower_module(&mut cx)?;
    let build = start.elapsed() - set_up;

    cx.module.verify().map_err(|message| Bug { message: format!("LLVM's verifier: {message}") })?;
    let is_moved = options.debug == DebugInfo::Lines && options.opt_level != OptLevel::O0;
    let places = is_moved.then(|| moved::note(&cx));
    let called = libdevice::Called::by(&cx, &machine, libdevice, in_place);
    inlining::limit(&cx, &machine, options.opt_level)?;
    let has_pairs = passes::has_pairs(&module.module().types, options.target);
    let library = called.as_ref().map(|called| called as &dyn passes::Library);
    let mut warnings = Vec::new();
    let layout = machine.get_target_data();
    let is_optimised = matches!(options.opt_level, OptLevel::O2 | OptLevel::O3);
    let has_arrays =
        is_optimised && cx.module.get_functions().any(|function| unroll::arrays::are_in(&layout, function));
    let mut check_loops = || warnings = unroll::budget::apply(&cx, has_arrays.then_some(&layout));
    let has_requests = !cx.unroll_requests.borrow().is_empty();
    let before_loops = (has_requests || has_arrays).then_some(&mut check_loops as &mut dyn FnMut());
    let optimised = passes::run(&cx.module, &machine, options.opt_level, has_pairs, library, before_loops);
    if called.is_some_and(|called| called.is_broken()) {
        return Ok(None);
    }
    optimised?;
    stack::separate_allocations_in_loops(&cx, &machine)?;
    contraction::settle(&cx)?;
    atomic::settle(&cx)?;
    parameters::keep_in_registers(&cx);
    parameters::read_volatile(&cx);
    variadic::keep_zeros(&cx)?;
    copies::widen(&cx, &machine)?;
    if let Some(places) = places {
        moved::restore(&cx, &places);
    }
    debug_info::settle(&cx);
    let text = match output {
        Output::LlvmIr => cx.module.print_to_string().to_string(),
        Output::Ptx => {
            let calls = if inlined_at.is_some() { inlined::mark(&cx) } else { Vec::new() };
            let text = emit::emit_ptx(&cx.module, &machine)?;
            let text = emit::rename_target(text, options.target, ptx_version);
            let text = paths::without_quotes(inlined::write(&text, &calls));
            let text = if options.debug == DebugInfo::None { text } else { without_line_0(&text) };
            let text = sections::rewrite(&text, &cx.debug_symbols.borrow(), |at| cx.is_defined(at))?;
            let text = emit::hide_internal_kernels(text, &cx);
            if options.ftz { emit::keep_small_halves(text) } else { text }
        }
    };
    guard::check()?;
    // Freeing LLVM's module is LLVM's work, too.
    drop(cx);
    drop(machine);
    drop(context);
    Ok(Some(Lowered { text, warnings, times: Times { build, llvm: start.elapsed() - build } }))
}

/// The version of the linked LLVM, such as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
