//! Variadic arguments in the function that receives them.
//!
//! They are consecutive in one parameter, each at a multiple of
//! [`variadic_align`]. A `va_list` is a record whose first word (with 32-bit addresses, the only one) holds the address of
//! the next one, in local memory: this matches nvcc's functions, to which ours may pass it.

use inkwell::values::{BasicValueEnum, CallSiteValue, IntValue, PointerValue};
use weft_frontend::ir::{Expr, Ty, VaListOp};
use weft_frontend::layout::DataModel;

use crate::Bug;
use crate::abi::signature::variadic_align;
use crate::addr_space;
use crate::context::Cx;
use crate::expr::Expressions;
use crate::place::Address;
use crate::types::Shape;

/// The size of a `va_list` in bytes.
fn list_size(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 24,
        DataModel::Ilp32 => 4,
    }
}

/// Adds a use of the constant 0 before each call with variadic arguments.
///
/// LLVM's code generator first declares their parameter with a size of 0, and sets the size once it is known.
/// If nothing else uses that 0, it is freed then, and LLVM continues to use it: whatever is then in its
/// memory is taken for an offset or an index. Seen with LLVM 22.1.8: a call through a pointer ended in
/// `Symbol name with unsupported characters`.
pub(crate) fn keep_zeros(cx: &Cx<'_, '_>) -> Result<(), Bug> {
    if !cx.has_variadic_call.get() {
        return Ok(());
    }
    let used = cx.intrinsic("llvm.fake.use", &[])?;
    let builder = cx.llvm.create_builder();
    let blocks: Vec<_> =
        cx.module.get_functions().flat_map(|function| function.get_basic_block_iter()).collect();
    for instruction in blocks.iter().flat_map(|block| block.get_instructions()) {
        let Ok(call) = CallSiteValue::try_from(instruction) else { continue };
        let ty = call.get_called_fn_type();
        if ty.is_var_arg() && call.count_arguments() > ty.count_param_types() {
            builder.position_before(&instruction);
            builder.build_direct_call(used, &[cx.tys.i32.const_zero().into()], "")?;
        }
    }
    Ok(())
}

impl<'ctx> Expressions<'_, '_, 'ctx> {
    /// An operation on argument lists.
    pub(crate) fn lower_va_list(&mut self, op: VaListOp, lists: &[Expr], ty: Ty) -> Result<(), Bug> {
        match op {
            VaListOp::Start => {
                let list = self.va_list(lists)?;
                // The list can stay in registers; LLVM's operation works in memory.
                let first = self.code.temporary(self.cx.ir.types.model().size_ty())?.ptr;
                let function = self.cx.intrinsic("llvm.va_start", &[self.cx.tys.ptr.into()])?;
                self.code.builder.build_direct_call(function, &[first.into()], "")?;
                let first = self.code.builder.build_load(self.cx.tys.word, first, "")?;
                self.code.builder.build_store(list, first)?;
                Ok(())
            }
            VaListOp::Arg if self.cx.shape(ty) == Shape::Record => self.next_argument(lists, ty).map(drop),
            VaListOp::Arg => self.lower_va_arg(lists, ty).map(drop),
            VaListOp::End => self.va_list(lists).map(drop),
            VaListOp::Copy => {
                let to = self.va_list(lists)?;
                let from = self.va_list(&lists[1..])?;
                let model = self.cx.ir.types.model();
                let align = model.pointer_size() as u32;
                let size = self.cx.tys.word.const_int(list_size(model), false);
                self.code.builder.build_memcpy(to, align, from, align, size)?;
                Ok(())
            }
        }
    }

    fn va_list(&mut self, lists: &[Expr]) -> Result<PointerValue<'ctx>, Bug> {
        let &list = lists.first().ok_or("an operation on a value that is not a `va_list`")?;
        Ok(self.lower_scalar(list)?.into_pointer_value())
    }

    /// The next argument, for scalars.
    pub(crate) fn lower_va_arg(&mut self, lists: &[Expr], ty: Ty) -> Result<BasicValueEnum<'ctx>, Bug> {
        let from = self.next_argument(lists, ty)?;
        self.code.memory().load_scalar(from, ty)
    }

    /// The address of the next argument; the list then points to the one after it.
    pub(crate) fn next_argument(&mut self, lists: &[Expr], ty: Ty) -> Result<Address<'ctx>, Bug> {
        let list = self.va_list(lists)?;
        let word = self.cx.tys.word;
        let b = &self.code.builder;
        let mut next = b.build_load(word, list, "")?.into_int_value();
        let align = variadic_align(&self.cx.ir.types, ty);
        if align > 1 {
            next = b.build_int_add(next, word.const_int(u64::from(align) - 1, false), "")?;
            next = b.build_and(next, word.const_int(u64::from(align).wrapping_neg(), false), "")?;
        }
        let size = self.cx.stored_size(ty).max(1);
        let behind: IntValue<'ctx> = b.build_int_add(next, word.const_int(size, false), "")?;
        b.build_store(list, behind)?;
        let local = self.cx.llvm.ptr_type(addr_space::LOCAL.into());
        let ptr = b.build_int_to_ptr(next, local, "")?;
        Ok(Address { ptr, align, volatile: false })
    }
}
