//! The abstract syntax: what the parser saw, before any meaning.
//!
//! Expressions, statements and initializers live in arenas of the [`TranslationUnit`] and refer to
//! each other by handle, so that a deep program is dropped without recursion. Declarators are flat
//! lists of [`Chunk`]s. Nothing here has a type; names are not resolved, but for one thing that the
//! grammar itself needs: whether an identifier names a type.
//!
//! - [`arena`]: where nodes of one kind lie
//! - [`print`]: the text of `--emit=ast`
//!
//! **Invariant**: every handle points into the arenas of the same unit, and no node is shared.

mod arena;
pub(crate) mod print;

use std::ops::Range;

use cranelift_entity::entity_impl;
use hashbrown::HashSet;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::source::Span;
use crate::token::Symbol;
pub(crate) use arena::Arena;

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

/// A handle on a [`StrLit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StrId(u32);
entity_impl!(StrId, "str");

/// A handle on the path of an `offsetof`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PathId(u32);
entity_impl!(PathId, "path");

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
    /// The arguments of calls, those of one behind the other.
    args: Vec<ExprId>,
    /// The statements of blocks and before conditions, as the arguments.
    listed_stmts: Vec<StmtId>,
    /// Of the expressions those that [`crate::lint`] looks at, since parentheses may be missing in them: operators
    /// with an operator as an operand, conditionals, and those with `!`.
    pub(crate) unparenthesised: Vec<ExprId>,
    /// The declarations in blocks.
    pub(crate) local_decls: Arena<DeclId, Decl>,
    /// The declarations at file scope in the order of the text. `extern "C" { … }` is flattened into the
    /// declarations within, each marked with its language linkage.
    pub(crate) decls: Vec<Decl>,
    /// Names that a refused construct or a declaration with a mistake in it declares. That they are
    /// not declared has been said: nothing more is to be reported about them.
    pub(crate) refused: Refused,
}

impl TranslationUnit {
    /// A unit with room for what so many tokens become in most programs. What is not used is never touched.
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

    /// The nodes that have been made, from what is given on.
    pub(crate) fn nodes_since(&self, before: &Nodes) -> Nodes {
        Nodes {
            exprs: before.exprs.end..self.exprs.len(),
            stmts: before.stmts.end..self.stmts.len(),
            inits: before.inits.end..self.inits.len(),
            type_names: before.type_names.end..self.type_names.len(),
            strings: before.strings.end..self.strings.len(),
            paths: before.paths.end..self.paths.len(),
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
        self.args.truncate(nodes.args.start);
        self.listed_stmts.truncate(nodes.listed_stmts.start);
        self.unparenthesised.truncate(nodes.unparenthesised.start);
        self.local_decls.truncate(nodes.decls.start);
    }
}

/// The names that were refused.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    symbols: HashSet<Symbol>,
    names: HashSet<Name>,
}

impl Refused {
    pub(crate) fn insert(&mut self, name: Name) {
        self.symbols.insert(name.symbol);
        self.names.insert(name);
    }

    /// Whether a declaration of the name was refused, wherever it stands.
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
    /// `static_assert(cond[, "message"]);`
    StaticAssert {
        cond: ExprId,
        message: Option<ExprId>,
    },
    /// A lone `;`.
    Empty,
    /// What the parser could not read; reported.
    Error,
}

/// A function with its body.
#[derive(Debug)]
pub(crate) struct FunctionDef {
    pub(crate) specs: DeclSpecs,
    pub(crate) declarator: Declarator,
    /// Always a [`StmtKind::Block`].
    pub(crate) body: StmtId,
    /// The nodes of the body, which lie together.
    pub(crate) nodes: Nodes,
}

/// What the arenas hold from one place in the text to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) exprs: Range<usize>,
    pub(crate) stmts: Range<usize>,
    pub(crate) inits: Range<usize>,
    type_names: Range<usize>,
    strings: Range<usize>,
    paths: Range<usize>,
    args: Range<usize>,
    listed_stmts: Range<usize>,
    pub(crate) unparenthesised: Range<usize>,
    pub(crate) decls: Range<usize>,
}

/// Everything that stands before the declarators.
#[derive(Debug)]
pub(crate) struct DeclSpecs {
    pub(crate) span: Span,
    pub(crate) storage: Option<(Storage, Span)>,
    /// `inline` in any spelling.
    pub(crate) inline: Written,
    /// `constexpr`.
    pub(crate) constexpr: Written,
    pub(crate) quals: QualSpecs,
    pub(crate) ty: TypeSpec,
    pub(crate) ty_span: Span,
    /// CUDA's qualifiers and the attributes before the declarators, in the order of the text.
    pub(crate) attrs: ThinVec<Attr>,
    /// Within `extern "C"`: the span of the string.
    pub(crate) extern_c: Written,
}

