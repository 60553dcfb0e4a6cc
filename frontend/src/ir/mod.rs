//! The typed program.
//!
//! - [`entities`]: the handles
//! - [`types`]: types, interned
//! - [`expr`]: expressions and places
//! - [`stmt`]: statements and initializers
//! - [`asm`]: inline PTX
//! - [`integer`]: constants of the integer types
//! - [`builtin`]: built-in functions
//! - `type_code`: types as the Itanium C++ ABI writes them
//! - [`type_print`]: types as C spells them
//! - [`print`]: the text of `--emit=ir`
//! - [`verify`]: from [`Module`] to [`VerifiedModule`]
//!
//! Names are those of the source; the PTX symbol follows from [`LinkName`], the name and the
//! type, by the C++ ABI, and is computed in `weft-lower`.

pub mod asm;
pub mod builtin;
pub mod entities;
pub mod expr;
pub mod integer;
pub mod print;
pub mod stmt;
mod type_code;
pub mod type_print;
pub mod types;
pub mod verify;

pub use asm::{Asm, AsmInput, AsmOutput, AsmPiece, AsmPieceData, AsmPlace, AsmRegister};
pub use builtin::{
    AddressOp, AsyncOp, Atomic, AtomicOp, Builtin, BytesOp, ClusterOp, ConvertOp, DpxOp, Factor, FloatOp,
    Geometry, GroupFactor, GroupOption, HalfOp, HintOp, IntegerOp, Level, LibraryFn, MathOp, MatrixOp,
    MatrixRole, MatrixShape, MemoryOp, MemoryOrder, Ordered, OrderedOp, OverflowOp, Residency, RoundedOp,
    Scope, SimdOp, Sum, SyncOp, SystemOp, TextureOp, ThreadOp, WarpOp,
};
pub use entities::{
    Choice, ClassTemplate, Dependent, Enum, Expr, Func, Global, Init, Label, Local, Namespace, Opaque, Place,
    Record, Stmt, Ty, Typedef,
};
pub use expr::{
    Axis, BinaryOp, Binding, Callee, Change, CompareOp, Conversion, ExprData, ExprNode, LogicalOp, PlaceData,
    PlaceNode, SpecialReg, UnaryOp, VaListOp, Yields, evaluated,
};
pub use integer::Exact;
pub use stmt::{CaseRange, ConstInit, ForHead, InitData, InitNode, StmtData, StmtNode, SwitchHead, Unroll};
pub use types::{
    Address, Addressed, ClassInstance, ClassTemplateData, DependentTy, DependentValue, EnumData, Field,
    FloatTy, FuncTy, HalfTy, Instance, IntTy, LambdaName, LocalOwner, NamespaceData, OpaqueData, OpaqueKind,
    Quals, RecordData, RefKind, Scalar, TemplateArg, TyKind, TypeTable, TypedefData, View,
};
pub use verify::{VerifiedModule, VerifyError};

use std::collections::BTreeMap;

use cranelift_entity::PrimaryMap;

use crate::source::Span;

/// A translation unit, typed.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The types.
    pub types: TypeTable,
    /// The functions, in the order of their first declaration.
    pub functions: PrimaryMap<Func, Function>,
    /// The variables with static storage duration, in the order of their first declaration.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// Names that only this file can use, but does not.
    pub unused: Vec<UnusedName>,
}

/// An unused variable or typedef name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedName {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: UnusedKind,
    /// Where it was declared.
    pub span: Span,
}

/// The kind of an unused name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusedKind {
    /// A variable with static storage duration, in a function or not.
    Variable {
        /// It is const.
        is_const: bool,
        /// It is declared in a function.
        is_local: bool,
    },
    /// A typedef name in a function.
    Typedef,
}

/// How the symbol is formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkName {
    /// Mangled by the C++ ABI from name and type.
    Cxx,
    /// The plain name: `extern "C"`.
    C,
    /// Given by `__asm__("…")`.
    Asm {
        /// The symbol.
        symbol: String,
        /// Without the label it would be the plain name: `extern "C"`.
        is_c: bool,
    },
}

