//! Atomic memory operations with a memory order (PTX interoperability guide, chapter 4).
//!
//! From `sm_70` on, each is the instruction that the guide recommends: the order is part of it, and a sequentially
//! consistent has a fence before it. An operation without a PTX instruction is a loop of relaxed compare-and-swaps between fences. Before
//! `sm_70` there is no memory model: volatile accesses with `membar` around them are equivalent.

use inkwell::IntPredicate;
use inkwell::types::IntType;
use inkwell::values::{BasicValueEnum, FloatValue, IntValue, PointerValue};
use weft_frontend::ir::{AtomicOp, Expr, ExprNode, MemoryOrder, Ordered, OrderedOp, Scope};

use crate::Bug;
use crate::atomic;
use crate::atomic::instruction::{self, Instruction};
use crate::builtin::Builtins;
use crate::code::Code;
use crate::context::Cx;
use crate::place::Address;
use crate::target::{Feature, choose_ptx};

/// The first GPU with a memory model.
const MEMORY_MODEL: u32 = 70;

/// The fences around an access, and the access's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ordering {
    before: Option<MemoryOrder>,
    own: MemoryOrder,
    after: Option<MemoryOrder>,
    scope: Scope,
}

/// The operand of one instruction: an object, or the word that contains it.
#[derive(Clone, Copy)]
struct Cell<'ctx> {
    ptr: PointerValue<'ctx>,
    ty: IntType<'ctx>,
    part: Option<Part<'ctx>>,
}

/// One or two bytes in a 32-bit word.
#[derive(Clone, Copy)]
struct Part<'ctx> {
    /// The offset from the lowest bit.
    shift: IntValue<'ctx>,
    /// A mask of the other bits.
    others: IntValue<'ctx>,
}

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_ordered(
        &mut self,
        ordered: Ordered,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let Ordered { op, order, scope, is_by_address } = ordered;
        if op == OrderedOp::Fence {
            self.exprs.debug.locate(node.span);
            self.code.atomics().fence(order, scope)?;
            return Ok(None);
        }
        let Some(&first) = args.first() else {
            return Err(Bug::from("an atomic operation without an operand"));
        };
        let object =
            self.cx.ir.types.pointee(self.exprs.body.exprs[first].ty).ok_or("an access without an object")?;
        let ty = self.code.atomics().bits_ty(self.cx.layout(object).size)?;
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        self.exprs.debug.locate(node.span);
        let [ptr, ref others @ ..] = values[..] else { return Err(Bug::from("an access without an object")) };
        let ptr = ptr.into_pointer_value();
        // Each of these is the address of a non-atomic object.
        let address = |idx: usize| -> Result<Address<'ctx>, Bug> {
            let arg = args.get(idx + 1).ok_or("an access without an object")?;
            let to = self
                .cx
                .ir
                .types
                .pointee(self.exprs.body.exprs[*arg].ty)
                .ok_or("an access without an object")?;
            let ptr = others[idx].into_pointer_value();
            Ok(Address { ptr, align: self.cx.layout(to).align, volatile: false })
        };
        let is_loop = atomic::is_loop(&self.cx.ir.types, op, object);
        let ordering = self.code.atomics().ordering(ordered, is_loop);
        match (op, others.len()) {
            (OrderedOp::Load, _) => {
                let old = self.code.atomics().ordered_load(ptr, ty, ordering)?;
                self.code.atomics().give(old, is_by_address.then(|| address(0)).transpose()?, node)
            }
            (OrderedOp::Store, _) => {
                let value = if is_by_address {
                    self.code.memory().load_part(address(0)?, ty.into())?.into_int_value()
                } else {
                    self.code.atomics().bits(others[0], ty)?
                };
                self.code.atomics().ordered_store(ptr, value, ordering)?;
                Ok(None)
            }
            (OrderedOp::Exchange, _) => {
                let value = if is_by_address {
                    self.code.memory().load_part(address(0)?, ty.into())?.into_int_value()
                } else {
                    self.code.atomics().bits(others[0], ty)?
                };
                let old = if is_loop {
                    self.code.atomics().in_a_loop(ptr, ty, ordering, |_| Ok(value))?
                } else {
                    let tail = format!("exch.b{}", ty.get_bit_width());
                    self.code.atomics().ordered_rmw(&tail, ptr, &[value.into()], ordering)?.into_int_value()
                };
                self.code.atomics().give(old, is_by_address.then(|| address(1)).transpose()?, node)
            }
            (OrderedOp::CompareExchange { is_weak }, 2) => {
                let expected_at = address(0)?;
                let expected = self.code.memory().load_part(expected_at, ty.into())?.into_int_value();
                let value = if is_by_address {
                    self.code.memory().load_part(address(1)?, ty.into())?.into_int_value()
                } else {
                    self.code.atomics().bits(others[1], ty)?
                };
                let (old, is_done) =
                    self.code.atomics().compare_exchange(ptr, [expected, value], is_weak, ordering)?;
                // Like nvcc, also on success: then it does not change.
                self.code.memory().store_part(expected_at, old.into())?;
                self.truth(is_done, node).map(Some)
            }
            (OrderedOp::Modify(op), 1) => {
                let is_signed = self.cx.is_signed(object);
                let old = match others[0] {
                    BasicValueEnum::FloatValue(value) => {
                        self.code.atomics().modify_float(op, ptr, value, ordering)?
                    }
                    value => {
                        let value = self.code.atomics().bits(value, ty)?;
                        let old = self.code.atomics().modify_int(op, is_signed, ptr, value, ordering)?;
                        return self.code.atomics().give(old, None, node);
                    }
                };
                Ok(Some(old.into()))
            }
            _ => Err(Bug::from("an atomic operation with other operands")),
        }
    }
}

