//! The abstract syntax tree: the output of the parser, before semantic analysis.
//!
//! Expressions, statements and initializers live in arenas of the [`TranslationUnit`] and refer to
//! each other by handle, so that a deep program is dropped without recursion. Declarators are flat
//! lists of [`Chunk`]s. Nothing here has a type; names are not resolved, except for one thing that the
//! grammar requires: whether an identifier names a type.
//!
//! - [`arena`]: storage for nodes of one kind
//! - [`decl`], [`expr`], [`stmt`], [`template`]: the nodes
//! - [`lambda`]: lambda expressions
//! - [`kernel_use`], [`host_text`]: what skipped host code says of kernels
//! - [`print`]: the text of `--emit=ast`
//!
//! **Invariant**: every handle points into the arenas of the same unit, and no node is shared.

mod arena;
mod decl;
mod expr;
mod host_text;
pub(crate) mod kernel_use;
mod lambda;
pub(crate) mod print;
mod stmt;
mod template;

use std::ops::Range;
use std::rc::Rc;

use cranelift_entity::entity_impl;
use hashbrown::HashSet;
use thin_vec::ThinVec;

use crate::diag::Diagnostic;
use crate::source::Span;
use crate::token::Symbol;
pub(crate) use arena::Arena;
pub(crate) use decl::{
    Access, Assertion, Attr, AttrKind, BaseSpec, BuiltinTy, Chunk, ChunkKind, DeclSpecs, Declarator,
    Designator, EnumSpec, Enumerator, FunctionChunk, HostMembers, InitDeclarator, InitDeclarators, InitItem,
    InitKind, InitNode, Member, MemberDecl, MemberDeclarator, MemberInit, MemberUsing, Method,
    MethodDefinition, MethodText, NamespaceDecl, Noexcept, OfPack, ParamDecl, QualSpecs, RecordSpec, Special,
    Storage, StructuredBinding, TypeName, TypeSpec, Written,
};
pub(crate) use expr::{
    Args, BinaryOp, CharLit, ExprKind, ExprNode, FloatLit, FloatSuffix, FoldOp, IntLength, IntLit, Limit,
    LitPrefix, NamedCast, New, StdFunction, StrLit, StrPiece, TypeTrait, UnaryOp,
};
pub(crate) use host_text::{HostText, HostTextKind};
pub(crate) use kernel_use::{KernelUse, KernelUseKind};
pub(crate) use lambda::{Capture, CaptureKind, Lambda};
pub(crate) use stmt::{AsmOperand, AsmStmt, AsmString, Condition, StmtKind, StmtList, StmtNode};
pub(crate) use template::{
    ClassId, MemberTemplate, TemplateArg, TemplateDecl, TemplateKind, TemplateParam, TemplateParamKind,
};

/// A handle on an [`ExprNode`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ExprId(u32);
entity_impl!(ExprId, "expr");

/// A handle on a [`StmtNode`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StmtId(u32);
entity_impl!(StmtId, "stmt");

/// A handle on an [`InitNode`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InitId(u32);
entity_impl!(InitId, "init");

/// A handle on a [`TypeName`] in an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeNameId(u32);
entity_impl!(TypeNameId, "type");

/// A handle on the arguments of a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TemplateArgsId(u32);
entity_impl!(TemplateArgsId, "arguments");

/// A handle on a [`Method`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MethodId(u32);
entity_impl!(MethodId, "method");

/// A handle on a [`Lambda`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LambdaId(u32);
entity_impl!(LambdaId, "lambda");

/// A handle on a [`New`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NewId(u32);
entity_impl!(NewId, "new");

/// A handle on a [`StrLit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StrId(u32);
entity_impl!(StrId, "str");

/// A handle on the path of an `offsetof`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PathId(u32);
entity_impl!(PathId, "path");

/// A handle on an [`AsmStmt`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AsmId(u32);
entity_impl!(AsmId, "asm");

/// A handle on a [`Decl`] in a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DeclId(u32);
entity_impl!(DeclId, "decl");

