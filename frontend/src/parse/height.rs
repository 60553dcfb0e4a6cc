//! Nodes into their arenas, how high the tree grows, and how deep the text nests.
//!
//! The height of an expression is one more than that of its highest operand. Of what holds other
//! things than operands — a type name in a cast, a declaration, a statement — it is one more than
//! that of anything made while it was read, which a high-water mark tells.

use std::ops::DerefMut;

use super::{Parsed, Parser};
use crate::ast::{Decl, ExprId, ExprKind, ExprNode, InitId, InitKind, InitNode, StmtId, StmtKind, StmtNode};
use crate::diag::{Code, Diagnostic, Reported};
use crate::limits::Depth;
use crate::source::Span;

/// What each context can do: read something under the limits of nesting and height, and go on in the same context.
pub(super) trait Bounded<'a>: DerefMut<Target = Parser<'a>> {
    /// Runs `inner` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= self.dialect.depth.nesting {
            let span = self.span();
            return Err(self.too_deep(span));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Runs `inner`, and gives with its value the height of the highest thing that it made. What
    /// stands around it sees that plus one.
    fn measured<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u16)> {
        let start = self.pos;
        let before = std::mem::take(&mut self.high_water);
        let result = inner(self);
        let height = self.high_water + 1;
        self.high_water = before.max(height);
        let value = result?;
        if height > self.dialect.depth.height {
            self.high_water = before;
            let span = self.tokens[start].span;
            return Err(self.too_deep(span));
        }
        Ok((value, height))
    }
}

impl<'a, Context: DerefMut<Target = Parser<'a>>> Bounded<'a> for Context {}

impl Parser<'_> {
    /// Puts an expression into its arena, or reports that the tree is too high. Inlined, since the caller knows the
    /// kind.
    #[inline(always)]
    pub(super) fn push_expr(&mut self, kind: ExprKind, span: Span) -> Parsed<ExprId> {
        self.push_expr_over(kind, span, 0)
    }

    /// The same for an expression that holds something of height `below` besides its operands.
    #[inline(always)]
    pub(super) fn push_expr_over(&mut self, kind: ExprKind, span: Span, below: u16) -> Parsed<ExprId> {
        let height = 1 + below.max(self.highest_operand(&kind));
        if height > self.dialect.depth.height {
            return Err(self.too_deep(span));
        }
        self.high_water = self.high_water.max(height);
        Ok(self.unit.exprs.push(ExprNode { kind, span, height }))
    }

    /// A place holder for what could not be read.
    pub(super) fn error_expr(&mut self, span: Span) -> ExprId {
        self.unit.exprs.push(ExprNode { kind: ExprKind::Error, span, height: 1 })
    }

    /// Puts an initializer into its arena; `below` is the height of what it holds.
    pub(super) fn push_init(&mut self, kind: InitKind, span: Span) -> InitId {
        self.unit.inits.push(InitNode { kind, is_direct: false, span })
    }

    /// One that stands behind a name or a type.
    pub(super) fn push_direct_init(&mut self, kind: InitKind, span: Span) -> InitId {
        self.unit.inits.push(InitNode { kind, is_direct: true, span })
    }

    /// Puts a statement into its arena.
    pub(super) fn push_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.unit.stmts.push(StmtNode { kind, span })
    }

    /// Puts a declaration and the statement that it is into their arenas. Inlined, so that it is not moved once more.
    #[inline(always)]
    pub(super) fn push_decl(&mut self, decl: Decl, span: Span) -> StmtId {
        let decl = self.unit.local_decls.push(decl);
        self.push_stmt(StmtKind::Decl(decl), span)
    }

    /// One more level over all that was made since the mark: for what is built from the inside out,
    /// as `else if` chains are.
    pub(super) fn raise(&mut self, span: Span) -> Parsed<()> {
        if self.high_water >= self.dialect.depth.height {
            return Err(self.too_deep(span));
        }
        self.high_water += 1;
        Ok(())
    }

    #[inline(always)]
    fn highest_operand(&self, kind: &ExprKind) -> u16 {
        let height = |id: ExprId| self.unit.exprs[id].height;
        match *kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::Ident(_)
            | ExprKind::Element { .. }
            | ExprKind::SizeofPack { .. }
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType(_)
            // Their parts are measured.
            | ExprKind::TemplateId { .. }
            | ExprKind::Scoped { .. }
            | ExprKind::StdFunction { .. }
            | ExprKind::This
            | ExprKind::NumericLimit { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Braced(_)
            | ExprKind::Statements(_)
            | ExprKind::Lambda(_)
            | ExprKind::New(_)
            | ExprKind::RangeElement
            | ExprKind::Offsetof { .. }
            | ExprKind::TypeTrait { .. }
            | ExprKind::Error => 0,
            ExprKind::Paren(operand)
            | ExprKind::VaArg { list: operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::Member { base: operand, .. }
            | ExprKind::ScopedMember { base: operand, .. }
            | ExprKind::Destroy { base: operand, .. }
            | ExprKind::ConversionCall { base: operand, .. }
            | ExprKind::Delete { operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::NamedCast { operand, .. }
            | ExprKind::SizeofExpr(operand)
            | ExprKind::Expansion(operand)
            | ExprKind::AlignofExpr(operand) => height(operand),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Assign { lhs, rhs, .. }
            | ExprKind::Index { base: lhs, index: rhs } => height(lhs).max(height(rhs)),
            ExprKind::Conditional { cond, then, otherwise } => {
                height(cond).max(then.map_or(0, height)).max(height(otherwise))
            }
            ExprKind::Fold { pack, init, .. } => height(pack).max(init.expand().map_or(0, height)),
            ExprKind::Call { callee, args } => {
                self.unit.args(args).iter().map(|&arg| height(arg)).fold(height(callee), u16::max)
            }
            ExprKind::FunctionalCast { args, .. } => {
                self.unit.args(args).iter().map(|&arg| height(arg)).max().unwrap_or(0)
            }
        }
    }

    pub(super) fn too_deep(&mut self, span: Span) -> Reported {
        if self.is_too_deep
            && let Some(reported) = self.sink.reported()
        {
            return reported;
        }
        let Depth { nesting, height } = self.dialect.depth;
        let diagnostic = Diagnostic::new(Code::NestingTooDeep, span.start(), "nesting is too deep")
            .with_note(format!("the maximum is {nesting} nested brackets and {height} nested operators"));
        let diagnostic = if self.dialect.depth == Depth::default() {
            diagnostic.with_help("split the expression: name its parts, or move them into functions")
        } else {
            diagnostic
                .with_help("the address space left for a stack is too small: raise its limit (`ulimit -v`)")
        };
        let reported = self.error(diagnostic);
        self.is_too_deep = true;
        reported
    }
}
