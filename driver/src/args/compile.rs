//! The options about code and messages, which every command that compiles has.

use std::io;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use weft_frontend::diag::level::UnknownWarning;
use weft_frontend::diag::render::Format;
use weft_frontend::diag::{Code, Level, Levels};
use weft_frontend::layout::DataModel;
use weft_frontend::{Dialect, HostCode};
use weft_lower::target::{self, PtxVersion, Target};
use weft_lower::{DebugInfo, DebugPaths, OptLevel, Options};

use super::source::prefix_map;
use crate::emit::report::{self, Color};
use crate::error::{Error, Message};

/// The options as clap reads them.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// Compile for this GPU [default: sm_75] [-arch=sm_NN]
    #[arg(long, value_name = "GPU", help_heading = "Target")]
    pub arch: Option<String>,

    /// Write this PTX version [default: the lowest that the GPU and the program need]
    #[arg(long, value_name = "N.N", help_heading = "Target")]
    pub ptx_version: Option<String>,

    /// Set the optimization level, 0 to 3; higher levels are 3 [default: 3]
    #[arg(short = 'O', value_name = "LEVEL", help_heading = "Code generation")]
    pub opt_level: Option<String>,

    /// Fuse multiplications and additions [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set, help_heading = "Code generation")]
    pub fmad: Option<bool>,

    /// Treat pointer parameters of kernels as `__restrict__` [-restrict]
    #[arg(long, help_heading = "Code generation")]
    pub restrict: bool,

    /// Flush denormal floats to zero [default: false]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set, help_heading = "Code generation")]
    pub ftz: Option<bool>,

    /// Round `float` division correctly [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set, help_heading = "Code generation")]
    pub prec_div: Option<bool>,

    /// Round `float` square roots correctly [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set, help_heading = "Code generation")]
    pub prec_sqrt: Option<bool>,

    /// Use fast `float` functions; implies --ftz=true, --prec-div=false and --prec-sqrt=false
    /// [-use_fast_math]
    #[arg(long, help_heading = "Code generation")]
    pub use_fast_math: bool,

    /// Write debug information of device code and do not optimize it
    #[arg(short = 'G', long, help_heading = "Debugging")]
    pub device_debug: bool,

    /// Write line tables [-lineinfo]
    #[arg(long, help_heading = "Debugging")]
    pub line_info: bool,

    /// Add the lines of the source to PTX, as comments; requires -G or --line-info [-src-in-ptx]
    #[arg(long, help_heading = "Debugging")]
    pub source_in_ptx: bool,

    /// With -G: optimize anyway and write only line tables [default: off] [-dopt]
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Debugging")]
    pub dopt: Option<Dopt>,

    /// Replace the prefix OLD of file names in debug information; may be repeated, the last match wins
    /// [-fdebug-prefix-map=OLD=NEW; -ffile-prefix-map=OLD=NEW also changes __FILE__]
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true, help_heading = "Debugging")]
    pub debug_prefix_map: Vec<String>,

    /// Set the directory that file names in debug information are relative to
    /// [-fdebug-compilation-dir=DIR]
    #[arg(long, value_name = "DIR", overrides_with = "debug_compilation_dir", help_heading = "Debugging")]
    pub debug_compilation_dir: Option<String>,

    /// Drop functions that no kernel of this program uses; no other object may call into it
    #[arg(long, help_heading = "Code generation")]
    pub whole_program: bool,

    /// Set the size of an address in bits [default: 64] [-m64, -m32]
    #[arg(long, value_name = "BITS", overrides_with = "machine", help_heading = "Target")]
    pub machine: Option<Machine>,

    /// Choose the format of messages
    #[arg(long, value_enum, value_name = "FORM", default_value = "human", help_heading = "Messages")]
    pub error_format: ErrorFormat,

    /// Choose when to color messages
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", help_heading = "Messages")]
    pub color: Color,

    /// Treat functions and variables without a qualifier as `__device__`, like NVRTC
    /// [-default-device]
    #[arg(long, help_heading = "Language")]
    pub device_as_default_execution_space: bool,

    /// Choose what becomes of host code: functions, variables and types without `__device__` or `__global__`
    /// [default: skip; refuse with --device-as-default-execution-space]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Language")]
    pub host_code: Option<HostCodeArg>,

    /// Set the C++ standard: the value of `__cplusplus`, and for the host compiler [default: c++17]
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Language")]
    pub std: Option<Standard>,

    /// Allow calls of `constexpr` host functions in device code
    #[arg(long, help_heading = "Language")]
    pub expt_relaxed_constexpr: bool,

    /// Make this instance of a kernel template, which no launch needs to name: 'k<float, 4>'; may be repeated
    #[arg(long, value_name = "KERNEL<ARGS>", help_heading = "Language")]
    pub instantiate: Vec<String>,

    /// Enable a warning or a group (all, extra, everything); `no-` disables it, `error=` makes it an error;
    /// may be repeated
    #[arg(short = 'W', value_name = "[no-][error=]NAME", allow_hyphen_values = true)]
    #[arg(help_heading = "Messages")]
    pub warnings: Vec<String>,

    /// Disable all warnings
    #[arg(short = 'w', help_heading = "Messages")]
    pub no_warnings: bool,

    /// Stop after N errors [-fmax-errors N]
    #[arg(long, value_name = "N", help_heading = "Messages")]
    pub fmax_errors: Option<NonZeroUsize>,

    /// Treat all inputs as programs, regardless of their names: `-x cu`
    #[arg(short = 'x', value_name = "LANGUAGE", help_heading = "Language")]
    pub language: Option<String>,
}

