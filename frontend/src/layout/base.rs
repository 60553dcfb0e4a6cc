//! Base classes (Itanium C++ ABI 2.4 II): where their parts are, and which objects would share an address with another of their class.

use super::{FieldLayout, LayoutError, Walk, layout_of, record_layout, size_of};
use crate::ir::{Field, Record, Ty, TyKind, TypeTable};

/// The parts of an object that are placed, which begin with those of its bases.
pub(super) struct Placed<'t> {
    pub(super) types: &'t TypeTable,
    pub(super) fields: &'t [Field],
}

/// An object of an empty class: its distance from the beginning of the whole, and its class.
type EmptyObject = (u64, Record);

impl Placed<'_> {
    /// Whether an object of the type at the offset would have an empty object where another one of the same class is.
    pub(super) fn is_taken(&self, placed: &[FieldLayout], ty: Ty, offset: u128) -> Result<bool, LayoutError> {
        let Ok(offset) = u64::try_from(offset) else { return Err(LayoutError::TooLarge) };
        // Only bases have such objects beyond their own bytes.
        let mut end = 0;
        for (field, at) in self.fields.iter().zip(placed).take_while(|(field, _)| field.is_base) {
            end = end.max(at.offset + size_of(self.types, field.ty)?);
        }
        let mut own = Vec::new();
        self.add_empty_objects(ty, offset, end, &mut own)?;
        if own.is_empty() {
            return Ok(false);
        }
        let mut others = Vec::new();
        for (field, at) in self.fields.iter().zip(placed) {
            self.add_empty_objects(field.ty, at.offset, end, &mut others)?;
        }
        Ok(own.iter().any(|object| others.contains(object)))
    }

    /// The empty objects of an object at the offset that begin before the end.
    fn add_empty_objects(
        &self,
        ty: Ty,
        offset: u64,
        end: u64,
        objects: &mut Vec<EmptyObject>,
    ) -> Result<(), LayoutError> {
        if offset >= end {
            return Ok(());
        }
        match *self.types.kind(ty) {
            TyKind::Array(elem, Some(len)) if self.types.record(elem).is_some() || self.is_array(elem) => {
                let step = size_of(self.types, elem)?.max(1);
                let offsets = (0..len).map(|idx| offset + idx * step).take_while(|&offset| offset < end);
                offsets.into_iter().try_for_each(|offset| self.add_empty_objects(elem, offset, end, objects))
            }
            TyKind::Record(record) => {
                let layout = record_layout(self.types, record)?;
                if !layout.has_empty {
                    return Ok(());
                }
                if layout.is_empty {
                    objects.push((offset, record));
                }
                let fields = self.types.records[record].fields.iter().flatten();
                fields.zip(&layout.fields).try_for_each(|(field, at)| {
                    self.add_empty_objects(field.ty, offset + at.offset, end, objects)
                })
            }
            _ => Ok(()),
        }
    }

    fn is_array(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TyKind::Array(..))
    }

    /// Places the part of a base class: an empty one at the beginning, or else where the others end.
    pub(super) fn place_base(
        &self,
        walk: &mut Walk,
        placed: &[FieldLayout],
        field: &Field,
    ) -> Result<FieldLayout, LayoutError> {
        let layout = layout_of(self.types, field.ty)?;
        let Some(record) = self.types.record(field.ty) else { return Err(LayoutError::Incomplete) };
        let base = record_layout(self.types, record)?;
        let align = u128::from(layout.align);
        walk.align = walk.align.max(layout.align);
        let behind = walk.end.div_ceil(8).next_multiple_of(align);
        let mut offset = if base.is_empty { 0 } else { behind };
        if self.is_taken(placed, field.ty, offset)? {
            offset = behind;
            while self.is_taken(placed, field.ty, offset)? {
                offset += align;
            }
        }
        if base.is_empty {
            walk.size = walk.size.max(offset + u128::from(layout.size));
        } else {
            walk.end = (offset + u128::from(base.own_size)) * 8;
        }
        Ok(FieldLayout { offset: offset as u64, bits: None })
    }
}
