//! Nodes that describe types.

use std::ptr::null_mut;

use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateArrayType, LLVMDIBuilderCreateBasicType, LLVMDIBuilderCreateBitFieldMemberType,
    LLVMDIBuilderCreateEnumerationType, LLVMDIBuilderCreateEnumeratorOfArbitraryPrecision,
    LLVMDIBuilderCreateForwardDecl, LLVMDIBuilderCreateMemberType, LLVMDIBuilderCreatePointerType,
    LLVMDIBuilderCreateQualifiedType, LLVMDIBuilderCreateReplaceableCompositeType,
    LLVMDIBuilderCreateStructType, LLVMDIBuilderCreateSubroutineType, LLVMDIBuilderCreateTypedef,
    LLVMDIBuilderCreateUnionType, LLVMDIBuilderCreateUnspecifiedType, LLVMDIBuilderGetOrCreateSubrange,
    LLVMDIFlagZero, LLVMMetadataReplaceAllUsesWith,
};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;

use super::{DebugBuilder, Metadata, metadata, text};

/// The position of a declaration; `None` for built-in entities.
#[derive(Clone, Copy)]
pub(in crate::debug_info) struct Declared<'ctx> {
    /// The file, which always exists.
    pub(in crate::debug_info) file: Metadata<'ctx>,
    /// The line, from 1; 0 if there is none.
    pub(in crate::debug_info) line: u32,
}

/// A struct or union.
pub(in crate::debug_info) struct RecordNode<'s, 'ctx> {
    /// The tag; empty for none.
    pub(in crate::debug_info) name: &'s str,
    /// `union`
    pub(in crate::debug_info) is_union: bool,
    /// Where it was declared.
    pub(in crate::debug_info) declared: Declared<'ctx>,
    /// The size in bits.
    pub(in crate::debug_info) size: u64,
    /// The alignment in bits.
    pub(in crate::debug_info) align: u32,
}

impl RecordNode<'_, '_> {
    /// DWARF 2, figure 14: `DW_TAG_union_type`, `DW_TAG_structure_type`.
    fn tag(&self) -> u32 {
        if self.is_union { 0x17 } else { 0x13 }
    }
}

/// A member of a struct or union.
pub(in crate::debug_info) struct MemberNode<'s, 'ctx> {
    /// The name; empty for an anonymous record.
    pub(in crate::debug_info) name: &'s str,
    /// Where it was declared.
    pub(in crate::debug_info) declared: Declared<'ctx>,
    /// The offset in the record, in bits.
    pub(in crate::debug_info) offset: u64,
    /// The size in bits.
    pub(in crate::debug_info) size: u64,
    /// For a bit-field, the offset of its storage unit, in bits.
    pub(in crate::debug_info) unit: Option<u64>,
    /// The type.
    pub(in crate::debug_info) ty: Metadata<'ctx>,
}

