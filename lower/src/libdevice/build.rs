//! Functions of the library's, built in a module from what their bodies say.
//!
//! They ask what the compilation was told wherever it matters, and branch on the answer. The answers are known here, so that a
//! branch that is not taken is not built, nor a block of its own for what has one block before it: about half of a function. To
//! have LLVM read, link and tidy up the same takes longer than all passes over what is left.
//!
//! What cannot be built, because it is of a kind that mathematical functions do not use or because the bitcode is damaged, makes
//! the answer `None`.

mod call;
mod compute;
mod value;

use std::collections::BTreeMap;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, InstructionValue, PhiValue, PointerValue};

use super::body::{Body, Constant, ConstantData, Instruction, Operation};
use super::library::{Library, Piece, Read, block};
use crate::unroll;

/// The numbers of attributes in bitcode (llvm/Bitcode/LLVMBitCodes.h).
mod attribute {
    pub(super) const ALWAYS_INLINE: u64 = 2;
    pub(super) const NO_INLINE: u64 = 14;
    pub(super) const READ_NONE: u64 = 20;
}

/// The function that answers questions: a name gives a number.
pub(super) const REFLECT: &str = "__nvvm_reflect";

/// What functions are built for.
pub(super) struct Purpose<'a, 'ctx> {
    /// Where they are built.
    pub(super) llvm: &'ctx Context,
    /// Whether products and sums may be fused.
    pub(super) is_fused: bool,
    /// The answers to questions, by their names, which end with a zero.
    pub(super) answer: &'a dyn Fn(&[u8]) -> u64,
}

/// A module with these functions, and with those that they call.
pub(super) fn build<'ctx>(
    purpose: &Purpose<'_, 'ctx>,
    library: &Library<'_>,
    read: &Read<'_>,
    names: &[&str],
) -> Option<Module<'ctx>> {
    let bodies = library.bodies(read, names)?;
    let module = purpose.llvm.create_module("libdevice");
    let mut copier = Copier {
        purpose,
        library,
        module: &module,
        builder: purpose.llvm.create_builder(),
        types: vec![None; library.types.len()],
        constants: None,
        variables: BTreeMap::new(),
        functions: vec![None; library.values.len()],
        attributes: library.attributes()?,
        answers: BTreeMap::new(),
    };
    for number in bodies.keys() {
        copier.declare(*number)?;
    }
    for (number, body) in &bodies {
        copier.define(*number, body)?;
    }
    drop(copier);
    module.verify().is_ok().then_some(module)
}

impl Library<'_> {
    /// The bodies of functions, and of those that they call, by their numbers.
    fn bodies(&self, read: &Read<'_>, names: &[&str]) -> Option<BTreeMap<usize, Body>> {
        let mut bodies = BTreeMap::new();
        let mut open = Vec::new();
        for name in names {
            open.push(
                self.values.iter().position(|value| {
                    value.function.is_some() && self.name(value) == Some(name.as_bytes())
                })?,
            );
        }
        while let Some(number) = open.pop() {
            let function = self.values[number].function.as_ref()?;
            if bodies.contains_key(&number) {
                continue;
            }
            let piece = Piece::read(read, function.body?.checked_mul(4)?, self.module.width)?;
            let body = self.decode(function, &piece)?;
            for instruction in body.blocks.iter().flatten() {
                if let Operation::Call { callee, .. } = instruction.operation
                    && let Some(called) = self.values.get(callee)
                    && !called.function.as_ref()?.is_declaration
                {
                    open.push(callee);
                }
            }
            bodies.insert(number, body);
        }
        Some(bodies)
    }

    /// The numbers of functions' attributes, list by list.
    fn attributes(&self) -> Option<Vec<Vec<u64>>> {
        const OF_FUNCTION: u64 = 0xffff_ffff;
        const ENUM: u64 = 0;
        let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        self.each_record(block::PARAMATTR_GROUP, |_, fields| {
            if let [group, OF_FUNCTION, rest @ ..] = fields {
                // What has a value, or is a text, comes behind those that are numbers alone.
                let numbers = rest.chunks_exact(2).take_while(|pair| pair[0] == ENUM);
                groups.insert(*group, numbers.map(|pair| pair[1]).collect());
            }
        })?;
        let mut lists = Vec::new();
        self.each_record(block::PARAMATTR, |_, fields| {
            lists.push(fields.iter().filter_map(|group| groups.get(group)).flatten().copied().collect());
        })?;
        Some(lists)
    }
}

