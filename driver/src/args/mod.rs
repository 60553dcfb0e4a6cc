//! The command line.
//!
//! - this file: the options as clap reads them, and the [`Session`] they ask for
//! - [`compile`]: the options about code and messages
//! - [`nvcc`]: rewrites nvcc's spellings first, so that a build line can be carried over
//! - [`code`]: for which GPUs code is made
//! - [`source`]: the options about macros, headers and dependencies
//! - [`run`]: the command line of `weftc run`; [`check_abi`]: that of `weftc check-abi`

pub mod check_abi;
pub mod code;
pub mod compile;
pub mod nvcc;
pub mod run;
pub mod source;

#[cfg(test)]
mod page;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Error, Message};
use crate::headers::Preprocessing;
use crate::pipeline::{Emit, Settings};
use crate::session::{self, Named, Product, Session};
use crate::toolchain::{DEFAULT_TOOL_SECONDS, ToolOptions};
use clap::{CommandFactory, FromArgMatches, Parser};

const EXAMPLES: &str = "\
Examples:
  weftc saxpy.src                              saxpy.ptx
  weftc -arch=sm_90 -o saxpy.cubin saxpy.src   a cubin, through ptxas
  weftc -c saxpy.src                           saxpy.o, a relocatable cubin
  weftc -o app.cubin a.src b.ptx c.o           linked; c.o is from `nvcc -dc`
  weftc -dc a.src && nvcc main.o a.o -o app    a host object, linked by nvcc
  weftc -fatbin -gencode arch=compute_80,code=[sm_80,sm_86,compute_80] a.src
                                               code for several GPUs, and PTX for later ones
  weftc --emit=ir saxpy.src                    the typed program, to look at
  weftc - < saxpy.src | less                   PTX on standard output
  weftc run saxpy.src --block 256 --arg …      the kernel, run; `weftc run --help`
  weftc doctor                                 NVIDIA's programs: found, versions, missing

nvcc's spellings are taken too: -arch=sm_90, -gencode, -rdc=true, -lineinfo, -Xptxas -v, --ptx, -keep.

Exit codes: 0 done, 1 the program or the command line is wrong, 2 a tool or a file is missing or
failed, 101 a bug in weftc.";

/// Compiles kernels (a subset of CUDA C) to PTX, and through NVIDIA's programs to cubins that link
/// with nvcc's objects.
#[derive(Debug, Parser)]
#[command(name = "weftc", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
#[command(
    override_usage = "weftc [OPTIONS] <INPUT>...\n       weftc run [OPTIONS] <INPUT>...\n       weftc doctor"
)]
pub struct Args {
    /// Programs (.src, .cu, `-` for standard input), PTX, and to link: .cubin, .o, .a
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Write the output here; the name says what is made: .ptx, .cubin, .o, .ll
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Make relocatable cubins: a.o
    #[arg(short = 'c')]
    pub relocatable: bool,

    /// Make host objects that hold relocatable cubins, as nvcc's -dc [-dc]
    #[arg(long)]
    pub device_c: bool,

    /// Make PTX files [default]
    #[arg(long)]
    pub ptx: bool,

    /// Make cubins
    #[arg(long)]
    pub cubin: bool,

    /// Make fat binaries: code for several GPUs in one file [-fatbin]
    #[arg(long)]
    pub fatbin: bool,

    /// Print a text of one stage, to -o or standard output
    #[arg(long, value_enum, value_name = "TEXT")]
    pub emit: Option<Emit>,

    /// Only check the programs; whatever else is asked for, make nothing [-fsyntax-only]
    #[arg(long)]
    pub syntax_only: bool,

    /// With --cubin: relocatable, to be linked; `false` is --whole-program [-rdc=true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub relocatable_device_code: Option<bool>,

    /// For which GPUs.
    #[command(flatten)]
    pub code: code::CodeArgs,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: compile::CompileArgs,

    /// Macros, headers, dependencies.
    #[command(flatten)]
    pub source: source::SourceArgs,

    /// Pass an argument to ptxas [-Xptxas ARG]
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub ptxas_option: Vec<OsString>,

    /// Show what kernels need of the GPU: registers, spills, stack, shared memory [-res-usage]
    #[arg(long)]
    pub resource_usage: bool,

    /// Keep what is made on the way, beside the output [-keep]
    #[arg(long)]
    pub save_temps: bool,

    /// Show each program that is run, as a line that can be pasted
    #[arg(short, long)]
    pub verbose: bool,

    /// Show where the time went, as JSON on standard error
    #[arg(long)]
    pub time_report: bool,

