//! Messages on standard error: diagnostics with positions, and messages without one.
//!
//! `--error-format` selects one format for all. A JSON message is one object on a line; the key `kind` of a
//! message without a position is `user`, `environment` or `internal`.
//!
//! Two things come at the end of a run ([`finish`]), and are collected until then ([`Collected`]): the
//! document with all messages (SARIF), and the advice to look up the first error. Since a process has one
//! standard error, this state is global; the compiler as a library reports nothing here.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use weft_frontend::diag::render::{self, Format};
use weft_frontend::diag::visible::{json_line, shortened, visible};
use weft_frontend::diag::{Code, Diagnostic, Severity, github, sarif};
use weft_frontend::source::SourceMap;

use crate::error::{Diagnostics, EnvironmentError, Error, InternalError, Message, UserError};

const REPORT: &str = "this is a bug in weftc: please report it, with the input and the command line";

/// When to color messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether to color output to the stream.
    pub fn applies_to(self, stream: &impl IsTerminal) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// What is reported at the end of a run.
struct Collected {
    /// The messages, if the format is one document.
    document: Option<sarif::Run>,
    /// The code of the first error, for formats that people read.
    first_code: Option<Code>,
}

static COLLECTED: Mutex<Collected> = Mutex::new(Collected { document: None, first_code: None });

fn collected() -> MutexGuard<'static, Collected> {
    COLLECTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a run with this message format. If the format is one document, it is written even without messages.
pub fn begin(format: Format) {
    if format == Format::Sarif {
        collected().document.get_or_insert_default();
    }
}

/// Ends a run: writes the document, or how to look up the first error.
pub fn finish(exit_code: u8) {
    let Collected { document, first_code } = &mut *collected();
    if let Some(run) = document.take() {
        write(&run.document(env!("CARGO_PKG_VERSION"), exit_code));
    }
    if let Some(code) = first_code.take() {
        let name = code.name();
        write(&format!("for more information about this error, try `weftc --explain {name}`\n"));
    }
}

/// Writes to standard error. A failure is ignored, since it cannot be reported anywhere.
fn write(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes text that is not a message; in a document it becomes notifications.
pub fn say(text: &str) {
    match &mut collected().document {
        Some(run) => text.lines().for_each(|line| run.notify("note", line)),
        None => write(text),
    }
}

/// Reports a failure.
pub fn error(error: &Error, format: Format) {
    match error {
        Error::User(UserError::Program(list)) => diagnostics(list, format),
        Error::User(UserError::Fault(fault)) => match &mut collected().document {
            Some(run) => run.add_finding(fault.finding()),
            None => write(&fault.render(format)),
        },
        Error::User(UserError::Request(message)) => write_message(message, Kind::error("user"), format),
        Error::Environment(EnvironmentError(message)) => {
            write_message(message, Kind::error("environment"), format)
        }
        Error::Internal(InternalError(message)) => {
            write_message(message, Kind::error("internal"), format);
            match format {
                Format::Human { .. } | Format::Short | Format::Sarif => {
                    say(&format!("weftc {}: {REPORT}\n", env!("CARGO_PKG_VERSION")));
                }
                Format::Json | Format::Github => {}
            }
        }
    }
}

/// Reports a warning.
pub fn warning(message: &Message, format: Format) {
    write_message(message, Kind { severity: "warning", color: "\x1b[1;33m", name: "user" }, format);
}

/// Reports a warning that has a name.
pub fn coded_warning(message: &Message, code: Code, format: Format) {
    let kind = Kind { severity: "warning", color: "\x1b[1;33m", name: "user" };
    let label = format!("warning[-W{}]", code.name());
    let severity =
        if matches!(format, Format::Human { .. } | Format::Short) { &label } else { kind.severity };
    write_message(message, Kind { severity, ..kind }, format);
}

/// Reports something unusual that has no effect.
pub fn aside(message: &Message, format: Format) {
    write_message(message, Kind { severity: "note", color: "\x1b[1;36m", name: "user" }, format);
}

/// Forwards the output of another program unchanged.
pub fn note(text: &str, format: Format) {
    match format {
        Format::Human { .. } | Format::Short | Format::Sarif => say(&format!("{}\n", visible(text))),
        Format::Json | Format::Github => {
            let kind = Kind { severity: "note", color: "", name: "environment" };
            write_message(&Message::new(text), kind, format);
        }
    }
}

/// Reports the frontend's diagnostics.
pub fn diagnostics(diagnostics: &Diagnostics, format: Format) {
    findings(&diagnostics.list, &diagnostics.sources, format);
}

/// Reports diagnostics of the compiler or of another program.
pub fn findings(list: &[Diagnostic], sources: &SourceMap, format: Format) {
    if let Some(run) = &mut collected().document {
        return list.iter().for_each(|diagnostic| run.add(sources, diagnostic));
    }
    let first = list.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    if let (Format::Human { .. }, Some(first)) = (format, first) {
        collected().first_code.get_or_insert(first.code);
    }
    let mut text = if list.is_empty() { String::new() } else { render::render(sources, list, format) };
    if let (Format::Human { .. }, Some(summary)) = (format, render::summary(list)) {
        text.push_str(&summary);
        text.push('\n');
    }
    write(&text);
}

/// The kind of a message without a position.
struct Kind<'t> {
    severity: &'t str,
    color: &'static str,
    name: &'static str,
}

impl Kind<'_> {
    fn error(name: &'static str) -> Self {
        Kind { severity: "error", color: "\x1b[1;31m", name }
    }
}

/// Writes a message without a position, or adds it to the document.
fn write_message(message: &Message, kind: Kind<'_>, format: Format) {
    match &mut collected().document {
        Some(run) => run.notify(kind.severity, &message.to_string()),
        None => write(&rendered(message, kind, format)),
    }
}

fn rendered(message: &Message, kind: Kind<'_>, format: Format) -> String {
    let Kind { severity, color: tint, name } = kind;
    match format {
        Format::Human { color } => {
            let (tint, bold, off) = if color { (tint, "\x1b[1m", "\x1b[0m") } else { ("", "", "") };
            let all = |texts: &[String]| texts.iter().map(|text| visible(text).into_owned()).collect();
            let shown = Message {
                text: visible(&message.text).into_owned(),
                notes: all(&message.notes),
                help: all(&message.help),
            };
            let text = shown.to_string();
            let (head, tail) = text.split_at(text.find('\n').unwrap_or(text.len()));
            format!("{tint}{severity}{off}{bold}: {head}{off}{tail}\n")
        }
        Format::Short => format!("weftc: {severity}: {}\n", visible(&message.text)),
        Format::Github => github::annotation(severity, "weftc", None, "", &message.to_string()),
        Format::Sarif => {
            let mut run = sarif::Run::new();
            run.notify(severity, &message.to_string());
            run.document(env!("CARGO_PKG_VERSION"), u8::from(severity == "error"))
        }
        Format::Json => {
            let all = |texts: &'_ [String]| texts.iter().map(|text| shortened(text).into_owned()).collect();
            json_line(&JsonMessage {
                severity,
                kind: name,
                message: &shortened(&message.text),
                notes: all(&message.notes),
                help: all(&message.help),
            })
        }
    }
}

/// A message without a position, for `--error-format=json`.
#[derive(Serialize)]
struct JsonMessage<'a> {
    severity: &'a str,
    kind: &'static str,
    message: &'a str,
    notes: Vec<String>,
    help: Vec<String>,
}
