//! Functions that copy or fill in loops. The passes inline them.
//!
//! If the size is known, the bytes before the first aligned address are copied one by one, and the others by the widest
//! possible accesses; unknown alignments are tested at run time. If the size is unknown, a loop copies
//! as many bytes as possible by the widest accesses, and a second loop the rest by narrower ones.

use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::module::Linkage;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};

use super::Transfer;
use super::access::{self, Access, Source, WIDEST};
use super::alignment::Known;
use crate::Bug;
use crate::context::Cx;

/// The number of the widest accesses per iteration, if there are enough bytes, and half the number of others:
/// their reads wait for memory together.
const RUN: u64 = 4;

/// For fewer bytes, testing the addresses is not worth it.
const FEW: u64 = 8;

/// The number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// A constant.
    Constant(u64),
    /// The last argument, which is a multiple of this power of two.
    MultipleOf(u32),
}

/// The key of a function: the address spaces (no source for a fill), the known alignments, the size, and
/// whether the two may overlap.
type Key = (AddressSpace, Option<AddressSpace>, [Known; 2], Size, bool);

/// The functions of a module.
pub(super) struct Loops<'a, 'b, 'ctx> {
    cx: &'a Cx<'b, 'ctx>,
    builder: Builder<'ctx>,
    functions: Vec<(Key, FunctionValue<'ctx>)>,
}

/// The accesses of a loop.
#[derive(Clone, Copy)]
struct Level {
    width: u32,
    /// The number of accesses per iteration.
    run: u64,
}

/// A function under construction.
struct Body<'a, 'b, 'ctx> {
    cx: &'a Cx<'b, 'ctx>,
    builder: &'a Builder<'ctx>,
    function: FunctionValue<'ctx>,
    to: PointerValue<'ctx>,
    source: Source<'ctx>,
    size: IntValue<'ctx>,
    known: [Known; 2],
}

