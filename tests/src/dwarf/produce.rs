//! Compiles a source to a cubin with debug information: with nvcc, and with the compiler under test.

use std::fs;
use std::path::Path;

use super::cubin::Cubin;
use crate::conformance::producer::{NotMade, Producer};
use crate::tools::{Tool, Tools, run};

/// The outputs of a compiler for a source.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its PTX.
    pub ptx: String,
    /// The cubin that ptxas makes from it.
    pub cubin: Cubin,
}

/// The producer's outputs with debug information.
///
/// # Errors
///
/// Why there is no output.
pub fn ours(
    tools: &Tools,
    producer: &Producer,
    source: &Path,
    arch: &str,
    folder: &Path,
) -> Result<Made, NotMade> {
    let text = folder.join("ours.ptx");
    producer.for_debugging().compile(tools, source, arch, &text)?;
    let ptx = fs::read_to_string(&text).map_err(|e| format!("{}: {e}", text.display()))?;
    assembled(tools, ptx, arch, folder)
}

/// The cubin that ptxas makes from PTX with debug information.
///
/// # Errors
///
/// Why there is no output.
pub fn assembled(tools: &Tools, ptx: String, arch: &str, folder: &Path) -> Result<Made, NotMade> {
    let (text, cubin) = (folder.join("ours.ptx"), folder.join("ours.cubin"));
    fs::write(&text, &ptx).map_err(|e| format!("{}: {e}", text.display()))?;
    let mut ptxas = tools.tool(Tool::Ptxas)?;
    ptxas.args(["-g", "-c"]).arg(format!("-arch={arch}")).arg("-o").arg(&cubin).arg(&text);
    let answer = run(&mut ptxas)?;
    if answer.status != Some(0) {
        return Err(NotMade::Refused { why: answer.report("ptxas refuses it"), text: ptx });
    }
    Ok(Made { ptx, cubin: read(&cubin)? })
}

/// nvcc's outputs with `-G`, relocatable like those of `weftc -c`.
///
/// # Errors
///
/// Why there is no output.
pub fn theirs(tools: &Tools, source: &Path, arch: &str, folder: &Path) -> Result<Made, NotMade> {
    let (kept, cubin) = (folder.join("kept"), folder.join("nvcc.cubin"));
    fs::create_dir_all(&kept).map_err(|e| e.to_string())?;
    let mut nvcc = tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-w", "-G", "-rdc=true", "-cubin", &format!("-arch={arch}")]);
    nvcc.args(["--keep", "--keep-dir"]).arg(&kept).arg("-o").arg(&cubin).arg(source);
    let answer = run(&mut nvcc)?;
    if answer.status != Some(0) {
        return Err(NotMade::Failed(answer.report("nvcc fails")));
    }
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let text = kept.join(format!("{stem}.ptx"));
    let ptx = fs::read_to_string(&text).map_err(|e| format!("{}: {e}", text.display()))?;
    Ok(Made { ptx, cubin: read(&cubin)? })
}

fn read(path: &Path) -> Result<Cubin, NotMade> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Cubin::read(bytes)?)
}
