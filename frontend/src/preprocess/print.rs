//! The text of `-E`: tokens as text that compiles to the same tokens.
//!
//! Line breaks are those of the files. Where the position jumps, a line `# number "file"` gives the position of the next
//! line, in the format of GNU's preprocessor (GNU C Preprocessor "Preprocessor Output"), followed by 1 where a header
//! begins, 2 where its includer continues, 3 in a system header; jumps of a few lines are empty lines.

use std::fmt::Write;

use crate::source::{SourceMap, Span};
use crate::token::{Interner, Punct, Token, TokenKind};

/// Jumps of fewer lines are empty lines.
const MAX_EMPTY_LINES: u32 = 8;

/// Prints the tokens of a translation unit.
pub(crate) fn print(sources: &SourceMap, interner: &Interner, tokens: &[Token], markers: bool) -> String {
    let mut printer =
        Printer { sources, interner, markers, out: String::new(), place: None, stack: Vec::new() };
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
    place: Option<(&'s str, u32)>,
    /// The directives through which it is included, the outermost first.
    stack: Vec<Span>,
}

/// The flags of a line marker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    None,
    Enters,
    Returns,
}

impl<'s> Printer<'s> {
    fn token(&mut self, token: Token, before: Option<Token>) {
        let spelling = match token.kind {
            TokenKind::Eof => return,
            TokenKind::PragmaStart(pragma) => {
                self.go_to(token);
                self.write(format_args!("#pragma {}", pragma.spelling()));
                return;
            }
            // The next token begins a line.
            TokenKind::PragmaEnd => return,
            // Digraphs and `and` are printed as the tokens that they mean.
            TokenKind::Punct(punct) => punct.spelling(),
            TokenKind::Ident(_)
            | TokenKind::Keyword(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Other(_) => token.spelling(self.interner),
        };
        let follows_pragma = before.is_some_and(|before| before.kind == TokenKind::PragmaEnd);
        if token.at_line_start || follows_pragma || before.is_none() {
            self.go_to(token);
        } else if token.after_space || before.is_some_and(|before| self.needs_space(before, token)) {
            self.out.push(' ');
        }
        self.out.push_str(spelling);
        // A raw string may hold line breaks.
        let n_breaks = spelling.bytes().filter(|&byte| byte == b'\n').count() as u32;
        self.place = self.place.map(|(file, line)| (file, line + n_breaks));
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("invariant: writing to a string succeeds");
    }

    /// Begins the line of the token, with the same indentation.
    fn go_to(&mut self, token: Token) {
        let at = self.sources.location(token.span);
        if self.markers {
            let mut stack = self.sources.included_from(token.span);
            stack.reverse();
            let n_common = self.stack.iter().zip(&stack).take_while(|(old, new)| old == new).count();
            let mut flag = if n_common < self.stack.len() { Flag::Returns } else { Flag::None };
            for (idx, &included_at) in stack.iter().enumerate().skip(n_common) {
                let place = self.sources.location(included_at);
                self.line(place.file, place.line, flag, self.sources.is_system(included_at));
                flag = Flag::Enters;
                self.stack.truncate(idx);
                self.stack.push(included_at);
            }
            self.stack = stack;
            self.line(at.file, at.line, flag, self.sources.is_system(token.span));
        } else {
            self.break_line();
        }
        self.out.extend((1..at.column).map(|_| ' '));
    }

    fn break_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
            self.place = self.place.map(|(file, line)| (file, line + 1));
        }
    }

    /// Begins a line that goes by the name and the number.
    fn line(&mut self, file: &'s str, line: u32, flag: Flag, is_system: bool) {
        self.break_line();
        let n_skipped = match self.place {
            Some((printed, next)) if printed == file && line >= next && flag == Flag::None => line - next,
            Some(_) | None => MAX_EMPTY_LINES,
        };
        if n_skipped < MAX_EMPTY_LINES {
            self.out.extend((0..n_skipped).map(|_| '\n'));
        } else {
            let name = file.replace('\\', "\\\\").replace('"', "\\\"");
            let flag = match flag {
                Flag::None => "",
                Flag::Enters => " 1",
                Flag::Returns => " 2",
            };
            let system = if is_system { " 3" } else { "" };
            self.write(format_args!("# {line} \"{name}\"{flag}{system}\n"));
        }
        self.place = Some((file, line));
    }

    /// Whether its length is that of the text at its place.
    fn is_written(&self, token: Token) -> bool {
        token.span.hi.wrapping_sub(token.span.lo) as usize == token.spelling(self.interner).len()
    }

    /// Whether two tokens that were not neighbours could be read as others without a space between them.
    fn needs_space(&self, before: Token, token: Token) -> bool {
        // Tokens that are adjacent in the source were read as two tokens; `__LINE__` is not spelled as it is written.
        if self.is_written(before) && self.is_written(token) && before.span.hi == token.span.lo {
            return false;
        }
        let spelling = before.spelling(self.interner);
        match (is_word(before), is_word(token)) {
            (true, true) => true,
            // `1` and `.5`, `1e` and `+`, `.` and `5`.
            (true, false) => match token.kind {
                TokenKind::Punct(Punct::Dot | Punct::Ellipsis) => true,
                TokenKind::Punct(_) => {
                    matches!(before.kind, TokenKind::Number(_)) && spelling.ends_with(['e', 'E', 'p', 'P'])
                }
                _ => false,
            },
            (false, true) => matches!(before.kind, TokenKind::Punct(Punct::Dot)),
            (false, false) => !stands_alone(before) && !stands_alone(token),
        }
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
