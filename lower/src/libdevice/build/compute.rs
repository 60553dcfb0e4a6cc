//! Instructions that affect only the function's own memory.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, BasicValueEnum, FastMathFlags, InstructionOpcode, IntValue};
use inkwell::{FloatPredicate, IntPredicate};

use super::super::body::Operation;
use super::{Copier, Function, set_align};

impl<'ctx> Copier<'_, 'ctx> {
    /// The value of an instruction without effects.
    pub(super) fn computed(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        operation: &Operation,
    ) -> Option<BasicValueEnum<'ctx>> {
        match operation {
            Operation::Binary { code, flags, left, right } => {
                let (left, right) = (self.value(function, *left)?, self.value(function, *right)?);
                self.binary(*code, *flags, left, right)
            }
            Operation::Cast { code, value, ty } => {
                let (value, ty) = (self.value(function, *value)?, self.ty(*ty)?);
                self.cast(*code, value, ty)
            }
            Operation::Compare { predicate, left, right } => {
                let (left, right) = (self.value(function, *left)?, self.value(function, *right)?);
                self.compare(*predicate, left, right)
            }
            Operation::Extract { from, index } => {
                let BasicValueEnum::StructValue(from) = self.value(function, *from)? else { return None };
                self.builder.build_extract_value(from, *index, "").ok()
            }
            Operation::Insert { into, value, index } => {
                let BasicValueEnum::StructValue(into) = self.value(function, *into)? else { return None };
                let value = self.value(function, *value)?;
                let member = into.get_type().get_field_type_at_index(*index)?;
                let made = (member == value.get_type())
                    .then(|| self.builder.build_insert_value(into, value, *index, ""))?;
                Some(made.ok()?.as_basic_value_enum())
            }
            Operation::Select { condition, then, otherwise } => {
                let condition = self.condition(function, *condition)?;
                let (then, otherwise) = (self.value(function, *then)?, self.value(function, *otherwise)?);
                let made = (then.get_type() == otherwise.get_type())
                    .then(|| self.builder.build_select(condition, then, otherwise, ""))?;
                made.ok()
            }
            Operation::Element { is_inbounds, ty, base, indices } => {
                let base = self.pointer(function, *base)?;
                let indices: Vec<IntValue<'_>> = indices
                    .iter()
                    .map(|index| IntValue::try_from(self.value(function, *index)?).ok())
                    .collect::<Option<_>>()?;
                let ty = self.ty(*ty)?;
                // Indices of struct members would have to be constant.
                let depth = usize::from(ty.is_array_type());
                let elem =
                    if let BasicTypeEnum::ArrayType(array) = ty { array.get_element_type() } else { ty };
                if !is_scalar(elem) || indices.len() != depth + 1 {
                    return None;
                }
                // SAFETY: there is an index for the pointer, and one for the array.
                let made = unsafe {
                    if *is_inbounds {
                        self.builder.build_in_bounds_gep(ty, base, &indices, "")
                    } else {
                        self.builder.build_gep(ty, base, &indices, "")
                    }
                };
                Some(made.ok()?.into())
            }
            Operation::Load { ty, address, align } => {
                let (ty, address) = (self.ty(*ty)?, self.pointer(function, *address)?);
                let made = self.builder.build_load(ty, address, "").ok()?;
                set_align(made.as_instruction_value()?, *align)?;
                Some(made)
            }
            _ => None,
        }
    }

    pub(super) fn binary(
        &self,
        code: u64,
        flags: u64,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use InstructionOpcode as Op;
        const NO_UNSIGNED_WRAP: u64 = 1;
        const NO_SIGNED_WRAP: u64 = 2;
        const EXACT: u64 = 1;
        let is_int = left.is_int_value();
        if left.get_type() != right.get_type() || !(is_int || left.is_float_value() && flags == 0) {
            return None;
        }
        let op = match (code, is_int) {
            (0, true) => Op::Add,
            (1, true) => Op::Sub,
            (2, true) => Op::Mul,
            (3, true) => Op::UDiv,
            (4, true) => Op::SDiv,
            (5, true) => Op::URem,
            (6, true) => Op::SRem,
            (7, true) => Op::Shl,
            (8, true) => Op::LShr,
            (9, true) => Op::AShr,
            (10, true) => Op::And,
            (11, true) => Op::Or,
            (12, true) => Op::Xor,
            (0, false) => Op::FAdd,
            (1, false) => Op::FSub,
            (2, false) => Op::FMul,
            (4, false) => Op::FDiv,
            (6, false) => Op::FRem,
            _ => return None,
        };
        let made = self.builder.build_binop(op, left, right, "").ok()?;
        // A constant is not an instruction.
        let Some(instruction) = made.as_instruction_value() else { return Some(made) };
        match op {
            Op::FAdd | Op::FSub | Op::FMul if self.build_options.is_fused => {
                instruction.set_fast_math_flags(FastMathFlags::AllowContract).ok()?;
            }
            Op::Add | Op::Sub | Op::Mul | Op::Shl if flags != 0 => {
                instruction.set_no_unsigned_wrap_flag(flags & NO_UNSIGNED_WRAP != 0).ok()?;
                instruction.set_no_signed_wrap_flag(flags & NO_SIGNED_WRAP != 0).ok()?;
            }
            Op::UDiv | Op::SDiv | Op::LShr | Op::AShr if flags != 0 => {
                instruction.set_exact_flag(flags & EXACT != 0).ok()?;
            }
            _ => {}
        }
        Some(made)
    }

    pub(super) fn cast(
        &self,
        code: u64,
        value: BasicValueEnum<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use BasicTypeEnum::{FloatType as F, IntType as I, PointerType as P};
        use InstructionOpcode as Op;
        let double = self.build_options.llvm.f64_type();
        let op = match (code, value.get_type(), ty) {
            (0, I(from), I(to)) if from.get_bit_width() > to.get_bit_width() => Op::Trunc,
            (1, I(from), I(to)) if from.get_bit_width() < to.get_bit_width() => Op::ZExt,
            (2, I(from), I(to)) if from.get_bit_width() < to.get_bit_width() => Op::SExt,
            (3, F(_), I(_)) => Op::FPToUI,
            (4, F(_), I(_)) => Op::FPToSI,
            (5, I(_), F(_)) => Op::UIToFP,
            (6, I(_), F(_)) => Op::SIToFP,
            (7, F(from), F(to)) if from == double && to != double => Op::FPTrunc,
            (8, F(from), F(to)) if from != double && to == double => Op::FPExt,
            (11, P(from), P(to)) if from == to => return Some(value),
            (11, I(from), F(to)) if from.get_bit_width() == bits(to == double) => Op::BitCast,
            (11, F(from), I(to)) if bits(from == double) == to.get_bit_width() => Op::BitCast,
            (12, P(from), P(to)) if from != to => Op::AddrSpaceCast,
            _ => return None,
        };
        self.builder.build_cast(op, value, ty, "").ok()
    }

    pub(super) fn compare(
        &self,
        predicate: u64,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use FloatPredicate as F;
        use IntPredicate as I;
        const FLOATS: [F; 16] = [
            F::PredicateFalse,
            F::OEQ,
            F::OGT,
            F::OGE,
            F::OLT,
            F::OLE,
            F::ONE,
            F::ORD,
            F::UNO,
            F::UEQ,
            F::UGT,
            F::UGE,
            F::ULT,
            F::ULE,
            F::UNE,
            F::PredicateTrue,
        ];
        const INTS: [I; 10] = [I::EQ, I::NE, I::UGT, I::UGE, I::ULT, I::ULE, I::SGT, I::SGE, I::SLT, I::SLE];
        const FIRST_OF_INTS: usize = 32;
        if left.get_type() != right.get_type() {
            return None;
        }
        let predicate = predicate as usize;
        let made = match (left, right) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                self.builder.build_float_compare(*FLOATS.get(predicate)?, left, right, "")
            }
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                let predicate = *INTS.get(predicate.checked_sub(FIRST_OF_INTS)?)?;
                self.builder.build_int_compare(predicate, left, right, "")
            }
            _ => return None,
        };
        Some(made.ok()?.into())
    }
}

fn is_scalar(ty: BasicTypeEnum<'_>) -> bool {
    ty.is_int_type() || ty.is_float_type() || ty.is_pointer_type()
}

fn bits(is_double: bool) -> u32 {
    if is_double { 64 } else { 32 }
}
