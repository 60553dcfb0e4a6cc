//! From the verified program to PTX, through LLVM.
//!
//! - [`abi`]: signatures and names by the PTX interoperability ABI; plain Rust, no LLVM
//! - [`target`]: which GPUs and PTX versions there are, and which goes with which
//!
//! This is the only crate that names inkwell. **Invariant**: lowering refuses nothing. A
//! [`VerifiedModule`] can be lowered for any [`Options`] that [`target::Target`] could be made for;
//! an [`Bug`] says that this was not so, and never stands for a mistake of the user's.

pub mod abi;
pub mod target;

use std::time::Duration;

use weft_frontend::ir::VerifiedModule;
use weft_frontend::source::SourceMap;

use target::{PtxVersion, Target};

/// What is asked of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The GPU.
    pub target: Target,
    /// The PTX version to raise the output to; none for the lowest that will do.
    pub ptx_version: Option<PtxVersion>,
    /// How hard to optimise.
    pub opt_level: OptLevel,
    /// Products and sums may be fused (nvcc's `-fmad=true`).
    pub fmad: bool,
    /// Line tables (`-lineinfo`).
    pub line_info: bool,
    /// No other object calls into this one: external device functions become internal.
    pub whole_program: bool,
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

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// LLVM's text, optimised as asked.
    LlvmIr,
    /// PTX.
    Ptx,
}

/// What lowering made.
#[derive(Debug)]
pub struct Lowered {
    /// The text that was asked for.
    pub text: String,
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

/// A bug in the compiler: what the LLVM verifier said, or another broken promise.
#[derive(Debug)]
pub struct Bug {
    /// What was found.
    pub message: String,
}

/// Lowers a module.
///
/// # Errors
/// [`Bug`] where the compiler is at fault.
pub fn lower(
    _module: &VerifiedModule,
    _sources: &SourceMap,
    _options: &Options,
    _output: Output,
) -> Result<Lowered, Bug> {
    Err(Bug { message: "not written yet".to_owned() })
}

/// The version of the LLVM that is linked in, as `22.1.8`.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
