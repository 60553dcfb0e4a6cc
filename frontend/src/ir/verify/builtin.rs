//! Built-in functions: the types of their operands, as [`Builtin::signature`] has them.

use super::super::{Builtin, Expr, Ty};
use super::body::BodyCx;
use super::{Check, require};

impl BodyCx<'_> {
    /// Checks the operands, which are themselves checked already.
    pub(super) fn check_builtin(&self, expr: Expr, ty: Ty, builtin: Builtin, args: &[Expr]) -> Check {
        let tys = args.iter().map(|&arg| self.body.exprs[arg].ty);
        let agrees = builtin.signature().admits(self.types, ty, tys);
        require(agrees, expr, "operands and result of a built-in function have the types of its signature")
    }
}
