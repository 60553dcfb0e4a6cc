//! Addresses as integers in initial values: `(long)&x`, `(size_t)array + 8`.
//!
//! C++ has no such constant expressions, and nothing but the initial value of a variable may be one
//! ([`Conversions::static_init`]). nvcc takes a cast of an address to an integer of its size, integers added to it or
//! subtracted from it, and casts of these back to pointers.

use super::const_eval::{Base, Mode, NotConstant, Value, Why};
use crate::ir::{BinaryOp, Conversion, Expr, ExprData, Space, Ty};
use crate::sema::Constants;

impl Constants<'_> {
    /// The constant that an initial value is. No address is one that differs from block to block.
    pub(in crate::sema) fn initial_value(&self, expr: Expr) -> Result<Value, NotConstant> {
        let value = match self.eval_initial_value(expr) {
            Ok(value) => value,
            Err(not) => self.address_constant(expr).ok_or(not)?,
        };
        match value {
            Value::Addr(Base::Global(global), _) if self.module.globals[global].space == Space::Shared => {
                let why = Why::Text("each block has its own `__shared__` variable");
                Err(NotConstant::new(self.span_of(expr), why))
            }
            _ => Ok(value),
        }
    }

    /// The address that an initial value is; none where it is no address that is known, or one that PTX cannot
    /// write: before the start of an object, or inside a function.
    fn address_constant(&self, expr: Expr) -> Option<Value> {
        let (base, offset) = self.address_behind(expr)?;
        let is_writable = match base {
            Base::Global(_) => offset >= 0,
            Base::Func(_) => offset == 0,
            Base::Null => false,
        };
        is_writable.then_some(Value::Addr(base, offset))
    }

    fn address_behind(&self, expr: Expr) -> Option<(Base, i64)> {
        if let Ok(Value::Addr(base, offset)) = self.eval(expr, Mode::Required) {
            return (base != Base::Null).then_some((base, offset));
        }
        let node = &self.arena.exprs[expr];
        match node.data {
            ExprData::Convert(Conversion::PtrToInt | Conversion::IntToInt, operand) => {
                let (base, offset) = self.address_behind(operand)?;
                self.holds_address(node.ty).then_some((base, offset))
            }
            ExprData::Convert(Conversion::IntToPtr | Conversion::PtrToPtr, operand) => {
                self.address_behind(operand)
            }
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs) => {
                let distance = |expr| match self.eval(expr, Mode::Required) {
                    Ok(Value::Int(distance)) => i64::try_from(distance).ok(),
                    Ok(Value::Float(_) | Value::Extended(_) | Value::Addr(..)) | Err(_) => None,
                };
                match (op, self.address_behind(lhs), self.address_behind(rhs)) {
                    (BinaryOp::Add, Some((base, offset)), None) => {
                        Some((base, offset.checked_add(distance(rhs)?)?))
                    }
                    (BinaryOp::Add, None, Some((base, offset))) => {
                        Some((base, offset.checked_add(distance(lhs)?)?))
                    }
                    (BinaryOp::Sub, Some((base, offset)), None) => {
                        Some((base, offset.checked_sub(distance(rhs)?)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether the type is an integer of the size of an address.
    fn holds_address(&self, ty: Ty) -> bool {
        let types = &self.module.types;
        types.int_ty(ty).is_some_and(|int| int.bits() == types.model().address_bits())
    }
}
