//! Conversions: their operand and result types.

use super::super::{Conversion, Expr, IntTy, Scalar, Ty, View};
use super::body::BodyCx;
use super::{Check, require};

/// The aspects of a type that matter to conversions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Int,
    Enum,
    Float,
    Pointer,
    Handle,
    Void,
    Other,
}

impl BodyCx<'_> {
    pub(super) fn check_conversion(&self, expr: Expr, conversion: Conversion, from: Ty, to: Ty) -> Check {
        let (from, to) = (self.class(from), self.class(to));
        let is_integral = |class| matches!(class, Class::Bool | Class::Int | Class::Enum);
        let is_int_or_enum = |class| matches!(class, Class::Int | Class::Enum);
        let holds = match conversion {
            Conversion::IntToInt => is_integral(from) && is_int_or_enum(to),
            Conversion::IntToFloat => is_integral(from) && to == Class::Float,
            Conversion::FloatToInt => from == Class::Float && is_int_or_enum(to),
            Conversion::FloatToFloat => from == Class::Float && to == Class::Float,
            Conversion::ToBool => (is_integral(from) || from == Class::Float) && to == Class::Bool,
            Conversion::PtrToBool => from == Class::Pointer && to == Class::Bool,
            Conversion::PtrToPtr => from == Class::Pointer && to == Class::Pointer,
            Conversion::IntToPtr => is_integral(from) && to == Class::Pointer,
            Conversion::PtrToInt => from == Class::Pointer && is_int_or_enum(to),
            Conversion::HandleToInt => from == Class::Handle && to == Class::Int,
            Conversion::ToVoid => to == Class::Void,
        };
        require(holds, expr, "a conversion has valid operand and result types")
    }

    fn class(&self, ty: Ty) -> Class {
        match self.types.view(ty) {
            View::Scalar(Scalar::Int(IntTy::Bool)) => Class::Bool,
            View::Scalar(Scalar::Int(_)) => Class::Int,
            View::Scalar(Scalar::Enum(_)) => Class::Enum,
            View::Scalar(Scalar::Float(_)) => Class::Float,
            View::Scalar(Scalar::Pointer(_)) => Class::Pointer,
            View::Scalar(Scalar::Opaque(_)) => Class::Handle,
            View::Void => Class::Void,
            View::Scalar(Scalar::Nullptr | Scalar::Reference(..))
            | View::Error
            | View::Array(..)
            | View::Func(_)
            | View::Record(_) => Class::Other,
        }
    }
}
