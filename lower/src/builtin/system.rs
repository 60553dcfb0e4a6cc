//! System calls (PTX Interop 3): calls of functions that the CUDA driver defines. All pointers are generic.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, CallSiteValue, FunctionValue, PointerValue};
use weft_frontend::ir::{Expr, ExprNode, SystemOp};

use crate::Bug;
use crate::builtin::Builtins;
use crate::context::Cx;

/// The size of a character in assertion texts, in bytes.
const CHAR_SIZE: u64 = 1;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_system(
        &mut self,
        op: SystemOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let (ptr, int, word) = (self.cx.tys.ptr, self.cx.tys.i32, self.cx.tys.word);
        match op {
            SystemOp::Printf => {
                let (&format, extras) = args.split_first().ok_or("a call of `printf` without a format")?;
                let format = self.exprs.lower_scalar(format)?;
                let buffer = self.lower_printed(extras)?;
                self.exprs.debug.locate(node.span);
                let ty = int.fn_type(&[ptr.into(), ptr.into()], false);
                let call = self.call_system("vprintf", ty, &[format.into(), buffer.into()])?;
                Ok(call.try_as_basic_value().basic())
            }
            SystemOp::AssertFail => {
                let [message, file, line, function] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                let params: [BasicMetadataTypeEnum<'_>; 5] =
                    [ptr.into(), ptr.into(), int.into(), ptr.into(), word.into()];
                let ty = self.cx.llvm.void_type().fn_type(&params, false);
                let char_size = word.const_int(CHAR_SIZE, false);
                let args = [message.into(), file.into(), line.into(), function.into(), char_size.into()];
                let call = self.call_system("__assertfail", ty, &args)?;
                // On the function, LLVM would emit `.noreturn`, which the prototype lacks.
                for name in ["noreturn", "cold"] {
                    let kind = Attribute::get_named_enum_kind_id(name);
                    call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(kind, 0));
                }
                Ok(None)
            }
            SystemOp::AlignedMalloc => {
                let [size, align] = self.lower_scalars(args)?;
                self.exprs.debug.locate(node.span);
                let ty = ptr.fn_type(&[word.into(), word.into()], false);
                let call =
                    self.call_system("__cuda_syscall_aligned_malloc", ty, &[size.into(), align.into()])?;
                call.add_attribute(AttributeLoc::Return, self.cx.enum_attr(self.cx.attrs.noalias, 0));
                let kind = Attribute::get_named_enum_kind_id("allocalign");
                call.add_attribute(AttributeLoc::Param(1), self.cx.enum_attr(kind, 0));
                Ok(call.try_as_basic_value().basic())
            }
        }
    }

    /// The arguments after a format, consecutive in local memory, each at a multiple of its size; a null
    /// pointer if there are none.
    fn lower_printed(&mut self, extras: &[Expr]) -> Result<PointerValue<'ctx>, Bug> {
        if extras.is_empty() {
            return Ok(self.cx.tys.ptr.const_null());
        }
        // All are evaluated before any is stored: one of them may print, too.
        let mut values = Vec::with_capacity(extras.len());
        let mut size = 0;
        for &extra in extras {
            let extra_size = self.cx.stored_size(self.exprs.body.exprs[extra].ty);
            let offset = u64::next_multiple_of(size, extra_size);
            size = offset + extra_size;
            values.push((self.exprs.lower_scalar(extra)?, offset, extra_size as u32));
        }
        let buffer = self.exprs.frame.print_buffer(size)?;
        for (value, offset, align) in values {
            let offset = self.cx.tys.word.const_int(offset, false);
            let to = self.cx.gep(&self.code.builder, self.cx.tys.i8.into(), buffer, offset)?;
            let store = self.code.builder.build_store(to, value)?;
            store.set_alignment(align)?;
        }
        Ok(buffer)
    }

    /// A call of an undefined function.
    fn call_system(
        &mut self,
        name: &str,
        ty: FunctionType<'ctx>,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<CallSiteValue<'ctx>, Bug> {
        let function = self.cx.system_function(name, ty);
        // The program may have declared another function with this symbol.
        Ok(if function.get_type() == ty {
            self.code.builder.build_direct_call(function, args, "")?
        } else {
            self.code.builder.build_indirect_call(
                ty,
                function.as_global_value().as_pointer_value(),
                args,
                "",
            )?
        })
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// The function with this symbol, declared if the program does not.
    fn system_function(&self, name: &str, ty: FunctionType<'ctx>) -> FunctionValue<'ctx> {
        if let Some(function) = self.module.get_function(name) {
            return function;
        }
        let function = self.module.add_function(name, ty, None);
        function.add_attribute(AttributeLoc::Function, self.enum_attr(self.attrs.nounwind, 0));
        function
    }
}
