//! State spaces of addresses.

use inkwell::types::IntType;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::builtin::Window;
use weft_frontend::ir::{AddressOp, Expr, ExprNode};

use crate::builtin::Builtins;
use crate::{Bug, addr_space};

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_address_op(
        &mut self,
        op: AddressOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [value] = self.lower_scalars(args)?;
        self.exprs.debug.locate(node.span);
        match op {
            AddressOp::IsIn(window) => self.lower_is_in(window, value, node),
            AddressOp::ToWindow(window) => self.lower_to_window(window, value, self.cx.tys.word),
            AddressOp::SharedPointer => self.lower_to_window(Window::Shared, value, self.cx.tys.i32),
            AddressOp::FromWindow(window) => {
                let ty = self.cx.llvm.ptr_type(number(window).into());
                let mut offset = value.into_int_value();
                // Like in CUDA's headers: shared addresses have 32 bits.
                if matches!(window, Window::Shared | Window::ClusterShared) {
                    offset = self.code.builder.build_int_truncate_or_bit_cast(offset, self.cx.tys.i32, "")?;
                }
                let ptr = self.code.builder.build_int_to_ptr(offset, ty, "")?;
                Ok(self.code.builder.build_address_space_cast(ptr, self.cx.tys.ptr, "")?.into())
            }
        }
    }

    /// The address within its window, as an integer.
    fn lower_to_window(
        &self,
        window: Window,
        ptr: BasicValueEnum<'ctx>,
        ty: IntType<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let space = self.cx.llvm.ptr_type(number(window).into());
        let ptr = self.code.builder.build_address_space_cast(ptr.into_pointer_value(), space, "")?;
        Ok(self.code.builder.build_ptr_to_int(ptr, ty, "")?.into())
    }

    fn lower_is_in(
        &self,
        window: Window,
        ptr: BasicValueEnum<'ctx>,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let space = match window {
            Window::Global => "global",
            Window::Shared => "shared",
            Window::ClusterShared => "shared.cluster",
            Window::Constant => "const",
            Window::Local => "local",
            // LLVM has no intrinsic for parameters.
            Window::Param => {
                let text = "{ .reg .pred %p; isspacep.param %p, $1; selp.u32 $0, 1, 0, %p; }";
                return self.code.asm_value(text, self.cx.scalar_ty(node.ty), &[ptr.into()]);
            }
        };
        let is_in = self.code.call_intrinsic(&format!("llvm.nvvm.isspacep.{space}"), &[], &[ptr.into()])?;
        self.truth(is_in.into_int_value(), node)
    }
}

/// LLVM's address space number of a window.
fn number(window: Window) -> u16 {
    match window {
        Window::Global => addr_space::GLOBAL,
        Window::Shared => addr_space::SHARED,
        Window::ClusterShared => addr_space::CLUSTER_SHARED,
        Window::Constant => addr_space::CONSTANT,
        Window::Local => addr_space::LOCAL,
        Window::Param => addr_space::PARAM,
    }
}
