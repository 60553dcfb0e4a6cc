//! Programs whose host code and kernels are compiled by two compilers: the folders of `tests/programs`. Each is built once by NVIDIA's
//! tools alone, and with `weftc` for its files `weft_*.cu`. Both programs run with a CUDA runtime that records what is registered,
//! launched and asked for (`tests/programs/runtime.cpp`), and the records must be the same.
//!
//! Lines of `main.*` say how:
//!
//! ```text
//! // build: relocatable     the default: `-dc`, linked by `nvcc -dlink` and by `weftc -dlink`
//! // build: whole           `-c`
//! // build: archive         as relocatable, with the files of weftc in an archive (`-lib`)
//! // build: shared          `-c`, with all files but `main.*` in a shared library
//! // arch: sm_80            the default; several make an object with code for each
//! // host: ccbin            both compilers use clang for host code
//! // host: clang            beside weftc, clang itself compiles `main.cu` as CUDA
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::ptx_variable::own_name;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{self, Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let folder = repository().join("tests/programs");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_dir()).collect();
    folders.sort();
    for folder in folders {
        let program = Program::read(&folder)?;
        let mut needs = vec![Tool::Nvcc, Tool::Gxx];
        needs.extend((program.host != Host::Gxx).then_some(Tool::Clang));
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        suite.add(format!("programs/{name}"), &needs, move |bench| program.check(bench));
    }
    suite.add(
        "programs/of each runtime".to_owned(),
        &[Tool::Nvcc, Tool::NarrowPtxas, Tool::Gxx],
        of_each_runtime,
    );
    Ok(())
}

/// The runtime's file, of which the tests have their own.
const RUNTIME: &str = "libcudart.so.13";

/// How a program's objects become one program.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    Relocatable,
    Whole,
    Archive,
    Shared,
}

/// Who compiles host code.
#[derive(Clone, Copy, PartialEq)]
enum Host {
    Gxx,
    /// Clang, as nvcc's and weftc's compiler for the host.
    Ccbin,
    /// Clang, with CUDA as a language of its own.
    Clang,
}

struct Program {
    /// `main.*` first.
    files: Vec<PathBuf>,
    build: Build,
    host: Host,
    /// `-arch` or `-gencode`.
    arch: Vec<String>,
}

/// Who compiles kernels of `weft_*.cu` and launches of `main.cu`, and links device code.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Nvcc,
    Weftc,
}

