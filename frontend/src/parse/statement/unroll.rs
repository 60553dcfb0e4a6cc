//! `#pragma unroll` before a loop.

use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic};
use crate::parse::Statements;
use crate::parse::height::Bounded;
use crate::source::Span;
use crate::token::{Pragma, TokenKind};

/// `#pragma unroll`, as far as it could be read.
pub(super) struct UnrollPragma {
    pub(super) span: Span,
    pub(super) count: Option<ExprId>,
}

impl Statements<'_> {
    /// `unroll-pragma = "#pragma" "unroll" [assignment]`, if one stands before the current token.
    pub(super) fn unroll_pragma(&mut self) -> Option<UnrollPragma> {
        let back = self.pos;
        let first = self.pragmas.partition_point(|placed| placed.before < back);
        let here = self.pragmas[first..].iter_mut().take_while(|placed| placed.before == back);
        let mut waiting = here.filter(|placed| placed.pragma == Pragma::Unroll && !placed.is_taken);
        let placed = waiting.next()?;
        placed.is_taken = true;
        let (span, args) = (placed.span, placed.args);
        if self.kind_of(args) == TokenKind::PragmaEnd {
            return Some(UnrollPragma { span, count: None });
        }
        self.go_to(args);
        let count = self.nested(|p| p.expressions().assignment());
        let extra = (self.kind() != TokenKind::PragmaEnd).then(|| self.span());
        self.go_to(back);
        let count = count.ok()?;
        if let Some(extra) = extra {
            let message = "`#pragma unroll` expects one count and is ignored";
            self.sink.emit(Diagnostic::new(Code::MisplacedPragma, extra, message));
            return None;
        }
        Some(UnrollPragma { span, count: Some(count) })
    }
}
