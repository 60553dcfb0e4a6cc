//! `#if` and the other conditionals (C17 6.10.1).
//!
//! Skipped text is not split into tokens: only its lines that begin with `#` are examined.

use super::Preprocessor;
use super::file::{File, Guard};
use super::macros::{MacroKind, Meaning};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Symbol;

/// An `#if` whose `#endif` has not come yet.
#[derive(Debug)]
pub(super) struct Condition {
    /// The directive that opened it.
    at: Span,
    /// A group of it has been read, or it is in a skipped group.
    is_taken: bool,
    /// The `#else`.
    otherwise: Option<Span>,
}

/// A directive that has to do with conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conditional {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
}

impl Conditional {
    const ALL: [(&str, Conditional); 8] = [
        ("if", Conditional::If),
        ("ifdef", Conditional::Ifdef),
        ("ifndef", Conditional::Ifndef),
        ("elif", Conditional::Elif),
        ("elifdef", Conditional::Elifdef),
        ("elifndef", Conditional::Elifndef),
        ("else", Conditional::Else),
        ("endif", Conditional::Endif),
    ];

    pub(super) fn of(name: &str) -> Option<Conditional> {
        let found = Conditional::ALL.iter().find(|(spelling, _)| *spelling == name);
        found.map(|&(_, conditional)| conditional)
    }

    fn spelling(self) -> &'static str {
        match self {
            Conditional::If => "if",
            Conditional::Ifdef => "ifdef",
            Conditional::Ifndef => "ifndef",
            Conditional::Elif => "elif",
            Conditional::Elifdef => "elifdef",
            Conditional::Elifndef => "elifndef",
            Conditional::Else => "else",
            Conditional::Endif => "endif",
        }
    }
}

