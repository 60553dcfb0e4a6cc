//! Random calls of `printf`: run on the emulator from the PTX of `weftc` at -O0 and -O3 and of nvcc, they
//! print the same as the host's C library for the same formats and values; and they pass the same bytes to
//! `vprintf`, at the same offsets, as nvcc's code.
//!
//! A trial has [`N_CALLS`] argument lists. `WEFT_PRINTED_LISTS=2000` tries this many instead of [`N_TRIALS`]
//! times as many. With 32-bit addresses, the output of nvcc's code is the expected one, since the host has 64
//! bits.

use std::{env, fs};

use weft_run::Launch;
use weft_tests::Failure;
use weft_tests::directive::Emit;
use weft_tests::launches;
use weft_tests::print_calls;
use weft_tests::print_flags;
use weft_tests::printed::Printing;
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, run};

const N_TRIALS: usize = 6;
const N_CALLS: usize = 50;

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    let n_trials = match env::var("WEFT_PRINTED_LISTS") {
        Ok(n) => {
            let n: usize = n.parse().map_err(|_| format!("WEFT_PRINTED_LISTS={n} is not a number"))?;
            n.div_ceil(N_CALLS)
        }
        Err(_) => N_TRIALS,
    };
    suite.add("printed/bytes that no text shows are found".to_owned(), &[Tool::Nvcc], hidden_bytes);
    suite.add("printed/flags (each combination, emulator = host)".to_owned(), &[Tool::Gxx], all_flags);
    for seed in 1..=n_trials as u64 {
        let name = format!("printed/seed-{seed} ({N_CALLS} argument lists, weftc -O0 = -O3 = nvcc = host)");
        suite.add(name, &[Tool::Nvcc, Tool::Gxx], move |bench| same_text(bench, seed, true));
        if seed % 3 == 0 {
            let name = format!("printed/seed-{seed} ({N_CALLS} argument lists, 32-bit addresses)");
            suite.add(name, &[Tool::Nvcc], move |bench| same_text(bench, seed, false));
        }
    }
    Ok(())
}

