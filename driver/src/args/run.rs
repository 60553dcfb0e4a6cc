//! The command line of `weftc run`.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches, Parser, ValueEnum};
use weft_run::trace::DEFAULT_LIMIT;

use super::compile::CompileArgs;
use super::help::Brief;
use super::source::MacroArgs;

const EXAMPLES: &str = "\
Arguments (docs/reference/run.md lists all forms):
  5  -1.5  0x10  u64:7  f16:1.5             numbers; the type defaults to that of the parameter
  f32[1024]=iota  f32[64,64]=random(7)      buffers: zeros, ones, iota, fill(V), random, {1, 2, 3}
  f32[1024]                                 an uninitialized buffer, for results
  @x.npy  f32@x.bin                         buffers from files
  y=f32[16]  &y[4]  null                    a named buffer, a pointer into it, a null pointer
  {1, f32:2.5, &y}                          a struct

Examples:
  weftc run saxpy.src --grid 4 --block 256 --arg 1024 --arg 2 --arg 'f32[1024]=iota' \\
      --arg 'f32[1024]=ones'
  weftc run reduce.src --kernel block_sum --block 256 --shared 32 --arg 1000 \\
      --arg @x.npy --arg 'out=f32[1]' --expect 'out=499500' --rtol 1e-6
  weftc run saxpy.ptx lib.ptx --kernel saxpy ... --print 3=all --save 3=y.npy

Exit codes:
  0    success; results are as expected
  1    an error in the program or the command line, a fault of the kernel, or an unexpected result
  2    a file or a device is missing or failed
  101  a bug in weftc";

const BRIEF_AFTER: &str = "\
Arguments: 5  f16:1.5  f32[1024]=iota  f32[64,64]=random(7)  @x.npy  y=f32[16]  {1, f32:2.5, &y}

Example:
  weftc run saxpy.cu --grid 4 --block 256 --arg 1024 --arg 2 --arg 'f32[1024]=iota' \\
      --arg 'y=f32[1024]=ones' --print y

`weftc run --help` shows all options, all forms of arguments and the exit codes.";

/// The common options, which `-h` shows.
pub const BRIEF: Brief = Brief {
    options: &[
        "kernel",
        "grid",
        "block",
        "shared",
        "arguments",
        "settings",
        "print",
        "save",
        "expect",
        "rtol",
        "device",
        "races",
        "keep_going",
        "max_steps",
        "profile",
        "trace",
        "include_path",
        "define_macro",
        "error_format",
        "help",
    ],
    after: BRIEF_AFTER,
};

/// Run a kernel on the emulator, which checks every access, or on a GPU, and print changed buffers.
#[derive(Debug, Parser)]
#[command(name = "weftc run", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
#[command(override_usage = "weftc run [OPTIONS] <INPUT>...")]
pub struct RunArgs {
    /// Programs (.cu, .src, `-` for standard input) and PTX (.ptx); several are linked
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Run this kernel, by its name in the source or in PTX
    #[arg(short, long, value_name = "NAME", help_heading = "Launch")]
    pub kernel: Option<String>,

    /// Set the number of blocks
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    #[arg(help_heading = "Launch")]
    pub grid: [u32; 3],

    /// Set the number of threads per block
    #[arg(short, long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    #[arg(help_heading = "Launch")]
    pub block: [u32; 3],

    /// Set the dynamic shared memory per block: 4096, 48K
    #[arg(short, long, value_name = "BYTES", default_value = "0", value_parser = size)]
    #[arg(help_heading = "Launch")]
    pub shared: u64,

    /// Launch cooperatively: all blocks run at the same time and can synchronize (`grid.sync()`)
    #[arg(long, help_heading = "Launch")]
    pub cooperative: bool,

    /// Pass an argument; repeat for each parameter, in order
    #[arg(short, long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true, help_heading = "Launch")]
    pub arguments: Vec<String>,

    /// Bind a texture or surface variable: `t=texture(f32[4]=iota)`; may be repeated
    #[arg(long = "bind", value_name = "VARIABLE=OBJECT", help_heading = "Launch")]
    pub bindings: Vec<String>,

