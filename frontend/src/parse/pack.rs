//! `#pragma pack` (GNU C "Structure-Layout Pragmas"): how structs are laid out from there on.

use crate::diag::{Code, Diagnostic, Sink};
use crate::lex::number::{Number, number};
use crate::source::Span;
use crate::token::{Interner, Punct, Symbol, Token, TokenKind};

/// What `#pragma pack` says at each token.
#[derive(Debug, Default)]
pub(super) struct Packs {
    /// The first token for which it says something else, and what; in the order of the text.
    changes: Vec<(usize, Option<u32>)>,
}

impl Packs {
    /// Where nothing has been said since `stack`.
    pub(super) fn since(stack: &PackStack) -> Self {
        Packs { changes: stack.current.map(|_| (0, stack.current)).into_iter().collect() }
    }

    /// Notes what holds from a token on.
    pub(super) fn change(&mut self, from: usize, stack: &PackStack) {
        self.changes.push((from, stack.current));
    }

    /// The greatest alignment in bytes that members have, at the token with this index.
    pub(super) fn at(&self, token_idx: usize) -> Option<u32> {
        let n_before = self.changes.partition_point(|&(from, _)| from <= token_idx);
        self.changes[..n_before].last().and_then(|&(_, pack)| pack)
    }
}

/// What the pragmas up to one place say.
#[derive(Clone, Debug, Default)]
pub(super) struct PackStack {
    current: Option<u32>,
    /// What `push` saved, with the name that it was given.
    saved: Vec<(Option<Symbol>, Option<u32>)>,
}

/// What is done with the stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Push,
    Pop,
}

impl PackStack {
    /// `#pragma pack "(" [("push" | "pop") ["," name]] [","] [n] ")"`
    pub(super) fn follow(&mut self, start: Span, line: &[Token], interner: &Interner, sink: &mut Sink) {
        let mut fail = |span: Span, message: &str| {
            sink.error(Diagnostic::new(Code::InvalidPragma, span, message));
        };
        let [open, args @ .., close] = line else {
            return fail(start, "missing parentheses around the arguments of `#pragma pack`");
        };
        let is_at = |token: &Token, punct| token.kind == TokenKind::Punct(punct);
        if !is_at(open, Punct::LParen) || !is_at(close, Punct::RParen) {
            return fail(start, "missing parentheses around the arguments of `#pragma pack`");
        }
        let (mut action, mut name, mut value) = (None, None, None);
        for (idx, arg) in args.split(|token| is_at(token, Punct::Comma)).enumerate() {
            match arg {
                [] if args.is_empty() => {}
                [Token { kind: TokenKind::Ident(symbol), .. }] if idx == 0 => {
                    match interner.spelling(*symbol) {
                        "push" => action = Some(Action::Push),
                        "pop" => action = Some(Action::Pop),
                        _ => return fail(arg[0].span, "expected `push`, `pop` or a number"),
                    }
                }
                [Token { kind: TokenKind::Ident(symbol), .. }] if idx == 1 && action.is_some() => {
                    name = Some(*symbol);
                }
                [Token { kind: TokenKind::Number(symbol), .. }]
                    if value.is_none() && (idx == 0 || action.is_some()) =>
                {
                    value = pack_value(interner.spelling(*symbol));
                    if value.is_none() {
                        return fail(arg[0].span, "expected `#pragma pack` parameter to be 1, 2, 4, 8 or 16");
                    }
                }
                _ => return fail(start, "invalid arguments to `#pragma pack`"),
            }
        }
        match action {
            Some(Action::Push) => self.saved.push((name, self.current)),
            Some(Action::Pop) if !self.pop(name) => {
                return fail(start, "`#pragma pack(pop)` without a matching `push`");
            }
            Some(Action::Pop) => {}
            None => self.current = None,
        }
        if let Some(value) = value {
            self.current = Some(value).filter(|&value| value > 0);
        }
    }

    /// Goes back to what the last `push` saved, or the last of that name.
    fn pop(&mut self, name: Option<Symbol>) -> bool {
        let at = match name {
            Some(_) => self.saved.iter().rposition(|(saved, _)| *saved == name),
            None => self.saved.len().checked_sub(1),
        };
        let Some(at) = at else { return false };
        self.current = self.saved[at].1;
        self.saved.truncate(at);
        true
    }
}

/// 0 stands for the natural alignment.
fn pack_value(spelling: &str) -> Option<u32> {
    match number(spelling) {
        Ok((Number::Int(literal), _)) => {
            u32::try_from(literal.value).ok().filter(|value| matches!(value, 0 | 1 | 2 | 4 | 8 | 16))
        }
        Ok((Number::Float(_), _)) | Err(_) => None,
    }
}
