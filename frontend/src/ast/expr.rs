//! Expressions and literals.

use cranelift_entity::packed_option::PackedOption;

use super::{ExprId, InitId, Name, PathId, StmtId, StrId, TemplateArgsId, TypeNameId};
use crate::source::Span;
use crate::token::Symbol;

/// An expression at its place.
#[derive(Debug)]
pub(crate) struct ExprNode {
    pub(crate) kind: ExprKind,
    /// The whole expression.
    pub(crate) span: Span,
    /// Its height in nodes, at most [`MAX_HEIGHT`](crate::limits::MAX_HEIGHT).
    pub(crate) height: u16,
}

const _: () = assert!(size_of::<ExprNode>() == 32);

/// The range of a call's arguments in the unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The kind of expression. It owns no memory, so dropping expressions is free.
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
    /// An element of a pack, by its index; without one, the pack itself where nothing expands it.
    Element {
        pack: Symbol,
        idx: Option<u32>,
    },
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
    /// `base.scope::name`: the member is an [`ExprKind::Scoped`].
    ScopedMember {
        base: ExprId,
        arrow: bool,
        member: ExprId,
    },
    /// `base.~type()`, or `base.scope::~type()`
    Destroy {
        base: ExprId,
        arrow: bool,
        scope: PackedOption<TypeNameId>,
        ty: TypeNameId,
    },
    /// `base.operator type()`
    ConversionCall {
        base: ExprId,
        arrow: bool,
        ty: TypeNameId,
    },
    New(super::NewId),
    /// `delete operand`, or `delete[] operand`
    Delete {
        operand: ExprId,
        is_array: bool,
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
    /// `f<int, 4>`; the name may be qualified.
    TemplateId {
        name: ExprId,
        args: TemplateArgsId,
    },
    /// `scope::name`, whose scope is a type, or a namespace in its place.
    Scoped {
        ty: TypeNameId,
        name: Name,
    },
    /// `std::min`, or `std::min<type>`, where it is called.
    /// `this`
    This,
    StdFunction {
        function: StdFunction,
        ty: Option<TypeNameId>,
    },
    /// `std::numeric_limits<type>::limit`, of a function with its parentheses.
    NumericLimit {
        ty: TypeNameId,
        limit: Limit,
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
    Lambda(super::LambdaId),
    /// The element of a range-based `for`, as the initial value of its variable.
    RangeElement,
    /// `(type){ … }` or `type{ … }`
    CompoundLiteral {
        ty: TypeNameId,
        init: InitId,
        /// It was written in C's way, with parentheses around the type.
        is_object: bool,
    },
    SizeofExpr(ExprId),
    SizeofType(TypeNameId),
    /// `sizeof...(pack)`: the length, unless it is not known in the signature of a template.
    SizeofPack {
        pack: Symbol,
        len: Option<u32>,
    },
    /// `pattern...` in the signature of a template. Elsewhere, its elements take its place.
    Expansion(ExprId),
    /// A fold in the signature of a template (C++17 8.1.6). Elsewhere, its operators take its place.
    Fold {
        op: FoldOp,
        is_right: bool,
        pack: ExprId,
        init: PackedOption<ExprId>,
    },
    AlignofExpr(ExprId),
    AlignofType(TypeNameId),
    /// `__builtin_offsetof(type, path)`: the path begins with a member.
    Offsetof {
        ty: TypeNameId,
        path: PathId,
    },
    /// `__is_pod(type)`, `__is_same(type, type)`
    TypeTrait {
        asked: TypeTrait,
        ty: TypeNameId,
        other: Option<TypeNameId>,
    },
    /// Text that could not be parsed; reported.
    Error,
}

/// `new (placement) type[count] init` (C++17 8.3.4)
#[derive(Clone, Copy, Debug)]
pub(crate) struct New {
    pub(crate) placement: Option<Args>,
    /// Without the outermost bound of an array.
    pub(crate) ty: TypeNameId,
    pub(crate) count: Option<ExprId>,
    pub(crate) init: Option<InitId>,
}

/// A built-in type trait of GNU C++, on one or two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeTrait {
    Abstract,
    Aggregate,
    BaseOf,
    Class,
    Destructible,
    Empty,
    Enum,
    Final,
    Function,
    Pod,
    Polymorphic,
    Same,
    StandardLayout,
    Trivial,
    TriviallyCopyable,
    TriviallyDestructible,
    Union,
}

