//! Builds library functions in a module from their decoded bodies.
//!
//! They query the options of the compilation where these matter, and branch on the answer. The answers are
//! known here, so that a branch that is not taken is not built, and a block with one predecessor is merged
//! into it: about half of a function. Having LLVM read, link and clean up the same takes longer than all
//! passes over the rest.
//!
//! If something is unsupported, because mathematical functions do not use it or because the bitcode is
//! damaged, the result is `None`.

mod call;
mod compute;
mod place;
mod value;
mod ways;

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
use place::Place;
use ways::{Targets, Ways};

/// The numbers of attributes in bitcode (llvm/Bitcode/LLVMBitCodes.h).
mod attribute {
    pub(super) const ALWAYS_INLINE: u64 = 2;
    pub(super) const NO_INLINE: u64 = 14;
    pub(super) const READ_NONE: u64 = 20;
}

/// The function that answers queries: it maps a name to a number.
pub(super) const REFLECT: &str = "__nvvm_reflect";

/// The options for which functions are built.
pub(super) struct BuildOptions<'a, 'ctx> {
    /// The context to build in.
    pub(super) llvm: &'ctx Context,
    /// Whether products and sums may be fused.
    pub(super) is_fused: bool,
    /// The answers to queries, by name including the terminating zero.
    pub(super) answer: &'a dyn Fn(&[u8]) -> u64,
}

/// A module with these functions, and those that they call.
pub(super) fn build<'ctx>(
    build_options: &BuildOptions<'_, 'ctx>,
    library: &Library<'_>,
    read: &Read<'_>,
    names: &[&str],
) -> Option<Module<'ctx>> {
    let bodies = library.bodies(read, names)?;
    let module = build_options.llvm.create_module("libdevice");
    let mut copier = Copier::new(build_options, library, &module)?;
    for number in bodies.keys() {
        copier.declare(*number)?;
    }
    for (number, body) in &bodies {
        let ways = copier.ways(body)?;
        copier.define(*number, body, ways)?;
    }
    drop(copier);
    module.verify().is_ok().then_some(module)
}

/// The result of inlining a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inlining {
    /// The call and the module are unchanged.
    Skipped,
    /// The call was replaced.
    Done,
    /// The new code is wrong; the module must be discarded.
    Failed,
}

/// Builds a function inline at its call, with short loops unrolled, if it calls no other function and has no
/// other loops.
pub(super) fn build_in_place<'ctx>(
    build_options: &BuildOptions<'_, 'ctx>,
    library: &Library<'_>,
    read: &Read<'_>,
    module: &Module<'ctx>,
    (called, call): (FunctionValue<'ctx>, InstructionValue<'ctx>),
) -> Inlining {
    let plan = || {
        let mut bodies = library.bodies(read, &[called.get_name().to_str().ok()?])?;
        let mut copier = Copier::new(build_options, library, module)?;
        let (number, body) = bodies.pop_first().filter(|_| bodies.is_empty())?;
        let ty = copier.function_type(library.values[number].function.as_ref()?.ty)?;
        let mut ways = copier.ways(&body)?;
        (ty == called.get_type() && ways.write_out_loops(&body)).then_some((copier, body, ways))
    };
    let Some((mut copier, body, ways)) = plan() else { return Inlining::Skipped };
    match copier.define_in_place(call, &body, ways) {
        Some(()) => Inlining::Done,
        None => Inlining::Failed,
    }
}

