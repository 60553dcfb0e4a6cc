//! How many instructions a second the emulator executes: `ci/bench --emulator` compiles the examples and calls this.
//!
//! Goes in: PTX files named by the examples, and options. Comes out: a line for each kernel, of the best of several runs, by processor
//! time, which a busy machine changes little.
//! `--checks none|usual|all` and `--workers N` are as in `Launch`, with one core if nothing is said.

#![expect(clippy::print_stdout, reason = "it is what the program is for")]

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use weft_emulator::exec::device::{Device, Launch};
use weft_emulator::exec::launch::Checks;
use weft_emulator::program::link::{Input, link};
use weft_emulator::ptx::parse;

/// How often a kernel is run at least, and for how long altogether.
const RUNS: (usize, Duration) = (3, Duration::from_secs(1));

/// How much global memory there is, in bytes.
const MEMORY: u64 = 1 << 30;

/// An argument of a kernel.
#[derive(Clone)]
enum Arg {
    Bytes(Vec<u8>),
    /// A buffer of so many bytes, of small numbers in `float`.
    Floats(u64),
    /// The same, of any bits.
    Bits(u64),
}

struct Case {
    kernel: &'static str,
    launch: Launch,
    args: Vec<Arg>,
}

fn int(value: i32) -> Arg {
    Arg::Bytes(value.to_le_bytes().to_vec())
}

fn index(value: u64) -> Arg {
    Arg::Bytes(value.to_le_bytes().to_vec())
}

fn float(value: f32) -> Arg {
    Arg::Bytes(value.to_le_bytes().to_vec())
}

fn double(value: f64) -> Arg {
    Arg::Bytes(value.to_le_bytes().to_vec())
}

/// The kernels of an example, with launches of some 30 million instructions.
fn cases(example: &str) -> Vec<Case> {
    let case = |kernel, grid, block, args| Case { kernel, launch: Launch::new(grid, block), args };
    let one = |kernel, grid, block, args| vec![case(kernel, grid, block, args)];
    match example {
        "bitonic" => {
            let (n, buffers) = (1 << 15, [Arg::Bits(4 << 15), Arg::Bits(4 << 15)]);
            let with = |more: &[u64]| buffers.iter().cloned().chain(more.iter().map(|&n| index(n))).collect();
            let blocks = [n / 512, 1, 1];
            vec![
                case("bitonic_sort_block", blocks, [256, 1, 1], with(&[])),
                case("bitonic_merge_global", blocks, [256, 1, 1], with(&[2048, 1024])),
                case("bitonic_merge_block", blocks, [256, 1, 1], with(&[2048])),
            ]
        }
        "histogram" => {
            let args = vec![index(1 << 18), Arg::Bits(6 << 18), Arg::Bits(128)];
            one("exposure_histogram", [64, 1, 1], [256, 1, 1], args)
        }
        "hgemm" => {
            // Pairs of numbers in half precision, most of them around one.
            let (n, matrix, halves) = (256, Arg::Floats(4 << 16), Arg::Floats(2 << 16));
            let factors = [float(1.0), halves.clone(), int(n), halves, int(n)];
            let args = [&[int(n), int(n), int(n)][..], &factors, &[float(0.0), matrix, int(n)]].concat();
            one("hgemm", [4, 4, 1], [128, 1, 1], args)
        }
        "mandelbrot" => {
            let size = || [int(256), int(256)];
            let out = || [int(200), Arg::Bits(4 << 16)];
            let view = [float(-2.0), float(1.25), float(0.01)];
            let deep = [double(-2.0), double(1.25), double(0.01)];
            let grid = [8, 32, 1];
            vec![
                case("mandelbrot", grid, [32, 8, 1], [&size()[..], &view, &out()].concat()),
                case("mandelbrot_deep", grid, [32, 8, 1], [&size()[..], &deep, &out()].concat()),
            ]
        }
        "nbody" => {
            let buffers = [Arg::Floats(16 << 10), Arg::Floats(12 << 10), Arg::Floats(16 << 10)];
            let args = [&[int(1 << 10), float(0.01), float(0.1)][..], &buffers].concat();
            one("nbody", [4, 1, 1], [256, 1, 1], args)
        }
        "reduce" => {
            let args = || vec![index(1 << 20), Arg::Floats(4 << 20), Arg::Floats(4 << 10)];
            let with_shared = |mut case: Case| {
                case.launch.dynamic_shared = 32;
                case
            };
            ["block_sum", "block_max"]
                .map(|kernel| with_shared(case(kernel, [64, 1, 1], [256, 1, 1], args())))
                .into()
        }
        "saxpy" => {
            let args = vec![index(1 << 20), float(2.0), Arg::Floats(4 << 20), Arg::Floats(4 << 20)];
            one("saxpy", [256, 1, 1], [256, 1, 1], args)
        }
        "sgemm" => {
            let (n, matrix) = (256, Arg::Floats(4 << 16));
            let [m, k] = [n; 2];
            let factors = [float(1.0), matrix.clone(), int(n), matrix.clone(), int(n)];
            let args = [&[int(m), int(n), int(k)][..], &factors, &[float(0.0), matrix, int(n)]].concat();
            one("sgemm", [4, 4, 1], [256, 1, 1], args)
        }
        "stencil3d" => {
            let size = Arg::Bytes([64_i32, 64, 64].iter().flat_map(|n| n.to_le_bytes()).collect());
            let args = vec![size, float(0.4), float(0.1), Arg::Floats(4 << 18), Arg::Floats(4 << 18)];
            one("stencil3d", [2, 8, 1], [32, 8, 1], args)
        }
        "transpose" => {
            let args = vec![int(1024), int(1024), Arg::Floats(4 << 20), Arg::Floats(4 << 20)];
            one("transpose", [32, 32, 1], [32, 8, 1], args)
        }
        _ => Vec::new(),
    }
}

