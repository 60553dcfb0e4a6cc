//! `#define` and `#undef` (C17 6.10.3, 6.10.3.5).

use super::Preprocessor;
use super::file::File;
use super::macros::{Function, Macro, MacroId, MacroKind, Meaning, Op, Piece, Variadic};
use crate::diag::origin::BUILT_IN;
use crate::diag::{Code, Diagnostic};
use crate::lex::Lexer;
use crate::source::{Definition, Span};
use crate::token::{Form, Punct, Symbol, Token, TokenKind};

/// A replacement list cannot be read; the message has been given.
struct Wrong;

impl Preprocessor<'_> {
    /// `# define name list`, `# define name(parameters) list`
    pub(super) fn define(&mut self, directive: Span, file: &mut File<'_>) {
        let Some((name, word)) = self.macro_name(directive, file) else { return };
        let before = self.meaning(word);
        if before == Meaning::Poisoned {
            return self.report_poisoned(name);
        }
        let Some((kind, list)) = self.definition(name, file) else { return file.lexer.skip_line() };
        let is_identity = self.macros.is_identity(word, &kind);
        let definition = self.compilation.sources.add_definition(Definition { name: name.span, list });
        let new = Macro { name: word, definition, kind, is_identity, is_disabled: false, is_used: false };
        if let Meaning::Macro(old) = before {
            self.check_redefinition(old, &new);
        }
        self.macros.add(new);
    }

    /// `# undef name`
    pub(super) fn undef(&mut self, directive: Span, file: &mut File<'_>) {
        let Some((name, word)) = self.macro_name(directive, file) else { return };
        match self.meaning(word) {
            Meaning::Poisoned => return self.report_poisoned(name),
            Meaning::Macro(id) => {
                if matches!(self.macros.get(id).kind, MacroKind::Dynamic(_)) {
                    let message =
                        format!("undefining built-in macro `{}`", self.compilation.interner.spelling(word));
                    self.warn(Code::BuiltinMacroRedefined, name.span, message);
                }
                self.macros.set_meaning(word, Meaning::Plain);
            }
            Meaning::Plain | Meaning::Unasked => {}
        }
        self.end_of_line("undef", file);
    }

    /// The definition that a header or the command line would give, from its text behind `#define`.
    pub(super) fn define_text(&mut self, text: String) {
        match self.compilation.sources.add(BUILT_IN.to_owned(), text) {
            Ok(id) => {
                let source = self.compilation.sources.file(id).source().clone();
                let base = self.compilation.sources.file(id).base();
                let mut file = File::new(&source, base, id, None);
                self.define(Span::new(base, base), &mut file);
            }
            Err(error) => self.too_much_text(self.compilation.sources.file(self.root).span().start(), &error),
        }
    }

    /// The macro name of a directive. If it is missing, reports that and skips the line.
    pub(super) fn macro_name(&mut self, directive: Span, file: &mut File<'_>) -> Option<(Token, Symbol)> {
        let Some(name) = self.lex_line(file) else {
            self.error(Code::InvalidDirective, directive, "macro name missing");
            return None;
        };
        let found = self.spelling(name).to_owned();
        let message = match (name.word(), name.kind) {
            // C17 6.10.8p2, C++17 19.8p4
            (Some(word), _)
                if word == self.words.defined || word == self.words.va_args || word == self.words.va_opt =>
            {
                format!("`{found}` cannot be used as a macro name")
            }
            (Some(word), _) => return Some((name, word)),
            (None, TokenKind::Punct(_))
                if name.form == Form::Alternative && found.starts_with(char::is_alphabetic) =>
            {
                format!("C++ operator `{found}` cannot be used as a macro name")
            }
            (None, _) => format!("macro name must be an identifier, found `{found}`"),
        };
        self.error(Code::InvalidDirective, name.span, message);
        file.lexer.skip_line();
        None
    }

    /// The part after the name; also returns the text of the replacement list.
    fn definition(&mut self, name: Token, file: &mut File<'_>) -> Option<(MacroKind, Span)> {
        let first = self.lex_line(file);
        let (n_params, n_pieces) = (self.macros.params.len(), self.macros.pieces.len());
        let opens_params =
            |token: &Token| token.kind == TokenKind::Punct(Punct::LParen) && !token.after_space;
        let params = match first {
            Some(open) if opens_params(&open) => Some(self.params(open.span, file).ok()?),
            Some(_) | None => None,
        };
        self.lex_rest(file);
        if let (None, Some(first)) = (params, first) {
            self.line.insert(0, first);
        }
        let mut list = name.span.end();
        if let Some(&last) = self.line.last() {
            self.line[0].after_space = false;
            list = self.line[0].span.to(last.span);
        }
        let has_paste = self.line.iter().any(|token| token.kind == TokenKind::Punct(Punct::HashHash));
        if params.is_none() && !has_paste {
            let start = self.macros.tokens.len() as u32;
            self.macros.tokens.append(&mut self.line);
            return Some((MacroKind::Object(start..self.macros.tokens.len() as u32), list));
        }
        let function = Function {
            params: n_params as u32..self.macros.params.len() as u32,
            variadic: params.unwrap_or(Variadic::No),
            is_called: params.is_some(),
            pieces: n_pieces as u32..n_pieces as u32,
        };
        let tokens = std::mem::take(&mut self.line);
        let result = self.pieces(&tokens, &function, false);
        self.line = tokens;
        if result.is_err() {
            self.macros.pieces.truncate(n_pieces);
            return None;
        }
        let pieces = n_pieces as u32..self.macros.pieces.len() as u32;
        Some((MacroKind::Function(Function { pieces, ..function }), list))
    }

    /// `identifier-list ")"`, `"..." ")"`, `identifier-list "," "..." ")"`, and GNU's `name "..." ")"`.
    fn params(&mut self, open: Span, file: &mut File<'_>) -> Result<Variadic, Wrong> {
        let first = self.macros.params.len();
        let mut wants_name = false;
        loop {
            let Some(token) = self.lex_line(file) else {
                let diagnostic = Diagnostic::new(
                    Code::InvalidMacroDefinition,
                    open.end(),
                    "expected `)` at the end of the parameters",
                );
                self.compilation.sink.error(diagnostic.with_label(open, "to match this `(`"));
                return Err(Wrong);
            };
            match (token.kind, token.word()) {
                (TokenKind::Punct(Punct::RParen), _) if !wants_name => return Ok(Variadic::No),
                (TokenKind::Punct(Punct::Ellipsis), _) => {
                    self.macros.params.push(self.words.va_args);
                    return self.end_of_params(file).map(|()| Variadic::Standard);
                }
                (_, Some(word)) if word != self.words.va_args && word != self.words.va_opt => {
                    if self.macros.params[first..].contains(&word) {
                        let message = format!("duplicate macro parameter `{}`", self.spelling(token));
                        self.error(Code::InvalidMacroDefinition, token.span, message);
                        return Err(Wrong);
                    }
                    if self.macros.params.len() - first >= MAX_PARAMS {
                        let message = format!("macro has more than {MAX_PARAMS} parameters");
                        self.error(Code::InvalidMacroDefinition, token.span, message);
                        return Err(Wrong);
                    }
                    self.macros.params.push(word);
                    match self.lex_line(file).map(|next| (next.kind, next)) {
                        Some((TokenKind::Punct(Punct::Comma), _)) => wants_name = true,
                        Some((TokenKind::Punct(Punct::RParen), _)) => return Ok(Variadic::No),
                        Some((TokenKind::Punct(Punct::Ellipsis), _)) => {
                            return self.end_of_params(file).map(|()| Variadic::Gnu);
                        }
                        other => {
                            return self.expected_in_params("`,` or `)`", other.map(|(_, next)| next), token);
                        }
                    }
                }
                _ => return self.expected_in_params("a parameter name", Some(token), token),
            }
        }
    }

    fn end_of_params(&mut self, file: &mut File<'_>) -> Result<(), Wrong> {
        match self.lex_line(file) {
            Some(token) if token.kind == TokenKind::Punct(Punct::RParen) => Ok(()),
            Some(token) => self.expected_in_params("`)` after `...`", Some(token), token).map(|_| ()),
            None => {
                let at = Span::new(file.lexer.address(), file.lexer.address());
                self.error(Code::InvalidMacroDefinition, at, "expected `)` after `...`");
                Err(Wrong)
            }
        }
    }

    fn expected_in_params(
        &mut self,
        what: &str,
        found: Option<Token>,
        before: Token,
    ) -> Result<Variadic, Wrong> {
        let (at, message) = match found {
            Some(found) => (found.span, format!("expected {what}, found `{}`", self.spelling(found))),
            None => (before.span.end(), format!("expected {what} before the end of the line")),
        };
        self.error(Code::InvalidMacroDefinition, at, message);
        Err(Wrong)
    }

    /// Appends a replacement list with parameters or `##`, or the content of an `__VA_OPT__`, to the pieces.
    fn pieces(&mut self, tokens: &[Token], function: &Function, is_in_va_opt: bool) -> Result<(), Wrong> {
        let is_paste = |token: Option<&Token>| {
            token.is_some_and(|token| token.kind == TokenKind::Punct(Punct::HashHash))
        };
        // C17 6.10.3.3p1, C++20 15.6.2p3
        if let Some(paste) = tokens.first().filter(|_| is_paste(tokens.first())).or(tokens.last())
            && is_paste(Some(paste))
        {
            let what = if is_in_va_opt { "the content of `__VA_OPT__`" } else { "a macro expansion" };
            let message = format!("`##` cannot appear at the start or end of {what}");
            self.error(Code::InvalidMacroDefinition, paste.span, message);
            return Err(Wrong);
        }
        let mut idx = 0;
        let mut is_right = false;
        while let Some(&token) = tokens.get(idx) {
            if is_paste(Some(&token)) {
                idx += 1;
                continue;
            }
            let at = self.macros.pieces.len();
            self.macros.pieces.push(Piece { token, op: Op::Token, pastes: false, is_raw: false });
            let (op, token, width) = self.operation(&tokens[idx..], function, is_in_va_opt)?;
            idx += width;
            let pastes = is_paste(tokens.get(idx));
            self.macros.pieces[at] = Piece { token, op, pastes, is_raw: pastes || is_right };
            is_right = pastes;
        }
        Ok(())
    }

    /// The meaning of the first of the tokens in a replacement list, and its number of tokens.
    fn operation(
        &mut self,
        tokens: &[Token],
        function: &Function,
        is_in_va_opt: bool,
    ) -> Result<(Op, Token, usize), Wrong> {
        let token = tokens[0];
        let param = |this: &Self, token: &Token| {
            let names = this.macros.params(function);
            token.word().and_then(|word| names.iter().position(|&name| name == word))
        };
        if let Some(param) = param(self, &token) {
            return Ok((Op::Param(param as u16), token, 1));
        }
        if function.variadic != Variadic::No && token.word() == Some(self.words.va_opt) {
            let (len, width) = self.va_opt(tokens, function, is_in_va_opt)?;
            return Ok((Op::VaOpt(len), token, width));
        }
        if token.kind != TokenKind::Punct(Punct::Hash) || !function.is_called {
            return Ok((Op::Token, token, 1));
        }
        // C17 6.10.3.2p1
        if let Some(operand) = tokens.get(1) {
            let span = token.span.to(operand.span);
            if let Some(param) = param(self, operand) {
                return Ok((Op::Stringize(param as u16), Token { span, ..token }, 2));
            }
            if function.variadic != Variadic::No && operand.word() == Some(self.words.va_opt) {
                let (len, width) = self.va_opt(&tokens[1..], function, is_in_va_opt)?;
                return Ok((Op::StringizeVaOpt(len), Token { span, ..token }, width + 1));
            }
        }
        let message = "`#` is not followed by a macro parameter";
        self.error(Code::InvalidMacroDefinition, token.span, message);
        Err(Wrong)
    }

    /// `__VA_OPT__ ( … )`: how many pieces its content is, and how many tokens it takes.
    fn va_opt(
        &mut self,
        tokens: &[Token],
        function: &Function,
        is_in_va_opt: bool,
    ) -> Result<(u32, usize), Wrong> {
        let name = tokens[0];
        if is_in_va_opt {
            self.error(
                Code::InvalidMacroDefinition,
                name.span,
                "`__VA_OPT__` cannot be nested within its own replacement tokens",
            );
            return Err(Wrong);
        }
        let mut depth = 0;
        for (idx, token) in tokens.iter().enumerate().skip(1) {
            match token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            if depth == 0 && idx == 1 {
                break;
            }
            if depth == 0 {
                let first = self.macros.pieces.len();
                let content = &tokens[2..idx];
                self.pieces(content, function, true)?;
                return Ok(((self.macros.pieces.len() - first) as u32, idx + 1));
            }
        }
        let message = "missing `(` following `__VA_OPT__`";
        self.error(Code::InvalidMacroDefinition, name.span, message);
        Err(Wrong)
    }

    /// Warns of a definition that is not the same as the one before (C17 6.10.3p2).
    fn check_redefinition(&mut self, old: MacroId, new: &Macro) {
        let old = self.macros.get(old).clone();
        let [old_definition, new_definition] =
            [&old, new].map(|one| self.compilation.sources.definition(one.definition).name);
        let name = self.compilation.interner.spelling(new.name).to_owned();
        if matches!(old.kind, MacroKind::Dynamic(_)) {
            let message = format!("redefining built-in macro `{name}`");
            return self.warn(Code::BuiltinMacroRedefined, new_definition, message);
        }
        if self.is_same(&old, new) {
            return;
        }
        let diagnostic =
            Diagnostic::new(Code::MacroRedefined, new_definition, format!("`{name}` macro redefined"))
                .with_label(old_definition, "previous definition is here");
        self.compilation.sink.emit(diagnostic);
    }

    fn is_same(&mut self, old: &Macro, new: &Macro) -> bool {
        if self.params_of(&old.kind) != self.params_of(&new.kind) {
            return false;
        }
        let list = |one: &Macro| {
            self.compilation.sources.text(self.compilation.sources.definition(one.definition).list)
        };
        let (old, new) = (list(old), list(new));
        if old == new {
            return true;
        }
        // The same but for the kind of white space between the tokens.
        let (mut old, mut new) = (Lexer::new(old, 0), Lexer::new(new, 0));
        loop {
            let (a, b) =
                (old.token(&mut self.compilation.interner), new.token(&mut self.compilation.interner));
            if (a.kind, a.after_space, a.form) != (b.kind, b.after_space, b.form) {
                return false;
            }
            if a.kind == TokenKind::Eof {
                return true;
            }
        }
    }

    /// The operand in the parentheses after the name, if there are any.
    fn params_of(&self, kind: &MacroKind) -> Option<(Variadic, &[Symbol])> {
        match kind {
            MacroKind::Function(function) if function.is_called => {
                Some((function.variadic, self.macros.params(function)))
            }
            MacroKind::Object(_) | MacroKind::Function(_) | MacroKind::Dynamic(_) => None,
        }
    }
}

/// How many parameters a macro may have.
const MAX_PARAMS: usize = 1024;
