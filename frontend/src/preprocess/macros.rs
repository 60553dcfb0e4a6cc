//! The table of macros.
//!
//! **Invariant**: a macro is never changed or removed once it is defined, only the table's entry for its name: an
//! invocation that is being read keeps its macro, even with directives within its arguments.

use std::ops::Range;

use crate::source::DefinitionId;
use crate::token::{Form, Punct, Symbol, Token, TokenKind};

/// A handle on a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MacroId(u32);

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The meaning of the name before the first line has not been looked up yet.
    Unasked,
    /// No macro.
    Plain,
    Macro(MacroId),
    /// `#pragma GCC poison`
    Poisoned,
}

/// One definition.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// The name in its `#define`, and the text of the replacement list.
    pub(super) definition: DefinitionId,
    pub(super) kind: MacroKind,
    /// It expands to itself, as in `#define __device__ __device__`: there is nothing to do.
    pub(super) is_identity: bool,
    /// It is being expanded: its name is not to be expanded again (C17 6.10.3.4p2).
    pub(super) is_disabled: bool,
    /// It has been expanded, or a condition has asked for it.
    pub(super) is_used: bool,
}

#[derive(Clone, Debug)]
pub(super) enum MacroKind {
    /// Its tokens in the table, of which none is `##`.
    Object(Range<u32>),
    /// Its pieces in the table.
    Function(Function),
    Dynamic(Dynamic),
}

/// A macro with parameters, or one without whose replacement list has `##`.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// The names of the parameters, in the table. `__VA_ARGS__` is one.
    pub(super) params: Range<u32>,
    pub(super) variadic: Variadic,
    /// A list in parentheses must follow the name.
    pub(super) is_called: bool,
    pub(super) pieces: Range<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variadic {
    No,
    /// `...`
    Standard,
    /// `name...` (GNU C "Variadic Macros")
    Gnu,
}

/// A part of a replacement list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) token: Token,
    pub(super) op: Op,
    /// `##` follows it.
    pub(super) pastes: bool,
    /// `##` is next to it: the argument of the parameter is then not expanded (C17 6.10.3.1p1).
    pub(super) is_raw: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// The token itself.
    Token,
    /// The argument of the parameter with this number.
    Param(u16),
    /// The same as a string literal; the token is the `#`, widened to its operand.
    Stringize(u16),
    /// `__VA_OPT__(…)`, whose content are as many of the pieces that follow.
    VaOpt(u32),
    /// `#__VA_OPT__(…)`
    StringizeVaOpt(u32),
}

/// Built-in macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dynamic {
    Line,
    File,
    BaseFile,
    Counter,
    IncludeLevel,
    Date,
    Time,
    Timestamp,
    /// `_Pragma`
    Pragma,
    /// `__has_include` and similar operators, which are valid in `#if`.
    HasInclude,
    HasIncludeNext,
    HasAttribute,
    HasCppAttribute,
    HasBuiltin,
}

impl Dynamic {
    pub(super) const ALL: [(&str, Dynamic); 14] = [
        ("__LINE__", Dynamic::Line),
        ("__FILE__", Dynamic::File),
        ("__BASE_FILE__", Dynamic::BaseFile),
        ("__COUNTER__", Dynamic::Counter),
        ("__INCLUDE_LEVEL__", Dynamic::IncludeLevel),
        ("__DATE__", Dynamic::Date),
        ("__TIME__", Dynamic::Time),
        ("__TIMESTAMP__", Dynamic::Timestamp),
        ("_Pragma", Dynamic::Pragma),
        ("__has_include", Dynamic::HasInclude),
        ("__has_include_next", Dynamic::HasIncludeNext),
        ("__has_attribute", Dynamic::HasAttribute),
        ("__has_cpp_attribute", Dynamic::HasCppAttribute),
        ("__has_builtin", Dynamic::HasBuiltin),
    ];
}

/// All macros, and the meaning of each name.
#[derive(Debug, Default)]
pub(super) struct Macros {
    /// By the number of the name's symbol.
    meanings: Vec<Meaning>,
    macros: Vec<Macro>,
    pub(super) tokens: Vec<Token>,
    pub(super) pieces: Vec<Piece>,
    pub(super) params: Vec<Symbol>,
}

impl Macros {
    pub(super) fn meaning(&self, name: Symbol) -> Meaning {
        self.meanings.get(name.index()).copied().unwrap_or(Meaning::Unasked)
    }

    pub(super) fn set_meaning(&mut self, name: Symbol, meaning: Meaning) {
        if self.meanings.len() <= name.index() {
            // Names come in order, so that room for the next ones is not wasted.
            self.meanings.resize((name.index() + 1).next_multiple_of(256), Meaning::Unasked);
        }
        self.meanings[name.index()] = meaning;
    }

    pub(super) fn add(&mut self, new: Macro) -> MacroId {
        let id = MacroId(self.macros.len() as u32);
        self.set_meaning(new.name, Meaning::Macro(id));
        self.macros.push(new);
        id
    }

    pub(super) fn get(&self, id: MacroId) -> &Macro {
        &self.macros[id.0 as usize]
    }

    /// Whether expansion leaves a token as it is, which is this word: it is no macro's, or painted.
    pub(super) fn leaves(&self, token: &Token, word: Symbol) -> bool {
        token.form == Form::Painted || self.meaning(word) == Meaning::Plain
    }

    /// Whether the word is the name of a macro that is being expanded.
    pub(super) fn is_disabled(&self, word: Symbol) -> bool {
        matches!(self.meaning(word), Meaning::Macro(id) if self.get(id).is_disabled)
    }

    pub(super) fn mark_used(&mut self, id: MacroId) {
        self.macros[id.0 as usize].is_used = true;
    }

    /// Where the macros are defined that nothing has used.
    pub(super) fn unused(&self) -> impl Iterator<Item = DefinitionId> {
        let is_unused = |known: &&Macro| !known.is_used && !matches!(known.kind, MacroKind::Dynamic(_));
        self.macros.iter().filter(is_unused).map(|known| known.definition)
    }

    pub(super) fn set_disabled(&mut self, id: MacroId, is_disabled: bool) {
        self.macros[id.0 as usize].is_disabled = is_disabled;
    }

    /// Whether a definition makes the name expand to itself, with its arguments in order.
    pub(super) fn is_identity(&self, name: Symbol, kind: &MacroKind) -> bool {
        match kind {
            MacroKind::Object(tokens) => match &self.tokens[as_usize(tokens)] {
                [only] => only.word() == Some(name),
                _ => false,
            },
            MacroKind::Function(function) if function.is_called => {
                let pieces = &self.pieces[as_usize(&function.pieces)];
                let [first, open, rest @ .., close] = pieces else { return false };
                let is = |piece: &Piece, punct| piece.token.kind == TokenKind::Punct(punct);
                let is_own_list = rest.iter().enumerate().all(|(idx, piece)| {
                    let is_param = piece.op == Op::Param((idx / 2) as u16);
                    !piece.pastes && if idx % 2 == 0 { is_param } else { is(piece, Punct::Comma) }
                });
                let n_params = (function.params.end - function.params.start) as usize;
                first.token.word() == Some(name)
                    && is(open, Punct::LParen)
                    && is(close, Punct::RParen)
                    && is_own_list
                    && rest.len() == (2 * n_params).saturating_sub(1)
            }
            MacroKind::Function(_) | MacroKind::Dynamic(_) => false,
        }
    }

    pub(super) fn params(&self, function: &Function) -> &[Symbol] {
        &self.params[as_usize(&function.params)]
    }
}

pub(super) fn as_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
