//! Nodes that describe variables and their locations.

use std::ptr::null_mut;

use inkwell::llvm_sys::core::{
    LLVMGetGlobalParent, LLVMGetMDKindIDInContext, LLVMGetModuleContext, LLVMGetTypeContext,
    LLVMGlobalSetMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateAutoVariable, LLVMDIBuilderCreateDebugLocation, LLVMDIBuilderCreateExpression,
    LLVMDIBuilderCreateGlobalVariableExpression, LLVMDIBuilderCreateParameterVariable,
    LLVMDIBuilderInsertDbgValueRecordBefore, LLVMDIBuilderInsertDeclareRecordBefore, LLVMDIFlagZero,
};
use inkwell::types::AsTypeRef;
use inkwell::values::{AsValueRef, BasicValueEnum, GlobalValue, InstructionValue, PointerValue};

use super::types::Declared;
use super::{DebugBuilder, Metadata, text};

/// A variable.
pub(in crate::debug_info) struct VariableNode<'s, 'ctx> {
    /// Its source name.
    pub(in crate::debug_info) name: &'s str,
    /// Where it was declared.
    pub(in crate::debug_info) declared: Declared<'ctx>,
    /// Its type.
    pub(in crate::debug_info) ty: Metadata<'ctx>,
    /// For a parameter, its number from 1.
    pub(in crate::debug_info) param: Option<u32>,
}

/// The location of a variable.
#[derive(Clone, Copy)]
pub(in crate::debug_info) enum Storage<'ctx> {
    /// At the address.
    Memory(PointerValue<'ctx>),
    /// It is the value.
    Value(BasicValueEnum<'ctx>),
}

impl<'ctx> DebugBuilder<'ctx> {
    /// A parameter or variable of a function; only `alloca` instructions precede `begin` in its block.
    pub(in crate::debug_info) fn variable(
        &self,
        scope: Metadata<'ctx>,
        data: &VariableNode<'_, 'ctx>,
        storage: Storage<'ctx>,
        begin: InstructionValue<'ctx>,
    ) {
        let VariableNode { name, declared, ty, param } = *data;
        // SAFETY: strings and the expression are passed with their length, the nodes belong to this builder,
        // and the block is in a function of its module.
        unsafe {
            let variable = match param {
                Some(number) => LLVMDIBuilderCreateParameterVariable(
                    self.builder,
                    scope.node,
                    text(name),
                    name.len(),
                    number,
                    declared.file.node,
                    declared.line,
                    ty.node,
                    1,
                    LLVMDIFlagZero,
                ),
                None => LLVMDIBuilderCreateAutoVariable(
                    self.builder,
                    scope.node,
                    text(name),
                    name.len(),
                    declared.file.node,
                    declared.line,
                    ty.node,
                    1,
                    LLVMDIFlagZero,
                    0,
                ),
            };
            let expression = LLVMDIBuilderCreateExpression(self.builder, null_mut(), 0);
            let context = LLVMGetTypeContext(match storage {
                Storage::Memory(at) => at.get_type().as_type_ref(),
                Storage::Value(value) => value.get_type().as_type_ref(),
            });
            let location =
                LLVMDIBuilderCreateDebugLocation(context, declared.line, 0, scope.node, null_mut());
            match storage {
                Storage::Memory(at) => LLVMDIBuilderInsertDeclareRecordBefore(
                    self.builder,
                    at.as_value_ref(),
                    variable,
                    expression,
                    location,
                    begin.as_value_ref(),
                ),
                Storage::Value(value) => LLVMDIBuilderInsertDbgValueRecordBefore(
                    self.builder,
                    value.as_value_ref(),
                    variable,
                    expression,
                    location,
                    begin.as_value_ref(),
                ),
            };
        }
    }

    /// A file-scope variable.
    pub(in crate::debug_info) fn global(
        &self,
        global: GlobalValue<'ctx>,
        unit: Metadata<'ctx>,
        data: &VariableNode<'_, 'ctx>,
        linkage_name: &str,
        is_local: bool,
        expression: &[u64],
    ) {
        const KIND: &str = "dbg";
        let mut expression = expression.to_vec();
        // SAFETY: strings and the expression are passed with their length, the nodes belong to this builder,
        // and the variable to its module.
        unsafe {
            let expression =
                LLVMDIBuilderCreateExpression(self.builder, expression.as_mut_ptr(), expression.len());
            let node = LLVMDIBuilderCreateGlobalVariableExpression(
                self.builder,
                unit.node,
                text(data.name),
                data.name.len(),
                text(linkage_name),
                linkage_name.len(),
                data.declared.file.node,
                data.declared.line,
                data.ty.node,
                is_local.into(),
                expression,
                null_mut(),
                0,
            );
            let context = LLVMGetModuleContext(LLVMGetGlobalParent(global.as_value_ref()));
            let kind = LLVMGetMDKindIDInContext(context, text(KIND), KIND.len() as u32);
            LLVMGlobalSetMetadata(global.as_value_ref(), kind, node);
        }
    }
}
