//! Runs a program to its end, and shows it as a line that can be pasted into a shell.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use crate::error::{Error, Message};

/// A program and its arguments.
#[derive(Clone, Debug)]
pub struct Invocation {
    program: PathBuf,
    args: Vec<OsString>,
}

/// What came of it.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Invocation {
    /// The program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Invocation { program: program.into(), args: Vec::new() }
    }

    /// One more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, args: I) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Runs it, without standard input.
    ///
    /// # Errors
    /// When it cannot be started. A program that fails is no error here: see [`Ran::status`].
    pub fn run(&self) -> Result<Ran, Error> {
        let output = Command::new(&self.program).args(&self.args).stdin(Stdio::null()).output();
        let output = output.map_err(|error| {
            Message::file("run", &self.program, &error).note(format!("it was run as\n{self}")).environment()
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Ran { status: output.status, stdout: text(&output.stdout), stderr: text(&output.stderr) })
    }
}

impl Ran {
    /// All that it said, its errors first.
    pub fn said(&self) -> String {
        let parts = [self.stderr.trim(), self.stdout.trim()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", quoted(self.program.as_os_str()))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// The word as a POSIX shell reads it back.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_line_back() {
        let words = ["a b", "it's", "$HOME", "", "-arch=sm_90", "é*"];
        let line = Invocation::new("printf").arg("%s\\n").args(words).to_string();
        let ran = Invocation::new("sh").arg("-c").arg(line).run().expect("sh is there");
        assert_eq!(ran.stdout, words.map(|w| format!("{w}\n")).concat());
    }

    #[test]
    fn what_cannot_be_started_is_the_environments_fault() {
        let error = Invocation::new("/nowhere/ptxas").arg("-v").run().expect_err("nothing is there");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("/nowhere/ptxas -v"), "{error}");
    }
}