    /// Set a global variable before the launch: `n=5`; may be repeated
    #[arg(long = "set", value_name = "VARIABLE=VALUE", allow_hyphen_values = true, help_heading = "Launch")]
    pub settings: Vec<String>,

    /// Print a buffer (number of its argument from 0, or its name) or a variable; may be repeated
    #[arg(short, long, value_name = "NAME[=all]", help_heading = "Results")]
    pub print: Vec<String>,

    /// Save a buffer or a variable as .npy or as raw elements
    #[arg(long, value_name = "NAME=FILE", help_heading = "Results")]
    pub save: Vec<String>,

    /// Compare a buffer or a variable with contents: `y=ones`, `y=@y.npy`
    #[arg(short, long, value_name = "NAME=CONTENTS", help_heading = "Results")]
    pub expect: Vec<String>,

    /// Set the relative tolerance of comparisons
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "Results")]
    pub rtol: f64,

    /// Set the absolute tolerance of comparisons
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "Results")]
    pub atol: f64,

    /// Set the tolerance of comparisons in units in the last place
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Results")]
    pub ulp: u64,

    /// Choose the format of results on standard output
    #[arg(long, value_enum, value_name = "FORM", default_value = "text", help_heading = "Results")]
    pub results: ResultsForm,

    /// Print only messages and what the kernel prints
    #[arg(short, long, help_heading = "Results")]
    pub quiet: bool,

    /// Choose what runs the kernel
    #[arg(long, value_enum, value_name = "DEVICE", default_value = "emulator", help_heading = "Launch")]
    pub device: DeviceKind,

    /// Launch N times more on the GPU, after the results are read, and print the shortest and the median time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Launch")]
    pub time: Option<u32>,

    /// Set the seed of `random` contents
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Launch")]
    pub seed: u64,

    /// Vary the order in which blocks and warps run
    #[arg(long, value_name = "N", help_heading = "Emulator")]
    pub schedule: Option<u64>,

    /// Report data races
    #[arg(long, help_heading = "Checks")]
    pub races: bool,

    /// With --races: ignore writes of the same value
    #[arg(long, requires = "races", help_heading = "Checks")]
    pub no_same_value_races: bool,

    /// With --races: treat `volatile` accesses as plain accesses
    #[arg(long, requires = "races", help_heading = "Checks")]
    pub volatile_races: bool,

    /// Do not report barriers in divergent code or barriers that exited threads never reach
    #[arg(long, help_heading = "Checks")]
    pub no_barrier_check: bool,

    /// Continue after faults, and report each distinct one once
    #[arg(long, help_heading = "Checks")]
    pub keep_going: bool,

    /// Stop a warp after N instructions; 0: never [default: 1073741824]
    #[arg(long, value_name = "N", help_heading = "Emulator")]
    pub max_steps: Option<u64>,

    /// Set the size of memory for buffers and `malloc`: 4096, 64M, 4G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = size, help_heading = "Emulator")]
    pub memory: u64,

    /// Use at most N cores [default: all]
    #[arg(short, long, value_name = "N", help_heading = "Emulator")]
    pub jobs: Option<NonZeroUsize>,

    /// Count what is executed, line by line: print a table, or write FILE as a page (.html), data (.json)
    /// or a table (.txt)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    #[arg(help_heading = "Profile and trace")]
    pub profile: Vec<PathBuf>,

    /// Write each executed instruction to standard error or to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    #[arg(help_heading = "Profile and trace")]
    pub trace: Option<PathBuf>,

    /// Trace only this block
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = position, requires = "trace")]
    #[arg(help_heading = "Profile and trace")]
    pub trace_block: Option<[u32; 3]>,

    /// Trace only this thread of a block
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = position, requires = "trace")]
    #[arg(help_heading = "Profile and trace")]
    pub trace_thread: Option<[u32; 3]>,

    /// Trace only these lines of the source: 17, 17-20
    #[arg(long, value_name = "LINE[-LINE]", value_parser = lines, requires = "trace")]
    #[arg(help_heading = "Profile and trace")]
    pub trace_lines: Option<RangeInclusive<u32>>,

    /// Stop tracing after N instructions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(requires = "trace", help_heading = "Profile and trace")]
    pub trace_limit: u64,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Print help: `-h` the common options, `--help` all of them
    #[arg(short, long, action = clap::ArgAction::HelpShort, help_heading = "General")]
    pub help: Option<bool>,
}

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultsForm {
    /// A line each for people
    Text,
    /// A JSON object each, on a line of its own
    Json,
}

