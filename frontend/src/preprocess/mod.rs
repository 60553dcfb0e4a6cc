//! Directives and macros (translation phase 4, C17 6.10, C++17 19).
//!
//! In: a file, and a finder of headers. Out: the tokens of the file and its headers, with macros
//! expanded, without directives except the pragmas for the parser. nvcc preprocesses with
//! GNU's preprocessor in the mode `-std=c++17`, so we follow it where the standards leave a choice.
//!
//! - [`interface`]: what comes in and goes out
//! - [`file`](mod@file): a file while it is read
//! - [`directive`]: dispatch of directives, and the small ones
//! - [`define`]: `#define` and `#undef`; [`macros`]: the table of macros
//! - [`expand`]: invocations and rescanning; [`substitute`]: arguments in replacement lists
//! - [`builtin`]: `__LINE__` and the other built-in macros
//! - [`condition`]: `#if` and the other conditionals; [`expression`]: their expressions
//! - [`include`](mod@include): headers; [`line`](mod@line): `#line`
//! - [`pragma`]: pragmas; [`diagnostic`]: those that turn warnings on and off
//! - [`print`]: the text of `-E`
//!
//! **Invariant**: each [`TokenKind::Other`] in the output has been reported. It stays in the stream, so that the
//! parser does not report it again; a mistake that leaves a gap leaves one too.

mod builtin;
mod condition;
mod define;
mod diagnostic;
mod directive;
mod expand;
mod expression;
mod file;
mod include;
mod interface;
mod line;
mod macros;
mod pragma;
pub(crate) mod print;
mod substitute;

pub(crate) use interface::PieceConsumer;
pub use interface::{
    Dependency, Header, Headers, MacroOption, NoHeaders, NotFound, Predefined, PreprocessOptions,
    Preprocessed, Request,
};

use std::mem;

use crate::compilation::Compilation;
use crate::diag::origin::BUILT_IN;
use crate::diag::visible::visible_name;
use crate::diag::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::token::{Interner, Punct, Puncts, Symbol, Token, TokenKind};
use expand::Expander;
use file::File;
use include::Includes;
use macros::{Macros, Meaning};
use pragma::Pragmas;

/// Reads a file and its includes as a whole.
pub(crate) fn preprocess(
    compilation: &mut Compilation,
    root: FileId,
    headers: &mut dyn Headers,
) -> Preprocessed {
    // Code averages about three bytes per token; unused capacity is never touched.
    let n_expected = compilation.sources.file(root).text().len() / 3 + 16;
    let mut preprocessor = Preprocessor::new(compilation, root, headers);
    preprocessor.out.reserve(n_expected);
    preprocessor.run();
    let dependencies = mem::take(&mut preprocessor.includes.dependencies);
    Preprocessed { tokens: mem::take(&mut preprocessor.out), dependencies }
}

/// Reads a file and its includes, and hands over the tokens piece by piece. Gives the headers that were read.
pub(crate) fn preprocess_pieces(
    compilation: &mut Compilation,
    root: FileId,
    headers: &mut dyn Headers,
    take: &mut PieceConsumer<'_>,
) -> Vec<Dependency> {
    let mut preprocessor = Preprocessor::new(compilation, root, headers);
    preprocessor.take = Some(take);
    preprocessor.run();
    preprocessor.give_piece();
    mem::take(&mut preprocessor.includes.dependencies)
}

/// The words that directives know.
struct Words {
    defined: Symbol,
    va_args: Symbol,
    va_opt: Symbol,
    pragma: Symbol,
    nothing: Symbol,
}

impl Words {
    fn new(interner: &mut Interner) -> Self {
        Words {
            defined: interner.intern("defined"),
            va_args: interner.intern("__VA_ARGS__"),
            va_opt: interner.intern("__VA_OPT__"),
            pragma: interner.intern("_Pragma"),
            nothing: interner.intern(""),
        }
    }
}

