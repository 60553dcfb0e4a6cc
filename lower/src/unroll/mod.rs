//! Passes the requests of `#pragma unroll` to LLVM's loop passes, within a budget.
//!
//! LLVM identifies a loop by the metadata of the branch back to its first block: a distinct node that names
//! itself first. LLVM follows the request in the node whatever the size of the result, so requests that would
//! make a function too large are removed before the loop passes run: see [`budget`].
//!
//! - `arrays`: loops that are unrolled without a request
//! - `budget`: which requests are removed
//! - `trips`: trip counts of loops

pub(crate) mod arrays;
pub(crate) mod budget;
mod trips;

use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::{
    LLVMConstInt, LLVMConstIntGetZExtValue, LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands,
    LLVMGetMDNodeOperands, LLVMGetMDString, LLVMGetMetadata, LLVMGetTypeKind, LLVMInt32TypeInContext,
    LLVMIsAConstantInt, LLVMIsAMDNode, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
    LLVMSetMetadata, LLVMTypeOf, LLVMValueAsMetadata,
};
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::values::{AsValueRef, InstructionValue};
use weft_frontend::ir::Unroll;
use weft_frontend::source::Span;

use crate::context::Cx;

/// LLVM's kind of metadata for loops.
const LOOP: &str = "llvm.loop";

/// The name in a loop's metadata before the number of our request. LLVM keeps unknown metadata.
const REQUEST: &str = "weft.unroll";

/// A request of `#pragma unroll`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnrollRequest {
    /// The unroll factor.
    pub(crate) unroll: Unroll,
    /// The span of the pragma.
    pub(crate) pragma: Span,
}

/// Marks the branch that leads back to the first block of a source loop.
pub(crate) fn mark(cx: &Cx<'_, '_>, back: InstructionValue<'_>, request: UnrollRequest) {
    let mut requests = cx.unroll_requests.borrow_mut();
    mark_as(cx.llvm, back, request.unroll, Some(requests.len() as u32));
    requests.push(request);
}

/// The same with the number of the request; a request without a number is never removed.
pub(crate) fn mark_as(context: &Context, back: InstructionValue<'_>, unroll: Unroll, request: Option<u32>) {
    let (word, count) = match unroll.count() {
        None => ("llvm.loop.unroll.full", None),
        Some(1) => ("llvm.loop.unroll.disable", None),
        Some(count) => ("llvm.loop.unroll.count", Some(count)),
    };
    let llvm = context.as_ctx_ref();
    // SAFETY: the context is that of the branch, and owns everything created here. The temporary node is
    // freed by its replacement.
    unsafe {
        let itself = LLVMTemporaryMDNode(llvm, std::ptr::null_mut(), 0);
        let mut operands = vec![itself, node(llvm, word, count)];
        operands.extend(request.map(|number| node(llvm, REQUEST, Some(number))));
        let id = LLVMMDNodeInContext2(llvm, operands.as_mut_ptr(), operands.len());
        LLVMMetadataReplaceAllUsesWith(itself, id);
        LLVMSetMetadata(back.as_value_ref(), loop_kind(llvm), LLVMMetadataAsValue(llvm, id));
    }
}

/// A name and a number, as metadata.
///
/// # Safety
///
/// The context is alive.
unsafe fn node(llvm: LLVMContextRef, word: &str, number: Option<u32>) -> LLVMMetadataRef {
    unsafe {
        let mut operands = vec![LLVMMDStringInContext2(llvm, word.as_ptr().cast(), word.len())];
        if let Some(number) = number {
            let number = LLVMConstInt(LLVMInt32TypeInContext(llvm), number.into(), 0);
            operands.push(LLVMValueAsMetadata(number));
        }
        LLVMMDNodeInContext2(llvm, operands.as_mut_ptr(), operands.len())
    }
}

fn loop_kind(llvm: LLVMContextRef) -> u32 {
    // SAFETY: the context is alive.
    unsafe { LLVMGetMDKindIDInContext(llvm, LOOP.as_ptr().cast(), LOOP.len() as u32) }
}

/// The number of the request in a branch's metadata, if there is one.
fn request_of(cx: &Cx<'_, '_>, branch: InstructionValue<'_>) -> Option<usize> {
    // SAFETY: the branch is alive, and each query matches the kind of metadata.
    unsafe {
        let id = LLVMGetMetadata(branch.as_value_ref(), loop_kind(cx.llvm.as_ctx_ref()));
        if id.is_null() {
            return None;
        }
        operands(id).into_iter().skip(1).find_map(|hint| request_number(hint))
    }
}

/// # Safety
///
/// The value is alive, or null.
unsafe fn request_number(hint: LLVMValueRef) -> Option<usize> {
    unsafe {
        if hint.is_null() || LLVMIsAMDNode(hint).is_null() {
            return None;
        }
        let [word, number] = operands(hint)[..] else { return None };
        let mut len = 0;
        let text = LLVMGetMDString(word, &mut len);
        let is_ours = !text.is_null()
            && std::slice::from_raw_parts(text.cast::<u8>(), len as usize) == REQUEST.as_bytes()
            && !number.is_null()
            && LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMTypeKind::LLVMIntegerTypeKind
            && !LLVMIsAConstantInt(number).is_null();
        is_ours.then(|| LLVMConstIntGetZExtValue(number) as usize)
    }
}

/// # Safety
///
/// The value is a metadata node.
unsafe fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands
    }
}

/// Removes the request from a branch's metadata: LLVM then decides.
fn forget(cx: &Cx<'_, '_>, branch: InstructionValue<'_>) {
    // SAFETY: the branch is alive; passing no node removes its metadata of this kind.
    unsafe {
        LLVMSetMetadata(branch.as_value_ref(), loop_kind(cx.llvm.as_ctx_ref()), std::ptr::null_mut());
    }
}
