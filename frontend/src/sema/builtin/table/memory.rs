//! CUDA C++ Programming Guide "Read-Only Data Cache Load Function", "Load Functions Using Cache Hints",
//! "Store Functions Using Cache Hints".

use super::super::ty::*;
use super::{Function, Overload};
use crate::ir::Builtin::Memory;
use crate::ir::MemoryOp::*;
use crate::ir::builtin::{LoadCache, StoreCache};

/// A function with an overload for each type that one access reads or writes.
macro_rules! accesses {
    ($($name:literal: $kind:ident => $builtin:expr;)*) => {
        pub(super) const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            overloads: accesses!(@each $kind $builtin),
        },)*];
    };
    (@each $kind:ident $builtin:expr) => {
        accesses!(@types $kind $builtin;
            CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LONGLONG, ULONGLONG, FLOAT, DOUBLE,
            vector("char2"), vector("char4"), vector("uchar2"), vector("uchar4"), vector("short2"),
            vector("short4"), vector("ushort2"), vector("ushort4"), vector("int2"), vector("int4"),
            vector("uint2"), vector("uint4"), vector("longlong2"), vector("ulonglong2"), vector("float2"),
            vector("float4"), vector("double2"))
    };
    (@types load $builtin:expr; $($ty:expr),*) => {
        &[$(Overload { builtin: $builtin, ret: $ty, params: &[const_ptr($ty)], defaults: &[] },)*]
    };
    (@types store $builtin:expr; $($ty:expr),*) => {
        &[$(Overload { builtin: $builtin, ret: VOID, params: &[ptr($ty), $ty], defaults: &[] },)*]
    };
}

accesses! {
    "__ldg": load => Memory(LoadReadOnly);
    "__ldca": load => Memory(Load(LoadCache::All));
    "__ldcg": load => Memory(Load(LoadCache::Global));
    "__ldcs": load => Memory(Load(LoadCache::Streaming));
    "__ldlu": load => Memory(Load(LoadCache::LastUse));
    "__ldcv": load => Memory(Load(LoadCache::Volatile));
    "__stwb": store => Memory(Store(StoreCache::WriteBack));
    "__stcg": store => Memory(Store(StoreCache::Global));
    "__stcs": store => Memory(Store(StoreCache::Streaming));
    "__stwt": store => Memory(Store(StoreCache::WriteThrough));
}
