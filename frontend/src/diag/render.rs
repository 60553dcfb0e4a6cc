//! Renders diagnostics as text for people, or JSON for programs.
//!
//! In: diagnostics, and the texts that their spans point into. Out: one string, which the
//! caller writes anywhere. Nothing is reordered. Users see the first
//! [`MAX_ERRORS`] errors only; programs get all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codespan_reporting::diagnostic::{
    Diagnostic as Report, Label as ReportLabel, LabelStyle, Severity as Level,
};
use codespan_reporting::files::{Error as FilesError, Files, column_index};
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{self, Config};
use serde::Serialize;

use super::excerpt::{Excerpt, MAX_COLUMNS};
use super::visible::{json_line, shortened, visible, visible_name};
use super::{Diagnostic, Fix, Label, Severity};
use super::{github, origin, sarif};
use crate::source::{FileId, SourceMap, Span};

/// The form of the messages: `--error-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Source excerpts with the places marked, with ANSI colours or without.
    Human {
        /// Whether to colour.
        color: bool,
    },
    /// A line each: `file:line:column: error[code]: message`.
    Short,
    /// A JSON object each, on a line of its own.
    Json,
    /// One SARIF 2.1.0 document for all.
    Sarif,
    /// A workflow command of GitHub's each, on a line of its own.
    Github,
}

/// After this many errors, those that follow are not worth reading.
pub const MAX_ERRORS: usize = 100;

/// The diagnostics as text, in their order.
pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic], format: Format) -> String {
    let errors = diagnostics.iter().enumerate().filter(|(_, d)| d.severity == Severity::Error);
    let n_shown = errors.map(|(idx, _)| idx).nth(MAX_ERRORS).unwrap_or(diagnostics.len());
    let shown = &diagnostics[..n_shown];
    let mut text: String = match format {
        Format::Human { color: true } => human(sources, shown, Ansi::new(Vec::new()), Ansi::into_inner),
        Format::Human { color: false } => {
            human(sources, shown, NoColor::new(Vec::new()), NoColor::into_inner)
        }
        Format::Short => shown.iter().map(|d| short(sources, d)).collect(),
        Format::Json => return diagnostics.iter().map(|d| json(sources, d)).collect(),
        Format::Github => return diagnostics.iter().map(|d| github::diagnostic(sources, d)).collect(),
        Format::Sarif => {
            let mut run = sarif::Run::new();
            diagnostics.iter().for_each(|d| run.add(sources, d));
            let has_error = diagnostics.iter().any(|d| d.severity == Severity::Error);
            return run.document(env!("CARGO_PKG_VERSION"), has_error.into());
        }
    };
    if n_shown < diagnostics.len() {
        let start = if format == Format::Short { "weftc: note: " } else { "" };
        text.push_str(&format!("{start}too many errors; {} more not shown\n", diagnostics.len() - n_shown));
    }
    text
}

