//! Runs NVIDIA's compiler for 32-bit addresses.
//!
//! nvcc 13 no longer supports `-m32`, but the device compiler that it calls, cicc, does. So nvcc reports the
//! programs that it would run (`--dryrun`), and they are run with modified options: g++'s preprocessor for a
//! 32-bit x86 host with SSE arithmetic (`__FLT_EVAL_METHOD__` is 0, as on a GPU), then `cicc -m32`. The
//! host's headers are the same for 32 and 64 bits, except glibc's list of missing functions, which is
//! replaced by an empty file.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Bench;
use crate::Failure;
use crate::tools::{NO_SPECIAL_FUNCTIONS, Tool, run};

/// The PTX of cicc for a file.
///
/// # Errors
///
/// If nvcc is missing, its programs reject the file, or they are not the expected ones.
pub fn ptx(bench: &Bench, source: &Path, arch: &str, work: &Path) -> Result<String, Failure> {
    let out = work.join("narrow.ptx");
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", "-rdc=true", "--dryrun", "--keep", "--keep-dir"]).arg(work);
    nvcc.arg(NO_SPECIAL_FUNCTIONS);
    let answer =
        run(nvcc.arg(format!("-arch={arch}")).args(["--ptx", "-o"]).arg(&out).arg(source))?.success()?;
    let steps =
        script(&answer.stderr, &host_headers(work)?).ok_or_else(|| answer.report("no line of cicc's"))?;
    run(bench.tools.shell().arg("-c").arg(&steps))?.success()?;
    fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))
}

/// The preprocessor's and cicc's command lines, changed for 32 bits.
fn script(lines: &str, headers: &str) -> Option<String> {
    let lines = lines.lines().filter_map(|line| line.strip_prefix("#$ "));
    let mut steps = vec!["set -e".to_owned()];
    let (mut is_preprocessed, mut is_compiled) = (false, false);
    for line in lines {
        let narrow = |with: &str| line.replacen(" -m64 ", &format!(" {with} "), 1);
        if line.starts_with("CICC_PATH=") || line.starts_with("NVVMIR_LIBRARY_DIR=") {
            let (name, value) = line.split_once('=')?;
            steps.push(format!("export {name}='{value}'"));
        } else if line.starts_with("gcc ") && line.contains(" -E ") {
            is_preprocessed = line.contains(" -m64 ");
            steps.push(narrow(&format!("-m32 -msse2 -mfpmath=sse {headers}")));
        } else if line.starts_with("\"$CICC_PATH/cicc\"") {
            is_compiled = line.contains(" -m64 ");
            steps.push(narrow("-m32"));
        }
    }
    (is_preprocessed && is_compiled).then(|| steps.join("\n"))
}

/// The options with which a 32-bit preprocessor finds the host's headers.
fn host_headers(work: &Path) -> Result<String, Failure> {
    let ask = |option: &str| -> Result<String, Failure> {
        Ok(run(Command::new("gcc").arg(option))?.success()?.stdout.trim().to_owned())
    };
    let (machine, version) = (ask("-print-multiarch")?, ask("-dumpversion")?);
    let lists = work.join("narrow/gnu");
    let written = fs::create_dir_all(&lists).and_then(|()| fs::write(lists.join("stubs-32.h"), ""));
    written.map_err(|e| format!("{}: {e}", lists.display()))?;
    Ok(format!(
        "-isystem '{}/narrow' -isystem /usr/include/{machine}/c++/{version} -isystem /usr/include/{machine}",
        work.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_nvccs_steps_for_32_bits() {
        let lines = "#$ _SPACE_= \n#$ CICC_PATH=/n/bin\n#$ gcc -E -m64 \"a.cu\" -o \"a.ii\" \n\
                     #$ \"$CICC_PATH/cicc\" -m64 \"a.ii\"\n#$ ptxas -m64 a.ptx\n";
        let expected = "set -e\nexport CICC_PATH='/n/bin'\n\
                        gcc -E -m32 -msse2 -mfpmath=sse -I h \"a.cu\" -o \"a.ii\" \n\
                        \"$CICC_PATH/cicc\" -m32 \"a.ii\"";
        assert_eq!(script(lines, "-I h").as_deref(), Some(expected));
        assert_eq!(script("#$ gcc -E -m64 a.cu\n", ""), None);
    }
}
