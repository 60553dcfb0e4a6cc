//! The functions that the compiler knows by itself.
//!
//! A [`Builtin`] is one operation; the table in `sema` maps CUDA's names and overloads to it. There
//! is a family for each chapter of CUDA's functions:
//!
//! - `signature`: the types of operands and results
//! - `sync`: barriers
//! - `warp`: what the lanes of a warp do together
//! - `atomic`: atomic memory operations
//! - `math`: arithmetic on numbers of several types
//! - `half`: half precision
//!
//! All that is said of an operation apart from its lowering stands in its family: what it is, the
//! types of its operands, and whether it does more than give a value.

mod atomic;
pub mod half;
mod math;
pub mod signature;
mod sync;
mod warp;

use std::fmt;

pub use atomic::AtomicOp;
pub use half::HalfOp;
pub use math::MathOp;
pub use signature::{Class, Operand, Signature};
pub use sync::SyncOp;
pub use warp::WarpOp;

/// An operation behind a built-in function.
///
/// Operands and result are of the types that [`Builtin::signature`] names; T in the documentation of
/// the families is the type that each use chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// Barriers.
    Sync(SyncOp),
    /// What the lanes of a warp do together.
    Warp(WarpOp),
    /// Atomic memory operations.
    Atomic(AtomicOp),
    /// Arithmetic on numbers of several types.
    Math(MathOp),
    /// Half precision.
    Half(HalfOp),
}

impl Builtin {
    /// The types of the operands and the result.
    pub fn signature(self) -> Signature {
        match self {
            Builtin::Sync(op) => op.signature(),
            Builtin::Warp(op) => op.signature(),
            Builtin::Atomic(op) => op.signature(),
            Builtin::Math(op) => op.signature(),
            Builtin::Half(op) => op.signature(),
        }
    }

    /// Whether it only gives a value: it writes nothing, and waits for nobody.
    pub fn is_pure(self) -> bool {
        match self {
            Builtin::Sync(_) | Builtin::Warp(_) | Builtin::Atomic(_) => false,
            Builtin::Math(_) | Builtin::Half(_) => true,
        }
    }
}

/// The operation alone, as `--emit=ir` prints it: the families share no names.
impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Builtin::Sync(op) => write!(f, "{op:?}"),
            Builtin::Warp(op) => write!(f, "{op:?}"),
            Builtin::Atomic(op) => write!(f, "{op:?}"),
            Builtin::Math(op) => write!(f, "{op:?}"),
            Builtin::Half(op) => write!(f, "{op:?}"),
        }
    }
}
