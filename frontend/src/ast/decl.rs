//! Declarations: specifiers, declarators, attributes and initializers.

use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::template::{ClassId, MemberTemplate};
use super::{ExprId, InitId, MethodId, Name, StmtId, TemplateArgsId};
use crate::ir::RefKind;
use crate::source::Span;
use crate::token::{Symbol, Token};

/// Everything before the declarators.
#[derive(Debug)]
pub(crate) struct DeclSpecs {
    pub(crate) span: Span,
    pub(crate) storage: Option<(Storage, Span)>,
    /// `inline` in any spelling.
    pub(crate) inline: Written,
    /// `constexpr`.
    pub(crate) constexpr: Written,
    /// `friend`, among members.
    pub(crate) friend: Written,
    /// `mutable`, among members.
    pub(crate) is_mutable: bool,
    pub(crate) quals: QualSpecs,
    pub(crate) ty: TypeSpec,
    pub(crate) ty_span: Span,
    /// CUDA's qualifiers and the attributes before the declarators, in the order of the text.
    pub(crate) attrs: ThinVec<Attr>,
    /// Within `extern "C"`: the span of the string.
    pub(crate) extern_c: Written,
    /// What is declared has no type before its name.
    pub(crate) special: Option<Special>,
    /// `explicit`, of a constructor or a conversion function.
    pub(crate) explicit: Written,
}

/// A member function that is not declared as other functions are (C++17 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Its name is that of the class, its result `void`.
    Constructor,
    /// The same after `~`.
    Destructor,
    /// `operator T`: the type is that of the result.
    Conversion,
}

impl DeclSpecs {
    /// Specifiers that are a type code.
    pub(crate) fn new(ty: TypeSpec, span: Span) -> Self {
        DeclSpecs {
            span,
            storage: None,
            inline: Written::default(),
            constexpr: Written::default(),
            friend: Written::default(),
            is_mutable: false,
            quals: QualSpecs::default(),
            ty,
            ty_span: span,
            attrs: ThinVec::new(),
            extern_c: Written::default(),
            special: None,
            explicit: Written::default(),
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
    /// An element of a pack of types, by its index; without one, the pack itself where nothing expands it.
    Element(Box<(Name, Option<u32>)>),
    /// `outer::name`, whose outer part is a type or a namespace.
    Nested(Box<(TypeSpec, Name)>),
    /// `S<int>`: an instance of a template of types, whose name comes first.
    Instance(Box<(TypeSpec, TemplateArgsId)>),
    /// What is before a leading `::`, as the outer part of a name: the global namespace.
    Global,
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    /// `auto`.
    Auto,
    /// `decltype(auto)`
    DecltypeAuto,
    /// `__typeof__(expression)`
    TypeofExpr(ExprId),
    /// `__typeof__(type)`
    TypeofType(Box<TypeName>),
    /// `decltype(expression)`
    Decltype(ExprId),
    /// None or an impossible combination; reported.
    Error,
}

impl TypeSpec {
    /// Whether a value says what it stands for (C++17 10.1.7.4).
    pub(crate) fn is_placeholder(&self) -> bool {
        matches!(self, TypeSpec::Auto | TypeSpec::DecltypeAuto)
    }

    /// Whether it defines a struct, union or enum.
    pub(crate) fn is_definition(&self) -> bool {
        match self {
            TypeSpec::Record(record) => record.members.is_some(),
            TypeSpec::Enum(enumeration) => enumeration.enumerators.is_some(),
            TypeSpec::Builtin(_)
            | TypeSpec::Named(_)
            | TypeSpec::Element(_)
            | TypeSpec::Nested(_)
            | TypeSpec::Instance(_)
            | TypeSpec::Global
            | TypeSpec::Auto
            | TypeSpec::DecltypeAuto
            | TypeSpec::TypeofExpr(_)
            | TypeSpec::TypeofType(_)
            | TypeSpec::Decltype(_)
            | TypeSpec::Error => false,
        }
    }
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
    /// What is before the last `::` of a qualified tag.
    pub(crate) scope: Option<Box<TypeSpec>>,
    pub(crate) tag: Option<Name>,
    /// The arguments after the tag of a specialization of a template.
    pub(crate) args: PackedOption<TemplateArgsId>,
    /// What the parser knows of its members.
    pub(crate) class: PackedOption<ClassId>,
    /// It is an explicit specialization or instantiation, and nothing in it says that it is the device's.
    pub(crate) may_be_of_host: bool,
    /// Attributes before the tag and, in a definition, those after the `}` that apply to the type.
    pub(crate) attrs: ThinVec<Attr>,
    /// The `#pragma pack` in effect there.
    pub(crate) pack: Option<u32>,
    /// The classes that it is derived from.
    pub(crate) bases: ThinVec<BaseSpec>,
    pub(crate) members: Option<ThinVec<Member>>,
    /// Some of the members were not understood, and are missing; reported.
    pub(crate) is_broken: bool,
    /// What of the host's decides how objects are made, copied and destroyed.
    pub(crate) host_members: HostMembers,
}

/// A class that another one is derived from (C++17 13).
#[derive(Debug)]
pub(crate) struct BaseSpec {
    pub(crate) access: Access,
    pub(crate) ty: TypeName,
    pub(crate) span: Span,
}

/// Member functions of the host that a struct has by which its objects are made, copied, assigned or destroyed: where one is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostMembers {
    /// A constructor that does not copy, or a default member initializer: what a list of values calls.
    pub(crate) constructor: Option<Span>,
    /// The same, for objects without a value. `S() = default` makes them as if there were no constructor.
    pub(crate) default_constructor: Option<Span>,
    /// A copy or move constructor.
    pub(crate) copy: Option<Span>,
    pub(crate) assignment: Option<Span>,
    pub(crate) destructor: Option<Span>,
}

impl HostMembers {
    /// There are none.
    pub(crate) fn is_empty(&self) -> bool {
        let HostMembers { constructor, default_constructor, copy, assignment, destructor } = self;
        [constructor, default_constructor, copy, assignment, destructor].iter().all(|member| member.is_none())
    }

