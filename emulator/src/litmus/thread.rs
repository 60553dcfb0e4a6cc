//! One thread of a litmus test, executed with chosen values for what it loads from variables that it shares.
//!
//! Registers and its own memory know on which of its loads they depend (PTX ISA "No Thin Air": what instructions depend on
//! is what their operands, their addresses and the branches before them do).

use std::collections::HashMap;

use super::{Error, Thread};
use crate::compute::{Compute, Lanes, WARP_SIZE};
use crate::memory::bytes::Width;
use crate::memory::{Generic, LOCAL_WINDOW, WINDOW_SIZE};
use crate::program::Program;
use crate::program::code::{
    Address, Axis, Callee, Code, Extension, Fence, Guard, Instruction, Memory, Op, Order, Register, Slot,
    Source, Special,
};

/// How many accesses and fences a thread may have.
const MAX_EVENTS: usize = 24;

/// How many instructions.
const MAX_STEPS: usize = 20_000;

/// Where local memory lies among a thread's own memory; what is above are results.
const LOCAL: u64 = LOCAL_WINDOW;

/// A place that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Location {
    /// Of shared memory.
    pub(super) block: Option<u32>,
    pub(super) address: u64,
    pub(super) n_bytes: u64,
}

/// What a thread does that others could see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    /// The events of the thread that it depends on, a bit for each.
    pub(super) depends: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum EventKind {
    /// A load, a store, or both at once.
    Access {
        location: Location,
        read: Option<u64>,
        written: Option<u64>,
        order: Order,
    },
    Fence(Fence),
    /// A barrier of the block.
    Barrier(u64),
}

/// An execution of a thread.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) events: Vec<Event>,
    /// What it has left in results, by address.
    pub(super) results: HashMap<u64, u8>,
}

/// What became of an execution.
pub(super) enum Ran {
    Whole(Trace),
    /// It asks what it reads from a place.
    Asks(Location),
}

/// Bits, and the events that they depend on.
#[derive(Clone, Copy, Default)]
struct Value {
    bits: u64,
    from: u64,
}

struct Frame {
    code: usize,
    pc: usize,
    registers: Vec<Value>,
    /// Where it lies in local memory.
    base: u64,
}

/// Why an execution goes no further.
enum Stop {
    Asks(Location),
    Fails(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Fails(error)
    }
}

struct Machine<'a> {
    program: &'a Program,
    thread: &'a Thread,
    /// What its loads read, in their order.
    script: &'a [u64],
    is_result: &'a dyn Fn(u64) -> bool,
    n_read: usize,
    frames: Vec<Frame>,
    own: HashMap<u64, (u8, u64)>,
    events: Vec<Event>,
    /// What the branches until now depend on.
    control: u64,
}

/// Executes a thread whose loads read these values. Results are variables of its own.
pub(super) fn run(
    program: &Program,
    thread: &Thread,
    kernel: usize,
    script: &[u64],
    is_result: &dyn Fn(u64) -> bool,
) -> Result<Ran, Error> {
    let mut machine = Machine {
        program,
        thread,
        script,
        is_result,
        n_read: 0,
        frames: Vec::new(),
        own: HashMap::new(),
        events: Vec::new(),
        control: 0,
    };
    machine.enter(kernel, 0);
    for _ in 0..MAX_STEPS {
        if machine.frames.is_empty() {
            let results = machine.own.iter().filter(|(at, _)| **at > LOCAL + WINDOW_SIZE);
            let results = results.map(|(&at, &(byte, _))| (at, byte)).collect();
            return Ok(Ran::Whole(Trace { events: machine.events, results }));
        }
        match machine.step() {
            Ok(()) => {}
            Err(Stop::Asks(location)) => return Ok(Ran::Asks(location)),
            Err(Stop::Fails(error)) => return Err(error),
        }
    }
    Err(Error::TooMany("instructions in a thread: a loop that waits never ends here"))
}

impl<'a> Machine<'a> {
    fn enter(&mut self, code: usize, base: u64) {
        let n_registers = self.program.codes[code].n_registers as usize;
        self.frames.push(Frame { code, pc: 0, registers: vec![Value::default(); n_registers], base });
    }

    fn frame(&self) -> &Frame {
        self.frames.last().expect("invariant: the thread has not ended")
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("invariant: the thread has not ended")
    }

