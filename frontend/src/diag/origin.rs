//! The macros and headers through which the text of a message was reached.
//!
//! A place in an expansion is shown at the invocation in the source; labels lead from there to the macro's
//! definition. A place in a header has notes that lead back to the program.

use super::{Diagnostic, Label, shorten};
use crate::source::{SourceMap, Span};

/// How many macros are shown, as many as clang shows (`-fmacro-backtrace-limit`).
const MAX_LEVELS: usize = 6;

/// The name of the files that predefined macros come from.
pub(crate) const BUILT_IN: &str = "<built-in>";

/// How many directives are shown.
const MAX_INCLUDES: usize = 8;

/// The other places of a diagnostic: its own, then the macros through which its primary place came.
pub(super) fn secondary(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Label> {
    let primary = diagnostic.primary.span;
    // Places in the same invocation are shown where they are written, to distinguish them.
    let shown = |label: &Label| {
        let is_beside = sources.written(label.span) == sources.written(primary);
        let innermost = sources.backtrace(label.span).last().map(|level| level.place);
        Label { span: innermost.filter(|_| is_beside).unwrap_or(label.span), message: label.message.clone() }
    };
    let mut labels: Vec<Label> = diagnostic.secondary.iter().map(shown).collect();
    // The compiler's own macros are no news.
    let mut levels = sources.backtrace(primary);
    levels.retain(|level| sources.file(sources.file_of(level.definition)).name() != BUILT_IN);
    let n_left_out = levels.len().saturating_sub(MAX_LEVELS);
    for (idx, level) in levels.iter().enumerate() {
        // Those in the middle say least.
        let skips = n_left_out > 0 && idx == MAX_LEVELS / 2;
        if skips {
            let message = format!("through {}", count(n_left_out, "more macro"));
            labels.push(Label { span: level.place, message });
        }
        if (MAX_LEVELS / 2..MAX_LEVELS / 2 + n_left_out).contains(&idx) {
            continue;
        }
        let mut message = format!("expanded from macro `{}`", sources.text(level.definition));
        shorten(&mut message);
        labels.push(Label { span: level.place, message });
    }
    labels
}

/// One line for each directive through which the place was read, the innermost first.
pub(super) fn includes(sources: &SourceMap, span: Span) -> Vec<String> {
    let stack = sources.included_from(span);
    let shown = |span: &Span| {
        let at = sources.location(*span);
        format!("in file included from {}:{}", at.file, at.line)
    };
    let mut lines: Vec<String> = stack.iter().take(MAX_INCLUDES).map(shown).collect();
    if stack.len() > MAX_INCLUDES {
        lines.push(format!("and from {}", count(stack.len() - MAX_INCLUDES, "more file")));
    }
    lines
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
