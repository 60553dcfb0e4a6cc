//! Copies: of values, of parts that make up a value, and of counters (PTX ISA "mov").

use smallvec::{SmallVec, smallvec};

use super::code::{Op, Source};
use super::layout::size_of;
use super::operand::{Decoded, InstructionDecoder};
use super::special::{counter, is_read_as, is_special_vector};
use super::vector::ELEMENTS;
use crate::compute;
use crate::ptx::syntax::{Instruction, Operand, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// `mov`, which packs and unpacks what has parts.
    pub(super) fn mov(&mut self, instruction: &Instruction<'t>, name: &str) -> Decoded<Op> {
        let ty = self.moved_type(instruction, name)?;
        let [result, operand] = &instruction.operands[..] else {
            return Err(self.misfit("`mov` takes a result and an operand"));
        };
        if ty == Type::B128 {
            return self.mov_wide(result, operand);
        }
        let part = |n: usize| match size_of(ty) as usize / n.max(1) {
            _ if !matches!(ty, Type::B16 | Type::B32 | Type::B64) || n < 2 => None,
            1 => Some(Type::B8),
            2 => Some(Type::B16),
            4 => Some(Type::B32),
            _ => None,
        };
        match (result, operand) {
            (Operand::Vector(parts), whole) => {
                let part_ty = part(parts.len()).ok_or_else(|| self.no_parts())?;
                let whole = self.source(whole, ty)?;
                let mut results = SmallVec::new();
                for part in parts {
                    results.push(self.result(part, part_ty)?);
                }
                let compute = compute::unpacked(8 * size_of(part_ty) as u32);
                Ok(Op::Compute { compute, operands: smallvec![whole], results })
            }
            (result, Operand::Vector(parts)) => {
                let part_ty = part(parts.len()).ok_or_else(|| self.no_parts())?;
                let mut operands = SmallVec::new();
                for part in parts {
                    operands.push(self.source(part, part_ty)?);
                }
                let results = smallvec![self.result(result, ty)?];
                Ok(Op::Compute { compute: compute::packed(8 * size_of(part_ty) as u32), operands, results })
            }
            (result, Operand::Name(name)) if counter(name).is_some() => {
                if !is_read_as(name, ty) {
                    return Err(self.misfit(format!("`{name}` cannot be read as `.{}`", ty.name())));
                }
                let (shift, mask) = counter(name).unwrap_or_default();
                Ok(Op::Counter { shift, mask, result: self.result(result, ty)? })
            }
            (result, operand) => {
                let operands: SmallVec<[Source; 3]> = smallvec![self.source(operand, ty)?];
                let results = smallvec![self.result(result, ty)?];
                // Special registers may be larger.
                let is_cut = size_of(ty) == 2 && matches!(operands[..], [Source::Special(_)]);
                let compute = if is_cut { compute::unpacked(16) } else { compute::copied() };
                Ok(Op::Compute { compute, operands, results })
            }
        }
    }

    /// Copies of 128 bits, which lie in two registers, or in two or four parts.
    fn mov_wide(&mut self, result: &Operand<'t>, operand: &Operand<'t>) -> Decoded<Op> {
        let part = |n: usize| match n {
            2 => Ok(Type::B64),
            4 => Ok(Type::B32),
            _ => Err(self.no_parts()),
        };
        let (mut results, mut operands) = (SmallVec::new(), SmallVec::new());
        match result {
            Operand::Vector(parts) => {
                let ty = part(parts.len())?;
                for part in parts {
                    results.push(self.result(part, ty)?);
                }
            }
            whole => results.extend(self.wide_pair(whole)?.map(Some)),
        }
        match operand {
            Operand::Vector(_) if matches!(result, Operand::Vector(_)) => return Err(self.no_parts()),
            Operand::Vector(parts) => {
                let ty = part(parts.len())?;
                for part in parts {
                    operands.push(self.source(part, ty)?);
                }
            }
            whole => operands.extend(self.wide_pair(whole)?.map(Source::Register)),
        }
        let compute = match (operands.len(), results.len()) {
            (4, _) => compute::joined_pairs(32),
            (_, 4) => compute::divided_pairs(32),
            _ => compute::copied(),
        };
        Ok(Op::Compute { compute, operands, results })
    }

    /// Several values at once.
    pub(super) fn mov_vector(
        &mut self,
        instruction: &Instruction<'t>,
        vector: &str,
        name: &str,
    ) -> Decoded<Op> {
        let ty = self.moved_type(instruction, name)?;
        let n_values = if vector == "v2" { 2 } else { 4 };
        let of_special;
        let (to, from) = match &instruction.operands[..] {
            [Operand::Vector(to), Operand::Vector(from)] => (to, from),
            [Operand::Vector(to), Operand::Name(name)] if is_special_vector(name) && size_of(ty) == 4 => {
                of_special = ELEMENTS.map(|part| Operand::Part(name, part)).to_vec();
                (to, &of_special)
            }
            _ => return Err(self.misfit("a vector `mov` takes two vectors")),
        };
        if to.len() != n_values || from.len() != n_values || matches!(ty, Type::B128 | Type::Pred) {
            return Err(self.no_parts());
        }
        let (mut results, mut operands) = (SmallVec::new(), SmallVec::new());
        for (to, from) in to.iter().zip(from) {
            results.push(self.result(to, ty)?);
            operands.push(self.source(from, ty)?);
        }
        Ok(Op::Compute { compute: compute::copied(), operands, results })
    }

    fn moved_type(&self, instruction: &Instruction<'t>, name: &str) -> Decoded<Type> {
        let is_moved = |ty: &Type| {
            matches!(
                ty,
                Type::Pred
                    | Type::B16
                    | Type::B32
                    | Type::B64
                    | Type::B128
                    | Type::U16
                    | Type::U32
                    | Type::U64
                    | Type::S16
                    | Type::S32
                    | Type::S64
                    | Type::F32
                    | Type::F64
            )
        };
        let ty = Type::named(name).filter(is_moved);
        ty.ok_or_else(|| self.unknown(instruction))
    }

    fn no_parts(&self) -> super::operand::DecodeError {
        self.misfit("the sizes of the parts do not add up to the whole")
    }
}
