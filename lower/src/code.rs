//! Where the instructions of one function go: what all contexts of its lowering share.
//!
//! Blocks, variables of the frame, calls of intrinsics. It knows LLVM's values and none of the program's expressions, and
//! nothing in it changes but the code that has been built, so contexts borrow it shared.
//!
//! **Invariant**: the builder is always at the end of a block without a terminator. Code
//! after a `return` or a `goto` goes into an unreachable block, which LLVM removes.

use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FunctionValue, InstructionValue, PointerValue,
};
use weft_frontend::ir::Ty;

use crate::Bug;
use crate::context::Cx;
use crate::place::Address;

/// The value of LLVM's attribute `memory` for a function that only reads: two bits for each kind of memory
/// (LLVM, `ModRef.h`).
const MEMORY_READ: u64 = 0x555;

/// The code of one function.
pub(crate) struct Code<'f, 'a, 'ctx> {
    /// The module's lowering.
    pub(crate) cx: &'f Cx<'a, 'ctx>,
    /// The LLVM function.
    pub(crate) function: FunctionValue<'ctx>,
    /// Where instructions go.
    pub(crate) builder: Builder<'ctx>,
    /// Marks the end of the entry block's variables until the body is complete.
    pub(crate) variables_end: InstructionValue<'ctx>,
    variables: Builder<'ctx>,
}

impl<'f, 'a, 'ctx> Code<'f, 'a, 'ctx> {
    /// An empty body of the function.
    pub(crate) fn new(cx: &'f Cx<'a, 'ctx>, function: FunctionValue<'ctx>) -> Result<Self, Bug> {
        let builder = cx.llvm.create_builder();
        builder.position_at_end(cx.llvm.append_basic_block(function, "entry"));
        let variables_end = builder
            .build_alloca(cx.tys.i1, "")?
            .as_instruction()
            .expect("invariant: a variable is an instruction");
        Ok(Code { cx, function, builder, variables_end, variables: cx.llvm.create_builder() })
    }
}

