//! Copies of tiles by tensor maps, and changes of maps (PTX ISA "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
//! "tensormap.replace", "tensormap.cp_fenceproxy"). Which forms there are is as ptxas has it.

use smallvec::SmallVec;

use super::code::{Address, Completion, Memory, Op, Order, Source, TensorAction, TensorCopy};
use super::operand::{DecodeError, Decoded, InstructionDecoder};
use crate::memory::bytes::Width;
use crate::ptx::syntax::{self, Constant, Instruction, Operand, Type};
use crate::tensor::{Field, MAP_SIZE};

/// How a copy tells that it is done.
const TELLS: &str = "mbarrier::complete_tx::bytes";

/// Where a copy goes, of the spaces in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To shared memory of this block, or of several.
    In { is_cluster: bool },
    /// To global memory.
    Out,
}

/// The modifiers of a copy of a tile, which ptxas takes in any order but for that of the spaces.
#[derive(Default)]
struct Words<'t> {
    n_axes: Option<usize>,
    spaces: SmallVec<[&'t str; 2]>,
    operation: Option<&'static str>,
    /// How it tells that it is done.
    completion: Option<&'t str>,
    is_tile: bool,
    is_multicast: bool,
    has_hint: bool,
    is_for_one_block: bool,
}

impl<'t> Words<'t> {
    /// None where a word stands twice or is none that is known.
    fn of(modifiers: &[&'t str]) -> Option<Self> {
        let mut words = Self::default();
        for &modifier in modifiers {
            let is_twice = match modifier {
                "shared::cluster" | "shared::cta" | "global" | "L2" => {
                    words.spaces.push(modifier);
                    words.spaces.len() > 2
                }
                TELLS | "bulk_group" => words.completion.replace(modifier).is_some(),
                "tile" => std::mem::replace(&mut words.is_tile, true),
                "multicast::cluster" => std::mem::replace(&mut words.is_multicast, true),
                "L2::cache_hint" => std::mem::replace(&mut words.has_hint, true),
                "cta_group::1" => std::mem::replace(&mut words.is_for_one_block, true),
                _ => match (n_axes(modifier), operation(modifier)) {
                    (Some(n_axes), _) => words.n_axes.replace(n_axes).is_some(),
                    (None, Some(operation)) => words.operation.replace(operation).is_some(),
                    (None, None) => return None,
                },
            };
            if is_twice {
                return None;
            }
        }
        Some(words)
    }

    fn way(&self) -> Option<Way> {
        match self.spaces[..] {
            ["shared::cluster", "global"] => Some(Way::In { is_cluster: true }),
            ["shared::cta", "global"] => Some(Way::In { is_cluster: false }),
            ["global", "shared::cta"] => Some(Way::Out),
            _ => None,
        }
    }
}

/// The operation of a reduction.
fn operation(modifier: &str) -> Option<&'static str> {
    ["add", "min", "max", "inc", "dec", "and", "or", "xor"].into_iter().find(|known| *known == modifier)
}

