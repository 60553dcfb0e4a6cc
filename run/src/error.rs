//! Why a kernel did not run, or could not be asked to.

use std::error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use weft_emulator::exec::fault::{Fault, FaultKind};

use crate::argument::ArgumentError;

/// Why a kernel did not run to its end.
#[derive(Debug)]
pub enum Error {
    /// A module is no PTX, or modules do not fit together.
    Module {
        /// The name of the module.
        module: String,
        /// The line and the column, from one, where they are known.
        at: Option<(u32, u32)>,
        /// A lower-case phrase.
        message: String,
    },
    /// There is no such kernel, or none was named and there is not just one.
    Kernel(KernelError),
    /// An argument is wrong: its number, from zero, and what is wrong.
    Argument(usize, ArgumentError),
    /// A variable cannot be set: its name, and what is wrong with the value.
    Variable(String, ArgumentError),
    /// A name that is to be set or read is that of no variable, or of one that the host cannot access.
    Name(ArgumentError),
    /// The launch makes no sense.
    Launch(String),
    /// A thread did what it must not.
    Fault(Box<Fault>),
    /// A file cannot be read or written.
    File {
        /// What was to be done: "read".
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it was not done.
        cause: io::Error,
    },
    /// The device is not there, or failed.
    Device {
        /// A lower-case phrase.
        message: String,
        /// What helps.
        help: Option<String>,
    },
}

/// Which kernel is meant is not clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelError {
    /// A lower-case phrase.
    pub message: String,
    /// The kernels that there are, as the source calls them.
    pub kernels: Vec<String>,
    /// What was perhaps meant.
    pub similar: Option<String>,
}

impl Error {
    /// Whether something around the program is missing or failed, and not the program itself or its arguments.
    pub fn is_environment(&self) -> bool {
        match self {
            Error::File { .. } | Error::Device { .. } => true,
            Error::Argument(_, error) | Error::Variable(_, error) | Error::Name(error) => {
                error.is_environment
            }
            Error::Fault(fault) => matches!(fault.kind, FaultKind::OutOfMemory { .. }),
            Error::Module { .. } | Error::Kernel(_) | Error::Launch(_) => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Module { module, at: Some((line, column)), message } => {
                write!(f, "{module}:{line}:{column}: {message}")
            }
            Error::Module { module, at: None, message } => write!(f, "{module}: {message}"),
            Error::Kernel(error) => error.fmt(f),
            Error::Argument(index, error) => write!(f, "argument {index}: {error}"),
            Error::Name(error) => error.fmt(f),
            Error::Variable(name, error) => write!(f, "variable `{name}`: {error}"),
            Error::Launch(message) => f.write_str(message),
            Error::Fault(fault) => fault.fmt(f),
            Error::File { what, path, cause } => write!(f, "cannot {what} `{}`: {cause}", path.display()),
            Error::Device { message, help: None } => f.write_str(message),
            Error::Device { message, help: Some(help) } => write!(f, "{message}; {help}"),
        }
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.similar {
            Some(similar) => write!(f, "; did you mean `{similar}`?"),
            None if self.kernels.is_empty() => Ok(()),
            None => write!(f, "; available: {}", self.kernels.join(", ")),
        }
    }
}

impl error::Error for Error {}

impl error::Error for KernelError {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::Fault(Box::new(fault))
    }
}
