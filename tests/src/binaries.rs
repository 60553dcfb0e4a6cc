//! Damaged binaries: objects, cubins, archives, `.npy` files and libdevice, mutated by a seeded generator, as
//! input of the compiler.
//!
//! In: valid files, made by NVIDIA's programs and by this project. Out: a failure if the compiler ends other
//! than with exit code 0, 1 or 2 within its limits of time and memory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::Failure;
use crate::random::Random;
use crate::runner::Bench;
use crate::tools::{Answer, Tool, repository, run};

/// The number of damaged files of each kind; `WEFT_MUTATED_BINARIES` specifies the total number instead.
const N_OF_KIND: usize = 60;

/// The number of files per run of the compiler.
const N_AT_ONCE: usize = 20;

/// The limits of a run, in seconds and in KiB of address space.
const SECONDS: u32 = 10;
const KIB: u32 = 3 << 20;

const GPU: &str = "sm_80";

/// Device code with everything that the reader handles: functions, prototypes, variables in each state space.
const CODE: &str = "
struct Vector { float all[4]; };
__device__ int counter = 3;
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ __noinline__ int right(int a) { return a + counter; }
__device__ __noinline__ float aligned(int a, Vector v, double b) { return v.all[a & 3] + b + weights[a & 3]; }
__global__ void kernel(float *out, Vector v) { *out = aligned(right(2), v, 3); }
";

const USE: &str = "
struct Vector { float all[4]; };
extern __device__ int counter;
__device__ int right(int a);
__device__ float aligned(int a, struct Vector v, double b);
__global__ void use(float *out, struct Vector v) { *out = aligned(right(2), v, counter); }
";

const MATH: &str = "__global__ void k(float *x, double *y) { *x = sinf(*x) + powf(*x, 3); *y = sin(*y) + pow(*y, 3) + erf(*y); }\n";

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Objects of the host.
    Object,
    /// Objects of a GPU.
    Cubin,
    /// Archives.
    Archive,
    /// NumPy arrays.
    Npy,
    /// NVIDIA's mathematical functions, as LLVM's bitcode.
    Libdevice,
}

impl Kind {
    /// All kinds.
    pub const ALL: &[Kind] = &[Kind::Object, Kind::Cubin, Kind::Archive, Kind::Npy, Kind::Libdevice];

    /// The name of its trial.
    pub fn name(self) -> &'static str {
        self.extension()
    }

    fn extension(self) -> &'static str {
        match self {
            Kind::Object => "o",
            Kind::Cubin => "cubin",
            Kind::Archive => "a",
            Kind::Npy => "npy",
            Kind::Libdevice => "bc",
        }
    }

    /// The programs that make valid files of this kind.
    pub fn needs(self) -> &'static [Tool] {
        match self {
            Kind::Object | Kind::Cubin | Kind::Archive | Kind::Libdevice => &[Tool::Nvcc, Tool::Ptxas],
            Kind::Npy => &[],
        }
    }

    /// The share of files: libdevice takes a compilation each.
    fn share(self) -> f64 {
        match self {
            Kind::Object | Kind::Cubin | Kind::Archive => 0.25,
            Kind::Npy => 0.2,
            Kind::Libdevice => 0.05,
        }
    }
}

