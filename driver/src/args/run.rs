//! The command line of `weftc run`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use weft_run::trace::DEFAULT_LIMIT;

use super::compile::CompileArgs;
use super::source::MacroArgs;

const EXAMPLES: &str = "\
Arguments (docs/reference/run.md has all of them):
  5  -1.5  0x10  u64:7  f16:1.5             numbers; without a type, of the parameter's
  f32[1024]=iota  f32[64,64]=random(7)      buffers: zeros, ones, iota, fill(V), random, {1, 2, 3}
  f32[1024]                                 a buffer in which nothing has been written, for results
  @x.npy  f32@x.bin                         buffers from files
  y=f32[16]  &y[4]  null                    a buffer with a name, a pointer into it, the null pointer
  {1, f32:2.5, &y}                          a struct

Examples:
  weftc run saxpy.src --grid 4 --block 256 --arg 1024 --arg 2 --arg 'f32[1024]=iota' \\
      --arg 'f32[1024]=ones'
  weftc run reduce.src --kernel block_sum --block 256 --shared 32 --arg 1000 \\
      --arg @x.npy --arg 'out=f32[1]' --expect 'out=499500' --rtol 1e-6
  weftc run saxpy.ptx lib.ptx --kernel saxpy ... --print 3=all --save 3=y.npy

Exit codes: 0 done and as expected, 1 the program, the command line or a result is wrong, 2 a file or
a device is missing or failed, 101 a bug in weftc.";

/// Runs a kernel on the emulator, where every access is checked, or on a GPU, and shows what became of
/// its buffers.
#[derive(Debug, Parser)]
#[command(name = "weftc run", disable_version_flag = true, disable_help_flag = true)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
#[command(override_usage = "weftc run [OPTIONS] <INPUT>...")]
pub struct RunArgs {
    /// Programs (.src, .cu, `-` for standard input) and PTX (.ptx); several are linked
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Kernel to run, by its name in the source or in PTX; may be left out where there is one
    #[arg(short, long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Blocks of the grid
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub grid: [u32; 3],

    /// Threads of a block
    #[arg(short, long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub block: [u32; 3],

    /// Dynamic shared memory of a block: 4096, 48K
    #[arg(short, long, value_name = "BYTES", default_value = "0", value_parser = size)]
    pub shared: u64,

    /// A cooperative launch: all blocks run at the same time, and may wait for one another (`grid.sync()`)
    #[arg(long)]
    pub cooperative: bool,

    /// An argument; one for each parameter, in order
    #[arg(short, long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// A texture or surface for a variable of such a type: `t=texture(f32[4]=iota)`
    #[arg(long = "bind", value_name = "VARIABLE=OBJECT")]
    pub bindings: Vec<String>,

    /// Set a variable at module scope before the launch: `n=5`, `filter=@f.npy`, `ns::scale={1, 2}`
    #[arg(long = "set", value_name = "VARIABLE=VALUE", allow_hyphen_values = true)]
    pub settings: Vec<String>,

    /// Print a buffer, by its argument's number from 0 or its name, or a variable, in short or all of it
    #[arg(short, long, value_name = "NAME[=all]", help_heading = "Results")]
    pub print: Vec<String>,

    /// Write a buffer or a variable to a file: .npy, or the bare elements
    #[arg(long, value_name = "NAME=FILE", help_heading = "Results")]
    pub save: Vec<String>,

    /// Compare a buffer or a variable: with contents, `y=zeros`, a list, a number, or a file, `y=@y.npy`
    #[arg(short, long, value_name = "NAME=CONTENTS", help_heading = "Results")]
    pub expect: Vec<String>,

