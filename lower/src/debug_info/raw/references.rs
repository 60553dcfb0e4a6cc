//! Nodes of references. LLVM's builder makes none with an address class, which nvcc gives them (PTX Interop 5.2), so that
//! they are read from text.

use std::ptr::null_mut;

use inkwell::llvm_sys::core::{
    LLVMContextSetDiscardValueNames, LLVMContextShouldDiscardValueNames,
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDisposeMemoryBuffer, LLVMDisposeMessage,
    LLVMDisposeModule, LLVMGetNamedMetadataNumOperands, LLVMGetNamedMetadataOperands,
    LLVMReplaceMDNodeOperandWith, LLVMValueAsMetadata,
};
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext2;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use weft_frontend::ir::RefKind;

use super::{DebugBuilder, Metadata, metadata, text};

/// The operand of a derived type that holds the type from which it is derived (`DIDerivedType`, LLVM 22).
const BASE_TYPE: u32 = 5;

impl<'ctx> DebugBuilder<'ctx> {
    /// A reference.
    pub(in crate::debug_info) fn reference_ty(
        &self,
        kind: RefKind,
        referred: Metadata<'ctx>,
        bits: u32,
        address_class: u32,
    ) -> Metadata<'ctx> {
        let tag = match kind {
            RefKind::Lvalue => "DW_TAG_reference_type",
            RefKind::Rvalue => "DW_TAG_rvalue_reference_type",
        };
        let node = self.parsed(&format!(
            "!node = !{{!0}}\n\
             !0 = distinct !DIDerivedType(tag: {tag}, baseType: null, size: {bits}, dwarfAddressSpace: {address_class})\n\
             !llvm.module.flags = !{{!1}}\n\
             !1 = !{{i32 2, !\"Debug Info Version\", i32 3}}\n"
        ));
        // SAFETY: the node is one of its own, a derived type, and both belong to the context.
        unsafe {
            LLVMReplaceMDNodeOperandWith(node, BASE_TYPE, referred.node);
            metadata(LLVMValueAsMetadata(node))
        }
    }

    /// The node `!node` of a module, in LLVM's text.
    fn parsed(&self, ir: &str) -> LLVMValueRef {
        let mut module = null_mut();
        let mut message = null_mut();
        let mut node = null_mut();
        // SAFETY: LLVM reads the buffer, which is a copy of the text, and gives a module or a message. What the module refers to belongs to
        // the context, and stays when the module goes.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text(ir), ir.len(), c"node".as_ptr());
            // A context that drops names reads no text.
            let drops_names = LLVMContextShouldDiscardValueNames(self.llvm);
            LLVMContextSetDiscardValueNames(self.llvm, 0);
            let failed = LLVMParseIRInContext2(self.llvm, buffer, &mut module, &mut message) != 0;
            LLVMContextSetDiscardValueNames(self.llvm, drops_names);
            LLVMDisposeMemoryBuffer(buffer);
            if failed {
                LLVMDisposeMessage(message);
            }
            assert!(!failed, "invariant: the text is a module");
            let n_operands = LLVMGetNamedMetadataNumOperands(module, c"node".as_ptr());
            assert_eq!(n_operands, 1, "invariant: the text has one node of the name");
            LLVMGetNamedMetadataOperands(module, c"node".as_ptr(), &mut node);
            LLVMDisposeModule(module);
        }
        node
    }
}
