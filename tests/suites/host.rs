//! Programs as people write them, host code and all: `weftc --host-code=skip` makes the kernels, functions and variables that nvcc
//! makes of them, with the same symbols and parameters.

use std::collections::BTreeSet;

use weft_emulator::ptx::parse;
use weft_emulator::ptx::syntax::{Linkage, Variable};
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository};

const ARCH: &str = "sm_90";

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/host"), "cu")? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        suite.add(format!("host/{name}.cu"), &[Tool::Nvcc], move |bench: &Bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            let settings = Directives::parse(&format!("//@ args: --host-code=skip\n//@ arch: {ARCH}\n"))?
                .settings(None)?;
            let ours = interface(&bench.emit(&path, Emit::Ptx, &settings, work.path())?)?;
            let theirs = interface(&bench.nvcc_ptx(&path, ARCH, work.path())?)?;
            if ours.is_empty() {
                return Err("nothing is left of the program".to_owned());
            }
            if ours == theirs {
                return Ok(());
            }
            let only = |these: &BTreeSet<String>, those: &BTreeSet<String>| {
                these.difference(those).cloned().collect::<Vec<_>>().join("\n  ")
            };
            Err(format!(
                "weftc alone has\n  {}\nnvcc alone has\n  {}",
                only(&ours, &theirs),
                only(&theirs, &ours)
            ))
        });
    }
    Ok(())
}

/// What a module offers to others: each symbol with its parameters or its size.
fn interface(ptx: &str) -> Result<BTreeSet<String>, Failure> {
    let module = parse(ptx).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    let shown = |variable: &Variable<'_>| {
        format!("{:?} {:?} x{} {:?}", variable.space, variable.ty, variable.vector, variable.dims)
    };
    let functions = module.functions.iter().filter(|it| it.linkage == Linkage::Visible && it.body.is_some());
    let functions = functions.map(|function| {
        let params: Vec<String> = function.prototype.params.iter().map(shown).collect();
        let returns: Vec<String> = function.prototype.returns.iter().map(shown).collect();
        format!("{}({}) -> {}", function.name, params.join(", "), returns.join(", "))
    });
    let variables = module.variables.iter().filter(|it| it.linkage == Linkage::Visible);
    Ok(functions.chain(variables.map(|variable| format!("{}: {}", variable.name, shown(variable)))).collect())
}
