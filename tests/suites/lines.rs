//! The line tables of cubins: each line to which nvcc's `-lineinfo` maps code must have code in the output of
//! `weftc`, in the same function, except for listed lines with their reasons.
//!
//! Both tables are read from cubins that ptxas makes. For the examples and `tests/lines` all lines are
//! compared; for programs of `tests/run` most lines must be present, since each compiler optimizes
//! differently. `WEFT_LINES=all` compares all of those; by default it is a share.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit, Machine, Oracle, Settings};
use weft_tests::examples;
use weft_tests::launches;
use weft_tests::line_table::{self, Line, Lines};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository, run};

/// The GPU of the examples, except those that name another one.
const ARCH: &str = "sm_90";

/// One program of `tests/run` in this many is checked.
const SHARE: usize = 7;

/// One line of a program in this many may be missing, plus one: of the lines in the PTX of `weftc`, and of
/// all lines in the cubin, where ptxas joins some with others.
const ONE_IN: usize = 8;

/// Why a line of an example has no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// LLVM's code generator sinks the instructions to their use, and gives them its line.
    Sunk,
    /// The instructions are attributed to another line: common subexpressions are computed once, sums are
    /// reordered, constants become parts of addresses.
    Joined,
}

/// The lines of examples that have code in nvcc's output and not in that of `weftc`, at -O3.
const KNOWN: &[(&str, &str, Reason)] = &[
    ("bitonic", "const int i = first + threadIdx.x;", Reason::Joined),
    ("bitonic", "const Index at = (Index)blockIdx.x * RUN + i;", Reason::Joined),
    ("blackwell_gemm", "for (int i = 0; i < BK / 16; i++)", Reason::Joined),
    ("hgemm", "const int count = left < CHUNK ? left : CHUNK;", Reason::Joined),
    ("hgemm", "const int chunk = i % A_CHUNKS;", Reason::Joined),
    ("hgemm", "const int chunk = i % B_CHUNKS;", Reason::Joined),
    ("histogram", "const Index stride = (Index)gridDim.x * THREADS;", Reason::Sunk),
    ("mandelbrot", "const float c_re = left + col * pixel;", Reason::Sunk),
    ("mandelbrot", "const float c_im = top - row * pixel;", Reason::Sunk),
    ("mandelbrot", "const double c_re = left + col * pixel;", Reason::Sunk),
    ("mandelbrot", "const double c_im = top - row * pixel;", Reason::Sunk),
    ("reduce", "const int warp = threadIdx.x / WARP;", Reason::Sunk),
    (
        "resample",
        "resample(cudaTextureObject_t in, cudaSurfaceObject_t out, int width, int height,",
        Reason::Sunk,
    ),
    ("sgemm", "for (int i = 0; i < PER_THREAD; i++) {", Reason::Joined),
    ("sgemm", "const int row = row0 + ty + i * STEP_M;", Reason::Joined),
    ("sgemm", "const int col = col0 + tx + j * STEP_N;", Reason::Joined),
    ("stencil3d", "const long long slice = row * size.ny;", Reason::Sunk),
];

/// The same for programs of `tests/run` with so few lines that these exceed the permitted share.
const KNOWN_OF_RUNS: &[(&str, &str, Reason)] = &[
    // One of two returns gives no value, or both give the same: one is left.
    ("loose_programs", "return n;", Reason::Joined),
    ("loose_programs", "return p;", Reason::Joined),
];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let step = if env::var("WEFT_LINES").is_ok_and(|which| which == "all") { 1 } else { SHARE };
    let mut sources = examples::sources_in_c()?;
    sources.extend(files(&repository().join("tests/lines"), "src")?);
    let runs = files(&repository().join("tests/run"), "src")?;
    for source in sources {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let debugged = source.clone();
        let name = source.strip_prefix(repository()).unwrap_or(&source).display().to_string();
        suite.add(format!("lines/{name} (-G)"), &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            all_for_a_debugger(bench, &debugged)
        });
        suite.add(format!("lines/{name}"), &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            let program = Program::compile(bench, &source, &examples::arch(&source, ARCH)?, Vec::new())?;
            program.all_but(&KNOWN.iter().filter(|(name, ..)| *name == stem).collect::<Vec<_>>())?;
            program.most_in_cubin()
        });
    }
    for source in runs.into_iter().step_by(step) {
        let text = fs::read_to_string(&source).map_err(|e| e.to_string())?;
        let directives = Directives::parse_with(&text, &mut |_, key, _| Ok(launches::is_of_runs(key)))?;
        let settings = directives.all_settings()?.swap_remove(0);
        // nvcc does not support 32-bit addresses, and crashes at some programs.
        if settings.machine() == Machine::Bits32 || settings.nvcc == Some(Oracle::Unchecked) {
            continue;
        }
        let name = source.strip_prefix(repository()).unwrap_or(&source).display();
        suite.add(format!("lines/{name}"), &[Tool::Nvcc, Tool::Ptxas], move |bench| {
            let options = settings.args.into_iter().filter(|option| !option.starts_with("-O")).collect();
            let program = Program::compile(bench, &source, &settings.arch, options)?;
            program.most_in_text()?;
            program.most_in_cubin()
        });
    }
    Ok(())
}

