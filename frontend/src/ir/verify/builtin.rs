//! Built-in functions: the types of their operands, as [`Builtin`] documents them.

use super::super::{Builtin, Expr, IntTy, Ty, TyKind};
use super::body::BodyCx;
use super::types::{is_arithmetic_int, is_float, same};
use super::{Check, require};
use crate::layout;

impl BodyCx<'_> {
    /// Checks the operands, which are themselves checked already.
    pub(super) fn check_builtin(&self, expr: Expr, ty: Ty, builtin: Builtin, args: &[Expr]) -> Check {
        let types = self.types;
        let is_number = is_arithmetic_int(types, ty) || is_float(types, ty);
        let (params, gives): (&[Ty], bool) = match builtin {
            Builtin::SyncThreads => (&[], same(types, ty, Ty::VOID)),
            Builtin::SyncWarp => (&[Ty::UINT], same(types, ty, Ty::VOID)),
            Builtin::AtomicAdd => return self.check_atomic_add(expr, ty, args),
            Builtin::Min | Builtin::Max => (&[ty, ty], is_number),
            Builtin::Abs => (&[ty], is_number),
            Builtin::Fma => (&[ty, ty, ty], is_float(types, ty)),
            Builtin::Sqrt | Builtin::Floor | Builtin::Ceil | Builtin::Trunc => (&[ty], is_float(types, ty)),
            Builtin::Rsqrt => (&[ty], same(types, ty, Ty::FLOAT)),
            Builtin::ShflUp | Builtin::ShflDown => {
                (&[Ty::UINT, ty, Ty::UINT, Ty::INT], self.has_32_or_64_bits(ty))
            }
            Builtin::ShflIdx | Builtin::ShflXor => {
                (&[Ty::UINT, ty, Ty::INT, Ty::INT], self.has_32_or_64_bits(ty))
            }
        };
        require(gives, expr, "a built-in function gives a type that it is for")?;
        require(args.len() == params.len(), expr, "a built-in function has all its operands")?;
        for (&arg, &param) in args.iter().zip(params) {
            let agrees = same(types, self.body.exprs[arg].ty, param);
            require(agrees, arg, "an operand of a built-in function has its type")?;
        }
        Ok(())
    }

    fn check_atomic_add(&self, expr: Expr, ty: Ty, args: &[Expr]) -> Check {
        let types = self.types;
        let is_atomic = match types.kind(ty) {
            TyKind::Int(int) => matches!(int, IntTy::Int | IntTy::UInt | IntTy::ULongLong),
            TyKind::Float(_) => true,
            _ => false,
        };
        require(is_atomic, expr, "`atomicAdd` is of a type that it is for")?;
        let &[pointer, value] = args else {
            return require(false, expr, "a built-in function has all its operands");
        };
        let pointee = types.pointee(self.body.exprs[pointer].ty);
        let agrees = pointee.is_some_and(|pointee| super::types::same_unqualified(types, pointee, ty));
        require(agrees, pointer, "an operand of a built-in function has its type")?;
        let agrees = same(types, self.body.exprs[value].ty, ty);
        require(agrees, value, "an operand of a built-in function has its type")
    }

    fn has_32_or_64_bits(&self, ty: Ty) -> bool {
        let is_scalar = matches!(self.types.kind(ty), TyKind::Int(_) | TyKind::Float(_));
        is_scalar && matches!(layout::size_of(self.types, ty), Ok(4 | 8))
    }
}
