//! Values of an evaluation.

use smallvec::SmallVec;

use super::memory::SlotRef;
use crate::ir::{Func, Global, Local};

/// A value, or what an object holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Datum {
    /// Nothing: of type `void`, or an object that nothing has initialized.
    Nothing,
    /// As in [`Value::Int`](super::const_eval::Value).
    Int(i128),
    /// Of type `float` or `double`.
    Float(f64),
    Pointer(Box<Pointer>),
    /// All elements of an array.
    Array(Vec<Datum>),
    /// All members of a struct.
    Record(Vec<Datum>),
    /// The member of a union that has a value.
    Union(u32, Box<Datum>),
}

/// A pointer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pointer {
    Null,
    Func(Func),
    Object(Address),
}

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Address {
    pub(super) root: Root,
    pub(super) path: Path,
    /// It is behind the object, which is no element of an array.
    pub(super) is_past: bool,
}

pub(super) type Path = SmallVec<[Step; 2]>;

/// A variable, or another whole object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    Global(Global),
    /// A variable of the function in which the constant is.
    Outer(Local),
    /// An object of the evaluation.
    Slot(SlotRef),
}

/// The way from an object to a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// An element, or the end of the array.
    Index(u64),
    Field(u32),
}

impl Datum {
    pub(super) fn null() -> Datum {
        Datum::Pointer(Box::new(Pointer::Null))
    }

    /// How many parts it has, itself included.
    pub(super) fn weight(&self) -> u64 {
        match self {
            Datum::Nothing | Datum::Int(_) | Datum::Float(_) | Datum::Pointer(_) => 1,
            Datum::Array(parts) | Datum::Record(parts) => 1 + parts.iter().map(Datum::weight).sum::<u64>(),
            Datum::Union(_, part) => 1 + part.weight(),
        }
    }

    /// Makes all of it what nothing has initialized.
    pub(super) fn forget(&mut self) {
        match self {
            Datum::Nothing | Datum::Int(_) | Datum::Float(_) | Datum::Pointer(_) => *self = Datum::Nothing,
            Datum::Array(parts) | Datum::Record(parts) => parts.iter_mut().for_each(Datum::forget),
            Datum::Union(_, part) => part.forget(),
        }
    }

    /// Whether all of it has a value.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Datum::Nothing => false,
            Datum::Int(_) | Datum::Float(_) | Datum::Pointer(_) => true,
            Datum::Array(parts) | Datum::Record(parts) => parts.iter().all(Datum::is_whole),
            Datum::Union(_, part) => part.is_whole(),
        }
    }
}

impl Address {
    pub(super) fn of(root: Root) -> Self {
        Address { root, path: Path::new(), is_past: false }
    }

    pub(super) fn part(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }
}