impl<'a, 'b, 'ctx> Loops<'a, 'b, 'ctx> {
    pub(super) fn new(cx: &'a Cx<'b, 'ctx>) -> Self {
        Loops { cx, builder: cx.llvm.create_builder(), functions: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function for such a copy or fill: its arguments are the destination, the source, and the size.
    pub(super) fn function(
        &mut self,
        transfer: &Transfer<'ctx>,
        size: Size,
    ) -> Result<FunctionValue<'ctx>, Bug> {
        let Transfer { to, source, known, may_overlap, .. } = *transfer;
        let space = |address: PointerValue<'ctx>| address.get_type().get_address_space();
        let (source_space, source_ty): (_, BasicTypeEnum<'ctx>) = match source {
            Source::Bytes(from) => (Some(space(from)), from.get_type().into()),
            Source::Fill(byte) => (None, byte.get_type().into()),
        };
        let key = (space(to), source_space, known, size, may_overlap);
        if let Some(&(_, function)) = self.functions.iter().find(|(made, _)| *made == key) {
            return Ok(function);
        }
        let params = [to.get_type().into(), source_ty.into(), transfer.size.get_type().into()];
        let ty = self.cx.llvm.void_type().fn_type(&params, false);
        let function = self.cx.module.add_function("weft.bytes", ty, Some(Linkage::Internal));
        for name in ["alwaysinline", "nounwind"] {
            self.cx.add_fn_attr(function, name);
        }
        self.define(function, transfer, size)?;
        self.functions.push((key, function));
        Ok(function)
    }

    fn define(
        &self,
        function: FunctionValue<'ctx>,
        transfer: &Transfer<'ctx>,
        size: Size,
    ) -> Result<(), Bug> {
        let param = |idx| function.get_nth_param(idx).ok_or_else(|| Bug::from("a parameter is missing"));
        let source = match transfer.source {
            Source::Bytes(_) => Source::Bytes(param(1)?.into_pointer_value()),
            Source::Fill(_) => Source::Fill(param(1)?.into_int_value()),
        };
        let (to, n_bytes) = (param(0)?.into_pointer_value(), param(2)?.into_int_value());
        let (cx, builder, known) = (self.cx, &self.builder, transfer.known);
        let body = Body { cx, builder, function, to, source, size: n_bytes, known };
        self.builder.position_at_end(body.block());
        if let (true, Source::Bytes(from)) = (transfer.may_overlap, source) {
            body.copy_backwards_if_overlapping(from)?;
        }
        match size {
            Size::Constant(size) => body.constant(size)?,
            Size::MultipleOf(multiple) => body.unknown(multiple)?,
        }
        self.builder.build_return(None)?;
        Ok(())
    }
}

impl<'ctx> Body<'_, '_, 'ctx> {
    /// If the destination begins within the source, copies the bytes one by one from the end, and returns.
    /// Otherwise nothing is overwritten before it has been read.
    fn copy_backwards_if_overlapping(&self, from: PointerValue<'ctx>) -> Result<(), Bug> {
        let (b, word) = (self.builder, self.cx.tys.word);
        let bits_of = |address| b.build_ptr_to_int(self.cx.generic(b, address)?, word, "").map_err(Bug::from);
        let apart = b.build_int_sub(bits_of(self.to)?, bits_of(from)?, "")?;
        let size = b.build_int_cast_sign_flag(self.size, word, false, "")?;
        let is_behind = b.build_int_compare(IntPredicate::ULT, apart, size, "")?;
        let [again, done, forwards] = [self.block(), self.block(), self.block()];
        let before = self.current()?;
        b.build_conditional_branch(is_behind, again, forwards)?;
        b.position_at_end(again);
        let phi = b.build_phi(word, "")?;
        let offset = b.build_int_sub(phi.as_basic_value().into_int_value(), word.const_int(1, false), "")?;
        phi.add_incoming(&[(&size, before), (&offset, again)]);
        let at = |base| self.cx.gep(b, self.cx.tys.i8.into(), base, offset);
        let byte: Vec<Access> = access::cover(1, Known::multiple_of(1), Known::multiple_of(1)).collect();
        access::write(self.cx, b, at(self.to)?, Source::Bytes(at(from)?), &byte)?;
        let is_first = b.build_int_compare(IntPredicate::EQ, offset, word.const_zero(), "")?;
        b.build_conditional_branch(is_first, done, again)?;
        b.position_at_end(done);
        b.build_return(None)?;
        b.position_at_end(forwards);
        Ok(())
    }

    /// A constant number of bytes.
    fn constant(&self, size: u64) -> Result<(), Bug> {
        let [to, from] = self.known;
        let agreement = to.agreement(from).min(WIDEST);
        let head = to.up_to_multiple(agreement).min(size);
        self.straight(0, head, self.known)?;
        let known = [to.further(head), from.further(head)];
        let end = self.block();
        for width in [WIDEST, 4] {
            let is_possible = known.iter().all(|known| known.may_be_multiple_of(width));
            if width > agreement && size - head >= width.into() && is_possible {
                let [aligned, otherwise] = [self.block(), self.block()];
                self.builder.build_conditional_branch(self.is_aligned(width, head)?, aligned, otherwise)?;
                self.builder.position_at_end(aligned);
                self.whole(head, size, [Known::multiple_of(width); 2])?;
                self.builder.build_unconditional_branch(end)?;
                self.builder.position_at_end(otherwise);
            }
        }
        self.whole(head, size, known)?;
        self.builder.build_unconditional_branch(end)?;
        self.builder.position_at_end(end);
        Ok(())
    }

    /// The bytes between two offsets with these known alignments: a loop over full runs, and separate
    /// accesses for the rest.
    fn whole(&self, start: u64, end: u64, known: [Known; 2]) -> Result<(), Bug> {
        let width = known[0].align().min(known[1].align()).min(WIDEST);
        let level = Level { width, run: if width == WIDEST { RUN } else { 2 * RUN } };
        let size = end - start;
        let in_loop = if size < 2 * level.n_bytes() { 0 } else { size - size % level.n_bytes() };
        if in_loop > 0 {
            self.repeat(level, self.number(start), self.number(start + in_loop), self.block())?;
        }
        self.straight(start + in_loop, end, known.map(|known| known.further(in_loop)))
    }

