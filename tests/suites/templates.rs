//! Programs of function templates, `templates/*.cu`: `weftc` makes the functions, kernels and variables that nvcc makes, with the same
//! symbols, linkage and parameters, and the kernel `test` computes the same.
//!
//! nvcc compiles with `-G`, so that it emits the functions that it would inline. Internal functions and variables are not compared, since nvcc's
//! have other names; nor are `.extern` declarations. Calls of `constexpr` functions with constants are left out of the programs: nvcc folds
//! them, and does not emit the function. A file without a `//@ launch:` line is launched as [`LAUNCH`] says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use weft_emulator::ptx::parse;
use weft_emulator::ptx::syntax::{Linkage, Module, Variable};
use weft_tests::Failure;
use weft_tests::directive::{DEFAULT_ARCH, Emit};
use weft_tests::launches;
use weft_tests::runner::run::{Way, same_launches};
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository};

/// The launch of the kernel of a file that has none.
const LAUNCH: &str = "//@ launch: test grid=1 block=1\n//@ arg: out=i32[16]=fill(3)\n";

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/suites/templates"), "cu")? {
        let name = name(&path);
        suite.add(format!("templates/{name}.cu"), &[Tool::Nvcc], move |bench| same_program(bench, &path));
    }
    Ok(())
}

pub(crate) fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares what the two compilers make of a program, and what its kernel computes.
pub(crate) fn same_program(bench: &Bench, path: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let has_launch = text.starts_with("//@ launch:");
    let (directives, launches) = launches::parse(if has_launch { &text } else { LAUNCH })?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let emitted = |level: &str| {
        let mut settings = directives.settings(None)?;
        settings.args.extend([level.to_owned(), "-w".to_owned()]);
        bench.emit(path, Emit::Ptx, &settings, work.path())
    };
    let theirs = bench.nvcc_ptx_with(path, DEFAULT_ARCH, &["-G", "-w"], work.path())?;
    let ours = emitted("-O0")?;
    same_interface(&ours, &theirs)?;
    let optimized = emitted("-O3")?;
    let ways: [Way<'_>; 3] = [
        ("weftc -O0", vec![("kernel.ptx", &ours)]),
        ("weftc -O3", vec![("kernel.ptx", &optimized)]),
        ("nvcc", vec![("kernel.ptx", &theirs)]),
    ];
    same_launches(&launches, &ways)
}

fn same_interface(ours: &str, theirs: &str) -> Result<(), Failure> {
    let located = |who: &str, text| {
        parse(text)
            .map(|module| interface(&module))
            .map_err(|error| format!("{who}: line {}: {}", error.line, error.message))
    };
    let (ours, theirs) = (located("weftc", ours)?, located("nvcc", theirs)?);
    let only = |a: &BTreeSet<String>, b| a.difference(b).cloned().collect::<Vec<_>>().join("\n  ");
    let (extra, missing) = (only(&ours, &theirs), only(&theirs, &ours));
    if extra.is_empty() && missing.is_empty() {
        return Ok(());
    }
    Err(format!("weftc alone has\n  {extra}\nnvcc alone has\n  {missing}"))
}

/// What a module offers to others: linkage and symbol of each function with its parameters, of each kernel with its launch bounds, too, and
/// of each variable with its size.
fn interface(module: &Module<'_>) -> BTreeSet<String> {
    let is_offered = |linkage| !matches!(linkage, Linkage::Internal | Linkage::Extern);
    let shown = |variable: &Variable<'_>| {
        format!("{:?} {:?} x{} {:?}", variable.space, variable.ty, variable.vector, variable.dims)
    };
    let list = |variables: &[Variable<'_>]| variables.iter().map(shown).collect::<Vec<_>>().join(", ");
    let functions = module.functions.iter().filter(|it| is_offered(it.linkage) && it.body.is_some());
    let functions = functions.map(|function| {
        let kind = if function.is_entry { "kernel" } else { "function" };
        let (returns, params) = (list(&function.prototype.returns), list(&function.prototype.params));
        let bounds = &function.directives;
        format!("{:?} {kind} {}({params}) -> ({returns}) {bounds:?}", function.linkage, function.name)
    });
    let variables = module.variables.iter().filter(|it| is_offered(it.linkage));
    let variables =
        variables.map(|variable| format!("{:?} {}: {}", variable.linkage, variable.name, shown(variable)));
    functions.chain(variables).collect()
}
