//! The inputs of a command line, and reading them.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use weft_run::bounded;

use crate::error::{Error, Message, shown};

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its source.
    pub origin: Origin,
    /// Its kind.
    pub kind: InputKind,
}

/// The source of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A program to compile.
    Source,
    /// C or C++ for the host, which is only preprocessed.
    Host,
    /// PTX to assemble.
    Ptx,
    /// A cubin, an object or an archive to link.
    Object,
}

impl Input {
    /// An input by its name, which tells its kind.
    ///
    /// # Errors
    ///
    /// If the name has no known suffix.
    pub(crate) fn named(path: &Path, all_sources: bool) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            return Ok(Input { origin: Origin::Stdin, kind: InputKind::Source });
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let kind = match extension {
            _ if all_sources => InputKind::Source,
            "src" | "cu" => InputKind::Source,
            "ptx" => InputKind::Ptx,
            "cubin" | "o" | "a" => InputKind::Object,
            _ => {
                return Err(Message::new(format!("`{}`: unknown kind of input", shown(path)))
                    .note("known are .cu and .src (programs), .ptx, and for linking .cubin, .o and .a")
                    .help("`-x cu` treats every input as a program")
                    .user());
            }
        };
        Ok(Input { origin: Origin::File(path.to_owned()), kind })
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Stdin => None,
            Origin::File(path) => Some(path),
        }
    }

    /// Its name in messages and in the output.
    pub fn name(&self) -> String {
        match &self.origin {
            Origin::Stdin => "<stdin>".to_owned(),
            Origin::File(path) => path.display().to_string(),
        }
    }

    /// The base name of files made from it.
    pub fn stem(&self) -> OsString {
        match &self.origin {
            Origin::Stdin => OsString::from("stdin"),
            Origin::File(path) => path.file_stem().unwrap_or(path.as_os_str()).to_owned(),
        }
    }
}

/// Reads a whole file.
///
/// # Errors
///
/// Names the file and the cause.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    bounded::read_file(path).map_err(|error| Message::file("read", path, &error).environment())
}

/// Reads a whole input.
///
/// # Errors
///
/// Names the file and the cause.
pub fn read_input(input: &Input) -> Result<Vec<u8>, Error> {
    match &input.origin {
        Origin::File(path) => read_file(path),
        Origin::Stdin => bounded::read_stream(io::stdin().lock())
            .map_err(|error| Message::file("read", Path::new("standard input"), &error).environment()),
    }
}
