//! The text of `--emit=ast`.

use super::TranslationUnit;
use crate::token::Interner;

/// The unit as an indented tree.
pub(crate) fn print(_unit: &TranslationUnit, _interner: &Interner) -> String {
    String::new()
}