impl Library<'_> {
    /// The bodies of functions, and of those that they call, by number.
    fn bodies(&self, read: &Read<'_>, names: &[&str]) -> Option<BTreeMap<usize, Body>> {
        let mut bodies = BTreeMap::new();
        let mut open = Vec::new();
        for name in names {
            open.push(self.function(name)?);
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

    /// The attribute lists of functions.
    fn attributes(&self) -> Option<Vec<Vec<u64>>> {
        const OF_FUNCTION: u64 = 0xffff_ffff;
        const ENUM: u64 = 0;
        let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        self.each_record(block::PARAMATTR_GROUP, |_, fields| {
            if let [group, OF_FUNCTION, rest @ ..] = fields {
                // Attributes with a value or a text follow plain ones.
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
    build_options: &'a BuildOptions<'a, 'ctx>,
    library: &'a Library<'a>,
    module: &'a Module<'ctx>,
    builder: Builder<'ctx>,
    types: Vec<Option<BasicTypeEnum<'ctx>>>,
    variables: BTreeMap<usize, PointerValue<'ctx>>,
    /// The built functions, and LLVM's intrinsics for declared ones.
    functions: Vec<Option<FunctionValue<'ctx>>>,
    /// The attribute lists of functions.
    attributes: Vec<Vec<u64>>,
    /// The number of the query function.
    reflect: Option<usize>,
    /// The answer to the query about each name's variable.
    answers: BTreeMap<usize, u64>,
}

/// A function under construction.
struct Function<'b, 'ctx> {
    value: FunctionValue<'ctx>,
    /// The call to replace, if it is built inline.
    place: Option<Place<'ctx>>,
    body: &'b Body,
    ways: Ways,
    /// The LLVM block of each block.
    blocks: Vec<Option<BasicBlock<'ctx>>>,
    /// Parameters, constants and instructions by number, without the library's values.
    values: Vec<Option<BasicValueEnum<'ctx>>>,
    /// Phi nodes, whose incoming values may be built later: the values, and the blocks.
    phis: Vec<(PhiValue<'ctx>, Vec<(usize, usize)>)>,
    /// The block that continues the current LLVM block.
    next: Option<usize>,
}

impl<'a, 'ctx> Copier<'a, 'ctx> {
    fn new(
        build_options: &'a BuildOptions<'a, 'ctx>,
        library: &'a Library<'a>,
        module: &'a Module<'ctx>,
    ) -> Option<Self> {
        Some(Copier {
            build_options,
            library,
            module,
            builder: build_options.llvm.create_builder(),
            types: vec![None; library.types.len()],
            variables: BTreeMap::new(),
            functions: vec![None; library.values.len()],
            attributes: library.attributes()?,
            reflect: library.function(REFLECT),
            answers: BTreeMap::new(),
        })
    }

    fn declare(&mut self, number: usize) -> Option<()> {
        let value = &self.library.values[number];
        let function = value.function.as_ref()?;
        let name = self.library.name(value)?;
        let made = self.module.add_function(&name, self.function_type(function.ty)?, Some(Linkage::Internal));
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

    /// The attribute with this name. `memory` means no access.
    fn attribute(&self, name: &str) -> Attribute {
        self.build_options.llvm.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
    }

    /// The attributes of a list by number; zero is the empty list.
    fn attributes_of(&self, list: usize) -> Option<&[u64]> {
        list.checked_sub(1).map_or(Some(&[]), |list| self.attributes.get(list).map(Vec::as_slice))
    }

    /// The answer to the query with this operand, the address of a name.
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
        let ConstantData::Elements(letters) = &self.library.constant(initializer)?.data else { return None };
        let name: Vec<u8> = letters.iter().map(|letter| *letter as u8).collect();
        let answer = (self.build_options.answer)(&name);
        self.answers.insert(variable, answer);
        Some(answer)
    }

    fn is_question(&self, callee: usize) -> bool {
        self.reflect == Some(callee)
    }

    fn define(&mut self, number: usize, body: &Body, ways: Ways) -> Option<()> {
        let value = self.functions[number]?;
        let parameters = value.get_param_iter().collect();
        self.fill(&mut Function::new(value, parameters, body, ways))
    }

    /// Builds the blocks.
    fn fill(&mut self, function: &mut Function<'_, 'ctx>) -> Option<()> {
        let (mut open, mut built) = (vec![0], vec![false; function.body.blocks.len()]);
        // Operands are built before their users: every path to a block passes through their definitions.
        while let Some(mut block) = open.pop() {
            if std::mem::replace(&mut built[block], true) {
                continue;
            }
            let made = self.block(function, block);
            self.builder.position_at_end(made);
            if let Some(rounds) = function.ways.rounds.get(&block) {
                self.begin_round(function, rounds.outside, block)?;
            }
            self.instructions(function, block)?;
            while let Some(next) = function.next.take() {
                built[next] = true;
                function.blocks[next] = Some(made);
                if function.ways.rounds.contains_key(&next) {
                    self.begin_round(function, block, next)?;
                }
                block = next;
                self.instructions(function, block)?;
            }
            open.extend(function.ways.targets[block]?.all());
        }
        self.complete_phis(function)
    }

    fn block(&self, function: &mut Function<'_, 'ctx>, block: usize) -> BasicBlock<'ctx> {
        let llvm = self.build_options.llvm;
        *function.blocks[block].get_or_insert_with(|| match &function.place {
            Some(place) => llvm.prepend_basic_block(place.next, ""),
            None => llvm.append_basic_block(function.value, ""),
        })
    }

    fn instructions(&mut self, function: &mut Function<'_, 'ctx>, block: usize) -> Option<()> {
        let body = function.body;
        body.blocks[block].iter().try_for_each(|instruction| self.instruction(function, block, instruction))
    }

    fn instruction(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        block: usize,
        instruction: &Instruction,
    ) -> Option<()> {
        let value = match &instruction.operation {
            // It was set when the iteration began.
            Operation::Phi { .. } if function.ways.rounds.contains_key(&block) => return Some(()),
            Operation::Phi { ty, incoming } => Some(self.phi(function, block, *ty, incoming)?),
            Operation::Call { ty, callee, arguments, attributes } => {
                if self.is_question(*callee) {
                    let answer = self.answer(function.body, *arguments.first()?)?;
                    Some(self.build_options.llvm.i32_type().const_int(answer, false).into())
                } else {
                    self.call(function, (*ty, *callee), arguments, *attributes)?
                }
            }
            Operation::Alloca { ty, align } => {
                let ty = self.ty(*ty)?;
                let made = self.variable_in_place(function, |copier| {
                    let made = copier.builder.build_alloca(ty, "").ok()?;
                    set_align(made.as_instruction()?, *align)?;
                    Some(made)
                });
                Some(made?.into())
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
            if function.ways.lead(from, block)? && !reached.iter().any(|(_, other)| *other == from) {
                reached.push((value, from));
            }
        }
        if reached.len() != function.ways.n_before[block] {
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

    /// Begins an iteration of an unrolled loop: sets the phi nodes to this iteration's values.
    fn begin_round(&mut self, function: &mut Function<'_, 'ctx>, from: usize, first: usize) -> Option<()> {
        function.ways.begin_round(first)?;
        let (body, mut values) = (function.body, Vec::new());
        for Instruction { operation, number, .. } in &body.blocks[first] {
            if let Operation::Phi { incoming, .. } = operation {
                let (value, _) = incoming.iter().find(|(_, before)| *before == from)?;
                values.push(((*number)?, self.value(function, *value)?));
            }
        }
        for (number, value) in values {
            function.values[number - self.library.values.len()] = Some(value);
        }
        Some(())
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
        if let (Some(rounds), Operation::Choose { condition, then, otherwise }) =
            (function.ways.rounds.get(&block), &instruction.operation)
        {
            let inside = rounds.inside;
            let is_then = self.condition(function, *condition)?.get_zero_extended_constant()? != 0;
            let target = if is_then { *then } else { *otherwise };
            if target == inside {
                function.next = Some(target);
                return Some(());
            }
            function.ways.targets[block] = Some(Targets::One(target));
        }
        let made = match (function.ways.targets[block]?, &instruction.operation) {
            (Targets::One(target), _) if function.ways.is_part_of_the_one_before(target) => {
                function.next = Some(target);
                return Some(());
            }
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
                if let Some(place) = &mut function.place {
                    return place.end(self, value?);
                }
                if value.map(|value| value.get_type()) != function.value.get_type().get_return_type() {
                    return None;
                }
                self.builder.build_return(value.as_ref().map(|value| value as &dyn BasicValue<'_>)).ok()?
            }
            _ => return None,
        };
        if let Some(unroll) = instruction.unroll {
            unroll::mark_as(self.build_options.llvm, made, unroll, None);
        }
        Some(())
    }
}

impl<'b, 'ctx> Function<'b, 'ctx> {
    fn new(
        value: FunctionValue<'ctx>,
        parameters: Vec<BasicValueEnum<'ctx>>,
        body: &'b Body,
        ways: Ways,
    ) -> Self {
        let mut values: Vec<_> = parameters.into_iter().map(Some).collect();
        values.resize(values.len() + body.constants.len() + body.n_values, None);
        let blocks = vec![None; body.blocks.len()];
        Function { value, place: None, body, ways, blocks, values, phis: Vec::new(), next: None }
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