impl<'t> InstructionDecoder<'_, 't> {
    /// The modifiers, and the number of dimensions.
    fn tensor_words(
        &self,
        instruction: &Instruction<'t>,
        modifiers: &[&'t str],
    ) -> Decoded<(Words<'t>, usize)> {
        for modifier in modifiers {
            if modifier.starts_with("im2col") || matches!(*modifier, "tile::gather4" | "tile::scatter4") {
                return Err(self.error(format!("copies by `.{modifier}` are not supported yet")));
            }
            if *modifier == "cta_group::2" {
                return Err(self.error("copies for pairs of blocks are not supported yet"));
            }
        }
        let words = Words::of(modifiers).ok_or_else(|| self.unknown(instruction))?;
        let n_axes = words.n_axes.ok_or_else(|| self.unknown(instruction))?;
        Ok((words, n_axes))
    }

    /// `cp.async.bulk.tensor`
    pub(super) fn tensor_copy(
        &mut self,
        instruction: &Instruction<'t>,
        modifiers: &[&'t str],
    ) -> Decoded<Op> {
        let (words, n_axes) = self.tensor_words(instruction, modifiers)?;
        match (words.way(), &words) {
            (
                Some(Way::Out),
                Words {
                    completion: Some("bulk_group"),
                    operation: None,
                    is_multicast: false,
                    is_for_one_block: false,
                    ..
                },
            ) => self.tensor_store(instruction, n_axes, TensorAction::Store, words.has_hint),
            (Some(Way::In { is_cluster }), Words { completion: Some(TELLS), operation: None, .. })
                if is_cluster || !words.is_multicast =>
            {
                self.tensor_load(instruction, n_axes, &words)
            }
            _ => Err(self.unknown(instruction)),
        }
    }

    /// What goes from a tensor to shared memory.
    fn tensor_load(
        &mut self,
        instruction: &Instruction<'t>,
        n_axes: usize,
        words: &Words<'t>,
    ) -> Decoded<Op> {
        let [to, Operand::Parts(tile), mbarrier, rest @ ..] = &instruction.operands[..] else {
            return Err(self.other_tensor_operands());
        };
        if rest.len() != usize::from(words.is_multicast) + usize::from(words.has_hint) {
            return Err(self.other_tensor_operands());
        }
        let (map, coordinates) = self.tile(tile, n_axes)?;
        let shared = self.address(to, Memory::Shared)?;
        let mbarrier = self.address(mbarrier, Memory::Shared)?;
        let mut rest = rest.iter();
        let blocks = match rest.next() {
            Some(mask) if words.is_multicast => Some(self.source(mask, Type::U16)?),
            Some(hint) => self.source(hint, Type::B64).map(|_| None)?,
            None => None,
        };
        for hint in rest {
            self.source(hint, Type::B64)?;
        }
        Ok(Op::TensorCopy(Box::new(TensorCopy {
            map,
            coordinates,
            shared,
            action: TensorAction::Load { blocks },
            completion: Completion::Mbarrier(mbarrier),
        })))
    }

    /// `cp.reduce.async.bulk.tensor`
    pub(super) fn tensor_reduction(
        &mut self,
        instruction: &Instruction<'t>,
        modifiers: &[&'t str],
    ) -> Decoded<Op> {
        let (words, n_axes) = self.tensor_words(instruction, modifiers)?;
        match (words.way(), &words) {
            (
                Some(Way::Out),
                Words {
                    completion: Some("bulk_group"),
                    operation: Some(operation),
                    is_multicast: false,
                    is_for_one_block: false,
                    ..
                },
            ) => self.tensor_store(instruction, n_axes, TensorAction::Reduce(operation), words.has_hint),
            _ => Err(self.unknown(instruction)),
        }
    }

    /// `cp.async.bulk.prefetch.tensor`, which changes nothing that a thread could see.
    pub(super) fn tensor_prefetch(
        &mut self,
        instruction: &Instruction<'t>,
        modifiers: &[&'t str],
    ) -> Decoded<Op> {
        let (words, n_axes) = self.tensor_words(instruction, modifiers)?;
        let (
            ["L2", "global"],
            Words { completion: None, operation: None, is_multicast: false, is_for_one_block: false, .. },
        ) = (&words.spaces[..], &words)
        else {
            return Err(self.unknown(instruction));
        };
        let [Operand::Parts(tile), hint @ ..] = &instruction.operands[..] else {
            return Err(self.other_tensor_operands());
        };
        if hint.len() != usize::from(words.has_hint) {
            return Err(self.other_tensor_operands());
        }
        self.tile(tile, n_axes)?;
        for hint in hint {
            self.source(hint, Type::B64)?;
        }
        Ok(Op::Nothing)
    }

    /// What goes from shared memory to a tensor.
    fn tensor_store(
        &mut self,
        instruction: &Instruction<'t>,
        n_axes: usize,
        action: TensorAction,
        has_hint: bool,
    ) -> Decoded<Op> {
        let [Operand::Parts(tile), from, hint @ ..] = &instruction.operands[..] else {
            return Err(self.other_tensor_operands());
        };
        if hint.len() != usize::from(has_hint) {
            return Err(self.other_tensor_operands());
        }
        for hint in hint {
            self.source(hint, Type::B64)?;
        }
        let (map, coordinates) = self.tile(tile, n_axes)?;
        let shared = self.address(from, Memory::Shared)?;
        let completion = Completion::Group;
        Ok(Op::TensorCopy(Box::new(TensorCopy { map, coordinates, shared, action, completion })))
    }

    fn other_tensor_operands(&self) -> DecodeError {
        self.misfit("invalid operands of the tile copy")
    }

    /// `[map, {x, y}]`
    fn tile(&mut self, parts: &[Operand<'t>], n_axes: usize) -> Decoded<(Address, SmallVec<[Source; 5]>)> {
        let [map, coordinates] = parts else { return Err(self.other_tensor_operands()) };
        let address = match map {
            Operand::Name(name) => syntax::Address { base: Some(name), offset: 0 },
            Operand::Constant(Constant::Symbol(symbol)) => {
                syntax::Address { base: Some(symbol.name), offset: symbol.addend }
            }
            _ => return Err(self.error("expected the address of a tensor map")),
        };
        let map = self.address(&Operand::Address(address), self.generic())?;
        let mut sources = SmallVec::new();
        for coordinate in self.values(coordinates, n_axes)? {
            sources.push(self.source(coordinate, Type::S32)?);
        }
        Ok((map, sources))
    }

    /// `tensormap.replace`, `tensormap.cp_fenceproxy`
    pub(super) fn tensor_map(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        match &instruction.modifiers[..] {
            ["replace", "tile", field, "b1024", ty] => {
                let memory = self.generic();
                self.map_replacement(instruction, field, memory, ty)
            }
            ["replace", "tile", field, "global", "b1024", ty] => {
                self.map_replacement(instruction, field, Memory::Global, ty)
            }
            ["replace", "tile", field, "shared::cta", "b1024", ty] => {
                self.map_replacement(instruction, field, Memory::Shared, ty)
            }
            [
                "cp_fenceproxy",
                "global",
                "shared::cta",
                "tensormap::generic",
                "release",
                "cta" | "cluster" | "gpu" | "sys",
                "sync",
                "aligned",
            ] => {
                let [to, from, Operand::Constant(Constant::Int(n_bytes))] = &instruction.operands[..] else {
                    return Err(
                        self.misfit("`tensormap.cp_fenceproxy` takes two addresses and the number 128")
                    );
                };
                if *n_bytes != MAP_SIZE as u64 {
                    return Err(self.error("a tensor map has 128 bytes"));
                }
                let to = self.address(to, Memory::Global)?;
                Ok(Op::MapCopy { to, from: self.address(from, Memory::Shared)? })
            }
            _ => Err(self.unknown(instruction)),
        }
    }

    /// A field is a number at its place.
    fn map_replacement(
        &mut self,
        instruction: &Instruction<'t>,
        field: &str,
        memory: Memory,
        ty: &str,
    ) -> Decoded<Op> {
        let (field, wanted) = match field {
            "global_address" => (Field::Address, "b64"),
            "rank" => (Field::Rank, "b32"),
            "box_dim" => (Field::BoxExtent, "b32"),
            "global_dim" => (Field::Extent, "b32"),
            "global_stride" => (Field::Stride, "b64"),
            "element_stride" => (Field::Step, "b32"),
            "elemtype" => (Field::ElementType, "b32"),
            "interleave_layout" => (Field::Interleave, "b32"),
            "swizzle_mode" => (Field::Swizzle, "b32"),
            "fill_mode" => (Field::Fill, "b32"),
            _ => return Err(self.unknown(instruction)),
        };
        if ty != wanted {
            return Err(self.unknown(instruction));
        }
        let misfit = |names: &Self| Err(names.misfit("invalid operands of `tensormap.replace`"));
        let (address, axis, value) = match (&instruction.operands[..], field.n_axes()) {
            ([address, value], 1) => (address, 0, value),
            ([address, Operand::Constant(Constant::Int(axis)), value], 2..) => {
                let axis = usize::try_from(*axis).ok().filter(|&axis| axis < field.n_axes());
                let axis = axis.ok_or_else(|| self.error("tensors do not have this dimension"))?;
                (address, axis, value)
            }
            _ => return misfit(self),
        };
        let (at, n_bytes) = field.place(axis);
        let address = self.address(address, memory)?;
        let address = Address { offset: address.offset + at as i64, ..address };
        let value = self.source(value, if wanted == "b64" { Type::B64 } else { Type::B32 })?;
        let width = Width::of_bytes(n_bytes as u64);
        let width = width.ok_or_else(|| self.error("memory cannot hold values of this size"))?;
        let values = SmallVec::from_slice(&[value]);
        Ok(Op::Store { address, width, values, order: Order::WEAK })
    }
}

fn n_axes(dim: &str) -> Option<usize> {
    ["1d", "2d", "3d", "4d", "5d"].iter().position(|known| *known == dim).map(|idx| idx + 1)
}
