//! The program's inline PTX (Inline PTX Assembly in CUDA).
//!
//! A volatile `asm` may read and write all memory, like in nvcc, with or without a `"memory"` clobber. Any
//! other is a function of its inputs: it may be removed, and moved out of loops. No `asm` may become
//! dependent on further conditions, since it may be a warp collective.

use std::fmt::Write;

use inkwell::InlineAsmDialect;
use inkwell::attributes::AttributeLoc;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FloatType, IntType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use weft_frontend::ir::{Asm, AsmOutput, AsmPiece, AsmPieceData};
use weft_frontend::source::Span;

use crate::Bug;
use crate::place::LoweredPlace;
use crate::stmt::Statements;

impl<'ctx> Statements<'_, '_, '_, 'ctx> {
    /// Lowers an `asm` statement.
    pub(super) fn lower_asm(&mut self, asm: &Asm, span: Span) -> Result<(), Bug> {
        let mut places = Vec::with_capacity(asm.outputs.len());
        for output in &asm.outputs {
            places.push(self.exprs.lower_place(output.place)?);
        }
        let mut args: Vec<BasicMetadataValueEnum<'ctx>> = Vec::with_capacity(asm.inputs.len());
        for input in &asm.inputs {
            let value = self.exprs.lower_scalar(input.value)?;
            args.push(self.asm_operand(value)?.into());
        }
        for (output, place) in asm.outputs.iter().zip(&places).filter(|(output, _)| output.is_read) {
            let node = &self.exprs.body.places[output.place];
            let (ty, span) = (node.ty, node.span);
            self.exprs.debug.locate(span);
            let value = self.code.memory().load_place(place, ty)?;
            args.push(self.asm_operand(value)?.into());
        }
        self.exprs.debug.locate(span);
        let result = |output: &AsmOutput| match self.cx.scalar_ty(self.exprs.body.places[output.place].ty) {
            BasicTypeEnum::FloatType(ty) => self.asm_bits(ty).into(),
            ty => ty,
        };
        let results: Vec<BasicTypeEnum<'ctx>> = asm.outputs.iter().map(result).collect();
        let values = self.call_asm(asm, &results, &args)?;
        for ((output, place), value) in asm.outputs.iter().zip(&places).zip(values) {
            let ty = self.cx.scalar_ty(self.exprs.body.places[output.place].ty);
            let value = self.code.builder.build_bit_cast(value, ty, "")?;
            self.store_output(output, place, value)?;
        }
        Ok(())
    }

    /// The register type of a floating-point operand. LLVM's code generator would use an integer, too, but
    /// give the resulting load the line of the `asm`.
    fn asm_bits(&self, ty: FloatType<'ctx>) -> IntType<'ctx> {
        if ty == self.cx.tys.f64 { self.cx.tys.i64 } else { self.cx.tys.i32 }
    }

    /// An operand in its register type.
    fn asm_operand(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        match value {
            BasicValueEnum::FloatValue(number) => {
                Ok(self.code.builder.build_bit_cast(number, self.asm_bits(number.get_type()), "")?)
            }
            value => Ok(value),
        }
    }

    fn store_output(
        &self,
        output: &AsmOutput,
        place: &LoweredPlace<'ctx>,
        value: BasicValueEnum<'ctx>,
    ) -> Result<(), Bug> {
        self.code.memory().store_place(place, self.exprs.body.places[output.place].ty, value).map(drop)
    }

    /// Emits the text at the builder's position; returns its outputs.
    fn call_asm(
        &self,
        asm: &Asm,
        results: &[BasicTypeEnum<'ctx>],
        args: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<Vec<BasicValueEnum<'ctx>>, Bug> {
        let cx = self.cx;
        let mut params: Vec<BasicMetadataTypeEnum<'ctx>> = Vec::with_capacity(args.len());
        for &arg in args {
            let arg = BasicValueEnum::try_from(arg).map_err(|_| Bug::from("an operand without a value"))?;
            params.push(arg.get_type().into());
        }
        let ty = match results {
            [] => cx.llvm.void_type().fn_type(&params, false),
            [BasicTypeEnum::IntType(ty)] => ty.fn_type(&params, false),
            [BasicTypeEnum::PointerType(ty)] => ty.fn_type(&params, false),
            [_] => return Err(Bug::from("an output of a type that no register holds")),
            _ => cx.llvm.struct_type(results, false).fn_type(&params, false),
        };
        let callee = cx.llvm.create_inline_asm(
            ty,
            llvm_text(asm),
            constraints(asm),
            asm.has_effects,
            false,
            Some(InlineAsmDialect::ATT),
            false,
        );
        let call = self.code.builder.build_indirect_call(ty, callee, args, "")?;
        for attribute in [cx.attrs.nounwind, cx.attrs.convergent] {
            call.add_attribute(AttributeLoc::Function, cx.enum_attr(attribute, 0));
        }
        if !asm.has_effects {
            call.add_attribute(AttributeLoc::Function, cx.enum_attr(cx.attrs.memory, 0));
        }
        let Some(value) = call.try_as_basic_value().basic() else { return Ok(Vec::new()) };
        if results.len() == 1 {
            return Ok(vec![value]);
        }
        let parts = (0..results.len() as u32)
            .map(|idx| self.code.builder.build_extract_value(value.into_struct_value(), idx, ""));
        Ok(parts.collect::<Result<_, _>>()?)
    }
}

/// LLVM Language Reference, "Asm template argument modifiers".
fn llvm_text(asm: &Asm) -> String {
    let mut text = String::new();
    for piece in &asm.pieces {
        match &piece.data {
            AsmPieceData::Text(part) => text.push_str(&part.replace('$', "$$")),
            AsmPieceData::Operand(idx) => write!(text, "${{{idx}}}").expect("invariant: a string takes all"),
            AsmPieceData::Unique => text.push_str("${:uid}"),
        }
    }
    text
}

/// LLVM Language Reference, "Inline Asm Constraint String": outputs, inputs, and those inputs that are outputs.
fn constraints(asm: &Asm) -> String {
    let mut constraints = Vec::with_capacity(asm.n_operands() + 1);
    // Without `&`, nvcc may give an output the register of an input. That is rarely intended for several
    // instructions, and ptxas removes the copy; a single instruction reads before it writes.
    let is_long = asm.pieces.iter().map(semicolons).sum::<usize>() > 1;
    for output in &asm.outputs {
        let early = if output.is_early || is_long { "&" } else { "" };
        constraints.push(format!("={early}{}", output.register.letter()));
    }
    constraints.extend(asm.inputs.iter().map(|input| input.register.letter().to_string()));
    let read = asm.outputs.iter().enumerate().filter(|(_, output)| output.is_read);
    constraints.extend(read.map(|(idx, _)| idx.to_string()));
    if asm.has_effects {
        constraints.push("~{memory}".to_owned());
    }
    constraints.join(",")
}

fn semicolons(piece: &AsmPiece) -> usize {
    match &piece.data {
        AsmPieceData::Text(text) => text.matches(';').count(),
        AsmPieceData::Operand(_) | AsmPieceData::Unique => 0,
    }
}