/// The visibility of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Other objects too.
    External,
    /// Other objects too, each of which may define it in the same way: `inline` functions.
    Inline,
    /// Other objects too; a definition that is not weak replaces it: `__attribute__((weak))`.
    Weak,
    /// This object code.
    Internal,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the source.
    pub name: String,
    /// The namespace that has it.
    pub namespace: Namespace,
    /// How its symbol is formed.
    pub link_name: LinkName,
    /// The visibility of its symbol.
    pub linkage: Linkage,
    /// A kernel or a device function.
    pub kind: FunctionKind,
    /// The function type, canonical or not.
    pub ty: Ty,
    /// A hint for the inliner.
    pub inline: InlineHint,
    /// What it is an instance of, if a template has made it.
    pub instance: Option<Box<Instance>>,
    /// The class that it is a member of. Its first parameter is then `this`, unless it is static.
    pub method: Option<Method>,
    /// The definition, if this unit has one.
    pub body: Option<Box<Body>>,
    /// Its name is used, evaluated or not, or it is marked `maybe_unused`.
    pub is_referenced: bool,
    /// The name's place in the definition, or in the first declaration.
    pub span: Span,
}

impl Function {
    /// A device function of the file scope that the source does not declare: without a body, and not to be reported as unused.
    pub fn device(name: String, ty: Ty, (link_name, linkage): (LinkName, Linkage), span: Span) -> Self {
        Function {
            name,
            namespace: Namespace::GLOBAL,
            link_name,
            linkage,
            kind: FunctionKind::Device,
            ty,
            inline: InlineHint::Auto,
            instance: None,
            method: None,
            body: None,
            is_referenced: true,
            span,
        }
    }
}

/// What makes a function a member function (C++17 12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The class.
    pub class: Record,
    /// It has no object.
    pub is_static: bool,
    /// `&` or `&&` after the parameters: which objects it is for.
    pub ref_qualifier: Option<RefKind>,
    /// What its name is.
    pub kind: MethodKind,
    /// The base class whose constructor it hands its parameters to: it is inherited (C++17 15.6.3).
    pub inherits: Option<Record>,
}

/// What the name of a member function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// An identifier or an operator.
    Named,
    /// None: it is a constructor, without a result.
    Constructor,
    /// The same constructor for the object that a derived class begins with.
    BaseConstructor,
    /// None: it is the destructor, without a result.
    Destructor,
    /// The same destructor for the object that a derived class begins with.
    BaseDestructor,
    /// The type of the result, to which it converts.
    Conversion,
}

/// Whether a function is a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `__global__`: the host, by a launch.
    Kernel(LaunchBounds),
    /// `__device__`: other device functions.
    Device,
}

/// Promises and demands about launches of a kernel; `None` where unspecified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// The maximum number of threads per block.
    pub max_threads: Option<u32>,
    /// The minimum number of blocks per multiprocessor.
    pub min_blocks: Option<u32>,
    /// The maximum number of blocks per cluster.
    pub max_cluster_blocks: Option<u32>,
    /// The maximum number of registers per thread.
    pub max_registers: Option<u32>,
    /// The exact number of blocks per cluster in each dimension; zeros if each launch specifies it.
    pub cluster: Option<[u32; 3]>,
    /// The exact number of threads per block in each dimension; a launch then counts clusters, which without
    /// [`LaunchBounds::cluster`] have one block.
    pub block: Option<[u32; 3]>,
}

/// A hint for the inliner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlineHint {
    /// Nothing.
    Auto,
    /// `inline`
    Inline,
    /// `__forceinline__`
    Always,
    /// `__noinline__`
    Never,
}

/// A function's definition.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters, in order.
    pub params: Vec<Local>,
    /// Parameters and local variables.
    pub locals: PrimaryMap<Local, LocalData>,
    /// The variables that are the object which the function returns: they lie where the caller wants it.
    pub results: Vec<Local>,
    /// Values.
    pub exprs: PrimaryMap<Expr, ExprNode>,
    /// Places (lvalues).
    pub places: PrimaryMap<Place, PlaceNode>,
    /// The alternatives of conditional places.
    pub choices: PrimaryMap<Choice, [Place; 2]>,
    /// Initializers.
    pub inits: PrimaryMap<Init, InitNode>,
    /// Statements.
    pub stmts: PrimaryMap<Stmt, StmtNode>,
    /// Labels.
    pub labels: PrimaryMap<Label, LabelData>,
    /// The positions of `#pragma unroll` of loops.
    pub unroll_pragmas: BTreeMap<Stmt, Span>,
    /// The outermost block.
    pub root: Stmt,
    /// The closing brace.
    pub end: Span,
}

