//! The messages of a run as one SARIF 2.1.0 document, which code scanners and editors read.
//!
//! In: diagnostics, findings without a code (faults of kernels), and messages without a place. Out: a JSON text with one
//! run: the tool, the rules that the results name, results with regions and fixes, and notifications.
//!
//! Section numbers in comments are those of the standard (OASIS, "SARIF Version 2.1.0").

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::visible::json_line;
use super::{Code, Diagnostic, Fix, Severity, explain, github, origin};
use crate::source::{SourceMap, Span};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a run has reported so far.
#[derive(Debug, Default)]
pub struct Run {
    results: Vec<Value>,
    notifications: Vec<Value>,
    codes: BTreeSet<Code>,
    /// Rules of findings that have no code: their explanation.
    others: BTreeMap<&'static str, &'static str>,
}

/// A finding that is no diagnostic.
#[derive(Debug)]
pub struct Finding {
    /// The rule, and what it is about.
    pub rule: (&'static str, &'static str),
    /// The message.
    pub message: String,
    /// The file, the line and the column if they are known.
    pub place: Option<(String, u32, Option<u32>)>,
    /// What else a program may read.
    pub properties: Value,
}

impl Run {
    /// An empty run.
    pub const fn new() -> Self {
        Run {
            results: Vec::new(),
            notifications: Vec::new(),
            codes: BTreeSet::new(),
            others: BTreeMap::new(),
        }
    }

    /// Adds a diagnostic.
    pub fn add(&mut self, sources: &SourceMap, diagnostic: &Diagnostic) {
        self.codes.insert(diagnostic.code);
        let mut result = json!({
            "ruleId": diagnostic.code.name(),
            "level": level(diagnostic.severity),
            "message": { "text": github::whole_text(diagnostic) },
            "locations": [{ "physicalLocation": location(sources, diagnostic.primary.span) }],
        });
        let secondary =
            origin::secondary(sources, diagnostic).into_iter().map(|label| (label.span, label.message));
        let included = sources.included_from(diagnostic.primary.span).into_iter();
        let related: Vec<Value> = secondary
            .chain(included.map(|span| (span, "included from here".to_owned())))
            .map(|(span, text)| {
                json!({ "physicalLocation": location(sources, span), "message": { "text": text } })
            })
            .collect();
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
        let fixes: Vec<Value> = diagnostic.applicable_fixes().map(|it| fix(sources, it)).collect();
        if !fixes.is_empty() {
            result["fixes"] = Value::Array(fixes);
        }
        self.results.push(result);
    }

    /// Adds a finding that is no diagnostic; it is an error.
    pub fn add_finding(&mut self, finding: Finding) {
        let (rule, explanation) = finding.rule;
        self.others.insert(rule, explanation);
        let location = finding.place.map(|(file, line, column)| {
            let mut region = json!({ "startLine": line });
            if let Some(column) = column {
                region["startColumn"] = json!(column);
            }
            json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&file) }, "region": region } })
        });
        self.results.push(json!({
            "ruleId": rule,
            "level": "error",
            "message": { "text": finding.message },
            "locations": location.into_iter().collect::<Vec<Value>>(),
            "properties": finding.properties,
        }));
    }

    /// Adds a message without a place. `level` is `error`, `warning` or `note`.
    pub fn notify(&mut self, level: &str, text: &str) {
        self.notifications.push(json!({ "level": level, "message": { "text": text } }));
    }

    /// The document, on one line.
    pub fn document(&self, version: &str, exit_code: u8) -> String {
        // 3.27.5: a result's rule is found by its index.
        let codes = self.codes.iter().map(|code| (code.name(), code_rule(*code)));
        let others = self.others.iter().map(|(name, text)| (*name, rule(name, text, text, "error")));
        let (names, rules): (Vec<&str>, Vec<Value>) = codes.chain(others).unzip();
        let results = self.results.iter().map(|result| {
            let mut result = result.clone();
            let idx = names.iter().position(|name| result["ruleId"] == *name);
            result["ruleIndex"] = json!(idx);
            result
        });
        json_line(&json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "weftc", "semanticVersion": version, "rules": rules } },
                // Columns count characters (3.14.17).
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": exit_code == 0,
                    "exitCode": exit_code,
                    "toolExecutionNotifications": self.notifications,
                }],
                "results": results.collect::<Vec<Value>>(),
            }],
        }))
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn code_rule(code: Code) -> Value {
    rule(code.name(), code.explanation(), &explain::explain(code), level(code.severity()))
}