struct Copier<'a, 'ctx> {
    purpose: &'a Purpose<'a, 'ctx>,
    library: &'a Library<'a>,
    module: &'a Module<'ctx>,
    builder: Builder<'ctx>,
    types: Vec<Option<BasicTypeEnum<'ctx>>>,
    /// The library's own, by their numbers, once one has been asked for.
    constants: Option<BTreeMap<usize, Constant>>,
    variables: BTreeMap<usize, PointerValue<'ctx>>,
    /// The functions that are built, and instructions of LLVM's for those that are declared.
    functions: Vec<Option<FunctionValue<'ctx>>>,
    /// The numbers of functions' attributes, list by list.
    attributes: Vec<Vec<u64>>,
    /// What is answered to a question that names this variable.
    answers: BTreeMap<usize, u64>,
}

/// Where a block's end leads.
#[derive(Clone, Copy, Debug)]
enum Targets {
    None,
    One(usize),
    Two(usize, usize),
}

/// A function while it is built.
struct Function<'b, 'ctx> {
    value: FunctionValue<'ctx>,
    body: &'b Body,
    /// Of the blocks that are reached.
    targets: Vec<Option<Targets>>,
    n_before: Vec<usize>,
    /// In which block of LLVM's a block is.
    blocks: Vec<Option<BasicBlock<'ctx>>>,
    /// Parameters, constants and instructions by their numbers, less those of the library's.
    values: Vec<Option<BasicValueEnum<'ctx>>>,
    /// What has values of several blocks, which may be built later: the values, and the blocks.
    phis: Vec<(PhiValue<'ctx>, Vec<(usize, usize)>)>,
}

impl<'ctx> Copier<'_, 'ctx> {
    fn declare(&mut self, number: usize) -> Option<()> {
        let value = &self.library.values[number];
        let function = value.function.as_ref()?;
        let name = std::str::from_utf8(self.library.name(value)?).ok()?;
        let made = self.module.add_function(name, self.function_type(function.ty)?, Some(Linkage::Internal));
        made.add_attribute(AttributeLoc::Function, self.attribute("nounwind"));
        for kind in self.attributes_of(function.attributes)? {
            match *kind {
                attribute::ALWAYS_INLINE => {
                    made.add_attribute(AttributeLoc::Function, self.attribute("alwaysinline"))
                }
                attribute::NO_INLINE => {
                    made.add_attribute(AttributeLoc::Function, self.attribute("noinline"))
                }
                _ => {}
            }
        }
        self.functions[number] = Some(made);
        Some(())
    }

    /// The attribute of that name. Of `memory` it says that nothing is read and written.
    fn attribute(&self, name: &str) -> Attribute {
        self.purpose.llvm.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
    }

    /// Attributes, by the number of their list; zero is none.
    fn attributes_of(&self, list: usize) -> Option<&[u64]> {
        list.checked_sub(1).map_or(Some(&[]), |list| self.attributes.get(list).map(Vec::as_slice))
    }

    /// What is answered to the question that is asked with this operand: the address of a name.
    fn answer(&mut self, body: &Body, operand: usize) -> Option<u64> {
        let constant = operand.checked_sub(body.first_constant).and_then(|idx| body.constants.get(idx));
        let variable = match constant {
            Some(Constant { data: ConstantData::Address(variable, _), .. }) => *variable,
            Some(_) => return None,
            None => operand,
        };
        if let Some(answer) = self.answers.get(&variable) {
            return Some(*answer);
        }
        let initializer = self.library.values.get(variable)?.variable?.initializer;
        let ConstantData::Elements(letters) = &self.library_constant(initializer)?.data else { return None };
        let name: Vec<u8> = letters.iter().map(|letter| *letter as u8).collect();
        let answer = (self.purpose.answer)(&name);
        self.answers.insert(variable, answer);
        Some(answer)
    }

