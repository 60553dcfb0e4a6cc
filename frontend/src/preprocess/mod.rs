//! Directives (translation phase 4, C17 6.10).
//!
//! Goes in: preprocessing tokens. Comes out: the same without the lines that begin with `#`. Each
//! directive is refused by name, but that a pragma only draws a warning and `#` alone is nothing.
//!
//! **Invariant**: each [`TokenKind::Other`] in what comes out has been reported. It stays in the
//! stream, so that the parser knows where not to complain again.

mod interface;
pub(crate) mod print;

pub use interface::{
    Dependency, Header, Headers, MacroOption, NoHeaders, NotFound, Predefined, PreprocessOptions,
    Preprocessed, Request,
};

use crate::diag::{Code, Diagnostic, Sink};
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Interner, Keyword, Pragma, Punct, Symbol, Token, TokenKind};

/// Carries out the directives.
pub(crate) fn preprocess(
    sources: &mut SourceMap,
    root: FileId,
    _headers: &mut dyn Headers,
    _options: &PreprocessOptions,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Preprocessed {
    let mut tokens = crate::lex::lex(sources, root, interner, sink);
    let pragma_operator = interner.intern("_Pragma");
    let mut kept = 0;
    let mut idx = 0;
    while idx < tokens.len() {
        let token = tokens[idx];
        match token.kind {
            TokenKind::Punct(Punct::Hash) if token.at_line_start => {
                let len = line_len(&tokens[idx..]);
                if let Some(pragma) = known_pragma(&tokens[idx..idx + len], interner) {
                    // Two marks for the three words `#`, `pragma` and its name: there is room in place.
                    let span = token.span.to(tokens[idx + 2].span);
                    let end = tokens[idx + len - 1].span.end();
                    tokens[kept] = Token { kind: TokenKind::PragmaStart(pragma), span, ..token };
                    tokens.copy_within(idx + 3..idx + len, kept + 1);
                    kept += len - 2;
                    tokens[kept] = Token { kind: TokenKind::PragmaEnd, span: end, ..token };
                    kept += 1;
                    idx += len;
                    continue;
                }
                check_directive(&tokens[idx..idx + len], interner, sink);
                idx += len;
                continue;
            }
            TokenKind::Ident(symbol) if symbol == pragma_operator => {
                if let Some(len) = pragma_operator_len(&tokens[idx..]) {
                    warn_pragma(token.span.to(tokens[idx + len - 1].span), "`_Pragma`", sink);
                    idx += len;
                    continue;
                }
            }
            TokenKind::Other(symbol) => report_other(token.span, interner.spelling(symbol), sink),
            TokenKind::Ident(_)
            | TokenKind::Keyword(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Punct(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => {}
        }
        tokens[kept] = token;
        kept += 1;
        idx += 1;
    }
    tokens.truncate(kept);
    Preprocessed { tokens, dependencies: Vec::new() }
}

/// The pragma of a line, if it is one for the parser.
fn known_pragma(line: &[Token], interner: &Interner) -> Option<Pragma> {
    let [_, directive, name, ..] = line else { return None };
    if word(directive, interner) != "pragma" {
        return None;
    }
    let known = [Pragma::Unroll, Pragma::Nounroll, Pragma::Pack];
    known.into_iter().find(|pragma| pragma.spelling() == word(name, interner))
}

/// How many tokens stand on the line that begins `tokens`.
fn line_len(tokens: &[Token]) -> usize {
    let ends = |token: &Token| token.at_line_start || token.kind == TokenKind::Eof;
    tokens[1..].iter().position(ends).map_or(tokens.len(), |at| at + 1)
}

/// Length of `_Pragma ( "…" )` (C17 6.10.9).
fn pragma_operator_len(tokens: &[Token]) -> Option<usize> {
    let [_, open, text, close, ..] = tokens else { return None };
    let matches = open.kind == TokenKind::Punct(Punct::LParen)
        && matches!(text.kind, TokenKind::Str(_))
        && close.kind == TokenKind::Punct(Punct::RParen);
    matches.then_some(4)
}

fn check_directive(line: &[Token], interner: &Interner, sink: &mut Sink) {
    let Some(name_token) = line.get(1) else { return };
    let name = match name_token.kind {
        TokenKind::Ident(symbol) => interner.spelling(symbol),
        TokenKind::Keyword(keyword) => keyword.spelling(),
        TokenKind::Number(_)
        | TokenKind::Char(_)
        | TokenKind::Str(_)
        | TokenKind::Punct(_)
        | TokenKind::Other(_)
        | TokenKind::PragmaStart(_)
        | TokenKind::PragmaEnd
        | TokenKind::Eof => "",
    };
    let span = line[0].span.to(name_token.span);
    match name {
        "pragma" => {
            let what = line.get(2).map_or_else(String::new, |t| format!(" {}", word(t, interner)));
            warn_pragma(span, &format!("`#pragma{what}`"), sink);
        }
        "include" => {
            let message = "the directive `#include` is not supported";
            let diagnostic = Diagnostic::new(Code::UnsupportedDirective, span, message)
                .with_help("CUDA's built-in variables, vector types and functions need no header");
            sink.error(diagnostic);
        }
        "" => {
            sink.error(Diagnostic::new(Code::UnsupportedDirective, span, "a directive begins with a name"));
        }
        _ => {
            let message = format!("the directive `#{name}` is not supported");
            sink.error(Diagnostic::new(Code::UnsupportedDirective, span, message));
        }
    }
}

fn word<'a>(token: &Token, interner: &'a Interner) -> &'a str {
    let spelled = |symbol: Symbol| interner.spelling(symbol);
    match token.kind {
        TokenKind::Ident(s)
        | TokenKind::Number(s)
        | TokenKind::Char(s)
        | TokenKind::Str(s)
        | TokenKind::Other(s) => spelled(s),
        TokenKind::Keyword(keyword) => Keyword::spelling(keyword),
        TokenKind::Punct(punct) => punct.spelling(),
        TokenKind::PragmaStart(_) | TokenKind::PragmaEnd | TokenKind::Eof => "",
    }
}

fn warn_pragma(span: Span, what: &str, sink: &mut Sink) {
    sink.emit(Diagnostic::new(Code::UnknownPragma, span, format!("{what} has no effect")));
}

/// Reports what the lexer could make no token of. An unterminated comment, which begins with `/*`,
/// the lexer has reported.
fn report_other(span: Span, spelling: &str, sink: &mut Sink) {
    let is_quote = |c| c == '"' || c == '\'';
    let diagnostic = match spelling.find(is_quote) {
        _ if spelling.starts_with("/*") => return,
        Some(at) => {
            let kind = match (spelling.as_bytes()[at], spelling[..at].ends_with('R')) {
                (b'\'', _) => "character",
                (_, true) => "raw string",
                (_, false) => "string",
            };
            // Where it should have ended is not known, so that the mark stands where it begins.
            let opening = Span::new(span.lo, span.lo + at as u32 + 1);
            Diagnostic::new(Code::UnterminatedLiteral, opening, format!("unterminated {kind} literal"))
        }
        None => {
            let plural = if spelling.chars().nth(1).is_some() { "s" } else { "" };
            let shown: String = spelling.escape_debug().collect();
            let shown = shown.replace("\\\\", "\\");
            let shown = if shown.contains('`') { format!("'{shown}'") } else { format!("`{shown}`") };
            Diagnostic::new(Code::InvalidCharacter, span, format!("invalid character{plural} {shown}"))
        }
    };
    sink.error(diagnostic);
}

/// The tokens of a file that includes none and for which no option counts.
#[cfg(test)]
pub(crate) fn alone(
    sources: &mut SourceMap,
    file: FileId,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Vec<Token> {
    preprocess(sources, file, &mut NoHeaders, &PreprocessOptions::default(), interner, sink).tokens
}
