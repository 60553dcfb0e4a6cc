//! Statements and initializers.
//!
//! Control flow is structured, plus labels and `goto`. Lexical blocks are kept, because debug scopes need
//! them.

use std::num::NonZeroU32;

use cranelift_entity::packed_option::PackedOption;
use thin_vec::ThinVec;

use crate::source::Span;

use super::{Asm, Expr, Func, Global, Init, Label, Local, Place, Stmt};

/// A statement.
#[derive(Clone, Debug)]
pub struct StmtNode {
    /// The kind of statement.
    pub data: StmtData,
    /// Where it was written.
    pub span: Span,
}

const _: () = assert!(size_of::<StmtNode>() == 24);

/// The kind of a statement.
#[derive(Clone, Debug)]
pub enum StmtData {
    /// Evaluates an expression for its effects.
    Expr(Expr),
    /// Starts the lifetime of a local variable, and initializes it if it has an initializer.
    Local(Local, Option<Init>),
    /// Initializes an object whose lifetime begins: a member or a base of the one that a constructor makes. The object may be const.
    Init(Place, Init),
    /// Declares a static or shared variable: no effect except on the scope of its name.
    Static(Global),
    /// A lexical block.
    Block(ThinVec<Stmt>),
    /// `if`
    If {
        /// A `bool`.
        cond: Expr,
        /// Where true.
        then: Stmt,
        /// Where false.
        otherwise: PackedOption<Stmt>,
    },
    /// `while`
    While {
        /// A `bool`.
        cond: Expr,
        /// The body.
        body: Stmt,
        /// The request of `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// `do`
    DoWhile {
        /// The body.
        body: Stmt,
        /// A `bool`.
        cond: Expr,
        /// The request of `#pragma unroll`.
        unroll: Option<Unroll>,
    },
    /// `for` and its body; it is a lexical block that contains the `init`.
    For(Box<ForHead>, Stmt),
    /// `switch`: goes to the [`StmtData::Case`] in the body with the value, else to the
    /// [`StmtData::Default`], else past the switch.
    Switch {
        /// The value.
        head: Box<SwitchHead>,
        /// The body.
        body: Stmt,
    },
    /// `case first ... last: body`, of the innermost switch.
    Case(Box<CaseRange>, Stmt),
    /// `default: body`, of the innermost switch.
    Default(Stmt),
    /// `label: body`
    Label(Label, Stmt),
    /// `goto label`
    Goto(Label),
    /// Leaves the innermost loop or switch.
    Break,
    /// Starts the next iteration of the innermost loop.
    Continue,
    /// Leaves the function; the value is converted to its return type, which may be `void`
    /// (C++17 9.6.3p2). `None` only if it is `void`.
    Return(Option<Expr>),
    /// Inline PTX.
    Asm(Box<Asm>),
    /// Nothing.
    Empty,
}

/// The value of a `switch`, and its cases.
#[derive(Clone, Debug)]
pub struct SwitchHead {
    /// Of a promoted integer type.
    pub value: Expr,
    /// All case values in the type of `value`, without duplicates, in source order.
    pub cases: ThinVec<CaseRange>,
    /// A [`StmtData::Default`] is in the body.
    pub has_default: bool,
}

/// The head of a `for`.
#[derive(Clone, Debug)]
pub struct ForHead {
    /// A declaration (a `Block`-less list) or an expression.
    pub init: ThinVec<Stmt>,
    /// A `bool`; `None` for an infinite loop.
    pub cond: Option<Expr>,
    /// Evaluated after each iteration.
    pub step: Option<Expr>,
    /// The request of `#pragma unroll`.
    pub unroll: Option<Unroll>,
}

/// The unroll factor of a loop (CUDA C++ Programming Guide
/// "#pragma unroll"). One that may be missing takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unroll(NonZeroU32);

impl Unroll {
    /// Fully, if the trip count is known.
    pub const FULL: Unroll = Unroll(NonZeroU32::MAX);

