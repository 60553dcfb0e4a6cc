//! Functions of the library's, built in a module from what their bodies say.
//!
//! They ask what the compilation was told wherever it matters, and branch on the answer. The answers are known here, so that a
//! branch that is not taken is not built, nor a block of its own for what has one block before it: about half of a function. To
//! have LLVM read, link and tidy up the same takes longer than all passes over what is left.
//!
//! What cannot be built, because it is of a kind that mathematical functions do not use or because the bitcode is damaged, makes
//! the answer `None`.

use std::collections::BTreeMap;

use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicType, BasicTypeEnum, FloatType, FunctionType};
use inkwell::values::{
    ArrayValue, BasicMetadataValueEnum, BasicValue, BasicValueEnum, FastMathFlags, FloatValue, FunctionValue,
    InstructionOpcode, InstructionValue, IntValue, PhiValue, PointerValue,
};
use inkwell::{AddressSpace, FloatPredicate, InlineAsmDialect, IntPredicate};

use super::body::{Asm, Body, Constant, ConstantData, Instruction, Operation};
use super::library::{Library, Piece, Read, Type, block};
use super::prepare::{REFLECT, answer};
use crate::context::Cx;
use crate::unroll;

/// The numbers of attributes in bitcode (llvm/Bitcode/LLVMBitCodes.h).
mod attribute {
    pub(super) const ALWAYS_INLINE: u64 = 2;
    pub(super) const NO_INLINE: u64 = 14;
    pub(super) const READ_NONE: u64 = 20;
}

