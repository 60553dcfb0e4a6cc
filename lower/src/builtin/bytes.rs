//! Operations on ranges of bytes.
//!
//! If the expression names a variable, the alignment and the state space of the address are known. Otherwise nothing
//! is known: nvcc supports copies from and to pointers less aligned than their types, and so do we.

use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::{BytesOp, Conversion, Expr, ExprData, ExprNode, Place, PlaceData};

use crate::Bug;
use crate::builtin::Builtins;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// Returns the destination address.
    pub(super) fn lower_bytes(
        &mut self,
        op: BytesOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[to, what, size] = args else {
            return Err(Bug::from("a built-in function with other arguments"));
        };
        let (to, to_align) = self.lower_bytes_address(to)?;
        match op {
            BytesOp::CopyBytes => {
                let (from, from_align) = self.lower_bytes_address(what)?;
                let size = self.exprs.lower_scalar(size)?.into_int_value();
                self.exprs.debug.locate(node.span);
                self.code.builder.build_memcpy(to, to_align, from, from_align, size)?;
            }
            BytesOp::SetBytes => {
                let byte = self.exprs.lower_scalar(what)?.into_int_value();
                let size = self.exprs.lower_scalar(size)?.into_int_value();
                self.exprs.debug.locate(node.span);
                let byte = self.code.builder.build_int_truncate(byte, self.cx.tys.i8, "")?;
                self.code.builder.build_memset(to, to_align, byte, size)?;
            }
        }
        Ok(self.cx.generic(&self.code.builder, to)?.into())
    }

    /// An address, and its known alignment.
    fn lower_bytes_address(&mut self, expr: Expr) -> Result<(PointerValue<'ctx>, u32), Bug> {
        let mut named = expr;
        while let ExprData::Convert(Conversion::PtrToPtr, operand) = self.exprs.body.exprs[named].data {
            named = operand;
        }
        if self.is_in_variable(named) {
            let (address, align) = self.exprs.lower_aligned_pointer(named)?;
            return Ok((address, if align == u32::MAX { 1 } else { align }));
        }
        Ok((self.exprs.lower_scalar(expr)?.into_pointer_value(), 1))
    }

    /// Whether the expression is the address of a variable, or of a part of one.
    fn is_in_variable(&self, pointer: Expr) -> bool {
        match self.exprs.body.exprs[pointer].data {
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => self.is_of_variable(place),
            ExprData::PtrOffset { ptr, .. } => self.is_in_variable(ptr),
            _ => false,
        }
    }

    fn is_of_variable(&self, place: Place) -> bool {
        match self.exprs.body.places[place].data {
            PlaceData::Local(_) | PlaceData::Global(_) => true,
            PlaceData::Field(base, _) => self.is_of_variable(base),
            PlaceData::Deref(pointer) => self.is_in_variable(pointer),
            _ => false,
        }
    }
}
