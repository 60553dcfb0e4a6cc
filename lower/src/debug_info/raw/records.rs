//! Debug records of variables, after LLVM's passes.

use std::collections::{HashMap, HashSet};

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::LLVMDbgRecordKind;
use inkwell::llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMDbgRecordGetDebugLoc, LLVMDbgRecordGetKind,
    LLVMDbgVariableRecordGetExpression, LLVMDbgVariableRecordGetValue, LLVMDbgVariableRecordGetVariable,
    LLVMGetFirstDbgRecord, LLVMGetNextDbgRecord, LLVMIsAConstantInt, LLVMIsAPHINode,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderInsertDbgValueRecordBefore, LLVMDILocationGetInlinedAt,
    LLVMDILocationGetLine, LLVMDILocationGetScope, LLVMDisposeDIBuilder, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use inkwell::llvm_sys::prelude::{LLVMDbgRecordRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};

use crate::debug_info::OuterScopes;

/// Gives code of inlined functions without a line the position of the call.
pub(in crate::debug_info) fn place_at_calls(module: &Module<'_>) {
    for function in module.get_functions() {
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        for instruction in instructions.map(|instruction| instruction.as_value_ref()) {
            // SAFETY: the module and its instructions are alive; the position of an inlined call is a
            // location as well.
            unsafe {
                let location = LLVMInstructionGetDebugLoc(instruction);
                if !location.is_null()
                    && LLVMDILocationGetLine(location) == 0
                    && let call = LLVMDILocationGetInlinedAt(location)
                    && !call.is_null()
                {
                    LLVMInstructionSetDebugLoc(instruction, call);
                }
            }
        }
    }
}

/// Repeats the record of a constant variable at the start of each block of its scope, for variables that
/// `is_repeated` selects: LLVM's code generator ends a record at the end of the block.
pub(in crate::debug_info) fn repeat_in_blocks(
    module: &Module<'_>,
    outer: &OuterScopes,
    is_repeated: impl Fn(u64) -> bool,
) {
    // SAFETY: the module, its functions, blocks, instructions and their records are alive; each query matches
    // the kind of value. Records are inserted after all have been visited.
    unsafe {
        let builder = LLVMCreateDIBuilder(module.as_mut_ptr());
        for function in module.get_functions() {
            let code = Code::of(function, outer);
            for &record in &code.records {
                let value = LLVMDbgVariableRecordGetValue(record, 0);
                let is_constant = !value.is_null() && !LLVMIsAConstantInt(value).is_null();
                if !is_constant || !is_repeated(LLVMConstIntGetZExtValue(value)) {
                    continue;
                }
                let location = LLVMDbgRecordGetDebugLoc(record);
                for &begin in code.begins.get(&Scope::of(location)).into_iter().flatten() {
                    LLVMDIBuilderInsertDbgValueRecordBefore(
                        builder,
                        value,
                        LLVMDbgVariableRecordGetVariable(record),
                        LLVMDbgVariableRecordGetExpression(record),
                        location,
                        begin,
                    );
                }
            }
        }
        LLVMDisposeDIBuilder(builder);
    }
}

/// A scope, and the call through which it was inlined, if any.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Scope {
    node: LLVMMetadataRef,
    inlined_at: LLVMMetadataRef,
}

impl Scope {
    /// # Safety
    ///
    /// The node is a location.
    unsafe fn of(location: LLVMMetadataRef) -> Self {
        // SAFETY: as above.
        unsafe {
            Scope { node: LLVMDILocationGetScope(location), inlined_at: LLVMDILocationGetInlinedAt(location) }
        }
    }
}

/// The debug records of a function, and where its scopes have code.
#[derive(Default)]
struct Code {
    /// The records of variables' values.
    records: Vec<LLVMDbgRecordRef>,
    /// For each scope, the first non-phi instruction of each block with its code.
    begins: HashMap<Scope, Vec<LLVMValueRef>>,
}

impl Code {
    /// # Safety
    ///
    /// The function belongs to a live module.
    unsafe fn of(function: FunctionValue<'_>, outer: &OuterScopes) -> Self {
        let mut code = Code::default();
        for block in function.get_basic_block_iter() {
            // SAFETY: as above.
            unsafe { code.block(block, outer) }
        }
        code
    }

    /// # Safety
    ///
    /// The block belongs to a live module.
    unsafe fn block(&mut self, block: BasicBlock<'_>, outer: &OuterScopes) {
        let (mut begin, mut scopes) = (None, HashSet::new());
        for instruction in block.get_instructions().map(|instruction| instruction.as_value_ref()) {
            // SAFETY: as above; the list ends with null.
            unsafe {
                if begin.is_none() && LLVMIsAPHINode(instruction).is_null() {
                    begin = Some(instruction);
                }
                let mut record = LLVMGetFirstDbgRecord(instruction);
                while !record.is_null() {
                    if LLVMDbgRecordGetKind(record) == LLVMDbgRecordKind::LLVMDbgRecordValue {
                        self.records.push(record);
                    }
                    record = LLVMGetNextDbgRecord(record);
                }
                let location = LLVMInstructionGetDebugLoc(instruction);
                if !location.is_null() {
                    let mut scope = Scope::of(location);
                    while scopes.insert(scope)
                        && let Some(&node) = outer.get(&scope.node)
                    {
                        scope.node = node;
                    }
                }
            }
        }
        for scope in scopes {
            self.begins.entry(scope).or_default().extend(begin);
        }
    }
}
