//! The types that a program declares: structs, unions, enumerated types, textures and
//! surfaces, typedef names.

use super::{HalfTy, IntTy, Quals, Ty};
use crate::ir::{Func, Namespace, Record};
use crate::source::Span;

/// A namespace (C++17 10.3). All namespaces but the global one are members of another.
#[derive(Clone, Debug, Default)]
pub struct NamespaceData {
    /// The namespace around it; none of the global one.
    pub parent: Option<Namespace>,
    /// The name; none of an unnamed namespace and of the global one.
    pub name: Option<String>,
    /// Its members are members of the namespace around it, too.
    pub is_inline: bool,
    /// Where it was first opened.
    pub span: Span,
}

/// The function in whose block a type is declared (Itanium C++ ABI 5.1.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalOwner {
    /// The function.
    pub func: Func,
    /// How many types of the name it has before; of those without a name, how many others.
    pub n_before: u32,
    /// Whether the type has a name.
    pub is_named: bool,
}

/// How the class of a lambda expression is named (Itanium C++ ABI 5.1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LambdaName {
    /// Its call operator; none if that is a template.
    pub call: Option<Func>,
    /// The type of the call operator, whose parameters are part of the name. If it is a template, it has types that depend on parameters.
    pub signature: Ty,
    /// How many lambdas with parameters of the same types the function has before.
    pub number: u32,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct RecordData {
    /// The tag; none for an anonymous record.
    pub tag: Option<String>,
    /// The first typedef name given to an unnamed record, which then names it for linkage
    /// (C++17 10.1.3p9).
    pub typedef_name: Option<String>,
    /// The struct or union that it is declared in, whose name is part of its own.
    pub outer: Option<Record>,
    /// The function that has it in a block, for those that no other type has.
    pub owner: Option<LocalOwner>,
    /// The innermost namespace around it.
    pub namespace: Namespace,
    /// `union`
    pub is_union: bool,
    /// The members in order; none while the type is incomplete.
    pub fields: Option<Vec<Field>>,
    /// An alignment in bytes that a declaration or a built-in vector type asks for; the record's
    /// alignment is at least this.
    pub align: Option<u32>,
    /// It is built in (`dim3`, `float4`).
    pub is_builtin: bool,
    /// It is one of CUDA's half-precision types.
    pub half: Option<HalfTy>,
    /// It declares a copy constructor or a destructor. Of CUDA's types, `__half2` and `__nv_bfloat162` do.
    pub has_own_copy: bool,
    /// It is the class of a lambda expression.
    pub lambda: Option<LambdaName>,
    /// Where the tag was declared; where it was defined, once it was.
    pub span: Span,
}

/// A member of a [`RecordData`].
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; none for an unnamed bit-field or an anonymous record.
    pub name: Option<String>,
    /// The declared type, qualifiers included.
    pub ty: Ty,
    /// The width in bits of a bit-field.
    pub bit_width: Option<u32>,
    /// An alignment in bytes that the member's declaration asks for.
    pub align: Option<u32>,
    /// The upper limit of its type's alignment, in bytes: 1 if it or the record is
    /// `packed`, else the value of `#pragma pack`.
    pub pack: Option<u32>,
    /// It is the part that an object has of a base class; those come first.
    pub is_base: bool,
    /// It is not const where the object is.
    pub is_mutable: bool,
    /// Where it was declared.
    pub span: Span,
}

impl Field {
    /// The qualifiers that the member has as part of an object with the qualifiers.
    pub fn quals_in(&self, object: Quals) -> Quals {
        let quals = object - Quals::RESTRICT;
        if self.is_mutable { quals - Quals::CONST } else { quals }
    }
}

/// The kind of a variable of an opaque type (PTX ISA "Texture, Sampler and Surface Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpaqueKind {
    /// `.texref`
    Texture,
    /// `.surfref`
    Surface,
}

/// An enumerated type.
#[derive(Clone, Debug)]
pub struct EnumData {
    /// The tag.
    pub tag: Option<String>,
    /// As for a record.
    pub typedef_name: Option<String>,
    /// As for a record.
    pub outer: Option<Record>,
    /// The function that has it in a block, for those that no other type has.
    pub owner: Option<LocalOwner>,
    /// As for a record.
    pub namespace: Namespace,
    /// The integer type that represents it (C++17 10.2p7); `Int` until the enum is complete.
    pub underlying: IntTy,
    /// The underlying type was written: the enum promotes to it.
    pub is_fixed: bool,
    /// `enum class`: its values do not convert to integers.
    pub is_scoped: bool,
    /// Names and constants of the underlying type; none while incomplete.
    pub enumerators: Option<Vec<(String, i128)>>,
    /// Where it was declared.
    pub span: Span,
}

/// A type whose variables are textures or surfaces, and whose values are their handles (PTX Interop 1.4). It is written as a struct,
/// whose members are not visible.
#[derive(Clone, Debug)]
pub struct OpaqueData {
    /// The tag.
    pub tag: String,
    /// What its variables are.
    pub kind: OpaqueKind,
    /// Where it was declared.
    pub span: Span,
}

/// A typedef name.
#[derive(Clone, Debug)]
pub struct TypedefData {
    /// The name.
    pub name: String,
    /// The innermost namespace around it.
    pub namespace: Namespace,
    /// What it names.
    pub ty: Ty,
    /// The alignment of its objects in bytes, where the declaration says it: lower or higher than
    /// that of what it names.
    pub align: Option<u32>,
    /// It is built in.
    pub is_builtin: bool,
    /// Where it was declared.
    pub span: Span,
}
