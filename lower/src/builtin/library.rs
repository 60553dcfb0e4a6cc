//! Calls of libdevice functions, and functions that are PTX instructions.

use std::f32::consts::{LN_2, LOG2_10, LOG2_E, LOG10_2};

use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue};
use weft_frontend::ir::{Expr, ExprNode, LibraryFn};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::builtin::Builtins;
use crate::features::is_single;
use crate::libdevice;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// A libdevice function; the result, if it has one.
    pub(super) fn lower_library(
        &mut self,
        function: LibraryFn,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let tys = args.iter().map(|&arg| self.exprs.expr(arg).ty).chain([node.ty]);
        let is_single = is_single(&self.cx.ir.types, tys);
        let function = form(function, is_single, self.cx.options.fast_math);
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(match self.exprs.lower_scalar(arg)? {
                BasicValueEnum::IntValue(value) => self.code.numbers().clamped(value)?.into(),
                value => value,
            });
        }
        self.exprs.debug.locate(node.span);
        if !needs_libdevice(function, is_single) {
            return self.code.numbers().lower_instructions(function, &values);
        }
        let tys: Vec<BasicMetadataTypeEnum<'ctx>> =
            values.iter().map(|value| value.get_type().into()).collect();
        let values: Vec<BasicMetadataValueEnum<'ctx>> = values.into_iter().map(Into::into).collect();
        let ty = self.code.numbers().library_fn_ty(function, is_single, &tys);
        let callee = libdevice::declare(self.cx, function, is_single, ty);
        let call = self.code.builder.build_direct_call(callee, &values, "")?;
        match call.try_as_basic_value().basic() {
            Some(BasicValueEnum::IntValue(value)) => {
                let to = self.cx.scalar_ty(node.ty).into_int_type();
                Ok(Some(self.code.builder.build_int_cast_sign_flag(value, to, true, "")?.into()))
            }
            value => Ok(value),
        }
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// A unary `float` function in the requested form.
    pub(super) fn call_of_single(
        &self,
        function: LibraryFn,
        x: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let function = form(function, true, self.cx.options.fast_math);
        let value = if needs_libdevice(function, true) {
            let ty = self.library_fn_ty(function, true, &[x.get_type().into()]);
            let callee = libdevice::declare(self.cx, function, true, ty);
            self.code.builder.build_direct_call(callee, &[x.into()], "")?.try_as_basic_value().basic()
        } else {
            self.lower_instructions(function, &[x])?
        };
        value.ok_or_else(|| Bug::from("a function without a result"))
    }

    /// A `float` function by its instructions (CUDA C++ Programming Guide, "Intrinsic Functions").
    fn lower_instructions(
        &self,
        function: LibraryFn,
        args: &[BasicValueEnum<'ctx>],
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let &[x, ref others @ ..] = args else { return Err(Bug::from("a function without an operand")) };
        let by = |value: BasicValueEnum<'ctx>, factor: f32| {
            let factor = self.cx.tys.f32.const_float(f64::from(factor));
            self.contract(self.code.builder.build_float_mul(value.into_float_value(), factor, "")?.into())
        };
        Ok(Some(match (function, others) {
            (LibraryFn::Exp2, []) => self.approx("ex2", &[x])?,
            (LibraryFn::FastSin, []) => self.approx("sin", &[x])?,
            (LibraryFn::FastCos, []) => self.approx("cos", &[x])?,
            (LibraryFn::FastTan, []) => {
                self.approx("div", &[self.approx("sin", &[x])?, self.approx("cos", &[x])?])?
            }
            (LibraryFn::FastSincos, &[to_sine, to_cosine]) => {
                for (name, to) in [("sin", to_sine), ("cos", to_cosine)] {
                    self.code.builder.build_store(to.into_pointer_value(), self.approx(name, &[x])?)?;
                }
                return Ok(None);
            }
            (LibraryFn::FastSin2pi, []) => self.of_turns("sin", x)?,
            (LibraryFn::FastCos2pi, []) => self.of_turns("cos", x)?,
            (LibraryFn::FastSincos2pi, &[to_sine, to_cosine]) => {
                for (name, to) in [("sin", to_sine), ("cos", to_cosine)] {
                    self.code.builder.build_store(to.into_pointer_value(), self.of_turns(name, x)?)?;
                }
                return Ok(None);
            }
            (LibraryFn::FastExp, []) => self.approx("ex2", &[by(x, LOG2_E)?])?,
            (LibraryFn::FastExp10, []) => self.approx("ex2", &[by(x, LOG2_10)?])?,
            (LibraryFn::FastLog2, []) => self.approx("lg2", &[x])?,
            (LibraryFn::FastLog, []) => by(self.approx("lg2", &[x])?, LN_2)?,
            (LibraryFn::FastLog10, []) => by(self.approx("lg2", &[x])?, LOG10_2)?,
            (LibraryFn::FastPow, &[y]) => {
                let log = self.approx("lg2", &[x])?.into_float_value();
                let product = self.code.builder.build_float_mul(y.into_float_value(), log, "")?;
                self.approx("ex2", &[self.contract(product.into())?])?
            }
            (LibraryFn::FastFdivide, &[y]) => self.approx("div", &[x, y])?,
            _ => return Err(Bug::from("a function that PTX has no instructions for")),
        }))
    }

    /// An approximate `float` instruction: `sin.approx`, with `.ftz` if requested.
    fn approx(&self, name: &str, args: &[BasicValueEnum<'ctx>]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ftz = if self.cx.options.ftz { ".ftz" } else { "" };
        let args: Vec<BasicMetadataValueEnum<'ctx>> = args.iter().map(|&arg| arg.into()).collect();
        match name {
            // LLVM has other overloads of this one.
            "ex2" => self.code.call_intrinsic(
                &format!("llvm.nvvm.ex2.approx{ftz}"),
                &[self.cx.tys.f32.into()],
                &args,
            ),
            _ => self.code.call_intrinsic(&format!("llvm.nvvm.{name}.approx{ftz}.f"), &[], &args),
        }
    }

    /// `sin.approx.2pi` and `cos.approx.2pi`, which only exist with `.ftz` (ptxas 13.5).
    fn of_turns(&self, name: &str, x: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.code.asm_value(
            &format!("{name}.approx.2pi.ftz.f32 $0, $1;"),
            self.cx.tys.f32.into(),
            &[x.into()],
        )
    }

    /// An integer wider than `int`, saturated to `int`.
    fn clamped(&self, value: IntValue<'ctx>) -> Result<IntValue<'ctx>, Bug> {
        let (from, to) = (value.get_type(), self.cx.tys.i32);
        if from == to {
            return Ok(value);
        }
        let mut value = value;
        for (name, end) in [("llvm.smin", i64::from(i32::MAX)), ("llvm.smax", i64::from(i32::MIN))] {
            let end = from.const_int(end as u64, true);
            value =
                self.code.call_intrinsic(name, &[from.into()], &[value.into(), end.into()])?.into_int_value();
        }
        Ok(self.code.builder.build_int_truncate(value, to, "")?)
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
            LibraryFn::Sincos | LibraryFn::Sincospi | LibraryFn::FastSincos | LibraryFn::FastSincos2pi => {
                self.cx.llvm.void_type().fn_type(params, false)
            }
            _ if is_single => tys.f32.fn_type(params, false),
            _ => tys.f64.fn_type(params, false),
        }
    }
}

/// The form in which a function is called: the fast one if it exists and is requested.
fn form(function: LibraryFn, is_single: bool, is_fast: bool) -> LibraryFn {
    if is_single && is_fast { fast_form(function) } else { function }
}

/// Whether a call of the function calls libdevice.
pub(crate) fn calls_libdevice(function: LibraryFn, is_single: bool, is_fast: bool) -> bool {
    needs_libdevice(form(function, is_single, is_fast), is_single)
}

fn needs_libdevice(function: LibraryFn, is_single: bool) -> bool {
    match function {
        LibraryFn::Exp2 => !is_single,
        LibraryFn::FastSin
        | LibraryFn::FastCos
        | LibraryFn::FastTan
        | LibraryFn::FastSincos
        | LibraryFn::FastSin2pi
        | LibraryFn::FastCos2pi
        | LibraryFn::FastSincos2pi
        | LibraryFn::FastExp
        | LibraryFn::FastExp10
        | LibraryFn::FastLog2
        | LibraryFn::FastLog
        | LibraryFn::FastLog10
        | LibraryFn::FastPow
        | LibraryFn::FastFdivide => false,
        _ => true,
    }
}

/// The fast form of a `float` function, if it has one (CUDA C++ Programming Guide, "Intrinsic Functions").
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
