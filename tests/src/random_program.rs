//! Random programs by Csmith (Yang, Chen, Eide, Regehr: "Finding and Understanding Bugs in C Compilers", PLDI
//! 2011) as device code: each computes a checksum of all its variables, and the host's compiler gives the
//! expected one.
//!
//! All declarations in such a program are `static`, so that one macro makes them device code. Its `main`
//! becomes a function that a kernel of one thread calls. For compilers with namespaces several programs are
//! in one text, because nvcc and g++ spend most of their time on headers.

use std::fmt::Write;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::Launch;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// The options of Csmith: programs that are also valid C++, without what Weft does not support.
const OPTIONS: [&str; 17] = [
    "--lang-cpp",
    "--cpp11",
    "--quiet",
    "--no-volatiles",
    "--no-packed-struct",
    "--no-argc",
    "--no-builtins",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-len-per-dim",
    "8",
];

/// The text before all programs. The host's headers come first, with their own `static`.
const PRELUDE: &str = r"
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __CUDACC__
#define static static __device__
#endif
#define printf(...) 0
#include <csmith.h>
#define platform_main_end(crc, flag) (checksum = (crc))
static uint32_t checksum;
";

/// The host part after the programs: it prints the checksum of the program with a given number. A program
/// that runs too long is abandoned: its basic blocks are counted, so that the same programs run on every
/// machine. An endless loop with an empty block, in which nothing is counted, is ended by a timer.
const HOST_MAIN: &str = r#"
#undef printf
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static unsigned n_blocks;
extern "C" __attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc()
{
    if (++n_blocks > MAX_BLOCKS)
        _exit(TOO_LONG);
}
int main(int, char **arguments)
{
    struct itimerval late = {{0, 0}, {5, 0}};
    setitimer(ITIMER_PROF, &late, 0);
    crc32_context = 0xFFFFFFFFUL;
    programs[atoi(arguments[1])]();
    printf("%u\n", (unsigned)checksum);
}
"#;

/// The maximum number of basic blocks that a program may execute on the host, and the exit status beyond
/// that.
const MAX_BLOCKS: u32 = 1_000_000;
const TOO_LONG: i32 = 3;

/// The instruction limit of a program: far more than valid programs need.
const STEP_LIMIT: u64 = 1_000_000_000;

/// A random program that terminates soon.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// Csmith's seed.
    pub seed: u64,
    /// Its text, without the prelude; its entry is `test_main`.
    text: String,
    /// The checksum by the host's compiler.
    pub checksum: u32,
}

impl RandomProgram {
    /// The text for a device compiler without namespaces; its kernel is [`kernel`].
    pub fn device_text(&self) -> String {
        format!("{PRELUDE}\n{}\n{}", self.text, launcher(self.seed, ""))
    }
}

/// The name of the kernel that runs the program of a seed. Its parameter is the address for the checksum.
pub fn kernel(seed: u64) -> String {
    format!("check_{seed}")
}

/// The text of several programs, for nvcc.
pub fn device_text(programs: &[RandomProgram]) -> String {
    let mut text = String::from(PRELUDE);
    for RandomProgram { seed, text: program, .. } in programs {
        let _ =
            writeln!(text, "namespace p{seed} {{\n{program}\n}}\n{}", launcher(*seed, &format!("p{seed}::")));
    }
    text
}

fn launcher(seed: u64, scope: &str) -> String {
    format!(
        "extern \"C\" __global__ void {}(unsigned *out)\n{{\n    \
         crc32_context = 0xFFFFFFFFUL;\n    {scope}test_main();\n    *out = checksum;\n}}\n",
        kernel(seed)
    )
}

/// The first `n` programs from a seed on that terminate soon, with their checksums; and the next seed.
///
/// # Errors
///
/// If Csmith or g++ is missing or fails.
pub fn generate(tools: &Tools, first: u64, n: usize, work: &Path) -> Result<Vec<RandomProgram>, Failure> {
    let (mut programs, mut seed) = (Vec::with_capacity(n), first);
    while programs.len() < n {
        let candidates: Result<Vec<_>, _> =
            (seed..).take(n - programs.len()).map(|seed| Ok((seed, csmith(tools, seed, work)?))).collect();
        let candidates: Vec<(u64, String)> = candidates.map_err(|e: Failure| e)?;
        seed += candidates.len() as u64;
        let checksums = host_checksums(tools, &candidates, work)?;
        let found = candidates.into_iter().zip(checksums);
        programs.extend(
            found.filter_map(|((seed, text), checksum)| {
                Some(RandomProgram { seed, text, checksum: checksum? })
            }),
        );
    }
    Ok(programs)
}

