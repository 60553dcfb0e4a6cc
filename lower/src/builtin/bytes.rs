//! What is done to many bytes at once.

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{BytesOp, Expr, ExprNode};

use crate::Bug;
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// Gives the address that was written to. LLVM finds out how the addresses are aligned.
    pub(super) fn lower_bytes(
        &mut self,
        op: BytesOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [to, what, size] = self.lower_scalars(args)?;
        self.locate(node.span);
        let (address, size) = (to.into_pointer_value(), size.into_int_value());
        match op {
            BytesOp::CopyBytes => {
                self.builder.build_memcpy(address, 1, what.into_pointer_value(), 1, size)?
            }
            BytesOp::SetBytes => {
                let byte = self.builder.build_int_truncate(what.into_int_value(), self.cx.tys.i8, "")?;
                self.builder.build_memset(address, 1, byte, size)?
            }
        };
        Ok(to)
    }
}
