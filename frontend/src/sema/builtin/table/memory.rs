//! CUDA C++ Programming Guide "Read-Only Data Cache Load Function", "Load Functions Using Cache Hints",
//! "Store Functions Using Cache Hints".

use super::{Function, Overload};
use crate::ir::Builtin::Memory;
use crate::ir::MemoryOp::*;
use crate::ir::builtin::{LoadCache, StoreCache};
use crate::sema::builtin::ty::*;

/// The functions, each with an overload for each of some types.
macro_rules! accesses {
    ($($ty:expr),*) => {
        &[
            accesses!(@load "__ldg" Memory(LoadReadOnly); $($ty),*),
            accesses!(@load "__ldca" Memory(Load(LoadCache::All)); $($ty),*),
            accesses!(@load "__ldcg" Memory(Load(LoadCache::Global)); $($ty),*),
            accesses!(@load "__ldcs" Memory(Load(LoadCache::Streaming)); $($ty),*),
            accesses!(@load "__ldlu" Memory(Load(LoadCache::LastUse)); $($ty),*),
            accesses!(@load "__ldcv" Memory(Load(LoadCache::Volatile)); $($ty),*),
            accesses!(@store "__stwb" Memory(Store(StoreCache::WriteBack)); $($ty),*),
            accesses!(@store "__stcg" Memory(Store(StoreCache::Global)); $($ty),*),
            accesses!(@store "__stcs" Memory(Store(StoreCache::Streaming)); $($ty),*),
            accesses!(@store "__stwt" Memory(Store(StoreCache::WriteThrough)); $($ty),*),
        ]
    };
    (@load $name:literal $builtin:expr; $($ty:expr),*) => {
        Function {
            name: $name,
            overloads: &[$(Overload {
                builtin: $builtin,
                ret: $ty,
                params: &[const_ptr($ty)],
                defaults: &[],
            },)*],
        }
    };
    (@store $name:literal $builtin:expr; $($ty:expr),*) => {
        Function {
            name: $name,
            overloads: &[$(Overload {
                builtin: $builtin,
                ret: VOID,
                params: &[ptr($ty), $ty],
                defaults: &[],
            },)*],
        }
    };
}

pub(super) const FUNCTIONS: &[Function] = accesses! {
    CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LONGLONG, ULONGLONG, FLOAT, DOUBLE,
    vector("char2"), vector("char4"), vector("uchar2"), vector("uchar4"), vector("short2"), vector("short4"),
    vector("ushort2"), vector("ushort4"), vector("int2"), vector("int4"), vector("uint2"), vector("uint4"),
    vector("longlong2"), vector("ulonglong2"), vector("float2"), vector("float4"), vector("double2")
};

/// What `cuda_fp16.h` adds.
pub(super) const OF_HALVES: &[Function] = accesses!(HALF2, HALF);

/// What `cuda_bf16.h` adds.
pub(super) const OF_BFLOATS: &[Function] = accesses!(BFLOAT2, BFLOAT);
