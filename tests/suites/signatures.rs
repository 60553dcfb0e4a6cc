//! Random signatures: `weftc` and NVIDIA's compiler must give every function and kernel with 32-bit addresses
//! the same prototype; the conformance suite covers 64 bits. The host's compiler and nvcc must accept the
//! header that `weftc` makes from them, including its static assertions.

use std::fs;

use weft_tests::Failure;
use weft_tests::directive::Directives;
use weft_tests::runner::{Bench, Suite, abi};
use weft_tests::signature;
use weft_tests::tools::{Tool, run};

const N_FILES: u64 = 4;
const N_SIGNATURES: usize = 150;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for seed in 1..=N_FILES {
        let name = format!("signatures/seed-{seed} (header)");
        suite.add(name, &[Tool::Nvcc, Tool::Gxx], move |bench| is_right_header(bench, seed));
        let name = format!("signatures/seed-{seed} (shared header)");
        suite.add(name, &[Tool::Nvcc, Tool::Gxx], move |bench| is_shared_header(bench, seed));
        let name = format!("signatures/seed-{seed} ({N_SIGNATURES} signatures, 32-bit addresses)");
        let needs = [Tool::Nvcc, Tool::NarrowPtxas];
        suite.add(name, &needs, move |bench| same_prototypes(bench, seed));
    }
    Ok(())
}

/// Compiles the file of a seed with both compilers. Keeps the file on a failure.
fn same_prototypes(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join(format!("signatures-{seed}.src"));
    fs::write(&source, signature::source(seed, N_SIGNATURES)).map_err(|e| e.to_string())?;
    let settings = abi::levels(&Directives::parse("//@ args: -m32\n")?)?;
    abi::same_prototypes(bench, &source, &settings).map_err(|failure| {
        let kept = work.keep().join(format!("signatures-{seed}.src"));
        format!("{failure}\nthe file is {}", kept.display())
    })
}

/// Makes the header of a seed's file, whose types are in a separate header, and includes both.
fn is_shared_header(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let text = signature::source(seed, N_SIGNATURES);
    let is_type = |line: &&str| line.starts_with("struct ") || line.starts_with("enum ");
    let (types, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(is_type);
    let files = [
        ("shared.h", format!("#pragma once\n{}\n", types.join("\n"))),
        ("x.src", format!("#include \"shared.h\"\n{}\n", rest.join("\n"))),
        ("before.c", "#include \"shared.h\"\n#include \"x.h\"\n".to_owned()),
        ("after.c", "#include \"x.h\"\n#include \"shared.h\"\n".to_owned()),
    ];
    for (name, text) in files {
        fs::write(work.path().join(name), text).map_err(|e| e.to_string())?;
    }
    run(bench.tools.weftc().current_dir(work.path()).args(["x.src", "-o", "x.h"]))?.success()?;
    for user in ["before.c", "after.c"] {
        let mut host = bench.tools.tool(Tool::Gxx)?;
        host.current_dir(work.path()).args(["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror"]);
        run(host.args(["-fsyntax-only", user]))?.success()?;
        let mut device = bench.tools.tool(Tool::Nvcc)?;
        device.current_dir(work.path()).args(["-x", "cu", "-rdc=true", "-ptx", "-o", "x.ptx", user]);
        run(&mut device)?.success()?;
    }
    Ok(())
}

/// Makes the header of a seed's file, and includes it.
fn is_right_header(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |name: &str| work.path().join(name);
    fs::write(at("x.src"), signature::source(seed, N_SIGNATURES)).map_err(|e| e.to_string())?;
    fs::write(at("include.c"), "#include \"x.h\"\n").map_err(|e| e.to_string())?;
    run(bench.tools.weftc().current_dir(work.path()).args(["x.src", "-o", "x.h"]))?.success()?;
    for language in [["c", "-std=c11"], ["c++", "-std=c++11"]] {
        let mut host = bench.tools.tool(Tool::Gxx)?;
        host.current_dir(work.path()).arg("-x").args(language);
        run(host.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "include.c"]))?.success()?;
    }
    let mut device = bench.tools.tool(Tool::Nvcc)?;
    device.current_dir(work.path()).args(["-x", "cu", "-rdc=true", "-ptx", "-o", "x.ptx", "include.c"]);
    run(&mut device)?.success().map(drop)
}
