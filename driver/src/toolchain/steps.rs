//! The pipeline's use of NVIDIA's programs: assemble, link, wrap in a host object.
//!
//! In: files by path, and bytes. Out: the bytes that a program made, which the caller writes to their
//! destination. Programs write only into a temporary folder, so a program that dies half-way leaves nothing
//! behind.
//!
//! The report of a failed program has its command line and its output. The kind of failure depends on the
//! cause: invalid PTX of the user and mismatched symbols are the user's errors; a version or target that the
//! program does not support is the environment's; generated PTX that is rejected is a bug in the compiler.

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use weft_frontend::MacroOption;
use weft_frontend::layout::DataModel;
use weft_lower::DebugInfo;
use weft_lower::target::Target;

use super::artifact::Artifact;
use super::run::{Invocation, Ran};
use super::{ImageKind, Passed, Tool, ToolOptions, discover, host_object};
use crate::emit::report;
use crate::emit::times::Times;
use crate::error::{Error, Message};
use crate::findings::tool_message::{self, ToolMessage};
use crate::headers::Preprocessing;
use crate::interrupt::{self, Held};
use crate::session::Session;

/// NVIDIA's programs for one run of the compiler.
#[derive(Debug)]
pub struct Workbench<'s> {
    debug: DebugInfo,
    model: DataModel,
    options: &'s ToolOptions,
    passed: &'s Passed,
    /// Whether to print programs that are run.
    verbose: bool,
    /// Whether programs are only printed.
    dry_run: bool,
    /// How many programs may run at the same time.
    n_workers: usize,
    /// Created when the first program needs it.
    folder: Option<(tempfile::TempDir, Held)>,
    /// The durations of the programs.
    pub times: Times,
}

/// PTX to assemble.
#[derive(Clone, Copy, Debug)]
pub struct Ptx<'a> {
    /// The base name for output files.
    pub stem: &'a str,
    /// The text.
    pub text: &'a [u8],
    /// Whether this compiler generated it, and so guarantees that it assembles.
    pub is_ours: bool,
}

/// A part of a fat binary.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its kind.
    pub kind: ImageKind,
    /// The GPU that it is for; for PTX, also later ones.
    pub target: Target,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Whether the code of a fat binary is linked with other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linking {
    /// It is a whole program.
    None,
    /// It will be.
    Relocatable,
    /// It was.
    Linked,
}

/// The result of a program.
#[derive(Debug)]
pub struct Made {
    /// The output; `None` if the program failed.
    pub bytes: Option<Vec<u8>>,
    /// Its messages.
    pub messages: Vec<ToolMessage>,
    invocation: Invocation,
    ran: Ran,
    /// The command line without the user's own options, if there are any.
    plain: Option<Invocation>,
}

impl Made {
    fn of(invocation: Invocation, ran: Ran, output: &Path, plain: Option<Invocation>) -> Result<Self, Error> {
        let bytes = if ran.status.success() {
            let checked = Artifact::Cubin.read(output).map_err(|why| {
                let message = failed_silently(&why, &invocation, &ran);
                match &plain {
                    Some(_) => message.help("the options passed with `-Xptxas` may be the cause"),
                    None => message,
                }
            });
            Some(checked.map_err(Message::environment)?)
        } else {
            None
        };
        let messages = tool_message::read(&format!("{}\n{}", ran.stderr, ran.stdout));
        Ok(Made { bytes, messages, invocation, ran, plain })
    }
}

/// The options that link the device runtime of nvlink's toolkit, like nvcc.
fn device_runtime(nvlink: &Path) -> Option<[String; 2]> {
    let root = nvlink.parent()?.parent()?;
    let folders = ["lib", "lib64", "targets/x86_64-linux/lib"].map(|folder| root.join(folder));
    let folder = folders.iter().find(|folder| folder.join("libcudadevrt.a").is_file())?;
    Some([format!("-L{}", folder.display()), "-lcudadevrt".to_owned()])
}

/// Whether a program succeeds, for example without the user's options.
fn succeeds(invocation: &Invocation) -> bool {
    invocation.run().is_ok_and(|ran| ran.status.success())
}

/// A program failed because of the user's options.
fn rejected(program: &str, option: &str, invocation: &Invocation, ran: &Ran) -> Error {
    Message::new(format!("{program} rejected the options passed with `{option}`")).ran(invocation, ran).user()
}