    /// Adds those of a member's type.
    pub(crate) fn add(&mut self, other: HostMembers) {
        self.constructor = self.constructor.or(other.constructor);
        self.default_constructor = self.default_constructor.or(other.default_constructor);
        self.copy = self.copy.or(other.copy);
        self.assignment = self.assignment.or(other.assignment);
        self.destructor = self.destructor.or(other.destructor);
    }
}

/// Who may name a member (C++17 14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    #[default]
    Public,
    Protected,
    Private,
}

impl Access {
    /// The word that messages have.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Access::Public => "public",
            Access::Protected => "protected",
            Access::Private => "private",
        }
    }
}

#[derive(Debug)]
pub(crate) enum Member {
    Data(MemberDecl),
    Method(MethodId),
    Template(MemberTemplate),
    /// `using scope::name, scope::name;`
    Using(ThinVec<MemberUsing>),
    /// `template <…> friend class name;`
    FriendTemplate(Name),
    /// `static_assert(cond[, "message"]);`
    Assertion(Assertion),
}

/// An assertion among members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    pub(crate) cond: ExprId,
    pub(crate) message: Option<ExprId>,
    pub(crate) span: Span,
}

/// A name that a `using` declaration among members brings: `scope::name`.
#[derive(Debug)]
pub(crate) struct MemberUsing {
    pub(crate) access: Access,
    pub(crate) scope: Box<TypeSpec>,
    pub(crate) name: Name,
}

/// A line of members: `specifiers declarator [: width], …;`
#[derive(Debug)]
pub(crate) struct MemberDecl {
    pub(crate) access: Access,
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
    /// A default member initializer, or the value of a static member.
    pub(crate) init: Option<InitId>,
}

/// A member function as its class declares it.
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) access: Access,
    pub(crate) specs: DeclSpecs,
    pub(crate) declarator: Declarator,
    pub(crate) definition: MethodDefinition,
    /// The member initializers of a constructor; empty until the class is complete.
    pub(crate) inits: ThinVec<MemberInit>,
    /// Always a [`StmtKind::Block`](super::StmtKind::Block). It is missing until the class is complete, or for a mistake that was reported.
    pub(crate) body: Option<StmtId>,
    /// What the body is read from, once something needs it: of an instance of a template.
    pub(crate) text: Option<Box<MethodText>>,
}

/// The body of a member function that is still to be read.
#[derive(Debug)]
pub(crate) struct MethodText {
    /// From its `{` on, or from the `:` before member initializers; the last is `Eof`.
    pub(crate) tokens: Vec<Token>,
    /// The names of the parameters.
    pub(crate) params: SmallVec<[Symbol; 4]>,
    /// The packs among them, and how many of the parameters each is.
    pub(crate) packs: Vec<(Symbol, Option<u32>)>,
    /// The classes around it, from the outside in.
    pub(crate) classes: SmallVec<[ClassId; 2]>,
}

/// What a class says of a member function beside its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodDefinition {
    /// Nothing: it is defined elsewhere.
    Elsewhere,
    /// Its body.
    Body,
    /// `= default`
    Default(Span),
    /// `= delete`
    Delete(Span),
}

/// `name(…)` or `name{…}` of a constructor: how a member or a base is initialized (C++17 15.6.2).
#[derive(Debug)]
pub(crate) struct MemberInit {
    /// A base that is an instance of a template.
    pub(crate) ty: Option<Box<TypeName>>,
    /// What is before the last `::` of a qualified name, which is a base's.
    pub(crate) scope: Option<Box<TypeSpec>>,
    pub(crate) name: Name,
    pub(crate) init: InitId,
    pub(crate) span: Span,
}

