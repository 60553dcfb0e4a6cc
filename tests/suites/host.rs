//! Programs as people write them, host code and all: `weftc --host-code=skip` makes the kernels, functions and variables that nvcc
//! makes of them, with the same symbols and parameters, and the kernels compute the same.
//!
//! `host/items` does that with all items of `host_items.txt` in a random order, on lines of their own or not;
//! `WEFT_HOST_ITEMS=70` tries so many orders, and a program that fails is kept in `target`.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use weft_emulator::ptx::parse;
use weft_emulator::ptx::syntax::{Linkage, Module, Variable};
use weft_run::kernel::source_name;
use weft_tests::Failure;
use weft_tests::directive::{Directives, Emit, Settings};
use weft_tests::launches::{self, LaunchSpec};
use weft_tests::random::Random;
use weft_tests::runner::run::same_results;
use weft_tests::runner::{Bench, Suite, files};
use weft_tests::tools::{Tool, repository};

/// What the programs of random items are made of.
const ITEMS: &str = include_str!("host_items.txt");

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    add_programs(suite)?;
    let n_orders = match env::var("WEFT_HOST_ITEMS") {
        Ok(n) => n.parse().map_err(|_| format!("WEFT_HOST_ITEMS={n} is not a number"))?,
        Err(_) => 1,
    };
    for seed in 1..=n_orders {
        suite.add(format!("host/items in a random order, seed {seed}"), &[Tool::Nvcc], move |bench| {
            same_items(bench, seed)
        });
    }
    Ok(())
}

fn add_programs(suite: &mut Suite) -> Result<(), Failure> {
    for path in files(&repository().join("tests/host"), "cu")? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        suite.add(format!("host/{name}.cu"), &[Tool::Nvcc], move |bench: &Bench| {
            let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
            let (directives, launches) = launches::parse(&text)?;
            let mut settings = directives.settings(None)?;
            settings.args.push("--host-code=skip".to_owned());
            same_interface(bench, &path, &settings, &launched(&text, &launches)?)?;
            same_results(bench, &path, &settings, &launches)
        });
    }
    Ok(())
}

/// Compares what the two compilers make of all items in one order.
fn same_items(bench: &Bench, seed: u64) -> Result<(), Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = work.path().join("items.cu");
    let program = program_of_items(seed)?;
    fs::write(&path, &program).map_err(|e| e.to_string())?;
    let settings = Directives::parse("//@ args: --host-code=skip\n")?.settings(None)?;
    same_kernels(bench, &path, &settings).map(drop).map_err(|failure| {
        let kept = repository().join(format!("target/host-items-{seed}.cu"));
        let _unwritten = fs::write(&kept, program);
        format!("{}: {failure}", kept.display())
    })
}

/// Each item of the host once in a random order, and as many of the device between them, chosen at random.
fn program_of_items(seed: u64) -> Result<String, Failure> {
    const SEPARATORS: [&str; 6] = ["\n", "\n", " ", "\n\n", " // comment\n", " /* comment */ "];
    let section = |name: &str| {
        let lines = ITEMS.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
        let lines: Vec<&str> = lines.take_while(|line| !line.starts_with('[')).collect();
        if lines.is_empty() { Err(format!("host_items.txt has no `[{name}]`")) } else { Ok(lines) }
    };
    let (start, mut of_host, of_device) = (section("start")?, section("host")?, section("device")?);
    let mut random = Random::new(seed);
    let mut program = start.join("\n") + "\n";
    let mut number = 0;
    while !of_host.is_empty() {
        let of_host = of_host.swap_remove(random.below(of_host.len()));
        for item in [of_host, *random.of(&of_device)] {
            program += &item.replace('@', &format!("_{number}"));
            program += *random.of(&SEPARATORS);
            number += 1;
        }
    }
    program.push('\n');
    Ok(program)
}

/// Compares what the two compilers make of a program, and its kernels with those that are executed.
fn same_interface(
    bench: &Bench,
    path: &Path,
    settings: &Settings,
    launched: &BTreeSet<String>,
) -> Result<(), Failure> {
    let kernels = same_kernels(bench, path, settings)?;
    same("kernels", &kernels, launched, ["no `//@ launch:` runs", "the program lacks"])
}

/// Compares what the two compilers make of a program; its kernels.
fn same_kernels(bench: &Bench, path: &Path, settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let ours = bench.emit(path, Emit::Ptx, settings, work.path())?;
    let ours = parse(&ours).map_err(|error| format!("weftc: line {}: {}", error.line, error.message))?;
    let theirs = bench.oracle_ptx(path, settings, work.path())?;
    let theirs = parse(&theirs).map_err(|error| format!("nvcc: line {}: {}", error.line, error.message))?;
    same("interface", &interface(&ours), &interface(&theirs), ["weftc alone has", "nvcc alone has"])?;
    let kernels = ours.functions.iter().filter(|function| function.is_entry);
    let kernels: BTreeSet<String> = kernels.map(|kernel| source_name(kernel.name)).collect();
    if kernels.is_empty() {
        return Err("the program has no kernel".to_owned());
    }
    Ok(kernels)
}

/// The kernels of the launches, and those that a comment excuses: `// not launched: KERNEL (reason)`.
fn launched(text: &str, launches: &[LaunchSpec]) -> Result<BTreeSet<String>, Failure> {
    let mut kernels: BTreeSet<String> = launches.iter().map(|launch| launch.kernel.clone()).collect();
    for excuse in text.lines().filter_map(|line| line.strip_prefix("// not launched:")) {
        let parts = excuse.trim().strip_suffix(')').and_then(|rest| rest.split_once(" ("));
        let (kernel, _) = parts
            .filter(|(_, reason)| !reason.trim().is_empty())
            .ok_or_else(|| format!("`{}` is not `KERNEL (reason)`", excuse.trim()))?;
        if !kernels.insert(kernel.to_owned()) {
            return Err(format!("`{kernel}` is launched, and said not to be"));
        }
    }
    Ok(kernels)
}

/// Compares two sets; `titles` say what only one of them means.
fn same(
    what: &str,
    first: &BTreeSet<String>,
    second: &BTreeSet<String>,
    titles: [&str; 2],
) -> Result<(), Failure> {
    let only = [first.difference(second), second.difference(first)];
    let mut shown = String::new();
    for (title, only) in titles.into_iter().zip(only) {
        let only: Vec<&str> = only.map(String::as_str).collect();
        if !only.is_empty() {
            shown += &format!("\n{title}\n  {}", only.join("\n  "));
        }
    }
    if shown.is_empty() { Ok(()) } else { Err(format!("{what}:{shown}")) }
}

/// What a module offers to others: each symbol with its parameters or its size.
fn interface(module: &Module<'_>) -> BTreeSet<String> {
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
    functions.chain(variables.map(|variable| format!("{}: {}", variable.name, shown(variable)))).collect()
}
