//! LLVM's builder of debug metadata: the compile unit, scopes and positions; [`types`], [`references`], [`variables`] and
//! [`records`] are separate.
//!
//! inkwell's builder requires a compile unit with an emission kind from LLVM's C header, which lacks one that
//! is needed here.

pub(super) mod records;
mod references;
pub(super) mod types;
pub(super) mod variables;

use std::ffi::c_char;
use std::marker::PhantomData;

use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMModuleFlagBehavior;
use inkwell::llvm_sys::core::{
    LLVMAddModuleFlag, LLVMConstInt, LLVMInt32TypeInContext, LLVMSetCurrentDebugLocation2,
    LLVMValueAsMetadata,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderCreateCompileUnit, LLVMDIBuilderCreateDebugLocation,
    LLVMDIBuilderCreateFile, LLVMDIBuilderCreateFunction, LLVMDIBuilderCreateLexicalBlock,
    LLVMDIBuilderCreateLexicalBlockFile, LLVMDIBuilderFinalize, LLVMDIFlagZero, LLVMDWARFSourceLanguage,
    LLVMDebugMetadataVersion, LLVMDisposeDIBuilder, LLVMSetSubprogram,
};
use inkwell::llvm_sys::prelude::{LLVMBool, LLVMContextRef, LLVMDIBuilderRef, LLVMMetadataRef};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};

/// The parts of the metadata that LLVM emits (`DICompileUnit::DebugEmissionKind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::debug_info) enum Emission {
    /// DWARF, and `debug` in `.target`.
    Full = 1,
    /// `.file` and `.loc`, and no DWARF.
    Directives = 3,
}

/// The producer in the compile unit.
const PRODUCER: &str = concat!("weftc ", env!("CARGO_PKG_VERSION"));

/// A node of debug metadata.
#[derive(Clone, Copy)]
pub(in crate::debug_info) struct Metadata<'ctx> {
    node: LLVMMetadataRef,
    context: PhantomData<&'ctx Context>,
}

impl Metadata<'_> {
    /// LLVM's node.
    pub(in crate::debug_info) fn node(self) -> LLVMMetadataRef {
        self.node
    }
}

/// The contents of a subprogram.
pub(in crate::debug_info) struct Subprogram<'s, 'ctx> {
    /// In the source.
    pub(in crate::debug_info) name: &'s str,
    /// In the object.
    pub(in crate::debug_info) linkage_name: &'s str,
    /// Its file.
    pub(in crate::debug_info) file: Metadata<'ctx>,
    /// The line, from 1.
    pub(in crate::debug_info) line: u32,
    /// Its type.
    pub(in crate::debug_info) ty: Metadata<'ctx>,
    /// Whether it is internal.
    pub(in crate::debug_info) is_local: bool,
    /// Whether it was optimized.
    pub(in crate::debug_info) is_optimized: bool,
}

/// LLVM's builder of debug metadata for one module.
pub(in crate::debug_info) struct DebugBuilder<'ctx> {
    builder: LLVMDIBuilderRef,
    llvm: LLVMContextRef,
    context: PhantomData<&'ctx Context>,
}

impl<'ctx> DebugBuilder<'ctx> {
    /// A builder for the module, whose flags state the metadata version.
    pub(in crate::debug_info) fn new(module: &Module<'ctx>) -> Self {
        const KEY: &str = "Debug Info Version";
        // SAFETY: the module is alive, and outlives the builder: both belong to one lowering.
        let (builder, llvm) = unsafe {
            let context = inkwell::llvm_sys::core::LLVMGetModuleContext(module.as_mut_ptr());
            let version = LLVMConstInt(LLVMInt32TypeInContext(context), LLVMDebugMetadataVersion().into(), 0);
            LLVMAddModuleFlag(
                module.as_mut_ptr(),
                LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning,
                KEY.as_ptr().cast(),
                KEY.len(),
                LLVMValueAsMetadata(version),
            );
            (LLVMCreateDIBuilder(module.as_mut_ptr()), context)
        };
        DebugBuilder { builder, llvm, context: PhantomData }
    }

