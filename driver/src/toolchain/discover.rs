//! Finds NVIDIA's programs.
//!
//! The first of these places that has the program wins: the option that names it, `--cuda-path`, `CUDA_PATH`,
//! `CUDA_HOME`, `PATH`, `/usr/local/cuda`, the active Python environment (`VIRTUAL_ENV`, `CONDA_PREFIX`), and
//! `.toolchain/cuda` of the source tree that the program was built in, if only root and the user can write
//! there. A place is a toolkit (`bin/ptxas`) or a Python environment with NVIDIA's wheels
//! (`lib/python3*/site-packages/nvidia/cu13/bin/ptxas`).
//!
//! An option that names a missing file is an error, not a reason to search elsewhere: the user would get
//! another program than the requested one. An environment variable is only a hint.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::trust::{self, Skipped};
use super::{Tool, ToolOptions};
use crate::error::{Error, Message, shown};

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path.
    pub path: PathBuf,
    /// The place that had it: `CUDA_PATH`.
    pub origin: &'static str,
}

/// Finds a program.
///
/// # Errors
///
/// Names the searched places, and how to get the program.
pub fn find(tool: Tool, options: &ToolOptions) -> Result<Found, Error> {
    if let Some((path, origin)) = options.of(tool) {
        // Like nvcc's `-ccbin`.
        let is_folder = tool == Tool::HostCompiler && path.is_dir();
        let in_folder =
            || ["cc", "gcc", "clang"].iter().map(|name| path.join(name)).find(|path| path.is_file());
        let path = &is_folder.then(in_folder).flatten().unwrap_or_else(|| path.clone());
        let found = which::which(path).map(|path| Found { path, origin });
        return found.map_err(|_| {
            Message::new(format!("`{origin}` is `{}`: no such program", shown(path))).environment()
        });
    }
    if tool == Tool::HostCompiler {
        let found = ["cc", "gcc", "clang"].iter().find_map(|name| which::which(name).ok());
        return found.map(|path| Found { path, origin: "PATH" }).ok_or_else(|| missing(tool));
    }
    if let Some(root) = &options.cuda_path {
        return in_root(root, |folder| program(folder, tool))
            .map(|path| Found { path, origin: "--cuda-path" })
            .ok_or_else(|| {
                Message::new(format!("no `{}` found in `{}`", tool.name(), shown(root)))
                    .help(
                        "`--cuda-path` expects a CUDA toolkit, or a Python environment with NVIDIA's wheels",
                    )
                    .environment()
            });
    }
    let found = places().find_map(|place| Some(Found { path: place.find(tool)?, origin: place.origin() }));
    found.ok_or_else(|| missing(tool).with_note(skipped().map(|skipped| skipped.to_string())))
}

/// The path of the program with a name, or the name itself if there is none, like GCC's `-print-prog-name`. The assembler,
/// `as`, is ptxas: caches ask for it, because the output depends on it.
pub fn path_or_name(name: &str, options: &ToolOptions) -> PathBuf {
    let asked = if name == "as" { Tool::Ptxas.name() } else { name };
    let found = Tool::ALL.iter().find(|tool| tool.name() == asked).map(|&tool| find(tool, options));
    found.and_then(Result::ok).map_or_else(|| PathBuf::from(name), |found| found.path)
}

/// The path of libdevice in a toolkit, and in NVIDIA's wheels.
pub const LIBDEVICE: &str = "nvvm/libdevice/libdevice.10.bc";

/// Finds libdevice, NVIDIA's mathematical functions as LLVM bitcode.
pub fn find_libdevice(options: &ToolOptions) -> Option<Found> {
    let file = |folder: &Path| {
        let path = folder.join(LIBDEVICE);
        path.is_file().then_some(path)
    };
    if let Some(root) = &options.cuda_path {
        return in_root(root, file).map(|path| Found { path, origin: "--cuda-path" });
    }
    places().find_map(|place| {
        let path = match &place {
            Place::Root(root, _) => in_root(root, file).filter(|it| place.trusts(it)),
            // Next to the ptxas in PATH: <toolkit>/bin/ptxas.
            Place::Path => file(which::which("ptxas").ok()?.canonicalize().ok()?.parent()?.parent()?),
        };
        Some(Found { path: path?, origin: place.origin() })
    })
}

/// The places that are searched without an option.
const PLACES: &str =
    "CUDA_PATH, CUDA_HOME, PATH, /usr/local/cuda, and the Python environment of VIRTUAL_ENV or CONDA_PREFIX";

/// The places that are searched for libdevice.
pub fn places_looked_at(options: &ToolOptions) -> String {
    match &options.cuda_path {
        Some(root) => format!("`{}`", shown(root)),
        None => PLACES.to_owned(),
    }
}

/// The name of the place that the user did not specify.
const TREE: &str = ".toolchain/cuda";

