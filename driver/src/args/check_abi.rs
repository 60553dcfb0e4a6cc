//! The command line of `weftc check-abi`.

use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches, Parser};

use super::compile::CompileArgs;
use super::help::Brief;
use super::source::MacroArgs;

const AFTER: &str = "\
Examples:
  weftc check-abi kernels.src library.ptx
  weftc check-abi a.src b.src nvcc.cubin
  weftc check-abi -arch sm_90 kernels.src libdevice.a

Exit codes:
  0    all declarations match
  1    a mismatch, or an error in an input or the command line
  2    a file cannot be read
  101  a bug in weftc";

/// The options that `-h` shows.
pub const BRIEF: Brief = Brief {
    options: &["arch", "machine", "include_path", "define_macro", "error_format", "help"],
    after: AFTER,
};

/// Compare the declarations of functions and variables in each input with their definitions in the others: the kind,
/// size and alignment of each parameter. nvlink does not compare alignments.
#[derive(Debug, Parser)]
#[command(name = "weftc check-abi", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = AFTER, max_term_width = 100)]
#[command(override_usage = "weftc check-abi [OPTIONS] <INPUT> <INPUT>...")]
pub struct CheckAbiArgs {
    /// Programs (.cu, .src), PTX (.ptx), cubins (.cubin), host objects with device code (.o), archives of them (.a)
    #[arg(value_name = "INPUT", num_args = 2.., required = true)]
    pub inputs: Vec<PathBuf>,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Print help: `-h` the common options, `--help` all of them
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,
}

impl CheckAbiArgs {
    /// The arguments that clap has matched.
    ///
    /// # Errors
    ///
    /// If a value is invalid.
    pub fn of(matches: &ArgMatches) -> Result<CheckAbiArgs, clap::Error> {
        let mut args = CheckAbiArgs::from_arg_matches(matches)?;
        args.macros.order(matches);
        Ok(args)
    }
}