    fn step(&mut self) -> Result<(), Stop> {
        let (program, pc) = (self.program, self.frame().pc);
        let code: &'a Code = &program.codes[self.frame().code];
        let instruction = &code.instructions[pc];
        self.frame_mut().pc += 1;
        let (is_executed, condition) = instruction.guard.map_or((true, 0), |guard| self.guard(guard));
        if !is_executed {
            // That results keep their values depends on the condition.
            for register in instruction.op.results() {
                self.frame_mut().registers[register.0 as usize].from |= condition;
            }
            if let Op::Branch { .. } | Op::Return | Op::Exit | Op::Call { .. } = instruction.op {
                self.control |= condition;
            }
            return Ok(());
        }
        self.execute(code, instruction, condition)
    }

    fn guard(&self, guard: Guard) -> (bool, u64) {
        let value = self.frame().registers[guard.predicate.0 as usize];
        ((value.bits & 1 != 0) != guard.is_negated, value.from)
    }

    fn compute(
        &mut self,
        code: &'a Code,
        compute: &Compute,
        operands: &[Source],
        results: &[Option<Register>],
        condition: u64,
    ) {
        let values: Vec<Value> = operands.iter().map(|&operand| self.value(code, operand)).collect();
        let from = values.iter().fold(condition, |from, value| from | value.from);
        let lanes: Vec<Lanes> = values.iter().map(|value| [value.bits; WARP_SIZE]).collect();
        let mut computed = vec![[0; WARP_SIZE]; results.len()];
        compute(&lanes.iter().collect::<Vec<_>>(), &mut computed);
        for (result, computed) in results.iter().zip(&computed) {
            self.set(*result, Value { bits: computed[0], from });
        }
    }

    fn execute(&mut self, code: &'a Code, instruction: &'a Instruction, condition: u64) -> Result<(), Stop> {
        let unsupported = |what| {
            let module = &self.program.modules[code.module];
            let place = (module.name.clone(), module.line(instruction.place));
            Err(Stop::Fails(Error::Unsupported { what, place }))
        };
        match &instruction.op {
            Op::Compute { compute, operands, results } => {
                self.compute(code, compute, operands, results, condition);
            }
            Op::Divide { compute, operands, result, .. } => {
                self.compute(code, compute, operands, &[*result], condition);
            }
            Op::Load { address, width, extension, results, order } => {
                let at = self.address(code, address);
                for (idx, result) in results.iter().enumerate() {
                    let place =
                        Value { bits: at.bits + idx as u64 * width.bytes(), from: at.from | condition };
                    let loaded = self.load(address, place, *width, *order)?;
                    self.set(*result, Value { bits: extended(loaded.bits, *extension), ..loaded });
                }
            }
            Op::Store { address, width, values, order } => {
                let at = self.address(code, address);
                for (idx, &value) in values.iter().enumerate() {
                    let place =
                        Value { bits: at.bits + idx as u64 * width.bytes(), from: at.from | condition };
                    let value = self.value(code, value);
                    self.store(address, place, *width, value, *order)?;
                }
            }
            Op::Atomic(atomic) => {
                let at = self.address(code, &atomic.address);
                let operands: Vec<Value> =
                    atomic.operands.iter().map(|&operand| self.value(code, operand)).collect();
                let from = operands.iter().fold(at.from | condition, |from, operand| from | operand.from);
                let location = self.location(&atomic.address, at.bits, atomic.width)?;
                let Some(location) = location else { return unsupported("an atomic operation on a result") };
                let old = self.ask(location)?;
                let bits: Vec<u64> =
                    operands.iter().map(|operand| operand.bits & atomic.width.mask()).collect();
                let new = (atomic.update)(old, &bits) & atomic.width.mask();
                // An exchange that finds another value than it expects writes nothing.
                let is_read_only = matches!(bits[..], [expected, _] if expected != old);
                let event = self.push(
                    EventKind::Access {
                        location,
                        read: Some(old),
                        written: (!is_read_only).then_some(new),
                        order: atomic.order,
                    },
                    from,
                )?;
                self.set(atomic.result, Value { bits: old, from: event });
            }
            Op::Branch { target, .. } => {
                self.control |= condition;
                self.frame_mut().pc = *target as usize;
            }
            Op::BranchIndexed { index, targets, .. } => {
                let index = self.value(code, *index);
                self.control |= condition | index.from;
                let Some(&target) = targets.get(index.bits as usize) else {
                    return unsupported("an index beyond the list of labels");
                };
                self.frame_mut().pc = target as usize;
            }
            Op::Call { callee: Callee::Direct(number), args, .. } => {
                self.control |= condition;
                self.call(*number, args);
            }
            Op::Return => {
                self.control |= condition;
                self.give_back();
            }
            Op::Exit => {
                self.control |= condition;
                self.frames.clear();
            }
            Op::Fence(fence) => drop(self.push(EventKind::Fence(*fence), condition)?),
            Op::Barrier { number, n_threads: None, votes: None, .. } => {
                let number = self.value(code, *number).bits;
                self.push(EventKind::Barrier(number), condition)?;
            }
            Op::Sleep | Op::ProxyFence | Op::Nothing => {}
            Op::Call { .. } => return unsupported("a call of an unknown function"),
            Op::AtomicVector(_) | Op::AtomicWide(_) => {
                return unsupported("an atomic operation on a vector or 128 bits");
            }
            Op::Texture(_) | Op::Surface(_) | Op::ObjectQuery(_) => {
                return unsupported("a texture or a surface");
            }
            Op::Mbarrier(_)
            | Op::CopyAsync(_)
            | Op::CopyCommit
            | Op::CopyWait { .. }
            | Op::CopyArrive { .. }
            | Op::BulkCopy(_)
            | Op::BulkStore { .. }
            | Op::TensorCopy(_)
            | Op::MapCopy { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. } => {
                return unsupported("use of mbarriers and asynchronous copies");
            }
            Op::WarpCollective { .. } | Op::MatrixCompute(_) | Op::MatrixRows(_) | Op::MatrixFragment(_) => {
                return unsupported("a warp collective");
            }
            Op::Barrier { .. } | Op::Arrive { .. } | Op::ClusterArrive { .. } | Op::ClusterWait => {
                return unsupported("a barrier that is not for all threads of a block");
            }
            Op::Alloca { .. } | Op::StackSave { .. } | Op::StackRestore { .. } => {
                return unsupported("`alloca`");
            }
            Op::Trap | Op::Breakpoint => return unsupported("a trap"),
            Op::Counter { .. } => return unsupported("a counter"),
        }
        Ok(())
    }

