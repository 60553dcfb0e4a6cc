//! Calls and returns, and parameters that are registers (PTX ISA "call", "ret", ".func").
//!
//! What a call takes and gives goes through the frame. A parameter that is a register has a place there too, from which it
//! is loaded when the function begins, and to which it is stored before it ends; a call stores registers and constants that
//! are arguments, and loads registers that are results.

use smallvec::SmallVec;

use super::code::{Address, Callee, Extension, Guard, Memory, Op, Order, Register, Slot, Source};
use super::decode::Decoder;
use super::layout::{size_of, size_of_variable};
use super::link::Symbol;
use super::operand::{Decoded, Name};
use crate::memory::bytes::Width;
use crate::ptx::place::Place;
use crate::ptx::syntax::{Instruction, Operand, Prototype, Type, Variable};

/// What is known of a function where it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) returns: Vec<Param>,
    pub(crate) params: Vec<Param>,
}

/// A parameter or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    ty: Type,
    /// In bytes; none if it is as large as what a call has for it.
    size: Option<u64>,
}

impl Shape {
    /// Whether a call may have so many arguments: the array behind the others may be left out.
    fn takes(&self, n_args: usize) -> bool {
        let is_open = self.params.last().is_some_and(|last| last.size.is_none());
        n_args == self.params.len() || is_open && n_args + 1 == self.params.len()
    }

    pub(crate) fn of(prototype: &Prototype<'_>) -> Self {
        let param = |variable: &Variable<'_>| Param {
            ty: variable.ty,
            size: if matches!(variable.dims[..], [None]) { None } else { size_of_variable(variable) },
        };
        Shape {
            returns: prototype.returns.iter().map(param).collect(),
            params: prototype.params.iter().map(param).collect(),
        }
    }
}

/// A parameter that is a register, two of 128 bits, or as many as a vector has elements.
pub(super) struct RegisterParam {
    registers: SmallVec<[Register; 2]>,
    width: Width,
}

impl RegisterParam {
    /// What a name stands for, if it is a register or a vector.
    fn named(name: Name) -> Option<Self> {
        let (first, ty, n_elements) = match name {
            Name::Register { first, ty } => (first, ty, 1),
            Name::Vector { first, ty, n_elements } => (first, ty, n_elements),
            Name::Frame { .. } | Name::OpenParam(_) | Name::KernelParam(_) | Name::Variable(..) => {
                return None;
            }
        };
        let (width, n_registers) = match Width::of_bytes(size_of(ty)) {
            Some(width) => (width, n_elements),
            None => (Width::B8, 2),
        };
        Some(RegisterParam { registers: (first..first + n_registers).map(Register).collect(), width })
    }

    /// In bytes.
    fn size(&self) -> u64 {
        self.width.bytes() * self.registers.len() as u64
    }

    fn load(&self, slot: Slot) -> Op {
        Op::Load {
            address: in_frame(slot),
            width: self.width,
            extension: Extension::Zero,
            results: self.registers.iter().copied().map(Some).collect(),
            order: Order::WEAK,
        }
    }

    fn store(&self, slot: Slot) -> Op {
        let values = self.registers.iter().copied().map(Source::Register).collect();
        Op::Store { address: in_frame(slot), width: self.width, values, order: Order::WEAK }
    }
}

fn in_frame(slot: Slot) -> Address {
    Address { memory: Memory::Frame, base: None, offset: slot.offset as i64 }
}

