//! Copies of many bytes by what works beside the threads (PTX ISA "cp.async.bulk", "cp.reduce.async.bulk",
//! "cp.async.bulk.prefetch"). Which forms there are is as ptxas has it.

use super::atomic::update;
use super::code::{BulkCopy, BulkReduction, Completion, Memory, Op};
use super::layout::size_of;
use super::operand::{Decoded, InstructionDecoder};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{Constant, Instruction, Operand, Type};

/// How a copy tells that it is done.
const TELLS: &str = "mbarrier::complete_tx::bytes";

/// What the sizes of bulk copies are multiples of, in bytes.
const BULK: u64 = 16;

/// Modifiers behind those that say what is copied where; each brings an operand.
#[derive(Clone, Copy, Default)]
struct Extras {
    /// `.multicast::cluster`
    is_multicast: bool,
    /// `.L2::cache_hint`
    has_hint: bool,
    /// `.cp_mask`
    is_masked: bool,
}

impl Extras {
    /// None where one of them stands twice or is none.
    fn of(modifiers: &[&str]) -> Option<Self> {
        let mut extras = Extras::default();
        for modifier in modifiers {
            let place = match *modifier {
                "multicast::cluster" => &mut extras.is_multicast,
                "L2::cache_hint" => &mut extras.has_hint,
                "cp_mask" => &mut extras.is_masked,
                _ => return None,
            };
            if std::mem::replace(place, true) {
                return None;
            }
        }
        Some(extras)
    }
}

