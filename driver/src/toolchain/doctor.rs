//! `weftc doctor`: which programs are installed and work, their versions and what they support, which are
//! missing and how to get them.
//!
//! Out: a page for people. Nothing is guessed from version numbers: each program is tried on a small input
//! ([`trial`]), ptxas is asked for its targets, and given an unknown PTX version, so that its error message
//! names the newest one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use weft_frontend::diag::visible::{visible, visible_name};
use weft_lower::target::{PtxVersion, Target};

use super::discover::{self, Found};
use super::run::{Invocation, Ran};
use super::{Source, Tool, ToolOptions, trial};
use crate::emit::report::Color;
use crate::emit::write_stdout;
use crate::error::Error;

/// The time limit of a program that prints its version.
const TIME: Duration = Duration::from_secs(20);

/// Prints the page; returns false if a program that cubins need is missing.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn examine(options: &ToolOptions, color: Color) -> Result<bool, Error> {
    let style = Style::new(color.applies_to(&std::io::stdout()));
    let found: Vec<_> = Tool::ALL.iter().map(|&tool| (tool, discover::find(tool, options))).collect();
    let paths = found.iter().filter_map(|(tool, found)| Some((*tool, found.as_ref().ok()?.path.clone())));
    let broken = trial::try_all(&paths.collect());
    let mut page = Page { text: String::new(), style, missing: Vec::new(), broken };
    page.compiler();
    page.heading("NVIDIA tools");
    for (tool, found) in found {
        page.tool(tool, found);
    }
    if let Some(skipped) = discover::skipped() {
        page.detail(&skipped.to_string());
    }
    page.libdevice(options);
    page.heading("This machine");
    page.gpu();
    let is_complete = page.conclusion();
    write_stdout(page.text.as_bytes())?;
    Ok(is_complete)
}

struct Page {
    text: String,
    style: Style,
    missing: Vec<Tool>,
    /// The errors of programs that do not work.
    broken: BTreeMap<Tool, String>,
}

/// ANSI sequences, or empty strings.
struct Style {
    bold: &'static str,
    dim: &'static str,
    green: &'static str,
    red: &'static str,
    yellow: &'static str,
    off: &'static str,
}

impl Style {
    fn new(color: bool) -> Self {
        if color {
            Style {
                bold: "\x1b[1m",
                dim: "\x1b[2m",
                green: "\x1b[32m",
                red: "\x1b[31m",
                yellow: "\x1b[33m",
                off: "\x1b[0m",
            }
        } else {
            Style { bold: "", dim: "", green: "", red: "", yellow: "", off: "" }
        }
    }
}

