//! Warnings about programs that are right: what is allowed, and most likely not meant.
//!
//! Goes in: the syntax and the typed program made of it, without errors. Comes out: warnings in the
//! [`Sink`]. Nothing is changed. What is warned of, and by which option, follows clang, whose users
//! know it; where types, constants and the flow of control decide, the typed program is looked at, and
//! where only the text does (parentheses, indentation), the syntax.
//!
//! What needs no more than the one conversion or operator at hand is warned of in `sema`.
//!
//! - [`unused`]: variables, parameters, functions, labels, values that nothing uses
//!
//! **Invariant**: a check whose warnings are all off is not made.

mod unused;

use crate::ast::TranslationUnit;
use crate::diag::Sink;
use crate::ir::Module;
use crate::source::SourceMap;
use crate::token::Interner;

/// Looks at the whole program.
pub(crate) fn lint(
    _unit: &TranslationUnit,
    module: &Module,
    _sources: &SourceMap,
    _interner: &Interner,
    sink: &mut Sink,
) {
    let mut lints = Lints { module, sink };
    lints.unused();
}

/// What the checks share.
struct Lints<'a> {
    module: &'a Module,
    sink: &'a mut Sink,
}