impl DeclSpecs {
    /// Specifiers that are a type alone.
    pub(crate) fn new(ty: TypeSpec, span: Span) -> Self {
        DeclSpecs {
            span,
            storage: None,
            inline: Written::default(),
            constexpr: Written::default(),
            quals: QualSpecs::default(),
            ty,
            ty_span: span,
            attrs: ThinVec::new(),
            extern_c: Written::default(),
        }
    }
}

/// Storage-class specifiers (C17 6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    Typedef,
    Extern,
    Static,
    /// Taken and ignored, with C++17's objection.
    Register,
}

/// Where each type qualifier was written; a repeated one keeps its first place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QualSpecs {
    pub(crate) const_: Written,
    pub(crate) volatile: Written,
    pub(crate) restrict: Written,
}

/// Where a word was written, if it was: as small as a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written(Span);

impl Written {
    const NOWHERE: Written = Written(Span { lo: u32::MAX, hi: u32::MAX });

    pub(crate) fn is_some(self) -> bool {
        self != Written::NOWHERE
    }

    pub(crate) fn is_none(self) -> bool {
        !self.is_some()
    }

    pub(crate) fn span(self) -> Option<Span> {
        self.is_some().then_some(self.0)
    }

    /// Notes the place, unless there is one.
    pub(crate) fn or_insert(&mut self, span: Span) {
        if self.is_none() {
            *self = Written(span);
        }
    }
}

impl Default for Written {
    fn default() -> Self {
        Written::NOWHERE
    }
}

impl From<Option<Span>> for Written {
    fn from(span: Option<Span>) -> Self {
        span.map_or(Written::NOWHERE, Written)
    }
}

/// The type specifiers, with combinations such as `unsigned long long` resolved.
#[derive(Debug)]
pub(crate) enum TypeSpec {
    Builtin(BuiltinTy),
    /// A typedef name, or in C++'s way the bare tag of a struct, union or enum.
    Named(Name),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    /// `auto`.
    Auto,
    /// `__typeof__(expression)`
    TypeofExpr(ExprId),
    /// `__typeof__(type)`
    TypeofType(Box<TypeName>),
    /// `decltype(expression)`
    Decltype(ExprId),
    /// None or an impossible combination; reported.
    Error,
}

/// Types that keywords spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltinTy {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    WChar,
    Char16,
    Char32,
    Float,
    Double,
    LongDouble,
}

/// `struct` or `union`, with or without its members.
#[derive(Debug)]
pub(crate) struct RecordSpec {
    pub(crate) is_union: bool,
    /// The span of the keyword.
    pub(crate) keyword: Span,
    pub(crate) tag: Option<Name>,
    /// Those before the tag and, of a definition, those about the type behind the `}`.
    pub(crate) attrs: ThinVec<Attr>,
    /// What `#pragma pack` says there.
    pub(crate) pack: Option<u32>,
    pub(crate) members: Option<ThinVec<MemberDecl>>,
    /// Some of the members were not understood, and are missing; reported.
    pub(crate) is_broken: bool,
}