struct Preprocessor<'a> {
    compilation: &'a mut Compilation,
    headers: &'a mut dyn Headers,
    root: FileId,
    words: Words,
    macros: Macros,
    expander: Expander,
    includes: Includes,
    pragmas: Pragmas,
    /// Takes the pieces, if they are given away.
    take: Option<&'a mut PieceConsumer<'a>>,
    /// The tokens that have been read and not been given away.
    out: Vec<Token>,
    /// Where in them the piece that is being read begins.
    piece_start: usize,
    /// The number of open braces so far.
    depth: i32,
    /// Where in the tokens the last brace is that no other one contains, if no macro has it.
    outermost_brace: Option<usize>,
    /// Those before the piece: of headers that it needs and does not include.
    first: Vec<Token>,
    /// The tokens of the directive that is being read, for those that need them all.
    line: Vec<Token>,
    /// The value of the next `__COUNTER__`.
    counter: u32,
    /// How many files have been included.
    n_included: u32,
    /// The tokens being read go to `first`.
    is_first: bool,
    /// A limit was exceeded or a header is missing: nothing more is read.
    is_stopped: bool,
}

impl<'a> Preprocessor<'a> {
    /// Before the first line.
    fn new(compilation: &'a mut Compilation, root: FileId, headers: &'a mut dyn Headers) -> Self {
        let Compilation { sources, interner, .. } = compilation;
        let words = Words::new(interner);
        // Every hundred bytes have a new spelling, more or less.
        interner.reserve(sources.file(root).text().len() / 100);
        // Where there are more of them, there is little but macros.
        sources.reserve_expansions(sources.file(root).text().len() / 16);
        Preprocessor {
            compilation,
            headers,
            root,
            words,
            macros: Macros::default(),
            expander: Expander::default(),
            includes: Includes::default(),
            pragmas: Pragmas::default(),
            take: None,
            out: Vec::new(),
            piece_start: 0,
            depth: 0,
            outermost_brace: None,
            first: Vec::new(),
            line: Vec::new(),
            counter: 0,
            n_included: 0,
            is_first: false,
            is_stopped: false,
        }
    }
}

