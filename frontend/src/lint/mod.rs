//! Warnings about programs that are right: what is allowed, and most likely not meant.
//!
//! Goes in: the syntax and the typed program made of it, without errors. Comes out: warnings in the
//! [`Sink`]. Nothing is changed. What is warned of, and by which option, follows clang, whose users
//! know it; where types, constants and the flow of control decide, the typed program is looked at, and
//! where only the text does (parentheses, indentation), the syntax. What needs the two at once, an
//! operator as written and the types of its operands, is warned of in `sema`.
//!
//! - [`parentheses`]: operators whose precedence is often mistaken
//! - [`layout`]: statements that do not say what their layout says
//! - [`comments`]: comments that end elsewhere than they seem to
//! - [`conversion`]: implicit conversions that may change a value
//! - [`cuda`]: what only device code can do wrong
//! - [`flow`]: what the flow of control tells
//! - [`memory`]: accesses that miss their array, addresses that outlive their variable
//! - [`sequence`]: changes whose order is not fixed
//! - [`switches`]: switches that leave out a value of an enum
//! - [`stored`]: values that nothing reads
//! - [`unevaluated`]: names that the typed program knows nothing of
//! - [`unused`]: variables, parameters, functions, labels that nothing uses
//!
//! **Invariant**: a check whose warnings are all off is not made.

mod comments;
mod conversion;
mod cuda;
mod flow;
mod layout;
mod memory;
mod parentheses;
mod sequence;
mod stored;
mod switches;
mod unevaluated;
mod unused;

use hashbrown::{HashMap, HashSet};

use crate::ast::{Nodes, TranslationUnit};
use crate::diag::{Code, Diagnostic, Sink};
use crate::ir::{Expr, Func, Function, Module, StmtData};
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Symbol};

/// What is remembered of the syntax for the checks of the typed program.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The `;` of each `[[fallthrough]];`.
    fallthroughs: HashSet<Span>,
    /// The names in operands of `sizeof` and the like, each with its places.
    unevaluated: HashMap<Symbol, Vec<Span>>,
}

/// Looks at the syntax: at the nodes that are given, and below them.
pub(crate) fn look_at_syntax(
    unit: &TranslationUnit,
    nodes: &Nodes,
    sources: &SourceMap,
    sink: &mut Sink,
    seen: &mut Seen,
) {
    let mut syntax = Syntax { unit, nodes, sources, sink };
    syntax.parentheses();
    syntax.layout();
    syntax.remember(seen);
}

/// Looks at the bodies of functions that have just been checked, with what is known of the program so far.
pub(crate) fn look_at_bodies(
    seen: &Seen,
    module: &Module,
    funcs: &[Func],
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) {
    let mut lints = Lints { seen, module, sources, interner, sink };
    for &func in funcs {
        lints.body(func, &module.functions[func]);
    }
}

/// Looks at the whole program, the bodies of whose functions have been looked at. No body is
/// looked at once more.
pub(crate) fn look_at_program(
    seen: &Seen,
    module: &Module,
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) {
    let mut lints = Lints { seen, module, sources, interner, sink };
    lints.unused_names();
    lints.comments();
    for function in module.functions.values() {
        lints.unused_function(function);
        lints.launch_bounds(function);
    }
    lints.shared_memory();
}

/// What the checks of the syntax share.
struct Syntax<'a> {
    unit: &'a TranslationUnit,
    nodes: &'a Nodes,
    sources: &'a SourceMap,
    sink: &'a mut Sink,
}

impl Syntax<'_> {
    fn warn(&mut self, diagnostic: Diagnostic) {
        self.sink.emit(diagnostic);
    }
}

impl StmtData {
    /// The expression that is evaluated for its effect: the statement's, or the step of a `for`.
    fn dropped(&self) -> Option<Expr> {
        match self {
            StmtData::Expr(expr) => Some(*expr),
            StmtData::For(head, _) => head.step,
            _ => None,
        }
    }
}

/// What the checks of the typed program share.
struct Lints<'a> {
    seen: &'a Seen,
    module: &'a Module,
    sources: &'a SourceMap,
    interner: &'a Interner,
    sink: &'a mut Sink,
}

impl<'a> Lints<'a> {
    /// Makes the checks that need no more than a function's body, one after the other while it is at hand.
    fn body(&mut self, func: Func, function: &'a Function) {
        let Some(body) = &function.body else { return };
        self.unused(body);
        self.conversions(body);
        self.flow(func, function, body);
        self.memory(body);
        self.sequence(body);
        self.stored(function, body);
        self.switches(body);
        self.barriers(body);
    }

    fn is_any_on(&self, codes: &[Code]) -> bool {
        codes.iter().any(|&code| self.sink.is_on(code))
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        self.sink.emit(diagnostic);
    }
}