/// The line tables of both compilers for a program.
struct Program {
    /// The name of its file without `.src`.
    stem: String,
    /// Its lines.
    text: Vec<String>,
    /// nvcc's cubin, for the program itself, without NVIDIA's headers.
    nvcc: Lines,
    /// Our cubin.
    cubin: Lines,
    /// Our PTX, at -O3 and at -O0.
    o3: Lines,
    o0: Lines,
}

impl Program {
    fn compile(bench: &Bench, source: &Path, arch: &str, options: Vec<String>) -> Result<Program, Failure> {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let text = read_lines(source)?;
        let is_own = |line: &Line| is_of(line, source) && !is_counted_in_text(line, &text, arch);
        let mut for_nvcc = vec!["-lineinfo", "-w"];
        for_nvcc.extend(
            options.iter().map(String::as_str).filter(|option| *option == "--expt-relaxed-constexpr"),
        );
        let theirs = bench.nvcc_ptx_with(source, arch, &for_nvcc, work.path())?;
        let mut nvcc = table(bench, &theirs, arch, "-lineinfo", work.path())?;
        // nvcc adds a number to the names of internal functions.
        nvcc.retain(|function, _| !function.contains("_INTERNAL_"));
        // For inlined code, ptxas sometimes writes the file of another row.
        let said = line_table::directives(&theirs);
        for (function, lines) in &mut nvcc {
            lines.retain(|line| is_own(line) && said.get(function).is_some_and(|said| said.contains(line)));
        }
        let n_lines: usize = nvcc.values().map(BTreeSet::len).sum();
        if n_lines == 0 {
            return Err("nvcc's table has no line".into());
        }
        let at = |level: &str| {
            let directory =
                format!("-fdebug-compilation-dir={}", source.parent().unwrap_or(source).display());
            let mut args = vec!["-w".to_owned(), "-lineinfo".into(), level.into(), directory];
            args.extend(options.iter().cloned());
            let settings = Settings { args, arch: arch.into(), ..Directives::parse("")?.settings(None)? };
            bench.emit(source, Emit::Ptx, &settings, work.path())
        };
        let ours = at("-O3")?;
        Ok(Program {
            stem: source.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            text,
            nvcc,
            cubin: table(bench, &ours, arch, "-lineinfo", work.path())?,
            o3: line_table::directives(&ours),
            o0: line_table::directives(&at("-O0")?),
        })
    }

    /// The lines in nvcc's cubin that another table lacks in the same function.
    fn missing<'p>(&'p self, ours: &'p Lines) -> impl Iterator<Item = (&'p str, &'p Line)> {
        self.nvcc.iter().flat_map(move |(function, lines)| {
            let is_there = |line: &Line| ours.get(function).is_some_and(|ours| ours.contains(line));
            lines.iter().filter(move |line| !is_there(line)).map(move |line| (function.as_str(), line))
        })
    }

    /// At -O3 all lines except the known ones are present, and the known ones are not; at -O0 all are
    /// present, in their function.
    fn all_but(&self, known: &[&(&str, &str, Reason)]) -> Result<(), Failure> {
        let mut wrong = Vec::new();
        let mut found = BTreeSet::new();
        for (function, line) in self.missing(&self.o3) {
            let text = self.text(line);
            if known.iter().any(|(_, known, _)| *known == text) {
                found.insert(text);
            } else {
                wrong.push(format!("{function}: nothing is from line {}: {text}", line.1));
            }
        }
        for (_, text, reason) in known.iter().filter(|(_, text, _)| !found.contains(text)) {
            wrong.push(format!("listed as {reason:?}, and there: {text}"));
        }
        let anywhere: BTreeSet<&Line> = self.o0.values().flatten().collect();
        for line in self.nvcc.values().flatten().filter(|line| !anywhere.contains(line)) {
            wrong.push(format!("at -O0 nothing is from line {}: {}", line.1, self.text(line)));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }

    fn most_in_text(&self) -> Result<(), Failure> {
        self.most(&self.o3, "PTX")
    }

    fn most_in_cubin(&self) -> Result<(), Failure> {
        self.most(&self.cubin, "cubin")
    }

    fn most(&self, ours: &Lines, place: &str) -> Result<(), Failure> {
        let n_lines: usize = self.nvcc.values().map(BTreeSet::len).sum();
        let is_known = |text: &str| {
            KNOWN_OF_RUNS.iter().any(|(program, known, _)| *program == self.stem && *known == text)
        };
        let missing: Vec<String> = self
            .missing(ours)
            .filter(|(_, line)| !is_known(self.text(line)))
            .map(|(function, line)| format!("  {function}: {}: {}", line.1, self.text(line)))
            .collect();
        if missing.len() * ONE_IN <= n_lines + ONE_IN {
            return Ok(());
        }
        Err(format!(
            "{} of nvcc's {n_lines} lines are not in the {place}:\n{}",
            missing.len(),
            missing.join("\n")
        ))
    }

    fn text(&self, line: &Line) -> &str {
        self.text.get(line.1 as usize - 1).map_or("", |text| text.trim())
    }
}

