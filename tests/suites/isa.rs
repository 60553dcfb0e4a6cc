//! PTX ISA 1.1: each instruction, special register and directive is reached by a source of the table, which ptxas takes, and computes
//! what nvcc's PTX of the same source does. Forms on matrices, textures and surfaces are compared with ptxas. The page docs/ptx-isa-1.1.md is the table's; `BLESS=1` writes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::conformance::producer::Producer;
use weft_tests::isa::{self, Form, Variant, all_forms::Target, compare, matrices, objects, report};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, Tools, repository};

const ARCH: &str = "sm_90";

/// So many random forms ptxas takes at least, or it was asked wrongly.
const MIN_FORMS: usize = 200;

/// Compares forms with ptxas, and tells how many both take.
type Comparison = fn(&Tools, Target<'_>, &Path) -> Result<usize, Failure>;

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
    let of_forms: [(&str, &[Target<'static>], Comparison); 2] = [
        ("matrices", &matrices::TARGETS, matrices::compare),
        ("textures and surfaces", &objects::TARGETS, objects::compare),
    ];
    for (what, targets, compare) in of_forms {
        for &target in targets {
            let name = format!("isa/{what} ({}, {})", target.0, target.1);
            suite.add(name, &[Tool::Ptxas], move |bench| {
                let work = tempfile::tempdir().map_err(|e| e.to_string())?;
                match compare(&bench.tools, target, work.path())? {
                    0 => Err("ptxas's errors were read wrongly: it takes nothing".to_owned()),
                    _ => Ok(()),
                }
            });
        }
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
