//! The current token, and taking tokens.

use super::{Parsed, Parser};
use crate::ast::Name;
use crate::diag::{Code, Diagnostic, Reported};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

impl Parser<'_> {
    pub(super) fn token(&self) -> Token {
        self.here
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.here.kind
    }

    /// Makes the token at the place the current one.
    pub(super) fn go_to(&mut self, pos: usize) {
        self.pos = pos;
        self.here = self.tokens[pos];
    }

    /// What stands `ahead` tokens after the current one.
    pub(super) fn kind_at(&self, ahead: usize) -> TokenKind {
        self.kind_of(self.pos + ahead)
    }

    pub(super) fn kind_of(&self, idx: usize) -> TokenKind {
        self.tokens.get(idx).map_or(TokenKind::Eof, |t| t.kind)
    }

    pub(super) fn span(&self) -> Span {
        self.here.span
    }

    /// The span of the token before the current one.
    pub(super) fn prev_span(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// From `start` to the token before the current one.
    pub(super) fn span_from(&self, start: Span) -> Span {
        // Nothing has been taken.
        if start == self.span() { start } else { start.to(self.prev_span()) }
    }

    /// Takes the current token. `Eof` stays.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.here;
        if token.kind != TokenKind::Eof
            && let Some(&next) = self.tokens.get(self.pos + 1)
        {
            self.pos += 1;
            self.here = next;
        }
        token
    }

    pub(super) fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    pub(super) fn is_at(&self, ahead: usize, punct: Punct) -> bool {
        self.kind_at(ahead) == TokenKind::Punct(punct)
    }

    pub(super) fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    pub(super) fn is_eof(&self) -> bool {
        self.kind() == TokenKind::Eof
    }

    /// Takes the punctuator, if it comes next.
    pub(super) fn eat(&mut self, punct: Punct) -> Option<Span> {
        self.is(punct).then(|| self.bump().span)
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        self.is_keyword(keyword).then(|| self.bump().span)
    }

    pub(super) fn eat_ident(&mut self) -> Option<Name> {
        let TokenKind::Ident(symbol) = self.kind() else { return None };
        let span = self.bump().span;
        Some(Name { symbol, span })
    }

    /// Takes the punctuator, or reports that it is missing.
    pub(super) fn expect(&mut self, punct: Punct) -> Parsed<Span> {
        match self.eat(punct) {
            Some(span) => Ok(span),
            None => Err(self.expected(punct)),
        }
    }

    /// Takes the bracket that closes the one at `open`, or reports that it is missing.
    #[inline]
    pub(super) fn expect_close(&mut self, punct: Punct, open: Span) -> Parsed<Span> {
        match self.eat(punct) {
            Some(span) => Ok(span),
            None => Err(self.missing_close(punct, open)),
        }
    }

    pub(super) fn missing_close(&mut self, punct: Punct, open: Span) -> Reported {
        // An unterminated literal took the rest of its line, in which the bracket may stand.
        if let Some(reported) = self.sink.reported()
            && punct == Punct::RBrace
            && self.has_swallowed(punct)
        {
            return reported;
        }
        let opening = match punct {
            Punct::RParen => Punct::LParen,
            Punct::RBracket => Punct::LBracket,
            Punct::Gt => Punct::Lt,
            _ => Punct::LBrace,
        };
        let diagnostic = self
            .expected_diagnostic(punct)
            .with_label(open, format!("to match this `{}`", opening.spelling()));
        self.error(diagnostic)
    }

    /// Reports a name that is a keyword of the selected C++ standard.
    pub(super) fn check_reserved(&mut self, symbol: Symbol) -> Parsed<()> {
        let name = self.interner.spelling(symbol);
        if !self.dialect.reserves(name) {
            return Ok(());
        }
        let message = format!("expected a name, found `{name}`, a keyword of C++20");
        Err(self.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)))
    }

    pub(super) fn expect_ident(&mut self, what: &str) -> Parsed<Name> {
        if let Some(name) = self.eat_ident() {
            return Ok(name);
        }
        let message = format!("expected {what}, found {}", self.describe());
        Err(self.error(Diagnostic::new(Code::ExpectedIdentifier, self.span(), message)))
    }
}
