//! Edits that correct a mistake.
//!
//! A fix is offered only if the intent is certain and the changed text compiles without the
//! mistake; other advice is help.

use crate::source::{SourceMap, Span};

/// A change, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its effect, as a lower-case phrase: the advice that users read.
    pub title: String,
    /// The changes; they do not overlap.
    pub edits: Vec<Edit>,
}

/// The text at a place is replaced; at an empty place, text is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

impl Fix {
    /// One change.
    pub fn new(title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        Fix { title: title.into(), edits: vec![Edit { span, replacement: replacement.into() }] }
    }

    /// One more change that belongs to it.
    #[must_use]
    pub fn and(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit { span, replacement: replacement.into() });
        self
    }

    /// The header that has a name, before all else: the program's text is the first one.
    pub fn include(name: &str, header: &str) -> Self {
        let title = format!("`{name}` is declared in `<{header}>`");
        Fix::new(title, Span::default(), format!("#include <{header}>\n"))
    }

    /// Parentheses around the text at the place.
    pub fn parentheses(title: impl Into<String>, span: Span) -> Self {
        Fix::new(title, span.start(), "(").and(span.end(), ")")
    }

    /// The line of the text before and after, where the fix concerns one line of one file.
    pub(super) fn shown(&self, sources: &SourceMap) -> Option<ChangedLine> {
        let first = self.edits.first()?.span;
        let id = sources.file_of(first);
        let file = sources.file(id);
        let line_idx = file.line_idx(sources.range(first).start as u32);
        let line = file.line_range(line_idx)?;
        let before = file.text().get(line.clone())?.trim_end();
        let mut edits: Vec<&Edit> = self.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span);
        let (mut after, mut marks, mut at) = (String::new(), Vec::new(), 0);
        for edit in edits {
            let range = sources.range(edit.span);
            let is_inside = sources.file_of(edit.span) == id
                && range.start >= line.start + at
                && range.end <= line.start + before.len();
            if !is_inside || edit.replacement.contains('\n') {
                return None;
            }
            after.push_str(&before[at..range.start - line.start]);
            let start = after.chars().count();
            after.push_str(&edit.replacement);
            marks.push(start..after.chars().count());
            at = range.end - line.start;
        }
        after.push_str(&before[at..]);
        let is_insertion = self.edits.iter().all(|edit| edit.span.lo == edit.span.hi);
        Some(ChangedLine { line: line_idx + 1, before: before.to_owned(), after, marks, is_insertion })
    }
}

/// A line before and after.
pub(super) struct ChangedLine {
    /// Its number, from 1.
    pub(super) line: usize,
    pub(super) before: String,
    pub(super) after: String,
    /// The characters of `after` that are new.
    pub(super) marks: Vec<std::ops::Range<usize>>,
    /// Nothing was taken away.
    pub(super) is_insertion: bool,
}

impl ChangedLine {
    /// The lines that show the change: the new line with the insertion marked, or the old and the
    /// new one.
    pub(super) fn render(&self) -> String {
        let indent = self.before.chars().take_while(|c| c.is_whitespace()).count();
        let indent = indent.min(self.after.chars().take_while(|c| c.is_whitespace()).count());
        let cut = |line: &str| line.chars().skip(indent).collect::<String>().replace('\t', " ");
        let line = self.line.to_string();
        let (before, after) = (cut(&self.before), cut(&self.after));
        if !self.is_insertion {
            return format!("{line} - {before}\n{line} + {after}");
        }
        let mut marks = String::new();
        for mark in &self.marks {
            let start = mark.start.saturating_sub(indent);
            marks.extend(std::iter::repeat_n(' ', start.saturating_sub(marks.chars().count())));
            marks.extend(std::iter::repeat_n('+', mark.len()));
        }
        format!("{line} │ {after}\n{} │ {marks}", " ".repeat(line.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, fix: impl FnOnce(&dyn Fn(&str) -> Span) -> Fix) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("t.src".into(), text).expect("small");
        let base = sources.file(file).base();
        let at = |what: &str| {
            let lo = base + text.find(what).expect("it is there") as u32;
            Span::new(lo, lo + what.len() as u32)
        };
        fix(&at).shown(&sources).expect("one line").render()
    }

    #[test]
    fn a_replacement_shows_both_lines() {
        let text = shown("int a;\n\tint b = idn;\n", |at| Fix::new("", at("idn"), "idx"));
        assert_eq!(text, "2 - int b = idn;\n2 + int b = idx;");
    }

    #[test]
    fn an_insertion_is_marked() {
        let text = shown("  if (a & b == c)\n", |at| Fix::parentheses("", at("b == c")));
        assert_eq!(text, "1 │ if (a & (b == c))\n  │         +      +");
    }

    #[test]
    fn hides_edits_of_several_lines() {
        let mut sources = SourceMap::new();
        sources.add("t.src".into(), "a\nb\n").expect("small");
        assert!(Fix::new("", Span::new(0, 3), "x").shown(&sources).is_none());
        assert!(Fix::new("", Span::new(0, 0), "x\n").shown(&sources).is_none());
    }
}