/// How wide addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// Addresses of 64 bits
    #[value(name = "64")]
    Bits64,
    /// Addresses of 32 bits
    #[value(name = "32")]
    Bits32,
}

/// A C++ standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Standard {
    /// C++03
    #[value(name = "c++03")]
    Cpp03,
    /// C++11
    #[value(name = "c++11")]
    Cpp11,
    /// C++14
    #[value(name = "c++14")]
    Cpp14,
    /// C++17
    #[value(name = "c++17")]
    Cpp17,
    /// C++20
    #[value(name = "c++20")]
    Cpp20,
    /// C++23
    #[value(name = "c++23")]
    Cpp23,
}

impl Standard {
    /// The value of `__cplusplus`.
    fn number(self) -> &'static str {
        match self {
            Standard::Cpp03 => "199711L",
            Standard::Cpp11 => "201103L",
            Standard::Cpp14 => "201402L",
            Standard::Cpp17 => "201703L",
            Standard::Cpp20 => "202002L",
            Standard::Cpp23 => "202302L",
        }
    }

    /// The option of host compilers. The host's part of a program requires C++11.
    pub(super) fn host_option(self) -> Option<&'static str> {
        match self {
            Standard::Cpp03 => None,
            Standard::Cpp11 => Some("-std=c++11"),
            Standard::Cpp14 => Some("-std=c++14"),
            Standard::Cpp17 => Some("-std=c++17"),
            Standard::Cpp20 => Some("-std=c++20"),
            Standard::Cpp23 => Some("-std=c++23"),
        }
    }
}

/// What becomes of host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HostCodeArg {
    /// Report an error
    Refuse,
    /// Skip it; report its use in device code
    Skip,
}

/// Whether code for a debugger is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dopt {
    /// Optimize, and write only line tables
    On,
    /// Do not optimize
    Off,
}

/// How messages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// Text with an excerpt of the source
    Human,
    /// A line each: file:line:column: severity: message
    Short,
    /// A JSON object each, on a line of its own
    Json,
    /// One SARIF 2.1.0 document for the run
    Sarif,
    /// GitHub's annotations: `::error file=…,line=…::message`
    Github,
}

impl CompileArgs {
    /// The format of messages.
    pub fn format(&self) -> Format {
        match self.error_format {
            ErrorFormat::Human => Format::Human { color: self.color.applies_to(&io::stderr()) },
            ErrorFormat::Short => Format::Short,
            ErrorFormat::Json => Format::Json,
            ErrorFormat::Sarif => Format::Sarif,
            ErrorFormat::Github => Format::Github,
        }
    }

    /// The language dialect: the meaning of functions without qualifiers, and the address size.
    pub fn dialect(&self) -> Dialect {
        let model = match self.machine {
            None | Some(Machine::Bits64) => DataModel::Lp64,
            Some(Machine::Bits32) => DataModel::Ilp32,
        };
        let device_by_default = self.device_as_default_execution_space;
        let host_code = match self.host_code {
            Some(HostCodeArg::Skip) => HostCode::Skip,
            None if !device_by_default => HostCode::Skip,
            Some(HostCodeArg::Refuse) | None => HostCode::Refuse,
        };
        Dialect {
            device_by_default,
            model,
            host_code,
            relaxed_constexpr: self.expt_relaxed_constexpr,
            cplusplus: self.std.map(Standard::number),
            ..Dialect::default()
        }
    }

    /// The options of code generation.
    ///
    /// # Errors
    ///
    /// If an option has an invalid value.
    pub fn options(&self) -> Result<Options, Error> {
        let target = match self.arch.as_deref() {
            None => Target::DEFAULT,
            Some("native" | "all" | "all-major") => {
                return Err(Message::new("`--arch` names several GPUs, but only one is possible here")
                    .help("name one, for example `--arch sm_90`; `weftc doctor` lists them")
                    .user());
            }
            // nvcc's name of a virtual architecture.
            Some(text) => {
                let text = text.strip_prefix("compute_").map_or(text.to_owned(), |rest| format!("sm_{rest}"));
                Target::parse(&text).map_err(|error| Message::new(error.to_string()).user())?
            }
        };
        self.options_for(target)
    }