/// A module with these functions, and with those that they call.
pub(super) fn build<'ctx>(
    cx: &Cx<'_, 'ctx>,
    library: &Library<'_>,
    read: &Read<'_>,
    names: &[&str],
) -> Option<Module<'ctx>> {
    let bodies = library.bodies(read, names)?;
    let module = cx.llvm.create_module("libdevice");
    let mut copier = Copier {
        cx,
        library,
        module: &module,
        builder: cx.llvm.create_builder(),
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

struct Copier<'a, 'm, 'ctx> {
    cx: &'a Cx<'m, 'ctx>,
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

impl<'ctx> Copier<'_, '_, 'ctx> {
    fn declare(&mut self, number: usize) -> Option<()> {
        let value = &self.library.values[number];
        let function = value.function.as_ref()?;
        let name = std::str::from_utf8(self.library.name(value)?).ok()?;
        let made = self.module.add_function(name, self.function_type(function.ty)?, Some(Linkage::Internal));
        made.add_attribute(AttributeLoc::Function, self.cx.enum_attr(self.cx.attrs.nounwind, 0));
        for kind in self.attributes_of(function.attributes)? {
            match *kind {
                attribute::ALWAYS_INLINE => self.cx.add_fn_attr(made, "alwaysinline"),
                attribute::NO_INLINE => self.cx.add_fn_attr(made, "noinline"),
                _ => {}
            }
        }
        self.functions[number] = Some(made);
        Some(())
    }

    /// Attributes, by the number of their list; zero is none.
    fn attributes_of(&self, list: usize) -> Option<&[u64]> {
        list.checked_sub(1).map_or(Some(&[]), |list| self.attributes.get(list).map(Vec::as_slice))
    }

    fn function_type(&mut self, ty: usize) -> Option<FunctionType<'ctx>> {
        let Type::Function { result, parameters, is_variadic: false } = self.library.types.get(ty)? else {
            return None;
        };
        let parameters: Vec<_> =
            parameters.iter().map(|ty| Some(self.ty(*ty)?.into())).collect::<Option<_>>()?;
        Some(match self.library.types.get(*result)? {
            Type::Void => self.cx.llvm.void_type().fn_type(&parameters, false),
            _ => self.ty(*result)?.fn_type(&parameters, false),
        })
    }

    fn ty(&mut self, number: usize) -> Option<BasicTypeEnum<'ctx>> {
        const LONGEST: u64 = 1 << 16;
        if let Some(ty) = self.types.get(number)? {
            return Some(*ty);
        }
        // What a type consists of has been there before it.
        let part = |copier: &mut Self, part: usize| copier.ty(Some(part).filter(|part| *part < number)?);
        let llvm = self.cx.llvm;
        let ty = match self.library.types.get(number)? {
            Type::Float => llvm.f32_type().into(),
            Type::Double => llvm.f64_type().into(),
            Type::Integer { width: 1 } => llvm.bool_type().into(),
            Type::Integer { width: 8 } => llvm.i8_type().into(),
            Type::Integer { width: 16 } => llvm.i16_type().into(),
            Type::Integer { width: 32 } => llvm.i32_type().into(),
            Type::Integer { width: 64 } => llvm.i64_type().into(),
            Type::Pointer { space, .. } => llvm.ptr_type(AddressSpace::try_from(*space).ok()?).into(),
            Type::Array { len, of } if *len <= LONGEST => part(self, *of)?.array_type(*len as u32).into(),
            Type::Struct(members) => {
                let members: Vec<_> =
                    members.iter().map(|member| part(self, *member)).collect::<Option<_>>()?;
                llvm.struct_type(&members, false).into()
            }
            _ => return None,
        };
        self.types[number] = Some(ty);
        Some(ty)
    }

    /// A constant of the library's own.
    fn library_constant(&mut self, number: usize) -> Option<&Constant> {
        if self.constants.is_none() {
            let mut all = BTreeMap::new();
            for (numbers, block) in &self.library.constants {
                let mut constants = Vec::new();
                self.library.constants_of(self.library.head, block, &mut constants)?;
                all.extend(numbers.clone().zip(constants));
            }
            self.constants = Some(all);
        }
        self.constants.as_ref()?.get(&number)
    }

    /// What is answered to the question that is asked with this operand: the address of a name.
    fn answer(&mut self, body: &Body, operand: usize) -> Option<u64> {
        let constant = body.constants.get(operand.checked_sub(body.first_constant)?)?;
        let ConstantData::Address(variable, _) = constant.data else { return None };
        if let Some(answer) = self.answers.get(&variable) {
            return Some(*answer);
        }
        let initializer = self.library.values.get(variable)?.variable?.initializer;
        let ConstantData::Elements(letters) = &self.library_constant(initializer)?.data else { return None };
        let name: Vec<u8> = letters.iter().map(|letter| *letter as u8).collect();
        let answer = answer(self.cx, &name);
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
        *function.blocks[block].get_or_insert_with(|| self.cx.llvm.append_basic_block(value, ""))
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
                    Some(self.cx.tys.i32.const_int(answer, false).into())
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

    /// The value of an instruction without effects.
    fn computed(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        operation: &Operation,
    ) -> Option<BasicValueEnum<'ctx>> {
        match operation {
            Operation::Binary { code, flags, left, right } => {
                let (left, right) = (self.value(function, *left)?, self.value(function, *right)?);
                self.binary(*code, *flags, left, right)
            }
            Operation::Cast { code, value, ty } => {
                let (value, ty) = (self.value(function, *value)?, self.ty(*ty)?);
                self.cast(*code, value, ty)
            }
            Operation::Compare { predicate, left, right } => {
                let (left, right) = (self.value(function, *left)?, self.value(function, *right)?);
                self.compare(*predicate, left, right)
            }
            Operation::Extract { from, index } => {
                let BasicValueEnum::StructValue(from) = self.value(function, *from)? else { return None };
                self.builder.build_extract_value(from, *index, "").ok()
            }
            Operation::Insert { into, value, index } => {
                let BasicValueEnum::StructValue(into) = self.value(function, *into)? else { return None };
                let value = self.value(function, *value)?;
                let member = into.get_type().get_field_type_at_index(*index)?;
                let made = (member == value.get_type())
                    .then(|| self.builder.build_insert_value(into, value, *index, ""))?;
                Some(made.ok()?.as_basic_value_enum())
            }
            Operation::Select { condition, then, otherwise } => {
                let condition = self.condition(function, *condition)?;
                let (then, otherwise) = (self.value(function, *then)?, self.value(function, *otherwise)?);
                let made = (then.get_type() == otherwise.get_type())
                    .then(|| self.builder.build_select(condition, then, otherwise, ""))?;
                made.ok()
            }
            Operation::Element { is_inbounds, ty, base, indices } => {
                let base = self.pointer(function, *base)?;
                let indices: Vec<IntValue<'_>> = indices
                    .iter()
                    .map(|index| IntValue::try_from(self.value(function, *index)?).ok())
                    .collect::<Option<_>>()?;
                let ty = self.ty(*ty)?;
                // Members of structs would have to be constant.
                let depth = usize::from(ty.is_array_type());
                let elem =
                    if let BasicTypeEnum::ArrayType(array) = ty { array.get_element_type() } else { ty };
                if !is_scalar(elem) || indices.len() != depth + 1 {
                    return None;
                }
                // SAFETY: there is an index for the pointer, and one for the array.
                let made = unsafe {
                    if *is_inbounds {
                        self.builder.build_in_bounds_gep(ty, base, &indices, "")
                    } else {
                        self.builder.build_gep(ty, base, &indices, "")
                    }
                };
                Some(made.ok()?.into())
            }
            Operation::Load { ty, address, align } => {
                let (ty, address) = (self.ty(*ty)?, self.pointer(function, *address)?);
                let made = self.builder.build_load(ty, address, "").ok()?;
                set_align(made.as_instruction_value()?, *align)?;
                Some(made)
            }
            Operation::Alloca { ty, align } => {
                let ty = self.ty(*ty)?;
                let made = self.builder.build_alloca(ty, "").ok()?;
                set_align(made.as_instruction()?, *align)?;
                Some(made.into())
            }
            _ => None,
        }
    }

    fn binary(
        &self,
        code: u64,
        flags: u64,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use InstructionOpcode as Op;
        const NO_UNSIGNED_WRAP: u64 = 1;
        const NO_SIGNED_WRAP: u64 = 2;
        const EXACT: u64 = 1;
        let is_int = left.is_int_value();
        if left.get_type() != right.get_type() || !(is_int || left.is_float_value() && flags == 0) {
            return None;
        }
        let op = match (code, is_int) {
            (0, true) => Op::Add,
            (1, true) => Op::Sub,
            (2, true) => Op::Mul,
            (3, true) => Op::UDiv,
            (4, true) => Op::SDiv,
            (5, true) => Op::URem,
            (6, true) => Op::SRem,
            (7, true) => Op::Shl,
            (8, true) => Op::LShr,
            (9, true) => Op::AShr,
            (10, true) => Op::And,
            (11, true) => Op::Or,
            (12, true) => Op::Xor,
            (0, false) => Op::FAdd,
            (1, false) => Op::FSub,
            (2, false) => Op::FMul,
            (4, false) => Op::FDiv,
            (6, false) => Op::FRem,
            _ => return None,
        };
        let made = self.builder.build_binop(op, left, right, "").ok()?;
        // What is constant is no instruction.
        let Some(instruction) = made.as_instruction_value() else { return Some(made) };
        match op {
            Op::FAdd | Op::FSub | Op::FMul if self.cx.options.fmad => {
                instruction.set_fast_math_flags(FastMathFlags::AllowContract).ok()?;
            }
            Op::Add | Op::Sub | Op::Mul | Op::Shl if flags != 0 => {
                instruction.set_no_unsigned_wrap_flag(flags & NO_UNSIGNED_WRAP != 0).ok()?;
                instruction.set_no_signed_wrap_flag(flags & NO_SIGNED_WRAP != 0).ok()?;
            }
            Op::UDiv | Op::SDiv | Op::LShr | Op::AShr if flags != 0 => {
                instruction.set_exact_flag(flags & EXACT != 0).ok()?;
            }
            _ => {}
        }
        Some(made)
    }

    fn cast(
        &self,
        code: u64,
        value: BasicValueEnum<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use BasicTypeEnum::{FloatType as F, IntType as I, PointerType as P};
        use InstructionOpcode as Op;
        let double = self.cx.tys.f64;
        let op = match (code, value.get_type(), ty) {
            (0, I(from), I(to)) if from.get_bit_width() > to.get_bit_width() => Op::Trunc,
            (1, I(from), I(to)) if from.get_bit_width() < to.get_bit_width() => Op::ZExt,
            (2, I(from), I(to)) if from.get_bit_width() < to.get_bit_width() => Op::SExt,
            (3, F(_), I(_)) => Op::FPToUI,
            (4, F(_), I(_)) => Op::FPToSI,
            (5, I(_), F(_)) => Op::UIToFP,
            (6, I(_), F(_)) => Op::SIToFP,
            (7, F(from), F(to)) if from == double && to != double => Op::FPTrunc,
            (8, F(from), F(to)) if from != double && to == double => Op::FPExt,
            (11, P(from), P(to)) if from == to => return Some(value),
            (11, I(from), F(to)) if from.get_bit_width() == bits(to == double) => Op::BitCast,
            (11, F(from), I(to)) if bits(from == double) == to.get_bit_width() => Op::BitCast,
            (12, P(from), P(to)) if from != to => Op::AddrSpaceCast,
            _ => return None,
        };
        self.builder.build_cast(op, value, ty, "").ok()
    }

    fn compare(
        &self,
        predicate: u64,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Option<BasicValueEnum<'ctx>> {
        use FloatPredicate as F;
        use IntPredicate as I;
        const FLOATS: [F; 16] = [
            F::PredicateFalse,
            F::OEQ,
            F::OGT,
            F::OGE,
            F::OLT,
            F::OLE,
            F::ONE,
            F::ORD,
            F::UNO,
            F::UEQ,
            F::UGT,
            F::UGE,
            F::ULT,
            F::ULE,
            F::UNE,
            F::PredicateTrue,
        ];
        const INTS: [I; 10] = [I::EQ, I::NE, I::UGT, I::UGE, I::ULT, I::ULE, I::SGT, I::SGE, I::SLT, I::SLE];
        const FIRST_OF_INTS: usize = 32;
        if left.get_type() != right.get_type() {
            return None;
        }
        let predicate = predicate as usize;
        let made = match (left, right) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                self.builder.build_float_compare(*FLOATS.get(predicate)?, left, right, "")
            }
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                let predicate = *INTS.get(predicate.checked_sub(FIRST_OF_INTS)?)?;
                self.builder.build_int_compare(predicate, left, right, "")
            }
            _ => return None,
        };
        Some(made.ok()?.into())
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
            unroll::mark(self.cx.llvm, made, unroll);
        }
        Some(())
    }

    fn call(
        &mut self,
        function: &mut Function<'_, 'ctx>,
        (ty, callee): (usize, usize),
        arguments: &[usize],
        attributes: usize,
    ) -> Option<Option<BasicValueEnum<'ctx>>> {
        let ty = self.function_type(ty)?;
        let arguments: Vec<BasicValueEnum<'_>> =
            arguments.iter().map(|argument| self.value(function, *argument)).collect::<Option<_>>()?;
        if !ty
            .get_param_types()
            .iter()
            .copied()
            .eq(arguments.iter().map(|argument| argument.get_type().into()))
        {
            return None;
        }
        let passed: Vec<BasicMetadataValueEnum<'_>> =
            arguments.iter().map(|argument| (*argument).into()).collect();
        if let Some(called) = self.library.values.get(callee) {
            if called.function.as_ref()?.is_declaration {
                return Some(Some(self.call_intrinsic(callee, ty, passed)?));
            }
            let called = self.functions[callee].filter(|called| called.get_type() == ty)?;
            return Some(
                self.builder.build_direct_call(called, &passed, "").ok()?.try_as_basic_value().basic(),
            );
        }
        let constant = function.body.constants.get(callee.checked_sub(function.body.first_constant)?)?;
        let ConstantData::Asm(Asm { has_effect, text, constraints }) = &constant.data else { return None };
        let (text, constraints) =
            (String::from_utf8(text.clone()).ok()?, String::from_utf8(constraints.clone()).ok()?);
        let asm = self.cx.llvm.create_inline_asm(
            ty,
            text,
            constraints,
            *has_effect,
            false,
            Some(InlineAsmDialect::ATT),
            false,
        );
        let call = self.builder.build_indirect_call(ty, asm, &passed, "").ok()?;
        call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(self.cx.attrs.nounwind, 0));
        if self.attributes_of(attributes)?.contains(&attribute::READ_NONE) {
            call.add_attribute(AttributeLoc::Function, self.cx.enum_attr(self.cx.attrs.memory, 0));
        }
        Some(call.try_as_basic_value().basic())
    }

    /// A call of an instruction, and its result in the type that the library's declaration has.
    fn call_intrinsic(
        &mut self,
        callee: usize,
        ty: FunctionType<'ctx>,
        mut arguments: Vec<BasicMetadataValueEnum<'ctx>>,
    ) -> Option<BasicValueEnum<'ctx>> {
        if self.functions[callee].is_none() {
            self.functions[callee] = Some(self.intrinsic(callee, ty)?);
        }
        let called = self.functions[callee]?;
        // The number of leading zeros of zero is known, as is the magnitude of the least number.
        if called.count_params() as usize == arguments.len() + 1 {
            arguments.push(self.cx.llvm.bool_type().const_zero().into());
        }
        let result =
            self.builder.build_direct_call(called, &arguments, "").ok()?.try_as_basic_value().basic()?;
        match (result, ty.get_return_type()?) {
            (result, ty) if result.get_type() == ty => Some(result),
            // A number of bits has 32.
            (BasicValueEnum::IntValue(result), BasicTypeEnum::IntType(ty))
                if ty.get_bit_width() < result.get_type().get_bit_width() =>
            {
                Some(self.builder.build_int_truncate(result, ty, "").ok()?.into())
            }
            _ => None,
        }
    }

    /// The instruction that LLVM has by the name that the library declares, or had when the library was made.
    fn intrinsic(&self, callee: usize, ty: FunctionType<'ctx>) -> Option<FunctionValue<'ctx>> {
        let name = std::str::from_utf8(self.library.name(&self.library.values[callee])?).ok()?;
        // What has become of others is what LLVM's reader makes of them.
        let of_type = match name.strip_prefix("llvm.")? {
            "nvvm.fabs.f" | "nvvm.fabs.d" => Some("llvm.nvvm.fabs"),
            "nvvm.fabs.ftz.f" => Some("llvm.nvvm.fabs.ftz"),
            "nvvm.ex2.approx.f" => Some("llvm.nvvm.ex2.approx"),
            "nvvm.ex2.approx.ftz.f" => Some("llvm.nvvm.ex2.approx.ftz"),
            "nvvm.min.i" | "nvvm.min.ll" => Some("llvm.smin"),
            "nvvm.max.i" | "nvvm.max.ll" => Some("llvm.smax"),
            "nvvm.min.ui" | "nvvm.min.ull" => Some("llvm.umin"),
            "nvvm.max.ui" | "nvvm.max.ull" => Some("llvm.umax"),
            "nvvm.clz.i" | "nvvm.clz.ll" => Some("llvm.ctlz"),
            "nvvm.popc.i" | "nvvm.popc.ll" => Some("llvm.ctpop"),
            "nvvm.brev32" | "nvvm.brev64" => Some("llvm.bitreverse"),
            "nvvm.abs.i" | "nvvm.abs.ll" => Some("llvm.abs"),
            "copysign.f32" | "copysign.f64" => Some("llvm.copysign"),
            name if name.starts_with("nvvm.") => None,
            _ => return None,
        };
        let intrinsic = Intrinsic::find(of_type.unwrap_or(name))?;
        if intrinsic.is_overloaded() != of_type.is_some() {
            return None;
        }
        let parameters = ty.get_param_types();
        let types: Option<Vec<BasicTypeEnum<'_>>> =
            of_type.iter().map(|_| BasicTypeEnum::try_from(*parameters.first()?).ok()).collect();
        let called = intrinsic.get_declaration(self.module, &types?)?;
        let (found, n_found) = (called.get_type().get_param_types(), called.count_params() as usize);
        (found.starts_with(&parameters) && n_found <= parameters.len() + 1).then_some(called)
    }

    fn value(&mut self, function: &Function<'_, 'ctx>, number: usize) -> Option<BasicValueEnum<'ctx>> {
        if let Some(idx) = number.checked_sub(self.library.values.len()) {
            if let Some(value) = function.values.get(idx)? {
                return Some(*value);
            }
            let idx = number.checked_sub(function.body.first_constant)?;
            let constant = function.body.constants.get(idx)?;
            if let ConstantData::Address(variable, indices) = &constant.data {
                // Of the first element, which is where the variable is.
                for index in indices {
                    let index = IntValue::try_from(self.value(function, *index)?).ok()?;
                    index.get_zero_extended_constant().filter(|index| *index == 0)?;
                }
                return Some(self.variable(*variable)?.into());
            }
            let ty = self.ty(constant.ty)?;
            return self.constant(ty, &constant.data);
        }
        if self.library.values.get(number)?.variable.is_some() {
            return Some(self.variable(number)?.into());
        }
        let constant = self.library_constant(number)?;
        let (ty, data) = (constant.ty, constant.data.clone());
        let ty = self.ty(ty)?;
        self.constant(ty, &data)
    }

    fn pointer(&mut self, function: &Function<'_, 'ctx>, number: usize) -> Option<PointerValue<'ctx>> {
        PointerValue::try_from(self.value(function, number)?).ok()
    }

    /// A value that a choice depends on.
    fn condition(&mut self, function: &Function<'_, 'ctx>, number: usize) -> Option<IntValue<'ctx>> {
        let value = IntValue::try_from(self.value(function, number)?).ok()?;
        (value.get_type().get_bit_width() == 1).then_some(value)
    }

    fn constant(&self, ty: BasicTypeEnum<'ctx>, data: &ConstantData) -> Option<BasicValueEnum<'ctx>> {
        match (data, ty) {
            (ConstantData::Null, ty) => Some(ty.const_zero()),
            (ConstantData::Undef, BasicTypeEnum::IntType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Undef, BasicTypeEnum::FloatType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Undef, BasicTypeEnum::StructType(ty)) => Some(ty.get_undef().into()),
            (ConstantData::Integer(value), BasicTypeEnum::IntType(ty)) => {
                Some(ty.const_int(*value as u64, true).into())
            }
            (ConstantData::Float(bits), BasicTypeEnum::FloatType(ty)) => {
                self.float(ty, *bits).map(Into::into)
            }
            _ => None,
        }
    }

    /// The number of these bits.
    fn float(&self, ty: FloatType<'ctx>, number: u64) -> Option<FloatValue<'ctx>> {
        let int = if ty == self.cx.tys.f64 { self.cx.tys.i64 } else { self.cx.tys.i32 };
        let value = self.builder.build_bit_cast(int.const_int(number, false), ty, "").ok()?;
        FloatValue::try_from(value).ok()
    }

    fn array(&self, elem: BasicTypeEnum<'ctx>, elements: &[u64]) -> Option<ArrayValue<'ctx>> {
        match elem {
            BasicTypeEnum::IntType(elem) => {
                let elements: Vec<_> = elements.iter().map(|bits| elem.const_int(*bits, false)).collect();
                Some(elem.const_array(&elements))
            }
            BasicTypeEnum::FloatType(elem) => {
                let elements: Option<Vec<_>> = elements.iter().map(|bits| self.float(elem, *bits)).collect();
                Some(elem.const_array(&elements?))
            }
            _ => None,
        }
    }

    /// A table of the library's, which the module gets with it.
    fn variable(&mut self, number: usize) -> Option<PointerValue<'ctx>> {
        if let Some(made) = self.variables.get(&number) {
            return Some(*made);
        }
        let value = &self.library.values[number];
        let variable = value.variable?;
        let name = std::str::from_utf8(self.library.name(value)?).ok()?;
        let BasicTypeEnum::ArrayType(ty) = self.ty(variable.ty)? else { return None };
        let data = self.library_constant(variable.initializer)?.data.clone();
        let initializer = match data {
            ConstantData::Null => ty.const_zero(),
            ConstantData::Elements(elements) if elements.len() == ty.len() as usize => {
                self.array(ty.get_element_type(), &elements)?
            }
            _ => return None,
        };
        let made = self.module.add_global(ty, Some(AddressSpace::try_from(variable.space).ok()?), name);
        made.set_initializer(&initializer);
        made.set_constant(variable.is_constant);
        made.set_linkage(Linkage::Internal);
        if variable.align > 0 {
            made.set_alignment(variable.align);
        }
        let made = made.as_pointer_value();
        self.variables.insert(number, made);
        Some(made)
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

fn is_scalar(ty: BasicTypeEnum<'_>) -> bool {
    ty.is_int_type() || ty.is_float_type() || ty.is_pointer_type()
}

fn bits(is_double: bool) -> u32 {
    if is_double { 64 } else { 32 }
}
