//! Who makes PTX: nvcc, which everything is compared with, and the producer that is looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::tools::{Tool, Tools, run};

/// A compiler that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Producer {
    /// `weftc`, with these options.
    Weftc(Vec<String>),
    /// A command for the shell, in which `{in}` stands for the source, and `{out}` for the PTX that it makes.
    Command(String),
}

/// What a compiler makes of a source.
#[derive(Clone, Debug)]
pub struct Made {
    /// The name of the compiler in messages.
    pub by: String,
    /// Its PTX.
    pub ptx: String,
    /// What ptxas makes of that, relocatable.
    pub cubin: PathBuf,
    /// The same in an object of the host, if one was wanted.
    pub object: Option<PathBuf>,
}

/// Why there is nothing.
#[derive(Clone, Debug)]
pub enum NotMade {
    /// The compiler refuses the source, or ptxas its PTX.
    Refused {
        /// The beginning of what is said.
        why: String,
        /// The text that is refused.
        text: String,
    },
    /// A program is not there, or a file cannot be written.
    Failed(Failure),
}

impl From<Failure> for NotMade {
    fn from(failure: Failure) -> Self {
        NotMade::Failed(failure)
    }
}

/// How much of what a program says is kept.
const MAX_SAID: usize = 1200;

fn shortened(text: &str) -> String {
    text.trim().chars().take(MAX_SAID).collect()
}

impl Producer {
    /// `weftc` at a level of optimization.
    pub fn weftc(level: &str) -> Self {
        Producer::Weftc(vec![level.to_owned()])
    }

    /// Whether its functions take up nothing but what they need: at -O0 all parameters are put into memory first, and are
    /// alive whether anything needs them or not.
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

    /// Compiles a source to PTX, to a cubin and, if it is wanted, to an object of the host, all in the folder.
    ///
    /// # Errors
    /// Why it did not come to that.
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
    /// Why it did not come to that.
    pub fn compile(&self, tools: &Tools, source: &Path, arch: &str, out: &Path) -> Result<(), NotMade> {
        let mut command = match self {
            Producer::Weftc(options) => {
                let mut weftc = tools.weftc();
                weftc.args(["-w", "--emit=ptx", "--arch", arch]).args(options).arg("-o").arg(out).arg(source);
                weftc
            }
            Producer::Command(template) => {
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

/// What nvcc makes of a source, in the folder; of the host's part something only if an object is wanted.
///
/// # Errors
/// Why there is nothing.
pub fn nvcc(
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
    let mut nvcc = tools.tool(Tool::Nvcc)?;
    let device = ["-rdc=true", "-cubin"];
    nvcc.args(if wants_object { &["-dc"][..] } else { &device[..] });
    nvcc.args(["-x", "cu", "-std=c++17", "-w", &format!("-arch={arch}"), "--keep", "--keep-dir"]);
    let answer = run(nvcc.arg(&kept).arg("-o").arg(&out).arg(source))?;
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

/// Only PTX of nvcc, which takes less time.
///
/// # Errors
/// Why there is none.
pub fn nvcc_ptx(tools: &Tools, source: &Path, arch: &str, folder: &Path) -> Result<String, NotMade> {
    let out = folder.join(format!("{}.nvcc.ptx", stem(source)));
    let mut nvcc = tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-w", &format!("-arch={arch}"), "-rdc=true", "--ptx", "-o"]);
    let answer = run(nvcc.arg(&out).arg(source))?;
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
    fn a_command_has_the_name_of_its_program() {
        let command = Producer::Command("/opt/bin/clang-22 -S -o {out} {in}".into());
        assert_eq!((command.name(), Producer::weftc("-O3").name()), ("clang-22".into(), "weftc -O3".into()));
    }
}
