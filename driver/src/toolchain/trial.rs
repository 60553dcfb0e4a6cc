//! Tries each of NVIDIA's programs on a small input.
//!
//! In: the paths of the programs. Out: the error of each that fails. A program that works here may still fail
//! on another input; one that fails here is broken.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use weft_lower::target::Target;

use super::Tool;
use super::artifact::Artifact;
use super::run::Invocation;

/// The time limit of a program for a small input.
const TIME: Duration = Duration::from_secs(60);

const PTX: &str = "\
.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b64 %a;
    ld.param.u64 %a, [p];
    cvta.to.global.u64 %a, %a;
    st.global.u32 [%a], 1;
    ret;
}
";

const CUDA: &str = "__global__ void k(int *p) { *p = 1; }\n";
const C: &str = "int f(void) { return 1; }\n";

/// Tries programs. Those that need a cubin are not tried if ptxas cannot make one.
pub fn try_all(programs: &BTreeMap<Tool, PathBuf>) -> BTreeMap<Tool, String> {
    let Ok(folder) = tempfile::tempdir() else { return BTreeMap::new() };
    let mut trial = Trial { folder: folder.path(), cubin: None };
    // In the order of `Tool`, ptxas is the first.
    let tried = programs.iter().map(|(&tool, path)| (tool, trial.run(tool, path)));
    tried.filter_map(|(tool, result)| Some((tool, result.err()?))).collect()
}

struct Trial<'a> {
    folder: &'a Path,
    cubin: Option<PathBuf>,
}

impl Trial<'_> {
    fn run(&mut self, tool: Tool, path: &Path) -> Result<(), String> {
        let program = || Invocation::new(path).within(Some(TIME));
        let arch = format!("-arch={}", Target::DEFAULT);
        match tool {
            Tool::Ptxas => {
                let to = self.folder.join("k.cubin");
                let from = self.put("k.ptx", PTX)?;
                made(&program().arg(&arch).arg("-c").arg(from).arg("-o").arg(&to), Artifact::Cubin, &to)?;
                self.cubin = Some(to);
                Ok(())
            }
            Tool::Nvlink => {
                let Some(cubin) = &self.cubin else { return Ok(()) };
                let to = self.folder.join("linked.cubin");
                made(&program().arg(&arch).arg(cubin).arg("-o").arg(&to), Artifact::Cubin, &to)
            }
            Tool::Fatbinary => {
                let Some(cubin) = &self.cubin else { return Ok(()) };
                let to = self.folder.join("k.fatbin");
                let number = Target::DEFAULT.sm();
                let image = format!("--image3=kind=elf,sm={number},file={}", cubin.display());
                let create = format!("--create={}", to.display());
                made(&program().arg("-64").arg(create).arg(image), Artifact::FatBinary, &to)
            }
            Tool::HostCompiler => {
                let to = self.folder.join("f.o");
                let from = self.put("f.c", C)?;
                made(&program().arg("-c").arg(from).arg("-o").arg(&to), Artifact::Object, &to)
            }
            Tool::Nvcc => {
                let to = self.folder.join("nvcc.ptx");
                let from = self.put("k.cu", CUDA)?;
                succeeds(&program().arg(&arch).arg("-ptx").arg(from).arg("-o").arg(&to))?;
                let text = fs::read_to_string(&to).map_err(|_| "it produced no file".to_owned())?;
                require_text(&text, ".entry _Z1kPi")
            }
            Tool::Cuobjdump => {
                let Some(cubin) = &self.cubin else { return Ok(()) };
                require_text(&succeeds(&program().arg("-elf").arg(cubin))?, ".text.k")
            }
            Tool::Nvdisasm => {
                let Some(cubin) = &self.cubin else { return Ok(()) };
                require_text(&succeeds(&program().arg(cubin))?, ".text.k")
            }
        }
    }

    fn put(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(|error| format!("not checked: {error}"))?;
        Ok(path)
    }
}

/// Runs a program; returns its output.
fn succeeds(invocation: &Invocation) -> Result<String, String> {
    let ran =
        invocation.run().map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    if ran.status.success() {
        return Ok(ran.stdout);
    }
    let output = ran.output();
    let first = output.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
    Err(format!("ended with {}{first}", ran.status))
}

fn made(invocation: &Invocation, artifact: Artifact, output: &Path) -> Result<(), String> {
    succeeds(invocation)?;
    artifact.read(output).map(drop)
}

fn require_text(text: &str, words: &str) -> Result<(), String> {
    if text.contains(words) { Ok(()) } else { Err(format!("its output lacks `{words}`")) }
}
