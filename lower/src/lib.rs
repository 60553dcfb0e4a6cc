//! From the verified program to PTX, through LLVM.
//!
//! - [`abi`]: signatures and names by the PTX interoperability ABI; plain Rust, no LLVM
//! - [`target`]: GPUs and PTX versions, and which version each GPU requires
//! - [`features`]: the features of a program that not all of them support
//! - [`limits`]: the resources of a multiprocessor, and warnings about kernels that request more
//!
//! Inside, top down: `module` declares everything and lowers bodies through
//! `function`, `stmt`, `expr`, `place`, `call`, `convert`, `wide_int` and `builtin`; `constant` builds initial
//! values, `types` LLVM types, `debug_info` positions; `passes` and `emit` run LLVM.
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
mod asm;
mod atomic;
mod bit_field;
mod builtin;
mod call;
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
mod function;
mod guard;
mod inlining;
mod libdevice;
mod lifetime;
mod loops;
mod module;
mod order;
mod parameters;
mod parts;
mod passes;
mod place;
mod stack;
mod stmt;
mod switch;
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
    /// How hard to optimise.
    pub opt_level: OptLevel,
    /// Products and sums may be fused (nvcc's `-fmad=true`).
    pub fmad: bool,
    /// Flush denormal `float`s to zero (nvcc's `-ftz=true`).
    pub ftz: bool,
    /// Quotients of `float` are rounded correctly (nvcc's `-prec-div=true`).
    pub prec_div: bool,
    /// Square roots of `float` are rounded correctly (nvcc's `-prec-sqrt=true`).
    pub prec_sqrt: bool,
    /// Functions of `float` that have a fast form are called in that form, and so are quotients that need not be rounded
    /// correctly (a part of nvcc's `-use_fast_math`, which sets the three above besides).
    pub fast_math: bool,
    /// How much information debuggers and profilers get.
    pub debug: DebugInfo,
    /// The mapping of file names in debug information.
    pub debug_paths: DebugPaths,
    /// No other object calls into this one: external device functions become internal.
    pub whole_program: bool,
    /// The name that distinguishes the translation unit from others that it is linked with; `None` if there are no others.
    pub unit: Option<UnitName>,
}

/// How much information debuggers and profilers get (PTX interoperability guide 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugInfo {
    /// Nothing.
    None,
    /// Which lines the instructions come from (`-lineinfo`).
    Lines,
    /// Functions, variables and types as well, in the code that is made without them. It is for
    /// [`OptLevel::O0`] and the emulator, which can then distinguish local variables.
    Variables,
    /// All: functions, variables and types as well (`-g`). ptxas takes no optimised code with it, so
    /// [`Options::opt_level`] is to be [`OptLevel::O0`].
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

    /// Line tables at least.
    #[must_use]
    pub fn or_lines(self) -> Self {
        match self {
            DebugInfo::None => DebugInfo::Lines,
            more => more,
        }
    }
}

/// How hard to optimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptLevel {
    /// Not at all.
    O0,
    /// A little.
    O1,
    /// As LLVM's `default<O2>`.
    O2,
    /// As LLVM's `default<O3>`.
    O3,
}

/// The requested output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// LLVM's text, optimised as asked.
    LlvmIr,
    /// PTX.
    Ptx,
}

/// The output of lowering.
#[derive(Debug)]
pub struct Lowered {
    /// The text that was asked for.
    pub text: String,
    /// Warnings about ignored requests.
    pub warnings: Vec<Diagnostic>,
    /// Where the time went.
    pub times: Times,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Making LLVM's module from the IR.
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

/// Runs `work` on a thread that survives LLVM's fatal errors, with a stack for the deepest
/// program that the parser accepts. [`lower`] starts its own; callers that need the stack
/// before that, for the frontend, calls both within this and saves a thread.
///
/// # Errors
/// When LLVM gave up, or there is no memory for such a thread.
///
/// # Panics
/// When `work` does.
pub fn on_guarded_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    guard::run(work)
}

/// The same on this thread, without the cost of another: for a program that has nothing else to do.
/// Where LLVM gives up, `last_words` ends the process.
///
/// # Errors
/// When there is no memory for the stack.
///
/// # Panics
/// When `work` does.
pub fn on_this_thread<T>(
    last_words: impl FnOnce(Bug) -> Infallible + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, NoStack> {
    guard::run_here(last_words, work)
}

/// How deep a program may nest that is compiled on this thread: it depends on the stack that there was memory for.
pub fn depth_here() -> Depth {
    guard::depth()
}

/// Lowers a module. `libdevice` leads to NVIDIA's bitcode of that name, which a module needs if
/// [`Uses::library_call`](features::Uses::library_call) says so.
///
/// # Errors
/// [`Bug`] where the compiler is at fault, or libdevice: then the message is [`UNREADABLE_LIBDEVICE`].
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

/// The same, on this thread. `in_place`: a function of libdevice's may be built inline at its call; the result is `None` if that has
/// wrong.
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
    // Without it, inlined code has its own lines code.
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
    stack::hide_sizes_in_loops(&cx, &machine)?;
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
    // Taking LLVM's module apart is LLVM's work too.
    drop(cx);
    drop(machine);
    drop(context);
    Ok(Some(Lowered { text, warnings, times: Times { build, llvm: start.elapsed() - build } }))
}

/// The version of the LLVM that is linked in, as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