    fn is_question(&self, callee: usize) -> bool {
        self.library.values.get(callee).and_then(|value| self.library.name(value)) == Some(REFLECT.as_bytes())
    }

    /// Where the ends of the blocks lead that are reached.
    fn targets(&mut self, body: &Body) -> Option<Vec<Option<Targets>>> {
        const EQUAL: u64 = 32;
        const UNEQUAL: u64 = 33;
        let integer = |number: usize| match body.constants.get(number.checked_sub(body.first_constant)?)?.data
        {
            ConstantData::Null => Some(0),
            ConstantData::Integer(value) => Some(value as u64),
            _ => None,
        };
        let mut known: BTreeMap<usize, u64> = BTreeMap::new();
        let mut targets = vec![None; body.blocks.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if targets.get(block)?.is_some() {
                continue;
            }
            let mut end = Targets::None;
            for Instruction { operation, number, .. } in &body.blocks[block] {
                match operation {
                    Operation::Call { callee, arguments, .. } if self.is_question(*callee) => {
                        known.insert((*number)?, self.answer(body, *arguments.first()?)?);
                    }
                    Operation::Compare { predicate: predicate @ (EQUAL | UNEQUAL), left, right } => {
                        if let (Some(left), Some(right)) = (known.get(left), integer(*right)) {
                            known.insert((*number)?, u64::from((*left == right) == (*predicate == EQUAL)));
                        }
                    }
                    Operation::Branch(target) => end = Targets::One(*target),
                    Operation::Choose { condition, then, otherwise } => {
                        end = match known.get(condition) {
                            Some(0) => Targets::One(*otherwise),
                            Some(_) => Targets::One(*then),
                            None if then == otherwise => Targets::One(*then),
                            None => Targets::Two(*then, *otherwise),
                        };
                    }
                    _ => {}
                }
            }
            targets[block] = Some(end);
            open.extend(end.all());
        }
        Some(targets)
    }

    fn define(&mut self, number: usize, body: &Body) -> Option<()> {
        let targets = self.targets(body)?;
        let mut n_before = vec![0; body.blocks.len()];
        for target in targets.iter().flatten().flat_map(|targets| targets.all()) {
            n_before[target] += 1;
        }
        let value = self.functions[number]?;
        let mut values: Vec<_> = value.get_param_iter().map(Some).collect();
        values.resize(values.len() + body.constants.len() + body.n_values, None);
        let blocks = vec![None; body.blocks.len()];
        let mut function = Function { value, body, targets, n_before, blocks, values, phis: Vec::new() };
        let (mut open, mut built) = (vec![0], vec![false; body.blocks.len()]);
        // What a value needs is built before it: a way to a block leads through all that its values come from.
        while let Some(mut block) = open.pop() {
            if std::mem::replace(&mut built[block], true) {
                continue;
            }
            let made = self.block(&mut function, block);
            self.builder.position_at_end(made);
            for instruction in &body.blocks[block] {
                self.instruction(&mut function, block, instruction)?;
            }
            while let Some(Targets::One(target)) = function.targets[block]
                && function.is_part_of_the_one_before(target)
            {
                built[target] = true;
                function.blocks[target] = Some(made);
                block = target;
                for instruction in &body.blocks[block] {
                    self.instruction(&mut function, block, instruction)?;
                }
            }
            open.extend(function.targets[block]?.all());
        }
        self.complete_phis(&mut function)
    }

