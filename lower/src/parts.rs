//! Copies of records, member by member.
//!
//! LLVM splits the copy of a record badly: `char4` becomes bytes in local memory, `float4` two words of 8
//! bytes. It is good at merging adjacent accesses with known alignment. So a record of few members is copied
//! member by member: all are read, then all are written, which is correct for an object that is copied onto
//! itself (C++17 8.18p8) and keeps the accesses adjacent. A record with overlapping members, a union or a
//! struct with bit-fields, is copied as integers of its widest member's size.

use inkwell::types::BasicTypeEnum;
use weft_frontend::ir::{Ty, View};

use crate::Bug;
use crate::access::Memory;
use crate::context::Cx;
use crate::place::Address;

/// The maximum number of scalars in a record that is not copied, passed and returned as memory.
const MAX_PARTS: usize = 16;

/// A scalar in an object.
#[derive(Clone, Copy)]
pub(crate) struct Part<'ctx> {
    /// The offset in the object, in bytes.
    offset: u64,
    ty: BasicTypeEnum<'ctx>,
}

impl<'ctx> Cx<'_, 'ctx> {
    /// The scalars of the object, in order; `None` if there are too many.
    pub(crate) fn parts(&self, ty: Ty) -> Option<Vec<Part<'ctx>>> {
        let mut parts = Vec::new();
        self.add_parts(ty, 0, &mut parts)?;
        Some(parts)
    }

    fn add_parts(&self, ty: Ty, offset: u64, parts: &mut Vec<Part<'ctx>>) -> Option<()> {
        match self.ir.types.view(ty) {
            View::Record(record) => {
                let data = &self.ir.types.records[record];
                let fields = data.fields.as_deref().unwrap_or_default();
                if data.is_union || fields.iter().any(|field| field.bit_width.is_some()) {
                    return self.add_cover(ty, offset, parts);
                }
                let layout = self.record_layout(record);
                for (field, placed) in fields.iter().zip(&layout.fields) {
                    if self.is_empty_base(field) {
                        continue;
                    }
                    self.add_parts(field.ty, offset + placed.offset, parts)?;
                }
            }
            View::Array(elem, len) => {
                let len = len?;
                if len > MAX_PARTS as u64 {
                    return None;
                }
                let step = self.layout(elem).size;
                for idx in 0..len {
                    self.add_parts(elem, offset + idx * step, parts)?;
                }
            }
            View::Scalar(_) => {
                parts.push(Part { offset, ty: self.mem_ty(ty) });
            }
            View::Void | View::Func(_) | View::Error => {
                unreachable!("invariant: objects have complete, sound, canonical types")
            }
        }
        (parts.len() <= MAX_PARTS).then_some(())
    }

    fn add_cover(&self, ty: Ty, offset: u64, parts: &mut Vec<Part<'ctx>>) -> Option<()> {
        let layout = self.layout(ty);
        // An unnamed bit-field has its width, but no alignment.
        let mut unit = self.widest_scalar(ty).min(layout.align.into());
        let (mut at, size) = (0, self.copied_size(ty));
        while at < size && parts.len() <= MAX_PARTS {
            while unit > size - at {
                unit /= 2;
            }
            parts.push(Part { offset: offset + at, ty: self.wide_int_ty(unit as u32 * 8).ok()?.into() });
            at += unit;
        }
        (parts.len() <= MAX_PARTS).then_some(())
    }

    /// The size of the widest scalar in the object, in bytes.
    pub(crate) fn widest_scalar(&self, ty: Ty) -> u64 {
        match self.ir.types.view(ty) {
            View::Record(record) => {
                let fields = self.ir.types.records[record].fields.as_deref().unwrap_or_default();
                fields.iter().map(|field| self.widest_scalar(field.ty)).max().unwrap_or(1)
            }
            View::Array(elem, _) => self.widest_scalar(elem),
            View::Scalar(_) | View::Void | View::Func(_) | View::Error => self.layout(ty).size,
        }
    }
}

impl<'ctx> Memory<'_, '_, 'ctx> {
    /// Copies an object part by part.
    pub(crate) fn copy_parts(
        &self,
        to: Address<'ctx>,
        from: Address<'ctx>,
        parts: &[Part<'ctx>],
    ) -> Result<(), Bug> {
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let from = self.byte_offset(from, part.offset)?;
            values.push(self.load_part(from, part.ty)?);
        }
        for (part, value) in parts.iter().zip(values) {
            let to = self.byte_offset(to, part.offset)?;
            self.store_part(to, value)?;
        }
        Ok(())
    }
}
