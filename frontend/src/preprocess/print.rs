//! The text of `-E`: tokens as a text that can be compiled, to the same tokens.
//!
//! Line breaks are those of the files. Where the place jumps, a line `# number "file"` says where the next
//! line stands, as GNU's preprocessor writes it (GNU C Preprocessor "Preprocessor Output"); jumps of a few
//! lines are empty lines.

use std::fmt::Write;

use crate::source::{FileId, SourceMap};
use crate::token::{Interner, Punct, Token, TokenKind};

/// Jumps of fewer lines are empty lines.
const MAX_EMPTY_LINES: u32 = 8;

/// Prints the tokens of a translation unit.
pub(crate) fn print(sources: &SourceMap, interner: &Interner, tokens: &[Token], markers: bool) -> String {
    let mut printer = Printer { sources, interner, markers, out: String::new(), place: None };
    let mut before: Option<Token> = None;
    for &token in tokens {
        printer.token(token, before);
        before = Some(token);
    }
    if !printer.out.is_empty() && !printer.out.ends_with('\n') {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'s> {
    sources: &'s SourceMap,
    interner: &'s Interner,
    markers: bool,
    out: String,
    /// Which line of which file is being printed.
    place: Option<(FileId, u32)>,
}

impl Printer<'_> {
    fn token(&mut self, token: Token, before: Option<Token>) {
        let spelling = match token.kind {
            TokenKind::Eof => return,
            TokenKind::PragmaStart(pragma) => {
                self.go_to(token);
                write!(self.out, "#pragma {}", pragma.spelling())
                    .expect("invariant: writing to a string succeeds");
                return;
            }
            // What follows begins a line.
            TokenKind::PragmaEnd => return,
            TokenKind::Ident(symbol)
            | TokenKind::Number(symbol)
            | TokenKind::Char(symbol)
            | TokenKind::Str(symbol)
            | TokenKind::Other(symbol) => self.interner.spelling(symbol),
            TokenKind::Keyword(keyword) => keyword.spelling(),
            TokenKind::Punct(punct) => punct.spelling(),
        };
        let follows_pragma = before.is_some_and(|before| before.kind == TokenKind::PragmaEnd);
        if token.at_line_start || follows_pragma || before.is_none() {
            self.go_to(token);
        } else if token.after_space || before.is_some_and(|before| needs_space(before, token)) {
            self.out.push(' ');
        }
        self.out.push_str(spelling);
        // A raw string may hold line breaks.
        let n_breaks = spelling.bytes().filter(|&byte| byte == b'\n').count() as u32;
        self.place = self.place.map(|(file, line)| (file, line + n_breaks));
    }

    /// Begins the line on which the token stands, as far in as it stands there.
    fn go_to(&mut self, token: Token) {
        let file = self.sources.file_of(token.span);
        let at = self.sources.line_column(token.span);
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        // The line that comes next.
        let next = self.place.map(|(file, line)| (file, line + 1));
        let n_skipped = match next {
            Some((printed, line)) if printed == file && at.line >= line => Some(at.line - line),
            Some(_) | None => None,
        };
        match n_skipped {
            Some(n_skipped) if n_skipped < MAX_EMPTY_LINES && self.markers => {
                self.out.extend((0..n_skipped).map(|_| '\n'));
            }
            Some(0) => {}
            Some(_) | None if self.markers => {
                let name = self.sources.file(file).name().replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(self.out, "# {} \"{name}\"", at.line)
                    .expect("invariant: writing to a string succeeds");
            }
            Some(_) | None => {}
        }
        self.place = Some((file, at.line));
        self.out.extend((1..at.column).map(|_| ' '));
    }
}

/// Whether two tokens that were not neighbours could be read as others without a space between them.
fn needs_space(before: Token, token: Token) -> bool {
    if before.span.hi == token.span.lo {
        return false;
    }
    match (is_word(before), is_word(token)) {
        (true, true) => true,
        // `1` and `.5`, `.` and `5`.
        (true, false) => matches!(token.kind, TokenKind::Punct(Punct::Dot | Punct::Ellipsis)),
        (false, true) => matches!(before.kind, TokenKind::Punct(Punct::Dot)),
        (false, false) => !stands_alone(before) && !stands_alone(token),
    }
}

fn is_word(token: Token) -> bool {
    match token.kind {
        TokenKind::Ident(_)
        | TokenKind::Keyword(_)
        | TokenKind::Number(_)
        | TokenKind::Char(_)
        | TokenKind::Str(_)
        | TokenKind::Other(_) => true,
        TokenKind::Punct(_) | TokenKind::PragmaStart(_) | TokenKind::PragmaEnd | TokenKind::Eof => false,
    }
}

/// A punctuator that is no part of a longer one.
fn stands_alone(token: Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Punct(
            Punct::LParen
                | Punct::RParen
                | Punct::LBracket
                | Punct::RBracket
                | Punct::LBrace
                | Punct::RBrace
                | Punct::Comma
                | Punct::Semi
                | Punct::Question
        )
    )
}
