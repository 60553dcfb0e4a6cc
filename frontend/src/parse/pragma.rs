//! Pragmas between the preprocessor and the grammar.
//!
//! Nothing in the grammar follows a pragma yet: each is taken out of the stream with a warning. A production
//! that understands one lets it through here.

use std::borrow::Cow;

use crate::diag::{Code, Diagnostic, Sink};
use crate::token::{Token, TokenKind};

/// The tokens without the pragmas that no production understands.
pub(super) fn without<'t>(tokens: &'t [Token], sink: &mut Sink) -> Cow<'t, [Token]> {
    if !tokens.iter().any(|token| matches!(token.kind, TokenKind::PragmaStart(_))) {
        return Cow::Borrowed(tokens);
    }
    let mut kept = Vec::with_capacity(tokens.len());
    let mut is_within = false;
    for token in tokens {
        if let TokenKind::PragmaStart(pragma) = token.kind {
            let message = format!("`#pragma {}` has no effect", pragma.spelling());
            sink.emit(Diagnostic::new(Code::UnknownPragma, token.span, message));
            is_within = true;
        } else if token.kind == TokenKind::PragmaEnd {
            is_within = false;
        } else if !is_within {
            kept.push(*token);
        }
    }
    Cow::Owned(kept)
}
