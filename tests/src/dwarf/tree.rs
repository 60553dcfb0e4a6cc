//! The debug information of a compilation unit, independent of its DWARF encoding.
//!
//! Types are handles, since structs can be recursive. Blocks without variables, directly or nested, are
//! omitted: compilers may write them or not, and debuggers do not show them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A compilation unit.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The source file as the compiler got it.
    pub name: String,
    /// The compilation directory.
    pub folder: String,
    /// The DWARF version.
    pub version: u16,
    /// The language, by its DWARF name.
    pub language: String,
    /// The position of each address, from the line table.
    pub lines: Vec<(u64, Place)>,
    /// The attributes of each tag's entries.
    pub attributes: BTreeMap<String, BTreeSet<String>>,
    /// The names in the name table, with the entry that each leads to.
    pub public_names: Vec<(String, Option<String>)>,
    /// File-scope variables.
    pub variables: Vec<Variable>,
    /// Functions and kernels with code.
    pub subprograms: Vec<Subprogram>,
    /// All used types.
    pub types: Types,
}

/// The position of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, with its folder.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A function or a kernel.
#[derive(Clone, Debug, Default)]
pub struct Subprogram {
    /// Its source name.
    pub name: String,
    /// Its linkage name, if there is one.
    pub linkage_name: Option<String>,
    /// Whether it is external.
    pub is_external: bool,
    /// Where it is declared.
    pub place: Option<Place>,
    /// Its result type.
    pub result: TypeId,
    /// The parameters, in order.
    pub parameters: Vec<Variable>,
    /// Its body.
    pub body: Block,
    /// The symbol at the start of its code.
    pub code: Option<String>,
    /// The start and end of its code.
    pub address: Option<(u64, u64)>,
    /// The calls inlined in it, including those within blocks; nested inlined calls are in these.
    pub inlined: Vec<Inlined>,
}

/// An inlined call.
#[derive(Clone, Debug, Default)]
pub struct Inlined {
    /// The called function, with the locations of its parameters and variables here.
    pub subprogram: Subprogram,
    /// The position of the call.
    pub call: Option<Place>,
}

/// A scope in a function.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Variables of this scope.
    pub variables: Vec<Variable>,
    /// Nested scopes.
    pub blocks: Vec<Block>,
}

/// A variable or a parameter.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// Its source name.
    pub name: String,
    /// Its linkage name, if there is one.
    pub linkage_name: Option<String>,
    /// Whether it is external.
    pub is_external: bool,
    /// Where it is declared.
    pub place: Option<Place>,
    /// PTX Interop 5.2: its address class.
    pub class: Option<u64>,
    /// Its location in that memory.
    pub location: Location,
    /// What it is.
    pub ty: TypeId,
}

/// The location of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Location {
    /// Unspecified.
    #[default]
    None,
    /// At a symbol, from a relocation.
    Symbol(String),
    /// At an address: kernel parameters, in constant memory.
    Address(u64),
    /// In the frame, relative to the canonical frame address.
    Frame(i64),
    /// In a PTX register.
    Register(String),
    /// At the address in a PTX register.
    AtRegister(String),
    /// A list of locations.
    List,
    /// Another DWARF expression.
    Other(String),
}

impl Location {
    /// The kind of location.
    pub fn kind(&self) -> &'static str {
        match self {
            Location::None => "nowhere",
            Location::Symbol(_) => "at a symbol",
            Location::Address(_) => "at an address",
            Location::Frame(_) => "in the frame",
            Location::Register(_) => "in a register",
            Location::AtRegister(_) => "behind a register", // words: allow
            Location::List => "in a list of places",
            Location::Other(_) => "at an expression",
        }
    }
}

/// A type, in [`Types`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId(usize);

/// What C++ has a pointer for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// A pointer.
    Pointer,
    /// An lvalue reference.
    Lvalue,
    /// An rvalue reference.
    Rvalue,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `void`
    Void,
    /// A base type.
    Base {
        /// Its name in DWARF: `unsigned long long`.
        name: String,
        /// Its encoding, by its DWARF name.
        encoding: String,
        /// The size in bytes.
        size: u64,
    },
    /// A pointer.
    Pointer {
        /// The target type.
        to: TypeId,
        /// PTX Interop 5.2: the address class of the target.
        class: Option<u64>,
        /// What C++ has it for.
        kind: PointerKind,
    },
    /// An array.
    Array {
        /// The element type.
        of: TypeId,
        /// The length of each dimension, the outermost first; `None` if unknown.
        counts: Vec<Option<u64>>,
    },
    /// A struct or a union.
    Record(Record),
    /// An enum.
    Enum {
        /// Its tag.
        name: String,
        /// The size in bytes.
        size: u64,
        /// Where it is declared.
        place: Option<Place>,
        /// Names and values, in order.
        enumerators: Vec<(String, i64)>,
    },
    /// A typedef.
    Typedef {
        /// The name.
        name: String,
        /// The type.
        to: TypeId,
        /// Where it is declared.
        place: Option<Place>,
    },
    /// A qualified type: `const`, `volatile` or `restrict`.
    Qualified {
        /// The qualifier.
        qualifier: Qualifier,
        /// The unqualified type.
        to: TypeId,
    },
    /// A function type.
    Function {
        /// The result type.
        result: TypeId,
        /// The parameter types, in order.
        parameters: Vec<TypeId>,
        /// Whether it is variadic.
        is_variadic: bool,
    },
}

