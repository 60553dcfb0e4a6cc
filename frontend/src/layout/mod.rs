//! Sizes, alignments and offsets of types.
//!
//! The frontend needs them for `sizeof` and for constant addresses, lowering for everything, so
//! they are defined only here. The rules are those of the host's C++ ABI, which nvcc follows on the
//! device too (PTX Interop 1.1: "the sizes of types are defined by the host"): Itanium C++ ABI 2.2
//! on x86-64, or of a 32-bit host ([`DataModel`]).
//!
//! - [`base`]: the parts that base classes have
//! - [`bitfield`]: the placement of bit-fields
//! - [`model`]: the sizes of `long`, `size_t` and pointers
//!
//! **Invariants**: an alignment is a power of two; the size of a record is a multiple of its alignment
//! (a typedef name can give an alignment above the size); no size is above [`DataModel::max_size`].
//!
//! The layout of a complete record is computed once and kept in the [`TypeTable`]: once
//! [`RecordData::fields`](crate::ir::RecordData::fields) is there, neither they nor the record's
//! alignment may change.

mod base;
mod bitfield;
mod model;

use base::Placed;
pub use model::DataModel;

use hashbrown::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ir::{Field, FloatTy, IntTy, Record, RecordData, Ty, TyKind, TypeTable};

/// Size and alignment of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes, tail padding included.
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u32,
}

/// A type has no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// It is no complete object type: an incomplete record, an array of unknown length, `void`, a
    /// function, or the poison type.
    Incomplete,
    /// The size is above [`DataModel::max_size`].
    TooLarge,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LayoutError::Incomplete => "the type is incomplete",
            LayoutError::TooLarge => "the type is too large",
        })
    }
}

/// The layout of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// Of the whole.
    pub layout: Layout,
    /// One for each [`Field`], in order.
    pub fields: Vec<FieldLayout>,
    /// The bytes in which no other object is: the size, without the padding at its end where that may hold members of derived classes (the
    /// data size of Itanium C++ ABI 2.4).
    pub own_size: u64,
    /// It has no members but bit-fields of no width, and no base class that has any.
    pub is_empty: bool,
    /// It is empty, or some part of it is.
    pub has_empty: bool,
}

/// The place of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// Bytes from the beginning of the record; of a bit-field, those to its storage unit.
    pub offset: u64,
    /// The place of a bit-field in its unit; `None` for other members.
    pub bits: Option<BitField>,
}

/// The place of a bit-field in its storage unit, an integer of the declared type's size which is read
/// and written as a whole. The unit may overlap with other members (PTX Interop 1.3).
///
/// A packed bit-field has no such unit: it begins in a byte and may end in a later one.
///
/// **Invariant**: unless the bit-field is packed, `bit_offset + width` is at most eight times `unit_size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Bytes of the unit, and its alignment; 1 where the bit-field is packed.
    pub unit_size: u32,
    /// Bits of the unit below the field, from the least significant one.
    pub bit_offset: u32,
    /// Bits of the field; 0 only for an unnamed one.
    pub width: u32,
}

/// Size and alignment of a type.
///
/// # Errors
/// When the type is incomplete or too large.
pub fn layout_of(types: &TypeTable, ty: Ty) -> Result<Layout, LayoutError> {
    // As it was written: a typedef name can give its objects another alignment.
    match *types.written(ty) {
        TyKind::Typedef(name) => {
            let data = &types.typedefs[name];
            let layout = layout_of(types, data.ty)?;
            Ok(Layout { align: data.align.unwrap_or(layout.align), ..layout })
        }
        TyKind::Int(int) => Ok(int_layout(int)),
        TyKind::Float(float) => Ok(float_layout(float)),
        TyKind::Pointer(_) | TyKind::Reference(..) | TyKind::Nullptr => {
            Ok(scalar(types.model().pointer_size()))
        }
        // A handle. The language does not expose this: nvcc's `sizeof` is that of the members.
        TyKind::Opaque(_) => Ok(scalar(8)),
        TyKind::Enum(enum_) => Ok(int_layout(types.enums[enum_].underlying)),
        TyKind::Array(elem, Some(len)) => {
            let elem = layout_of(types, elem)?;
            let size = elem.size.checked_mul(len).ok_or(LayoutError::TooLarge)?;
            Ok(Layout { size: check_size(types, size.into())?, align: elem.align })
        }
        TyKind::Record(record) => Ok(record_layout(types, record)?.layout),
        TyKind::Array(_, None) | TyKind::Void | TyKind::Func(_) | TyKind::Error | TyKind::Dependent(_) => {
            Err(LayoutError::Incomplete)
        }
    }
}