/// The last line of a run with messages, as clang writes it: `2 errors and 1 warning generated`.
/// None when there is nothing to count.
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity, word| {
        let n = diagnostics.iter().filter(|d| d.severity == severity).count();
        (n > 0).then(|| format!("{n} {word}{}", if n == 1 { "" } else { "s" }))
    };
    match (count(Severity::Error, "error"), count(Severity::Warning, "warning")) {
        (Some(errors), Some(warnings)) => Some(format!("{errors} and {warnings} generated")),
        (Some(one), None) | (None, Some(one)) => Some(format!("{one} generated")),
        (None, None) => None,
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn short(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let at = sources.location(diagnostic.primary.span);
    let severity = severity_name(diagnostic.severity);
    let code = bracketed(diagnostic);
    let (file, message) = (visible_name(at.file), visible(&diagnostic.message));
    format!("{file}:{}:{}: {severity}[{code}]: {message}\n", at.line, at.column)
}

/// The text in the brackets: the code of an error, the option that controls a warning.
fn bracketed(diagnostic: &Diagnostic) -> String {
    let code = diagnostic.code.name();
    match diagnostic.severity {
        Severity::Error if diagnostic.is_promoted() => format!("-Werror,-W{code}"),
        Severity::Error => code.to_owned(),
        Severity::Warning => format!("-W{code}"),
    }
}

fn human<W: WriteColor>(
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
    mut out: W,
    into_bytes: fn(W) -> Vec<u8>,
) -> String {
    let config = Config { tab_width: 4, ..Config::default() };
    for diagnostic in diagnostics {
        let labels = labels(sources, diagnostic);
        let files = SourceFiles { sources, excerpts: excerpts(sources, &labels) };
        term::emit_to_write_style(&mut out, &config, &files, &report(&files, diagnostic, labels))
            .expect("invariant: spans lie in their files, and writing to memory succeeds");
    }
    String::from_utf8_lossy(&into_bytes(out)).into_owned()
}

/// The places that a diagnostic marks, the primary one first.
fn labels(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Label> {
    let mut labels = vec![diagnostic.primary.clone()];
    labels.extend(origin::secondary(sources, diagnostic));
    labels
}

/// The excerpts of files that have long lines.
fn excerpts<'a>(sources: &'a SourceMap, labels: &[Label]) -> BTreeMap<FileId, Excerpt<'a>> {
    let marked = |id: FileId| labels.iter().filter(move |label| sources.file_of(label.span) == id);
    let ids: BTreeSet<FileId> = labels.iter().map(|label| sources.file_of(label.span)).collect();
    let long = ids.into_iter().filter(|&id| Excerpt::is_needed(sources.file(id)));
    let excerpt = |id: FileId| {
        let places: Vec<Range<usize>> = marked(id).map(|label| sources.range(label.span)).collect();
        (id, Excerpt::new(sources.file(id), &places))
    };
    long.map(excerpt).collect()
}

fn report(files: &SourceFiles<'_>, diagnostic: &Diagnostic, labels: Vec<Label>) -> Report<Shown> {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let label = |(idx, label): (usize, Label)| {
        let id = files.sources.file_of(label.span);
        let range = files.sources.range(label.span);
        let n_marks = files.sources.file(id).n_marks_before(range.start as u32);
        let range = files.excerpts.get(&id).map_or(range.clone(), |excerpt| excerpt.place(range));
        let style = if idx == 0 { LabelStyle::Primary } else { LabelStyle::Secondary };
        ReportLabel::new(style, Shown { id, n_marks }, range).with_message(visible(&label.message))
    };
    let notes = diagnostic.notes.iter().map(|note| format!("note: {}", visible(note)));
    let includes = origin::includes(files.sources, diagnostic.primary.span);
    let notes = notes.chain(includes.into_iter().map(|line| format!("note: {}", visible(&line))));
    let help = diagnostic.help.iter().map(|help| format!("help: {}", visible(help)));
    let help = help.chain(diagnostic.applicable_fixes().map(|fix| shown_fix(files.sources, fix)));
    Report::new(level)
        .with_code(bracketed(diagnostic))
        .with_message(visible(&diagnostic.message))
        .with_labels(labels.into_iter().enumerate().map(label).collect())
        .with_notes(notes.chain(help).collect())
}

/// A fix as advice, with the line as it would be.
fn shown_fix(sources: &SourceMap, fix: &Fix) -> String {
    let title = format!("help: {}", fix.title);
    let changed = fix.shown(sources).map(|changed| changed.render());
    match changed.filter(|text| text.lines().all(|line| line.chars().count() <= MAX_COLUMNS)) {
        Some(text) => visible(&format!("{title}\n{text}")).into_owned(),
        None => title,
    }
}

/// A file, or the part of it that goes by one name: a `#line` begins another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    id: FileId,
    /// How many `#line` are before the part.
    n_marks: usize,
}

/// The texts as codespan wants to see them.
struct SourceFiles<'a> {
    sources: &'a SourceMap,
    /// The excerpts that replace files that have long lines.
    excerpts: BTreeMap<FileId, Excerpt<'a>>,
}