impl Preprocessor<'_> {
    /// Reads all there is.
    fn run(&mut self) {
        self.define_builtins();
        self.read_options();
        self.read(self.root, None);
        let file = self.compilation.sources.file(self.root);
        let end = Span::new(file.span().hi, file.span().hi);
        if self.is_stopped {
            // Missing text would only cause more errors.
            self.out.clear();
            self.first.clear();
        }
        self.warn_unused_macros();
        self.put_first();
        self.out.push(Token { at_line_start: true, ..Token::new(TokenKind::Eof, end) });
    }

    /// Warns of the macros that the program defines, not its headers, and that nothing uses.
    fn warn_unused_macros(&mut self) {
        if !self.compilation.sink.is_on(Code::UnusedMacro) {
            return;
        }
        let names = self.macros.unused().map(|id| self.compilation.sources.definition(id).name);
        let ours: Vec<Span> =
            names.filter(|&name| self.compilation.sources.file_of(name) == self.root).collect();
        for name in ours {
            let message = format!("macro is not used: `{}`", self.compilation.sources.text(name));
            self.warn(Code::UnusedMacro, name, message);
        }
    }

    /// A brace closes: the place for a new piece, if this was the last that is open, the line has nothing else, and the braces are the
    /// body of a function. More may follow the brace of a type or an initializer.
    fn close_brace(&mut self, file: &File<'_>) {
        self.depth -= 1;
        // Headers that come first are not part of the piece.
        if self.is_first
            || self.out.len() - self.piece_start < self.compilation.options.preprocessor.piece_len
        {
            return;
        }
        let is_end = self.depth == 0 && file.lexer.is_alone_on_line();
        if is_end && self.outermost_brace.is_some_and(|open| self.begins_body(open)) {
            let end = self.out.last().map_or(Span::default(), |brace| brace.span.end());
            self.put_first();
            if self.take.is_some() {
                self.out.push(Token::new(TokenKind::Eof, end));
                self.give_piece();
            }
            self.piece_start = self.out.len();
        }
    }

    /// Whether a brace that no other one contains follows a name and parameters: `f(…) {`, and not within other parentheses.
    fn begins_body(&self, open: usize) -> bool {
        let Some(before) = self.out.get(self.piece_start..open) else { return false };
        let mut n_open = 0_i32;
        let mut follows_name = None;
        for (idx, token) in before.iter().enumerate().rev() {
            let TokenKind::Punct(punct) = token.kind else { continue };
            match punct {
                Punct::RParen | Punct::RBracket => n_open += 1,
                Punct::LParen | Punct::LBracket => n_open -= 1,
                Punct::Semi | Punct::RBrace if n_open == 0 => break,
                // An initializer.
                Punct::Eq if n_open == 0 => return false,
                _ => {}
            }
            if n_open < 0 {
                return false;
            }
            if n_open == 0 && follows_name.is_none() {
                let name = idx.checked_sub(1).map(|name| before[name].kind);
                follows_name = Some(matches!(name, Some(TokenKind::Ident(_))));
            }
        }
        before.last().is_some_and(|last| last.kind == TokenKind::Punct(Punct::RParen))
            && follows_name == Some(true)
    }

    /// Puts declarations of headers that the piece needs before it.
    fn put_first(&mut self) {
        if !self.first.is_empty() {
            self.out.splice(self.piece_start..self.piece_start, self.first.drain(..));
        }
    }

    /// Hands over the tokens.
    fn give_piece(&mut self) {
        let Some(take) = &mut self.take else { return };
        take(&mut self.out, self.compilation);
        self.out.clear();
    }

    /// `-D`, `-U` and `-include` are a file of their own, as are the macros of `predefined`.
    fn read_options(&mut self) {
        if !self.compilation.options.preprocessor.predefined.is_empty() {
            self.read_text(BUILT_IN, self.compilation.options.preprocessor.predefined.clone());
        }
        let mut text = String::new();
        for option in &self.compilation.options.preprocessor.macros {
            let line = match option {
                MacroOption::Define(definition) => match definition.split_once('=') {
                    Some((name, body)) => format!("#define {name} {body}"),
                    None => format!("#define {definition} 1"),
                },
                MacroOption::Undefine(name) => format!("#undef {name}"),
            };
            text.push_str(&line.replace(['\n', '\r'], " "));
            text.push('\n');
        }
        for name in &self.compilation.options.preprocessor.includes {
            text.push_str(&format!("#include \"{name}\"\n"));
        }
        if !text.is_empty() {
            self.read_text("<command line>", text);
        }
    }

    /// Reads text that is not in a file.
    fn read_text(&mut self, name: &str, text: String) {
        match self.compilation.sources.add(name.to_owned(), text) {
            Ok(id) => self.read(id, None),
            Err(error) => self.too_much_text(self.compilation.sources.file(self.root).span().start(), &error),
        }
    }

    /// Reads a file; `header` is its number among the headers, if it is one.
    fn read(&mut self, id: FileId, header: Option<usize>) {
        let source = self.compilation.sources.file(id).source().clone();
        let mut file = File::new(&source, self.compilation.sources.file(id).base(), id, header);
        self.lines(&mut file);
        self.end_of_file(&mut file);
    }

    /// The tokens of a file, up to its end.
    fn lines(&mut self, file: &mut File<'_>) {
        while !self.is_stopped {
            self.lex_plain(file);
            let Some(&Token { kind, at_line_start, .. }) = self.out.last() else { return };
            match kind {
                TokenKind::Ident(word) => self.expand_last(word, file),
                TokenKind::Keyword(keyword) => self.expand_last(keyword.symbol(), file),
                TokenKind::Punct(Punct::LBrace) => {
                    if self.depth == 0 {
                        self.outermost_brace = Some(self.out.len() - 1);
                    }
                    self.depth += 1;
                }
                TokenKind::Punct(Punct::RBrace) => self.close_brace(file),
                TokenKind::Punct(Punct::Hash) if at_line_start => {
                    if let Some(hash) = self.out.pop() {
                        self.directive(hash, file);
                    }
                }
                TokenKind::Other(_) => {
                    if let Some(&other) = self.out.last() {
                        self.report_other(other);
                    }
                }
                TokenKind::Eof => {
                    self.out.pop();
                    return;
                }
                TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::Str(_)
                | TokenKind::Punct(_)
                | TokenKind::PragmaStart(_)
                | TokenKind::PragmaEnd => {}
            }
        }
    }

    /// Replaces the last token, which is this word, by its expansion.
    fn expand_last(&mut self, word: Symbol, file: &mut File<'_>) {
        if self.meaning(word) != Meaning::Plain
            && let Some(token) = self.out.pop()
        {
            self.expand_into_out(token, file);
        }
    }

    /// Puts the tokens of the file up to and with the first one that is more than a token to the preprocessor, or may
    /// be, behind those so far.
    fn lex_plain(&mut self, file: &mut File<'_>) {
        if file.has_invalid {
            let token = self.lex(file);
            self.out.push(token);
            return;
        }
        let is_plain_word = |word| self.macros.meaning(word) == Meaning::Plain;
        const SPECIAL: Puncts = Puncts::of(&[Punct::LBrace, Punct::RBrace, Punct::Hash]);
        file.lexer.plain_tokens(&mut self.out, &mut self.compilation.interner, is_plain_word, SPECIAL);
    }

    /// The next token of the file.
    fn lex(&mut self, file: &mut File<'_>) -> Token {
        let token = file.lexer.token(&mut self.compilation.interner);
        if file.has_invalid {
            self.check_utf8(token, file);
        }
        token
    }

    /// The next token of the directive, if its line has one more.
    fn lex_line(&mut self, file: &mut File<'_>) -> Option<Token> {
        let token = file.lexer.token_of_line(&mut self.compilation.interner)?;
        if file.has_invalid {
            self.check_utf8(token, file);
        }
        if matches!(token.kind, TokenKind::Other(_)) && self.spelling(token).starts_with("/*") {
            self.report_other(token);
            return None;
        }
        Some(token)
    }

    /// Reads the rest of the directive's line into `self.line`.
    fn lex_rest(&mut self, file: &mut File<'_>) {
        self.line.clear();
        while let Some(token) = self.lex_line(file) {
            self.line.push(token);
        }
    }

    fn check_utf8(&mut self, token: Token, file: &File<'_>) {
        let base = self.compilation.sources.file(file.id).base();
        let range = (token.span.lo - base) as usize..(token.span.hi - base) as usize;
        let is_comment = matches!(token.kind, TokenKind::Other(s) if self.compilation.interner.spelling(s).starts_with("/*"));
        if let Some((at, byte)) = file.source.first_invalid(range).filter(|_| !is_comment) {
            let at = base + at as u32;
            let place = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8() as u32);
            let message = format!("invalid UTF-8: byte 0x{byte:02x}");
            let diagnostic =
                Diagnostic::new(Code::InvalidUtf8, place, message).with_help("save the file as UTF-8");
            self.compilation.sink.emit(diagnostic);
        }
    }

    /// Reports text that is not a token.
    fn report_other(&mut self, token: Token) {
        let TokenKind::Other(symbol) = token.kind else { return };
        let (span, spelling) = (token.span, self.compilation.interner.spelling(symbol));
        let written = self.compilation.sources.spelling(span);
        let file = self.compilation.sources.file(self.compilation.sources.file_of(written));
        let offset = |address: u32| (address - file.base()) as usize;
        let is_invalid = file.source().first_invalid(offset(written.lo)..offset(written.hi)).is_some();
        let diagnostic = match spelling.find(['"', '\'']) {
            _ if spelling.starts_with("/*") => {
                let opening = Span::new(span.lo, span.lo + 2);
                Diagnostic::new(Code::UnterminatedComment, opening, "unterminated `/*` comment")
            }
            // That has been said.
            _ if spelling.is_empty() || is_invalid => return,
            Some(at) => {
                let kind = match (spelling.as_bytes()[at], spelling[..at].ends_with('R')) {
                    (b'\'', _) => "character",
                    (_, true) => "raw string",
                    (_, false) => "string",
                };
                // Where it should have ended is unknown, so the mark is at its beginning.
                let opening = Span::new(span.lo, span.lo + at as u32 + 1);
                Diagnostic::new(Code::UnterminatedLiteral, opening, format!("unterminated {kind} literal"))
            }
            None => {
                let plural = if spelling.chars().nth(1).is_some() { "s" } else { "" };
                let shown = visible_name(spelling);
                let shown = if shown.contains('`') { format!("'{shown}'") } else { format!("`{shown}`") };
                Diagnostic::new(Code::InvalidCharacter, span, format!("invalid character{plural} {shown}"))
            }
        };
        self.compilation.sink.error(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.compilation.sink.error(Diagnostic::new(code, span, message));
    }

    fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.compilation.sink.emit(Diagnostic::new(code, span, message));
    }

    /// The placeholder in the stream where a mistake left a gap.
    fn gap(&self, span: Span) -> Token {
        Token::new(TokenKind::Other(self.words.nothing), span)
    }

    fn spelling(&self, token: Token) -> &str {
        token.spelling(&self.compilation.interner)
    }

    /// The rest cannot be interpreted: reports one message and stops.
    fn stop(&mut self, diagnostic: Diagnostic) {
        if !std::mem::replace(&mut self.is_stopped, true) {
            self.compilation.sink.error(diagnostic);
        }
        self.expander.clear();
    }
}

#[cfg(test)]
mod tests;
