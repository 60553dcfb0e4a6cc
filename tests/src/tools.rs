//! `weftc`, and tools that may be missing.
//!
//! A tool is searched for in `.toolchain/cuda` of the repository, then in `CUDA_PATH`, then in `PATH`.
//! `weftc` is the program that `WEFTC` names, or else the one that cargo built together with the tests, so
//! that no suite ever tests a stale binary.
//!
//! ptxas 13 does not support 32-bit addresses: the one of CUDA 12 is a separate tool, [`Tool::NarrowPtxas`].
//!
//! A missing tool is a skip, which is counted and printed; with `WEFT_REQUIRE_TOOLS=1` it is a failure.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::{env, fs};

use crate::Failure;
use crate::conformance::producer::Memory;

/// A program that a test may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// NVIDIA's compiler: the oracle.
    Nvcc,
    /// Assembles PTX to a cubin.
    Ptxas,
    /// The same of an older toolkit, which supports 32-bit addresses.
    NarrowPtxas,
    /// Links cubins.
    Nvlink,
    /// Dumps objects.
    Cuobjdump,
    /// Disassembles cubins.
    Nvdisasm,
    /// LLVM's code generator.
    Llc,
    /// LLVM's checker of text output.
    FileCheck,
    /// LLVM's reader of debug information.
    Dwarfdump,
    /// A C++ compiler, whose warnings are compared with ours.
    Clang,
    /// The host's C++ compiler, whose preprocessor nvcc runs.
    Gxx,
    /// Generates random C programs.
    Csmith,
    /// The host's debugger.
    Gdb,
    /// A build system, for the examples in the guide.
    Cmake,
    /// Another build system.
    Meson,
    /// Another one, which runs commands.
    Ninja,
    /// A cache of compilers.
    Ccache,
    /// Another one, which can be shared.
    Sccache,
    /// The language server of clang.
    Clangd,
    /// Lists the files that a program opens.
    Strace,
}

impl Tool {
    /// All tools.
    pub const ALL: [Tool; 20] = [
        Tool::Nvcc,
        Tool::Ptxas,
        Tool::NarrowPtxas,
        Tool::Nvlink,
        Tool::Cuobjdump,
        Tool::Nvdisasm,
        Tool::Llc,
        Tool::FileCheck,
        Tool::Dwarfdump,
        Tool::Clang,
        Tool::Gxx,
        Tool::Csmith,
        Tool::Gdb,
        Tool::Cmake,
        Tool::Meson,
        Tool::Ninja,
        Tool::Ccache,
        Tool::Sccache,
        Tool::Clangd,
        Tool::Strace,
    ];

    /// Its file name.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Nvcc => "nvcc",
            Tool::Ptxas => "ptxas",
            Tool::NarrowPtxas => "ptxas-12",
            Tool::Nvlink => "nvlink",
            Tool::Cuobjdump => "cuobjdump",
            Tool::Nvdisasm => "nvdisasm",
            Tool::Llc => "llc-22",
            Tool::FileCheck => "FileCheck-22",
            Tool::Dwarfdump => "llvm-dwarfdump-22",
            Tool::Clang => "clang-22",
            Tool::Gxx => "g++",
            Tool::Csmith => "csmith",
            Tool::Gdb => "gdb",
            Tool::Cmake => "cmake",
            Tool::Meson => "meson",
            Tool::Ninja => "ninja",
            Tool::Ccache => "ccache",
            Tool::Sccache => "sccache",
            Tool::Clangd => "clangd-22",
            Tool::Strace => "strace",
        }
    }

    /// The tool with this file name.
    pub fn from_name(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The tools found on this machine.
#[derive(Clone, Debug)]
pub struct Tools {
    weftc: PathBuf,
    found: BTreeMap<Tool, PathBuf>,
    /// The folders of NVIDIA's programs, which find each other through `PATH`.
    path: OsString,
    required: bool,
    nvcc_memory: Option<Arc<Memory>>,
}

/// An option for nvcc by which it does not read the host's special functions of C++17 (`std::legendre`). `<cmath>` brings
/// them into every program, where they take a quarter of nvcc's time. Device code cannot call them, nor do CUDA's headers.
pub const NO_SPECIAL_FUNCTIONS: &str = "-D_GLIBCXX_BITS_SPECFUN_H";

/// The result of running a program.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// The command, as a line for a shell.
    pub line: String,
}