impl<'ctx> DebugBuilder<'ctx> {
    /// An arithmetic type, by DWARF's number of its encoding.
    pub(in crate::debug_info) fn basic_ty(&self, name: &str, size: u64, encoding: u32) -> Metadata<'ctx> {
        // SAFETY: as for all of the builder's functions, strings are passed with their length, and the nodes
        // belong to it.
        metadata(unsafe {
            LLVMDIBuilderCreateBasicType(self.builder, text(name), name.len(), size, encoding, LLVMDIFlagZero)
        })
    }

    /// A type of which only the name is known.
    pub(in crate::debug_info) fn unspecified_ty(&self, name: &str) -> Metadata<'ctx> {
        // SAFETY: as above.
        metadata(unsafe { LLVMDIBuilderCreateUnspecifiedType(self.builder, text(name), name.len()) })
    }

    /// A pointer, to nothing for `void`.
    pub(in crate::debug_info) fn pointer_ty(
        &self,
        pointee: Option<Metadata<'ctx>>,
        bits: u32,
        address_class: u32,
    ) -> Metadata<'ctx> {
        // SAFETY: as above; there may be no pointee.
        metadata(unsafe {
            LLVMDIBuilderCreatePointerType(
                self.builder,
                node(pointee),
                bits.into(),
                bits,
                address_class,
                text(""),
                0,
            )
        })
    }

    /// A type with the qualifier of this DWARF tag.
    pub(in crate::debug_info) fn qualified_ty(&self, tag: u32, ty: Option<Metadata<'ctx>>) -> Metadata<'ctx> {
        // SAFETY: as above; there may be no type.
        metadata(unsafe { LLVMDIBuilderCreateQualifiedType(self.builder, tag, node(ty)) })
    }

    /// An array with its lengths, the outermost first; `None` for an unknown length.
    pub(in crate::debug_info) fn array_ty(
        &self,
        elem: Metadata<'ctx>,
        dims: &[Option<u64>],
        size: u64,
        align: u32,
    ) -> Metadata<'ctx> {
        // SAFETY: as above; the array of nodes is passed with its length, and copied.
        unsafe {
            let count = |dim: &Option<u64>| dim.and_then(|len| i64::try_from(len).ok()).unwrap_or(-1);
            let subrange = |dim| LLVMDIBuilderGetOrCreateSubrange(self.builder, 0, count(dim));
            let mut dims: Vec<_> = dims.iter().map(subrange).collect();
            let n_dims = dims.len() as u32;
            let array =
                LLVMDIBuilderCreateArrayType(self.builder, size, align, elem.node, dims.as_mut_ptr(), n_dims);
            metadata(array)
        }
    }

    /// A function type: the result, then the parameters; a null type at the end means `...`.
    pub(in crate::debug_info) fn function_ty(
        &self,
        file: Metadata<'ctx>,
        types: &[Option<Metadata<'ctx>>],
    ) -> Metadata<'ctx> {
        let mut nodes: Vec<_> = types.iter().map(|&ty| node(ty)).collect();
        let n_nodes = nodes.len() as u32;
        // SAFETY: as above; the array of nodes is passed with its length, and copied.
        metadata(unsafe {
            LLVMDIBuilderCreateSubroutineType(
                self.builder,
                file.node,
                nodes.as_mut_ptr(),
                n_nodes,
                LLVMDIFlagZero,
            )
        })
    }

    /// Another name of a type.
    pub(in crate::debug_info) fn typedef_ty(
        &self,
        name: &str,
        ty: Option<Metadata<'ctx>>,
        declared: Declared<'ctx>,
        scope: Metadata<'ctx>,
    ) -> Metadata<'ctx> {
        // SAFETY: as above; there may be no type.
        metadata(unsafe {
            LLVMDIBuilderCreateTypedef(
                self.builder,
                node(ty),
                text(name),
                name.len(),
                declared.file.node,
                declared.line,
                scope.node,
                0,
            )
        })
    }

    /// An enumerated type with its constants, which have its width.
    pub(in crate::debug_info) fn enum_ty(
        &self,
        name: &str,
        declared: Declared<'ctx>,
        size: u64,
        underlying: (Metadata<'ctx>, bool),
        enumerators: &[(String, i128)],
        scope: Metadata<'ctx>,
    ) -> Metadata<'ctx> {
        // SAFETY: as above; the words and the array of nodes are passed with their lengths, and copied.
        unsafe {
            let enumerator = |(name, value): &(String, i128)| {
                let words = [*value as u64, (*value >> 64) as u64];
                LLVMDIBuilderCreateEnumeratorOfArbitraryPrecision(
                    self.builder,
                    text(name),
                    name.len(),
                    size,
                    words.as_ptr(),
                    (!underlying.1).into(),
                )
            };
            let mut nodes: Vec<_> = enumerators.iter().map(enumerator).collect();
            let n_nodes = nodes.len() as u32;
            metadata(LLVMDIBuilderCreateEnumerationType(
                self.builder,
                scope.node,
                text(name),
                name.len(),
                declared.file.node,
                declared.line,
                size,
                0,
                nodes.as_mut_ptr(),
                n_nodes,
                underlying.0.node,
            ))
        }
    }

    /// A struct or union that is never completed.
    pub(in crate::debug_info) fn incomplete_record_ty(
        &self,
        record: &RecordNode<'_, 'ctx>,
        scope: Metadata<'ctx>,
    ) -> Metadata<'ctx> {
        // SAFETY: as above.
        metadata(unsafe {
            LLVMDIBuilderCreateForwardDecl(
                self.builder,
                record.tag(),
                text(record.name),
                record.name.len(),
                scope.node,
                record.declared.file.node,
                record.declared.line,
                0,
                0,
                0,
                text(""),
                0,
            )
        })
    }

    /// A placeholder for a struct or union until its members are known: [`DebugBuilder::record_ty`] replaces it.
    pub(in crate::debug_info) fn record_to_be(
        &self,
        record: &RecordNode<'_, 'ctx>,
        scope: Metadata<'ctx>,
    ) -> Metadata<'ctx> {
        // SAFETY: as above.
        metadata(unsafe {
            LLVMDIBuilderCreateReplaceableCompositeType(
                self.builder,
                record.tag(),
                text(record.name),
                record.name.len(),
                scope.node,
                record.declared.file.node,
                record.declared.line,
                0,
                record.size,
                record.align,
                LLVMDIFlagZero,
                text(""),
                0,
            )
        })
    }

    /// A member; `record` is the placeholder of the record.
    pub(in crate::debug_info) fn member(
        &self,
        record: Metadata<'ctx>,
        member: &MemberNode<'_, 'ctx>,
    ) -> Metadata<'ctx> {
        let MemberNode { name, declared, offset, size, unit, ty } = *member;
        // SAFETY: as above.
        metadata(unsafe {
            match unit {
                Some(unit) => LLVMDIBuilderCreateBitFieldMemberType(
                    self.builder,
                    record.node,
                    text(name),
                    name.len(),
                    declared.file.node,
                    declared.line,
                    size,
                    offset,
                    unit,
                    LLVMDIFlagZero,
                    ty.node,
                ),
                None => LLVMDIBuilderCreateMemberType(
                    self.builder,
                    record.node,
                    text(name),
                    name.len(),
                    declared.file.node,
                    declared.line,
                    size,
                    0,
                    offset,
                    LLVMDIFlagZero,
                    ty.node,
                ),
            }
        })
    }

    /// A struct or union, which replaces its placeholder.
    pub(in crate::debug_info) fn record_ty(
        &self,
        record: &RecordNode<'_, 'ctx>,
        scope: Metadata<'ctx>,
        members: &[Metadata<'ctx>],
        placeholder: Metadata<'ctx>,
    ) -> Metadata<'ctx> {
        let mut members: Vec<_> = members.iter().map(|member| member.node).collect();
        let n_members = members.len() as u32;
        // SAFETY: as above; the array of nodes is passed with its length, and copied. The placeholder is a
        // temporary node, which is not used again.
        unsafe {
            let node = if record.is_union {
                LLVMDIBuilderCreateUnionType(
                    self.builder,
                    scope.node,
                    text(record.name),
                    record.name.len(),
                    record.declared.file.node,
                    record.declared.line,
                    record.size,
                    record.align,
                    LLVMDIFlagZero,
                    members.as_mut_ptr(),
                    n_members,
                    0,
                    text(""),
                    0,
                )
            } else {
                LLVMDIBuilderCreateStructType(
                    self.builder,
                    scope.node,
                    text(record.name),
                    record.name.len(),
                    record.declared.file.node,
                    record.declared.line,
                    record.size,
                    record.align,
                    LLVMDIFlagZero,
                    null_mut(),
                    members.as_mut_ptr(),
                    n_members,
                    0,
                    null_mut(),
                    text(""),
                    0,
                )
            };
            LLVMMetadataReplaceAllUsesWith(placeholder.node, node);
            metadata(node)
        }
    }
}

fn node(ty: Option<Metadata<'_>>) -> LLVMMetadataRef {
    ty.map_or(null_mut(), |ty| ty.node)
}
