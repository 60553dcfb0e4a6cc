//! CUDA C++ Programming Guide "Warp Matrix Functions": nvcc has them by itself, and `<mma.h>` is over them.

use super::functions;
use crate::ir::Builtin::Matrix;
use crate::ir::MatrixOp::*;
use crate::ir::MatrixRole::{A, B, C};
use crate::ir::MatrixShape::*;
use crate::ir::{Factor, GroupFactor, Sum};
use crate::sema::builtin::ty::*;

functions! {
    "__hmma_m16n16k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, A(Factor::Half)));
    "__hmma_m16n16k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, B(Factor::Half)));
    "__hmma_m16n16k16_ld_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, C(Sum::Half)));
    "__hmma_m16n16k16_ld_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, C(Sum::Float)));
    "__hmma_m16n16k16_mma_f16f16": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::Half, to: Sum::Half, from: Sum::Half });
    "__hmma_m16n16k16_mma_f16f32": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::Half, to: Sum::Half, from: Sum::Float });
    "__hmma_m16n16k16_mma_f32f16": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::Half, to: Sum::Float, from: Sum::Half });
    "__hmma_m16n16k16_mma_f32f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::Half, to: Sum::Float, from: Sum::Float });
    "__hmma_m16n16k16_st_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M16N16K16, Sum::Half));
    "__hmma_m16n16k16_st_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixStore(M16N16K16, Sum::Float));
    "__hmma_m32n8k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, A(Factor::Half)));
    "__hmma_m32n8k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, B(Factor::Half)));
    "__hmma_m32n8k16_ld_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, C(Sum::Half)));
    "__hmma_m32n8k16_ld_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, C(Sum::Float)));
    "__hmma_m32n8k16_mma_f16f16": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::Half, to: Sum::Half, from: Sum::Half });
    "__hmma_m32n8k16_mma_f16f32": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::Half, to: Sum::Half, from: Sum::Float });
    "__hmma_m32n8k16_mma_f32f16": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::Half, to: Sum::Float, from: Sum::Half });
    "__hmma_m32n8k16_mma_f32f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::Half, to: Sum::Float, from: Sum::Float });
    "__hmma_m32n8k16_st_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M32N8K16, Sum::Half));
    "__hmma_m32n8k16_st_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixStore(M32N8K16, Sum::Float));
    "__hmma_m8n32k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, A(Factor::Half)));
    "__hmma_m8n32k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, B(Factor::Half)));
    "__hmma_m8n32k16_ld_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, C(Sum::Half)));
    "__hmma_m8n32k16_ld_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, C(Sum::Float)));
    "__hmma_m8n32k16_mma_f16f16": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::Half, to: Sum::Half, from: Sum::Half });
    "__hmma_m8n32k16_mma_f16f32": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::Half, to: Sum::Half, from: Sum::Float });
    "__hmma_m8n32k16_mma_f32f16": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(INT), INT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::Half, to: Sum::Float, from: Sum::Half });
    "__hmma_m8n32k16_mma_f32f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::Half, to: Sum::Float, from: Sum::Float });
    "__hmma_m8n32k16_st_c_f16": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M8N32K16, Sum::Half));
    "__hmma_m8n32k16_st_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixStore(M8N32K16, Sum::Float));
    "__imma_m16n16k16_ld_a_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, A(Factor::S8)));
    "__imma_m16n16k16_ld_a_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, A(Factor::U8)));
    "__imma_m16n16k16_ld_b_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, B(Factor::S8)));
    "__imma_m16n16k16_ld_b_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, B(Factor::U8)));
    "__imma_m16n16k16_ld_c": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, C(Sum::Int)));
    "__imma_m16n16k16_mma_s8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::S8, to: Sum::Int, from: Sum::Int });
    "__imma_m16n16k16_mma_u8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::U8, to: Sum::Int, from: Sum::Int });
    "__imma_m16n16k16_st_c_i32": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M16N16K16, Sum::Int));
    "__imma_m32n8k16_ld_a_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, A(Factor::S8)));
    "__imma_m32n8k16_ld_a_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, A(Factor::U8)));
    "__imma_m32n8k16_ld_b_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, B(Factor::S8)));
    "__imma_m32n8k16_ld_b_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, B(Factor::U8)));
    "__imma_m32n8k16_ld_c": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, C(Sum::Int)));
    "__imma_m32n8k16_mma_s8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::S8, to: Sum::Int, from: Sum::Int });
    "__imma_m32n8k16_mma_u8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::U8, to: Sum::Int, from: Sum::Int });
    "__imma_m32n8k16_st_c_i32": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M32N8K16, Sum::Int));
    "__imma_m8n32k16_ld_a_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, A(Factor::S8)));
    "__imma_m8n32k16_ld_a_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, A(Factor::U8)));
    "__imma_m8n32k16_ld_b_s8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, B(Factor::S8)));
    "__imma_m8n32k16_ld_b_u8": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, B(Factor::U8)));
    "__imma_m8n32k16_ld_c": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, C(Sum::Int)));
    "__imma_m8n32k16_mma_s8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::S8, to: Sum::Int, from: Sum::Int });
    "__imma_m8n32k16_mma_u8": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::U8, to: Sum::Int, from: Sum::Int });
    "__imma_m8n32k16_st_c_i32": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M8N32K16, Sum::Int));
    "__imma_m8n8k32_ld_a_s4": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K32, A(Factor::S4)));
    "__imma_m8n8k32_ld_a_u4": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K32, A(Factor::U4)));
    "__imma_m8n8k32_ld_b_s4": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K32, B(Factor::S4)));
    "__imma_m8n8k32_ld_b_u4": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K32, B(Factor::U4)));
    "__imma_m8n8k32_ld_c": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K32, C(Sum::Int)));
    "__imma_m8n8k32_mma_s4": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M8N8K32, factor: Factor::S4, to: Sum::Int, from: Sum::Int });
    "__imma_m8n8k32_mma_u4": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixMultiply { shape: M8N8K32, factor: Factor::U4, to: Sum::Int, from: Sum::Int });
    "__imma_m8n8k32_st_c_i32": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M8N8K32, Sum::Int));
    "__bmma_m8n8k128_ld_a_b1": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K128, A(Factor::Bit)));
    "__bmma_m8n8k128_ld_b_b1": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K128, B(Factor::Bit)));
    "__bmma_m8n8k128_ld_c": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N8K128, C(Sum::Int)));
    "__bmma_m8n8k128_mma_and_popc_b1": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT) => Matrix(MatrixAndCount);
    "__bmma_m8n8k128_mma_xor_popc_b1": VOID(ptr(INT), const_ptr(INT), const_ptr(INT), const_ptr(INT), UINT) => Matrix(MatrixXorCount);
    "__bmma_m8n8k128_st_c_i32": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixStore(M8N8K128, Sum::Int));
    "__dmma_m8n8k4_ld_a": VOID(ptr(DOUBLE), const_ptr(DOUBLE), UINT, INT) => Matrix(MatrixLoad(M8N8K4, A(Factor::Double)));
    "__dmma_m8n8k4_ld_b": VOID(ptr(DOUBLE), const_ptr(DOUBLE), UINT, INT) => Matrix(MatrixLoad(M8N8K4, B(Factor::Double)));
    "__dmma_m8n8k4_ld_c": VOID(ptr(DOUBLE), const_ptr(DOUBLE), UINT, INT) => Matrix(MatrixLoad(M8N8K4, C(Sum::Double)));
    "__dmma_m8n8k4_mma_f64": VOID(ptr(DOUBLE), const_ptr(DOUBLE), const_ptr(DOUBLE), const_ptr(DOUBLE), UINT, INT) => Matrix(MatrixMultiply { shape: M8N8K4, factor: Factor::Double, to: Sum::Double, from: Sum::Double });
    "__dmma_m8n8k4_st_c_f64": VOID(ptr(DOUBLE), const_ptr(DOUBLE), UINT, INT) => Matrix(MatrixStore(M8N8K4, Sum::Double));
    "__mma_bf16_m16n16k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, A(Factor::Bfloat)));
    "__mma_bf16_m16n16k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K16, B(Factor::Bfloat)));
    "__mma_bf16_m16n16k16_mma_f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K16, factor: Factor::Bfloat, to: Sum::Float, from: Sum::Float });
    "__mma_bf16_m32n8k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, A(Factor::Bfloat)));
    "__mma_bf16_m32n8k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M32N8K16, B(Factor::Bfloat)));
    "__mma_bf16_m32n8k16_mma_f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M32N8K16, factor: Factor::Bfloat, to: Sum::Float, from: Sum::Float });
    "__mma_bf16_m8n32k16_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, A(Factor::Bfloat)));
    "__mma_bf16_m8n32k16_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M8N32K16, B(Factor::Bfloat)));
    "__mma_bf16_m8n32k16_mma_f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M8N32K16, factor: Factor::Bfloat, to: Sum::Float, from: Sum::Float });
    "__mma_tf32_m16n16k8_ld_a": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K8, A(Factor::Tf32)));
    "__mma_tf32_m16n16k8_ld_b": VOID(ptr(INT), const_ptr(INT), UINT, INT) => Matrix(MatrixLoad(M16N16K8, B(Factor::Tf32)));
    "__mma_tf32_m16n16k8_ld_c": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixLoad(M16N16K8, C(Sum::Float)));
    "__mma_tf32_m16n16k8_mma_f32": VOID(ptr(FLOAT), const_ptr(INT), const_ptr(INT), const_ptr(FLOAT), INT, INT) => Matrix(MatrixMultiply { shape: M16N16K8, factor: Factor::Tf32, to: Sum::Float, from: Sum::Float });
    "__mma_m16n16k8_st_c_f32": VOID(ptr(FLOAT), const_ptr(FLOAT), UINT, INT) => Matrix(MatrixStore(M16N16K8, Sum::Float));
    "__wgmma_mma_async_f16":
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, ULONGLONG, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Half, in_registers: false }),
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, VOID_PTR, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Half, in_registers: true });
    "__wgmma_mma_async_bf16":
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, ULONGLONG, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Bfloat, in_registers: false }),
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, VOID_PTR, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Bfloat, in_registers: true });
    "__wgmma_mma_async_tf32":
        VOID(INT, INT, INT, INT, INT, INT, VOID_PTR, ULONGLONG, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Tf32, in_registers: false }),
        VOID(INT, INT, INT, INT, INT, INT, VOID_PTR, VOID_PTR, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Tf32, in_registers: true });
    "__wgmma_mma_async_f8":
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, ULONGLONG, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Byte, in_registers: false }),
        VOID(INT, INT, INT, INT, INT, INT, INT, INT, INT, VOID_PTR, VOID_PTR, ULONGLONG) => Matrix(GroupMultiply { factor: GroupFactor::Byte, in_registers: true });
}
