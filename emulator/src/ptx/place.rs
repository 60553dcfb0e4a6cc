//! Where in the text something is, and errors that say so.

use std::error;
use std::fmt;

/// A place in the text of a module: the number of the bytes before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub u32);

impl Place {
    /// The line and the column in characters, both from one.
    pub fn line_column(self, text: &str) -> (u32, u32) {
        let before = &text.as_bytes()[..text.len().min(self.0 as usize)];
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() as u32 + 1;
        (line, column)
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// A lower-case phrase.
    pub message: String,
    /// Where it shows.
    pub place: Place,
    /// The line of that.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

impl SyntaxError {
    /// An error at a place of a text.
    pub fn new(message: impl Into<String>, place: Place, text: &str) -> Self {
        let (line, column) = place.line_column(text);
        SyntaxError { message: message.into(), place, line, column }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl error::Error for SyntaxError {}
