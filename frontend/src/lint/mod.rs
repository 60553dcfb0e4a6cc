//! Warnings about correct programs: code that is allowed but probably not intended.
//!
//! In: the AST and the typed program, without errors. Out: warnings in the
//! [`Sink`]. Nothing is changed. Warnings and options follow clang, which users
//! know. Checks that depend on types, constants or control flow use the typed program;
//! checks of the text (parentheses, indentation) use the AST. Checks that need both, such as an
//! operator as written and the types of its operands, are in `sema`.
//!
//! - [`parentheses`]: operators whose precedence is often mistaken
//! - [`layout`]: statements whose layout is misleading
//! - [`comments`]: comments that do not end where they seem to
//! - [`conversion`]: implicit conversions that may change a value
//! - [`cuda`]: mistakes specific to device code
//! - [`flow`]: warnings based on control flow
//! - [`memory`]: out-of-bounds accesses, addresses that outlive their variable
//! - [`sequence`]: unsequenced modifications
//! - [`switches`]: switches that do not handle a value of an enum
//! - [`stored`]: values that are never read
//! - [`unevaluated`]: names that are not in the typed program
//! - [`unused`]: unused variables, parameters, functions, labels
//!
//! **Invariant**: a check whose warnings are all off does not run.

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
use crate::ir::{Expr, Func, Function, MethodKind, Module, StmtData};
use crate::source::{SourceMap, Span};
use crate::token::{Interner, Symbol};

/// Facts about the AST for the checks of the typed program.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The `;` of each `[[fallthrough]];`.
    fallthroughs: HashSet<Span>,
    /// The names in unevaluated operands such as that of `sizeof`, each with its places.
    unevaluated: HashMap<Symbol, Vec<Span>>,
}

/// Checks the AST: the given nodes and their descendants.
pub(crate) fn check_syntax(
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

/// Checks the bodies of functions that have just been analyzed, with the program so far.
pub(crate) fn check_bodies(
    seen: &Seen,
    module: &Module,
    funcs: &[Func],
    sources: &SourceMap,
    interner: &Interner,
    sink: &mut Sink,
) {
    let mut lints = Lints { seen, module, sources, interner, sink };
    for &func in funcs {
        let function = &module.functions[func];
        // The same text is the one for a whole object.
        let is_again = function.method.is_some_and(|method| {
            matches!(method.kind, MethodKind::BaseConstructor | MethodKind::BaseDestructor)
        });
        if !is_again {
            lints.body(func, function);
        }
    }
}

/// Checks the whole program, after the bodies of its functions. No body is
/// checked again.
pub(crate) fn check_program(
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

/// The shared state of the checks of the AST.
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

/// The shared state of the checks of the typed program.
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
