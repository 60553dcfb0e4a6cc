//! Operations on ranges of bytes (C17 7.24).

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Is, PointerTo, Size};

/// An operation on a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BytesOp {
    /// `void *memcpy(void *to, const void *from, unsigned long size)`: C17 7.24.2.1
    CopyBytes,
    /// `void *memset(void *to, int byte, unsigned long size)`: C17 7.24.6.1
    SetBytes,
}

impl BytesOp {
    pub(super) fn signature(self) -> Signature {
        const VOID_PTR: super::Operand = PointerTo(Ty::VOID);
        match self {
            BytesOp::CopyBytes => Signature::fixed(VOID_PTR, &[VOID_PTR, VOID_PTR, Size]),
            BytesOp::SetBytes => Signature::fixed(VOID_PTR, &[VOID_PTR, Is(Ty::INT), Size]),
        }
    }
}
