//! Reporting, and going on after a mistake.

use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

impl Parser<'_> {
    /// Reports, unless the place has been complained about already.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        let is_other = |idx: usize| matches!(self.kind_of(idx), TokenKind::Other(_));
        // What is left of a declaration that is too deep is not read as it was meant.
        let is_known = self.is_too_deep
            || self.last_error == Some(self.pos)
            || is_other(self.pos)
            || self.pos.checked_sub(1).is_some_and(is_other);
        if let Some(reported) = self.sink.reported().filter(|_| is_known) {
            return reported;
        }
        self.last_error = Some(self.pos);
        self.sink.error(diagnostic)
    }

    /// Reports at `span` what does not keep the parser from going on: more may be said here.
    pub(super) fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.sink.error(Diagnostic::new(code, span, message))
    }

    /// That a struct, union or enum is defined where C++ takes only its name.
    pub(super) fn refuse_type_definition(&mut self, span: Span) {
        let diagnostic = Diagnostic::new(Code::InvalidType, span, "type cannot be defined here")
            .with_help("define it in a separate declaration before this one");
        self.sink.error(diagnostic);
    }

    /// That a `,` is missing between two things of a list.
    pub(super) fn expected_comma(&mut self) {
        let fix = Fix::new("add it", self.prev_span().end(), ",");
        let diagnostic = self.expected_diagnostic(Punct::Comma).with_fix(fix);
        self.error(diagnostic);
    }

    pub(super) fn expected(&mut self, punct: Punct) -> Reported {
        let diagnostic = self.expected_diagnostic(punct);
        self.error(diagnostic)
    }

    /// That `punct` is missing. Its place is behind the token before, unless that ends in the same
    /// line as the next begins, where the eye looks for the cause.
    pub(super) fn expected_diagnostic(&self, punct: Punct) -> Diagnostic {
        self.expected_diagnostic_at(punct, self.pos)
    }

    pub(super) fn expected_diagnostic_at(&self, punct: Punct, at: usize) -> Diagnostic {
        let token = self.tokens[at];
        let is_behind = punct == Punct::Semi || token.at_line_start || token.kind == TokenKind::Eof;
        let span = if is_behind && at > 0 { self.tokens[at - 1].span.end() } else { token.span };
        let message = match punct {
            Punct::Semi if at > 0 => format!("expected `;` after {}", self.describe_at(at - 1)),
            _ => format!("expected `{}`, found {}", punct.spelling(), self.describe_at(at)),
        };
        Diagnostic::new(Code::ExpectedToken, span, message)
    }

    pub(super) fn expected_expression(&mut self) -> Reported {
        let message = match self.kind() {
            TokenKind::Ident(symbol) => {
                format!("expected an expression, found the type `{}`", self.interner.spelling(symbol))
            }
            _ => format!("expected an expression, found {}", self.describe()),
        };
        self.error(Diagnostic::new(Code::ExpectedExpression, self.span(), message))
    }

    pub(super) fn describe(&self) -> String {
        self.describe_at(self.pos)
    }

    pub(super) fn describe_at(&self, idx: usize) -> String {
        match self.kind_of(idx) {
            TokenKind::PragmaStart(pragma) => format!("`#pragma {}`", pragma.spelling()),
            TokenKind::PragmaEnd => "the end of the pragma".into(),
            TokenKind::Eof => "the end of the file".into(),
            TokenKind::Ident(s) | TokenKind::Number(s) | TokenKind::Other(s) => {
                format!("`{}`", self.interner.spelling(s))
            }
            TokenKind::Char(_) => "a character constant".into(),
            TokenKind::Str(_) => "a string literal".into(),
            TokenKind::Keyword(keyword) => format!("`{}`", keyword.spelling()),
            TokenKind::Punct(punct) => format!("`{}`", punct.spelling()),
        }
    }

    /// Takes the `;` that ends something. Where it is missing, says so, and goes on as if it were
    /// there when the next line or the block's end follows, else after the next `;`. Gives false where
    /// something was skipped: then what stands before was not understood either.
    #[inline]
    pub(super) fn expect_semi(&mut self) -> bool {
        if !self.is(Punct::Semi) {
            return self.goes_on_without_semi();
        }
        self.bump();
        true
    }

    /// Reports that a `;` is missing, and skips what stands in its place.
    #[cold]
    fn goes_on_without_semi(&mut self) -> bool {
        let diagnostic = self.expected_diagnostic(Punct::Semi);
        let is_certain = self.pos > 0 && (self.token().at_line_start || self.is(Punct::RBrace));
        let fix = Fix::new("add it", self.prev_span().end(), ";");
        self.error(if is_certain { diagnostic.with_fix(fix) } else { diagnostic });
        if self.token().at_line_start || self.is(Punct::RBrace) {
            return true;
        }
        self.skip_statement();
        false
    }

    /// Whether an unterminated literal holds the bracket.
    pub(super) fn has_swallowed(&self, punct: Punct) -> bool {
        let holds = |symbol| {
            let text = self.interner.spelling(symbol);
            text.contains(['"', '\'']) && text.contains(punct.spelling())
        };
        self.tokens.iter().any(|token| matches!(token.kind, TokenKind::Other(symbol) if holds(symbol)))
    }

    /// Whether a `}` follows that closes nothing: then a `{` is missing.
    pub(super) fn has_unmatched_brace_ahead(&self) -> bool {
        let mut depth = 0_usize;
        self.tokens[self.pos..].iter().any(|token| match token.kind {
            TokenKind::Punct(Punct::LBrace) => {
                depth += 1;
                false
            }
            TokenKind::Punct(Punct::RBrace) => match depth.checked_sub(1) {
                Some(less) => {
                    depth = less;
                    false
                }
                None => true,
            },
            _ => false,
        })
    }

    /// The index after the bracket that closes the one at `open`, or none where a brace that
    /// closes something else or the end comes first.
    pub(super) fn matching(&self, open: usize) -> Option<usize> {
        let closers = self.closers.get_or_init(|| match_brackets(&self.tokens));
        closers.get(open).filter(|&&close| close != UNMATCHED).map(|&close| close as usize + 1)
    }

    /// Goes behind the bracket that closes the one at the current token, else one token on.
    pub(super) fn skip_balanced(&mut self) {
        match self.matching(self.pos) {
            Some(end) => self.go_to(end.min(self.tokens.len() - 1)),
            None => {
                self.bump();
            }
        }
    }

    /// To the `)` of the parenthesis whose inside begins at token `inside`, and over it.
    ///
    /// # Errors
    /// When nothing closes it.
    pub(super) fn skip_to_close(&mut self, inside: usize, reported: Reported) -> Parsed<()> {
        match inside.checked_sub(1).and_then(|open| self.matching(open)) {
            Some(end) if end >= self.pos => {
                self.go_to(end.min(self.tokens.len() - 1));
                Ok(())
            }
            _ => Err(reported),
        }
    }

    /// To the end of the statement that could not be read: behind its `;` or its block, or before
    /// what closes the block around it or clearly begins the next statement.
    pub(super) fn skip_statement(&mut self) {
        let start = self.pos;
        loop {
            match self.kind() {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.bump();
                    return;
                }
                // Its line's `;` is within an unterminated literal.
                TokenKind::Other(symbol) if self.interner.spelling(symbol).contains(['"', '\'']) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    let goes_on = matches!(
                        self.kind(),
                        TokenKind::Punct(Punct::Semi | Punct::Comma | Punct::Dot | Punct::RParen)
                    );
                    if !goes_on {
                        return;
                    }
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => self.skip_balanced(),
                TokenKind::Keyword(keyword)
                    if self.pos > start && self.token().at_line_start && begins_line(keyword) =>
                {
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether `extern "C"` comes so many tokens ahead.
    pub(super) fn begins_linkage_at(&self, ahead: usize) -> bool {
        self.kind_at(ahead) == TokenKind::Keyword(Keyword::Extern)
            && matches!(self.kind_at(ahead + 1), TokenKind::Str(_))
    }

    /// Whether only a declaration at file scope can begin so: within a block a `}` is missing.
    pub(super) fn begins_function(&self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::Global) => true,
            TokenKind::Keyword(Keyword::Extern) => self.begins_linkage_at(0),
            TokenKind::Keyword(Keyword::Device) => self.token().at_line_start && self.leads_to_body(),
            _ => false,
        }
    }

    /// Whether a parameter list and a `{` come before the next `;`.
    fn leads_to_body(&self) -> bool {
        let mut idx = self.pos;
        loop {
            match self.kind_of(idx) {
                TokenKind::Punct(Punct::LParen) => match self.matching(idx) {
                    Some(end) if self.kind_of(end) == TokenKind::Punct(Punct::LBrace) => return true,
                    Some(end) => idx = end,
                    None => return false,
                },
                TokenKind::Ident(_) | TokenKind::Keyword(_) | TokenKind::Punct(Punct::Star) => idx += 1,
                _ => return false,
            }
        }
    }
}

