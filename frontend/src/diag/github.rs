//! Messages as GitHub's workflow commands, which show them beside the lines of a pull request:
//! `::error file=a.cu,line=3,col=5,…::message`.
//!
//! In: the parts of a message. Out: a line. Line breaks and the characters that separate properties are escaped
//! (GitHub, "Workflow commands for GitHub Actions").

use super::{Diagnostic, Severity};
use crate::source::SourceMap;

/// A line for a message. `place` is the file, the line and, where it is known, the column.
pub fn annotation(
    severity: &str,
    title: &str,
    place: Option<(&str, u32, Option<u32>)>,
    more: &str,
    text: &str,
) -> String {
    let command = match severity {
        "error" => "error",
        "warning" => "warning",
        _ => "notice",
    };
    let mut properties = String::new();
    if let Some((file, line, column)) = place {
        properties.push_str(&format!("file={},line={line}", property(file)));
        if let Some(column) = column {
            properties.push_str(&format!(",col={column}"));
        }
        properties.push_str(more);
        properties.push(',');
    }
    format!("::{command} {properties}title={}::{}\n", property(title), data(text))
}

/// The line of a diagnostic.
pub(super) fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let span = sources.written(diagnostic.primary.span);
    let at = sources.location(span);
    let end = sources.line_column(span.end());
    // GitHub takes columns of one line alone.
    let more = match end.line == at.line {
        true => format!(",endLine={},endColumn={}", end.line, end.column),
        false => format!(",endLine={}", end.line),
    };
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = Some((at.file, at.line, Some(at.column)));
    annotation(severity, &format!("weftc {}", diagnostic.code.name()), place, &more, &whole_text(diagnostic))
}

/// The phrase, what its place says, facts and advice, one on a line.
pub(super) fn whole_text(diagnostic: &Diagnostic) -> String {
    let label = Some(&diagnostic.primary.message).filter(|label| !label.is_empty());
    let mut text = diagnostic.message.clone();
    label.into_iter().for_each(|label| text.push_str(&format!(": {label}")));
    diagnostic.notes.iter().for_each(|note| text.push_str(&format!("\nnote: {note}")));
    diagnostic.help.iter().for_each(|help| text.push_str(&format!("\nhelp: {help}")));
    diagnostic.applicable_fixes().for_each(|fix| text.push_str(&format!("\nhelp: {}", fix.title)));
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_separates_properties() {
        assert_eq!(
            annotation("error", "a,b", Some(("x:y.cu", 3, Some(4))), "", "100 %\nnext: a, b"),
            "::error file=x%3Ay.cu,line=3,col=4,title=a%2Cb::100 %25%0Anext: a, b\n"
        );
        assert_eq!(annotation("note", "weftc", None, "", "x"), "::notice title=weftc::x\n");
    }
}
