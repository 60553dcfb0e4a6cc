//! Atomic memory operations.

use std::fmt;

use super::signature::Operand::{PointerToT, T};
use super::{Class, Signature};

/// A read-modify-write: `T op(T *, T)`, which gives the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The operand.
    Exchange,
    /// The lesser of the two.
    Min,
    /// The greater of the two.
    Max,
    /// One more, or 0 where the old value is not below the operand.
    Inc,
    /// One less, or the operand where the old value is 0 or above it.
    Dec,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `T op(T *, T compare, T value)`: the value, where the old one is `compare`.
    CompareExchange,
}

/// The threads for which an operation is atomic or orders memory (PTX ISA "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The threads of the block.
    Block,
    /// The threads of the cluster.
    Cluster,
    /// All threads of the GPU.
    Device,
    /// All threads of all GPUs and of the host.
    System,
}

/// An operation and its scope; relaxed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atomic {
    /// The operation.
    pub op: AtomicOp,
    /// The scope.
    pub scope: Scope,
}

impl Atomic {
    pub(super) fn signature(self) -> Signature {
        match self.op {
            AtomicOp::Add => Signature::of(Class::Summed, T, &[PointerToT, T]),
            AtomicOp::Exchange => Signature::of(Class::Exchanged, T, &[PointerToT, T]),
            AtomicOp::Inc | AtomicOp::Dec => Signature::of(Class::Word, T, &[PointerToT, T]),
            AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
                Signature::of(Class::Int, T, &[PointerToT, T])
            }
            AtomicOp::CompareExchange => Signature::of(Class::Compared, T, &[PointerToT, T, T]),
        }
    }
}

impl fmt::Debug for Atomic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Atomic{:?} {:?}", self.op, self.scope)
    }
}
