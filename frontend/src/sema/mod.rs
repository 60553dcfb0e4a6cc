//! Meaning.

use crate::ast::TranslationUnit;
use crate::diag::{Reported, Sink};
use crate::ir::Module;
use crate::token::Interner;

pub(crate) fn check(
    _unit: &TranslationUnit,
    _interner: &Interner,
    sink: &mut Sink,
) -> Result<Module, Reported> {
    sink.reported().map_or_else(|| Ok(Module::default()), Err)
}
