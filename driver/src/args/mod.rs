//! The command line.
//!
//! - this file: the options as clap parses them, and the [`Session`] that they request
//! - [`compile`]: the options for code generation and messages
//! - [`parse`]: the command and its arguments; [`nvcc`]: rewrites nvcc's spellings first, so that an existing command line works unchanged
//! - [`code`]: the GPUs to generate code for
//! - [`source`]: the options for macros, headers and dependencies
//! - [`tools`]: the options for NVIDIA's programs
//! - [`run`]: the command line of `weftc run`; [`check_abi`]: that of `weftc check-abi`; [`doctor`]: that of
//!   `weftc doctor`
//! - [`generate`]: man pages and completions
//! - [`help`]: the output of `-h` and `--help`; [`misread`]: errors in the command line

pub mod check_abi;
pub mod code;
pub mod compile;
pub mod doctor;
pub mod generate;
pub mod help;
pub mod misread;
pub mod nvcc;
pub mod parse;
pub mod run;
pub mod source;
pub mod tools;

#[cfg(test)]
mod page;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::emit::time_reports::TimeReports;
use crate::error::{Error, Message};
use crate::headers::Preprocessing;
use crate::pipeline::{Emit, Settings};
use crate::session::{self, Named, Product, Session, Work};
use crate::toolchain::ToolOptions;
use clap::{ArgMatches, FromArgMatches, Parser};
use help::Brief;
use weft_frontend::HostCode;
use weft_lower::DebugInfo;

const EXAMPLES: &str = "\
Examples:
  weftc saxpy.cu                               make saxpy.ptx
  weftc -arch=sm_90 -o saxpy.cubin saxpy.cu    make a cubin with ptxas
  weftc -c saxpy.cu                            make saxpy.o, a host object that launches its kernels
  weftc -dc a.cu && nvcc main.o a.o -o app     make a host object with relocatable code, linked by nvcc
  weftc -o app.cubin a.cu b.ptx c.o            link; c.o is from `weftc -dc` or `nvcc -dc`
  weftc -fatbin -gencode arch=compute_80,code=[sm_80,sm_86,compute_80] a.cu
                                               make code for several GPUs, and PTX for later ones
  weftc --emit=ir saxpy.cu                     print the typed program
  weftc - < saxpy.cu | less                    print PTX
  weftc run saxpy.cu --block 256 --arg …       run the kernel; see `weftc run --help`
  weftc doctor                                 list NVIDIA's programs and what is missing

weftc accepts nvcc's command lines too; the spellings of nvcc are in brackets above.

Exit codes:
  0    success; for `weftc run`, results are as expected
  1    an error in the program or the command line; for `weftc run`, an unexpected result
  2    a file, a tool or a device is missing or failed
  101  a bug in weftc";

const BRIEF_AFTER: &str = "\
Examples:
  weftc -arch=sm_90 -o saxpy.cubin saxpy.cu                     make a cubin with ptxas
  weftc run saxpy.cu --block 256 --arg 2 --arg 'f32[256]=iota'  run a kernel without a GPU

nvcc's spellings work too. `weftc --help` shows all options, more examples and the exit codes.";

/// The common options, which `-h` shows.
pub const BRIEF: Brief = Brief {
    options: &[
        "output",
        "arch",
        "generate_code",
        "object",
        "device_c",
        "cubin",
        "fatbin",
        "opt_level",
        "use_fast_math",
        "device_debug",
        "line_info",
        "include_path",
        "define_macro",
        "syntax_only",
        "warnings",
        "error_format",
        "verbose",
        "explain",
        "version",
        "help",
    ],
    after: BRIEF_AFTER,
};

const USAGE: &str = "\
weftc [OPTIONS] <INPUT>...                        compile
       weftc run [OPTIONS] <INPUT>...                    run a kernel on the emulator or on a GPU
       weftc check-abi [OPTIONS] <INPUT> <INPUT>...      compare declarations with definitions
       weftc doctor                                      list NVIDIA's programs and what is missing
       weftc completions <SHELL> | man [COMMAND]         print shell completions or a man page
       weftc help [COMMAND]                              print help";

/// Compile CUDA C kernels (.cu, .src) to PTX, cubins and objects that link with those of nvcc.
#[derive(Debug, Parser)]
#[command(name = "weftc", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = EXAMPLES, max_term_width = 100, override_usage = USAGE)]
pub struct Args {
    /// Programs (.cu, .src, `-` for standard input) and PTX (.ptx); to link, also .cubin, .o and .a
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Write the output here; the suffix selects the kind (.ptx, .cubin, .o)
    #[arg(short = 'o', value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// List the kernels that host code launches or passes to CUDA's runtime, with their template arguments
    #[arg(long, help_heading = "Output")]
    pub list_launches: bool,

