//! Statements.

use thin_vec::ThinVec;

use super::{AsmId, DeclId, ExprId, Name, StmtId, StrId, Written};
use crate::source::Span;

/// A statement at its place.
#[derive(Debug)]
pub(crate) struct StmtNode {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// The range of the statements of a block, or of those before a condition, in the unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StmtList {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl StmtList {
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// The kind of statement. It owns no memory, like [`ExprKind`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum StmtKind {
    Expr(ExprId),
    Decl(DeclId),
    Block(StmtList),
    If {
        /// `if constexpr`: where the second word is.
        constexpr: Written,
        cond: Condition,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        cond: Condition,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    For {
        init: Option<StmtId>,
        cond: Option<Condition>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// `for (declaration : range) body`; the declared variable is initialized by [`ExprKind::RangeElement`].
    RangeFor {
        decl: StmtId,
        range: ExprId,
        body: StmtId,
    },
    Switch {
        cond: Condition,
        body: StmtId,
    },
    /// `case first: body`, and GNU's `case first ... last: body`.
    Case {
        first: ExprId,
        last: Option<ExprId>,
        body: StmtId,
    },
    /// `#pragma unroll [count]` before a statement; a malformed one has been reported.
    Unroll {
        pragma: Span,
        count: Option<ExprId>,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    Label {
        name: Name,
        body: StmtId,
    },
    Goto(Name),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// `asm("…" : … );`
    Asm(AsmId),
    /// `[[fallthrough]];`
    Fallthrough,
    /// `;`
    Empty,
    /// Text that could not be parsed; reported.
    Error,
}

/// The condition of `if`, `while`, `switch` and `for`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    /// The first part, which lives as long as the statement: the part before a `;`, and a declaration
    /// that is the condition, whose name `expr` then is (C++17 9.4p2).
    pub(crate) first: StmtList,
    pub(crate) expr: ExprId,
    /// `expr` is the name of the variable that the last of `first` declares.
    pub(crate) declares: bool,
}

/// `asm [volatile] ("text" : outputs : inputs : clobbers);` (Inline PTX Assembly in CUDA).
#[derive(Debug)]
pub(crate) struct AsmStmt {
    pub(crate) volatile: Written,
    pub(crate) text: AsmString,
    pub(crate) outputs: ThinVec<AsmOperand>,
    pub(crate) inputs: ThinVec<AsmOperand>,
    pub(crate) clobbers: ThinVec<AsmString>,
}

/// A string literal of an `asm`, at its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsmString {
    pub(crate) literal: StrId,
    pub(crate) span: Span,
}

/// `["[" name "]"] "constraint" (expression)`
#[derive(Debug)]
pub(crate) struct AsmOperand {
    pub(crate) name: Option<Name>,
    pub(crate) constraint: AsmString,
    pub(crate) expr: ExprId,
    pub(crate) span: Span,
}
