//! Builds a function inline at its call.

use std::ptr;

use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMDeleteBasicBlock, LLVMGetBasicBlockTerminator, LLVMGetFirstInstruction,
    LLVMInsertIntoBuilder, LLVMInstructionRemoveFromParent, LLVMReplaceAllUsesWith,
    LLVMSetCurrentDebugLocation2,
};
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::types::AnyType;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionValue, PointerValue};

use super::super::body::Body;
use super::{Copier, Function, Ways};

/// The call to replace.
pub(super) struct Place<'ctx> {
    call: InstructionValue<'ctx>,
    /// The block that begins with the call, and keeps the following instructions.
    pub(super) next: BasicBlock<'ctx>,
    /// The returned values and their blocks.
    results: Vec<(BasicValueEnum<'ctx>, BasicBlock<'ctx>)>,
    /// The function's variables.
    variables: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Copier<'_, 'ctx> {
    /// Builds a function inline at its call.
    pub(super) fn define_in_place(
        &mut self,
        call: InstructionValue<'ctx>,
        body: &Body,
        ways: Ways,
    ) -> Option<()> {
        let next = call.get_parent()?;
        let caller = next.get_parent()?;
        let arguments = (0..call.get_num_operands() - 1).map(|idx| call.get_operand(idx)?.value());
        let mut function = Function::new(caller, arguments.collect::<Option<_>>()?, body, ways);
        let before = self.build_options.llvm.prepend_basic_block(next, "");
        move_what_is_before(&self.builder, next, call, before);
        function.blocks[0] = Some(before);
        function.place = Some(Place { call, next, results: Vec::new(), variables: Vec::new() });
        set_location(&self.builder, Some(call));
        self.fill(&mut function)?;
        function.place?.finish(&self.builder)?;
        caller.verify(false).then_some(())
    }

    /// A variable of the function, which lives during the call.
    pub(super) fn variable_in_place(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        make: impl FnOnce(&mut Self) -> Option<PointerValue<'ctx>>,
    ) -> Option<PointerValue<'ctx>> {
        let Some(place) = &mut function.place else { return make(self) };
        let here = self.builder.get_insert_block()?;
        let entry = function.value.get_first_basic_block()?;
        match entry.get_first_instruction() {
            Some(first) => self.builder.position_before(&first),
            None => self.builder.position_at_end(entry),
        }
        set_location(&self.builder, None);
        let made = make(self)?;
        self.builder.position_at_end(here);
        set_location(&self.builder, Some(place.call));
        let ty = made.get_type().into();
        let start = Intrinsic::find("llvm.lifetime.start")?.get_declaration(self.module, &[ty])?;
        self.builder.build_direct_call(start, &[made.into()], "").ok()?;
        place.variables.push(made);
        Some(made)
    }
}

impl<'ctx> Place<'ctx> {
    /// Returns the value from the function.
    pub(super) fn end(&mut self, copier: &Copier<'_, 'ctx>, value: BasicValueEnum<'ctx>) -> Option<()> {
        if value.get_type().as_any_type_enum() != self.call.get_type() {
            return None;
        }
        for variable in &self.variables {
            let end = Intrinsic::find("llvm.lifetime.end")?
                .get_declaration(copier.module, &[variable.get_type().into()])?;
            copier.builder.build_direct_call(end, &[(*variable).into()], "").ok()?;
        }
        self.results.push((value, copier.builder.get_insert_block()?));
        Some(())
    }

    /// Replaces the call by the result, and continues after it.
    fn finish(self, builder: &Builder<'ctx>) -> Option<()> {
        let result = match self.results[..] {
            [(value, _)] => value,
            _ => {
                for (_, from) in &self.results {
                    builder.position_at_end(*from);
                    builder.build_unconditional_branch(self.next).ok()?;
                }
                builder.position_before(&self.call);
                let phi = builder.build_phi(self.results.first()?.0.get_type(), "").ok()?;
                for (value, from) in &self.results {
                    phi.add_incoming(&[(value, *from)]);
                }
                phi.as_basic_value()
            }
        };
        // SAFETY: both are alive, and have the same type.
        unsafe { LLVMReplaceAllUsesWith(self.call.as_value_ref(), result.as_value_ref()) };
        self.call.erase_from_basic_block();
        if let [(_, last)] = self.results[..] {
            prepend(builder, last, self.next);
        }
        Some(())
    }
}

/// Gives the following instructions the position of an instruction, or none.
fn set_location(builder: &Builder<'_>, of: Option<InstructionValue<'_>>) {
    // SAFETY: builder and instruction are alive.
    unsafe {
        let location = of.map_or(ptr::null_mut(), |of| LLVMInstructionGetDebugLoc(of.as_value_ref()));
        LLVMSetCurrentDebugLocation2(builder.as_mut_ptr(), location);
    }
}

/// Makes an unterminated block branch to another one, which has no other predecessors.
fn prepend<'ctx>(builder: &Builder<'ctx>, block: BasicBlock<'ctx>, to: BasicBlock<'ctx>) {
    match to.get_first_instruction() {
        Some(first) => builder.position_before(&first),
        None => builder.position_at_end(to),
    }
    set_location(builder, None);
    // SAFETY: all are alive, and belong to the same context.
    unsafe {
        LLVMReplaceAllUsesWith(
            LLVMBasicBlockAsValue(block.as_mut_ptr()),
            LLVMBasicBlockAsValue(to.as_mut_ptr()),
        );
        move_instructions(builder, block, ptr::null_mut());
        LLVMDeleteBasicBlock(block.as_mut_ptr());
    }
}

/// Moves everything before an instruction from its block to another one, which replaces it as a predecessor.
fn move_what_is_before<'ctx>(
    builder: &Builder<'ctx>,
    from: BasicBlock<'ctx>,
    instruction: InstructionValue<'ctx>,
    to: BasicBlock<'ctx>,
) {
    let (inserter, block, instruction) =
        (builder.as_mut_ptr(), from.as_mut_ptr(), instruction.as_value_ref());
    // SAFETY: all are alive, and belong to the same context. A block's terminator determines its successors,
    // and their phi nodes name the block: so it has no terminator while the predecessors are redirected.
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        LLVMInstructionRemoveFromParent(end);
        LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(to.as_mut_ptr()));
        builder.position_at_end(from);
        LLVMInsertIntoBuilder(inserter, end);
        builder.position_at_end(to);
        move_instructions(builder, from, instruction);
    }
}

/// Moves the instructions of a block, up to one or all, to the builder's position.
///
/// # Safety
///
/// All are alive, and belong to the same context.
unsafe fn move_instructions<'ctx>(builder: &Builder<'ctx>, from: BasicBlock<'ctx>, end: LLVMValueRef) {
    unsafe {
        loop {
            let first = LLVMGetFirstInstruction(from.as_mut_ptr());
            if first == end {
                break;
            }
            LLVMInstructionRemoveFromParent(first);
            LLVMInsertIntoBuilder(builder.as_mut_ptr(), first);
        }
    }
}
