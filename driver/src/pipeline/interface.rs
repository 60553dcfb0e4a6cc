//! What a compilation takes and gives.

use weft_frontend::diag::{Levels, Sink};
use weft_frontend::{Dependency, Dialect};
use weft_lower::Options;
use weft_run::variable::Variable;

use crate::abi::declared::Declared;
use crate::emit::times::Times;
use crate::error::Diagnostics;
use crate::findings::inline::Inline;
use crate::headers::Preprocessing;
use crate::run::describe::Kernel;
use crate::toolchain::ToolOptions;

/// The text to output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// The tokens of the file, one on a line
    Tokens,
    /// The program after preprocessing, which can be compiled
    Preprocessed,
    /// The syntax tree
    Ast,
    /// The uses of kernels in host code, one on a line
    Launches,
    /// The typed program
    Ir,
    /// LLVM IR after the passes of the optimization level
    LlvmIr,
    /// PTX
    Ptx,
    /// A header for C, C++ and CUDA that declares what the program defines
    Header,
    /// None: the program is only checked.
    #[value(skip)]
    Nothing,
}

impl Emit {
    /// What its files end in.
    pub fn extension(self) -> &'static str {
        match self {
            Emit::Tokens => "tokens",
            Emit::Preprocessed => "i",
            Emit::Ast => "ast",
            Emit::Launches => "launches",
            Emit::Ir => "ir",
            Emit::LlvmIr => "ll",
            Emit::Ptx => "ptx",
            Emit::Header => "h",
            Emit::Nothing => "",
        }
    }
}

/// The settings of a compilation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The options of code generation, including the GPU.
    pub options: Options,
    /// The levels of warnings.
    pub levels: Levels,
    /// The language dialect.
    pub dialect: Dialect,
    /// Macros and headers.
    pub preprocessing: Preprocessing,
    /// Instances of kernel templates to make besides those that host code launches.
    pub instantiate: Vec<String>,
    /// Whether [`Emit::Preprocessed`] has line markers.
    pub line_markers: bool,
    /// Where to search for libdevice, if a program calls one of its functions.
    pub tools: ToolOptions,
    /// With [`Emit::Ptx`], describe kernels and variables for a run: [`Outputs::kernels`], [`Outputs::variables`].
    pub describe_kernels: bool,
    /// With [`Emit::Ptx`], describe functions and variables as declared, and inline PTX:
    /// [`Outputs::declared`], [`Outputs::inline`].
    pub describe_symbols: bool,
    /// Whether to make the host's part of the program.
    pub makes_host_stub: bool,
    /// Whether PTX has the lines of the source as comments.
    pub source_in_ptx: bool,
}

impl Settings {
    /// Defaults for everything but the options: the default warnings, no macros, only the embedded headers.
    pub fn new(options: Options) -> Self {
        Settings {
            options,
            levels: Levels::default(),
            dialect: Dialect::default(),
            preprocessing: Preprocessing::default(),
            instantiate: Vec::new(),
            line_markers: true,
            tools: ToolOptions::default(),
            describe_kernels: false,
            describe_symbols: false,
            makes_host_stub: false,
            source_in_ptx: false,
        }
    }
}

/// The result of compiling a program without errors.
#[derive(Debug)]
pub struct Outputs {
    /// The requested text.
    pub text: String,
    /// The included headers, in the order of their first use.
    pub dependencies: Vec<Dependency>,
    /// The kernels, if requested.
    pub kernels: Vec<Kernel>,
    /// The variables, if requested with the kernels.
    pub variables: Vec<Variable>,
    /// Functions and variables, if requested.
    pub declared: Vec<Declared>,
    /// Inline PTX, if requested.
    pub inline: Vec<Inline>,
    /// The host's part, as C++, if requested.
    pub host_stub: String,
    /// Its warnings.
    pub diagnostics: Diagnostics,
    /// Receives diagnostics of later tools, and applies the levels of options and pragmas.
    pub later: Sink,
    /// The durations of the stages.
    pub times: Times,
}
