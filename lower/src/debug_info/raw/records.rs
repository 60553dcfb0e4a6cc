//! Records of variables' places after LLVM's passes.

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

/// Gives code of inlined functions that has no line there the place of the call.
pub(in crate::debug_info) fn place_at_calls(module: &Module<'_>) {
    for function in module.get_functions() {
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        for instruction in instructions.map(|instruction| instruction.as_value_ref()) {
            // SAFETY: the module lives, as do its instructions; where a call was is a location as well.
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

/// Says at the beginning of each block of a variable's scope which constant the variable is, for those that `is_repeated` picks:
/// LLVM's code generator believes it for the rest of a block code.
pub(in crate::debug_info) fn repeat_in_blocks(
    module: &Module<'_>,
    outer: &OuterScopes,
    is_repeated: impl Fn(u64) -> bool,
) {
    // SAFETY: the module lives, as do its functions, blocks, instructions and their records; what is asked of each is what its
    // kind has. Records are inserted when all have been looked at.
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

/// A scope, and the call by which it was inlined, if it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Scope {
    node: LLVMMetadataRef,
    inlined_at: LLVMMetadataRef,
}

impl Scope {
    /// # Safety
    /// The location is one.
    unsafe fn of(location: LLVMMetadataRef) -> Self {
        // SAFETY: as above.
        unsafe {
            Scope { node: LLVMDILocationGetScope(location), inlined_at: LLVMDILocationGetInlinedAt(location) }
        }
    }
}

/// The records of variables of a function, and where their scopes have code.
#[derive(Default)]
struct Code {
    /// The records of values of variables.
    records: Vec<LLVMDbgRecordRef>,
    /// The first instructions that are no phi of the blocks with code of each scope.
    begins: HashMap<Scope, Vec<LLVMValueRef>>,
}

impl Code {
    /// # Safety
    /// The function is of a module that lives.
    unsafe fn of(function: FunctionValue<'_>, outer: &OuterScopes) -> Self {
        let mut code = Code::default();
        for block in function.get_basic_block_iter() {
            // SAFETY: as above.
            unsafe { code.block(block, outer) }
        }
        code
    }

    /// # Safety
    /// The block is of a module that lives.
    unsafe fn block(&mut self, block: BasicBlock<'_>, outer: &OuterScopes) {
        let (mut begin, mut scopes) = (None, HashSet::new());
        for instruction in block.get_instructions().map(|instruction| instruction.as_value_ref()) {
            // SAFETY: as above; the end of the list is null.
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