impl Page {
    fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let Style { bold, off, .. } = self.style;
        self.line(&format!("\n{bold}{text}{off}"));
    }

    fn detail(&mut self, text: &str) {
        let Style { dim, off, .. } = self.style;
        for line in wrapped(text, 80) {
            self.line(&format!("    {:10} {dim}{line}{off}", ""));
        }
    }

    fn item(&mut self, is_found: bool, is_needed: bool, name: &str, version: &str, place: &str) {
        let Style { green, red, yellow, off, .. } = self.style;
        let (color, mark) = match (is_found, is_needed) {
            (true, _) => (green, "✓"),
            (false, true) => (red, "✗"),
            (false, false) => (yellow, "–"),
        };
        self.line(&format!("  {color}{mark}{off} {name:10} {version:9} {place}"));
    }

    fn compiler(&mut self) {
        let Style { bold, off, .. } = self.style;
        let llvm = weft_lower::llvm_version();
        self.line(&format!("{bold}weftc {}{off}, built with LLVM {llvm}", env!("CARGO_PKG_VERSION")));
        self.item(
            true,
            true,
            "GPUs",
            "",
            &format!("{} by default; select another with `--arch`", Target::DEFAULT),
        );
        self.detail(&listed(Target::all().map(|target| target.to_string())));
        self.item(true, true, "PTX", "", &format!("{} to {}", PtxVersion::MIN, PtxVersion::MAX));
        self.detail("by default the lowest that the GPU and the program need; raise with `--ptx-version`");
    }

    fn tool(&mut self, tool: Tool, found: Result<Found, Error>) {
        match found {
            Ok(found) => {
                let version = version(&found.path).unwrap_or_else(|| "?".to_owned());
                let broken = self.broken.get(&tool).cloned();
                self.item(broken.is_none(), tool.is_needed(), tool.name(), &version, &place(&found));
                if tool == Tool::Ptxas {
                    self.ptxas(&found.path);
                }
                if let Some(why) = broken {
                    self.detail(&format!("does not work: {}", visible(&why)));
                }
            }
            Err(error) => {
                self.item(false, tool.is_needed(), tool.name(), "missing", tool.purpose());
                if let Some(first) = error.to_string().lines().next().filter(|line| line.contains("--")) {
                    self.detail(first);
                }
                self.missing.push(tool);
            }
        }
    }

    /// What ptxas supports, by its own output.
    fn ptxas(&mut self, path: &Path) {
        let targets = targets(path);
        if !targets.is_empty() {
            self.detail(&format!("supports {}", listed(targets.iter().cloned())));
        }
        if let Some(newest) = newest_ptx(path) {
            self.detail(&format!("supports PTX up to {newest}"));
            if PtxVersion::parse(&newest).is_ok_and(|newest| newest < PtxVersion::MAX) {
                let max = PtxVersion::MAX;
                self.detail(&format!("too old for newer programs: weftc emits PTX up to {max}"));
            }
        }
        if !targets.is_empty() && !targets.contains(&Target::DEFAULT.to_string()) {
            let default = Target::DEFAULT;
            self.detail(&format!("does not support {default}, the default target: use `--arch`"));
        }
    }

    fn libdevice(&mut self, options: &ToolOptions) {
        match discover::find_libdevice(options) {
            Some(found) => self.item(true, true, "libdevice", "", &place(&found)),
            None => {
                self.item(false, false, "libdevice", "missing", "math functions; pip install nvidia-nvvm")
            }
        }
    }

    fn gpu(&mut self) {
        let driver = fs::read_to_string("/proc/driver/nvidia/version").ok();
        let driver = driver.as_deref().and_then(|text| text.lines().next()).and_then(driver_version);
        match driver {
            Some(version) => {
                self.item(true, true, "driver", &version, "kernels can run on this machine's GPU")
            }
            None => self.item(
                false,
                false,
                "driver",
                "none",
                "kernels run only on the emulator; compiling needs no GPU",
            ),
        }
    }

    fn conclusion(&mut self) -> bool {
        let Style { green, red, off, .. } = self.style;
        let is_complete = !self.missing.iter().chain(self.broken.keys()).any(|tool| tool.is_needed());
        self.line("");
        if !self.broken.is_empty() {
            let names = self.broken.keys().map(|tool| format!("`{}`", tool.name()));
            let names = names.collect::<Vec<_>>().join(", ");
            self.line(&format!("{red}Failed on a small input: {names}.{off}"));
            self.line("Try another version of the CUDA toolkit: `--cuda-path DIR`, or CUDA_PATH.");
        }
        if self.missing.is_empty() {
            if !self.broken.is_empty() {
                return is_complete;
            }
            self.line(&format!("{green}Nothing is missing.{off}"));
            return true;
        }
        if is_complete {
            self.line("PTX and cubins can be built. To install the rest:");
        } else {
            self.line(&format!("{red}PTX can be built, cubins cannot.{off} To install the missing tools:"));
        }
        for remedy in remedies(&self.missing) {
            self.line(&format!("    {remedy}"));
        }
        self.line("or select a CUDA toolkit: `--cuda-path DIR`, or CUDA_PATH in the environment.");
        is_complete
    }
}

