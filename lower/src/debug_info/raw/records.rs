//! What LLVM's passes have done with where variables lie.

use inkwell::llvm_sys::LLVMDbgRecordKind;
use inkwell::llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMDbgRecordGetDebugLoc, LLVMDbgRecordGetKind,
    LLVMDbgVariableRecordGetExpression, LLVMDbgVariableRecordGetValue, LLVMDbgVariableRecordGetVariable,
    LLVMGetFirstBasicBlock, LLVMGetFirstDbgRecord, LLVMGetFirstInstruction, LLVMGetNextBasicBlock,
    LLVMGetNextDbgRecord, LLVMGetNextInstruction, LLVMIsAConstantInt, LLVMIsAPHINode,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderInsertDbgValueRecordBefore, LLVMDisposeDIBuilder,
};
use inkwell::llvm_sys::prelude::{LLVMDbgRecordRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};

/// Says at the beginning of each block which constants variables are, of those that `is_repeated` picks: LLVM's code generator
/// believes it for the rest of a block alone.
pub(in crate::debug_info) fn repeat_in_blocks(module: &Module<'_>, is_repeated: impl Fn(u64) -> bool) {
    // SAFETY: the module lives, as do its functions, blocks, instructions and their records; what is asked of each is what its
    // kind has. Records are inserted when all have been looked at.
    unsafe {
        let builder = LLVMCreateDIBuilder(module.as_mut_ptr());
        for function in module.get_functions() {
            let (begins, records) = look(function);
            let is_repeated = |record: &LLVMDbgRecordRef| {
                let value = LLVMDbgVariableRecordGetValue(*record, 0);
                !value.is_null()
                    && !LLVMIsAConstantInt(value).is_null()
                    && is_repeated(LLVMConstIntGetZExtValue(value))
            };
            for record in records.into_iter().filter(is_repeated) {
                for &begin in &begins {
                    LLVMDIBuilderInsertDbgValueRecordBefore(
                        builder,
                        LLVMDbgVariableRecordGetValue(record, 0),
                        LLVMDbgVariableRecordGetVariable(record),
                        LLVMDbgVariableRecordGetExpression(record),
                        LLVMDbgRecordGetDebugLoc(record),
                        begin,
                    );
                }
            }
        }
        LLVMDisposeDIBuilder(builder);
    }
}

/// The first instruction of each block that is no phi, and what is said of values of variables.
///
/// # Safety
/// The function is of a module that lives.
unsafe fn look(function: FunctionValue<'_>) -> (Vec<LLVMValueRef>, Vec<LLVMDbgRecordRef>) {
    let (mut begins, mut records) = (Vec::new(), Vec::new());
    // SAFETY: as above; the end of each list is null.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function.as_value_ref());
        while !block.is_null() {
            let mut begin = None;
            let mut instruction = LLVMGetFirstInstruction(block);
            while !instruction.is_null() {
                if begin.is_none() && LLVMIsAPHINode(instruction).is_null() {
                    begin = Some(instruction);
                }
                let mut record = LLVMGetFirstDbgRecord(instruction);
                while !record.is_null() {
                    if LLVMDbgRecordGetKind(record) == LLVMDbgRecordKind::LLVMDbgRecordValue {
                        records.push(record);
                    }
                    record = LLVMGetNextDbgRecord(record);
                }
                instruction = LLVMGetNextInstruction(instruction);
            }
            begins.extend(begin);
            block = LLVMGetNextBasicBlock(block);
        }
    }
    (begins, records)
}