    /// Toolkit, or Python environment with NVIDIA's wheels, to take the programs from
    #[arg(long, value_name = "DIR", help_heading = "Programs")]
    pub cuda_path: Option<PathBuf>,

    /// The ptxas to run
    #[arg(long, value_name = "FILE", help_heading = "Programs")]
    pub ptxas: Option<PathBuf>,

    /// The nvlink to run
    #[arg(long, value_name = "FILE", help_heading = "Programs")]
    pub nvlink: Option<PathBuf>,

    /// The fatbinary to run
    #[arg(long, value_name = "FILE", help_heading = "Programs")]
    pub fatbinary: Option<PathBuf>,

    /// The nvcc that `doctor` looks at
    #[arg(long, value_name = "FILE", help_heading = "Programs")]
    pub nvcc: Option<PathBuf>,

    /// The host's C compiler, for -dc [-ccbin FILE]
    #[arg(long, value_name = "FILE", help_heading = "Programs")]
    pub host_compiler: Option<PathBuf>,

    /// Stop a program after so many seconds; 0: never
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_TOOL_SECONDS, help_heading = "Programs")]
    pub tool_timeout: u64,

    /// Explain what stands in the brackets of a message; `warnings` and `errors` list all
    #[arg(long, value_name = "CODE", allow_hyphen_values = true)]
    pub explain: Option<String>,

    /// Print the versions of weftc and of the LLVM in it
    #[arg(short = 'V', long)]
    pub version: bool,

    /// Print this
    #[arg(short, long, action = clap::ArgAction::HelpShort)]
    pub help: Option<bool>,
}