    fn set(&mut self, register: Option<Register>, value: Value) {
        if let Some(register) = register {
            self.frame_mut().registers[register.0 as usize] = value;
        }
    }

    fn value(&self, code: &Code, source: Source) -> Value {
        let bits = match source {
            Source::Register(register) => return self.frame().registers[register.0 as usize],
            Source::Constant(number) => code.constants[number as usize][0],
            Source::Frame(offset) => self.frame().base + u64::from(offset),
            Source::Special(special) => self.special(special),
        };
        Value { bits, from: 0 }
    }

    /// What a test does not specify is as of a single thread.
    fn special(&self, special: Special) -> u64 {
        match special {
            Special::Tid(Axis::X) => u64::from(self.thread.thread),
            Special::Ctaid(Axis::X) => u64::from(self.thread.block),
            Special::ClusterId(Axis::X) => u64::from(self.thread.cluster),
            Special::LaneId => u64::from(self.thread.thread % 32),
            Special::WarpId => u64::from(self.thread.thread / 32),
            Special::Ntid(_) | Special::Nctaid(_) | Special::NClusterId(_) | Special::ClusterNctaid(_) => 1,
            Special::NWarpId | Special::ClusterSize | Special::NSmId => 1,
            _ => 0,
        }
    }

    fn address(&self, code: &Code, address: &Address) -> Value {
        let base = match address.base {
            Some(base) => self.value(code, base),
            None => Value::default(),
        };
        let is_frame = address.memory == Memory::Frame;
        let start = if is_frame && address.base.is_none() { self.frame().base } else { base.bits };
        Value { bits: start.wrapping_add(address.offset as u64), from: base.from }
    }

    /// A place that threads share; none if it is the thread's own.
    fn location(&self, address: &Address, at: u64, width: Width) -> Result<Option<Location>, Error> {
        let n_bytes = width.bytes();
        match address.memory.find(at) {
            Generic::Local(_) => Ok(None),
            Generic::Shared(at) => {
                Ok(Some(Location { block: Some(self.thread.block), address: at, n_bytes }))
            }
            Generic::Global(at) if (self.is_result)(at) => Ok(None),
            Generic::Global(at) => Ok(Some(Location { block: None, address: at, n_bytes })),
            Generic::Const(_) | Generic::Param(_) => Err(Error::BadAddress(at)),
        }
    }