impl Answer {
    /// The answer, if the status is 0.
    ///
    /// # Errors
    ///
    /// The command and its output.
    pub fn success(self) -> Result<Answer, Failure> {
        if self.status == Some(0) { Ok(self) } else { Err(self.report("failed")) }
    }

    /// A phrase, followed by the command and its output.
    pub fn report(&self, phrase: &str) -> Failure {
        let status = self.status.map_or("a signal".to_owned(), |s| s.to_string());
        let mut text = format!("{phrase} (exit status {status}):\n  {}\n", self.line);
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("--- {name}\n{}\n", shortened(stream)));
            }
        }
        text
    }
}

/// The maximum length of a stream in a failure.
const MAX_SHOWN: usize = 6000;

fn shortened(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(MAX_SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n[{} bytes more]", &text[..end], text.len() - end),
    }
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("invariant: the crate lies in the workspace").to_owned()
}

impl Tools {
    /// Finds all tools. `weftc` is the compiler to test unless `WEFTC` names another one.
    ///
    /// # Errors
    ///
    /// If there is no `weftc`.
    pub fn find(weftc: &Path) -> Result<Tools, Failure> {
        let folders = tool_folders();
        let find = |tool: Tool| {
            if tool == Tool::NarrowPtxas {
                return narrow_ptxas();
            }
            let beside = folders.iter().map(|folder| folder.join(tool.name())).find(|p| p.is_file());
            beside.or_else(|| which::which(tool.name()).ok())
        };
        let found: BTreeMap<Tool, PathBuf> =
            Tool::ALL.into_iter().filter_map(|tool| Some((tool, find(tool)?))).collect();
        let mut path: Vec<PathBuf> =
            found.get(&Tool::Nvcc).and_then(|nvcc| nvcc.parent()).map(Path::to_owned).into_iter().collect();
        path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        // Build systems find the programs that are next to them.
        let beside = [Tool::Cmake, Tool::Meson].into_iter().filter_map(|tool| found.get(&tool)?.parent());
        path.extend(beside.map(Path::to_owned));
        let path = env::join_paths(path).map_err(|e| e.to_string())?;
        let required = env::var("WEFT_REQUIRE_TOOLS").is_ok_and(|v| !v.is_empty() && v != "0");
        Ok(Tools { weftc: find_weftc(weftc)?, found, path, required, nvcc_memory: None })
    }

    /// Only these programs, for tests of the bench itself.
    #[cfg(test)]
    pub(crate) fn of_programs(weftc: PathBuf, found: BTreeMap<Tool, PathBuf>) -> Tools {
        let path = env::var_os("PATH").unwrap_or_default();
        Tools { weftc, found, path, required: true, nvcc_memory: None }
    }

    /// Which of `needs` are missing on this machine.
    pub fn absent(&self, needs: &[Tool]) -> Vec<Tool> {
        needs.iter().copied().filter(|tool| !self.found.contains_key(tool)).collect()
    }

    /// Whether a missing tool is a failure instead of a skip.
    pub fn required(&self) -> bool {
        self.required
    }

    /// The same tools, which run nvcc once for each text, however many trials compare with its answer.
    #[must_use]
    pub fn remember_nvcc(self) -> Tools {
        Tools { nvcc_memory: Some(Arc::default()), ..self }
    }

    /// nvcc's answers, if they are remembered.
    pub(crate) fn nvcc_memory(&self) -> Option<&Memory> {
        self.nvcc_memory.as_deref()
    }

    /// A command that runs `weftc`.
    pub fn weftc(&self) -> Command {
        self.command(&self.weftc)
    }

    /// A command that runs the shell, with `weftc` as `$WEFTC`, the tools in `PATH`, and the ptxas of CUDA 12 as `$NARROW_PTXAS`.
    pub fn shell(&self) -> Command {
        let mut shell = self.command(Path::new("sh"));
        shell.env("WEFTC", &self.weftc);
        shell.envs(self.found.get(&Tool::NarrowPtxas).map(|path| ("NARROW_PTXAS", path)));
        shell
    }

