//! Bodies of functions: from statements to instructions with numbered registers and known places.

use std::collections::{BTreeMap, HashMap, HashSet};

use smallvec::{SmallVec, smallvec};

use super::agreement::Named;
use super::call::{RegisterParam, Shape};
use super::code::{
    BarrierReduction, BarrierVotes, Code, FrameVariable, Guard, Instruction, Op, Register, Slot, Source,
    Unwritten,
};
use super::debug::Local;
use super::kind::Kind;
use super::labels::Labels;
use super::layout::{align_of_variable, size_of, size_of_variable};
use super::link::Symbols;
use super::modifiers::other_orders;
use super::operand::{DecodeError, Decoded, Flaw, InstructionDecoder, Name};
use super::provenance::{self, Base, Flow, Hints};
use crate::compute::carry::{self, Carrying};
use crate::compute::{self, Operation, video};
use crate::memory::BLOCK_WINDOW;
use crate::memory::bytes::Width;
use crate::ptx::place::Place;
use crate::ptx::syntax::{self, Block, Constant, Function, Operand, Space, Statement, Type, Variable};

/// What frames are aligned to.
const FRAME_ALIGN: u64 = 16;

/// How LLVM's name for the local variables of a function begins.
const DEPOT: &str = "__local_depot";

/// Decodes a function that has a body.
pub(super) fn decode<'t>(function: &Function<'t>, module: usize, symbols: &Symbols<'t>) -> Decoded<Code> {
    let mut decoder = Decoder::new(symbols);
    decoder.names.place = function.place;
    let returns = decoder.declare_params(&function.prototype.returns, false)?;
    decoder.register_returns = std::mem::take(&mut decoder.register_params);
    let params = decoder.declare_params(&function.prototype.params, function.is_entry)?;
    decoder.load_params(function.place);
    if let Some(body) = &function.body {
        decoder.block(body)?;
        decoder.kind = Kind::Call;
        decoder.push_return(None, body.end);
    }
    decoder.resolve_jumps()?;
    let frame_size = decoder.frame_size.next_multiple_of(FRAME_ALIGN);
    let open_param = decoder.open_param;
    let unwritten = find_unwritten(&decoder.instructions, open_param, &decoder.names);
    let mut hints = decoder.hints;
    hints.constants = decoder.names.variable_constants();
    hints.frame_sums = std::mem::take(&mut decoder.names.frame_sums);
    let word = u64::from(symbols.windows.address_bits / 8);
    let misaligned = std::mem::take(&mut decoder.names.misaligned);
    let (n_registers, constants) = decoder.names.into_parts();
    let name = function.name.to_owned();
    let mut instructions = decoder.instructions;
    find_reductions(&mut instructions);
    let code = Code {
        name,
        module,
        instructions,
        bases: Vec::new(),
        n_registers,
        unwritten,
        constants,
        params,
        open_param,
        returns,
        cluster: cluster_of(function),
        frame_size,
        misaligned,
        variables: decoder.variables,
    };
    let bases = provenance::find(&code, &hints, function.is_entry, word);
    Ok(Code { bases, ..code })
}

/// An integer division knows its divisor; one of floating-point numbers only computes.
fn divided(op: Op, opcode: &str, modifiers: &[&str]) -> Op {
    let ty = match modifiers {
        [name] => Type::named(name).filter(|_| name.starts_with(['s', 'u'])),
        _ => None,
    };
    match (op, ty.and_then(|ty| Width::of_bytes(size_of(ty)))) {
        (Op::Compute { compute, operands, results }, Some(width)) => match (&operands[..], &results[..]) {
            (&[dividend, divisor], &[result]) => Op::Divide {
                compute,
                operands: [dividend, divisor],
                width,
                result,
                is_remainder: opcode == "rem",
            },
            _ => Op::Compute { compute, operands, results },
        },
        (op, _) => op,
    }
}

