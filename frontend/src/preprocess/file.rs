//! A file while it is read.

use crate::lex::Lexer;
use crate::source::{FileId, SourceText};
use crate::token::Symbol;

use super::condition::Condition;

pub(super) struct File<'t> {
    pub(super) lexer: Lexer<'t>,
    pub(super) source: &'t SourceText,
    pub(super) id: FileId,
    /// Its number among the headers, if it is one.
    pub(super) header: Option<usize>,
    /// Not all of it was UTF-8.
    pub(super) has_invalid: bool,
    /// The `#if` that are open.
    pub(super) conditions: Vec<Condition>,
    pub(super) guard: Guard,
    /// The arguments of a macro are being read.
    pub(super) is_in_args: bool,
}

/// Whether the file has an include guard: only white space is outside of an `#ifndef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// A directive comes first in the file, and has not been read.
    Possible,
    /// Within `#ifndef NAME` or `#if !defined NAME`.
    Open(Symbol),
    /// After its `#endif`, at the end of the file.
    Closed(Symbol),
    None,
}

impl<'t> File<'t> {
    pub(super) fn new(source: &'t SourceText, base: u32, id: FileId, header: Option<usize>) -> Self {
        let lexer = Lexer::new(source.as_str(), base);
        let is_guarded = header.is_some() && lexer.is_before_directive();
        File {
            lexer,
            source,
            id,
            header,
            has_invalid: !source.is_valid(),
            conditions: Vec::new(),
            guard: if is_guarded { Guard::Possible } else { Guard::None },
            is_in_args: false,
        }
    }
}
