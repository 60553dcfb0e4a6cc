//! NVIDIA's programs: finding and running them.
//!
//! - [`discover`]: finds a program, and reports the searched places
//! - [`run`]: runs a program, and shows it as a shell command
//! - [`steps`]: the pipeline's steps: assemble, link, wrap in a host object
//! - [`host_object`]: the C++ around fat binaries in host objects
//! - [`artifact`]: checks their outputs; [`trial`]: tries each on a small input
//! - [`trust`]: whether others could have put a program where it is found
//! - [`doctor`]: the state of the programs, as a page for people
//! - [`library`]: libdevice, and what is cached of it between compilations
//!
//! **Invariant.** Nothing is searched for until a step needs it: compiling to PTX does not depend on the
//! environment.

pub mod artifact;
pub mod discover;
pub mod doctor;
pub mod host_object;
pub mod library;
pub mod run;
pub mod steps;
pub mod trial;
pub mod trust;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A program that the compiler can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// PTX to cubin.
    Ptxas,
    /// Relocatable cubins and objects to one cubin.
    Nvlink,
    /// Cubins to a fat binary, for host objects.
    Fatbinary,
    /// The host's C++ compiler, for host objects.
    HostCompiler,
    /// NVIDIA's compiler; used by tests and benchmarks for comparison.
    Nvcc,
    /// Dumps a cubin; used by tests.
    Cuobjdump,
    /// Disassembles a cubin; used by tests and benchmarks.
    Nvdisasm,
}

impl Tool {
    /// All programs, in the order of the page.
    pub const ALL: &[Tool] = &[
        Tool::Ptxas,
        Tool::Nvlink,
        Tool::Fatbinary,
        Tool::HostCompiler,
        Tool::Nvcc,
        Tool::Cuobjdump,
        Tool::Nvdisasm,
    ];

    /// Its file name.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Ptxas => "ptxas",
            Tool::Nvlink => "nvlink",
            Tool::Fatbinary => "fatbinary",
            Tool::HostCompiler => "cc",
            Tool::Nvcc => "nvcc",
            Tool::Cuobjdump => "cuobjdump",
            Tool::Nvdisasm => "nvdisasm",
        }
    }

    /// What it is for.
    pub fn purpose(self) -> &'static str {
        match self {
            Tool::Ptxas => "assembles: -o x.cubin, -c, -dc",
            Tool::Nvlink => "links several inputs into a cubin",
            Tool::Fatbinary | Tool::HostCompiler => "host objects: -c, -dc, -dlink",
            Tool::Nvcc => "used by the tests",
            Tool::Cuobjdump => "shows the contents of a cubin",
            Tool::Nvdisasm => "disassembles a cubin",
        }
    }

    /// Whether a cubin needs it.
    pub fn is_needed(self) -> bool {
        match self {
            Tool::Ptxas | Tool::Nvlink => true,
            Tool::Fatbinary | Tool::HostCompiler | Tool::Nvcc | Tool::Cuobjdump | Tool::Nvdisasm => false,
        }
    }

    /// How to get it, as a line for a shell.
    pub fn remedy(self) -> String {
        match self.source() {
            Source::Wheels(names) => format!("pip install {}", names.join(" ")),
            Source::Debian(name) => format!("apt-get install {name}"),
        }
    }

    /// How it is distributed.
    pub fn source(self) -> Source {
        match self {
            Tool::Ptxas | Tool::Nvlink | Tool::Fatbinary => Source::Wheels(&["nvidia-cuda-nvcc"]),
            Tool::Nvcc => {
                Source::Wheels(&["nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-crt", "nvidia-cuda-runtime"])
            }
            Tool::Cuobjdump => Source::Wheels(&["nvidia-cuda-cuobjdump"]),
            Tool::Nvdisasm => Source::Wheels(&["nvidia-cuda-nvdisasm"]),
            Tool::HostCompiler => Source::Debian("g++"),
        }
    }
}

/// How a program is distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Python wheels.
    Wheels(&'static [&'static str]),
    /// A Debian package.
    Debian(&'static str),
}

/// The options that say where the programs are.
#[derive(Clone, Debug, Default)]
pub struct ToolOptions {
    /// `--cuda-path`: a toolkit, or a Python environment with the wheels.
    pub cuda_path: Option<PathBuf>,
    /// `--ptxas`.
    pub ptxas: Option<PathBuf>,
    /// `--nvlink`.
    pub nvlink: Option<PathBuf>,
    /// `--fatbinary`.
    pub fatbinary: Option<PathBuf>,
    /// `--nvcc`.
    pub nvcc: Option<PathBuf>,
    /// `--host-compiler`, nvcc's `-ccbin`.
    pub host_compiler: Option<PathBuf>,
    /// `--tool-timeout`: the time limit of each program, if there is one.
    pub time: Option<Duration>,
}

/// Arguments that the user passes on to programs.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// `-Xptxas`, and options that nvcc passes on to ptxas.
    pub ptxas: Vec<OsString>,
    /// `-Xnvlink`.
    pub nvlink: Vec<OsString>,
    /// `-L` and `-l`, for nvlink, after the objects.
    pub libraries: Vec<OsString>,
    /// Whether device links search CUDA's libraries, and its device runtime.
    pub device_runtime: bool,
    /// `-Xfatbin`.
    pub fatbinary: Vec<OsString>,
    /// `-Xcompiler` and `-std`, for the host compiler.
    pub host: Vec<OsString>,
}

/// The default time limit of a program, in seconds: ptxas takes minutes for the largest kernels.
pub const DEFAULT_TOOL_SECONDS: u64 = 1800;

impl ToolOptions {
    fn of(&self, tool: Tool) -> Option<(&PathBuf, &'static str)> {
        match tool {
            Tool::Ptxas => self.ptxas.as_ref().map(|path| (path, "--ptxas")),
            Tool::Nvlink => self.nvlink.as_ref().map(|path| (path, "--nvlink")),
            Tool::Fatbinary => self.fatbinary.as_ref().map(|path| (path, "--fatbinary")),
            Tool::Nvcc => self.nvcc.as_ref().map(|path| (path, "--nvcc")),
            Tool::HostCompiler => self.host_compiler.as_ref().map(|path| (path, "--host-compiler")),
            Tool::Cuobjdump | Tool::Nvdisasm => None,
        }
    }
}

/// The kind of a part of a fat binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// Machine code.
    Cubin,
    /// PTX that the driver compiles.
    Ptx,
}
