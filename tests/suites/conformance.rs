//! All rows of the clause table, and random signatures: `weftc` compared with nvcc, from prototypes to
//! results.

use weft_tests::Failure;
use weft_tests::conformance::campaign::Campaign;
use weft_tests::conformance::producer::Producer;
use weft_tests::conformance::table::{Answer, INSTRUCTIONS, Table, cases};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::Tool;

const ARCH: &str = "sm_90";
const NEEDS: [Tool; 5] = [Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Nvdisasm, Tool::FileCheck];

/// 250 signatures; `WEFT_ABI_SEEDS=800` tries 100,000.
const N_SEEDS: u64 = 2;
const N_SIGNATURES: usize = 75;

/// Files that are only about types, and long: `ci/conformance` checks them at -O0 as well, and so do random
/// signatures. Debug information is always that of -O0.
const AT_ONE_LEVEL: [&str; 5] = [
    "signatures/fundamental_types",
    "signatures/native_vectors",
    "signatures/bit_fields",
    "debug/call_example",
    "debug/memories",
];

const LEVELS: [&str; 2] = ["-O3", "-O0"];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    // All levels are compared with the same answer.
    suite.remember_nvcc();
    let clauses = Table::read()?;
    // `suites/atomics.rs` checks a share of the matrix, and `suites/isa.rs` the instructions.
    let is_here = |file: &String| file != "atomics" && !file.starts_with(INSTRUCTIONS);
    for file in clauses.files().into_iter().filter(is_here) {
        let rows = clauses.clause.iter().filter(|clause| clause.cases.iter().any(|case| is_in(case, &file)));
        let levels = if AT_ONE_LEVEL.contains(&file.as_str()) { &LEVELS[..1] } else { &LEVELS };
        let name = format!("conformance/{file} (weftc {}, {} rows)", levels.join(" "), rows.count());
        let clauses = clauses.clone();
        suite.add(name, &NEEDS, move |bench| {
            levels.iter().try_for_each(|level| is_as_nvcc_has_it(bench, &clauses, &file, level))
        });
    }
    let n_seeds = std::env::var("WEFT_ABI_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(N_SEEDS);
    for seed in 1..=n_seeds {
        let name = format!("conformance/seed-{seed} ({N_SIGNATURES} signatures)");
        suite.add(name, &NEEDS, move |bench| random_signatures(bench, seed));
    }
    Ok(())
}

fn is_in(case: &str, file: &str) -> bool {
    case.split('#').next() == Some(file)
}

/// Checks a file, for all the rows that name something in it.
fn is_as_nvcc_has_it(bench: &Bench, clauses: &Table, file: &str, level: &str) -> Result<(), Failure> {
    // The host objects are the same at every level.
    let links_host = level == "-O3";
    let found = cases::look_at(file, &bench.tools, &Producer::weftc(level), ARCH, links_host)?;
    let rows = clauses.rows(&[(file.to_owned(), found)].into());
    let mut wrong = Vec::new();
    for row in rows {
        for (case, answer) in row.cases.iter().filter(|(case, _)| is_in(case, file)) {
            match answer {
                Answer::Same(_) => {}
                Answer::Differs(how) => wrong.push(format!("{}, {case}: {how}", row.id)),
                Answer::NvccFails(how) => wrong.push(format!("{}, {case}: nvcc's own: {how}", row.id)),
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn random_signatures(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let campaign = Campaign {
        seeds: seed..seed + 1,
        n_signatures: N_SIGNATURES,
        arch: ARCH.to_owned(),
        producer: None,
        without_variadic: false,
        n_jobs: 1,
        shrinks: true,
        findings: None,
    };
    let report = std::sync::Mutex::new(String::new());
    let summary = campaign.run(&bench.tools, &|line| {
        if let Ok(mut report) = report.lock() {
            report.push_str(line);
            report.push('\n');
        }
    })?;
    if summary.findings.is_empty() { Ok(()) } else { Err(report.into_inner().unwrap_or_default()) }
}
