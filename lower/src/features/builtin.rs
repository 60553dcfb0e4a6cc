//! The features that built-in functions require (PTX ISA, "PTX ISA Notes" and "Target ISA Notes" of each
//! instruction).

use weft_frontend::ir::builtin::half::HalfFn;
use weft_frontend::ir::builtin::{Lanes, Numbers, Sign, Window};
use weft_frontend::ir::{
    AddressOp, AsyncOp, Atomic, AtomicOp, Builtin, ClusterOp, DpxOp, Factor, FloatTy, Geometry, HalfOp,
    HalfTy, IntegerOp, Level, LibraryFn, MatrixOp, MatrixRole, MatrixShape, MemoryOrder, Ordered, OrderedOp,
    Residency, Scope, SimdOp, Sum, SyncOp, TextureOp, ThreadOp, Ty, TypeTable, WarpOp,
};

use weft_frontend::layout;

use crate::atomic::is_loop;
use crate::target::Feature;

/// The feature that the operation requires, given the result type and a pointer to an object as first operand.
pub(super) fn needed(builtin: Builtin, types: &TypeTable, ty: Ty, object: Option<Ty>) -> Option<Feature> {
    match builtin {
        Builtin::Sync(op) => of_sync(op),
        Builtin::Warp(op) => Some(of_warp(op)),
        Builtin::Atomic(atomic) => of_atomic(atomic, types, ty),
        Builtin::Ordered(ordered) => Some(of_ordered(ordered, types, object)),
        Builtin::Half(HalfOp::Fma(_) | HalfOp::ComplexFma)
            if types.half_ty(ty).map(HalfTy::lane) == Some(HalfTy::Bfloat) =>
        {
            Some(Feature::BfloatFma)
        }
        Builtin::Half(_) => Some(Feature::Half),
        Builtin::Address(op) => of_address(op),
        Builtin::Cluster(op) => of_cluster(op),
        Builtin::Async(op) => Some(of_async(op)),
        Builtin::Matrix(op) => Some(of_matrix(op)),
        Builtin::Thread(op) => of_thread(op),
        Builtin::Integer(op) => of_integer(op),
        Builtin::Simd(op, lanes) => of_simd(op, lanes),
        Builtin::Texture(op) => of_texture(op),
        Builtin::Library(LibraryFn::FastSin2pi | LibraryFn::FastCos2pi | LibraryFn::FastSincos2pi) => {
            Some(Feature::Turns)
        }
        Builtin::Memory(_)
        | Builtin::Bytes(_)
        | Builtin::Hint(_)
        | Builtin::Overflow(_)
        | Builtin::Math(_)
        | Builtin::Library(_)
        | Builtin::Float(_)
        | Builtin::Convert(_)
        | Builtin::Rounded(_)
        | Builtin::Dpx(..)
        | Builtin::System(_) => None,
    }
}

/// Of several required features, the most demanding one.
fn of_atomic(Atomic { op, scope }: Atomic, types: &TypeTable, ty: Ty) -> Option<Feature> {
    let n_bytes = layout::size_of(types, ty).unwrap_or(4);
    match op {
        AtomicOp::Exchange | AtomicOp::CompareExchange if n_bytes == 16 => Some(Feature::AtomicQuadExchange),
        AtomicOp::CompareExchange if n_bytes == 2 => Some(Feature::AtomicShort),
        AtomicOp::Add if types.half_ty(ty) == Some(HalfTy::Half2) => Some(Feature::AtomicAddHalves),
        AtomicOp::Add if types.half_ty(ty).is_some() => Some(Feature::AtomicAddHalf),
        AtomicOp::Add if types.record(ty).is_some() => Some(Feature::AtomicAddVector),
        _ if scope != Scope::Device => Some(Feature::AtomicScope),
        AtomicOp::Add if types.float_ty(ty) == Some(FloatTy::Double) => Some(Feature::AtomicAddDouble),
        AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor if n_bytes == 8 => {
            Some(Feature::AtomicLong)
        }
        _ => None,
    }
}

