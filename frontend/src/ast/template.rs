//! Templates, and the arguments after their names.

use std::rc::Rc;

use cranelift_entity::entity_impl;
use smallvec::SmallVec;

use super::{Access, ExprId, Name, Special, TypeNameId};
use crate::source::Span;
use crate::token::{Keyword, Symbol, Token, TokenKind};

/// A template: its tokens, which are read again for each instance.
#[derive(Debug)]
pub(crate) struct TemplateDecl {
    pub(crate) name: Name,
    pub(crate) params: Vec<TemplateParam>,
    /// The declaration after `template <…>`, pragmas included; the last token is `Eof`.
    pub(crate) tokens: Vec<Token>,
    /// It has a body, or a value.
    pub(crate) is_definition: bool,
    pub(crate) kind: TemplateKind,
    /// The tokens of the type that it is a partial specialization for, or that it is a member of; the last is `Eof`.
    pub(crate) of: Option<Vec<Token>>,
    /// Nothing in it says that it is the device's.
    pub(crate) may_be_of_host: bool,
    /// The template itself, of a definition outside of a class template: `template <class T> template <class U> void S<T>::f(U) {}`.
    pub(crate) inner: Option<Rc<TemplateDecl>>,
}

/// A template that is a member of a class.
#[derive(Debug)]
pub(crate) struct MemberTemplate {
    pub(crate) access: Access,
    pub(crate) declaration: Rc<TemplateDecl>,
    /// It makes constructors or conversion functions.
    pub(crate) special: Option<Special>,
    /// The name of the class.
    pub(crate) tag: Symbol,
    /// The class and those around it, from the outside in.
    pub(crate) classes: SmallVec<[ClassId; 2]>,
}

/// What a template makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateKind {
    Function,
    /// Structs, or unions.
    Class {
        is_union: bool,
    },
    /// `using name = type;`
    Alias,
    Variable,
    /// The definition of a member of a class template, outside of it.
    Member,
    /// Classes whose arguments a deduction guide says: a function that returns one.
    Guide {
        is_explicit: bool,
    },
}

impl TemplateDecl {
    /// Whether its instances are kernels.
    pub(crate) fn is_kernel(&self) -> bool {
        self.tokens.iter().any(|token| token.kind == TokenKind::Keyword(Keyword::Global))
    }
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub(crate) struct TemplateParam {
    pub(crate) name: Option<Name>,
    pub(crate) kind: TemplateParamKind,
    /// `class... T`
    pub(crate) is_pack: bool,
    pub(crate) span: Span,
    /// The tokens of its default argument; the last is `Eof`.
    pub(crate) default: Option<Vec<Token>>,
}

/// What a parameter of a template takes (C++17 17.1).
#[derive(Clone, Debug)]
pub(crate) enum TemplateParamKind {
    Type,
    /// A value of the type that these tokens declare a parameter of; the last is `Eof`.
    Value(Vec<Token>),
    /// A template of types with such parameters.
    Template(Vec<TemplateParam>),
}

/// An argument of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TemplateArg {
    Type(TypeNameId),
    Value(ExprId),
    /// `T...`, where the length of the pack is not known: in the signature of a template.
    Types(TypeNameId),
    /// The same of values.
    Values(ExprId),
}

/// A struct or union whose members the parser has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClassId(u32);
entity_impl!(ClassId);