impl<'a> Files<'a> for SourceFiles<'a> {
    type FileId = Shown;
    type Name = Cow<'a, str>;
    type Source = &'a str;

    fn name(&'a self, shown: Shown) -> Result<Cow<'a, str>, FilesError> {
        Ok(visible_name(self.sources.file(shown.id).name_after(shown.n_marks)))
    }

    fn line_number(&'a self, shown: Shown, line_index: usize) -> Result<usize, FilesError> {
        // `# 0 "file"` begins with line 0, which the library cannot print.
        Ok(self.sources.file(shown.id).line_number(line_index).max(1) as usize)
    }

    fn source(&'a self, Shown { id, .. }: Shown) -> Result<&'a str, FilesError> {
        Ok(self.excerpts.get(&id).map_or_else(|| self.sources.file(id).text(), Excerpt::text))
    }

    fn line_index(&'a self, Shown { id, .. }: Shown, byte_index: usize) -> Result<usize, FilesError> {
        let whole = || self.sources.file(id).line_idx(byte_index as u32);
        Ok(self.excerpts.get(&id).map_or_else(whole, |excerpt| excerpt.line_idx(byte_index)))
    }

    fn column_number(
        &'a self,
        shown: Shown,
        line_index: usize,
        byte_index: usize,
    ) -> Result<usize, FilesError> {
        if let Some(excerpt) = self.excerpts.get(&shown.id) {
            return Ok(excerpt.column(byte_index));
        }
        Ok(column_index(self.source(shown)?, self.line_range(shown, line_index)?, byte_index) + 1)
    }

    fn line_range(&'a self, Shown { id, .. }: Shown, line_index: usize) -> Result<Range<usize>, FilesError> {
        let file = self.sources.file(id);
        let whole = || file.line_range(line_index);
        let range = self.excerpts.get(&id).map_or_else(whole, |excerpt| excerpt.line_range(line_index));
        let n_lines = file.line_idx(file.text().len() as u32) + 1;
        range.ok_or(FilesError::LineTooLarge { given: line_index, max: n_lines - 1 })
    }
}

/// A diagnostic as `--error-format=json` prints it.
#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    severity: &'static str,
    kind: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    label: &'a str,
    /// Other places that explain it; at the end, the macros through which the primary place came.
    secondary: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    help: &'a [String],
    fixes: Vec<JsonFix<'a>>,
    /// The directives through which the place was read, the innermost first.
    included_from: Vec<JsonPlace<'a>>,
    /// The option that turns a warning off; `None` for an error.
    option: Option<String>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    /// All of them, or `None` if one is missing.
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    replacement: &'a str,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    message: String,
}

/// Lines and columns from 1, columns in characters; byte offsets from 0; the end exclusive.
#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    byte_start: usize,
    byte_end: usize,
}

fn json(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let secondary = origin::secondary(sources, diagnostic);
    let included_from = sources.included_from(diagnostic.primary.span).into_iter();
    let all = |texts: &'_ [String]| texts.iter().map(|text| shortened(text).into_owned()).collect::<Vec<_>>();
    json_line(&JsonDiagnostic {
        severity: severity_name(diagnostic.severity),
        kind: "diagnostic",
        code: diagnostic.code.name(),
        message: &shortened(&diagnostic.message),
        place: json_place(sources, diagnostic.primary.span),
        label: &shortened(&diagnostic.primary.message),
        secondary: secondary
            .into_iter()
            .map(|l| JsonLabel {
                place: json_place(sources, l.span),
                message: shortened(&l.message).into_owned(),
            })
            .collect(),
        notes: &all(&diagnostic.notes),
        help: &all(&diagnostic.help),
        fixes: diagnostic.applicable_fixes().map(|fix| json_fix(sources, fix)).collect(),
        included_from: included_from.map(|span| json_place(sources, span)).collect(),
        option: diagnostic.code.group().map(|_| format!("-Wno-{}", diagnostic.code.name())),
    })
}

fn json_fix<'a>(sources: &'a SourceMap, fix: &'a Fix) -> JsonFix<'a> {
    let edit = |edit: &'a super::fix::Edit| JsonEdit {
        place: json_place(sources, edit.span),
        replacement: &edit.replacement,
    };
    JsonFix { title: &fix.title, edits: fix.edits.iter().map(edit).collect() }
}

