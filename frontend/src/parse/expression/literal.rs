//! Literals: from the spelling of a token to its value.

use crate::ast::{ExprId, ExprKind, LitPrefix, StrLit, StrPiece};
use crate::diag::{Code, Diagnostic, Severity};
use crate::lex::literal::{self, LiteralError};
use crate::lex::number::{self, Number};
use crate::parse::{Expressions, Parsed};
use crate::source::Span;
use crate::token::{Symbol, TokenKind};

/// The values of the numbers that were read last: a program has few, and those often.
#[derive(Debug, Default)]
pub(in crate::parse) struct Numbers {
    /// Each in the slot that the low bits of its symbol tell; empty before the first one.
    slots: Vec<Option<(Symbol, ExprKind)>>,
}

impl Numbers {
    const N_SLOTS: usize = 128;

    #[inline]
    fn find(&self, symbol: Symbol) -> Option<ExprKind> {
        let &(known, number) = self.slots.get(symbol.index() % Self::N_SLOTS)?.as_ref()?;
        (known == symbol).then_some(number)
    }

    fn remember(&mut self, symbol: Symbol, number: ExprKind) {
        self.slots.resize(Self::N_SLOTS, None);
        self.slots[symbol.index() % Self::N_SLOTS] = Some((symbol, number));
    }
}

impl Expressions<'_> {
    pub(super) fn number_literal(&mut self, symbol: Symbol) -> Parsed<ExprId> {
        let span = self.bump().span;
        let kind = match self.numbers.find(symbol) {
            Some(number) => number,
            None => self.new_number(symbol, span),
        };
        self.push_expr(kind, span)
    }

    #[inline(never)]
    fn new_number(&mut self, symbol: Symbol, span: Span) -> ExprKind {
        match number::number(self.interner.spelling(symbol)) {
            Ok((number, None)) => {
                let number = literal_of(number);
                self.numbers.remember(symbol, number);
                number
            }
            Ok((number, warning)) => {
                self.literal_errors(symbol, span, warning);
                literal_of(number)
            }
            Err(error) => {
                self.literal_errors(symbol, span, Some(error));
                ExprKind::Error
            }
        }
    }

    pub(super) fn character_literal(&mut self, symbol: Symbol) -> Parsed<ExprId> {
        let span = self.bump().span;
        let (lit, errors) = literal::character(self.interner.spelling(symbol));
        let is_wrong = errors.iter().any(|error| error.code.severity() == Severity::Error);
        self.literal_errors(symbol, span, errors);
        self.push_expr(if is_wrong { ExprKind::Error } else { ExprKind::Char(lit) }, span)
    }

    /// Adjacent string literals are one (C17 6.4.5p5): the prefix of one holds for all.
    pub(in crate::parse) fn string_literal(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let first = self.pos;
        let mut prefix = LitPrefix::None;
        let mut is_mixed = false;
        while let TokenKind::Str(symbol) = self.kind() {
            let own = literal::prefix(self.interner.spelling(symbol));
            if prefix == LitPrefix::None {
                prefix = own;
            } else if own != LitPrefix::None && own != prefix {
                let message = "unsupported non-standard concatenation of string literals";
                self.parser.refuse(Code::MixedStringPrefixes, self.span(), message);
                is_mixed = true;
            }
            self.bump();
        }
        let mut units = Vec::new();
        let mut pieces = Vec::with_capacity(1);
        for idx in first..self.pos {
            let token = self.tokens[idx];
            let TokenKind::Str(symbol) = token.kind else { continue };
            let decoded = literal::string(self.interner.spelling(symbol), prefix);
            self.literal_errors(symbol, token.span, decoded.errors);
            pieces.push(StrPiece { spelling: symbol, span: token.span, first: units.len() as u32 });
            units.extend(decoded.units);
        }
        let span = self.span_from(start);
        let kind = if is_mixed {
            ExprKind::Error
        } else {
            ExprKind::Str(self.unit.strings.push(StrLit { units, prefix, pieces }))
        };
        self.push_expr(kind, span)
    }

    /// Reports what is wrong with a literal at its place in the token, where no line splice makes
    /// places in spelling and text differ.
    fn literal_errors(&mut self, symbol: Symbol, span: Span, errors: impl IntoIterator<Item = LiteralError>) {
        for LiteralError { code, range, message } in errors {
            let is_raw = self.interner.spelling(symbol).len() == (span.hi - span.lo) as usize;
            let part = Span::new(span.lo + range.start as u32, span.lo + range.end as u32);
            let span = if is_raw && part.hi <= span.hi { part } else { span };
            self.sink.emit(Diagnostic::new(code, span, message));
        }
    }
}

fn literal_of(number: Number) -> ExprKind {
    match number {
        Number::Int(lit) => ExprKind::Int(lit),
        Number::Float(lit) => ExprKind::Float(lit),
    }
}
