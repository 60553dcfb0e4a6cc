//! Conversions (PTX ISA "cvt").

use smallvec::{SmallVec, smallvec};

use super::agreement::Named;
use super::code::{Guard, Op, Source};
use super::decode::Decoder;
use super::layout::{is_signed, size_of};
use super::operand::Decoded;
use super::target::COMPLETE;
use crate::compute::{self, Operation};
use crate::ptx::syntax::{self, Operand, Type};

/// The version that has `cvt.pack`.
pub(super) const PACK_VERSION: (u32, u32) = (6, 5);

/// GPUs that have what is of no family.
const WITHOUT_FAMILY: &[&str] = &["sm_100a", "sm_103a", "sm_107a", "sm_110a", "sm_120a", "sm_121a"];

/// Those that have magnitudes of eight bits, and round towards zero.
const NEWEST: &[&str] = &["sm_107a", "sm_107f"];

/// Those that round by random bits.
const STOCHASTIC: &[&str] = &["sm_100a", "sm_103a", "sm_107a"];

impl<'t> Decoder<'_, 't> {
    /// Registers may be wider than the types of numbers.
    pub(super) fn convert(
        &mut self,
        instruction: &syntax::Instruction<'t>,
        operation: Operation,
        guard: Option<Guard>,
    ) -> Decoded<Op> {
        self.require_format(&instruction.modifiers)?;
        let [result, operands @ ..] = &instruction.operands[..] else {
            return Err(self.names.misfit("`cvt` takes a result and an operand"));
        };
        let operands: SmallVec<[&Operand<'t>; 5]> = match operands {
            operands if instruction.modifiers.first() == Some(&"rs") => {
                self.stochastic_operands(operands, operation.operands.len())?
            }
            operands => operands.iter().collect(),
        };
        let (wanted, found) = (operation.operands.len() + 1, operands.len() + 1);
        if wanted != found {
            let message = format!("the instruction takes {wanted} operands, found {found}");
            return Err(self.names.misfit(message));
        }
        let ty = operation.results[0];
        let [.., to, from] = instruction.modifiers[..] else {
            return Err(self.names.error("`cvt` needs two types"));
        };
        let (result, has) = match may_be_wider(to) {
            true => self.names.wide_result(result, ty)?,
            false => (self.names.result(result, ty)?, ty),
        };
        let mut sources = SmallVec::new();
        for (operand, &ty) in operands.into_iter().zip(&operation.operands) {
            sources.push(match may_be_wider(from) {
                true => self.names.wide_source(operand, ty)?,
                false => self.names.source(operand, ty)?,
            });
        }
        let op = Op::Compute { compute: operation.compute, operands: sources, results: smallvec![result] };
        let (Some(register), true) = (result, is_signed(ty) && size_of(has) > size_of(ty)) else {
            return Ok(op);
        };
        self.push(op, guard, instruction.place);
        let compute = compute::sign_extended(8 * size_of(ty) as u32, 8 * size_of(has) as u32);
        Ok(Op::Compute {
            compute,
            operands: smallvec![Source::Register(register)],
            results: smallvec![result],
        })
    }

    /// `cvt.pack`, whose operands are registers or integers, and no special registers.
    pub(super) fn pack(
        &mut self,
        instruction: &syntax::Instruction<'t>,
        operation: Operation,
    ) -> Decoded<Op> {
        let is_small = instruction.modifiers.iter().any(|word| matches!(*word, "u2" | "s2" | "u4" | "s4"));
        self.names.require_target("`cvt.pack`", PACK_VERSION, if is_small { 75 } else { 72 })?;
        let [result, operands @ ..] = &instruction.operands[..] else {
            return Err(self.names.misfit("`cvt.pack` takes a result and operands"));
        };
        let (wanted, found) = (operation.operands.len() + 1, operands.len() + 1);
        if wanted != found {
            let message = format!("the instruction takes {wanted} operands, found {found}");
            return Err(self.names.misfit(message));
        }
        self.names.named = Named::default();
        let (result, _) = self.names.wide_result(result, Type::U32)?;
        let mut sources = SmallVec::new();
        for (idx, (operand, &ty)) in operands.iter().zip(&operation.operands).enumerate() {
            // The third is of bits.
            self.names.named = if idx == 2 { Named::by("", &["b32"]) } else { Named::default() };
            sources.push(self.names.wide_source(operand, ty)?);
        }
        Ok(Op::Compute { compute: operation.compute, operands: sources, results: smallvec![result] })
    }

    /// That the target has the conversion, where it is one of few.
    fn require_format(&self, modifiers: &[&str]) -> Decoded<()> {
        let Some((version, names)) = needs(modifiers) else { return Ok(()) };
        let what = format!("`cvt.{}`", modifiers.join("."));
        if !names.is_empty() {
            return self.names.require_architecture(&what, version, names);
        }
        let has_first = self.names.require_target(&what, (0, 0), 90).is_ok();
        self.names.require_target(&what, if has_first { (7, 8) } else { version }, 89)
    }

    /// The values that `cvt.rs` rounds, of which four stand in a list, and the random bits.
    fn stochastic_operands<'o>(
        &self,
        operands: &'o [Operand<'t>],
        n_operands: usize,
    ) -> Decoded<SmallVec<[&'o Operand<'t>; 5]>> {
        self.names.require_architecture("`cvt.rs`", (8, 7), STOCHASTIC)?;
        let operands: SmallVec<[&Operand<'t>; 5]> = match operands {
            [Operand::Vector(values), random] if n_operands == 5 => {
                values.iter().chain(std::iter::once(random)).collect()
            }
            _ if n_operands == 5 => {
                return Err(self.names.error("this `cvt.rs` takes a list of four values"));
            }
            operands => operands.iter().collect(),
        };
        match operands.last() {
            Some(Operand::Constant(_)) => Err(self.names.error("the random bits must be in a register")),
            _ => Ok(operands),
        }
    }
}