    /// Make host objects (a.o), for a host compiler to link
    #[arg(short = 'c', help_heading = "Output")]
    pub object: bool,

    /// Make host objects with relocatable device code, for nvcc to link [-dc]
    #[arg(long, help_heading = "Output")]
    pub device_c: bool,

    /// Link device code of objects into a host object (a_dlink.o) [-dlink]
    #[arg(long, help_heading = "Output")]
    pub device_link: bool,

    /// Make an archive of host objects (a.a) [-lib]
    #[arg(long, help_heading = "Output")]
    pub lib: bool,

    /// Make PTX files [default]
    #[arg(long, help_heading = "Output")]
    pub ptx: bool,

    /// Make cubins
    #[arg(long, help_heading = "Output")]
    pub cubin: bool,

    /// Make fat binaries, with code for several GPUs in one file [-fatbin]
    #[arg(long, help_heading = "Output")]
    pub fatbin: bool,

    /// Print the text of one stage to -o or standard output
    #[arg(long, value_enum, value_name = "TEXT", help_heading = "Output")]
    pub emit: Option<Emit>,

    /// Only check the programs, and make nothing [-fsyntax-only]
    #[arg(long, help_heading = "Output")]
    pub syntax_only: bool,

    /// With --cubin: make relocatable cubins; `false` is --whole-program [-rdc=true]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set, help_heading = "Output")]
    pub relocatable_device_code: Option<bool>,

    /// Print what kernels use: registers, spills, stack, shared memory [-res-usage]
    #[arg(long, help_heading = "Output")]
    pub resource_usage: bool,

    /// Keep intermediate files beside the output [-keep]
    #[arg(long, help_heading = "Output")]
    pub save_temps: bool,

    /// With --save-temps: keep them in this directory [-keep-dir DIR]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub keep_dir: Option<PathBuf>,

    /// Write outputs whose names -o does not set into this directory [-odir DIR]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub output_directory: Option<PathBuf>,

    /// For which GPUs.
    #[command(flatten)]
    pub code: code::CodeArgs,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: compile::CompileArgs,

    /// Explain the code of a message; `warnings` and `errors` list the codes
    #[arg(long, value_name = "CODE", allow_hyphen_values = true, help_heading = "Messages")]
    pub explain: Option<String>,

    /// Macros, headers, dependencies.
    #[command(flatten)]
    pub source: source::SourceArgs,

    /// Where NVIDIA's programs are.
    #[command(flatten)]
    pub tools: tools::ToolArgs,

    /// Pass arguments to NVIDIA's programs and the host compiler.
    #[command(flatten)]
    pub passed: tools::PassedArgs,

    /// Print each program that weftc runs, as a line for a shell
    #[arg(short, long, help_heading = "General")]
    pub verbose: bool,

    /// Print each program that weftc would run, and write nothing [-dryrun]
    #[arg(long, help_heading = "General")]
    pub dryrun: bool,

    /// Run at most N programs at the same time; 0 means as many as there are cores [default: 0] [-t N]
    #[arg(long, value_name = "N", help_heading = "General")]
    pub threads: Option<usize>,

    /// Add the time of each stage to a table in this file; `-` is standard output [-time FILE]
    #[arg(long, value_name = "FILE", help_heading = "General")]
    pub time: Option<PathBuf>,

    /// Write the times of all stages to this file, for chrome://tracing; `-` is the output's name with .json
    /// [-fdevice-time-trace FILE]
    #[arg(long, value_name = "FILE", help_heading = "General")]
    pub fdevice_time_trace: Option<PathBuf>,

    /// Print the time of each stage to standard error, as JSON
    #[arg(long, help_heading = "General")]
    pub time_report: bool,

    /// Print the versions of weftc and of its LLVM
    #[arg(short = 'V', long, help_heading = "General")]
    pub version: bool,

    /// Print the path of a program that weftc runs, and exit: ptxas, nvlink, fatbinary, cc; as is ptxas
    /// [-print-prog-name=NAME]
    #[arg(long, value_name = "NAME", help_heading = "NVIDIA's programs")]
    pub print_prog_name: Option<String>,

    /// Print help: `-h` the common options, `--help` all of them
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,

    /// Words of option files and environment variables, which are also among the other arguments.
    #[arg(skip)]
    pub from_elsewhere: Vec<String>,
}

impl Args {
    /// The arguments that clap has matched.
    ///
    /// # Errors
    ///
    /// If a value is invalid.
    pub fn of(matches: &ArgMatches) -> Result<Args, clap::Error> {
        let mut args = Args::from_arg_matches(matches)?;
        args.source.macros.order(matches);
        Ok(args)
    }

    /// Where NVIDIA's programs are.
    pub fn tools(&self) -> ToolOptions {
        self.tools.options()
    }