impl<'t> InstructionDecoder<'_, 't> {
    /// `cp.async.bulk`
    pub(super) fn bulk_copy(&mut self, instruction: &Instruction<'t>, modifiers: &[&'t str]) -> Decoded<Op> {
        let (to, from, tells, extras) = match modifiers {
            ["shared::cluster", "global", TELLS, extras @ ..] => {
                (Memory::Shared, Memory::Global, true, Extras::of(extras).filter(|extras| !extras.is_masked))
            }
            ["shared::cta", "global", TELLS] | ["shared::cta", "global", TELLS, "L2::cache_hint"] => {
                (Memory::Shared, Memory::Global, true, Extras::of(&modifiers[3..]))
            }
            ["shared::cluster", "shared::cta", TELLS] => {
                (Memory::Shared, Memory::Shared, true, Some(Extras::default()))
            }
            ["global", "shared::cta", "bulk_group", extras @ ..] => {
                let extras = Extras::of(extras).filter(|extras| !extras.is_multicast);
                (Memory::Global, Memory::Shared, false, extras)
            }
            ["prefetch", "L2", "global"] | ["prefetch", "L2", "global", "L2::evict_last"] => {
                return self.bulk_prefetch(instruction, false);
            }
            ["prefetch", "L2", "global", "L2::cache_hint"] => return self.bulk_prefetch(instruction, true),
            _ => return Err(self.unknown(instruction)),
        };
        let extras = extras.ok_or_else(|| self.unknown(instruction))?;
        if extras.is_masked {
            self.require_target("`.cp_mask`", (8, 6), 100)?;
        }
        self.bulk(instruction, (to, from), tells, extras, None)
    }

    /// `cp.reduce.async.bulk`
    pub(super) fn bulk_reduction(
        &mut self,
        instruction: &Instruction<'t>,
        modifiers: &[&'t str],
    ) -> Decoded<Op> {
        let (to, tells, extras, operation) = match modifiers {
            ["shared::cluster", "shared::cta", TELLS, operation @ ..] => {
                (Memory::Shared, true, Extras::default(), operation)
            }
            ["global", "shared::cta", "bulk_group", "L2::cache_hint", operation @ ..] => {
                (Memory::Global, false, Extras { has_hint: true, ..Extras::default() }, operation)
            }
            ["global", "shared::cta", "bulk_group", operation @ ..] => {
                (Memory::Global, false, Extras::default(), operation)
            }
            _ => return Err(self.unknown(instruction)),
        };
        let is_global = to == Memory::Global;
        let (operation, ty) = match *operation {
            ["add", "noftz", ty @ ("f16" | "bf16")] if is_global => ("add", ty),
            [operation, ty] if has_reduction(operation, ty, is_global) => (operation, ty),
            _ => return Err(self.unknown(instruction)),
        };
        let width = Type::named(ty).and_then(|ty| Width::of_bytes(size_of(ty)));
        let (Some(width), Some(update)) = (width, update(operation, ty)) else {
            return Err(self.unknown(instruction));
        };
        let reduction = Some(BulkReduction { width, update });
        self.bulk(instruction, (to, Memory::Shared), tells, extras, reduction)
    }

    /// What both have.
    fn bulk(
        &mut self,
        instruction: &Instruction<'t>,
        (to, from): (Memory, Memory),
        tells: bool,
        extras: Extras,
        reduction: Option<BulkReduction>,
    ) -> Decoded<Op> {
        let mut operands = instruction.operands.iter();
        let misfit = |names: &Self| names.misfit(format!("invalid operands of `{}`", named(instruction)));
        let mut next = |names: &Self| operands.next().ok_or_else(|| misfit(names));
        let to = self.address(next(self)?, to)?;
        let from = self.address(next(self)?, from)?;
        let n_bytes = next(self)?;
        if let Operand::Constant(Constant::Int(n)) = n_bytes
            && !n.is_multiple_of(BULK)
        {
            return Err(self.error(format!("the copy has {n} bytes; the size must be a multiple of {BULK}")));
        }
        let n_bytes = self.source(n_bytes, Type::U32)?;
        let completion = match tells {
            true => Completion::Mbarrier(self.address(next(self)?, Memory::Shared)?),
            false => Completion::Group,
        };
        let (mut blocks, mut byte_mask) = (None, None);
        if extras.is_multicast {
            blocks = Some(self.source(next(self)?, Type::U16)?);
        }
        if extras.has_hint {
            self.source(next(self)?, Type::B64)?;
        }
        if extras.is_masked {
            byte_mask = Some(self.source(next(self)?, Type::U16)?);
        }
        if operands.next().is_some() {
            return Err(misfit(self));
        }
        let copy = BulkCopy { to, from, n_bytes, completion, blocks, byte_mask, reduction };
        Ok(Op::BulkCopy(Box::new(copy)))
    }

    /// `st.bulk`, which writes zeros to shared memory.
    pub(super) fn bulk_store(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let memory = match instruction.modifiers[1..] {
            [] | ["weak"] => self.generic(),
            ["shared::cta"] | ["weak", "shared::cta"] | ["shared::cta", "weak"] => Memory::Shared,
            _ => return Err(self.unknown(instruction)),
        };
        self.require_target("`st.bulk`", (8, 6), 100)?;
        let [to, n_bytes, Operand::Constant(Constant::Int(0))] = &instruction.operands[..] else {
            return Err(self.misfit("`st.bulk` takes an address, a number of bytes, and the value 0"));
        };
        let to = self.address(to, memory)?;
        // ptxas takes registers of 32 bits as well.
        let n_bytes = self.source(n_bytes, Type::U64).or_else(|_| self.source(n_bytes, Type::U32))?;
        Ok(Op::BulkStore { to, n_bytes })
    }

    /// `cp.async.bulk.prefetch` and `applypriority.async.bulk`, which change nothing that a thread could see.
    pub(super) fn bulk_prefetch(&mut self, instruction: &Instruction<'t>, has_hint: bool) -> Decoded<Op> {
        let [address, n_bytes, hint @ ..] = &instruction.operands[..] else {
            return Err(
                self.misfit(format!("`{}` takes an address and a number of bytes", instruction.opcode))
            );
        };
        if hint.len() != usize::from(has_hint) {
            return Err(self.misfit(format!("invalid operands of `{}`", instruction.opcode)));
        }
        self.address(address, Memory::Global)?;
        self.source(n_bytes, Type::U32)?;
        for hint in hint {
            self.source(hint, Type::B64)?;
        }
        Ok(Op::Nothing)
    }
}

/// The name of an instruction, for messages.
fn named(instruction: &Instruction<'_>) -> &'static str {
    if instruction.modifiers.first() == Some(&"reduce") { "cp.reduce.async.bulk" } else { "cp.async.bulk" }
}

/// Whether there is a reduction of a type.
fn has_reduction(operation: &str, ty: &str, is_global: bool) -> bool {
    match operation {
        "and" | "or" | "xor" => ty == "b32" || ty == "b64" && is_global,
        "add" => matches!(ty, "u32" | "s32" | "u64") || matches!(ty, "f32" | "f64") && is_global,
        "inc" | "dec" => ty == "u32",
        "min" | "max" => {
            matches!(ty, "u32" | "s32") || matches!(ty, "u64" | "s64" | "f16" | "bf16") && is_global
        }
        _ => false,
    }
}
