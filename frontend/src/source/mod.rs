//! The texts being compiled, and positions in them.
//!
//! All texts of a compilation share one address space of bytes: file `n` begins one byte after the end of file `n-1`,
//! and copies of replacement lists made by macro expansion begin at `MACRO_SPACE`. A [`Span`] is therefore
//! two `u32`s and needs no file handle.
//!
//! - `file`: a text, its name and its lines
//! - `expansion`: addresses of macro expansions
//! - `place`: from a span to the position shown to users
//! - `prefix`: prefixes of file names in outputs
//!
//! **Invariant**: each span maps to a place in a file: each expansion has a call, which is in a
//! file or in an earlier expansion.

mod expansion;
mod file;
mod place;
mod prefix;

pub use expansion::Level;
pub use file::{SourceFile, SourceText};
pub use place::Location;
pub use prefix::PrefixMap;

pub(crate) use expansion::{Definition, DefinitionId};
pub(crate) use file::LineMark;

use expansion::Expansion;

/// Where the addresses of expansions begin; those below are of files.
pub(crate) const MACRO_SPACE: u32 = 1 << 31;

/// A half-open range of addresses: from the first byte of its first token to the end of its last one.
///
/// First and last are in the order of the tokens, not of the addresses: one end may be in a file
/// and the other in a macro expansion, and if a macro reorders its arguments, `lo` may be the larger
/// one. Nothing but the [`SourceMap`] compares addresses. An empty span marks a point.
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
        Span { lo, hi }
    }

    /// From the beginning of this span to the end of one that is not before it.
    #[must_use]
    pub fn to(self, last: Span) -> Span {
        Span { lo: self.lo, hi: last.hi }
    }

    /// The point at which the span begins.
    #[must_use]
    pub fn start(self) -> Span {
        Span { lo: self.lo, hi: self.lo }
    }

    /// The point just past the span: where a missing `;` belongs.
    #[must_use]
    pub fn end(self) -> Span {
        Span { lo: self.hi, hi: self.hi }
    }

    /// Whether the whole span is in files.
    pub fn is_written(self) -> bool {
        self.lo < MACRO_SPACE && self.hi < MACRO_SPACE
    }
}

/// A handle on a file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// Line and column as people count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters (Unicode scalar values); a tab is one.
    pub column: u32,
}

/// The texts of one compilation, and their macro expansions.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// Of the macros, in the order of the text.
    definitions: Vec<Definition>,
    /// Ordered by their addresses.
    expansions: Vec<Expansion>,
    /// How many addresses they have.
    n_expanded: u32,
}

/// The text does not fit: the compilation's texts add up to 2 GiB or more.
#[derive(Debug)]
pub struct SourceTooLarge;

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name. The first one is the program.
    ///
    /// # Errors
    /// When the texts of the compilation would reach 2 GiB.
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
        text: SourceText,
        included_at: Option<Span>,
        is_system: bool,
    ) -> Result<FileId, SourceTooLarge> {
        let base = self.files.last().map_or(0, |f| f.span().hi + 1);
        let len = u32::try_from(text.as_str().len()).map_err(|_| SourceTooLarge)?;
        let end = base.checked_add(len).ok_or(SourceTooLarge)?;
        if end >= MACRO_SPACE - 1 {
            return Err(SourceTooLarge);
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(name, text, base, included_at, is_system));
        Ok(id)
    }

    /// From `offset` of the file on, lines and the name are counted as a `#line` says.
    pub(crate) fn add_line_mark(&mut self, file: FileId, mark: LineMark) {
        self.files[file.0 as usize].marks.push(mark);
    }

    /// The file is a system header from now on.
    pub(crate) fn set_system(&mut self, file: FileId) {
        self.files[file.0 as usize].set_system();
    }

    /// The file of a handle.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their handles, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }
}

#[cfg(test)]
mod tests;
