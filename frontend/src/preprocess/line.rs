//! `#line` (C17 6.10.4), and the line markers that `-E` prints (GNU C Preprocessor "Preprocessor Output").

use std::sync::Arc;

use super::Preprocessor;
use super::file::File;
use super::interface::Request;
use crate::ast::LitPrefix;
use crate::diag::{Code, Diagnostic};
use crate::lex::literal;
use crate::source::{LineMark, Span};
use crate::token::{Token, TokenKind};

impl Preprocessor<'_> {
    /// `# line digits ["name"]`, the operands from macros if need be.
    pub(super) fn line_directive(&mut self, directive: Span, file: &mut File<'_>) {
        self.lex_rest(file);
        let mut tokens = Vec::new();
        self.begin_alone();
        while let Some(token) = self.next_in_frames() {
            tokens.extend(self.expand(token, file));
        }
        self.end_alone();
        let Some(line) = tokens.first().and_then(|&token| self.digits(token)) else {
            let at = tokens.first().map_or(directive, |token| token.span);
            self.error(Code::InvalidDirective, at, "`#line` directive requires a positive integer argument");
            return;
        };
        let name = match tokens.get(1) {
            None => None,
            Some(&token) => match self.file_name(token) {
                Some(name) => Some(name),
                None => {
                    let message = "invalid filename for `#line` directive";
                    self.error(Code::InvalidDirective, token.span, message);
                    return;
                }
            },
        };
        if let Some(extra) = tokens.get(2) {
            self.warn(Code::ExtraTokens, extra.span, "extra tokens at end of `#line` directive");
        }
        let (name, is_system) = match (name, self.current_mark(file)) {
            (Some(name), Some(mark)) => (Some(name), mark.is_system),
            (Some(name), None) => (Some(name), self.compilation.sources.file(file.id).is_system()),
            (None, Some(mark)) => (mark.name.clone(), mark.is_system),
            (None, None) => (None, self.compilation.sources.file(file.id).is_system()),
        };
        let included_at = self.current_mark(file).and_then(|mark| mark.included_at);
        self.mark(line, name, is_system, included_at, file);
    }

    /// `# digits "name" flags`: 1 where a header begins, 2 where its includer goes on, 3 in a system header.
    pub(super) fn line_marker(&mut self, digits: Token, directive: Span, file: &mut File<'_>) {
        self.lex_rest(file);
        let line = self.digits(digits);
        let name = self.line.first().and_then(|&token| self.file_name(token));
        let (Some(line), Some(name)) = (line, name) else {
            let message = "invalid line marker; expected a number and a filename in quotes";
            return self.error(Code::InvalidDirective, directive, message);
        };
        self.note_printed(&name);
        let has_flag = |flag: &str| self.line[1..].iter().any(|&token| self.spelling(token) == flag);
        let (begins, ends, is_system) = (has_flag("1"), has_flag("2"), has_flag("3"));
        let here = self.current_mark(file).and_then(|mark| mark.included_at);
        let included_at = if begins {
            Some(directive)
        } else if ends {
            // Where the header was included is in the text that goes on now.
            here.and_then(|at| self.compilation.sources.included_from(at).first().copied())
        } else {
            here
        };
        self.mark(line, Some(name), is_system, included_at, file);
    }

    /// A header that ships with Weft is in the text that `-E` has printed; do not read it again.
    fn note_printed(&mut self, name: &str) {
        let Some(name) = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) else { return };
        let request = Request { name, is_angled: true, includer: "", from: None };
        if let Some(header) = self.find_header(&request) {
            self.includes.note_read(header);
        }
    }

    fn current_mark(&self, file: &File<'_>) -> Option<&LineMark> {
        self.compilation.sources.file(file.id).mark(file.lexer.offset() as u32)
    }

    fn mark(
        &mut self,
        line: u32,
        name: Option<Arc<str>>,
        is_system: bool,
        included_at: Option<Span>,
        file: &mut File<'_>,
    ) {
        file.lexer.skip_line();
        let offset = file.lexer.offset() as u32 + 1;
        self.compilation
            .sources
            .add_line_mark(file.id, LineMark { offset, line, name, is_system, included_at });
    }

    /// C17 6.10.4p3: decimal digits, even with a leading 0.
    fn digits(&self, token: Token) -> Option<u32> {
        let TokenKind::Number(symbol) = token.kind else { return None };
        let spelling = self.compilation.interner.spelling(symbol);
        let is_number = spelling.bytes().all(|byte| byte.is_ascii_digit());
        spelling.parse().ok().filter(|&line: &u32| is_number && line <= i32::MAX as u32)
    }

    fn file_name(&self, token: Token) -> Option<Arc<str>> {
        let TokenKind::Str(symbol) = token.kind else { return None };
        let spelling = self.compilation.interner.spelling(symbol);
        if !spelling.starts_with('"') {
            return None;
        }
        let decoded = literal::string(spelling, LitPrefix::None);
        let bytes: Vec<u8> = decoded.units.iter().map(|&unit| unit as u8).collect();
        Some(String::from_utf8_lossy(&bytes).into())
    }

    /// Warns of tokens after the end of a directive, and skips them.
    pub(super) fn end_of_line(&mut self, directive: &str, file: &mut File<'_>) {
        if let Some(extra) = self.lex_line(file) {
            let message = format!("extra tokens at end of `#{directive}` directive");
            let diagnostic = Diagnostic::new(Code::ExtraTokens, extra.span, message);
            self.compilation.sink.emit(diagnostic);
            file.lexer.skip_line();
        }
    }
}
