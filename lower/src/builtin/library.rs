//! Calls of libdevice's functions.

use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue};
use weft_frontend::ir::{Expr, ExprNode, LibraryFn};

use crate::Bug;
use crate::features::is_single;
use crate::function::FnCx;
use crate::libdevice;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// A function of libdevice's; the result if it has one.
    pub(super) fn lower_library(
        &mut self,
        function: LibraryFn,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let tys = args.iter().map(|&arg| self.expr(arg).ty).chain([node.ty]);
        let is_single = is_single(&self.cx.ir.types, tys);
        let function = if is_single && self.cx.options.fast_math { fast_form(function) } else { function };
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(match self.lower_scalar(arg)? {
                BasicValueEnum::IntValue(value) => self.clamped(value)?.into(),
                value => value,
            });
        }
        self.locate(node.span);
        let tys: Vec<BasicMetadataTypeEnum<'ctx>> =
            values.iter().map(|value| value.get_type().into()).collect();
        let values: Vec<BasicMetadataValueEnum<'ctx>> = values.into_iter().map(Into::into).collect();
        let ty = self.library_fn_ty(function, is_single, &tys);
        let callee = libdevice::declare(self.cx, function, is_single, ty);
        let call = self.builder.build_direct_call(callee, &values, "")?;
        match call.try_as_basic_value().basic() {
            Some(BasicValueEnum::IntValue(value)) => {
                let to = self.cx.scalar_ty(node.ty).into_int_type();
                Ok(Some(self.builder.build_int_cast_sign_flag(value, to, true, "")?.into()))
            }
            value => Ok(value),
        }
    }

    /// An integer that is wider than `int` as one: the least or the greatest where it is beyond them.
    fn clamped(&self, value: IntValue<'ctx>) -> Result<IntValue<'ctx>, Bug> {
        let (from, to) = (value.get_type(), self.cx.tys.i32);
        if from == to {
            return Ok(value);
        }
        let mut value = value;
        for (name, end) in [("llvm.smin", i64::from(i32::MAX)), ("llvm.smax", i64::from(i32::MIN))] {
            let end = from.const_int(end as u64, true);
            value = self.call_intrinsic(name, &[from.into()], &[value.into(), end.into()])?.into_int_value();
        }
        Ok(self.builder.build_int_truncate(value, to, "")?)
    }

    fn library_fn_ty(
        &self,
        function: LibraryFn,
        is_single: bool,
        params: &[BasicMetadataTypeEnum<'ctx>],
    ) -> FunctionType<'ctx> {
        let tys = &self.cx.tys;
        match function {
            LibraryFn::Ilogb => tys.i32.fn_type(params, false),
            LibraryFn::Llrint | LibraryFn::Llround => tys.i64.fn_type(params, false),
            LibraryFn::Sincos | LibraryFn::Sincospi | LibraryFn::FastSincos => {
                self.cx.llvm.void_type().fn_type(params, false)
            }
            _ if is_single => tys.f32.fn_type(params, false),
            _ => tys.f64.fn_type(params, false),
        }
    }
}

/// The fast form of a function for `float`, if it has one (CUDA C++ Programming Guide, "Intrinsic Functions").
fn fast_form(function: LibraryFn) -> LibraryFn {
    match function {
        LibraryFn::Cos => LibraryFn::FastCos,
        LibraryFn::Exp => LibraryFn::FastExp,
        LibraryFn::Exp10 => LibraryFn::FastExp10,
        LibraryFn::Log => LibraryFn::FastLog,
        LibraryFn::Log10 => LibraryFn::FastLog10,
        LibraryFn::Log2 => LibraryFn::FastLog2,
        LibraryFn::Pow => LibraryFn::FastPow,
        LibraryFn::Sin => LibraryFn::FastSin,
        LibraryFn::Sincos => LibraryFn::FastSincos,
        LibraryFn::Tan => LibraryFn::FastTan,
        LibraryFn::Tanh => LibraryFn::FastTanh,
        function => function,
    }
}