    /// Turns the options into a session.
    ///
    /// # Errors
    ///
    /// If an option has an invalid value, or options exclude each other.
    pub fn session(self) -> Result<Session, Error> {
        if let ([first, ..], false) = (&self.inputs[..], self.compile.all_sources()?)
            && let Some(message) = first.to_str().and_then(misread::unknown_command)
        {
            return Err(message.user());
        }
        let code = self.code.code(self.compile.arch.as_deref(), self.compile.format())?;
        let (arch, _) = code.single();
        let mut options = self.compile.options_for(arch)?;
        let relocatable = self.is_relocatable()?;
        let dependencies = self.source.dependencies(self.output.as_deref())?;
        // Without an output, the rule goes to the file of `-o`, and names the output that would be made.
        let is_rule = dependencies.as_ref().is_some_and(|dependencies| dependencies.only);
        let named = Named {
            product: self.product()?,
            to_stdout: self.emit.is_some() || self.source.preprocess || self.list_launches,
            relocatable,
            device_link: self.device_link,
            archive: self.lib,
            all_sources: self.compile.all_sources()?,
            check_only: self.syntax_only,
            inputs: self.inputs.clone(),
            folder: self.output_directory.clone(),
            output: self.output.clone().filter(|_| !is_rule),
        };
        let work = session::plan(&named)?;
        let is_host_object = matches!(work, Work::Each(Product::HostObject, _) | Work::Archive(..));
        if self.passed.debug && !is_host_object && !matches!(work, Work::Link(Product::HostObject, ..)) {
            self.compile
                .report_unused(&[Message::new("`-g` has no effect: no object with host code is made")
                    .help("`-G` writes debug information of device code")])?;
        }
        options.whole_program |=
            self.relocatable_device_code == Some(false) || is_host_object && !relocatable;
        // Caches compare the text of `-E -P`, which must show what the output depends on.
        let has_lines = options.debug != DebugInfo::None;
        let mut settings = Settings {
            options,
            levels: self.compile.levels(),
            dialect: self.compile.dialect(),
            preprocessing: Preprocessing {
                arch_list: code.arch_list(),
                ..self.source.macros.preprocessing()?
            },
            instantiate: self.compile.instantiate.clone(),
            line_markers: !self.source.no_line_markers || has_lines,
            tools: self.tools(),
            describe_kernels: false,
            describe_symbols: false,
            makes_host_stub: false,
            source_in_ptx: self.compile.source_in_ptx,
        };
        let has_link = matches!(work, Work::Link(..));
        let libraries = self.passed.library.iter().chain(&self.passed.library_path);
        if let (false, Some(first)) = (has_link, libraries.into_iter().next()) {
            let letter = if self.passed.library.is_empty() { "-L" } else { "-l" };
            let written = format!("{letter}{}", first.display());
            let message = Message::new(format!("`{written}` has no effect: nothing is linked"));
            let similar = misread::similar_option(&written, &generate::command(""));
            let message = similar
                .iter()
                .fold(message, |message, similar| message.help(format!("did you mean `{similar}`?")));
            self.compile.report_unused(&[message])?;
        }
        session::check_model(&work, settings.dialect.model)?;
        if !is_rule {
            session::check_code(&work, &code)?;
        }
        if is_host_object && settings.dialect.host_code.is_skipped() {
            settings.dialect.host_code = HostCode::SkipDeclarations;
        }
        let session = Session {
            work,
            settings,
            format: self.compile.format(),
            tools: self.tools(),
            code,
            relocatable,
            resource_usage: self.resource_usage,
            passed: self.passed.passed(self.compile.std),
            verbose: self.verbose || self.dryrun,
            dry_run: self.dryrun,
            threads: self.threads.and_then(NonZeroUsize::new),
            save_temps: self.save_temps,
            keep_dir: self.keep_dir,
            max_errors: self.compile.fmax_errors,
            from_elsewhere: self.from_elsewhere,
            time_reports: TimeReports {
                json: self.time_report,
                table: self.time,
                trace: self.fdevice_time_trace.map(|path| match path.as_os_str() == "-" {
                    true => self.output.clone().unwrap_or_else(|| PathBuf::from("trace")),
                    false => path,
                }),
            },
            dependencies,
        };
        session.check_outputs()?;
        Ok(session)
    }

    /// Whether the code is linked with other code.
    fn is_relocatable(&self) -> Result<bool, Error> {
        match self.relocatable_device_code {
            Some(false) if self.device_c => Err(Message::new("`-dc` cannot be used with `-rdc=false`")
                .help("`-c` makes whole programs")
                .user()),
            asked => Ok(self.device_c || asked == Some(true)),
        }
    }

