//! Types, constants and tables of the library, built on first use.

use inkwell::AddressSpace;
use inkwell::module::Linkage;
use inkwell::types::{BasicType, BasicTypeEnum, FloatType, FunctionType};
use inkwell::values::{ArrayValue, BasicValueEnum, FloatValue, IntValue, PointerValue};

use super::super::body::ConstantData;
use super::super::library::Type;
use super::{Copier, Function};

impl<'ctx> Copier<'_, 'ctx> {
    pub(super) fn function_type(&mut self, ty: usize) -> Option<FunctionType<'ctx>> {
        let Type::Function { result, parameters, is_variadic: false } = self.library.types.get(ty)? else {
            return None;
        };
        let parameters: Vec<_> =
            parameters.iter().map(|ty| Some(self.ty(*ty)?.into())).collect::<Option<_>>()?;
        Some(match self.library.types.get(*result)? {
            Type::Void => self.build_options.llvm.void_type().fn_type(&parameters, false),
            _ => self.ty(*result)?.fn_type(&parameters, false),
        })
    }

    pub(super) fn ty(&mut self, number: usize) -> Option<BasicTypeEnum<'ctx>> {
        const LONGEST: u64 = 1 << 16;
        if let Some(ty) = self.types.get(number)? {
            return Some(*ty);
        }
        // The parts of a type have lower numbers.
        let part = |copier: &mut Self, part: usize| copier.ty(Some(part).filter(|part| *part < number)?);
        let llvm = self.build_options.llvm;
        let ty = match self.library.types.get(number)? {
            Type::Float => llvm.f32_type().into(),
            Type::Double => llvm.f64_type().into(),
            Type::Integer { width: 1 } => llvm.bool_type().into(),
            Type::Integer { width: 8 } => llvm.i8_type().into(),
            Type::Integer { width: 16 } => llvm.i16_type().into(),
            Type::Integer { width: 32 } => llvm.i32_type().into(),
            Type::Integer { width: 64 } => llvm.i64_type().into(),
            Type::Pointer { space, .. } => llvm.ptr_type(AddressSpace::try_from(*space).ok()?).into(),
            Type::Array { len, of } if *len <= LONGEST => part(self, *of)?.array_type(*len as u32).into(),
            Type::Struct(members) => {
                let members: Vec<_> =
                    members.iter().map(|member| part(self, *member)).collect::<Option<_>>()?;
                llvm.struct_type(&members, false).into()
            }
            _ => return None,
        };
        self.types[number] = Some(ty);
        Some(ty)
    }

    pub(super) fn value(
        &mut self,
        function: &Function<'_, 'ctx>,
        number: usize,
    ) -> Option<BasicValueEnum<'ctx>> {
        if let Some(idx) = number.checked_sub(self.library.values.len()) {
            if let Some(value) = function.values.get(idx)? {
                return Some(*value);
            }
            let idx = number.checked_sub(function.body.first_constant)?;
            let constant = function.body.constants.get(idx)?;
            if let ConstantData::Address(variable, indices) = &constant.data {
                // The first element has the variable's address.
                for index in indices {
                    let index = IntValue::try_from(self.value(function, *index)?).ok()?;
                    index.get_zero_extended_constant().filter(|index| *index == 0)?;
                }
                return Some(self.variable(*variable)?.into());
            }
            let ty = self.ty(constant.ty)?;
            return self.constant(ty, &constant.data);
        }
        if self.library.values.get(number)?.variable.is_some() {
            return Some(self.variable(number)?.into());
        }
        let constant = self.library.constant(number)?;
        let ty = self.ty(constant.ty)?;
        self.constant(ty, &constant.data)
    }

    pub(super) fn pointer(
        &mut self,
        function: &Function<'_, 'ctx>,
        number: usize,
    ) -> Option<PointerValue<'ctx>> {
        PointerValue::try_from(self.value(function, number)?).ok()
    }

    /// The condition of a branch or selection.
    pub(super) fn condition(
        &mut self,
        function: &Function<'_, 'ctx>,
        number: usize,
    ) -> Option<IntValue<'ctx>> {
        let value = IntValue::try_from(self.value(function, number)?).ok()?;
        (value.get_type().get_bit_width() == 1).then_some(value)
    }

    pub(super) fn constant(
        &self,
        ty: BasicTypeEnum<'ctx>,
        data: &ConstantData,
    ) -> Option<BasicValueEnum<'ctx>> {
        match (data, ty) {
            (ConstantData::Null, ty) => Some(ty.const_zero()),
            (ConstantData::Undef, BasicTypeEnum::IntType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Undef, BasicTypeEnum::FloatType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Undef, BasicTypeEnum::StructType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Integer(value), BasicTypeEnum::IntType(ty)) => {
                Some(ty.const_int(*value as u64, true).into())
            }
            (ConstantData::Float(bits), BasicTypeEnum::FloatType(ty)) => {
                self.float(ty, *bits).map(Into::into)
            }
            _ => None,
        }
    }

    /// The floating-point constant with these bits.
    pub(super) fn float(&self, ty: FloatType<'ctx>, number: u64) -> Option<FloatValue<'ctx>> {
        let llvm = self.build_options.llvm;
        let int = if ty == llvm.f64_type() { llvm.i64_type() } else { llvm.i32_type() };
        let value = self.builder.build_bit_cast(int.const_int(number, false), ty, "").ok()?;
        FloatValue::try_from(value).ok()
    }

    pub(super) fn array(&self, elem: BasicTypeEnum<'ctx>, elements: &[u64]) -> Option<ArrayValue<'ctx>> {
        match elem {
            BasicTypeEnum::IntType(elem) => {
                let elements: Vec<_> = elements.iter().map(|bits| elem.const_int(*bits, false)).collect();
                Some(elem.const_array(&elements))
            }
            BasicTypeEnum::FloatType(elem) => {
                let elements: Option<Vec<_>> = elements.iter().map(|bits| self.float(elem, *bits)).collect();
                Some(elem.const_array(&elements?))
            }
            _ => None,
        }
    }

    /// A table of the library, which is added to the module.
    pub(super) fn variable(&mut self, number: usize) -> Option<PointerValue<'ctx>> {
        if let Some(made) = self.variables.get(&number) {
            return Some(*made);
        }
        let value = &self.library.values[number];
        let variable = value.variable?;
        let name = self.library.name(value)?;
        let BasicTypeEnum::ArrayType(ty) = self.ty(variable.ty)? else { return None };
        let initializer = match &self.library.constant(variable.initializer)?.data {
            ConstantData::Null => ty.const_zero(),
            ConstantData::Elements(elements) if elements.len() == ty.len() as usize => {
                self.array(ty.get_element_type(), elements)?
            }
            _ => return None,
        };
        let made = self.module.add_global(ty, Some(AddressSpace::try_from(variable.space).ok()?), &name);
        made.set_initializer(&initializer);
        made.set_constant(variable.is_constant);
        made.set_linkage(Linkage::Internal);
        if variable.align > 0 {
            made.set_alignment(variable.align);
        }
        let made = made.as_pointer_value();
        self.variables.insert(number, made);
        Some(made)
    }
}
