//! The functions that the compiler knows by itself.
//!
//! There is a file for each family of [`Builtin`], and one for what looks like a variable:
//!
//! - `sync`: barriers
//! - `warp`: what the lanes of a warp do together
//! - `atomic`: atomic memory operations
//! - `math`: arithmetic on numbers of several types
//! - `half`: half precision
//! - `special_reg`: `threadIdx` and its kin

mod atomic;
mod half;
mod math;
mod special_reg;
mod sync;
mod warp;

use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Builtin, Expr, ExprNode};

use crate::Bug;
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// A built-in function; the result if it has one.
    pub(crate) fn lower_builtin(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        match builtin {
            Builtin::Sync(op) => self.lower_sync(op, args, node).map(|()| None),
            Builtin::Warp(op) => self.lower_warp(op, args, node).map(Some),
            Builtin::Atomic(op) => self.lower_atomic(op, args, node).map(Some),
            Builtin::Math(op) => self.lower_math(op, args, node).map(Some),
            Builtin::Half(op) => self.lower_half(op, args, node).map(Some),
        }
    }

    /// The arguments, all scalars, in order.
    fn lower_scalars<const N: usize>(&mut self, args: &[Expr]) -> Result<[BasicValueEnum<'ctx>; N], Bug> {
        let args: &[Expr; N] =
            args.try_into().map_err(|_| Bug::from("a built-in function with other arguments"))?;
        let mut values = Vec::with_capacity(N);
        for &arg in args {
            values.push(self.lower_scalar(arg)?);
        }
        values.try_into().map_err(|_| Bug::from("a built-in function with other arguments"))
    }
}
