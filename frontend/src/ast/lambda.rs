//! Lambda expressions (C++17 8.1.5).

use thin_vec::ThinVec;

use super::{DeclSpecs, Declarator, InitId, Name, StmtId};
use crate::source::Span;

/// A lambda expression.
#[derive(Debug)]
pub(crate) struct Lambda {
    /// `[…]`
    pub(crate) introducer: Span,
    /// `=` or `&` alone: how variables are captured that the list does not name.
    pub(crate) default: Option<(CaptureKind, Span)>,
    pub(crate) captures: ThinVec<Capture>,
    /// Of its call operator: `auto`, and CUDA's qualifiers.
    pub(crate) specs: DeclSpecs,
    /// That of its call operator, `const` unless the lambda is `mutable`.
    pub(crate) declarator: Declarator,
    pub(crate) is_mutable: bool,
    /// The type of the first parameter with `auto` in it: the lambda is generic.
    pub(crate) generic: Option<Span>,
    /// Always a [`StmtKind::Block`](super::StmtKind::Block).
    pub(crate) body: StmtId,
}

/// How a variable is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaptureKind {
    Copy,
    Reference,
}

/// What a lambda names in its brackets.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) kind: CaptureKind,
    /// The variable; none for `this`, or by copy `*this`.
    pub(crate) name: Option<Name>,
    /// `name = init`: a variable of the lambda's own.
    pub(crate) init: Option<InitId>,
    pub(crate) span: Span,
}
