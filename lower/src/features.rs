//! What a program uses that not every GPU and PTX version has.

use std::collections::BTreeMap;

use weft_frontend::ir::builtin::{Lanes, Window};
use weft_frontend::ir::{
    AddressOp, AtomicOp, Builtin, ConstInit, ExprData, FloatTy, FunctionKind, IntegerOp, Module, SimdOp,
    SyncOp, ThreadOp, Ty, TyKind, TypeTable,
};
use weft_frontend::layout;
use weft_frontend::source::Span;

use crate::target::{Feature, PtxError, PtxVersion, Target, choose_ptx};

/// A program uses what the target or the PTX version that was asked for has not.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// What is lacking.
    pub error: PtxError,
    /// Where it is first used; none where the two do not go together whatever the program.
    pub span: Option<Span>,
}

/// The features that the module uses, each with the place of its first use.
pub fn used(module: &Module) -> BTreeMap<Feature, Span> {
    let mut features = BTreeMap::new();
    for global in module.globals.values() {
        if let Some(init) = &global.init
            && has_packed_address(&module.types, global.ty, init)
        {
            features.entry(Feature::AddressBytes).or_insert(global.span);
        }
    }
    for function in module.functions.values() {
        if let FunctionKind::Kernel(bounds) = &function.kind
            && bounds.max_cluster_blocks.is_some()
        {
            features.entry(Feature::MaxClusterRank).or_insert(function.span);
        }
        let Some(body) = &function.body else { continue };
        for node in body.exprs.values() {
            if let ExprData::Builtin(builtin, _) = &node.data {
                let is_double = module.types.float_ty(node.ty) == Some(FloatTy::Double);
                if let Some(feature) = of_builtin(*builtin, is_double) {
                    features.entry(feature).or_insert(node.span);
                }
            }
        }
    }
    features
}

/// Whether a variable's value holds an address and cannot be written in words of an address's size.
fn has_packed_address(types: &TypeTable, ty: Ty, init: &ConstInit) -> bool {
    let is_word = |bytes: u64| bytes.is_multiple_of(layout::POINTER_SIZE);
    let is_aligned = layout::size_of(types, ty).is_ok_and(is_word);
    any_address(types, ty, init, 0, &|offset| !is_aligned || !is_word(offset))
}

/// Whether an address in the value lies at an offset for which `holds`.
fn any_address(
    types: &TypeTable,
    ty: Ty,
    init: &ConstInit,
    offset: u64,
    holds: &impl Fn(u64) -> bool,
) -> bool {
    match init {
        ConstInit::GlobalAddr(..) | ConstInit::FuncAddr(_) => holds(offset),
        ConstInit::Zero
        | ConstInit::Int(_)
        | ConstInit::Float(_)
        | ConstInit::IntPtr(_)
        | ConstInit::Bytes(_) => false,
        ConstInit::Array(elems) => {
            let TyKind::Array(elem, _) = *types.kind(ty) else { return false };
            let size = layout::size_of(types, elem).unwrap_or(0);
            elems.iter().any(|(idx, init)| any_address(types, elem, init, offset + idx * size, holds))
        }
        ConstInit::Record(members) => {
            let Some(record) = types.record(ty) else { return false };
            let Ok(layout) = layout::record_layout(types, record) else { return false };
            let fields = types.records[record].fields.as_deref().unwrap_or_default();
            members.iter().any(|(idx, init)| {
                let idx = *idx as usize;
                any_address(types, fields[idx].ty, init, offset + layout.fields[idx].offset, holds)
            })
        }
    }
}

/// The PTX version for the module: see [`choose_ptx`].
///
/// # Errors
/// Names the feature that is lacking and its place.
pub fn ptx_version(
    module: &Module,
    target: Target,
    requested: Option<PtxVersion>,
) -> Result<PtxVersion, Unavailable> {
    let mut version = choose_ptx(target, requested, []).map_err(|error| Unavailable { error, span: None })?;
    for (feature, span) in used(module) {
        let needed = choose_ptx(target, requested, [feature]);
        version = version.max(needed.map_err(|error| Unavailable { error, span: Some(span) })?);
    }
    Ok(version)
}

fn of_builtin(builtin: Builtin, is_double: bool) -> Option<Feature> {
    match builtin {
        Builtin::Sync(op) => of_sync(op),
        Builtin::Warp(_) => Some(Feature::WarpSync),
        Builtin::Atomic(AtomicOp::AtomicAdd) => is_double.then_some(Feature::AtomicAddDouble),
        Builtin::Address(op) => of_address(op),
        Builtin::Thread(op) => of_thread(op),
        Builtin::Integer(op) => of_integer(op),
        Builtin::Simd(op, Lanes::Bytes) => of_bytes(op),
        Builtin::Simd(_, Lanes::Halves)
        | Builtin::Memory(_)
        | Builtin::Math(_)
        | Builtin::Half(_)
        | Builtin::Float(_)
        | Builtin::Convert(_)
        | Builtin::Dpx(..) => None,
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
    let (AddressOp::IsIn(window) | AddressOp::ToWindow(window) | AddressOp::FromWindow(window)) = op;
    match window {
        Window::ClusterShared => Some(Feature::ClusterShared),
        Window::Param => Some(Feature::ParamWindow),
        Window::Global | Window::Shared | Window::Constant | Window::Local => None,
    }
}

fn of_thread(op: ThreadOp) -> Option<Feature> {
    match op {
        ThreadOp::Sleep => Some(Feature::Nanosleep),
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

fn of_bytes(op: SimdOp) -> Option<Feature> {
    match op {
        SimdOp::LaneAbsDiff(_) | SimdOp::LaneSumAbsDiff(_) => Some(Feature::ByteDifferences),
        SimdOp::LaneAbs
        | SimdOp::LaneAbsSat
        | SimdOp::LaneNeg
        | SimdOp::LaneNegSat
        | SimdOp::LaneAdd
        | SimdOp::LaneAddSat(_)
        | SimdOp::LaneSub
        | SimdOp::LaneSubSat(_)
        | SimdOp::LaneMean
        | SimdOp::LaneMeanRounded(_)
        | SimdOp::LaneMax(_)
        | SimdOp::LaneMin(_)
        | SimdOp::LaneCompare(..)
        | SimdOp::LaneSet(..) => None,
    }
}
