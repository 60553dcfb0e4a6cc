//! State spaces of addresses (CUDA C++ Programming Guide "Address Space Predicate Functions", "Address
//! Space Conversion Functions").

use super::super::Ty;
use super::Signature;
use super::signature::Operand::{Is, PointerTo, Size};

/// A window of the generic address space (PTX ISA "Generic Addressing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Window {
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Shared,
    /// Shared memory of the cluster.
    ClusterShared,
    /// Constant memory.
    Constant,
    /// Memory of the thread.
    Local,
    /// The kernel's parameters.
    Param,
}

/// A query about an address, or a conversion of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressOp {
    /// `unsigned __isGlobal(const void *)`: PTX ISA "isspacep"
    IsIn(Window),
    /// `size_t __cvta_generic_to_global(const void *)`: PTX ISA "cvta.to"
    ToWindow(Window),
    /// `void *__cvta_global_to_generic(size_t)`: PTX ISA "cvta"
    FromWindow(Window),
    /// `unsigned __nvvm_get_smem_pointer(void *)`: PTX ISA "cvta.to", of which 32 bits count
    SharedPointer,
}

impl AddressOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            AddressOp::IsIn(_) => Signature::fixed(Is(Ty::UINT), &[PointerTo(Ty::VOID)]),
            AddressOp::ToWindow(_) => Signature::fixed(Size, &[PointerTo(Ty::VOID)]),
            AddressOp::SharedPointer => Signature::fixed(Is(Ty::UINT), &[PointerTo(Ty::VOID)]),
            AddressOp::FromWindow(_) => Signature::fixed(PointerTo(Ty::VOID), &[Size]),
        }
    }
}
