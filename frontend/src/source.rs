//! The texts being compiled, and positions in them.
//!
//! All files of a compilation share one address space of bytes: file `n` begins where file `n-1`
//! ended plus one. A [`Span`] is then two `u32`s, whichever file it lies in, and needs no file
//! handle of its own.

use std::ops::Range;
use std::sync::Arc;

/// A half-open range of bytes in the [`SourceMap`]'s address space, `lo <= hi`.
///
/// A span never crosses from one file into another. An empty span marks a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of `lo..hi`.
    pub fn new(lo: u32, hi: u32) -> Self {
        debug_assert!(lo <= hi);
        Span { lo, hi }
    }

    /// The smallest span that covers both; both must lie in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The point at which the span begins.
    #[must_use]
    pub fn start(self) -> Span {
        Span { lo: self.lo, hi: self.lo }
    }

    /// The point just behind the span: where a missing `;` belongs.
    #[must_use]
    pub fn end(self) -> Span {
        Span { lo: self.hi, hi: self.hi }
    }
}

/// A handle on a file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// The text of a file. Cloning shares it.
#[derive(Clone, Debug)]
pub struct SourceText {
    text: Arc<str>,
    /// The bytes that are no UTF-8: where in `text` the U+FFFD stands that was put in their place, and the
    /// first of them. Seldom there: comments of old programs are in Latin-1.
    invalid: Arc<[(u32, u8)]>,
}

impl SourceText {
    /// The bytes as text. What is no UTF-8 is kept as U+FFFD, which matters only within a token.
    pub fn decode(bytes: &[u8]) -> Self {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return text.into();
        }
        let (mut text, mut invalid) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if let Some(&first) = chunk.invalid().first() {
                invalid.push((u32::try_from(text.len()).unwrap_or(u32::MAX), first));
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        SourceText { text: text.into(), invalid: invalid.into() }
    }
}

impl<T: Into<Arc<str>>> From<T> for SourceText {
    fn from(text: T) -> Self {
        SourceText { text: text.into(), invalid: Arc::new([]) }
    }
}

/// One text under its name.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: SourceText,
    /// The header's name in the directive that included it.
    included_at: Option<Span>,
    is_system: bool,
    base: u32,
    /// Offset in `text` of the first byte of each line; never empty.
    line_starts: Vec<u32>,
    /// Then columns need no counting, however long the line.
    is_ascii: bool,
}

impl SourceFile {
    /// The name as given on the command line: what messages and `.file` print.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text.text
    }

    /// The first byte that was no UTF-8 of those in a range of the text: where it stood, and what it was.
    pub fn first_invalid(&self, range: Range<u32>) -> Option<(u32, u8)> {
        let idx = self.text.invalid.partition_point(|&(at, _)| at < range.start);
        self.text.invalid.get(idx).copied().filter(|&(at, _)| at < range.end)
    }

    /// Where it is included, if it is.
    pub fn included_at(&self) -> Option<Span> {
        self.included_at
    }

    /// Whether it is a header whose warnings are not the user's affair.
    pub fn is_system(&self) -> bool {
        self.is_system
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
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// Byte range of line `line_idx` (from 0) in this file's text, with its line break.
    pub fn line_range(&self, line_idx: usize) -> Option<Range<usize>> {
        let start = *self.line_starts.get(line_idx)? as usize;
        let end = self.line_starts.get(line_idx + 1).map_or(self.text().len(), |&e| e as usize);
        Some(start..end)
    }
}

/// Line and column as people count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters (Unicode scalar values); a tab is one.
    pub column: u32,
}

/// The texts of one compilation.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// The text does not fit: the compilation's texts add up to 4 GiB or more.
#[derive(Debug)]
pub struct SourceTooLarge;

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name.
    ///
    /// # Errors
    /// When the texts of the compilation would reach 4 GiB.
    pub fn add(&mut self, name: String, text: impl Into<SourceText>) -> Result<FileId, SourceTooLarge> {
        self.add_file(name, text.into(), None, false)
    }

    /// Adds a header that is included at `included_at`.
    ///
    /// # Errors
    /// As [`SourceMap::add`].
    pub fn add_file(
        &mut self,
        name: String,
        source: SourceText,
        included_at: Option<Span>,
        is_system: bool,
    ) -> Result<FileId, SourceTooLarge> {
        let text = &source.text;
        let base = self.files.last().map_or(0, |f| f.span().hi + 1);
        let len = u32::try_from(text.len()).map_err(|_| SourceTooLarge)?;
        base.checked_add(len).and_then(|end| end.checked_add(2)).ok_or(SourceTooLarge)?;
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(i, _)| i as u32 + 1)).collect();
        let id = FileId(self.files.len() as u32);
        let is_ascii = text.is_ascii();
        self.files.push(SourceFile {
            name,
            text: source,
            included_at,
            is_system,
            base,
            line_starts,
            is_ascii,
        });
        Ok(id)
    }

    /// The file behind a handle.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their handles, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The file in which `span` lies.
    ///
    /// # Panics
    /// When the map is empty: a span comes from a file.
    pub fn file_of(&self, span: Span) -> FileId {
        let n_before = self.files.partition_point(|f| f.base <= span.lo);
        FileId(n_before.checked_sub(1).expect("invariant: a span lies in a file of its map") as u32)
    }

    /// The span as a byte range of its file's text.
    pub fn range(&self, span: Span) -> Range<usize> {
        let file = self.file(self.file_of(span));
        let lo = (span.lo - file.base) as usize;
        let hi = (span.hi - file.base) as usize;
        lo.min(file.text().len())..hi.min(file.text().len())
    }

    /// The text that the span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.file(self.file_of(span)).text()[self.range(span)]
    }

    /// Line and column of the span's first byte.
    pub fn line_column(&self, span: Span) -> LineColumn {
        let file = self.file(self.file_of(span));
        let offset = self.range(span).start;
        let line_idx = file.line_idx(offset as u32);
        let line_start = file.line_starts[line_idx] as usize;
        let before = &file.text()[line_start..offset];
        let column = if file.is_ascii { before.len() } else { before.chars().count() } as u32 + 1;
        LineColumn { line: line_idx as u32 + 1, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_files() {
        let mut map = SourceMap::new();
        let a = map.add("a".into(), "x\n\té y\n").expect("small");
        let b = map.add("b".into(), "z").expect("small");
        let y = map.file(a).base() + 6;
        assert_eq!(map.text(Span::new(y, y + 1)), "y");
        assert_eq!(map.line_column(Span::new(y, y + 1)), LineColumn { line: 2, column: 4 });
        let z = map.file(b).span();
        assert_eq!((map.file_of(z), map.text(z)), (b, "z"));
        assert_eq!(map.file_of(map.file(a).span().end()), a);
    }
}