/// Shell commands that install all of them.
fn remedies(missing: &[Tool]) -> Vec<String> {
    let mut wheels: Vec<&str> = Vec::new();
    let mut packages: Vec<&str> = Vec::new();
    for tool in missing {
        match tool.source() {
            Source::Wheels(names) => wheels.extend(names),
            Source::Debian(name) => packages.push(name),
        }
    }
    let mut seen = BTreeSet::new();
    wheels.retain(|name| seen.insert(*name));
    let line =
        |start: &str, names: &[&str]| (!names.is_empty()).then(|| format!("{start} {}", names.join(" ")));
    [line("pip install", &wheels), line("apt-get install", &packages)].into_iter().flatten().collect()
}

/// The output of a program, if it ends soon.
fn asked(program: &Path, args: &[&str]) -> Option<Ran> {
    Invocation::new(program).args(args).within(Some(TIME)).run().ok()
}

fn place(found: &Found) -> String {
    format!("{} ({})", shown(&found.path.display().to_string()), found.origin)
}

/// Escapes text from outside: folder names, and the output of programs.
fn shown(text: &str) -> String {
    visible_name(text).into_owned()
}

/// The version in the output of `--version`, after `V` or at the end of a line: `13.5.37`, `12.2.0`.
fn version(program: &Path) -> Option<String> {
    let output = asked(program, &["--version"])?.stdout;
    let is_number = |word: &&str| word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let words = output.split([' ', ',', '\n', 'V']);
    // The last of NVIDIA's lines is the most exact; a host compiler's version is in the first line.
    let line = output.lines().find(|line| line.contains("release")).or_else(|| output.lines().next())?;
    let numbers: Vec<&str> = line.split([' ', ',', 'V', '-']).filter(is_number).collect();
    numbers
        .last()
        .map(|number| (*number).to_owned())
        .or_else(|| words.clone().find(is_number).map(str::to_owned))
}

/// The targets in ptxas's help.
fn targets(ptxas: &Path) -> Vec<String> {
    let Some(ran) = asked(ptxas, &["--help"]) else { return Vec::new() };
    let (_, rest) = ran.stdout.split_once("--gpu-name").unwrap_or_default();
    // Up to the next option.
    let rest = rest.split("\n--").next().unwrap_or_default();
    let rest = rest.rsplit_once("Allowed values").map_or(rest, |(_, values)| values);
    let names = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut names: Vec<String> =
        names.filter(|name| Target::parse(name).is_ok() || is_target(name)).map(str::to_owned).collect();
    names.sort_by_key(|name| {
        (name.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0_u32), name.clone())
    });
    names.dedup();
    names
}

fn is_target(name: &str) -> bool {
    name.strip_prefix("sm_").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// ptxas names its newest version when it rejects a later one.
fn newest_ptx(ptxas: &Path) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("future.ptx");
    fs::write(&file, ".version 99.9\n.target sm_90\n.address_size 64\n").ok()?;
    let output = asked(ptxas, &["-arch=sm_90", file.to_str()?, "-o", "/dev/null"])?.output();
    let (_, rest) = output.split_once("current version is '")?;
    rest.split('\'').next().map(shown)
}

/// `NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  …`
fn driver_version(line: &str) -> Option<String> {
    let is_number = |word: &&str| word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    line.split_whitespace().find(is_number).map(str::to_owned)
}

fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" ")
}

/// Lines of at most `width` characters, broken at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("invariant: there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            let _ = write!(line, "{}{word}", if line.is_empty() { "" } else { " " });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_asked_for_once() {
        let missing = [Tool::Ptxas, Tool::Nvlink, Tool::HostCompiler, Tool::Nvdisasm];
        let lines = ["pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm", "apt-get install g++"];
        assert_eq!(remedies(&missing), lines);
        assert!(remedies(&[]).is_empty());
    }

    #[test]
    fn long_lists_are_wrapped_at_spaces() {
        assert_eq!(wrapped("sm_75 sm_80 sm_90", 11), ["sm_75 sm_80", "sm_90"]);
    }

    #[test]
    fn the_driver_is_found_in_the_kernels_words() {
        let line = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 2025";
        assert_eq!(driver_version(line).as_deref(), Some("580.65.06"));
    }
}