impl Body {
    /// A placeholder where the body is not needed: the function has a definition.
    pub(crate) fn placeholder(root: Stmt, end: Span) -> Self {
        Body {
            params: Vec::new(),
            locals: PrimaryMap::new(),
            results: Vec::new(),
            exprs: PrimaryMap::new(),
            places: PrimaryMap::new(),
            choices: PrimaryMap::new(),
            inits: PrimaryMap::new(),
            stmts: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            unroll_pragmas: BTreeMap::new(),
            root,
            end,
        }
    }

    /// Empties it, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        let Body {
            params,
            locals,
            results,
            exprs,
            places,
            choices,
            inits,
            stmts,
            labels,
            unroll_pragmas,
            root: _,
            end: _,
        } = self;
        params.clear();
        locals.clear();
        results.clear();
        exprs.clear();
        places.clear();
        choices.clear();
        inits.clear();
        stmts.clear();
        labels.clear();
        unroll_pragmas.clear();
    }
}

/// A parameter or a variable of automatic storage duration.
#[derive(Clone, Debug)]
pub struct LocalData {
    /// The name; none for an unnamed parameter or a compound literal.
    pub name: Option<Box<str>>,
    /// The declared type (of a parameter, after adjustment), with its qualifiers.
    pub ty: Ty,
    /// An alignment in bytes that the declaration asks for.
    pub align: Option<u32>,
    /// It is a parameter.
    pub is_param: bool,
    /// It is a `const` parameter of a kernel whose address is that of the parameter itself, not of a copy
    /// (CUDA C++ Programming Guide "`__grid_constant__` Parameters").
    pub is_grid_constant: bool,
    /// Its name is used, evaluated or not, or it is marked `maybe_unused`.
    pub is_referenced: bool,
    /// Where it was declared.
    pub span: Span,
}

impl LocalData {
    /// One without a name, which no declaration has.
    pub fn unnamed(ty: Ty, is_param: bool, span: Span) -> Self {
        LocalData {
            name: None,
            ty,
            align: None,
            is_param,
            is_grid_constant: false,
            is_referenced: true,
            span,
        }
    }

    /// Whether it is the parameter `this` of a member function: a keyword, which nothing else has as its name.
    pub fn is_this(&self) -> bool {
        self.is_param && self.name.as_deref() == Some("this")
    }
}

/// A label.
#[derive(Clone, Debug)]
pub struct LabelData {
    /// The name.
    pub name: String,
    /// A `goto` leads there.
    pub is_used: bool,
    /// Its position.
    pub span: Span,
}

/// A variable with static storage duration.
#[derive(Clone, Debug)]
pub struct GlobalData {
    /// The name in the source; none for a string literal.
    pub name: Option<String>,
    /// The namespace that has it; of a variable of a function, that of the function.
    pub namespace: Namespace,
    /// How its symbol is formed.
    pub link_name: LinkName,
    /// The visibility of its symbol.
    pub linkage: Linkage,
    /// Its state space.
    pub space: Space,
    /// The host can access it as well: `__managed__`, in global memory.
    pub is_managed: bool,
    /// The declared type with its qualifiers. It can be an incomplete array only if `init` is `None`.
    pub ty: Ty,
    /// An alignment in bytes that the declaration asks for.
    pub align: Option<u32>,
    /// The value; `None` if another object defines it, and for shared memory.
    pub init: Option<ConstInit>,
    /// Another object defines it, or the launch gives its size (`extern __shared__`).
    pub is_extern: bool,
    /// The function in which it is declared.
    pub owner: Option<Func>,
    /// Where it was declared.
    pub span: Span,
}

/// The state space of a variable with static storage duration (PTX ISA "State Spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// `__device__`, string literals
    Global,
    /// `__constant__`, and `const` variables at file scope whose values are constants
    Constant,
    /// `__shared__`
    Shared,
}
