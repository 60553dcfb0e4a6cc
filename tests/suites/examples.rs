//! Runs the examples from the PTX of both compilers, and compares the results with the same computation in
//! Rust.

use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Directives, Emit};
use weft_tests::examples::{self, EXAMPLES, FOR_GPUS};
use weft_tests::runner::Suite;
use weft_tests::tools::{Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    examples::all_have_checks()?;
    for (file, check) in EXAMPLES {
        compare(suite, file, "computes what Rust does", check)?;
    }
    for (file, kernel, opcode) in FOR_GPUS {
        let check = move |ptx: &str| examples::is_named(ptx, kernel, opcode);
        compare(suite, file, "has what the emulator names", check)?;
    }
    Ok(())
}

/// Adds a check of the PTX of both compilers.
fn compare(
    suite: &mut Suite,
    file: &str,
    what: &str,
    check: impl Fn(&str) -> Result<(), Failure> + Copy + Send + Sync + 'static,
) -> Result<(), Failure> {
    let source = repository().join("examples").join(file);
    let text = std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    let settings = Directives::parse(&text)?.settings(None)?;
    let arch = settings.arch.clone();
    for level in ["-O0", "-O3", "-G"] {
        let (source, mut settings) = (source.clone(), settings.clone());
        settings.args.push(level.to_owned());
        suite.add(format!("examples/{file} (weftc {level}: {what})"), &[], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            check(&bench.emit(&source, Emit::Ptx, &settings, work.path())?)
        });
    }
    // Some have other instructions for newer GPUs.
    let archs = if arch == DEFAULT_ARCH { vec![arch, "sm_90".to_owned()] } else { vec![arch] };
    for arch in archs {
        let (ours, mut settings) = (source.clone(), settings.clone());
        settings.arch.clone_from(&arch);
        let of_ours = settings.clone();
        suite.add(format!("examples/{file} (weftc {arch}: {what})"), &[], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            check(&bench.emit(&ours, Emit::Ptx, &of_ours, work.path())?)
        });
        let theirs = source.clone();
        suite.add(format!("examples/{file} (nvcc {arch}: {what})"), &[Tool::Nvcc], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            check(&bench.oracle_ptx(&theirs, &settings, work.path())?)
        });
    }
    Ok(())
}
