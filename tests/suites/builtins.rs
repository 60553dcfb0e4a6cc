//! The table of built-in functions: each overload is one of nvcc's, with its result and, where it is a single
//! instruction, its instruction; and each overload of NVIDIA's headers is in the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::ExitCode;

use weft_frontend::{Prototype, builtin_prototypes};
use weft_tests::Failure;
use weft_tests::builtins;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};

/// A GPU that has them all.
const ARCH: &str = "sm_90";

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let prototypes = predeclared();
    let name = format!("builtins/same ({} overloads)", prototypes.len());
    suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same_functions(bench, &prototypes));
    suite.add("builtins/all".into(), &[Tool::Nvcc], all_declared);
    Ok(suite)
}

/// The overloads that nvcc has without a header.
fn predeclared() -> Vec<Prototype> {
    builtin_prototypes().into_iter().filter(|prototype| prototype.header.is_none()).collect()
}

fn same_functions(bench: &Bench, prototypes: &[Prototype]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = |name: &str, text: String| {
        let path = work.path().join(name);
        fs::write(&path, text).map_err(|e| e.to_string()).map(|()| path)
    };
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -O3 -w"))?.settings(None)?;
    let ours = bench.emit(
        &file("builtins.src", builtins::source(prototypes))?,
        Emit::Ptx,
        &settings,
        work.path(),
    )?;
    bench.ptxas(&ours, "builtins", ARCH, work.path())?.success()?;
    let checked = file("builtins.cu", builtins::checked_source(prototypes))?;
    let theirs = bench.nvcc_ptx(&checked, ARCH, work.path())?;
    let (ours, theirs) = (builtins::instructions(&ours), builtins::instructions(&theirs));
    builtins::compare(prototypes, &ours, &theirs).map(drop)
}

/// Overloads that the table leaves out, since it has no name for a type in them. `pow` of two numbers of different types is a
/// template.
fn is_outside(declaration: &str) -> bool {
    ["template", "long double", "__float128"].iter().any(|ty| declaration.contains(ty))
}

fn all_declared(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("empty.cu");
    fs::write(&source, "\n").map_err(|e| e.to_string())?;
    let mut command = bench.tools.tool(Tool::Nvcc)?;
    command.args(["-x", "cu", "-std=c++17", "-E", "-D__CUDA_ARCH__=900"]).arg(&source);
    let declared = builtins::declared(&run(&mut command)?.success()?.stdout);
    let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let prototypes = predeclared();
    for prototype in &prototypes {
        known.entry(prototype.name).or_default().insert(builtins::declaration(prototype));
    }
    let mut n_compared = 0;
    let mut missing = Vec::new();
    for (name, known) in &known {
        for overload in declared.get(*name).into_iter().flatten() {
            n_compared += 1;
            if !known.contains(overload) && !is_outside(overload) {
                missing.push(format!("{name}: {overload}"));
            }
        }
    }
    if n_compared < 500 {
        return Err(format!("NVIDIA's headers were read wrongly: {n_compared} overloads are known"));
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("missing in the table:\n{}", missing.join("\n"))) }
}
