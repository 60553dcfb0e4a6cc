//! Warpgroup matrix multiplication (PTX ISA "wgmma.mma_async"), for which LLVM has no intrinsic.
//!
//! Like in nvcc, D is read before the instruction if it is an addend, and written after it: in a program that
//! keeps D in registers until it has waited, these are the same registers.

use inkwell::types::BasicTypeEnum;
use weft_frontend::ir::{Expr, ExprNode, GroupFactor, GroupOption};

use super::asm::Effect;
use super::matrix::{Registers, constant};
use crate::Bug;
use crate::builtin::Builtins;

/// The number of registers for A per thread.
const A_REGISTERS: usize = 4;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_group_product(
        &mut self,
        factor: GroupFactor,
        in_registers: bool,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<(), Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        self.exprs.debug.locate(node.span);
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
        // D has 64 rows and n columns, of which each of 128 threads has an equal part; a register holds two
        // `__half`s.
        let sums = match says(GroupOption::HalfSums) {
            true => Registers { n: n / 4, ty: word },
            false => Registers { n: n / 2, ty: self.cx.tys.f32.into() },
        };
        let mut operands = Vec::new();
        if says(GroupOption::Added) {
            self.take_registers(d, sums, &mut operands)?;
        }
        let n_tied = operands.len();
        if in_registers {
            let registers = Registers { n: A_REGISTERS, ty: word };
            self.take_registers(a.into_pointer_value(), registers, &mut operands)?;
        } else {
            operands.push((*a).into());
        }
        operands.push((*b).into());
        let text = text(factor, n, &said, in_registers, sums.n, sums.n + n_tied);
        let ty = self.cx.llvm.struct_type(&vec![sums.ty; sums.n], false).into();
        let products =
            self.cx.asm_tied(&self.code.builder, &text, Some(ty), n_tied, &operands, Effect::Together)?;
        self.put_registers(d, sums, products.ok_or("a matrix product without a result")?)
    }
}

/// The instruction, whose operands after D have numbers from `first` on.
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
        // Registers cannot be transposed.
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