/// Tries damaged files of a kind.
///
/// # Errors
///
/// How the compiler ended, and for which file, which is kept.
pub fn check(bench: &Bench, kind: Kind) -> Result<(), Failure> {
    let n_files = match env::var("WEFT_MUTATED_BINARIES") {
        Err(_) => (N_OF_KIND as f64 * kind.share() * 4.0) as usize,
        Ok(text) => {
            let all: usize =
                text.parse().map_err(|_| format!("WEFT_MUTATED_BINARIES={text} is not a number"))?;
            (all as f64 * kind.share()).ceil() as usize
        }
    };
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let write = |name: &str, text: &str| fs::write(work.path().join(name), text).map_err(|e| e.to_string());
    write("use.src", USE)?;
    write("code.cu", CODE)?;
    write("math.src", MATH)?;
    write("array.src", "__global__ void k(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }\n")?;
    let sound = sound_files(bench, kind, work.path())?;
    let mut random = Random::new(0xb1a7 + kind as u64);
    let mut failures = Vec::new();
    let mut batch: Vec<PathBuf> = Vec::new();
    for idx in 0..n_files {
        let of = random.below(sound.len());
        let bytes = damaged(&sound[of], &mut random);
        let path = work.path().join(format!("damaged{idx}.{}", kind.extension()));
        fs::write(&path, bytes).map_err(|e| e.to_string())?;
        batch.push(path);
        if batch.len() == N_AT_ONCE || idx + 1 == n_files {
            failures.extend(try_batch(bench, kind, work.path(), &batch)?);
            batch.drain(..).try_for_each(fs::remove_file).map_err(|e| e.to_string())?;
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    let n_failures = failures.len();
    failures.truncate(3);
    Err(format!("{n_failures} of {n_files} damaged files are taken badly:\n{}", failures.join("\n")))
}

/// Valid files of a kind.
fn sound_files(bench: &Bench, kind: Kind, work: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let nvcc = |words: &str, out: &str| -> Result<(), Failure> {
        let mut command = bench.tools.tool(Tool::Nvcc)?;
        command.current_dir(work).args(words.split(' ')).args(["code.cu", "-o", out]);
        run(&mut command)?.success().map(drop)
    };
    let of_gpu = "-arch=sm_80 -dc -compress-mode=";
    match kind {
        Kind::Object | Kind::Archive => {
            nvcc(&format!("{of_gpu}none"), "none.o")?;
            nvcc(&format!("{of_gpu}default"), "default.o")?;
            nvcc(&format!("{of_gpu}size"), "size.o")?;
            nvcc("-concat -gencode arch=compute_80,code=[sm_80,compute_80] -dc", "concat.o")?;
        }
        Kind::Cubin => nvcc("-arch=sm_80 -rdc=true -cubin", "code.cubin")?,
        Kind::Npy | Kind::Libdevice => {}
    }
    let names: &[&str] = match kind {
        Kind::Object => &["none.o", "default.o", "size.o", "concat.o"],
        Kind::Archive => {
            let words = ["rcs", "all.a", "none.o", "default.o", "concat.o"];
            run(Command::new("ar").current_dir(work).args(words))?.success()?;
            &["all.a"]
        }
        Kind::Cubin => &["code.cubin"],
        Kind::Npy => return Ok(arrays()),
        Kind::Libdevice => {
            let path = bench.tools.toolkit()?.join("nvvm/libdevice/libdevice.10.bc");
            return Ok(vec![fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?]);
        }
    };
    names.iter().map(|name| fs::read(work.join(name)).map_err(|e| format!("{name}: {e}"))).collect()
}

/// NumPy arrays, in both versions of the header.
fn arrays() -> Vec<Vec<u8>> {
    let of = |version: u8, ty: &str, shape: &str, n_bytes: usize| {
        let mut header = format!("{{'descr': '{ty}', 'fortran_order': False, 'shape': {shape}, }}");
        let fixed = if version == 1 { 10 } else { 12 };
        header.extend(std::iter::repeat_n(' ', 63 - (fixed + header.len()) % 64));
        header.push('\n');
        let mut file = b"\x93NUMPY".to_vec();
        file.extend([version, 0]);
        let size = (header.len() as u32).to_le_bytes();
        file.extend(&size[..if version == 1 { 2 } else { 4 }]);
        file.extend(header.bytes());
        file.extend((0..n_bytes).map(|idx| idx as u8));
        file
    };
    vec![
        of(1, "<f4", "(32,)", 128),
        of(2, "<f4", "(4, 8)", 128),
        of(1, "|b1", "()", 1),
        of(1, "<i8", "(3, 1)", 24),
    ]
}

/// A file with some bytes changed.
fn damaged(sound: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = place(&bytes, random);
        match random.below(8) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.draw() as u8,
            2 => bytes.truncate(at),
            3 => {
                let end = (at + 1 + random.below(64)).min(bytes.len());
                bytes[at..end].fill(*random.of(&[0, 0xff]));
            }
            4 => {
                let part = bytes[at..(at + 1 + random.below(256)).min(bytes.len())].to_vec();
                let to = place(&bytes, random);
                bytes.splice(to..to, part);
            }
            5 => drop(bytes.drain(at..(at + 1 + random.below(64)).min(bytes.len()))),
            // A number, like those for sizes and offsets.
            _ => {
                let values =
                    [0, 1, 7, 64, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 40, i64::MAX as u64, u64::MAX];
                let width = *random.of(&[2, 4, 8]);
                let at = at / width * width;
                let number = random.of(&values).to_le_bytes();
                if let Some(part) = bytes.get_mut(at..at + width) {
                    part.copy_from_slice(&number[..width]);
                }
            }
        }
    }
    bytes
}

