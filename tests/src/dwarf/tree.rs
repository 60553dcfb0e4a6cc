//! What a debugger learns of a compilation unit, apart from how DWARF writes it down.
//!
//! Types are handles, since structs lead back to themselves. Blocks without variables, in themselves or in blocks of theirs, are
//! not there: some compilers write them and others do not, and no one sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A compilation unit.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The source as the compiler was given it.
    pub name: String,
    /// Where it was compiled.
    pub folder: String,
    /// DWARF's version.
    pub version: u16,
    /// The language, as DWARF calls it.
    pub language: String,
    /// What each address belongs to, from the table of lines.
    pub lines: Vec<(u64, Place)>,
    /// Which attributes DWARF's entries of each tag have.
    pub attributes: BTreeMap<String, BTreeSet<String>>,
    /// The table of names, and what each leads to.
    pub public_names: Vec<(String, Option<String>)>,
    /// Variables of file scope.
    pub variables: Vec<Variable>,
    /// Functions and kernels that have code.
    pub subprograms: Vec<Subprogram>,
    /// All types that something has.
    pub types: Types,
}

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, with its folder.
    pub file: String,
    /// From 1 on.
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
    /// As it is written in the source.
    pub name: String,
    /// Its symbol, if one is said.
    pub linkage_name: Option<String>,
    /// Whether other objects see it.
    pub is_external: bool,
    /// Where it is declared.
    pub place: Option<Place>,
    /// What it returns.
    pub result: TypeId,
    /// In their order.
    pub parameters: Vec<Variable>,
    /// What is in its braces.
    pub body: Block,
    /// The symbol at whose address its code begins.
    pub code: Option<String>,
    /// Where its code begins and ends.
    pub address: Option<(u64, u64)>,
    /// Calls in it that are inlined, those within blocks too; what is inlined in them is theirs.
    pub inlined: Vec<Inlined>,
}

/// A call whose function is part of the caller's code.
#[derive(Clone, Debug, Default)]
pub struct Inlined {
    /// What is called, with where its parameters and variables are here.
    pub subprogram: Subprogram,
    /// Where it is called.
    pub call: Option<Place>,
}

/// A scope within a function.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Variables of this scope.
    pub variables: Vec<Variable>,
    /// Scopes in it.
    pub blocks: Vec<Block>,
}

/// A variable or a parameter.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// As it is written in the source.
    pub name: String,
    /// Its symbol, if one is said.
    pub linkage_name: Option<String>,
    /// Whether other objects see it.
    pub is_external: bool,
    /// Where it is declared.
    pub place: Option<Place>,
    /// PTX Interop 5.2: the code of the memory that it is in.
    pub class: Option<u64>,
    /// Where it is in that memory.
    pub location: Location,
    /// What it is.
    pub ty: TypeId,
}

/// Where a variable is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Location {
    /// Nothing is said.
    #[default]
    None,
    /// At a symbol, which a relocation names.
    Symbol(String),
    /// At an address: kernel parameters, in constant memory.
    Address(u64),
    /// In the frame, from the canonical frame address on.
    Frame(i64),
    /// In a register of PTX.
    Register(String),
    /// Where a register of PTX points to.
    Behind(String),
    /// In several places, one after another.
    List,
    /// Some other expression of DWARF.
    Other(String),
}

impl Location {
    /// What kind it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Location::None => "nowhere",
            Location::Symbol(_) => "at a symbol",
            Location::Address(_) => "at an address",
            Location::Frame(_) => "in the frame",
            Location::Register(_) => "in a register",
            Location::Behind(_) => "behind a register", // words: allow
            Location::List => "in a list of places",
            Location::Other(_) => "at an expression",
        }
    }
}

/// A type, in [`Types`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId(usize);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `void`
    Void,
    /// A type of the language itself.
    Base {
        /// As DWARF has it: `unsigned long long`.
        name: String,
        /// How its bits are read, as DWARF calls it.
        encoding: String,
        /// In bytes.
        size: u64,
    },
    /// A pointer.
    Pointer {
        /// To what.
        to: TypeId,
        /// PTX Interop 5.2: the code of the memory that it points into.
        class: Option<u64>,
        /// Whether it is a reference of C++.
        is_reference: bool,
    },
    /// An array.
    Array {
        /// Of what.
        of: TypeId,
        /// How many of each dimension, from the outermost on; none where it is not known.
        counts: Vec<Option<u64>>,
    },
    /// A struct or a union.
    Record(Record),
    /// An enum.
    Enum {
        /// Its tag.
        name: String,
        /// In bytes.
        size: u64,
        /// Where it is declared.
        place: Option<Place>,
        /// Names and values, in their order.
        enumerators: Vec<(String, i64)>,
    },
    /// Another name.
    Typedef {
        /// The name.
        name: String,
        /// Of what.
        to: TypeId,
        /// Where it is declared.
        place: Option<Place>,
    },
    /// `const`, `volatile` or `restrict`.
    Qualified {
        /// Which of them.
        qualifier: Qualifier,
        /// What it is said of.
        to: TypeId,
    },
    /// What a pointer to a function points to.
    Function {
        /// What it returns.
        result: TypeId,
        /// In their order.
        parameters: Vec<TypeId>,
        /// Whether more of them may follow.
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
    /// As it is written.
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
    /// Its tag; empty where there is none.
    pub name: String,
    /// In bytes; 0 where it is not known.
    pub size: u64,
    /// Where it is declared.
    pub place: Option<Place>,
    /// In their order.
    pub members: Vec<Member>,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty where there is none.
    pub name: String,
    /// What it is.
    pub ty: TypeId,
    /// The first of its bits, counted from the first bit of the struct.
    pub first_bit: i64,
    /// Of a bit-field: how many bits.
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

    /// Puts another type instead of one.
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

    /// A type as people read it, with how its bits are read and the memory that it points into:
    /// `int (DW_ATE_signed, 4 bytes) * (class 12)`.
    pub fn describe(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Base { name, encoding, size } => format!("{name} ({encoding}, {size} bytes)"),
            Type::Pointer { to, class, is_reference: false } => {
                let class = class.map_or("no class".to_owned(), |class| format!("class {class}"));
                format!("{} * ({class})", self.describe(*to))
            }
            _ => self.show(id),
        }
    }

    /// A type as people read it: `const float *[4]`.
    pub fn show(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Base { name, .. } | Type::Typedef { name, .. } => name.clone(),
            Type::Pointer { to, is_reference, .. } => {
                let sign = if *is_reference { '&' } else { '*' };
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
    /// All variables and parameters, each with the path to it.
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
