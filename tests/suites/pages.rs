//! Checks the documentation. The commands of a page are run with its files, and must print what the page
//! shows; figures of docs/reference/limits.md are compared with the constants that it names; generated pages
//! are compared with the compiler's tables (`BLESS=1` writes them); every relative link must lead to a file
//! and a heading.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use weft_tests::Failure;
use weft_tests::page::{Part, parts};
use weft_tests::runner::{Bench, Suite};
use weft_tests::tools::{Tool, repository, run};
use weft_tests::{reference, site};

/// The pages, and the programs that their commands need.
const PAGES: &[(&str, &[Tool])] = &[
    ("../README.md", &[Tool::Nvcc, Tool::Ptxas]),
    ("guide/install.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink]),
    ("guide/linking.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Cuobjdump, Tool::Gxx]),
    ("guide/several-gpus.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Nvlink, Tool::Cuobjdump, Tool::Gxx]),
    ("guide/build-systems.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Cuobjdump, Tool::Gxx]),
    ("guide/caches.md", &[Tool::Nvcc, Tool::Ptxas, Tool::Gxx]),
    ("guide/first-kernel.md", &[Tool::Nvcc, Tool::Ptxas]),
    ("guide/porting.md", &[Tool::Nvcc, Tool::Ptxas]),
    ("guide/testing.md", &[Tool::Nvcc]),
    ("guide/debugging.md", &[Tool::Nvcc]),
    ("guide/profiling.md", &[Tool::Nvcc]),
    ("guide/troubleshooting.md", &[Tool::Nvcc]),
    ("guide/faq.md", &[Tool::Nvcc]),
    ("reference/run.md", &[Tool::Nvcc]),
    ("reference/checks.md", &[Tool::Nvcc]),
    ("reference/textures.md", &[Tool::Nvcc]),
    ("reference/output.md", &[Tool::Nvcc]),
    ("reference/resource-usage.md", &[Tool::Nvcc, Tool::Ptxas]),
];

pub(crate) fn add(suite: &mut Suite) -> Result<(), Failure> {
    for &(page, needs) in PAGES {
        suite
            .add(format!("pages/{}", page.trim_start_matches("../")), needs, move |bench| check(bench, page));
    }
    suite.add("pages/limits.md".to_owned(), &[], |_| check_limits());
    suite.add("pages/builtins.md".to_owned(), &[], |_| same_page("builtins.md", &reference::builtins()));
    suite.add("pages/diagnostics.md".to_owned(), &[], |_| {
        same_page("diagnostics.md", &reference::diagnostics())
    });
    suite.add("pages/links".to_owned(), &[], |_| check_links());
    suite.add("pages/mentions".to_owned(), &[], |_| check_mentions());
    Ok(())
}

/// Compares a page of the reference with the generated text, or writes it.
fn same_page(name: &str, wanted: &str) -> Result<(), Failure> {
    let path = repository().join("docs/reference").join(name);
    if env::var_os("BLESS").is_some() {
        return fs::write(&path, wanted).map_err(|e| format!("{}: {e}", path.display()));
    }
    let found = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let differ = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    match differ {
        _ if found == wanted => Ok(()),
        Some((found, wanted)) => {
            Err(format!("{name}: `BLESS=1` updates it\n  page:  {found}\n  table: {wanted}"))
        }
        None => Err(format!("{name}: `BLESS=1` updates it; its length differs")),
    }
}

/// Every link has a target, and the site includes every page.
fn check_links() -> Result<(), Failure> {
    let pages = site::pages()?;
    let mut wrong = site::broken_links(&pages, |path| repository().join(path).exists());
    wrong.extend(site::unlisted(&pages));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Comments and messages name pages that exist.
fn check_mentions() -> Result<(), Failure> {
    let pages = site::pages()?;
    let mut dead = Vec::new();
    for folder in
        ["ci", "driver", "emulator", "frontend", "lower", "objects", "run", "tests/src", "tests/suites"]
    {
        for path in files_below(&repository().join(folder))? {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            dead.extend(site::dead_mentions(&path.display().to_string(), &text, &pages));
        }
    }
    // Names in the tests of the check itself.
    dead.retain(|line| !line.contains("tests/src/site.rs"));
    if dead.is_empty() { Ok(()) } else { Err(dead.join("\n")) }
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let why = |e: io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(why)? {
        let entry = entry.map_err(why)?;
        if entry.file_type().map_err(why)?.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Compares figures with constants; each limit of the frontend must have a row.
fn check_limits() -> Result<(), Failure> {
    let read = |path: &str| fs::read_to_string(repository().join(path)).map_err(|e| format!("{path}: {e}"));
    let page = read("docs/reference/limits.md")?;
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

/// A table row that names a constant: `| limit | figure | … | `file` `NAME` |`.
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

/// The value of a constant in the source: with products and shifts, and not from test code.
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
    symlink(repository().join("examples"), folder.join("examples")).map_err(|e| e.to_string())?;
    let (toolkit, libraries) = (bench.tools.toolkit()?, bench.tools.libraries()?);
    let mut n_commands = 0;
    for part in parts {
        match part {
            Part::File(name, text) => {
                fs::write(folder.join(&name), text).map_err(|e| format!("{name}: {e}"))?
            }
            Part::Command(command) => {
                let tool = command.needs.as_deref().map(|name| Tool::from_name(name).ok_or(name.to_owned()));
                match tool.transpose()? {
                    Some(tool) if bench.tools.absent(&[tool]).is_empty() => {}
                    Some(tool) if bench.tools.required() => return Err(format!("{tool} is absent")),
                    Some(_) => continue,
                    None => {}
                }
                let mut shell = bench.tools.shell();
                let path = shell.get_envs().find_map(|(name, value)| (name == "PATH").then_some(value)?);
                let mut with_weftc = OsString::from(&programs);
                with_weftc.push(":");
                with_weftc.push(path.map_or_else(|| env::var_os("PATH").unwrap_or_default(), OsString::from));
                let line = if command.fails { format!("{{ {}\n}} 2>&1", command.line) } else { command.line };
                shell.current_dir(&folder).env("PATH", with_weftc).args(["-c", &line]);
                // Variables that make or cargo set must not reach the page's programs.
                for inherited in
                    ["MAKEFLAGS", "MAKELEVEL", "CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
                {
                    shell.env_remove(inherited);
                }
                // Meson takes a cache from PATH if the compilers are not named.
                shell.env("CC", "cc").env("CXX", "c++");
                // Caches of their own.
                shell.env("CCACHE_DIR", folder.join("ccache")).env("SCCACHE_DIR", folder.join("sccache"));
                shell.env("SCCACHE_SERVER_UDS", folder.join("socket")).env("SCCACHE_IDLE_TIMEOUT", "60");
                let answer = run(shell.env("CUDA_PATH", &toolkit).env("CUDA_LIB", &libraries))?;
                let answer = match command.fails {
                    false => answer.success()?,
                    true if answer.status == Some(0) => {
                        return Err(answer.report("the page says that it fails"));
                    }
                    true => answer,
                };
                if !command.output.is_empty() && answer.stdout != command.output {
                    return Err(answer.report(&format!("the page says that it prints\n{}", command.output)));
                }
                n_commands += 1;
            }
        }
    }
    if n_commands == 0 { Err("the page has no command".into()) } else { Ok(()) }
}
