//! Loads and stores (PTX ISA "Data Movement and Conversion Instructions").

use smallvec::{SmallVec, smallvec};

use super::code::{Address, Extension, Memory, Op, Order, Register, Source};
use super::layout::{is_signed, size_of};
use super::operand::{Decoded, InstructionDecoder, Name};
use super::order::OrderWords;
use super::provenance::{Base, Flow};
use crate::compute;
use crate::memory::bytes::Width;
use crate::ptx::syntax::{self, Constant, Instruction, Operand, Space, Type};

/// The modifiers of a load or store that count: what the caches are told changes no value.
struct Modifiers {
    memory: Memory,
    n_values: usize,
    ty: Type,
    order: Order,
}

impl<'t> InstructionDecoder<'_, 't> {
    /// `ld`, and `ldu` with it.
    pub(super) fn load(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let modifiers = self.modifiers(instruction)?;
        let [result, address, ..] = &instruction.operands[..] else {
            return Err(self.error("a load takes a result and an address"));
        };
        if modifiers.ty == Type::B128 {
            return self.load_wide(&modifiers, result, address);
        }
        let results = self.values(result, modifiers.n_values)?;
        let width = self.width(modifiers.ty)?;
        let mut extension = Extension::Zero;
        let mut registers = SmallVec::new();
        for result in results {
            let (register, has) = self.wide_result(result, modifiers.ty)?;
            if is_signed(modifiers.ty) && size_of(has) > size_of(modifiers.ty) {
                let bits = |ty| 8 * size_of(ty) as u32;
                extension = Extension::Sign { from: bits(modifiers.ty), to: bits(has) };
            }
            registers.push(register);
        }
        let address = self.address(address, modifiers.memory)?;
        if self.is_misaligned_param(&modifiers, &address) {
            return Ok(self.load_by_bytes(address, &modifiers, registers, extension));
        }
        Ok(Op::Load { address, width, extension, results: registers, order: modifiers.order })
    }

    /// `st`
    pub(super) fn store(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let modifiers = self.modifiers(instruction)?;
        let [address, value, ..] = &instruction.operands[..] else {
            return Err(self.error("a store takes an address and a value"));
        };
        if modifiers.ty == Type::B128 {
            return self.store_wide(&modifiers, address, value);
        }
        let width = self.width(modifiers.ty)?;
        let mut values = SmallVec::new();
        for value in self.values(value, modifiers.n_values)? {
            values.push(self.wide_source(value, modifiers.ty)?);
        }
        let address = self.address(address, modifiers.memory)?;
        self.require_writable(&address)?;
        if self.is_misaligned_param(&modifiers, &address) {
            return Ok(self.store_by_bytes(address, &modifiers, &values));
        }
        Ok(Op::Store { address, width, values, order: modifiers.order })
    }

    /// Whether a parameter is accessed at a constant place that is not aligned: nvcc writes that for structs that are packed, and ptxas
    /// takes it.
    fn is_misaligned_param(&mut self, modifiers: &Modifiers, address: &Address) -> bool {
        let size = size_of(modifiers.ty) * modifiers.n_values as u64;
        let is_misaligned = modifiers.memory == Memory::Param
            && address.base.is_none()
            && matches!(address.memory, Memory::Param | Memory::Frame)
            && !(address.offset as u64).is_multiple_of(size.next_power_of_two());
        if is_misaligned {
            self.misaligned.push(self.place);
        }
        is_misaligned
    }

    /// Bytes, of which values are made.
    fn load_by_bytes(
        &mut self,
        address: Address,
        modifiers: &Modifiers,
        registers: SmallVec<[Option<Register>; 4]>,
        extension: Extension,
    ) -> Op {
        let size = size_of(modifiers.ty) as usize;
        let bytes: Vec<Register> = (0..size * registers.len()).map(|_| self.fresh()).collect();
        let load = |(idx, &byte): (usize, &Register)| Op::Load {
            address: Address { offset: address.offset.wrapping_add(idx as i64), ..address },
            width: Width::B1,
            extension: Extension::Zero,
            results: smallvec![Some(byte)],
            order: modifiers.order,
        };
        self.after.extend(bytes.iter().enumerate().skip(1).map(load));
        for (result, parts) in registers.into_iter().zip(bytes.chunks(size)) {
            let operands = parts.iter().map(|&part| Source::Register(part)).collect();
            self.after.push(Op::Compute {
                compute: compute::packed(8),
                operands,
                results: smallvec![result],
            });
            if let (Some(register), Extension::Sign { from, to }) = (result, extension) {
                let compute = compute::sign_extended(from, to);
                let operands = smallvec![Source::Register(register)];
                self.after.push(Op::Compute { compute, operands, results: smallvec![result] });
            }
        }
        load((0, &bytes[0]))
    }

    /// The bytes that make up values.
    fn store_by_bytes(&mut self, address: Address, modifiers: &Modifiers, values: &[Source]) -> Op {
        let size = size_of(modifiers.ty) as usize;
        let mut bytes = Vec::new();
        for &value in values {
            let parts: Vec<Register> = (0..size).map(|_| self.fresh()).collect();
            let results = parts.iter().map(|&part| Some(part)).collect();
            let (compute, operands) = (compute::unpacked(8), smallvec![value]);
            self.before.push((Op::Compute { compute, operands, results }, Flow::Other));
            bytes.extend(parts);
        }
        let store = |(idx, &byte): (usize, &Register)| Op::Store {
            address: Address { offset: address.offset.wrapping_add(idx as i64), ..address },
            width: Width::B1,
            values: smallvec![Source::Register(byte)],
            order: modifiers.order,
        };
        self.after.extend(bytes.iter().enumerate().skip(1).map(store));
        store((0, &bytes[0]))
    }

    fn require_writable(&self, address: &Address) -> Decoded<()> {
        match address.memory {
            Memory::Const | Memory::Param => Err(self.error("this state space is read-only")),
            Memory::Generic
            | Memory::NarrowGeneric
            | Memory::Global
            | Memory::Shared
            | Memory::Local
            | Memory::Frame => Ok(()),
        }
    }

    /// A load of 128 bits, which lie in two registers.
    fn load_wide(
        &mut self,
        modifiers: &Modifiers,
        result: &Operand<'t>,
        address: &Operand<'t>,
    ) -> Decoded<Op> {
        self.require_one(modifiers)?;
        let results = match result {
            Operand::Sink => SmallVec::from_slice(&[None, None]),
            register => self.wide_pair(register)?.map(Some).into_iter().collect(),
        };
        let (width, extension, order) = (Width::B8, Extension::Zero, modifiers.order);
        Ok(Op::Load { address: self.address(address, modifiers.memory)?, width, extension, results, order })
    }

    /// A store of 128 bits.
    fn store_wide(
        &mut self,
        modifiers: &Modifiers,
        address: &Operand<'t>,
        value: &Operand<'t>,
    ) -> Decoded<Op> {
        self.require_one(modifiers)?;
        let values = self.wide_pair(value)?.map(Source::Register).into_iter().collect();
        let address = self.address(address, modifiers.memory)?;
        self.require_writable(&address)?;
        Ok(Op::Store { address, width: Width::B8, values, order: modifiers.order })
    }

    fn require_one(&self, modifiers: &Modifiers) -> Decoded<()> {
        if modifiers.n_values == 1 {
            Ok(())
        } else {
            Err(self.error("vectors cannot have elements of 128 bits"))
        }
    }

    fn modifiers(&self, instruction: &Instruction<'t>) -> Decoded<Modifiers> {
        let mut modifiers =
            Modifiers { memory: self.generic(), n_values: 1, ty: Type::Pred, order: Order::WEAK };
        let (mut words, mut has_cache_operator) = (OrderWords::default(), false);
        for modifier in &instruction.modifiers {
            match *modifier {
                "global" => modifiers.memory = Memory::Global,
                "shared" | "shared::cta" | "shared::cluster" => modifiers.memory = Memory::Shared,
                "const" => modifiers.memory = Memory::Const,
                "local" => modifiers.memory = Memory::Local,
                "param" | "param::entry" | "param::func" => modifiers.memory = Memory::Param,
                "v2" => modifiers.n_values = 2,
                "v4" => modifiers.n_values = 4,
                "v8" => modifiers.n_values = 8,
                word if words.take(word) => {}
                "nc" | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" => has_cache_operator = true,
                "unified" => {}
                hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
                ty => {
                    let known = Type::named(ty).filter(|&ty| ty != Type::Pred);
                    modifiers.ty = known.ok_or_else(|| {
                        self.error(format!("unknown modifier `.{ty}` of `{}`", instruction.opcode))
                    })?;
                }
            }
        }
        if modifiers.ty == Type::Pred {
            return Err(self.error(format!("`{}` needs a type", instruction.opcode)));
        }
        let opcode = if instruction.opcode == "st" { "st" } else { "ld" };
        modifiers.order = self.order_of_access(opcode, &words, modifiers.memory, has_cache_operator)?;
        Ok(modifiers)
    }

    /// Memory of which no space is said.
    pub(super) fn generic(&self) -> Memory {
        if self.symbols.windows.address_bits == 32 { Memory::NarrowGeneric } else { Memory::Generic }
    }

    fn width(&self, ty: Type) -> Decoded<Width> {
        Width::of_bytes(size_of(ty)).ok_or_else(|| self.error("memory cannot hold values of this size"))
    }

    /// The parts of a vector; another operand is the only one.
    pub(super) fn values<'o>(&self, operand: &'o Operand<'t>, n_values: usize) -> Decoded<&'o [Operand<'t>]> {
        let values = match operand {
            Operand::Vector(values) => &values[..],
            other => std::slice::from_ref(other),
        };
        if values.len() == n_values {
            Ok(values)
        } else {
            Err(self.error(format!("expected {n_values} values, found {}", values.len())))
        }
    }

    /// Where an access goes.
    pub(super) fn address(&mut self, operand: &Operand<'t>, memory: Memory) -> Decoded<Address> {
        if let Operand::Element(name, index) = operand {
            return self.element_address(name, index, memory);
        }
        let Operand::Address(address) = operand else { return Err(self.error("expected an address")) };
        let offset = address.offset;
        let Some(name) = address.base else { return Ok(Address { memory, base: None, offset }) };
        Ok(match self.find(name) {
            Some(Name::Register { first, ty }) => {
                if !matches!(size_of(ty), 4 | 8) || matches!(ty, Type::F32 | Type::F64 | Type::F16x2) {
                    return Err(self.error(format!("register `{name}` cannot hold an address")));
                }
                let base = Some(Source::Register(Register(first)));
                Address { memory, base, offset }
            }
            Some(Name::Frame { offset: base, .. }) => {
                if !matches!(memory, Memory::Param | Memory::Local) {
                    return Err(self.error(format!("`{name}` is in a different state space")));
                }
                let base = base as i64;
                Address { memory: Memory::Frame, base: None, offset: base.wrapping_add(offset) }
            }
            Some(Name::OpenParam(register)) if memory == Memory::Param => {
                let base = Some(Source::Register(register));
                Address { memory: Memory::Local, base, offset }
            }
            Some(Name::KernelParam(base)) if memory == Memory::Param => {
                Address { memory, base: None, offset: (base as i64).wrapping_add(offset) }
            }
            Some(Name::Variable(space, base)) => {
                let fits = matches!(
                    (space, memory),
                    (Space::Global, Memory::Global | Memory::Generic | Memory::NarrowGeneric)
                        | (Space::Shared, Memory::Shared)
                        | (Space::Const, Memory::Const)
                        | (Space::Local, Memory::Local)
                );
                if !fits {
                    return Err(self.error(format!("`{name}` is in a different state space")));
                }
                self.direct = Base::of_variable(space, base);
                Address { memory, base: None, offset: (base as i64).wrapping_add(offset) }
            }
            Some(Name::Vector { .. }) => {
                return Err(self.error(format!("the vector `{name}` is not an address")));
            }
            Some(Name::KernelParam(_) | Name::OpenParam(_)) => {
                return Err(self.error(format!("`{name}` is in a different state space")));
            }
            None => return Err(self.error(format!("`{name}` is not declared"))),
        })
    }

    /// The address of an element of an array, which is accessed without brackets around all.
    fn element_address(&mut self, name: &'t str, index: &Operand<'t>, memory: Memory) -> Decoded<Address> {
        // The same checks of the space.
        let start =
            self.address(&Operand::Address(syntax::Address { base: Some(name), offset: 0 }), memory)?;
        if let Operand::Constant(Constant::Int(index)) = index {
            let offset = index.wrapping_mul(self.element_size(name)?) as i64;
            return Ok(Address { offset: start.offset.wrapping_add(offset), ..start });
        }
        let memory = if start.memory == Memory::Frame { Memory::Local } else { start.memory };
        Ok(Address { memory, base: Some(self.element(name, index)?), offset: 0 })
    }
}
