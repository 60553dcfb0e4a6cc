//! Handles on the entities of a [`Module`](super::Module). The prefix is how dumps print them.

use cranelift_entity::entity_impl;

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident $prefix:literal)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(u32);
            entity_impl!($name, $prefix);
        )*
    };
}

entities! {
    /// An interned type; equal handles are equal types, typedef names included.
    Ty "ty"
    /// A namespace.
    Namespace "namespace"
    /// A struct or union type.
    Record "record"
    /// An enumerated type.
    Enum "enum"
    /// A type of textures or surfaces.
    Opaque "opaque"
    /// A type that depends on the parameters of a template.
    Dependent "dependent"
    /// A template of structs or unions.
    ClassTemplate "class_template"
    /// A typedef name.
    Typedef "typedef"
    /// A function, defined or only declared.
    Func "fn"
    /// A variable with static storage duration, string literals included.
    Global "global"
    /// A parameter or a variable of automatic storage duration of one function.
    Local "local"
    /// An expression of one function: a value.
    Expr "v"
    /// A reference to an object: an lvalue of C.
    Place "p"
    /// The two alternatives of a conditional lvalue.
    Choice "choice"
    /// A statement of one function.
    Stmt "s"
    /// A label that `goto` names.
    Label "label"
    /// An initializer of a variable of automatic storage duration.
    Init "init"
}

impl Namespace {
    /// The global namespace, which every table has.
    pub const GLOBAL: Namespace = Namespace(0);
}

impl Ty {
    /// The handle of a type that is at the same index in every table.
    pub(super) const fn fixed(idx: u32) -> Ty {
        Ty(idx)
    }
}