fn same_text(bench: &Bench, seed: u64, is_wide: bool) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let program = Printing::new(seed, N_CALLS, is_wide);
    let source = work.path().join("printed.src");
    let text = program.device_text(if is_wide { "-w" } else { "-w -m32" });
    fs::write(&source, &text).map_err(|e| e.to_string())?;
    let (directives, launches) = launches::parse(&text)?;
    let settings = directives.settings(None)?;
    let mut ways = vec![("nvcc", bench.oracle_ptx(&source, &settings, work.path())?)];
    for level in ["-O0", "-O3"] {
        let mut settings = settings.clone();
        settings.args.push(level.to_owned());
        ways.push((level, bench.emit(&source, Emit::Ptx, &settings, work.path())?));
    }
    let (mut printed, mut calls) = (Vec::new(), Vec::new());
    for (way, ptx) in &ways {
        for launch in &launches {
            let launch = launch.of(&[("printed.ptx", ptx)]).keep_print_calls();
            let report = launch.run().map_err(|e| format!("{way}: {e}"))?;
            printed.push((*way, report.printed()));
            calls.push((*way, report.print_calls));
        }
    }
    let (_, theirs) = calls.remove(0);
    for (way, ours) in &calls {
        print_calls::compare(ours, &theirs).map_err(|e| format!("{way} and nvcc:\n{e}"))?;
    }
    let (by, wanted) = if is_wide {
        ("the host", host(bench, &program.host_text(), &work)?)
    } else {
        let (by, wanted) = printed.remove(0);
        (by, wanted)
    };
    if wanted.lines().count() != N_CALLS {
        return Err(format!("{by} prints other than {N_CALLS} lines:\n{wanted}"));
    }
    let mut differences = Vec::new();
    for (way, found) in &printed {
        let calls = text.lines().filter(|line| line.contains("printf("));
        let lines = found.lines().chain(std::iter::repeat("")).zip(wanted.lines());
        differences.extend(
            calls
                .zip(lines)
                .filter(|(_, (found, wanted))| found != wanted)
                .map(|(call, (found, wanted))| format!("{call}\n  {way}: {found}\n  {by}: {wanted}")),
        );
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// The comparison notices code that passes other bytes with the same output, or an empty list instead of
/// none.
fn hidden_bytes(bench: &Bench) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = work.path().join("hidden.src");
    let text = "//@ launch: print grid=1 block=1\n__global__ void print()\n{\n    \
        printf(\"%c %.2f %hhd\\n\", 'A', 1.5, 77);\n    printf(\"none\\n\");\n}\n";
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let (directives, launches) = launches::parse(text)?;
    let ptx = bench.oracle_ptx(&source, &directives.settings(None)?, work.path())?;
    let report = |ptx: &str| launches[0].of(&[("hidden.ptx", ptx)]).keep_print_calls().run();
    let whole = report(&ptx).map_err(|e| e.to_string())?;
    let lists: Vec<usize> = whole.print_calls.iter().map(|call| call.arguments.len()).collect();
    let are_there: Vec<bool> = whole.print_calls.iter().map(|call| call.address != 0).collect();
    if (&lists[..], &are_there[..]) != (&[3, 0], &[true, false]) {
        return Err(format!("lists of {lists:?} arguments, that are there: {are_there:?}"));
    }
    for (from, to) in
        [(" 65;", " 321;"), (" 77;", " 65613;"), ("4609434218613702656;", "4609434218613702657;")]
    {
        if ptx.matches(from).count() != 1 {
            return Err(format!("{from} is not once in\n{ptx}"));
        }
        let changed = report(&ptx.replace(from, to)).map_err(|e| e.to_string())?;
        if changed.printed() != whole.printed() {
            return Err(format!("{to} is printed as {}", changed.printed()));
        }
        if print_calls::compare(&changed.print_calls, &whole.print_calls).is_ok() {
            return Err(format!("{to} is not found"));
        }
    }
    Ok(())
}

/// Formats that a kernel constructs at run time, so that compilers do not know them.
fn all_flags(bench: &Bench) -> Result<(), Failure> {
    const BLOCK: u32 = 256;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let calls = print_flags::calls();
    let (formats, lists) = print_flags::buffers(&calls);
    let n = calls.len() as u32;
    let launch = Launch::new().module("flags.ptx", print_flags::ptx()).grid(n.div_ceil(BLOCK)).block(BLOCK);
    let report = launch.arg(formats).arg(lists).arg(n).run().map_err(|e| e.to_string())?;
    let (found, wanted) = (report.printed(), host(bench, &print_flags::host_text(&calls), &work)?);
    let n_lines = (found.lines().count(), wanted.lines().count());
    if n_lines != (calls.len(), calls.len()) {
        return Err(format!("{n_lines:?} lines are printed, and not {}", calls.len()));
    }
    let lines = calls.iter().zip(found.lines().zip(wanted.lines()));
    let different = lines.filter(|(_, (found, wanted))| found != wanted);
    let differences: Vec<String> = different
        .map(|(call, (found, wanted))| format!("{}: [{found}] and not [{wanted}]", call.format))
        .collect();
    if differences.is_empty() {
        Ok(())
    } else {
        Err(format!("{} differ:\n{}", differences.len(), differences.join("\n")))
    }
}

/// The output of the host's C library.
fn host(bench: &Bench, text: &str, work: &tempfile::TempDir) -> Result<String, Failure> {
    let (source, binary) = (work.path().join("printed.cc"), work.path().join("printed"));
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut compiler = bench.tools.tool(Tool::Gxx)?;
    compiler.args(["-std=c++17", "-w", "-O0", "-o"]).arg(&binary).arg(&source);
    run(&mut compiler)?.success()?;
    Ok(run(&mut std::process::Command::new(&binary))?.success()?.stdout)
}
