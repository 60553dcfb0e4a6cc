//! Instructions without an LLVM operation or intrinsic, as inline PTX.

use inkwell::InlineAsmDialect;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};

use crate::Bug;
use crate::code::Code;
use crate::context::Cx;

impl<'ctx> Code<'_, '_, 'ctx> {
    /// An instruction without effects: `$0` is the result.
    pub(super) fn asm_value(
        &self,
        text: &str,
        ret: BasicTypeEnum<'ctx>,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.cx
            .asm(&self.builder, text, Some(ret), args, Effect::None)?
            .ok_or_else(|| Bug::from("PTX without a result"))
    }

    /// An instruction with effects, but without a result.
    pub(super) fn asm_effect(&self, text: &str, args: &[BasicMetadataValueEnum<'ctx>]) -> Result<(), Bug> {
        self.cx.asm(&self.builder, text, None, args, Effect::Memory).map(drop)
    }

    /// An instruction that reads memory which others may write.
    pub(super) fn asm_load(
        &self,
        text: &str,
        ret: BasicTypeEnum<'ctx>,
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.cx
            .asm(&self.builder, text, Some(ret), args, Effect::Memory)?
            .ok_or_else(|| Bug::from("PTX without a result"))
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// An instruction at the builder's position.
    pub(crate) fn asm(
        &self,
        builder: &Builder<'ctx>,
        text: &str,
        ret: Option<BasicTypeEnum<'ctx>>,
        args: &[BasicMetadataValueEnum<'ctx>],
        effect: Effect,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        self.asm_tied(builder, text, ret, 0, args, effect)
    }

    /// The same, where the first arguments are the initial values of the result registers. They have operand
    /// numbers in the text, too.
    pub(crate) fn asm_tied(
        &self,
        builder: &Builder<'ctx>,
        text: &str,
        ret: Option<BasicTypeEnum<'ctx>>,
        n_tied: usize,
        args: &[BasicMetadataValueEnum<'ctx>],
        effect: Effect,
    ) -> Result<Option<BasicValueEnum<'ctx>>, Bug> {
        let mut constraints: Vec<String> = Vec::new();
        if let Some(ret) = ret {
            match ret {
                BasicTypeEnum::StructType(members) => {
                    constraints
                        .extend(members.get_field_types_iter().map(|ty| format!("={}", self.letter(ty))));
                }
                _ => constraints.push(format!("={}", self.letter(ret))),
            }
        }
        let mut params: Vec<BasicMetadataTypeEnum<'ctx>> = Vec::with_capacity(args.len());
        for (idx, &arg) in args.iter().enumerate() {
            let arg =
                BasicValueEnum::try_from(arg).map_err(|_| Bug::from("an operand of PTX without a value"))?;
            constraints.push(match idx < n_tied {
                true => idx.to_string(),
                false => self.letter(arg.get_type()).to_string(),
            });
            params.push(arg.get_type().into());
        }
        if effect != Effect::None {
            constraints.push("~{memory}".to_owned());
        }
        let ty = match ret {
            Some(BasicTypeEnum::IntType(ty)) => ty.fn_type(&params, false),
            Some(BasicTypeEnum::FloatType(ty)) => ty.fn_type(&params, false),
            Some(BasicTypeEnum::StructType(ty)) => ty.fn_type(&params, false),
            Some(_) => return Err(Bug::from("a result of PTX that fits no register")),
            None => self.llvm.void_type().fn_type(&params, false),
        };
        let asm = self.llvm.create_inline_asm(
            ty,
            text.to_owned(),
            constraints.join(","),
            effect != Effect::None,
            false,
            Some(InlineAsmDialect::ATT),
            false,
        );
        let call = builder.build_indirect_call(ty, asm, args, "")?;
        call.add_attribute(AttributeLoc::Function, self.enum_attr(self.attrs.nounwind, 0));
        match effect {
            Effect::None => call.add_attribute(AttributeLoc::Function, self.enum_attr(self.attrs.memory, 0)),
            Effect::Memory => {}
            Effect::Together => {
                call.add_attribute(AttributeLoc::Function, self.enum_attr(self.attrs.convergent, 0));
            }
        }
        Ok(call.try_as_basic_value().basic())
    }

    /// The constraint letter of a register (LLVM Language Reference, "Supported Constraint Code List",
    /// NVPTX).
    fn letter(&self, ty: BasicTypeEnum<'_>) -> char {
        let of_int = |width| match width {
            1 => 'b',
            8 => 'c',
            16 => 'h',
            32 => 'r',
            128 => 'q',
            _ => 'l',
        };
        match ty {
            BasicTypeEnum::IntType(int) => of_int(int.get_bit_width()),
            BasicTypeEnum::FloatType(float) => match float.get_bit_width() {
                16 => 'h',
                32 => 'f',
                _ => 'd',
            },
            BasicTypeEnum::PointerType(_) => of_int(self.tys.word.get_bit_width()),
            BasicTypeEnum::ArrayType(_)
            | BasicTypeEnum::StructType(_)
            | BasicTypeEnum::VectorType(_)
            | BasicTypeEnum::ScalableVectorType(_) => 'l',
        }
    }
}

/// The effects of inline PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No effects.
    None,
    /// It accesses memory.
    Memory,
    /// It accesses memory, and is convergent: all threads of the warp must reach it.
    Together,
}
