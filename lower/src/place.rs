//! Places: lowers lvalues to addresses.
//!
//! An address keeps the address space of its variable, so that accesses to shared, constant and global
//! variables need no analysis to become `ld.shared` and so on, even at `-O0`. Pointers as values are generic
//! (PTX Interop 2.3 (B)).
//!
//! A bit-field has no address, but the word accessed for it does; [`bit_field`] chooses it.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use weft_frontend::ir::{Expr, ExprData, Place, PlaceData, Ty, TyKind};
use weft_frontend::layout;

use crate::Bug;
use crate::bit_field::Access;
use crate::code::undef;
use crate::context::Cx;
use crate::expr::Expressions;

/// The address of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address<'ctx> {
    /// Its first byte, in any address space.
    pub(crate) ptr: PointerValue<'ctx>,
    /// The alignment in bytes.
    pub(crate) align: u32,
    /// Whether accesses are volatile.
    pub(crate) volatile: bool,
}

/// An evaluated place.
#[derive(Clone, Debug)]
pub(crate) enum LoweredPlace<'ctx> {
    /// An object that has an address.
    Object(Address<'ctx>),
    /// A bit-field: the accessed word, and the field's bits there.
    Bits(Address<'ctx>, Access),
    /// One of two, of which at least one is a bit-field: the first if the `i1` is true.
    Either(IntValue<'ctx>, Box<[LoweredPlace<'ctx>; 2]>),
}

impl<'ctx> LoweredPlace<'ctx> {
    /// The address of an object that is not a bit-field.
    pub(crate) fn address(&self) -> Result<Address<'ctx>, Bug> {
        match self {
            LoweredPlace::Object(address) => Ok(*address),
            LoweredPlace::Bits(..) | LoweredPlace::Either(..) => Err(Bug::from("a bit-field has no address")),
        }
    }

    /// The same place with other pointers and conditions.
    fn with_pointers(
        self,
        pointer: &impl Fn(PointerValue<'ctx>) -> Result<PointerValue<'ctx>, Bug>,
        condition: &impl Fn(IntValue<'ctx>) -> Result<IntValue<'ctx>, Bug>,
    ) -> Result<Self, Bug> {
        Ok(match self {
            LoweredPlace::Object(at) => LoweredPlace::Object(Address { ptr: pointer(at.ptr)?, ..at }),
            LoweredPlace::Bits(at, bits) => LoweredPlace::Bits(Address { ptr: pointer(at.ptr)?, ..at }, bits),
            LoweredPlace::Either(cond, arms) => {
                let [first, second] = *arms;
                let first = first.with_pointers(pointer, condition)?;
                let second = second.with_pointers(pointer, condition)?;
                LoweredPlace::Either(condition(cond)?, Box::new([first, second]))
            }
        })
    }

    /// The same place with volatile accesses.
    fn volatile(self) -> Self {
        match self {
            LoweredPlace::Object(address) => LoweredPlace::Object(Address { volatile: true, ..address }),
            LoweredPlace::Bits(word, bits) => LoweredPlace::Bits(Address { volatile: true, ..word }, bits),
            LoweredPlace::Either(cond, arms) => {
                LoweredPlace::Either(cond, Box::new(arms.map(LoweredPlace::volatile)))
            }
        }
    }
}

impl<'ctx> Address<'ctx> {
    /// The object there, as a place.
    pub(crate) fn place(self) -> LoweredPlace<'ctx> {
        LoweredPlace::Object(self)
    }
}

