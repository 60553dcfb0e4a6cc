//! From a span to the position shown to users.
//!
//! A place in an expansion is shown at the invocation in the source. A span whose ends are in different files is shown in
//! the file in which it begins.

use std::ops::Range;

use super::expansion::End;
use super::{FileId, LineColumn, SourceMap, Span};

/// A place as it is shown: `#line` applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
}

impl SourceMap {
    /// The span in a file for the span: itself, or the invocation of the outermost macro.
    pub fn written(&self, span: Span) -> Span {
        let lo = self.written_address(span.lo, End::First);
        let hi = self.written_address(span.hi, if span.lo == span.hi { End::First } else { End::Last });
        let (first, last) = (self.file_at(lo), self.file_at(hi));
        let hi = if first == last { hi } else { self.end_within(first, last) };
        // A macro may turn its arguments about; then only the beginning is shown.
        Span::new(lo, hi.max(lo))
    }

    /// Where a span that begins in `first` and ends in another file ends for the eye: at the directive that includes
    /// the other, or where it began.
    fn end_within(&self, first: FileId, mut last: FileId) -> u32 {
        while let Some(included_at) = self.file(last).included_at() {
            last = self.file_at(included_at.lo);
            if last == first {
                return included_at.hi;
            }
        }
        0
    }

    /// The file in which `span` is shown.
    ///
    /// # Panics
    /// When the map is empty: a span comes from a file.
    pub fn file_of(&self, span: Span) -> FileId {
        self.file_at(self.written_address(span.lo, End::First))
    }

    fn file_at(&self, address: u32) -> FileId {
        let n_before = self.files.partition_point(|f| f.base() <= address);
        FileId(n_before.checked_sub(1).expect("invariant: a span lies in a file of its map") as u32)
    }

    /// The span as a byte range of the text of its file.
    pub fn range(&self, span: Span) -> Range<usize> {
        let span = self.written(span);
        let file = self.file(self.file_at(span.lo));
        let offset = |address: u32| ((address - file.base()) as usize).min(file.text().len());
        offset(span.lo)..offset(span.hi)
    }

    /// The text that the span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.file(self.file_of(span)).text()[self.range(span)]
    }

    /// Line and column of the span's first byte; `#line` applies.
    pub fn line_column(&self, span: Span) -> LineColumn {
        let Location { line, column, .. } = self.location(span);
        LineColumn { line, column }
    }

    /// Where the span's first byte is shown; `#line` applies.
    pub fn location(&self, span: Span) -> Location<'_> {
        let file = self.file(self.file_of(span));
        let offset = self.range(span).start as u32;
        let line = file.line_number(file.line_idx(offset));
        Location { file: file.name_at(offset), line, column: file.column(offset) }
    }

    /// The directives through which the text at the span came to be read, the innermost first.
    pub fn included_from(&self, span: Span) -> Vec<Span> {
        let mut stack = Vec::new();
        let mut next = Some(span);
        while let Some(span) = next {
            let file = self.file(self.file_of(span));
            let mark = file.mark(self.range(span).start as u32).and_then(|mark| mark.included_at);
            next = mark.or(file.included_at());
            stack.extend(next);
        }
        stack
    }

    /// Whether warnings at the span are suppressed, because its text is in a system header.
    pub fn is_system(&self, span: Span) -> bool {
        let span = self.spelling(span);
        let file = self.file(self.file_at(span.lo));
        let mark = file.mark(span.lo - file.base());
        mark.map_or(file.is_system(), |mark| mark.is_system)
    }

    /// Whether it is in the main source file, not in a header.
    pub fn is_in_program(&self, span: Span) -> bool {
        let at = self.written_address(span.lo, End::First);
        self.file_at(at).0 == 0
    }

    /// Orders spans by their places in the translation unit: an included file is at the place of its directive.
    /// Text from before the first line precedes the program, which is the first file.
    pub fn order(&self, span: Span) -> Vec<u32> {
        let mut at = self.written_address(span.lo, End::First);
        let mut key = Vec::new();
        loop {
            let id = self.file_at(at);
            let file = self.file(id);
            key.push(at - file.base());
            match file.included_at() {
                Some(included_at) => at = included_at.lo,
                None => {
                    key.push(if id.0 == 0 { u32::MAX } else { id.0 });
                    key.reverse();
                    return key;
                }
            }
        }
    }

    /// Every name that a place can have, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|file| {
            std::iter::once(file.name()).chain(file.marks.iter().filter_map(|mark| mark.name.as_deref()))
        })
    }
}
