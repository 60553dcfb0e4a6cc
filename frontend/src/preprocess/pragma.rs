//! Pragmas (C17 6.10.6, 6.10.9).
//!
//! Macros are not expanded in them: GNU's preprocessor, which nvcc runs, passes them on unchanged.

use hashbrown::HashMap;

use super::Preprocessor;
use super::file::File;
use super::macros::Meaning;
use crate::ast::LitPrefix;
use crate::diag::{Code, Diagnostic, Level};
use crate::lex::{Lexer, literal};
use crate::source::Span;
use crate::token::{Pragma, Punct, Symbol, Token, TokenKind};

/// The state of pragmas.
#[derive(Debug, Default)]
pub(super) struct Pragmas {
    /// `push_macro`: the saved meanings of names.
    pushed: HashMap<Symbol, Vec<Meaning>>,
    poisoned: HashMap<Symbol, Span>,
}

/// The handling of a pragma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Parser(Pragma),
    Once,
    Message,
    PushMacro,
    PopMacro,
    SystemHeader,
    Poison,
    /// `GCC error`, `GCC warning`
    User(Code),
    /// `GCC diagnostic`, `clang diagnostic`
    Diagnostic,
    /// `nv_diagnostic`: keeps the levels, or puts them back.
    NvDiagnostic,
    /// `nv_diag_suppress` and similar pragmas; `None` restores the level of the options.
    NvDiag(Option<Level>),
    /// It is for another compiler, or of no interest to this one.
    Ignored,
    /// It changes the ABI.
    Refused,
}

/// The pragmas by their first words. The longer of those with a common beginning comes first.
const KNOWN: &[(&[&str], Known)] = &[
    (&["unroll"], Known::Parser(Pragma::Unroll)),
    (&["nounroll"], Known::Parser(Pragma::Nounroll)),
    (&["pack"], Known::Parser(Pragma::Pack)),
    (&["once"], Known::Once),
    (&["message"], Known::Message),
    (&["push_macro"], Known::PushMacro),
    (&["pop_macro"], Known::PopMacro),
    (&["GCC", "system_header"], Known::SystemHeader),
    (&["GCC", "poison"], Known::Poison),
    (&["GCC", "error"], Known::User(Code::ErrorDirective)),
    (&["GCC", "warning"], Known::User(Code::WarningDirective)),
    (&["GCC", "diagnostic"], Known::Diagnostic),
    (&["clang", "diagnostic"], Known::Diagnostic),
    (&["GCC"], Known::Ignored),
    (&["clang"], Known::Ignored),
    (&["STDC"], Known::Ignored),
    (&["omp"], Known::Ignored),
    (&["acc"], Known::Ignored),
    (&["region"], Known::Ignored),
    (&["endregion"], Known::Ignored),
    (&["warning"], Known::Ignored),
    (&["nv_diag_suppress"], Known::NvDiag(Some(Level::Ignored))),
    (&["nv_diag_remark"], Known::NvDiag(Some(Level::Ignored))),
    (&["nv_diag_warning"], Known::NvDiag(Some(Level::Warning))),
    (&["nv_diag_error"], Known::NvDiag(Some(Level::Error))),
    (&["nv_diag_default"], Known::NvDiag(None)),
    (&["nv_diag_once"], Known::NvDiag(Some(Level::Warning))),
    (&["nv_diagnostic"], Known::NvDiagnostic),
    (&["diag_suppress"], Known::NvDiag(Some(Level::Ignored))),
    (&["diag_remark"], Known::NvDiag(Some(Level::Ignored))),
    (&["diag_warning"], Known::NvDiag(Some(Level::Warning))),
    (&["diag_error"], Known::NvDiag(Some(Level::Error))),
    (&["diag_default"], Known::NvDiag(None)),
    (&["diag_once"], Known::NvDiag(Some(Level::Warning))),
    (&["nv_exec_check_disable"], Known::Ignored),
    (&["hd_warning_disable"], Known::Ignored),
    (&["nv_abi"], Known::Refused),
    (&["weak"], Known::Refused),
    (&["redefine_extname"], Known::Refused),
];

