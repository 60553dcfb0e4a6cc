//! Names in operands of `sizeof` and the like, of which the typed program knows nothing.

use super::{Seen, Syntax};
use crate::ast::{ExprKind, StmtKind};
use crate::diag::Code;
use crate::token::Interner;

impl Seen {
    /// Whether the name is used where nothing is evaluated.
    pub(super) fn is_unevaluated(&self, name: &str, interner: &Interner) -> bool {
        interner.lookup(name).is_some_and(|symbol| self.unevaluated.contains(&symbol))
    }
}

impl Syntax<'_> {
    /// Remembers what the checks of the typed program will ask for.
    pub(super) fn remember(&self, seen: &mut Seen) {
        let codes = [Code::ImplicitFallthrough, Code::UnusedButSetVariable, Code::UnusedButSetParameter];
        if !codes.iter().any(|&code| self.sink.is_on(code)) {
            return;
        }
        for node in self.unit.stmts.range(&self.nodes.stmts) {
            if matches!(node.kind, StmtKind::Fallthrough) {
                seen.fallthroughs.insert(node.span);
            }
        }
        for node in self.unit.exprs.range(&self.nodes.exprs) {
            let (ExprKind::SizeofExpr(operand) | ExprKind::AlignofExpr(operand)) = node.kind else {
                continue;
            };
            // Its parts were made right before it.
            let span = self.unit.exprs[operand].span;
            let end = operand.as_u32() as usize + 1;
            let parts = self.unit.exprs.range(&(self.nodes.exprs.start..end)).iter().rev();
            for part in parts.take_while(|part| span.lo <= part.span.lo && part.span.hi <= span.hi) {
                if let ExprKind::Ident(symbol) = part.kind {
                    seen.unevaluated.insert(symbol);
                }
            }
        }
    }
}