    fn block(&self, function: &mut Function<'_, 'ctx>, block: usize) -> BasicBlock<'ctx> {
        let value = function.value;
        *function.blocks[block].get_or_insert_with(|| self.purpose.llvm.append_basic_block(value, ""))
    }

    fn instruction(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        block: usize,
        instruction: &Instruction,
    ) -> Option<()> {
        let value = match &instruction.operation {
            Operation::Phi { ty, incoming } => Some(self.phi(function, block, *ty, incoming)?),
            Operation::Call { ty, callee, arguments, attributes } => {
                if self.is_question(*callee) {
                    let answer = self.answer(function.body, *arguments.first()?)?;
                    Some(self.purpose.llvm.i32_type().const_int(answer, false).into())
                } else {
                    self.call(function, (*ty, *callee), arguments, *attributes)?
                }
            }
            Operation::Store { address, value, align } => {
                let (address, value) = (self.pointer(function, *address)?, self.value(function, *value)?);
                let store = self.builder.build_store(address, value).ok()?;
                set_align(store, *align)?;
                None
            }
            Operation::Return(_) | Operation::Branch(_) | Operation::Choose { .. } => {
                self.end(function, block, instruction)?;
                None
            }
            operation => Some(self.computed(function, operation)?),
        };
        if let Some(number) = instruction.number {
            function.values[number - self.library.values.len()] = Some(value?);
        }
        Some(())
    }

    fn phi(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        block: usize,
        ty: usize,
        incoming: &[(usize, usize)],
    ) -> Option<BasicValueEnum<'ctx>> {
        let mut reached = Vec::with_capacity(incoming.len());
        for &(value, from) in incoming {
            let targets = function.targets.get(from)?;
            let leads_here = targets.is_some_and(|targets| targets.all().any(|to| to == block));
            if leads_here && !reached.iter().any(|(_, other)| *other == from) {
                reached.push((value, from));
            }
        }
        if reached.len() != function.n_before[block] {
            return None;
        }
        if let [(only, _)] = reached[..] {
            return self.value(function, only);
        }
        let ty = self.ty(ty)?;
        let phi = self.builder.build_phi(ty, "").ok()?;
        function.phis.push((phi, reached));
        Some(phi.as_basic_value())
    }

    fn complete_phis(&mut self, function: &mut Function<'_, 'ctx>) -> Option<()> {
        for (phi, incoming) in std::mem::take(&mut function.phis) {
            for (value, from) in incoming {
                let value = self.value(function, value)?;
                if value.get_type() != phi.as_basic_value().get_type() {
                    return None;
                }
                phi.add_incoming(&[(&value, function.blocks[from]?)]);
            }
        }
        Some(())
    }

    fn end(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        block: usize,
        instruction: &Instruction,
    ) -> Option<()> {
        let made = match (function.targets[block]?, &instruction.operation) {
            (Targets::One(target), _) if function.is_part_of_the_one_before(target) => return Some(()),
            (Targets::One(target), _) => {
                let target = self.block(function, target);
                self.builder.build_unconditional_branch(target).ok()?
            }
            (Targets::Two(then, otherwise), Operation::Choose { condition, .. }) => {
                let condition = self.condition(function, *condition)?;
                let (then, otherwise) = (self.block(function, then), self.block(function, otherwise));
                self.builder.build_conditional_branch(condition, then, otherwise).ok()?
            }
            (Targets::None, Operation::Return(value)) => {
                let value = match value {
                    Some(value) => Some(self.value(function, *value)?),
                    None => None,
                };
                if value.map(|value| value.get_type()) != function.value.get_type().get_return_type() {
                    return None;
                }
                self.builder.build_return(value.as_ref().map(|value| value as &dyn BasicValue<'_>)).ok()?
            }
            _ => return None,
        };
        if let Some(unroll) = instruction.unroll {
            unroll::mark(self.purpose.llvm, made, unroll);
        }
        Some(())
    }
}

impl Targets {
    fn all(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Targets::None => (None, None),
            Targets::One(target) => (Some(target), None),
            Targets::Two(then, otherwise) => (Some(then), Some(otherwise)),
        };
        first.into_iter().chain(second)
    }
}

impl Function<'_, '_> {
    /// Whether a block, to which a block leads without a condition, needs none of its own.
    fn is_part_of_the_one_before(&self, block: usize) -> bool {
        block != 0 && self.n_before[block] == 1
    }
}

fn set_align(instruction: InstructionValue<'_>, align: u32) -> Option<()> {
    if align > 0 {
        instruction.set_alignment(align).ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests;