impl<'t> Decoder<'_, 't> {
    /// A parameter of a function, or what it gives, that is a register.
    pub(super) fn declare_register_param(&mut self, param: &Variable<'t>) -> Decoded<Slot> {
        if param.count.is_some() {
            return Err(self.names.error("a parameter must be one register or one vector"));
        }
        self.names.declare_registers(param)?;
        let Some(registers) = self.names.find(param.name).and_then(RegisterParam::named) else {
            return Err(self.names.error("the register has no name"));
        };
        let slot = self.fresh_slot(registers.size());
        self.register_params.push((registers, slot));
        Ok(slot)
    }

    /// What a function with parameters in registers begins with.
    pub(super) fn load_params(&mut self, place: Place) {
        for (param, slot) in std::mem::take(&mut self.register_params) {
            self.push(param.load(slot), None, place);
        }
    }

    /// `ret`, and the end of a function.
    pub(super) fn push_return(&mut self, guard: Option<Guard>, place: Place) {
        let stores: Vec<Op> = self.register_returns.iter().map(|(param, slot)| param.store(*slot)).collect();
        for store in stores {
            self.push(store, guard, place);
        }
        self.push(Op::Return, guard, place);
    }

    /// Room in the frame that has no name.
    fn fresh_slot(&mut self, size: u64) -> Slot {
        let offset = self.frame_size.next_multiple_of(size.max(1));
        self.frame_size = offset + size;
        Slot { offset, size }
    }

    /// `call [(results),] function [, (arguments)] [, prototype]`
    pub(super) fn call(&mut self, instruction: &Instruction<'t>, guard: Option<Guard>) -> Decoded<()> {
        let mut operands = &instruction.operands[..];
        let mut results: &[Operand<'t>] = &[];
        if let [Operand::List(list), rest @ ..] = operands {
            results = list;
            operands = rest;
        }
        let [Operand::Name(name), rest @ ..] = operands else {
            return Err(self.names.error("the call names no function"));
        };
        let (list, rest): (&[Operand<'t>], _) = match rest {
            [Operand::List(list), rest @ ..] => (list, rest),
            rest => (&[], rest),
        };
        let (callee, shape) = match (self.names.find(name), self.names.symbols.find(name)) {
            (Some(_), _) => {
                let shape = match rest {
                    [Operand::Name(label)] => self.prototypes.get(label).cloned(),
                    _ => None,
                };
                {
                    let ty =
                        if self.names.symbols.windows.address_bits == 32 { Type::U32 } else { Type::U64 };
                    (Callee::Indirect(self.names.source(&operands[0], ty)?), shape)
                }
            }
            (None, Some(symbol)) => {
                let callee = match symbol {
                    Symbol::Function(number) => Callee::Direct(number),
                    Symbol::System(system) => Callee::System(system),
                    Symbol::Variable(..) => {
                        return Err(self.names.error(format!("`{name}` is not a function")));
                    }
                };
                (callee, self.names.symbols.shape(name).cloned())
            }
            (None, None) => {
                return Err(self.names.error(format!("the function `{name}` is not defined")));
            }
        };
        if let Some(shape) = &shape
            && (!shape.takes(list.len()) || shape.returns.len() != results.len())
        {
            let message = format!(
                "`{name}` takes {} arguments and returns {} results, but the call has {} and {}",
                shape.params.len(),
                shape.returns.len(),
                list.len(),
                results.len()
            );
            return Err(self.names.error(message));
        }
        let param =
            |params: fn(&Shape) -> &[Param], idx: usize| shape.as_ref().map(|shape| params(shape)[idx]);
        let mut args = SmallVec::new();
        for (idx, arg) in list.iter().enumerate() {
            let param = param(|shape| &shape.params, idx);
            let slot = self.argument(arg, param, guard, instruction.place)?;
            self.require_size(arg, slot, param)?;
            args.push(slot);
        }
        let (mut returns, mut loads) = (SmallVec::new(), Vec::new());
        for (idx, result) in results.iter().enumerate() {
            let (slot, register) = self.returned(result)?;
            if *result != Operand::Sink {
                self.require_size(result, slot, param(|shape| &shape.returns, idx))?;
            }
            returns.push(slot);
            loads.extend(register.map(|register| register.load(slot)));
        }
        self.push(Op::Call { callee, args, returns }, guard, instruction.place);
        for load in loads {
            self.push(load, guard, instruction.place);
        }
        Ok(())
    }

    /// The place in the frame of an argument. Registers and constants are stored to one.
    fn argument(
        &mut self,
        operand: &Operand<'t>,
        param: Option<Param>,
        guard: Option<Guard>,
        place: Place,
    ) -> Decoded<Slot> {
        let name = match operand {
            Operand::Name(name) => *name,
            Operand::Constant(_) => {
                let Some(Param { ty, size: Some(size) }) = param else {
                    return Err(self.names.error("the size of the argument is unknown"));
                };
                let width = Width::of_bytes(size).filter(|_| size == size_of(ty));
                let width =
                    width.ok_or_else(|| self.names.error("a constant cannot be an argument of this size"))?;
                let values = SmallVec::from_slice(&[self.names.source(operand, ty)?]);
                let slot = self.fresh_slot(size);
                let address = in_frame(slot);
                self.push(Op::Store { address, width, values, order: Order::WEAK }, guard, place);
                return Ok(slot);
            }
            _ => return Err(self.names.error("an argument must be a parameter, a register or a constant")),
        };
        match self.names.find(name) {
            Some(Name::Frame { offset, size }) => Ok(Slot { offset, size }),
            found => {
                let no_register =
                    || self.names.error(format!("`{name}` is neither a parameter nor a register"));
                let registers = found.and_then(RegisterParam::named).ok_or_else(no_register)?;
                let slot = self.fresh_slot(registers.size());
                self.push(registers.store(slot), guard, place);
                Ok(slot)
            }
        }
    }

    /// The place in the frame of a result, and the register that it goes to from there.
    fn returned(&mut self, operand: &Operand<'t>) -> Decoded<(Slot, Option<RegisterParam>)> {
        let name = match operand {
            Operand::Name(name) => *name,
            Operand::Sink => return Ok((Slot { offset: 0, size: 0 }, None)),
            _ => return Err(self.names.error("a result must be a parameter or a register")),
        };
        match self.names.find(name) {
            Some(Name::Frame { offset, size }) => Ok((Slot { offset, size }, None)),
            found => {
                let no_register =
                    || self.names.error(format!("`{name}` is neither a parameter nor a register"));
                let registers = found.and_then(RegisterParam::named).ok_or_else(no_register)?;
                Ok((self.fresh_slot(registers.size()), Some(registers)))
            }
        }
    }

    fn require_size(&self, operand: &Operand<'t>, slot: Slot, param: Option<Param>) -> Decoded<()> {
        match param {
            Some(Param { size: Some(size), .. }) if size != slot.size => {
                let what = match operand {
                    Operand::Name(name) => format!("`{name}`"),
                    _ => "an argument".to_owned(),
                };
                let message = format!("{what} has {} bytes; the function expects {size}", slot.size);
                Err(self.names.error(message))
            }
            _ => Ok(()),
        }
    }
}
