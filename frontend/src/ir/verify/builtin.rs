//! Built-in functions: the types of their operands, as [`Builtin::signature`] has them.

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
            if let Some((range, step)) = param.constants() {
                let value = self.body.exprs[arg].data.as_int().and_then(|value| u32::try_from(value).ok());
                let is_in_range = value.is_some_and(|value| range.contains(&value) && value % step == 0);
                require(is_in_range, arg, "an immediate operand is a constant in its range")?;
            }
        }
        Ok(())
    }
}