    /// A command that runs a tool.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn tool(&self, tool: Tool) -> Result<Command, Failure> {
        let path = self.found.get(&tool).ok_or_else(|| format!("{tool} is absent"))?;
        Ok(self.command(path))
    }

    /// The folder of the toolkit that nvcc belongs to.
    ///
    /// # Errors
    ///
    /// If nvcc is missing, or is alone.
    pub fn toolkit(&self) -> Result<PathBuf, Failure> {
        let nvcc = self.found.get(&Tool::Nvcc).ok_or_else(|| format!("{} is absent", Tool::Nvcc))?;
        let folder = nvcc.parent().and_then(Path::parent).ok_or("nvcc is in no toolkit")?;
        Ok(folder.to_owned())
    }

    /// The folder of the toolkit's libraries for the host.
    ///
    /// # Errors
    ///
    /// If the toolkit or its libraries are missing.
    pub fn libraries(&self) -> Result<PathBuf, Failure> {
        let toolkit = self.toolkit()?;
        let mut folders = ["lib64", "lib"].into_iter().map(|name| toolkit.join(name));
        folders
            .find(|folder| folder.join("libcudart_static.a").is_file())
            .ok_or_else(|| format!("{} has no libcudart_static.a", toolkit.display()))
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", &self.path).stdin(Stdio::null());
        command
    }
}

/// Runs a command to its end.
///
/// # Errors
///
/// If it does not start.
pub fn run(command: &mut Command) -> Result<Answer, Failure> {
    let line = paste_line(command);
    let Output { status, stdout, stderr } =
        command.output().map_err(|e| format!("does not start: {e}\n  {line}"))?;
    Ok(Answer {
        status: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        line,
    })
}

/// The command as a line for a shell.
fn paste_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The folders with NVIDIA's programs, the repository's own first.
fn tool_folders() -> Vec<PathBuf> {
    let own = repository().join(".toolchain").join("cuda");
    let roots = [Some(own), env::var_os("CUDA_PATH").map(PathBuf::from)];
    let mut folders = Vec::new();
    for root in roots.into_iter().flatten() {
        folders.push(root.join("bin"));
        folders.extend(wheel_folders(&root));
    }
    folders
}

/// The ptxas of CUDA 12, in a separate folder so that it is not confused with the current one: what
/// `WEFT_NARROW_PTXAS` names, or the repository's own.
fn narrow_ptxas() -> Option<PathBuf> {
    let named = env::var_os("WEFT_NARROW_PTXAS").map(PathBuf::from);
    let own = wheel_folders(&repository().join(".toolchain").join("cuda12"));
    let candidates = named.into_iter().chain(own.into_iter().map(|folder| folder.join("ptxas")));
    candidates.into_iter().find(|path| path.is_file())
}

/// `lib/python3*/site-packages/nvidia/*/bin` of a Python environment.
fn wheel_folders(root: &Path) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| -> Vec<PathBuf> {
        let read = fs::read_dir(folder).map(|entries| entries.filter_map(|e| Some(e.ok()?.path())).collect());
        let mut paths: Vec<PathBuf> = read.unwrap_or_default();
        paths.sort();
        paths
    };
    let pythons = entries(root.join("lib"));
    let toolkits = pythons.into_iter().flat_map(|p| entries(p.join("site-packages").join("nvidia")));
    toolkits.map(|toolkit| toolkit.join("bin")).filter(|bin| bin.is_dir()).collect()
}

/// `WEFTC`, or the given one.
fn find_weftc(built: &Path) -> Result<PathBuf, Failure> {
    let Some(named) = env::var_os("WEFTC").map(PathBuf::from) else {
        return match built.is_file() {
            true => Ok(built.to_owned()),
            false => Err(format!("{} is missing; build it, or set WEFTC", built.display())),
        };
    };
    named.canonicalize().map_err(|e| format!("WEFTC={}: {e}", named.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tools_are_one_to_one() {
        for tool in Tool::ALL {
            assert_eq!(Tool::from_name(tool.name()), Some(tool));
        }
        assert_eq!(Tool::from_name("gcc"), None);
    }

    #[test]
    fn an_absent_tool_is_named() {
        let tools = Tools::of_programs("weftc".into(), BTreeMap::from([(Tool::Ptxas, "ptxas".into())]));
        assert_eq!(tools.absent(&[Tool::Ptxas, Tool::Nvcc]), [Tool::Nvcc]);
        assert!(tools.tool(Tool::Nvcc).is_err());
    }

    #[test]
    fn a_failed_command_is_shown_as_it_can_be_pasted() {
        let answer = run(Command::new("sh").args(["-c", "echo it said; exit 3"])).expect("sh starts");
        let report = answer.success().expect_err("status 3");
        assert!(report.contains("sh -c 'echo it said; exit 3'"), "{report}");
        assert!(report.contains("exit status 3") && report.contains("it said"), "{report}");
    }
}