/// Like [`of_atomic`].
fn of_ordered(Ordered { op, scope, .. }: Ordered, types: &TypeTable, object: Option<Ty>) -> Feature {
    let n_bytes = object.and_then(|object| layout::size_of(types, object).ok()).unwrap_or(4);
    let is_int = |n_bytes| {
        let int = object.and_then(|object| types.int_ty(object));
        int.is_some_and(|int| int.is_signed() && layout::int_layout(int).size == n_bytes)
    };
    match op {
        _ if object.is_some_and(|object| is_loop(types, op, object)) => Feature::AtomicLoop,
        // These are single instructions, but nvcc supports them only where it supports the loops.
        OrderedOp::Modify(_) if n_bytes < 4 => Feature::AtomicLoop,
        OrderedOp::Modify(AtomicOp::Add | AtomicOp::Sub) if is_int(8) => Feature::AtomicLoop,
        OrderedOp::Exchange | OrderedOp::CompareExchange { .. } if n_bytes == 16 => {
            Feature::AtomicQuadExchange
        }
        _ if scope == Scope::Cluster => Feature::ClusterScope,
        _ if n_bytes == 16 => Feature::AtomicQuad,
        OrderedOp::CompareExchange { .. } if n_bytes == 2 => Feature::AtomicShort,
        _ => Feature::AtomicOrder,
    }
}

fn of_warp(op: WarpOp) -> Feature {
    match op {
        WarpOp::MatchAny | WarpOp::MatchAll => Feature::Match,
        WarpOp::ReduceAdd
        | WarpOp::ReduceMin
        | WarpOp::ReduceMax
        | WarpOp::ReduceAnd
        | WarpOp::ReduceOr
        | WarpOp::ReduceXor => Feature::Reduce,
        WarpOp::ActiveMask => Feature::ActiveMask,
        WarpOp::ShflIdx
        | WarpOp::ShflUp
        | WarpOp::ShflDown
        | WarpOp::ShflXor
        | WarpOp::All
        | WarpOp::Any
        | WarpOp::Uniform
        | WarpOp::Ballot => Feature::WarpSync,
    }
}

fn of_sync(op: SyncOp) -> Option<Feature> {
    match op {
        SyncOp::SyncWarp => Some(Feature::WarpSync),
        SyncOp::Barrier | SyncOp::BarrierCount => Some(Feature::Barrier),
        SyncOp::SyncThreads
        | SyncOp::SyncThreadsCount
        | SyncOp::SyncThreadsAnd
        | SyncOp::SyncThreadsOr
        | SyncOp::FenceBlock
        | SyncOp::FenceDevice
        | SyncOp::FenceSystem => None,
    }
}

fn of_address(op: AddressOp) -> Option<Feature> {
    let window = match op {
        AddressOp::IsIn(window) | AddressOp::ToWindow(window) | AddressOp::FromWindow(window) => window,
        AddressOp::SharedPointer => Window::Shared,
    };
    match window {
        Window::ClusterShared => Some(Feature::ClusterShared),
        Window::Param => Some(Feature::ParamWindow),
        Window::Global | Window::Shared | Window::Constant | Window::Local => None,
    }
}

fn of_cluster(op: ClusterOp) -> Option<Feature> {
    match op {
        ClusterOp::ClusterArrive
        | ClusterOp::ClusterWait
        | ClusterOp::FenceCluster
        | ClusterOp::IsExplicitCluster
        | ClusterOp::RankInCluster
        | ClusterOp::ClusterSize
        | ClusterOp::ClusterDim
        | ClusterOp::IdxInCluster
        | ClusterOp::GridDimInClusters
        | ClusterOp::ClusterIdx => Some(Feature::ClusterBlocks),
        ClusterOp::ClusterArriveRelaxed => Some(Feature::ClusterRelaxed),
        ClusterOp::MapShared | ClusterOp::SharedRank | ClusterOp::MapMulticast => {
            Some(Feature::ClusterShared)
        }
        ClusterOp::GridWait | ClusterOp::LaunchDependents => Some(Feature::GridDependency),
    }
}