/// `enum`, with or without its enumerators.
#[derive(Debug)]
pub(crate) struct EnumSpec {
    pub(crate) keyword: Span,
    /// `enum class` or `enum struct`: the span of the second word.
    pub(crate) scoped: Option<Span>,
    /// Attributes before the tag, and those after the `}` that apply to the type.
    pub(crate) attrs: ThinVec<Attr>,
    /// What is before the last `::` of a qualified tag.
    pub(crate) scope: Option<Box<TypeSpec>>,
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
    /// What is before the last `::` of a qualified name: a member of a namespace is declared from outside.
    pub(crate) scope: Option<Box<TypeSpec>>,
    /// The arguments after the name of a specialization or an instance of a template.
    pub(crate) template_args: PackedOption<TemplateArgsId>,
    pub(crate) chunks: ThinVec<Chunk>,
    /// The string literal of an `__asm__("symbol")` after it.
    pub(crate) asm_label: Option<(ExprId, Span)>,
    /// Attributes within the declarator, then those after it.
    pub(crate) attrs: ThinVec<Attr>,
    /// How many are within it: before its name or among its pointers.
    pub(crate) n_inner_attrs: u32,
    pub(crate) span: Span,
}

impl Declarator {
    /// Whether it declares a function.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.chunks.first(), Some(Chunk { kind: ChunkKind::Function(_), .. }))
    }
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
    /// `&` or `&&`
    Reference(RefKind, QualSpecs),
}

/// The parameters of a function, and what follows them.
#[derive(Debug)]
pub(crate) struct FunctionChunk {
    /// `(void)` and `()` are both empty, as in C++.
    pub(crate) params: ThinVec<ParamDecl>,
    /// The packs among them, and how many of the parameters each is; none is known in the signature of a template.
    pub(crate) packs: ThinVec<(Name, Option<u32>)>,
    /// The span of `...`.
    pub(crate) variadic: Option<Span>,
    pub(crate) noexcept: Option<Noexcept>,
    /// `-> type`
    pub(crate) trailing: Option<Box<TypeName>>,
    /// Those after the parameters of a member function, which are its object's.
    pub(crate) quals: QualSpecs,
    /// `&` or `&&` there: which objects it can be called for.
    pub(crate) ref_qualifier: Option<(RefKind, Span)>,
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
    pub(crate) pack: OfPack,
    pub(crate) span: Span,
}

/// Whether a parameter is one of a pack (C++17 17.5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfPack {
    No,
    /// An element of it, by its index.
    Element(u32),
    /// The pack itself, in the signature of a template.
    Whole,
}

/// Mostly there is one.
pub(crate) type InitDeclarators = SmallVec<[InitDeclarator; 1]>;

#[derive(Debug)]
pub(crate) struct InitDeclarator {
    pub(crate) declarator: Declarator,
    pub(crate) init: Option<InitId>,
}

/// `specifiers ["&" | "&&"] [a, b] initializer` (C++17 11.5)
#[derive(Debug)]
pub(crate) struct StructuredBinding {
    pub(crate) specs: DeclSpecs,
    /// The variable whose elements have the names: the first one for its own, and `&` or `&&` at most.
    pub(crate) declared: InitDeclarator,
    pub(crate) names: SmallVec<[Name; 4]>,
    /// The template arguments of `get<0>`, `get<1>` and so on, which may give the elements.
    pub(crate) indices: ThinVec<TemplateArgsId>,
    /// `[a, b]`
    pub(crate) list: Span,
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
    /// `__attribute__((name(args)))`, `[[gnu::name(args)]]`, and the standard's `[[name(args)]]`, one for each name.
    Gnu {
        name: Name,
        args: ThinVec<ExprId>,
    },
    /// `[[name]]` of a name that C++ lacks, or of another compiler's namespace: it has no meaning.
    Unknown(Name),
}

/// An initializer (C17 6.7.9).
#[derive(Debug)]
pub(crate) struct InitNode {
    pub(crate) kind: InitKind,
    /// It follows the name or the type without `=`: explicit constructors are candidates too (C++17 11.6p16).
    pub(crate) is_direct: bool,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum InitKind {
    Expr(ExprId),
    /// `(a, b)` after a name: any number of values other than one in parentheses.
    Parens(ThinVec<ExprId>),
    /// `{ … }`
    List(ThinVec<InitItem>),
}

#[derive(Debug)]
pub(crate) struct InitItem {
    /// `.field`, `[index]`, from the outside in; empty if there are none.
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

/// What concerns namespaces.
#[derive(Debug)]
pub(crate) enum NamespaceDecl {
    /// `namespace name {`; of `namespace a::b {` there are two.
    Open {
        /// None of an unnamed one.
        name: Option<Name>,
        is_inline: bool,
    },
    /// `}`
    Close,
    /// `namespace name = target;`
    Alias { name: Name, target: TypeSpec },
    /// `using namespace target;`
    Directive { target: TypeSpec },
    /// `using scope::name;`
    Using { scope: TypeSpec, name: Name },
}
