//! Atomic operations on memory (PTX ISA "atom", "red").

use std::sync::Arc;

use smallvec::SmallVec;

use super::code::{Atomic, AtomicWide, Memory, Op, Order, Update};
use super::layout::size_of;
use super::operand::{Decoded, Names};
use crate::compute::{self, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{Instruction, Operand, Type};

impl<'t> Names<'_, 't> {
    /// `atom`, and `red`, which gives nothing.
    pub(super) fn atomic(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let (mut memory, mut operation, mut ty) = (Memory::Generic, None, None);
        let mut keeps_subnormal = false;
        let mut order = Order { is_strong: true, is_release: false };
        for modifier in &instruction.modifiers {
            match *modifier {
                "global" => memory = Memory::Global,
                "shared" | "shared::cta" => memory = Memory::Shared,
                "release" | "acq_rel" => order.is_release = true,
                "relaxed" | "acquire" | "cta" | "cluster" | "gpu" | "sys" => {}
                "noftz" => keeps_subnormal = true,
                name @ ("and" | "or" | "xor" | "cas" | "exch" | "add" | "inc" | "dec" | "min" | "max") => {
                    operation = Some(name);
                }
                name => {
                    let known = Type::named(name).ok_or_else(|| {
                        self.error(format!("unknown modifier `.{name}` of `{}`", instruction.opcode))
                    })?;
                    ty = Some((name, known));
                }
            }
        }
        let unknown = || self.error(format!("unknown kind of `{}`", instruction.opcode));
        let (Some(operation), Some((name, ty))) = (operation, ty) else { return Err(unknown()) };
        if ty == Type::B128 {
            return self.atomic_wide(instruction, operation, memory, order);
        }
        if !is_there(instruction.opcode, operation, name, keeps_subnormal) {
            return Err(unknown());
        }
        let update = update(operation, name).ok_or_else(unknown)?;
        let width = Width::of_bytes(size_of(ty)).ok_or_else(unknown)?;
        let gives = instruction.opcode == "atom";
        let n_operands = if operation == "cas" { 2 } else { 1 };
        let operands = &instruction.operands[..];
        let (result, operands) = match (gives, operands) {
            (true, [result, rest @ ..]) => (self.result(result, ty)?, rest),
            (_, rest) => (None, rest),
        };
        let [address, operands @ ..] = operands else { return Err(self.error("an address is expected")) };
        // Behind them may stand what the caches are told.
        let Some(operands) = operands.get(..n_operands) else {
            return Err(self.error("the instruction has too few operands"));
        };
        let mut sources = SmallVec::new();
        for operand in operands {
            sources.push(self.source(operand, ty)?);
        }
        let address = self.address(address, memory)?;
        let reduction = reduction(operation, name);
        Ok(Op::Atomic(Atomic { address, width, update, operands: sources, result, reduction, order }))
    }

    /// `atom.exch.b128`, `atom.cas.b128`
    fn atomic_wide(
        &mut self,
        instruction: &Instruction<'t>,
        operation: &str,
        memory: Memory,
        order: Order,
    ) -> Decoded<Op> {
        let (result, address, expected, new) =
            match (instruction.opcode, operation, &instruction.operands[..]) {
                ("atom", "exch", [result, address, new, ..]) => (result, address, None, new),
                ("atom", "cas", [result, address, expected, new]) => (result, address, Some(expected), new),
                ("atom", "exch" | "cas", _) => return Err(self.error("the instruction has too few operands")),
                _ => return Err(self.error("of 128 bits there are `atom.exch` and `atom.cas`")),
            };
        let result = match result {
            Operand::Sink => None,
            register => Some(self.wide_pair(register)?),
        };
        let expected = expected.map(|expected| self.wide_pair(expected)).transpose()?;
        let new = self.wide_pair(new)?;
        let address = self.address(address, memory)?;
        Ok(Op::AtomicWide(AtomicWide { address, expected, new, result, order }))
    }
}

/// Whether there is an operation of a type, as ptxas takes it.
fn is_there(opcode: &str, operation: &str, ty: &str, keeps_subnormal: bool) -> bool {
    let is_half = matches!(ty, "f16" | "f16x2" | "bf16" | "bf16x2");
    let has_type = match operation {
        "and" | "or" | "xor" => matches!(ty, "b32" | "b64"),
        "exch" => matches!(ty, "b32" | "b64" | "b128"),
        "cas" => matches!(ty, "b16" | "b32" | "b64" | "b128"),
        "inc" | "dec" => ty == "u32",
        "add" => is_half || matches!(ty, "u32" | "s32" | "u64" | "f32" | "f64"),
        _ => matches!(ty, "u32" | "s32" | "u64" | "s64"),
    };
    let gives = !matches!(operation, "exch" | "cas") || opcode == "atom";
    has_type && gives && (keeps_subnormal == is_half || ty == "f32")
}

/// The number of an operation of which several come to the same in any order.
fn reduction(operation: &str, ty: &str) -> Option<u8> {
    let all = ["and", "or", "xor", "add", "min", "max"];
    let operation = all.iter().position(|&known| known == operation)?;
    let ty = ["b32", "b64", "u32", "u64", "s32", "s64"].iter().position(|&known| known == ty)?;
    Some((operation * 8 + ty) as u8)
}

fn update(operation: &str, ty: &str) -> Option<Update> {
    Some(match (operation, ty) {
        ("exch", _) => Arc::new(|_, operands: &[u64]| operands[0]),
        ("cas", _) => Arc::new(|old, operands: &[u64]| if old == operands[0] { operands[1] } else { old }),
        ("inc", "u32") => Arc::new(|old, operands: &[u64]| if old >= operands[0] { 0 } else { old + 1 }),
        ("dec", "u32") => Arc::new(
            |old, operands: &[u64]| {
                if old == 0 || old > operands[0] { operands[0] } else { old - 1 }
            },
        ),
        // Sums are rounded to nearest; those in `.f32` flush nothing here.
        ("add", "f16" | "bf16" | "f16x2" | "bf16x2") => of_operation(operation, &["rn", ty])?,
        _ => of_operation(operation, &[ty])?,
    })
}

/// By the instruction of the same name.
fn of_operation(opcode: &str, modifiers: &[&str]) -> Option<Update> {
    let operation = compute::operation(opcode, modifiers)?;
    Some(Arc::new(move |old, operands: &[u64]| {
        let (old, operand) = ([old; WARP_SIZE], [operands[0]; WARP_SIZE]);
        let mut result = [[0; WARP_SIZE]];
        (operation.compute)(&[&old, &operand], &mut result);
        result[0][0]
    }))
}
