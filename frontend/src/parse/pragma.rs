//! Pragmas between the preprocessor and the grammar.
//!
//! A pragma may stand anywhere, and no production is to stumble over one. So they are taken out of the
//! stream. `#pragma pack` speaks of all that follows: [`Packs`] knows what it says at each token. Another one is remembered with the token that it stands before, and what follows its name is put behind
//! the end of the text. A production that understands a pragma asks whether one stands where it begins; what
//! nothing asked for has no effect, and a warning says so.

use super::Parser;
use super::pack::{PackStack, Packs};
use crate::diag::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::token::{Interner, Pragma, Token, TokenKind};

/// A pragma that the parser may understand.
pub(super) struct Placed {
    pub(super) pragma: Pragma,
    /// Its name.
    pub(super) span: Span,
    /// The token that it stands before.
    pub(super) before: usize,
    /// The first token behind its name.
    pub(super) args: usize,
    pub(super) is_taken: bool,
}

/// What the parser reads.
pub(super) struct Apart {
    /// The tokens without pragmas, and behind their `Eof` those behind the pragmas' names, each line with its
    /// end.
    pub(super) tokens: Vec<Token>,
    /// What `#pragma pack` says.
    pub(super) packs: Packs,
    /// The other pragmas, in the order of the text.
    pub(super) pragmas: Vec<Placed>,
}

/// Takes the pragmas out of the tokens. `stack` is what those before them say.
pub(super) fn set_apart(
    tokens: Vec<Token>,
    stack: &mut PackStack,
    interner: &Interner,
    sink: &mut Sink,
) -> Apart {
    let (mut packs, mut pragmas) = (Packs::since(stack), Vec::new());
    // Mostly there is none: so there is no question after each token whether to stop.
    let is_pragma = |token: &Token| matches!(token.kind, TokenKind::PragmaStart(_));
    if !tokens.iter().fold(false, |any, token| any | is_pragma(token)) {
        return Apart { tokens, packs, pragmas };
    }
    let (mut kept, mut args): (Vec<Token>, Vec<Token>) = (Vec::with_capacity(tokens.len()), Vec::new());
    let mut rest = &tokens[..];
    while let Some((&token, behind)) = rest.split_first() {
        rest = behind;
        let TokenKind::PragmaStart(pragma) = token.kind else {
            kept.push(token);
            continue;
        };
        let len = rest.iter().position(|token| token.kind == TokenKind::PragmaEnd).unwrap_or(rest.len());
        let (line, end) = rest.split_at(len);
        rest = end.get(1..).unwrap_or_default();
        match pragma {
            Pragma::Pack => {
                stack.follow(token.span, line, interner, sink);
                packs.change(kept.len(), stack);
            }
            Pragma::Unroll | Pragma::Nounroll => {
                let (before, first) = (kept.len(), args.len());
                pragmas.push(Placed { pragma, span: token.span, before, args: first, is_taken: false });
                args.extend(line);
                args.extend(end.first());
                args.push(Token { kind: TokenKind::Eof, ..end.first().copied().unwrap_or(token) });
            }
        }
    }
    for pragma in &mut pragmas {
        pragma.args += kept.len();
    }
    kept.extend(args);
    Apart { tokens: kept, packs, pragmas }
}

impl Parser<'_> {
    /// Warns of the pragmas that nothing asked for.
    pub(super) fn warn_unused_pragmas(&mut self) {
        for placed in self.pragmas.iter().filter(|placed| !placed.is_taken) {
            let diagnostic = match placed.pragma {
                Pragma::Unroll => {
                    let message = "`#pragma unroll` is not followed by a loop and has no effect";
                    Diagnostic::new(Code::MisplacedPragma, placed.span, message)
                }
                // nvcc knows it no more than others.
                Pragma::Nounroll => {
                    let message = "`#pragma nounroll` has no effect";
                    Diagnostic::new(Code::UnknownPragma, placed.span, message)
                        .with_help("use `#pragma unroll 1` to prevent unrolling")
                }
                // It has an effect wherever it stands, and is none of these.
                Pragma::Pack => continue,
            };
            self.sink.emit(diagnostic);
        }
    }
}