impl Program {
    fn read(folder: &Path) -> Result<Program, Failure> {
        let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension != "h"));
        files.sort_by_key(|path| (path.file_stem().is_some_and(|stem| stem != "main"), path.clone()));
        let main = files.first().ok_or_else(|| format!("{} is empty", folder.display()))?;
        let text = fs::read_to_string(main).map_err(|e| format!("{}: {e}", main.display()))?;
        let word = |key: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
        let unknown = |word: &str| format!("{}: `{word}` is unknown", main.display());
        let build = match word("build: ") {
            None => Build::Relocatable,
            Some("whole") => Build::Whole,
            Some("archive") => Build::Archive,
            Some("shared") => Build::Shared,
            Some(other) => return Err(unknown(other)),
        };
        let host = match word("host: ") {
            None => Host::Gxx,
            Some("ccbin") => Host::Ccbin,
            Some("clang") => Host::Clang,
            Some(other) => return Err(unknown(other)),
        };
        let gpus: Vec<&str> = word("arch: ").unwrap_or("sm_80").split_whitespace().collect();
        let arch = match gpus[..] {
            [gpu] => vec![format!("-arch={gpu}")],
            _ => gpus
                .iter()
                .map(|gpu| format!("-gencode=arch={},code={gpu}", gpu.replace("sm", "compute")))
                .collect(),
        };
        Ok(Program { files, build, host, arch })
    }

    /// Builds and runs the program both ways.
    fn check(&self, bench: &Bench) -> Result<(), Failure> {
        let runtime = runtime(bench)?;
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let theirs = self.record(bench, work.path(), By::Nvcc, By::Nvcc, runtime)?;
        if !theirs.contains("kernel ") || !theirs.contains("launch ") {
            return Err(format!("nvcc's program records\n{theirs}"));
        }
        for linker in self.linkers() {
            let ours = self.record(bench, work.path(), By::Weftc, *linker, runtime)?;
            if ours != theirs {
                return Err(format!("nvcc's program records\n{theirs}\nweftc's\n{ours}"));
            }
        }
        Ok(())
    }

    /// Who links device code in the program with weftc.
    fn linkers(&self) -> &'static [By] {
        match self.build {
            Build::Relocatable | Build::Archive => &[By::Nvcc, By::Weftc],
            Build::Whole | Build::Shared => &[By::Weftc],
        }
    }

    /// What the program does: its launches in order, after what it registers.
    fn record(
        &self,
        bench: &Bench,
        work: &Path,
        kernels: By,
        linker: By,
        runtime: &Path,
    ) -> Result<String, Failure> {
        let program = self.link(bench, work, kernels, linker)?;
        let record = work.join("record.txt");
        let libraries = env::join_paths([runtime, work]).map_err(|e| e.to_string())?;
        let mut command = Command::new(&program);
        command.env("WEFT_RECORD", &record).env("LD_LIBRARY_PATH", libraries);
        tools::run(&mut command)?.success()?;
        let text = fs::read_to_string(&record).map_err(|e| format!("{}: {e}", record.display()))?;
        Ok(self.comparable(&text))
    }

    /// The record without the order of registration, and without what each compiler chooses of a name.
    fn comparable(&self, record: &str) -> String {
        let is_registration = |line: &str| {
            ["fat binary", "kernel ", "variable ", "managed variable "]
                .iter()
                .any(|start| line.starts_with(start))
        };
        let (registered, done): (Vec<&str>, Vec<&str>) =
            record.lines().partition(|line| is_registration(line));
        // Clang has no fat binary for a file without kernels.
        let counts = |line: &&str| self.host != Host::Clang || !line.starts_with("fat binary");
        let mut registered: Vec<String> =
            registered.into_iter().filter(counts).map(without_chosen_names).collect();
        registered.sort();
        let done = done.into_iter().map(without_chosen_names);
        registered.into_iter().chain(done).map(|line| line + "\n").collect()
    }

    /// Compiles and links everything; the program.
    fn link(&self, bench: &Bench, work: &Path, kernels: By, linker: By) -> Result<PathBuf, Failure> {
        let mut objects = Vec::new();
        for file in &self.files {
            objects.push(self.compile(bench, work, file, kernels)?);
        }
        let program = work.join("program");
        let mut host = self.host_compiler(bench)?;
        host.arg("-o").arg(&program);
        match self.build {
            Build::Relocatable => {
                host.arg(self.link_devices(bench, work, &objects, linker)?).args(&objects);
            }
            Build::Whole => {
                host.args(&objects);
            }
            Build::Archive => {
                let archive = work.join("kernels.a");
                let mut command = self.device_compiler(bench, linker)?;
                command.arg("-lib").args(&objects[1..]).arg("-o").arg(&archive);
                tools::run(&mut command)?.success()?;
                let inputs = [objects[0].clone(), archive];
                host.arg(self.link_devices(bench, work, &inputs, linker)?).args(inputs);
            }
            Build::Shared => {
                let library = work.join("libkernels.so");
                let mut command = self.host_compiler(bench)?;
                command.arg("-shared").args(&objects[1..]).arg("-o").arg(&library);
                tools::run(&mut command)?.success()?;
                host.arg(&objects[0]).arg(library);
            }
        }
        tools::run(host.arg(bench.tools.libraries()?.join(RUNTIME)))?.success()?;
        Ok(program)
    }

    fn link_devices(
        &self,
        bench: &Bench,
        work: &Path,
        inputs: &[PathBuf],
        linker: By,
    ) -> Result<PathBuf, Failure> {
        let object = work.join("link.o");
        let mut command = self.device_compiler(bench, linker)?;
        command.arg("-dlink").args(inputs).arg("-o").arg(&object);
        tools::run(&mut command)?.success()?;
        Ok(object)
    }

    /// The object of one file.
    fn compile(&self, bench: &Bench, work: &Path, file: &Path, kernels: By) -> Result<PathBuf, Failure> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let by_weftc = kernels == By::Weftc && name.starts_with("weft_");
        let by_clang = kernels == By::Weftc && name == "main" && self.host == Host::Clang;
        let object = work.join(format!("{name}{}.o", if by_weftc || by_clang { ".ours" } else { "" }));
        // nvcc's objects are the same in both programs.
        if object.exists() {
            return Ok(object);
        }
        let cuda = bench.tools.toolkit()?;
        let mut command = if file.extension().is_none_or(|extension| extension != "cu") {
            let mut command = self.host_compiler(bench)?;
            if file.extension().is_some_and(|extension| extension == "c") {
                command.args(["-x", "c"]);
            }
            command.arg("-c").arg("-isystem").arg(cuda.join("include"));
            command
        } else if by_clang {
            let mut command = bench.tools.tool(Tool::Clang)?;
            command.args(["-x", "cuda", "-c", "-Wno-unknown-cuda-version"]);
            command.arg(format!("--cuda-path={}", cuda.display()));
            command.args(self.arch.iter().map(|arch| arch.replace("-arch", "--cuda-gpu-arch")));
            command
        } else {
            let mut command = self.device_compiler(bench, if by_weftc { By::Weftc } else { By::Nvcc })?;
            command.arg(if matches!(self.build, Build::Whole | Build::Shared) { "-c" } else { "-dc" });
            if self.build == Build::Shared {
                command.args(["-Xcompiler", "-fPIC"]);
            }
            command
        };
        let answer = tools::run(command.arg(file).arg("-o").arg(&object))?.success()?;
        if by_weftc && !answer.stderr.is_empty() {
            return Err(answer.report("no message was expected"));
        }
        Ok(object)
    }

    fn device_compiler(&self, bench: &Bench, by: By) -> Result<Command, Failure> {
        let mut command = match by {
            By::Nvcc => bench.tools.tool(Tool::Nvcc)?,
            By::Weftc => bench.tools.weftc(),
        };
        command.args(&self.arch);
        if self.host == Host::Ccbin {
            command.args(["-ccbin", Tool::Clang.name()]);
        }
        Ok(command)
    }

    fn host_compiler(&self, bench: &Bench) -> Result<Command, Failure> {
        if self.host == Host::Gxx {
            return bench.tools.tool(Tool::Gxx);
        }
        let mut clang = bench.tools.tool(Tool::Clang)?;
        clang.arg("--driver-mode=g++");
        Ok(clang)
    }
}

