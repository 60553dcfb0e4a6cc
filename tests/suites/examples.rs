//! Runs the examples from the PTX of both compilers, and compares the results with the same computation in
//! Rust.

use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Directives, Emit};
use weft_tests::examples::{self, EXAMPLES, FOR_GPUS};
use weft_tests::runner::Suite;
use weft_tests::tools::{Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    examples::all_have_checks()?;
    for (name, check) in EXAMPLES {
        compare(suite, name, "computes what Rust does", check)?;
    }
    for (name, opcode) in FOR_GPUS {
        let check = move |ptx: &str| examples::is_named(ptx, name, opcode);
        compare(suite, name, "has what the emulator names", check)?;
    }
    Ok(())
}

/// Adds a check of the PTX of both compilers.
fn compare(
    suite: &mut Suite,
    name: &str,
    what: &str,
    check: impl Fn(&str) -> Result<(), Failure> + Copy + Send + Sync + 'static,
) -> Result<(), Failure> {
    let source = repository().join("examples").join(name).with_extension("src");
    let arch = examples::arch(&source, DEFAULT_ARCH)?;
    for level in ["-O0", "-O3", "-G"] {
        let (source, arch) = (source.clone(), arch.clone());
        suite.add(format!("examples/{name}.src (weftc {level}: {what})"), &[], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            let text = format!("//@ args: {level}\n//@ arch: {arch}");
            let settings = Directives::parse(&text)?.settings(None)?;
            check(&bench.emit(&source, Emit::Ptx, &settings, work.path())?)
        });
    }
    // Some have other instructions for newer GPUs.
    let archs = if arch == DEFAULT_ARCH { vec![arch, "sm_90".to_owned()] } else { vec![arch] };
    for arch in archs {
        let (ours, of_ours) = (source.clone(), arch.clone());
        suite.add(format!("examples/{name}.src (weftc {arch}: {what})"), &[], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            let settings = Directives::parse(&format!("//@ arch: {of_ours}"))?.settings(None)?;
            check(&bench.emit(&ours, Emit::Ptx, &settings, work.path())?)
        });
        let theirs = source.clone();
        suite.add(format!("examples/{name}.src (nvcc {arch}: {what})"), &[Tool::Nvcc], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            check(&bench.nvcc_ptx(&theirs, &arch, work.path())?)
        });
    }
    Ok(())
}
