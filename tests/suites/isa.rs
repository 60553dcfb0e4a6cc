//! PTX ISA 1.1: each instruction, special register and directive is reached by a source of the table, which ptxas takes, and computes
//! what nvcc's PTX of the same source does. The page docs/ptx-isa-1.1.md is the table's; `BLESS=1` writes it.

use std::process::ExitCode;
use std::{env, fs};

use weft_tests::directive::{Directives, Emit};
use weft_tests::isa::{self, Variant, report, source};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository};
use weft_tests::{Failure, math};

const ARCH: &str = "sm_90";

/// How many calls of each kernel.
const N_CALLS: usize = 64;

/// How many kernels a file has.
const N_KERNELS: usize = 100;

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    let forms = isa::forms()?;
    let variants = isa::variants(&forms)?;
    let mut rest = &variants[..];
    while let Some(first) = rest.first() {
        let is_alike = |variant: &&Variant| {
            (&variant.form.of, &variant.form.options) == (&first.form.of, &first.form.options)
        };
        let n = rest.iter().take_while(is_alike).count();
        for (number, some) in rest[..n].chunks(N_KERNELS).enumerate() {
            let name = format!(
                "isa/{}{}/{number} ({} variants)",
                first.form.of,
                first.form.options.concat(),
                some.len()
            );
            let some = some.to_vec();
            suite.add(name, &[Tool::Nvcc, Tool::Ptxas], move |bench| are_reached(bench, &some));
        }
        rest = &rest[n..];
    }
    suite.add("isa/page".into(), &[], move |_| is_on_page(&report::page(&forms, &variants)));
    Ok(suite)
}

fn are_reached(bench: &Bench, variants: &[Variant]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = work.path().join("isa.src");
    fs::write(&file, source::source(variants)?).map_err(|e| e.to_string())?;
    let options = variants.first().map_or(&[][..], |variant| &variant.form.options);
    let settings = Directives::parse(&format!("//@ arch: {ARCH}\n//@ args: -O3 -w {}", options.join(" ")))?;
    let settings = settings.settings(None)?;
    let ours = bench.emit(&file, Emit::Ptx, &settings, work.path())?;
    bench.ptxas(&ours, "isa", ARCH, work.path())?.success()?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let theirs = bench.nvcc_ptx_with(&file, ARCH, &options, work.path())?;
    let mut wrong = String::new();
    for (idx, variant) in variants.iter().enumerate() {
        let outcome = variant.is_in(&ours, idx).and_then(|()| same_values(variant, idx, &ours, &theirs));
        if let Err(failure) = outcome {
            wrong.push_str(&failure);
            wrong.push('\n');
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn same_values(variant: &Variant, idx: usize, ours: &str, theirs: &str) -> Result<(), Failure> {
    let isa = &variant.form.isa;
    if variant.form.result.is_none() || !variant.form.unrun.is_empty() {
        return Ok(());
    }
    let words = source::inputs(variant, N_CALLS, idx as u64);
    let ours = math::computed(ours, idx, &words).map_err(|fault| format!("{isa}: {fault}"))?;
    let theirs = math::computed(theirs, idx, &words).map_err(|fault| format!("{isa}, by nvcc: {fault}"))?;
    match math::differences(&words, &ours, &theirs, 0) {
        Some((n, first)) => Err(format!("{isa}: {n} of {N_CALLS} differ; {first}")),
        None => Ok(()),
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
