//! The compilers: nvcc, which is the reference, and the producer under test.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::Failure;
use crate::nvcc_headers;
use crate::tools::{Tool, Tools, run};

/// A compiler under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Producer {
    /// `weftc`, with these options.
    Weftc(Vec<String>),
    /// A shell command, in which `{in}` is the source, `{out}` the resulting PTX, and `{debug:OPTIONS}` the
    /// options for debug information, if it is requested.
    Command(String),
}

/// The outputs of a compiler for a source.
#[derive(Clone, Debug)]
pub struct Made {
    /// The name of the compiler in messages.
    pub by: String,
    /// The PTX.
    pub ptx: String,
    /// The relocatable cubin that ptxas makes from it.
    pub cubin: PathBuf,
    /// The host object with the cubin, if requested.
    pub object: Option<PathBuf>,
}

/// Why there is no output.
#[derive(Clone, Debug)]
pub enum NotMade {
    /// The compiler rejects the source, or ptxas the PTX.
    Refused {
        /// The beginning of the message.
        why: String,
        /// The rejected text.
        text: String,
    },
    /// A program is missing, or a file cannot be written.
    Failed(Failure),
}

impl From<Failure> for NotMade {
    fn from(failure: Failure) -> Self {
        NotMade::Failed(failure)
    }
}

/// The maximum length of a program's output that is kept.
const MAX_SAID: usize = 1200;

fn shortened(text: &str) -> String {
    text.trim().chars().take(MAX_SAID).collect()
}

impl Producer {
    /// `weftc` at an optimization level.
    pub fn weftc(level: &str) -> Self {
        Producer::Weftc(vec![level.to_owned()])
    }

    /// The same compiler with debug information and without optimization.
    pub fn for_debugging(&self) -> Self {
        match self {
            Producer::Weftc(options) => {
                let levels = options.iter().filter(|option| !option.starts_with("-O"));
                Producer::Weftc(levels.cloned().chain(["-G".to_owned(), "-O0".to_owned()]).collect())
            }
            Producer::Command(command) => Producer::Command(with_debug_options(command, true)),
        }
    }

    /// Whether its functions only use the registers that they need: at -O0 all parameters are first stored to
    /// memory, and so are live even if unused.
    pub fn optimizes(&self) -> bool {
        !matches!(self, Producer::Weftc(options) if options.iter().any(|option| option == "-O0"))
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Producer::Weftc(options) => format!("weftc {}", options.join(" ")).trim_end().to_owned(),
            Producer::Command(command) => {
                let program = command.split_whitespace().next().unwrap_or_default();
                Path::new(program)
                    .file_name()
                    .map_or(String::new(), |name| name.to_string_lossy().into_owned())
            }
        }
    }

    /// Compiles a source to PTX, a cubin and, if requested, a host object, all in the folder.
    ///
    /// # Errors
    ///
    /// Why there is no output.
    pub fn make(
        &self,
        tools: &Tools,
        source: &Path,
        arch: &str,
        folder: &Path,
        wants_object: bool,
    ) -> Result<Made, NotMade> {
        let stem = stem(source);
        let at = |extension: &str| folder.join(format!("{stem}.producer.{extension}"));
        let (text, cubin, object) = (at("ptx"), at("cubin"), at("o"));
        self.compile(tools, source, arch, &text)?;
        let ptx = read(&text)?;
        let mut ptxas = tools.tool(Tool::Ptxas)?;
        ptxas.arg("-c").arg(format!("-arch={arch}")).arg("-o").arg(&cubin).arg(&text);
        assembled(ptxas, &ptx)?;
        if wants_object {
            let mut packing = match self {
                Producer::Weftc(options) => {
                    let mut weftc = tools.weftc();
                    weftc
                        .args(["-dc", "-w", "--arch", arch])
                        .args(options)
                        .arg("-o")
                        .arg(&object)
                        .arg(source);
                    weftc
                }
                Producer::Command(_) => {
                    let mut nvcc = tools.tool(Tool::Nvcc)?;
                    nvcc.arg("-dc").arg(format!("-arch={arch}")).arg("-o").arg(&object).arg(&text);
                    nvcc
                }
            };
            packing.current_dir(folder);
            assembled(packing, &ptx)?;
        }
        Ok(Made { by: self.name(), ptx, cubin, object: wants_object.then_some(object) })
    }

    /// Compiles a source to PTX.
    ///
    /// # Errors
    ///
    /// Why there is no output.
    pub fn compile(&self, tools: &Tools, source: &Path, arch: &str, out: &Path) -> Result<(), NotMade> {
        let mut command = match self {
            Producer::Weftc(options) => {
                let mut weftc = tools.weftc();
                weftc.args(["-w", "--emit=ptx", "--arch", arch]).args(options).arg("-o").arg(out).arg(source);
                weftc
            }
            Producer::Command(template) => {
                let template = with_debug_options(template, false);
                let line = template.replace("{in}", &quoted(source)).replace("{out}", &quoted(out));
                let mut shell = tools.shell();
                shell.args(["-c", &line]);
                shell
            }
        };
        let answer = run(&mut command)?;
        let why = match answer.status {
            Some(0) if out.is_file() => return Ok(()),
            Some(0) => "it made no PTX".to_owned(),
            _ => shortened(&format!("{}\n{}", answer.stderr, answer.stdout)),
        };
        Err(NotMade::Refused { why, text: read(source)? })
    }
}