    fn product(&self) -> Result<Option<Product>, Error> {
        // Like nvcc: no later stage runs.
        if self.source.preprocess && self.emit.is_none() && !self.list_launches {
            return Ok(Some(Product::Text(Emit::Preprocessed)));
        }
        let asked = [
            self.emit.map(|emit| ("--emit", Product::Text(emit))),
            self.source.preprocess.then_some(("-E", Product::Text(Emit::Preprocessed))),
            self.list_launches.then_some(("--list-launches", Product::Text(Emit::Launches))),
            self.ptx.then_some(("--ptx", Product::Text(Emit::Ptx))),
            self.cubin.then_some(("--cubin", Product::Cubin)),
            self.fatbin.then_some(("-fatbin", Product::FatBinary)),
        ];
        let asked: Vec<(&str, Product)> = asked.into_iter().flatten().collect();
        match asked[..] {
            [] => Ok((self.object || self.device_c).then_some(Product::HostObject)),
            // Like nvcc: `-c` asks for nothing more, and `-dc` for relocatable code.
            [(_, product)] => Ok(Some(product)),
            [(first, _), (second, _), ..] => {
                Err(Message::new(format!("`{first}` cannot be used with `{second}`"))
                    .help("each selects a different kind of output")
                    .user())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use clap::CommandFactory;
    use weft_lower::OptLevel;

    fn session(line: &str) -> Result<Session, Error> {
        let parsed = parse::parse(line.split(' ').map(OsString::from)).expect("a line that is taken");
        let parse::Request::Compile(args) = parsed.request else { panic!("another command") };
        args.session()
    }

    fn product(line: &str) -> Product {
        match session(line).expect("a session").work {
            session::Work::Each(product, _) => product,
            session::Work::Link(..) | session::Work::Archive(..) | session::Work::Check(..) => {
                panic!("no output each")
            }
        }
    }

    #[test]
    fn definition_is_sound() {
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
        assert_eq!(session.passed.ptxas, ["-v"]);
        assert_eq!((session.save_temps, session.verbose), (true, true));
        assert!(session.dependencies.is_some_and(|dependencies| !dependencies.only));
    }

    #[test]
    fn optimizes_code_for_a_debugger_only_on_request() {
        let of = |line| {
            let options = session(line).expect("a session").settings.options;
            (options.debug, options.opt_level)
        };
        for line in ["weftc -G -O2 a.src", "weftc -lineinfo -G a.src", "weftc -G -dopt off a.src"] {
            assert_eq!(of(line), (DebugInfo::Full, OptLevel::O0), "{line}");
        }
        assert_eq!(of("weftc -g -O2 a.src"), (DebugInfo::None, OptLevel::O2));
        assert_eq!(of("weftc -G -dopt on -O2 a.src"), (DebugInfo::Lines, OptLevel::O2));
        assert_eq!(of("weftc -dopt=on a.src"), (DebugInfo::None, OptLevel::O3));
    }

    #[test]
    fn options_select_the_product() {
        assert_eq!(product("weftc a.src"), Product::Text(Emit::Ptx));
        assert_eq!(product("weftc -ptx a.src"), Product::Text(Emit::Ptx));
        assert_eq!(product("weftc -c a.src"), Product::HostObject);
        assert_eq!(product("weftc -dc a.src"), Product::HostObject);
        assert_eq!(product("weftc -cubin a.src"), Product::Cubin);
        assert_eq!(product("weftc -cubin -rdc=true a.src"), Product::Relocatable);
        assert_eq!(product("weftc -cubin -c a.src"), Product::Cubin);
        assert_eq!(product("weftc -cubin -dc a.src"), Product::Relocatable);
        assert_eq!(product("weftc --emit ast a.src"), Product::Text(Emit::Ast));
    }

    #[test]
    fn rejects_unknown_values_before_llvm_sees_them() {
        for (line, words) in [
            ("weftc -arch=sm_1 a.src", "unknown architecture `sm_1`"),
            ("weftc -arch=all a.src", "a `.ptx` file is for one architecture"),
            ("weftc -cubin -arch=compute_80 -code=sm_80,sm_90 a.src", "a cubin is for one GPU"),
            ("weftc -cubin -gencode arch=compute_80,code=compute_80 a.src", "the options name no GPU"),
            ("weftc --ptx-version 1.0 a.src", "unknown PTX version"),
            ("weftc --ptx-version 6.3 -arch sm_90 a.src", "requires PTX 7.8 or later"),
            ("weftc -Ofast a.src", "unknown optimization level `-Ofast`"),
            ("weftc -ptx -cubin a.src", "`--ptx` cannot be used with `--cubin`"),
            ("weftc -dc -rdc=false a.src", "`-dc` cannot be used with `-rdc=false`"),
            ("weftc -x c a.src", "`-x c` is not supported"),
            ("weftc -x d a.src", "unknown language `d`"),
        ] {
            let error = session(line).expect_err(line);
            assert_eq!(error.exit_code(), 1);
            assert!(error.to_string().contains(words), "{line}: {error}");
        }
    }
}
