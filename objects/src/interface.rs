//! What an input says of its symbols.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use weft_emulator::program::layout::{align_of_variable, size_of, size_of_variable};
use weft_emulator::ptx::names::names_in;
use weft_emulator::ptx::parse;
use weft_emulator::ptx::place::Place;
use weft_emulator::ptx::syntax::{self, Linkage, Type};

/// What an input defines for others, and what it uses of them.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// What messages call it.
    pub name: String,
    /// By symbol.
    pub symbols: BTreeMap<String, Symbol>,
    /// The number of the GPU, for code of an object that may have some for several.
    pub gpu: Option<u32>,
    /// It is part of an archive: linked where something needs it.
    pub is_member: bool,
    /// Why nothing is known of it, if that is so.
    pub unknown: Option<Unknown>,
}

/// Why nothing is known of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It is sound, but has nothing that can be compared: a phrase that says why.
    NotCompared(String),
    /// It is damaged, or not of the kind that its name says: likewise.
    Damaged(String),
}

/// A function or a variable that others see.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// It is defined here, and not used only.
    pub is_defined: bool,
    /// Others may define it as well.
    pub is_weak: bool,
    /// What it is.
    pub item: Item,
    /// The file, line and column, where there are such.
    pub place: String,
}

/// What a symbol is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A function.
    Function(Prototype),
    /// A kernel.
    Kernel,
    /// A variable: its space, its size if that is said, its alignment if that is known.
    Variable {
        /// As PTX calls it: `global`.
        space: &'static str,
        /// In bytes.
        size: Option<u64>,
        /// In bytes.
        align: Option<u64>,
    },
    /// There is nothing that says what it is.
    Unknown,
}

/// What a function takes and gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prototype {
    /// What it gives; nothing, or one value mostly.
    pub results: Vec<Passed>,
    /// What it takes.
    pub parameters: Vec<Passed>,
}

/// A parameter or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// What it is passed as.
    pub kind: Kind,
    /// To how many bytes it is aligned, where that is known.
    pub align: Option<u64>,
    /// The declaration in the source: `struct S s`.
    pub source: Option<String>,
    /// What sort of number its bits are, where the source says that: PTX does not.
    pub number: Option<Number>,
}

/// What the bits of a value mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer, `bool` and enums included.
    Integer,
    /// A floating-point number.
    Floating,
}

/// What a value is passed as (PTX Interop 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer or a pointer of so many bytes; also a floating-point number that is passed as bits.
    Bits(u64),
    /// A floating-point number.
    Float(u64),
    /// Bytes: a struct or a union.
    Bytes(u64),
    /// As many bytes as there are: the arguments behind `...`.
    Open,
}

impl Interface {
    /// Of PTX.
    ///
    /// # Errors
    /// What is wrong with the text: the line, the column and a phrase.
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

/// Whether others define it, or may use it.
fn is_seen(linkage: Linkage, is_defined: bool, name: &str, used: &HashSet<&str>) -> bool {
    match linkage {
        Linkage::Internal => false,
        _ => is_defined || used.contains(name),
    }
}

/// A definition counts more than a declaration of the same.
fn add(symbols: &mut BTreeMap<String, Symbol>, name: &str, symbol: Symbol) {
    if symbol.is_defined || !symbols.contains_key(name) {
        symbols.insert(name.to_owned(), symbol);
    }
}