/// A qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
}

impl Qualifier {
    /// Its spelling.
    pub fn name(self) -> &'static str {
        match self {
            Qualifier::Const => "const",
            Qualifier::Volatile => "volatile",
            Qualifier::Restrict => "__restrict__",
        }
    }
}

/// A struct or a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whether it is a union.
    pub is_union: bool,
    /// Its tag; empty if there is none.
    pub name: String,
    /// The size in bytes; 0 if unknown.
    pub size: u64,
    /// Where it is declared.
    pub place: Option<Place>,
    /// The members, in order.
    pub members: Vec<Member>,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name; empty if there is none.
    pub name: String,
    /// What it is.
    pub ty: TypeId,
    /// The position of its first bit, from the start of the struct.
    pub first_bit: i64,
    /// The width of a bit-field, in bits.
    pub n_bits: Option<u64>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// All types of a tree.
#[derive(Clone, Debug)]
pub struct Types(Vec<Type>);

impl Default for Types {
    fn default() -> Self {
        Types(vec![Type::Void])
    }
}

impl Types {
    /// Adds a type.
    pub fn add(&mut self, ty: Type) -> TypeId {
        self.0.push(ty);
        TypeId(self.0.len() - 1)
    }

    /// Replaces a type.
    pub fn set(&mut self, id: TypeId, ty: Type) {
        self.0[id.0] = ty;
    }

    /// The type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.0[id.0]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.0.iter()
    }

    /// A type as text, with encodings and address classes: `int (DW_ATE_signed, 4 bytes) * (class 12)`.
    pub fn describe(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Base { name, encoding, size } => format!("{name} ({encoding}, {size} bytes)"),
            Type::Pointer { to, class, kind: PointerKind::Pointer } => {
                let class = class.map_or("no class".to_owned(), |class| format!("class {class}"));
                format!("{} * ({class})", self.describe(*to))
            }
            _ => self.show(id),
        }
    }

    /// A type as text: `const float *[4]`.
    pub fn show(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Base { name, .. } | Type::Typedef { name, .. } => name.clone(),
            Type::Pointer { to, kind, .. } => {
                let sign = match kind {
                    PointerKind::Pointer => "*",
                    PointerKind::Lvalue => "&",
                    PointerKind::Rvalue => "&&",
                };
                match self.get(*to) {
                    Type::Function { .. } => self.show(*to).replacen(" (", &format!(" ({sign})("), 1),
                    Type::Pointer { .. } => format!("{}{sign}", self.show(*to)),
                    _ => format!("{} {sign}", self.show(*to)),
                }
            }
            Type::Array { of, counts } => {
                let counts = counts.iter().map(|n| n.map_or("[]".to_owned(), |n| format!("[{n}]")));
                format!("{}{}", self.show(*of), counts.collect::<String>())
            }
            Type::Record(record) => {
                let keyword = if record.is_union { "union" } else { "struct" };
                let name = if record.name.is_empty() { "without a name" } else { &record.name };
                format!("{keyword} {name}")
            }
            Type::Enum { name, .. } => format!("enum {name}"),
            Type::Qualified { qualifier, to } => match self.get(*to) {
                Type::Pointer { .. } => format!("{} {}", self.show(*to), qualifier.name()),
                _ => format!("{} {}", qualifier.name(), self.show(*to)),
            },
            Type::Function { result, parameters, is_variadic } => {
                let mut all: Vec<String> = parameters.iter().map(|ty| self.show(*ty)).collect();
                all.extend(is_variadic.then(|| "...".to_owned()));
                format!("{} ({})", self.show(*result), all.join(", "))
            }
        }
    }
}

impl Tree {
    /// All variables and parameters, each with its path.
    pub fn all_variables(&self) -> Vec<(String, &Variable)> {
        fn walk<'t>(path: &str, block: &'t Block, all: &mut Vec<(String, &'t Variable)>) {
            all.extend(
                block.variables.iter().map(|variable| (format!("{path}/{}", variable.name), variable)),
            );
            block.blocks.iter().for_each(|inner| walk(&format!("{path}/{{}}"), inner, all));
        }
        let mut all: Vec<_> =
            self.variables.iter().map(|variable| (variable.name.clone(), variable)).collect();
        for subprogram in &self.subprograms {
            let path = &subprogram.name;
            let parameters = subprogram.parameters.iter();
            all.extend(parameters.map(|variable| (format!("{path}({})", variable.name), variable)));
            walk(path, &subprogram.body, &mut all);
        }
        all
    }
}