/// A whole `.src` file.
#[derive(Debug, Default)]
pub(crate) struct TranslationUnit {
    pub(crate) exprs: Arena<ExprId, ExprNode>,
    pub(crate) stmts: Arena<StmtId, StmtNode>,
    pub(crate) inits: Arena<InitId, InitNode>,
    pub(crate) type_names: Arena<TypeNameId, TypeName>,
    pub(crate) strings: Arena<StrId, StrLit>,
    pub(crate) paths: Arena<PathId, ThinVec<Designator>>,
    pub(crate) asms: Arena<AsmId, AsmStmt>,
    pub(crate) template_args: Arena<TemplateArgsId, ThinVec<TemplateArg>>,
    pub(crate) methods: Arena<MethodId, Method>,
    pub(crate) lambdas: Arena<LambdaId, Lambda>,
    pub(crate) news: Arena<NewId, New>,
    /// The arguments of calls, one call after the other.
    args: Vec<ExprId>,
    /// The statements of blocks and before conditions, as the arguments.
    listed_stmts: Vec<StmtId>,
    /// Of the expressions those that [`crate::lint`] looks at, since parentheses may be missing in them: operators
    /// with an operator as an operand, conditionals, and those with `!`.
    pub(crate) unparenthesised: Vec<ExprId>,
    /// The declarations in blocks.
    pub(crate) local_decls: Arena<DeclId, Decl>,
    /// The declarations at file scope in the order of the text. `extern "C" { … }` is flattened into the
    /// declarations within, each marked with its language linkage; a namespace into those between its beginning and its end.
    pub(crate) decls: Vec<Decl>,
    /// Names that a refused construct or a declaration with a mistake in it declares. That they are
    /// not declared has been said: nothing more is to be reported about them.
    pub(crate) refused: Refused,
    /// The uses of kernels in host code that was skipped, in the order of the text.
    pub(crate) kernel_uses: Vec<KernelUse>,
    /// The host code of which launches may need instances of templates.
    pub(crate) host_texts: Vec<Rc<HostText>>,
}

impl TranslationUnit {
    /// A unit with capacity for the usual number of nodes of so many tokens. Unused capacity is never touched.
    pub(crate) fn for_tokens(n_tokens: usize) -> Self {
        TranslationUnit {
            exprs: Arena::with_capacity(n_tokens / 2),
            stmts: Arena::with_capacity(n_tokens / 6),
            inits: Arena::with_capacity(n_tokens / 16),
            local_decls: Arena::with_capacity(n_tokens / 16),
            ..TranslationUnit::default()
        }
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> Nodes {
        self.nodes_since(&Nodes::default())
    }

    /// The nodes that have been added since the given ones.
    pub(crate) fn nodes_since(&self, before: &Nodes) -> Nodes {
        Nodes {
            exprs: before.exprs.end..self.exprs.len(),
            stmts: before.stmts.end..self.stmts.len(),
            inits: before.inits.end..self.inits.len(),
            type_names: before.type_names.end..self.type_names.len(),
            strings: before.strings.end..self.strings.len(),
            paths: before.paths.end..self.paths.len(),
            asms: before.asms.end..self.asms.len(),
            template_args: before.template_args.end..self.template_args.len(),
            lambdas: before.lambdas.end..self.lambdas.len(),
            news: before.news.end..self.news.len(),
            args: before.args.end..self.args.len(),
            listed_stmts: before.listed_stmts.end..self.listed_stmts.len(),
            unparenthesised: before.unparenthesised.end..self.unparenthesised.len(),
            decls: before.decls.end..self.local_decls.len(),
        }
    }

    /// Keeps the arguments of a call.
    pub(crate) fn push_args(&mut self, args: &[ExprId]) -> Args {
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        Args { start, end: self.args.len() as u32 }
    }

    /// The arguments of a call.
    pub(crate) fn args(&self, args: Args) -> &[ExprId] {
        &self.args[args.start as usize..args.end as usize]
    }

    /// Keeps the statements of a block, or those before a condition.
    pub(crate) fn push_stmt_list(&mut self, stmts: &[StmtId]) -> StmtList {
        let start = self.listed_stmts.len() as u32;
        self.listed_stmts.extend_from_slice(stmts);
        StmtList { start, end: self.listed_stmts.len() as u32 }
    }

    /// The statements of a list.
    pub(crate) fn stmt_list(&self, stmts: StmtList) -> &[StmtId] {
        &self.listed_stmts[stmts.start as usize..stmts.end as usize]
    }

    /// Forgets nodes and all that were made after them.
    pub(crate) fn truncate(&mut self, nodes: &Nodes) {
        self.exprs.truncate(nodes.exprs.start);
        self.stmts.truncate(nodes.stmts.start);
        self.inits.truncate(nodes.inits.start);
        self.type_names.truncate(nodes.type_names.start);
        self.strings.truncate(nodes.strings.start);
        self.paths.truncate(nodes.paths.start);
        self.asms.truncate(nodes.asms.start);
        self.template_args.truncate(nodes.template_args.start);
        self.lambdas.truncate(nodes.lambdas.start);
        self.news.truncate(nodes.news.start);
        self.args.truncate(nodes.args.start);
        self.listed_stmts.truncate(nodes.listed_stmts.start);
        self.unparenthesised.truncate(nodes.unparenthesised.start);
        self.local_decls.truncate(nodes.decls.start);
    }
}

/// The names that were refused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refused {
    symbols: HashSet<Symbol>,
    names: HashSet<Name>,
}

