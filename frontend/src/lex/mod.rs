//! From text to preprocessing tokens.

use crate::diag::Sink;
use crate::source::{FileId, SourceMap};
use crate::token::{Interner, Token};

pub(crate) fn lex(
    _sources: &SourceMap,
    _file: FileId,
    _interner: &mut Interner,
    _sink: &mut Sink,
) -> Vec<Token> {
    Vec::new()
}
