//! Every function that accesses a texture or surface, for every element type, compiled with nvcc and `weftc`:
//! the instructions are the same, with the same number of operands, and ptxas assembles them. For a share, or
//! with `WEFT_TEXTURES=all` for all, both compilers' kernels are run and give the same results.

use std::path::Path;
use std::{env, fs};

use weft_run::Launch;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite};
use weft_tests::textures::{self, Call};
use weft_tests::tools::Tool;

/// The lowest GPU of nvcc that supports all of them.
const ARCH: &str = "sm_75";

/// The number of calls per file: few enough that several files are compiled in parallel.
const PER_FILE: usize = 550;

/// One call in this many is run.
const SHARE: usize = 9;

/// The memory of the emulator for one.
const MEMORY: u64 = 1 << 20;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let share = if env::var("WEFT_TEXTURES").is_ok_and(|which| which == "all") { 1 } else { SHARE };
    for (number, calls) in textures::calls().chunks(PER_FILE).enumerate() {
        let calls = calls.to_vec();
        let name = format!("textures/{number} ({} functions and types)", calls.len());
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| compare(bench, &calls, share));
    }
    Ok(())
}

fn compare(bench: &Bench, calls: &[Call], share: usize) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("textures.src");
    fs::write(&source, textures::source(calls)).map_err(|e| e.to_string())?;
    let theirs = bench.nvcc_ptx(&source, ARCH, work.path())?;
    let mut wrong = Vec::new();
    for (number, level) in ["-O0", "-O3"].into_iter().enumerate() {
        let ours = ours(bench, &source, level, work.path())?;
        same_instructions(calls, level, &ours, &theirs, &mut wrong)?;
        // Each level runs a different share.
        for (idx, call) in calls.iter().enumerate().skip(number % share).step_by(share) {
            let (ours, theirs) = (results(call, &ours, idx), results(call, &theirs, idx));
            let theirs = theirs.map_err(|e| format!("`{call}`, by nvcc: {e}"))?;
            match ours {
                Ok(ours) if ours == theirs => {}
                ours => {
                    wrong.push(format!("{call}\n  nvcc leaves {theirs:02x?}\n  weftc {level}: {ours:02x?}"))
                }
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn ours(bench: &Bench, source: &Path, level: &str, work: &Path) -> Result<String, Failure> {
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: {level} -w"))?.settings(None)?;
    let ours = bench.emit(source, Emit::Ptx, &settings, work)?;
    bench.ptxas(&ours, "textures", ARCH, work)?.success()?;
    Ok(ours)
}

fn same_instructions(
    calls: &[Call],
    level: &str,
    ours: &str,
    theirs: &str,
    wrong: &mut Vec<String>,
) -> Result<(), Failure> {
    let (ours, theirs) = (textures::instructions(ours), textures::instructions(theirs));
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
    Ok(())
}

/// The contents of all buffers after a call's kernel.
fn results(call: &Call, ptx: &str, idx: usize) -> Result<Vec<Vec<u8>>, Failure> {
    let module = textures::alone(ptx, idx).ok_or("the kernel is not there")?;
    let launch = Launch::new().memory(MEMORY).module("textures.ptx", module);
    let launch = call.arguments().into_iter().fold(launch, Launch::arg_text);
    let report = launch.run().map_err(|error| format!("{error}, with {:?}", call.arguments()))?;
    Ok(report.buffers.iter().map(|buffer| buffer.buffer.bytes().to_vec()).collect())
}
