//! Decodes the body of a function: from statements to instructions with numbered registers and resolved labels.
//!
//! - `frame`: parameters and variables
//! - `dispatch`: one instruction, by opcode; `compute`, `barrier`: families of instructions
//! - `usage`: properties of the body as a whole

mod barrier;
mod compute;
mod dispatch;
mod frame;
mod usage;

use std::collections::HashMap;

use self::usage::{find_reductions, find_unwritten};
use super::call::{RegisterParam, Shape};
use super::code::{Code, FrameVariable, Guard, Instruction, Op, Register, Slot};
use super::kind::Kind;
use super::labels::Labels;
use super::link::Symbols;
use super::modifiers::other_orders;
use super::operand::{DecodeError, Decoded, Flaw, InstructionDecoder};
use super::provenance::{self, Base, Flow, Hints};
use crate::ptx::place::Place;
use crate::ptx::syntax::{self, Block, Constant, Function, Statement};

/// The alignment of frames.
const FRAME_ALIGN: u64 = 16;

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
