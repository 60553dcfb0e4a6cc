//! Directives.

use crate::diag::Sink;
use crate::token::{Interner, Token};

pub(crate) fn preprocess(tokens: Vec<Token>, _interner: &mut Interner, _sink: &mut Sink) -> Vec<Token> {
    tokens
}
