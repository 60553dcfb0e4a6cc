//! Compares the table of targets with LLVM itself, through `llc`.
//!
//! LLVM ends the process on an incompatible pair, so the pairs that the table rejects must be tried in
//! another process. LLVM has one lowest version for each GPU, so each GPU is tried with that of the table,
//! with the one below it, and with the highest.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use weft_lower::target::{PtxVersion, Target, choose_ptx};

const KERNEL: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
                      define ptx_kernel void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n";

/// The `llc` of the LLVM that the compiler is linked with.
fn llc() -> Option<PathBuf> {
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX").map(PathBuf::from);
    let beside = prefix.map(|prefix| prefix.join("bin/llc"));
    let usual = PathBuf::from("/usr/lib/llvm-22/bin/llc");
    beside.into_iter().chain([usual]).find(|path| path.is_file())
}

fn compiles(llc: &PathBuf, target: Target, version: PtxVersion) -> bool {
    let mut child = Command::new(llc)
        .arg(format!("-mcpu={}", target.llvm_cpu()))
        .arg(format!("-mattr={}", version.llvm_feature()))
        .args(["-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // On a failure, `llc` may close the pipe early; its output says what happened.
    let _ = child.stdin.take().unwrap().write_all(KERNEL.as_bytes());
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    output.contains(&format!(".version {version}\n"))
        && output.contains(&format!(".target {}\n", target.llvm_cpu()))
}

#[test]
fn accepts_the_same_gpus_as_llvm() {
    let Some(llc) = llc() else {
        eprintln!("SKIP: llc of LLVM 22 was not found");
        return;
    };
    for target in Target::all().filter(|target| target.llvm_cpu() == target.to_string()) {
        let below = PtxVersion::all().filter(|&version| version < target.min_ptx()).last();
        for version in [below, Some(target.min_ptx()), Some(PtxVersion::MAX_OF_LLVM)].into_iter().flatten() {
            let accepted = choose_ptx(target, Some(version), []).is_ok();
            assert_eq!(compiles(&llc, target, version), accepted, "{target} with PTX {version}");
        }
    }
}

#[test]
fn table_has_all_gpus_of_llvm() {
    let Some(llc) = llc() else {
        eprintln!("SKIP: llc of LLVM 22 was not found");
        return;
    };
    let output = Command::new(llc)
        .args(["-march=nvptx64", "-mcpu=help"])
        .stdin(Stdio::null())
        .output()
        .expect("llc runs");
    let help = String::from_utf8(output.stderr).unwrap();
    let words = |start: &str| {
        let first = help.lines().filter_map(|line| line.trim_start().split(' ').next());
        let mut words: Vec<_> = first.filter(|word| word.starts_with(start)).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        words
    };
    let sorted = |mut words: Vec<String>| {
        words.sort();
        words
    };
    let names: BTreeSet<String> = Target::all().map(Target::llvm_cpu).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), words("sm_"));
    let written = PtxVersion::all().filter(|&version| version <= PtxVersion::MAX_OF_LLVM);
    let versions = written.map(|version| version.llvm_feature()[1..].to_owned());
    assert_eq!(sorted(versions.collect()), words("ptx"));
}