/// The command with or without the options of `{debug:OPTIONS}`.
fn with_debug_options(command: &str, wanted: bool) -> String {
    let Some((before, rest)) = command.split_once("{debug:") else { return command.to_owned() };
    let Some((options, after)) = rest.split_once('}') else { return command.to_owned() };
    format!("{before}{}{after}", if wanted { options } else { "" })
}

fn assembled(mut command: Command, ptx: &str) -> Result<(), NotMade> {
    let answer = run(&mut command)?;
    if answer.status == Some(0) {
        return Ok(());
    }
    let why = shortened(&format!("{}\n{}", answer.stderr, answer.stdout));
    Err(NotMade::Refused { why, text: ptx.to_owned() })
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn stem(source: &Path) -> String {
    source.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

/// The last outputs of nvcc, for reuse.
#[derive(Debug, Default)]
pub struct Memory {
    made: Mutex<VecDeque<(MemoryKey, Remembered)>>,
}

/// The number of remembered outputs: enough for the current trials, which compare all levels with the same
/// answer.
const N_REMEMBERED: usize = 16;

/// The source, its path if it may include other files, and the GPU.
type MemoryKey = (String, Option<PathBuf>, String);

#[derive(Clone, Debug)]
struct Remembered {
    ptx: String,
    cubin: Vec<u8>,
    object: Option<Vec<u8>>,
}

impl Memory {
    fn key(source: &Path, arch: &str) -> Result<MemoryKey, Failure> {
        let text = read(source)?;
        let place = text.contains("#include \"").then(|| source.to_owned());
        Ok((text, place, arch.to_owned()))
    }

    fn find(&self, key: &MemoryKey) -> Option<Remembered> {
        let made = self.made.lock().ok()?;
        made.iter().find(|(of, _)| of == key).map(|(_, remembered)| remembered.clone())
    }

    fn add(&self, key: MemoryKey, made: &Made) -> Result<(), Failure> {
        let bytes = |path: &Path| fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
        let object = made.object.as_deref().map(bytes).transpose()?;
        let remembered = Remembered { ptx: made.ptx.clone(), cubin: bytes(&made.cubin)?, object };
        let mut all = self.made.lock().map_err(|e| e.to_string())?;
        all.truncate(N_REMEMBERED - 1);
        all.push_front((key, remembered));
        Ok(())
    }
}

/// The outputs of nvcc for a source, in the folder; the host part only if an object is requested. If nvcc is
/// [remembered](Tools::remember_nvcc), it runs once.
///
/// # Errors
///
/// Why there is no output.
pub fn nvcc(
    tools: &Tools,
    source: &Path,
    arch: &str,
    folder: &Path,
    wants_object: bool,
) -> Result<Made, NotMade> {
    let Some(memory) = tools.nvcc_memory() else {
        return ask_nvcc(tools, source, arch, folder, wants_object);
    };
    let key = Memory::key(source, arch)?;
    let Some(found) = memory.find(&key).filter(|found| !wants_object || found.object.is_some()) else {
        let made = ask_nvcc(tools, source, arch, folder, wants_object)?;
        memory.add(key, &made)?;
        return Ok(made);
    };
    let put = |extension: &str, bytes: &[u8]| {
        let path = folder.join(format!("{}.nvcc.{extension}", stem(source)));
        fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<PathBuf, Failure>(path)
    };
    let object = found.object.filter(|_| wants_object).map(|object| put("o", &object)).transpose()?;
    Ok(Made { by: "nvcc".to_owned(), cubin: put("cubin", &found.cubin)?, object, ptx: found.ptx })
}

fn ask_nvcc(
    tools: &Tools,
    source: &Path,
    arch: &str,
    folder: &Path,
    wants_object: bool,
) -> Result<Made, NotMade> {
    let stem = stem(source);
    let out = folder.join(format!("{stem}.nvcc.o"));
    let kept = folder.join("nvcc");
    fs::create_dir_all(&kept).map_err(|e| e.to_string())?;
    let answer = nvcc_headers::run_nvcc(tools, source, || {
        let mut nvcc = tools.tool(Tool::Nvcc)?;
        let device = ["-rdc=true", "-cubin"];
        nvcc.args(if wants_object { &["-dc"][..] } else { &device[..] });
        nvcc.args(["-x", "cu", "-std=c++17", "-w", &format!("-arch={arch}"), "--keep", "--keep-dir"]);
        nvcc.arg(&kept).arg("-o").arg(&out).arg(source);
        Ok(nvcc)
    })?;
    let said = format!("{}\n{}", answer.stderr, answer.stdout);
    if answer.status != Some(0) {
        let text = if said.contains("ptxas") { &kept.join(format!("{stem}.ptx")) } else { source };
        return Err(NotMade::Refused { why: shortened(&said), text: read(text)? });
    }
    let ptx = read(&kept.join(format!("{stem}.ptx")))?;
    let by = "nvcc".to_owned();
    if wants_object {
        let cubin = kept.join(format!("{stem}.{arch}.cubin"));
        return Ok(Made { by, ptx, cubin, object: Some(out) });
    }
    Ok(Made { by, ptx, cubin: out, object: None })
}

/// Only the PTX of nvcc, which takes less time.
///
/// # Errors
///
/// Why there is no output.
pub fn nvcc_ptx(tools: &Tools, source: &Path, arch: &str, folder: &Path) -> Result<String, NotMade> {
    nvcc_ptx_with(tools, source, arch, &[], folder)
}

/// The same with options.
///
/// # Errors
///
/// Why there is no output.
pub fn nvcc_ptx_with(
    tools: &Tools,
    source: &Path,
    arch: &str,
    options: &[&str],
    folder: &Path,
) -> Result<String, NotMade> {
    let out = folder.join(format!("{}.nvcc.ptx", stem(source)));
    let answer = nvcc_headers::run_nvcc(tools, source, || {
        let mut nvcc = tools.tool(Tool::Nvcc)?;
        nvcc.args(["-x", "cu", "-std=c++17", "-w", &format!("-arch={arch}"), "-rdc=true", "--ptx"]);
        nvcc.args(options).arg("-o").arg(&out).arg(source);
        Ok(nvcc)
    })?;
    if answer.status != Some(0) {
        let why = shortened(&format!("{}\n{}", answer.stderr, answer.stdout));
        return Err(NotMade::Refused { why, text: read(source)? });
    }
    Ok(read(&out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_texts_are_remembered() {
        let work = tempfile::tempdir().expect("a folder");
        let at = |name: &str, text: &str| {
            let path = work.path().join(name);
            fs::write(&path, text).expect("written");
            path
        };
        let cubin = at("a.cubin", "cubin");
        let made =
            |ptx: &str| Made { by: "nvcc".into(), ptx: ptx.into(), cubin: cubin.clone(), object: None };
        let memory = Memory::default();
        let key = |name: &str, text: &str, arch: &str| Memory::key(&at(name, text), arch).expect("a key");
        memory.add(key("a.src", "one", "sm_90"), &made("PTX of one")).expect("added");
        let found = |key: &MemoryKey| memory.find(key).map(|found| found.ptx);
        assert_eq!(found(&key("b.src", "one", "sm_90")).as_deref(), Some("PTX of one"));
        assert_eq!(found(&key("a.src", "one", "sm_80")), None);
        assert_eq!(found(&key("a.src", "other", "sm_90")), None);
        let including = "#include \"x.h\"";
        memory.add(key("a.src", including, "sm_90"), &made("PTX of a.src")).expect("added");
        assert_eq!(found(&key("b.src", including, "sm_90")), None);
        for i in 0..N_REMEMBERED {
            memory.add(key("c.src", &i.to_string(), "sm_90"), &made("")).expect("added");
        }
        assert_eq!(found(&key("b.src", "one", "sm_90")), None);
    }

    #[test]
    fn debug_options_are_there_when_they_are_wanted() {
        let producer = Producer::Command("cc -S {debug:-O0 -g} {in}".into());
        assert_eq!(producer.for_debugging(), Producer::Command("cc -S -O0 -g {in}".into()));
        assert_eq!(with_debug_options("cc {debug:-O0 -g} {in}", false), "cc  {in}");
        let weftc = Producer::weftc("-O3").for_debugging();
        assert_eq!(weftc, Producer::Weftc(vec!["-G".into(), "-O0".into()]));
    }

    #[test]
    fn a_command_has_the_name_of_its_program() {
        let command = Producer::Command("/opt/bin/clang-22 -S -o {out} {in}".into());
        assert_eq!((command.name(), Producer::weftc("-O3").name()), ("clang-22".into(), "weftc -O3".into()));
    }
}
