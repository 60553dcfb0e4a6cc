//! Messages on standard error: diagnostics with their places, and messages without one.
//!
//! One form for all: `--error-format`. JSON is one object on a line; the key `kind` of a message
//! without a place tells the user's mistakes, the environment's and ours apart.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use weft_frontend::diag::Diagnostic;
use weft_frontend::diag::render::{self, Format};
use weft_frontend::diag::visible::{json_line, shortened, visible};
use weft_frontend::source::SourceMap;

use crate::error::{Diagnostics, EnvironmentError, Error, InternalError, Message, UserError};

const REPORT: &str = "this is a bug in weftc: please report it, with the input and the command line";

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether to colour what goes to the stream.
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

/// Writes to standard error; what cannot be written there can be told nowhere.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Tells a failure.
pub fn error(error: &Error, format: Format) {
    match error {
        Error::User(UserError::Program(list)) => diagnostics(list, format),
        Error::User(UserError::Fault(fault)) => say(&fault.render(format)),
        Error::User(UserError::Request(message)) => say(&rendered(message, Kind::error("user"), format)),
        Error::Environment(EnvironmentError(message)) => {
            say(&rendered(message, Kind::error("environment"), format))
        }
        Error::Internal(InternalError(message)) => {
            say(&rendered(message, Kind::error("internal"), format));
            if !matches!(format, Format::Json) {
                say(&format!("weftc {}: {REPORT}\n", env!("CARGO_PKG_VERSION")));
            }
        }
    }
}

/// Tells what is odd, and does not keep from going on.
pub fn warning(message: &Message, format: Format) {
    say(&rendered(message, Kind { severity: "warning", color: "\x1b[1;33m", name: "user" }, format));
}

/// Reports what is odd and makes no difference.
pub fn aside(message: &Message, format: Format) {
    say(&rendered(message, Kind { severity: "note", color: "\x1b[1;36m", name: "user" }, format));
}

/// Tells what another program says, as it says it.
pub fn note(text: &str, format: Format) {
    match format {
        Format::Human { .. } | Format::Short => say(&format!("{}\n", visible(text))),
        Format::Json => {
            let kind = Kind { severity: "note", color: "", name: "environment" };
            say(&rendered(&Message::new(text), kind, format));
        }
    }
}

/// Tells what the frontend found.
pub fn diagnostics(diagnostics: &Diagnostics, format: Format) {
    findings(&diagnostics.list, &diagnostics.sources, format);
}

/// Tells what was found, here or by another program.
pub fn findings(list: &[Diagnostic], sources: &SourceMap, format: Format) {
    let mut text = render::render(sources, list, format);
    if let (Format::Human { .. }, Some(summary)) = (format, render::summary(list)) {
        text.push_str(&summary);
        text.push('\n');
    }
    say(&text);
}

/// What a message without a place is.
struct Kind {
    severity: &'static str,
    color: &'static str,
    name: &'static str,
}

impl Kind {
    fn error(name: &'static str) -> Self {
        Kind { severity: "error", color: "\x1b[1;31m", name }
    }
}

fn rendered(message: &Message, kind: Kind, format: Format) -> String {
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

/// A message without a place, as `--error-format=json` prints it.
#[derive(Serialize)]
struct JsonMessage<'a> {
    severity: &'static str,
    kind: &'static str,
    message: &'a str,
    notes: Vec<String>,
    help: Vec<String>,
}