    fn own_address(address: &Address, at: u64) -> u64 {
        match address.memory.find(at) {
            Generic::Local(at) => LOCAL + at,
            _ => at,
        }
    }

    fn load(&mut self, address: &Address, at: Value, width: Width, order: Order) -> Result<Value, Stop> {
        if let Generic::Const(offset) = address.memory.find(at.bits) {
            if !self.program.constants.holds(offset, width.bytes()) {
                return Err(Error::BadAddress(at.bits).into());
            }
            return Ok(Value { bits: self.program.constants.load(offset, width), from: at.from });
        }
        let Some(location) = self.location(address, at.bits, width)? else {
            let start = Self::own_address(address, at.bits);
            let mut value = Value { bits: 0, from: at.from };
            for idx in 0..width.bytes() {
                let (byte, from) = self.own.get(&(start + idx)).copied().unwrap_or_default();
                value.bits |= u64::from(byte) << (8 * idx);
                value.from |= from;
            }
            return Ok(value);
        };
        let bits = self.ask(location)?;
        let kind = EventKind::Access { location, read: Some(bits), written: None, order };
        let from = self.push(kind, at.from)?;
        Ok(Value { bits, from })
    }

    fn store(
        &mut self,
        address: &Address,
        at: Value,
        width: Width,
        value: Value,
        order: Order,
    ) -> Result<(), Stop> {
        let Some(location) = self.location(address, at.bits, width)? else {
            let start = Self::own_address(address, at.bits);
            for idx in 0..width.bytes() {
                let byte = (value.bits >> (8 * idx)) as u8;
                self.own.insert(start + idx, (byte, value.from | at.from));
            }
            return Ok(());
        };
        let written = Some(value.bits & width.mask());
        let kind = EventKind::Access { location, read: None, written, order };
        self.push(kind, at.from | value.from)?;
        Ok(())
    }

    /// What is read from a place, by the script.
    fn ask(&mut self, location: Location) -> Result<u64, Stop> {
        let value = self.script.get(self.n_read).copied().ok_or(Stop::Asks(location))?;
        self.n_read += 1;
        Ok(value)
    }

    /// The bit of the event.
    fn push(&mut self, kind: EventKind, depends: u64) -> Result<u64, Error> {
        if self.events.len() >= MAX_EVENTS {
            return Err(Error::TooMany("accesses in a thread: a loop that waits never ends here"));
        }
        self.events.push(Event { kind, depends: depends | self.control });
        Ok(1 << (self.events.len() - 1))
    }

    fn call(&mut self, number: usize, args: &[Slot]) {
        let caller = self.frame();
        let callee = &self.program.codes[number];
        let from = caller.base;
        let to = from + self.program.codes[caller.code].frame_size;
        for (arg, param) in args.iter().zip(&callee.params) {
            self.copy(from + arg.offset, to + param.offset, arg.size);
        }
        self.enter(number, to);
    }

    fn give_back(&mut self) {
        let Some(callee) = self.frames.pop() else { return };
        let Some(caller) = self.frames.last() else { return };
        let call = &self.program.codes[caller.code].instructions[caller.pc - 1];
        let Op::Call { returns, .. } = &call.op else { return };
        let to = caller.base;
        for (value, place) in self.program.codes[callee.code].returns.iter().zip(returns) {
            self.copy(callee.base + value.offset, to + place.offset, place.size.min(value.size));
        }
    }

    /// Copies local memory.
    fn copy(&mut self, from: u64, to: u64, n_bytes: u64) {
        for idx in 0..n_bytes {
            let byte = self.own.get(&(LOCAL + from + idx)).copied().unwrap_or_default();
            self.own.insert(LOCAL + to + idx, byte);
        }
    }
}

fn extended(value: u64, extension: Extension) -> u64 {
    match extension {
        Extension::Zero => value,
        Extension::Sign { from, to } => {
            let wide = (value << (64 - from)) as i64 >> (64 - from);
            wide as u64 & (u64::MAX >> (64 - to))
        }
    }
}