/// What [`match_brackets`] has for a token that nothing closes.
const UNMATCHED: u32 = u32::MAX;

/// For each opening bracket the token that closes it. A brace outweighs the parentheses that were
/// left open within it.
fn match_brackets(tokens: &[Token]) -> Vec<u32> {
    let mut closers = vec![UNMATCHED; tokens.len()];
    let mut open: Vec<(usize, Punct)> = Vec::new();
    let mut n_braces = 0_usize;
    for (idx, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Eof {
            open.clear();
            n_braces = 0;
        }
        let TokenKind::Punct(punct) = token.kind else { continue };
        match punct {
            Punct::LParen => open.push((idx, Punct::RParen)),
            Punct::LBracket => open.push((idx, Punct::RBracket)),
            Punct::LBrace => {
                open.push((idx, Punct::RBrace));
                n_braces += 1;
            }
            Punct::RParen | Punct::RBracket => {
                if let Some((at, _)) = open.pop_if(|&mut (_, closer)| closer == punct) {
                    closers[at] = idx as u32;
                }
            }
            Punct::RBrace if n_braces == 0 => open.clear(),
            Punct::RBrace => {
                while let Some((at, closer)) = open.pop() {
                    if closer == Punct::RBrace {
                        closers[at] = idx as u32;
                        n_braces -= 1;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    closers
}

/// Keywords that begin a statement or declaration, so that at the start of a line they end what was
/// left unfinished.
fn begins_line(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::If
            | K::For
            | K::While
            | K::Do
            | K::Switch
            | K::Return
            | K::Break
            | K::Continue
            | K::Goto
            | K::Case
            | K::Default
            | K::Typedef
            | K::Extern
            | K::Static
            | K::Struct
            | K::Union
            | K::Enum
            | K::Const
            | K::Void
            | K::Bool
            | K::Char
            | K::Short
            | K::Int
            | K::Long
            | K::Signed
            | K::Unsigned
            | K::Float
            | K::Double
            | K::Global
            | K::Device
            | K::Shared
            | K::Constant
            | K::Template
            | K::Namespace
            | K::Class
    )
}
