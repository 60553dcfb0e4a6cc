//! The options about code and messages, which every command that compiles has.

use std::io;

use clap::{Args, ValueEnum};
use weft_frontend::Dialect;
use weft_frontend::diag::Levels;
use weft_frontend::diag::render::Format;
use weft_frontend::layout::DataModel;
use weft_lower::target::{self, PtxVersion, Target};
use weft_lower::{DebugInfo, DebugPaths, OptLevel, Options};

use super::source::prefix_map;
use crate::emit::report::{self, Color};
use crate::error::{Error, Message};

/// The options as clap reads them.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// GPU to compile for [default: sm_75] [-arch=sm_NN]
    #[arg(long, value_name = "GPU")]
    pub arch: Option<String>,

    /// PTX version to write, at least the lowest that the GPU and the program need
    #[arg(long, value_name = "N.N")]
    pub ptx_version: Option<String>,

    /// How hard to optimise: 0, 1, 2 or 3 [default: 3]
    #[arg(short = 'O', value_name = "LEVEL")]
    pub opt_level: Option<String>,

    /// Whether products and sums may be fused [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub fmad: Option<bool>,

    /// Whether what is too small for a normal `float` counts as zero [default: false]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub ftz: Option<bool>,

    /// Whether quotients of `float` are rounded correctly [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub prec_div: Option<bool>,

    /// Whether square roots of `float` are rounded correctly [default: true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub prec_sqrt: Option<bool>,

    /// Fast forms of functions of `float`, `--ftz=true`, `--prec-div=false` and `--prec-sqrt=false` [-use_fast_math]
    #[arg(long)]
    pub use_fast_math: bool,

    /// Write what debuggers need, and do not optimise [-G]
    #[arg(short = 'g', long)]
    pub device_debug: bool,

    /// Write line tables [-lineinfo]
    #[arg(long)]
    pub line_info: bool,

    /// With -g: optimise nevertheless, and write line tables alone: on or off [default: off] [-dopt]
    #[arg(long, value_enum, value_name = "KIND")]
    pub dopt: Option<Dopt>,

    /// In debug information, let names of files that begin with OLD begin with NEW; the last one that fits wins
    /// [-fdebug-prefix-map=OLD=NEW; -ffile-prefix-map=OLD=NEW, also in __FILE__]
    #[arg(long, value_name = "OLD=NEW", allow_hyphen_values = true)]
    pub debug_prefix_map: Vec<String>,

    /// The directory that names of files are relative to in debug information [-fdebug-compilation-dir=DIR]
    #[arg(long, value_name = "DIR", overrides_with = "debug_compilation_dir")]
    pub debug_compilation_dir: Option<String>,

    /// No other object calls into this one: drop what no kernel uses
    #[arg(long)]
    pub whole_program: bool,

    /// Bits of an address: 64 or 32 [default: 64] [-m64, -m32]
    #[arg(long, value_name = "BITS", overrides_with = "machine")]
    pub machine: Option<Machine>,

    /// How messages look
    #[arg(long, value_enum, value_name = "FORM", default_value = "human")]
    pub error_format: ErrorFormat,

    /// When to colour messages
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Take functions and variables without a qualifier for the device's, as NVRTC does [-default-device]
    #[arg(long)]
    pub device_as_default_execution_space: bool,

    /// Ask for warnings: all, extra, everything, a name; `no-` turns them off, `error` makes errors
    /// of them; the last one wins
    #[arg(short = 'W', value_name = "[no-][error=]NAME", allow_hyphen_values = true)]
    pub warnings: Vec<String>,

    /// Show no warnings
    #[arg(short = 'w')]
    pub no_warnings: bool,

    /// Language of the inputs, whatever their names: cu or src
    #[arg(short = 'x', value_name = "LANGUAGE", hide = true)]
    pub language: Option<String>,
}

/// How wide addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// 64 bits
    #[value(name = "64")]
    Bits64,
    /// 32 bits
    #[value(name = "32")]
    Bits32,
}

/// Whether code for a debugger is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dopt {
    /// It is, and has line tables alone.
    On,
    /// It is not.
    Off,
}

/// How messages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// With the place in the text.
    Human,
    /// A line each.
    Short,
    /// A JSON object on a line each.
    Json,
}

