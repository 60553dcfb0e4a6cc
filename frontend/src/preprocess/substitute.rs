//! Arguments in replacement lists, `#` and `##` (C17 6.10.3.1 to 6.10.3.3; `__VA_OPT__`: C++20 15.6.2).

use std::ops::Range;

use super::Preprocessor;
use super::expand::{Call, shifted};
use super::file::File;
use super::macros::{Function, Op, Piece, Variadic, as_usize};
use crate::diag::{Code, Diagnostic};
use crate::lex::Lexer;
use crate::limits::MAX_MADE_BYTES;
use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};

/// The ends of the result of the pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edges {
    /// The first piece came to nothing: a placemarker (C17 6.10.3.3p2).
    pub(super) starts_empty: bool,
    /// The last piece did.
    ends_empty: bool,
    /// White space stood before it.
    pub(super) ends_in_space: bool,
}

impl Preprocessor<'_> {
    /// Puts the pieces of a replacement list, with the arguments of the call, on top of the pool.
    pub(super) fn substitute(
        &mut self,
        pieces: Range<usize>,
        call: &Call,
        function: &Function,
        file: &mut File<'_>,
    ) -> Edges {
        let first = self.expander.pool.len();
        let mut starts_empty = None;
        // The left operand is empty: a placemarker.
        let mut is_left_empty = true;
        // Where the previous piece is, if `##` follows it.
        let mut left: Option<Span> = None;
        // A `##` of this row had no result: one message for the row.
        let mut is_broken = false;
        let mut is_after_space = false;
        let mut idx = pieces.start;
        while idx < pieces.end && !self.is_stopped {
            if left.is_none() {
                // Most pieces are tokens by themselves.
                let n_before = self.expander.pool.len();
                let n_tokens = self.push_tokens(idx..pieces.end, call.shift, is_after_space);
                if n_tokens > 0 {
                    if idx > pieces.start || n_tokens > 1 {
                        starts_empty.get_or_insert(idx > pieces.start && n_before == first);
                    }
                    idx += n_tokens;
                    (is_left_empty, is_broken, is_after_space) = (false, false, false);
                    continue;
                }
            }
            let piece = self.macros.pieces[idx];
            idx += 1;
            let mut start = self.expander.pool.len();
            let left = std::mem::replace(&mut left, piece.pastes.then_some(piece.token.span));
            let mut is_pasted = left.is_some();
            // An empty expansion leaves its white space to the next token.
            let mut edges = Edges::default();
            match piece.op {
                Op::Token => {
                    let span = shifted(piece.token.span, call.shift);
                    self.expander.pool.push(Token { span, ..piece.token });
                }
                Op::Param(param) => {
                    let is_comma = |last: &Token| last.kind == TokenKind::Punct(Punct::Comma);
                    let is_behind_comma = self.expander.pool[first..].last().is_some_and(is_comma);
                    if left.is_some() && is_behind_comma && is_variadic(function, param) {
                        // GNU C "Variadic Macros": the comma goes where there is no argument, and is else not pasted.
                        if call.lacks_variadic {
                            self.expander.pool.pop();
                            start = self.expander.pool.len();
                        }
                        is_pasted = false;
                    }
                    edges.ends_in_space = self.push_arg(param, &piece, call, file);
                }
                Op::Stringize(param) => {
                    let arg = as_usize(&self.expander.args[call.first_arg + param as usize].written);
                    let text = self.quoted(&self.expander.written[arg.clone()]);
                    let unterminated = self.unterminated(&self.expander.written[arg]);
                    self.push_string(&text, &piece, call);
                    self.report_unterminated(unterminated);
                }
                Op::VaOpt(len) => {
                    let content = idx..idx + len as usize;
                    idx = content.end;
                    if self.has_variadic(call, function, file) {
                        edges = self.substitute(content, call, function, file);
                    }
                }
                Op::StringizeVaOpt(len) => {
                    let content = idx..idx + len as usize;
                    idx = content.end;
                    if self.has_variadic(call, function, file) {
                        self.substitute(content, call, function, file);
                    }
                    let content = self.expander.pool.get(start..).unwrap_or(&[]);
                    let (text, unterminated) = (self.quoted(content), self.unterminated(content));
                    self.expander.pool.truncate(start);
                    self.push_string(&text, &piece, call);
                    self.report_unterminated(unterminated);
                }
            }
            // The pool is emptied where a limit is exceeded.
            let Some(made) = self.expander.pool.len().checked_sub(start) else { return Edges::default() };
            // The white space before a parameter is that before its argument, but not behind `##`.
            let own_space = left.is_none() && piece.token.after_space || is_after_space;
            match self.expander.pool.get_mut(start) {
                Some(first) if left.is_none() => first.after_space = own_space,
                Some(first) => first.after_space |= own_space,
                None => {}
            }
            is_after_space = if made == 0 { own_space } else { edges.ends_in_space };
            is_pasted &= made > 0 && !edges.starts_empty && !is_left_empty;
            if left.is_none() && idx > pieces.start + 1 {
                starts_empty.get_or_insert(start == first);
            }
            is_broken &= left.is_some();
            if let Some(left) = left.filter(|_| is_pasted && !is_broken) {
                is_broken = !self.paste(start, shifted(left.to(piece.token.span), call.shift));
            }
            is_left_empty = edges.ends_empty || made == 0 && (left.is_none() || is_left_empty);
        }
        Edges {
            starts_empty: starts_empty.unwrap_or(self.expander.pool.len() == first),
            ends_empty: is_left_empty,
            ends_in_space: is_after_space,
        }
    }

    /// Pushes the leading pieces that are tokens without pasting on top of the pool. Returns their number.
    fn push_tokens(&mut self, pieces: Range<usize>, shift: u32, is_after_space: bool) -> usize {
        let is_token = |piece: &&Piece| piece.op == Op::Token && !piece.pastes;
        let tokens = self.macros.pieces[pieces].iter().take_while(is_token).map(|piece| piece.token);
        let pool = &mut self.expander.pool;
        let start = pool.len();
        pool.extend(tokens.map(|token| Token { span: shifted(token.span, shift), ..token }));
        if let Some(first) = pool.get_mut(start) {
            first.after_space |= is_after_space;
        }
        pool.len() - start
    }

    /// Whether the argument ends in white space before something that expanded to nothing.
    fn push_arg(&mut self, param: u16, piece: &Piece, call: &Call, file: &mut File<'_>) -> bool {
        let idx = call.first_arg + param as usize;
        let n_before = self.expander.pool.len();
        if piece.is_raw {
            let written = as_usize(&self.expander.args[idx].written);
            self.expander.pool.extend_from_slice(&self.expander.written[written]);
        } else {
            let expanded = self.expanded_arg(idx, file);
            if self.is_stopped {
                return false;
            }
            self.expander.pool.extend_from_slice(&self.expander.expanded[expanded]);
        }
        self.count_tokens(self.expander.pool.len() - n_before, shifted(piece.token.span, call.shift));
        !piece.is_raw && self.expander.args.get(idx).is_some_and(|arg| arg.ends_in_space)
    }

    /// Whether `...` has an argument that expands to something.
    fn has_variadic(&mut self, call: &Call, function: &Function, file: &mut File<'_>) -> bool {
        let Some(last) = function.params.len().checked_sub(1) else { return false };
        !self.expanded_arg(call.first_arg + last, file).is_empty()
    }

    fn push_string(&mut self, text: &str, piece: &Piece, call: &Call) {
        let span = shifted(piece.token.span, call.shift);
        if !self.count_made(text.len(), span) {
            return;
        }
        let kind = TokenKind::Str(self.compilation.interner.intern(text));
        self.expander.pool.push(Token { after_space: piece.token.after_space, ..Token::new(kind, span) });
    }

    /// The tokens as a string literal (C17 6.10.3.2p2).
    fn quoted(&self, tokens: &[Token]) -> String {
        let mut text = String::from("\"");
        for (idx, token) in tokens.iter().enumerate() {
            if token.after_space && idx > 0 {
                text.push(' ');
            }
            let spelling = self.spelling(*token);
            if matches!(token.kind, TokenKind::Str(_) | TokenKind::Char(_)) {
                for c in spelling.chars() {
                    match c {
                        '"' | '\\' => text.extend(['\\', c]),
                        // In a raw string.
                        '\n' => text.push_str("\\n"),
                        _ => text.push(c),
                    }
                }
            } else {
                text.push_str(spelling);
            }
        }
        // As GNU's preprocessor: a backslash by itself must not escape the closing quote.
        let n_backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
        if n_backslashes % 2 == 1
            && tokens.last().is_some_and(|last| matches!(last.kind, TokenKind::Other(_)))
        {
            text.pop();
        }
        text.push('"');
        text
    }

    /// A literal without an end, of which no string literal can be made. g++ makes one when it goes on by itself,
    /// but not for nvcc, which compiles what g++ has printed.
    fn unterminated(&self, tokens: &[Token]) -> Option<Token> {
        let is_one = |token: &Token| {
            matches!(token.kind, TokenKind::Other(_)) && self.spelling(*token).contains(['"', '\''])
        };
        tokens.iter().copied().find(is_one)
    }

    fn report_unterminated(&mut self, literal: Option<Token>) {
        if let Some(literal) = literal {
            self.report_other(literal);
        }
    }

    /// Joins the tokens on both sides of `right` in the pool (C17 6.10.3.3p3), if that gives one.
    fn paste(&mut self, right: usize, place: Span) -> bool {
        let (first, second) = (self.expander.pool[right - 1], self.expander.pool[right]);
        let text = [self.spelling(first), self.spelling(second)].concat();
        if !self.count_made(text.len(), place) {
            return false;
        }
        let mut lexer = Lexer::new(&text, 0);
        let mut joined = lexer.token(&mut self.compilation.interner);
        let is_token = !matches!(joined.kind, TokenKind::Other(_) | TokenKind::Eof)
            && joined.span == Span::new(0, text.len() as u32);
        if !is_token {
            self.report_paste(first, second, place);
            return false;
        }
        joined.span = place;
        (joined.after_space, joined.at_line_start) = (first.after_space, first.at_line_start);
        self.expander.pool[right - 1] = joined;
        self.expander.pool.remove(right);
        true
    }

    fn report_paste(&mut self, first: Token, second: Token, place: Span) {
        let (first, second) = (self.spelling(first), self.spelling(second));
        let message = format!("pasting formed `{first}{second}`, an invalid preprocessing token");
        let diagnostic = Diagnostic::new(Code::InvalidPaste, place, message);
        let diagnostic = match first {
            "," => diagnostic.with_help("a comma is removed only before `## __VA_ARGS__`"),
            "." | "->" | "(" | "[" | "&" | "*" => diagnostic.with_help("adjacent tokens need no `##`"),
            _ => diagnostic,
        };
        self.compilation.sink.error(diagnostic);
    }

    /// Counts the tokens made by `#` and `##`, which stay in the interner; returns false at the limit.
    fn count_made(&mut self, n_bytes: usize, at: Span) -> bool {
        self.expander.n_made_bytes = self.expander.n_made_bytes.saturating_add(n_bytes);
        let fits = self.expander.n_made_bytes <= MAX_MADE_BYTES;
        if !fits {
            self.too_large(
                at,
                format!("the maximum is {MAX_MADE_BYTES} bytes of tokens made by `#` and `##`"),
            );
        }
        fits
    }
}

fn is_variadic(function: &Function, param: u16) -> bool {
    function.variadic != Variadic::No && usize::from(param) + 1 == function.params.len()
}