impl Preprocessor<'_> {
    /// Executes a conditional directive in text that is read.
    pub(super) fn conditional(&mut self, directive: Conditional, at: Span, file: &mut File<'_>) {
        let may_guard = file.guard == Guard::Possible;
        match directive {
            Conditional::If | Conditional::Ifdef | Conditional::Ifndef => {
                file.guard = if may_guard { Guard::None } else { file.guard };
                let holds = match directive {
                    Conditional::If => self.if_holds(at, may_guard, file),
                    _ => self.ifdef_holds(directive, at, may_guard, file),
                };
                file.conditions.push(Condition { at, is_taken: holds, otherwise: None });
                if !holds {
                    self.skip(file);
                }
            }
            Conditional::Elif | Conditional::Elifdef | Conditional::Elifndef => {
                if self.next_group(directive, at, file).is_some() {
                    if directive != Conditional::Elif {
                        self.refuse_elifdef(directive, at);
                    }
                    file.lexer.skip_line();
                    self.skip(file);
                }
            }
            Conditional::Else => {
                if self.next_group(directive, at, file).is_some() {
                    self.end_of_line("else", file);
                    self.skip(file);
                }
            }
            Conditional::Endif => self.endif(at, file),
        }
    }

    /// `# ifdef name`, `# ifndef name`
    fn ifdef_holds(
        &mut self,
        directive: Conditional,
        at: Span,
        may_guard: bool,
        file: &mut File<'_>,
    ) -> bool {
        // Without a name, as if the macro were not there.
        let Some((name, word)) = self.macro_name(at, file) else { return directive == Conditional::Ifndef };
        if self.macros.meaning(word) == Meaning::Poisoned {
            self.report_poisoned(name);
        }
        self.end_of_line(directive.spelling(), file);
        if may_guard && directive == Conditional::Ifndef {
            file.guard = Guard::Open(word);
        }
        self.is_defined(word) == (directive == Conditional::Ifdef)
    }

    /// `# if condition`
    fn if_holds(&mut self, at: Span, may_guard: bool, file: &mut File<'_>) -> bool {
        self.lex_rest(file);
        if may_guard && let Some(guard) = self.guard_of_line() {
            file.guard = Guard::Open(guard);
        }
        self.evaluate("if", at, file)
    }

    /// The name in `!defined NAME` or `!defined(NAME)`, if the line is that.
    fn guard_of_line(&self) -> Option<Symbol> {
        let spelling = |idx: usize| self.line.get(idx).map(|&token| self.spelling(token));
        if spelling(0) != Some("!") || spelling(1) != Some("defined") {
            return None;
        }
        match self.line.len() {
            3 => self.line[2].word(),
            5 if spelling(2) == Some("(") && spelling(4) == Some(")") => self.line[3].word(),
            _ => None,
        }
    }

    /// Whether a name is a macro's.
    pub(super) fn is_defined(&mut self, word: Symbol) -> bool {
        let Meaning::Macro(id) = self.meaning(word) else { return false };
        self.macros.mark_used(id);
        true
    }

    /// Whether a name is one of a macro of the compiler's own.
    pub(super) fn is_builtin(&self, word: Symbol) -> bool {
        matches!(self.macros.meaning(word), Meaning::Macro(id)
            if matches!(self.macros.get(id).kind, MacroKind::Dynamic(_)))
    }

    /// `#elif` and `#else` end the group that was read. None, with a message, where no `#if` is open.
    fn next_group(&mut self, directive: Conditional, at: Span, file: &mut File<'_>) -> Option<()> {
        let name = directive.spelling();
        let is_outermost = file.conditions.len() == 1;
        let Some(condition) = file.conditions.last_mut() else {
            self.error(Code::UnmatchedConditional, at, format!("`#{name}` without `#if`"));
            file.lexer.skip_line();
            return None;
        };
        if let Some(otherwise) = condition.otherwise {
            let message = format!("`#{name}` after `#else`");
            let diagnostic = Diagnostic::new(Code::UnmatchedConditional, at, message)
                .with_label(otherwise, "the `#else`")
                .with_label(condition.at, "conditional began here");
            self.compilation.sink.error(diagnostic);
        } else if directive == Conditional::Else {
            condition.otherwise = Some(at);
        }
        if is_outermost && matches!(file.guard, Guard::Open(_)) {
            file.guard = Guard::None;
        }
        Some(())
    }

    fn endif(&mut self, at: Span, file: &mut File<'_>) {
        if file.conditions.pop().is_none() {
            self.error(Code::UnmatchedConditional, at, "`#endif` without `#if`");
            return file.lexer.skip_line();
        }
        self.end_of_line("endif", file);
        if file.conditions.is_empty()
            && let Guard::Open(name) = file.guard
        {
            let is_last = file.lexer.is_before_end();
            file.guard = if is_last { Guard::Closed(name) } else { Guard::None };
        }
    }

    /// Skips from a group that was read or is false to the one to read, or past the `#endif`.
    fn skip(&mut self, file: &mut File<'_>) {
        let depth = file.conditions.len();
        while let Some(hash) = file.lexer.next_directive() {
            let (name, span) = file.lexer.word_of_line();
            let Some(directive) = Conditional::of(&name) else { continue };
            let at = hash.to(span);
            let is_ours = file.conditions.len() == depth;
            match directive {
                Conditional::If | Conditional::Ifdef | Conditional::Ifndef => {
                    file.conditions.push(Condition { at, is_taken: true, otherwise: None });
                }
                Conditional::Endif => {
                    self.endif(at, file);
                    if is_ours {
                        return;
                    }
                }
                Conditional::Else => {
                    let was_else = self.had_else(file);
                    self.next_group(directive, at, file);
                    self.end_of_line("else", file);
                    if is_ours && !was_else && self.take(file) {
                        return;
                    }
                }
                Conditional::Elif | Conditional::Elifdef | Conditional::Elifndef => {
                    let was_else = self.had_else(file);
                    self.next_group(directive, at, file);
                    let is_candidate = is_ours && !was_else && !file.conditions[depth - 1].is_taken;
                    if is_candidate && self.elif_holds(directive, at, file) && self.take(file) {
                        return;
                    }
                }
            }
        }
        file.lexer.stop();
    }

    fn had_else(&self, file: &File<'_>) -> bool {
        file.conditions.last().is_some_and(|condition| condition.otherwise.is_some())
    }

    /// Whether the group that begins is the first one that counts; then it is taken.
    fn take(&self, file: &mut File<'_>) -> bool {
        file.conditions.last_mut().is_some_and(|condition| !std::mem::replace(&mut condition.is_taken, true))
    }

    fn elif_holds(&mut self, directive: Conditional, at: Span, file: &mut File<'_>) -> bool {
        if directive == Conditional::Elif {
            self.lex_rest(file);
            return self.evaluate("elif", at, file);
        }
        self.refuse_elifdef(directive, at);
        file.lexer.skip_line();
        false
    }

    /// GNU's preprocessor takes `#elifdef`, but not in the mode for C++17: a program would mean two things.
    fn refuse_elifdef(&mut self, directive: Conditional, at: Span) {
        let name = directive.spelling();
        let condition = if directive == Conditional::Elifndef { "!defined" } else { "defined" };
        let message = format!("directive `#{name}` is not supported");
        let diagnostic = Diagnostic::new(Code::UnsupportedDirective, at, message)
            .with_note("nvcc ignores it with `-std=c++17`")
            .with_help(format!("use `#elif {condition}(…)`"));
        self.compilation.sink.error(diagnostic);
    }

    /// Reports open conditionals at the end of a file, and detects an include guard.
    pub(super) fn end_of_file(&mut self, file: &mut File<'_>) {
        if self.is_stopped {
            return;
        }
        for condition in file.conditions.drain(..) {
            let (at, message) = match condition.otherwise {
                Some(otherwise) => (otherwise, "unterminated `#else`"),
                None => (condition.at, "unterminated conditional directive"),
            };
            let diagnostic = Diagnostic::new(Code::UnterminatedConditional, at, message);
            let diagnostic = match condition.otherwise {
                Some(_) => diagnostic.with_label(condition.at, "conditional began here"),
                None => diagnostic,
            };
            self.compilation.sink.error(diagnostic.with_help("add an `#endif`"));
        }
        if let (Some(header), Guard::Closed(name)) = (file.header, file.guard) {
            self.includes.guard(header, name);
        }
    }
}
