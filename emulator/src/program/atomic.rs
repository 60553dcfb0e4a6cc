//! Atomic operations on memory (PTX ISA "atom", "red").

use std::sync::Arc;

use smallvec::SmallVec;

use super::code::{Atomic, AtomicVector, AtomicWide, Memory, Op, Order, Update};
use super::layout::size_of;
use super::operand::{Decoded, InstructionDecoder};
use super::order::OrderWords;
use crate::compute::{self, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{Instruction, Operand, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// `atom`, and `red`, which gives nothing.
    pub(super) fn atomic(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let (mut memory, mut operation, mut ty) = (self.generic(), None, None);
        let (mut keeps_subnormal, mut has_hint, mut n_values) = (false, false, None);
        let mut words = OrderWords::default();
        for modifier in &instruction.modifiers {
            match *modifier {
                "global" => memory = Memory::Global,
                "shared" | "shared::cta" | "shared::cluster" => memory = Memory::Shared,
                word if words.take(word) => {}
                "noftz" => keeps_subnormal = true,
                "L2::cache_hint" => has_hint = true,
                "v2" => n_values = Some(2),
                "v4" => n_values = Some(4),
                "v8" => n_values = Some(8),
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
        let unknown = |names: &Self| names.error(format!("unknown operation of `{}`", instruction.opcode));
        let (Some(operation), Some((name, ty))) = (operation, ty) else { return Err(unknown(self)) };
        let order = self.order_of_atomic(instruction.opcode, &words)?;
        let gives = instruction.opcode == "atom";
        let n_operands = usize::from(gives) + if operation == "cas" { 3 } else { 2 };
        let operands = self.without_hint(&instruction.operands, n_operands, has_hint)?;
        if let Some(n_values) = n_values {
            if !has_vectors(operation, name, n_values, keeps_subnormal) || memory == Memory::Shared {
                return Err(unknown(self));
            }
            self.require_target("an atomic operation on a vector", (8, 1), 90)?;
            let update = update(operation, name).ok_or_else(|| unknown(self))?;
            return self.atomic_vector(operands, (n_values, ty), memory, update, order);
        }
        if ty == Type::B128 {
            return self.atomic_wide(gives, operands, operation, memory, order);
        }
        if !is_there(instruction.opcode, operation, name, keeps_subnormal) {
            return Err(unknown(self));
        }
        let update = update(operation, name).ok_or_else(|| unknown(self))?;
        let width = Width::of_bytes(size_of(ty)).ok_or_else(|| unknown(self))?;
        let (result, operands) = match (gives, operands) {
            (true, [result, rest @ ..]) => (self.result(result, ty)?, rest),
            (_, rest) => (None, rest),
        };
        let [address, operands @ ..] = operands else { return Err(self.error("expected an address")) };
        let mut sources = SmallVec::new();
        for operand in operands {
            sources.push(self.source(operand, ty)?);
        }
        let address = self.address(address, memory)?;
        let reduction = reduction(operation, name);
        let replaces = matches!(operation, "cas" | "exch");
        let operands = sources;
        Ok(Op::Atomic(Atomic { address, width, update, operands, result, reduction, replaces, order }))
    }

    /// The operands without the last one, if that is what the cache is told.
    fn without_hint<'o>(
        &mut self,
        operands: &'o [Operand<'t>],
        n_operands: usize,
        has_hint: bool,
    ) -> Decoded<&'o [Operand<'t>]> {
        let wanted = n_operands + usize::from(has_hint);
        match operands.len() {
            found if found < wanted => return Err(self.error("the instruction has too few operands")),
            found if found > wanted => return Err(self.error("the instruction has too many operands")),
            _ => {}
        }
        let (operands, hint) = operands.split_at(n_operands);
        for hint in hint {
            self.source(hint, Type::B64)?;
        }
        Ok(operands)
    }

    /// An operation on each value of a vector.
    fn atomic_vector(
        &mut self,
        operands: &[Operand<'t>],
        (n_values, ty): (usize, Type),
        memory: Memory,
        update: Update,
        order: Order,
    ) -> Decoded<Op> {
        let mut results = SmallVec::new();
        let (address, values) = match operands {
            [Operand::Sink, address, values] => (address, values),
            [result, address, values] => {
                for result in self.values(result, n_values)? {
                    results.push(self.result(result, ty)?);
                }
                (address, values)
            }
            [address, values] => (address, values),
            _ => return Err(self.error("expected an address")),
        };
        let mut operands = SmallVec::new();
        for value in self.values(values, n_values)? {
            operands.push(self.source(value, ty)?);
        }
        let width = Width::of_bytes(size_of(ty));
        let width = width.ok_or_else(|| self.error("memory cannot hold values of this size"))?;
        let address = self.address(address, memory)?;
        Ok(Op::AtomicVector(Box::new(AtomicVector { address, width, update, operands, results, order })))
    }

    /// `atom.exch.b128`, `atom.cas.b128`
    fn atomic_wide(
        &mut self,
        gives: bool,
        operands: &[Operand<'t>],
        operation: &str,
        memory: Memory,
        order: Order,
    ) -> Decoded<Op> {
        let (result, address, expected, new) = match (gives, operation, operands) {
            (true, "exch", [result, address, new]) => (result, address, None, new),
            (true, "cas", [result, address, expected, new]) => (result, address, Some(expected), new),
            _ => return Err(self.error("only `atom.exch` and `atom.cas` support 128 bits")),
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

/// Whether there is an operation on vectors of a type, as ptxas takes it.
fn has_vectors(operation: &str, ty: &str, n_values: usize, keeps_subnormal: bool) -> bool {
    match (operation, ty) {
        ("add", "f32") => n_values <= 4 && !keeps_subnormal,
        ("add" | "min" | "max", "f16" | "bf16") => keeps_subnormal,
        ("add" | "min" | "max", "f16x2" | "bf16x2") => n_values <= 4 && keeps_subnormal,
        _ => false,
    }
}

/// The number of an operation of which several come to the same in any order.
fn reduction(operation: &str, ty: &str) -> Option<u8> {
    let all = ["and", "or", "xor", "add", "min", "max"];
    let operation = all.iter().position(|&known| known == operation)?;
    let ty = ["b32", "b64", "u32", "u64", "s32", "s64"].iter().position(|&known| known == ty)?;
    Some((operation * 8 + ty) as u8)
}

/// The new value from the old one.
pub(crate) fn update(operation: &str, ty: &str) -> Option<Update> {
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
