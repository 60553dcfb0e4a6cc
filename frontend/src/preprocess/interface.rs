//! The input of the preprocessor, its requests to the caller, and its output.
//!
//! The frontend does not open files: the caller resolves the names of `#include`
//! ([`Headers`]) and gives the predefined macros ([`PreprocessOptions`]).

use std::borrow::Cow;
use std::path::PathBuf;

use crate::compilation::Compilation;
use crate::source::{PrefixMap, SourceText};
use crate::token::Token;

/// Finds headers.
///
/// Asked once for each name that a directive of one file uses: the preprocessor remembers the answer, and
/// include guards.
pub trait Headers {
    /// The header that a directive asks for.
    ///
    /// # Errors
    /// If the header does not exist or cannot be read.
    fn find(&mut self, request: &Request<'_>) -> Result<Header, NotFound>;

    /// The meaning of a name before the first line, if any. Called once for each
    /// identifier when it first appears, so unused ones cost nothing.
    fn predefined(&mut self, name: &str) -> Option<Predefined> {
        let _ = name;
        None
    }
}

/// The meaning of a name before the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predefined {
    /// A macro: its definition, as written after `#define`.
    Macro(Cow<'static, str>),
    /// Whatever a header says, to be asked for in angle brackets, as if it had been included before the
    /// first line.
    Header(&'static str),
}

/// The header that an `#include` or `__has_include` names (C17 6.10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The text between the quotes or the brackets.
    pub name: &'a str,
    /// Between `<` and `>`, and not between quotes.
    pub is_angled: bool,
    /// The name of the file with the directive: the one that [`Header::name`] or the caller of `preprocess`
    /// calls it. A quoted name is looked for in its directory first. For a file that an option includes, the
    /// empty string: the working directory.
    pub includer: &'a str,
    /// `#include_next`: only the directories of the search list from this one on, and not the includer's own.
    pub from: Option<usize>,
}

/// A header that was found.
#[derive(Clone, Debug)]
pub struct Header {
    /// Its name in messages, `__FILE__` and dependencies: the path by which it was found.
    pub name: String,
    /// Where it is, if that is a file: a path need not be text.
    pub path: Option<PathBuf>,
    /// An identity of the file, independent of the path by which it was found, for `#pragma once`.
    pub identity: String,
    /// Its content.
    pub text: SourceText,
    /// Warnings in it are not shown: it is shipped with the compiler or was found by `-isystem`.
    pub is_system: bool,
    /// The directory of the search list at which an `#include_next` in it goes on: one more than the place where
    /// it was found, 0 where that was its includer's directory.
    pub next: usize,
}

/// Why there is no header, where there is more to say than its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotFound {
    /// The message, in place of "`name` file not found".
    pub message: Option<String>,
    /// Facts.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Vec<String>,
}

/// No headers: for programs that include none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeaders;

impl Headers for NoHeaders {
    fn find(&mut self, _: &Request<'_>) -> Result<Header, NotFound> {
        Err(NotFound::default())
    }
}

/// Definitions before the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreprocessOptions {
    /// Text of the file `<built-in>`: the `#define` lines of the macros that the target and the language predefine.
    pub predefined: String,
    /// `-D` and `-U`, in their order: the file `<command line>`.
    pub macros: Vec<MacroOption>,
    /// `-include`, in their order: as if each stood in a line `#include "…"` before the first one.
    pub includes: Vec<String>,
    /// Prefixes of file names in `__FILE__` and `__BASE_FILE__`.
    pub file_prefixes: PrefixMap,
    /// The time for `__DATE__` and `__TIME__`, in seconds since 1970 (UTC). It is an option, and 0 by default, so
    /// that the same input gives the same bytes.
    pub build_time: u64,
    /// A piece of the tokens ends with the first function that makes it at least this long. Text that headers
    /// declare that a program needs and does not include comes before the first piece that needs it.
    pub piece_len: usize,
    /// A missing header is an error like any other, and the rest of the text is read.
    pub continues_without_headers: bool,
}

impl Default for PreprocessOptions {
    /// Nothing is defined or included; pieces of a length that has been measured to be good.
    fn default() -> Self {
        PreprocessOptions {
            predefined: String::new(),
            macros: Vec::new(),
            includes: Vec::new(),
            file_prefixes: PrefixMap::default(),
            build_time: 0,
            piece_len: 400,
            continues_without_headers: false,
        }
    }
}

/// An option about a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroOption {
    /// `-D`: `NAME`, `NAME=body` or `NAME(parameters)=body`.
    Define(String),
    /// `-U`: the name.
    Undefine(String),
}

/// Takes a piece of the tokens, which ends in `Eof` and leads from one end of a declaration to another, as soon as it
/// is complete, with the compilation so far. The vector is reused for the next one.
pub(crate) type PieceConsumer<'t> = dyn FnMut(&mut Vec<Token>, &mut Compilation) + 't;

/// The output of the preprocessor.
#[derive(Debug)]
pub struct Preprocessed {
    /// The tokens; the last is `Eof`.
    pub tokens: Vec<Token>,
    /// The headers that were read, each once, in the order of their first use.
    pub dependencies: Vec<Dependency>,
}

/// A header that the output depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// [`Header::name`].
    pub name: String,
    /// [`Header::path`].
    pub path: Option<PathBuf>,
    /// [`Header::is_system`]: `-MMD` leaves these out.
    pub is_system: bool,
}