fn of_async(op: AsyncOp) -> Feature {
    match op {
        AsyncOp::BarrierInit
        | AsyncOp::BarrierInvalidate
        | AsyncOp::BarrierArrive
        | AsyncOp::BarrierArriveDrop
        | AsyncOp::BarrierTestWait
        | AsyncOp::BarrierPendingCount
        | AsyncOp::CopiesArrive => Feature::SharedBarrier,
        AsyncOp::BarrierTestWaitParity => Feature::BarrierParity,
        AsyncOp::BarrierTryWait | AsyncOp::BarrierTryWaitParity => Feature::BarrierTryWait,
        AsyncOp::CopyAsync(..) | AsyncOp::CommitCopies | AsyncOp::WaitForCopies => Feature::AsyncCopy,
    }
}

fn of_matrix(op: MatrixOp) -> Feature {
    let (shape, factor) = match op {
        MatrixOp::MatrixAndCount => return Feature::MatrixAnd,
        MatrixOp::MatrixXorCount => return Feature::MatrixSmall,
        MatrixOp::GroupMultiply { .. } => return Feature::GroupMatrix,
        MatrixOp::MatrixLoad(shape, MatrixRole::A(factor) | MatrixRole::B(factor))
        | MatrixOp::MatrixMultiply { shape, factor, .. } => (shape, Some(factor)),
        MatrixOp::MatrixLoad(shape, MatrixRole::C(Sum::Int)) | MatrixOp::MatrixStore(shape, Sum::Int) => {
            (shape, Some(Factor::S8))
        }
        MatrixOp::MatrixLoad(shape, MatrixRole::C(_)) | MatrixOp::MatrixStore(shape, _) => (shape, None),
    };
    match (shape, factor) {
        (_, Some(Factor::Bfloat | Factor::Tf32 | Factor::Double)) => Feature::MatrixWide,
        (MatrixShape::M16N16K8 | MatrixShape::M8N8K4, _) => Feature::MatrixWide,
        (MatrixShape::M8N8K32 | MatrixShape::M8N8K128, _) => Feature::MatrixSmall,
        (_, Some(Factor::S8 | Factor::U8)) => Feature::MatrixBytes,
        (_, Some(Factor::S4 | Factor::U4 | Factor::Bit)) => Feature::MatrixSmall,
        (MatrixShape::M16N16K16, _) => Feature::MatrixHalves,
        (MatrixShape::M32N8K16 | MatrixShape::M8N32K16, _) => Feature::MatrixLongHalves,
    }
}

fn of_thread(op: ThreadOp) -> Option<Feature> {
    match op {
        ThreadOp::Sleep => Some(Feature::Nanosleep),
        ThreadOp::Alloca => Some(Feature::Alloca),
        ThreadOp::Clock
        | ThreadOp::PerformanceCounter(_)
        | ThreadOp::Trap
        | ThreadOp::Breakpoint
        | ThreadOp::ProfilerTrigger
        | ThreadOp::Unreachable => None,
    }
}

fn of_integer(op: IntegerOp) -> Option<Feature> {
    match op {
        IntegerOp::Dp4a | IntegerOp::Dp2aLow | IntegerOp::Dp2aHigh => Some(Feature::DotProduct),
        IntegerOp::FunnelLeftClamp | IntegerOp::FunnelRightClamp => Some(Feature::FunnelShift),
        IntegerOp::FindNthSet => Some(Feature::FindNthSet),
        IntegerOp::PopCount
        | IntegerOp::LeadingZeros
        | IntegerOp::FindFirstSet
        | IntegerOp::ReverseBits
        | IntegerOp::SwapBytes
        | IntegerOp::PermuteBytes
        | IntegerOp::FunnelLeft
        | IntegerOp::FunnelRight
        | IntegerOp::Mul24
        | IntegerOp::MulHigh
        | IntegerOp::SumAbsDiff
        | IntegerOp::Mean
        | IntegerOp::MeanUp => None,
    }
}

