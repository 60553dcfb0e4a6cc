//! The examples, executed from the PTX of both compilers, compute what the same in Rust does.

use std::process::ExitCode;

use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Directives, Emit};
use weft_tests::examples::{self, EXAMPLES};
use weft_tests::runner::Suite;
use weft_tests::tools::{Tool, repository};

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    examples::all_are_there()?;
    let mut suite = Suite::new()?;
    for (name, check) in EXAMPLES {
        let source = repository().join("examples").join(name).with_extension("src");
        for level in ["-O0", "-O3", "-g"] {
            let source = source.clone();
            suite.add(format!("examples/{name}.src (weftc {level} = Rust)"), &[], move |bench| {
                let work = tempfile::tempdir().map_err(|e| e.to_string())?;
                let settings = Directives::parse(&format!("//@ args: {level}"))?.settings(None)?;
                check(&bench.emit(&source, Emit::Ptx, &settings, work.path())?)
            });
        }
        // Some have other instructions for newer GPUs.
        for arch in [DEFAULT_ARCH, "sm_90"] {
            let of_arch = |compiler: &str| format!("examples/{name}.src ({compiler} {arch} = Rust)");
            let ours = source.clone();
            suite.add(of_arch("weftc"), &[], move |bench| {
                let work = tempfile::tempdir().map_err(|e| e.to_string())?;
                let settings = Directives::parse(&format!("//@ arch: {arch}"))?.settings(None)?;
                check(&bench.emit(&ours, Emit::Ptx, &settings, work.path())?)
            });
            let theirs = source.clone();
            suite.add(of_arch("nvcc"), &[Tool::Nvcc], move |bench| {
                let work = tempfile::tempdir().map_err(|e| e.to_string())?;
                check(&bench.nvcc_ptx(&theirs, arch, work.path())?)
            });
        }
    }
    Ok(suite)
}