/// Csmith's program for a seed.
fn csmith(tools: &Tools, seed: u64, work: &Path) -> Result<String, Failure> {
    // nvcc has an internal error when a bit-field in a union is initialized.
    let without = if seed.is_multiple_of(2) { "--no-bitfields" } else { "--no-unions" };
    let mut command = tools.tool(Tool::Csmith)?;
    // It writes a file about the host to the current directory.
    command.current_dir(work).args(OPTIONS).args([without, "--seed", &seed.to_string()]);
    let answer = run(&mut command)?.success()?;
    let (include, main) = ("#include \"csmith.h\"", "int main (void)");
    if !answer.stdout.contains(include) || !answer.stdout.contains(main) {
        return Err(answer.report("the program is not as Csmith's programs are"));
    }
    Ok(answer.stdout.replace(include, "").replace(main, "static int test_main(void)"))
}

/// The result of each program on the host; `None` for one that runs too long.
fn host_checksums(
    tools: &Tools,
    programs: &[(u64, String)],
    work: &Path,
) -> Result<Vec<Option<u32>>, Failure> {
    let mut text = String::from(PRELUDE);
    let mut entries = String::new();
    for (seed, program) in programs {
        let _ = writeln!(text, "namespace p{seed} {{\n{program}\n}}");
        let _ = write!(entries, "p{seed}::test_main, ");
    }
    let main = HOST_MAIN.replace("MAX_BLOCKS", &MAX_BLOCKS.to_string());
    let main = main.replace("TOO_LONG", &TOO_LONG.to_string());
    let _ = writeln!(text, "static int (*const programs[])() = {{ {entries} }};\n{main}");
    let (source, program) = (work.join("host.cpp"), work.join("host"));
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut gxx = tools.tool(Tool::Gxx)?;
    gxx.args(["-std=c++17", "-w", "-Wno-narrowing", "-fwrapv", "-O1", "-fsanitize-coverage=trace-pc", "-o"])
        .arg(&program)
        .arg(&source);
    run(gxx.arg("-I/usr/include/csmith"))?.success()?;
    (0..programs.len())
        .map(|number| {
            let mut command = std::process::Command::new(&program);
            let output = command.arg(number.to_string()).output().map_err(|e| e.to_string())?;
            match (output.status.code(), output.status.signal()) {
                (Some(0), _) => {
                    let said = String::from_utf8_lossy(&output.stdout);
                    let checksum = said.trim().parse().map_err(|_| format!("no checksum: {said}"))?;
                    Ok(Some(checksum))
                }
                (Some(TOO_LONG), _) | (_, Some(SIGPROF)) => Ok(None),
                _ => Err(format!("the program of seed {} ends with {}", programs[number].0, output.status)),
            }
        })
        .collect()
}

const SIGPROF: i32 = 27;

/// The results of kernels in PTX; one for each seed.
///
/// # Errors
///
/// If the text cannot be run, or a kernel faults.
pub fn execute(ptx: &str, seeds: &[u64]) -> Result<Vec<u32>, Failure> {
    let module = ptx::parse(ptx).map_err(|e| e.to_string())?;
    let inputs = [Input { name: "random.ptx", text: ptx, module: &module }];
    let program = link(&inputs).map_err(|e| e.to_string())?;
    seeds
        .iter()
        .map(|&seed| {
            let mut device = Device::new(&program, 1 << 28).map_err(|error| error.to_string())?;
            let out = device.global.allocate(4, 4).map_err(|_| String::from("no memory"))?;
            let launch = Launch { step_limit: Some(STEP_LIMIT), ..Launch::new([1, 1, 1], [1, 1, 1]) };
            let args = [out.to_le_bytes().to_vec()];
            device.launch(&kernel(seed), &launch, &args).map_err(|fault| format!("seed {seed}: {fault}"))?;
            let mut bytes = [0; 4];
            device.global.read(out, &mut bytes).map_err(|e| format!("{e:?}"))?;
            Ok(u32::from_le_bytes(bytes))
        })
        .collect()
}
