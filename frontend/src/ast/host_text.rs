//! Host code that decides which instances of kernel templates there are.

use std::rc::Rc;

use super::{Name, TemplateDecl};
use crate::namespace::Namespace;
use crate::token::{Symbol, Token};

/// The tokens of host code that names a kernel template, or a template that does.
#[derive(Debug)]
pub(crate) struct HostText {
    pub(crate) kind: HostTextKind,
    pub(crate) namespace: Namespace,
    /// The tag of the struct whose member it is.
    pub(crate) record: Option<Symbol>,
    /// They end in `Eof`.
    pub(crate) tokens: Vec<Token>,
}

/// What skipped host code is to launches.
#[derive(Clone, Debug)]
pub(crate) enum HostTextKind {
    /// Functions, classes, variables.
    Code,
    /// A function template, whose launches are made with its arguments. The tokens are those of the declaration.
    Template(Rc<TemplateDecl>),
    /// `template <> …`, with the tokens from the declaration on.
    Specialization,
    /// `template …;`, with the tokens from the declaration on.
    Instantiation,
    /// A class template, or another whose instances are not known: its name, if it has one.
    Other(Option<Name>),
}