/// Atomic accesses with a memory order; it changes nothing but the code.
#[derive(Clone, Copy)]
pub(crate) struct Atomics<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    code: &'f Code<'f, 'a, 'ctx>,
}

impl<'a, 'ctx> Code<'_, 'a, 'ctx> {
    /// Atomic accesses with a memory order.
    pub(super) fn atomics(&self) -> Atomics<'_, 'a, 'ctx> {
        Atomics { cx: self.cx, code: self }
    }
}

impl<'ctx> Atomics<'_, '_, 'ctx> {
    /// The integer type of this size.
    fn bits_ty(&self, n_bytes: u64) -> Result<IntType<'ctx>, Bug> {
        let n_bits = u32::try_from(8 * n_bytes).ok().and_then(std::num::NonZero::new);
        Ok(self.cx.llvm.custom_width_int_type(n_bits.ok_or("an object without a size")?)?)
    }

    /// A value's bits in memory.
    fn bits(&self, value: BasicValueEnum<'ctx>, ty: IntType<'ctx>) -> Result<IntValue<'ctx>, Bug> {
        Ok(match value {
            BasicValueEnum::IntValue(value) => {
                self.code.builder.build_int_z_extend_or_bit_cast(value, ty, "")?
            }
            BasicValueEnum::PointerValue(value) => self.code.builder.build_ptr_to_int(value, ty, "")?,
            _ => return Err(Bug::from("an atomic operation on a non-numeric type")),
        })
    }

    /// Puts loaded bits into an object, or into the result.
    fn give(
        &self,
        bits: IntValue<'ctx>,
        to: Option<Address<'ctx>>,
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        if let Some(to) = to {
            self.code.memory().store_part(to, bits.into())?;
            return Ok(None);
        }
        Ok(Some(match self.cx.scalar_ty(node.ty) {
            inkwell::types::BasicTypeEnum::PointerType(ty) => {
                self.code.builder.build_int_to_ptr(bits, ty, "")?.into()
            }
            ty => self.code.builder.build_int_truncate_or_bit_cast(bits, ty.into_int_type(), "")?.into(),
        }))
    }

    fn has_memory_model(&self) -> bool {
        self.cx.options.target.number() >= MEMORY_MODEL
    }

    /// The parts of an access.
    fn ordering(&self, Ordered { op, order, scope, .. }: Ordered, is_loop: bool) -> Ordering {
        let alone = Ordering { before: None, own: order, after: None, scope };
        if is_loop || !self.has_memory_model() {
            return alone.by_fences(op);
        }
        match (order, op) {
            (MemoryOrder::SeqCst, OrderedOp::Store) => {
                Ordering { before: Some(order), own: MemoryOrder::Relaxed, ..alone }
            }
            (MemoryOrder::SeqCst, _) => Ordering { before: Some(order), own: MemoryOrder::Acquire, ..alone },
            _ => alone,
        }
    }

    /// A fence.
    fn fence(&self, order: MemoryOrder, scope: Scope) -> Result<(), Bug> {
        let options = self.cx.options;
        let is_one_way = || choose_ptx(options.target, options.ptx_version, [Feature::OneWayFence]).is_ok();
        let text = if self.has_memory_model() {
            let order = match order {
                MemoryOrder::Relaxed => return Ok(()),
                MemoryOrder::SeqCst => "sc",
                MemoryOrder::Acquire if is_one_way() => "acquire",
                MemoryOrder::Release if is_one_way() => "release",
                MemoryOrder::Acquire | MemoryOrder::Release | MemoryOrder::AcqRel => "acq_rel",
            };
            format!("fence.{order}.{};", scope_name(scope))
        } else {
            let scope = match scope {
                Scope::Block => "cta",
                Scope::Cluster | Scope::Device => "gl",
                Scope::System => "sys",
            };
            format!("membar.{scope};")
        };
        self.code.asm_effect(&text, &[])
    }

    /// An instruction, with the fences around it.
    fn ordered_instruction(
        &self,
        head: &str,
        tail: &str,
        ptr: PointerValue<'ctx>,
        values: &[BasicValueEnum<'ctx>],
        ret: Option<inkwell::types::BasicTypeEnum<'ctx>>,
        ordering: Ordering,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let Ordering { before, own, after, scope } = ordering;
        if let Some(before) = before {
            self.fence(before, scope)?;
        }
        let scope_name = scope_name(scope);
        let head = match (self.has_memory_model(), head) {
            (true, _) => format!("{head}.{}.{scope_name}", own_name(own)),
            (false, "atom") => format!("atom.{scope_name}"),
            (false, _) => format!("{head}.volatile"),
        };
        let instruction = Instruction { head, tail: tail.to_owned() };
        let result = instruction::build(self.cx, &self.code.builder, &instruction, ptr, values, ret)?;
        if let Some(after) = after {
            self.fence(after, scope)?;
        }
        Ok(result)
    }

    fn ordered_load(
        &self,
        ptr: PointerValue<'ctx>,
        ty: IntType<'ctx>,
        ordering: Ordering,
    ) -> Result<IntValue<'ctx>, Bug> {
        let n_bits = ty.get_bit_width();
        let register = self.register_ty(ty);
        let tail = format!("b{n_bits}");
        let read = self.ordered_instruction("ld", &tail, ptr, &[], Some(register.into()), ordering)?;
        let read = read.ok_or("a load without a result")?.into_int_value();
        Ok(self.code.builder.build_int_truncate_or_bit_cast(read, ty, "")?)
    }

    fn ordered_store(
        &self,
        ptr: PointerValue<'ctx>,
        value: IntValue<'ctx>,
        ordering: Ordering,
    ) -> Result<(), Bug> {
        let tail = format!("b{}", value.get_type().get_bit_width());
        let register = self.register_ty(value.get_type());
        let value = self.code.builder.build_int_z_extend_or_bit_cast(value, register, "")?;
        self.ordered_instruction("st", &tail, ptr, &[value.into()], None, ordering).map(drop)
    }

    /// There are no 8-bit registers.
    fn register_ty(&self, ty: IntType<'ctx>) -> IntType<'ctx> {
        if ty.get_bit_width() < 16 { self.cx.llvm.i16_type() } else { ty }
    }

    fn ordered_rmw(
        &self,
        tail: &str,
        ptr: PointerValue<'ctx>,
        values: &[BasicValueEnum<'ctx>],
        ordering: Ordering,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ret = values.first().map(BasicValueEnum::get_type);
        let old = self.ordered_instruction("atom", tail, ptr, values, ret, ordering)?;
        old.ok_or_else(|| Bug::from("an atomic operation without a result"))
    }

    fn modify_int(
        &self,
        op: AtomicOp,
        is_signed: bool,
        ptr: PointerValue<'ctx>,
        value: IntValue<'ctx>,
        ordering: Ordering,
    ) -> Result<IntValue<'ctx>, Bug> {
        let n_bits = value.get_type().get_bit_width();
        if n_bits < 32 && matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor) {
            return self.modify_bits(op, ptr, value, ordering);
        }
        if !matches!(n_bits, 32 | 64) {
            return self
                .in_a_loop(ptr, value.get_type(), ordering, |old| self.combined(op, is_signed, old, value));
        }
        let letter = if is_signed { 's' } else { 'u' };
        let (tail, value) = match op {
            AtomicOp::Add => (format!("add.u{n_bits}"), value),
            // PTX has no atomic subtraction.
            AtomicOp::Sub => (format!("add.u{n_bits}"), self.code.builder.build_int_neg(value, "")?),
            AtomicOp::And => (format!("and.b{n_bits}"), value),
            AtomicOp::Or => (format!("or.b{n_bits}"), value),
            AtomicOp::Xor => (format!("xor.b{n_bits}"), value),
            AtomicOp::Min => (format!("min.{letter}{n_bits}"), value),
            AtomicOp::Max => (format!("max.{letter}{n_bits}"), value),
            AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Inc | AtomicOp::Dec => {
                return Err(Bug::from("an unexpected atomic operation"));
            }
        };
        Ok(self.ordered_rmw(&tail, ptr, &[value.into()], ordering)?.into_int_value())
    }

    /// The same for some bits of a word.
    fn modify_bits(
        &self,
        op: AtomicOp,
        ptr: PointerValue<'ctx>,
        value: IntValue<'ctx>,
        ordering: Ordering,
    ) -> Result<IntValue<'ctx>, Bug> {
        let cell = self.cell(ptr, value.get_type(), self.cx.tys.i32)?;
        let zero = cell.ty.const_zero();
        let around = if op == AtomicOp::And { cell.ty.const_all_ones() } else { zero };
        let value_ty = value.get_type();
        let value = self.put_into(cell, around, value)?;
        let old = self.modify_int(op, false, cell.ptr, value, ordering)?;
        self.taken_from(cell, old, value_ty)
    }

    fn modify_float(
        &self,
        op: AtomicOp,
        ptr: PointerValue<'ctx>,
        value: FloatValue<'ctx>,
        ordering: Ordering,
    ) -> Result<FloatValue<'ctx>, Bug> {
        let ty = value.get_type();
        let n_bits = ty.get_bit_width();
        let tail = format!("add.f{n_bits}");
        let name = match op {
            AtomicOp::Add => {
                return Ok(self.ordered_rmw(&tail, ptr, &[value.into()], ordering)?.into_float_value());
            }
            AtomicOp::Sub => {
                let negative = self.code.builder.build_float_neg(value, "")?;
                return Ok(self.ordered_rmw(&tail, ptr, &[negative.into()], ordering)?.into_float_value());
            }
            AtomicOp::Min => "llvm.minnum",
            AtomicOp::Max => "llvm.maxnum",
            _ => return Err(Bug::from("an unexpected atomic operation")),
        };
        let bits_ty = self.bits_ty(u64::from(n_bits / 8))?;
        let old = self.in_a_loop(ptr, bits_ty, ordering, |old| {
            let old = self.code.builder.build_bit_cast(old, ty, "")?;
            let new = self.code.call_intrinsic(name, &[ty.into()], &[old.into(), value.into()])?;
            Ok(self.code.builder.build_bit_cast(new, bits_ty, "")?.into_int_value())
        })?;
        Ok(self.code.builder.build_bit_cast(old, ty, "")?.into_float_value())
    }

    /// The new value, computed from the old one.
    fn combined(
        &self,
        op: AtomicOp,
        is_signed: bool,
        old: IntValue<'ctx>,
        value: IntValue<'ctx>,
    ) -> Result<IntValue<'ctx>, Bug> {
        let predicate = match (op, is_signed) {
            (AtomicOp::Add, _) => return Ok(self.code.builder.build_int_add(old, value, "")?),
            (AtomicOp::Sub, _) => return Ok(self.code.builder.build_int_sub(old, value, "")?),
            (AtomicOp::And, _) => return Ok(self.code.builder.build_and(old, value, "")?),
            (AtomicOp::Or, _) => return Ok(self.code.builder.build_or(old, value, "")?),
            (AtomicOp::Xor, _) => return Ok(self.code.builder.build_xor(old, value, "")?),
            (AtomicOp::Min, true) => IntPredicate::SLE,
            (AtomicOp::Min, false) => IntPredicate::ULE,
            (AtomicOp::Max, true) => IntPredicate::SGT,
            (AtomicOp::Max, false) => IntPredicate::UGT,
            (AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Inc | AtomicOp::Dec, _) => {
                return Err(Bug::from("an unexpected atomic operation"));
            }
        };
        let keeps = self.code.builder.build_int_compare(predicate, old, value, "")?;
        Ok(self.code.builder.build_select(keeps, old, value, "")?.into_int_value())
    }
}

