//! Copies that go on beside the thread that asks for them (PTX ISA "Asynchronous copy operations").

use smallvec::smallvec;

use super::code::{CopyAsync, CopySource, Mbarrier, MbarrierAction, Memory, Op, Order, Scope, Semantics};
use super::operand::{Decoded, InstructionDecoder, Name};
use crate::ptx::syntax::{Constant, Instruction, Operand, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// `cp`
    pub(super) fn copy(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        match &instruction.modifiers[..] {
            ["async", operator @ ("ca" | "cg"), rest @ ..] => self.copy_async(instruction, operator, rest),
            ["async", "commit_group"] => Ok(Op::CopyCommit),
            ["async", "wait_all"] => Ok(Op::CopyWait { n_left: None }),
            ["async", "wait_group"] => Ok(Op::CopyWait { n_left: Some(self.number_of_groups(instruction)?) }),
            ["async", "mbarrier", "arrive", rest @ .., "b64"] => self.copy_arrive(instruction, rest),
            ["async", "bulk", "commit_group"] => Ok(Op::BulkCommit),
            ["async", "bulk", "wait_group"] => {
                Ok(Op::BulkWait { n_left: self.number_of_groups(instruction)?, is_for_reads: false })
            }
            ["async", "bulk", "wait_group", "read"] => {
                Ok(Op::BulkWait { n_left: self.number_of_groups(instruction)?, is_for_reads: true })
            }
            ["async", "bulk", "tensor", rest @ ..] => self.tensor_copy(instruction, rest),
            ["async", "bulk", "prefetch", "tensor", rest @ ..] => self.tensor_prefetch(instruction, rest),
            ["reduce", "async", "bulk", "tensor", rest @ ..] => self.tensor_reduction(instruction, rest),
            ["async", "bulk", rest @ ..] => self.bulk_copy(instruction, rest),
            ["reduce", "async", "bulk", rest @ ..] => self.bulk_reduction(instruction, rest),
            _ => Err(self.unknown(instruction)),
        }
    }

    fn number_of_groups(&self, instruction: &Instruction<'t>) -> Decoded<u64> {
        match &instruction.operands[..] {
            [Operand::Constant(Constant::Int(n))] => Ok(*n),
            _ => Err(self.error("the number of groups must be a constant")),
        }
    }

    /// `cp.async`
    fn copy_async(
        &mut self,
        instruction: &Instruction<'t>,
        operator: &str,
        modifiers: &[&'t str],
    ) -> Decoded<Op> {
        let ["shared" | "shared::cta", "global", hints @ ..] = modifiers else {
            return Err(self.unknown(instruction));
        };
        // What lies in caches changes nothing here.
        if hints.iter().any(|hint| !hint.starts_with("L2::") && *hint != "L1::32B") {
            return Err(self.unknown(instruction));
        }
        let has_hint = hints.contains(&"L2::cache_hint");
        let mut operands = &instruction.operands[..];
        if has_hint && let [rest @ .., hint] = operands {
            self.source(hint, Type::B64)?;
            operands = rest;
        }
        let [to, from, Operand::Constant(Constant::Int(n_bytes)), source @ ..] = operands else {
            return Err(self.error("`cp.async` takes two addresses and a constant number of bytes"));
        };
        let n_bytes = *n_bytes;
        match (operator, n_bytes) {
            ("ca", 4 | 8) | (_, 16) => {}
            ("ca", _) => return Err(self.error("`cp.async.ca` copies 4, 8 or 16 bytes")),
            _ => return Err(self.error("`cp.async.cg` copies 16 bytes")),
        }
        let source = match source {
            [] => CopySource::All,
            [operand] if self.is_predicate(operand)? => CopySource::Unless(self.source(operand, Type::Pred)?),
            [Operand::Constant(Constant::Int(size))] if *size > n_bytes => {
                return Err(
                    self.error(format!("the source size is {size} bytes; the copy has only {n_bytes}"))
                );
            }
            [size] => CopySource::Bytes(self.source(size, Type::U32)?),
            _ => return Err(self.error("`cp.async` has too many operands")),
        };
        let (to, from) = (self.address(to, Memory::Shared)?, self.address(from, Memory::Global)?);
        Ok(Op::CopyAsync(Box::new(CopyAsync { to, from, n_bytes, source })))
    }

    fn is_predicate(&self, operand: &Operand<'t>) -> Decoded<bool> {
        Ok(match operand {
            Operand::Name(name) => matches!(self.find(name), Some(Name::Register { ty: Type::Pred, .. })),
            _ => false,
        })
    }

    /// `cp.async.mbarrier.arrive`
    fn copy_arrive(&mut self, instruction: &Instruction<'t>, modifiers: &[&'t str]) -> Decoded<Op> {
        let (mut memory, mut is_counted) = (self.generic(), false);
        for modifier in modifiers {
            match *modifier {
                "shared" | "shared::cta" => memory = Memory::Shared,
                "noinc" => is_counted = true,
                _ => return Err(self.unknown(instruction)),
            }
        }
        let [address] = &instruction.operands[..] else {
            return Err(self.error("`cp.async.mbarrier.arrive` takes one address"));
        };
        Ok(Op::CopyArrive { address: self.address(address, memory)?, is_counted })
    }

    /// `st.async` and `red.async`, which are done at once: the store or operation, and behind it the mbarrier object is told of
    /// its bytes.
    pub(super) fn store_async(&mut self, instruction: &Instruction<'t>) -> Decoded<[Op; 2]> {
        const TELLS: &str = "mbarrier::complete_tx::bytes";
        let Some((mbarrier, operands)) = instruction.operands.split_last() else {
            return Err(self.unknown(instruction));
        };
        let is_done = |modifier: &&str| !matches!(*modifier, "async" | TELLS);
        let plain = Instruction {
            modifiers: instruction.modifiers.iter().copied().filter(is_done).collect(),
            operands: operands.iter().cloned().collect(),
            ..instruction.clone()
        };
        let n_bytes = match (instruction.opcode, &plain.modifiers[..]) {
            _ if !instruction.modifiers.contains(&TELLS) => None,
            ("st", ["weak", rest @ ..] | rest) => match rest {
                ["shared" | "shared::cta" | "shared::cluster", rest @ ..] | rest => stored_bytes(rest),
            },
            ("red", ["relaxed", "cluster", "shared" | "shared::cluster", operation, ty]) => {
                reduced_bytes(operation, ty)
            }
            ("red", ["relaxed", "cluster", operation, ty]) => reduced_bytes(operation, ty),
            _ => None,
        };
        let n_bytes = n_bytes.ok_or_else(|| self.unknown(instruction))?;
        let is_shared = plain.modifiers.iter().any(|modifier| modifier.starts_with("shared"));
        let memory = if is_shared { Memory::Shared } else { self.generic() };
        let op = if instruction.opcode == "st" { self.store(&plain)? } else { self.atomic(&plain)? };
        let telling = Mbarrier {
            address: self.address(mbarrier, memory)?,
            action: MbarrierAction::CompleteTx,
            operands: smallvec![self.constant(n_bytes)],
            result: None,
            order: Order { semantics: Semantics::Release, scope: Scope::Cluster, is_volatile: false },
        };
        Ok([op, Op::Mbarrier(Box::new(telling))])
    }
}

/// How much `st.async` stores, in bytes.
fn stored_bytes(modifiers: &[&str]) -> Option<u64> {
    let (n_values, ty) = match modifiers {
        [ty] => (1, *ty),
        ["v2", ty] => (2, *ty),
        ["v4", ty] => (4, *ty),
        _ => return None,
    };
    match ty {
        "b32" | "u32" | "s32" | "f32" => Some(4 * n_values),
        "b64" | "u64" | "s64" | "f64" => Some(8 * n_values),
        _ => None,
    }
}

/// How much `red.async` changes, in bytes.
fn reduced_bytes(operation: &str, ty: &str) -> Option<u64> {
    match (operation, ty) {
        ("inc" | "dec" | "add" | "min" | "max", "u32")
        | ("add" | "min" | "max", "s32")
        | ("and" | "or" | "xor", "b32") => Some(4),
        ("add", "u64") => Some(8),
        _ => None,
    }
}