fn json_place(sources: &SourceMap, span: Span) -> JsonPlace<'_> {
    let span = sources.written(span);
    let range = sources.range(span);
    let start = sources.location(span);
    let end = sources.line_column(span.end());
    JsonPlace {
        file: start.file,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_start: range.start,
        byte_end: range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    fn example() -> (SourceMap, Vec<Diagnostic>) {
        let mut sources = SourceMap::new();
        let text = "int a;\n\tint é = \"ｗ\" b;\n";
        let file = sources.add("dir/t.src".into(), text).unwrap();
        sources.add("other.src".into(), "void g();").unwrap();
        let at = |what: &str| {
            let lo = sources.file(file).base() + text.find(what).unwrap() as u32;
            Span::new(lo, lo + what.len() as u32)
        };
        let other = sources.files().last().unwrap().1.base() + 5;
        let error = Diagnostic::new(Code::ExpectedToken, at("b"), "expected `;`")
            .with_primary("here")
            .with_label(Span::new(other, other + 1), "declared here")
            .with_note("a fact")
            .with_help("advice");
        (sources, vec![error, Diagnostic::new(Code::UnknownPragma, Span::new(24, 24), "end")])
    }

    #[test]
    fn excerpts_mark_the_columns() {
        let (sources, diagnostics) = example();
        let expected = "\
error[expected-token]: expected `;`
  ┌─ dir/t.src:2:14
  │
2 │     int é = \"ｗ\" b;
  │                  ^ here
  │
  ┌─ other.src:1:6
  │
1 │ void g();
  │      - declared here
  │
  = note: a fact
  = help: advice

";
        assert_eq!(render(&sources, &diagnostics[..1], Format::Human { color: false }), expected);
        let colored = render(&sources, &diagnostics, Format::Human { color: true });
        assert!(colored.contains("\u{1b}["), "{colored}");
    }

    #[test]
    fn writes_short_lines_and_json() {
        let (sources, diagnostics) = example();
        let short = render(&sources, &diagnostics, Format::Short);
        assert_eq!(
            short,
            "dir/t.src:2:14: error[expected-token]: expected `;`\ndir/t.src:2:15: warning[-Wunknown-pragma]: end\n"
        );
        let json = render(&sources, &diagnostics, Format::Json);
        let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!(first["code"], "expected-token");
        assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(2), Some(14)));
        assert_eq!((first["byte_start"].as_u64(), first["byte_end"].as_u64()), (Some(23), Some(24)));
        assert_eq!(first["secondary"][0]["file"], "other.src");
        assert_eq!(first["help"][0], "advice");
        assert_eq!(json.lines().count(), 2);
    }

    #[test]
    fn limits_the_number_of_messages() {
        let (sources, diagnostics) = example();
        let many: Vec<Diagnostic> = vec![diagnostics[0].clone(); MAX_ERRORS + 3];
        let exactly = render(&sources, &many[..MAX_ERRORS], Format::Short);
        assert_eq!(exactly.lines().count(), MAX_ERRORS);
        let text = render(&sources, &many, Format::Short);
        assert_eq!(text.lines().last(), Some("weftc: note: too many errors; 3 more not shown"));
        assert_eq!(text.lines().count(), MAX_ERRORS + 1);
        assert_eq!(render(&sources, &many, Format::Json).lines().count(), MAX_ERRORS + 3);
    }

    #[test]
    fn cuts_long_lines() {
        let mut sources = SourceMap::new();
        let text = format!("{}@{}\n", "a ".repeat(5000), " b".repeat(5000));
        let base = sources.add("t.src".into(), text).map(|file| sources.file(file).base()).unwrap();
        let error = Diagnostic::new(Code::InvalidCharacter, Span::new(base + 10000, base + 10001), "x")
            .with_label(Span::new(base, base + 1), "far away");
        let text = render(&sources, &[error], Format::Human { color: false });
        assert!(text.contains("t.src:1:10001"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
        assert!(text.contains(" @ ") && text.contains('…'), "{text}");
    }

    #[test]
    fn summary_counts_errors_and_warnings() {
        let (_, diagnostics) = example();
        assert_eq!(summary(&diagnostics).unwrap(), "1 error and 1 warning generated");
        assert_eq!(summary(&[diagnostics[0].clone(), diagnostics[0].clone()]).unwrap(), "2 errors generated");
        assert_eq!(summary(&[]), None);
    }
}