    /// The options of code generation for a GPU, overriding `--arch`.
    ///
    /// # Errors
    ///
    /// If an option has an invalid value.
    pub fn options_for(&self, target: Target) -> Result<Options, Error> {
        let user = |text: String| Message::new(text).user();
        let ptx_version = self.ptx_version.as_deref().map(PtxVersion::parse).transpose();
        let ptx_version = ptx_version.map_err(|error| user(error.to_string()))?;
        target::choose_ptx(target, ptx_version, []).map_err(|error| user(error.to_string()))?;
        let opt_level = match self.opt_level.as_deref() {
            Some("0") => OptLevel::O0,
            Some("1") => OptLevel::O1,
            Some("2") => OptLevel::O2,
            None => OptLevel::O3,
            Some(level) if level.parse::<u32>().is_ok() => OptLevel::O3,
            Some(other) => {
                return Err(Message::new(format!("unknown optimization level `-O{other}`"))
                    .help("the levels are -O0, -O1, -O2 and -O3")
                    .user());
            }
        };
        let debug = match (self.device_debug, self.dopt) {
            (true, None | Some(Dopt::Off)) => DebugInfo::Full,
            (true, Some(Dopt::On)) => DebugInfo::Lines,
            (false, _) if self.line_info => DebugInfo::Lines,
            (false, _) => DebugInfo::None,
        };
        Ok(Options {
            target,
            ptx_version,
            // Like nvcc's `-G`: ptxas cannot debug optimized code.
            opt_level: if debug == DebugInfo::Full { OptLevel::O0 } else { opt_level },
            fmad: self.fmad.unwrap_or(true),
            ftz: self.ftz.unwrap_or(self.use_fast_math),
            prec_div: self.prec_div.unwrap_or(!self.use_fast_math),
            prec_sqrt: self.prec_sqrt.unwrap_or(!self.use_fast_math),
            fast_math: self.use_fast_math,
            restrict: self.restrict,
            debug,
            debug_paths: DebugPaths {
                compilation_dir: self.debug_compilation_dir.clone().unwrap_or_default(),
                prefixes: prefix_map("-fdebug-prefix-map", &self.debug_prefix_map)?,
            },
            whole_program: self.whole_program,
            unit: None,
        })
    }

    /// The levels of warnings, and the options with unknown names.
    fn known_levels(&self) -> (Levels, Vec<(&String, UnknownWarning)>) {
        let mut levels = Levels::default();
        let mut unknown = Vec::new();
        for option in &self.warnings {
            if let Err(error) = levels.apply(option) {
                unknown.push((option, error));
            }
        }
        if self.no_warnings {
            levels.silence();
        }
        (levels, unknown)
    }

    /// The levels of warnings. An unknown name is only a warning: command lines contain names of other
    /// compilers.
    pub fn levels(&self) -> Levels {
        let (levels, unknown) = self.known_levels();
        for (option, error) in unknown.iter().filter(|_| !self.no_warnings) {
            let message = Message::new(format!("unknown warning option `-W{option}`"));
            let meant = error.similar.map(|similar| option.replace(&error.name, similar));
            let message = match meant {
                Some(meant) => message.help(format!("did you mean `-W{meant}`?")),
                None => message.help("`weftc --explain warnings` lists all warnings"),
            };
            report::warning(&message, self.format());
        }
        levels
    }

    /// Warns of options without effect.
    ///
    /// # Errors
    ///
    /// If `-Werror=unused-command-line-argument` makes it an error.
    pub fn report_unused(&self, unused: &[Message]) -> Result<(), Error> {
        let code = Code::UnusedCommandLineArgument;
        match self.known_levels().0.level_without_all(code) {
            Level::Ignored => Ok(()),
            Level::Warning => {
                unused.iter().for_each(|message| report::coded_warning(message, code, self.format()));
                Ok(())
            }
            Level::Error => {
                let Message { text, notes, help } = unused.first().cloned().unwrap_or_default();
                let text = format!("{text} [-Werror=unused-command-line-argument]");
                Err(Message { text, notes, help }.user())
            }
        }
    }

    /// Whether all inputs are programs, regardless of their names.
    ///
    /// # Errors
    ///
    /// If the language is unknown.
    pub fn all_sources(&self) -> Result<bool, Error> {
        match self.language.as_deref() {
            None => Ok(false),
            Some("cu" | "cuda" | "src") => Ok(true),
            Some(other @ ("c" | "c++")) => Err(Message::new(format!("`-x {other}` is not supported"))
                .note("weftc compiles only CUDA C")
                .help("compile sources of the host with nvcc or the host compiler")
                .user()),
            Some(other) => Err(Message::new(format!("unknown language `{other}`"))
                .help("the only language is `-x cu`")
                .user()),
        }
    }
}