/// Operations that are compare-and-swap loops.
impl<'ctx> Atomics<'_, '_, 'ctx> {
    /// The cell that a compare-and-swap exchanges for an object of the type.
    fn compared_cell(&self, ptr: PointerValue<'ctx>, ty: IntType<'ctx>) -> Result<Cell<'ctx>, Bug> {
        self.cell(ptr, ty, if ty.get_bit_width() == 8 { self.cx.tys.i32 } else { ty })
    }

    /// The cell that contains the object: of the same type, or a word.
    fn cell(
        &self,
        ptr: PointerValue<'ctx>,
        ty: IntType<'ctx>,
        cell_ty: IntType<'ctx>,
    ) -> Result<Cell<'ctx>, Bug> {
        if ty == cell_ty {
            return Ok(Cell { ptr, ty, part: None });
        }
        let (i32, word) = (self.cx.tys.i32, self.cx.tys.word);
        let aligned = word.const_int(!3, true);
        let ptr_ty = ptr.get_type();
        let name = "llvm.ptrmask";
        let whole =
            self.code.call_intrinsic(name, &[ptr_ty.into(), word.into()], &[ptr.into(), aligned.into()])?;
        let address = self.code.builder.build_ptr_to_int(ptr, word, "")?;
        let address = self.code.builder.build_int_truncate_or_bit_cast(address, i32, "")?;
        let within = self.code.builder.build_and(address, i32.const_int(3, false), "")?;
        let shift = self.code.builder.build_left_shift(within, i32.const_int(3, false), "")?;
        let mask = i32.const_int((1 << ty.get_bit_width()) - 1, false);
        let mask = self.code.builder.build_left_shift(mask, shift, "")?;
        let others = self.code.builder.build_not(mask, "")?;
        Ok(Cell { ptr: whole.into_pointer_value(), ty: i32, part: Some(Part { shift, others }) })
    }

    /// Extracts the object's bits from the cell's.
    fn taken_from(
        &self,
        cell: Cell<'ctx>,
        bits: IntValue<'ctx>,
        ty: IntType<'ctx>,
    ) -> Result<IntValue<'ctx>, Bug> {
        let Some(Part { shift, .. }) = cell.part else { return Ok(bits) };
        let lowest = self.code.builder.build_right_shift(bits, shift, false, "")?;
        Ok(self.code.builder.build_int_truncate(lowest, ty, "")?)
    }

    /// Inserts the object's bits into the cell's.
    fn put_into(
        &self,
        cell: Cell<'ctx>,
        bits: IntValue<'ctx>,
        object: IntValue<'ctx>,
    ) -> Result<IntValue<'ctx>, Bug> {
        let Some(Part { shift, others }) = cell.part else { return Ok(object) };
        let object = self.code.builder.build_int_z_extend(object, cell.ty, "")?;
        let object = self.code.builder.build_left_shift(object, shift, "")?;
        let kept = self.code.builder.build_and(bits, others, "")?;
        Ok(self.code.builder.build_or(kept, object, "")?)
    }

    /// Replaces the value by the result of `new` in a compare-and-swap loop; returns the old bits.
    fn in_a_loop(
        &self,
        ptr: PointerValue<'ctx>,
        ty: IntType<'ctx>,
        ordering: Ordering,
        new: impl Fn(IntValue<'ctx>) -> Result<IntValue<'ctx>, Bug>,
    ) -> Result<IntValue<'ctx>, Bug> {
        let Ordering { before, after, scope, .. } = ordering;
        let relaxed = ordering.inner();
        let cell = self.compared_cell(ptr, ty)?;
        if let Some(before) = before {
            self.fence(before, scope)?;
        }
        let first = self.ordered_load(cell.ptr, cell.ty, relaxed)?;
        let entry = self.code.block();
        let (again, done) = (self.code.new_block("exchange"), self.code.new_block("exchanged"));
        self.code.builder.build_unconditional_branch(again)?;
        self.code.builder.position_at_end(again);
        let seen = self.code.builder.build_phi(cell.ty, "")?;
        let before = seen.as_basic_value().into_int_value();
        let wanted = new(self.taken_from(cell, before, ty)?)?;
        let wanted = self.put_into(cell, before, wanted)?;
        let old = self.cell_exchange(cell, [before, wanted], relaxed)?;
        let is_done = self.code.builder.build_int_compare(IntPredicate::EQ, old, before, "")?;
        seen.add_incoming(&[(&first, entry), (&old, self.code.block())]);
        self.code.builder.build_conditional_branch(is_done, done, again)?;
        self.code.builder.position_at_end(done);
        if let Some(after) = after {
            self.fence(after, scope)?;
        }
        self.taken_from(cell, old, ty)
    }

    fn cell_exchange(
        &self,
        cell: Cell<'ctx>,
        [expected, value]: [IntValue<'ctx>; 2],
        ordering: Ordering,
    ) -> Result<IntValue<'ctx>, Bug> {
        let tail = format!("cas.b{}", cell.ty.get_bit_width());
        let old = self.ordered_rmw(&tail, cell.ptr, &[expected.into(), value.into()], ordering)?;
        Ok(old.into_int_value())
    }

    /// Returns the old bits, and whether they were exchanged.
    fn compare_exchange(
        &self,
        ptr: PointerValue<'ctx>,
        [expected, value]: [IntValue<'ctx>; 2],
        is_weak: bool,
        ordering: Ordering,
    ) -> Result<(IntValue<'ctx>, IntValue<'ctx>), Bug> {
        let ty = expected.get_type();
        let cell = self.compared_cell(ptr, ty)?;
        let Some(Part { others, .. }) = cell.part else {
            let old = self.cell_exchange(cell, [expected, value], ordering)?;
            let is_done = self.code.builder.build_int_compare(IntPredicate::EQ, old, expected, "")?;
            return Ok((old, is_done));
        };
        // The other bytes are expected to be as last read. If they have changed, that is not a failure unless
        // the operation may fail spuriously.
        let Ordering { before, after, scope, .. } = ordering;
        let relaxed = ordering.inner();
        if let Some(before) = before {
            self.fence(before, scope)?;
        }
        let first = self.ordered_load(cell.ptr, cell.ty, relaxed)?;
        let entry = self.code.block();
        let (again, differs, done) =
            (self.code.new_block("compare"), self.code.new_block("differs"), self.code.new_block("compared"));
        self.code.builder.build_unconditional_branch(again)?;
        self.code.builder.position_at_end(again);
        let seen = self.code.builder.build_phi(cell.ty, "")?;
        let around = seen.as_basic_value().into_int_value();
        let wanted = [self.put_into(cell, around, expected)?, self.put_into(cell, around, value)?];
        let old = self.cell_exchange(cell, wanted, relaxed)?;
        let is_done = self.code.builder.build_int_compare(IntPredicate::EQ, old, wanted[0], "")?;
        self.code.builder.build_conditional_branch(is_done, done, differs)?;
        self.code.builder.position_at_end(differs);
        let changed = self.code.builder.build_xor(old, around, "")?;
        let changed = self.code.builder.build_and(changed, others, "")?;
        let zero = cell.ty.const_zero();
        let is_other = if is_weak {
            self.cx.tys.i1.const_zero()
        } else {
            self.code.builder.build_int_compare(IntPredicate::NE, changed, zero, "")?
        };
        self.code.builder.build_conditional_branch(is_other, again, done)?;
        seen.add_incoming(&[(&first, entry), (&old, differs)]);
        self.code.builder.position_at_end(done);
        if let Some(after) = after {
            self.fence(after, scope)?;
        }
        Ok((self.taken_from(cell, old, ty)?, is_done))
    }
}

impl Ordering {
    /// The same with fences around relaxed accesses. A store needs no fence after it.
    fn by_fences(self, op: OrderedOp) -> Ordering {
        let one_way = |order: MemoryOrder, way| if order == MemoryOrder::SeqCst { order } else { way };
        Ordering {
            before: self.own.releases().then(|| one_way(self.own, MemoryOrder::Release)),
            own: MemoryOrder::Relaxed,
            after: (self.own.acquires() && op != OrderedOp::Store).then_some(MemoryOrder::Acquire),
            scope: self.scope,
        }
    }

    /// The accesses between the fences.
    fn inner(self) -> Ordering {
        Ordering { before: None, own: MemoryOrder::Relaxed, after: None, scope: self.scope }
    }
}

/// PTX's name of a scope (PTX ISA "Scope").
fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => "cta",
        Scope::Cluster => "cluster",
        Scope::Device => "gpu",
        Scope::System => "sys",
    }
}

/// The PTX name of an order on an access.
fn own_name(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::Relaxed => "relaxed",
        MemoryOrder::Acquire => "acquire",
        MemoryOrder::Release => "release",
        MemoryOrder::AcqRel | MemoryOrder::SeqCst => "acq_rel",
    }
}