impl TypeTrait {
    const NAMES: &[(&str, TypeTrait)] = &[
        ("__is_abstract", TypeTrait::Abstract),
        ("__is_aggregate", TypeTrait::Aggregate),
        ("__is_base_of", TypeTrait::BaseOf),
        ("__is_class", TypeTrait::Class),
        ("__is_destructible", TypeTrait::Destructible),
        ("__is_empty", TypeTrait::Empty),
        ("__is_enum", TypeTrait::Enum),
        ("__is_final", TypeTrait::Final),
        ("__is_function", TypeTrait::Function),
        // No destructor throws.
        ("__is_nothrow_destructible", TypeTrait::Destructible),
        ("__is_pod", TypeTrait::Pod),
        ("__is_polymorphic", TypeTrait::Polymorphic),
        ("__is_same", TypeTrait::Same),
        ("__is_same_as", TypeTrait::Same),
        ("__is_standard_layout", TypeTrait::StandardLayout),
        ("__is_trivial", TypeTrait::Trivial),
        ("__is_trivially_copyable", TypeTrait::TriviallyCopyable),
        ("__is_trivially_destructible", TypeTrait::TriviallyDestructible),
        ("__is_union", TypeTrait::Union),
    ];

    /// The question of that name.
    pub(crate) fn named(name: &str) -> Option<TypeTrait> {
        let idx = TypeTrait::NAMES.binary_search_by_key(&name, |&(name, _)| name).ok()?;
        Some(TypeTrait::NAMES[idx].1)
    }

    /// Whether two types are asked about.
    pub(crate) fn is_of_two(self) -> bool {
        matches!(self, TypeTrait::BaseOf | TypeTrait::Same)
    }
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
    /// For a `float`, the float's value, exactly; for a `long double`, the nearest double.
    pub(crate) value: f64,
    pub(crate) suffix: FloatSuffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatSuffix {
    /// `double`
    None,
    /// `float`
    F,
    /// `long double`, with its difference from the nearest double ([`crate::extended::Extended`])
    L(i16),
    /// `long double`, of a value that no `double` comes near
    Far,
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
    /// Its tokens.
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

/// The operator of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldOp {
    Binary(BinaryOp),
    /// `=`, or with an operator `op=`.
    Assign(Option<BinaryOp>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedCast {
    Static,
    Reinterpret,
    Const,
}

impl NamedCast {
    pub(crate) fn word(self) -> &'static str {
        match self {
            NamedCast::Static => "static_cast",
            NamedCast::Reinterpret => "reinterpret_cast",
            NamedCast::Const => "const_cast",
        }
    }
}

/// A function of the C++ library that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StdFunction {
    Min,
    Max,
    Move,
    Forward,
}

impl StdFunction {
    pub(crate) fn name(self) -> &'static str {
        match self {
            StdFunction::Min => "std::min",
            StdFunction::Max => "std::max",
            StdFunction::Move => "std::move",
            StdFunction::Forward => "std::forward",
        }
    }
}

macro_rules! limits {
    ($($variant:ident $name:literal $is_function:literal)*) => {
        /// A member of `std::numeric_limits` (C++17 21.3.4).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Limit {
            $($variant,)*
        }

        impl Limit {
            /// The member of that name, and whether it is a function.
            pub(crate) fn named(name: &str) -> Option<(Limit, bool)> {
                match name {
                    $($name => Some((Limit::$variant, $is_function)),)*
                    _ => None,
                }
            }

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Limit::$variant => $name,)*
                }
            }

            pub(crate) fn is_function(self) -> bool {
                match self {
                    $(Limit::$variant => $is_function,)*
                }
            }
        }
    };
}

limits! {
    Min "min" true
    Max "max" true
    Lowest "lowest" true
    Epsilon "epsilon" true
    RoundError "round_error" true
    Infinity "infinity" true
    QuietNan "quiet_NaN" true
    DenormMin "denorm_min" true
    IsSpecialized "is_specialized" false
    IsSigned "is_signed" false
    IsInteger "is_integer" false
    IsExact "is_exact" false
    HasInfinity "has_infinity" false
    HasQuietNan "has_quiet_NaN" false
    IsIec559 "is_iec559" false
    IsBounded "is_bounded" false
    Digits "digits" false
    Digits10 "digits10" false
    MaxDigits10 "max_digits10" false
    Radix "radix" false
    MinExponent "min_exponent" false
    MinExponent10 "min_exponent10" false
    MaxExponent "max_exponent" false
    MaxExponent10 "max_exponent10" false
}
