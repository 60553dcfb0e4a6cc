//! Integer arithmetic that reports overflow (GNU C "Integer Overflow Builtins").

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Integer, Is, PointerToInteger};

/// `bool op(A a, B b, C *result)`: writes the low bits of the exact result, of operands of any integer types,
/// and returns whether C cannot represent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OverflowOp {
    /// `a + b`
    AddOverflow,
    /// `a - b`
    SubOverflow,
    /// `a * b`
    MulOverflow,
}

impl OverflowOp {
    pub(super) fn signature(self) -> Signature {
        Signature::fixed(Is(Ty::BOOL), &[Integer, Integer, PointerToInteger])
    }
}
