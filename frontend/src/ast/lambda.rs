//! Lambda expressions (C++17 8.1.5).

use std::rc::Rc;

use cranelift_entity::packed_option::PackedOption;
use thin_vec::ThinVec;

use super::{DeclSpecs, Declarator, InitId, Name, StmtId, TemplateDecl};
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
    /// Always a [`StmtKind::Block`](super::StmtKind::Block). None if the lambda is generic.
    pub(crate) body: PackedOption<StmtId>,
    /// The template that its call operator is: one of its parameters is `auto`.
    pub(crate) generic: Option<Rc<TemplateDecl>>,
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
    /// Which element, if the name is that of a pack.
    pub(crate) element: Option<u32>,
    /// `name = init`: a variable of the lambda's own.
    pub(crate) init: Option<InitId>,
    pub(crate) span: Span,
}
