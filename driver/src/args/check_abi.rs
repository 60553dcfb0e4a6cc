//! The command line of `weftc check-abi`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};

use super::compile::CompileArgs;
use super::source::MacroArgs;

const EXAMPLES: &str = "\
Examples:
  weftc check-abi kernels.src library.ptx
  weftc check-abi a.src b.src nvcc.cubin
  weftc check-abi -arch sm_90 kernels.src libdevice.a

Exit codes: 0 all that is compared agrees, 1 it does not, or an input is wrong, 2 a file cannot be read,
101 a bug in weftc.";

/// Compares what programs use of one another with what they define: each parameter's kind, size and alignment, and
/// variables. nvlink does not see alignments.
#[derive(Debug, Parser)]
#[command(name = "weftc check-abi", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
#[command(override_usage = "weftc check-abi [OPTIONS] <INPUT> <INPUT>...")]
pub struct CheckAbiArgs {
    /// Programs (.src, .cu), PTX (.ptx), cubins (.cubin), objects of the host that hold device code (.o), archives of them (.a)
    #[arg(value_name = "INPUT", num_args = 2.., required = true)]
    pub inputs: Vec<PathBuf>,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Print this
    #[arg(short, long, action = clap::ArgAction::HelpShort)]
    pub help: Option<bool>,
}

impl CheckAbiArgs {
    /// Reads the words of a command line behind the command.
    ///
    /// # Errors
    /// When a word is no option, or lacks its value; also when help is asked for.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<CheckAbiArgs, clap::Error> {
        let matches = CheckAbiArgs::command().try_get_matches_from(words)?;
        let mut args = CheckAbiArgs::from_arg_matches(&matches)?;
        args.macros.order(&matches);
        Ok(args)
    }
}