    /// By this factor: a positive `int`. 1 disables unrolling.
    pub fn by(count: u32) -> Option<Unroll> {
        NonZeroU32::new(count).filter(|_| i32::try_from(count).is_ok()).map(Unroll)
    }

    /// The factor, if one was given.
    pub fn count(self) -> Option<u32> {
        (self != Unroll::FULL).then_some(self.0.get())
    }
}

/// The values of a `case`, constants of the switch's type, inclusive; both are equal for a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRange {
    /// The least.
    pub first: i128,
    /// The greatest, not below `first`.
    pub last: i128,
}

impl CaseRange {
    /// How many values there are after the first.
    pub fn width(self) -> u128 {
        self.last.wrapping_sub(self.first) as u128
    }
}

/// An initializer of a local variable.
#[derive(Clone, Debug)]
pub struct InitNode {
    /// The values that it stores.
    pub data: InitData,
    /// Where it was written.
    pub span: Span,
}

const _: () = assert!(size_of::<InitNode>() == 24);

/// The values that an initializer stores. Elements are stored in the order of the list; elements that the list does not
/// name are zero (C17 6.7.9p21); padding may be zero or not.
#[derive(Clone, Debug)]
pub enum InitData {
    /// A value of the object's unqualified type.
    Expr(Expr),
    /// Elements of an array by index.
    Array(ThinVec<(u64, Init)>),
    /// Members of a struct, or the one member of a union, by index.
    Record(ThinVec<(u32, Init)>),
    /// The same of a struct whose other members are left as they are: what an implicit constructor does (C++17 15.1p7).
    Partial(ThinVec<(u32, Init)>),
    /// Each element of an array, from the first to the last, with an initializer that is evaluated for each.
    Each(Init),
    /// A call of a constructor for the object: a function whose first parameter is the object's address, with the arguments after that.
    Construct(Func, ThinVec<Expr>),
    /// An array of characters of any width from a string literal: its bytes, with as much of the
    /// terminating zero as fits; the rest is zero.
    Bytes(ThinVec<u8>),
}

/// The value of a variable with static storage duration before the program starts.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstInit {
    /// All zero.
    Zero,
    /// Of an integer, `bool` or enum type: see [`super::integer`].
    Int(i128),
    /// Of a floating type.
    Float(f64),
    /// The address of a variable plus a number of bytes, as a pointer.
    GlobalAddr(Global, i64),
    /// The address of a function.
    FuncAddr(super::Func),
    /// A pointer with this value.
    IntPtr(u64),
    /// Elements of an array by ascending index; the rest is zero.
    Array(Vec<(u64, ConstInit)>),
    /// Members of a struct by ascending index, or the one member of a union; the rest is zero.
    Record(Vec<(u32, ConstInit)>),
    /// An array of characters of any width, as it lies in memory; the rest is zero.
    Bytes(Vec<u8>),
}

impl ConstInit {
    /// The variables whose addresses the value contains, in order.
    pub fn globals(&self) -> Vec<Global> {
        self.found(|part| match part {
            ConstInit::GlobalAddr(global, _) => Some(*global),
            _ => None,
        })
    }

    /// The functions whose addresses the value contains, in order.
    pub fn functions(&self) -> Vec<super::Func> {
        self.found(|part| match part {
            ConstInit::FuncAddr(func) => Some(*func),
            _ => None,
        })
    }

    fn found<T>(&self, find: impl Fn(&ConstInit) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        let mut parts = vec![self];
        while let Some(part) = parts.pop() {
            found.extend(find(part));
            match part {
                ConstInit::Array(elems) => parts.extend(elems.iter().rev().map(|(_, init)| init)),
                ConstInit::Record(members) => parts.extend(members.iter().rev().map(|(_, init)| init)),
                ConstInit::Zero
                | ConstInit::Int(_)
                | ConstInit::Float(_)
                | ConstInit::GlobalAddr(..)
                | ConstInit::FuncAddr(_)
                | ConstInit::IntPtr(_)
                | ConstInit::Bytes(_) => {}
            }
        }
        found
    }
}
