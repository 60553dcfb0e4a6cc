//! The part of a file that a message shows: its lines, of which long ones are cut to a window, and in which hidden
//! characters are spelled out.
//!
//! In: a file and the places that a message marks. Out: text in which no line shows more than [`MAX_COLUMNS`]
//! characters of the file and two ellipses, and a map from places of the file to places in that text.
//!
//! **Invariant**: printed positions are those of the file: [`Excerpt::column`] reverses the changes.

use std::ops::Range;

use super::visible::{escape, is_hidden};
use crate::source::SourceFile;

/// How many characters of a line are shown.
pub(super) const MAX_COLUMNS: usize = 160;

/// How many of them are before the place for which the line is shown.
const COLUMNS_BEFORE: usize = 60;

const ELLIPSIS: &str = "…";

/// The lines of a file around the places of a message, of which long ones are cut.
#[derive(Debug)]
pub(super) struct Excerpt<'a> {
    file: &'a SourceFile,
    /// Index in the file of the first line.
    first: usize,
    text: String,
    lines: Vec<Line>,
}

/// A line of the file, and how it is shown.
#[derive(Debug)]
struct Line {
    /// Where it begins in the excerpt.
    start: usize,
    /// Where it begins in the file.
    file_start: usize,
    /// The bytes of the file that are shown, with an ellipsis for text cut off before or after them.
    shown: Range<usize>,
    /// Bytes of the ellipsis before the shown part: 0 at the line's own beginning.
    lead: usize,
}

impl<'a> Excerpt<'a> {
    /// Whether the file has lines that are too long to be shown, or hidden characters.
    pub(super) fn is_needed(file: &SourceFile) -> bool {
        file.longest_line() > MAX_COLUMNS || file.has_hidden()
    }

    /// The excerpt of the file for a message about the `places`, of which the first ones count most: their
    /// lines, those between, and one more on either side.
    pub(super) fn new(file: &'a SourceFile, places: &[Range<usize>]) -> Self {
        let ends = || places.iter().flat_map(|place| [place.start, place.end]);
        let marked = || ends().map(|at| file.line_idx(at as u32));
        let first = marked().min().unwrap_or(0).saturating_sub(1);
        let last = marked().max().unwrap_or(0) + 1;
        let mut excerpt = Excerpt { file, first, text: String::new(), lines: Vec::new() };
        for line in (first..=last).map_while(|idx| file.line_range(idx)) {
            let start = excerpt.text.len();
            let content = file.text()[line.clone()].trim_end_matches(['\n', '\r']);
            let end = line.start + content.len();
            let shown = if is_long(content) {
                let focus = ends().find(|at| (line.start..=end).contains(at));
                window(file.text(), line.start..end, focus.unwrap_or(line.start))
            } else {
                line.start..end
            };
            let lead = if shown.start > line.start { ELLIPSIS.len() } else { 0 };
            excerpt.text.push_str(if lead > 0 { ELLIPSIS } else { "" });
            excerpt.text.push_str(&escape(&file.text()[shown.clone()], is_hidden));
            excerpt.text.push_str(if shown.end < end { ELLIPSIS } else { "" });
            excerpt.text.push_str(&file.text()[end..line.end]);
            excerpt.lines.push(Line { start, file_start: line.start, shown, lead });
        }
        excerpt
    }

    /// The text that is shown.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a place of the file is in the text. A place that is cut off maps to the ellipsis.
    pub(super) fn place(&self, place: Range<usize>) -> Range<usize> {
        self.offset(place.start)..self.offset(place.end)
    }

    fn offset(&self, at: usize) -> usize {
        let line = &self.lines[self.file.line_idx(at as u32) - self.first];
        if at < line.shown.start {
            line.start
        } else {
            let before = &self.file.text()[line.shown.start..at.min(line.shown.end)];
            let place = line.start + line.lead + before.chars().map(shown_len).sum::<usize>();
            // Past the end are the ellipsis and the line break.
            if at <= line.shown.end { place } else { place + ELLIPSIS.len() }
        }
    }

    /// Index in the file of the line of byte `at` of the text.
    pub(super) fn line_idx(&self, at: usize) -> usize {
        self.first + self.own_idx(at)
    }

