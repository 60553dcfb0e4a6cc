//! The table of built-in functions: each overload exists in nvcc, with the same result and, if it is a single
//! instruction, the same instruction; and each overload in NVIDIA's headers is in the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use weft_frontend::{Prototype, builtin_prototypes};
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};
use weft_tests::{builtins, group_matrices, known_names};

/// A GPU that supports all of them.
const ARCH: &str = "sm_90a";

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let prototypes = predeclared();
    let name = format!("builtins/same ({} overloads)", prototypes.len());
    suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| same_functions(bench, &prototypes));
    suite.add("builtins/group matrices".into(), &[Tool::Nvcc, Tool::Ptxas], same_products);
    suite.add("builtins/all".into(), &[Tool::Nvcc], all_declared);
    suite.add("builtins/known names".into(), &[Tool::Nvcc], all_names_known);
    suite.add("builtins/defined".into(), &[Tool::Nvcc], refused_definitions);
    Ok(())
}

/// The overloads that nvcc declares without a header.
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

/// Warpgroup products, with all combinations of options.
fn same_products(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("products.src");
    fs::write(&source, group_matrices::source()).map_err(|e| e.to_string())?;
    let theirs = group_matrices::products(&bench.nvcc_ptx(&source, ARCH, work.path())?);
    for level in ["-O0", "-O1", "-O3"] {
        let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: {level}"))?.settings(None)?;
        let ptx = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
        bench.ptxas(&ptx, "products", ARCH, work.path())?.success()?;
        let ours = group_matrices::products(&ptx);
        if theirs.len() < 50 || ours != theirs {
            let differ = theirs.iter().filter(|(name, product)| ours.get(*name) != Some(product));
            let differ: Vec<_> = differ.map(|(name, product)| (name, product, ours.get(name))).collect();
            return Err(format!("{level}: of {} products these differ: {differ:#?}", theirs.len()));
        }
    }
    Ok(())
}

/// A program can redefine nvcc's own built-ins, without effect, but not functions that CUDA's headers define.
fn refused_definitions(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    // Of mathematical functions, nvcc predeclares some overloads and defines others in headers.
    let is_compared =
        |name: &str| ["__", "atomic", "syncthreads", "cuda"].iter().any(|it| name.starts_with(it));
    let mut prototypes = predeclared();
    prototypes.retain(|prototype| is_compared(prototype.name));
    let (text, names) = builtins::definitions(&prototypes);
    let source = work.path().join("defined.src");
    fs::write(&source, &text).map_err(|e| e.to_string())?;
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: --error-format=short -w"))?;
    let settings = settings.settings(None)?;
    let mut ours = String::new();
    let lines: Vec<&str> = text.lines().collect();
    // `weftc` stops after a hundred errors.
    for first in (0..lines.len()).step_by(100) {
        let some = work.path().join("some.src");
        let text: String = "\n".repeat(first) + &lines[first..lines.len().min(first + 100)].join("\n");
        fs::write(&some, text).map_err(|e| e.to_string())?;
        ours += &bench.weftc(&some, Emit::Ptx, &settings, &work.path().join("weftc.ptx"))?.stderr;
    }
    let mut nvcc = bench.tools.tool(Tool::Nvcc)?;
    nvcc.args(["-x", "cu", "-std=c++17", &format!("-arch={ARCH}"), "-rdc=true", "--ptx", "-w"]);
    nvcc.args(["-Xcudafe", "--error_limit=10000", "-o"]).arg(work.path().join("nvcc.ptx"));
    let theirs = run(nvcc.arg(&source))?;
    let refused = |text: &str, before: &str, after: char, mark: &str| -> BTreeSet<&str> {
        let lines = text.lines().filter(|line| line.contains(mark));
        let place = |line: &str| line.split_once(before)?.1.split(after).next()?.parse::<usize>().ok();
        lines.filter_map(place).filter_map(|line| names.get(line - 1).copied()).collect()
    };
    let ours = refused(&ours, "some.src:", ':', " error[");
    let theirs = refused(&theirs.stderr, "defined.src(", ')', ": error:");
    if theirs.len() < 100 {
        return Err(format!("nvcc's errors were read wrongly: it refuses {theirs:?}"));
    }
    let (more, fewer): (Vec<_>, Vec<_>) =
        (ours.difference(&theirs).collect(), theirs.difference(&ours).collect());
    if more.is_empty() && fewer.is_empty() {
        return Ok(());
    }
    Err(format!("weftc alone refuses definitions of {more:?}, nvcc alone of {fewer:?}"))
}

/// Every name that nvcc knows without a declaration is supported, or rejected as unsupported.
fn all_names_known(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (unknown, n_known) = known_names::unknown(&bench.tools, work.path())?;
    if unknown.is_empty() {
        return Ok(());
    }
    let unknown = unknown.join(" ");
    Err(format!(
        "of {n_known} names that nvcc knows these are in no table, nor in frontend/src/sema/name/lacking.txt: {unknown}"
    ))
}

/// Overloads that the table omits because it lacks a name for one of their types. `pow` of two numbers of
/// different types is a template.
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
