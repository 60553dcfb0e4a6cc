//! Calls of functions, intrinsics and inline PTX.

use inkwell::InlineAsmDialect;
use inkwell::attributes::AttributeLoc;
use inkwell::intrinsics::Intrinsic;
use inkwell::types::{BasicTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FunctionValue};

use super::super::body::{Asm, ConstantData};
use super::{Copier, Function, attribute};

/// The intrinsic that LLVM lowers to the approximate instruction, where that is permitted.
const TANH: &str = "llvm.tanh";

impl<'ctx> Copier<'_, 'ctx> {
    pub(super) fn call(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        (ty, callee): (usize, usize),
        arguments: &[usize],
        attributes: usize,
    ) -> Option<Option<BasicValueEnum<'ctx>>> {
        let ty = self.function_type(ty)?;
        let arguments: Vec<BasicValueEnum<'_>> =
            arguments.iter().map(|argument| self.value(function, *argument)).collect::<Option<_>>()?;
        if !ty
            .get_param_types()
            .iter()
            .copied()
            .eq(arguments.iter().map(|argument| argument.get_type().into()))
        {
            return None;
        }
        let passed: Vec<BasicMetadataValueEnum<'_>> =
            arguments.iter().map(|argument| (*argument).into()).collect();
        if let Some(called) = self.library.values.get(callee) {
            if called.function.as_ref()?.is_declaration {
                return Some(Some(self.call_intrinsic(callee, ty, passed)?));
            }
            let called = self.functions[callee].filter(|called| called.get_type() == ty)?;
            return Some(
                self.builder.build_direct_call(called, &passed, "").ok()?.try_as_basic_value().basic(),
            );
        }
        let constant = function.body.constants.get(callee.checked_sub(function.body.first_constant)?)?;
        let ConstantData::Asm(Asm { has_effect, text, constraints }) = &constant.data else { return None };
        let (text, constraints) =
            (String::from_utf8(text.clone()).ok()?, String::from_utf8(constraints.clone()).ok()?);
        let asm = self.build_options.llvm.create_inline_asm(
            ty,
            text,
            constraints,
            *has_effect,
            false,
            Some(InlineAsmDialect::ATT),
            false,
        );
        let call = self.builder.build_indirect_call(ty, asm, &passed, "").ok()?;
        call.add_attribute(AttributeLoc::Function, self.attribute("nounwind"));
        if self.attributes_of(attributes)?.contains(&attribute::READ_NONE) {
            call.add_attribute(AttributeLoc::Function, self.attribute("memory"));
        }
        Some(call.try_as_basic_value().basic())
    }

    /// A call of an intrinsic, and its result in the type that the library declares.
    pub(super) fn call_intrinsic(
        &mut self,
        callee: usize,
        ty: FunctionType<'ctx>,
        mut arguments: Vec<BasicMetadataValueEnum<'ctx>>,
    ) -> Option<BasicValueEnum<'ctx>> {
        if self.functions[callee].is_none() {
            self.functions[callee] = Some(self.intrinsic(callee, ty)?);
        }
        let called = self.functions[callee]?;
        // The leading zeros of zero and the absolute value of the minimum are defined.
        if called.count_params() as usize == arguments.len() + 1 {
            arguments.push(self.build_options.llvm.bool_type().const_zero().into());
        }
        let result =
            self.builder.build_direct_call(called, &arguments, "").ok()?.try_as_basic_value().basic()?;
        if called.get_name().to_bytes().starts_with(TANH.as_bytes()) {
            result.as_instruction_value()?.set_fast_math_flags(FastMathFlags::ApproxFunc).ok()?;
        }
        match (result, ty.get_return_type()?) {
            (result, ty) if result.get_type() == ty => Some(result),
            // LLVM's bit counts have the operand's type here; the library's have 32 bits.
            (BasicValueEnum::IntValue(result), BasicTypeEnum::IntType(ty))
                if ty.get_bit_width() < result.get_type().get_bit_width() =>
            {
                Some(self.builder.build_int_truncate(result, ty, "").ok()?.into())
            }
            _ => None,
        }
    }

    /// LLVM's intrinsic for the name that the library declares, or for its current name.
    pub(super) fn intrinsic(&self, callee: usize, ty: FunctionType<'ctx>) -> Option<FunctionValue<'ctx>> {
        let name = self.library.name(&self.library.values[callee])?;
        // Other upgrades are left to LLVM's reader.
        let of_type = match name.strip_prefix("llvm.")? {
            "nvvm.fabs.f" | "nvvm.fabs.d" => Some("llvm.nvvm.fabs"),
            "nvvm.fabs.ftz.f" => Some("llvm.nvvm.fabs.ftz"),
            "nvvm.ex2.approx.f" => Some("llvm.nvvm.ex2.approx"),
            "nvvm.ex2.approx.ftz.f" => Some("llvm.nvvm.ex2.approx.ftz"),
            "nvvm.min.i" | "nvvm.min.ll" => Some("llvm.smin"),
            "nvvm.max.i" | "nvvm.max.ll" => Some("llvm.smax"),
            "nvvm.min.ui" | "nvvm.min.ull" => Some("llvm.umin"),
            "nvvm.max.ui" | "nvvm.max.ull" => Some("llvm.umax"),
            "nvvm.clz.i" | "nvvm.clz.ll" => Some("llvm.ctlz"),
            "nvvm.popc.i" | "nvvm.popc.ll" => Some("llvm.ctpop"),
            "nvvm.brev32" | "nvvm.brev64" => Some("llvm.bitreverse"),
            "nvvm.abs.i" | "nvvm.abs.ll" => Some("llvm.abs"),
            "copysign.f32" | "copysign.f64" => Some("llvm.copysign"),
            "nvvm.tanh.approx.f32" => Some(TANH),
            name if name.starts_with("nvvm.") => None,
            _ => return None,
        };
        let intrinsic = Intrinsic::find(of_type.unwrap_or(&name))?;
        if intrinsic.is_overloaded() != of_type.is_some() {
            return None;
        }
        let parameters = ty.get_param_types();
        let types: Option<Vec<BasicTypeEnum<'_>>> =
            of_type.iter().map(|_| BasicTypeEnum::try_from(*parameters.first()?).ok()).collect();
        let called = intrinsic.get_declaration(self.module, &types?)?;
        let (found, n_found) = (called.get_type().get_param_types(), called.count_params() as usize);
        (found.starts_with(&parameters) && n_found <= parameters.len() + 1).then_some(called)
    }
}