impl<'ctx> Code<'_, '_, 'ctx> {
    /// A new variable in the entry block.
    pub(crate) fn variable(&self, ty: Ty, align: Option<u32>, name: &str) -> Result<Address<'ctx>, Bug> {
        let layout = self.cx.layout(ty);
        let align = layout.align.max(align.unwrap_or(1));
        // As large as `sizeof`, because callers may copy that many bytes.
        let memory = match self.cx.stored_size(ty) < layout.size {
            true => self.cx.bytes_ty(layout.size),
            false => self.cx.passed_ty(ty),
        };
        self.variables.position_before(&self.variables_end);
        let ptr = self.variables.build_alloca(memory, name)?;
        set_alignment(ptr, align)?;
        Ok(Address { ptr, align, volatile: self.cx.is_volatile(ty) })
    }

    /// Allocates memory in the entry block.
    pub(crate) fn bytes(&self, size: u64, align: u32) -> Result<PointerValue<'ctx>, Bug> {
        self.variables.position_before(&self.variables_end);
        let ptr = self.variables.build_alloca(self.cx.bytes_ty(size), "")?;
        set_alignment(ptr, align)?;
        Ok(ptr)
    }

    /// An object that lives at least until the end of the full expression.
    pub(crate) fn temporary(&self, ty: Ty) -> Result<Address<'ctx>, Bug> {
        self.variable(ty, None, "")
    }

    /// A new block, at the end of the function for now.
    pub(crate) fn new_block(&self, name: &str) -> BasicBlock<'ctx> {
        self.cx.llvm.append_basic_block(self.function, name)
    }

    /// The current block.
    pub(crate) fn block(&self) -> BasicBlock<'ctx> {
        self.builder.get_insert_block().expect("invariant: the builder is in a block")
    }

    /// Continues in `block`, which is placed after all code so far.
    pub(crate) fn continue_in(&self, block: BasicBlock<'ctx>) -> Result<(), Bug> {
        let last = self.block();
        if last != block {
            block.move_after(last).map_err(|()| Bug::from("a block is not in its function"))?;
        }
        self.builder.position_at_end(block);
        Ok(())
    }

    /// Continues in an unreachable block.
    pub(crate) fn continue_unreachable(&self) -> Result<(), Bug> {
        self.continue_in(self.new_block("dead"))
    }

    /// Branches to `block`, and continues there.
    pub(crate) fn fall_into(&self, block: BasicBlock<'ctx>) -> Result<(), Bug> {
        self.builder.build_unconditional_branch(block)?;
        self.continue_in(block)
    }

    /// The value from one of two predecessors.
    pub(crate) fn merge(
        &self,
        first: (BasicValueEnum<'ctx>, BasicBlock<'ctx>),
        second: (BasicValueEnum<'ctx>, BasicBlock<'ctx>),
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let phi = self.builder.build_phi(first.0.get_type(), "")?;
        phi.add_incoming(&[(&first.0, first.1), (&second.0, second.1)]);
        Ok(phi.as_basic_value())
    }

    /// A variable of the frame that has the value from the beginning.
    pub(crate) fn variable_of(&self, value: BasicValueEnum<'ctx>, ty: Ty) -> Result<Address<'ctx>, Bug> {
        let address = self.variable(ty, None, "")?;
        self.variables.position_before(&self.variables_end);
        self.variables.build_store(address.ptr, value)?;
        Ok(address)
    }

    /// A call of an intrinsic with a result, overloaded on `types`.
    pub(crate) fn call_intrinsic(
        &self,
        name: &str,
        types: &[inkwell::types::BasicTypeEnum<'ctx>],
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let function = self.cx.intrinsic(name, types)?;
        let call = self.builder.build_direct_call(function, args, "")?;
        call.try_as_basic_value().basic().ok_or_else(|| Bug { message: format!("`{name}` gave no value") })
    }

    /// A call of an intrinsic that only reads through its handle: textures and surfaces, which LLVM would
    /// treat as memory that anything may change.
    pub(crate) fn call_reading_intrinsic(
        &self,
        name: &str,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let function = self.cx.intrinsic(name, &[])?;
        let call = self.builder.build_direct_call(function, args, "")?;
        let attrs = &self.cx.attrs;
        for (kind, value) in [(attrs.memory, MEMORY_READ), (attrs.nounwind, 0), (attrs.willreturn, 0)] {
            call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(kind, value));
        }
        call.try_as_basic_value().basic().ok_or_else(|| Bug { message: format!("`{name}` gave no value") })
    }

    /// A call of an intrinsic without a result.
    pub(crate) fn call_intrinsic_for_effect(
        &self,
        name: &str,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<(), Bug> {
        let function = self.cx.intrinsic(name, &[])?;
        self.builder.build_direct_call(function, args, "")?;
        Ok(())
    }

    /// Ends the body: there are no more variables.
    pub(crate) fn finish(&self) {
        self.variables_end.erase_from_basic_block();
    }
}

/// The alignment of a variable.
fn set_alignment(ptr: PointerValue<'_>, align: u32) -> Result<(), Bug> {
    let instruction = ptr.as_instruction().expect("invariant: a variable is an instruction");
    Ok(instruction.set_alignment(align)?)
}

/// An undefined value.
pub(crate) fn undef(ty: BasicTypeEnum<'_>) -> BasicValueEnum<'_> {
    match ty {
        BasicTypeEnum::ArrayType(ty) => ty.get_undef().into(),
        BasicTypeEnum::FloatType(ty) => ty.get_undef().into(),
        BasicTypeEnum::IntType(ty) => ty.get_undef().into(),
        BasicTypeEnum::PointerType(ty) => ty.get_undef().into(),
        BasicTypeEnum::StructType(ty) => ty.get_undef().into(),
        BasicTypeEnum::VectorType(ty) => ty.get_undef().into(),
        BasicTypeEnum::ScalableVectorType(ty) => ty.get_undef().into(),
    }
}
