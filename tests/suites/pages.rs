//! Pages of the documentation, checked. Commands are run as a page has them, with its files, and print what it says; the
//! figures of docs/limits.md are those of the constants that it names.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use weft_tests::Failure;
use weft_tests::page::{Part, parts};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository, run};

/// The pages, and what their commands run.
const PAGES: &[(&str, &[Tool])] = &[
    ("linking.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Cuobjdump, Tool::Gxx]),
    ("gpus.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Cuobjdump, Tool::Gxx]),
    ("resource-usage.md", &[Tool::Nvcc, Tool::Ptxas]),
];

fn main() -> ExitCode {
    Suite::run(suite())
}

fn suite() -> Result<Suite, Failure> {
    let mut suite = Suite::new()?;
    for &(page, needs) in PAGES {
        suite.add(format!("pages/{page}"), needs, move |bench| check(bench, page));
    }
    suite.add("pages/limits.md".to_owned(), &[], |_| check_limits());
    Ok(suite)
}

/// Compares figures with constants; each limit of the frontend has a row.
fn check_limits() -> Result<(), Failure> {
    let read = |path: &str| fs::read_to_string(repository().join(path)).map_err(|e| format!("{path}: {e}"));
    let page = read("docs/limits.md")?;
    let (mut wrong, mut seen) = (Vec::new(), Vec::new());
    for row in page.lines().filter_map(Row::read) {
        match constant(&read(row.file)?, row.constant) {
            Some(value) if figure(row.figure) == Some(value) => seen.push((row.file, row.constant)),
            Some(value) => wrong.push(format!("{}: {}, and the code has {value}", row.constant, row.figure)),
            None => wrong.push(format!("{} has no constant {}", row.file, row.constant)),
        }
    }
    let limits = read("frontend/src/limits.rs")?;
    let names = limits.lines().filter_map(|line| line.strip_prefix("pub const MAX_")?.split(':').next());
    for name in names.map(|name| format!("MAX_{name}")) {
        if !seen.contains(&("frontend/src/limits.rs", &name)) {
            wrong.push(format!("{name} is not on the page, or not right there"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A row of a table that names a constant: `| limit | figure | … | `file` `NAME` |`.
struct Row<'a> {
    figure: &'a str,
    file: &'a str,
    constant: &'a str,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Option<Row<'a>> {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let (_, figure) = (cells.first()?, cells.get(1)?);
        let mut words = cells.last()?.split('`').filter(|word| !word.trim().is_empty());
        let (file, constant) = (words.next()?, words.next()?);
        file.ends_with(".rs").then_some(Row { figure, file, constant })
    }
}

/// `1,024`, `8 KiB`, `64 MiB`, `4 GiB`
fn figure(text: &str) -> Option<u64> {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let shift = ["", "KiB", "MiB", "GiB"].iter().position(|&it| it == unit)?;
    Some(number.replace(',', "").parse::<u64>().ok()? << (10 * shift))
}

/// The value of a constant in a text of the program's: products, shifts, and what is not for its own tests.
fn constant(text: &str, name: &str) -> Option<u64> {
    let (_, rest) = text.split_once(&format!("const {name}:"))?;
    let (_, value) = rest.split(';').next()?.split_once('=')?;
    let value =
        value.rsplit_once("else {").map_or(value, |(_, other)| other.trim_end().trim_end_matches('}'));
    let number = |word: &str| match word.trim().rsplit("::").next()? {
        "STACK_BYTES" => Some(64 << 20),
        word => word.replace('_', "").parse::<u64>().ok(),
    };
    if let Some((left, right)) = value.split_once("<<") {
        return Some(number(left)? << number(right)?);
    }
    value.split('*').map(number).product()
}

fn check(bench: &Bench, page: &str) -> Result<(), Failure> {
    let text = fs::read_to_string(repository().join("docs").join(page)).map_err(|e| e.to_string())?;
    let parts = parts(&text)?;
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (folder, programs) = (work.path().join("work"), work.path().join("bin"));
    fs::create_dir(&folder).and_then(|()| fs::create_dir(&programs)).map_err(|e| e.to_string())?;
    let weftc = bench.tools.weftc();
    symlink(weftc.get_program(), programs.join("weftc")).map_err(|e| e.to_string())?;
    let nvcc = bench.tools.tool(Tool::Nvcc)?;
    let toolkit =
        Path::new(nvcc.get_program()).parent().and_then(Path::parent).ok_or("nvcc lies in no toolkit")?;
    let libraries = ["lib64", "lib"].map(|name| toolkit.join(name));
    let libraries = libraries.into_iter().find(|folder| folder.join("libcudart_static.a").is_file());
    let libraries = libraries.ok_or_else(|| format!("{} has no libcudart_static.a", toolkit.display()))?;
    let mut n_commands = 0;
    for part in parts {
        match part {
            Part::File(name, text) => {
                fs::write(folder.join(&name), text).map_err(|e| format!("{name}: {e}"))?
            }
            Part::Command { line, output } => {
                let mut shell = bench.tools.shell();
                let path = shell.get_envs().find_map(|(name, value)| (name == "PATH").then_some(value)?);
                let mut with_weftc = OsString::from(&programs);
                with_weftc.push(":");
                with_weftc.push(path.map_or_else(|| env::var_os("PATH").unwrap_or_default(), OsString::from));
                shell.current_dir(&folder).env("PATH", with_weftc).args(["-c", &line]);
                // What make or cargo tells the programs that it runs is not for those of the page.
                for inherited in
                    ["MAKEFLAGS", "MAKELEVEL", "CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
                {
                    shell.env_remove(inherited);
                }
                let answer = run(shell.env("CUDA_PATH", toolkit).env("CUDA_LIB", &libraries))?.success()?;
                if !output.is_empty() && answer.stdout != output {
                    return Err(answer.report(&format!("the page says that it prints\n{output}")));
                }
                n_commands += 1;
            }
        }
    }
    if n_commands == 0 { Err("the page has no command".into()) } else { Ok(()) }
}