impl CompileArgs {
    /// The form of the messages.
    pub fn format(&self) -> Format {
        match self.error_format {
            ErrorFormat::Human => Format::Human { color: self.color.applies_to(&io::stderr()) },
            ErrorFormat::Short => Format::Short,
            ErrorFormat::Json => Format::Json,
        }
    }

    /// What a program's meaning depends on: functions without CUDA's qualifiers, the width of addresses.
    pub fn dialect(&self) -> Dialect {
        let model = match self.machine {
            None | Some(Machine::Bits64) => DataModel::Lp64,
            Some(Machine::Bits32) => DataModel::Ilp32,
        };
        Dialect { device_by_default: self.device_as_default_execution_space, model, ..Dialect::default() }
    }

    /// How code is made.
    ///
    /// # Errors
    /// When an option has no such value.
    pub fn options(&self) -> Result<Options, Error> {
        let target = match self.arch.as_deref() {
            None => Target::DEFAULT,
            Some("native" | "all" | "all-major") => {
                return Err(Message::new("`--arch` takes one GPU")
                    .help("name it, as `--arch sm_90`; `weftc doctor` lists them")
                    .user());
            }
            // nvcc's name of what PTX is made for.
            Some(text) => {
                let text = text.strip_prefix("compute_").map_or(text.to_owned(), |rest| format!("sm_{rest}"));
                Target::parse(&text).map_err(|error| Message::new(error.to_string()).user())?
            }
        };
        self.options_for(target)
    }

    /// How code is made for a GPU, whatever `--arch` says.
    ///
    /// # Errors
    /// When an option has no such value.
    pub fn options_for(&self, target: Target) -> Result<Options, Error> {
        let user = |text: String| Message::new(text).user();
        let ptx_version = self.ptx_version.as_deref().map(PtxVersion::parse).transpose();
        let ptx_version = ptx_version.map_err(|error| user(error.to_string()))?;
        target::choose_ptx(target, ptx_version, []).map_err(|error| user(error.to_string()))?;
        let opt_level = match self.opt_level.as_deref() {
            Some("0") => OptLevel::O0,
            Some("1") => OptLevel::O1,
            Some("2") => OptLevel::O2,
            Some("3") | None => OptLevel::O3,
            Some(other) => {
                return Err(Message::new(format!("no optimisation level `-O{other}`"))
                    .help("there are -O0, -O1, -O2 and -O3")
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
            // As with nvcc's `-G`: ptxas debugs no optimised code.
            opt_level: if debug == DebugInfo::Full { OptLevel::O0 } else { opt_level },
            fmad: self.fmad.unwrap_or(true),
            ftz: self.ftz.unwrap_or(self.use_fast_math),
            prec_div: self.prec_div.unwrap_or(!self.use_fast_math),
            prec_sqrt: self.prec_sqrt.unwrap_or(!self.use_fast_math),
            fast_math: self.use_fast_math,
            debug,
            debug_paths: DebugPaths {
                compilation_dir: self.debug_compilation_dir.clone().unwrap_or_default(),
                prefixes: prefix_map("-fdebug-prefix-map", &self.debug_prefix_map)?,
            },
            whole_program: self.whole_program,
            unit: None,
        })
    }

    /// Which warnings are wanted. That a name is unknown is a warning too: build lines carry names of
    /// other compilers.
    pub fn levels(&self) -> Levels {
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
        for (option, error) in unknown.iter().filter(|_| !self.no_warnings) {
            let message = Message::new(format!("unknown warning option `-W{option}`"));
            let meant = error.similar.map(|similar| option.replace(&error.name, similar));
            let message = match meant {
                Some(meant) => message.help(format!("did you mean `-W{meant}`?")),
                None => message.help("`weftc --explain warnings` lists the warnings that there are"),
            };
            report::warning(&message, self.format());
        }
        levels
    }

    /// Whether all inputs are programs, whatever their names.
    ///
    /// # Errors
    /// When the language is none that there is.
    pub fn all_sources(&self) -> Result<bool, Error> {
        match self.language.as_deref() {
            None => Ok(false),
            Some("cu" | "src") => Ok(true),
            Some(other) => {
                Err(Message::new(format!("unknown language `{other}`")).help("there is `-x cu`").user())
            }
        }
    }
}
