//! Runs the examples like a user would, and checks their results: each kernel is compared with the same computation
//! in Rust, on sizes that are not multiples of the block. Programs in C end in `.src`, those in C++ in `.cu`.

mod c;
mod cxx;

use std::fs;
use std::path::{Path, PathBuf};

use weft_run::buffer::Buffer;
use weft_run::device::emulator::Checks;
use weft_run::{Launch, Report, Tolerance, compare};

use crate::Failure;
use crate::random::Random;
use crate::tools::repository;

/// Runs the kernels of an example's PTX, and compares the results.
pub type Check = fn(ptx: &str) -> Result<(), Failure>;

/// The examples, by file name.
pub const EXAMPLES: [(&str, Check); 24] = [
    ("bitonic.src", c::bitonic),
    ("block_reduce.cu", cxx::block_reduce),
    ("call.src", c::call),
    ("convert.cu", cxx::convert),
    ("expressions.cu", cxx::expressions),
    ("fft.cu", cxx::fft),
    ("gravity.cu", cxx::gravity),
    ("hgemm.src", c::hgemm),
    ("histogram.src", c::histogram),
    ("layernorm.src", c::layernorm),
    ("mandelbrot.src", c::mandelbrot),
    ("nbody.src", c::nbody),
    ("radix_sort.cu", cxx::radix_sort),
    ("reduce.src", c::reduce),
    ("resample.src", c::resample),
    ("sample.cu", cxx::sample),
    ("saxpy.src", c::saxpy),
    ("scan.cu", cxx::scan),
    ("sgemm.src", c::sgemm),
    ("small_matrix.cu", cxx::small_matrix),
    ("stencil3d.src", c::stencil3d),
    ("tiled_product.cu", cxx::tiled_product),
    ("tiled_transpose.cu", cxx::tiled_transpose),
    ("transpose.src", c::transpose),
];

/// The examples that need a GPU: their files and kernels, and the instruction that the emulator lacks.
pub const FOR_GPUS: [(&str, &str, &str); 2] =
    [("blackwell_gemm.src", "blackwell_gemm", "tcgen05"), ("hopper_gemm.src", "hopper_gemm", "wgmma")];

/// The examples, in the order of their names.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn sources() -> Result<Vec<PathBuf>, Failure> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(repository().join("examples")).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        sources.extend(path.extension().is_some_and(|ext| ext == "src" || ext == "cu").then_some(path));
    }
    sources.sort();
    Ok(sources)
}

/// Those in C.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn sources_in_c() -> Result<Vec<PathBuf>, Failure> {
    Ok(sources()?.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "src")).collect())
}

/// Checks that each example in the folder has a check.
///
/// # Errors
///
/// If the folder cannot be read, or an example has no check.
pub fn all_have_checks() -> Result<(), Failure> {
    for path in sources()? {
        let mut known = EXAMPLES.iter().map(|(known, _)| *known).chain(FOR_GPUS.map(|(known, ..)| known));
        if !known.any(|known| path.ends_with(known)) {
            return Err(format!("{}: tests/src/examples has no check of it", path.display()));
        }
    }
    Ok(())
}

/// The GPU of an example by its first line; by default the usual one.
///
/// # Errors
///
/// If the example cannot be read.
pub fn arch(source: &Path, usual: &str) -> Result<String, Failure> {
    let text = fs::read_to_string(source).map_err(|e| e.to_string())?;
    let named = text.lines().next().and_then(|line| line.strip_prefix("//@ arch: "));
    Ok(named.unwrap_or(usual).trim().to_owned())
}

/// Whether nvcc's line tables have a line for each line of an `asm` text: from sm_100 on.
pub fn has_lines_of_asm(gpu: &str) -> bool {
    has_all_of(gpu.trim_end_matches(['a', 'f']), "sm_100")
}

/// Whether a GPU supports everything that another one does: a later one, unless the other's name ends in a
/// letter.
pub fn has_all_of(gpu: &str, named: &str) -> bool {
    let number =
        |name: &str| name.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse::<u32>().unwrap_or(0);
    gpu == named || !named.ends_with(['a', 'f']) && number(gpu) >= number(named)
}

fn launch(ptx: &str, kernel: &str) -> Launch {
    Launch::new().module("example.ptx", ptx).kernel(kernel).checks(Checks::ALL)
}

fn run(launch: Launch) -> Result<Report, Failure> {
    launch.run().map_err(|error| error.to_string())
}

/// Numbers from -1 to 1, each a multiple of 2⁻¹⁰, so that their products are exact.
fn numbers(seed: u64, n: usize) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..n).map(|_| (random.below(2049) as f32 - 1024.0) / 1024.0).collect()
}

/// Compares with a relative tolerance, to which `absolute` is added.
fn close(what: &str, found: &Buffer, wanted: &[f64], relative: f64, absolute: f64) -> Result<(), Failure> {
    let tolerance = Tolerance { relative, absolute, ulps: 0 };
    let comparison = compare(found, &Buffer::new(wanted), tolerance)?;
    if comparison.is_equal() { Ok(()) } else { Err(format!("{what}: {comparison}")) }
}

fn exact(what: &str, found: &Buffer, wanted: &Buffer) -> Result<(), Failure> {
    let comparison = compare(found, wanted, Tolerance::default())?;
    if comparison.is_equal() { Ok(()) } else { Err(format!("{what}: {comparison}")) }
}

/// Checks that the emulator names the instruction that it lacks; other suites check that ptxas accepts the
/// kernel.
///
/// # Errors
///
/// If it runs, or fails otherwise.
pub fn is_named(ptx: &str, kernel: &str, opcode: &str) -> Result<(), Failure> {
    match launch(ptx, kernel).run() {
        Ok(_) => Err(format!("the emulator runs `{opcode}`: compare what it computes")),
        Err(error) if error.to_string().contains(&format!("the emulator does not support `{opcode}`")) => {
            Ok(())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// `alpha * A * B + beta * C`, for matrices of `m`×`k` and `k`×`n` numbers with these row strides.
fn product(
    (m, n, k): (usize, usize, usize),
    alpha: f32,
    (a, lda): (&[f32], usize),
    (b, ldb): (&[f32], usize),
    beta: f32,
    (c, ldc): (&[f32], usize),
) -> Vec<f64> {
    let mut product: Vec<f64> = c.iter().map(|&c| f64::from(c)).collect();
    for row in 0..m {
        for column in 0..n {
            let of = |i: usize| f64::from(a[row * lda + i]) * f64::from(b[i * ldb + column]);
            let sum: f64 = (0..k).map(of).sum();
            let at = &mut product[row * ldc + column];
            *at = f64::from(alpha) * sum + f64::from(beta) * *at;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_result_is_found() {
        let found = Buffer::new(&[1.0_f32, 2.0]);
        assert!(close("y", &found, &[1.0, 2.000_01], 0.0, 1e-6).is_err());
        assert!(close("y", &found, &[1.0], 0.0, 1.0).is_err());
        assert!(exact("y", &found, &Buffer::new(&[1.0_f32, 2.5])).is_err());
        assert!(close("y", &found, &[1.0, 2.000_01], 0.0, 1e-4).is_ok());
    }

    #[test]
    fn every_example_is_checked() {
        all_have_checks().expect("all of them");
    }
}