/// A line without the part of a static variable's or kernel's name that each compiler chooses.
fn without_chosen_names(line: &str) -> String {
    line.split(' ').map(own_name).collect::<Vec<_>>().join(" ")
}

/// The folder of the runtime that records, built once.
fn runtime(bench: &Bench) -> Result<&'static Path, Failure> {
    static BUILT: OnceLock<Result<tempfile::TempDir, Failure>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let versions = folder.path().join("versions");
        fs::write(&versions, format!("{RUNTIME} {{ global: cuda*; __cuda*; local: *; }};\n"))
            .map_err(|e| e.to_string())?;
        let mut command = bench.tools.tool(Tool::Gxx)?;
        command.args(["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-isystem"]);
        command.arg(bench.tools.toolkit()?.join("include"));
        command.arg(format!("-Wl,-soname,{RUNTIME},--version-script={}", versions.display()));
        command
            .arg(repository().join("tests/programs/runtime.cpp"))
            .arg("-o")
            .arg(folder.path().join(RUNTIME));
        tools::run(&mut command)?.success()?;
        Ok(folder)
    });
    built.as_ref().map(tempfile::TempDir::path).map_err(Clone::clone)
}

/// Links an object with every kind of kernel and variable to NVIDIA's own runtimes, of CUDA 12 too, and starts the programs. Where
/// there is no GPU, the launch fails, and nothing else does.
fn of_each_runtime(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let kernels = repository().join("tests/programs/parameters/weft_kernels.cu");
    let object = work.path().join("kernels.o");
    let mut weftc = bench.tools.weftc();
    tools::run(weftc.args(["-arch=sm_80", "-c"]).arg(kernels).arg("-o").arg(&object))?.success()?;
    let main = work.path().join("main.cpp");
    fs::write(&main, LAUNCH_ALONE).map_err(|e| e.to_string())?;
    let narrow = bench.tools.tool(Tool::NarrowPtxas)?;
    let of_cuda_12 = Path::new(narrow.get_program()).ancestors().nth(3).ok_or("ptxas is in no toolkit")?;
    let libraries = bench.tools.libraries()?;
    let runtimes = [
        of_cuda_12.join("cuda_runtime/lib/libcudart.so.12"),
        libraries.join(RUNTIME),
        libraries.join("libcudart_static.a"),
    ];
    for runtime in runtimes {
        let program = work.path().join("program");
        let mut host = bench.tools.tool(Tool::Gxx)?;
        host.arg("-o").arg(&program).arg(&main).arg(&object).arg(&runtime).args([
            "-lpthread",
            "-ldl",
            "-lrt",
        ]);
        tools::run(&mut host)?.success()?;
        let mut command = Command::new(&program);
        command.envs(runtime.parent().map(|folder| ("LD_LIBRARY_PATH", folder)));
        let answer = tools::run(&mut command)?.success()?;
        if !answer.stdout.starts_with("launched: ") {
            return Err(answer.report("the program did not end by itself"));
        }
    }
    Ok(())
}

const LAUNCH_ALONE: &str = r#"
#include <cstdio>
struct dim3 { unsigned x, y, z; };
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
void nothing();
int main()
{
    printf("launched: %d\n", cudaLaunchKernel((const void *)nothing, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
}
"#;