/// A place to search.
enum Place {
    /// A folder, and the origin of its name.
    Root(PathBuf, &'static str),
    /// The folders of `PATH`.
    Path,
}

impl Place {
    fn find(&self, tool: Tool) -> Option<PathBuf> {
        match self {
            Place::Root(root, _) => {
                in_root(root, |folder| program(folder, tool)).filter(|it| self.trusts(it))
            }
            Place::Path => which::which(tool.name()).ok(),
        }
    }

    /// Whether a file from this place is used.
    fn trusts(&self, path: &Path) -> bool {
        self.origin() != TREE || trust::check(path).is_ok()
    }

    fn origin(&self) -> &'static str {
        match self {
            Place::Root(_, origin) => origin,
            Place::Path => "PATH",
        }
    }
}

/// The places in search order.
fn places() -> impl Iterator<Item = Place> {
    let variable = |name: &'static str| {
        let value = env::var_os(name).filter(|value| !value.is_empty());
        value.map(|value| Place::Root(PathBuf::from(value), name))
    };
    let toolkit = Place::Root(PathBuf::from("/usr/local/cuda"), "/usr/local/cuda");
    let tree = tree_toolkit().filter(|path| trust::check(path).is_ok());
    let tree = tree.map(|path| Place::Root(path, TREE));
    let before = [variable("CUDA_PATH"), variable("CUDA_HOME"), Some(Place::Path), Some(toolkit)];
    let after = [variable("VIRTUAL_ENV"), variable("CONDA_PREFIX"), tree];
    before.into_iter().chain(after).flatten()
}

/// Where set-up puts the wheels of the source tree that the program was built in, next to
/// `target/release/weftc`.
fn tree_toolkit() -> Option<PathBuf> {
    let exe = env::current_exe().ok()?;
    let path = exe.parent()?.parent()?.parent()?.join(".toolchain/cuda");
    path.is_dir().then_some(path)
}

/// The place next to the program that is skipped, because others can write there.
pub fn skipped() -> Option<Skipped> {
    let path = tree_toolkit()?;
    let ptxas = in_root(&path, |folder| program(folder, Tool::Ptxas));
    let why = trust::check(&ptxas.unwrap_or_else(|| path.clone())).err()?;
    Some(Skipped { path, why })
}

/// The result of `look` in a toolkit, or in the wheels of a Python environment.
fn in_root(root: &Path, look: impl Fn(&Path) -> Option<PathBuf>) -> Option<PathBuf> {
    look(root).or_else(|| wheel_folders(root).iter().find_map(|folder| look(folder)))
}

/// `<root>/lib/python3*/site-packages/nvidia/cu1*`, newest first.
fn wheel_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = entries(&root.join("lib"), "python3")
        .iter()
        .flat_map(|python| entries(&python.join("site-packages/nvidia"), "cu1"))
        .collect();
    folders.sort();
    folders.reverse();
    folders
}

fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(prefix);
    entries.flatten().filter(is_named).map(|entry| entry.path()).collect()
}

fn program(folder: &Path, tool: Tool) -> Option<PathBuf> {
    let path = folder.join("bin").join(tool.name());
    let is_program = |data: fs::Metadata| data.is_file() && data.permissions().mode() & 0o111 != 0;
    fs::metadata(&path).is_ok_and(is_program).then_some(path)
}

fn missing(tool: Tool) -> Error {
    let message = Message::new(format!("`{}` was not found", tool.name()));
    let message = if tool == Tool::HostCompiler {
        message.note("searched PATH for `cc`, `gcc` and `clang`")
    } else {
        message.note(format!("searched {PLACES}"))
    };
    message
        .help(format!("to install it: {}", tool.remedy()))
        .help("`weftc doctor` lists the tools that were found; PTX requires none of them: `-o x.ptx`")
        .environment()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, mode: u32) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_root_is_a_toolkit_or_a_python_environment() {
        let folder = tempfile::tempdir().unwrap();
        let look = |root: &Path| in_root(root, |folder| program(folder, Tool::Ptxas));
        put(folder.path(), "toolkit/bin/ptxas", 0o755);
        put(folder.path(), "plain/bin/ptxas", 0o644);
        put(folder.path(), "venv/lib/python3.11/site-packages/nvidia/cu12/bin/ptxas", 0o755);
        put(folder.path(), "venv/lib/python3.11/site-packages/nvidia/cu13/bin/ptxas", 0o755);
        let toolkit = folder.path().join("toolkit");
        assert_eq!(look(&toolkit), Some(toolkit.join("bin/ptxas")));
        assert_eq!(look(&folder.path().join("plain")), None);
        let venv = folder.path().join("venv");
        let newest = venv.join("lib/python3.11/site-packages/nvidia/cu13/bin/ptxas");
        assert_eq!(look(&venv), Some(newest));
    }

    #[test]
    fn an_option_that_names_nothing_is_an_error() {
        let options = ToolOptions { ptxas: Some(PathBuf::from("/nowhere/ptxas")), ..ToolOptions::default() };
        let error = find(Tool::Ptxas, &options).expect_err("nothing is there");
        assert_eq!(error.exit_code(), 2);
        assert_eq!(error.to_string(), "`--ptxas` is `/nowhere/ptxas`: no such program");
    }
}
