//! The interface of an input: what it declares about its symbols.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use weft_emulator::program::layout::{align_of_variable, size_of, size_of_variable};
use weft_emulator::ptx::names::names_in;
use weft_emulator::ptx::parse;
use weft_emulator::ptx::place::Place;
use weft_emulator::ptx::syntax::{self, Linkage, Type};

/// The symbols that an input defines for others, or uses from them.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Its name in messages.
    pub name: String,
    /// The symbols, by name.
    pub symbols: BTreeMap<String, Symbol>,
    /// The number of the GPU, for an object with code for several.
    pub gpu: Option<u32>,
    /// Whether it is an archive member, which is only linked if needed.
    pub is_member: bool,
    /// Why its symbols are unknown, if they are.
    pub unknown: Option<Unknown>,
}

/// Why an input's symbols are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It is valid, but has nothing to compare; a phrase with the reason.
    NotCompared(String),
    /// It is damaged, or not of the kind that its name says; a phrase with the reason.
    Damaged(String),
}

/// An external function or variable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Whether it is defined here, rather than only used.
    pub is_defined: bool,
    /// Whether other inputs may define it, too.
    pub is_weak: bool,
    /// Its declaration.
    pub item: Item,
    /// The file, line and column, if known.
    pub place: String,
}

/// The declaration of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A function.
    Function(Prototype),
    /// A kernel.
    Kernel,
    /// A variable, with what is known about it.
    Variable {
        /// The state space by its PTX name: `global`.
        space: &'static str,
        /// The size in bytes.
        size: Option<u64>,
        /// The alignment in bytes.
        align: Option<u64>,
    },
    /// The declaration is unknown.
    Unknown,
}

/// The parameters and results of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prototype {
    /// The results: none or one, usually.
    pub results: Vec<Passed>,
    /// What it takes.
    pub parameters: Vec<Passed>,
}

/// A parameter or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// How it is passed.
    pub kind: Kind,
    /// The alignment in bytes, if known.
    pub align: Option<u64>,
    /// The declaration in the source: `struct S s`.
    pub source: Option<String>,
    /// The kind of number, if the source says it: PTX does not distinguish them.
    pub number: Option<Number>,
}

/// The interpretation of a value's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer, including `bool` and enums.
    Integer,
    /// A floating-point number.
    Floating,
}

/// How a value is passed (PTX Interop 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer or a pointer of this size in bytes, or a floating-point number passed as bits.
    Bits(u64),
    /// A floating-point number of this size in bytes.
    Float(u64),
    /// A struct or a union of this size in bytes.
    Bytes(u64),
    /// Any number of bytes: the variadic arguments.
    Open,
}

impl Interface {
    /// The interface of PTX.
    ///
    /// # Errors
    ///
    /// The error in the text: the line, the column and a phrase.
    pub fn of_ptx(name: &str, text: &str) -> Result<Self, String> {
        let module = parse(text).map_err(|error| error.to_string())?;
        let used = names_in(&module);
        let place = |place: Place| {
            let (line, column) = place.line_column(text);
            format!("{name}:{line}:{column}")
        };
        let mut symbols = BTreeMap::new();
        for function in &module.functions {
            let is_defined = function.body.is_some();
            if is_seen(function.linkage, is_defined, function.name, &used) {
                let item = if function.is_entry {
                    Item::Kernel
                } else {
                    Item::Function(Prototype::of(&function.prototype))
                };
                let is_weak = function.linkage == Linkage::Weak;
                let symbol = Symbol { is_defined, is_weak, item, place: place(function.place) };
                add(&mut symbols, function.name, symbol);
            }
        }
        for variable in &module.variables {
            let is_defined = variable.linkage != Linkage::Extern;
            if is_seen(variable.linkage, is_defined, variable.name, &used) {
                let is_open = variable.init.is_none() && matches!(variable.dims.first(), Some(None));
                let item = Item::Variable {
                    space: match variable.space {
                        syntax::Space::Const => "const",
                        syntax::Space::Shared => "shared",
                        _ => "global",
                    },
                    size: size_of_variable(variable).filter(|_| !is_open),
                    align: Some(align_of_variable(variable)),
                };
                let is_weak = matches!(variable.linkage, Linkage::Weak | Linkage::Common);
                let symbol = Symbol { is_defined, is_weak, item, place: place(variable.place) };
                add(&mut symbols, variable.name, symbol);
            }
        }
        Ok(Interface { name: name.to_owned(), symbols, ..Interface::default() })
    }
}

impl Prototype {
    fn of(prototype: &syntax::Prototype<'_>) -> Self {
        let all = |list: &[syntax::Variable<'_>]| list.iter().map(Passed::of).collect();
        Prototype { results: all(&prototype.returns), parameters: all(&prototype.params) }
    }
}

impl Passed {
    fn of(parameter: &syntax::Variable<'_>) -> Self {
        let size = size_of_variable(parameter).unwrap_or(0);
        let kind = match (&parameter.dims[..], parameter.ty) {
            ([None, ..], _) => Kind::Open,
            ([Some(_), ..], _) => Kind::Bytes(size),
            ([], Type::F16 | Type::Bf16 | Type::F32 | Type::F64) => Kind::Float(size),
            ([], ty) => Kind::Bits(size_of(ty) * u64::from(parameter.vector)),
        };
        Passed { kind, align: Some(align_of_variable(parameter)), source: None, number: None }
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "`{source}`, ")?;
        }
        match (self.kind, self.align) {
            (Kind::Bits(size), _) => write!(f, "a value of {size} bytes"),
            (Kind::Float(size), _) => write!(f, "a floating-point number of {size} bytes"),
            (Kind::Bytes(size), Some(align)) => write!(f, "{size} bytes aligned to {align}"),
            (Kind::Bytes(size), None) => write!(f, "{size} bytes"),
            (Kind::Open, _) => write!(f, "the arguments after `...`"),
        }
    }
}

/// Whether others may define or use it.
fn is_seen(linkage: Linkage, is_defined: bool, name: &str, used: &HashSet<&str>) -> bool {
    match linkage {
        Linkage::Internal => false,
        _ => is_defined || used.contains(name),
    }
}

/// Adds a symbol; a definition takes precedence over a declaration.
fn add(symbols: &mut BTreeMap<String, Symbol>, name: &str, symbol: Symbol) {
    if symbol.is_defined || !symbols.contains_key(name) {
        symbols.insert(name.to_owned(), symbol);
    }
}