/// The size of a type in bytes.
///
/// # Errors
/// When the type is incomplete or too large.
pub fn size_of(types: &TypeTable, ty: Ty) -> Result<u64, LayoutError> {
    Ok(layout_of(types, ty)?.size)
}

/// The alignment of a type in bytes; of an array of unknown length, that of its elements.
///
/// # Errors
/// When the type is incomplete or too large.
pub fn align_of(types: &TypeTable, ty: Ty) -> Result<u32, LayoutError> {
    match *types.written(ty) {
        TyKind::Typedef(name) => match types.typedefs[name].align {
            Some(align) => Ok(align),
            None => align_of(types, types.typedefs[name].ty),
        },
        TyKind::Array(elem, _) => align_of(types, elem),
        _ => Ok(layout_of(types, ty)?.align),
    }
}

/// The layout of a struct or union.
///
/// # Errors
/// When it or a member is incomplete, or it is too large.
pub fn record_layout(types: &TypeTable, record: Record) -> Result<Arc<RecordLayout>, LayoutError> {
    if let Some(known) = types.layouts.get(record) {
        return Ok(known);
    }
    let data = &types.records[record];
    let fields = data.fields.as_ref().ok_or(LayoutError::Incomplete)?;
    let layout = Arc::new(lay_out(types, data, fields, types.shares_padding(record))?);
    types.layouts.insert(record, Arc::clone(&layout));
    Ok(layout)
}

/// Size and alignment of an integer type.
pub fn int_layout(int: IntTy) -> Layout {
    scalar(match int {
        IntTy::Bool | IntTy::Char | IntTy::SChar | IntTy::UChar => 1,
        IntTy::Short | IntTy::UShort | IntTy::Char16 => 2,
        IntTy::Int | IntTy::UInt | IntTy::Long32 | IntTy::ULong32 | IntTy::WChar | IntTy::Char32 => 4,
        IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong => 8,
        IntTy::Int128 | IntTy::UInt128 => 16,
    })
}

/// Size and alignment of a floating type.
pub fn float_layout(float: FloatTy) -> Layout {
    scalar(match float {
        FloatTy::Float => 4,
        FloatTy::Double => 8,
        FloatTy::LongDouble => 16,
    })
}

/// The bits that a value of a floating type takes in device code, in registers and in memory.
pub fn float_bits(float: FloatTy) -> u32 {
    match float {
        FloatTy::Float => 32,
        FloatTy::Double | FloatTy::LongDouble => 64,
    }
}

/// A scalar is aligned to its size.
fn scalar(size: u64) -> Layout {
    Layout { size, align: size as u32 }
}

fn check_size(types: &TypeTable, size: u128) -> Result<u64, LayoutError> {
    let max_size = types.model().max_size();
    u64::try_from(size).ok().filter(|&size| size <= max_size).ok_or(LayoutError::TooLarge)
}

/// The walk over the members of a record. Positions are in bits, and 128 wide: no sum overflows
/// before it is checked.
struct Walk {
    is_union: bool,
    /// One past the last bit taken; of a union, its largest member's.
    end: u128,
    /// The bytes that empty bases take, beyond that perhaps.
    size: u128,
    align: u32,
}

