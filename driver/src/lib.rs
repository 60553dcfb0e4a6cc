//! The driver of Weft: the program `weftc` as a library.
//!
//! A program that compiles kernels itself, such as a build script, calls [`compile`] or
//! [`compile_file`] and gets the text or the diagnostics as data. This writes no files and does not
//! depend on the environment.
//!
//! ```no_run
//! # fn main() -> Result<(), weft_driver::error::Error> {
//! let kernel = b"__global__ void k(int *p) { *p = 1; }";
//! let outputs = weft_driver::compile("k.src", kernel, weft_driver::Emit::Ptx, &weft_driver::options())?;
//! assert!(outputs.text.contains(".entry _Z1kPi"));
//! # Ok(())
//! # }
//! ```
//!
//! - [`args`]: the command line, including nvcc's spellings
//! - [`session`]: its decisions
//! - [`headers`]: the search for headers, and the macros that depend on the target
//! - [`pipeline`]: the stages of the compiler
//! - `inline_ptx`: checks the text of `asm` statements
//! - [`jobs`]: makes outputs, with the compiler and NVIDIA's programs
//! - [`run`]: runs kernels, and shows their results
//! - [`abi`]: compares the declarations of symbols with their definitions in other inputs
//! - [`toolchain`]: NVIDIA's programs
//! - [`findings`]: their messages, as diagnostics of the source
//! - [`emit`]: outputs and messages
//! - [`error`]: the three kinds of failure
//! - [`interrupt`]: cleans up when a signal ends the program
//! - `out_of_memory`: ends the program when there is no more memory
//! - [`cli`]: the program
//!
//! This is the only crate that uses files, the environment and processes.

pub mod abi;
pub mod args;
pub mod cli;
pub mod emit;
pub mod error;
pub mod findings;
pub mod headers;
pub mod input;
pub mod interrupt;
pub mod jobs;
pub mod pipeline;
pub mod run;
pub mod session;
pub mod toolchain;

mod inline_ptx;
mod out_of_memory;

use std::path::Path;

pub use headers::Preprocessing;
pub use pipeline::{Emit, Outputs, Settings, compile, compile_with};
pub use run::launch;
pub use weft_frontend::diag::Levels;
pub use weft_lower::target::{PtxVersion, Target};
pub use weft_lower::{DebugInfo, DebugPaths, OptLevel, Options};

/// The default options of the command line: the lowest target of current ptxas, `-O3`, `-fmad=true`.
pub fn options() -> Options {
    Options {
        target: Target::DEFAULT,
        ptx_version: None,
        opt_level: OptLevel::O3,
        fmad: true,
        ftz: false,
        prec_div: true,
        prec_sqrt: true,
        fast_math: false,
        restrict: false,
        debug: DebugInfo::None,
        debug_paths: DebugPaths::default(),
        whole_program: false,
        unit: None,
    }
}

/// Compiles a file. Headers in quotes are searched for next to it.
///
/// # Errors
///
/// Like [`compile`], and [`error::Error::Environment`] if the file cannot be read.
pub fn compile_file(path: &Path, emit: Emit, options: &Options) -> Result<Outputs, error::Error> {
    let text = input::read_file(path)?;
    let mut settings = Settings::new(options.clone());
    settings.preprocessing.files = true;
    compile_with(&path.display().to_string(), text, emit, &settings)
}
