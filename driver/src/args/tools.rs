//! The options about NVIDIA's programs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::compile::Standard;
use crate::toolchain::{DEFAULT_TOOL_SECONDS, Passed, ToolOptions};

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

/// Arguments for programs, as clap reads them.
#[derive(Debug, Args)]
pub struct PassedArgs {
    /// Pass an argument to ptxas; may be repeated [-Xptxas ARG]
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "NVIDIA's programs")]
    pub ptxas_option: Vec<OsString>,

    /// Pass an argument to nvlink; may be repeated [-Xnvlink ARG]
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "NVIDIA's programs")]
    pub nvlink_option: Vec<OsString>,

    /// Pass an argument to fatbinary; may be repeated [-Xfatbin ARG]
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "NVIDIA's programs")]
    pub fatbinary_option: Vec<OsString>,

    /// Pass an argument to the host compiler; may be repeated [-Xcompiler ARG]
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "NVIDIA's programs")]
    pub host_option: Vec<OsString>,

    /// Write debug information of the host's part of objects
    #[arg(short = 'g', long, help_heading = "Debugging")]
    pub debug: bool,

    /// Link device code of this library, with -dlink; may be repeated
    #[arg(short = 'l', long, value_name = "NAME", help_heading = "NVIDIA's programs")]
    pub library: Vec<OsString>,

    /// Search this directory for libraries, with -dlink; may be repeated
    #[arg(short = 'L', long, value_name = "DIR", help_heading = "NVIDIA's programs")]
    pub library_path: Vec<OsString>,

    /// Link CUDA's device runtime, with -dlink [default: static]
    #[arg(long, value_enum, value_name = "KIND", help_heading = "NVIDIA's programs")]
    pub cudadevrt: Option<DeviceRuntime>,
}

/// Whether CUDA's device runtime is linked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceRuntime {
    /// No
    None,
    /// If device code uses it
    #[default]
    Static,
}

impl PassedArgs {
    /// The arguments for each program.
    pub fn passed(self, standard: Option<Standard>) -> Passed {
        let prefixed = |letter: &'static str, values: Vec<OsString>| {
            values.into_iter().map(move |value| {
                let mut option = OsString::from(letter);
                option.push(value);
                option
            })
        };
        let debug = self.debug.then(|| OsString::from("-g"));
        let standard = standard.and_then(Standard::host_option).map(OsString::from);
        Passed {
            ptxas: self.ptxas_option,
            nvlink: self.nvlink_option,
            libraries: prefixed("-L", self.library_path).chain(prefixed("-l", self.library)).collect(),
            device_runtime: self.cudadevrt.unwrap_or_default() == DeviceRuntime::Static,
            fatbinary: self.fatbinary_option,
            host: standard.into_iter().chain(debug).chain(self.host_option).collect(),
        }
    }
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