// PTX Interop 1.2, Itanium C++ ABI 2.2
fn lay_out(
    types: &TypeTable,
    data: &RecordData,
    fields: &[Field],
    shares_padding: bool,
) -> Result<RecordLayout, LayoutError> {
    let mut walk = Walk { is_union: data.is_union, end: 0, size: 0, align: data.align.unwrap_or(1).max(1) };
    let parts = Placed { types, fields };
    let has_bases = fields.first().is_some_and(|field| field.is_base);
    let last_idx = fields.len().wrapping_sub(1);
    let mut placed = Vec::with_capacity(fields.len());
    for (field_idx, field) in fields.iter().enumerate() {
        placed.push(match field.bit_width {
            Some(width) => walk.place_bit_field(layout_of(types, field.ty)?, field, width),
            None => {
                let may_be_open = field_idx == last_idx && !data.is_union;
                if field.is_base {
                    let part = parts.place_base(&mut walk, &placed, field)?;
                    placed.push(part);
                    continue;
                }
                let layout = member_layout(types, field.ty, may_be_open)?;
                // Two objects of one class have different addresses (C++17 4.5p8).
                while has_bases && parts.is_taken(&placed, field.ty, walk.offset_of(layout, field))? {
                    walk.end = (walk.offset_of(layout, field) + 1) * 8;
                }
                walk.place(layout, field)
            }
        });
        check_size(types, walk.end.div_ceil(8))?;
    }
    // C++17 12p4: an object of class type has at least one byte.
    let (mut is_empty, mut has_empty) = (true, false);
    for field in fields {
        has_empty |= has_empty_object(types, field.ty)?;
        is_empty &= field.bit_width == Some(0) || field.is_base && is_empty_record(types, field.ty)?;
    }
    let bytes = walk.end.div_ceil(8).max(walk.size).max(u128::from(is_empty));
    let size = check_size(types, bytes.next_multiple_of(u128::from(walk.align)))?;
    Ok(RecordLayout {
        layout: Layout { size, align: walk.align },
        fields: placed,
        own_size: if shares_padding { bytes as u64 } else { size },
        is_empty,
        has_empty: has_empty || is_empty,
    })
}

/// Whether something in an object of the type is of an empty class.
fn has_empty_object(types: &TypeTable, ty: Ty) -> Result<bool, LayoutError> {
    match *types.kind(ty) {
        TyKind::Array(elem, _) => has_empty_object(types, elem),
        TyKind::Record(record) => Ok(record_layout(types, record)?.has_empty),
        _ => Ok(false),
    }
}

/// Whether the type is a class without anything in it: an object of it has a byte that nothing is in.
///
/// # Errors
/// When it is incomplete.
pub fn is_empty_record(types: &TypeTable, ty: Ty) -> Result<bool, LayoutError> {
    match types.record(ty) {
        Some(record) => Ok(record_layout(types, record)?.is_empty),
        None => Ok(false),
    }
}

/// The layout of a member; a flexible array member (the last of a struct) takes no room.
fn member_layout(types: &TypeTable, ty: Ty, may_be_open: bool) -> Result<Layout, LayoutError> {
    match *types.kind(ty) {
        TyKind::Array(elem, None) if may_be_open => {
            Ok(Layout { size: 0, align: layout_of(types, elem)?.align })
        }
        _ => layout_of(types, ty),
    }
}

impl Walk {
    fn start(&self) -> u128 {
        if self.is_union { 0 } else { self.end }
    }

    fn offset_of(&self, layout: Layout, field: &Field) -> u128 {
        self.start().div_ceil(8).next_multiple_of(u128::from(field_align(layout, field)))
    }

    fn place(&mut self, layout: Layout, field: &Field) -> FieldLayout {
        let (align, offset) = (field_align(layout, field), self.offset_of(layout, field));
        self.end = self.end.max((offset + u128::from(layout.size)) * 8);
        self.align = self.align.max(align);
        // A member that begins above the largest size is refused by the caller.
        FieldLayout { offset: offset as u64, bits: None }
    }

    fn place_bit_field(&mut self, unit: Layout, field: &Field, width: u32) -> FieldLayout {
        let at = bitfield::position(self.start(), unit, field, width);
        self.end = self.end.max(at + u128::from(width));
        // PTX Interop 1.3: unnamed bit-fields do not affect the alignment. Under `#pragma pack`, they do to nvcc.
        if field.name.is_some() || field.pack.is_some() && width > 0 {
            self.align = self.align.max(field_align(unit, field));
        }
        bitfield::in_unit(at, unit, field, width)
    }
}

/// The alignment of a member: its type's, limited by packing, or its own.
fn field_align(layout: Layout, field: &Field) -> u32 {
    let natural = field.pack.map_or(layout.align, |pack| layout.align.min(pack));
    natural.max(field.align.unwrap_or(1))
}

/// The layouts of complete records.
///
/// Without it the layout of a record that holds two of a record that holds two of another takes
/// exponential time. Shared between threads as the table itself is.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<Record, Arc<RecordLayout>>>);

impl Cache {
    fn get(&self, record: Record) -> Option<Arc<RecordLayout>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&record).cloned()
    }

    fn insert(&self, record: Record, layout: Arc<RecordLayout>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(record, layout);
    }
}

impl Clone for Cache {
    fn clone(&self) -> Self {
        Cache(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

#[cfg(test)]
mod tests;