    fn own_idx(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    /// The bytes of the text that are line `idx` of the file, with its line break.
    pub(super) fn line_range(&self, idx: usize) -> Option<Range<usize>> {
        let idx = idx.checked_sub(self.first)?;
        let end = self.lines.get(idx + 1).map_or(self.text.len(), |next| next.start);
        self.lines.get(idx).map(|line| line.start..end)
    }

    /// The column in the file, from 1, of byte `at` of the text.
    pub(super) fn column(&self, at: usize) -> usize {
        let line = &self.lines[self.own_idx(at)];
        let into = at.saturating_sub(line.start + line.lead);
        let mut n_shown = 0;
        let before = self.file.text()[line.shown.clone()].chars().take_while(|&c| {
            n_shown += shown_len(c);
            n_shown <= into
        });
        let end = line.shown.start + before.map(char::len_utf8).sum::<usize>();
        self.file.column_from(line.file_start, end)
    }
}

/// How many bytes a character takes where it is shown.
fn shown_len(c: char) -> usize {
    if is_hidden(c) { escape(c.encode_utf8(&mut [0; 4]), is_hidden).len() } else { c.len_utf8() }
}

fn is_long(line: &str) -> bool {
    line.len() > MAX_COLUMNS && line.chars().nth(MAX_COLUMNS).is_some()
}

/// The bytes of a long line that are shown around `focus`.
fn window(text: &str, line: Range<usize>, focus: usize) -> Range<usize> {
    let back = |from: usize, n: usize| {
        text[line.start..from].char_indices().rev().take(n).last().map_or(from, |(at, _)| line.start + at)
    };
    let start = back(focus, COLUMNS_BEFORE);
    let end = text[start..line.end].char_indices().nth(MAX_COLUMNS).map(|(at, _)| start + at);
    match end {
        Some(end) => start..end,
        // At the line's end there is room for more of the text before it.
        None => back(line.end, MAX_COLUMNS)..line.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn around(file: &SourceFile, place: Range<usize>) -> Excerpt<'_> {
        Excerpt::new(file, &[place])
    }

    #[test]
    fn shows_only_lines_near_the_places() {
        let text = format!("{}{}\n", "line\n".repeat(1000), "a".repeat(500));
        let mut sources = SourceMap::new();
        let file = sources.add("t".into(), text).expect("small");
        let file = sources.file(file);
        assert!(Excerpt::is_needed(file));
        let excerpt = around(file, 5 * 700..5 * 702 + 1);
        assert_eq!(excerpt.text(), "line\n".repeat(5));
        let place = excerpt.place(5 * 700..5 * 700 + 4);
        assert_eq!((excerpt.line_idx(place.start), excerpt.column(place.end)), (700, 5));
        assert_eq!((excerpt.line_range(698), excerpt.line_range(699)), (None, Some(0..5)));
    }

    #[test]
    fn cuts_long_lines_and_keeps_columns() {
        let long = format!("{}é{}", "a".repeat(500), "b".repeat(500));
        let mut sources = SourceMap::new();
        let file = sources.add("t".into(), format!("short\r\n{long}\nend")).expect("small");
        let file = sources.file(file);
        assert!(Excerpt::is_needed(file));
        let at = file.text().find('é').expect("it is there");
        let excerpt = around(file, at..at + 2);
        let line = &excerpt.text()[excerpt.line_range(1).expect("a line")];
        assert_eq!(line, format!("…{}é{}…\n", "a".repeat(COLUMNS_BEFORE), "b".repeat(99)));
        let place = excerpt.place(at..at + 2);
        assert_eq!(&excerpt.text()[place.clone()], "é");
        assert_eq!((excerpt.line_idx(place.start), excerpt.column(place.start)), (1, 501));
        assert_eq!(&excerpt.text()[excerpt.place(0..5)], "short");
        // Places outside are shown at the ellipses.
        let whole = excerpt.place(7..7 + long.len());
        assert_eq!(&excerpt.text()[whole], line.trim_end());
        let end = file.text().len();
        assert_eq!(&excerpt.text()[excerpt.place(end - 3..end)], "end");
        assert_eq!(excerpt.column(excerpt.place(end..end).start), 4);
    }

    #[test]
    fn spells_out_hidden_characters_and_keeps_columns() {
        let mut sources = SourceMap::new();
        let text = "int \x1b[31mred;\r\n\u{202e}x y\n";
        let file = sources.add("t".into(), text).expect("small");
        let file = sources.file(file);
        assert!(Excerpt::is_needed(file));
        let red = text.find("red").expect("it is there");
        let excerpt = around(file, red..red + 3);
        assert_eq!(excerpt.text(), "int <U+001B>[31mred;\r\n<U+202E>x y\n");
        let place = excerpt.place(red..red + 3);
        assert_eq!((&excerpt.text()[place.clone()], excerpt.column(place.start)), ("red", 10));
        let y = text.find('y').expect("it is there");
        let place = excerpt.place(y..y + 1);
        assert_eq!((&excerpt.text()[place.clone()], excerpt.column(place.start)), ("y", 4));
        let crlf = sources.add("u".into(), "a\r\nb\r\n").expect("small");
        assert!(!Excerpt::is_needed(sources.file(crlf)));
    }

    #[test]
    fn windows_extend_to_the_ends_of_the_line() {
        let mut sources = SourceMap::new();
        let file = sources.add("t".into(), "x".repeat(400)).expect("small");
        let file = sources.file(file);
        let first = around(file, 0..1);
        assert_eq!(first.text(), format!("{}…", "x".repeat(MAX_COLUMNS)));
        let last = around(file, 400..400);
        assert_eq!(last.text(), format!("…{}", "x".repeat(MAX_COLUMNS)));
        assert_eq!(last.column(last.place(400..400).start), 401);
    }
}
