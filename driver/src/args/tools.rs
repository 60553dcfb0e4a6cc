//! The options about NVIDIA's programs.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::toolchain::{DEFAULT_TOOL_SECONDS, ToolOptions};

/// The options as clap reads them.
#[derive(Debug, Args)]
pub struct ToolArgs {
    /// Use the programs of this CUDA toolkit or of this Python environment with NVIDIA's wheels
    #[arg(long, value_name = "DIR", help_heading = "NVIDIA's programs")]
    pub cuda_path: Option<PathBuf>,

    /// Use this ptxas
    #[arg(long, value_name = "FILE", help_heading = "NVIDIA's programs")]
    pub ptxas: Option<PathBuf>,

    /// Use this nvlink
    #[arg(long, value_name = "FILE", help_heading = "NVIDIA's programs")]
    pub nvlink: Option<PathBuf>,

    /// Use this fatbinary
    #[arg(long, value_name = "FILE", help_heading = "NVIDIA's programs")]
    pub fatbinary: Option<PathBuf>,

    /// Use this nvcc (only `weftc doctor` does)
    #[arg(long, value_name = "FILE", help_heading = "NVIDIA's programs")]
    pub nvcc: Option<PathBuf>,

    /// Use this C compiler of the host, for -dc [-ccbin FILE]
    #[arg(long, value_name = "FILE", help_heading = "NVIDIA's programs")]
    pub host_compiler: Option<PathBuf>,

    /// Stop a program after this time; 0 means never
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_TOOL_SECONDS, help_heading = "NVIDIA's programs")]
    pub tool_timeout: u64,
}

impl ToolArgs {
    /// Where NVIDIA's programs are.
    pub fn options(&self) -> ToolOptions {
        ToolOptions {
            cuda_path: self.cuda_path.clone(),
            ptxas: self.ptxas.clone(),
            nvlink: self.nvlink.clone(),
            fatbinary: self.fatbinary.clone(),
            nvcc: self.nvcc.clone(),
            host_compiler: self.host_compiler.clone(),
            time: (self.tool_timeout > 0).then(|| Duration::from_secs(self.tool_timeout)),
        }
    }
}
