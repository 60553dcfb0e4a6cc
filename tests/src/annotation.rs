//! `//~ ERROR[code] text` lines: the diagnostics that a test expects.
//!
//! The set of diagnostics that `weftc --error-format=json` prints must equal the set of annotations:
//! same line, severity and code, and the annotation's text within the message. `//~` refers to its
//! own line, each following `^` moves one line up, and `//~|` refers to the line of the previous annotation.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::Failure;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// There is no output.
    Error,
    /// There is output.
    Warning,
}

/// One expected diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The line that it refers to, from 1.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// The kebab-case code.
    pub code: String,
    /// The text that the message must contain; may be empty.
    pub text: String,
}

/// The compared parts of a diagnostic of `weftc`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Reported {
    /// The line of its first byte, from 1.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// The kebab-case code.
    pub code: String,
    /// The phrase.
    pub message: String,
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, self.line, self.severity, &self.code, &self.text)
    }
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, self.line, self.severity, &self.code, &self.message)
    }
}

fn write_place(
    f: &mut fmt::Formatter<'_>,
    line: usize,
    severity: Severity,
    code: &str,
    text: &str,
) -> fmt::Result {
    let severity = match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
    };
    write!(f, "line {line}: {severity}[{code}] {text}")
}

/// Parses the output of `weftc --error-format=json`: one object per line.
///
/// # Errors
///
/// A line that is not a diagnostic.
pub fn parse_reported(stderr: &str) -> Result<Vec<Reported>, Failure> {
    let diagnostic =
        |line: &str| serde_json::from_str(line).map_err(|e| format!("no diagnostic: {e}\n  {line}"));
    stderr.lines().map(diagnostic).collect()
}

/// Parses the annotations of a test.
///
/// # Errors
///
/// A `//~` that is not an annotation, or refers to a line that does not exist.
pub fn parse(text: &str) -> Result<Vec<Annotation>, Failure> {
    static ANNOTATION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^//~(\^+|\|)?\s*(ERROR|WARNING)\[([a-z0-9-]+)\]\s*(.*)$")
            .expect("invariant: a constant pattern compiles")
    });
    let mut annotations: Vec<Annotation> = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        let Some(start) = line.find("//~") else { continue };
        let own = line_idx + 1;
        let refuse = |why: &str| format!("line {own}: {why}\n    {}", line.trim());
        let parts = ANNOTATION
            .captures(line[start..].trim_end())
            .ok_or_else(|| refuse("an annotation is `//~ ERROR[code] text`"))?;
        let part = |idx: usize| parts.get(idx).map_or("", |m| m.as_str());
        let line = match part(1) {
            "" => own,
            "|" => annotations.last().ok_or_else(|| refuse("`//~|` follows another annotation"))?.line,
            carets => match own.checked_sub(carets.len()) {
                None | Some(0) => return Err(refuse("there is no such line above")),
                Some(line) => line,
            },
        };
        let severity = if part(2) == "ERROR" { Severity::Error } else { Severity::Warning };
        annotations.push(Annotation { line, severity, code: part(3).into(), text: part(4).into() });
    }
    Ok(annotations)
}

/// Compares the two sets.
///
/// # Errors
///
/// Expected diagnostics that were not reported, and reported ones that were not expected.
pub fn compare(expected: &[Annotation], reported: &[Reported]) -> Result<(), Failure> {
    let mut unexpected: Vec<&Reported> = reported.iter().collect();
    let mut missing = Vec::new();
    // The longest texts are matched first, so that a bare code cannot take another annotation's diagnostic.
    let mut by_text: Vec<&Annotation> = expected.iter().collect();
    by_text.sort_by_key(|annotation| std::cmp::Reverse(annotation.text.len()));
    for annotation in by_text {
        let fits = |r: &&Reported| {
            r.line == annotation.line
                && r.severity == annotation.severity
                && r.code == annotation.code
                && r.message.contains(&annotation.text)
        };
        match unexpected.iter().position(fits) {
            Some(idx) => drop(unexpected.remove(idx)),
            None => missing.push(annotation),
        }
    }
    if missing.is_empty() && unexpected.is_empty() {
        return Ok(());
    }
    missing.sort_by_key(|annotation| annotation.line);
    let mut message = String::new();
    for annotation in missing {
        message.push_str(&format!("expected, not reported: {annotation}\n"));
    }
    for reported in unexpected {
        message.push_str(&format!("reported, not expected: {reported}\n"));
    }
    Err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(line: usize, code: &str, message: &str) -> Reported {
        Reported { line, severity: Severity::Error, code: code.into(), message: message.into() }
    }

    #[test]
    fn each_form_speaks_of_its_line() {
        let text = "a; //~ ERROR[x-y] some words\n//~^ WARNING[w]\n//~| ERROR[z]\n";
        let annotations = parse(text).expect("well formed");
        let lines: Vec<_> = annotations.iter().map(|a| (a.line, a.code.as_str())).collect();
        assert_eq!(lines, [(1, "x-y"), (1, "w"), (1, "z")]);
        assert_eq!(annotations[0].text, "some words");
        assert_eq!(annotations[1].severity, Severity::Warning);
    }

    #[test]
    fn rejects_malformed_annotations() {
        for (text, why) in [
            ("a; //~ ERR[x]", "an annotation is"),
            ("a; //~ ERROR x", "an annotation is"),
            ("//~^ ERROR[x]", "no such line"),
            ("//~| ERROR[x]", "follows another"),
        ] {
            let message = parse(text).expect_err("must be refused");
            assert!(message.contains(why), "{message}");
        }
    }

    #[test]
    fn the_sets_must_be_equal() {
        let expected = parse("a; //~ ERROR[x] one\n//~^ ERROR[x]\n").expect("well formed");
        compare(&expected, &[reported(1, "x", "one"), reported(1, "x", "two")]).expect("equal");
        compare(&expected, &[reported(1, "x", "two"), reported(1, "x", "one")]).expect("in any order");
        let cases: [(&[Reported], &str); 5] = [
            (&[reported(1, "x", "one")], "expected, not reported: line 1: ERROR[x]"),
            (
                &[reported(1, "x", "two"), reported(1, "x", "two")],
                "expected, not reported: line 1: ERROR[x] one",
            ),
            (&[reported(1, "x", "one"), reported(2, "x", "two")], "reported, not expected: line 2"),
            (&[reported(1, "x", "one"), reported(1, "y", "two")], "reported, not expected: line 1: ERROR[y]"),
            (
                &[reported(1, "x", "one"), reported(1, "x", "two"), reported(1, "x", "two")],
                "reported, not expected",
            ),
        ];
        for (diagnostics, why) in cases {
            let message = compare(&expected, diagnostics).expect_err("must differ");
            assert!(message.contains(why), "{message}\nlacks `{why}`");
        }
    }

    #[test]
    fn diagnostics_are_read_from_json() {
        let line = r#"{"severity":"error","code":"x","message":"one","file":"a.src","line":1,"column":2}"#;
        assert_eq!(parse_reported(&format!("{line}\n")), Ok(vec![reported(1, "x", "one")]));
        assert!(parse_reported("1 error generated\n").is_err());
    }

    #[test]
    fn a_warning_is_no_error() {
        let expected = parse("a; //~ WARNING[x]").expect("well formed");
        compare(&expected, &[reported(1, "x", "one")]).expect_err("must differ");
    }
}