/// A program succeeded without writing a valid output.
fn failed_silently(why: &str, invocation: &Invocation, ran: &Ran) -> Message {
    Message::new(format!("`{}` failed without an error message: {why}", invocation.name()))
        .ran(invocation, ran)
        .help("`weftc doctor` checks each tool")
}

impl<'s> Workbench<'s> {
    /// Programs for a session, for code generated with `lowering` and addresses of `model`.
    pub fn new(lowering: &weft_lower::Options, model: DataModel, session: &'s Session) -> Self {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Workbench {
            debug: lowering.debug,
            model,
            options: &session.tools,
            passed: &session.passed,
            verbose: session.verbose,
            dry_run: session.dry_run,
            n_workers: session.threads.unwrap_or_else(cores).get(),
            folder: None,
            times: Times::default(),
        }
    }

    /// Assembles PTX to cubins, relocatable or loadable; each by a separate ptxas, several at once. With `verbose`, ptxas reports the resource usage.
    ///
    /// # Errors
    ///
    /// If ptxas is missing. A rejection is not an error here: see [`Made::bytes`].
    pub fn assemble(
        &mut self,
        jobs: &[(Ptx<'_>, Target)],
        relocatable: bool,
        verbose: bool,
    ) -> Result<Vec<Made>, Error> {
        let ptxas = discover::find(Tool::Ptxas, self.options)?.path;
        let machine = match self.model {
            DataModel::Lp64 => &[][..],
            DataModel::Ilp32 => &["-m", "32"],
        };
        // Like nvcc.
        let debug = match self.debug {
            DebugInfo::None => &[][..],
            DebugInfo::Lines => &["--generate-line-info"],
            DebugInfo::Variables | DebugInfo::Full => &["-g", "--dont-merge-basicblocks", "--return-at-end"],
        };
        let mut invocations = Vec::new();
        for (ptx, target) in jobs {
            let from = self.put(&format!("{}.ptx", ptx.stem), ptx.text)?;
            let to = from.with_extension("cubin");
            let invocation = Invocation::new(&ptxas)
                .within(self.options.time)
                .arg(format!("-arch={target}"))
                .args(relocatable.then_some("-c"))
                .args(machine)
                .args(debug)
                .args(verbose.then_some("-v"))
                .args(&self.passed.ptxas)
                .arg(&from)
                .arg("-o")
                .arg(&to);
            invocations.push((invocation, to));
        }
        let ran = self.run_all("ptxas", &invocations)?;
        let made = invocations.into_iter().zip(ran);
        made.map(|((invocation, to), ran)| {
            let plain = invocation.without(&self.passed.ptxas);
            self.made(invocation, ran, &to, plain)
        })
        .collect()
    }

    /// Links relocatable cubins, host objects and archives to one loadable cubin. With `verbose`, nvlink
    /// reports the resource usage. `modules` is where nvlink lists the modules of host objects, if it is needed.
    ///
    /// # Errors
    ///
    /// If nvlink is missing. Parts that do not link are not an error here: see [`Made::bytes`].
    pub fn link(
        &mut self,
        parts: &[PathBuf],
        target: Target,
        modules: Option<&Path>,
        verbose: bool,
    ) -> Result<Made, Error> {
        let nvlink = discover::find(Tool::Nvlink, self.options)?;
        // With a library, nvlink leaves an existing list as it is.
        modules.map(fs::remove_file).transpose().ok();
        let is_device_link = modules.is_some() && self.passed.device_runtime;
        let runtime = is_device_link.then(|| device_runtime(&nvlink.path)).flatten();
        let to = self.folder()?.join(format!("linked.{target}.cubin"));
        let debug = (self.debug == DebugInfo::Full).then_some("-g");
        let invocation = Invocation::new(nvlink.path)
            .within(self.options.time)
            .arg(format!("-arch={target}"))
            .args(debug)
            .args(verbose.then_some("-v"))
            .args(modules.map(|file| format!("--register-link-binaries={}", file.display())))
            .args(&self.passed.nvlink)
            .args(parts)
            .args(&self.passed.libraries)
            .args(runtime.into_iter().flatten())
            .arg("-o")
            .arg(&to);
        let ran = self.run("nvlink", &invocation)?;
        let plain = invocation.without(&self.passed.nvlink);
        self.made(invocation, ran, &to, plain)
    }

    /// The failure of a link, classified by its messages.
    pub fn link_failed(&self, made: &Made) -> Error {
        let Made { invocation, ran, plain, .. } = made;
        if plain.as_ref().is_some_and(succeeds) {
            return rejected("nvlink", "-Xnvlink", invocation, ran);
        }
        let output = ran.output();
        let is_mismatch = ["Undefined reference", "Multiple definition", "doesn't match", "does not match"];
        if is_mismatch.iter().any(|words| output.contains(words)) {
            let message = Message::new("linking failed").ran(invocation, ran);
            return with_link_advice(message, &output).user();
        }
        Message::new("nvlink failed").ran(invocation, ran).environment()
    }

    /// Packs images into a fat binary.
    ///
    /// # Errors
    ///
    /// If fatbinary is missing or fails.
    pub fn fat_binary(&mut self, stem: &str, images: &[Image], linking: Linking) -> Result<Vec<u8>, Error> {
        let fatbinary = discover::find(Tool::Fatbinary, self.options)?;
        let fat_file = self.put(&format!("{stem}.fatbin"), &[])?;
        let mut specs = Vec::new();
        for image in images {
            let number = image.target.to_string();
            let (kind, extension) = match image.kind {
                ImageKind::Cubin => ("elf", "cubin"),
                ImageKind::Ptx => ("ptx", "ptx"),
            };
            let file = self.put(&format!("{stem}.{number}.{extension}"), &image.bytes)?;
            let number = number.trim_start_matches("sm_");
            specs.push(format!("--image3=kind={kind},sm={number},file={}", file.display()));
        }
        let invocation = Invocation::new(fatbinary.path)
            .within(self.options.time)
            .arg("-64")
            .args((self.debug == DebugInfo::Full).then_some("-g"))
            .args(match linking {
                Linking::None => &[][..],
                Linking::Relocatable => &["--device-c", "--cmdline=--compile-only"],
                Linking::Linked => &["-link"],
            })
            .args(&self.passed.fatbinary)
            .arg(format!("--create={}", fat_file.display()))
            .args(specs);
        let passed = ("-Xfatbin", &self.passed.fatbinary[..]);
        self.make("fatbinary", &invocation, passed, Artifact::FatBinary, &fat_file)
    }

    /// Wraps a fat binary and the host's part of its program in a host object, as [`host_object`] describes.
    ///
    /// # Errors
    ///
    /// If the host compiler is missing or fails.
    pub fn host_object(
        &mut self,
        stem: &str,
        fat_binary: &[u8],
        stub: &str,
        relocatable: bool,
    ) -> Result<Vec<u8>, Error> {
        let fat_file = self.put(&format!("{stem}.fatbin"), fat_binary)?;
        let text = match relocatable {
            true => host_object::relocatable(&fat_file, fat_binary, stem, stub),
            false => host_object::whole(&fat_file, stub),
        };
        self.compile_for_host(stem, &text)
    }

    /// Wraps a linked fat binary in the host object of a device link. `modules` is nvlink's list.
    ///
    /// # Errors
    ///
    /// If the host compiler is missing or fails.
    pub fn link_object(&mut self, stem: &str, fat_binary: &[u8], modules: &str) -> Result<Vec<u8>, Error> {
        let fat_file = self.put(&format!("{stem}.fatbin"), fat_binary)?;
        self.compile_for_host(stem, &host_object::linked(&fat_file, modules))
    }

    fn compile_for_host(&mut self, stem: &str, text: &str) -> Result<Vec<u8>, Error> {
        let compiler = discover::find(Tool::HostCompiler, self.options)?;
        let stub = self.put(&format!("{stem}.stub.cpp"), text.as_bytes())?;
        let to = stub.with_extension("o");
        let invocation = Invocation::new(compiler.path)
            .within(self.options.time)
            .args(["-x", "c++", "-std=gnu++14", "-w", "-O1", "-fPIC", "-c"])
            .args(&self.passed.host)
            .arg(&stub)
            .arg("-o")
            .arg(&to);
        self.make("cc", &invocation, ("-Xcompiler", &self.passed.host), Artifact::Object, &to)
    }

    /// Checks the user's options for the host compiler, also where it is not needed: nvcc preprocesses with it. Without a host
    /// compiler they are not checked.
    ///
    /// # Errors
    ///
    /// If it rejects an option.
    pub fn check_host_options(&self) -> Result<(), Error> {
        let Some(compiler) = discover::find(Tool::HostCompiler, self.options).ok() else { return Ok(()) };
        // GCC and clang read their options, and print what they would do.
        let invocation = Invocation::new(compiler.path)
            .within(self.options.time)
            .args(["-###", "-x", "c++", "-c", "/dev/null", "-o", "/dev/null"])
            .args(&self.passed.host);
        let ran = invocation.run()?;
        if ran.status.success() {
            return Ok(());
        }
        let said: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("error: ")).collect();
        Err(Message::new("the host compiler rejected the options passed with `-Xcompiler`")
            .note(said.join("\n"))
            .user())
    }

    /// Preprocesses C or C++ with the host's compiler.
    ///
    /// # Errors
    ///
    /// If the host compiler is missing or fails.
    pub fn preprocess_for_host(
        &mut self,
        path: &Path,
        preprocessing: &Preprocessing,
        line_markers: bool,
    ) -> Result<String, Error> {
        let compiler = discover::find(Tool::HostCompiler, self.options)?;
        let macros = preprocessing.macros.iter().map(|option| match option {
            MacroOption::Define(text) => format!("-D{text}"),
            MacroOption::Undefine(name) => format!("-U{name}"),
        });
        let of = |option: &'static str, folders: &[PathBuf]| {
            folders.iter().flat_map(|it| [option.into(), it.clone().into_os_string()]).collect::<Vec<_>>()
        };
        let invocation = Invocation::new(compiler.path)
            .within(self.options.time)
            .arg("-E")
            .args((!line_markers).then_some("-P"))
            .args(macros)
            .args(of("-I", &preprocessing.include_path))
            .args(of("-isystem", &preprocessing.system_path))
            .args(preprocessing.includes.iter().flat_map(|file| ["-include", file]))
            .arg(path);
        let ran = self.run("cc", &invocation)?;
        match ran.status.success() {
            true => Ok(ran.stdout),
            false => Err(Message::new("the host's compiler failed").ran(&invocation, &ran).user()),
        }
    }

    /// Writes bytes into the run's folder under a name; if the name is taken, in a separate folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
        let folder = self.folder()?;
        let path = (0_u32..)
            .map(|i| if i == 0 { folder.clone() } else { folder.join(i.to_string()) }.join(name))
            .find(|path| !path.exists())
            .expect("invariant: some number is free");
        let parent = path.parent().expect("invariant: the file is in a folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| Message::file("write", &path, &error).environment())?;
        Ok(path)
    }

    fn folder(&mut self) -> Result<PathBuf, Error> {
        if let Some((folder, _)) = &self.folder {
            return Ok(folder.path().to_owned());
        }
        let folder = interrupt::temporary(|| tempfile::Builder::new().prefix("weftc-").tempdir());
        let (folder, held) = folder.map_err(|error| {
            Message::new(format!("cannot create a temporary directory: {error}"))
                .help("set TMPDIR to choose where")
                .environment()
        })?;
        let path = folder.path().to_owned();
        self.folder = Some((folder, held));
        Ok(path)
    }

    fn run(&mut self, name: &'static str, invocation: &Invocation) -> Result<Ran, Error> {
        if self.verbose {
            report::say(&format!("{invocation}\n"));
        }
        if self.dry_run {
            return Ok(Ran::nothing());
        }
        self.times.measure(name, || invocation.run())
    }

    fn made(
        &self,
        invocation: Invocation,
        ran: Ran,
        output: &Path,
        plain: Option<Invocation>,
    ) -> Result<Made, Error> {
        if self.dry_run {
            return Ok(Made { bytes: Some(Vec::new()), messages: Vec::new(), invocation, ran, plain });
        }
        Made::of(invocation, ran, output, plain)
    }

    /// Runs all, several at once.
    fn run_all(&mut self, name: &'static str, all: &[(Invocation, PathBuf)]) -> Result<Vec<Ran>, Error> {
        if all.len() < 2 || self.dry_run {
            return all.iter().map(|(invocation, _)| self.run(name, invocation)).collect();
        }
        if self.verbose {
            all.iter().for_each(|(invocation, _)| report::say(&format!("{invocation}\n")));
        }
        let n_workers = self.n_workers.min(all.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let idx = next.fetch_add(1, Ordering::Relaxed);
                let Some((invocation, _)) = all.get(idx) else { return done };
                done.push((idx, invocation.run()));
            }
        };
        let mut done = self.times.measure(name, || {
            thread::scope(|scope| {
                // This thread works, too; there may not be enough memory for others.
                let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
                let workers: Vec<_> = (1..n_workers).map_while(start).collect();
                let mut all = work();
                let done = workers.into_iter().map(|worker| worker.join());
                all.extend(done.flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic))));
                all
            })
        });
        done.sort_by_key(|(idx, _)| *idx);
        done.into_iter().map(|(_, ran)| ran).collect()
    }

    /// Runs a program that writes a file. `passed` are the user's options, and the option that passes them.
    fn make(
        &mut self,
        name: &'static str,
        invocation: &Invocation,
        (option, passed): (&str, &[OsString]),
        artifact: Artifact,
        output: &Path,
    ) -> Result<Vec<u8>, Error> {
        let ran = self.run(name, invocation)?;
        if self.dry_run {
            return Ok(Vec::new());
        }
        if !ran.status.success() {
            if invocation.without(passed).as_ref().is_some_and(succeeds) {
                return Err(rejected(name, option, invocation, &ran));
            }
            return Err(Message::new(format!("{name} failed")).ran(invocation, &ran).environment());
        }
        artifact.read(output).map_err(|why| failed_silently(&why, invocation, &ran).environment())
    }

    /// The failure of an assembly, classified by its messages; a `note` adds to it.
    pub fn assembly_failed(
        &mut self,
        ptx: Ptx<'_>,
        target: Target,
        made: &Made,
        note: Option<String>,
    ) -> Error {
        let Made { invocation, ran, plain, .. } = made;
        if plain.as_ref().is_some_and(succeeds) {
            return rejected("ptxas", "-Xptxas", invocation, ran);
        }
        let output = ran.output();
        let mentions = |words: &[&str]| words.iter().any(|words| output.contains(words));
        if mentions(&["for option 'machine'", "32-Bit compilation is no longer"]) {
            return Message::new("this ptxas does not support 32-bit addresses")
                .ran(invocation, ran)
                .help("the ptxas of CUDA 12.0 supports them for GPUs up to sm_89; select it with `--ptxas`")
                .help("PTX does not require ptxas: `--ptx`")
                .environment();
        }
        if mentions(&["Unknown option"]) {
            return Message::new("this ptxas does not support an option that weftc passes to it")
                .ran(invocation, ran)
                .help("`weftc doctor` shows which ptxas was found; select another with `--ptxas`")
                .environment();
        }
        if mentions(&["Unsupported .version", "option 'gpu-name'", "is not defined for option"]) {
            return Message::new(format!("this ptxas does not support {target}"))
                .ran(invocation, ran)
                .help("`weftc doctor` lists the targets and PTX versions that this ptxas supports")
                .environment();
        }
        if mentions(&["Unresolved extern"]) {
            return Message::new("undefined reference to a function or variable")
                .ran(invocation, ran)
                .help("to link with the object that defines it, add that object: `-o x.cubin a.src b.o`")
                .help("to link later, compile to a relocatable object: `-dc`")
                .user();
        }
        if !output.contains("ptxas") {
            return Message::new("ptxas failed").ran(invocation, ran).environment();
        }
        if !ptx.is_ours || mentions(&["uses too much", "exceeds", "too large"]) {
            return Message::new("ptxas rejected the program").ran(invocation, ran).user();
        }
        // A bug in the compiler: the PTX is kept, so that the command line above can be run again.
        let kept = self.folder.take().map(|(folder, _)| folder.keep());
        let message = Message::new("ptxas rejected the PTX that weftc emitted").ran(invocation, ran);
        let message = note.into_iter().fold(message, Message::note);
        match kept {
            Some(folder) => message.note(format!("the PTX was kept in {}", folder.display())).internal(),
            None => message.internal(),
        }
    }
}

fn with_link_advice(message: Message, output: &str) -> Message {
    if output.contains("Prototype doesn't match") {
        return message
            .help("declare the function with the same parameters in both; `weftc check-abi` compares them");
    }
    if output.contains("arch does not match") {
        return message.help("compile all of them for the same target: `--arch`");
    }
    message
}