impl Refused {
    pub(crate) fn insert(&mut self, name: Name) {
        self.symbols.insert(name.symbol);
        self.names.insert(name);
    }

    /// Whether any declaration of the name was rejected.
    pub(crate) fn has(&self, symbol: Symbol) -> bool {
        self.symbols.contains(&symbol)
    }

    /// Whether the declaration that has the name here was refused.
    pub(crate) fn is_at(&self, name: Name) -> bool {
        self.names.contains(&name)
    }
}

impl Extend<Name> for Refused {
    fn extend<T: IntoIterator<Item = Name>>(&mut self, names: T) {
        names.into_iter().for_each(|name| self.insert(name));
    }
}

/// A name at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// A declaration, at file scope or in a block.
#[derive(Debug)]
pub(crate) struct Decl {
    pub(crate) kind: DeclKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum DeclKind {
    /// `specifiers declarator [= init], …;` — variables, function declarations and, with
    /// [`Storage::Typedef`], typedefs. Without declarators it declares a tag.
    Declarators {
        specs: DeclSpecs,
        declarators: InitDeclarators,
    },
    Function(Box<FunctionDef>),
    Template(Rc<TemplateDecl>),
    /// `template <> …`: the declaration of a function in place of an instance (C++17 17.7.3).
    Specialization(Box<DeclKind>),
    /// `template …;`: the declaration of an instance that is to be made (C++17 17.7.2).
    Instantiation(Box<DeclKind>),
    /// `auto [a, b] = value;` in a block.
    Binding(Box<StructuredBinding>),
    /// `static_assert(cond[, "message"]);`
    StaticAssert {
        cond: ExprId,
        message: Option<ExprId>,
    },
    /// Host code that was skipped.
    Host(Box<HostDecl>),
    /// The beginning or end of a namespace, or what makes names of one visible elsewhere.
    Namespace(Box<NamespaceDecl>),
    /// A lone `;`.
    Empty,
    /// Text that could not be parsed; reported.
    Error,
}

impl DeclKind {
    /// The function that is defined.
    pub(crate) fn function(&self) -> Option<&FunctionDef> {
        match self {
            DeclKind::Function(function) => Some(function),
            DeclKind::Specialization(decl) => decl.function(),
            _ => None,
        }
    }
}

/// An item of host code.
#[derive(Debug)]
pub(crate) struct HostDecl {
    pub(crate) kind: HostKind,
    /// What it declares, where the tokens show it.
    pub(crate) names: Vec<Name>,
    /// Whether a host linker would miss it: a function or variable with external linkage is defined.
    pub(crate) is_definition: bool,
    /// How many arguments it takes, if it is a function.
    pub(crate) arity: Option<Arity>,
    /// Why it could not be read as C, if that was tried.
    pub(crate) why: Option<Box<Diagnostic>>,
}

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arity {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// What an item of host code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostKind {
    Function,
    ConstexprFunction,
    Variable,
    /// A struct, class, union, enum or typedef that device code cannot use.
    Type,
    Template,
    Namespace,
    /// `using` of a name or a namespace.
    Using,
}

impl HostKind {
    /// What messages call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            HostKind::Function => "function",
            HostKind::ConstexprFunction => "constexpr function",
            HostKind::Variable => "variable",
            HostKind::Type => "type",
            HostKind::Template => "template",
            HostKind::Namespace => "namespace",
            HostKind::Using => "using",
        }
    }
}

/// A function with its body.
#[derive(Debug)]
pub(crate) struct FunctionDef {
    pub(crate) specs: DeclSpecs,
    pub(crate) declarator: Declarator,
    /// Those of a constructor.
    pub(crate) inits: ThinVec<MemberInit>,
    /// Always a [`StmtKind::Block`].
    pub(crate) body: StmtId,
    /// The nodes of the body, which are contiguous.
    pub(crate) nodes: Nodes,
}

/// The contents of the arenas between two places in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) exprs: Range<usize>,
    pub(crate) stmts: Range<usize>,
    pub(crate) inits: Range<usize>,
    type_names: Range<usize>,
    strings: Range<usize>,
    paths: Range<usize>,
    asms: Range<usize>,
    template_args: Range<usize>,
    lambdas: Range<usize>,
    news: Range<usize>,
    args: Range<usize>,
    listed_stmts: Range<usize>,
    pub(crate) unparenthesised: Range<usize>,
    pub(crate) decls: Range<usize>,
}
