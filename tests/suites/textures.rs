//! Every function that reads a texture, or reads and writes a surface, for every type of elements, through nvcc and `weftc`: the
//! instructions are the same, with operands of the same number, and ptxas assembles them.

use std::fs;
use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite};
use weft_tests::textures;
use weft_tests::tools::Tool;

/// The lowest GPU of nvcc's that has all of them.
const ARCH: &str = "sm_75";

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let name = format!("textures/instructions ({} functions and types)", textures::calls().len());
    suite.add(name, &[Tool::Nvcc, Tool::Ptxas], same_instructions);
    Ok(suite)
}

fn same_instructions(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let calls = textures::calls();
    let source = work.path().join("textures.src");
    fs::write(&source, textures::source(&calls)).map_err(|e| e.to_string())?;
    let theirs = textures::instructions(&bench.nvcc_ptx(&source, ARCH, work.path())?);
    let mut wrong = Vec::new();
    for level in ["-O0", "-O3"] {
        let settings =
            Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: {level} -w"))?.settings(None)?;
        let ours = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
        bench.ptxas(&ours, "textures", ARCH, work.path())?.success()?;
        let ours = textures::instructions(&ours);
        for (idx, call) in calls.iter().enumerate() {
            let name = format!("k{idx}");
            let (ours, theirs) = (ours.get(&name), theirs.get(&name));
            if theirs.is_none_or(|theirs| theirs.len() != 1) {
                return Err(format!("nvcc's instructions were read wrongly: `{call}` is {theirs:?}"));
            }
            if ours != theirs {
                wrong.push(format!("{call}\n  nvcc: {theirs:?}\n  weftc {level}: {ours:?}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
