//! Loads and stores of scalars, bit-fields and whole objects.

use inkwell::types::{BasicTypeEnum, IntType};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue};
use weft_frontend::ir::Ty;

use crate::Bug;
use crate::bit_field::{self, Access};
use crate::code::Code;
use crate::context::Cx;
use crate::place::{Address, LoweredPlace};

/// Accesses to objects in memory; it changes nothing but the code.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    code: &'f Code<'f, 'a, 'ctx>,
}

impl<'a, 'ctx> Code<'_, 'a, 'ctx> {
    /// Accesses to objects in memory.
    pub(crate) fn memory(&self) -> Memory<'_, 'a, 'ctx> {
        Memory { cx: self.cx, code: self }
    }
}

impl<'ctx> Memory<'_, '_, 'ctx> {
    /// A member of a record.
    pub(crate) fn field_place(
        &self,
        base: Address<'ctx>,
        record_ty: Ty,
        field_idx: u32,
    ) -> Result<LoweredPlace<'ctx>, Bug> {
        let record = self.cx.ir.types.record(record_ty).expect("invariant: only records have members");
        let layout = self.cx.record_layout(record);
        let data = &self.cx.ir.types.records[record];
        let fields = data.fields.as_deref().unwrap_or_default();
        let sizes = |field_idx: usize| match &fields[field_idx] {
            base if base.is_base => self.cx.copied_size(base.ty),
            field => self.cx.member_size(field.ty),
        };
        match bit_field::access(&layout, fields, sizes, field_idx as usize, data.is_union) {
            None => Ok(self.byte_offset(base, layout.fields[field_idx as usize].offset)?.place()),
            Some(access) => Ok(LoweredPlace::Bits(self.byte_offset(base, access.offset)?, access)),
        }
    }

    /// The address at an offset in bytes, within the same object.
    pub(crate) fn byte_offset(&self, base: Address<'ctx>, offset: u64) -> Result<Address<'ctx>, Bug> {
        if offset == 0 {
            return Ok(base);
        }
        let index = self.cx.tys.word.const_int(offset, false);
        let ptr = self.cx.gep(&self.code.builder, self.cx.tys.i8.into(), base.ptr, index)?;
        let offset_align = 1_u64 << offset.trailing_zeros().min(31);
        Ok(Address { ptr, align: base.align.min(offset_align as u32), ..base })
    }

    /// The address at a multiple of `unit` bytes that is computed, within the same object.
    pub(crate) fn variable_offset(
        &self,
        base: Address<'ctx>,
        offset: IntValue<'ctx>,
        unit: u64,
    ) -> Result<Address<'ctx>, Bug> {
        let ptr = self.cx.gep(&self.code.builder, self.cx.tys.i8.into(), base.ptr, offset)?;
        let unit_align = 1_u64 << unit.trailing_zeros().min(31);
        Ok(Address { ptr, align: base.align.min(unit_align as u32), ..base })
    }

    /// Loads a scalar.
    pub(crate) fn load_place(&self, place: &LoweredPlace<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        match place {
            LoweredPlace::Object(address) => self.load_scalar(*address, ty),
            LoweredPlace::Bits(word, bits) => self.load_bits(*word, *bits, ty),
            LoweredPlace::Either(cond, arms) => {
                self.either(*cond, arms, |memory, place| memory.load_place(place, ty))
            }
        }
    }

    /// Stores a scalar; returns the value that a load would give.
    pub(crate) fn store_place(
        &self,
        place: &LoweredPlace<'ctx>,
        ty: Ty,
        value: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match place {
            LoweredPlace::Object(address) => {
                self.store_scalar(*address, ty, value)?;
                Ok(value)
            }
            LoweredPlace::Bits(word, bits) => self.store_bits(*word, *bits, ty, value.into_int_value()),
            LoweredPlace::Either(cond, arms) => {
                self.either(*cond, arms, |memory, place| memory.store_place(place, ty, value))
            }
        }
    }

    /// Does one of two things, depending on a condition.
    fn either(
        &self,
        cond: IntValue<'ctx>,
        arms: &[LoweredPlace<'ctx>; 2],
        access: impl Fn(&Self, &LoweredPlace<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.code.new_block(name));
        self.code.builder.build_conditional_branch(cond, then_block, else_block)?;
        self.code.continue_in(then_block)?;
        let first = access(self, &arms[0])?;
        let then_end = self.code.block();
        self.code.builder.build_unconditional_branch(end)?;
        self.code.continue_in(else_block)?;
        let second = access(self, &arms[1])?;
        let else_end = self.code.block();
        self.code.fall_into(end)?;
        self.code.merge((first, then_end), (second, else_end))
    }

    /// Loads a scalar that is not a bit-field, or a half-precision number.
    pub(crate) fn load_scalar(&self, address: Address<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mem_ty =
            self.cx.ir.types.half_ty(ty).map_or_else(|| self.cx.mem_ty(ty), |half| self.cx.half_ty(half));
        let value = self.load_part(address, mem_ty)?;
        if !self.cx.is_bool(ty) {
            return Ok(value);
        }
        let load = value.as_instruction_value().expect("invariant: a load is an instruction");
        load.set_metadata(self.cx.bool_range(), self.cx.range_kind)
            .map_err(|_| Bug::from("LLVM takes no range on a load"))?;
        Ok(self.code.builder.build_int_truncate(value.into_int_value(), self.cx.tys.i1, "")?.into())
    }

    /// Stores a scalar that is not a bit-field.
    pub(crate) fn store_scalar(
        &self,
        address: Address<'ctx>,
        ty: Ty,
        value: BasicValueEnum<'ctx>,
    ) -> Result<(), Bug> {
        let value = match value {
            BasicValueEnum::IntValue(int) if self.cx.is_bool(ty) => {
                self.code.builder.build_int_z_extend(int, self.cx.tys.i8, "")?.into()
            }
            _ => value,
        };
        self.store_part(address, value)
    }

    /// Loads an LLVM value in its memory representation.
    pub(crate) fn load_part(
        &self,
        address: Address<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.code.builder.build_load(ty, address.ptr, "")?;
        let load = value.as_instruction_value().expect("invariant: a load is an instruction");
        load.set_alignment(address.align)?;
        load.set_volatile(address.volatile)?;
        Ok(value)
    }

    /// Stores an LLVM value in its memory representation.
    pub(crate) fn store_part(&self, address: Address<'ctx>, value: BasicValueEnum<'ctx>) -> Result<(), Bug> {
        let store = self.code.builder.build_store(address.ptr, value)?;
        store.set_alignment(address.align)?;
        store.set_volatile(address.volatile)?;
        Ok(())
    }

    fn load_bits(&self, address: Address<'ctx>, bits: Access, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let word = self.load_word(address, bits)?;
        let value = self.extract_bits(word, bits, self.cx.is_signed(ty))?;
        self.bits_to_value(value, ty)
    }

    fn store_bits(
        &self,
        address: Address<'ctx>,
        bits: Access,
        ty: Ty,
        value: IntValue<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.code.builder;
        let word_ty = self.word_ty(bits)?;
        // C++17 8.18p3: bits beyond the word's width are dropped.
        let field = b.build_int_cast_sign_flag(value, word_ty, false, "")?;
        let mask = self.cx.low_bits(word_ty.get_bit_width(), bits.width)?;
        let shift = word_ty.const_int(bits.shift.into(), false);
        let field = b.build_and(field, mask, "")?;
        let placed = b.build_left_shift(field, shift, "")?;
        let word = if bits.width == bits.n_bits {
            placed
        } else {
            let hole = b.build_not(b.build_left_shift(mask, shift, "")?, "")?;
            b.build_or(b.build_and(self.load_word(address, bits)?, hole, "")?, placed, "")?
        };
        self.store_word(address, bits, word)?;
        let stored = self.extract_bits(placed, bits, self.cx.is_signed(ty))?;
        self.bits_to_value(stored, ty)
    }

    /// The type in which a word is computed.
    fn word_ty(&self, bits: Access) -> Result<IntType<'ctx>, Bug> {
        self.cx.wide_int_ty(bits.n_bits.next_power_of_two())
    }

    /// Loads a word, zero-extended.
    fn load_word(&self, address: Address<'ctx>, bits: Access) -> Result<IntValue<'ctx>, Bug> {
        let b = &self.code.builder;
        let word_ty = self.word_ty(bits)?;
        let mut word: Option<IntValue<'ctx>> = None;
        for piece in bits.pieces(address.align) {
            let piece_ty = self.cx.wide_int_ty(piece.n_bits)?;
            let value = self.load_part(self.byte_offset(address, piece.offset)?, piece_ty.into())?;
            let value = b.build_int_cast_sign_flag(value.into_int_value(), word_ty, false, "")?;
            word = Some(match word {
                None => value,
                Some(below) => {
                    let shift = word_ty.const_int(piece.offset * 8, false);
                    b.build_or(below, b.build_left_shift(value, shift, "")?, "")?
                }
            });
        }
        word.ok_or_else(|| Bug::from("a word without bytes"))
    }

    fn store_word(&self, address: Address<'ctx>, bits: Access, word: IntValue<'ctx>) -> Result<(), Bug> {
        let b = &self.code.builder;
        for piece in bits.pieces(address.align) {
            let shift = word.get_type().const_int(piece.offset * 8, false);
            let value = if piece.offset == 0 { word } else { b.build_right_shift(word, shift, false, "")? };
            let value = b.build_int_cast_sign_flag(value, self.cx.wide_int_ty(piece.n_bits)?, false, "")?;
            self.store_part(self.byte_offset(address, piece.offset)?, value.into())?;
        }
        Ok(())
    }

    /// Shifts the field to the bottom of its word, extended.
    fn extract_bits(&self, word: IntValue<'ctx>, bits: Access, signed: bool) -> Result<IntValue<'ctx>, Bug> {
        let ty = word.get_type();
        let above = ty.get_bit_width() - bits.shift - bits.width;
        let at_top = self.code.builder.build_left_shift(word, ty.const_int(above.into(), false), "")?;
        let down = ty.const_int((above + bits.shift).into(), false);
        Ok(self.code.builder.build_right_shift(at_top, down, signed, "")?)
    }

    fn bits_to_value(&self, word: IntValue<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value_ty = self.cx.scalar_ty(ty).into_int_type();
        Ok(self.code.builder.build_int_cast_sign_flag(word, value_ty, self.cx.is_signed(ty), "")?.into())
    }

    /// Copies an object of the type.
    pub(crate) fn copy(&self, to: Address<'ctx>, from: Address<'ctx>, ty: Ty) -> Result<(), Bug> {
        let size = self.cx.copied_size(ty);
        if size == 0 {
            return Ok(());
        }
        if let Some(parts) = self.cx.parts(ty) {
            return self.copy_parts(to, from, &parts);
        }
        let size = self.cx.tys.word.const_int(size, false);
        let copy = self.code.builder.build_memcpy(to.ptr, to.align, from.ptr, from.align, size)?;
        if to.volatile || from.volatile {
            let copy = copy.as_instruction_value().expect("invariant: a copy is an instruction");
            copy.set_operand(3, self.cx.tys.i1.const_int(1, false));
        }
        Ok(())
    }

    /// Fills an object of the type with zero bytes.
    pub(crate) fn zero(&self, address: Address<'ctx>, ty: Ty) -> Result<(), Bug> {
        let size = self.cx.copied_size(ty);
        if size > 0 {
            let zero = self.cx.tys.i8.const_zero();
            let size = self.cx.tys.word.const_int(size, false);
            self.code.builder.build_memset(address.ptr, address.align, zero, size)?;
        }
        Ok(())
    }

    /// A record as the value that a function returns.
    pub(crate) fn load_passed(&self, from: Address<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.code.builder.build_load(self.cx.returned_ty(ty), from.ptr, "")?;
        let load = inkwell::values::BasicValue::as_instruction_value(&value)
            .ok_or("a load that is not an instruction")?;
        load.set_alignment(from.align)?;
        load.set_volatile(from.volatile)?;
        Ok(value)
    }
}