fn rule(name: &str, short: &str, help: &str, level: &str) -> Value {
    json!({
        "id": name,
        "shortDescription": { "text": short },
        "help": { "text": help, "markdown": help },
        "defaultConfiguration": { "level": level },
    })
}

fn location(sources: &SourceMap, span: Span) -> Value {
    let span = sources.written(span);
    let name = sources.location(span).file;
    json!({ "artifactLocation": { "uri": uri(name) }, "region": region(sources, span) })
}

/// Lines and columns count from 1, and the end is exclusive (3.30).
fn region(sources: &SourceMap, span: Span) -> Value {
    let (start, end) = (sources.location(span), sources.line_column(span.end()));
    let bytes = sources.range(span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": bytes.start,
        "byteLength": bytes.len(),
    })
}

fn fix(sources: &SourceMap, fix: &Fix) -> Value {
    let mut changes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let span = sources.written(edit.span);
        changes.entry(sources.location(span).file).or_default().push(json!({
            "deletedRegion": region(sources, span),
            "insertedContent": { "text": edit.replacement },
        }));
    }
    let changes = changes
        .into_iter()
        .map(|(file, edits)| json!({ "artifactLocation": { "uri": uri(file) }, "replacements": edits }));
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<Value>>() })
}

/// A path as a URI reference (RFC 3986): absolute ones are `file:` URIs, and bytes that a path of a URI cannot have are
/// escaped.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b'+'
            | b'@'
            | b'=' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_has_what_the_standard_requires() {
        let mut sources = SourceMap::new();
        let text = "int é; int idn;\n";
        let file = sources.add("my dir/a.cu".into(), text).expect("small");
        let lo = sources.file(file).base() + text.find("idn").expect("it is there") as u32;
        let span = Span::new(lo, lo + 3);
        let mut error =
            Diagnostic::new(Code::UndeclaredIdentifier, span, "unknown name").with_help("look again");
        error.fixes.push(Fix::new("rename it", span, "idx"));
        let mut run = Run::new();
        run.add(&sources, &error);
        run.add_finding(Finding {
            rule: ("fault", "A kernel was stopped."),
            message: "out of bounds".to_owned(),
            place: Some(("/a.cu".to_owned(), 4, Some(2))),
            properties: json!({ "kernel": "k" }),
        });
        run.notify("error", "no input");
        let document: Value = serde_json::from_str(&run.document("0.1.0", 1)).expect("JSON");
        assert_eq!(document["version"], "2.1.0");
        let run = &document["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        assert_eq!((rules.len(), &rules[0]["id"]), (2, &json!("undeclared-identifier")));
        let [result, fault] = &run["results"].as_array().expect("results")[..] else { panic!("two results") };
        assert_eq!((&result["ruleIndex"], &fault["ruleIndex"]), (&json!(0), &json!(1)));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20dir/a.cu");
        assert_eq!(
            (&place["region"]["startColumn"], &place["region"]["endColumn"]),
            (&json!(12), &json!(15))
        );
        assert_eq!((&place["region"]["byteOffset"], &place["region"]["byteLength"]), (&json!(12), &json!(3)));
        let change = &result["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "idx");
        assert_eq!(result["message"]["text"], "unknown name\nhelp: look again\nhelp: rename it");
        assert_eq!(fault["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "file:///a.cu");
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], "no input");
    }
}
