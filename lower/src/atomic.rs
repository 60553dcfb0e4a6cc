//! Atomic read-modify-write, which inkwell builds without a scope and for integers only.

use inkwell::AtomicRMWBinOp;
use inkwell::builder::Builder;
use inkwell::llvm_sys::LLVMAtomicOrdering;
use inkwell::llvm_sys::core::{LLVMBuildAtomicRMWSyncScope, LLVMGetSyncScopeID};
use inkwell::values::{AsValueRef, BasicValueEnum, PointerValue};

use crate::Bug;
use crate::context::Cx;

/// Among whom an operation is atomic (PTX ISA "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All threads of the GPU.
    Device,
}

impl Scope {
    /// LLVM's name of it (NVPTXUsage "Memory Model").
    fn llvm_name(self) -> &'static str {
        match self {
            Scope::Device => "device",
        }
    }
}

/// A relaxed read-modify-write; gives what was read.
pub(crate) fn build_atomic_rmw<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    op: AtomicRMWBinOp,
    ptr: PointerValue<'ctx>,
    value: BasicValueEnum<'ctx>,
    scope: Scope,
) -> Result<BasicValueEnum<'ctx>, Bug> {
    let name = scope.llvm_name();
    // SAFETY: builder, pointer and value are of the one context; the builder stands in a block;
    // the name is `len` bytes long, and the result a value of `value`'s type.
    unsafe {
        let scope = LLVMGetSyncScopeID(cx.llvm.raw(), name.as_ptr().cast(), name.len());
        let old = LLVMBuildAtomicRMWSyncScope(
            builder.as_mut_ptr(),
            op.into(),
            ptr.as_value_ref(),
            value.as_value_ref(),
            LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
            scope,
        );
        Ok(BasicValueEnum::new(old))
    }
}
