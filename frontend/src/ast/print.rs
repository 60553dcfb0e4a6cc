//! The text of `--emit=ast`.

use super::TranslationUnit;
use crate::source::SourceMap;
use crate::token::Interner;

/// The unit as an indented tree.
pub(crate) fn print(_unit: &TranslationUnit, _sources: &SourceMap, _interner: &Interner) -> String {
    String::new()
}
