//! Statements and initializers.
//!
//! Control flow is structured, plus labels and `goto`. Lexical blocks survive: debug scopes need
//! them.

use std::num::NonZeroU32;

use cranelift_entity::packed_option::PackedOption;
use thin_vec::ThinVec;

use crate::source::Span;

use super::{Asm, Expr, Global, Init, Label, Local, Stmt};

/// A statement.
#[derive(Clone, Debug)]
pub struct StmtNode {
    /// What it does.
    pub data: StmtData,
    /// Where it was written.
    pub span: Span,
}

const _: () = assert!(size_of::<StmtNode>() == 24);

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtData {
    /// Evaluates for the effect.
    Expr(Expr),
    /// A local variable begins to live, and gets its initial value if it has one.
    Local(Local, Option<Init>),
    /// A static or shared variable is declared here: nothing happens, but its name has this scope.
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
        /// What is repeated.
        body: Stmt,
        /// What `#pragma unroll` asks for.
        unroll: Option<Unroll>,
    },
    /// `do`
    DoWhile {
        /// What is repeated.
        body: Stmt,
        /// A `bool`.
        cond: Expr,
        /// What `#pragma unroll` asks for.
        unroll: Option<Unroll>,
    },
    /// `for`, and what is repeated; it is a lexical block of its own around the `init`.
    For(Box<ForHead>, Stmt),
    /// `switch`: goes to the [`StmtData::Case`] in the body with the value, else to the
    /// [`StmtData::Default`], else behind.
    Switch {
        /// What it goes by.
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
    /// Goes to the next turn of the innermost loop.
    Continue,
    /// Leaves the function; the value is converted to its return type, which may be `void`
    /// (C++17 9.6.3p2). None only where it is.
    Return(Option<Expr>),
    /// Inline PTX.
    Asm(Box<Asm>),
    /// Nothing.
    Empty,
}

/// The value that a `switch` goes by, and where its body takes it.
#[derive(Clone, Debug)]
pub struct SwitchHead {
    /// Of a promoted integer type.
    pub value: Expr,
    /// All case values in the type of `value`, each once, in order of the text.
    pub cases: ThinVec<CaseRange>,
    /// A [`StmtData::Default`] is in the body.
    pub has_default: bool,
}

/// What a `for` says before its body.
#[derive(Clone, Debug)]
pub struct ForHead {
    /// A declaration (a `Block`-less list) or an expression.
    pub init: ThinVec<Stmt>,
    /// A `bool`; none for ever.
    pub cond: Option<Expr>,
    /// Evaluated after each turn.
    pub step: Option<Expr>,
    /// What `#pragma unroll` asks for.
    pub unroll: Option<Unroll>,
}

/// How often a loop's body is to be repeated for each test (CUDA C++ Programming Guide
/// "#pragma unroll"). One that may be missing takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unroll(NonZeroU32);

impl Unroll {
    /// As often as the loop turns, where that is known.
    pub const FULL: Unroll = Unroll(NonZeroU32::MAX);

    /// This often: any number of the type `int` that is greater than zero. 1 keeps the loop as it is.
    pub fn by(count: u32) -> Option<Unroll> {
        NonZeroU32::new(count).filter(|_| i32::try_from(count).is_ok()).map(Unroll)
    }

    /// How often, where a number was given.
    pub fn count(self) -> Option<u32> {
        (self != Unroll::FULL).then_some(self.0.get())
    }
}

/// The values of a `case`, constants of the switch's type, both ends included; of one value, twice that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRange {
    /// The least.
    pub first: i128,
    /// The greatest, not below `first`.
    pub last: i128,
}

impl CaseRange {
    /// How many values there are behind the first.
    pub fn width(self) -> u128 {
        self.last.wrapping_sub(self.first) as u128
    }
}

/// An initializer of a local variable.
#[derive(Clone, Debug)]
pub struct InitNode {
    /// What it stores.
    pub data: InitData,
    /// Where it was written.
    pub span: Span,
}

const _: () = assert!(size_of::<InitNode>() == 24);

/// What an initializer stores. Elements are stored in the order of the list; what a list does not
/// name is zero (C17 6.7.9p21), padding included or not.
#[derive(Clone, Debug)]
pub enum InitData {
    /// A value of the object's unqualified type.
    Expr(Expr),
    /// Elements of an array by index.
    Array(ThinVec<(u64, Init)>),
    /// Members of a struct, or the one member of a union, by index.
    Record(ThinVec<(u32, Init)>),
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
    /// The variables whose addresses the value holds, in the order in which it holds them.
    pub fn globals(&self) -> Vec<Global> {
        let mut globals = Vec::new();
        let mut parts = vec![self];
        while let Some(part) = parts.pop() {
            match part {
                ConstInit::GlobalAddr(global, _) => globals.push(*global),
                ConstInit::Array(elems) => parts.extend(elems.iter().rev().map(|(_, init)| init)),
                ConstInit::Record(members) => parts.extend(members.iter().rev().map(|(_, init)| init)),
                ConstInit::Zero
                | ConstInit::Int(_)
                | ConstInit::Float(_)
                | ConstInit::FuncAddr(_)
                | ConstInit::IntPtr(_)
                | ConstInit::Bytes(_) => {}
            }
        }
        globals
    }
}