    /// The same without a loop.
    fn straight(&self, start: u64, end: u64, [to, from]: [Known; 2]) -> Result<(), Bug> {
        let accesses = access::cover(end - start, to, from);
        let accesses: Vec<Access> = accesses.map(|it| Access { offset: it.offset + start, ..it }).collect();
        access::write(self.cx, self.builder, self.to, self.source, &accesses)
    }

    /// As many bytes as the argument says, which is a multiple of the power of two.
    fn unknown(&self, multiple: u32) -> Result<(), Bug> {
        let b = self.builder;
        let align = self.known[0].align().min(self.known[1].align()).min(WIDEST);
        let last = multiple.min(align);
        let is_possible = |width| self.known.iter().all(|known| known.may_be_multiple_of(width));
        let mut done = self.number(0);
        let exit = self.block();
        // The blocks from which the narrower levels continue, with the bytes done there.
        let mut entries = Vec::new();
        if is_possible(4) {
            if last < 4 {
                let is_few = b.build_int_compare(IntPredicate::ULT, self.size, self.number(FEW), "")?;
                entries.push((done, self.current()?));
                self.leave_if(is_few, exit)?;
            }
            if align < 4 {
                let is_narrow = b.build_not(self.is_aligned(4, 0)?, "")?;
                entries.push((done, self.current()?));
                self.leave_if(is_narrow, exit)?;
            }
            if is_possible(WIDEST) {
                done = self.widest(align, multiple)?;
            }
            // What is left by the previous level, or everything if it was skipped.
            for width in [8, 4] {
                let is_useful = match align {
                    16.. => width == 4 && multiple < WIDEST,
                    8.. => width == 8 || multiple < 8,
                    _ => width == 4,
                };
                if is_useful && width >= last {
                    done = self.level(Level { width, run: 1 }, done, multiple)?;
                }
            }
        }
        entries.push((done, self.current()?));
        b.build_unconditional_branch(exit)?;
        b.position_at_end(exit);
        if last < 4 {
            let phi = b.build_phi(self.size.get_type(), "")?;
            for (done, from) in &entries {
                phi.add_incoming(&[(done, *from)]);
            }
            done = phi.as_basic_value().into_int_value();
            if align == 2 {
                done = self.level(Level { width: 2, run: 1 }, done, multiple)?;
            }
            if last == 1 {
                self.level(Level { width: 1, run: 1 }, done, multiple)?;
            }
        }
        Ok(())
    }

    /// Uses the widest accesses for as many bytes as possible, if the addresses allow it. Returns the number
    /// of bytes.
    fn widest(&self, align: u32, multiple: u32) -> Result<IntValue<'ctx>, Bug> {
        let b = self.builder;
        let mut limit = self.multiples(WIDEST, multiple)?;
        if align < WIDEST {
            let is_aligned = self.is_aligned(WIDEST, 0)?;
            limit = b.build_select(is_aligned, limit, self.number(0), "")?.into_int_value();
        }
        let level = Level { width: WIDEST, run: RUN };
        let whole_runs = b.build_and(limit, self.minus(level.n_bytes()), "")?;
        let done = self.go_on_if_any(level, self.number(0), whole_runs)?;
        self.go_on_if_any(Level { width: WIDEST, run: 1 }, done, limit)
    }

