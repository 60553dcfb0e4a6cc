//! The command line of `weftc doctor`.

use clap::Parser;

use super::help::Brief;
use super::tools::ToolArgs;
use crate::emit::report::Color;

const AFTER: &str = "\
Exit codes:
  0    PTX and cubins can be made
  1    an error in the command line
  2    a program that cubins need is missing or does not work";

/// The options that `-h` shows.
pub const BRIEF: Brief = Brief { options: &["cuda_path", "ptxas", "nvlink", "color", "help"], after: AFTER };

/// List NVIDIA's programs, their versions and what each supports, and how to get what is missing.
#[derive(Debug, Parser)]
#[command(name = "weftc doctor", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = AFTER, max_term_width = 100)]
#[command(override_usage = "weftc doctor [OPTIONS]")]
pub struct DoctorArgs {
    /// Where NVIDIA's programs are.
    #[command(flatten)]
    pub tools: ToolArgs,

    /// Choose when to color the page
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", help_heading = "General")]
    pub color: Color,

    /// Print this help: `-h` in brief, `--help` all of it
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,
}