/// PTX ISA ".reqnctapercluster": axes that are not named have one block.
fn cluster_of(function: &Function<'_>) -> Option<[u32; 3]> {
    let (_, values) = function.directives.iter().find(|(name, _)| *name == "reqnctapercluster")?;
    let axis = |idx: usize| match values.get(idx) {
        Some(Constant::Int(n)) => u32::try_from(*n).unwrap_or(u32::MAX),
        _ => 1,
    };
    Some([axis(0), axis(1), axis(2)])
}

pub(super) struct Decoder<'s, 't> {
    pub(super) names: InstructionDecoder<'s, 't>,
    instructions: Vec<Instruction>,
    labels: Labels<'t>,
    /// Branches whose target is not known yet: the instruction, the block that it is in, the label.
    jumps: Vec<(usize, usize, &'t str)>,
    /// The same of branches by a list of labels.
    table_jumps: Vec<(usize, usize, &'t str)>,
    pub(super) frame_size: u64,
    open_param: Option<Register>,
    /// The parameters that are registers: where they lie in the frame when the function begins.
    pub(super) register_params: Vec<(RegisterParam, Slot)>,
    /// The same of what it gives, when it ends.
    pub(super) register_returns: Vec<(RegisterParam, Slot)>,
    /// `.callprototype` by label.
    pub(super) prototypes: HashMap<&'t str, Shape>,
    /// What `.loc` said last.
    source: Option<(u32, u32)>,
    column: u32,
    /// What the instruction is that is decoded.
    kind: Kind,
    /// How its result comes from its operands.
    flow: Flow,
    /// What the instructions say of addresses.
    hints: Hints,
    /// The variables in the frame.
    variables: Vec<FrameVariable>,
}

impl<'s, 't> Decoder<'s, 't> {
    pub(super) fn new(symbols: &'s Symbols<'t>) -> Self {
        Decoder {
            names: InstructionDecoder::new(symbols),
            instructions: Vec::new(),
            labels: Labels::new(),
            jumps: Vec::new(),
            table_jumps: Vec::new(),
            frame_size: 0,
            open_param: None,
            register_params: Vec::new(),
            register_returns: Vec::new(),
            prototypes: HashMap::new(),
            source: None,
            column: 0,
            kind: Kind::Call,
            flow: Flow::Other,
            hints: Hints::default(),
            variables: Vec::new(),
        }
    }
}

impl<'t> Decoder<'_, 't> {
    pub(super) fn push(&mut self, op: Op, guard: Option<Guard>, place: Place) {
        self.push_operands(place);
        let direct = self.names.direct.take();
        self.push_alone(op, guard, place, (self.flow, direct));
        for op in std::mem::take(&mut self.names.after) {
            self.push_alone(op, guard, place, (Flow::Other, direct));
        }
    }

    /// What the instruction at hand needs before it: a guard makes no difference.
    fn push_operands(&mut self, place: Place) {
        for (op, flow) in std::mem::take(&mut self.names.before) {
            self.push_alone(op, None, place, (flow, None));
        }
    }

    fn push_alone(
        &mut self,
        op: Op,
        guard: Option<Guard>,
        place: Place,
        (flow, direct): (Flow, Option<Base>),
    ) {
        let (source, column, kind) = (self.source, self.column, self.kind);
        self.instructions.push(Instruction { op, guard, place, source, column, kind });
        self.hints.flows.push(flow);
        self.hints.direct.push(direct);
    }

    /// Parameters of a kernel lie in `.param` from its start; those of a function, in its frame.
    fn declare_params(&mut self, params: &[Variable<'t>], is_entry: bool) -> Decoded<Vec<Slot>> {
        let (mut slots, mut end) = (Vec::new(), 0);
        for param in params {
            self.names.place = param.place;
            if param.space == Space::Reg && !is_entry {
                slots.push(self.declare_register_param(param)?);
                continue;
            }
            if param.space != Space::Param {
                return Err(self.names.error("a kernel parameter must be in `.param`"));
            }
            if !is_entry && matches!(param.dims[..], [None]) {
                let register = self.names.fresh();
                self.open_param = Some(register);
                self.names.declare(param.name, Name::OpenParam(register));
                continue;
            }
            let size = self.size_of(param)?;
            let slot = if is_entry {
                let offset = u64::next_multiple_of(end, align_of_variable(param));
                end = offset + size;
                self.names.declare(param.name, Name::KernelParam(offset));
                Slot { offset, size }
            } else {
                self.declare_in_frame(param, size)
            };
            slots.push(slot);
        }
        Ok(slots)
    }

    fn size_of(&self, variable: &Variable<'t>) -> Decoded<u64> {
        let size = size_of_variable(variable).filter(|&size| size <= MAX_FRAME);
        size.ok_or_else(|| self.names.error(format!("`{}` is too large", variable.name)))
    }

    fn declare_in_frame(&mut self, variable: &Variable<'t>, size: u64) -> Slot {
        let offset = self.frame_size.next_multiple_of(align_of_variable(variable));
        self.frame_size = offset + size;
        self.names.declare_variable(variable, Name::Frame { offset, size });
        Slot { offset, size }
    }

    /// Notes a variable in local memory, or those in a depot.
    fn add_frame_variables(&mut self, name: &'t str, slot: Slot) {
        let locals = self.names.symbols.locals.get(name).map_or(&[][..], Vec::as_slice);
        if !locals.is_empty() {
            self.hints.depots.push(slot.offset);
        }
        for Local { name, offset, layout } in locals {
            let (start, size) = (slot.offset + offset, layout.size());
            if offset.checked_add(size).is_some_and(|end| end <= slot.size) {
                let (name, layout) = (format!("`{name}`"), Some(layout.clone()));
                self.variables.push(FrameVariable { name, start, size, layout });
            }
        }
        if locals.is_empty() {
            let is_depot = name.starts_with(DEPOT);
            let name = if is_depot { "the local variables".to_owned() } else { format!("`{name}`") };
            let Slot { offset: start, size } = slot;
            self.variables.push(FrameVariable { name, start, size, layout: None });
        }
    }

    fn block(&mut self, block: &Block<'t>) -> Decoded<()> {
        self.names.enter();
        self.labels.enter();
        for statement in &block.statements {
            self.statement(statement)?;
        }
        self.labels.leave();
        self.names.leave();
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<'t>) -> Decoded<()> {
        match statement {
            Statement::Variable(variable) => self.variable(variable),
            Statement::Label(label, place) => {
                let here = self.instructions.len() as u32;
                if !self.labels.declare(label, here) {
                    return Err(DecodeError::new(*place, format!("duplicate label `{label}`")));
                }
                Ok(())
            }
            Statement::Instruction(instruction) => self.instruction(instruction),
            Statement::Block(block) => self.block(block),
            Statement::BranchTargets(label, targets, _) => {
                self.labels.declare_table(label, targets);
                Ok(())
            }
            Statement::Loc(loc) => {
                self.source = Some((loc.file, loc.line)).filter(|_| loc.line > 0);
                self.column = loc.column;
                Ok(())
            }
            Statement::CallPrototype(label, prototype, _) => {
                self.prototypes.insert(label, Shape::of(prototype));
                Ok(())
            }
            Statement::Pragma(_) | Statement::CallTargets(..) => Ok(()),
        }
    }

    pub(super) fn variable(&mut self, variable: &Variable<'t>) -> Decoded<()> {
        self.names.place = variable.place;
        match variable.space {
            Space::Reg => self.names.declare_registers(variable),
            Space::Local | Space::Param => {
                let size = self.size_of(variable)?;
                let slot = self.declare_in_frame(variable, size);
                if variable.space == Space::Local {
                    self.add_frame_variables(variable.name, slot);
                }
                if self.frame_size > MAX_FRAME {
                    return Err(self.names.error("the function has too much local memory"));
                }
                Ok(())
            }
            Space::Shared | Space::Global | Space::Const => {
                let address = self.names.symbols.inner_address(variable);
                let address = address.ok_or_else(|| self.names.error("the variable has no address"))?;
                self.names.declare_variable(variable, Name::Variable(variable.space, address));
                Ok(())
            }
            Space::Sreg | Space::Tex => {
                Err(self.names.error("functions cannot declare variables of this state space"))
            }
        }
    }

    /// Modifiers have an order in the PTX ISA, and nearly any in ptxas. The decoders of the instructions know the ISA's alone: another one
    /// is put in order here.
    pub(super) fn instruction(&mut self, instruction: &syntax::Instruction<'t>) -> Decoded<()> {
        let mut error = match self.ordered_instruction(instruction) {
            Err(error) if error.flaw != Flaw::Misfit => error,
            decoded => return decoded,
        };
        let mut reordered = instruction.clone();
        for modifiers in other_orders(instruction.opcode, &instruction.modifiers) {
            reordered.modifiers = modifiers;
            match self.ordered_instruction(&reordered) {
                Ok(()) => return Ok(()),
                // It says more about what is wrong.
                Err(other) if error.flaw == Flaw::UnknownForm && other.flaw != Flaw::UnknownForm => {
                    error = other
                }
                Err(_) => {}
            }
        }
        Err(error)
    }

    fn ordered_instruction(&mut self, instruction: &syntax::Instruction<'t>) -> Decoded<()> {
        self.names.place = instruction.place;
        self.names.before.clear();
        self.names.after.clear();
        if instruction.operands.first() == Some(&Operand::Sink) && !may_drop_result(instruction.opcode) {
            return Err(self.names.misfit(format!("the result of `{}` cannot be `_`", instruction.opcode)));
        }
        let with_elements;
        // `cvt.rs` has lists, and no vectors.
        let instruction = if self.names.has_vectors && instruction.opcode != "cvt" {
            with_elements = self.names.with_elements(instruction);
            &with_elements
        } else {
            instruction
        };
        self.kind = Kind::of(instruction.opcode, &instruction.modifiers);
        self.flow = Flow::of(instruction.opcode, &instruction.modifiers);
        self.names.direct = None;
        self.names.named = Named::by(instruction.opcode, &instruction.modifiers);
        if let "exit" | "trap" | "brkpt" | "ret" | "membar" = instruction.opcode
            && !instruction.operands.is_empty()
        {
            return Err(self.names.misfit(format!("`{}` takes no operands", instruction.opcode)));
        }
        let guard = instruction.guard.as_ref().map(|guard| self.names.guard(guard)).transpose()?;
        let op = match (instruction.opcode, &instruction.modifiers[..]) {
            ("st" | "red", ["async", ..]) => {
                let [op, telling] = self.names.store_async(instruction)?;
                self.push(op, guard, instruction.place);
                telling
            }
            ("ld" | "ldu", _) => self.names.load(instruction)?,
            ("st", ["bulk", ..]) => self.names.bulk_store(instruction)?,
            ("st", _) => self.names.store(instruction)?,
            ("atom" | "red", _) => self.names.atomic(instruction)?,
            ("mov", [ty]) => self.names.mov(instruction, ty)?,
            ("mov", [vector @ ("v2" | "v4"), ty]) => self.names.mov_vector(instruction, vector, ty)?,
            ("alloca" | "stacksave" | "stackrestore", [ty @ ("u32" | "u64")]) => {
                self.names.stack(instruction, if *ty == "u32" { Type::U32 } else { Type::U64 })?
            }
            ("isspacep", [space]) => self.is_in_space(instruction, space)?,
            ("cvta", modifiers) => self.convert_address(instruction, modifiers)?,
            ("bra", [] | ["uni"]) => {
                let [Operand::Name(label)] = instruction.operands[..] else {
                    return Err(self.names.misfit("a branch takes one label"));
                };
                self.jumps.push((self.instructions.len(), self.labels.block, label));
                Op::Branch { target: 0, cost: 0 }
            }
            ("brx", ["idx"] | ["idx", "uni"]) => {
                let [index, Operand::Name(table)] = &instruction.operands[..] else {
                    return Err(self.names.error("an indexed branch takes an index and a list of labels"));
                };
                let index = self.names.source(index, Type::U32)?;
                self.push_operands(instruction.place);
                self.table_jumps.push((self.instructions.len(), self.labels.block, table));
                Op::BranchIndexed { index, targets: Vec::new(), cost: 0 }
            }
            ("call", [] | ["uni"]) => return self.call(instruction, guard),
            ("ret", [] | ["uni"]) => {
                self.push_return(guard, instruction.place);
                return Ok(());
            }
            ("exit", []) => Op::Exit,
            ("trap", []) => Op::Trap,
            ("brkpt", []) => Op::Breakpoint,
            ("barrier", ["cluster", ..]) => self.names.cluster_barrier(instruction)?,
            ("mapa" | "getctarank", _) => self.names.in_cluster(instruction)?,
            ("bar" | "barrier", modifiers) if modifiers.first() != Some(&"warp") => {
                self.barrier(instruction)?
            }
            ("membar" | "fence", _) => self.names.fence(instruction)?,
            ("cp", _) => self.names.copy(instruction)?,
            ("mbarrier", _) => self.names.mbarrier(instruction)?,
            ("tex" | "tld4", _) => self.names.texture_read(instruction)?,
            ("suld" | "sust" | "sured", _) => self.names.surface_access(instruction)?,
            ("txq" | "suq" | "istypep", _) => self.names.object_query(instruction)?,
            ("mma" | "wmma", _) => self.names.matrix(instruction)?,
            ("ldmatrix" | "stmatrix", _) => self.names.matrix_rows(instruction)?,
            ("movmatrix", _) => self.names.movmatrix(instruction)?,
            ("nanosleep", ["u32"]) => Op::Sleep,
            ("prefetch", ["tensormap"] | ["const" | "param", "tensormap"]) => Op::Nothing,
            ("setmaxnreg", ["inc" | "dec", "sync", "aligned", "u32"]) => {
                self.names.require_register_count(instruction)?
            }
            ("wgmma" | "tcgen05" | "multimem" | "fabric" | "clusterlaunchcontrol", _) => {
                return Err(self.names.not_executed(instruction));
            }
            ("tensormap", _) => self.names.tensor_map(instruction)?,
            ("createpolicy", _) => self.names.cache_policy(instruction)?,
            ("applypriority", ["L2::evict_normal"] | ["global", "L2::evict_normal"])
            | ("discard", ["L2"] | ["global", "L2"]) => self.names.cache_line(instruction)?,
            ("pmevent", [] | ["mask"]) | ("griddepcontrol", ["launch_dependents" | "wait"]) => Op::Nothing,
            ("prefetch", ["L1" | "L2"] | ["global" | "local", "L1" | "L2"])
            | (
                "prefetch",
                ["L2::evict_last" | "L2::evict_normal"] | ["global", "L2::evict_last" | "L2::evict_normal"],
            )
            | ("prefetch", ["L1::32B", "valid_addr", ..] | ["global", "L1::32B", "valid_addr", ..])
            | ("prefetchu", ["L1"]) => Op::Nothing,
            (
                "applypriority",
                ["async", "bulk", "bulk_group", "L2::evict_normal"]
                | ["async", "bulk", "global", "bulk_group", "L2::evict_normal"],
            ) => self.names.bulk_prefetch(instruction, false)?,
            (opcode, _) if video::is_known(opcode) => self.names.video(instruction)?,
            (opcode, modifiers) => {
                let negated = match (opcode, instruction.operands.get(1)) {
                    ("vote", Some(operand @ Operand::Not(_))) => {
                        Some(self.predicate_or_source(operand, Type::Pred)?)
                    }
                    _ => None,
                };
                if let Some(op) = self.names.together(instruction, negated)? {
                    self.push(op, guard, instruction.place);
                    return Ok(());
                }
                if let Some(carrying) = carry::operation(opcode, modifiers) {
                    let op = self.carry(instruction, carrying)?;
                    self.push(op, guard, instruction.place);
                    return Ok(());
                }
                let operation =
                    compute::operation(opcode, modifiers).ok_or_else(|| self.names.unknown(instruction))?;
                let operation = match (opcode, modifiers.last(), instruction.operands.len()) {
                    ("min" | "max", Some(&"f32"), 4) if !modifiers.contains(&"xorsign") => {
                        compute::of_three(operation)
                    }
                    _ => operation,
                };
                if opcode == "lop3" {
                    self.require_table(instruction)?;
                }
                match opcode {
                    "cvt" if modifiers.first() == Some(&"pack") => self.pack(instruction, operation)?,
                    "cvt" => self.convert(instruction, operation, guard)?,
                    "div" | "rem" => divided(self.compute(instruction, operation)?, opcode, modifiers),
                    _ => self.compute(instruction, operation)?,
                }
            }
        };
        self.push(op, guard, instruction.place);
        Ok(())
    }

    /// An instruction that only computes.
    fn compute(&mut self, instruction: &syntax::Instruction<'t>, operation: Operation) -> Decoded<Op> {
        let Some((result, operands)) = instruction.operands.split_first() else {
            return Err(self.names.misfit("the instruction has no operands"));
        };
        let pair = match result {
            Operand::Pair(pair) => vec![&pair.0, &pair.1],
            other => vec![other],
        };
        if pair.len() > operation.results.len() || operands.len() != operation.operands.len() {
            let wanted = operation.operands.len() + 1;
            let found = instruction.operands.len();
            let message = format!("the instruction takes {wanted} operands, found {found}");
            return Err(self.names.misfit(message));
        }
        let mut results = SmallVec::new();
        for (idx, &ty) in operation.results.iter().enumerate() {
            results.push(match pair.get(idx) {
                Some(result) => self.names.result(result, ty)?,
                None => None,
            });
        }
        let mut sources = SmallVec::new();
        for (operand, &ty) in operands.iter().zip(&operation.operands) {
            sources.push(self.predicate_or_source(operand, ty)?);
        }
        Ok(Op::Compute { compute: operation.compute, operands: sources, results })
    }

    /// `lop3` has its table as a number of eight bits.
    fn require_table(&self, instruction: &syntax::Instruction<'t>) -> Decoded<()> {
        match instruction.operands.get(4) {
            Some(Operand::Constant(Constant::Int(0..=255))) | None => Ok(()),
            // ptxas takes greater ones.
            Some(_) => Err(self.names.error("the lookup table of `lop3` must be a number from 0 to 255")),
        }
    }

    /// An instruction that takes or gives a carry.
    fn carry(&mut self, instruction: &syntax::Instruction<'t>, carrying: Carrying) -> Decoded<Op> {
        let Carrying { mut operation, takes, gives } = carrying;
        if takes {
            operation.operands.pop();
        }
        let mut op = self.compute(instruction, operation)?;
        let carry = self.names.carry();
        if let Op::Compute { operands, results, .. } = &mut op {
            if takes {
                operands.push(Source::Register(carry));
            }
            if gives && let Some(last) = results.last_mut() {
                *last = Some(carry);
            }
        }
        Ok(op)
    }

    /// A predicate may be negated where it is used.
    fn predicate_or_source(&mut self, operand: &Operand<'t>, ty: Type) -> Decoded<Source> {
        let Operand::Not(name) = operand else { return self.names.source(operand, ty) };
        let predicate = self.names.source(&Operand::Name(name), Type::Pred)?;
        let negated = self.names.fresh();
        self.push_operation("not", "pred", predicate, negated)?;
        Ok(Source::Register(negated))
    }

    fn push_operation(&mut self, opcode: &str, ty: &str, operand: Source, result: Register) -> Decoded<()> {
        let operation =
            compute::operation(opcode, &[ty]).ok_or_else(|| self.names.error("unknown operation"))?;
        let (operands, results) = (smallvec![operand], smallvec![Some(result)]);
        self.push(Op::Compute { compute: operation.compute, operands, results }, None, self.names.place);
        Ok(())
    }

    /// PTX ISA "bar", "barrier"
    fn barrier(&mut self, instruction: &syntax::Instruction<'t>) -> Decoded<Op> {
        let modifiers: SmallVec<[&str; 4]> = instruction.modifiers.iter().copied().collect();
        let plain: SmallVec<[&str; 4]> =
            modifiers.iter().copied().filter(|modifier| !matches!(*modifier, "cta" | "aligned")).collect();
        // `bar` is for whole warps, `barrier` if it says so.
        let is_for_warps = instruction.opcode == "bar" || modifiers.contains(&"aligned");
        let operands = &instruction.operands[..];
        match (&plain[..], operands) {
            (["sync"], [number, rest @ ..]) if rest.len() <= 1 => {
                let number = self.names.source(number, Type::U32)?;
                let n_threads = rest.first().map(|n| self.names.source(n, Type::U32)).transpose()?;
                Ok(Op::Barrier { number, n_threads, is_for_warps, votes: None })
            }
            (["arrive"], [number, n_threads]) => {
                let number = self.names.source(number, Type::U32)?;
                Ok(Op::Arrive { number, n_threads: self.names.source(n_threads, Type::U32)? })
            }
            (["red", reduction, ty], [result, number, rest @ .., predicate]) if rest.len() <= 1 => {
                let reduction = match (*reduction, *ty) {
                    ("popc", "u32") => BarrierReduction::Count,
                    ("and", "pred") => BarrierReduction::All,
                    ("or", "pred") => BarrierReduction::Any,
                    _ => {
                        return Err(self
                            .names
                            .error("a barrier reduction must be `.popc.u32`, `.and.pred` or `.or.pred`"));
                    }
                };
                let ty = if reduction == BarrierReduction::Count { Type::U32 } else { Type::Pred };
                let number = self.names.source(number, Type::U32)?;
                let n_threads = rest.first().map(|n| self.names.source(n, Type::U32)).transpose()?;
                let predicate = self.predicate_or_source(predicate, Type::Pred)?;
                let result = self.names.result(result, ty)?;
                let votes = Some(BarrierVotes { reduction, predicate, result });
                Ok(Op::Barrier { number, n_threads, is_for_warps, votes })
            }
            (["sync"] | ["arrive"] | ["red", _, _], _) => Err(self.names.error(
                "a barrier takes a number and, depending on its form, a thread count and a predicate",
            )),
            _ => Err(self.names.unknown(instruction)),
        }
    }

    /// PTX ISA "cvta": between the addresses of a space and generic ones.
    fn convert_address(&mut self, instruction: &syntax::Instruction<'t>, modifiers: &[&str]) -> Decoded<Op> {
        let (is_to, space, ty) = match *modifiers {
            ["to", space, ty] => (true, space, ty),
            [space, ty] => (false, space, ty),
            _ => return Err(self.names.error("`cvta` needs a state space and a type")),
        };
        let windows = self.names.symbols.windows;
        let window = match space {
            "global" => 0,
            "shared" | "shared::cta" | "shared::cluster" => windows.shared,
            "const" => windows.constant,
            "local" => windows.local,
            "param" | "param::entry" => windows.param,
            _ => return Err(self.names.error(format!("unknown state space `.{space}`"))),
        };
        let ty = Type::named(ty).filter(|&ty| 8 * size_of(ty) == u64::from(windows.address_bits));
        let ty =
            ty.ok_or_else(|| self.names.error(format!("addresses have {} bits", windows.address_bits)))?;
        let [result, operand] = &instruction.operands[..] else {
            return Err(self.names.error("`cvta` takes a result and an operand"));
        };
        let operands = smallvec![self.names.source(operand, ty)?];
        let results = smallvec![self.names.result(result, ty)?];
        let compute = compute::moved(if is_to { window.wrapping_neg() } else { window }, windows);
        Ok(Op::Compute { compute, operands, results })
    }

    /// PTX ISA "isspacep"
    fn is_in_space(&mut self, instruction: &syntax::Instruction<'t>, space: &str) -> Decoded<Op> {
        let windows = self.names.symbols.windows;
        let window = match space {
            "global" => None,
            "shared" | "shared::cta" => Some((windows.shared, BLOCK_WINDOW)),
            "shared::cluster" => Some((windows.shared, windows.size)),
            "const" => Some((windows.constant, windows.size)),
            "local" => Some((windows.local, windows.size)),
            "param" | "param::entry" => Some((windows.param, windows.size)),
            _ => return Err(self.names.error(format!("unknown state space `.{space}`"))),
        };
        self.compute(instruction, compute::in_window(window, windows))
    }

    fn resolve_jumps(&mut self) -> Decoded<()> {
        for (idx, block, label) in std::mem::take(&mut self.jumps) {
            let found = self.find_label(block, label, self.instructions[idx].place)?;
            if let Op::Branch { target, .. } = &mut self.instructions[idx].op {
                *target = found;
            }
        }
        for (idx, block, table) in std::mem::take(&mut self.table_jumps) {
            let place = self.instructions[idx].place;
            let found = self.labels.find_table(block, table);
            let (block, labels) =
                found.ok_or_else(|| DecodeError::new(place, format!("`{table}` is not a list of labels")))?;
            let find = |label: &&str| self.find_label(block, label, place);
            let found = labels.iter().map(find).collect::<Decoded<_>>()?;
            if let Op::BranchIndexed { targets, .. } = &mut self.instructions[idx].op {
                *targets = found;
            }
        }
        Ok(())
    }

    fn find_label(&self, block: usize, label: &str, place: Place) -> Decoded<u32> {
        let target = self.labels.find(block, label);
        target.ok_or_else(|| DecodeError::new(place, format!("undeclared label `{label}`")))
    }
}

/// Whether the only result of an instruction may be `_`, as ptxas takes it.
fn may_drop_result(opcode: &str) -> bool {
    !matches!(
        opcode,
        "mov" | "cvt" | "cvta" | "ld" | "ldu" | "vote" | "shfl" | "redux" | "activemask" | "add" | "sub"
    )
}

/// The registers that are read and that no instruction writes.
fn find_unwritten(
    instructions: &[Instruction],
    open_param: Option<Register>,
    names: &InstructionDecoder<'_, '_>,
) -> Vec<Unwritten> {
    let votes = instructions.iter().filter_map(|instruction| match &instruction.op {
        Op::Barrier { votes: Some(votes), .. } => votes.result,
        _ => None,
    });
    let results = instructions.iter().flat_map(|instruction| instruction.op.results());
    let written: HashSet<u32> = results.chain(votes).chain(open_param).map(|register| register.0).collect();
    let mut unwritten = BTreeMap::new();
    for (reader, instruction) in instructions.iter().enumerate() {
        let guard = instruction.guard.map(|guard| Source::Register(guard.predicate));
        for source in instruction.op.sources().into_iter().chain(guard) {
            if let Source::Register(register) = source
                && !written.contains(&register.0)
                && let Some((name, n_bytes)) = names.name_of(register)
            {
                let new = || Unwritten { register, name, n_bytes, reader: reader as u32 };
                unwritten.entry(register.0).or_insert_with(new);
            }
        }
    }
    unwritten.into_values().collect()
}

/// An atomic operation whose result is looked at is no reduction.
fn find_reductions(instructions: &mut [Instruction]) {
    let guards = instructions.iter().filter_map(|instruction| instruction.guard).map(|guard| guard.predicate);
    let sources = instructions.iter().flat_map(|instruction| instruction.op.sources());
    let registers = sources.filter_map(|source| match source {
        Source::Register(register) => Some(register),
        Source::Constant(_) | Source::Special(_) | Source::Frame(_) => None,
    });
    let used: HashSet<u32> = guards.chain(registers).map(|register| register.0).collect();
    for instruction in instructions {
        if let Op::Atomic(atomic) = &mut instruction.op
            && atomic.result.is_some_and(|result| used.contains(&result.0))
        {
            atomic.reduction = None;
        }
    }
}

/// How much local memory a function may have, in bytes (PTX ISA "State Spaces": 512 KiB a thread).
const MAX_FRAME: u64 = 512 << 10;