    /// Continues from `done` while there are enough bytes. Returns where the next level begins.
    fn level(&self, level: Level, done: IntValue<'ctx>, multiple: u32) -> Result<IntValue<'ctx>, Bug> {
        self.go_on_if_any(level, done, self.multiples(level.width, multiple)?)
    }

    /// Branches to the block if the condition is true, otherwise to a new one.
    fn leave_if(&self, condition: IntValue<'ctx>, to: BasicBlock<'ctx>) -> Result<(), Bug> {
        let otherwise = self.block();
        self.builder.build_conditional_branch(condition, to, otherwise)?;
        self.builder.position_at_end(otherwise);
        Ok(())
    }

    /// Continues from `done` to `limit`, if that is further; returns where the next level begins.
    fn go_on_if_any(
        &self,
        level: Level,
        done: IntValue<'ctx>,
        limit: IntValue<'ctx>,
    ) -> Result<IntValue<'ctx>, Bug> {
        let b = self.builder;
        let is_any = b.build_int_compare(IntPredicate::ULT, done, limit, "")?;
        let before = self.current()?;
        let [some, exit] = [self.block(), self.block()];
        b.build_conditional_branch(is_any, some, exit)?;
        b.position_at_end(some);
        let (last, from) = self.repeat(level, done, limit, exit)?;
        let phi = b.build_phi(done.get_type(), "")?;
        phi.add_incoming(&[(&done, before), (&last, from)]);
        Ok(phi.as_basic_value().into_int_value())
    }

    /// A loop from `first` to `limit`, which is at least one run further, followed by `exit`, where the
    /// builder is then. Returns the final offset, and the block from which the loop exits.
    fn repeat(
        &self,
        level: Level,
        first: IntValue<'ctx>,
        limit: IntValue<'ctx>,
        exit: BasicBlock<'ctx>,
    ) -> Result<(IntValue<'ctx>, BasicBlock<'ctx>), Bug> {
        let b = self.builder;
        let before = self.current()?;
        let again = self.block();
        b.build_unconditional_branch(again)?;
        b.position_at_end(again);
        let phi = b.build_phi(first.get_type(), "")?;
        let offset = phi.as_basic_value().into_int_value();
        let at = |base| self.cx.gep(b, self.cx.tys.i8.into(), base, offset);
        let source = match self.source {
            Source::Bytes(from) => Source::Bytes(at(from)?),
            fill @ Source::Fill(_) => fill,
        };
        let known = Known::multiple_of(level.width);
        let accesses: Vec<Access> = access::cover(level.n_bytes(), known, known).collect();
        access::write(self.cx, b, at(self.to)?, source, &accesses)?;
        let next = b.build_int_add(offset, self.number(level.n_bytes()), "")?;
        phi.add_incoming(&[(&first, before), (&next, again)]);
        let goes_on = b.build_int_compare(IntPredicate::ULT, next, limit, "")?;
        b.build_conditional_branch(goes_on, again, exit)?;
        b.position_at_end(exit);
        Ok((next, again))
    }

    /// Whether both addresses at this offset are multiples of the width.
    fn is_aligned(&self, width: u32, further: u64) -> Result<IntValue<'ctx>, Bug> {
        let (b, word) = (self.builder, self.cx.tys.word);
        let bits_of = |address| {
            let bits = b.build_ptr_to_int(address, word, "")?;
            b.build_int_add(bits, word.const_int(further, false), "")
        };
        let mut bits = bits_of(self.to)?;
        if let Source::Bytes(from) = self.source {
            bits = b.build_or(bits, bits_of(from)?, "")?;
        }
        let below = b.build_and(bits, word.const_int(u64::from(width) - 1, false), "")?;
        Ok(b.build_int_compare(IntPredicate::EQ, below, word.const_zero(), "")?)
    }

    /// The largest multiple of `width` up to the size, which is a multiple of `multiple`.
    fn multiples(&self, width: u32, multiple: u32) -> Result<IntValue<'ctx>, Bug> {
        if multiple >= width {
            return Ok(self.size);
        }
        Ok(self.builder.build_and(self.size, self.minus(width.into()), "")?)
    }

    fn number(&self, value: u64) -> IntValue<'ctx> {
        self.size.get_type().const_int(value, false)
    }

    fn minus(&self, value: u64) -> IntValue<'ctx> {
        self.number(value).const_neg()
    }

    fn current(&self) -> Result<BasicBlock<'ctx>, Bug> {
        self.builder.get_insert_block().ok_or_else(|| Bug::from("the builder has no insertion point"))
    }

    fn block(&self) -> BasicBlock<'ctx> {
        self.cx.llvm.append_basic_block(self.function, "")
    }
}

impl Level {
    fn n_bytes(self) -> u64 {
        u64::from(self.width) * self.run
    }
}
