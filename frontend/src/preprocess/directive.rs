//! Dispatch of directives, and directives that take one line of code.

use super::Preprocessor;
use super::condition::Conditional;
use super::file::{File, Guard};
use crate::diag::similar::similar;
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The names of directives, for "did you mean".
const NAMES: [&str; 14] = [
    "include",
    "include_next",
    "define",
    "undef",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "else",
    "endif",
    "line",
    "error",
    "warning",
    "pragma",
];

impl Preprocessor<'_> {
    /// Carries out the directive whose `#` was read, up to the end of its line.
    pub(super) fn directive(&mut self, hash: Token, file: &mut File<'_>) {
        let Some(name_token) = self.lex_line(file) else {
            // C17 6.10.7
            file.guard = if file.guard == Guard::Possible { Guard::None } else { file.guard };
            return;
        };
        let at = hash.span.to(name_token.span);
        let name = self.spelling(name_token).to_owned();
        if let Some(conditional) = Conditional::of(&name) {
            return self.conditional(conditional, at, file);
        }
        file.guard = if file.guard == Guard::Possible { Guard::None } else { file.guard };
        match &*name {
            "include" => self.include(at, false, file),
            "include_next" => self.include(at, true, file),
            "define" => self.define(at, file),
            "undef" => self.undef(at, file),
            "line" => self.line_directive(at, file),
            "error" => self.user_message(Code::ErrorDirective, "#error", at, file),
            "warning" => self.user_message(Code::WarningDirective, "#warning", at, file),
            "pragma" => self.pragma_directive(at, file),
            // Its string goes nowhere.
            "ident" | "sccs" => file.lexer.skip_line(),
            _ if matches!(name_token.kind, TokenKind::Number(_)) => self.line_marker(name_token, at, file),
            "import" | "assert" | "unassert" => {
                self.error(Code::UnsupportedDirective, at, format!("directive `#{name}` is not supported"));
                file.lexer.skip_line();
            }
            _ => self.unknown(&name, name_token, at, file),
        }
    }

    fn unknown(&mut self, name: &str, name_token: Token, at: Span, file: &mut File<'_>) {
        let message = match name_token.word() {
            Some(_) => format!("invalid preprocessing directive `#{name}`"),
            None => format!("expected a directive name after `#`, found `{name}`"),
        };
        let mut diagnostic = Diagnostic::new(Code::UnknownDirective, at, message);
        if name_token.word().is_some()
            && let Some(idx) = similar(name, NAMES.into_iter())
        {
            diagnostic = diagnostic.with_help(format!("did you mean `#{}`?", NAMES[idx]));
        }
        self.compilation.sink.error(diagnostic);
        file.lexer.skip_line();
    }

    /// `# error text`, `# warning text` (C17 6.10.5)
    fn user_message(&mut self, code: Code, directive: &str, at: Span, file: &mut File<'_>) {
        let (text, _) = file.lexer.rest_of_line();
        let message = if text.is_empty() { format!("`{directive}` without a message") } else { text };
        self.compilation.sink.emit(Diagnostic::new(code, at, message));
    }
}
