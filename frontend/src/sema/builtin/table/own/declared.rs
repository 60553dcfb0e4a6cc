//! Names of nvcc's own that it knows once they are declared: by the headers of barriers and pipelines, or by programs, of which many
//! declare `extern "C" __device__ uint32_t __nvvm_get_smem_pointer(void *)`.

use crate::ir::AddressOp::SharedPointer;
use crate::ir::Builtin::Address;
use crate::sema::builtin::table::functions;
use crate::sema::builtin::ty::*;

functions! {
    "__nvvm_get_smem_pointer": UINT(VOID_PTR) => Address(SharedPointer);
}