/// A line of members: `specifiers declarator [: width], …;`
#[derive(Debug)]
pub(crate) struct MemberDecl {
    pub(crate) specs: DeclSpecs,
    /// Empty for an anonymous struct or union.
    pub(crate) declarators: ThinVec<MemberDeclarator>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct MemberDeclarator {
    /// Without a name only for an unnamed bit-field.
    pub(crate) declarator: Declarator,
    pub(crate) bit_width: Option<ExprId>,
    /// `= init` of a default member initializer: C++ has it, Weft refuses it by name.
    pub(crate) init: Option<InitId>,
}

/// `enum`, with or without its enumerators.
#[derive(Debug)]
pub(crate) struct EnumSpec {
    pub(crate) keyword: Span,
    /// `enum class` or `enum struct`: the span of the second word.
    pub(crate) scoped: Option<Span>,
    /// Before the tag, and those behind the `}` that are about the type.
    pub(crate) attrs: ThinVec<Attr>,
    pub(crate) tag: Option<Name>,
    /// `: type` of a fixed underlying type.
    pub(crate) underlying: Option<Box<TypeName>>,
    pub(crate) enumerators: Option<ThinVec<Enumerator>>,
}

#[derive(Debug)]
pub(crate) struct Enumerator {
    pub(crate) name: Name,
    pub(crate) attrs: ThinVec<Attr>,
    pub(crate) value: Option<ExprId>,
}

/// A declarator as a list of what the name *is*, from the name outwards: `int (*a[3])(float)` is
/// `[Array 3, Pointer, Function(float)]`, to be read "array of 3 pointers to function".
#[derive(Debug)]
pub(crate) struct Declarator {
    /// None in an abstract declarator.
    pub(crate) name: Option<Name>,
    pub(crate) chunks: ThinVec<Chunk>,
    /// `__asm__("symbol")` behind it: the string literal.
    pub(crate) asm_label: Option<(ExprId, Span)>,
    /// Attributes within the declarator, then those behind it.
    pub(crate) attrs: ThinVec<Attr>,
    /// How many stand within it: before its name or among its pointers.
    pub(crate) n_inner_attrs: u32,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) kind: ChunkKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ChunkKind {
    Pointer(QualSpecs),
    /// `[len]`, or `[]`.
    Array(Option<ExprId>),
    Function(Box<FunctionChunk>),
    /// `&` or `&&`: outside the subset; sema names it.
    Reference,
}

/// The parameters of a function, and what stands behind them.
#[derive(Debug)]
pub(crate) struct FunctionChunk {
    /// `(void)` and `()` are both empty, as in C++.
    pub(crate) params: ThinVec<ParamDecl>,
    /// The span of `...`.
    pub(crate) variadic: Option<Span>,
    pub(crate) noexcept: Option<Noexcept>,
}

/// `noexcept`, `noexcept(cond)` or `throw()`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noexcept {
    pub(crate) cond: Option<ExprId>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct ParamDecl {
    pub(crate) specs: DeclSpecs,
    pub(crate) declarator: Declarator,
    pub(crate) default: Option<InitId>,
    pub(crate) span: Span,
}

/// Mostly there is one.
pub(crate) type InitDeclarators = SmallVec<[InitDeclarator; 1]>;

#[derive(Debug)]
pub(crate) struct InitDeclarator {
    pub(crate) declarator: Declarator,
    pub(crate) init: Option<InitId>,
}

/// A type name, as in a cast: specifiers and an abstract declarator.
#[derive(Debug)]
pub(crate) struct TypeName {
    pub(crate) specs: DeclSpecs,
    pub(crate) declarator: Declarator,
    pub(crate) span: Span,
}

/// An attribute or CUDA qualifier.
#[derive(Debug)]
pub(crate) struct Attr {
    pub(crate) kind: AttrKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum AttrKind {
    Global,
    Device,
    Host,
    Shared,
    Constant,
    Managed,
    GridConstant,
    Noinline,
    Forceinline,
    InlineHint,
    /// `__launch_bounds__(max_threads[, min_blocks[, max_cluster]])`
    LaunchBounds(ThinVec<ExprId>),
    Maxnreg(ExprId),
    ClusterDims(ThinVec<ExprId>),
    BlockSize(ThinVec<ExprId>),
    /// `__align__(n)`, `alignas(n)`
    Align(ExprId),
    /// `alignas(type)`
    AlignasType(Box<TypeName>),
    /// `alignas(value)`
    AlignasValue(ExprId),
    /// `__attribute__((name(args)))`, and `[[name(args)]]`, one for each name.
    Gnu {
        name: Name,
        args: ThinVec<ExprId>,
    },
}

/// An initializer (C17 6.7.9).
#[derive(Debug)]
pub(crate) struct InitNode {
    pub(crate) kind: InitKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum InitKind {
    Expr(ExprId),
    /// `(a, b)` behind a name: other than one value in parentheses.
    Parens(ThinVec<ExprId>),
    /// `{ … }`
    List(ThinVec<InitItem>),
}

#[derive(Debug)]
pub(crate) struct InitItem {
    /// `.field`, `[index]`, from the outside in; empty for none.
    pub(crate) designators: ThinVec<Designator>,
    pub(crate) init: InitId,
}

#[derive(Debug)]
pub(crate) enum Designator {
    Field(Name),
    Index(ExprId, Span),
    /// GNU's `[first ... last]`
    Range(ExprId, ExprId, Span),
}

/// An expression at its place.
#[derive(Debug)]
pub(crate) struct ExprNode {
    pub(crate) kind: ExprKind,
    /// The whole expression.
    pub(crate) span: Span,
    /// How many nodes stand one above the other in it, at most [`MAX_HEIGHT`](crate::limits::MAX_HEIGHT).
    pub(crate) height: u16,
}

const _: () = assert!(size_of::<ExprNode>() == 32);

/// Where the arguments of a call lie in the unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args {
    start: u32,
    end: u32,
}

/// What kind of expression it is. Owns no memory, so that there is nothing to do where expressions are forgotten.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExprKind {
    Int(IntLit),
    Float(FloatLit),
    Char(CharLit),
    /// Adjacent literals are joined (translation phase 6).
    Str(StrId),
    Bool(bool),
    Nullptr,
    Ident(Symbol),
    Paren(ExprId),
    Unary {
        op: UnaryOp,
        op_span: Span,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `lhs = rhs`, or with an operator `lhs op= rhs`.
    Assign {
        op: Option<BinaryOp>,
        op_span: Span,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `cond ? then : otherwise`, and GNU's `cond ?: otherwise`.
    Conditional {
        cond: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    },
    Call {
        callee: ExprId,
        args: Args,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `base.name`, or with `arrow` `base->name`.
    Member {
        base: ExprId,
        arrow: bool,
        name: Name,
    },
    /// `(type)operand`
    Cast {
        ty: TypeNameId,
        operand: ExprId,
    },
    /// `static_cast<type>(operand)` and its sisters.
    NamedCast {
        cast: NamedCast,
        ty: TypeNameId,
        operand: ExprId,
    },
    /// `type(args)`
    FunctionalCast {
        ty: TypeNameId,
        args: Args,
    },
    /// `__builtin_va_arg(list, type)`
    VaArg {
        list: ExprId,
        ty: TypeNameId,
    },
    /// `{ … }` as an argument, the value of a `return` or the right side of an assignment: its type is
    /// that of what takes it.
    Braced(InitId),
    /// `({ … })`: always a [`StmtKind::Block`].
    Statements(StmtId),
    /// `(type){ … }` or `type{ … }`
    CompoundLiteral {
        ty: TypeNameId,
        init: InitId,
    },
    SizeofExpr(ExprId),
    SizeofType(TypeNameId),
    AlignofExpr(ExprId),
    AlignofType(TypeNameId),
    /// `__builtin_offsetof(type, path)`: the path begins with a member.
    Offsetof {
        ty: TypeNameId,
        path: PathId,
    },
    /// What the parser could not read; reported.
    Error,
}

/// An integer literal (C17 6.4.4.1); its type is sema's affair.
///
/// Packed as are the other literals: with an alignment of eight bytes they would make all expressions larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct IntLit {
    pub(crate) value: u64,
    pub(crate) is_decimal: bool,
    pub(crate) is_unsigned: bool,
    pub(crate) length: IntLength,
}

/// The `l`s of an integer suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntLength {
    None,
    Long,
    LongLong,
}

/// A floating literal (C17 6.4.4.2), correctly rounded to its type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(Rust, packed(4))]
pub(crate) struct FloatLit {
    /// For a `float`, the float's value, exactly.
    pub(crate) value: f64,
    pub(crate) suffix: FloatSuffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatSuffix {
    /// `double`
    None,
    /// `float`
    F,
    /// `long double`
    L,
}

/// The prefix of a character or string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LitPrefix {
    None,
    U8,
    /// `u`: char16_t
    U16,
    /// `U`: char32_t
    U32,
    /// `L`: wchar_t, 32 bits
    Wide,
}

/// A character literal: with one character its code, sign-extended from `char` where it is one;
/// with several, an `int` as GCC and nvcc make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct CharLit {
    pub(crate) value: i64,
    pub(crate) prefix: LitPrefix,
    pub(crate) is_multichar: bool,
}

/// A string literal: its code units, without the terminating zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StrLit {
    pub(crate) units: Vec<u32>,
    pub(crate) prefix: LitPrefix,
    /// What it was made of.
    pub(crate) pieces: Vec<StrPiece>,
}

/// One of adjacent string literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StrPiece {
    pub(crate) spelling: Symbol,
    pub(crate) span: Span,
    /// The place of its first unit among those of the whole.
    pub(crate) first: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedCast {
    Static,
    Reinterpret,
    Const,
}

/// A statement at its place.
#[derive(Debug)]
pub(crate) struct StmtNode {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// Where the statements of a block, or those before a condition, lie in the unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StmtList {
    start: u32,
    end: u32,
}

impl StmtList {
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// What kind of statement it is. Owns no memory, as [`ExprKind`].
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
    /// `#pragma unroll [count]` before a statement; what could not be read of it is reported.
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
    /// `[[fallthrough]];`
    Fallthrough,
    /// `;`
    Empty,
    /// What the parser could not read; reported.
    Error,
}

/// What stands in the parentheses of `if`, `while` and `switch`, and as the condition of `for`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    /// What comes first, and lives as long as the statement: the part before a `;`, and a declaration
    /// that is the condition, whose name `expr` then is (C++17 9.4p2).
    pub(crate) first: StmtList,
    pub(crate) expr: ExprId,
    /// `expr` is the name of the variable that the last of `first` declares.
    pub(crate) declares: bool,
}