/// The numbers of Marsaglia's xorshift, the same each time.
fn random() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(0x9E37_79B9_u32), |&n| {
        let n = n ^ n << 13;
        let n = n ^ n >> 17;
        Some(n ^ n << 5)
    })
}

/// Puts the arguments into memory.
fn place(device: &Device<'_>, args: &[Arg]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let place_one = |arg: &Arg| -> Result<Vec<u8>, Box<dyn Error>> {
        let word = |bits: u32| match arg {
            Arg::Floats(_) => (bits as i32 as f32 / (1_u32 << 31) as f32).to_le_bytes(),
            Arg::Bytes(_) | Arg::Bits(_) => bits.to_le_bytes(),
        };
        match arg {
            Arg::Bytes(bytes) => Ok(bytes.clone()),
            Arg::Floats(size) | Arg::Bits(size) => {
                let bytes: Vec<u8> = random().take(*size as usize / 4).flat_map(word).collect();
                let address = device.global.allocate(*size, 256).map_err(|_| "there is not enough memory")?;
                device.global.write(address, &bytes).map_err(|error| error.to_string())?;
                Ok(address.to_le_bytes().to_vec())
            }
        }
    };
    args.iter().map(place_one).collect()
}

/// The time that this process has had of all processors.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn measure(path: &str, checks: Checks, n_workers: NonZeroUsize) -> Result<(), Box<dyn Error>> {
    let example = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    let example = example.split('.').next().unwrap_or(example);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let module = parse(&text).map_err(|error| format!("{path}:{error}"))?;
    let program = link(&[Input { name: path, text: &text, module: &module }])?;
    for case in cases(example) {
        let launch = Launch { checks, n_workers: Some(n_workers), ..case.launch };
        let (mut best, mut n_instructions, started) = (Duration::MAX, 0, Instant::now());
        let mut n_runs = 0;
        while n_runs < RUNS.0 || started.elapsed() < RUNS.1 {
            let mut device = Device::new(&program, MEMORY).expect("the host has room");
            let args = place(&device, &case.args)?;
            let start = processor_time();
            let done =
                device.launch(case.kernel, &launch, &args).map_err(|fault| format!("{path}: {fault}"))?;
            best = best.min(processor_time() - start);
            n_instructions = done.n_instructions;
            n_runs += 1;
        }
        let speed = n_instructions as f64 / best.as_secs_f64() / 1e6;
        let time = best.as_secs_f64() * 1e3;
        println!(
            "{:22} {:8.1} million instructions {time:8.1} ms {speed:6.0} million/s",
            case.kernel,
            n_instructions as f64 / 1e6
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut checks, mut n_workers) = (Checks::USUAL, NonZeroUsize::MIN);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &arg[..] {
            // What cargo says to all benches.
            "--bench" => {}
            "--checks" => {
                checks = match args.next().as_deref() {
                    Some("none") => Checks::NONE,
                    Some("usual") => Checks::USUAL,
                    Some("all") => Checks::ALL,
                    _ => return Err("--checks takes `none`, `usual` or `all`".into()),
                };
            }
            "--workers" => {
                let number = args.next().and_then(|number| number.parse().ok());
                n_workers = number.ok_or("--workers takes a number from one")?;
            }
            path => measure(path, checks, n_workers)?,
        }
    }
    Ok(())
}
