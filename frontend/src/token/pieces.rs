//! The tokens of a translation unit, in pieces.

use super::{Token, TokenKind};

/// The tokens of a translation unit, in pieces of which each ends behind a function. So whoever reads them can let
/// go of a piece once it is read: a long program is never there as tokens and as something else at the same time.
#[derive(Clone, Debug)]
pub struct TokenPieces {
    /// Not empty. Each ends in `Eof`.
    pieces: Vec<Vec<Token>>,
}

impl TokenPieces {
    /// Of pieces that each end in `Eof`.
    pub(crate) fn new(pieces: Vec<Vec<Token>>) -> Self {
        TokenPieces { pieces }
    }

    /// How many pieces there are.
    pub fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The pieces, each with its `Eof`.
    pub(crate) fn into_pieces(self) -> impl Iterator<Item = Vec<Token>> {
        self.pieces.into_iter()
    }

    /// All tokens in their order; the last is `Eof`.
    pub fn into_whole(self) -> Vec<Token> {
        let n_tokens: usize = self.pieces.iter().map(Vec::len).sum();
        let mut pieces = self.pieces.into_iter();
        let mut whole = pieces.next().unwrap_or_default();
        whole.reserve_exact(n_tokens - whole.len());
        for piece in pieces {
            whole.pop_if(|last| last.kind == TokenKind::Eof);
            whole.extend(piece);
        }
        whole
    }
}