/// An offset in a file: mostly in its header or near the start of a fat binary, where sizes are.
fn place(bytes: &[u8], random: &mut Random) -> usize {
    const FAT_BINARY: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
    let near = |start: usize, random: &mut Random| (start + random.below(256)).min(bytes.len() - 1);
    match random.below(4) {
        0 => near(0, random),
        1 => {
            let found = bytes.windows(4).position(|part| part == FAT_BINARY);
            near(found.unwrap_or(0), random)
        }
        // Section tables are at the end.
        2 => near(bytes.len().saturating_sub(1024), random),
        _ => random.below(bytes.len()),
    }
}

/// Gives files to the compiler; if it fails on all together, each separately.
fn try_batch(bench: &Bench, kind: Kind, work: &Path, files: &[PathBuf]) -> Result<Vec<Failure>, Failure> {
    if kind != Kind::Libdevice && kind != Kind::Npy && bad_end(&read(bench, kind, work, files)?).is_none() {
        return Ok(Vec::new());
    }
    let mut failures = Vec::new();
    for file in files {
        let answer = read(bench, kind, work, std::slice::from_ref(file))?;
        if let Some(why) = bad_end(&answer) {
            let name = file.file_name().unwrap_or_default();
            let kept = repository().join("target/damaged");
            let kept = fs::create_dir_all(&kept).map(|()| kept.join(name)).map_err(|e| e.to_string())?;
            fs::copy(file, &kept).map_err(|e| e.to_string())?;
            failures.push(answer.report(&format!("{why}, on {}", kept.display())));
        }
    }
    Ok(failures)
}

/// A failure if the compiler ended abnormally.
fn bad_end(answer: &Answer) -> Option<String> {
    match answer.status {
        Some(0..=2) => None,
        Some(124 | 137) => Some(format!("it takes more than {SECONDS} s")),
        Some(status) => Some(format!("it ends with {status}")),
        None => Some("it ends by a signal".to_owned()),
    }
}

/// Gives files to the compiler, with limits on its time and memory.
fn read(bench: &Bench, kind: Kind, work: &Path, files: &[PathBuf]) -> Result<Answer, Failure> {
    let mut command = bench.tools.shell();
    let limited = format!("ulimit -v {KIB}; exec timeout -s KILL {SECONDS} \"$WEFTC\" \"$@\"");
    command.current_dir(work).args(["-c", &limited, "sh"]);
    match kind {
        Kind::Object | Kind::Cubin | Kind::Archive => {
            command.args(["check-abi", "-arch", GPU, "use.src"]).args(files);
        }
        Kind::Npy => {
            command.args([
                "run",
                "array.src",
                "-b",
                "4",
                "-a",
                &format!("@{}", files[0].display()),
                "-a",
                "[8]",
            ]);
        }
        Kind::Libdevice => {
            let folder = work.join("toolkit/nvvm/libdevice");
            fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
            fs::copy(&files[0], folder.join("libdevice.10.bc")).map_err(|e| e.to_string())?;
            command.args(["--cuda-path", "toolkit", "math.src", "--ptx", "-o", "/dev/null"]);
        }
    }
    run(&mut command)
}