impl Args {
    /// Reads the words of a command line that [`nvcc::rewrite`] has seen.
    ///
    /// # Errors
    /// When a word is no option, or lacks its value; also when help is asked for.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
        let matches = Args::command().try_get_matches_from(words)?;
        let mut args = Args::from_arg_matches(&matches)?;
        args.source.macros.order(&matches);
        Ok(args)
    }

    /// Where NVIDIA's programs are.
    pub fn tools(&self) -> ToolOptions {
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

    /// Decides what is to be done.
    ///
    /// # Errors
    /// When an option has no such value, or options do not go together.
    pub fn session(self) -> Result<Session, Error> {
        let code = self.code.code(self.compile.arch.as_deref(), self.compile.format())?;
        let (arch, _) = code.single();
        let mut options = self.compile.options_for(arch)?;
        options.whole_program |= self.relocatable_device_code == Some(false);
        let dependencies = self.source.dependencies(self.output.as_deref())?;
        // The rule alone goes where `-o` says, and speaks of what would be made without it.
        let is_rule = dependencies.as_ref().is_some_and(|dependencies| dependencies.only);
        let named = Named {
            product: self.product()?,
            to_stdout: self.emit.is_some() || self.source.preprocess,
            relocatable: self.relocatable_device_code == Some(true),
            all_sources: self.compile.all_sources()?,
            check_only: self.syntax_only,
            inputs: self.inputs.clone(),
            output: self.output.clone().filter(|_| !is_rule),
        };
        let settings = Settings {
            options,
            levels: self.compile.levels(),
            dialect: self.compile.dialect(),
            preprocessing: Preprocessing {
                arch_list: code.arch_list(),
                ..self.source.macros.preprocessing()?
            },
            line_markers: !self.source.no_line_markers,
            tools: self.tools(),
            describe_kernels: false,
            describe_symbols: false,
        };
        let work = session::plan(&named)?;
        session::check_model(&work, settings.dialect.model)?;
        if !is_rule {
            session::check_code(&work, &code)?;
        }
        let session = Session {
            work,
            settings,
            format: self.compile.format(),
            tools: self.tools(),
            code,
            relocatable: self.relocatable_device_code == Some(true),
            resource_usage: self.resource_usage,
            ptxas_args: self.ptxas_option,
            verbose: self.verbose,
            save_temps: self.save_temps,
            time_report: self.time_report,
            dependencies,
        };
        session.check_outputs()?;
        Ok(session)
    }

    fn product(&self) -> Result<Option<Product>, Error> {
        let asked = [
            self.emit.map(|emit| ("--emit", Product::Text(emit))),
            self.source.preprocess.then_some(("-E", Product::Text(Emit::Preprocessed))),
            self.ptx.then_some(("--ptx", Product::Text(Emit::Ptx))),
            self.cubin.then_some(("--cubin", Product::Cubin)),
            self.fatbin.then_some(("-fatbin", Product::FatBinary)),
            self.device_c.then_some(("-dc", Product::HostObject)),
            self.relocatable.then_some(("-c", Product::Relocatable)),
        ];
        let asked: Vec<(&str, Product)> = asked.into_iter().flatten().collect();
        match asked[..] {
            [] => Ok(None),
            [(_, product)] => Ok(Some(product)),
            // nvcc takes both, and means a relocatable cubin.
            [("--cubin", _), ("-c", _)] => Ok(Some(Product::Relocatable)),
            [(first, _), (second, _), ..] => {
                Err(Message::new(format!("`{first}` and `{second}` exclude each other"))
                    .help("each asks for another kind of output")
                    .user())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use weft_lower::{DebugInfo, OptLevel};

    fn session(line: &str) -> Result<Session, Error> {
        let words = nvcc::rewrite(line.split(' ').map(OsString::from)).expect("spellings that are taken");
        Args::read(words).expect("a line that clap reads").session()
    }

    fn product(line: &str) -> Product {
        match session(line).expect("a session").work {
            session::Work::Each(product, _) => product,
            session::Work::Link(..) | session::Work::Check(..) => panic!("no output each"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn each_spelling_of_nvcc_reaches_its_option() {
        let line =
            "weftc -arch=compute_90 -O2 -fmad=false -lineinfo -rdc=false -Xptxas -v -keep -MD -v a.src";
        let session = session(line).expect("a session");
        let options = &session.settings.options;
        assert_eq!(options.target.to_string(), "sm_90");
        assert_eq!(options.opt_level, OptLevel::O2);
        assert_eq!(
            (options.fmad, options.debug == DebugInfo::Lines, options.whole_program),
            (false, true, true)
        );
        assert_eq!(session.ptxas_args, ["-v"]);
        assert_eq!((session.save_temps, session.verbose), (true, true));
        assert!(session.dependencies.is_some_and(|dependencies| !dependencies.only));
    }

    #[test]
    fn code_for_a_debugger_is_optimised_where_that_is_asked_for() {
        let of = |line| {
            let options = session(line).expect("a session").settings.options;
            (options.debug, options.opt_level)
        };
        for line in
            ["weftc -g -O2 a.src", "weftc -G a.src", "weftc -lineinfo -g a.src", "weftc -G -dopt off a.src"]
        {
            assert_eq!(of(line), (DebugInfo::Full, OptLevel::O0), "{line}");
        }
        assert_eq!(of("weftc -G -dopt on -O2 a.src"), (DebugInfo::Lines, OptLevel::O2));
        assert_eq!(of("weftc -dopt=on a.src"), (DebugInfo::None, OptLevel::O3));
    }

    #[test]
    fn options_say_what_is_made() {
        assert_eq!(product("weftc a.src"), Product::Text(Emit::Ptx));
        assert_eq!(product("weftc -ptx a.src"), Product::Text(Emit::Ptx));
        assert_eq!(product("weftc -c a.src"), Product::Relocatable);
        assert_eq!(product("weftc -dc a.src"), Product::HostObject);
        assert_eq!(product("weftc -cubin a.src"), Product::Cubin);
        assert_eq!(product("weftc -cubin -rdc=true a.src"), Product::Relocatable);
        assert_eq!(product("weftc -cubin -c a.src"), Product::Relocatable);
        assert_eq!(product("weftc --emit ast a.src"), Product::Text(Emit::Ast));
    }

    #[test]
    fn values_that_do_not_exist_are_refused_before_llvm_sees_them() {
        for (line, words) in [
            ("weftc -arch=sm_1 a.src", "unknown architecture `sm_1`"),
            ("weftc -arch=all a.src", "one `.ptx` is for one architecture"),
            ("weftc -cubin -arch=compute_80 -code=sm_80,sm_90 a.src", "a cubin is one image"),
            ("weftc -c -gencode arch=compute_80,code=compute_80 a.src", "a cubin is for a GPU"),
            ("weftc --ptx-version 1.0 a.src", "no PTX version"),
            ("weftc --ptx-version 6.3 -arch sm_90 a.src", "needs PTX 7.8"),
            ("weftc -O4 a.src", "no optimisation level `-O4`"),
            ("weftc -ptx -c a.src", "exclude each other"),
            ("weftc -x c a.src", "unknown language `c`"),
        ] {
            let error = session(line).expect_err(line);
            assert_eq!(error.exit_code(), 1);
            assert!(error.to_string().contains(words), "{line}: {error}");
        }
    }
}