    /// How far a result may be off in proportion to what is expected
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "Results")]
    pub rtol: f64,

    /// How far a result may be off by itself
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "Results")]
    pub atol: f64,

    /// How far a result may be off in units of the last place
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Results")]
    pub ulp: u64,

    /// Print nothing but what the kernel prints, and messages
    #[arg(short, long, help_heading = "Results")]
    pub quiet: bool,

    /// What runs the kernel
    #[arg(long, value_enum, value_name = "DEVICE", default_value = "emulator", help_heading = "Device")]
    pub device: DeviceKind,

    /// Seed of `random` without one
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Device")]
    pub seed: u64,

    /// Vary the order in which blocks and warps run
    #[arg(long, value_name = "N", help_heading = "Device")]
    pub schedule: Option<u64>,

    /// Look for races too: accesses of two threads to one place, one of them a write, that nothing orders
    #[arg(long, help_heading = "Device")]
    pub races: bool,

    /// With --races: writes of the same value are no race
    #[arg(long, requires = "races", help_heading = "Device")]
    pub no_same_value_races: bool,

    /// With --races: `volatile` accesses are plain ones, which race with one another
    #[arg(long, requires = "races", help_heading = "Device")]
    pub volatile_races: bool,

    /// Do not look for barriers that parts of a warp come to, or that threads which have ended never reach
    #[arg(long, help_heading = "Device")]
    pub no_barrier_check: bool,

    /// Go on after wrong accesses, uses of undefined values and races, and report each distinct one once
    #[arg(long, help_heading = "Device")]
    pub keep_going: bool,

    /// Stop a warp after so many instructions; 0: never [default: 1073741824]
    #[arg(long, value_name = "N", help_heading = "Device")]
    pub max_steps: Option<u64>,

    /// Memory for buffers and `malloc`: 4096, 64M, 4G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = size, help_heading = "Device")]
    pub memory: u64,

    /// Cores that the emulator may use [default: all]
    #[arg(short, long, value_name = "N", help_heading = "Device")]
    pub jobs: Option<NonZeroUsize>,

    /// Count what is executed, line by line; without FILE, in a table; FILE is a page (.html), data (.json) or the table
    /// (.txt)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    #[arg(help_heading = "Profile and trace")]
    pub profile: Vec<PathBuf>,

    /// Write each instruction that a warp executes, with the values it writes, to standard error or to FILE
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

    /// Trace so many instructions at most
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(requires = "trace", help_heading = "Profile and trace")]
    pub trace_limit: u64,

    /// How code is made, and what messages look like.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Macros and headers.
    #[command(flatten)]
    pub macros: MacroArgs,

    /// Print this
    #[arg(short, long, action = clap::ArgAction::HelpShort)]
    pub help: Option<bool>,
}

/// What runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceKind {
    /// The CPU, with every access checked.
    Emulator,
    /// NVIDIA's GPU, through the CUDA driver.
    Gpu,
}

impl RunArgs {
    /// Reads the words of a command line without the word `run`.
    ///
    /// # Errors
    /// When a word is no option, or lacks its value; also when help is asked for.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<RunArgs, clap::Error> {
        let matches = RunArgs::command().try_get_matches_from(words)?;
        let mut args = RunArgs::from_arg_matches(&matches)?;
        args.macros.order(&matches);
        Ok(args)
    }
}

/// `4`, `4,2` or `4x2x2`.
fn extent(text: &str) -> Result<[u32; 3], String> {
    axes(text, 1)
}

/// The same, from 0 on.
fn position(text: &str) -> Result<[u32; 3], String> {
    axes(text, 0)
}

/// A number for each axis; for those that are left out, the least.
fn axes(text: &str, least: u32) -> Result<[u32; 3], String> {
    let mut all = [least; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > all.len() {
        return Err("there are three axes at most".to_owned());
    }
    for (axis, part) in all.iter_mut().zip(parts) {
        let count = part.trim().parse().ok().filter(|&n: &u32| n >= least);
        *axis = count.ok_or_else(|| format!("`{part}` is no number from {least} on"))?;
    }
    Ok(all)
}

/// `17` or `17-20`
fn lines(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected a line or a range of lines, as 17 or 17-20".to_owned()),
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
        .ok_or_else(|| "expected a size, as 4096, 48K or 1G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
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
        let words = ["weftc run", "-O0", "a.src", "--arg", "-1.5", "-a", "{-1}", "-D", "N=4", "-b", "32,2"];
        let args = RunArgs::read(words.map(OsString::from)).expect("a line that clap reads");
        assert_eq!(args.arguments, ["-1.5", "{-1}"]);
        assert_eq!((args.block, args.macros.macros.len()), ([32, 2, 1], 1));
    }
}
