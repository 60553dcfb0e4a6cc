//! The three kinds of failure, as three types, and their exit codes.
//!
//! - [`UserError`]: the program or the command line is wrong; exit 1
//! - [`EnvironmentError`]: a tool or a file is missing or failed; exit 2
//! - [`InternalError`]: a bug in the compiler; exit 101, with a request to report it
//!
//! **Invariant.** A failure is reported once: a function that returns one has not printed anything.

use std::fmt;
use std::io;
use std::path::Path;

use weft_frontend::diag::Diagnostic;
use weft_frontend::diag::visible::visible_name;
use weft_frontend::source::SourceMap;

use crate::run::fault::FaultReport;

/// Why there is no output.
#[derive(Debug)]
pub enum Error {
    /// An error in the program or the command line.
    User(UserError),
    /// A tool or a file is missing or failed.
    Environment(EnvironmentError),
    /// A bug in the compiler.
    Internal(InternalError),
}

/// An error that the user can fix.
#[derive(Debug)]
pub enum UserError {
    /// The program has errors.
    Program(Diagnostics),
    /// A thread of a kernel faulted.
    Fault(Box<FaultReport>),
    /// The command line is invalid, or the parts of the program do not link.
    Request(Message),
}

/// Diagnostics, with the texts that their spans refer to.
#[derive(Debug, Default)]
pub struct Diagnostics {
    /// In source order.
    pub list: Vec<Diagnostic>,
    /// The texts of the spans.
    pub sources: SourceMap,
}

/// A tool or a file is missing or failed.
#[derive(Debug)]
pub struct EnvironmentError(pub Message);

/// A bug in the compiler.
#[derive(Debug)]
pub struct InternalError(pub Message);

/// A message without a source position.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// A lower-case phrase that is understandable alone.
    pub text: String,
    /// Facts: the program that was run, and its output.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Vec<String>,
}

impl Error {
    /// The exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::User(_) => 1,
            Error::Environment(_) => 2,
            Error::Internal(_) => 101,
        }
    }
}

impl Error {
    /// Adds a fact, if there is one, to an error without a source position.
    #[must_use]
    pub fn with_note(self, note: Option<String>) -> Error {
        let Some(note) = note else { return self };
        match self {
            Error::User(UserError::Request(message)) => message.note(note).user(),
            Error::Environment(EnvironmentError(message)) => message.note(note).environment(),
            Error::Internal(InternalError(message)) => message.note(note).internal(),
            Error::User(UserError::Program(_) | UserError::Fault(_)) => self,
        }
    }
}

impl Message {
    /// A message of one phrase.
    pub fn new(text: impl Into<String>) -> Self {
        Message { text: text.into(), ..Message::default() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// An error that the user can fix.
    pub fn user(self) -> Error {
        Error::User(UserError::Request(self))
    }

    /// An error of the environment.
    pub fn environment(self) -> Error {
        Error::Environment(EnvironmentError(self))
    }

    /// A bug in the compiler.
    pub fn internal(self) -> Error {
        Error::Internal(InternalError(self))
    }

    /// An operation on a file failed.
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Message::new(format!("cannot {what} `{}`: {}", shown(path), cause(error)))
    }
}

/// A path for messages: on one line, with control characters escaped.
pub fn shown(path: &Path) -> String {
    visible_name(&path.display().to_string()).into_owned()
}

/// The cause in words, without the operating system's error number and what follows it: the name of a
/// temporary would confuse.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut chars = text[..end].chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::User(UserError::Program(diagnostics)) => {
                for (i, diagnostic) in diagnostics.list.iter().enumerate() {
                    let at = diagnostics.sources.location(diagnostic.primary.span);
                    let separator = if i == 0 { "" } else { "\n" };
                    write!(f, "{separator}{}:{}:{}: {}", at.file, at.line, at.column, diagnostic.message)?;
                }
                Ok(())
            }
            Error::User(UserError::Fault(fault)) => fault.fmt(f),
            Error::User(UserError::Request(message))
            | Error::Environment(EnvironmentError(message))
            | Error::Internal(InternalError(message)) => message.fmt(f),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        for (label, lines) in [("note", &self.notes), ("help", &self.help)] {
            for line in lines {
                write!(f, "\n  {label}: {}", line.replace('\n', "\n    "))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_read_as_phrases() {
        let error = io::Error::from_raw_os_error(2);
        let message = Message::file("read", Path::new("a.src"), &error);
        assert_eq!(message.to_string(), "cannot read `a.src`: no such file or directory");
    }

    #[test]
    fn kinds_have_their_exit_codes() {
        let codes = [Message::new("x").user(), Message::new("x").environment(), Message::new("x").internal()]
            .map(|e| e.exit_code());
        assert_eq!(codes, [1, 2, 101]);
    }
}
