//! Places: from designations of objects to addresses, and reading and writing there.
//!
//! An address keeps the address space of the variable that it is rooted in, so that accesses to
//! shared, constant and global variables need no analysis to be `ld.shared` and the like, at `-O0`
//! too. Pointers as values are generic (PTX Interop 2.3 (B)).
//!
//! Bit-fields are read and written through the bytes that hold them and no others: the storage
//! unit may overlap with other members, which other threads may be writing.

use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue};
use weft_frontend::ir::{Expr, ExprData, Place, PlaceData, Ty, TyKind};
use weft_frontend::layout::{self, BitField, FieldLayout};

use crate::Bug;
use crate::context::Cx;
use crate::function::FnCx;
use crate::types::Shape;

/// Where an object lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address<'ctx> {
    /// Its first byte, in any address space.
    pub(crate) ptr: PointerValue<'ctx>,
    /// What the address is a multiple of, in bytes.
    pub(crate) align: u32,
    /// Each access counts.
    pub(crate) volatile: bool,
}

/// A designation of an object, evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoweredPlace<'ctx> {
    /// Where it lies; of a bit-field, the first byte with a bit of it.
    pub(crate) address: Address<'ctx>,
    /// The bits, if it is a bit-field.
    bits: Option<Bits>,
}

/// The bits of a bit-field within the bytes that hold them.
#[derive(Clone, Copy, Debug)]
struct Bits {
    /// Below the field, less than 8.
    shift: u32,
    /// Of the field.
    width: u32,
}

impl Bits {
    /// The bits that are read and written, whole bytes.
    fn n_access_bits(self) -> u32 {
        (self.shift + self.width).next_multiple_of(8)
    }
}

impl LoweredPlace<'_> {
    /// Whether it is a bit-field.
    pub(crate) fn is_bit_field(&self) -> bool {
        self.bits.is_some()
    }
}