    /// A file with this name, relative to the directory; which is empty if the name is complete.
    pub(in crate::debug_info) fn file(&self, name: &str, directory: &str) -> Metadata<'ctx> {
        // SAFETY: as for all of the builder's functions, strings are passed with their length.
        metadata(unsafe {
            LLVMDIBuilderCreateFile(self.builder, text(name), name.len(), text(directory), directory.len())
        })
    }

    /// The compile unit, which the module then holds.
    pub(in crate::debug_info) fn compile_unit(
        &self,
        file: Metadata<'ctx>,
        is_optimized: bool,
        emission: Emission,
    ) -> Metadata<'ctx> {
        type Create = unsafe extern "C" fn(
            LLVMDIBuilderRef,
            LLVMDWARFSourceLanguage,
            LLVMMetadataRef,
            *const c_char,
            usize,
            LLVMBool,
            *const c_char,
            usize,
            u32,
            *const c_char,
            usize,
            u32,
            u32,
            LLVMBool,
            LLVMBool,
            *const c_char,
            usize,
            *const c_char,
            usize,
        ) -> LLVMMetadataRef;
        // SAFETY: the declared type is the function's, except that it takes the emission kind as an integer
        // instead of a C enum, since the C header lacks a name for it. Empty strings have length 0.
        unsafe {
            let create: Create = std::mem::transmute(LLVMDIBuilderCreateCompileUnit as *const ());
            metadata(create(
                self.builder,
                LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC_plus_plus,
                file.node,
                text(PRODUCER),
                PRODUCER.len(),
                is_optimized.into(),
                text(""),
                0,
                0,
                text(""),
                0,
                emission as u32,
                0,
                0,
                0,
                text(""),
                0,
                text(""),
                0,
            ))
        }
    }

    /// A subprogram that is defined here.
    pub(in crate::debug_info) fn subprogram(&self, data: &Subprogram<'_, 'ctx>) -> Metadata<'ctx> {
        // SAFETY: strings are passed with their length, and the nodes belong to this builder.
        metadata(unsafe {
            LLVMDIBuilderCreateFunction(
                self.builder,
                data.file.node,
                text(data.name),
                data.name.len(),
                text(data.linkage_name),
                data.linkage_name.len(),
                data.file.node,
                data.line,
                data.ty.node,
                data.is_local.into(),
                1,
                data.line,
                LLVMDIFlagZero,
                data.is_optimized.into(),
            )
        })
    }

    /// The part of a scope that is in another file.
    pub(super) fn scope_in_file(&self, scope: Metadata<'ctx>, file: Metadata<'ctx>) -> Metadata<'ctx> {
        // SAFETY: the nodes belong to this builder.
        metadata(unsafe { LLVMDIBuilderCreateLexicalBlockFile(self.builder, scope.node, file.node, 0) })
    }

    /// A lexical block within a scope.
    pub(in crate::debug_info) fn lexical_block(
        &self,
        scope: Metadata<'ctx>,
        file: Metadata<'ctx>,
        line: u32,
        column: u32,
    ) -> Metadata<'ctx> {
        // SAFETY: the nodes belong to this builder.
        metadata(unsafe {
            LLVMDIBuilderCreateLexicalBlock(self.builder, scope.node, file.node, line, column)
        })
    }
}

impl Drop for DebugBuilder<'_> {
    fn drop(&mut self) {
        // SAFETY: this value owns the builder; the module is still alive.
        unsafe {
            LLVMDIBuilderFinalize(self.builder);
            LLVMDisposeDIBuilder(self.builder);
        }
    }
}

/// Sets the subprogram of the function.
pub(in crate::debug_info) fn set_subprogram<'ctx>(function: FunctionValue<'ctx>, subprogram: Metadata<'ctx>) {
    // SAFETY: both belong to the same context.
    unsafe { LLVMSetSubprogram(function.as_value_ref(), subprogram.node) }
}

/// Sets the position of new instructions.
pub(in crate::debug_info) fn set_location<'ctx>(
    context: &'ctx Context,
    builder: &Builder<'ctx>,
    line: u32,
    column: u32,
    scope: Metadata<'ctx>,
) {
    // SAFETY: all belong to the same context.
    unsafe {
        let location =
            LLVMDIBuilderCreateDebugLocation(context.raw(), line, column, scope.node, std::ptr::null_mut());
        LLVMSetCurrentDebugLocation2(builder.as_mut_ptr(), location);
    }
}

fn text(text: &str) -> *const c_char {
    text.as_ptr().cast()
}

fn metadata<'ctx>(node: LLVMMetadataRef) -> Metadata<'ctx> {
    Metadata { node, context: PhantomData }
}
