//! Promises and expectations of a program, for the optimizer only (CUDA C++ Programming Guide "Compiler
//! Optimization Hint Functions"; GNU C "Other Builtins").

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Difference, Is, PointerTo, Size};

/// A hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HintOp {
    /// `long __builtin_expect(long value, long expected)`: the value, which is likely the second
    Expect,
    /// `void __builtin_assume(bool)`: the condition is true; an operand with side effects is not evaluated
    Assume,
    /// `void *__builtin_assume_aligned(const void *, unsigned long alignment, long offset)`: the address, which
    /// less the offset is a multiple of the constant, a power of two
    AssumeAligned,
    /// `void *__nv_associate_access_property(const void *, unsigned long long policy)`: the address, whose accesses the caches should
    /// treat as the policy says; what nvcc can follow has it as an operand (PTX ISA "createpolicy")
    AccessProperty,
}

impl HintOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            HintOp::Expect => Signature::fixed(Is(Ty::LONG), &[Is(Ty::LONG), Is(Ty::LONG)]),
            HintOp::Assume => Signature::fixed(Is(Ty::VOID), &[Is(Ty::BOOL)]),
            HintOp::AssumeAligned => {
                Signature::fixed(PointerTo(Ty::VOID), &[PointerTo(Ty::VOID), Size, Difference])
            }
            HintOp::AccessProperty => {
                Signature::fixed(PointerTo(Ty::VOID), &[PointerTo(Ty::VOID), Is(Ty::ULONGLONG)])
            }
        }
    }

    /// Whether it only gives a value.
    pub(super) fn is_pure(self) -> bool {
        match self {
            HintOp::Expect | HintOp::AssumeAligned | HintOp::AccessProperty => true,
            HintOp::Assume => false,
        }
    }
}
