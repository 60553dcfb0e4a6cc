//! PTX ISA 1.1: a source in the table reaches each instruction, special register and directive; ptxas accepts
//! its PTX, which computes the same as nvcc's. Forms of matrix, texture and surface instructions, and of
//! narrow formats, are compared with ptxas. Forms of instructions that do more than compute are mutated, and
//! ptxas must reject what is rejected here: `WEFT_MUTATED` multiplies their number, `WEFT_RANDOM_SEED`
//! selects them, and `WEFT_MUTATED_UNTOLD` names a file for those that only ptxas rejects.
//! docs/reference/emulator.md lists what ptxas accepts and the emulator does not run. The table generates the
//! page docs/reference/ptx-isa-1.1.md; `BLESS=1` writes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::conformance::producer::Producer;
use weft_tests::isa::all_forms::{self, AllForms};
use weft_tests::isa::{
    self, Form, Variant, compare, constants, conversions, matrices, mutated, objects, report, unexecuted,
};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository};

const ARCH: &str = "sm_90";

/// The minimum number of random forms that ptxas accepts; fewer mean that the test is broken.
const MIN_FORMS: usize = 200;

/// The minimum number of other modifier orders that ptxas accepts.
const MIN_ORDERS: usize = 1000;

/// The number of mutations per line of the emulator's tables, and the minimum percentage of those rejected by
/// ptxas that are rejected here.
const N_MUTATED: usize = 4;
const MIN_REJECTED_OF_100: usize = 97;

#[expect(clippy::print_stdout, reason = "the share is what the suite measures")]
fn print(seen: &mutated::Seen) {
    if seen.is_empty() {
        return;
    }
    println!(
        "of random forms that ptxas refuses for all GPUs, how many are reported (and how many it takes):"
    );
    for (name, counts) in seen {
        println!("{:5} of {:5} ({:4})  {name}", counts.n_rejected_here, counts.n_refused, counts.n_taken);
    }
}

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let seen = Arc::new(Mutex::new(mutated::Seen::new()));
    let shown = Arc::clone(&seen);
    suite.at_end(move || {
        print(&shown.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    });
    let seed = number("WEFT_RANDOM_SEED")?.unwrap_or(1);
    let n_each = N_MUTATED * number("WEFT_MUTATED")?.unwrap_or(1) as usize;
    suite.add(format!("isa/mutated-{seed} ({n_each} each)"), &[Tool::Ptxas], move |bench| {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        let found = mutated::compare(&bench.tools, seed, n_each, work.path())?;
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = found.seen.clone();
        if let Some(path) = env::var_os("WEFT_MUTATED_UNTOLD") {
            fs::write(path, found.only_ptxas.join("\n") + "\n").map_err(|e| e.to_string())?;
        }
        let n_refused: usize = found.seen.values().map(|counts| counts.n_refused).sum();
        let n_rejected_here = n_refused - found.only_ptxas.len();
        if 100 * n_rejected_here < MIN_REJECTED_OF_100 * n_refused {
            return Err(format!(
                "of {n_refused} that ptxas refuses {n_rejected_here} are reported, and not\n{}",
                found.only_ptxas.join("\n")
            ));
        }
        Ok(())
    });
    suite.add(format!("isa/orders-{seed}"), &[Tool::Ptxas], move |bench| {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        match isa::orders::compare(&bench.tools, seed, work.path())? {
            n if n < MIN_ORDERS => Err(format!("ptxas takes {n} orders alone")),
            _ => Ok(()),
        }
    });
    suite.add("isa/unexecuted".into(), &[Tool::Ptxas], move |bench| {
        let work = tempfile::tempdir().map_err(|e| e.to_string())?;
        unexecuted::compare(&bench.tools, work.path())
    });
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
    Ok(())
}

fn number(variable: &str) -> Result<Option<u64>, Failure> {
    let Ok(value) = env::var(variable) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("{variable}={value} is not a number"))
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

/// Checks that ptxas rejects a retired instruction.
fn is_retired(bench: &Bench, variant: &Variant, work: &Path) -> Result<(), Failure> {
    let form = &variant.form;
    if form.retired.is_empty() {
        return Ok(());
    }
    // A module without it is accepted, so that it is the reason for the rejection.
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