fn of_texture(op: TextureOp) -> Option<Feature> {
    match op {
        TextureOp::TextureRead(_, _, Residency::Reported) | TextureOp::TextureGather(Residency::Reported) => {
            Some(Feature::Residency)
        }
        TextureOp::TextureRead(Geometry::Cubemap | Geometry::CubemapLayered, Level::Grad, _) => {
            Some(Feature::CubemapGrad)
        }
        TextureOp::TextureFetch
        | TextureOp::TextureRead(..)
        | TextureOp::TextureGather(_)
        | TextureOp::SurfaceRead(_)
        | TextureOp::SurfaceWrite(_) => None,
    }
}

fn of_simd(op: SimdOp, lanes: Lanes) -> Option<Feature> {
    match (op, lanes) {
        (SimdOp::LaneAbsDiff(_) | SimdOp::LaneSumAbsDiff(_), Lanes::Bytes)
        | (SimdOp::LaneSumAbsDiff(Sign::Unsigned), Lanes::Halves) => Some(Feature::LaneDifferences),
        _ => None,
    }
}

/// The feature with which the operation is one instruction instead of several. `is_fast`: with `-use_fast_math`.
pub(super) fn wished(builtin: Builtin, is_fast: bool) -> Option<Feature> {
    let is_packed = match builtin {
        Builtin::Half(HalfOp::Function(HalfFn::Tanh | HalfFn::TanhApprox)) => {
            return Some(Feature::TanhApprox);
        }
        Builtin::Library(LibraryFn::FastTanh) => return Some(Feature::TanhApprox),
        Builtin::Library(LibraryFn::Tanh) if is_fast => return Some(Feature::TanhApprox),
        Builtin::Ordered(Ordered {
            op: OrderedOp::Fence,
            order: MemoryOrder::Acquire | MemoryOrder::Release,
            ..
        }) => return Some(Feature::OneWayFence),
        Builtin::Simd(op, Lanes::Halves) => match op {
            SimdOp::LaneAdd | SimdOp::LaneAddSat(_) | SimdOp::LaneMax(_) | SimdOp::LaneMin(_) => true,
            SimdOp::LaneAbs
            | SimdOp::LaneAbsSat
            | SimdOp::LaneNeg
            | SimdOp::LaneNegSat
            | SimdOp::LaneSub
            | SimdOp::LaneSubSat(_)
            | SimdOp::LaneMean
            | SimdOp::LaneMeanRounded(_)
            | SimdOp::LaneAbsDiff(_)
            | SimdOp::LaneSumAbsDiff(_)
            | SimdOp::LaneCompare(..)
            | SimdOp::LaneSet(..) => false,
        },
        Builtin::Dpx(op, _, Numbers::One(_)) => match op {
            DpxOp::OfTwoRelu | DpxOp::OfThreeRelu | DpxOp::OfSumRelu => true,
            DpxOp::OfThree | DpxOp::OfSum | DpxOp::WithPredicate => false,
        },
        Builtin::Dpx(_, _, Numbers::Two(_)) => true,
        Builtin::Simd(_, Lanes::Bytes)
        | Builtin::Sync(_)
        | Builtin::Warp(_)
        | Builtin::Atomic(_)
        | Builtin::Ordered(_)
        | Builtin::Memory(_)
        | Builtin::Address(_)
        | Builtin::Cluster(_)
        | Builtin::Async(_)
        | Builtin::Matrix(_)
        | Builtin::Thread(_)
        | Builtin::Math(_)
        | Builtin::Library(_)
        | Builtin::Integer(_)
        | Builtin::Float(_)
        | Builtin::Convert(_)
        | Builtin::Rounded(_)
        | Builtin::Bytes(_)
        | Builtin::Hint(_)
        | Builtin::Overflow(_)
        | Builtin::Half(_)
        | Builtin::Texture(_)
        | Builtin::System(_) => false,
    };
    is_packed.then_some(Feature::PackedHalves)
}
