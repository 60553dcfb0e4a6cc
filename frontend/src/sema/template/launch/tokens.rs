//! Brackets and lists among the tokens of host code.

use std::ops::Range;

use super::walk::Walk;
use crate::token::{Punct, Token, TokenKind};

/// How many tokens `<…>` may have: what is longer are comparisons.
const MAX_ANGLES: usize = 1000;

/// The end of a text, for brackets that nothing closes.
const UNMATCHED: u32 = u32::MAX;

/// For each opening bracket the one that closes it.
pub(super) struct Closers(Vec<u32>);

impl Closers {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut closers = vec![UNMATCHED; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => open.push(at),
                TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                    if let Some(opener) = open.pop() {
                        closers[opener] = at as u32;
                    }
                }
                _ => {}
            }
        }
        Closers(closers)
    }
}

impl Walk<'_, '_> {
    pub(super) fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind)
    }

    pub(super) fn is(&self, at: usize, punct: Punct) -> bool {
        self.kind(at) == TokenKind::Punct(punct)
    }

    /// The bracket that closes the one at the token, or the end of the text.
    pub(super) fn close(&self, open: usize) -> usize {
        match self.closers.0.get(open) {
            Some(&close) if close != UNMATCHED => close as usize,
            _ => self.tokens.len() - 1,
        }
    }

    /// The token after the bracket that closes the one here, or after the token if it is none.
    pub(super) fn after(&self, at: usize) -> usize {
        match self.kind(at) {
            TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => self.close(at) + 1,
            _ => at + 1,
        }
    }

    /// The first token of that kind in the range that is not within brackets.
    pub(super) fn find(&self, range: Range<usize>, punct: Punct) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if self.is(at, punct) {
                return Some(at);
            }
            at = self.after(at);
        }
        None
    }

    /// The `>` that closes the `<` at a token, and how much of that token is left: none if it is an operator.
    pub(super) fn close_angle(&self, open: usize) -> Option<(usize, Option<Punct>)> {
        let (mut at, mut depth) = (open, 0_usize);
        while at < self.tokens.len().min(open + MAX_ANGLES) {
            let n_closed = match self.kind(at) {
                TokenKind::Punct(Punct::Lt) => {
                    depth += usize::from(at == open || self.may_open_angle(at));
                    0
                }
                TokenKind::Punct(Punct::Gt) => 1,
                TokenKind::Punct(Punct::Shr) => 2,
                TokenKind::Punct(Punct::LaunchClose) => 3,
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                    at = self.after(at);
                    continue;
                }
                TokenKind::Punct(
                    Punct::Semi | Punct::RBrace | Punct::RParen | Punct::RBracket | Punct::LaunchOpen,
                )
                | TokenKind::Eof => return None,
                _ => 0,
            };
            if n_closed >= depth {
                let rest = match n_closed - depth {
                    0 => None,
                    1 => Some(Punct::Gt),
                    _ => Some(Punct::Shr),
                };
                return Some((at, rest));
            }
            depth -= n_closed;
            at += 1;
        }
        None
    }

    /// Whether a `<` may open a list of arguments: it does not follow a variable or a value.
    fn may_open_angle(&self, at: usize) -> bool {
        match self.kind(at - 1) {
            TokenKind::Ident(symbol) => self.names.is_type(symbol) != Some(false),
            TokenKind::Keyword(_) => true,
            _ => false,
        }
    }

    /// The parts of the range between commas.
    pub(super) fn split(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut at) = (range.start, range.start);
        while at < range.end {
            match self.kind(at) {
                TokenKind::Punct(Punct::Comma) => {
                    parts.push(start..at);
                    at += 1;
                    start = at;
                }
                // `f<a, b>(c)`; a comparison is not followed by a parenthesis.
                TokenKind::Punct(Punct::Lt) if at > range.start && self.may_open_angle(at) => {
                    at = match self.close_angle(at) {
                        Some((close, None))
                            if close < range.end
                                && matches!(
                                    self.kind(close + 1),
                                    TokenKind::Punct(
                                        Punct::LParen
                                            | Punct::LBrace
                                            | Punct::ColonColon
                                            | Punct::Comma
                                            | Punct::RParen
                                            | Punct::Star
                                            | Punct::Amp
                                    ) | TokenKind::Ident(_)
                                ) =>
                        {
                            close + 1
                        }
                        _ => at + 1,
                    };
                }
                _ => at = self.after(at),
            }
        }
        if start < range.end || !parts.is_empty() {
            parts.push(start..range.end);
        }
        parts
    }
}
