//! Litmus tests in C: by PTX's memory model, the code of `weftc` at -O0 and -O3 and that of nvcc have the
//! same outcomes, which include none that C++ forbids, and those that the test requires.

use std::collections::BTreeSet;
use std::fs;

use weft_emulator::program::Program;
use weft_tests::Failure;
use weft_tests::conformance::machine;
use weft_tests::directive::{Directives, Emit};
use weft_tests::golden::{self, Mode};
use weft_tests::litmus::{self, Litmus};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository};

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let tests = litmus::tests();
    let name = format!("litmus/orders ({} tests, weftc -O0 = -O3 = nvcc, as C++ says)", tests.len());
    suite.add(name, &[Tool::Nvcc], move |bench| same_outcomes(bench, &tests));
    let name = format!("litmus/faults ({} ways to weaken weftc's code are found)", FAULTS.len());
    suite.add(name, &[], faults_are_found);
    suite.add("litmus/what ci/gpu.sh runs is up to date".to_owned(), &[], gpu_files);
    Ok(())
}

/// Replacements in the PTX of `weftc`, and the tests that then have outcomes that C++ forbids.
const FAULTS: [(&[&str], &str, &[&str]); 6] = [
    (
        &["st.release", "atom.release", "atom.acq_rel"],
        "relaxed",
        &["mp", "mp_add", "mp_exchange", "mp_plain", "wrc", "isa2", "s", "sequence"],
    ),
    (
        &["ld.acquire", "atom.acquire"],
        "relaxed",
        &["mp", "mp_exchange", "mp_swap", "mp_plain", "wrc", "isa2", "s", "sequence"],
    ),
    (&["fence.sc"], "acq_rel", &["sb", "sb_fences", "w22", "iriw", "r"]),
    (&["fence.sc.gpu", "fence.sc.sys"], "nothing", &["mp_fences_seq_cst", "sb", "iriw"]),
    (
        &["st.relaxed.gpu", "ld.relaxed.gpu", "st.release.gpu", "ld.acquire.gpu", "atom.relaxed.gpu"],
        "cta",
        &["mp", "corr", "adds", "wrc", "isa2", "sequence"],
    ),
    (&["st.release.cluster", "ld.acquire.cluster"], "cta", &["mp_cluster_in_cluster"]),
];

/// Checks that the bench finds faults.
fn faults_are_found(bench: &Bench) -> Result<(), Failure> {
    let tests = litmus::tests();
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("litmus.src");
    fs::write(&source, litmus::source(&tests)).map_err(|e| e.to_string())?;
    let settings = Directives::parse("//@ arch: sm_90\n")?.settings(None)?;
    let ptx = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
    for (words, by, names) in FAULTS {
        let weakened = words.iter().fold(ptx.clone(), |ptx, word| match by {
            "nothing" => ptx.replace(&format!("{word};"), ""),
            _ => {
                let (kept, _) = word.rsplit_once('.').unwrap_or_default();
                ptx.replace(word, &format!("{kept}.{by}"))
            }
        });
        let program = machine::program(&[("weakened", &weakened)])?;
        for test in tests.iter().filter(|test| names.contains(&test.name)) {
            let found = test.outcomes(&program).map_err(|e| format!("{}: {e}", test.name))?;
            if !test.never.iter().any(|outcome| found.values.contains(outcome)) {
                return Err(format!("{by} for {words:?} is not seen in {}", test.name));
            }
        }
        if let Some(name) = names.iter().find(|name| tests.iter().all(|test| test.name != **name)) {
            return Err(format!("there is no test {name}"));
        }
    }
    Ok(())
}

/// The source and the table of tests for a GPU, which has no Rust beside it.
fn gpu_files(bench: &Bench) -> Result<(), Failure> {
    let tests = litmus::tests();
    let folder = repository().join("ci/gpu_parts");
    let mode = Mode::from_env()?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("litmus.src");
    fs::write(&source, litmus::source(&tests)).map_err(|e| e.to_string())?;
    let settings = Directives::parse("//@ arch: sm_90\n")?.settings(None)?;
    let ptx = bench.emit(&source, Emit::Ptx, &settings, work.path())?;
    let table =
        litmus::gpu_table(&tests, &machine::program(&[("weftc", &ptx)])?).map_err(|e| e.to_string())?;
    golden::compare(&folder.join("litmus.json"), &table, mode)?;
    golden::compare(&folder.join("litmus.src"), &litmus::gpu_source(&tests), mode)?;
    bench.emit(&folder.join("litmus.src"), Emit::Ptx, &settings, work.path()).map(drop)
}

fn same_outcomes(bench: &Bench, tests: &[Litmus]) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("litmus.src");
    fs::write(&source, litmus::source(tests)).map_err(|e| e.to_string())?;
    let settings = Directives::parse("//@ arch: sm_90\n")?.settings(None)?;
    let mut ways = vec![("nvcc", bench.oracle_ptx(&source, &settings, work.path())?)];
    for level in ["-O0", "-O3"] {
        let mut settings = settings.clone();
        settings.args.push(level.to_owned());
        ways.push((level, bench.emit(&source, Emit::Ptx, &settings, work.path())?));
    }
    let mut programs = Vec::new();
    for (way, ptx) in &ways {
        programs.push((*way, machine::program(&[(way, ptx)])?));
    }
    let wrong: Vec<String> = tests.iter().filter_map(|test| judge(test, &programs).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn judge(test: &Litmus, programs: &[(&str, Program)]) -> Result<(), String> {
    let mut first: Option<BTreeSet<Vec<u64>>> = None;
    for (way, program) in programs {
        let found = test.outcomes(program).map_err(|e| format!("{}: {way}: {e}", test.name))?.values;
        for outcome in &test.never {
            if found.contains(outcome) {
                return Err(format!("{}: {way}: C++ forbids {outcome:?}", test.name));
            }
        }
        for outcome in &test.may {
            if !found.contains(outcome) {
                return Err(format!(
                    "{}: {way}: {outcome:?} cannot be, and is allowed: {found:?}",
                    test.name
                ));
            }
        }
        match &first {
            None => first = Some(found),
            Some(first) if *first != found => {
                return Err(format!("{}: {way}: {found:?}, and nvcc's code comes to {first:?}", test.name));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
