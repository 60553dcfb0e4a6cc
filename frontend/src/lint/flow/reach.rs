//! Unreachable code, infinite recursion, fall-through between cases.

use super::super::Lints;
use super::graph::{Event, Graph};
use crate::diag::{Code, Diagnostic, Fix};
use crate::ir::{Func, Function};
use crate::source::Span;

impl Lints<'_> {
    /// The first statement of each stretch that nothing leads to.
    pub(super) fn unreachable(&mut self, graph: &Graph) {
        if !self.sink.is_on(Code::UnreachableCode) {
            return;
        }
        let reached = graph.reachable(true);
        let preds = graph.preds();
        for (idx, block) in graph.blocks.iter().enumerate() {
            if reached[idx] || !preds[idx].is_empty() {
                continue;
            }
            let first = block.events.iter().find_map(|event| match *event {
                Event::Stmt(span) => Some(span),
                Event::Declare(_) | Event::Use(..) | Event::Store(_) | Event::Call(..) => None,
            });
            if let Some(span) = first {
                self.warn(Diagnostic::new(Code::UnreachableCode, span, "code will never be executed"));
            }
        }
    }

    /// All ways through the function call it again.
    pub(super) fn endless_recursion(&mut self, func: Func, function: &Function, graph: &Graph) {
        if !self.sink.is_on(Code::InfiniteRecursion) || !graph.reachable(false)[graph.exit] {
            return;
        }
        let mut call = None;
        let mut seen = vec![false; graph.blocks.len()];
        let mut queue = vec![0];
        while let Some(idx) = queue.pop() {
            if std::mem::replace(&mut seen[idx], true) {
                continue;
            }
            if idx == graph.exit {
                return;
            }
            let again = graph.blocks[idx].events.iter().find_map(|event| match *event {
                Event::Call(called, span) if called == func => Some(span),
                _ => None,
            });
            match again {
                Some(span) => call = call.or(Some(span)),
                None => queue.extend(&graph.blocks[idx].succs),
            }
        }
        if let Some(call) = call {
            let message = "all paths through this function will call itself";
            let diagnostic = Diagnostic::new(Code::InfiniteRecursion, function.span, message)
                .with_label(call, "recursive call here");
            self.warn(diagnostic);
        }
    }

    pub(super) fn fallthrough(&mut self, graph: &Graph) {
        if !self.sink.is_on(Code::ImplicitFallthrough) || graph.falls.is_empty() {
            return;
        }
        let reached = graph.reachable(false);
        for fall in graph.falls.iter().filter(|fall| reached[fall.from]) {
            if self.says_falls(Span::new(fall.last.hi.min(fall.label.lo), fall.label.lo)) {
                continue;
            }
            let label = Span::new(fall.label.lo, fall.label.lo + 4);
            let diagnostic = Diagnostic::new(
                Code::ImplicitFallthrough,
                label,
                "unannotated fall-through between switch labels",
            )
            .with_label(fall.last, "falls through to the next case")
            .with_fix(Fix::new(
                "insert `[[fallthrough]];` to silence this warning",
                fall.label.start(),
                "[[fallthrough]]; ",
            ))
            .with_help("insert `break;` to avoid fall-through");
            self.warn(diagnostic);
        }
    }

    /// Whether a comment says so, as GCC takes it.
    fn says_falls(&self, between: Span) -> bool {
        let text = self.sources.text(between).to_ascii_lowercase();
        ["fallthrough", "fall through", "fall-through", "falls through", "fallthru"]
            .iter()
            .any(|words| text.contains(words))
    }
}
