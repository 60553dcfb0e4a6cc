//! Built-in functions: the types of their operands, as [`Builtin::signature`] has them.

use super::super::builtin::Operand;
use super::super::{Builtin, Expr, Ty};
use super::body::BodyCx;
use super::{Check, require};

impl BodyCx<'_> {
    /// Checks the operands, which are themselves checked already.
    pub(super) fn check_builtin(&self, expr: Expr, ty: Ty, builtin: Builtin, args: &[Expr]) -> Check {
        let signature = builtin.signature();
        let tys = args.iter().map(|&arg| self.body.exprs[arg].ty);
        let agrees = signature.admits(self.types, ty, tys);
        require(agrees, expr, "operands and result of a built-in function have the types of its signature")?;
        for (&arg, param) in args.iter().zip(signature.params) {
            if let Operand::Constant(min, max) = *param {
                let value = &self.body.exprs[arg].data;
                let is_in_range =
                    value.as_int().is_some_and(|value| (min.into()..=max.into()).contains(&value));
                require(is_in_range, arg, "an immediate operand is a constant in its range")?;
            }
        }
        Ok(())
    }
}
