//! Constants, and the initial values of variables with static storage duration.
//!
//! The LLVM type of an initial value may differ from that of its variable: pointers are opaque, and a union's
//! value is that of one member. Its size is the variable's, and `layout` determines the offsets of its
//! members: records are packed LLVM structs with explicit padding.

use std::collections::BTreeMap;

use inkwell::module::Linkage;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    ArrayValue, BasicValueEnum, FloatValue, GlobalValue, IntValue, PointerValue, UnnamedAddress,
};
use weft_frontend::ir::{ConstInit, FloatTy, Global, IntTy, Ty, TyKind};
use weft_frontend::layout::{BitField, FieldLayout};

use crate::Bug;
use crate::addr_space;
use crate::context::Cx;

/// Parts of an object by byte offset, each with its size.
type Parts<'ctx> = BTreeMap<u64, (BasicValueEnum<'ctx>, u64)>;

impl<'ctx> Cx<'_, 'ctx> {
    /// A constant of an integer or enum type.
    pub(crate) fn const_int(&self, ty: Ty, value: i128) -> IntValue<'ctx> {
        let int = self.ir.types.int_ty(ty).unwrap_or(IntTy::ULongLong);
        // Two's complement, the low word first.
        self.int_ty(int).const_int_arbitrary_precision(&[value as u64, (value >> 64) as u64])
    }

    /// A constant of a floating type.
    pub(crate) fn const_float(&self, ty: Ty, value: f64) -> FloatValue<'ctx> {
        match self.ir.types.float_ty(ty) {
            // When narrowing, LLVM would make a signaling NaN quiet.
            Some(FloatTy::Float) if value.is_nan() && value.to_bits() & 1 << 51 == 0 => {
                let payload = value.to_bits() >> 29 & 0x003f_ffff;
                let sign = if value.is_sign_negative() { "-" } else { "" };
                // SAFETY: the text is a number in LLVM's syntax.
                unsafe { self.tys.f32.const_float_from_string(&format!("{sign}snan{payload:#x}")) }
            }
            Some(FloatTy::Float) => self.tys.f32.const_float(value),
            Some(FloatTy::Double | FloatTy::LongDouble) | None => self.tys.f64.const_float(value),
        }
    }

    /// The bytes as a constant in global memory; its address need not be unique.
    pub(crate) fn constant_bytes(&self, bytes: &[u8]) -> PointerValue<'ctx> {
        self.constant_object(self.llvm.const_string(bytes, false).into(), 1)
    }

    /// The value as a constant in global memory, aligned to `align` bytes; its address need not be unique.
    pub(crate) fn constant_object(&self, value: BasicValueEnum<'ctx>, align: u32) -> PointerValue<'ctx> {
        let variable = self.module.add_global(value.get_type(), Some(addr_space::GLOBAL.into()), "$const");
        variable.set_initializer(&value);
        variable.set_alignment(align);
        make_literal(variable);
        variable.as_pointer_value()
    }

    /// The value of a variable of type `ty`, in its memory representation.
    pub(crate) fn const_init(&self, ty: Ty, init: &ConstInit) -> Result<BasicValueEnum<'ctx>, Bug> {
        Ok(match init {
            ConstInit::Zero => self.mem_ty(ty).const_zero(),
            ConstInit::Int(value) if self.is_bool(ty) => {
                self.tys.i8.const_int(u64::from(*value != 0), false).into()
            }
            ConstInit::Int(value) => self.const_int(ty, *value).into(),
            ConstInit::Float(value) => self.const_float(ty, *value).into(),
            ConstInit::GlobalAddr(global, offset) => self.const_address(*global, *offset).into(),
            ConstInit::FuncAddr(func) => {
                self.function(*func).value.as_global_value().as_pointer_value().into()
            }
            // LLVM's PTX writer does not support an integer as the initial value of a pointer.
            ConstInit::IntPtr(address) => self.tys.word.const_int(*address, false).into(),
            ConstInit::Array(elems) => self.const_array(ty, elems)?,
            ConstInit::Record(members) => self.const_record(ty, members)?,
            ConstInit::Bytes(bytes) => {
                let value = self.llvm.const_string(bytes, false);
                let size = self.layout(ty).size;
                let parts = Parts::from([(0, (value.into(), bytes.len() as u64))]);
                if bytes.len() as u64 == size { value.into() } else { self.assemble(&parts, size) }
            }
        })
    }

    /// The generic address of a byte of a variable.
    fn const_address(&self, global: Global, offset: i64) -> PointerValue<'ctx> {
        let base = self.global(global);
        let index = self.tys.word.const_int(offset as u64, true);
        let moved = match offset {
            0 => base,
            // SAFETY: the index counts bytes.
            _ => unsafe { base.const_gep(self.tys.i8, &[index]) },
        };
        moved.const_address_space_cast(self.tys.ptr)
    }

    fn const_array(&self, ty: Ty, elems: &[(u64, ConstInit)]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &TyKind::Array(elem, Some(len)) = self.ir.types.kind(ty) else {
            return Err(Bug::from("an array value for a type that is not an array"));
        };
        self.const_elements(elem, len, elems)
    }

    /// An array of `len` elements.
    fn const_elements(
        &self,
        elem: Ty,
        len: u64,
        elems: &[(u64, ConstInit)],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let values = elems
            .iter()
            .map(|(elem_idx, init)| Ok((*elem_idx, self.const_init(elem, init)?)))
            .collect::<Result<Vec<_>, Bug>>()?;
        let elem_ty = self.mem_ty(elem);
        let is_dense = values.len() as u64 == len;
        if is_dense && values.iter().all(|(_, value)| value.get_type() == elem_ty) {
            let values: Vec<BasicValueEnum<'ctx>> = values.into_iter().map(|(_, value)| value).collect();
            return Ok(const_array_of(elem_ty, &values));
        }
        let size = self.layout(elem).size;
        let parts = values.into_iter().map(|(elem_idx, value)| (elem_idx * size, (value, size))).collect();
        Ok(self.assemble(&parts, size * len))
    }

    fn const_record(&self, ty: Ty, members: &[(u32, ConstInit)]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let size = self.layout(ty).size;
        self.const_record_of(ty, members, size)
    }

    /// The part of a base class: without the padding in which members may be.
    fn const_base(&self, ty: Ty, init: &ConstInit, size: u64) -> Result<BasicValueEnum<'ctx>, Bug> {
        match init {
            ConstInit::Record(members) => self.const_record_of(ty, members, size),
            _ => Ok(self.bytes_ty(size).const_zero()),
        }
    }

    fn const_record_of(
        &self,
        ty: Ty,
        members: &[(u32, ConstInit)],
        mut size: u64,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let record = self.ir.types.record(ty).ok_or("a record value for a type that is not a record")?;
        let layout = self.record_layout(record);
        let fields = self.ir.types.records[record].fields.as_deref().unwrap_or_default();
        let align = layout.layout.align;
        let mut parts = Parts::new();
        let mut bit_field_bytes = BTreeMap::new();
        for (field_idx, init) in members {
            let field_idx = *field_idx as usize;
            let FieldLayout { offset, bits } = layout.fields[field_idx];
            match bits {
                Some(bits) => set_bits(&mut bit_field_bytes, offset, bits, init),
                None if let &TyKind::Array(elem, None) = self.ir.types.kind(fields[field_idx].ty) => {
                    // The elements of a flexible array member are in addition to the struct.
                    let ConstInit::Array(elems) = init else { continue };
                    let len = elems.last().map_or(0, |(last_idx, _)| last_idx + 1);
                    let n_bytes = self.layout(elem).size * len;
                    parts.insert(offset, (self.const_elements(elem, len, elems)?, n_bytes));
                    // The same size as in GNU C: the struct's padding remains.
                    size = (size + n_bytes).next_multiple_of(align.into());
                }
                None if fields[field_idx].is_base => {
                    let base = fields[field_idx].ty;
                    let n_bytes = self.copied_size(base);
                    if n_bytes > 0 {
                        parts.insert(offset, (self.const_base(base, init, n_bytes)?, n_bytes));
                    }
                }
                None => {
                    let field_ty = fields[field_idx].ty;
                    let n_bytes = self.layout(field_ty).size;
                    if n_bytes > 0 && !self.is_empty(field_ty) {
                        parts.insert(offset, (self.const_init(field_ty, init)?, n_bytes));
                    }
                }
            }
        }
        for (offset, byte) in bit_field_bytes {
            parts.insert(offset, (self.tys.i8.const_int(byte.into(), false).into(), 1));
        }
        Ok(self.assemble(&parts, size))
    }

    /// The parts at their offsets in an object of `size` bytes, zeros between them.
    fn assemble(&self, parts: &Parts<'ctx>, size: u64) -> BasicValueEnum<'ctx> {
        let mut values = Vec::with_capacity(parts.len() * 2 + 1);
        let mut end = 0;
        let zeros = |n_bytes| self.bytes_ty(n_bytes).const_zero();
        for (&offset, &(value, size)) in parts {
            if offset > end {
                values.push(zeros(offset - end));
            }
            values.push(value);
            end = offset + size;
        }
        if size > end {
            values.push(zeros(size - end));
        }
        self.llvm.const_struct(&values, true).into()
    }
}

/// Marks a variable whose address need not be unique.
pub(crate) fn make_literal(variable: GlobalValue<'_>) {
    variable.set_linkage(Linkage::Internal);
    variable.set_constant(true);
    variable.set_unnamed_address(UnnamedAddress::Global);
}

/// Inserts a bit-field's value into its bytes.
fn set_bits(bytes: &mut BTreeMap<u64, u8>, offset: u64, bits: BitField, init: &ConstInit) {
    let ConstInit::Int(value) = *init else { return };
    let mask = u128::MAX.checked_shr(128 - bits.width).unwrap_or(0);
    let (value, shift) = (value as u128 & mask, bits.bit_offset % 8);
    let start = offset + u64::from(bits.bit_offset / 8);
    for byte_idx in 0..(shift + bits.width).div_ceil(8) {
        let byte = match byte_idx * 8 {
            0 => value << shift,
            below => value >> (below - shift),
        };
        *bytes.entry(start + u64::from(byte_idx)).or_insert(0) |= byte as u8;
    }
}

fn const_array_of<'ctx>(elem: BasicTypeEnum<'ctx>, values: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
    // SAFETY: all values are constants of the element type.
    unsafe { ArrayValue::new_const_array(&elem, values) }.into()
}