impl<'ctx> Address<'ctx> {
    fn place(self) -> LoweredPlace<'ctx> {
        LoweredPlace { address: self, bits: None }
    }
}

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// Evaluates a place.
    pub(crate) fn lower_place(&mut self, place: Place) -> Result<LoweredPlace<'ctx>, Bug> {
        let node = &self.body.places[place];
        let mut lowered = match node.data {
            PlaceData::Local(local) => self.local(local)?.place(),
            PlaceData::Global(global) => {
                let align = self.cx.global_align(global);
                Address { ptr: self.cx.global(global), align, volatile: false }.place()
            }
            PlaceData::Deref(pointer) => {
                let ptr = self.lower_pointer(pointer)?;
                Address { ptr, align: self.cx.known_align(node.ty), volatile: false }.place()
            }
            PlaceData::Field(base, field_idx) => self.lower_field(base, field_idx)?,
            PlaceData::Temporary(value) => self.lower_temporary(value)?.place(),
            PlaceData::Assigned(assignment) => self.lower_assigned_place(assignment)?,
            PlaceData::Conditional(cond, then, otherwise) => {
                self.lower_conditional_place(cond, then, otherwise)?
            }
            PlaceData::Comma(effect, place) => {
                self.lower_effect(effect)?;
                self.lower_place(place)?
            }
            PlaceData::CompoundLiteral(local, init) => {
                let address = self.local(local)?;
                self.lower_init(address, self.body.locals[local].ty, init)?;
                address.place()
            }
        };
        lowered.address.volatile |= self.is_volatile(node.ty);
        Ok(lowered)
    }

    /// Evaluates a place that is no bit-field.
    pub(crate) fn lower_address(&mut self, place: Place) -> Result<Address<'ctx>, Bug> {
        let lowered = self.lower_place(place)?;
        match lowered.bits {
            None => Ok(lowered.address),
            Some(_) => Err(Bug::from("a bit-field has no address")),
        }
    }

    fn lower_field(&mut self, base: Place, field_idx: u32) -> Result<LoweredPlace<'ctx>, Bug> {
        let base_ty = self.body.places[base].ty;
        let base = self.lower_address(base)?;
        self.field_place(base, base_ty, field_idx)
    }

    /// A member of a record.
    pub(crate) fn field_place(
        &self,
        base: Address<'ctx>,
        record_ty: Ty,
        field_idx: u32,
    ) -> Result<LoweredPlace<'ctx>, Bug> {
        let record = self.cx.ir.types.record(record_ty).expect("invariant: only records have members");
        let FieldLayout { offset, bits } = self.cx.record_layout(record).fields[field_idx as usize];
        let Some(BitField { bit_offset, width, .. }) = bits else {
            return Ok(self.byte_offset(base, offset)?.place());
        };
        let address = self.byte_offset(base, offset + u64::from(bit_offset / 8))?;
        Ok(LoweredPlace { address, bits: Some(Bits { shift: bit_offset % 8, width }) })
    }

    /// The address some bytes on, within the same object.
    pub(crate) fn byte_offset(&self, base: Address<'ctx>, offset: u64) -> Result<Address<'ctx>, Bug> {
        if offset == 0 {
            return Ok(base);
        }
        let index = self.cx.tys.i64.const_int(offset, false);
        let ptr = self.cx.gep(&self.builder, self.cx.tys.i8.into(), base.ptr, index)?;
        let offset_align = 1_u64 << offset.trailing_zeros().min(31);
        Ok(Address { ptr, align: base.align.min(offset_align as u32), ..base })
    }

    fn lower_temporary(&mut self, value: Expr) -> Result<Address<'ctx>, Bug> {
        let ty = self.body.exprs[value].ty;
        let temporary = self.temporary(ty)?;
        self.lower_value_into(value, temporary)?;
        Ok(temporary)
    }

    fn lower_assigned_place(&mut self, assignment: Expr) -> Result<LoweredPlace<'ctx>, Bug> {
        match self.body.exprs[assignment].data {
            ExprData::Assign { place, value } => Ok(self.lower_assign(place, value)?.0),
            ExprData::Modify { place, rhs, old, new, .. } => {
                Ok(self.lower_modify(place, rhs, old, new)?.place)
            }
            _ => Err(Bug::from("only an assignment assigns")),
        }
    }

    fn lower_conditional_place(
        &mut self,
        cond: Expr,
        then: Place,
        otherwise: Place,
    ) -> Result<LoweredPlace<'ctx>, Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.continue_in(then_block)?;
        let first = self.lower_arm_place(then)?;
        let then_end = self.block();
        self.builder.build_unconditional_branch(end)?;
        self.continue_in(else_block)?;
        let second = self.lower_arm_place(otherwise)?;
        let else_end = self.block();
        self.fall_into(end)?;
        let phi = self.builder.build_phi(self.cx.tys.ptr, "")?;
        phi.add_incoming(&[(&first.ptr, then_end), (&second.ptr, else_end)]);
        Ok(Address {
            ptr: phi.as_basic_value().into_pointer_value(),
            align: first.align.min(second.align),
            volatile: first.volatile || second.volatile,
        }
        .place())
    }

    fn lower_arm_place(&mut self, place: Place) -> Result<Address<'ctx>, Bug> {
        let address = self.lower_address(place)?;
        Ok(Address { ptr: self.cx.generic(&self.builder, address.ptr)?, ..address })
    }

    /// Reads a scalar.
    pub(crate) fn load_place(&self, place: LoweredPlace<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        match place.bits {
            None => self.load_scalar(place.address, ty),
            Some(bits) => self.load_bits(place.address, bits, ty),
        }
    }

    /// Writes a scalar; gives the value that a read would give.
    pub(crate) fn store_place(
        &self,
        place: LoweredPlace<'ctx>,
        ty: Ty,
        value: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match place.bits {
            None => {
                self.store_scalar(place.address, ty, value)?;
                Ok(value)
            }
            Some(bits) => self.store_bits(place.address, bits, ty, value.into_int_value()),
        }
    }

    /// Reads a scalar that is no bit-field.
    pub(crate) fn load_scalar(&self, address: Address<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.builder.build_load(self.cx.mem_ty(ty), address.ptr, "")?;
        let load = value.as_instruction_value().expect("invariant: a load is an instruction");
        load.set_alignment(address.align)?;
        load.set_volatile(address.volatile)?;
        if !self.cx.is_bool(ty) {
            return Ok(value);
        }
        load.set_metadata(self.cx.bool_range(), self.cx.range_kind)
            .map_err(|_| Bug::from("LLVM takes no range on a load"))?;
        Ok(self.builder.build_int_truncate(value.into_int_value(), self.cx.tys.i1, "")?.into())
    }

    /// Writes a scalar that is no bit-field.
    pub(crate) fn store_scalar(
        &self,
        address: Address<'ctx>,
        ty: Ty,
        value: BasicValueEnum<'ctx>,
    ) -> Result<(), Bug> {
        let value = match value {
            BasicValueEnum::IntValue(int) if self.cx.is_bool(ty) => {
                self.builder.build_int_z_extend(int, self.cx.tys.i8, "")?.into()
            }
            _ => value,
        };
        let store = self.builder.build_store(address.ptr, value)?;
        store.set_alignment(address.align)?;
        store.set_volatile(address.volatile)?;
        Ok(())
    }

    fn load_bits(&self, address: Address<'ctx>, bits: Bits, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let word = self.load_word(address, bits)?;
        let value = self.extract_bits(word, bits, self.cx.is_signed(ty))?;
        self.bits_to_value(value, ty)
    }

    fn store_bits(
        &self,
        address: Address<'ctx>,
        bits: Bits,
        ty: Ty,
        value: IntValue<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.builder;
        let n_bits = bits.n_access_bits();
        let word_ty = self.cx.wide_int_ty(n_bits)?;
        // Above the word's width there is nothing of the field: C++17 8.18p3 lets the rest go.
        let field = b.build_int_cast_sign_flag(value, word_ty, false, "")?;
        let mask = self.cx.low_bits(n_bits, bits.width)?;
        let shift = word_ty.const_int(bits.shift.into(), false);
        let field = b.build_and(field, mask, "")?;
        let placed = b.build_left_shift(field, shift, "")?;
        let word = if bits.width == n_bits {
            placed
        } else {
            let hole = b.build_not(b.build_left_shift(mask, shift, "")?, "")?;
            b.build_or(b.build_and(self.load_word(address, bits)?, hole, "")?, placed, "")?
        };
        let store = b.build_store(address.ptr, word)?;
        store.set_alignment(address.align)?;
        store.set_volatile(address.volatile)?;
        let stored = self.extract_bits(placed, bits, self.cx.is_signed(ty))?;
        self.bits_to_value(stored, ty)
    }

    fn load_word(&self, address: Address<'ctx>, bits: Bits) -> Result<IntValue<'ctx>, Bug> {
        let word = self.builder.build_load(self.cx.wide_int_ty(bits.n_access_bits())?, address.ptr, "")?;
        let load = word.as_instruction_value().expect("invariant: a load is an instruction");
        load.set_alignment(address.align)?;
        load.set_volatile(address.volatile)?;
        Ok(word.into_int_value())
    }

    /// Moves the field to the bottom of its word, extended.
    fn extract_bits(&self, word: IntValue<'ctx>, bits: Bits, signed: bool) -> Result<IntValue<'ctx>, Bug> {
        let ty = word.get_type();
        let above = bits.n_access_bits() - bits.shift - bits.width;
        let at_top = self.builder.build_left_shift(word, ty.const_int(above.into(), false), "")?;
        let down = ty.const_int((above + bits.shift).into(), false);
        Ok(self.builder.build_right_shift(at_top, down, signed, "")?)
    }

    fn bits_to_value(&self, word: IntValue<'ctx>, ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value_ty = self.cx.scalar_ty(ty).into_int_type();
        Ok(self.builder.build_int_cast_sign_flag(word, value_ty, self.cx.is_signed(ty), "")?.into())
    }

    /// Copies an object of the type.
    pub(crate) fn copy(&self, to: Address<'ctx>, from: Address<'ctx>, ty: Ty) -> Result<(), Bug> {
        let size = self.cx.layout(ty).size;
        if size == 0 {
            return Ok(());
        }
        let size = self.cx.tys.i64.const_int(size, false);
        let copy = self.builder.build_memcpy(to.ptr, to.align, from.ptr, from.align, size)?;
        if to.volatile || from.volatile {
            let copy = copy.as_instruction_value().expect("invariant: a copy is an instruction");
            copy.set_operand(3, self.cx.tys.i1.const_int(1, false));
        }
        Ok(())
    }

    /// Fills an object of the type with zero bytes.
    pub(crate) fn zero(&self, address: Address<'ctx>, ty: Ty) -> Result<(), Bug> {
        let size = self.cx.layout(ty).size;
        if size > 0 {
            let zero = self.cx.tys.i8.const_zero();
            let size = self.cx.tys.i64.const_int(size, false);
            self.builder.build_memset(address.ptr, address.align, zero, size)?;
        }
        Ok(())
    }

    /// Evaluates an expression of any type with a value into an object of that type.
    pub(crate) fn lower_value_into(&mut self, value: Expr, to: Address<'ctx>) -> Result<(), Bug> {
        let ty = self.body.exprs[value].ty;
        match self.cx.shape(ty) {
            Shape::Record => self.lower_record_into(value, to),
            Shape::Scalar => {
                let value = self.lower_scalar(value)?;
                self.store_scalar(to, ty, value)
            }
            Shape::Void => self.lower_effect(value),
        }
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// The alignment that the type promises of an object; 1 where it promises nothing.
    fn known_align(&self, ty: Ty) -> u32 {
        match self.ir.types.kind(ty) {
            TyKind::Void | TyKind::Func(_) => 1,
            _ => layout::align_of(&self.ir.types, ty).unwrap_or(1),
        }
    }
}
