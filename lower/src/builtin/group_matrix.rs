//! Products of matrices by four warps (PTX ISA "wgmma.mma_async"), for which LLVM has no intrinsic.
//!
//! As with nvcc, D is read before the instruction where it is added to, and written behind it: registers that stay what they are, in a
//! program that keeps D in them until it has waited.

use inkwell::InlineAsmDialect;
use inkwell::attributes::AttributeLoc;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum};
use weft_frontend::ir::{Expr, ExprNode, GroupFactor, GroupOption};

use super::matrix::{Registers, constant};
use crate::Bug;
use crate::function::FnCx;

/// How many registers a thread has of A.
const A_REGISTERS: usize = 4;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    pub(super) fn lower_group_product(
        &mut self,
        factor: GroupFactor,
        in_registers: bool,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<(), Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.lower_scalar(arg)?);
        }
        self.locate(node.span);
        let [_, n, _, options @ .., d, a, b] = &values[..] else {
            return Err(Bug::from("a product with other arguments"));
        };
        let (n, d) = (constant(*n)? as usize, d.into_pointer_value());
        let mut said = Vec::new();
        for (option, value) in factor.options().iter().zip(options) {
            if constant(*value)? == 1 {
                said.push(*option);
            }
        }
        let says = |option: GroupOption| said.contains(&option);

        let word: BasicTypeEnum<'ctx> = self.cx.tys.i32.into();
        // Of 64 rows and n columns, each of 128 threads has its share; there are two `__half`s in a register.
        let sums = match says(GroupOption::HalfSums) {
            true => Registers { n: n / 4, ty: word },
            false => Registers { n: n / 2, ty: self.cx.tys.f32.into() },
        };
        let mut operands = Vec::new();
        let mut constraints: Vec<String> = Vec::new();
        let letter = if says(GroupOption::HalfSums) { 'r' } else { 'f' };
        constraints.extend((0..sums.n).map(|_| format!("={letter}")));
        if says(GroupOption::Added) {
            self.take_registers(d, sums, &mut operands)?;
            constraints.extend((0..sums.n).map(|idx| idx.to_string()));
        }
        // What the text calls them: ties have numbers too.
        let first = constraints.len();
        if in_registers {
            self.take_registers(
                a.into_pointer_value(),
                Registers { n: A_REGISTERS, ty: word },
                &mut operands,
            )?;
            constraints.extend((0..A_REGISTERS).map(|_| "r".to_owned()));
        } else {
            operands.push((*a).into());
            constraints.push("l".to_owned());
        }
        operands.push((*b).into());
        constraints.extend(["l".to_owned(), "~{memory}".to_owned()]);

        let text = text(factor, n, &said, in_registers, sums.n, first);
        let products = self.group_asm(&text, sums, &constraints.join(","), &operands)?;
        self.put_registers(d, sums, products)
    }

    fn group_asm(
        &self,
        text: &str,
        sums: Registers<'ctx>,
        constraints: &str,
        operands: &[BasicMetadataValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut params: Vec<BasicMetadataTypeEnum<'ctx>> = Vec::with_capacity(operands.len());
        for &operand in operands {
            let operand =
                BasicValueEnum::try_from(operand).map_err(|_| Bug::from("an operand that is no value"))?;
            params.push(operand.get_type().into());
        }
        let ty = self.cx.llvm.struct_type(&vec![sums.ty; sums.n], false).fn_type(&params, false);
        let asm = self.cx.llvm.create_inline_asm(
            ty,
            text.to_owned(),
            constraints.to_owned(),
            true,
            false,
            Some(InlineAsmDialect::ATT),
            false,
        );
        let call = self.builder.build_indirect_call(ty, asm, operands, "")?;
        for attribute in [self.cx.attrs.nounwind, self.cx.attrs.convergent] {
            call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(attribute, 0));
        }
        call.try_as_basic_value().basic().ok_or_else(|| Bug::from("a product gives nothing"))
    }
}

/// The instruction, whose operands behind D have numbers from `first` on.
fn text(
    factor: GroupFactor,
    n: usize,
    said: &[GroupOption],
    in_registers: bool,
    n_sums: usize,
    first: usize,
) -> String {
    let says = |option: GroupOption| said.contains(&option);
    let byte = |is_precise: bool| if is_precise { "e4m3" } else { "e5m2" };
    let (a_type, b_type) = match factor {
        GroupFactor::Half => ("f16", "f16"),
        GroupFactor::Bfloat => ("bf16", "bf16"),
        GroupFactor::Tf32 => ("tf32", "tf32"),
        GroupFactor::Byte => (byte(says(GroupOption::PreciseA)), byte(says(GroupOption::PreciseB))),
    };
    let d_type = if says(GroupOption::HalfSums) { "f16" } else { "f32" };
    let list = |numbers: std::ops::Range<usize>| {
        let names: Vec<String> = numbers.map(|number| format!("${number}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let (a, b) = match in_registers {
        true => (list(first..first + A_REGISTERS), first + A_REGISTERS),
        false => (format!("${first}"), first + 1),
    };
    let sign = |option| if says(option) { -1 } else { 1 };
    let mut flags =
        vec![i32::from(says(GroupOption::Added)), sign(GroupOption::NegatedA), sign(GroupOption::NegatedB)];
    if factor.options().contains(&GroupOption::TransposedB) {
        // Registers are where they are.
        flags.extend((!in_registers).then(|| i32::from(says(GroupOption::TransposedA))));
        flags.push(i32::from(says(GroupOption::TransposedB)));
    }
    let flags: Vec<String> = flags.iter().map(i32::to_string).collect();
    format!(
        "wgmma.mma_async.sync.aligned.m64n{n}k{}.{d_type}.{a_type}.{b_type} {}, {a}, ${b}, {};",
        factor.k(),
        list(0..n_sums),
        flags.join(", ")
    )
}