/// Whether a line is in the program or in headers next to it, rather than NVIDIA's.
fn is_of(line: &Line, source: &Path) -> bool {
    Path::new(&line.0).parent() == source.parent()
}

fn read_lines(source: &Path) -> Result<Vec<String>, Failure> {
    Ok(fs::read_to_string(source).map_err(|e| e.to_string())?.lines().map(str::to_owned).collect())
}

/// Whether it is a line in the text of an `asm`, on a GPU for which nvcc counts lines in that text, starting
/// at the `asm`, regardless of the program's lines.
fn is_counted_in_text(line: &Line, text: &[String], arch: &str) -> bool {
    let is_literal = text.get(line.1 as usize - 1).is_some_and(|text| text.trim_start().starts_with('"'));
    examples::has_lines_of_asm(arch) && is_literal
}

/// With -G every line of nvcc's -G is present, in the same function of the cubin.
fn all_for_a_debugger(bench: &Bench, source: &Path) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let arch = examples::arch(source, ARCH)?;
    let theirs = bench.nvcc_ptx_with(source, &arch, &["-G", "-w"], work.path())?;
    let directory = format!("-fdebug-compilation-dir={}", source.parent().unwrap_or(source).display());
    let args = vec!["-w".to_owned(), "-G".into(), directory];
    let settings = Settings { args, arch: arch.clone(), ..Directives::parse("")?.settings(None)? };
    let ours = bench.emit(source, Emit::Ptx, &settings, work.path())?;
    let theirs = table(bench, &theirs, &arch, "-g", work.path())?;
    let ours = table(bench, &ours, &arch, "-g", work.path())?;
    let text = read_lines(source)?;
    let is_compared = |line: &&Line| is_of(line, source) && !is_counted_in_text(line, &text, &arch);
    let mut missing = Vec::new();
    let mut n_lines = 0;
    for (function, lines) in theirs.iter().filter(|(function, _)| !function.contains("_INTERNAL_")) {
        for line in lines.iter().filter(is_compared) {
            n_lines += 1;
            if !ours.get(function).is_some_and(|ours| ours.contains(line)) {
                missing.push(format!("{function}: nothing is from line {}", line.1));
            }
        }
    }
    match (n_lines, missing.as_slice()) {
        (0, _) => Err("nvcc's table has no line".into()),
        (_, []) => Ok(()),
        _ => Err(missing.join("\n")),
    }
}

/// The line table of ptxas for a text, with the options for the text's debug information.
fn table(bench: &Bench, ptx: &str, arch: &str, debug: &str, work: &Path) -> Result<Lines, Failure> {
    let (text, cubin): (PathBuf, PathBuf) = (work.join("lines.ptx"), work.join("lines.cubin"));
    fs::write(&text, ptx).map_err(|e| e.to_string())?;
    let mut ptxas = bench.tools.tool(Tool::Ptxas)?;
    ptxas.args(["-c", debug]).arg(format!("-arch={arch}")).arg("-o").arg(&cubin).arg(&text);
    run(&mut ptxas)?.success()?;
    let lines = line_table::read(fs::read(&cubin).map_err(|e| e.to_string())?)?;
    let mut joined = Lines::new();
    for (function, lines) in lines {
        joined.entry(original(&function).to_owned()).or_default().extend(lines);
    }
    Ok(joined)
}

/// The function that ptxas has cloned: `f` for `f$2`.
fn original(symbol: &str) -> &str {
    match symbol.rsplit_once('$') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => symbol,
    }
}