impl<'ctx> Expressions<'_, '_, 'ctx> {
    /// Evaluates a place.
    pub(crate) fn lower_place(&mut self, place: Place) -> Result<LoweredPlace<'ctx>, Bug> {
        let node = &self.body.places[place];
        let lowered = match node.data {
            PlaceData::Local(local) => self.frame.local(local)?.place(),
            PlaceData::Global(global) => {
                let align = self.cx.global_align(global);
                Address { ptr: self.cx.global(global), align, volatile: false }.place()
            }
            PlaceData::Deref(pointer) => {
                let (ptr, align) = self.lower_aligned_pointer(pointer)?;
                let align = align.min(self.cx.known_align(node.ty));
                Address { ptr, align, volatile: false }.place()
            }
            PlaceData::Field(base, field_idx) => self.lower_field(base, field_idx)?,
            PlaceData::Temporary(value) => self.lower_temporary(value)?.place(),
            PlaceData::Assigned(assignment) => self.lower_assigned_place(assignment)?,
            PlaceData::Conditional(cond, choice) => {
                let [then, otherwise] = self.body.choices[choice];
                self.lower_conditional_place(cond, then, otherwise)?
            }
            PlaceData::Comma(effect, place) => {
                self.lower_effect(effect)?;
                self.lower_place(place)?
            }
            PlaceData::CompoundLiteral(local, init) => {
                let address = self.frame.local(local)?;
                self.lower_init(address, self.body.locals[local].ty, init)?;
                address.place()
            }
        };
        Ok(if self.cx.is_volatile(node.ty) { lowered.volatile() } else { lowered })
    }

    /// Evaluates a place that is not a bit-field.
    pub(crate) fn lower_address(&mut self, place: Place) -> Result<Address<'ctx>, Bug> {
        self.lower_place(place)?.address()
    }

    fn lower_field(&mut self, base: Place, field_idx: u32) -> Result<LoweredPlace<'ctx>, Bug> {
        let base_ty = self.body.places[base].ty;
        let base = self.lower_address(base)?;
        self.code.memory().field_place(base, base_ty, field_idx)
    }

    fn lower_temporary(&mut self, value: Expr) -> Result<Address<'ctx>, Bug> {
        let ty = self.body.exprs[value].ty;
        let temporary = self.code.temporary(ty)?;
        self.lower_value_into(value, temporary)?;
        Ok(temporary)
    }

    fn lower_assigned_place(&mut self, assignment: Expr) -> Result<LoweredPlace<'ctx>, Bug> {
        match self.body.exprs[assignment].data {
            ExprData::Assign { place, value } => Ok(self.lower_assign(place, value)?.0),
            ExprData::Modify { place, ref change, .. } => Ok(self.lower_modify(place, **change)?.place),
            _ => Err(Bug::from("only an assignment assigns")),
        }
    }

    fn lower_conditional_place(
        &mut self,
        cond: Expr,
        then: Place,
        otherwise: Place,
    ) -> Result<LoweredPlace<'ctx>, Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.code.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.code.continue_in(then_block)?;
        let first = self.lower_arm_place(then)?;
        let then_end = self.code.block();
        self.code.builder.build_unconditional_branch(end)?;
        self.code.continue_in(else_block)?;
        let second = self.lower_arm_place(otherwise)?;
        let else_end = self.code.block();
        self.code.fall_into(end)?;
        if let (LoweredPlace::Object(first), LoweredPlace::Object(second)) = (&first, &second) {
            let ptr = self.code.merge((first.ptr.into(), then_end), (second.ptr.into(), else_end))?;
            return Ok(LoweredPlace::Object(Address {
                ptr: ptr.into_pointer_value(),
                align: first.align.min(second.align),
                volatile: first.volatile || second.volatile,
            }));
        }
        let is_first = self.cx.tys.i1.const_int(1, false).into();
        let is_second = self.cx.tys.i1.const_zero().into();
        let cond = self.code.merge((is_first, then_end), (is_second, else_end))?.into_int_value();
        let first = self.carry(first, then_end, else_end)?;
        let second = self.carry(second, else_end, then_end)?;
        Ok(LoweredPlace::Either(cond, Box::new([first, second])))
    }

    fn lower_arm_place(&mut self, place: Place) -> Result<LoweredPlace<'ctx>, Bug> {
        let place = self.lower_place(place)?;
        place.with_pointers(&|ptr| self.cx.generic(&self.code.builder, ptr), &|cond| Ok(cond))
    }

    /// A place that was evaluated in one of two blocks, after both have ended.
    fn carry(
        &self,
        place: LoweredPlace<'ctx>,
        through: BasicBlock<'ctx>,
        other: BasicBlock<'ctx>,
    ) -> Result<LoweredPlace<'ctx>, Bug> {
        let carry =
            |value: BasicValueEnum<'ctx>| self.code.merge((value, through), (undef(value.get_type()), other));
        place.with_pointers(&|ptr| Ok(carry(ptr.into())?.into_pointer_value()), &|cond| {
            Ok(carry(cond.into())?.into_int_value())
        })
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// The alignment that the type guarantees for an object; 1 if none.
    fn known_align(&self, ty: Ty) -> u32 {
        match self.ir.types.kind(ty) {
            TyKind::Void | TyKind::Func(_) => 1,
            _ => match layout::layout_of(&self.ir.types, ty) {
                // A typedef may specify an alignment that the elements of an array do not have.
                Ok(layout) => layout.align.min(1 << layout.size.trailing_zeros().min(31)),
                Err(_) => layout::align_of(&self.ir.types, ty).unwrap_or(1),
            },
        }
    }
}
