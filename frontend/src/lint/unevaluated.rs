//! Names in unevaluated operands such as that of `sizeof`, which the typed program does not contain.

use super::{Lints, Seen, Syntax};
use crate::ast::{ExprId, ExprKind, ExprNode, StmtKind};
use crate::diag::Code;
use crate::ir::{Body, Function};
use crate::source::Span;

impl Lints<'_> {
    /// Whether the name is used in the function where nothing is evaluated.
    pub(super) fn is_unevaluated(&self, name: &str, function: &Function, body: &Body) -> bool {
        let symbol = self.interner.lookup(name);
        let Some(places) = symbol.and_then(|symbol| self.seen.unevaluated.get(&symbol)) else { return false };
        // The tokens of a macro are at the place of its use.
        let written = |span| self.sources.written(span);
        let Span { lo, .. } = written(function.span);
        let Span { hi, .. } = written(body.end);
        places.iter().any(|&place| (lo..hi).contains(&written(place).lo))
    }
}

impl Seen {
    fn remember(&mut self, node: &ExprNode) {
        if let ExprKind::Ident(symbol) = node.kind {
            self.unevaluated.entry(symbol).or_default().push(node.span);
        }
    }
}

impl Syntax<'_> {
    /// Records facts for the checks of the typed program.
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
            self.remember_variable(operand, seen);
            // Its parts were added right before it. Those from a macro's argument are elsewhere.
            let span = self.unit.exprs[operand].span;
            let end = operand.as_u32() as usize + 1;
            let parts = self.unit.exprs.range(&(self.nodes.exprs.start..end)).iter().rev();
            for part in parts.take_while(|part| span.lo <= part.span.lo && part.span.hi <= span.hi) {
                seen.remember(part);
            }
        }
    }

    /// Remembers the variable of which the operand is a part or to which it points.
    fn remember_variable(&self, operand: ExprId, seen: &mut Seen) {
        let node = &self.unit.exprs[operand];
        match node.kind {
            ExprKind::Paren(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Index { base: inner, .. }
            | ExprKind::Member { base: inner, .. } => self.remember_variable(inner, seen),
            _ => seen.remember(node),
        }
    }
}
