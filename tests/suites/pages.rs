//! Pages of the documentation with commands: each is run as it stands there, with the files of the page, and prints what the
//! page says.

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
    Ok(suite)
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
