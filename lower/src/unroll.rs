//! What `#pragma unroll` asks of a loop, for LLVM's loop passes.
//!
//! LLVM knows a loop by the metadata of the branch back to its first block: a node of its own, which names
//! itself first.

use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::core::{
    LLVMConstInt, LLVMGetMDKindIDInContext, LLVMInt32TypeInContext, LLVMMDNodeInContext2,
    LLVMMDStringInContext2, LLVMMetadataAsValue, LLVMSetMetadata, LLVMValueAsMetadata,
};
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::{AsValueRef, InstructionValue};
use weft_frontend::ir::Unroll;

/// Marks the branch that leads back to the first block of a loop.
pub(crate) fn mark(context: &Context, back: InstructionValue<'_>, unroll: Unroll) {
    const KIND: &str = "llvm.loop";
    let (word, count) = match unroll.count() {
        None => ("llvm.loop.unroll.full", None),
        Some(1) => ("llvm.loop.unroll.disable", None),
        Some(count) => ("llvm.loop.unroll.count", Some(count)),
    };
    let cx = context.as_ctx_ref();
    // SAFETY: the context is that of the branch, and everything made here belongs to it. The temporary
    // node is freed by its replacement.
    unsafe {
        let node = |operands: &mut [LLVMMetadataRef]| {
            LLVMMDNodeInContext2(cx, operands.as_mut_ptr(), operands.len())
        };
        let mut hint = vec![LLVMMDStringInContext2(cx, word.as_ptr().cast(), word.len())];
        if let Some(count) = count {
            let count = LLVMConstInt(LLVMInt32TypeInContext(cx), count.into(), 0);
            hint.push(LLVMValueAsMetadata(count));
        }
        let itself = LLVMTemporaryMDNode(cx, std::ptr::null_mut(), 0);
        let id = node(&mut [itself, node(&mut hint)]);
        LLVMMetadataReplaceAllUsesWith(itself, id);
        let kind = LLVMGetMDKindIDInContext(cx, KIND.as_ptr().cast(), KIND.len() as u32);
        LLVMSetMetadata(back.as_value_ref(), kind, LLVMMetadataAsValue(cx, id));
    }
}
