//! Names of nvcc's own: what CUDA's headers define their functions by, and nvcc knows without a declaration. Each stands for one
//! overload of a function of another table. The others of them are refused by name (`sema::own_name`).
//!
//! - [`atomic`]: atomic functions; [`declared`]: what is known once it is declared; this file: all else

pub(super) mod atomic;
pub(super) mod declared;

use super::functions;
use crate::ir::Builtin::*;
use crate::ir::builtin::CopyForm;
use crate::ir::builtin::Rounding::*;
use crate::ir::builtin::Window::*;
use crate::ir::{
    AddressOp, AsyncOp, ClusterOp, ConvertOp, FloatOp, HintOp, IntegerOp, LibraryFn, MathOp, MemoryOp,
    SyncOp, WarpOp,
};
use crate::sema::builtin::ty::*;

/// Whether it is the name of one of these.
pub(super) fn has(name: &str) -> bool {
    [FUNCTIONS, atomic::FUNCTIONS, declared::FUNCTIONS]
        .into_iter()
        .flatten()
        .any(|function| function.name == name)
}

functions! {
    // Address spaces.
    "__nv_cvta_constant_to_generic_impl": VOID_PTR(SIZE) => Address(AddressOp::FromWindow(Constant));
    "__nv_cvta_generic_to_constant_impl": SIZE(const_ptr(VOID)) => Address(AddressOp::ToWindow(Constant));
    "__nv_cvta_generic_to_global_impl": SIZE(const_ptr(VOID)) => Address(AddressOp::ToWindow(Global));
    "__nv_cvta_generic_to_local_impl": SIZE(const_ptr(VOID)) => Address(AddressOp::ToWindow(Local));
    "__nv_cvta_generic_to_param_impl": SIZE(const_ptr(VOID)) => Address(AddressOp::ToWindow(Param));
    "__nv_cvta_generic_to_shared_impl": SIZE(const_ptr(VOID)) => Address(AddressOp::ToWindow(Shared));
    "__nv_cvta_global_to_generic_impl": VOID_PTR(SIZE) => Address(AddressOp::FromWindow(Global));
    "__nv_cvta_local_to_generic_impl": VOID_PTR(SIZE) => Address(AddressOp::FromWindow(Local));
    "__nv_cvta_param_to_generic_impl": VOID_PTR(SIZE) => Address(AddressOp::FromWindow(Param));
    "__nv_cvta_shared_to_generic_impl": VOID_PTR(SIZE) => Address(AddressOp::FromWindow(Shared));
    "__nv_isClusterShared_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(ClusterShared));
    "__nv_isConstant_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(Constant));
    "__nv_isGlobal_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(Global));
    "__nv_isGridConstant_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(Param));
    "__nv_isLocal_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(Local));
    "__nv_isShared_impl": UINT(const_ptr(VOID)) => Address(AddressOp::IsIn(Shared));
    // What warps do together.
    "__match32_all_sync": UINT(UINT, UINT, ptr(INT)) => Warp(WarpOp::MatchAll);
    "__match32_any_sync": UINT(UINT, UINT) => Warp(WarpOp::MatchAny);
    "__match64_all_sync": UINT(UINT, ULONGLONG, ptr(INT)) => Warp(WarpOp::MatchAll);
    "__match64_any_sync": UINT(UINT, ULONGLONG) => Warp(WarpOp::MatchAny);
    "__nv_activemask_impl": UINT() => Warp(WarpOp::ActiveMask);
    "__nvvm_vote_all_sync": INT(UINT, INT) => Warp(WarpOp::All);
    "__nvvm_vote_any_sync": INT(UINT, INT) => Warp(WarpOp::Any);
    "__nvvm_vote_ballot_sync": UINT(UINT, INT) => Warp(WarpOp::Ballot);
    "__nvvm_vote_uni_sync": INT(UINT, INT) => Warp(WarpOp::Uniform);
    "__reduce_add_sync_signed_impl": INT(UINT, INT) => Warp(WarpOp::ReduceAdd);
    "__reduce_add_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceAdd);
    "__reduce_and_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceAnd);
    "__reduce_max_sync_signed_impl": INT(UINT, INT) => Warp(WarpOp::ReduceMax);
    "__reduce_max_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceMax);
    "__reduce_min_sync_signed_impl": INT(UINT, INT) => Warp(WarpOp::ReduceMin);
    "__reduce_min_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceMin);
    "__reduce_or_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceOr);
    "__reduce_xor_sync_unsigned_impl": UINT(UINT, UINT) => Warp(WarpOp::ReduceXor);
    // Integers.
    "__nv_bswap16_impl": USHORT(USHORT) => Integer(IntegerOp::SwapBytes);
    "__nv_bswap32_impl": UINT(UINT) => Integer(IntegerOp::SwapBytes);
    "__nv_bswap64_impl": ULONGLONG(ULONGLONG) => Integer(IntegerOp::SwapBytes);
    "__nv_idp2a_hi_s_s_impl": INT(INT, INT, INT) => Integer(IntegerOp::Dp2aHigh);
    "__nv_idp2a_hi_u_u_impl": UINT(UINT, UINT, UINT) => Integer(IntegerOp::Dp2aHigh);
    "__nv_idp2a_lo_s_s_impl": INT(INT, INT, INT) => Integer(IntegerOp::Dp2aLow);
    "__nv_idp2a_lo_u_u_impl": UINT(UINT, UINT, UINT) => Integer(IntegerOp::Dp2aLow);
    "__nv_idp4a_s_s_impl": INT(INT, INT, INT) => Integer(IntegerOp::Dp4a);
    "__nv_idp4a_u_u_impl": UINT(UINT, UINT, UINT) => Integer(IntegerOp::Dp4a);
    "__nvvm_fns": UINT(UINT, UINT, INT) => Integer(IntegerOp::FindNthSet);
    "__nvvm_mulhi_i": INT(INT, INT) => Integer(IntegerOp::MulHigh);
    "__nvvm_mulhi_ll": LONGLONG(LONGLONG, LONGLONG) => Integer(IntegerOp::MulHigh);
    "__nvvm_mulhi_ui": UINT(UINT, UINT) => Integer(IntegerOp::MulHigh);
    "__nvvm_mulhi_ull": ULONGLONG(ULONGLONG, ULONGLONG) => Integer(IntegerOp::MulHigh);
    "__nvvm_sad_ui": UINT(UINT, UINT, UINT) => Integer(IntegerOp::SumAbsDiff);
    // Barriers and fences.
    "__nvvm_bar0": VOID() => Sync(SyncOp::SyncThreads);
    "__nvvm_bar0_and": INT(INT) => Sync(SyncOp::SyncThreadsAnd);
    "__nvvm_bar0_or": INT(INT) => Sync(SyncOp::SyncThreadsOr);
    "__nvvm_bar0_popc": INT(INT) => Sync(SyncOp::SyncThreadsCount);
    "__nvvm_bar_sync_all": VOID(UINT) => Sync(SyncOp::Barrier);
    "__nvvm_bar_sync_all_cnt": VOID(UINT, UINT) => Sync(SyncOp::BarrierCount);
    "__nvvm_bar_warp_sync": VOID(UINT) => Sync(SyncOp::SyncWarp);
    "__nvvm_barrier_sync": VOID(UINT) => Sync(SyncOp::Barrier);
    "__nvvm_barrier_sync_cnt": VOID(UINT, UINT) => Sync(SyncOp::BarrierCount);
    "__nvvm_membar_cta": VOID() => Sync(SyncOp::FenceBlock);
    "__nvvm_membar_gl": VOID() => Sync(SyncOp::FenceDevice);
    "__nvvm_membar_sys": VOID() => Sync(SyncOp::FenceSystem);
    // Clusters.
    "__nv_clusterDimIsSpecifed_impl": UINT() => Cluster(ClusterOp::IsExplicitCluster);
    "__nv_clusterRelativeBlockRank_impl": UINT() => Cluster(ClusterOp::RankInCluster);
    "__nv_clusterSizeInBlocks_impl": UINT() => Cluster(ClusterOp::ClusterSize);
    "__nv_cluster_barrier_arrive_impl": VOID() => Cluster(ClusterOp::ClusterArrive);
    "__nv_cluster_barrier_arrive_relaxed_impl": VOID() => Cluster(ClusterOp::ClusterArriveRelaxed);
    "__nv_cluster_barrier_wait_impl": VOID() => Cluster(ClusterOp::ClusterWait);
    "__nv_cluster_map_shared_rank_impl": VOID_PTR(const_ptr(VOID), UINT) => Cluster(ClusterOp::MapShared);
    "__nv_cluster_query_shared_rank_impl": UINT(const_ptr(VOID)) => Cluster(ClusterOp::SharedRank);
    "__nv_threadfence_cluster_impl": VOID() => Cluster(ClusterOp::FenceCluster);
    // Loads through the read-only cache.
    "__nv_ldg_c_impl": CHAR(const_ptr(CHAR)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_d_impl": DOUBLE(const_ptr(DOUBLE)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_f_impl": FLOAT(const_ptr(FLOAT)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_i_impl": INT(const_ptr(INT)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_l_impl": LONG(const_ptr(LONG)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_ll_impl": LONGLONG(const_ptr(LONGLONG)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_s_impl": SHORT(const_ptr(SHORT)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_sc_impl": SCHAR(const_ptr(SCHAR)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_uc_impl": UCHAR(const_ptr(UCHAR)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_ui_impl": UINT(const_ptr(UINT)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_ul_impl": ULONG(const_ptr(ULONG)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_ull_impl": ULONGLONG(const_ptr(ULONGLONG)) => Memory(MemoryOp::LoadReadOnly);
    "__nv_ldg_us_impl": USHORT(const_ptr(USHORT)) => Memory(MemoryOp::LoadReadOnly);
    // Hints.
    "__nv_associate_access_property_impl": VOID_PTR(const_ptr(VOID), ULONGLONG) => Hint(HintOp::AccessProperty);
    "__nv_memcpy_async_shared_global_16_impl": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(AsyncOp::CopyAsync(16, CopyForm::Plain));
    "__nv_memcpy_async_shared_global_4_impl": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(AsyncOp::CopyAsync(4, CopyForm::Plain));
    "__nv_memcpy_async_shared_global_8_impl": VOID(VOID_PTR, const_ptr(VOID), UINT) => Async(AsyncOp::CopyAsync(8, CopyForm::Plain));
    // Mathematical functions.
    "__finite": INT(DOUBLE) => Math(MathOp::IsFinite);
    "__finitef": INT(FLOAT) => Math(MathOp::IsFinite);
    "__isinf": INT(DOUBLE) => Math(MathOp::IsInf);
    "__isinff": INT(FLOAT) => Math(MathOp::IsInf);
    "__isnan": INT(DOUBLE) => Math(MathOp::IsNan);
    "__isnanf": INT(FLOAT) => Math(MathOp::IsNan);
    "__nvvm_ceil_d": DOUBLE(DOUBLE) => Math(MathOp::Ceil);
    "__nvvm_floor_d": DOUBLE(DOUBLE) => Math(MathOp::Floor);
    "__nvvm_fmax_d": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Max);
    "__nvvm_fmin_d": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Min);
    "__nvvm_round_d": DOUBLE(DOUBLE) => Math(MathOp::Rint);
    "__nvvm_round_f": FLOAT(FLOAT) => Math(MathOp::Rint);
    "__nvvm_sqrt_f": FLOAT(FLOAT) => Math(MathOp::Sqrt);
    "__nvvm_trunc_d": DOUBLE(DOUBLE) => Math(MathOp::Trunc);
    "__nvvm_trunc_f": FLOAT(FLOAT) => Math(MathOp::Trunc);
    "__signbit": INT(DOUBLE) => Math(MathOp::SignBit);
    "__signbitf": INT(FLOAT) => Math(MathOp::SignBit);
    "__nvvm_rsqrt_approx_d": DOUBLE(DOUBLE) => Library(LibraryFn::Rsqrt);
    // Arithmetic that rounds as the names say.
    "__nvvm_add_rm_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Add(Down));
    "__nvvm_add_rn_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Add(Nearest));
    "__nvvm_add_rp_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Add(Up));
    "__nvvm_add_rz_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Add(Zero));
    "__nvvm_div_rm_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Div(Down));
    "__nvvm_div_rn_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Div(Nearest));
    "__nvvm_div_rp_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Div(Up));
    "__nvvm_div_rz_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Div(Zero));
    "__nvvm_fma_rm_d": DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Float(FloatOp::FusedMulAdd(Down));
    "__nvvm_fma_rm_f": FLOAT(FLOAT, FLOAT, FLOAT) => Float(FloatOp::FusedMulAddIeee(Down));
    "__nvvm_fma_rn_d": DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Float(FloatOp::FusedMulAdd(Nearest));
    "__nvvm_fma_rn_f": FLOAT(FLOAT, FLOAT, FLOAT) => Float(FloatOp::FusedMulAddIeee(Nearest));
    "__nvvm_fma_rp_d": DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Float(FloatOp::FusedMulAdd(Up));
    "__nvvm_fma_rp_f": FLOAT(FLOAT, FLOAT, FLOAT) => Float(FloatOp::FusedMulAddIeee(Up));
    "__nvvm_fma_rz_d": DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Float(FloatOp::FusedMulAdd(Zero));
    "__nvvm_fma_rz_f": FLOAT(FLOAT, FLOAT, FLOAT) => Float(FloatOp::FusedMulAddIeee(Zero));
    "__nvvm_mul_rm_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Mul(Down));
    "__nvvm_mul_rn_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Mul(Nearest));
    "__nvvm_mul_rp_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Mul(Up));
    "__nvvm_mul_rz_d": DOUBLE(DOUBLE, DOUBLE) => Float(FloatOp::Mul(Zero));
    "__nvvm_rcp_rm_d": DOUBLE(DOUBLE) => Float(FloatOp::Reciprocal(Down));
    "__nvvm_rcp_rn_d": DOUBLE(DOUBLE) => Float(FloatOp::Reciprocal(Nearest));
    "__nvvm_rcp_rp_d": DOUBLE(DOUBLE) => Float(FloatOp::Reciprocal(Up));
    "__nvvm_rcp_rz_d": DOUBLE(DOUBLE) => Float(FloatOp::Reciprocal(Zero));
    "__nvvm_sqrt_rm_d": DOUBLE(DOUBLE) => Float(FloatOp::SquareRoot(Down));
    "__nvvm_sqrt_rn_d": DOUBLE(DOUBLE) => Float(FloatOp::SquareRoot(Nearest));
    "__nvvm_sqrt_rp_d": DOUBLE(DOUBLE) => Float(FloatOp::SquareRoot(Up));
    "__nvvm_sqrt_rz_d": DOUBLE(DOUBLE) => Float(FloatOp::SquareRoot(Zero));
    // Conversions.
    "__nvvm_bitcast_d2ll": LONGLONG(DOUBLE) => Convert(ConvertOp::Bits);
    "__nvvm_bitcast_f2i": INT(FLOAT) => Convert(ConvertOp::Bits);
    "__nvvm_bitcast_i2f": FLOAT(INT) => Convert(ConvertOp::Bits);
    "__nvvm_bitcast_ll2d": DOUBLE(LONGLONG) => Convert(ConvertOp::Bits);
    "__nvvm_d2i_hi": INT(DOUBLE) => Convert(ConvertOp::HighWord);
    "__nvvm_d2i_lo": INT(DOUBLE) => Convert(ConvertOp::LowWord);
    "__nvvm_d2i_rm": INT(DOUBLE) => Convert(ConvertOp::FloatToInt(Down));
    "__nvvm_d2i_rp": INT(DOUBLE) => Convert(ConvertOp::FloatToInt(Up));
    "__nvvm_d2ll_rm": LONGLONG(DOUBLE) => Convert(ConvertOp::FloatToInt(Down));
    "__nvvm_d2ll_rp": LONGLONG(DOUBLE) => Convert(ConvertOp::FloatToInt(Up));
    "__nvvm_d2ui_rm": UINT(DOUBLE) => Convert(ConvertOp::FloatToInt(Down));
    "__nvvm_d2ui_rp": UINT(DOUBLE) => Convert(ConvertOp::FloatToInt(Up));
    "__nvvm_d2ull_rm": ULONGLONG(DOUBLE) => Convert(ConvertOp::FloatToInt(Down));
    "__nvvm_d2ull_rp": ULONGLONG(DOUBLE) => Convert(ConvertOp::FloatToInt(Up));
    "__nvvm_i2f_rm": FLOAT(INT) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_i2f_rp": FLOAT(INT) => Convert(ConvertOp::IntToFloat(Up));
    "__nvvm_ll2d_rm": DOUBLE(LONGLONG) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_ll2d_rp": DOUBLE(LONGLONG) => Convert(ConvertOp::IntToFloat(Up));
    "__nvvm_ll2f_rm": FLOAT(LONGLONG) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_ll2f_rp": FLOAT(LONGLONG) => Convert(ConvertOp::IntToFloat(Up));
    "__nvvm_ui2f_rm": FLOAT(UINT) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_ui2f_rp": FLOAT(UINT) => Convert(ConvertOp::IntToFloat(Up));
    "__nvvm_ull2d_rm": DOUBLE(ULONGLONG) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_ull2d_rp": DOUBLE(ULONGLONG) => Convert(ConvertOp::IntToFloat(Up));
    "__nvvm_ull2f_rm": FLOAT(ULONGLONG) => Convert(ConvertOp::IntToFloat(Down));
    "__nvvm_ull2f_rp": FLOAT(ULONGLONG) => Convert(ConvertOp::IntToFloat(Up));
}
