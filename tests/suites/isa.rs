//! PTX ISA 1.1: each instruction, special register and directive is reached by a source of the table, which ptxas takes, and computes
//! what nvcc's PTX of the same source does. Forms on matrices, textures and surfaces, and of small formats, are compared with ptxas. The page docs/ptx-isa-1.1.md is the table's; `BLESS=1` writes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::conformance::producer::Producer;
use weft_tests::isa::all_forms::{self, AllForms};
use weft_tests::isa::{self, Form, Variant, compare, constants, conversions, matrices, objects, report};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository};

const ARCH: &str = "sm_90";

/// So many random forms ptxas takes at least, or it was asked wrongly.
const MIN_FORMS: usize = 200;

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let forms = isa::forms()?;
    let variants = isa::variants(&forms)?;
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for some in isa::files(&variants) {
        let Some(first) = some.first() else { continue };
        let of = format!("{}{}", first.form.of, first.form.options.concat());
        let number = numbers.entry(of.clone()).or_default();
        let name = format!("isa/{of}/{number} ({} variants)", some.len());
        *number += 1;
        let some = some.to_vec();
        suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| are_reached(bench, &some));
    }
    let of_matrices =
        matrices::TARGETS.map(|target| ("matrices", target, matrices::forms as fn() -> AllForms));
    let of_objects = objects::TARGETS.map(|target| ("textures and surfaces", target, objects::forms as _));
    let of_constants = constants::TARGETS.map(|target| ("constants", target, constants::forms as _));
    let of_conversions = conversions::TARGETS.map(|target| ("conversions", target, conversions::forms as _));
    let all_of_forms = of_matrices.into_iter().chain(of_objects).chain(of_constants).chain(of_conversions);
    for (what, target, forms) in all_of_forms {
        suite.add(format!("isa/{what} ({}, {})", target.0, target.1), &[Tool::Ptxas], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            all_forms::compare(&bench.tools, target, &forms(), work.path()).map(drop)
        });
    }
    for target in isa::forms::TARGETS {
        suite.add(format!("isa/forms ({}, {})", target.0, target.1), &[Tool::Ptxas], move |bench| {
            let work = tempfile::tempdir().map_err(|e| e.to_string())?;
            match isa::forms::compare(&bench.tools, target, work.path())? {
                n if n < MIN_FORMS => Err(format!("ptxas takes {n} forms alone")),
                _ => Ok(()),
            }
        });
    }
    suite.add("isa/page".into(), &[], move |_| is_on_page(&report::page(&forms, &variants)));
    Ok(suite)
}

fn are_reached(bench: &Bench, variants: &[Variant]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let outcomes = compare::compare(&bench.tools, &Producer::weftc("-O3"), variants, ARCH, work.path())?;
    let wrong = variants.iter().zip(outcomes).filter_map(|(variant, outcome)| {
        outcome
            .and_then(|()| is_retired(bench, variant, work.path()))
            .err()
            .map(|failure| format!("{}: {failure}\n", variant.form.isa))
    });
    let wrong: String = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Of what is said to be retired ptxas knows nothing.
fn is_retired(bench: &Bench, variant: &Variant, work: &Path) -> Result<(), Failure> {
    let form = &variant.form;
    if form.retired.is_empty() {
        return Ok(());
    }
    // A module without it is taken: so it is that which is refused.
    let empty = Form { retired: "{ }".into(), ..form.clone() };
    bench.ptxas(&empty.retired_module(), "empty", ARCH, work)?.success()?;
    match bench.ptxas(&form.retired_module(), "retired", ARCH, work)?.status {
        Some(0) => Err(format!("ptxas takes `{}`", form.retired)),
        _ => Ok(()),
    }
}

fn is_on_page(page: &str) -> Result<(), Failure> {
    let path = repository().join(report::PATH);
    if env::var("BLESS").is_ok() {
        return fs::write(&path, page).map_err(|e| e.to_string());
    }
    let there = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    if there == page {
        Ok(())
    } else {
        Err(format!("{} is not the table's; BLESS=1 writes it", path.display()))
    }
}
