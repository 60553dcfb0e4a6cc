//! The functions that the compiler knows by itself.
//!
//! - `math`: arithmetic
//! - `sync`: barriers, shuffles, atomics
//! - `special_reg`: `threadIdx` and its kin

mod math;
mod special_reg;
mod sync;

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
            Builtin::SyncThreads => self.lower_sync_threads(node).map(|()| None),
            Builtin::SyncWarp => self.lower_sync_warp(args, node).map(|()| None),
            Builtin::AtomicAdd => self.lower_atomic_add(args, node).map(Some),
            Builtin::ShflIdx => self.lower_shuffle("idx", args, node).map(Some),
            Builtin::ShflUp => self.lower_shuffle("up", args, node).map(Some),
            Builtin::ShflDown => self.lower_shuffle("down", args, node).map(Some),
            Builtin::ShflXor => self.lower_shuffle("bfly", args, node).map(Some),
            Builtin::Min
            | Builtin::Max
            | Builtin::Abs
            | Builtin::Fma
            | Builtin::Sqrt
            | Builtin::Rsqrt
            | Builtin::Floor
            | Builtin::Ceil
            | Builtin::Trunc => self.lower_math(builtin, args, node).map(Some),
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
