//! Atomic memory operations.

use super::signature::Operand::{PointerToT, T};
use super::{Class, Signature};

/// An atomic memory operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// `T atomicAdd(T*, T)`: relaxed, at device scope; gives the old value
    AtomicAdd,
}

impl AtomicOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            AtomicOp::AtomicAdd => Signature::of(Class::Number, T, &[PointerToT, T]),
        }
    }
}
