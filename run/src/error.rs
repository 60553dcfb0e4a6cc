//! Errors of running a kernel.

use std::error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use weft_emulator::exec::fault::{Fault, FaultKind};

use crate::argument::ArgumentError;

/// Why a kernel did not run, or not to its end.
#[derive(Debug)]
pub enum Error {
    /// A module is not valid PTX, or modules do not link.
    Module {
        /// The name of the module.
        module: String,
        /// The line and the column, from one, if known.
        at: Option<(u32, u32)>,
        /// A lower-case phrase.
        message: String,
    },
    /// The kernel does not exist, or the name is ambiguous.
    Kernel(KernelError),
    /// An argument is invalid: its index from zero, and the error.
    Argument(usize, ArgumentError),
    /// A variable cannot be set: its name, and the error in the value.
    Variable(String, ArgumentError),
    /// The name to set or read is not a variable's, or the host cannot access the variable.
    Name(ArgumentError),
    /// The launch is invalid.
    Launch(String),
    /// A thread faulted.
    Fault(Box<Fault>),
    /// A file cannot be read or written.
    File {
        /// The failed operation: "read".
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The device is missing, or failed.
    Device {
        /// A lower-case phrase.
        message: String,
        /// Advice.
        help: Option<String>,
    },
}

/// The kernel is unknown, or the name is ambiguous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelError {
    /// A lower-case phrase.
    pub message: String,
    /// The available kernels, by source name.
    pub kernels: Vec<String>,
    /// A similar name.
    pub similar: Option<String>,
}

impl Error {
    /// Whether the environment is at fault, rather than the program or its arguments.
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