/// The version that has a conversion from or to a format of eight bits and less everywhere, and the GPUs: where none are named, those
/// from `sm_89` on (PTX ISA "cvt", "PTX ISA Notes" and "Target ISA Notes"). None of other conversions.
pub(super) fn needs(modifiers: &[&str]) -> Option<((u32, u32), &'static [&'static str])> {
    let [.., to, from] = *modifiers else { return None };
    let is_eight = |name: &str| matches!(name, "e4m3x2" | "e5m2x2");
    let is_less = |name: &str| matches!(name, "e2m3x2" | "e3m2x2" | "e2m1x2");
    Some(match (to, from) {
        (_, "ue5m3x2") | ("ue5m3x2", _) => ((9, 4), NEWEST),
        _ if (is_eight(to) || is_less(to)) && modifiers.contains(&"rz") => ((9, 4), NEWEST),
        (_, "s2f6x2") | ("s2f6x2", _) => ((9, 1), WITHOUT_FAMILY),
        ("bf16x2", _) if is_eight(from) || is_less(from) => ((9, 2), COMPLETE),
        (_, "bf16x2") if is_eight(to) || is_less(to) => ((9, 1), COMPLETE),
        (_, "f16x2") if is_less(to) => ((9, 1), COMPLETE),
        _ if is_less(to) || is_less(from) || to == "ue8m0x2" || from == "ue8m0x2" => ((8, 6), COMPLETE),
        _ if is_eight(to) || is_eight(from) => ((8, 1), &[]),
        ("e4m3x4" | "e5m2x4" | "e2m3x4" | "e3m2x4" | "e2m1x4", _) => ((8, 7), STOCHASTIC),
        _ => return None,
    })
}

/// Whether registers may be wider than the type that a modifier of `cvt` names.
fn may_be_wider(name: &str) -> bool {
    matches!(name, "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "u64" | "s64" | "f16" | "f32")
}
