//! Selects the products to fuse with a sum.
//!
//! With `-fmad=true` any product may be fused, which changes the last bits of results. LLVM would fuse nearly
//! all. nvcc fuses a product into sums if nothing else uses it, never into differences, and leaves the rest
//! to ptxas by writing `mul` and `sub` without a rounding mode. We do the same.

use inkwell::builder::Builder;
use inkwell::values::{
    AnyValueEnum, BasicValueEnum, FastMathFlags, FloatValue, FunctionValue, InstructionOpcode,
    InstructionValue,
};

use crate::context::Cx;
use crate::{Bug, OptLevel};

/// The number of sums from which a product is computed only once.
const MANY_USES: usize = 5;

/// Fuses the products that nvcc fuses, and prevents LLVM from fusing others.
pub(crate) fn settle(cx: &Cx<'_, '_>) -> Result<(), Bug> {
    // Without optimization nothing is fused.
    if !cx.options.fmad || cx.options.opt_level == OptLevel::O0 {
        return Ok(());
    }
    let builder = cx.llvm.create_builder();
    for function in cx.module.get_functions() {
        for sum in instructions(function, |instruction| terms(instruction).is_some()) {
            fuse(cx, &builder, sum)?;
        }
        for product in instructions(function, |it| it.get_opcode() == InstructionOpcode::FMul) {
            forbid(cx, &builder, product)?;
        }
    }
    Ok(())
}

fn instructions<'ctx>(
    function: FunctionValue<'ctx>,
    is_wanted: impl Fn(InstructionValue<'ctx>) -> bool,
) -> Vec<InstructionValue<'ctx>> {
    let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
    instructions.filter(|&instruction| is_wanted(instruction)).collect()
}

/// The operands of a scalar sum or product; `None` for vectors.
fn operands(instruction: InstructionValue<'_>) -> Option<[FloatValue<'_>; 2]> {
    let operand = |idx| match instruction.get_operand(idx)?.value()? {
        BasicValueEnum::FloatValue(operand) => Some(operand),
        _ => None,
    };
    Some([operand(0)?, operand(1)?])
}

/// The terms of a sum. A number times two is a sum, too.
fn terms(sum: InstructionValue<'_>) -> Option<[FloatValue<'_>; 2]> {
    // The operands of other instructions are not queried: a call may have one that is not a value.
    match sum.get_opcode() {
        InstructionOpcode::FAdd => operands(sum),
        InstructionOpcode::FMul => {
            operands(sum).filter(|&[_, factor]| is_two(factor)).map(|[number, _]| [number, number])
        }
        _ => None,
    }
}

fn is_two(factor: FloatValue<'_>) -> bool {
    factor.get_constant().is_some_and(|(factor, _)| factor == 2.0)
}

/// Fuses a sum with the first of its terms that is a product used only by sums.
fn fuse<'ctx>(cx: &Cx<'_, 'ctx>, builder: &Builder<'ctx>, sum: InstructionValue<'ctx>) -> Result<(), Bug> {
    let Some([left, right]) = terms(sum) else { return Ok(()) };
    if !may_be_fused(sum) {
        return Ok(());
    }
    let factors = |term: FloatValue<'ctx>| {
        let product = term.as_instruction().filter(|&product| is_term_alone(product, sum))?;
        operands(product)
    };
    let (product, [first, second], rest) = match (factors(left), factors(right)) {
        (Some(factors), _) => (left, factors, right),
        (None, Some(factors)) => (right, factors, left),
        (None, None) => return Ok(()),
    };
    builder.position_before(&sum);
    let fma = cx.intrinsic("llvm.fma", &[rest.get_type().into()])?;
    let call = builder.build_direct_call(fma, &[first.into(), second.into(), rest.into()], "")?;
    let fused = call.try_as_basic_value().basic().ok_or("`llvm.fma` gave no value")?.into_float_value();
    let value = FloatValue::try_from(sum).map_err(|()| Bug::from("a sum that is not a number"))?;
    value.replace_all_uses_with(fused);
    sum.erase_from_basic_block();
    if let Some(product) = product.as_instruction().filter(|product| product.get_first_use().is_none()) {
        product.erase_from_basic_block();
    }
    Ok(())
}

/// Whether the program permits contracting the operation.
fn may_be_fused(operation: InstructionValue<'_>) -> bool {
    operation.get_fast_math_flags().is_ok_and(|flags| flags.contains(FastMathFlags::AllowContract))
}

/// Whether a number is a product that only a few sums use, all in the block of the given one.
fn is_term_alone(product: InstructionValue<'_>, sum: InstructionValue<'_>) -> bool {
    let is_product = product.get_opcode() == InstructionOpcode::FMul && may_be_fused(product);
    if !is_product || product.get_parent() != sum.get_parent() {
        return false;
    }
    let users = users(product);
    let is_sum =
        |user: &InstructionValue<'_>| terms(*user).is_some() && user.get_parent() == product.get_parent();
    users.len() < MANY_USES && users.iter().all(is_sum)
}

/// The instructions that use a number, once per use. A use that is not a scalar instruction counts as the
/// number itself.
fn users<'ctx>(number: InstructionValue<'ctx>) -> Vec<InstructionValue<'ctx>> {
    let mut users = Vec::new();
    let mut next = number.get_first_use();
    while let Some(reference) = next {
        next = reference.get_next_use();
        users.extend(match reference.get_user() {
            AnyValueEnum::FloatValue(user) => user.as_instruction(),
            AnyValueEnum::IntValue(user) => user.as_instruction(),
            AnyValueEnum::PhiValue(user) => Some(user.as_instruction()),
            AnyValueEnum::InstructionValue(user) => Some(user),
            _ => Some(number),
        });
    }
    users
}

/// Prevents LLVM from fusing a product, which ptxas may still fuse.
fn forbid<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    product: InstructionValue<'ctx>,
) -> Result<(), Bug> {
    let is_term = |user: &InstructionValue<'_>| {
        matches!(user.get_opcode(), InstructionOpcode::FAdd | InstructionOpcode::FSub)
    };
    let (Some([factor, _]), Some(next)) = (operands(product), product.get_next_instruction()) else {
        return Ok(());
    };
    if !may_be_fused(product) || !users(product).iter().any(is_term) {
        return Ok(());
    }
    builder.position_before(&next);
    let fence = cx.intrinsic("llvm.arithmetic.fence", &[factor.get_type().into()])?;
    let value = FloatValue::try_from(product).map_err(|()| Bug::from("a product that is not a number"))?;
    let call = builder.build_direct_call(fence, &[value.into()], "")?;
    let fenced =
        call.try_as_basic_value().basic().ok_or("`llvm.arithmetic.fence` gave no value")?.into_float_value();
    value.replace_all_uses_with(fenced);
    if let Some(call) = fenced.as_instruction() {
        call.set_operand(0, value);
    }
    Ok(())
}