/// What runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceKind {
    /// The CPU, with every access checked
    Emulator,
    /// NVIDIA's GPU, through the CUDA driver
    Gpu,
}

impl RunArgs {
    /// The arguments that clap has matched.
    ///
    /// # Errors
    ///
    /// If a value is invalid.
    pub fn of(matches: &ArgMatches) -> Result<RunArgs, clap::Error> {
        let mut args = RunArgs::from_arg_matches(matches)?;
        args.macros.order(matches);
        Ok(args)
    }
}

/// `4`, `4,2` or `4x2x2`.
fn extent(text: &str) -> Result<[u32; 3], String> {
    axes(text, 1)
}

/// The same, starting from 0.
fn position(text: &str) -> Result<[u32; 3], String> {
    axes(text, 0)
}

/// A number for each axis; the minimum for omitted axes.
fn axes(text: &str, least: u32) -> Result<[u32; 3], String> {
    let mut all = [least; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > all.len() {
        return Err("expected at most three numbers".to_owned());
    }
    for (axis, part) in all.iter_mut().zip(parts) {
        let count = part.trim().parse().ok().filter(|&n: &u32| n >= least);
        *axis = count.ok_or_else(|| format!("expected a number of at least {least}"))?;
    }
    Ok(all)
}

/// `17` or `17-20`
fn lines(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected a line or a range of lines, for example 17 or 17-20".to_owned()),
    }
}

/// `4096`, `48K`, `1M`, `4G`: in units of 1024.
fn size(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.trim_end_matches(['B', 'i']).strip_suffix(['K', 'k', 'M', 'G']) {
        Some(digits) => {
            let unit = text.as_bytes()[digits.len()];
            (
                digits,
                match unit {
                    b'K' | b'k' => 1_u64 << 10,
                    b'M' => 1 << 20,
                    _ => 1 << 30,
                },
            )
        }
        None => (text, 1),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| "expected a size, for example 4096, 48K or 1G".to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory;

    use super::super::parse::{Request, parse};
    use super::*;

    #[test]
    fn definition_is_sound() {
        RunArgs::command().debug_assert();
    }

    #[test]
    fn extents_and_sizes_in_every_spelling() {
        assert_eq!(extent("4"), Ok([4, 1, 1]));
        assert_eq!(extent("4,2x3"), Ok([4, 2, 3]));
        assert_eq!((position("0,3"), position("7")), (Ok([0, 3, 0]), Ok([7, 0, 0])));
        assert_eq!((lines("17"), lines("17-20")), (Ok(17..=17), Ok(17..=20)));
        assert!(lines("20-17").is_err() && lines("").is_err() && lines("1-").is_err());
        assert!(extent("4,0").is_err() && extent("1,1,1,1").is_err() && extent("").is_err());
        assert_eq!(
            ["4096", "48K", "1M", "2GiB"].map(size),
            [Ok(4096), Ok(48 << 10), Ok(1 << 20), Ok(2 << 30)]
        );
        assert!(size("K").is_err() && size("-1").is_err() && size("99999999999G").is_err());
    }

    #[test]
    fn negative_arguments_are_no_options() {
        let words =
            ["weftc", "run", "-O0", "a.src", "--arg", "-1.5", "-a", "{-1}", "-D", "N=4", "-b", "32,2"];
        let parsed = parse(words.map(OsString::from)).expect("a line that is taken");
        let Request::Run(args) = parsed.request else { panic!("another command") };
        assert_eq!(args.arguments, ["-1.5", "{-1}"]);
        assert_eq!((args.block, args.macros.macros.len()), ([32, 2, 1], 1));
    }
}
