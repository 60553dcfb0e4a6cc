//! A text, its name and its lines.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

use crate::diag::visible::is_hidden;

use super::Span;

/// The text of a file. Cloning shares it.
#[derive(Clone, Debug)]
pub struct SourceText {
    text: Arc<String>,
    /// The bytes that are not UTF-8: where in `text` the U+FFFD is that replaced them, and the
    /// first of them. Seldom there: comments of old programs are in Latin-1.
    invalid: Arc<[(u32, u8)]>,
}

impl SourceText {
    /// The bytes as text. Invalid UTF-8 becomes U+FFFD, which matters only within a token.
    ///
    /// Bytes that are handed over become the text as they are, without a copy.
    pub fn decode(bytes: impl Into<Vec<u8>>) -> Self {
        String::from_utf8(bytes.into()).map_or_else(|error| Self::repair(error.as_bytes()), Self::from)
    }

    /// The bytes, of which some are no UTF-8, as text.
    fn repair(bytes: &[u8]) -> Self {
        let (mut text, mut invalid) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if let Some(&first) = chunk.invalid().first() {
                invalid.push((u32::try_from(text.len()).unwrap_or(u32::MAX), first));
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        SourceText { text: Arc::new(text), invalid: invalid.into() }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether all of it was UTF-8.
    pub fn is_valid(&self) -> bool {
        self.invalid.is_empty()
    }

    /// The first byte that was not UTF-8 in a range of the text: its place and its value.
    pub fn first_invalid(&self, range: Range<usize>) -> Option<(usize, u8)> {
        let idx = self.invalid.partition_point(|&(at, _)| (at as usize) < range.start);
        let &(at, byte) = self.invalid.get(idx)?;
        range.contains(&(at as usize)).then_some((at as usize, byte))
    }
}

impl<T: Into<String>> From<T> for SourceText {
    fn from(text: T) -> Self {
        SourceText { text: Arc::new(text.into()), invalid: Arc::new([]) }
    }
}

/// One text under its name.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: SourceText,
    base: u32,
    included_at: Option<Span>,
    is_system: bool,
    /// The `#line` directives, in the order of the text.
    pub(super) marks: Vec<LineMark>,
    lines: OnceLock<Lines>,
}

/// The effect of `#line` (C17 6.10.4) or a line marker of `-E` on the following lines.
#[derive(Clone, Debug)]
pub(crate) struct LineMark {
    /// Where the next line begins in the text.
    pub(crate) offset: u32,
    /// The number of that line, from 1.
    pub(crate) line: u32,
    /// The name of the file, if it is said or was said before.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) is_system: bool,
    /// Where the text that follows had been included.
    pub(crate) included_at: Option<Span>,
}

/// Found when first asked for: most headers have nothing that is shown.
#[derive(Debug)]
struct Lines {
    /// Offset in the text of the first byte of each line; never empty.
    starts: Vec<u32>,
    /// Then columns need no counting, however long the line.
    is_ascii: bool,
    /// Bytes of the longest line, its line break not counted.
    longest: usize,
    /// There are characters that are not shown as they are.
    has_hidden: bool,
}

impl SourceFile {
    pub(super) fn new(
        name: String,
        text: SourceText,
        base: u32,
        included_at: Option<Span>,
        is_system: bool,
    ) -> Self {
        SourceFile { name, text, base, included_at, is_system, marks: Vec::new(), lines: OnceLock::new() }
    }

    /// The name as given on the command line, or by which the header was found.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The text, to be shared.
    pub fn source(&self) -> &SourceText {
        &self.text
    }

    /// Where it is included, if it is.
    pub fn included_at(&self) -> Option<Span> {
        self.included_at
    }

    /// Whether it is a header whose warnings are not the user's affair.
    pub fn is_system(&self) -> bool {
        self.is_system
    }

    pub(super) fn set_system(&mut self) {
        self.is_system = true;
    }

    /// Where the file begins in the map's address space.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span { lo: self.base, hi: self.base + self.text().len() as u32 }
    }

    /// Line (from 0) of the byte `offset` of this file's text.
    pub fn line_idx(&self, offset: u32) -> usize {
        self.lines().starts.partition_point(|&start| start <= offset) - 1
    }

    /// Byte range of line `line_idx` (from 0) in this file's text, with its line break.
    pub fn line_range(&self, line_idx: usize) -> Option<Range<usize>> {
        let starts = &self.lines().starts;
        let start = *starts.get(line_idx)? as usize;
        let end = starts.get(line_idx + 1).map_or(self.text().len(), |&e| e as usize);
        Some(start..end)
    }

    /// Column, from 1, in characters, of the byte `offset`.
    pub(super) fn column(&self, offset: u32) -> u32 {
        let line_start = self.lines().starts[self.line_idx(offset)] as usize;
        self.column_from(line_start, offset as usize) as u32
    }

    /// Column, from 1, in characters, of the byte `offset` of the line that begins at `line_start`.
    pub(crate) fn column_from(&self, line_start: usize, offset: usize) -> usize {
        let before = &self.text()[line_start..offset];
        if self.lines().is_ascii { before.len() + 1 } else { before.chars().count() + 1 }
    }

    /// Bytes of the longest line, its line break not counted.
    pub(crate) fn longest_line(&self) -> usize {
        self.lines().longest
    }

    /// Whether a line has a character that a message does not show as it is.
    pub(crate) fn has_hidden(&self) -> bool {
        self.lines().has_hidden
    }

    /// How many `#line` are before the byte `offset`.
    pub(crate) fn n_marks_before(&self, offset: u32) -> usize {
        self.marks.partition_point(|mark| mark.offset <= offset)
    }

    /// The last `#line` before the byte `offset`.
    pub(crate) fn mark(&self, offset: u32) -> Option<&LineMark> {
        self.marks.get(self.n_marks_before(offset).checked_sub(1)?)
    }

    /// The file name that is in effect after the first `n_marks` `#line`.
    pub(crate) fn name_after(&self, n_marks: usize) -> &str {
        let mark = n_marks.checked_sub(1).and_then(|idx| self.marks.get(idx));
        mark.and_then(|mark| mark.name.as_deref()).unwrap_or(&self.name)
    }

    /// The number, from 1, that the line `line_idx` (from 0) goes by.
    pub fn line_number(&self, line_idx: usize) -> u32 {
        let start = self.lines().starts.get(line_idx).copied().unwrap_or(0);
        match self.mark(start) {
            Some(mark) => {
                let first = self.line_idx(mark.offset.min(self.text().len() as u32));
                mark.line.saturating_add(line_idx.saturating_sub(first) as u32)
            }
            None => line_idx as u32 + 1,
        }
    }

    /// The name that the byte `offset` goes by.
    pub fn name_at(&self, offset: u32) -> &str {
        self.name_after(self.n_marks_before(offset))
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let text = self.text();
            let mut starts = vec![0];
            starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
            let ends = starts.iter().skip(1).map(|&next| next as usize - 1).chain([text.len()]);
            let longest = starts.iter().zip(ends).map(|(&start, end)| end - start as usize).max();
            let has_hidden = text.lines().any(|line| line.chars().any(is_hidden));
            Lines { is_ascii: text.is_ascii(), longest: longest.unwrap_or(0), has_hidden, starts }
        })
    }
}