impl Pragmas {
    pub(super) fn poisoned_at(&self, word: Symbol) -> Option<Span> {
        self.poisoned.get(&word).copied()
    }
}

impl Preprocessor<'_> {
    /// `# pragma …`
    pub(super) fn pragma_directive(&mut self, directive: Span, file: &mut File<'_>) {
        self.lex_rest(file);
        let tokens = std::mem::take(&mut self.line);
        self.pragma(directive, false, &tokens, file);
        self.line = tokens;
    }

    /// `_Pragma ( string )` (C17 6.10.9)
    pub(super) fn pragma_operator(&mut self, operator: Token, file: &mut File<'_>) {
        let mut next = || self.next_expanded(file);
        if let (Some(open), Some(text), Some(close)) = (next(), next(), next())
            && let TokenKind::Str(symbol) = text.kind
            && open.kind == TokenKind::Punct(Punct::LParen)
            && close.kind == TokenKind::Punct(Punct::RParen)
        {
            return self.pragma_text(symbol, operator.span.to(close.span), file);
        }
        let message = "`_Pragma` takes a parenthesized string literal";
        self.error(Code::InvalidPragma, operator.span, message);
        self.out.push(self.gap(operator.span));
    }

    /// A pragma in a string literal.
    fn pragma_text(&mut self, symbol: Symbol, at: Span, file: &mut File<'_>) {
        let spelling = self.compilation.interner.spelling(symbol);
        let prefix = literal::prefix(spelling);
        let text: String = if spelling.contains('R') && !spelling.starts_with('"') {
            let units = literal::string(spelling, LitPrefix::U32).units;
            units.into_iter().filter_map(char::from_u32).collect()
        } else {
            // C17 6.10.9p1: only these two escapes are undone.
            let open = spelling.find('"').map_or(0, |quote| quote + 1);
            let body = &spelling[open..spelling.len().saturating_sub(1).max(open)];
            body.replace("\\\"", "\"").replace("\\\\", "\\")
        };
        if prefix != LitPrefix::None && prefix != LitPrefix::Wide {
            return self.error(
                Code::InvalidPragma,
                at,
                "`_Pragma` takes a string literal without an encoding prefix",
            );
        }
        let mut lexer = Lexer::new(&text, 0);
        let mut tokens = Vec::new();
        while let Some(token) = lexer.token_of_line(&mut self.compilation.interner) {
            // Its words have no places of their own.
            tokens.push(Token { span: at, ..token });
        }
        self.pragma(at, true, &tokens, file);
    }

    /// A pragma whose words are `tokens`, in a directive or in the operator `_Pragma`.
    fn pragma(&mut self, directive: Span, is_operator: bool, tokens: &[Token], file: &mut File<'_>) {
        let words: Vec<&str> = tokens.iter().take(2).map(|&token| self.spelling(token)).collect();
        let found = KNOWN.iter().find(|(names, _)| words.starts_with(names));
        let Some(&(names, known)) = found else {
            let at = tokens.first().map_or(directive, |name| directive.to(name.span));
            let message = match words.first() {
                _ if is_operator => "unknown `_Pragma` ignored".to_owned(),
                Some(word) => format!("unknown pragma ignored: `#pragma {word}`"),
                None => "empty `#pragma` ignored".to_owned(),
            };
            return self.warn(Code::UnknownPragma, at, message);
        };
        let name = format!("#pragma {}", names.join(" "));
        let at = match tokens.get(names.len() - 1) {
            Some(last) => directive.to(last.span),
            None => directive,
        };
        let operands = &tokens[names.len()..];
        match known {
            Known::Ignored => {}
            Known::Parser(pragma) => self.pragma_for_parser(pragma, at, operands),
            Known::Once => match file.header {
                Some(header) => self.includes.once(header),
                None if file.id == self.root => {
                    self.warn(Code::PragmaOnceOutsideHeader, at, "`#pragma once` in main file");
                }
                None => {}
            },
            Known::Message => match self.message_of(operands) {
                Some(text) => self.warn(Code::PragmaMessage, at, text),
                None => self.invalid_pragma(at, format!("`{name}` expected a string literal")),
            },
            Known::User(code) => match self.message_of(operands) {
                Some(text) => self.compilation.sink.emit(Diagnostic::new(code, at, text)),
                None => self.invalid_pragma(at, format!("`{name}` expected a string literal")),
            },
            Known::PushMacro | Known::PopMacro => match self.macro_of(operands) {
                Some(word) => self.push_or_pop(word, known == Known::PushMacro),
                None => {
                    self.invalid_pragma(at, format!("`{name}` expected a macro name, as in `(\"NAME\")`"));
                }
            },
            Known::SystemHeader => {
                if file.id == self.root {
                    self.warn(Code::PragmaOnceOutsideHeader, at, format!("`{name}` in main file"));
                } else {
                    self.compilation.sources.set_system(file.id);
                }
            }
            Known::Diagnostic => self.diagnostic_pragma(&name, at, operands),
            Known::NvDiagnostic => self.nv_diagnostic_pragma(&name, at, operands),
            Known::NvDiag(level) => self.nv_diag_pragma(at, operands, level),
            Known::Poison => self.poison(&name, operands, at),
            Known::Refused => {
                let message = format!("`{name}` is not supported");
                self.error(Code::UnsupportedDirective, at, message);
            }
        }
    }

    fn pragma_for_parser(&mut self, pragma: Pragma, at: Span, operands: &[Token]) {
        let mut start = Token::new(TokenKind::PragmaStart(pragma), at);
        start.at_line_start = true;
        let end = operands.last().map_or(at, |last| last.span).end();
        self.out.push(start);
        self.out.extend_from_slice(operands);
        self.out.push(Token::new(TokenKind::PragmaEnd, end));
    }

    fn invalid_pragma(&mut self, at: Span, message: String) {
        self.error(Code::InvalidPragma, at, message);
    }

    /// The text of `"text"` or `("text" "text")`.
    pub(super) fn message_of(&self, operands: &[Token]) -> Option<String> {
        let operands = match operands {
            [open, inner @ .., close]
                if open.kind == TokenKind::Punct(Punct::LParen)
                    && close.kind == TokenKind::Punct(Punct::RParen) =>
            {
                inner
            }
            all => all,
        };
        if operands.is_empty() {
            return None;
        }
        let mut text = String::new();
        for operand in operands {
            let TokenKind::Str(symbol) = operand.kind else { return None };
            let units = literal::string(self.compilation.interner.spelling(symbol), LitPrefix::U32).units;
            text.extend(units.into_iter().filter_map(char::from_u32));
        }
        Some(text)
    }

    /// The name in `("NAME")`.
    fn macro_of(&mut self, operands: &[Token]) -> Option<Symbol> {
        let [open, _, close] = operands else { return None };
        let is_list =
            open.kind == TokenKind::Punct(Punct::LParen) && close.kind == TokenKind::Punct(Punct::RParen);
        let name = self.message_of(operands).filter(|_| is_list)?;
        Some(self.compilation.interner.intern(name.trim()))
    }

    fn push_or_pop(&mut self, word: Symbol, pushes: bool) {
        let meaning = self.meaning(word);
        if pushes {
            self.pragmas.pushed.entry(word).or_default().push(meaning);
        } else if let Some(earlier) = self.pragmas.pushed.get_mut(&word).and_then(Vec::pop) {
            self.macros.set_meaning(word, earlier);
        }
    }

    fn poison(&mut self, name: &str, operands: &[Token], at: Span) {
        for operand in operands {
            let Some(word) = operand.word() else {
                return self.invalid_pragma(at, format!("`{name}` expected names"));
            };
            self.pragmas.poisoned.insert(word, operand.span);
            self.macros.set_meaning(word, Meaning::Poisoned);
        }
    }
}
