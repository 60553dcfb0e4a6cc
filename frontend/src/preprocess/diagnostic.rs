//! Pragmas that turn warnings on and off: GCC's and clang's by name, nvcc's by number or name.

use super::Preprocessor;
use crate::diag::{Change, Code, Diagnostic, Fix, Level, Unchanged};
use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};

impl Preprocessor<'_> {
    /// `diagnostic push`, `diagnostic pop`, `diagnostic ignored "-Wname"`; the name in parts or not.
    pub(super) fn diagnostic_pragma(&mut self, name: &str, at: Span, operands: &[Token]) {
        let kind = operands.first().map_or("", |&first| self.spelling(first));
        let level = match kind {
            "push" => return self.change_levels(at, operands, &Change::Push),
            "pop" => return self.change_levels(at, operands, &Change::Pop),
            "ignored" => Level::Ignored,
            "warning" => Level::Warning,
            "error" | "fatal" => Level::Error,
            // No message is one yet.
            "remark" => return,
            _ => {
                let message = format!("`{name}` expected `push`, `pop`, `ignored`, `warning` or `error`");
                return self.warn(Code::UnknownPragma, at, message);
            }
        };
        let operands = &operands[1..];
        let option = self.message_of(operands);
        let Some(option) = option.as_deref().and_then(|text| text.strip_prefix("-W")) else {
            let message = format!("`{name} {kind}` expected an option in quotes: `\"-Wname\"`");
            return self.warn(Code::UnknownPragma, at, message);
        };
        self.change_levels(at, operands, &Change::Name(option, level));
    }

    /// `nv_diagnostic push`, `nv_diagnostic pop`
    pub(super) fn nv_diagnostic_pragma(&mut self, name: &str, at: Span, operands: &[Token]) {
        match operands.first().map_or("", |&first| self.spelling(first)) {
            "push" => self.change_levels(at, operands, &Change::Push),
            "pop" => self.change_levels(at, operands, &Change::Pop),
            _ => self.warn(Code::UnknownPragma, at, format!("`{name}` expected `push` or `pop`")),
        }
    }

    /// `nv_diag_suppress 177, set_but_not_used`
    pub(super) fn nv_diag_pragma(&mut self, at: Span, operands: &[Token], level: Option<Level>) {
        for &operand in operands {
            if operand.kind == TokenKind::Punct(Punct::Comma) {
                continue;
            }
            let word = self.spelling(operand).to_owned();
            let change = match level {
                Some(level) => Change::Nvcc(&word, level),
                None => Change::NvccDefault(&word),
            };
            self.change_levels(at, operands, &change);
        }
    }

    fn change_levels(&mut self, at: Span, operands: &[Token], change: &Change<'_>) {
        match self.compilation.sink.change_levels(at, change) {
            Ok(()) => {}
            Err(Unchanged::NothingPushed) => {
                self.warn(Code::UnknownPragma, at, "`pop` without a matching `push`");
            }
            Err(Unchanged::Unknown(unknown)) => {
                let span = operands.first().map_or(at, |first| first.span);
                let message = format!("unknown warning option `-W{}`", unknown.name);
                let mut diagnostic = Diagnostic::new(Code::UnknownWarningOption, span, message);
                if let Some(similar) = unknown.similar {
                    let title = format!("did you mean `-W{similar}`?");
                    diagnostic = diagnostic.with_fix(Fix::new(title, span, format!("\"-W{similar}\"")));
                }
                self.compilation.sink.emit(diagnostic);
            }
        }
    }
}
