//! Accesses to global memory with cache hints (CUDA C++ Programming Guide
//! "Read-Only Data Cache Load Function", "Load Functions Using Cache Hints", "Store Functions Using Cache
//! Hints").

use super::super::Ty;
use super::signature::Operand::{Is, PointerToT, T};
use super::{Class, Signature};

/// An access to global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryOp {
    /// `T __ldg(const T *)`: PTX ISA "ld.global.nc"
    LoadReadOnly,
    /// `T __ldca(const T *)` and its kin: PTX ISA "Cache Operators"
    Load(LoadCache),
    /// `void __stwb(T *, T)` and its kin: PTX ISA "Cache Operators"
    Store(StoreCache),
}

/// The cache operator of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadCache {
    /// `ld.ca`: at all levels.
    All,
    /// `ld.cg`: at the level of the device.
    Global,
    /// `ld.cs`: first to be evicted.
    Streaming,
    /// `ld.lu`: last use.
    LastUse,
    /// `ld.cv`: nothing; it reads the memory again.
    Volatile,
}

/// The cache operator of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreCache {
    /// `st.wb`: at all levels of the memory's coherence.
    WriteBack,
    /// `st.cg`: at the level of the device.
    Global,
    /// `st.cs`: first to be evicted.
    Streaming,
    /// `st.wt`: through the caches to the memory of the system.
    WriteThrough,
}

impl MemoryOp {
    pub(super) fn signature(self) -> Signature {
        match self {
            MemoryOp::LoadReadOnly | MemoryOp::Load(_) => Signature::of(Class::Access, T, &[PointerToT]),
            MemoryOp::Store(_) => Signature::of(Class::Access, Is(Ty::VOID), &[PointerToT, T]),
        }
    }

    /// Whether it writes nothing.
    pub(super) fn is_pure(self) -> bool {
        match self {
            MemoryOp::LoadReadOnly | MemoryOp::Load(_) => true,
            MemoryOp::Store(_) => false,
        }
    }
}
